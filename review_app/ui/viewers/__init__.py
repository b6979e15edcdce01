"""One module a kind of workspace file."""

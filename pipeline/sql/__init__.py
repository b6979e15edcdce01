"""All that the builder does with SQL as text or as a tree."""

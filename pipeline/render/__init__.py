"""Writers and readers of workspace files; every file is read back and compared before anyone sees it."""

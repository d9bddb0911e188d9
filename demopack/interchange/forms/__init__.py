"""One module a format: how its files are written, and how those of other programs are read."""

"""Training and few-shot files: a module for each format, and a line for it in :mod:`.catalogue`."""

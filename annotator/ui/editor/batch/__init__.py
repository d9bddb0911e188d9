"""Several steps at once: search, tighten, doubles, what the programs told."""

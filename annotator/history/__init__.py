"""The history of a demo: as a list, as a way to go back, and as what changed since a moment."""

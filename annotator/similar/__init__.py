"""Similarity of elements of a screen, by their pixels or by where they stand; knows no window."""

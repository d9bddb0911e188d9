"""Primitives on pictures and masks, one of each, on numpy and scipy. Imported where they are needed."""

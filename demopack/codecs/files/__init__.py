"""Demos in the files of other programs, read with a report of everything that had to be assumed."""

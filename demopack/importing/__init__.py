"""Demos from other programs and from our own packs: read with a report of everything that had to be assumed."""

"""Annotations: the elements of a library's demos out to labelling programs, and in again."""

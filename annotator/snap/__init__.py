"""Boxes by pixels alone: nested things around a place (words, lines, controls, rows, panels), tight boxes, snapping."""

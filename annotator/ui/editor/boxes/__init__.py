"""Boxes by keyboard: tighten, split, merge, copy; and what helps to see pixels."""

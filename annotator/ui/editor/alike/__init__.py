"""Selects what is like the selected element, wider with each press."""

"""Propagation: carrying over, copying over a range, templates, and editing an element on all its pictures."""

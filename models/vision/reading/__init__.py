"""Reads text: where lines are, what they say, and what only looks like text."""

"""Attributes: states, digits, numbers, read texts, and the mode that sets them by keyboard."""

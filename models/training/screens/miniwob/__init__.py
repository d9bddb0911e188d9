"""Screens of the MiniWoB++ tasks."""

"""Finds the elements on a screen, in a worker process, and follows them over a demo."""

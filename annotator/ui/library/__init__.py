"""The first window: every demo, and the big Record button."""

"""Snapshots of the screen, and when they are taken."""

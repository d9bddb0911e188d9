"""Concepts of demopack: actions, geometry, elements, frames, steps, demos, rationales, edits, and the ports.

Nothing here knows Qt, a machine-learning framework, an operating system or a database.
"""

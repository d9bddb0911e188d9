"""Reduction of raw events to gestures; pure."""

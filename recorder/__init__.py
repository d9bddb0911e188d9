"""Capture: what a person saw and did, as steps. No Qt; the OS is reached through ``recorder.backends``."""

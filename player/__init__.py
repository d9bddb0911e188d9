"""Replay: actions performed on a live screen, and compared with what was recorded."""

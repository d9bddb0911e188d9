"""The truth check: whether a rationale says only what is so. No model, no picture, pure functions."""

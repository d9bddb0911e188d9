"""The picture before a step and the one after it, side by side or in turn."""

"""From raw events to gestures; pure."""

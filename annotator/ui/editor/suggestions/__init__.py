"""Suggestions: slider, accept and reject, who said what."""

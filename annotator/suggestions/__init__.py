"""Suggestions: elements that finders propose and nobody has reviewed; their filter, commands, sources and decisions."""

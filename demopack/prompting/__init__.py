"""Demos as prompts: few-shot selection, prompt builders in several dialects, and parsers of what models answer."""

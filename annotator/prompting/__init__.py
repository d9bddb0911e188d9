"""Prompts for the moment before a step, as an agent that learns from the library's demos would get them."""

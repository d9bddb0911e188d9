"""Holds a model's answers against recorded demos: how often, where, and how surely it is right."""

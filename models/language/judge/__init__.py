"""Judges demos: what frames and actions tell by themselves, and what a language model makes of them."""

"""Annotations out to other programs and in again: what is lost is told before, what came of it after."""

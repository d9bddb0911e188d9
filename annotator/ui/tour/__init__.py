"""Hints for the first time: what stands where, one after the other."""

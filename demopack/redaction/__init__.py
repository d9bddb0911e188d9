"""Finds what is private in a demo, and replaces it everywhere by the same placeholder. No framework, no OS."""

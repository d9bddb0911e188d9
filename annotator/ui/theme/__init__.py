"""Themes: tokens as data, one style sheet made of them, one manager that switches them live."""

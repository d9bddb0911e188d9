"""Attributes of elements: forms, digits, type defaults, texts; and whether an action and its element fit together."""

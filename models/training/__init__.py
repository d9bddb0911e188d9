"""Trains the models that find and describe elements, from screens whose truth is known, and measures them."""

"""Widgets without a trained model: closed shapes and what their geometry tells."""

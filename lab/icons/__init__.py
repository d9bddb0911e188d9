"""Trains the icon network: squares cut from screens and drawings of icon sets, a small network, its export."""

"""Trains the detector on screens with known truth: native-scale crops, a time budget, checkpoints that lose nothing."""

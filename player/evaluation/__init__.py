"""Evaluation of agents on tasks that judge for themselves whether they were done."""

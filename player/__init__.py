"""Performs AgentActions on a live screen and compares what happens with what was recorded."""

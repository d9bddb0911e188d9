"""What finders propose and nobody has looked at yet: which is shown, what becomes of it, what is learned from that."""

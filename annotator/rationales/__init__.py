"""Rationales while they are edited: what they name, whether they still hold, and other writers' versions of them."""

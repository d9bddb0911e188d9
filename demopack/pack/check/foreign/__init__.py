"""Checks folders that are no packs: what can be checked is checked, and what cannot is said."""

from demopack.pack.check.foreign.run import check_path

__all__ = ["check_path"]

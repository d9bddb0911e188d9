"""Checks packs, and folders of other formats, against the rules of :mod:`demopack.pack.rules`."""

from demopack.pack.check.pack_check import check_pack, report_on

__all__ = ["check_pack", "report_on"]

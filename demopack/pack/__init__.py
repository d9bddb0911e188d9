"""Demo packs: written, read back, checked. A pack is a folder or a zip that needs none of our code to be read."""

from demopack.pack.check import check_pack
from demopack.pack.reader import Pack, open_pack, read_demos
from demopack.pack.rules import Finding
from demopack.pack.writer import PackSummary, export_pack

__all__ = ["Finding", "Pack", "PackSummary", "check_pack", "export_pack", "open_pack", "read_demos"]

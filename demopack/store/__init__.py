"""The library: one folder with ``library.db`` (catalogue, edit log) and ``frames/`` (pictures by content)."""

from demopack.store.library import Library
from demopack.store.recording import Recording

__all__ = ["Library", "Recording"]

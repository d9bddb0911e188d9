"""The library: one folder with ``library.db``: demos, their pictures as tiles, and the log of edits.

Libraries of version 1 keep their older pictures in ``frames/`` as PNG files.
"""

from demopack.store.edit_log import EditLog, Walk, Way
from demopack.store.film import FilmFrame
from demopack.store.library import Library
from demopack.store.log_reading import LogLine
from demopack.store.recording import Recording

__all__ = ["EditLog", "FilmFrame", "Library", "LogLine", "Recording", "Walk", "Way"]

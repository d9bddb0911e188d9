"""The library: one folder with ``library.db``: demos, their pictures as tiles, and the log of edits."""

from demopack.store.connection import TEMPLATES
from demopack.store.edit_log import CheckoutPath, EditLog, LogLine
from demopack.store.library import Library
from demopack.store.recording import Recording
from demopack.store.timeline import Keyframe

__all__ = ["TEMPLATES", "CheckoutPath", "EditLog", "Keyframe", "Library", "LogLine", "Recording"]

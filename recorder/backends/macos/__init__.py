"""macOS: its windows through Quartz, its elements through AX, its permissions. Never run on a real Mac."""

from __future__ import annotations

import contextlib
import importlib
from contextlib import AbstractContextManager
from typing import Any


def autorelease_pool() -> AbstractContextManager[Any]:
    """A pool for what the system's libraries lend during a block; in threads of ours nobody else would empty one."""
    try:
        pool: AbstractContextManager[Any] = importlib.import_module("objc").autorelease_pool()
    except (ImportError, AttributeError):
        return contextlib.nullcontext()
    return pool

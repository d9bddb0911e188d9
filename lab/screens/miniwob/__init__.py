"""MiniWoB++ pages as screens: tasks that the field measures itself by, truth from the page."""

from __future__ import annotations

from lab.screens.miniwob.source import MiniwobSource

__all__ = ["MiniwobSource"]

"""Writes what the window holds, whole or not at all, at every change."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from practice_window import PracticeWindow


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Replace a JSON file in one move: a reader sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    temporary.replace(path)


class StateLog:
    """Keeps one file equal to the window's state."""

    def __init__(self, window: PracticeWindow, path: Path) -> None:
        self._window = window
        self._path = path
        self._changes = 0
        window.changed.connect(self._write)
        self._write()

    def closed(self) -> None:
        """The last word: the window is gone and this is what it held."""
        write_json(self._path, {**self._window.state(), "changes": self._changes, "closed": True})

    def _write(self) -> None:
        write_json(self._path, {**self._window.state(), "changes": self._changes, "closed": False})
        self._changes += 1

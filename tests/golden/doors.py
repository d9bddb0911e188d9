"""The ways into the product: its command line, and the few functions that no command has.

Whatever depends on a clock, on chance or on the machine is pinned here, and nowhere else.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from unittest import mock

from demopack import clock

NOW = datetime.fromisoformat("2026-04-01T12:34:56.789012+00:00")
"""What the clock says while golden files are made."""
_UNSET = ("DISPLAY", "WAYLAND_DISPLAY", "DEMOPACK_LIBRARY", "OPENAI_API_KEY", "NO_COLOR", "FORCE_COLOR", "COLUMNS")


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a command printed, and the code that it left with; after a crash what went wrong stands there."""

    code: str
    out: str
    err: str

    @property
    def text(self) -> str:
        """All of it as one text."""
        parts = [self.out, f"--- on standard error\n{self.err}" if self.err else "", f"--- exit code {self.code}\n"]
        return "".join(part if part.endswith("\n") or not part else f"{part}\n" for part in parts)


def demopack(*arguments: str | Path) -> Said:
    """``python -m demopack``, in this process, as importing everything anew for each would take minutes."""
    out, err = _stream(), _stream()
    code: object = None
    with (
        mock.patch.object(sys, "argv", ["demopack", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        # Another test may have imported it, of which runpy warns.
        sys.modules.pop("demopack.__main__", None)
        try:
            runpy.run_module("demopack", run_name="__main__", alter_sys=True)
        except SystemExit as left:
            code = left.code
        except Exception as error:  # noqa: BLE001 - a crash of one command is a difference like any other
            code = f"crashed: {type(error).__name__}: {error}"
    return Said(code="0" if code is None else str(code), out=_text(out), err=_text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


class _Clock(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return NOW.astimezone(tz) if tz else NOW.replace(tzinfo=None)


@contextlib.contextmanager
def pinned(work: Path) -> Iterator[None]:
    """Clock, chance, home, language, width of the terminal; the current folder is ``work``."""
    numbers = iter(range(1, 1 << 40))

    def next_id() -> uuid.UUID:
        # The first ten digits become an id; they grow, so that what is sorted by id has the order of its making.
        return uuid.UUID(int=(next(numbers) << 88) | (4 << 76) | (8 << 60))

    home = work / "home"
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
    given = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "DEMOPACK_SETTINGS": str(home / "settings.json"),
        "DEMOPACK_CACHE": str(home / "cache"),
        "DEMOPACK_REQUESTS": "local",
        "HF_HUB_OFFLINE": "1",
        "YOLO_OFFLINE": "true",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "en",
        "TZ": "UTC",
        "USER": "golden",
        "LOGNAME": "golden",
    }
    with (
        mock.patch.dict(os.environ, kept | given, clear=True),
        mock.patch.object(clock, "datetime", _Clock),
        mock.patch.object(uuid, "uuid4", next_id),
        mock.patch("socket.gethostname", return_value="golden.example"),
        contextlib.chdir(work),
    ):
        yield


def undo(home: Path, demo: str) -> list[str]:
    """Take back the last gesture of a demo; the labels of its edits, none where there is nothing left."""
    from demopack.store import Library

    with Library.open(home, create=False) as library:
        return [entry.edit.label for entry in library.log.undo(demo)]


def redo(home: Path, demo: str) -> list[str]:
    """As :func:`undo`, forwards."""
    from demopack.store import Library

    with Library.open(home, create=False) as library:
        return [entry.edit.label for entry in library.log.redo(demo)]


def settings_in(path: Path) -> str:
    """All settings of a file as JSON, or why it cannot be read; a file that can be is written again in its place."""
    from demopack.errors import DemopackError
    from demopack.settings import load_settings, save_settings

    try:
        settings = load_settings(path)
    except DemopackError as error:
        return f"{type(error).__name__}: {error}\n"
    save_settings(settings, path)
    return settings.model_dump_json(indent=2) + "\n"

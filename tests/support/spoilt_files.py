"""Libraries whose file is spoilt page by page, and what is left of them after a repair."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner, Result

from demopack.domain.demos import Demo
from demopack.store import Library
from demopack_cli.main import main

PAGE = 8192
"""Bytes of a page of a library."""


def demos(folder: Path) -> dict[str, Demo]:
    """Every demo that can be opened, by its id."""
    with Library.open(folder) as library:
        return {row.head.id: library.demo(row.head.id) for row in library.demos()}


def run(*args: str) -> Result:
    """``demopack repair``."""
    return CliRunner().invoke(main, ["repair", *args])


def root_of(folder: Path, name: str) -> int:
    """The page at which a table or an index begins."""
    with closing(sqlite3.connect(folder / "library.db")) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        return int(page)


def wipe(folder: Path, page: int, data: bytes = b"\xff") -> None:
    """Write something else over a page."""
    file = folder / "library.db"
    content = bytearray(file.read_bytes())
    content[(page - 1) * PAGE : page * PAGE] = data * (PAGE // len(data))
    file.write_bytes(content)

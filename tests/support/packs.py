"""Takes packs apart and puts them together again, so that tests can spoil one thing at a time."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class PackFolder:
    """A pack as a folder of plain files; knows nothing of the code that wrote or reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def copy(self, to: Path) -> PackFolder:
        """A pack of its own to spoil."""
        shutil.copytree(self.path, to)
        return PackFolder(to)

    # Reading

    def manifest(self) -> Row:
        data: Row = json.loads((self.path / "pack.json").read_text(encoding="utf-8"))
        return data

    def rows(self, table: str) -> list[Row]:
        text = (self.path / f"{table}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def row(self, table: str, fits: Callable[[Row], bool]) -> Row:
        return next(row for row in self.rows(table) if fits(row))

    # Spoiling

    def write_manifest(self, data: Row) -> None:
        (self.path / "pack.json").write_text(json.dumps(data), encoding="utf-8")

    def edit_manifest(self, change: Callable[[Row], object]) -> None:
        data = self.manifest()
        change(data)
        self.write_manifest(data)

    def edit_rows(self, table: str, change: Callable[[list[Row]], object]) -> None:
        """Change the rows of a table in place, then make the sums right again."""
        rows = self.rows(table)
        change(rows)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self.replace(f"{table}.jsonl", text.encode())

    def edit_row(self, table: str, number: int, change: Callable[[Row], object]) -> None:
        """Change the row with this position, from 0, in place."""
        self.edit_rows(table, lambda rows: change(rows[number]))

    def replace(self, name: str, data: bytes) -> None:
        """Give a file other content, with the right sum."""
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_bytes(data)
        self.seal()

    def rename(self, old: str, new: str) -> None:
        """Rename a file wherever it is named, as a person with a text editor would."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        (self.path / old).rename(self.path / new)
        for name in ("demos.jsonl", "steps.jsonl", "elements.jsonl"):
            file = self.path / name
            file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        self.seal()

    def seal(self) -> None:
        """Write sizes and sums of all files into the manifest, as an honest writer would."""
        files = sorted(p for p in self.path.rglob("*") if p.is_file() and p != self.path / "pack.json")
        entries = [
            {"path": p.relative_to(self.path).as_posix(), "size": p.stat().st_size, "sha256": _sum(p.read_bytes())}
            for p in files
        ]
        self.edit_manifest(lambda data: data.update(files=entries))


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

"""Packs to export, and what tests ask of every export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from demopack.codecs.sets.base import ExportLog, ExportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo


def make_pack(folder: Path, *, sample: bool = True) -> Path:
    """A pack of two demos (the long sample and the tiny one), or of the tiny one alone."""
    with Library.open(folder / "library") as library:
        ids = [tiny_demo(library)]
        if sample:
            ids.insert(0, sample_demo(library))
        export_pack(library, ids, folder / "pack", licence="CC0-1.0")
    return folder / "pack"


def export(pack: Path, name: str, folder: Path, **options: Any) -> ExportLog:
    """One export of one pack; the log equals the file that was written, and no row is lost without a reason."""
    with open_packs([pack]) as demos:
        log = exporter(name).export(demos, folder, options=ExportOptions(**options))
    written = ExportLog.model_validate_json((folder / "EXPORT_LOG.json").read_bytes())
    assert written == log
    for name, count in log.lines.items():
        assert len(lines(folder / name)) == count
    assert log.rows_in == log.rows_out + sum(item.count for item in log.left_out)
    return log


def lines(file: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def steps_of(pack: Path) -> list[dict[str, Any]]:
    """The rows of the pack's steps, read without our reader."""
    return lines(pack / "steps.jsonl")


def plain(value: Any) -> Any:
    """What pydantic read, as JSON would hold it: it reads some lists as iterators."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: plain(found) for key, found in fields.items()}
    return value if isinstance(value, (str, int, float)) or value is None else [plain(found) for found in value]

"""What was written before rationales had a plan, a mode and a fingerprint is read, edited and checked as ever."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from demopack.jobs import JobControl
from demopack.pack import check_pack, export_pack, open_pack
from demopack.store import Library
from models.language.rationale_run import write_demos
from models.language.template import TemplateWriter
from tests.support.demos import tiny_demo
from tests.support.packs import PackFolder

NEW = ("plan", "hindsight", "mode", "basis")


def without_new(step: dict[str, Any]) -> None:
    for field in NEW:
        del step["rationale"][field]


def test_an_older_library_is_read_and_its_steps_can_be_edited(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        demo_id = tiny_demo(library)
        now = library.demo(demo_id)
    with closing(sqlite3.connect(tmp_path / "library.db")) as db, db:
        for table in ("entities", "originals"):
            for key, text in db.execute(f"SELECT key, json FROM {table} WHERE kind = 'step'").fetchall():
                step = json.loads(text)
                without_new(step)
                db.execute(f"UPDATE {table} SET json = ? WHERE key = ?", (json.dumps(step), key))
    with Library.open(tmp_path) as library:
        assert library.demo(demo_id) == now
        (report,) = write_demos(library, [demo_id], TemplateWriter(), control=JobControl(), rewriting="programs")
        assert report.written == 3
        library.log.undo(demo_id)
        assert library.demo(demo_id) == now


def test_an_older_pack_is_read_and_checked(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo_id = tiny_demo(library)
        export_pack(library, [demo_id], tmp_path / "pack")
        now = library.demo(demo_id)
    pack = PackFolder(tmp_path / "pack")
    pack.edit_rows("steps", lambda rows: [without_new(row) for row in rows])
    with open_pack(pack.path) as read:
        assert [step.rationale for step in next(read.whole_demos()).steps] == [step.rationale for step in now.steps]
    assert [finding.rule for finding in check_pack(pack.path) if finding.severity == "error"] == []

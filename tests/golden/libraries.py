"""Libraries: what the commands say of them, what is stored, and everything undone and done again."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.golden.doors import demopack, redo, undo
from tests.golden.inputs import library
from tests.golden.outputs import Outputs


def commands(name: str) -> Callable[[Path, Outputs], None]:
    """Every command that reads a library."""

    def fill(work: Path, outputs: Outputs) -> None:
        home = library(f"{name}-library", work).relative_to(work)
        of = ("--library", home)
        outputs.said("list", demopack("list", *of))
        listed = demopack("list", *of, "--json")
        outputs.said("list.json", listed)
        for row in json.loads(listed.out):
            demo = row["head"]["id"]
            for command, forms in {
                "show": ((), ("--json",), ("--original",), ("--original", "--json")),
                "redact": (("--list",), ("--list", "--json")),
                "judge": ((),),
            }.items():
                for form in forms:
                    outputs.said(f"{demo}/{command}{''.join(form)}", demopack(command, demo, *of, *form))
        outputs.said("decisions", demopack("decisions", *of))
        outputs.said("decisions-last", demopack("decisions", "last", *of, "-o", "decisions.jsonl"))
        outputs.said("rationale-preview", demopack("rationale", "last", *of, "--preview", "1"))
        outputs.said("rationale", demopack("rationale", "last", *of, "--overwrite"))
        outputs.said("redact-all", demopack("redact", "last", *of, "--replace", "all"))
        outputs.said("redact-json", demopack("redact", "last", *of, "--replace", "email", "--json"))
        outputs.said("nobody", demopack("show", "nobody", *of))
        outputs.text("after", _text(stored(home)))

    return fill


def stored(home: Path) -> dict[str, Any]:
    """All demos as they stand and as they were recorded, and the log, read without the product."""
    with closing(sqlite3.connect(home / "library.db")) as db:
        found: dict[str, Any] = {
            "version": db.execute("PRAGMA user_version").fetchone()[0],
            "demos": db.execute("SELECT id, deleted FROM demos ORDER BY id").fetchall(),
            "frames": db.execute("SELECT id, width, height FROM frames ORDER BY id").fetchall(),
            "film": db.execute("SELECT demo, shown_ns, frame, json FROM film ORDER BY 1, 2").fetchall(),
        }
        for table in ("entities", "originals"):
            query = f"SELECT demo, kind, key, position, json FROM {table} ORDER BY demo, kind, position, key"
            found[table] = [(*row[:4], json.loads(row[4])) for row in db.execute(query)]
        query = "SELECT demo, seq, op, edit_id, merge_key, edit, at FROM log ORDER BY demo, seq"
        found["log"] = [(*row[:5], row[5] and json.loads(row[5]), row[6]) for row in db.execute(query)]
    return found


def _text(found: dict[str, Any]) -> str:
    """One row a line."""
    told = {name: rows if isinstance(rows, list) else [rows] for name, rows in found.items()}
    lines = [f"{name} {json.dumps(row, ensure_ascii=False, sort_keys=True)}" for name in told for row in told[name]]
    return "\n".join([*lines, ""])


def history(name: str) -> Callable[[Path, Outputs], None]:
    """An older library is opened; everything in its log is undone step by step, then done again."""

    def fill(work: Path, outputs: Outputs) -> None:
        home = library(name, work)
        outputs.said("list", demopack("list", "--library", name, "--json"))
        outputs.text("opened", _text(stored(home)))
        for demo, _ in stored(home)["demos"]:
            outputs.said(f"{demo}/show", demopack("show", demo, "--library", name, "--json"))
            states = [_state(home, demo)]
            for step in (undo, redo):
                while labels := step(home, demo):
                    states.append(f"{step.__name__} {labels}: {_state(home, demo)}")
                outputs.text(f"{demo}/after-{step.__name__}", _text({"entities": _entities(home, demo)}))
            outputs.text(f"{demo}/states", "\n".join([*states, ""]))
            outputs.said(f"{demo}/original", demopack("show", demo, "--library", name, "--json", "--original"))

    return fill


def _entities(home: Path, demo: str) -> list[Any]:
    return [row for row in stored(home)["entities"] if row[0] == demo]


def _state(home: Path, demo: str) -> str:
    """Counts to read, and a sum to compare."""
    rows = _entities(home, demo)
    counts = {kind: sum(row[1] == kind for row in rows) for kind in sorted({row[1] for row in rows})}
    return f"{counts} {hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]}"

"""What is private in an accessibility tree: found, warned about, replaced, forgotten."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.domain.geometry import Rect
from demopack.domain.trees import TextLine, TreeNode, WindowTree
from demopack.pack import export_pack
from demopack.pack.check.pack_check import report_on
from demopack.pack.export import export_formats
from demopack.redaction.apply import redact
from demopack.redaction.scan import decided, scan_demo
from demopack.store import Library
from tests.support.demos import DemoBuilder, demo_head
from tests.support.leaks import traces
from tests.support.pictures import noise_image
from tests.support.private_values import randomly

DEMO = "demo_7ee5f0a11e"
_FIELDS = ("title", "name", "description", "value", "placeholder", "keys", "line", "hidden")
_BOX = Rect(0, 0, 64, 48)


def _secret(place: str) -> str:
    """A token of a kind that nobody has to be told to look for, another in each place."""
    return "gh" + "p_" + randomly(30) + place.ljust(6, "x")[:6]


SECRETS = {place: _secret(place) for place in _FIELDS}


def _tree(*, step: int) -> WindowTree:
    """A window in which every text tells a secret; that of a hidden node, too."""
    told = {name: f"it is {SECRETS[name]} here" for name in ("name", "description", "value", "placeholder", "keys")}
    nodes = (
        TreeNode(role="frame", name=f"window {step}", box=_BOX),
        TreeNode(parent=0, role="text", states=("showing",), box=Rect(2, 2, 30, 10), **told),
        TreeNode(parent=0, role="text", lines=(TextLine(text=SECRETS["line"], box=Rect(2, 12, 30, 20)),)),
        TreeNode(parent=0, role="label", name=SECRETS["hidden"], states=("enabled",)),
        TreeNode(parent=0, role="password text", name="Key", secure=True, box=Rect(2, 30, 30, 40)),
    )
    return WindowTree(app="notes", title=f"Notes {SECRETS['title']}", box=_BOX, nodes=nodes)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        b = DemoBuilder(library=opened, demo_id=DEMO)
        frames = [b.frame(noise_image(64, 48, seed=seed)) for seed in range(3)]
        b.step("click", frames[0], frames[1], at=_BOX.center, trees=(b.reading(_tree(step=0)),))
        b.step(
            "click", frames[1], frames[2], at=_BOX.center, trees=(b.reading(WindowTree(app="notes", title="Plain")),)
        )
        b.step("finish_goal", frames[2], None)
        b.store(demo_head(DEMO, final_frame=frames[2]))
        yield opened


def test_every_place_is_found_and_giving_it_away_is_warned_about(library: Library, tmp_path: Path) -> None:
    assert {found.value for found in scan_demo(library.demo(DEMO))} >= set(SECRETS.values())
    export_pack(library, [DEMO], tmp_path / "pack", licence="CC0-1.0")
    report = report_on(tmp_path / "pack", publish=True)
    told = [(finding.rule, finding.severity) for finding in report.findings if finding.file == "trees.jsonl"]
    assert told == [("P02", "error")] * len(SECRETS)


def test_once_replaced_neither_pack_nor_export_holds_a_byte(library: Library, tmp_path: Path) -> None:
    assert any(traces(tmp_path / "library", secret) for secret in SECRETS.values()), "they would be seen"
    scan = scan_demo(library.demo(DEMO))
    redact(library, DEMO, decided(scan, "replace"))
    export_pack(library, [DEMO], tmp_path / "pack", licence="CC0-1.0")
    formats = [exporter(name) for name in NAMES]
    export_formats([tmp_path / "pack"], formats, tmp_path / "out", options=ExportOptions(any_outcome=True))
    for folder in ("pack", "out"):
        assert {place: traces(tmp_path / folder, secret) for place, secret in SECRETS.items()} == {
            place: [] for place in SECRETS
        }
    assert (tmp_path / "pack" / "trees.jsonl").stat().st_size


def test_what_is_forgotten_is_in_no_byte_packed_or_not(library: Library, tmp_path: Path) -> None:
    step = library.demo(DEMO).steps[0]
    with closing(sqlite3.connect(f"file:{tmp_path / 'library' / 'library.db'}?mode=ro", uri=True)) as db:
        (packed,) = db.execute("SELECT data FROM trees WHERE id = ?", (step.trees[0].tree,)).fetchone()
    library.forget_steps(DEMO, [step.id])
    library.close()
    assert {place: traces(tmp_path / "library", secret) for place, secret in SECRETS.items()} == {
        place: [] for place in SECRETS
    }
    held = b"".join(file.read_bytes() for file in (tmp_path / "library").rglob("*") if file.is_file())
    assert all(packed[at : at + 40] not in held for at in range(0, len(packed) - 40, 40))
    with Library.open(tmp_path / "library") as again:
        demo = again.demo(DEMO)
        assert [demo.trees[key].title for key in demo.tree_ids()] == ["Plain"]

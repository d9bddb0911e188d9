"""Whatever a demo holds, every format takes it: no crash, no row lost without a reason, nothing broken in its files."""

from __future__ import annotations

import ast
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demopack.codecs.recorded_demo import RecordedDemo, recorded_demo
from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.domain.demos import Demo, DemoHead
from demopack.file_names import safe_name
from demopack.pack.convert import frame_files, pruned
from demopack.pack.picture import encode_png
from demopack.store import Library
from tests.support.demo_strategies import demos
from tests.support.demos import CREATED_AT, tiny_demo
from tests.support.exports import lines

_PNG = encode_png(np.zeros((8, 8, 3), dtype=np.uint8))

OPTIONS = st.builds(
    ExportOptions,
    rationale=st.sampled_from(["none", "no_hindsight", "hindsight"]),
    elements=st.booleans(),
    marks=st.booleans(),
    history=st.none() | st.integers(0, 2),
)


class _OnePicture:
    """Stands for the pictures of a pack in a zip: every one is the same."""

    def read(self, name: str) -> bytes:
        assert name.startswith("frames/")
        return _PNG

    def file(self, name: str) -> Path | None:
        assert name.startswith("frames/")
        return None


@dataclass(frozen=True)
class _Given:
    """Demos that were never in a pack."""

    whole: Sequence[Demo]
    licence: str = ""
    kept_digests: Sequence[str] = ()

    @property
    def total(self) -> int:
        return len(self.whole)

    def demos(self) -> Iterator[RecordedDemo]:
        for demo in self.whole:
            yield recorded_demo(demo, frame_files(demo), _OnePicture())


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(demo=demos().map(pruned), options=OPTIONS)
def test_every_demo_goes_into_every_format(demo: Demo, options: ExportOptions) -> None:
    for name in NAMES:
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work) / "out"
            log = exporter(name).export(_Given([demo]), folder, options=options)
            assert log.rows_in == log.rows_out + sum(item.count for item in log.left_out), name
            assert log.rows_in == _rows_of(demo)[log.rows], name
            _read_all(folder)


def _rows_of(demo: Demo) -> dict[str, int]:
    elements = sum(len(demo.ordered(frame.id)) for frame in demo.frames())
    return {"steps": len(demo.steps), "pictures": len(demo.frames()), "elements": elements}


def _read_all(folder: Path) -> None:
    """Every file is what its name says, and lies in the folder."""
    for file in folder.rglob("*"):
        assert file.resolve().is_relative_to(folder.resolve())
        if not file.is_file():
            continue
        if file.suffix == ".json":
            json.loads(file.read_text(encoding="utf-8"))
        elif file.suffix == ".py":
            ast.parse(file.read_text(encoding="utf-8"))
        elif file.suffix == ".jsonl":
            assert len(lines(file)) == len(file.read_text(encoding="utf-8").splitlines())


def test_a_demo_cannot_take_the_place_of_the_log() -> None:
    head = DemoHead(id="EXPORT_LOG", created_at=CREATED_AT)
    with tempfile.TemporaryDirectory() as work:
        given_ = _Given([Demo(head=head, steps=(), elements={})])
        exporter("atif").export(given_, Path(work) / "out", options=ExportOptions())
        names = sorted(path.relative_to(work).as_posix() for path in Path(work).rglob("*.*"))
        assert names == ["out/EXPORT_LOG.json", "out/README.md", f"out/demos/{safe_name('EXPORT_LOG')}.json"]


ODD = (
    "CON",
    "con",
    "aux.json",
    "lpt1",
    "demo.",
    "demo",
    "Demo",
    ".git",
    "-rf",
    'a<b>:"/\\|?*',
    "../../up",
    "näh",
    "x" * 300,
)


def test_odd_ids_make_files_that_every_system_takes_and_tells_apart(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        ids = [tiny_demo(library, demo_id=name) for name in ODD]
        whole = [pruned(library.demo(key)) for key in ids]
    assert [demo.head.id for demo in whole] == list(ODD)
    for name in NAMES:
        folder = tmp_path / name
        exporter(name).export(_Given(whole), folder, options=ExportOptions())
        _read_all(folder)
        paths = [path.relative_to(folder) for path in folder.rglob("*")]
        assert not [path for path in paths if not all(map(_opens_on_windows, path.parts))], name
        assert len({str(path).lower() for path in paths}) == len(paths), name
    of_each = [
        "atif/demos/*.json",
        "pyautogui/*.py",
        "skill/*/SKILL.md",
        "tutorial/*.html",
        "osworld/results/*",
        "coco/images/*--0001.png",
    ]
    assert {pattern: len(list(tmp_path.glob(pattern))) for pattern in of_each} == dict.fromkeys(of_each, len(ODD))
    text = (tmp_path / "llmresponse" / "steps.jsonl").read_text(encoding="utf-8")
    assert {json.loads(line)["demo"] for line in text.splitlines()} == set(ODD)


def _opens_on_windows(part: str) -> bool:
    """By Microsoft's page "Naming Files, Paths, and Namespaces"; and no loader passes over it."""
    devices = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
    is_plain = part.isascii() and part.isprintable() and not set(part) & set('<>:"/\\|?* ')
    return is_plain and part[0] not in ".-" and part[-1] != "." and part.lower().split(".")[0] not in devices

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
from demopack.pack.convert import frame_files, pruned
from demopack.pack.picture import encode_png
from tests.support.demo_strategies import demos
from tests.support.demos import CREATED_AT
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
        assert names == ["out/EXPORT_LOG.json", "out/README.md", "out/demos/EXPORT_LOG.json"]

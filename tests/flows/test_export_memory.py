"""Exports keep one demo in memory at a time, however many there are."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import ExportOptions, Format
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.pack.reader import open_packs
from tests.support.exports import make_pack

MUCH = 1_000_000
"""Bytes; a hundred more demos held in memory take four times as much, the names of a thousand files a quarter."""


@dataclass(frozen=True)
class _Many:
    """The same demo under many names, made while it is asked for; what nobody holds is gone before the next."""

    demo: RecordedDemo
    total: int
    licence: str = ""
    kept_digests: Sequence[str] = ()

    def demos(self) -> Iterator[RecordedDemo]:
        for number in range(self.total):
            name = f"demo_{number:05}"
            gc.collect()
            yield replace(
                self.demo,
                head=self.demo.head.model_copy(
                    update={"id": name, "task": f"{name} {self.demo.head.task} ".ljust(20_000, "x")}
                ),
                steps=[replace(step, demo=name) for step in self.demo.steps],
            )


@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_more_demos_take_no_more_memory(name: str, tmp_path: Path) -> None:
    with open_packs([make_pack(tmp_path, sample=False)]) as source:
        (demo,) = source.demos()
        chosen = exporter(name)
        # The first time imports what the format needs.
        chosen.export(_Many(demo, 1), tmp_path / "first", options=ExportOptions())
        # Parquet collects a hundred rows before it writes them; with a hundred demos every table has them.
        few, many = (105, 205) if name in {"huggingface", "rl"} else (5, 105)
        least = _peak(chosen, _Many(demo, few), tmp_path / "few")
        # What other threads take meanwhile counts as well, and is not ours: one of three times nobody takes anything.
        more: list[int] = []
        while len(more) < 3 and not any(size < MUCH for size in more):
            more.append(_peak(chosen, _Many(demo, many), tmp_path / f"many{len(more)}") - least)
        assert min(more) < MUCH, more


def _peak(chosen: Format, demos: _Many, folder: Path) -> int:
    """The most bytes that Python held at a time during an export, beyond those of before.

    Rings of objects (json makes one for each file) lie about until Python looks for them, which it does the later the
    more there is of everything else. So they are looked for here, and only among what the export made.
    """
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        chosen.export(demos, folder, options=ExportOptions())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()

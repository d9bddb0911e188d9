"""How often one click, or a few at the same place, make the box that a person means.

Draws screens whose truth is known (windows and MiniWoB tasks, of the side that is for choosing and not for the final
measuring), clicks at the middle of every element, and looks which of the boxes that the editor would make, one click
after the other, is right: each side within 3 pixels, or an overlap of 0.8. Prints shares by type, and CPU milliseconds
of a click::

    python lab/benchmarks/bench_pointing.py [--screens 40] [--seed 6] [--json FILE]

*Alone* is a bare picture; *with neighbours* has the boxes of all other elements, as rows of a list have them when the
first ones are drawn.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from annotator.snap.nested import nested_at
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import edges_of
from demopack.pixels.masks import Mask
from lab.screens.miniwob.source import MiniwobSource
from lab.screens.qt.source import QtSource
from lab.screens.sources import ScreenSource
from models.training.labelled_screens import GroundTruth

WANTED = ("text", "button", "input_field", "icon", "image", "checkbox", "menu_item", "list_item", "dropdown")
CLICKS = 3
LIMIT = 0.75
"""Of each of these types so much is right within so many clicks."""
LIMIT_MS = 30.0
_NEAR, _LIKE = 3, 0.8
_FEW = 10
"""Elements; of a type with fewer nothing is said."""


def draw(source: ScreenSource, count: int, seed: int) -> Iterator[tuple[RgbImage, Sequence[GroundTruth]]]:
    """Screens of as many groups as there are; the last moment of each."""
    orders = source.specs(count=40 * count, seed=seed, side="val")
    firsts = {spec.group: spec for spec in orders}
    others = [spec for spec in orders if firsts[spec.group] is not spec]
    with source.renderer() as renderer:
        for spec in islice([*firsts.values(), *others], count):
            moment = renderer.render(spec)[-1]
            yield moment.image, moment.elements


def is_right(box: Rect, true: Rect) -> bool:
    """Whether nobody would correct it."""
    sides = (box.x1 - true.x1, box.y1 - true.y1, box.x2 - true.x2, box.y2 - true.y2)
    return all(abs(side) <= _NEAR for side in sides) or iou(box, true) >= _LIKE


@dataclass(slots=True)
class Ranks:
    """After how many clicks each element had its box, 0 for never."""

    alone: list[int] = field(default_factory=list[int])
    beside: list[int] = field(default_factory=list[int])

    def row(self) -> dict[str, float]:
        """Shares."""
        told: dict[str, float] = {"elements": len(self.alone)}
        for name, ranks in (("alone", self.alone), ("beside", self.beside)):
            for words, most in (("1 click", 1), (f"{CLICKS} clicks", CLICKS), ("ever", max(ranks))):
                told[f"{name}, {words}"] = sum(0 < rank <= most for rank in ranks) / len(ranks)
        return told


@dataclass(slots=True)
class Measured:
    """Over all screens."""

    ranks: dict[str, Ranks] = field(default_factory=dict[str, Ranks])
    edges_ms: list[float] = field(default_factory=list[float])
    click_ms: list[float] = field(default_factory=list[float])

    def add(self, image: RgbImage, truth: Sequence[GroundTruth]) -> None:
        """Click at every element of a screen."""
        began = time.process_time()
        edges = edges_of(image)
        self.edges_ms.append((time.process_time() - began) * 1e3)
        for one in truth:
            others = [other.box for other in truth if other.box != one.box]
            ranks = self.ranks.setdefault(one.type, Ranks())
            ranks.alone.append(self._click(edges, one.box, ()))
            ranks.beside.append(self._click(edges, one.box, others))

    def _click(self, edges: Mask, true: Rect, others: Sequence[Rect]) -> int:
        began = time.process_time()
        found = nested_at(edges, true.center.x, true.center.y, others=others)
        self.click_ms.append((time.process_time() - began) * 1e3)
        return next((i for i, one in enumerate(found, 1) if is_right(one.box, true)), 0)


def show(measured: Measured) -> None:
    """The table for people."""
    rows = {kind: ranks.row() for kind, ranks in measured.ranks.items() if len(ranks.alone) >= _FEW or kind in WANTED}
    names = list(next(iter(rows.values())))
    print(f"{'':<20}" + "".join(f"{name:>18}" for name in names))
    for kind in sorted(rows, key=lambda one: (one not in WANTED, -rows[one]["elements"])):
        told = rows[kind]
        print(f"{kind:<20}{told['elements']:>18.0f}" + "".join(f"{told[name]:>18.2f}" for name in names[1:]))
    edges, clicks = np.array(measured.edges_ms), np.array(measured.click_ms)
    print(f"edges, once for a picture: median {np.median(edges):.1f} ms, most {edges.max():.1f} ms")
    print(f"each click: median {np.median(clicks):.1f} ms, 95 % below {np.percentile(clicks, 95):.1f} ms")


def short_of(measured: Measured) -> list[str]:
    """What is below what is wanted."""
    within = f"beside, {CLICKS} clicks"
    rows = {kind: measured.ranks[kind].row() for kind in WANTED if kind in measured.ranks}
    short = [f"{kind} {row[within]:.2f}" for kind, row in rows.items() if row["elements"] >= _FEW]
    short = [one for one in short if float(one.rsplit(maxsplit=1)[1]) < LIMIT]
    clicks = float(np.percentile(measured.click_ms, 95))
    return short + ([f"a click {clicks:.1f} ms"] if clicks > LIMIT_MS else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screens", type=int, default=40)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    measured = Measured()
    sources: list[ScreenSource] = [QtSource(), MiniwobSource()]
    for source in sources:
        for image, truth in draw(source, given.screens // len(sources), given.seed):
            measured.add(image, truth)
    show(measured)
    short = short_of(measured)
    print(
        f"wanted: {LIMIT:.0%} within {CLICKS} clicks, {LIMIT_MS:g} ms; "
        + ("short: " + ", ".join(short) if short else "kept")
    )
    if given.json:
        rows = {kind: ranks.row() for kind, ranks in measured.ranks.items()}
        given.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())

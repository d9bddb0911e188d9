"""Correcting what the shipped models find, against drawing every element from nothing: keys, presses, pointer travel.

Draws 20 screens whose truth is known (windows, web pages, MiniWoB tasks; of the sides that no model was trained on),
has them searched, and plays an expert twice: once with the suggestions, once on the bare picture. Both end with the
truth, and use only what the editor offers::

    python benchmarks/bench_annotating.py [--screens 20] [--seed 6] [--json FILE]

The model
    What is counted: each key that goes down, Shift and Ctrl included; each press of the mouse's button; and the way of
    the pointer in pixels, the picture shown at its own size. What the expert does is chosen by seconds of the
    keystroke-level model (see ``hand.py``); looking and thinking are not counted, on either side. A box is right when
    each side is within 3 pixels or it overlaps the truth by 0.8; text, type, subtype and states must be equal (of a
    text, runs of blanks count as one). A state that the truth leaves out, because nobody could see it, must be out.

Drawing from nothing
    Draw mode is switched on once (R). Then, in reading order, for each element: a drag from corner to corner; its type
    where it differs from the last one (a digit, or in the panel: a click, the first letters, Enter); its text (Enter,
    every letter, Enter). What is usual for a type is filled in as the editor does it, learned from screen to screen.
    Then attribute mode for what is still wrong: states that many need for all at once (Ctrl+A, or a search for a
    type), then one round over the rest. *With OCR* is the same, but the editor's reader offers the text of each box.

Correcting
    The slider stands where the sum is smallest: a drag, or Ctrl+[ and Ctrl+] (what is hidden then is rejected from the
    menu: two clicks). Each wrong suggestion is reached by the cheapest of Tab, Shift+Tab and clicking, again where
    another lies on top; X rejects it and goes on to the next by itself. A wrong box is tightened (T) where that helps,
    and dragged by an edge or a corner, or by two; a wrong type, text or state is set as above. What was not found is
    drawn as above, with Alt held where another box lies below. At the end Shift+Y accepts the rest.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from expert import Expert
from hand import NOTHING, Spent

from demopack.domain.elements import ATTRIBUTES, Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.training.screens.miniwob.source import MiniwobSource
from models.training.screens.qt.source import QtSource
from models.training.screens.sources import ScreenSource
from models.training.screens.web.source import WebSource
from models.vision.box_reader import WorkerBoxReader, open_box_reader
from models.vision.finder import open_finder

LIMIT = 5.0
"""So many times fewer keys, and so much less travel."""


@dataclass(frozen=True, slots=True)
class Case:
    """One screen: its source, pixels, truth, what was found there, and what the editor's reader reads in true boxes."""

    source: str
    image: RgbImage
    truth: tuple[Element, ...]
    found: tuple[Element, ...]
    offers: dict[str, str]


def draw(source: ScreenSource, count: int, seed: int) -> Iterator[tuple[Frame, RgbImage, tuple[Element, ...]]]:
    """Screens of the side that models are tested with, of as many groups as there are; the last moment of each."""
    orders = source.tickets(count=40 * count, seed=seed, side="test")
    firsts = {ticket.group: ticket for ticket in orders}
    others = [ticket for ticket in orders if firsts[ticket.group] is not ticket]
    with source.studio() as studio:
        for ticket in islice([*firsts.values(), *others], count):
            moment = studio.render(ticket)[-1]
            height, width = moment.image.shape[:2]
            frame = Frame(id=frame_id(moment.image), width=width, height=height)
            truth = tuple(
                Element(
                    uid=f"true_{i}",
                    frame=frame.id,
                    source="human",
                    review="approved",
                    **one.model_dump(exclude={"leaf"}),
                )
                for i, one in enumerate(moment.elements)
            )
            yield frame, moment.image, tuple(one.cleaned() for one in truth)


def cases(count: int, seed: int) -> Iterator[Case]:
    """All screens, searched by the shipped models, each for itself."""
    sources: list[ScreenSource] = [QtSource(), WebSource(packages=False), MiniwobSource()]
    settings = VisionSettings(incremental=False)
    with open_finder(settings) as finder, ExitStack() as ends:
        reader = open_box_reader(settings)
        if reader is not None:
            ends.callback(reader.close)
        for number, source in enumerate(sources):
            share = count // len(sources) + (number < count % len(sources))
            for frame, image, truth in draw(source, share, seed):
                found = finder.find(image, frame, control=JobControl())
                yield Case(
                    source.name, image, truth, tuple(found), {} if reader is None else read(reader, image, truth)
                )


def read(reader: WorkerBoxReader, image: RgbImage, truth: Sequence[Element]) -> dict[str, str]:
    """What the editor would offer as the text of each box that is drawn rightly."""
    able = [one for one in truth if ATTRIBUTES[one.type].text and one.box.area]
    return {one.uid: reader.read(image[one.box.y1 : one.box.y2, one.box.x1 : one.box.x2]) for one in able}


@dataclass(slots=True)
class Sum:
    """Both ways over some screens."""

    screens: int = 0
    elements: int = 0
    drawn: Spent = NOTHING
    read: Spent = NOTHING
    corrected: Spent = NOTHING

    def add(self, case: Case, drawn: Spent, read: Spent, corrected: Spent) -> None:
        self.screens, self.elements = self.screens + 1, self.elements + len(case.truth)
        self.drawn, self.read, self.corrected = self.drawn + drawn, self.read + read, self.corrected + corrected

    def rows(self) -> dict[str, dict[str, float]]:
        """Each figure for each element, and how many times fewer."""
        ways = {"drawn": asdict(self.drawn), "with OCR": asdict(self.read), "corrected": asdict(self.corrected)}
        each = {way: {name: value / self.elements for name, value in told.items()} for way, told in ways.items()}
        each["times fewer"] = {
            name: each["drawn"][name] / max(value, 1e-9) for name, value in each["corrected"].items()
        }
        return each


def measure(found: Sequence[Case]) -> dict[str, Sum]:
    """Play the expert over all screens, in their order; habits and the slider go on from one to the next."""
    sums: dict[str, Sum] = {}
    drawer, reader, corrector = Expert(), Expert(), Expert()
    for case in found:
        drawn = drawer.draw(case.image, case.truth)
        offered = reader.draw(case.image, case.truth, offers=case.offers)
        corrected = corrector.correct(case.image, case.truth, case.found, offers=case.offers)
        for name in (case.source, "all"):
            sums.setdefault(name, Sum()).add(case, drawn, offered, corrected)
    return sums


def show(sums: dict[str, Sum]) -> None:
    """The table for people."""
    names = {"keys": "keys", "presses": "presses", "travel": "travel, px", "seconds": "model's s"}
    print(f"{'for each element':<34}" + "".join(f"{words:>12}" for words in names.values()))
    for source, total in sums.items():
        head = f"{source}: {total.screens} screens, {total.elements} elements"
        for way, row in total.rows().items():
            print(f"{head:<22}{way:>12}" if len(head) <= 22 else f"{head}\n{'':<22}{way:>12}", end="")
            print("".join(f"{row[name]:>12.2f}" for name in names))
            head = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screens", type=int, default=20)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    sums = measure(list(cases(given.screens, given.seed)))
    show(sums)
    fewer = sums["all"].rows()["times fewer"]
    short = [f"{name} {fewer[name]:.1f} times" for name in ("keys", "travel") if fewer[name] < LIMIT]
    print(
        f"wanted: {LIMIT:g} times fewer keys, and less travel; " + ("short: " + ", ".join(short) if short else "kept")
    )
    if given.json:
        rows = {name: {"screens": s.screens, "elements": s.elements, **s.rows()} for name, s in sums.items()}
        given.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())

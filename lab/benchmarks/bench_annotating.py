"""Correcting what the shipped models find, against drawing every element from nothing: keys, presses, pointer travel.

Draws 20 screens whose truth is known (windows, web pages, MiniWoB tasks; of the sides that no model was trained on),
has them searched, and plays an expert: once drawing on the bare picture, once correcting. Then the same for recordings:
20 pictures of a few runs, each some moments of one page or window, as a demo has them. All ways end with the truth::

    python lab/benchmarks/bench_annotating.py [--screens 20] [--seed 6] [--json FILE]

The model
    What is counted: each key that goes down, Shift and Ctrl included; each press of the mouse's button; and the way of
    the pointer in pixels, the picture shown at its own size. What the expert does is chosen by seconds of the
    keystroke-level model (see ``hand.py``); looking and thinking are not counted, on any side. A box is right when
    each side is within 3 pixels or it overlaps the truth by 0.8; text, type, subtype and states must be equal (of a
    text, runs of blanks count as one, and three dots as the sign for them). A state that the truth leaves out, because
    nobody could see it, must be out.

Drawing from nothing (the yardstick)
    As with any tool for boxes: draw mode is switched on once (R). Then for each element, always the nearest first: a
    drag from corner to corner; its type where it differs from the last one (a digit, or in the panel: a click, the
    first letters, Enter); its text (Enter, every letter, Enter). What is usual for a type is filled in as the editor
    does it, learned from screen to screen. Then attribute mode for what is still wrong: states that many need for all
    at once (Ctrl+A, or a search for a type), then one round over the rest.

Drawing with the editor's aids
    A click, or a few, into the middle of an element where they give its box; the text is read by itself and mended
    where it is wrong; a type without a digit by letters (``\\``); what is alike is selected together (``;``, again:
    wider) and set at once; words of subtypes complete themselves.

Correcting
    The aids, and what was found. The slider stands where the sum is smallest: a drag, or Ctrl+[ and Ctrl+] (what is
    hidden then is rejected from the menu: two clicks). What is wrong alike is rejected (X) or retyped together. Each
    other wrong suggestion is reached by the cheapest of Tab, Shift+Tab and clicking, again where another lies on top; X
    rejects it and goes on to the next by itself. A wrong box is fitted (T, again: wider) where that helps, or dragged
    by an edge or a corner, or by two; its text is then read again by itself. What was not found is drawn. At the end
    Shift+Y accepts the rest. In a recording each picture begins with G, which carries over what was said before.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from corrector import Corrector, finished
from expert import Expert
from found_screen import FoundScreen
from hand import NOTHING, Spent

from annotator.attributes.text_updates import LABELLED, offered_text
from annotator.propagate.carry import carry
from annotator.propagate.comparison import compare
from annotator.propagate.merging import merge
from annotator.similar.known import KnownLooks, names_for
from demopack.domain.elements import ATTRIBUTES, Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect, Size
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from lab.screens.miniwob.source import MiniwobSource
from lab.screens.qt.source import QtSource
from lab.screens.sources import Rendered, ScreenSource
from lab.screens.web.source import WebSource
from models.vision.box_reader import WorkerBoxReader, open_box_reader
from models.vision.description import IconGuesses, surroundings
from models.vision.finder import open_finder

LIMIT = 5.0
"""So many times fewer keys, and so much less travel."""


@dataclass(frozen=True, slots=True)
class Case:
    """One screen.

    Attributes:
        source: where it comes from.
        frame: its id.
        image: its pixels.
        truth: what is there.
        found: what the shipped models find.
        offers: from uid of the truth to what the editor's reader reads in a box that is drawn rightly.
        guesses: from uid of the truth to what an icon may mean, by the same reader.
        goes_on: whether it follows the one before in a recording.
    """

    source: str
    frame: str
    image: RgbImage
    truth: tuple[Element, ...]
    found: tuple[Element, ...]
    offers: dict[str, str]
    guesses: dict[str, IconGuesses]
    goes_on: bool


def runs(source: ScreenSource, count: int, seed: int, *, recorded: bool) -> Iterator[Sequence[Rendered]]:
    """Runs of the side that models are tested with, of as many groups as there are, until there are enough screens.

    Args:
        source: of the screens.
        count: how many, over all runs.
        seed: for what is drawn by chance.
        recorded: whether all different moments of a run are wanted, of those that have several; else the last of each.
    """
    orders = source.specs(count=40 * count, seed=seed, side="test")
    firsts = {spec.group: spec for spec in orders}
    others = [spec for spec in orders if firsts[spec.group] is not spec]
    left = count
    with source.renderer() as renderer:
        for spec in [*firsts.values(), *others]:
            moments = renderer.render(spec)
            different = [*{frame_id(moment.image): moment for moment in moments}.values()]
            run = different[:left] if recorded else moments[-1:]
            if recorded and len(run) < 2:
                continue
            yield run
            left -= len(run)
            if left < 1 + recorded:
                return


def cases(count: int, seed: int, *, recorded: bool = False) -> Iterator[Case]:
    """All screens, searched by the shipped models, each for itself."""
    sources: list[ScreenSource] = [QtSource(), WebSource(packages=False), MiniwobSource()]
    settings = VisionSettings(incremental=False)
    with open_finder(settings) as finder, ExitStack() as ends:
        reader = open_box_reader(settings)
        if reader is None:
            sys.exit("The reader of texts is missing: install rapidocr, and set ocr to on.")
        ends.callback(reader.close)
        for number, source in enumerate(sources):
            share = count // len(sources) + (number < count % len(sources))
            for run in runs(source, share, seed, recorded=recorded):
                for place, moment in enumerate(run):
                    frame, truth = truth_of(moment)
                    found = tuple(finder.find(moment.image, frame, control=JobControl()))
                    offers, guesses = read(reader, moment.image, truth), ask(reader, moment.image, truth)
                    yield Case(source.name, frame.id, moment.image, truth, found, offers, guesses, goes_on=place > 0)


def truth_of(moment: Rendered) -> tuple[Frame, tuple[Element, ...]]:
    """The frame of a picture, and its elements as a person would leave them."""
    height, width = moment.image.shape[:2]
    frame = Frame(id=frame_id(moment.image), width=width, height=height)
    made = [
        Element(
            uid=f"{frame.id}_{i}", frame=frame.id, source="human", review="approved", **one.model_dump(exclude={"leaf"})
        )
        for i, one in enumerate(moment.elements)
    ]
    return frame, tuple(one.cleaned() for one in made)


def read(reader: WorkerBoxReader, image: RgbImage, truth: Sequence[Element]) -> dict[str, str]:
    """What the editor would offer as the text of each box that is drawn rightly."""

    def at(box: Rect | None) -> str:
        return reader.read(image[box.y1 : box.y2, box.x1 : box.x2]) if box is not None and box.area else ""

    able = [one for one in truth if ATTRIBUTES[one.type].text]
    boxes = {one.uid: at(one.box) for one in able if one.type not in LABELLED}
    others = [one.model_copy(update={"text": boxes.get(one.uid)}) for one in truth]
    offers: dict[str, str] = {}
    for one in able:
        offer = offered_text(one, others, image)
        place = None if isinstance(offer, str) else offer
        read = boxes[one.uid] if place == one.box else at(place)
        offers[one.uid] = offer if isinstance(offer, str) else read
    return offers


def ask(reader: WorkerBoxReader, image: RgbImage, truth: Sequence[Element]) -> dict[str, IconGuesses]:
    """What the editor would say that each icon means."""
    size = Size(image.shape[1], image.shape[0])
    said: dict[str, IconGuesses] = {}
    for one in truth:
        around = surroundings(one.box, size)
        if one.type == "icon" and one.box.area and around.area:
            crop = image[around.y1 : around.y2, around.x1 : around.x2]
            said[one.uid] = reader.meanings(crop, one.box.moved(-around.x1, -around.y1))
    return said


@dataclass(slots=True)
class Sum:
    """All ways over some screens."""

    screens: int = 0
    elements: int = 0
    drawn: Spent = NOTHING
    aided: Spent = NOTHING
    corrected: Spent = NOTHING

    def add(self, case: Case, drawn: Spent, aided: Spent, corrected: Spent) -> None:
        self.screens, self.elements = self.screens + 1, self.elements + len(case.truth)
        self.drawn, self.aided, self.corrected = self.drawn + drawn, self.aided + aided, self.corrected + corrected

    def rows(self) -> dict[str, dict[str, float]]:
        """Each figure for each element, and how many times fewer."""
        ways = {"drawn": asdict(self.drawn), "with aids": asdict(self.aided), "corrected": asdict(self.corrected)}
        each = {way: {name: value / self.elements for name, value in told.items()} for way, told in ways.items()}
        each["times fewer"] = {
            name: each["drawn"][name] / max(value, 1e-9) for name, value in each["corrected"].items()
        }
        return each


def measure(found: Sequence[Case]) -> dict[str, Sum]:
    """Play the experts over all screens, in their order; habits and the slider go on from one to the next."""
    sums: dict[str, Sum] = {}
    drawer, aided, corrector = Expert(), Corrector(), Corrector()
    last: tuple[Case, tuple[Element, ...]] | None = None
    for case in found:
        before = last if case.goes_on else None
        named = named_by_look(corrector.looks, case)
        known = named if before is None else carried(case, named, *before)
        screen = FoundScreen(case.image, case.truth, known, case.offers, case.guesses)
        drawn = drawer.draw(case.image, case.truth)
        helped = aided.correct(FoundScreen(case.image, case.truth, (), case.offers, case.guesses))
        corrected = corrector.correct(screen, carried=before is not None)
        last = case, finished(screen, least=corrector.least)
        for name in (case.source, "all"):
            sums.setdefault(name, Sum()).add(case, drawn, helped, corrected)
    return sums


def named_by_look(looks: KnownLooks, case: Case) -> tuple[Element, ...]:
    """What was found, with the names that elements of the same look got on earlier screens."""
    names = names_for(looks, case.image, case.found)
    return tuple(
        one.changed(type=name.type, subtype=name.subtype or None).cleaned() if (name := names.get(one.uid)) else one
        for one in case.found
    )


def carried(case: Case, found: tuple[Element, ...], before: Case, ended: Sequence[Element]) -> tuple[Element, ...]:
    """What G makes of a picture, after the one before it was corrected."""
    merged = merge(carry(ended, compare(before.image, case.image), frame=case.frame), found)
    return merged.applied(found)


def show(sums: dict[str, Sum]) -> None:
    """The table for people."""
    names = {"keys": "keys", "presses": "presses", "travel": "travel, px", "seconds": "model's s"}
    print(f"{'for each element':<34}" + "".join(f"{words:>12}" for words in names.values()))
    for source, total in sums.items():
        head = f"{source}: {total.screens} screens, {total.elements} elements"
        print(head)
        for way, row in total.rows().items():
            print(f"{way:>34}" + "".join(f"{row[name]:>12.2f}" for name in names))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screens", type=int, default=20)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    short: list[str] = []
    told: dict[str, dict[str, object]] = {}
    for title, recorded in (("screens that have nothing to do with each other", False), ("recordings", True)):
        sums = measure(list(cases(given.screens, given.seed, recorded=recorded)))
        print(f"\n{title}")
        show(sums)
        fewer = sums["all"].rows()["times fewer"]
        short += [f"{title}: {fewer[name]:.1f} times in {name}" for name in ("keys", "travel") if fewer[name] < LIMIT]
        told[title] = {name: {"screens": s.screens, "elements": s.elements, **s.rows()} for name, s in sums.items()}
    print(
        f"\nwanted: {LIMIT:g} times fewer keys, and less travel; " + ("short: " + "; ".join(short) if short else "kept")
    )
    if given.json:
        given.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())

"""Screens that a batch works on, and their parsing, demo by demo; what is left is kept, to go on after a restart."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import ValidationError

from annotator.document import Document
from annotator.words import tr
from demopack.atomic import write_text_atomic
from demopack.domain.demos import frames_shown
from demopack.domain.frames import Frame
from demopack.domain.ports import ElementFinder
from demopack.domain.records import Record
from demopack.domain.steps import Step
from demopack.jobs import JobControl, Progress
from demopack.settings import Settings
from demopack.store import Library
from models.vision.demo_parsing import ParseReport, parse_demo

Scope = Literal["step", "selected", "onwards", "demo", "library"]
SCOPES: Final[tuple[Scope, ...]] = ("step", "selected", "onwards", "demo", "library")


def steps_in(
    document: Document, scope: Scope, *, current: str | None, selected: Collection[str] = ()
) -> tuple[Step, ...]:
    """The steps of a scope in the demo's order.

    Args:
        document: the demo.
        scope: ``library`` means every step of this demo here.
        current: id of the current step; None in an empty demo.
        selected: ids of the selected steps.
    """
    steps = document.steps
    if scope in {"step", "selected"}:
        wanted = {current} if scope == "step" else selected
        return tuple(step for step in steps if step.id in wanted)
    if scope == "onwards":
        return tuple(itertools.dropwhile(lambda step: step.id != current, steps))
    return steps


def frames_of(document: Document, steps: Sequence[Step]) -> tuple[Frame, ...]:
    """The screens before and after these steps, each once; with all steps, the one at the demo's end too."""
    final = document.head.final_frame if len(steps) == len(document.steps) else None
    return tuple(frames_shown(steps, final))


SCOPE_NAMES: Final[Mapping[Scope, str]] = {
    "step": tr("This step"),
    "selected": tr("The selected steps"),
    "onwards": tr("From this step on"),
    "demo": tr("The whole demo"),
    "library": tr("Every demo of the library"),
}

_NAME = "unfinished-search.json"


class DemoOrder(Record):
    """The screens of one demo.

    Attributes:
        demo: id.
        frames: ids of those that are left; None for all of the demo.
    """

    demo: str
    frames: tuple[str, ...] | None = None


class ParseOrder(Record):
    """A search of several screens.

    Attributes:
        schema_version: of this record.
        again: also look at screens that were searched before.
        demos: what is left.
    """

    schema_version: Literal[1] = 1
    again: bool = False
    demos: tuple[DemoOrder, ...]

    @property
    def screens(self) -> int | None:
        """How many are left; None where whole demos are, whose screens nobody has counted."""
        if any(one.frames is None for one in self.demos):
            return None
        return sum(len(one.frames or ()) for one in self.demos)


def save_order(folder: Path, order: ParseOrder | None) -> None:
    """Keep what is left to be done in a library; None or nothing left takes the file away."""
    path = folder / "cache" / _NAME
    if order is None or not order.demos:
        path.unlink(missing_ok=True)
    else:
        write_text_atomic(path, order.model_dump_json(), private=True)


def load_order(folder: Path) -> ParseOrder | None:
    """What was left; None where nothing was, or where the file is damaged or newer: a search can be asked for anew."""
    try:
        order = ParseOrder.model_validate_json((folder / "cache" / _NAME).read_bytes())
    except (OSError, ValidationError):
        return None
    return order if order.demos else None


def find_elements(library: Library, order: ParseOrder, settings: Settings, control: JobControl) -> str:
    """Carry an order out with the models of the settings; returns what to tell the user. Raises as :func:`search`."""
    from models.vision.finder import open_finder

    with open_finder(settings.vision) as finder:
        return searched_words(search(library, order, finder, control=control))


def search(library: Library, order: ParseOrder, finder: ElementFinder, *, control: JobControl) -> list[ParseReport]:
    """Carry an order out; what is left of it is kept in the library until it is done. What was done in each demo.

    Raises:
        CancelledError: what is left is kept.
        ModelError: as above.
        LibraryError: as above.
    """
    left = {one.demo: one.frames for one in order.demos}

    def save() -> None:
        demos = (DemoOrder(demo=demo, frames=frames) for demo, frames in left.items())
        save_order(library.folder, order.model_copy(update={"demos": tuple(one for one in demos if one.frames != ())}))

    save()
    there = {summary.head.id for summary in library.demos()} if len(order.demos) > 1 else None
    reports: list[ParseReport] = []
    for number, one in enumerate(order.demos):
        if there is not None and one.demo not in there:
            del left[one.demo]
            continue  # it was deleted meanwhile

        if one.frames is None:
            left[one.demo] = tuple(frame.id for frame in library.demo(one.demo).frames())

        def done(frame: str, demo: str = one.demo) -> None:
            left[demo] = tuple(other for other in left[demo] or () if other != frame)
            save()

        searched = parse_demo(
            library,
            one.demo,
            finder,
            control=_part(control, number, len(order.demos)),
            force=order.again,
            frames=None if one.frames is None else frozenset(one.frames),
            on_frame=done,
        )
        del left[one.demo]
        save()
        reports.append(searched)
    save_order(library.folder, None)
    return reports


def _part(control: JobControl, number: int, count: int) -> JobControl:
    """The control of one demo among several; its screens are counted in the words, the demos in the numbers."""
    if count == 1:
        return control

    def report(progress: Progress) -> None:
        text = tr("Demo {value} of {count}. {text}").format(value=number + 1, count=count, text=progress.text)
        control.report(Progress(done=number, total=count, text=text))

    return JobControl(token=control.token, report=report)


def searched_words(reports: Sequence[ParseReport]) -> str:
    """What to tell the user."""
    screens, elements = sum(one.frames for one in reports), sum(one.elements for one in reports)
    if not screens:
        return tr("Every one of these screens had been searched before.")
    words = tr("Searched {screens} of {whole} screens; elements there now: {elements}.")
    if len(reports) > 1:
        words = tr("Searched {screens} of {whole} screens in {demos} demos; elements there now: {elements}.")
    whole = screens + sum(one.skipped for one in reports)
    return words.format(screens=screens, whole=whole, demos=len(reports), elements=elements)


def left_words(order: ParseOrder) -> str:
    """What is left of a search."""
    screens = order.screens
    words = tr("A search was stopped; 1 screen is left.")
    if screens is None:
        words = tr("A search was stopped; {demos} demos are left.")
    elif screens != 1:
        words = tr("A search was stopped; {screens} screens are left.")
    return words.format(demos=len(order.demos), screens=screens)

"""Finds elements on the screens of an order, one demo after the other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from annotator.batch.orders import ParseOrder, save_order
from annotator.words import tr
from demopack.domain.ports import ElementFinder
from demopack.jobs import JobControl, Progress
from demopack.settings import Settings
from demopack.store import Library
from models.vision.parse import parse_demo

__all__ = ["Searched", "find_elements", "search", "searched_words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What a search did.

    Attributes:
        demos: that were looked through.
        screens: that were searched now.
        elements: on these screens, a person's included.
        skipped: screens that had been searched before.
    """

    demos: int = 0
    screens: int = 0
    elements: int = 0
    skipped: int = 0


def find_elements(library: Library, order: ParseOrder, settings: Settings, control: JobControl) -> str:
    """Carry an order out with the models of the settings; returns what to tell the user. Raises as :func:`search`."""
    from models.vision.finder import open_finder

    with open_finder(settings.vision) as finder:
        return searched_words(search(library, order, finder, control=control))


def search(library: Library, order: ParseOrder, finder: ElementFinder, *, control: JobControl) -> Searched:
    """Carry an order out; what is left of it is kept in the library until it is done.

    Raises:
        CancelledError: what is left is kept.
        ModelError: as above.
        LibraryError: as above.
    """
    left = order
    save_order(library.folder, left)
    there = {summary.head.id for summary in library.demos()} if len(order.demos) > 1 else None
    total = Searched()
    for number, one in enumerate(order.demos):
        if there is not None and one.demo not in there:
            left = left.without(one.demo)
            continue  # it was deleted meanwhile

        if one.frames is None:
            left = left.counted(one.demo, tuple(frame.id for frame in library.demo(one.demo).frames()))

        def done(frame: str, demo: str = one.demo) -> None:
            nonlocal left
            left = left.without(demo, frame)
            save_order(library.folder, left)

        report = parse_demo(
            library,
            one.demo,
            finder,
            control=_part(control, number, len(order.demos)),
            force=order.again,
            frames=_wanted(one.frames),
            on_frame=done,
        )
        left = left.without(one.demo)
        save_order(library.folder, left)
        total = Searched(
            demos=total.demos + 1,
            screens=total.screens + report.frames,
            elements=total.elements + report.elements,
            skipped=total.skipped + report.skipped,
        )
    save_order(library.folder, None)
    return total


def _wanted(frames: tuple[str, ...] | None) -> Collection[str] | None:
    return None if frames is None else frozenset(frames)


def _part(control: JobControl, number: int, count: int) -> JobControl:
    """The control of one demo among several; its screens are counted in the words, the demos in the numbers."""
    if count == 1:
        return control

    def report(progress: Progress) -> None:
        text = tr("Demo {value} of {count}. {text}").format(value=number + 1, count=count, text=progress.text)
        control.report(Progress(done=number, total=count, text=text))

    return JobControl(token=control.token, report=report)


def searched_words(done: Searched) -> str:
    """What to tell the user."""
    if not done.screens:
        return tr("Every one of these screens had been searched before.")
    whole = done.screens + done.skipped
    if done.demos > 1:
        return tr("Searched {screens} of {whole} screens in {demos} demos; elements there now: {elements}.").format(
            screens=done.screens, whole=whole, demos=done.demos, elements=done.elements
        )
    return tr("Searched {screens} of {whole} screens; elements there now: {elements}.").format(
        screens=done.screens, whole=whole, elements=done.elements
    )

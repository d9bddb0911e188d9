"""Reading a page as a person does: what is quoted, what a list shows, what lies where after scrolling."""

from __future__ import annotations

import re
from collections.abc import Callable

from demopack.domain.geometry import Point, Rect
from demopack.errors import CaptureError
from player.evaluation.miniwob.pages import TaskBrowser
from player.scripted_user import PracticeUser

Solver = Callable[[TaskBrowser, PracticeUser], None]
"""Solves the open task by mouse and keyboard alone."""

_MAX_NOTCHES = 200


def quoted(text: str) -> list[str]:
    """What stands in double quotes."""
    return re.findall(r'"(.*?)"(?=[ .,]|$)', text)


def asked(pattern: str, page: TaskBrowser) -> str:
    """The first group of a pattern in the task's words.

    Raises:
        CaptureError: the task reads otherwise.
    """
    return groups(pattern, page.utterance)[0]


def groups(pattern: str, text: str) -> tuple[str, ...]:
    """What a pattern finds in a text of the page.

    Raises:
        CaptureError: the page reads otherwise.
    """
    found = re.search(pattern, text)
    if found is None:
        raise CaptureError(f"The page reads otherwise than expected: {text}")
    return found.groups()


def shifted(point: Point, across: int, down: int) -> Point:
    """The point so many pixels to the right and down."""
    return Point(point.x + across, point.y + down)


def submit(page: TaskBrowser, person: PracticeUser) -> None:
    """Click the button that ends the task."""
    person.click(page.one("#area button", text="Submit").point)


def option_texts(page: TaskBrowser) -> list[str]:
    """What a list offers, in order."""
    found: list[str] = page.ask("return [...document.querySelectorAll('#options option')].map(o => o.text)")
    return found


def scroll_until_visible(page: TaskBrowser, person: PracticeUser, css: str, text: str, view: Rect) -> Point:
    """Turn the wheel until enough of an element can be seen; where it can be clicked.

    Args:
        page: that shows it.
        person: who turns.
        css: selects the elements of a list.
        text: the first line of the one that is wanted.
        view: the part of the screen in which the list is seen.

    Raises:
        CaptureError: it does not come into view.
    """
    for _ in range(_MAX_NOTCHES):
        page.at_rest(f"return document.querySelector({css!r}).getBoundingClientRect().top")
        element = next(t for t in page.find(css) if t.text.split("\n")[0].strip() == text)
        seen = element.box.intersection(view)
        if seen is not None and seen.height >= min(element.box.height, view.height) * 0.75:
            return seen.center
        person.scroll(view.center, down=1 if element.box.y2 > view.y2 else -1)
    raise CaptureError(f"{text} cannot be scrolled to.")


def scroll_to_end(page: TaskBrowser, person: PracticeUser, css: str, *, down: bool) -> None:
    """Turn the wheel over an element until it shows its end, or its beginning."""
    area = page.one(css).point
    where = f"const e = document.querySelector({css!r}); return [e.scrollTop, e.scrollHeight - e.clientHeight]"
    for _ in range(_MAX_NOTCHES):
        now, end = page.at_rest(where)
        if (now >= end - 1) if down else now <= 0:
            return
        person.scroll(area, down=3 if down else -3)
    raise CaptureError("The text does not come to its end.")

"""Tasks of dragging: sliders, sorting, resizing, marking text."""

from __future__ import annotations

from typing import Any

from demopack.domain.geometry import Point
from player.evaluation.miniwob.pages import SCALE, PageElement, TaskBrowser
from player.evaluation.miniwob.solvers.reading import asked, shifted, submit
from player.scripted_user import PracticeUser

_FAR = 20 * SCALE  # how far a shape or an edge is dragged, pixels
_PAST = 2 * SCALE  # how far beyond the middle of the one whose place it takes an item is dropped, on its way


def use_slider(page: TaskBrowser, person: PracticeUser) -> None:
    """use-slider."""
    wanted = int(asked(r"(-?\d+)", page))
    bar: dict[str, Any] = page.ask(
        "const s = $('#slider').slider('option'); const r = $('#slider')[0].getBoundingClientRect();"
        "return {min: s.min, max: s.max, across: s.orientation === 'horizontal',"
        " left: r.left, right: r.right, top: r.top, bottom: r.bottom}"
    )
    part = (wanted - bar["min"]) / (bar["max"] - bar["min"])
    if bar["across"]:
        end = page.to_screen(bar["left"] + part * (bar["right"] - bar["left"]), (bar["top"] + bar["bottom"]) / 2)
    else:
        end = page.to_screen((bar["left"] + bar["right"]) / 2, bar["bottom"] - part * (bar["bottom"] - bar["top"]))
    handle = page.one(".ui-slider-handle").box.center
    if int(page.one("#val").text) == wanted:
        person.click(handle)
    else:
        person.drag(handle, end)
    off = wanted - int(page.at_rest("return document.getElementById('val').innerText"))
    if off:
        person.press("ArrowRight" if off > 0 else "ArrowLeft", times=abs(off))
    submit(page, person)


def drag_box(page: TaskBrowser, person: PracticeUser) -> None:
    """drag-box: by a part of the small box that the large one does not cover."""
    small, large = page.one("#draggableSmall"), page.one("#draggableLarge")
    center = small.box.center
    person.drag(small.point, shifted(large.box.center, small.point.x - center.x, small.point.y - center.y))
    submit(page, person)


def drag_shape(page: TaskBrowser, person: PracticeUser) -> None:
    """drag-circle, drag-single-shape."""
    across, down = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[asked(r"(\w+) then press", page)]
    shape = page.one("#area svg *").box.center
    person.drag(shape, shifted(shape, across * _FAR, down * _FAR))
    submit(page, person)


def _position(words: str, index: int, count: int) -> int:
    """Where an item belongs, from 0."""
    relative = {"down by one position": 1, "up by one position": -1}
    for phrase, by in relative.items():
        if phrase in words:
            return index + by
    if "to the top" in words:
        return 0
    if "to the bottom" in words:
        return count - 1
    return int(words.split("to the ")[1][0]) - 1


def _drop_past(goal: PageElement, *, across: int, down: int) -> Point:
    return shifted(goal.box.center, across * _PAST, down * _PAST)


def drag_items(page: TaskBrowser, person: PracticeUser) -> None:
    """drag-items."""
    items = page.find("#sortable li")
    index = [item.text for item in items].index(asked(r"Drag (\S+) ", page))
    goal = _position(page.utterance, index, len(items))
    person.drag(items[index].box.center, _drop_past(items[goal], across=0, down=1 if goal > index else -1))


_PLACES = {"top": 0, "bottom": 2, "left": 0, "right": 2}
_BY_ONE = {"up by one": (0, -1), "down by one": (0, 1), "left by one": (-1, 0), "right by one": (1, 0)}


def drag_items_in_grid(page: TaskBrowser, person: PracticeUser) -> None:
    """drag-items-grid."""
    items, words = page.find("#sortable li"), page.utterance
    index = [item.text for item in items].index(asked(r"Drag (\S+) ", page))
    row, column = divmod(index, 3)
    by = next((by for phrase, by in _BY_ONE.items() if phrase in words), None)
    if by is not None:
        column, row = column + by[0], row + by[1]
    else:
        place = words.split("to the ")[1].removesuffix(".").split()
        row = next((_PLACES[word] for word in place if word in {"top", "bottom"}), 1)
        column = next((_PLACES[word] for word in place if word in {"left", "right"}), 1)
    past = (_sign(column - index % 3), _sign(row - index // 3))
    goal = items[3 * row + column].box.center
    person.drag(items[index].box.center, shifted(goal, past[0] * _PAST, past[1] * _PAST))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def drag_sort_numbers(page: TaskBrowser, person: PracticeUser) -> None:
    """drag-sort-numbers: the lowest to the top, then the next."""
    for place in range(3):
        page.at_rest("return [...document.querySelectorAll('#sortable li')].map(e => [e.innerText, e.offsetTop])")
        items = page.find("#sortable li")
        numbers = [int(item.text) for item in items]
        lowest = min(range(place, len(numbers)), key=numbers.__getitem__)
        if lowest != place:
            person.drag(items[lowest].box.center, _drop_past(items[place], across=0, down=-1))
    submit(page, person)


def resize_textarea(page: TaskBrowser, person: PracticeUser) -> None:
    """resize-textarea: by the handle in its corner."""
    larger = 1 if "larger" in page.utterance else -1
    handle = page.one(".ui-resizable-se").point
    across, down = (larger, 0) if "width" in page.utterance else (0, larger)
    person.drag(handle, shifted(handle, across * _FAR, down * _FAR))
    submit(page, person)


def highlight_text(page: TaskBrowser, person: PracticeUser) -> None:
    """highlight-text."""
    _mark(page, person, "#randomText", 0)


def highlight_paragraph(page: TaskBrowser, person: PracticeUser) -> None:
    """highlight-text-2."""
    _mark(page, person, "#randomText p", int(asked(r"text in the (\d)", page)) - 1)


def _mark(page: TaskBrowser, person: PracticeUser, css: str, number: int) -> None:
    """Drag from before the first letter to behind the last one."""
    first, last = page.ask(
        "const range = document.createRange();"
        "range.selectNodeContents(document.querySelectorAll(arguments[0])[arguments[1]]);"
        "const rows = [...range.getClientRects()].filter(r => r.width > 0);"
        "const a = rows[0], b = rows[rows.length - 1];"
        "return [[a.left, (a.top + a.bottom) / 2], [b.right, (b.top + b.bottom) / 2]]",
        css,
        number,
    )
    person.drag(page.to_screen(first[0] - 1, first[1]), page.to_screen(last[0] + 2, last[1]))
    submit(page, person)

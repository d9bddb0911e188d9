"""How a person solves each MiniWoB++ task: they read the page and use mouse and keyboard, nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from demopack.domain.geometry import Point, Rect
from tests.support.miniwob import MiniWob, Thing
from tests.support.noted_person import NotedPerson

Solver = Callable[[MiniWob, NotedPerson], None]


def _quoted(text: str) -> list[str]:
    return re.findall(r'"(.*?)"(?=[ .,]|$)', text)


def _submit(page: MiniWob, person: NotedPerson) -> None:
    person.click(page.one("#area button", text="Submit").box)


def click_button(page: MiniWob, person: NotedPerson) -> None:
    person.click(page.one("#area button", text=_quoted(page.utterance)[0]).box)


def click_checkboxes(page: MiniWob, person: NotedPerson) -> None:
    names = re.fullmatch(r"Select (.*) and click Submit\.", page.utterance)
    assert names is not None
    for name in names[1].split(", "):
        if name != "nothing":
            person.click(page.one("#boxes label", text=name).box)
    _submit(page, person)


def enter_text(page: MiniWob, person: NotedPerson) -> None:
    person.click(page.one("#tt").box)
    person.type_text(_quoted(page.utterance)[0])
    _submit(page, person)


def login_user(page: MiniWob, person: NotedPerson) -> None:
    user, password = _quoted(page.utterance)
    person.click(page.one("#username").box)
    person.type_text(user)
    person.press("Tab")
    person.type_text(password)
    person.click(page.one("#subbtn").box)


def click_dialog(page: MiniWob, person: NotedPerson) -> None:
    person.click(page.one(".ui-dialog button.ui-button").box)


def choose_list(page: MiniWob, person: NotedPerson) -> None:
    wanted = re.fullmatch(r"Select (.*) from the list and click Submit\.", page.utterance)
    assert wanted is not None
    options: list[str] = page.ask("return [...document.querySelectorAll('#options option')].map(o => o.text)")
    person.click(page.one("#options").box)
    # The open list is a window of its own, which the page knows nothing of; the keyboard reaches it.
    person.press("ArrowDown", times=options.index(wanted[1]))
    person.press("Enter")
    _submit(page, person)


def use_slider(page: MiniWob, person: NotedPerson) -> None:
    wanted = int(re.findall(r"-?\d+", page.utterance)[0])
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
    handle = page.one(".ui-slider-handle").box
    if int(page.one("#val").text) == wanted:
        person.click(handle)
    else:
        person.drag(handle, end)
    off = wanted - int(page.at_rest("return document.getElementById('val').innerText"))
    if off:
        person.press("ArrowRight" if off > 0 else "ArrowLeft", times=abs(off))
    _submit(page, person)


def drag_box(page: MiniWob, person: NotedPerson) -> None:
    small, large = page.one("#draggableSmall").box, page.one("#draggableLarge").box
    person.drag(_lone_part(small, large), _moved(small, large))
    _submit(page, person)


def _lone_part(small: Rect, large: Rect) -> Rect:
    """The part of the small box that the large one, which lies on top, does not cover."""
    common = small.intersection(large)
    if common is None or not common.contains(small.center):
        return small
    parts = [
        Rect(small.x1, small.y1, common.x1, small.y2), Rect(common.x2, small.y1, small.x2, small.y2),
        Rect(small.x1, small.y1, small.x2, common.y1), Rect(small.x1, common.y2, small.x2, small.y2),
    ]  # fmt: skip
    return max(parts, key=lambda part: part.area)


def _moved(small: Rect, large: Rect) -> Point:
    grip = _lone_part(small, large).center
    return Point(large.center.x + grip.x - small.center.x, large.center.y + grip.y - small.center.y)


def scroll_text(page: MiniWob, person: NotedPerson) -> None:
    area = page.one("#text-area").box
    where = "const e = document.getElementById('text-area'); return [e.scrollTop, e.scrollHeight - e.clientHeight]"
    for _ in range(12):
        now, most = page.at_rest(where)
        if now >= most - 1:
            break
        person.scroll(area, down=3)
    text = str(page.ask("return document.getElementById('text-area').value"))
    person.click(page.one("#answer-input").box)
    person.type_text(text.rsplit(maxsplit=1)[-1].replace(".", ""))
    _submit(page, person)


def click_scroll_list(page: MiniWob, person: NotedPerson) -> None:
    wanted = re.fullmatch(r"Select (.*) from the scroll list and click Submit\.", page.utterance)
    assert wanted is not None
    names: list[str] = page.ask("return [...document.querySelectorAll('#options option')].map(o => o.text)")
    chosen = sorted(wanted[1].split(", "), key=names.index)
    for number, name in enumerate(chosen):
        option = _scrolled_to(page, person, "#options option", name, page.one("#options").box)
        person.click(option, holding="Ctrl" if number else "")
    _submit(page, person)


def _scrolled_to(page: MiniWob, person: NotedPerson, css: str, text: str, view: Rect) -> Rect:
    """The visible part of one thing in a list, after turning the wheel until enough of it can be seen."""
    for _ in range(20):
        page.at_rest(f"return document.querySelector('{css}').getBoundingClientRect().top")
        box = next(t.box for t in page.find(css) if t.text.startswith(text))
        seen = box.intersection(view)
        if seen is not None and seen.height >= min(box.height, view.height) * 0.75:
            return seen
        person.scroll(view, down=1 if box.y2 > view.y2 else -1)
    raise AssertionError(f"{text} cannot be scrolled to")


def copy_paste(page: MiniWob, person: NotedPerson) -> None:
    person.click(page.one("#to-copy").box)
    person.press("Ctrl+A")
    person.press("Ctrl+C")
    person.click(page.one("#answer-input").box)
    person.press("Ctrl+V")
    _submit(page, person)


def email_inbox(page: MiniWob, person: NotedPerson) -> None:
    utterance = page.utterance
    sender = re.match(r"Find the email by (\S+) and ", utterance)
    assert sender is not None
    view = page.one("#area").box
    if "star icon" in utterance or "trash icon" in utterance:
        icon = "star" if "star icon" in utterance else "trash"
        _scrolled_to(page, person, "#main .email-thread", sender[1], view)
        person.click(_beside(page, sender[1], f"#main .email-thread .{icon}"))
        return
    _scrolled_to(page, person, "#main .email-thread", sender[1], view)
    person.click(_beside(page, sender[1], "#main .email-thread .email-sender"))
    answer = "reply" if "reply to them" in utterance else "forward"
    button = page.one(f"#email .email-{answer}")
    shown = _scrolled_to(page, person, f"#email .email-{answer}", button.text, view)
    person.click(shown)
    if answer == "reply":
        person.click(page.one("#reply-text").box)
        person.type_text(utterance.split('with the text "', 1)[1].removesuffix('".'))
    else:
        person.click(page.one(".forward-sender").box)
        person.type_text(utterance.rsplit(" to ", 1)[1].removesuffix("."))
    person.click(page.one(f"#send-{answer}").box)


def _beside(page: MiniWob, sender: str, css: str) -> Rect:
    """The thing that a selector names in the row of one sender."""
    row = next(t.box for t in page.find("#main .email-thread") if t.text.startswith(sender))
    found: Thing = next(t for t in page.find(css) if row.encloses(t.box))
    return found.box


SOLVERS: dict[str, Solver] = {
    "click-button": click_button,
    "click-checkboxes": click_checkboxes,
    "enter-text": enter_text,
    "login-user": login_user,
    "click-dialog": click_dialog,
    "choose-list": choose_list,
    "use-slider": use_slider,
    "drag-box": drag_box,
    "scroll-text": scroll_text,
    "click-scroll-list": click_scroll_list,
    "copy-paste": copy_paste,
    "email-inbox": email_inbox,
}

"""Comparison of what has the focus now with what had it in the recording. Pure."""

from __future__ import annotations

import re
from typing import Final, Literal

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.domain.text_likeness import plain_text
from demopack.domain.words import shorten

Agreement = Literal["same", "renamed", "unlike", "moved", "other", "unknown"]
"""``renamed``: the same program, and a title of which only the name of the document or a count differs. ``unlike``: the
same program, but another title; that may be another document, or a dialog. ``moved``: the same label, elsewhere in the
window. ``unknown``: one of the two sides does not tell."""

_EDITABLE: Final = "editable"
_STATE: Final = r"saved|unsaved|modified|edited|changed"
_MARKS: Final = re.compile(
    rf"^[\s*•●◦]+|[\s*•●◦]+$|\s*\[(?:{_STATE}|\+)\]|\s*\((?:{_STATE})\)|\s+[-\u2013\u2014]\s+(?:{_STATE})(?=\s*[-\u2013\u2014*]|\s*$)",
    re.IGNORECASE,
)
"""What a title says about whether its document is saved."""
_RENAMED: Final = re.compile(
    r"(?:untitled|unnamed|unsaved)(?: document)?(?: \d+)?|\(\d+\)|\[\d+\]"
    r"|[^\s/\\]+\.[a-z][a-z0-9]{0,7}(?!\S)(?: \([~/][^)]*\))?",
)
"""The parts of a plain title that change with the document, its folder behind it, and counts (``(3)``)."""
_NO_TEXT: Final = frozenset({
    "push button", "toggle button", "check box", "radio button", "button", "link", "alert", "dialog", "menu item",
    "check menu item", "radio menu item", "menu", "slider", "scroll bar", "switch", "page tab", "image", "icon",
    "notification",
})  # fmt: skip
"""Roles, in the words of AT-SPI, of what no text is typed into; a pop-up begins with one of them."""


def window_agrees(recorded: WindowInfo | None, live: WindowInfo | None) -> Agreement:
    """Whether the window that has the focus is the recorded one: the same program under the same title."""
    if recorded is None or live is None or not (recorded.app or recorded.title):
        return "unknown"
    # ``org.gnome.gedit`` and ``gedit``, ``chromium`` and ``chromium-browser`` are one program.
    one, other = _words(recorded.app), _words(live.app)
    if recorded.app and live.app and not (one and other and (one <= other or other <= one)):
        return "other"
    if not recorded.title:
        return "same"
    titles = title_agrees(recorded.title, live.title, app=recorded.app or live.app)
    return titles if titles == "same" or (recorded.app and live.app) else "other"


def element_agrees(
    recorded: AccessibleElement | None,
    live: AccessibleElement | None,
    *,
    windows: tuple[WindowInfo | None, WindowInfo | None] = (None, None),
) -> Agreement:
    """Whether the element that has the focus is the recorded one, where both sides tell: program, role and label.

    Many fields have no label, and many labels stand twice; so it also has to lie where it lay in its window. One with
    the same label elsewhere may be another one, or the same in a window that was scrolled or enlarged.

    Args:
        recorded: what had the focus.
        live: what has it now.
        windows: the recorded and the live window around them.
    """
    if recorded is None or live is None:
        return "unknown"
    if recorded.role != live.role or live.secure != recorded.secure or (recorded.app and recorded.app != live.app):
        return "other"
    one, other = (re.findall(r"[^\W_]+", plain_text(name)) for name in (recorded.name, live.name))
    # Labels are told by programs, not read from pictures: only signs and case may differ ("Name", "Name:").
    if one != other or not (one or plain_text(recorded.name) == plain_text(live.name)):
        return "other"
    place = _lies_there(recorded.box, live.box, *windows)
    if place is None:
        return "same" if recorded.name else "unknown"
    if place:
        return "same"
    return "moved" if recorded.name else "other"


def _lies_there(
    recorded: Rect | None, live: Rect | None, window: WindowInfo | None, live_window: WindowInfo | None
) -> bool | None:
    """Whether two boxes lie at one place of their windows, which may have moved and grown; None where nothing tells."""
    if recorded is None or live is None or not recorded.area or not live.area:
        return None
    then, now = (None if one is None else one.box for one in (window, live_window))
    if then is None or now is None or not then.area or not now.area:
        return None
    moved = recorded.moved(now.x1 - then.x1, now.y1 - then.y1)
    if (then.width, then.height) == (now.width, now.height):
        return moved.contains(live.center) or live.contains(moved.center)
    fx, fy = now.width / then.width, now.height / then.height
    middle = recorded.center
    grown = Point(round(now.x1 + (middle.x - then.x1) * fx), round(now.y1 + (middle.y - then.y1) * fy))
    return live.contains(grown) or live.contains(moved.center)


def is_mistaken(recorded: AccessibleElement, live: AccessibleElement) -> bool:
    """Whether the recording can hardly be right that text was typed there, and what has the focus now takes text.

    While a text is typed, programs tell that a row of their suggestions has the focus; the recorder may have believed
    it.
    """
    return _EDITABLE not in recorded.states and _EDITABLE in live.states and not live.secure


def takes_no_text(element: AccessibleElement, *, instead_of: AccessibleElement) -> bool:
    """Whether text must not go on into this element, which has got the focus while text was typed into another one.

    While somebody types, programs move the focus inside their own window (the line of a cell that is edited, a row of
    suggestions), so another element alone says nothing.
    """
    return element.role != instead_of.role and (element.role in _NO_TEXT or element.secure)


def title_agrees(recorded: str, live: str, *, app: str = "") -> Literal["same", "renamed", "unlike"]:
    """Whether two titles are of one window, without the program's own name.

    A title that differs in one word is another window ("Deploy to staging", "Deploy to production"), however alike the
    two are; only marks of saved and unsaved changes do not count. A document that was given another name, and a count,
    make it ``renamed``.
    """
    one, other = _document(recorded, app), _document(live, app)
    if one == other:
        return "same"
    renamed = bool(one and other) and _RENAMED.sub("", one).split() == _RENAMED.sub("", other).split()
    return "renamed" if renamed else "unlike"


def name_window(window: WindowInfo | None) -> str:
    """For instance ``“Untitled - Pluma” (pluma)``."""
    if window is None:
        return "no window that is known"
    title = f"“{shorten(window.title, 60)}”" if window.title else "a window without a title"
    return f"{title} ({window.app})" if window.app else title


def name_focused(element: AccessibleElement) -> str:
    """For instance ``“Name” (entry)``."""
    return (
        f"“{shorten(element.name)}” ({element.role})" if element.name else f"an element without a name ({element.role})"
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", plain_text(text)))


def document_of(window: WindowInfo) -> str:
    """What the title of a window says beside the name of its program."""
    return _document(window.title, window.app)


def _document(title: str, app: str) -> str:
    """What a title says beside the name of the program."""
    own = _words(app)
    kept = [word for word in plain_text(_MARKS.sub("", title)).split() if not (_words(word) and _words(word) <= own)]
    return " ".join(kept).strip(" -\u2013\u2014|:·")

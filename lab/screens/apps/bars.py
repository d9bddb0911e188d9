"""Windows with their title bars, and tool bars."""

from __future__ import annotations

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import has_edge, sign_box
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.sheet import Place, Sheet
from lab.screens.apps.words import shortened

_BUTTONS = {"minimize": "minimize", "maximize": "maximize", "close": "close", "icon": "logo", "shade": "collapse"}


def add_windows(sheet: Sheet) -> None:
    """Every window with a frame that can be seen, and what is in its title bar."""
    for number, window in enumerate(sheet.windows):
        if window.kind == "popup":
            continue
        whole = Place(number, Rect(0, 0, *sheet.size))
        seen = sheet.seen(window.frame, whole)
        covers_all = window.frame.area >= 0.98 * sheet.size.width * sheet.size.height
        if seen is not None and (window.parts or not covers_all):
            kind: ElementType = "dialog" if window.kind == "dialog" else "window"
            sheet.add(kind, seen.box, states={"focused": window.active}, leaf=False)
        for part in window.parts:
            shown = sheet.seen(part.box, whole)
            if shown is None:
                continue
            if part.kind == "label":
                _add_title(sheet, shown.box, window.title)
            elif part.kind in _BUTTONS:
                _add_part(sheet, shown.box, _BUTTONS[part.kind])


def _add_title(sheet: Sheet, box: Rect, title: str) -> None:
    ink = foreground_box(sheet.image, box, margin=0)
    if ink is None:
        return
    found = sheet.titles.find(sheet.image, box, title)
    if found is not None:
        where = Rect(found.x1 - 2, found.y1 - 2, found.x2 + 2, found.y2 + 2).intersection(box)
        sheet.add("text", where or found, text=title, states={"highlighted": False})
        return
    text: str | None = None
    if ink.width < 0.96 * box.width:
        # Letters with a shadow are not found; their length still tells whether all are there.
        told = sheet.titles.width(title)
        text = title if abs(told - ink.width) < 5 + 0.06 * told else shortened(sheet, ink, title, finder=sheet.titles)
    if text is None:
        sheet.blot(box, f"title {title[:30]!r} is not drawn as told")
    else:
        sheet.add_line("text", box, text)


def _add_part(sheet: Sheet, box: Rect, subtype: str) -> None:
    if has_edge(sheet.image, box):
        sheet.add("icon", box, subtype=subtype, states={"disabled": False})
        return
    ink = sign_box(sheet.image, box) or foreground_box(sheet.image, box)  # title bars are mostly shaded
    if ink is not None:
        sheet.add("icon", ink, subtype=subtype, states={"disabled": False})


def add_toolbar(sheet: Sheet, node: Node, place: Place) -> None:
    """A strip of tools, where it has an edge or a ground of its own."""
    seen = sheet.seen(node.box, place)
    if seen is not None and has_edge(sheet.image, seen.box):
        sheet.add("toolbar", seen.box, leaf=False)

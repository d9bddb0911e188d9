"""Buttons and boxes to tick: what is drawn of them, and whether their name is."""

from __future__ import annotations

from demopack.domain.elements import ElementType, State
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import columns, drawn_frame, edges_of, faint_box, has_edge, has_ink
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.marks import mark_in
from lab.screens.apps.names import subtype_of
from lab.screens.apps.parts import disabled, grown, inside, texts_of
from lab.screens.apps.sheet import Place, Seen, Sheet

_ICON_PX = 64
_ALONE_MOST = 20


def add_button(sheet: Sheet, node: Node, place: Place, *, checkable: bool = False) -> None:
    """A button with words, or an icon without."""
    seen = sheet.seen(node.box, place)
    if seen is None or not has_ink(sheet.image, seen.box, least=8):
        return
    states = _pressable(node, checkable=checkable)
    drawn = sheet.first_found(seen.box, texts_of(node), more=True)
    edges = edges_of(sheet.image, seen.box)
    edged = edges >= 2
    if drawn is not None:
        frame = seen.box if edges >= 3 else _drawn_or_ink(sheet, seen.box)
        sheet.add("button", frame, text=drawn[0], states=states)
        return
    _add_icon(sheet, node, seen, states, edged=edged)


def _pressable(node: Node, *, checkable: bool) -> dict[State, bool]:
    states: dict[State, bool] = {"disabled": disabled(node)}
    if "focused" not in node.states:
        states["focused"] = False  # a ring is drawn for the keyboard only, so nobody knows whether it is seen
    if checkable:
        states["checked"] = bool({"checked", "pressed"} & node.states)
    return states


def _drawn_or_ink(sheet: Sheet, box: Rect) -> Rect:
    frame = drawn_frame(sheet.image, box)
    ink = foreground_box(sheet.image, box)
    if ink is not None and frame.width <= ink.width and frame.height <= ink.height:
        return ink
    return frame


def _add_icon(sheet: Sheet, node: Node, seen: Seen, states: dict[State, bool], *, edged: bool) -> None:
    ink = foreground_box(sheet.image, inside(seen.box) if edged else seen.box)
    if ink is None:
        ink = faint_box(sheet.image, inside(seen.box))
    if ink is None:
        return
    most = _ICON_PX * max(1, sheet.scale)
    subtype = subtype_of(node.name or node.attributes.get("description", ""))
    box = seen.box if edged else ink
    if ink.width <= most and ink.height <= most and ink.width <= 1.6 * ink.height + 4 * sheet.scale:
        if box.width > 3 * box.height:
            # A wide button with a small picture in it and no words.
            sheet.add("button", box, states=states)
            return
        sheet.add("icon", box, subtype=subtype, states=states)
        return
    if edged:
        sheet.add("button", seen.box, states=states)
        if not node.name:
            return  # a sample of a colour, for instance
    sheet.blot(inside(seen.box) if edged else seen.box, f"{node.role} {node.name[:30]!r}", whole=not edged)


def add_check(sheet: Sheet, node: Node, place: Place) -> None:
    """A box to tick: the mark alone, and its label's line. One that looks like a button is one."""
    seen = sheet.seen(node.box, place)
    if seen is None:
        return
    kind: ElementType = "radio" if node.role == "radio button" else "checkbox"
    drawn = sheet.first_found(seen.box, texts_of(node), more=True)
    if drawn is not None and _is_row(sheet, drawn[1], seen.box):
        states: dict[State, bool] = {"checked": "checked" in node.states, "disabled": disabled(node)}
        sheet.add("menu_item", seen.box, text=drawn[0], states={**states, "highlighted": False})
        return
    groups = columns(sheet.image, seen.box, gap=3 * sheet.scale, least=8)
    mark = mark_in(sheet, groups[0]) if groups else None
    beside = mark is not None and (drawn is None or mark.x2 <= drawn[1].x1 + 2)
    alone = drawn is None and len(groups) == 1 and seen.box.width <= 2.4 * seen.box.height
    inset = mark is not None and mark.x1 - seen.box.x1 > 4 * sheet.scale
    if mark is None or not beside or (drawn is None and not alone) or (inset and has_edge(sheet.image, seen.box)):
        indent = 0 if drawn is None else drawn[1].x1 - seen.box.x1
        unsure = mark is None and 14 * sheet.scale <= indent <= 44 * sheet.scale and not _centred(drawn, seen.box)
        if unsure or (drawn is None and not alone and not has_edge(sheet.image, seen.box) and len(groups) > 1):
            sheet.blot(seen.box, f"{node.role} {node.name[:30]!r} has a label that is not told")
            return
        add_button(sheet, node, place, checkable=True)
        return
    large = max(mark.width, mark.height) > _ALONE_MOST * sheet.scale
    if alone and (large or node.name or not has_edge(sheet.image, mark)):
        add_button(sheet, node, place, checkable=True)
        return
    sheet.add(kind, mark, text=drawn[0] if drawn else None, states=_pressable(node, checkable=True))
    if drawn is not None:
        sheet.add_line("text", grown(drawn[1], 2), drawn[0])


def _is_row(sheet: Sheet, words: Rect, box: Rect) -> bool:
    """Whether the words stand at the left with the mark, if any, at the right end: so it is in menus."""
    at_left = words.x1 - box.x1 <= 12 * sheet.scale and box.x2 - words.x2 >= 24 * sheet.scale
    return at_left and not has_edge(sheet.image, box)


def _centred(drawn: tuple[str, Rect] | None, box: Rect) -> bool:
    """Whether words stand in the middle of a box, as they do on a button."""
    return drawn is not None and abs((drawn[1].x1 - box.x1) - (box.x2 - drawn[1].x2)) <= 6

"""Buttons, marks, fields and bars: what is drawn of them, and whether their name is."""

from __future__ import annotations

from demopack.domain.elements import State
from demopack.domain.geometry import Rect
from models.training.screens.apps.names import subtype_of
from models.training.screens.apps.pixels import columns, drawn_frame, faint_box, has_edge, has_ink
from models.training.screens.apps.port import Node
from models.training.screens.apps.sheet import Place, Seen, Sheet
from models.training.screens.ink import ink_box

__all__ = ["add_bar", "add_button", "add_check", "add_dropdown", "add_field", "add_picture", "add_spinner", "add_tab"]

_ICON_PX = 64
_MARK_LEAST, _MARK_MOST, _ALONE_MOST = 8, 30, 20


def disabled(node: Node) -> bool:
    """Whether it is drawn as one that cannot be used: GTK says sensitive, Qt both."""
    return "sensitive" not in node.states and "enabled" not in node.states


def _texts(node: Node) -> list[str | None]:
    told = [node.name, node.text]
    for child in node.walk():
        if child is not node and child.role in {"label", "text", "static"}:
            told += [child.text, child.name]
    return told


def _pressable(node: Node, *, checkable: bool) -> dict[State, bool]:
    states: dict[State, bool] = {"disabled": disabled(node)}
    if "focused" not in node.states:
        states["focused"] = False  # a ring is drawn for the keyboard only, so nobody knows whether it is seen
    if checkable:
        states["checked"] = bool({"checked", "pressed"} & node.states)
    return states


def add_button(sheet: Sheet, node: Node, place: Place, *, checkable: bool = False) -> None:
    """A button with words, or an icon without."""
    seen = sheet.seen(node.box, place)
    if seen is None or not has_ink(sheet.image, seen.box, least=8):
        return
    states = _pressable(node, checkable=checkable)
    drawn = sheet.first_found(seen.box, _texts(node), more=True)
    edged = has_edge(sheet.image, seen.box)
    if drawn is not None:
        frame = seen.box if edged else _drawn_or_ink(sheet, seen.box)
        sheet.add("button", frame, text=drawn[0], states=states)
        return
    _add_icon(sheet, node, seen, states, edged=edged)


def _drawn_or_ink(sheet: Sheet, box: Rect) -> Rect:
    frame = drawn_frame(sheet.image, box)
    ink = ink_box(sheet.image, box)
    if ink is not None and frame.width <= ink.width and frame.height <= ink.height:
        return ink
    return frame


def _add_icon(sheet: Sheet, node: Node, seen: Seen, states: dict[State, bool], *, edged: bool) -> None:
    ink = ink_box(sheet.image, _inside(seen.box) if edged else seen.box)
    if ink is None:
        ink = faint_box(sheet.image, _inside(seen.box))
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
    sheet.blot(_inside(seen.box) if edged else seen.box, f"{node.role} {node.name[:30]!r}", whole=not edged)


def _inside(box: Rect, by: int = 3) -> Rect:
    if box.width <= 2 * by + 2 or box.height <= 2 * by + 2:
        return box
    return Rect(box.x1 + by, box.y1 + by, box.x2 - by, box.y2 - by)


def add_check(sheet: Sheet, node: Node, place: Place) -> None:
    """A box to tick: the mark alone, and its label's line. One that looks like a button is one."""
    seen = sheet.seen(node.box, place)
    if seen is None:
        return
    kind = "radio" if node.role == "radio button" else "checkbox"
    drawn = sheet.first_found(seen.box, _texts(node), more=True)
    groups = columns(sheet.image, seen.box, gap=3 * sheet.scale, least=8)
    mark = _mark(sheet, groups[0], least=8) if groups else None
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
        sheet.add_line("text", _grown(drawn[1], 2), drawn[0])


def _centred(drawn: tuple[str, Rect] | None, box: Rect) -> bool:
    """Whether words stand in the middle of a box, as they do on a button."""
    return drawn is not None and abs((drawn[1].x1 - box.x1) - (box.x2 - drawn[1].x2)) <= 6


def _mark(sheet: Sheet, group: Rect, *, least: int) -> Rect | None:
    rows = [r for r in _rows(sheet, group, least) if r.height >= _MARK_LEAST]
    if len(rows) != 1:
        return None
    box = rows[0]
    most = _MARK_MOST * sheet.scale
    square = abs(box.width - box.height) <= 3 * sheet.scale
    return box if square and _MARK_LEAST <= box.width <= most else None


def _rows(sheet: Sheet, group: Rect, least: int) -> list[Rect]:
    from models.training.screens.apps.pixels import differs, ground_of, part_of, pieces

    part = part_of(sheet.image, group)
    if not part.size:
        return []
    around = Rect(group.x1 - 2, group.y1, group.x2 + 2, group.y2)
    ground = ground_of(part_of(sheet.image, Rect(around.x1, around.y1, around.x2, around.y1 + 2)))
    return [box.moved(group.x1, group.y1) for box in pieces(differs(part, ground, least=least), reach=1)]


def _grown(box: Rect, by: int) -> Rect:
    return Rect(box.x1 - by, box.y1 - by, box.x2 + by, box.y2 + by)


def _active(node: Node) -> dict[State, bool]:
    focused = "focused" in node.states or any("focused" in child.states for child in node.walk())
    return {"focused": focused, "disabled": disabled(node)}


def add_field(sheet: Sheet, node: Node, place: Place) -> None:
    """A line or an area to write in."""
    seen = sheet.seen(node.box, place)
    if seen is None:
        return
    states = _active(node)
    if "multi line" in node.states or node.role == "terminal":
        words = (node.text or "").strip("\n")
        sheet.add("text_area", seen.box, text=words.strip() or None, states=states)
        return
    frame = drawn_frame(sheet.image, seen.box)
    inner = _inside(frame)
    text: str | None = None
    if node.role != "password text":
        hints = [node.attributes.get("placeholder-text"), node.attributes.get("description"), node.name]
        told = [node.text] if node.text else hints
        drawn = sheet.first_found(inner, told)
        text = drawn[0] if drawn else None
        if drawn is None and node.text and node.text.strip():
            text = _cut_text(sheet, inner, node.text)
            if text is None:
                sheet.blot(inner, f"field {node.text[:30]!r} shows something else", whole=False)
    sheet.add("input_field", frame, text=text, states=states)


def _cut_text(sheet: Sheet, inner: Rect, words: str) -> str | None:
    """The part of a long text that fits into a field: its beginning or its end."""
    for length in range(len(words) - 1, 3, -1):
        for text in (words[:length], words[-length:]):
            if sheet.finder.width(text) <= inner.width and sheet.first_found(inner, [text]) is not None:
                return text
    return None


def add_dropdown(sheet: Sheet, node: Node, place: Place) -> None:
    """A drop-down list; the words in it are those of its choice, or of its field."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    told: list[str | None] = [node.name, node.text]
    for child in node.walk():
        if child is not node and (child.text or child.name):
            told += [child.text, child.name]
    drawn = sheet.first_found(seen.box, [text for text in told[:200] if text and len(text) < 120])
    states = _active(node)
    if "expanded" in node.states:
        states["expanded"] = True
    else:
        states["expanded"] = any(c.role in {"menu", "window", "list"} and _open(sheet, c) for c in node.children)
    frame = drawn_frame(sheet.image, seen.box)
    if drawn is None:
        words = columns(sheet.image, _inside(frame, 4), gap=8 * sheet.scale)
        if len(words) > 1:
            sheet.blot(
                _inside(Rect(frame.x1, frame.y1, max(frame.x1 + 8, words[-1].x1 - 2), frame.y2)),
                "drop-down",
                whole=False,
            )
    sheet.add("dropdown", frame, text=drawn[0] if drawn else None, states=states)


def _open(sheet: Sheet, node: Node) -> bool:
    box = node.box
    if box is None or "showing" not in node.states:
        return False
    return any(w.kind == "popup" and w.box.contains(box.center) for w in sheet.windows)


def add_spinner(sheet: Sheet, node: Node, place: Place) -> None:
    """A number with its steps."""
    seen = sheet.seen(node.box, place)
    if seen is None:
        return
    told: list[str | None] = [*_texts(node)]
    if node.value is not None:
        told += [f"{node.value[1]:g}", f"{node.value[1]:.1f}", f"{node.value[1]:.2f}"]
    drawn = sheet.first_found(seen.box, told)
    sheet.add("spinner", drawn_frame(sheet.image, seen.box), text=drawn[0] if drawn else None, states=_active(node))


def add_tab(sheet: Sheet, node: Node, place: Place) -> None:
    """A tab; some programs tell only where its label is."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    drawn = sheet.first_found(seen.box, _texts(node))
    states: dict[State, bool] = {"checked": "selected" in node.states or "focused" in node.states}
    states["disabled"] = disabled(node)
    sheet.add("tab", seen.box, text=drawn[0] if drawn else None, states=states)


def add_bar(sheet: Sheet, node: Node, place: Place) -> None:
    """A scroll bar, a slider or a bar of progress."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(Rect(seen.box.x1 - 1, seen.box.y1, seen.box.x2, seen.box.y2)):
        return
    if node.role == "scroll bar":
        sheet.add("scrollbar", seen.box, states={"disabled": disabled(node)}, leaf=False)
        add_thumb(sheet, node, seen.box)
    elif node.role == "slider":
        sheet.add("slider", drawn_frame(sheet.image, seen.box), states={**_active(node)})
    else:
        drawn = sheet.first_found(seen.box, [node.name, node.text])
        box = drawn_frame(sheet.image, seen.box)
        sheet.add("other", box, subtype="progress", text=drawn[0] if drawn else None)


def add_thumb(sheet: Sheet, node: Node, box: Rect) -> None:
    """The thumb of a scroll bar: where the middle of the track changes its colour, as far as its value says so."""
    from models.training.screens.apps.pixels import thumb_of

    if node.value is None or node.value[2] <= node.value[0]:
        return
    share = (node.value[1] - node.value[0]) / (node.value[2] - node.value[0])
    found = thumb_of(sheet.image, box, share=min(1.0, max(0.0, share)))
    if found is not None:
        sheet.add("scrollbar_thumb", found)


def add_picture(sheet: Sheet, node: Node, place: Place) -> None:
    """An icon by its ink, or a larger picture."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    ink = ink_box(sheet.image, seen.box)
    if ink is None:
        return
    most = _ICON_PX * sheet.scale
    if min(ink.width, ink.height) < 9 * sheet.scale or max(ink.width, ink.height) > 12 * min(ink.width, ink.height):
        sheet.known.append(seen.box)  # the handle between two panes
    elif node.role == "unknown" and max(ink.width, ink.height) < 22 * sheet.scale and _in_corner(sheet, ink, place):
        sheet.add("resize_handle", ink)
    elif ink.width <= most and ink.height <= most:
        sheet.add("icon", ink, subtype=subtype_of(node.name), states={"disabled": disabled(node)})
    else:
        sheet.add("image", seen.box, states={"highlighted": False})


def _in_corner(sheet: Sheet, box: Rect, place: Place) -> bool:
    """Whether a box is in the lower right corner of its window."""
    window = sheet.windows[place.window].box
    near = 8 * sheet.scale
    return abs(window.x2 - box.x2) <= near and abs(window.y2 - box.y2) <= near

"""Fields, lists that drop down, tabs, bars and pictures."""

from __future__ import annotations

from demopack.domain.elements import State
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import columns, drawn_frame, slider_parts
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.names import subtype_of
from lab.screens.apps.parts import active, disabled, inside, texts_of
from lab.screens.apps.sheet import Place, Sheet
from lab.screens.apps.strips import thumb_of

_ICON_PX = 64


def add_field(sheet: Sheet, node: Node, place: Place) -> None:
    """A line or an area to write in."""
    seen = sheet.seen(node.box, place)
    if seen is None:
        return
    states = active(node)
    if "multi line" in node.states or node.role == "terminal":
        words = (node.text or "").strip() if seen.whole else ""
        sheet.add("text_area", seen.box, text=words or None, states=states)
        return
    frame = drawn_frame(sheet.image, seen.box)
    inner = inside(frame)
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
    states = active(node)
    if "expanded" in node.states:
        states["expanded"] = True
    else:
        states["expanded"] = any(c.role in {"menu", "window", "list"} and _open(sheet, c) for c in node.children)
    frame = drawn_frame(sheet.image, seen.box)
    if drawn is None:
        words = columns(sheet.image, inside(frame, 4), gap=8 * sheet.scale)
        if len(words) > 1:
            sheet.blot(
                inside(Rect(frame.x1, frame.y1, max(frame.x1 + 8, words[-1].x1 - 2), frame.y2)),
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
    told: list[str | None] = [*texts_of(node)]
    if node.value is not None:
        told += [f"{node.value[1]:g}", f"{node.value[1]:.1f}", f"{node.value[1]:.2f}"]
    drawn = sheet.first_found(seen.box, told)
    sheet.add("spinner", drawn_frame(sheet.image, seen.box), text=drawn[0] if drawn else None, states=active(node))


def add_tab(sheet: Sheet, node: Node, place: Place) -> None:
    """A tab; some programs tell only where its label is."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    drawn = sheet.first_found(seen.box, texts_of(node))
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
        _add_thumb(sheet, node, seen.box)
    elif node.role == "slider":
        _add_slider(sheet, node, seen.box)
    else:
        drawn = sheet.first_found(seen.box, [node.name, node.text])
        box = drawn_frame(sheet.image, seen.box)
        sheet.add("other", box, subtype="progress", text=drawn[0] if drawn else None)


def _add_slider(sheet: Sheet, node: Node, box: Rect) -> None:
    """Track and handle; the number beside them is a text."""
    parts = slider_parts(sheet.image, box, gap=4 * sheet.scale)
    if not parts:
        return
    sheet.add("slider", parts[0], states=active(node))
    if node.value is not None:
        told = [f"{node.value[1]:{form}}" for form in ("g", ".0f", ".1f", ".2f")]
        for ink in parts[1:]:
            drawn = sheet.first_found(_wider(ink), told)
            if drawn is not None:
                sheet.add_line("text", _wider(ink), drawn[0])


def _wider(box: Rect) -> Rect:
    return Rect(box.x1 - 3, box.y1 - 3, box.x2 + 3, box.y2 + 3)


def _add_thumb(sheet: Sheet, node: Node, box: Rect) -> None:
    """The thumb of a scroll bar: where the middle of the track changes its colour, as far as its value says so."""
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
    ink = foreground_box(sheet.image, seen.box)
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

"""Menu bars and opened menus."""

from __future__ import annotations

from itertools import pairwise

from demopack.domain.elements import State
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import edges_of
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.buttons import add_button
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.parts import disabled
from lab.screens.apps.sheet import Place, Sheet


def popup_around(sheet: Sheet, box: Rect) -> int | None:
    """The topmost menu or list that popped up around a box; None when there is none."""
    for number, window in enumerate(sheet.windows):
        if window.kind == "popup" and window.box.contains(box.center):
            return number
    return None


def add_entry(sheet: Sheet, node: Node, place: Place, *, opened: bool) -> None:
    """An entry of a menu bar."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    drawn = sheet.first_found(seen.box, [node.name])
    if drawn is None:
        return
    states: dict[State, bool] = {"expanded": opened, "disabled": disabled(node)}
    if not opened:
        states["focused"] = False
    sheet.add("menu", seen.box, text=drawn[0], states=states)


def add_item(sheet: Sheet, node: Node, place: Place) -> None:
    """A row of an opened menu or list, with the keys that stand at its end."""
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    texts = [node.name, node.text, *(c.name or c.text for c in node.children if c.role == "label")]
    drawn = sheet.first_found(seen.box, texts)
    if drawn is None:
        sheet.blot(seen.box, f"{node.role} {node.name[:30]!r} is not drawn as told")
        return
    words, where = drawn
    right = Rect(min(where.x2 + 8, seen.box.x2), seen.box.y1, seen.box.x2, seen.box.y2)
    keys = sheet.first_found(right, key_words(node.attributes.get("keys", ""))) if right.width > 8 else None
    states: dict[State, bool] = {
        "highlighted": bool({"selected", "focused", "armed"} & node.states),
        "disabled": disabled(node),
    }
    if node.role in {"check menu item", "radio menu item"} or "checkable" in node.states or "checked" in node.states:
        states["checked"] = "checked" in node.states
    if node.role == "menu" or any(child.role in {"menu", "popup menu"} for child in node.children):
        states["expanded"] = any(child.shown for child in node.children)
    elif keys is None:
        _hide_keys(sheet, right)
    sheet.add("menu_item", seen.box, text=f"{words} {keys[0]}" if keys else words, states=states)


PRESSED = frozenset({"push button", "check box", "radio button", "toggle button"})


def is_popover(node: Node) -> bool:
    """Whether an element holds the rows of a menu that is drawn inside the window: buttons of one width, stacked."""
    boxes = [child.box for child in node.children if child.role in PRESSED and child.shown and child.box is not None]
    others = [child for child in node.children if child.role not in PRESSED | {"separator"} and child.shown]
    pushed = sum(child.role == "push button" for child in node.children)
    if len(boxes) < 3 or others or 2 * pushed < len(boxes):
        return False
    same = all(abs(b.x1 - boxes[0].x1) <= 1 and abs(b.width - boxes[0].width) <= 1 for b in boxes)
    order = sorted(boxes, key=lambda b: b.y1)
    stacked = all(0 <= b.y1 - a.y2 <= 14 for a, b in pairwise(order))
    return same and stacked and all(b.width > 3 * b.height for b in boxes)


def add_popover_row(sheet: Sheet, node: Node, place: Place) -> None:
    """A row of such a menu; a button with an edge is one."""
    seen = sheet.seen(node.box, place)
    if seen is None or node.role not in PRESSED or not sheet.has_ink(seen.box):
        return
    drawn = sheet.first_found(seen.box, [node.name], more=True)
    narrow = seen.box.width < 3 * seen.box.height
    if node.role in {"push button", "toggle button"} and (narrow or edges_of(sheet.image, seen.box) >= 3):
        add_button(sheet, node, place)
        return
    if drawn is None:
        sheet.blot(seen.box, f"row {node.name[:30]!r} is not drawn as told")
        return
    states: dict[State, bool] = {"highlighted": False, "disabled": disabled(node)}
    if node.role in {"check box", "radio button"}:
        states["checked"] = "checked" in node.states
    sheet.add("menu_item", seen.box, text=drawn[0], states=states)


def _hide_keys(sheet: Sheet, right: Rect) -> None:
    """Keys that nobody told."""
    inner = Rect(right.x1, right.y1 + 2, right.x2, max(right.y1 + 2, right.y2 - 2))
    ink = foreground_box(sheet.image, inner) if inner.width > 24 * sheet.scale and inner.height > 4 else None
    if ink is not None and ink.width > 12 * sheet.scale:
        sheet.blot(ink, "keys of a menu", whole=False)


def key_words(told: str) -> list[str]:
    """How the keys of an action may be written, for instance ``<Control><Shift>n`` as ``Shift+Ctrl+N``."""
    last = told.rsplit(";", maxsplit=1)[-1].strip()
    if not last:
        return []
    names = {"primary": "Ctrl", "control": "Ctrl", "ctrl": "Ctrl", "shift": "Shift", "alt": "Alt", "super": "Super"}
    held: list[str] = []
    rest = last
    while rest.startswith("<") and ">" in rest:
        held.append(names.get(rest[1 : rest.index(">")].lower(), rest[1 : rest.index(">")]))
        rest = rest[rest.index(">") + 1 :]
    if not held and "+" in rest[:-1]:
        return [rest]
    key = _KEYS.get(rest.lower(), rest.upper() if len(rest) == 1 else rest)
    orders = (("Shift", "Ctrl", "Alt", "Super"), ("Ctrl", "Shift", "Alt", "Super"), ("Ctrl", "Alt", "Shift", "Super"))
    return list(dict.fromkeys("+".join([h for h in order if h in held] + [key]) for order in orders))


_KEYS = {
    "plus": "+", "minus": "-", "equal": "=", "comma": ",", "period": ".", "slash": "/", "question": "?",
    "page_up": "Page Up", "page_down": "Page Down", "bracketleft": "[", "bracketright": "]", "space": "Space",
    "prior": "Page Up", "next": "Page Down", "backslash": "\\", "apostrophe": "'", "semicolon": ";",
}  # fmt: skip

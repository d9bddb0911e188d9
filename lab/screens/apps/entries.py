"""Lists that are no tables: grids of icons, and rows that are made of other elements."""

from __future__ import annotations

from demopack.domain.elements import State
from demopack.domain.geometry import Rect
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.sheet import Place, Sheet


def is_grid(cells: list[Node], view: Rect) -> bool:
    """Whether entries stand beside one another, each of them whole."""
    if not cells or any(cell.role not in {"list item", "icon"} for cell in cells):
        return False
    shown = [cell.box for cell in cells if cell.box is not None and cell.box.intersection(view)]
    return any(a.y1 == b.y1 and a.x1 != b.x1 for a in shown for b in shown) or all(
        box.width < 0.6 * view.width and box.height > 60 for box in shown
    )


def add_items(sheet: Sheet, node: Node, place: Place) -> None:
    """Entries of a grid of icons: the picture and the words under it."""
    for child in node.children:
        seen = sheet.seen(child.box, place)
        if seen is None or not sheet.has_ink(seen.box):
            continue
        highlighted = "selected" in child.states
        drawn = sheet.first_found(seen.box, [child.name, child.text])
        box = seen.box if highlighted else foreground_box(sheet.image, seen.box) or seen.box
        if drawn is None:
            sheet.blot(seen.box, f"entry {child.name[:30]!r} is not drawn as told")
            continue
        sheet.add("list_item", box, text=drawn[0], states={"highlighted": highlighted, "disabled": False})


def add_box_row(sheet: Sheet, row: Node, place: Place) -> bool:
    """A row that is made of other elements; whether it has nothing but one line of words, and so is done."""
    seen = sheet.seen(row.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return True
    inside = [node for node in row.walk() if node is not row and node.shown]
    plain = all(node.role in {"label", "filler", "panel", "image", "icon", "static", "unknown"} for node in inside)
    labels = [node for node in inside if node.role in {"label", "static"} and (node.text or node.name).strip()]
    states: dict[State, bool] = {"highlighted": "selected" in row.states, "disabled": False}
    if plain and len(labels) == 1:
        drawn = sheet.first_found(seen.box, [labels[0].text, labels[0].name], more=True)
        if drawn is not None:
            sheet.add("list_item", seen.box, text=drawn[0], states=states)
            return True
    if inside:
        sheet.add("list_item", seen.box, states=states, leaf=False)
    return False

"""Lists, trees and tables. Programs tell cells, people see rows; and cells are not always where they are told."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from demopack.domain.elements import ElementType, State
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import differs, drawn_frame, ground_of, part_of, pieces
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.entries import add_items, is_grid
from lab.screens.apps.marks import kind_of_mark, mark_in
from lab.screens.apps.sheet import Place, Seen, Sheet
from lab.screens.apps.strips import bar_start
from lab.screens.apps.words import shortened

_CELLS = frozenset({"table cell", "list item", "tree item", "icon", "table row"})
_HEADS = frozenset({"table column header", "column header", "table row header", "row header"})
_ICON_PX = 64
ROW_ROLES = _CELLS | _HEADS


@dataclass(slots=True)
class _Row:
    cells: list[Node]
    top: int
    bottom: int


def add_rows(sheet: Sheet, node: Node, place: Place) -> None:
    """The rows of a list, tree or table that can be seen."""
    seen = sheet.seen(node.box, place)
    if seen is None:
        return
    heads = [child for child in node.children if child.role in _HEADS]
    cells = [child for child in node.children if child.role in _CELLS and child.box is not None]
    if is_grid(cells, seen.box):
        add_items(sheet, node, place)
        return
    rows = _rows(cells)
    inner = Place(place.window, seen.box.intersection(place.clip) or seen.box)
    view = _without_bars(sheet, cells, seen.box, place)
    seen = Seen(view, seen.whole)
    first = min((row.top for row in rows), default=seen.box.y2)
    headline = _add_heads(
        sheet, heads, Rect(seen.box.x1, seen.box.y1, seen.box.x2, min(seen.box.y2, max(seen.box.y1, first))), inner
    )
    body = Rect(seen.box.x1, min(headline, seen.box.y2), seen.box.x2, seen.box.y2)
    for row in rows:
        _add_row(sheet, node, row, body, inner)


def _rows(cells: list[Node]) -> list[_Row]:
    """Cells whose middles are at the same height, from top to bottom; rows share the room between them."""
    rows: list[_Row] = []
    for cell in sorted(cells, key=lambda c: c.box.y1 + c.box.y2 if c.box else 0):
        box = cell.box
        assert box is not None
        last = rows[-1] if rows else None
        if last is not None and abs((last.top + last.bottom) - (box.y1 + box.y2)) <= 6:
            last.cells.append(cell)
            last.top, last.bottom = min(last.top, box.y1), max(last.bottom, box.y2)
        else:
            rows.append(_Row([cell], box.y1, box.y2))
    for above, below in pairwise(rows):
        room = below.top - above.bottom
        if 0 < room <= 6:
            above.bottom += room // 2
            below.top -= room - room // 2
    return rows


def _without_bars(sheet: Sheet, cells: list[Node], view: Rect, place: Place) -> Rect:
    """The part of a view that rows take; Qt does not tell the scroll bars beside it."""
    most = max((min(cell.box.x2, view.x2) for cell in cells if cell.box is not None), default=view.x1)
    least, wide = 9 * sheet.scale, 26 * sheet.scale
    below = bar_start(sheet.image, view, least=least, most=wide, down=True)
    bottom = view.y2 if below is None else below
    right = view.x2
    if least <= view.x2 - most <= wide:
        beside = bar_start(sheet.image, Rect(view.x1, view.y1, view.x2, bottom), least=least, most=wide, down=False)
        right = most if beside is None else beside
        if beside is not None:
            bar = sheet.seen(Rect(beside, view.y1, view.x2, bottom), place)
            if bar is not None:
                sheet.add("scrollbar", drawn_frame(sheet.image, bar.box), states={"disabled": False}, leaf=False)
    if below is not None:
        bar = sheet.seen(Rect(view.x1, below, right, view.y2), place)
        if bar is not None:
            sheet.add("scrollbar", drawn_frame(sheet.image, bar.box), states={"disabled": False}, leaf=False)
    return Rect(view.x1, view.y1, max(view.x1 + 1, right), bottom)


def _add_heads(sheet: Sheet, heads: list[Node], strip: Rect, place: Place) -> int:
    """The cells over the columns, which sort the rows; returns where these begin."""
    shown = [head for head in heads if head.box is not None and head.box.height > 3]
    for head in shown or heads[:12]:
        seen = sheet.seen(head.box, place) if head in shown else Seen(strip, whole=True)
        if seen is None or seen.box.height < 8 or seen.box.width < 8:
            continue
        drawn = sheet.first_found(seen.box, [head.name, head.text], more=True)
        if drawn is None:
            continue
        if head in shown:
            sheet.known.append(drawn[1])
            sheet.add("button", seen.box, text=drawn[0], states={"disabled": False})
        else:
            sheet.add_line("tabled_text", _grown(drawn[1], 2), drawn[0])
    return strip.y2 if heads and strip.height >= 8 else strip.y1


def _add_row(sheet: Sheet, node: Node, row: _Row, body: Rect, place: Place) -> None:
    box = Rect(body.x1, row.top, body.x2, max(row.bottom, row.top + 1))
    inside = box.intersection(body)
    seen = None if inside is None else sheet.seen(box, place)
    if seen is None or inside is None or inside.height < 0.5 * box.height or not sheet.has_ink(seen.box):
        return
    cells = [each for cell in row.cells for each in cell.walk()]
    states: dict[State, bool] = {"highlighted": any("selected" in cell.states for cell in cells)}
    in_tree = node.role in {"tree", "tree table"} and any("expandable" in one.states for one in node.walk())
    kind: ElementType = "tree_item" if in_tree else "list_item"
    if in_tree and any("expandable" in cell.states for cell in cells):
        states["expanded"] = any("expanded" in cell.states for cell in cells)
    texts = _texts(sheet, cells, seen.box)
    marks = _add_marks(sheet, row.cells, seen.box, node)
    if len(marks) == 1:
        states["checked"] = marks[0]
    if len(texts) == 1:
        sheet.known.append(texts[0][1])
        sheet.add(kind, seen.box, text=texts[0][0], states={**states, "disabled": False}, leaf=not marks)
        return
    if not texts:
        _add_bare_row(sheet, seen.box)
        return
    sheet.add(kind, seen.box, states={**states, "disabled": False}, leaf=False)
    lines: ElementType = "text" if len({where.x1 // 8 for _, where in texts}) == 1 else "tabled_text"
    for text, where in texts:
        sheet.add_line(lines, _grown(where, 2), text, states={"highlighted": states["highlighted"]})
    _add_icons(sheet, seen.box, [where for _, where in texts])


def _add_marks(sheet: Sheet, cells: list[Node], row: Rect, table: Node) -> list[bool]:
    """The boxes to tick of a row, in cells that have no words; whether each is ticked."""
    ticked = {cell.box.x1 for cell in table.children if cell.box is not None and "checked" in cell.states}
    found: list[bool] = []
    for cell in cells:
        region = None if cell.box is None or cell.name or cell.text else cell.box.intersection(row)
        if region is None or cell.box is None or cell.box.x1 not in ticked:
            continue
        mark = mark_in(sheet, Rect(region.x1, region.y1 + 1, region.x2, max(region.y1 + 1, region.y2 - 1)))
        if mark is not None:
            on = "checked" in cell.states
            sheet.add(kind_of_mark(sheet, mark), mark, states={"checked": on, "disabled": False, "focused": False})
            found.append(on)
    return found


def _cut_text(sheet: Sheet, near: Rect, words: str) -> tuple[str, Rect] | None:
    """What of a text can be read that is cut off or shortened; where nothing comes out, its place is blotted."""
    ink = foreground_box(sheet.image, near, margin=0)
    if ink is None:
        return None
    for more in ("…", ""):
        text = shortened(sheet, ink, words, more=more)
        if text is not None:
            return text, ink
    return None


def _texts(sheet: Sheet, cells: list[Node], row: Rect) -> list[tuple[str, Rect]]:
    """The lines of a row that are drawn, from left to right, each once."""
    found: list[tuple[str, Rect]] = []
    for cell in cells:
        lines = [" ".join(line.split()) for line in (cell.text or cell.name).split("\n")]
        for words in lines:
            if not words or any(words == text and _near(cell, where) for text, where in found):
                continue
            drawn = _drawn(sheet, cell, words, row, single=len(lines) == 1)
            if drawn is not None and not any(where.intersection(drawn[1]) for _, where in found):
                found.append(drawn)
    return sorted(found, key=lambda each: (each[1].x1, each[1].y1))


def _near(cell: Node, where: Rect) -> bool:
    return cell.box is None or cell.box.contains(where.center)


def _drawn(sheet: Sheet, cell: Node, words: str, row: Rect, *, single: bool) -> tuple[str, Rect] | None:
    """Where a line of a cell is; programs tell cells of a tree too far to the right."""
    box = cell.box
    if box is None:
        return sheet.first_found(row, [words])
    left, right = max(row.x1, box.x1 - 40 * sheet.scale), min(row.x2, box.x2)
    if right - left < 4:
        return None
    near = Rect(left, row.y1, right, row.y2)
    drawn = sheet.first_found(near, [words])
    inside = box.intersection(row)
    if drawn is None and single and inside is not None and inside.width >= 8 and sheet.has_ink(inside):
        drawn = _cut_text(sheet, inside, words)
        if drawn is None:
            sheet.blot(inside, f"cell {words[:30]!r} is not drawn as told")
    return drawn


def _add_bare_row(sheet: Sheet, row: Rect) -> None:
    sheet.blot(row, "row without words")


def _add_icons(sheet: Sheet, row: Rect, words: list[Rect]) -> None:
    """The icons of a row with several columns; what is no icon and no word is painted over later."""
    part = part_of(sheet.image, row)
    mask = differs(part, ground_of(part))
    for word in words:
        mask[:, max(0, word.x1 - row.x1 - 2) : max(0, word.x2 - row.x1 + 2)] = False
    mask[:1], mask[-1:] = False, False
    first = min((word.x1 for word in words), default=row.x1)
    for piece in pieces(mask, reach=2):
        box = piece.moved(row.x1, row.y1)
        square = box.height >= 5 and 0.5 <= box.width / box.height <= 1.8
        if any(e.box.intersection(box) for e in sheet.elements if e.type in {"checkbox", "radio"}):
            continue
        if square and 5 <= box.width <= _ICON_PX * sheet.scale and box.x2 <= first:
            ink = _grown(box, 2).intersection(row)
            if ink is not None:
                sheet.add("icon", ink, states={"disabled": False})


def _grown(box: Rect, by: int) -> Rect:
    return Rect(box.x1 - by, box.y1 - by, box.x2 + by, box.y2 + by)

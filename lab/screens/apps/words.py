"""Labels and other lines: a label's box is larger than its ink, and may hold several lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from demopack.domain.elements import ElementType, State
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import lines_of
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Line, Node
from lab.screens.apps.reading import TextFinder
from lab.screens.apps.sheet import Place, Sheet

_MORE = "…"


def add_label(sheet: Sheet, node: Node, place: Place, *, kind: ElementType = "text") -> None:
    """Every line of a label."""
    words = (node.text or node.name).replace("\ufffc", " ").strip()
    if not words or node.box is None:
        return
    if node.lines and all(line.box is not None for line in node.lines):
        add_lines(sheet, node.lines, place, kind=kind, around=node.box)
        return
    seen = sheet.seen(node.box, place)
    if seen is None or not sheet.has_ink(seen.box):
        return
    found = sheet.first_found(seen.box, [words], more=True)
    if found is not None:
        sheet.add_line(kind, _air(found[1], seen.box), words)
        return
    rows = [row for row in lines_of(sheet.image, seen.box, gap=2) if row.height >= 4 * sheet.scale]
    texts = broken_into(words, [_ink_width(sheet, row) for row in rows], sheet.finder.width)
    if texts is None:
        sheet.blot(seen.box, f"label {words[:30]!r} is not drawn as told")
        return
    for row, text in zip(rows, texts, strict=True):
        sheet.add_line(kind, Rect(row.x1, row.y1 - 1, row.x2, row.y2 + 1), text)


def add_lines(
    sheet: Sheet,
    lines: Sequence[Line],
    place: Place,
    *,
    kind: ElementType = "text",
    around: Rect | None = None,
    states: Mapping[State, bool] | None = None,
) -> None:
    """Lines whose boxes are told; a line that is cut off or shortened is read as far as it is drawn."""
    for line in lines:
        if line.box is None or not line.text.strip():
            continue
        box = line.box if around is None else line.box.intersection(around)
        seen = sheet.seen(box, place)
        if seen is None or not sheet.has_ink(seen.box):
            continue
        text = _drawn(sheet, seen.box, line.text.strip(), whole=seen.whole)
        if text is None:
            sheet.blot(seen.box, f"line {line.text[:30]!r} is not drawn as told")
        else:
            sheet.add_line(kind, seen.box, text, states=states)


def _drawn(sheet: Sheet, box: Rect, words: str, *, whole: bool) -> str | None:
    """What of a line is drawn: all of it, or its beginning and an ellipsis."""
    if sheet.first_found(_grown(box, 2), [words], more=True) is not None:
        return words
    ink = foreground_box(sheet.image, box, margin=0)
    if ink is None:
        return None
    told = sheet.finder.width(words)
    if whole and abs(ink.width - told) <= 3 + 0.12 * told:
        return words
    return shortened(sheet, ink, words)


def shortened(
    sheet: Sheet, ink: Rect, words: str, *, more: str = _MORE, finder: TextFinder | None = None
) -> str | None:
    """The beginning of a text with an ellipsis, as it fits into its ink; None when that is not what is drawn."""
    finder = finder or sheet.finder
    for end in range(len(words) - 1, 1, -1):
        text = words[:end].rstrip() + more
        told = finder.width(text)
        if told <= ink.width + 3:
            near = told >= ink.width - 0.12 * ink.width - 4
            begins = finder.find(sheet.image, _grown(ink, 3), words[: min(end, 6)].strip()) is not None
            return text if near and begins else None
    return None


def broken_into(words: str, widths: Sequence[float], width: Callable[[str], float]) -> list[str] | None:
    """A text in as many lines as there are widths, each about as wide; None when it does not come out.

    Args:
        words: the whole text.
        widths: of the ink of each line, pixels.
        width: tells how wide a text is drawn.
    """
    if not widths:
        return None
    told = [part for part in words.split("\n") if part.strip()]
    if len(told) == len(widths) and all(_fits(width(t), w) for t, w in zip(told, widths, strict=True)):
        return [" ".join(part.split()) for part in told]
    lines: list[str] = []
    rest = words.split()
    for number, wide in enumerate(widths):
        last = number == len(widths) - 1
        count = next((n for n in range(1, len(rest) + 1) if _fits(width(" ".join(rest[:n])), wide)), 0)
        best = min(range(1, len(rest) + 1), key=lambda n: abs(width(" ".join(rest[:n])) - wide), default=0)
        if not count or not best or (last and best != len(rest)):
            return None
        lines.append(" ".join(rest[:best]))
        rest = rest[best:]
    return lines if not rest else None


def _fits(told: float, wide: float) -> bool:
    return abs(told - wide) <= 4 + 0.08 * wide


def _ink_width(sheet: Sheet, row: Rect) -> float:
    ink = foreground_box(sheet.image, row, margin=0)
    return 0.0 if ink is None else float(ink.width)


def _grown(box: Rect, by: int) -> Rect:
    return Rect(box.x1 - by, box.y1 - by, box.x2 + by, box.y2 + by)


def _air(found: Rect, within: Rect) -> Rect:
    """A little more than the ink that was found: the drawn letters may differ by a pixel or two."""
    return _grown(found, 2).intersection(within) or found

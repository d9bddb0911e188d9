"""Strategies that find a recorded target on a live screen. Pure.

What its program reports comes first: an element of the recorded role and name. Then the strategies are tried in the
contract's order of trust: track_id, element_id, text, bbox. None of them is believed blindly: each has to agree with
what is known about the recorded element, and a position alone counts only where the screen looks as it did. When none
holds, nothing is clicked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from demopack.domain.actions import ActionTarget
from demopack.domain.elements import AreaKind, Element, ElementType, element_at, reading_order
from demopack.domain.geometry import Point, Rect, Size, from_norm_xywh, iou
from demopack.domain.text_likeness import SAME_LABEL, label_likeness, same_name
from demopack.domain.words import counted, shorten
from demopack.errors import ReplayError
from player.reported_targets import ReportedTarget

Strategy = Literal["role_name", "track_id", "element_id", "text", "bbox"]

ALIKE: Final = 0.8
"""Share of equal pixels from which a place counts as looking as recorded."""
_ALIKE_LABEL: Final = 0.95  # a label that no finder reads any more must at least look the same
_OVERLAP: Final = 0.5
HOLDS_VALUE: Final[frozenset[ElementType]] = frozenset({
    "input_field", "text_area", "dropdown", "spinner", "slider", "toggle",
})  # fmt: skip
"""Types whose text is a value that changes, not a label."""
_WRITTEN: Final[frozenset[ElementType]] = frozenset({"text_area", "input_field"})
_GROUNDS: Final[frozenset[ElementType]] = frozenset({"window", "dialog", "toolbar", "other"})
_AREAS: Final[frozenset[str]] = frozenset(get_args(AreaKind))
_AREA_ROLES: Final = frozenset({
    "canvas", "drawing area", "document web", "document frame", "filler", "panel", "scroll pane", "viewport", "table",
    "tree", "tree table", "list", "list box", "layered pane",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RowText:
    """A text in the row of a target: where it stood, in pixels of the before-frame, and how it reads now."""

    box: Rect
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTarget:
    """A target, and what the recording knows about it.

    Attributes:
        target: as recorded, or as a model says it.
        size: of the before-frame; None for an action that was never recorded.
        element: the element on that frame; None when none is known.
        point: where the pointer acted, in pixels of that frame; None when unknown.
        reported: what its program reported about it; None when nothing.
        renewed: whether its text is another one than in the recording, as the value of a variable is another one: then
            neither its place nor its look tells where it is.
        beside: the value of a variable that stands in its row, where nothing else tells it from what is like it in
            other rows; then it is where that text stands.
    """

    target: ActionTarget
    size: Size | None = None
    element: Element | None = None
    point: Point | None = None
    reported: ReportedTarget | None = None
    renewed: bool = False
    beside: RowText | None = None

    def but(self, *, renewed: bool, beside: RowText | None) -> PlannedTarget:
        """The target with :attr:`renewed` and :attr:`beside`, also in what its program reported about it."""
        reported = self.reported
        if reported is not None and beside is not None:
            reported = replace(reported, row_text=beside.text)
        return replace(self, renewed=renewed, beside=beside, reported=reported)

    @property
    def place(self) -> Rect | None:
        """Where the target was, in pixels of the before-frame; None where nothing tells."""
        if self.size is None or self.target.bbox is None:
            return None
        return from_norm_xywh(self.target.bbox, self.size)

    @property
    def is_area(self) -> bool:
        """Whether it is a ground on which its program draws, a list or a page, rather than one thing on it."""
        if self.element is not None:
            return self.element.type == "other" and self.element.subtype in _AREAS
        return self.reported is not None and self.reported.role in _AREA_ROLES

    @property
    def label(self) -> str | None:
        """The recorded text where it is a label."""
        return None if self.element is not None and self.element.type in HOLDS_VALUE else self.target.text


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScreen:
    """What targets are looked for on.

    Attributes:
        size: of the frame.
        fresh: the elements on it, with track ids where they continue recorded ones.
        expect: where a box, in pixels of the recorded frame, should be now.
        alike: how much a recorded box looks as recorded, 0..1, at a point of this frame; None when that cannot be told.
        numbered: the numbers in targets are those of ``fresh``: whoever wrote them has seen this list.
        exact: a text means what a program reports under that very name, and nothing that is only called alike. What was
            read off pixels may always be misread.
        is_read: its elements, and so the texts on it, were looked for.
        scale: how much larger programs draw here than where it was recorded.
    """

    size: Size
    fresh: Sequence[Element]
    expect: Callable[[Rect], Rect]
    alike: Callable[[Rect, Point], float | None]
    numbered: bool = False
    exact: bool = False
    is_read: bool = True
    scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """Where to act.

    Attributes:
        point: pixels of the live frame.
        box: of the element, or of the position, in the same pixels.
        strategy: what led there.
        element: the live element; None for a bare position.
        failed: for each stronger strategy, why it did not lead anywhere.
    """

    point: Point
    box: Rect
    strategy: Strategy
    element: Element | None
    failed: tuple[str, ...] = ()


_NOT_GIVEN: Final = "not given"
"""The reason of a strategy of which the target says nothing; it is not told."""


class _Several(str):
    """A reason why nothing was found: too much fits."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Search:
    """``expected`` is where the target should be on the screen, ``alike`` how much it looks there as recorded."""

    aim: PlannedTarget
    fresh: Sequence[Element]
    expected: Rect | None
    alike: float | None
    numbered: bool
    screen: SearchScreen


def resolve(aim: PlannedTarget, screen: SearchScreen) -> Resolution:
    """Where to act for a target.

    Raises:
        ReplayError: nothing on the screen is the target; the details say why each strategy failed.
    """
    place, target = aim.place, aim.target
    expected: Rect | None
    if place is not None:
        expected = screen.expect(place)
        alike = screen.alike(place, expected.center)
    else:
        expected = None if target.bbox is None else from_norm_xywh(target.bbox, screen.size)
        alike = None
    search = _Search(aim, screen.fresh, expected, alike, screen.numbered, screen)
    failed: list[str] = []
    reasons: list[str] = []
    strategies = _RENEWED if aim.renewed else _STRATEGIES if aim.beside is None else _BESIDE
    for strategy, find in strategies.items():
        found = find(search)
        if isinstance(found, str):
            if found != _NOT_GIVEN:
                failed.append(f"{strategy}: {found}")
                reasons.append(found)
            continue
        box = found if isinstance(found, Rect) else found.box
        return Resolution(
            point=_point_in(box, aim, aim.place if aim.element is None else aim.element.box, screen.size, screen.scale),
            box=box,
            strategy=strategy,
            element=None if isinstance(found, Rect) else found,
            failed=tuple(failed),
        )
    what = f"“{target.text}”" if target.text else "the target"
    what += "" if aim.beside is None else f" beside “{shorten(aim.beside.text)}”"
    many = any(isinstance(why, _Several) for why in reasons)
    raise ReplayError(
        f"On this screen {what} was not found; nothing was clicked."
        if not many
        else f"On this screen several elements could be {what}; nothing was clicked.",
        code="ambiguous" if many else "not_found",
        details="; ".join(failed),
        hint="Bring the screen to where the step begins, or correct the step's target in the editor.",
    )


def resolve_reported(aim: PlannedTarget, box: Rect, size: Size, *, scale: float = 1.0) -> Resolution:
    """Where to act for a target whose program reports that it lies in a box of the live frame, which has this size."""
    source = None if aim.reported is None else aim.reported.box
    return Resolution(point=_point_in(box, aim, source, size, scale), box=box, strategy="role_name", element=None)


def _point_in(box: Rect, aim: PlannedTarget, source: Rect | None, size: Size, scale: float) -> Point:
    point = box.center
    if aim.point is not None and source is not None and source.contains(aim.point):
        point = place_in(aim.point, source, box, element=aim.element, scale=scale, is_area=aim.is_area)
    return Point(min(max(point.x, 0), size.width - 1), min(max(point.y, 0), size.height - 1))


def _by_track(search: _Search) -> Element | Rect | str:
    track = search.aim.target.track_id
    if track is None:
        return _NOT_GIVEN
    found = next((e for e in search.fresh if e.track_id == track), None)
    if found is None:
        return f"no element on the screen continues {track}"
    if search.aim.label is not None and not _likeness(search, search.aim.label, found):
        # The tracker follows a place whose content has changed; what a click does depends on the content.
        return f"{track} now reads “{found.text or ''}”"
    return found


def _likeness(search: _Search, text: str, element: Element) -> float:
    """How much the text of an element is like one that is looked for, 0..1; 0 where it is another one."""
    read = element.text or ""
    if not search.screen.exact:
        return label_likeness(text, read)
    known = search.aim.element
    is_reported = element.source == "accessibility" and (known is None or known.source == "accessibility")
    return same_name(text, read) or (0.0 if is_reported else label_likeness(text, read))


def _by_number(search: _Search) -> Element | Rect | str:
    number = search.aim.target.element_id
    if number is None:
        return _NOT_GIVEN
    ordered = reading_order(search.fresh)
    if not 1 <= number <= len(ordered):
        return f"{'there is' if len(ordered) == 1 else 'there are'} {counted(len(ordered), 'element')}, not {number}"
    found = ordered[number - 1]
    known = search.aim.element
    if known is not None and found.type != known.type:
        return f"element {number} is now a {found.type}, not a {known.type}"
    if search.aim.label is not None:
        if label_likeness(search.aim.label, found.text or "") < SAME_LABEL:
            return f"element {number} now reads “{found.text or ''}”"
        return found
    if search.numbered:
        return found
    if known is None:
        return f"nothing tells whether element {number} is still the one"
    if search.expected is None or iou(search.expected, found.box) < _OVERLAP:
        return f"element {number} is not where it was"
    return found


def _by_text(search: _Search) -> Element | Rect | str:
    text = search.aim.label
    if text is None:
        return _NOT_GIVEN if search.aim.target.text is None else "it is a value, not a label"
    rated = [(_likeness(search, text, e), e) for e in search.fresh if e.text and e.review != "rejected"]
    best = max((score for score, _ in rated), default=0.0)
    if not best:
        return f"no element reads “{text}”"
    fitting = [element for score, element in rated if score == best]
    known = search.aim.element
    if known is not None:
        fitting = [e for e in fitting if e.type == known.type] or fitting
    # Of a control and the writing on it or beside it, the control is meant.
    fitting = [e for e in fitting if e.type != "text"] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if search.expected is None:
        return _Several(f"{len(fitting)} elements read “{text}”, and no bbox tells which")
    at = search.expected.center
    return min(fitting, key=lambda e: (e.box.center.x - at.x) ** 2 + (e.box.center.y - at.y) ** 2)


def _by_place(search: _Search) -> Element | Rect | str:
    expected = search.expected
    if expected is None:
        return _NOT_GIVEN
    known = search.aim.element
    if search.aim.size is None:
        return expected if _may_stand_at(search, expected) else f"no element reads “{search.aim.label}”"
    if search.alike is not None and search.alike >= (ALIKE if search.aim.label is None else _ALIKE_LABEL):
        return expected
    if known is not None and search.aim.label is None:
        there = [e for e in search.fresh if e.type == known.type and iou(e.box, expected) >= _OVERLAP]
        if there:
            return max(there, key=lambda e: iou(e.box, expected))
    if search.alike is None:
        return "the place cannot be compared with the recording"
    return f"the place looks different: {search.alike:.0%} of its pixels are as recorded"


def _may_stand_at(search: _Search, place: Rect) -> bool:
    """Whether a target that was never recorded may be at its place: not where it names a text, and that is not there.

    The text of what lies there may not have been read.
    """
    if search.aim.label is None or not search.screen.is_read:
        return True
    there = element_at(search.fresh, place.center)
    if there is None or there.text or there.type in _GROUNDS:
        return False
    return not place.area or iou(there.box, place) >= _OVERLAP


_STRATEGIES: Final[dict[Strategy, Callable[[_Search], Element | Rect | str]]] = {
    "track_id": _by_track,
    "element_id": _by_number,
    "text": _by_text,
    "bbox": _by_place,
}


def _by_new_text(search: _Search) -> Element | Rect | str:
    """As :func:`_by_text`, for a text that is not the recorded one: others that are alike are others (Anna, Anne)."""
    text = search.aim.label
    if not text:
        return _NOT_GIVEN
    fitting = _reading(search, text)
    known = search.aim.element
    if known is not None:
        fitting = [e for e in fitting if e.type == known.type] or fitting
    if len(fitting) == 1:
        return fitting[0]
    return f"{len(fitting) or 'no'} elements read “{text}”"


def _reading(search: _Search, text: str) -> list[Element]:
    """The elements that read just so; not those in a field into which the text may have been typed."""
    fields = [e.box for e in search.fresh if e.type in HOLDS_VALUE]
    return [
        e
        for e in search.fresh
        if e.review != "rejected"
        and label_likeness(text, e.text or "") >= SAME_LABEL
        and not any(box.encloses(e.box) for box in fields)
    ]


def _by_row_text(search: _Search) -> Element | Rect | str:
    """On the line of a text, in its own column: an element of its type, or what looks as it did."""
    row, place, expected, known = search.aim.beside, search.aim.place, search.expected, search.aim.element
    if row is None or place is None or expected is None:
        return _NOT_GIVEN
    texts = _reading(search, row.text)
    found: list[Element | Rect] = []
    for text in texts:
        below = round((place.center.y - row.box.center.y) * search.screen.scale)
        there = expected.moved(0, text.box.center.y + below - expected.center.y)
        of_kind = [e for e in search.fresh if known is not None and e.type == known.type and e is not text]
        if fitting := [e for e in of_kind if iou(e.box, there) >= _OVERLAP]:
            found.append(max(fitting, key=lambda e: iou(e.box, there)))
            continue
        # Where a text was read is not known to the pixel.
        near = [there.moved(0, dy) for dy in sorted(range(-_READ_PX, _READ_PX + 1), key=abs)]
        alike, best = max(
            ((search.screen.alike(place, box.center) or 0.0, box) for box in near), key=lambda one: one[0]
        )
        if alike >= ALIKE:
            found.append(best)
    if len(found) == 1:
        return found[0]
    if not texts:
        return f"no element reads “{row.text}”"
    return f"{len(found) or 'no'} elements like it stand on the line of “{row.text}”"


_READ_PX: Final = 4
_RENEWED: Final[dict[Strategy, Callable[[_Search], Element | Rect | str]]] = {"text": _by_new_text}
_BESIDE: Final[dict[Strategy, Callable[[_Search], Element | Rect | str]]] = {"text": _by_row_text}

_ANCHOR_PX: Final = 24
_RIM_PX: Final = 2


def place_in(
    point: Point,
    recorded: Rect,
    live: Rect,
    *,
    element: Element | None = None,
    scale: float = 1.0,
    is_area: bool = False,
) -> Point:
    """The same place in a box that may have moved and grown.

    In a box of the same size the offset stays. In another one, a place near an edge keeps its distance to that edge
    (the arrow of a drop-down list, the mark of a check box), any other place keeps its share of the way. In a box full
    of writing it keeps its distance to the left upper corner: a larger box has room for more lines, not larger ones;
    only its right edge, where a scroll bar may be, is an edge like any other. In an area it keeps its distance to the
    nearest corner, where programs anchor what they draw. Distances are those of the recording times the scale.

    Args:
        point: where it was, in the same pixels as ``recorded``.
        recorded: the box then.
        live: the box now.
        element: what the box is of, where that is known; fields and text areas are full of writing.
        scale: how much larger programs draw now than then.
        is_area: whether the box is of a ground with things on it.
    """
    written = element is not None and element.type in _WRITTEN
    return Point(
        _along(point.x, recorded.x1, recorded.x2, live.x1, live.x2, scale=scale, written=written, is_area=is_area),
        _along(
            point.y, recorded.y1, recorded.y2, live.y1, live.y2, scale=scale, written=written, is_area=is_area,
            far_edge=not written,
        ),
    )  # fmt: skip


def _along(
    at: int,
    from1: int,
    from2: int,
    to1: int,
    to2: int,
    *,
    scale: float,
    written: bool,
    is_area: bool = False,
    far_edge: bool = True,
) -> int:
    before, after = at - from1, from2 - at
    length = to2 - to1
    if length == from2 - from1 and (scale == 1 or not is_area):
        return to1 + before
    if (before <= _ANCHOR_PX or is_area) and before <= after:
        value = to1 + round(before * scale)
    elif (far_edge and after <= _ANCHOR_PX) or is_area:
        value = to2 - round(after * scale)
    elif written:
        value = to1 + round(before * scale)
    else:
        value = to1 + round(before / (from2 - from1) * length)
    rim = min(_RIM_PX, max(0, (length - 1) // 2))
    return min(max(value, to1 + rim), max(to1, to2 - 1 - rim))

"""Strategies that find a recorded target on a live screen. Pure.

The strategies are tried in the contract's order of trust: track_id, element_id, text, bbox. None of them is believed
blindly: each has to agree with what is known about the recorded element, and a position alone counts only where the
screen looks as it did. When none holds, nothing is clicked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from demopack.domain.actions import ActionTarget
from demopack.domain.elements import Element, ElementType, reading_order
from demopack.domain.geometry import Point, Rect, Size, from_norm_xywh, iou
from demopack.domain.text_likeness import SAME_LABEL, label_likeness
from demopack.errors import ReplayError

Strategy = Literal["track_id", "element_id", "text", "bbox"]
STRATEGIES: Final[tuple[Strategy, ...]] = ("track_id", "element_id", "text", "bbox")

ALIKE: Final = 0.8
"""Share of equal pixels from which a place counts as looking as recorded."""
_ALIKE_LABEL: Final = 0.95  # a label that no finder reads any more must at least look the same
_OVERLAP: Final = 0.5
_HOLDS_VALUE: Final[frozenset[ElementType]] = frozenset({
    "input_field", "text_area", "dropdown", "spinner", "slider", "toggle",
})  # fmt: skip
"""Types whose text is a value that changes, not a label."""
_WRITTEN: Final[frozenset[ElementType]] = frozenset({"text_area", "input_field"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPlace:
    """What is known about the target from the recording.

    Attributes:
        element: the element on the before-frame; None when none is known.
        point: where the pointer acted, in pixels of that frame; None when unknown.
        size: of that frame.
    """

    element: Element | None = None
    point: Point | None = None
    size: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """Where to act.

    Attributes:
        point: pixels of the live frame.
        box: of the element, or of the position, in the same pixels.
        strategy: what led there.
        element: the live element; None for a bare position.
        score: 0..1, how sure it is.
        failed: for each stronger strategy, why it did not lead anywhere.
    """

    point: Point
    box: Rect
    strategy: Strategy
    element: Element | None
    score: float
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Hit:
    box: Rect
    element: Element | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """Everything the strategies look at; ``expected`` is where the target should be."""

    target: ActionTarget
    fresh: Sequence[Element]
    size: Size
    recorded: RecordedPlace | None
    alike: float | None
    expected: Rect | None

    @property
    def known(self) -> Element | None:
        return None if self.recorded is None else self.recorded.element

    @property
    def label(self) -> str | None:
        """The recorded text where it is a label."""
        if self.known is not None and self.known.type in _HOLDS_VALUE:
            return None
        return self.target.text


def resolve(
    target: ActionTarget,
    *,
    fresh: Sequence[Element],
    size: Size,
    recorded: RecordedPlace | None = None,
    alike: float | None = None,
    expected: Rect | None = None,
) -> Resolution:
    """Where to act for a target.

    Args:
        target: as recorded, or as a model says it.
        fresh: elements on the live frame, with track ids where they continue recorded ones.
        size: of the live frame.
        recorded: what the recording knows; None for an action that was never recorded.
        alike: how much the live screen looks like the recorded one around the expected place, 0..1; None when that
            cannot be told.
        expected: where the target should be on the live frame, when its surroundings have moved; None takes its bbox.

    Raises:
        ReplayError: nothing on the screen is the target; the details say why each strategy failed.
    """
    if expected is None and target.bbox is not None:
        expected = from_norm_xywh(target.bbox, size)
    search = _Search(target=target, fresh=fresh, size=size, recorded=recorded, alike=alike, expected=expected)
    failed: list[str] = []
    for strategy in STRATEGIES:
        outcome = _TRY[strategy](search)
        if isinstance(outcome, _Hit):
            return Resolution(
                point=_point(outcome, target, recorded, size),
                box=outcome.box,
                strategy=strategy,
                element=outcome.element,
                score=round(outcome.score, 3),
                failed=tuple(failed),
            )
        failed.append(f"{strategy}: {outcome}")
    what = f"“{target.text}”" if target.text else "the target"
    raise ReplayError(
        f"On this screen {what} was not found; nothing was clicked.",
        details="; ".join(failed),
        hint="Bring the screen to where the step begins, or correct the step's target in the editor.",
    )


def _by_track(search: _Search) -> _Hit | str:
    track = search.target.track_id
    if track is None:
        return "not given"
    found = next((e for e in search.fresh if e.track_id == track), None)
    if found is None:
        return f"no element on the screen continues {track}"
    if search.label is not None and not label_likeness(search.label, found.text or ""):
        # The tracker follows a place whose content has changed; what a click does depends on the content.
        return f"{track} now reads “{found.text or ''}”"
    return _Hit(found.box, found, 1.0)


def _by_number(search: _Search) -> _Hit | str:
    number = search.target.element_id
    if number is None:
        return "not given"
    ordered = reading_order(search.fresh)
    if not 1 <= number <= len(ordered):
        return f"there are {len(ordered)} elements, not {number}"
    found = ordered[number - 1]
    known = search.known
    if known is not None and found.type != known.type:
        return f"element {number} is now a {found.type}, not a {known.type}"
    if search.label is not None:
        if label_likeness(search.label, found.text or "") < SAME_LABEL:
            return f"element {number} now reads “{found.text or ''}”"
        return _Hit(found.box, found, 0.9)
    if known is None:
        return f"nothing tells whether element {number} is still the one"
    if search.expected is None or iou(search.expected, found.box) < _OVERLAP:
        return f"element {number} is not where it was"
    return _Hit(found.box, found, 0.8)


def _by_text(search: _Search) -> _Hit | str:
    text = search.label
    if text is None:
        return "not given" if search.target.text is None else "it is a value, not a label"
    rated = [(label_likeness(text, e.text), e) for e in search.fresh if e.text and e.review != "rejected"]
    best = max((score for score, _ in rated), default=0.0)
    if not best:
        return f"no element reads “{text}”"
    fitting = [element for score, element in rated if score == best]
    known = search.known
    if known is not None:
        fitting = [e for e in fitting if e.type == known.type] or fitting
    if len(fitting) == 1:
        return _Hit(fitting[0].box, fitting[0], best)
    if search.expected is None:
        return f"{len(fitting)} elements read “{text}”, and no bbox tells which"
    at = search.expected.center
    nearest = min(fitting, key=lambda e: (e.box.center.x - at.x) ** 2 + (e.box.center.y - at.y) ** 2)
    return _Hit(nearest.box, nearest, best * 0.9)


def _by_place(search: _Search) -> _Hit | str:
    expected = search.expected
    if expected is None:
        return "not given"
    known = search.known
    if search.recorded is None and search.alike is None:
        return _Hit(expected, None, 0.3)  # never recorded: there is nothing that it could be checked against
    if search.alike is not None and search.alike >= (ALIKE if search.label is None else _ALIKE_LABEL):
        return _Hit(expected, None, 0.5 * search.alike)
    if known is not None and search.label is None:
        there = [e for e in search.fresh if e.type == known.type and iou(e.box, expected) >= _OVERLAP]
        if there:
            nearest = max(there, key=lambda e: iou(e.box, expected))
            return _Hit(nearest.box, nearest, 0.4)
    if search.alike is None:
        return "the place cannot be compared with the recording"
    return f"the place looks different: {search.alike:.0%} of its pixels are as recorded"


_TRY: Final[dict[Strategy, Callable[[_Search], _Hit | str]]] = {
    "track_id": _by_track,
    "element_id": _by_number,
    "text": _by_text,
    "bbox": _by_place,
}


def is_written(element: Element | None) -> bool:
    """Whether it holds writing that begins in its left upper corner."""
    return element is not None and element.type in _WRITTEN


def _point(hit: _Hit, target: ActionTarget, recorded: RecordedPlace | None, size: Size) -> Point:
    """The recorded place inside the box, or its middle; always on the frame."""
    point = hit.box.center
    if recorded is not None and recorded.point is not None:
        if recorded.element is not None:
            source = recorded.element.box
        else:
            source = Rect(0, 0, 0, 0) if target.bbox is None else from_norm_xywh(target.bbox, recorded.size)
        if source.contains(recorded.point):
            point = place_in(recorded.point, source, hit.box, written=is_written(recorded.element))
    return Point(min(max(point.x, 0), size.width - 1), min(max(point.y, 0), size.height - 1))


_ANCHOR_PX: Final = 24
_RIM_PX: Final = 2


def place_in(point: Point, recorded: Rect, live: Rect, *, written: bool = False) -> Point:
    """The same place in a box that may have moved and grown.

    In a box of the same size the offset stays. In another one, a place near an edge keeps its distance to that edge
    (the arrow of a drop-down list, the mark of a check box), any other place keeps its share of the way. In a box full
    of writing it keeps its distance to the left upper corner: a larger box has room for more lines, not larger ones;
    only its right edge, where a scroll bar may be, is an edge like any other.

    Args:
        point: where it was, in the same pixels as ``recorded``.
        recorded: the box then.
        live: the box now.
        written: whether the box is full of writing.
    """
    return Point(
        _along(point.x, recorded.x1, recorded.x2, live.x1, live.x2, written=written),
        _along(point.y, recorded.y1, recorded.y2, live.y1, live.y2, written=written, far_edge=not written),
    )


def _along(at: int, from1: int, from2: int, to1: int, to2: int, *, written: bool, far_edge: bool = True) -> int:
    before, after = at - from1, from2 - at
    length = to2 - to1
    if length == from2 - from1:
        return to1 + before
    if before <= _ANCHOR_PX and before <= after:
        value = to1 + before
    elif far_edge and after <= _ANCHOR_PX:
        value = to2 - after
    elif written:
        value = to1 + before
    else:
        value = to1 + round(before / (from2 - from1) * length)
    rim = min(_RIM_PX, max(0, (length - 1) // 2))
    return min(max(value, to1 + rim), max(to1, to2 - 1 - rim))

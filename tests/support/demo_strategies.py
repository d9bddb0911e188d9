"""Hypothesis strategies for whole demos: any texts, actions, elements, provenance; pictures are only named."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from demopack.domain.demos import CaptureCounters, Demo, DemoHead, Origin
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, Monitor
from demopack.domain.geometry import Rect
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import AccessibleElement, CaptureQuality, PathPoint, Pointer, Step, WindowInfo
from demopack.domain.verdicts import DemoVerdict, StepVerdict, SubScore
from tests.support.strategies import actions

TEXT = st.text(max_size=20)
NS = st.integers(0, 2**53)
PIXEL = st.integers(-50, 400)
TIMES = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - a bound
REAL = st.floats(-1e15, 1e15)

_PROVENANCE = st.builds(
    Provenance, kind=st.sampled_from(["human", "model", "template", "recorder"]), name=TEXT, at=TIMES, reason=TEXT
)
_RATIONALE = st.builds(
    Rationale, observation=TEXT, thought=TEXT, expected_effect=TEXT, actual_effect=TEXT, text=st.none() | TEXT,
    plan=st.lists(TEXT, max_size=3).map(tuple), hindsight=TEXT, mode=st.sampled_from(["no_hindsight", "hindsight"]),
    basis=st.sampled_from(["", "0123456789ab"]), provenance=_PROVENANCE,
)  # fmt: skip
_EVENT = st.builds(
    InputEvent, t_ns=NS, kind=st.sampled_from(["move", "down", "up", "scroll", "key_down", "key_up"]), x=PIXEL, y=PIXEL,
    button=st.none() | st.sampled_from(["left", "middle", "right", "other"]), dx=PIXEL, dy=PIXEL, key=TEXT, char=TEXT,
)  # fmt: skip
_POINTER = st.builds(
    Pointer, x=PIXEL, y=PIXEL, end_x=st.none() | PIXEL, end_y=st.none() | PIXEL,
    path=st.lists(st.builds(PathPoint, x=PIXEL, y=PIXEL, t_ms=REAL), max_size=2).map(tuple),
)  # fmt: skip
_QUALITY = st.builds(
    CaptureQuality, frame_age_ms=st.none() | REAL, changed_before_event=st.none() | st.booleans(),
    settled=st.none() | st.booleans(), settle_ms=st.none() | REAL,
)  # fmt: skip

_ANSWERS = st.sampled_from(["yes", "no", "unsure"])
_SCORES = st.integers(0, 10)
_STEP_VERDICT = st.builds(
    StepVerdict, labels=st.sampled_from([(), ("no_effect",), ("repeated", "back_and_forth")]),
    correct=st.none() | _ANSWERS, redundant=st.none() | _ANSWERS, reflection=TEXT, provenance=_PROVENANCE,
)  # fmt: skip
_DEMO_VERDICT = st.builds(
    DemoVerdict, reason=TEXT, sub_scores=st.lists(st.builds(SubScore, name=TEXT, met=_ANSWERS), max_size=2).map(tuple),
    complete=_ANSWERS, quality=st.none() | st.sampled_from(["good", "ambiguous", "over_detailed"]),
    alignment=st.none() | _SCORES, efficiency=st.none() | _SCORES, difficulty=st.none() | _SCORES, actual_task=TEXT,
    provenance=_PROVENANCE,
)  # fmt: skip
_ORIGIN = st.builds(Origin, format=TEXT, said=st.dictionaries(TEXT, st.lists(TEXT | REAL | st.none(), max_size=2)))


@st.composite
def _rects(draw: st.DrawFn, width: int, height: int) -> Rect:
    x1, x2 = sorted(draw(st.lists(st.integers(0, width), min_size=2, max_size=2, unique=True)))
    y1, y2 = sorted(draw(st.lists(st.integers(0, height), min_size=2, max_size=2, unique=True)))
    return Rect(x1, y1, x2, y2)


_MONITOR = st.builds(
    Monitor, name=TEXT, box=_rects(400, 300), scale_factor=st.sampled_from([1.0, 1.5]), primary=st.booleans()
)
_ACCESSIBLE = st.builds(
    AccessibleElement, role=TEXT, name=TEXT, value=TEXT, box=st.none() | _rects(400, 300),
    states=st.lists(TEXT, max_size=2).map(tuple), app=TEXT, secure=st.booleans(),
)  # fmt: skip


@st.composite
def _frames(draw: st.DrawFn) -> Frame:
    number = draw(st.integers(0, 3))
    return Frame(
        id=f"{number:064x}",
        width=320 + number,
        height=200 + number,
        origin_x=draw(PIXEL),
        origin_y=draw(PIXEL),
        pixels_per_unit=draw(st.sampled_from([1.0, 1.25, 2.0])),
        scale_factor=draw(st.sampled_from([1.0, 1.25, 2.0])),
        grab_started_ns=draw(NS),
        grab_ended_ns=draw(NS),
        monitors=tuple(draw(st.lists(_MONITOR, max_size=2))),
        covered=tuple(draw(st.lists(_rects(320, 200), max_size=2))),
    )


@st.composite
def _elements(draw: st.DrawFn, frame: Frame, uid: str) -> Element:
    kind = draw(st.sampled_from(ELEMENT_TYPES))
    states = sorted(ATTRIBUTES[kind].states)
    return Element(
        uid=uid,
        frame=frame.id,
        type=kind,
        box=draw(_rects(frame.width, frame.height)),
        text=draw(st.none() | TEXT),
        subtype=draw(st.none() | TEXT),
        states=draw(st.dictionaries(st.sampled_from(states), st.booleans())) if states else {},
        source=draw(st.sampled_from(["ocr", "detector", "accessibility", "human"])),
        confidence=draw(st.none() | st.floats(0, 1)),
        review=draw(st.sampled_from(["unreviewed", "approved", "rejected"])),
        track_id=draw(st.none() | TEXT),
        parent=draw(st.none() | st.sampled_from(["", "e0_0", "e1_0", "gone"])),
    )


@st.composite
def _steps(draw: st.DrawFn, number: int) -> Step:
    uids = st.none() | st.sampled_from(["e0_0", "e1_0", "e1_1", "gone"])
    window = st.builds(WindowInfo, title=TEXT, app=TEXT, box=st.none() | _rects(400, 300))
    return Step(
        id=f"step_{number}",
        position=number * 10 + draw(st.integers(0, 9)),
        action=draw(actions()),
        target_uid=draw(uids),
        end_uid=draw(uids),
        pointer=draw(st.none() | _POINTER),
        before=draw(st.none() | _frames()),
        after=draw(st.none() | _frames()),
        started_ns=draw(NS),
        ended_ns=draw(NS),
        quality=draw(_QUALITY),
        events=tuple(draw(st.lists(_EVENT, max_size=2))),
        window=draw(st.none() | window),
        rationale=draw(st.none() | _RATIONALE),
        review=draw(st.sampled_from(["unreviewed", "approved", "rejected"])),
        note=draw(TEXT),
        variable=draw(TEXT),
        focused=draw(st.none() | _ACCESSIBLE),
        pointed=draw(st.none() | _ACCESSIBLE),
        clipboard=draw(st.none() | TEXT),
        verdict=draw(st.none() | _STEP_VERDICT),
    )


@st.composite
def demos(draw: st.DrawFn) -> Demo:
    """A demo as a library gives it: elements of a picture sorted by uid, no picture with none."""
    steps = tuple(draw(_steps(number)) for number in range(draw(st.integers(0, 3))))
    head = DemoHead(
        id=draw(st.text(min_size=1, max_size=12)),
        task=draw(TEXT),
        app=draw(TEXT),
        platform=draw(TEXT),
        created_at=draw(TIMES),
        started_ns=draw(NS),
        status=draw(st.sampled_from(["partial", "complete"])),
        outcome=draw(st.sampled_from([None, "success", "failure"])),
        outcome_reason=draw(TEXT),
        final_frame=draw(st.none() | _frames()),
        licence=draw(TEXT),
        counters=CaptureCounters(events_seen=draw(st.integers(0, 99))),
        verdict=draw(st.none() | _DEMO_VERDICT),
        origin=draw(st.none() | _ORIGIN),
    )
    bare = Demo(head=head, steps=steps, elements={})
    found: dict[str, tuple[Element, ...]] = {}
    for index, frame in enumerate(bare.frames()):
        items = tuple(draw(_elements(frame, f"e{index}_{i}")) for i in range(draw(st.integers(0, 3))))
        if items:
            found[frame.id] = items
    parsed = frozenset(found) | frozenset(f.id for f in bare.frames() if draw(st.booleans()))
    return Demo(head=head, steps=steps, elements=found, parsed=parsed)

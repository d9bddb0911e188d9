"""Demos to rows and back: what goes out comes in equal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from demopack.domain.actions import ActionTarget, AgentAction
from demopack.domain.binding import alternatives_of, response_of
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element, containment
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, Size, from_norm_xywh, to_norm_xywh
from demopack.domain.steps import Step, WindowInfo
from demopack.domain.words import describe_action
from demopack.errors import BadInputError
from demopack.pack.names import safe_name
from demopack.pack.rows import AlternativeRow, DemoRow, ElementRow, FrameRow, StepRow, StoredFrame, WindowRow

__all__ = ["build_demo", "demo_row", "element_rows", "frame_files", "pruned", "step_rows"]


def pruned(demo: Demo) -> Demo:
    """The demo without what concerns its library alone: elements of pictures that no step uses, notes on its making.

    A step that was deleted leaves its elements in the library, so that undo can bring it back; what was deleted must
    not leave the house. What the models said before they were joined serves correcting, and would bring back texts that
    a person has corrected.
    """
    sizes = {frame.id: frame.size for frame in demo.frames()}
    own: dict[str, Any] = {"accepted": False, "take_of": "", "take_after": "", "redaction": {}}
    return Demo(
        head=demo.head.model_copy(update=own),
        steps=tuple(_with_alternatives(step, demo) for step in demo.steps),
        elements={
            key: kept for key, found in demo.elements.items() if key in sizes and (kept := _pruned(found, sizes[key]))
        },
        parsed=demo.parsed & sizes.keys(),
    )


def _pruned(found: Iterable[Element], size: Size) -> tuple[Element, ...]:
    """Elements without evidence; of the rejected ones, boxes that no pack may hold are left out.

    Whoever deleted such a box has done what the error about it asks for.
    """
    return tuple(
        element.model_copy(update={"evidence": ()})
        for element in found
        if element.review != "rejected" or (element.box.area and element.box.inside(size))
    )


def _with_alternatives(step: Step, demo: Demo) -> Step:
    """The step with those alternatives only that are still on its picture."""
    kept = tuple(element.uid for element, _ in alternatives_of(step, demo))
    return step if kept == step.alternatives else step.model_copy(update={"alternatives": kept})


def frame_files(demo: Demo) -> dict[str, str]:
    """Frame id -> path in the pack, numbered in order of first use; a picture is stored once per demo."""
    folder = safe_name(demo.head.id)
    return {frame.id: f"frames/{folder}/{number:04}.png" for number, frame in enumerate(demo.frames(), start=1)}


def _stored(frame: Frame | None, files: Mapping[str, str]) -> StoredFrame | None:
    return None if frame is None else StoredFrame(**frame.model_dump(), file=files[frame.id])


def demo_row(demo: Demo, files: Mapping[str, str]) -> DemoRow:
    """The demo's line of ``demos.jsonl``."""
    head = demo.head
    return DemoRow(
        demo=head.id,
        task=head.task,
        app=head.app,
        platform=head.platform,
        created_at=head.created_at,
        started_ns=head.started_ns,
        status=head.status,
        outcome=head.outcome,
        outcome_reason=head.outcome_reason,
        licence=head.licence,
        steps=len(demo.steps),
        elements=sum(len(found) for found in demo.elements.values()),
        frames=[
            FrameRow(file=files[f.id], id=f.id, width=f.width, height=f.height, parsed=f.id in demo.parsed)
            for f in demo.frames()
        ],
        final_frame=_stored(head.final_frame, files),
        counters=head.counters,
        missing=head.missing,
        area=head.area,
        verdict=head.verdict,
    )


def step_rows(demo: Demo, files: Mapping[str, str]) -> list[StepRow]:
    """The demo's lines of ``steps.jsonl``."""
    by_uid = {element.uid: element for found in demo.elements.values() for element in found}
    return [_step_row(demo, step, index, files, by_uid) for index, step in enumerate(demo.steps)]


def _step_row(demo: Demo, step: Step, index: int, files: Mapping[str, str], by_uid: Mapping[str, Element]) -> StepRow:
    response = response_of(step, demo)
    before = step.before
    known = step.started_ns > 0 and demo.head.started_ns > 0
    parsed = before is not None and before.id in demo.parsed
    element, end = by_uid.get(step.target_uid or ""), by_uid.get(step.end_uid or "")
    return StepRow(
        demo=demo.head.id,
        step=step.id,
        index=index,
        task=demo.head.task,
        description=describe_action(step.action, element, end),
        response=response.to_wire(),
        image=None if before is None else files[before.id],
        image_size=None if before is None else [before.width, before.height],
        target_box=_pixels(response.action.target, before),
        end_box=_pixels(response.action.end_target, before),
        pointer=step.pointer,
        target_uid=step.target_uid,
        end_uid=step.end_uid,
        alternatives=[
            AlternativeRow(uid=one.uid, target=target.to_wire(), box=_corners(one.box))
            for one, target in alternatives_of(step, demo)
        ],
        before=_stored(before, files),
        after=_stored(step.after, files),
        t_ms=round((step.started_ns - demo.head.started_ns) / 1e6, 3) if known else None,
        duration_ms=round((step.ended_ns - step.started_ns) / 1e6, 3),
        started_ns=step.started_ns,
        ended_ns=step.ended_ns,
        quality=step.quality,
        events=list(step.events),
        window=_window(step.window),
        rationale=step.rationale,
        review=step.review,
        note=step.note,
        variable=step.variable,
        focused=step.focused,
        pointed=step.pointed,
        clipboard=step.clipboard,
        doubts=step.doubts(parsed=parsed),
        verdict=step.verdict,
        recorded_action=step.action.to_wire(),
        position=step.position,
    )


def _pixels(target: ActionTarget | None, frame: Frame | None) -> list[int] | None:
    if target is None or target.bbox is None or frame is None:
        return None
    return _corners(from_norm_xywh(target.bbox, frame.size))


def _corners(box: Rect) -> list[int]:
    return [box.x1, box.y1, box.x2, box.y2]


def _window(window: WindowInfo | None) -> WindowRow | None:
    if window is None:
        return None
    return WindowRow(title=window.title, app=window.app, box=None if window.box is None else _corners(window.box))


def element_rows(demo: Demo, files: Mapping[str, str]) -> list[ElementRow]:
    """The demo's lines of ``elements.jsonl``: picture by picture, in reading order, rejected ones last.

    Raises:
        BadInputError: an element lies outside its picture; the message names it.
    """
    return [row for frame in demo.frames() if frame.id in demo.elements for row in _on_frame(demo, frame, files)]


def _on_frame(demo: Demo, frame: Frame, files: Mapping[str, str]) -> Iterable[ElementRow]:
    ordered = demo.ordered(frame.id)
    parents = containment(ordered)
    rejected = [element for element in demo.elements[frame.id] if element.review == "rejected"]
    for number, element in enumerate([*ordered, *rejected], start=1):
        if not element.box.inside(frame.size):
            raise BadInputError(
                f"The element {element.text or element.type!r} of {demo.head.id} lies outside its picture "
                f"{files[frame.id]}: {_corners(element.box)} on {frame.width} x {frame.height} pixels.",
                hint="Open the demo in the editor and move or delete the element.",
            )
        yield ElementRow(
            demo=demo.head.id,
            frame=frame.id,
            image=files[frame.id],
            image_size=[frame.width, frame.height],
            element_id=number if number <= len(ordered) else None,
            uid=element.uid,
            type=element.type,
            box=_corners(element.box),
            bbox=list(to_norm_xywh(element.box, frame.size)),
            text=element.text,
            subtype=element.subtype,
            states=element.states,
            track_id=element.track_id,
            parent=parents.get(element.uid),
            parent_by_hand=element.parent,
            source=element.source,
            confidence=element.confidence,
            review=element.review,
        )


def build_demo(row: DemoRow, steps: Sequence[StepRow], elements: Sequence[ElementRow]) -> Demo:
    """The demo of some rows, its elements in the order a library gives them.

    Raises:
        ActionError: an action breaks the contract.
        GeometryError: a box has its corners swapped.
        ValidationError: a value cannot be.
    """
    found: dict[str, list[Element]] = {}
    for element in sorted(elements, key=lambda e: e.uid):
        found.setdefault(element.frame, []).append(_element(element))
    return Demo(
        head=_head(row),
        steps=tuple(_step(step) for step in sorted(steps, key=lambda s: s.index)),
        elements={key: tuple(items) for key, items in found.items()},
        parsed=frozenset(frame.id for frame in row.frames if frame.parsed),
    )


def _head(row: DemoRow) -> DemoHead:
    same = (
        "task", "app", "platform", "created_at", "started_ns", "status", "outcome", "outcome_reason", "licence",
        "missing", "area", "verdict",
    )  # fmt: skip
    fields: dict[str, Any] = {name: getattr(row, name) for name in same}
    return DemoHead(id=row.demo, final_frame=_frame(row.final_frame), counters=row.counters, **fields)


def _frame(stored: StoredFrame | None) -> Frame | None:
    return None if stored is None else Frame.model_validate(stored.model_dump(exclude={"file"}))


def _step(row: StepRow) -> Step:
    window = None if row.window is None else WindowInfo.model_validate(row.window.model_dump())
    return Step(
        id=row.step,
        position=row.position,
        action=AgentAction.model_validate(row.recorded_action),
        target_uid=row.target_uid,
        end_uid=row.end_uid,
        alternatives=tuple(one.uid for one in row.alternatives),
        pointer=row.pointer,
        before=_frame(row.before),
        after=_frame(row.after),
        started_ns=row.started_ns,
        ended_ns=row.ended_ns,
        quality=row.quality,
        events=tuple(row.events),
        window=window,
        rationale=row.rationale,
        review=row.review,
        note=row.note,
        variable=row.variable,
        focused=row.focused,
        pointed=row.pointed,
        clipboard=row.clipboard,
        verdict=row.verdict,
    )


def _element(row: ElementRow) -> Element:
    return Element(
        uid=row.uid,
        frame=row.frame,
        type=row.type,
        box=Rect(*row.box),
        text=row.text,
        subtype=row.subtype,
        states=row.states,
        source=row.source,
        confidence=row.confidence,
        review=row.review,
        track_id=row.track_id,
        parent=row.parent_by_hand,
    )

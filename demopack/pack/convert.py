"""Demos to rows and back: what goes out comes in equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, Final

from demopack.codecs.recorded_demo import PictureFiles, RecordedDemo, RecordedStep, recorded_step
from demopack.domain.actions import (
    Action,
    ActionTarget,
    FinishGoalAction,
    LLMResponse,
    parse_action,
    parse_response,
)
from demopack.domain.binding import alternatives_of, response_of
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element, NumberedElement, containment
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size, from_norm_xywh, to_norm_xywh
from demopack.domain.records import Record
from demopack.domain.steps import Step, WindowInfo
from demopack.domain.trees import WindowTree
from demopack.domain.words import describe_action
from demopack.errors import BadInputError
from demopack.file_names import safe_name
from demopack.pack.rows import (
    AlternativeRow,
    DemoRow,
    ElementRow,
    FrameRow,
    StepRow,
    StoredFrame,
    TreeRow,
    WindowRow,
    columns,
)


def pruned(demo: Demo, *, trees: bool = True) -> Demo:
    """The demo without what concerns its library alone: elements of pictures that no step uses, notes on its making.

    A step that was deleted leaves its elements in the library, so that undo can bring it back; what was deleted must
    not leave the house. What the models said before they were joined serves correcting, and would bring back texts that
    a person has corrected.

    Args:
        demo: as it stands in its library.
        trees: whether what programs reported about their windows stays.
    """
    sizes = {frame.id: frame.size for frame in demo.frames()}
    own: dict[str, Any] = {"accepted": False, "take_of": "", "take_after": "", "redaction": {}, "proof": demo.proof}
    if demo.head.origin is not None:
        ids = {step.id for step in demo.steps}
        own["origin"] = demo.head.origin.but(
            steps={step: rows for step, rows in demo.head.origin.steps.items() if step in ids}
        )
    return Demo(
        head=demo.head.model_copy(update=own),
        steps=tuple(_with_alternatives(step if trees else step.but(trees=()), demo) for step in demo.steps),
        elements={
            key: kept for key, found in demo.elements.items() if key in sizes and (kept := _pruned(found, sizes[key]))
        },
        parsed=demo.parsed & sizes.keys(),
        trees=demo.trees,
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
    return None if frame is None else StoredFrame(**_same(frame, StoredFrame), file=files[frame.id])


def _same(record: Record, model: type[Record]) -> dict[str, Any]:
    """The fields of a record that another type has by the same name, so that a new one needs no word here."""
    names, values_of = _shared(type(record), model)
    return dict(zip(names, values_of(record.__dict__), strict=True))


def _tree_of(row: TreeRow) -> WindowTree:
    return WindowTree.trusted({"schema_version": row.schema_version, **_same(row, WindowTree)})


@cache
def _shared(
    one: type[Record], other: type[Record]
) -> tuple[Sequence[str], Callable[[Mapping[str, Any]], Iterable[Any]]]:
    """The fields of both, and what takes their values."""
    names = [name for name in other.model_fields if name in one.model_fields and name != "schema_version"]
    return names, itemgetter(*names)


def demo_row(demo: Demo, files: Mapping[str, str]) -> DemoRow:
    """The demo's line of ``demos.jsonl``."""
    own: dict[str, Any] = {
        "demo": demo.head.id,
        "steps": len(demo.steps),
        "elements": sum(len(found) for found in demo.elements.values()),
        "trees": len(demo.tree_ids()),
        "frames": [
            FrameRow(file=files[frame.id], parsed=frame.id in demo.parsed, **_same(frame, FrameRow))
            for frame in demo.frames()
        ],
        "final_frame": _stored(demo.head.final_frame, files),
    }
    return DemoRow(**_same(demo.head, DemoRow) | own)


def tree_rows(demo: Demo) -> Iterator[TreeRow]:
    """The demo's lines of ``trees.jsonl``, one at a time.

    Raises:
        LibraryError: a tree is damaged.
    """
    for key in demo.tree_ids():
        yield TreeRow.trusted({**demo.trees[key].__dict__, "demo": demo.head.id, "tree": key})


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
    own: dict[str, Any] = {
        "demo": demo.head.id,
        "step": step.id,
        "index": index,
        "task": demo.head.task,
        "description": describe_action(step.action, element, end),
        "response": response.to_wire(),
        "image": None if before is None else files[before.id],
        "image_size": None if before is None else [before.width, before.height],
        "target_box": _pixels(response.action.target, before),
        "end_box": _pixels(response.action.end, before),
        "alternatives": [
            AlternativeRow(uid=one.uid, target=target.to_wire(), box=one.box.corners)
            for one, target in alternatives_of(step, demo)
        ],
        "before": _stored(before, files),
        "after": _stored(step.after, files),
        "t_ms": round((step.started_ns - demo.head.started_ns) / 1e6, 3) if known else None,
        "duration_ms": round((step.ended_ns - step.started_ns) / 1e6, 3),
        "window": None if step.window is None else WindowRow.model_validate(step.window.to_json()),
        "doubts": step.doubts(parsed=parsed),
        "recorded_action": step.action.to_wire(),
    }
    return StepRow(**_same(step, StepRow) | own)


def _pixels(target: ActionTarget | None, frame: Frame | None) -> list[int] | None:
    if target is None or target.bbox is None or frame is None:
        return None
    return from_norm_xywh(target.bbox, frame.size).corners


def element_rows(demo: Demo, files: Mapping[str, str]) -> list[ElementRow]:
    """The demo's lines of ``elements.jsonl``: picture by picture, in reading order, rejected ones last.

    Raises:
        BadInputError: an element lies outside its picture; the message names it.
    """
    return [row for frame in demo.frames() if frame.id in demo.elements for row in _on_frame(demo, frame, files)]


_ELEMENT_COLUMNS: Final = columns(ElementRow)


def _on_frame(demo: Demo, frame: Frame, files: Mapping[str, str]) -> Iterable[ElementRow]:
    ordered = demo.ordered(frame.id)
    parents = containment(ordered)
    rejected = [element for element in demo.elements[frame.id] if element.review == "rejected"]
    for number, element in enumerate([*ordered, *rejected], start=1):
        if not element.box.inside(frame.size):
            raise BadInputError(
                f"The element {element.text or element.type!r} of {demo.head.id} lies outside its picture "
                f"{files[frame.id]}: {element.box.corners} on {frame.width} x {frame.height} pixels.",
                hint="Open the demo in the editor and move or delete the element.",
            )
        values: dict[str, Any] = {
            **element.__dict__,
            "schema_version": 2,
            "demo": demo.head.id,
            "image": files[frame.id],
            "image_size": [frame.width, frame.height],
            "number": number if number <= len(ordered) else 0,
            "bbox": list(to_norm_xywh(element.box, frame.size)),
            "container": parents.get(element.uid),
            "evidence": (),
        }
        yield ElementRow.trusted({name: values[name] for name in _ELEMENT_COLUMNS})


def build_demo(
    row: DemoRow, steps: Sequence[StepRow], elements: Sequence[ElementRow], trees: Sequence[TreeRow] = ()
) -> Demo:
    """The demo of some rows, its elements in the order a library gives them.

    Raises:
        ActionError: an action breaks the contract.
        GeometryError: a box has its corners swapped.
        ValidationError: a value cannot be.
    """
    found: dict[str, list[Element]] = {}
    for element in sorted(elements, key=lambda e: e.uid):
        found.setdefault(element.frame, []).append(Element(**_same(element, Element)))
    return Demo(
        head=_head(row),
        steps=tuple(_whole_steps(row, sorted(steps, key=lambda s: s.index))),
        elements={key: tuple(items) for key, items in found.items()},
        parsed=frozenset(frame.id for frame in row.frames if frame.parsed),
        trees={tree.tree: _tree_of(tree) for tree in trees},
    )


def whole_response(row: StepRow) -> LLMResponse:
    """The recorded action of a step, with the flag of its response.

    Raises:
        ActionError: it breaks the contract.
    """
    action = parse_action(row.recorded_action)
    flag = row.response.get("is_goal_complete", False)
    return LLMResponse(reasoning="", action=action, is_goal_complete=flag)


def _whole_steps(row: DemoRow, steps: Sequence[StepRow]) -> Iterator[Step]:
    for step in steps:
        action, *ends = (one.action for one in whole_response(step).normal())
        yield Step(**_step_values(step, action))
        if ends and step is steps[-1]:
            yield _implied_end(row, step)


def _implied_end(row: DemoRow, last: StepRow) -> Step:
    """The ``finish_goal`` after a last step that said with its action that the task is done."""
    frame = _frame(last.after) or _frame(row.final_frame)
    at, position = last.ended_ns, last.position + 1
    return Step(
        id=f"{last.step}_end", position=position, action=FinishGoalAction(), before=frame, started_ns=at, ended_ns=at
    )


def recorded(
    row: DemoRow,
    steps: Sequence[StepRow],
    elements: Iterable[ElementRow],
    pictures: PictureFiles,
    *,
    trees: Sequence[TreeRow] = (),
    side: str = "",
) -> RecordedDemo:
    """The demo of some rows, with the responses and descriptions that stand in them.

    Args:
        row: its line of ``demos.jsonl``.
        steps: its lines of ``steps.jsonl``, in any order.
        elements: its lines of ``elements.jsonl``, in any order.
        pictures: where its pictures are.
        trees: its lines of ``trees.jsonl``, where they were asked for.
        side: of a division that it is on.

    Raises:
        ActionError: an action breaks the contract.
        GeometryError: a box has its corners swapped, or lies beside its picture.
        ValidationError: a value cannot be.
    """
    head = _head(row)
    found: dict[str, list[NumberedElement]] = {}
    for element in sorted(elements, key=attrgetter("number")):
        if element.number:
            found.setdefault(element.frame, []).append(element)
    shown = [frame for step in steps for frame in (step.before, step.after)]
    files = {frame.id: frame.file for frame in (*shown, row.final_frame) if frame is not None}
    files |= {frame.id: frame.file for frame in row.frames}
    return RecordedDemo(
        head=head,
        steps=list(_recorded_steps(row, sorted(steps, key=lambda step: step.index), head, found, files)),
        elements=found,
        frames=[Frame(**_same(frame, Frame)) for frame in row.frames],
        parsed=frozenset(frame.id for frame in row.frames if frame.parsed),
        files=files,
        pictures=pictures,
        trees={tree.tree: _tree_of(tree) for tree in trees},
        side=side,
    )


def _recorded_steps(
    row: DemoRow,
    steps: Sequence[StepRow],
    head: DemoHead,
    elements: Mapping[str, Sequence[NumberedElement]],
    files: Mapping[str, str],
) -> Iterator[RecordedStep]:
    for step in steps:
        response, *ends = parse_response(step.response).normal()
        yield _recorded_step(step, response, head, elements)
        if ends and step is steps[-1]:
            end = _implied_end(row, step)
            yield recorded_step(
                end,
                head=head,
                index=step.index + 1,
                response=ends[0],
                description=describe_action(end.action),
                elements=() if end.before is None else elements.get(end.before.id, ()),
                image="" if end.before is None else files[end.before.id],
                implied=True,
            )


def _recorded_step(
    row: StepRow, response: LLMResponse, head: DemoHead, elements: Mapping[str, Sequence[NumberedElement]]
) -> RecordedStep:
    # The row was checked when it was read.
    own = {"schema_version": 1, "events": tuple(row.events)}
    return recorded_step(
        Step.trusted(_step_values(row, response.action) | own),
        head=head,
        index=row.index,
        response=response,
        description=row.description,
        elements=() if row.before is None else elements.get(row.before.id, ()),
        image=row.image or "",
        alternatives=[ActionTarget.model_validate(one.target) for one in row.alternatives],
    )


def _head(row: DemoRow) -> DemoHead:
    own: dict[str, Any] = {"id": row.demo, "final_frame": _frame(row.final_frame)}
    return DemoHead(**_same(row, DemoHead) | own)


def _frame(stored: StoredFrame | None) -> Frame | None:
    return None if stored is None else Frame.trusted(_same(stored, Frame))


def _step_values(row: StepRow, action: Action) -> dict[str, Any]:
    own: dict[str, Any] = {
        "id": row.step,
        "action": action,
        "alternatives": tuple(one.uid for one in row.alternatives),
        "before": _frame(row.before),
        "after": _frame(row.after),
        "window": None if row.window is None else WindowInfo.model_validate(row.window.__dict__),
    }
    return _same(row, Step) | own

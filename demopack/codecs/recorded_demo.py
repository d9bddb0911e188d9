"""Recorded demos as encoders and prompts take them: each step with its screen, response and placed action."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.target_words import way_within
from demopack.codecs.uipath_registry import memory_operations
from demopack.domain.actions import Action, ActionTarget, DragAction, LLMResponse
from demopack.domain.binding import alternatives_of, response_of
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import NumberedElement, numbered
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size, from_norm_xywh
from demopack.domain.labels import told_name
from demopack.domain.steps import Step
from demopack.domain.trees import WindowTree
from demopack.domain.words import Translate, describe_action


class PictureFiles(Protocol):
    """Where the pictures of a demo are."""

    def read(self, name: str) -> bytes:
        """The bytes of a picture.

        Raises:
            PackError: it is missing, or larger than the pack says.
        """
        ...

    def file(self, name: str) -> Path | None:
        """Where it lies on the disk, so that it can be linked; None where it does not, as in a zip."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStep:
    """One step that was done.

    Attributes:
        recorded: the step of the library or pack; its action is the response's.
        demo: id of its demo; empty outside of one.
        index: position among the demo's steps, from 0.
        left_out: how many steps of the demo before it are not among these.
        description: what was done, in words.
        response: the action in the contract's form.
        observation: the screen before it.
        started_ms: its first event, milliseconds since the demo began; None when the time is unknown.
        placed: the action where it lies on that screen, ready for any vocabulary.
        target_box: the response's target in pixels of the screen; of size zero for a point, None for no place.
        end_box: where a drag ends, as ``target_box``.
        alternatives: further targets that would have been as right.
        memory: what it added to the memory of UiPath's planner.
        implied: whether no row tells it: the step before it said with its own action that the task is done.
        result: what came of it, in the words of whoever carried it out; empty for steps of a demo, which know more.
    """

    recorded: Step
    demo: str = ""
    index: int = 0
    left_out: int = 0
    description: str
    response: LLMResponse
    observation: Observation
    placed: PlacedAction
    started_ms: float | None = None
    target_box: Rect | None = None
    end_box: Rect | None = None
    alternatives: Sequence[ActionTarget] = ()
    memory: Sequence[Mapping[str, Any]] = ()
    implied: bool = False
    result: str = ""

    @property
    def ends(self) -> bool:
        """Whether the task ended with it."""
        return self.response.action.action_type == "finish_goal"

    @property
    def name(self) -> str:
        """Which step it is, for people, for instance ``step 3 of demo_5a3b1e0c77``."""
        return f"step {self.number + 1} of {self.demo}"

    @property
    def number(self) -> int:
        """Its position in the demo as it was recorded, from 0: :attr:`index` counts what was not left out."""
        return self.index + self.left_out

    @property
    def duration_ms(self) -> float:
        """From the first to the last event."""
        return round((self.recorded.ended_ns - self.recorded.started_ns) / 1e6, 3)

    @property
    def image_size(self) -> list[int] | None:
        """Width and height of the screen, in pixels."""
        return None if self.observation.size is None else list(self.observation.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDemo:
    """One demo with its pictures.

    Attributes:
        head: what is known about it as a whole.
        steps: in order.
        elements: by frame id, in reading order; rejected ones are left out.
        frames: its pictures, in order of first use.
        parsed: ids of the frames on which elements were looked for, even if none was found.
        files: frame id -> path of the PNG.
        pictures: where these files are.
        trees: what programs reported of their windows, by id; empty where nobody asked for them.
        side: of a division that it is on, for instance ``test``; empty where nobody divided.
    """

    head: DemoHead
    steps: Sequence[RecordedStep]
    elements: Mapping[str, Sequence[NumberedElement]]
    frames: Sequence[Frame]
    parsed: frozenset[str]
    files: Mapping[str, str]
    pictures: PictureFiles
    trees: Mapping[str, WindowTree] = field(default_factory=dict[str, WindowTree])
    side: str = ""


class DemoSource(Protocol):
    """Something that demos can be read from, one after the other, as often as one likes."""

    @property
    def licence(self) -> str:
        """SPDX expression; empty when not to be published."""
        ...

    @property
    def kept_digests(self) -> Collection[str]:
        """Digests of the values that may be private and that a person kept; empty where nobody said so."""
        ...

    @property
    def total(self) -> int:
        """How many demos there are."""
        ...

    def demos(self) -> Iterator[RecordedDemo]:
        """Every demo.

        Raises:
            PackError: a line cannot be read; file, line and way out are named.
        """
        ...


def recorded_demo(demo: Demo, files: Mapping[str, str], pictures: PictureFiles) -> RecordedDemo:
    """A demo as it stands, without its rejected elements.

    Args:
        demo: of a library, or made in memory.
        files: frame id -> path of each picture in ``pictures``.
        pictures: where they are.
    """
    elements = {frame.id: numbered(demo.ordered(frame.id)) for frame in demo.frames() if frame.id in demo.elements}
    by_uid = {element.uid: element for found in demo.elements.values() for element in found}

    def recorded(index: int, step: Step) -> RecordedStep:
        response = response_of(step, demo)
        return recorded_step(
            step.but(action=response.action),
            head=demo.head,
            index=index,
            response=response,
            description=describe_action(step.action, by_uid.get(step.target_uid or ""), by_uid.get(step.end_uid or "")),
            elements=() if step.before is None else elements.get(step.before.id, ()),
            image="" if step.before is None else files[step.before.id],
            alternatives=[target for _, target in alternatives_of(step, demo)],
        )

    return RecordedDemo(
        head=demo.head,
        steps=[recorded(index, step) for index, step in enumerate(demo.steps)],
        elements=elements,
        frames=demo.frames(),
        parsed=demo.parsed,
        files=files,
        pictures=pictures,
        trees=demo.trees,
    )


def recorded_step(
    step: Step,
    *,
    head: DemoHead,
    index: int,
    response: LLMResponse,
    description: str,
    elements: Sequence[NumberedElement],
    image: str,
    alternatives: Sequence[ActionTarget] = (),
    implied: bool = False,
) -> RecordedStep:
    """A step of a demo on its screen.

    Args:
        step: as it was recorded, its action the response's.
        head: of its demo.
        index: position in the demo, from 0.
        response: the action in the contract's form, its target derived from the elements.
        description: what was done, in words; those that a program made of the elements are made anew, so that no text
            that may be misread is told, and a field by its label.
        elements: on the screen before it.
        image: path of that screen's picture; empty without one.
        alternatives: further targets that would have been as right.
        implied: whether no row tells it.

    Raises:
        GeometryError: a box of the response does not lie on the picture.
    """
    size = None if step.before is None else step.before.size
    boxes = _box(response.action.target, size), _box(response.action.end, size)
    observation = Observation(size=size, elements=elements, window=_window(step), image=image)
    is_timed = step.started_ns > 0 and head.started_ns > 0
    placed = _placed(step, response.action, observation, *boxes)
    return RecordedStep(
        recorded=step,
        demo=head.id,
        started_ms=round((step.started_ns - head.started_ns) / 1e6, 3) if is_timed else None,
        index=index,
        description=told_action(placed, description),
        response=response,
        observation=observation,
        placed=placed,
        target_box=boxes[0],
        end_box=boxes[1],
        alternatives=alternatives,
        memory=memory_operations(response.action, step.variable),
        implied=implied,
    )


def _box(target: ActionTarget | None, size: Size | None) -> Rect | None:
    if target is None or target.bbox is None or size is None:
        return None
    return from_norm_xywh(target.bbox, size)


def _window(step: Step) -> Rect | None:
    """The window's box on the picture: it is told in units of the virtual desktop."""
    frame, window = step.before, step.window
    if window is None or window.box is None or frame is None:
        return None
    found = frame.space.to_pixels(window.box).clamped(frame.size)
    return found if found.area else None


def _placed(
    step: Step, action: Action, observation: Observation, target_box: Rect | None, end_box: Rect | None
) -> PlacedAction:
    size, elements, pointer = observation.size, observation.elements, step.pointer
    target, end = _element(elements, step.target_uid), _element(elements, step.end_uid)
    start, to = (None if box is None else box.center for box in (target_box, end_box))
    between: tuple[Point, ...] = ()
    if pointer is not None:
        start, between = Point(pointer.x, pointer.y), tuple(Point(p.x, p.y) for p in pointer.path)
        if pointer.end_x is not None and pointer.end_y is not None:
            to = Point(pointer.end_x, pointer.end_y)
    start, to = (None if point is None else _onto(point, size) for point in (start, to))
    way = () if start is None or to is None else (start, *(_onto(point, size) for point in between), to)
    return PlacedAction(
        action=action,
        at=start,
        to=to,
        way=way,
        size=size,
        target=target,
        end=end,
        target_text="" if action.target is None else action.target.text or "",
        reported=_reported(step, typed=action.typed_text),
        elements=elements,
        window=observation.window,
    )


def told_action(placed: PlacedAction, words: str = "", *, tr: Translate = str) -> str:
    """What was done, in words; somebody's own stay as they are. ``tr`` translates the words around names."""
    action, target, end = placed.action, placed.target, placed.end
    if words and words != describe_action(action, target, end, tr=tr):
        return words
    elements = placed.elements
    if isinstance(action, DragAction) and target is not None and target == end and placed.at and placed.to:
        along = action.model_copy(update={"end_target": ActionTarget(bbox=(0, 0, 0, 0))})
        said = describe_action(along, _called(target, elements, placed.reported), tr=tr)
        return f"{said} {way_within(target.box, placed.at, placed.to)}"
    return describe_action(action, _called(target, elements, placed.reported), _called(end, elements), tr=tr)


def _called(
    element: NumberedElement | None, elements: Sequence[NumberedElement], reported: str = ""
) -> NumberedElement | None:
    """The element under the name that may be told."""
    if element is None:
        return None
    name = told_name(element, elements, reported=reported)
    return element if name == (element.text or "") else element.model_copy(update={"text": name or None})


def _reported(step: Step, *, typed: str | None) -> str:
    """What accessibility calls the element that the pointer or the text went to."""
    told = step.pointed if typed is None else step.focused
    return "" if told is None else told.name or told.value


def _element(elements: Sequence[NumberedElement], uid: str | None) -> NumberedElement | None:
    return next((one for one in elements if one.uid == uid), None) if uid else None


def _onto(point: Point, size: Size | None) -> Point:
    """The nearest pixel of the picture."""
    if size is None:
        return point
    return Point(min(max(point.x, 0), size.width - 1), min(max(point.y, 0), size.height - 1))

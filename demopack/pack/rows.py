"""Rows of a pack's tables: one line each. Outsiders depend on these fields: see ``docs/formats/pack.md``.

The rows are plain on purpose: boxes are lists of integers, pictures are relative paths, and what a consumer needs
most (the response, the picture, the boxes in pixels) stands at the top of a step, derived once by the writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    PlainSerializer,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic_core import core_schema

from demopack.codecs.step_marks import StepMarks, step_marks
from demopack.domain.demos import CaptureCounters, DemoStatus, Origin
from demopack.domain.elements import ElementSource, ElementType, NumberedElement, Review, State
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, Size
from demopack.domain.proofs import ReplayProof
from demopack.domain.rationale import Rationale
from demopack.domain.records import Moment, Record
from demopack.domain.steps import AccessibleElement, CaptureQuality, Doubt, Pointer
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from demopack.domain.verdicts import DemoVerdict, StepVerdict
from demopack.errors import GeometryError
from demopack.json_text import MAX_NUMBER

# Steps and elements are read without a look at each number: their types hold it to what is believed of any number, and
# schemas keep silent about that.
_WITHIN = Field(gt=-MAX_NUMBER, lt=MAX_NUMBER)
_Whole = Annotated[int, _WITHIN, WithJsonSchema({"type": "integer"})]
_Count = Annotated[int, Field(ge=0, lt=MAX_NUMBER), WithJsonSchema({"minimum": 0, "type": "integer"})]
_Length = Annotated[int, Field(gt=0, lt=MAX_NUMBER), WithJsonSchema({"exclusiveMinimum": 0, "type": "integer"})]
_Real = Annotated[float, _WITHIN, WithJsonSchema({"type": "number"})]
PixelBox = Annotated[list[_Whole], Field(min_length=4, max_length=4)]
"""``[x1, y1, x2, y2]`` in pixels of the picture; ``x2`` and ``y2`` are exclusive. Size zero means the point."""
ImageSize = Annotated[list[_Length], Field(min_length=2, max_length=2)]
"""``[width, height]`` in pixels of the picture."""


def _rect(corners: list[int]) -> Rect:
    try:
        return Rect(*corners)
    except GeometryError as error:
        raise ValueError(error.user_message) from error


_Box = Annotated[
    Rect,
    # Other than ``Box``, all but the last step happens outside of Python: a pack has hundreds of thousands of boxes.
    GetPydanticSchema(lambda _, handler: core_schema.no_info_after_validator_function(_rect, handler(PixelBox))),
    PlainSerializer(attrgetter("corners"), return_type=PixelBox),
]


_Counted = Annotated[int, Field(ge=1, lt=MAX_NUMBER)]
_NumberOrNull: TypeAlias = Annotated[int, Field(ge=1)] | None
_Number = Annotated[
    int,
    GetPydanticSchema(
        lambda _, handler: core_schema.no_info_after_validator_function(
            lambda number: number or 0, core_schema.nullable_schema(handler(_Counted))
        )
    ),
    PlainSerializer(lambda number: number or None, return_type=_NumberOrNull),
]
"""Null, as which a rejected element is written, is read as 0."""


def _within(value: dict[str, Any]) -> dict[str, Any]:
    left: list[object] = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += cast("dict[str, object]", one).values()
        elif isinstance(one, list):
            left += cast("list[object]", one)
        elif isinstance(one, (int, float)) and not -MAX_NUMBER < one < MAX_NUMBER:
            raise ValueError("a number is larger than anything that can be meant")
    return value


_Plain = Annotated[
    dict[str, Any],
    # What an action of the library holds is written as it is; the check of the pack tells of it.
    GetPydanticSchema(
        lambda source, handler: core_schema.json_or_python_schema(
            core_schema.no_info_after_validator_function(_within, handler(source)), handler(source)
        )
    ),
]
"""The wire form of a part of an action."""


_NODES = TypeAdapter(tuple[TreeNode, ...])


def _sparse_nodes(nodes: tuple[TreeNode, ...]) -> Any:  # noqa: ANN401 - plain JSON
    return _NODES.dump_python(nodes, mode="json", exclude_defaults=True)


_EVENTS = TypeAdapter(list[InputEvent])


def _sparse(events: list[InputEvent]) -> Any:  # noqa: ANN401 - plain JSON
    return _EVENTS.dump_python(events, mode="json", exclude_defaults=True)


class StoredFrame(Frame):
    """A screenshot and the file that holds it.

    Attributes:
        file: path of the PNG inside the pack.
    """

    file: str


class FrameRow(Record):
    """One picture of a demo.

    Attributes:
        file: path of the PNG inside the pack.
        id: SHA-256 over ``b"WxH:"`` and the RGB bytes.
        width: pixels.
        height: pixels.
        parsed: whether elements were looked for on it, even if none was found.
    """

    file: str
    id: str
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    parsed: bool


def _brought_along(version: object) -> object:
    """A row of an earlier version is one of this version without what came later."""
    return 4 if type(version) is int and version in {1, 2, 3} else version


def _brought_to_2(version: object) -> object:
    """As :func:`_brought_along`, where this is version 2."""
    return 2 if type(version) is int and version == 1 else version


class DemoRow(Record):
    """One line of ``demos.jsonl``; the fields of the recording that are not named here are those of a demo's head.

    Attributes:
        schema_version: of this row.
        demo: the demo's id.
        steps: how many rows of ``steps.jsonl`` belong to it.
        elements: how many rows of ``elements.jsonl`` belong to it.
        trees: how many rows of ``trees.jsonl`` belong to it.
        frames: its pictures, in order of first use.
        final_frame: the screen at the end.
        missing: of a partial demo, what is not there.
        area: what was captured of the desktop.
        verdict: what a judge said about the demo as a whole; null until a model was asked.
        origin: what an imported demo's source says beyond all this; null where there is nothing.
        proof: the last replay that reached the recorded state; null where there was none.
    """

    schema_version: Annotated[Literal[4], BeforeValidator(_brought_along)] = 4
    demo: str
    task: str
    app: str
    platform: str
    created_at: Moment
    started_ns: int
    status: DemoStatus
    outcome: Literal["success", "failure"] | None
    outcome_reason: str
    licence: str
    steps: int = Field(ge=0)
    elements: int = Field(ge=0)
    trees: int = Field(default=0, ge=0)
    frames: list[FrameRow]
    final_frame: StoredFrame | None
    counters: CaptureCounters
    missing: str = ""
    area: str = "all"
    verdict: DemoVerdict | None = None
    origin: Origin | None = None
    proof: ReplayProof | None = None


class WindowRow(Record):
    """The window that had the input; ``box`` in pixels of the virtual desktop."""

    title: str
    app: str
    box: PixelBox | None


class AlternativeRow(Record):
    """An element that would have been as right as the step's target.

    Attributes:
        uid: the element (``uid`` in ``elements.jsonl``).
        target: what identifies it, in the form of a response's target.
        box: in pixels of the picture.
    """

    uid: str
    target: _Plain
    box: PixelBox


class StepRow(Record):
    """One line of ``steps.jsonl``: an LLMResponse and everything that is known about how it came about.

    Attributes:
        schema_version: of this row.
        demo: id of the demo.
        step: id of the step.
        index: position in the demo, from 0.
        task: the demo's task, repeated so that a row stands alone.
        description: what was done, in words.
        response: the LLMResponse in wire form.
        image: path of the picture *before* the action; null when there is none.
        image_size: of that picture.
        target_box: the response's target in pixels of the picture.
        end_box: where a drag ends, as ``target_box``.
        pointer: the exact pixels of press, way and release; null for the keyboard.
        target_uid: the element it was done to (``uid`` in ``elements.jsonl``).
        end_uid: the element a drag ended on.
        alternatives: further elements that would have been as right as the target.
        before: the picture before, with the monitor's place and the time of the grab.
        after: the picture after.
        t_ms: first event, milliseconds since the demo began; null when the time is unknown.
        duration_ms: from the first to the last event.
        started_ns: monotonic clock of the recording machine at the first event; 0 when unknown.
        ended_ns: as ``started_ns``, at the last event.
        quality: how far the pictures can be trusted.
        events: the raw events, in order; fields at their default are left out.
        window: the window that had the input.
        rationale: the fields the reasoning was rendered from, and who wrote them.
        review: what a person said about the step.
        note: a person's remark.
        variable: name of the variable whose value the typed text is; empty for a text that is always the same.
        focused: what the system's accessibility interface told about the element that had the input.
        pointed: the same about the element under the pointer.
        trees: what programs reported of the windows on the picture, topmost first: the row of ``trees.jsonl``
            (``tree``), when it was read, and whether that is proved to be of the picture's moment.
        clipboard: the text that was pasted or copied; null unless the person wanted it kept.
        doubts: why the step should be looked at.
        verdict: what a judge said about the step; null until judged.
        recorded_action: the action as recorded or written by hand, before its target was derived from the element.
        position: sorts the steps in a library; not contiguous.
    """

    schema_version: Annotated[Literal[2], BeforeValidator(_brought_to_2)] = 2
    demo: str
    step: str
    index: _Count
    task: str
    description: str
    response: _Plain
    image: str | None
    image_size: ImageSize | None
    target_box: PixelBox | None
    end_box: PixelBox | None
    pointer: Pointer | None
    target_uid: str | None
    end_uid: str | None
    alternatives: list[AlternativeRow] = Field(default_factory=list[AlternativeRow])
    before: StoredFrame | None
    after: StoredFrame | None
    t_ms: _Real | None
    duration_ms: _Real
    started_ns: _Count
    ended_ns: _Count
    quality: CaptureQuality
    events: Annotated[list[InputEvent], PlainSerializer(_sparse)]
    window: WindowRow | None
    rationale: Rationale | None
    review: Review
    note: str
    variable: str = ""
    focused: AccessibleElement | None = None
    pointed: AccessibleElement | None = None
    trees: tuple[TreeReading, ...] = ()
    clipboard: str | None = None
    doubts: list[Doubt]
    verdict: StepVerdict | None = None
    recorded_action: _Plain
    position: _Whole

    @property
    def marks(self) -> StepMarks | None:
        """Drawing of what was done; None where there is no picture."""
        if self.image_size is None:
            return None
        target, end = (None if box is None else Rect(*box) for box in (self.target_box, self.end_box))
        parameters = self.response["action"]["parameters"]
        return step_marks(Size(*self.image_size), parameters, target=target, end=end, pointer=self.pointer)


class ElementRow(NumberedElement):
    """One line of ``elements.jsonl``: one thing on one picture. Rows of a picture are in reading order.

    Attributes:
        schema_version: of this row.
        demo: id of the demo.
        frame: id of the picture.
        image: path of the picture.
        image_size: of the picture.
        element_id: number in reading order, from 1; null for a rejected element.
        uid: its identity in the demo.
        type: what it is.
        box: in pixels of the picture.
        bbox: the same as ``[x, y, width, height]``, fractions 0..1 of the picture.
        text: what is written on it; of a field its value.
        mark_box: of a check box, radio button or toggle whose box holds its label, too: the mark alone, in pixels of
            the picture; null where the box is the mark, and for all other types.
        placeholder: what an empty field shows instead of a value; null where nothing.
        subtype: of icons and shapes.
        states: true or false where it can be seen; left out where it cannot.
        track_id: the same element on other pictures of the demo.
        parent: ``uid`` of the element around it; null at the top.
        parent_by_hand: the parent a person set ("" for none); null where geometry decides.
        source: who found it.
        confidence: 0..1 of the finder; null for a person.
        review: what a person said about it.
    """

    # Above are the names in the file, where those of an Element are taken: its ``parent`` is the one a person set.
    model_config = ConfigDict(serialize_by_alias=True)

    schema_version: Annotated[Literal[2], BeforeValidator(_brought_to_2)] = 2
    demo: str
    frame: str
    image: str
    image_size: ImageSize
    number: _Number = Field(alias="element_id")
    uid: str
    type: ElementType
    box: _Box
    bbox: Annotated[list[_Real], Field(min_length=4, max_length=4)]
    text: str | None = Field()
    mark_box: _Box | None = None
    placeholder: str | None = None
    subtype: str | None = Field()
    states: dict[State, bool] = Field()
    track_id: str | None = Field()
    container: str | None = Field(alias="parent")
    parent: str | None = Field(alias="parent_by_hand")
    source: ElementSource = Field()
    confidence: float | None = Field(ge=0, le=1)
    review: Review = Field()
    evidence: tuple[()] = Field(default=(), exclude=True)

    def fractions(self, size: Size) -> Sequence[float]:  # noqa: ARG002 - of the picture that the row names
        """What stands in the row."""
        return self.bbox

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:  # noqa: ANN401
        """Pydantic's hook: what is wrong is told in the order of the file."""
        schema = handler(source)
        inner = cast("dict[str, Any]", schema)["schema"]
        own: dict[str, object] = __class__.__annotations__  # type: ignore[name-defined]  # of this very class
        names = dict.fromkeys([*own, *inner["fields"]])
        inner["fields"] = {name: inner["fields"][name] for name in names if name in inner["fields"]}
        return schema


class TreeRow(WindowTree):
    """One line of ``trees.jsonl``: what a program reported about one of its windows, once for each content.

    Attributes:
        schema_version: of this row.
        demo: id of the demo.
        tree: id: SHA-256 over ``b"tree:"`` and the canonical JSON of the fields below (docs/formats/pack.md).
        app: the program's name.
        toolkit: name and version; empty where it does not tell.
        title: of the window.
        box: of the window, in pixels of the virtual desktop; null when unknown.
        boxes: how far the boxes of the nodes can be believed.
        complete: whether everything that was shown was read.
        nodes: depth first, the window itself first; fields at their default are left out.
    """

    demo: str
    tree: str
    nodes: Annotated[tuple[TreeNode, ...], PlainSerializer(_sparse_nodes)] = ()


def columns(model: type[Record]) -> list[str]:
    """The fields of a row in the order they are written: as its class declares them, inherited ones last."""
    return list(
        dict.fromkeys([*(name for name in model.__annotations__ if name in model.model_fields), *model.model_fields])
    )

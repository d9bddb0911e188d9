"""Grounding rows: an element in words, and where it is: point and box in pixels, in fractions and on 0 to 1000.

A row is a picture and an element that can be called so that no other is meant, and one more for each recorded step that
was done to it. The same rows stand in ``SIDE.jsonl`` as a question and its answer ``(x,y)`` on the grid of 1000, for
trainers that take messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from demopack.codecs.element_names import ElementName, element_names
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import LEFT_OUT, Format, FormatWriter, left_because
from demopack.codecs.sets.questions import PLACEHOLDER_LOSS, without_placeholders
from demopack.domain.actions import Action
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size, to_fraction, to_thousand

_TABLE: Final = "metadata.jsonl"
_ASK: Final = "Answer with the point (x,y), where x and y run from 0 to 1000 over the picture's width and height."
_NO_AREA: Final = "elements without area on the picture"
_NO_NAME: Final = "nothing tells the element from others: it has no text that is sure, or shares it in any order"
_CLICKS: Final = {
    "single": "Click {}.", "double": "Double-click {}.", "triple": "Triple-click {}.", "right": "Right-click {}.",
    "middle": "Middle-click {}.",
}  # fmt: skip
_STEPS: Final = {
    "type": "Type into {}.", "hover": "Move the mouse to {}.", "drag": "Take hold of {} to drag it.",
}  # fmt: skip
INSTRUCTIONS: Final = {"element": {"Point at {}."}, "step": {*_CLICKS.values(), *_STEPS.values()}}
"""How each kind of row asks for a name."""


class _Writer(FormatWriter):
    picture_folder = "{part}/images/"

    def add(self, demo: RecordedDemo) -> None:
        done: dict[tuple[str, str], list[RecordedStep]] = {}
        for step in demo.steps:
            before, uid = step.recorded.before, step.recorded.target_uid
            if before is not None and uid is not None and left_because(step, self.options.leave_out) is None:
                done.setdefault((before.id, uid), []).append(step)
        for frame in demo.frames:
            found = demo.elements.get(frame.id, ())
            if frame.id not in demo.parsed and not found:
                self.output.lost.add("not_parsed", LEFT_OUT["not_parsed"], demo.files[frame.id])
            for name in self._named(demo, frame):
                self._write(demo, frame, name, done.get((frame.id, name.element.uid), ()))

    def _named(self, demo: RecordedDemo, frame: Frame) -> list[ElementName]:
        """The elements that have a name; the others are counted."""
        found = demo.elements.get(frame.id, ())
        there = [one.but(box=one.box.clamped(frame.size)) for one in found]
        for element in there:
            if not element.box.area:
                self.output.left_out.add("no_area", _NO_AREA, f"{demo.files[frame.id]}, element {element.number}")
        named: list[ElementName] = []
        for name in element_names(there):
            if name.by is None:
                self.output.left_out.add("no_name", _NO_NAME, f"{demo.files[frame.id]}, element {name.element.number}")
            else:
                named.append(name)
        self.output.rows_out += len(named)
        return named

    def _write(self, demo: RecordedDemo, frame: Frame, name: ElementName, steps: Sequence[RecordedStep]) -> None:
        picture = self.picture(demo, frame)
        row = _row(demo, frame.size, name, picture.removeprefix(f"{self.output.part}/"))
        asked = [("", f"Point at {name.words}.")]
        asked += [
            (step.recorded.id, said) for step in steps if (said := _instruction(step.response.action, name.words))
        ]
        for step_id, instruction in asked:
            kind = "step" if step_id else "element"
            self.output.line(
                f"{self.output.part}/{_TABLE}", {**row, "kind": kind, "step": step_id, "instruction": instruction}
            )
            asks = without_placeholders(instruction, self.output, f"{demo.files[frame.id]}, {instruction}")
            self.output.line(f"{self.output.part}.jsonl", as_messages(asks, row["point_1000"], picture))

    def finish(self) -> None:
        """Leave a file even where there is no row, and tell LLaMA-Factory of each side."""
        if not self.output.lines:
            self.output.text(f"{self.output.part}/{_TABLE}")
            self.output.text(f"{self.output.part}.jsonl")
        tags = {f"{name}_tag": name for name in ("role", "content", "user", "assistant", "system")}
        columns = {"messages": "messages", "images": "images"}
        parts = [name.removesuffix(".jsonl") for name in self.output.lines if "/" not in name] or [self.output.part]
        told = {"formatting": "sharegpt", "columns": columns, "tags": tags}
        self.output.json(
            "dataset_info.json", {f"grounding_{part}": {"file_name": f"{part}.jsonl", **told} for part in parts}
        )


def as_messages(instruction: str, point: Sequence[object], picture: str) -> dict[str, Any]:
    """A row as a question and its answer, a point in 0 to 1000 of the picture."""
    talk = [
        {"role": "user", "content": f"<image>{instruction} {_ASK}"},
        {"role": "assistant", "content": f"({','.join(map(str, point))})"},
    ]
    return {"messages": talk, "images": [picture]}


def _instruction(action: Action, words: str) -> str:
    """What a step did to its target, as somebody would ask for it; empty where it was done to no place."""
    asked = _CLICKS[action.click_type] if action.action_type == "click" else _STEPS.get(action.action_type, "")
    return asked.format(words)


def _row(demo: RecordedDemo, size: Size, name: ElementName, picture: str) -> dict[str, Any]:
    element = name.element
    box = element.box
    # Halves go down: the middle of a box one pixel wide has to lie in it.
    point = Point((box.x1 + box.x2) // 2, (box.y1 + box.y2) // 2)
    others = [one.box.corners for one in name.distractors]
    return {
        "file_name": picture,
        "demo": demo.head.id,
        "element_id": element.number,
        "track_id": element.track_id or "",
        "name": name.words,
        "named_by": name.by,
        "text": element.text or "",
        "type": element.type,
        "source": element.source,
        "review": element.review,
        "image_size": list(size),
        "point": [point.x, point.y],
        "box": box.corners,
        "point_fraction": list(to_fraction(point, size)),
        "box_fraction": _edges(box, size),
        "point_1000": list(to_thousand(point, size)),
        "box_1000": [*to_thousand(Point(box.x1, box.y1), size), *to_thousand(Point(box.x2, box.y2), size)],
        "distractors": len(others),
        "distractor_boxes": others,
    }


def _edges(box: Rect, size: Size) -> list[float]:
    return [*to_fraction(Point(box.x1, box.y1), size), *to_fraction(Point(box.x2, box.y2), size)]


FORMAT: Final = Format(
    name="grounding",
    title="Grounding rows: an element in words, and where it is",
    files="train/metadata.jsonl, train/images/, train.jsonl, dataset_info.json",
    reads="datasets (imagefolder); as messages LLaMA-Factory, ms-swift and trainers of Qwen-VL and UI-TARS",
    about="An element in words and where it is, a row an element: for models that point at what they are told.",
    load=(
        "from datasets import load_dataset\n"
        "\n"
        'rows = load_dataset("imagefolder", data_dir="FOLDER/train", split="train")'
    ),
    writer=_Writer,
    rows="elements",
    losses=(
        Loss("actions", "the tasks and the actions' parameters", "a row says where something is"),
        PLACEHOLDER_LOSS,
    ),
    sides=True,
)

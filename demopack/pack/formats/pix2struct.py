"""Pix2Struct: a picture, a header to render above it, and the text to answer with: the action in one line."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.actions import parse_action
from demopack.domain.dsl import format_action
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.chats import LEFT_OUT
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import history
from demopack.pack.formats.shots import Shots
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows, named

__all__ = ["FORMAT", "visible_action"]

_TABLE = "metadata.jsonl"


def visible_action(action: dict[str, Any]) -> dict[str, Any]:
    """An action with nothing in it that cannot be seen on the picture: no track, no element's number."""
    parameters = dict(action["parameters"])
    if "end_target" in parameters:
        parameters["end_target"] = _visible(parameters["end_target"])
    return {**action, "target": _visible(action["target"]), "parameters": parameters}


def _visible(target: dict[str, Any] | None) -> dict[str, Any] | None:
    if target is None:
        return None
    return {name: value for name, value in target.items() if name in {"text", "bbox"}} or target


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options, prefix="{part}/images/")

    def add(self, demo: DemoRows) -> None:
        for row in demo.steps:
            self._output.rows_in += 1
            image = self._shots.before(demo, row)
            if image is None:
                self._output.left_out.add("no_picture", LEFT_OUT["no_picture"], named(row))
                continue
            text = format_action(parse_action(visible_action(row.response["action"])))
            names = {"file_name": image.removeprefix(f"{self._output.part}/"), "demo": row.demo, "step": row.step}
            table = f"{self._output.part}/{_TABLE}"
            self._output.line(table, {**names, "header": self._header(demo, row), "text": text})
            self._output.rows_out += 1

    def _header(self, demo: DemoRows, row: StepRow) -> str:
        """Task and last actions on one line each; the header is drawn above the picture, so it is short."""
        limit = 3 if self._options.history is None else self._options.history
        done = history(demo, row, self._options.model_copy(update={"history": limit}))
        return "\n".join([row.task, *done])

    def finish(self) -> None:
        """Leave a file even where there is no row."""
        if not self._output.lines:
            self._output.text(f"{self._output.part}/{_TABLE}")
        self._output.notes.append(
            "Render the header with Pix2StructImageProcessor.render_header and a font of your own, then load with "
            "is_vqa=False: the processor's own way fetches a font. Views of single elements are made by training."
        )


FORMAT: Final = Format(
    name="pix2struct",
    title="Pix2Struct, actions",
    files="train/metadata.jsonl, train/images/",
    reads="datasets (imagefolder), transformers' Pix2Struct",
    load='load_dataset("imagefolder", data_dir="FOLDER", split="train")',
    writer=_Writer,
    losses=(
        Loss(code="ids", what="track and number of the target", why="they cannot be read off a picture"),
        Loss(code="reasoning", what="the reasons", why="the answer is the action alone"),
    ),
    uses=frozenset({"marks", "history"}),
    sides=True,
)

"""Pix2Struct: a picture, a header to render above it, and the text to answer with: the action in one line."""

from __future__ import annotations

from typing import Final

from demopack.codecs.llmresponse import format_action
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import LOAD_IMAGE_FOLDER, Format, FormatWriter
from demopack.codecs.sets.questions import history, visible_action
from demopack.domain.actions import parse_action

_TABLE = "metadata.jsonl"


class _Writer(FormatWriter):
    picture_folder = "{part}/images/"

    def add(self, demo: RecordedDemo) -> None:
        for step, frame in self.pictured(demo):
            image = self.picture(demo, frame)
            text = format_action(parse_action(visible_action(step.response.action.to_wire())))
            names = {
                "file_name": image.removeprefix(f"{self.output.part}/"),
                "demo": step.demo,
                "step": step.recorded.id,
            }
            table = f"{self.output.part}/{_TABLE}"
            self.output.line(table, {**names, "header": self._header(demo, step), "text": text})

    def _header(self, demo: RecordedDemo, step: RecordedStep) -> str:
        """Task and last actions on one line each; the header is drawn above the picture, so it is short."""
        limit = 3 if self.options.history is None else self.options.history
        done = history(demo, step, self.options.model_copy(update={"history": limit}))
        return "\n".join([demo.head.task, *done])

    def finish(self) -> None:
        """Leave a file even where there is no row."""
        if not self.output.lines:
            self.output.text(f"{self.output.part}/{_TABLE}")
        self.output.notes.append(
            "Render the header with Pix2StructImageProcessor.render_header and a font of your own, then load with "
            "is_vqa=False: the processor's own way fetches a font. Views of single elements are made by training."
        )


FORMAT: Final = Format(
    name="pix2struct",
    title="Pix2Struct, actions",
    files="train/metadata.jsonl, train/images/",
    reads="datasets (imagefolder), transformers' Pix2Struct",
    about="One row a step, the task as header and the action as text: for picture-to-text models.",
    load=LOAD_IMAGE_FOLDER,
    writer=_Writer,
    losses=(
        Loss("ids", "track and number of the target", "they cannot be read off a picture"),
        Loss("reasoning", "the reasons", "the answer is the action alone"),
    ),
    uses=frozenset({"marks", "history"}),
    sides=True,
)

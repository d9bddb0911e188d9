"""OpenAI's chat messages, pictures inside: the form that finetuning services share, answers as LLMResponse."""

from __future__ import annotations

import base64
from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format
from demopack.pack.formats.chats import LEFT_OUT
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import SYSTEM, answer_text, question
from demopack.pack.formats.shots import numbered
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows, named

__all__ = ["FORMAT"]


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options

    def add(self, demo: DemoRows) -> None:
        for row in demo.steps:
            self._output.rows_in += 1
            if row.before is None:
                self._output.left_out.add("no_picture", LEFT_OUT["no_picture"], named(row))
                continue
            messages = [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": self._parts(demo, row, row.before.file)},
                {"role": "assistant", "content": answer_text(row, self._options)},
            ]
            self._output.line("openai.jsonl", {"messages": messages})
            self._output.rows_out += 1

    def _parts(self, demo: DemoRows, row: StepRow, file: str) -> list[dict[str, Any]]:
        data = demo.pictures.read(file)
        found = demo.on(row)
        if self._options.marks and found:
            data = numbered(data, found)
        url = f"data:image/png;base64,{base64.b64encode(data).decode('ascii')}"
        text = {"type": "text", "text": question(demo, row, self._options)}
        return [text, {"type": "image_url", "image_url": {"url": url}}]

    def finish(self) -> None:
        """Leave a file even where there is no row."""
        self._output.text("openai.jsonl")


FORMAT: Final = Format(
    name="openai-chat",
    title="OpenAI chat messages",
    files="openai.jsonl, pictures inside",
    reads="finetuning services that take OpenAI's form, chat completions",
    writer=_Writer,
    uses=frozenset({"rationale", "elements", "marks", "history"}),
)

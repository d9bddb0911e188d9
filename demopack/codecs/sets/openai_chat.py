"""OpenAI's chat messages, pictures inside: the form that finetuning services share, answers as LLMResponse."""

from __future__ import annotations

import base64
from typing import Any, Final

from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import SYSTEM, answer_text, question
from demopack.domain.frames import Frame


class _Writer(FormatWriter):
    table = "openai.jsonl"

    def add(self, demo: RecordedDemo) -> None:
        for step, frame in self.pictured(demo):
            messages = [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": self._parts(demo, step, frame)},
                {"role": "assistant", "content": answer_text(step, self.options)},
            ]
            self.output.line(self.table, {"messages": messages})

    def _parts(self, demo: RecordedDemo, step: RecordedStep, frame: Frame) -> list[dict[str, Any]]:
        data = self.picture_bytes(demo, frame)
        url = f"data:image/png;base64,{base64.b64encode(data).decode('ascii')}"
        text = {"type": "text", "text": question(demo, step, self.options)}
        return [text, {"type": "image_url", "image_url": {"url": url}}]


FORMAT: Final = Format(
    name="openai-chat",
    title="OpenAI chat messages",
    files="openai.jsonl, pictures inside",
    reads="finetuning services that take OpenAI's form, chat completions",
    writer=_Writer,
    uses=frozenset({"rationale", "elements", "marks", "history"}),
)

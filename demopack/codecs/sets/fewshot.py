"""Examples for prompts with the providers' own computer tools: OpenAI, Anthropic and Gemini, pictures inside."""

from __future__ import annotations

import base64
import json
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from demopack.codecs import anthropic, gemini, openai
from demopack.codecs.base import Codec
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import DEMO_FOLDER, Format, FormatWriter
from demopack.codecs.sets.questions import after, demo_name, element_list, question, reasoning
from demopack.domain.frames import Frame

OPENAI_TOOLS: Final[list[dict[str, Any]]] = [{"type": "computer"}]
ANTHROPIC_TOOLS: Final[list[dict[str, Any]]] = [{"type": "computer_toolset_20260801"}]
GEMINI_TOOLS: Final[list[dict[str, Any]]] = [{"computer_use": {"environment": "ENVIRONMENT_DESKTOP"}}]


class _ProviderWriter(FormatWriter):
    """One file for each demo: a chat in a provider's own form, to stand in front of a question."""

    note = "The picture after a step of several calls stands after the last of them."
    codec: ClassVar[Codec]
    head: ClassVar[dict[str, Any]]
    """Fields of the file before the list."""
    key: ClassVar[str]
    """Name of the list."""

    def add(self, demo: RecordedDemo) -> None:
        with self.output.path(f"{DEMO_FOLDER}{demo_name(demo)}.json").open("w", encoding="utf-8", newline="\n") as file:
            head = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in self.head.items())
            file.write(f"{{\n{head}{json.dumps(self.key)}: [")
            for number, item in enumerate(self._items(demo)):
                file.write((",\n" if number else "\n") + json.dumps(item, ensure_ascii=False, allow_nan=False))
            file.write("\n]\n}\n")

    def _items(self, demo: RecordedDemo) -> Iterator[dict[str, Any]]:
        for number, (step, encoded) in enumerate(self.encoded(demo, self.codec)):
            if number == 0:
                asked = question(demo, step, self.options, element_list(step, self.options, self.codec.coordinates))
                yield self.ask(asked, self._base64(demo, step.recorded.before))
            # A vocabulary without a word for the end says a message instead.
            calls = [call for call in encoded.calls if call.get("type") != "message"]
            words = " ".join(str(call["text"]) for call in encoded.calls if call.get("type") == "message")
            shown = self._base64(demo, after(demo, step) if calls else None)
            yield from self.tell(step.index + 1, calls, [reasoning(step, self.options), words], shown)

    def _base64(self, demo: RecordedDemo, frame: Frame | None) -> str | None:
        return None if frame is None else base64.b64encode(self.picture_bytes(demo, frame)).decode("ascii")

    @abstractmethod
    def ask(self, text: str, picture: str | None) -> dict[str, Any]:
        """Return the task and the first picture, which is base64."""

    @abstractmethod
    def tell(
        self, number: int, calls: list[dict[str, Any]], words: list[str], shown: str | None
    ) -> list[dict[str, Any]]:
        """Return one step and what it led to.

        Args:
            number: of the step, from 1.
            calls: what was done.
            words: the reason, and what is said at the end; either may be empty.
            shown: the picture after it as base64; None without calls or picture.
        """


class _OpenAi(_ProviderWriter):
    """Items of the Responses API."""

    codec = openai.CODEC
    head: ClassVar[dict[str, Any]] = {"tools": OPENAI_TOOLS}
    key = "input"

    def ask(self, text: str, picture: str | None) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "input_text", "text": text}]
        if picture is not None:
            url = f"data:image/png;base64,{picture}"
            content.append({"type": "input_image", "image_url": url, "detail": "auto"})
        return {"role": "user", "content": content}

    def tell(
        self, number: int, calls: list[dict[str, Any]], words: list[str], shown: str | None
    ) -> list[dict[str, Any]]:
        said = " ".join(part for part in words if part)
        items: list[dict[str, Any]] = [{"role": "assistant", "content": said}] if said else []
        if calls:
            body = {"actions": calls, "pending_safety_checks": [], "status": "completed"}
            items.append({"type": "computer_call", "id": f"cu_{number}", "call_id": f"call_{number}", **body})
        if shown is not None:
            output = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{shown}"}
            items.append({"type": "computer_call_output", "call_id": f"call_{number}", "output": output})
        return items


class _Anthropic(_ProviderWriter):
    """Messages with one tool use for each action."""

    codec = anthropic.CODEC
    head: ClassVar[dict[str, Any]] = {"tools": ANTHROPIC_TOOLS}
    key = "messages"

    def _block(self, data: str) -> dict[str, Any]:
        return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}

    def ask(self, text: str, picture: str | None) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        return {"role": "user", "content": content if picture is None else [*content, self._block(picture)]}

    def tell(
        self, number: int, calls: list[dict[str, Any]], words: list[str], shown: str | None
    ) -> list[dict[str, Any]]:
        content: list[dict[str, Any]] = [{"type": "text", "text": text} for text in words if text]
        results: list[dict[str, Any]] = []
        for part, call in enumerate(calls, start=1):
            key = f"toolu_{number}_{part}"
            content.append({"type": "tool_use", "id": key, "toolset_name": "computer", **call})
            results.append({"type": "tool_result", "tool_use_id": key, "content": []})
        if shown is not None:
            # The screen was recorded once, after the step's last action.
            results[-1]["content"] = [self._block(shown)]
        answered = [{"role": "user", "content": results}] if results else []
        return [{"role": "assistant", "content": content}, *answered]


class _Gemini(_ProviderWriter):
    """Contents with function calls; the reason stands in the argument ``intent``, made for it."""

    codec = gemini.CODEC
    head: ClassVar[dict[str, Any]] = {"tools": GEMINI_TOOLS}
    key = "contents"

    def _part(self, data: str) -> dict[str, Any]:
        return {"inline_data": {"mime_type": "image/png", "data": data}}

    def ask(self, text: str, picture: str | None) -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{"text": text}]
        return {"role": "user", "parts": parts if picture is None else [*parts, self._part(picture)]}

    def tell(
        self, number: int, calls: list[dict[str, Any]], words: list[str], shown: str | None
    ) -> list[dict[str, Any]]:
        del number
        if not calls:
            return [{"role": "model", "parts": [{"text": part} for part in words if part]}]
        intent = {"intent": words[0]} if words[0] else {}
        asked = [{"function_call": {"name": c["name"], "args": {**c["args"], **intent}}} for c in calls]
        answered: list[dict[str, Any]] = [
            {"function_response": {"name": call["name"], "response": {"status": "done"}}} for call in calls
        ]
        if shown is not None:
            # The screen was recorded once, after the step's last action; beside the answers it would belong to none.
            answered[-1]["function_response"]["parts"] = [self._part(shown)]
        return [{"role": "model", "parts": asked}, {"role": "user", "parts": answered}]


_USES: Final = frozenset({"rationale", "elements", "marks"})
_TARGET: Final = Loss("target", "which element was meant", "a call names a place alone")


def _format(name: str, title: str, reads: str, writer: type[_ProviderWriter], ask: str) -> Format:
    return Format(
        name=name,
        title=title,
        files="demos/DEMO.json, pictures inside",
        reads=reads,
        about=f"A chat a demo with {title.partition(',')[0]}'s computer tool, an example to put before a question.",
        load=(
            "import json\n"
            "from pathlib import Path\n"
            "\n"
            'example = json.loads(Path("FOLDER/demos/DEMO.json").read_bytes())\n'
            f"# {ask}"
        ),
        writer=writer,
        units=("episode",),
        dialect=name,
        losses=(_TARGET,),
        uses=_USES,
    )


OPENAI: Final = _format(
    "openai",
    "OpenAI, examples with computer calls",
    "OpenAI's Responses API: the list under “input”",
    _OpenAi,
    'client.responses.create(model=…, tools=example["tools"], input=[*example["input"], …])',
)
ANTHROPIC: Final = _format(
    "anthropic",
    "Anthropic, examples with computer tools",
    "Anthropic's Messages API: the list under “messages”",
    _Anthropic,
    'client.beta.messages.create(model=…, tools=example["tools"], messages=[*example["messages"], …])',
)
GEMINI: Final = _format(
    "gemini",
    "Gemini, examples with computer use",
    "Gemini's generateContent: the list under “contents”",
    _Gemini,
    'client.models.generate_content(model=…, contents=[*example["contents"], …], config={"tools": example["tools"]})',
)

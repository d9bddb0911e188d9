"""Examples for prompts with the providers' own computer tools: OpenAI, Anthropic and Gemini, pictures inside."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.bundles import BundleWriter, Items, split_message
from demopack.pack.formats.dialects import anthropic, gemini, openai
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import reasoning
from demopack.pack.formats.spoken import Spoken
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["ANTHROPIC", "GEMINI", "OPENAI"]


class _OpenAi(BundleWriter):
    """Items of the Responses API."""

    head: ClassVar[dict[str, Any]] = {"tools": [{"type": "computer"}]}
    key: ClassVar[str] = "input"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options, openai.DIALECT)

    def ask(self, items: Items, demo: DemoRows, row: StepRow, text: str) -> None:
        content: list[dict[str, Any]] = [{"type": "input_text", "text": text}]
        if row.before is not None:
            url = f"data:image/png;base64,{self.picture(demo, row.before)}"
            content.append({"type": "input_image", "image_url": url, "detail": "auto"})
        items.add({"role": "user", "content": content})

    def tell(self, items: Items, demo: DemoRows, row: StepRow, spoken: Spoken) -> None:
        calls, words = split_message(spoken)
        said = " ".join(part for part in (reasoning(row, self.options), words) if part)
        if said:
            items.add({"role": "assistant", "content": said})
        if not calls:
            return
        call = f"call_{row.index + 1}"
        body = {"actions": calls, "pending_safety_checks": [], "status": "completed"}
        items.add({"type": "computer_call", "id": f"cu_{row.index + 1}", "call_id": call, **body})
        shown = self.shown_after(demo, row)
        if shown is not None:
            output = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{shown}"}
            items.add({"type": "computer_call_output", "call_id": call, "output": output})


class _Anthropic(BundleWriter):
    """Messages with one tool use for each action."""

    head: ClassVar[dict[str, Any]] = {"tools": [{"type": "computer_toolset_20260801"}]}
    key: ClassVar[str] = "messages"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options, anthropic.DIALECT)

    def _block(self, data: str) -> dict[str, Any]:
        return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}

    def ask(self, items: Items, demo: DemoRows, row: StepRow, text: str) -> None:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if row.before is not None:
            content.append(self._block(self.picture(demo, row.before)))
        items.add({"role": "user", "content": content})

    def tell(self, items: Items, demo: DemoRows, row: StepRow, spoken: Spoken) -> None:
        calls, words = split_message(spoken)
        said = [part for part in (reasoning(row, self.options), words) if part]
        content: list[dict[str, Any]] = [{"type": "text", "text": text} for text in said]
        results: list[dict[str, Any]] = []
        for number, call in enumerate(calls, start=1):
            key = f"toolu_{row.index + 1}_{number}"
            content.append({"type": "tool_use", "id": key, "toolset_name": "computer", **call})
            results.append({"type": "tool_result", "tool_use_id": key, "content": []})
        items.add({"role": "assistant", "content": content})
        shown = self.shown_after(demo, row) if results else None
        if shown is not None:
            # The screen was recorded once, after the step's last action.
            results[-1]["content"] = [self._block(shown)]
        if results:
            items.add({"role": "user", "content": results})


class _Gemini(BundleWriter):
    """Contents with function calls; the reason stands in the argument ``intent``, made for it."""

    head: ClassVar[dict[str, Any]] = {"tools": [{"type": "computer_use", "environment": "desktop"}]}
    key: ClassVar[str] = "contents"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options, gemini.DIALECT)

    def _part(self, data: str) -> dict[str, Any]:
        return {"inline_data": {"mime_type": "image/png", "data": data}}

    def ask(self, items: Items, demo: DemoRows, row: StepRow, text: str) -> None:
        parts: list[dict[str, Any]] = [{"text": text}]
        if row.before is not None:
            parts.append(self._part(self.picture(demo, row.before)))
        items.add({"role": "user", "parts": parts})

    def tell(self, items: Items, demo: DemoRows, row: StepRow, spoken: Spoken) -> None:
        calls, words = split_message(spoken)
        why = reasoning(row, self.options)
        if not calls:
            items.add({"role": "model", "parts": [{"text": part} for part in (why, words) if part]})
            return
        intent = {"intent": why} if why else {}
        asked = [{"function_call": {"name": c["name"], "args": {**c["args"], **intent}}} for c in calls]
        items.add({"role": "model", "parts": asked})
        answered: list[dict[str, Any]] = [
            {"function_response": {"name": call["name"], "response": {"status": "done"}}} for call in calls
        ]
        shown = self.shown_after(demo, row)
        items.add({"role": "user", "parts": answered if shown is None else [*answered, self._part(shown)]})


_USES: Final = frozenset({"rationale", "elements", "marks"})
_TARGET: Final = Loss(code="target", what="which element was meant", why="a call names a place alone")

OPENAI: Final = Format(
    name="openai",
    title="OpenAI, examples with computer calls",
    files="one .json for each demo, pictures inside",
    reads="OpenAI's Responses API: the list under “input”",
    writer=_OpenAi,
    units=("episode",),
    dialect="openai",
    losses=(_TARGET,),
    uses=_USES,
)
ANTHROPIC: Final = Format(
    name="anthropic",
    title="Anthropic, examples with computer tools",
    files="one .json for each demo, pictures inside",
    reads="Anthropic's Messages API: the list under “messages”",
    writer=_Anthropic,
    units=("episode",),
    dialect="anthropic",
    losses=(_TARGET,),
    uses=_USES,
)
GEMINI: Final = Format(
    name="gemini",
    title="Gemini, examples with computer use",
    files="one .json for each demo, pictures inside",
    reads="Gemini's generateContent: the list under “contents”",
    writer=_Gemini,
    units=("episode",),
    dialect="gemini",
    losses=(_TARGET,),
    uses=_USES,
)

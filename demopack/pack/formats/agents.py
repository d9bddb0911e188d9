"""The action strings that GUI models are trained on: UI-TARS and Qwen's ``computer_use``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.chats import Chat, Speak
from demopack.pack.formats.dialects import qwen, uitars
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import reasoning
from demopack.pack.formats.sharegpt import GUARD, GuardedWriter
from demopack.pack.formats.spoken import Dialect
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["QWEN", "UI_TARS"]

_TARS_TOLD = (
    "You operate a computer. Look at the picture and answer with a Thought and an Action. Actions: "
    "click(start_box='(x,y)'), left_double(start_box), right_single(start_box), drag(start_box, end_box), "
    "hotkey(key='ctrl c'), type(content), scroll(start_box, direction), wait(), finished(content). "
    "x and y run from 0 to 1000 over the picture's width and height."
)
_QWEN_TOLD = (
    "You operate a computer through the function computer_use. Look at the picture, say what you think, and answer "
    "with one call inside <tool_call></tool_call>. coordinate is [x, y], from 0 to 999 over the picture's width and "
    "height; scroll takes pixels, positive for up."
)


def _speak(output: Output, options: ExportOptions, dialect: Dialect, *, tagged: bool) -> Speak:
    def speak(demo: DemoRows, row: StepRow) -> str | None:
        spoken = hear(output, dialect, demo, row)
        if spoken is None:
            return None
        why = " ".join(reasoning(row, options).split())
        return f"Thought: {why}\n{_tagged(spoken.calls) if tagged else _lines(spoken.calls)}"

    return speak


def _lines(calls: Sequence[Any]) -> str:
    return "Action: " + "\n\n".join(str(call) for call in calls)


def _tagged(calls: Sequence[Any]) -> str:
    return "\n".join(f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls)


class _UiTars(GuardedWriter):
    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options, speak=_speak(output, options, uitars.DIALECT, tagged=False))

    def write(self, chat: Chat) -> None:
        messages: list[dict[str, Any]] = [{"role": "system", "content": _TARS_TOLD, "loss_mask": 0}]
        for turn in chat.turns:
            asks = f"<image>{self.guarded(turn.asks, chat)}"
            messages.append({"role": "user", "content": asks, "loss_mask": 0})
            messages.append({"role": "assistant", "content": self.guarded(turn.says, chat), "loss_mask": 1})
        pictures = [turn.picture for turn in chat.turns]
        self.output.line("ui_tars.jsonl", {"messages": messages, "images": pictures, "sample": chat.key})


class _Qwen(GuardedWriter):
    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options, speak=_speak(output, options, qwen.DIALECT, tagged=True))

    def write(self, chat: Chat) -> None:
        talk: list[dict[str, str]] = []
        for number, turn in enumerate(chat.turns):
            told = f"{_QWEN_TOLD}\n\n" if number == 0 else ""
            talk.append({"from": "human", "value": f"<image>\n{told}{self.guarded(turn.asks, chat)}"})
            talk.append({"from": "gpt", "value": self.guarded(turn.says, chat)})
        pictures = [turn.picture for turn in chat.turns]
        picture = pictures[0] if len(pictures) == 1 else pictures
        self.output.line("qwen.jsonl", {"id": chat.key, "image": picture, "conversations": talk})


_USES: Final = frozenset({"rationale", "elements", "marks", "unit", "history"})
_TARGET: Final = Loss(
    code="target", what="which element was meant", why="an action names a place, neither element nor track"
)

UI_TARS: Final = Format(
    name="ui-tars",
    title="UI-TARS talks",
    files="ui_tars.jsonl, images/",
    reads="UI-TARS, and trainers for messages with images",
    writer=_UiTars,
    units=("episode", "step"),
    dialect="ui-tars",
    losses=(_TARGET, GUARD),
    uses=_USES,
)
QWEN: Final = Format(
    name="qwen",
    title="Qwen computer_use talks",
    files="qwen.jsonl, images/",
    reads="Qwen-VL finetuning",
    writer=_Qwen,
    units=("step", "episode"),
    dialect="qwen",
    losses=(_TARGET, GUARD),
    uses=_USES,
)

"""The action strings that GUI models are trained on: UI-TARS and Qwen's ``computer_use``."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from demopack.codecs import qwen, ui_tars
from demopack.codecs.base import Codec
from demopack.codecs.losses import Loss
from demopack.codecs.output import encode_step
from demopack.codecs.recorded_demo import RecordedStep
from demopack.codecs.sets.base import Format
from demopack.codecs.sets.chats import Chat
from demopack.codecs.sets.questions import reasoning
from demopack.codecs.sets.sharegpt import GUARD, GuardedWriter

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


class _AgentWriter(GuardedWriter):
    codec: ClassVar[Codec]

    def says(self, step: RecordedStep) -> str | None:
        """Return the reason and the action in the agent's vocabulary; None where it has no word for it."""
        encoded = encode_step(self.output, self.codec, step)
        if encoded is None:
            return None
        return f"Thought: {' '.join(reasoning(step, self.options).split())}\n{self.action(encoded.calls)}"

    @abstractmethod
    def action(self, calls: Sequence[Any]) -> str:
        """Return the calls as the agent writes them."""


class _UiTars(_AgentWriter):
    codec = ui_tars.CODEC

    def action(self, calls: Sequence[Any]) -> str:
        return "Action: " + "\n\n".join(str(call) for call in calls)

    def write(self, chat: Chat) -> None:
        messages: list[dict[str, Any]] = [{"role": "system", "content": _TARS_TOLD, "loss_mask": 0}]
        for turn in chat.turns:
            messages.append({"role": "user", "content": self.asked(turn, chat), "loss_mask": 0})
            messages.append({"role": "assistant", "content": self.guarded(turn.says, chat), "loss_mask": 1})
        pictures = [turn.picture for turn in chat.turns]
        self.output.line("ui_tars.jsonl", {"messages": messages, "images": pictures, "sample": chat.key})


class _Qwen(_AgentWriter):
    codec = qwen.CODEC

    def action(self, calls: Sequence[Any]) -> str:
        return "\n".join(f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls)

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
_TARGET: Final = Loss("target", "which element was meant", "an action names a place, neither element nor track")

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

"""TRL: an image folder with ``prompt`` and ``completion``, or with ``messages``, content always in parts.

Parts carry no ``image`` key: Arrow would give one to the text parts too, and templates take those for pictures.
"""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format
from demopack.pack.formats.chats import Chat, ChatWriter, Turn
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import SYSTEM
from demopack.pack.formats.shots import Shots

__all__ = ["MESSAGES", "PROMPT_COMPLETION"]

_TABLE = "metadata.jsonl"


def _asked(turn: Turn) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": turn.asks}]}


def _said(turn: Turn) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": turn.says}]}


_TOLD: Final = {"role": "system", "content": [{"type": "text", "text": SYSTEM}]}


class _Writer(ChatWriter):
    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options, shots=Shots(output, options, prefix="{part}/images/"))

    def _pictures(self, chat: Chat) -> list[str]:
        return [turn.picture.removeprefix(f"{self.output.part}/") for turn in chat.turns]

    def _line(self, row: dict[str, Any]) -> None:
        self.output.line(f"{self.output.part}/{_TABLE}", row)


class _PromptCompletion(_Writer):
    def write(self, chat: Chat) -> None:
        *earlier, last = chat.turns
        talk = [message for turn in earlier for message in (_asked(turn), _said(turn))]
        row = {"prompt": [_TOLD, *talk, _asked(last)], "completion": [_said(last)]}
        self._line({"file_names": self._pictures(chat), **row, "sample": chat.key})


class _Messages(_Writer):
    def write(self, chat: Chat) -> None:
        talk = [message for turn in chat.turns for message in (_asked(turn), _said(turn))]
        self._line({"file_names": self._pictures(chat), "messages": [_TOLD, *talk], "sample": chat.key})


_USES: Final = frozenset({"rationale", "elements", "marks", "unit", "history"})

PROMPT_COMPLETION: Final = Format(
    name="trl",
    title="TRL, prompt and completion",
    files="train/metadata.jsonl, train/images/",
    reads="TRL's SFTTrainer, datasets (imagefolder)",
    load='load_dataset("imagefolder", data_dir="FOLDER", split="train")',
    writer=_PromptCompletion,
    sides=True,
    uses=_USES - {"unit"},
)
MESSAGES: Final = Format(
    name="trl-messages",
    title="TRL, messages",
    files="train/metadata.jsonl, train/images/",
    reads="TRL's SFTTrainer, Unsloth, axolotl, datasets (imagefolder)",
    load='load_dataset("imagefolder", data_dir="FOLDER", split="train")',
    writer=_Messages,
    units=("episode", "step"),
    sides=True,
    uses=_USES,
)

"""TRL: an image folder with ``prompt`` and ``completion``, or with ``messages``, content always in parts.

Parts carry no ``image`` key: Arrow would give one to the text parts too, and templates take those for pictures.
"""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs.sets.base import Format
from demopack.codecs.sets.chats import Chat, ChatWriter, Turn
from demopack.codecs.sets.questions import SYSTEM

_TABLE = "metadata.jsonl"


def _asked(turn: Turn) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": turn.asks}]}


def _answer_message(turn: Turn) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": turn.says}]}


_SYSTEM_MESSAGE: Final = {"role": "system", "content": [{"type": "text", "text": SYSTEM}]}


class _Writer(ChatWriter):
    picture_folder = "{part}/images/"

    def _pictures(self, chat: Chat) -> list[str]:
        return [turn.picture.removeprefix(f"{self.output.part}/") for turn in chat.turns]

    def _line(self, row: dict[str, Any]) -> None:
        self.output.line(f"{self.output.part}/{_TABLE}", row)


class _PromptCompletion(_Writer):
    def write(self, chat: Chat) -> None:
        *earlier, last = chat.turns
        talk = [message for turn in earlier for message in (_asked(turn), _answer_message(turn))]
        row = {"prompt": [_SYSTEM_MESSAGE, *talk, _asked(last)], "completion": [_answer_message(last)]}
        self._line({"file_names": self._pictures(chat), **row, "sample": chat.key})


class _Messages(_Writer):
    def write(self, chat: Chat) -> None:
        talk = [message for turn in chat.turns for message in (_asked(turn), _answer_message(turn))]
        self._line({"file_names": self._pictures(chat), "messages": [_SYSTEM_MESSAGE, *talk], "sample": chat.key})


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

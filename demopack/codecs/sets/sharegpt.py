"""LLaMA-Factory, ms-swift and Qwen's finetuning: messages as texts with ``<image>`` where a picture stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedStep
from demopack.codecs.sets.base import Format
from demopack.codecs.sets.chats import Chat, ChatWriter, Turn
from demopack.codecs.sets.questions import SYSTEM, answer
from demopack.domain.geometry import Rect

_TABLE = "demos.jsonl"
_WORDS = ("<image>", "<video>", "<audio>", "<bbox>", "<ref-object>")
GUARD = Loss(
    "placeholder",
    "words like `<image>` inside texts are written with a space, `< image>`",
    "the loaders take them for pictures",
)


class GuardedWriter(ChatWriter):
    """Keeps texts of the screen from being taken for placeholders: one too many, and a loader drops the sample."""

    def guarded(self, text: str, chat: Chat) -> str:
        """A text without anything that a loader would take for a picture or a box."""
        for word in _WORDS:
            if word in text:
                self.output.lost.add("placeholder", GUARD.what, chat.key)
                text = text.replace(word, f"< {word[1:]}")
        return text

    def asked(self, turn: Turn, chat: Chat) -> str:
        """The question of a turn, behind the place of its picture."""
        return f"<image>{self.guarded(turn.asks, chat)}"


class _ShareGpt(GuardedWriter):
    def write(self, chat: Chat) -> None:
        messages = [{"role": "system", "content": SYSTEM}]
        for turn in chat.turns:
            messages.append({"role": "user", "content": self.asked(turn, chat)})
            messages.append({"role": "assistant", "content": self.guarded(turn.says, chat)})
        row = {"messages": messages, "images": [turn.picture for turn in chat.turns], "sample": chat.key}
        self.output.line(_TABLE, row)

    def finish(self) -> None:
        super().finish()
        tags = {f"{name}_tag": name for name in ("role", "content", "user", "assistant", "system")}
        columns = {"messages": "messages", "images": "images"}
        info = {"file_name": _TABLE, "formatting": "sharegpt", "columns": columns, "tags": tags}
        self.output.json("dataset_info.json", {"demos": info})
        self.output.text(_TABLE)


class _Swift(GuardedWriter):
    """Places are placeholders with real pixels beside them: the trainer writes them as its model wants them."""

    def write(self, chat: Chat) -> None:
        messages = [{"role": "system", "content": SYSTEM}]
        boxes: list[list[int]] = []
        images: list[int] = []
        for number, turn in enumerate(chat.turns):
            said, found = self._placed(chat, turn.step)
            boxes += found
            images += [number] * len(found)
            messages.append({"role": "user", "content": self.asked(turn, chat)})
            messages.append({"role": "assistant", "content": said})
        objects = {"ref": [], "bbox": boxes, "bbox_type": "real", "image_id": images}
        row = {"messages": messages, "images": [turn.picture for turn in chat.turns], "objects": objects}
        self.output.line("swift.jsonl", row)

    def _placed(self, chat: Chat, step: RecordedStep) -> tuple[str, list[list[int]]]:
        """The answer with ``<bbox>`` for every place, and the places in pixels, in the same order."""
        said = answer(step, self.options)
        boxes: list[list[int]] = []
        action = cast("dict[str, Any]", said["action"])
        parameters = cast("dict[str, Any]", action["parameters"])
        target = _with_placeholder(action["target"], step.target_box, boxes)
        if "end_target" in parameters:
            parameters = {**parameters, "end_target": _with_placeholder(parameters["end_target"], step.end_box, boxes)}
        text = json.dumps(
            {**said, "action": {**action, "target": target, "parameters": parameters}}, ensure_ascii=False
        )
        whole = self.guarded(text, chat).replace(_MARK, "<bbox>")
        return whole, boxes


_MARK = "\ue000"


def _with_placeholder(target: Mapping[str, Any] | None, box: Rect | None, boxes: list[list[int]]) -> Any:  # noqa: ANN401
    if target is None or box is None or "bbox" not in target:
        return target
    boxes.append(box.corners if box.area else [box.x1, box.y1])
    return {**target, "bbox": _MARK}


_USES: Final = frozenset({"rationale", "elements", "marks", "unit", "history"})

SHAREGPT: Final = Format(
    name="sharegpt",
    title="ShareGPT messages with dataset_info.json",
    files="demos.jsonl, dataset_info.json, images/",
    reads="LLaMA-Factory, ms-swift, Qwen-VL finetuning",
    load="llamafactory-cli train --dataset demos --dataset_dir FOLDER --media_dir FOLDER …",
    writer=_ShareGpt,
    units=("step", "episode"),
    losses=(GUARD,),
    uses=_USES,
)
SWIFT: Final = Format(
    name="swift",
    title="ms-swift with objects in pixels",
    files="swift.jsonl, images/",
    reads="ms-swift (start it in the folder, or set ROOT_IMAGE_DIR)",
    load="ROOT_IMAGE_DIR=FOLDER swift sft --dataset FOLDER/swift.jsonl …",
    writer=_Swift,
    units=("step", "episode"),
    losses=(GUARD,),
    uses=_USES,
)

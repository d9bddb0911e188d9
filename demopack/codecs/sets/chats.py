"""Every format that is a chat between a person and a model: TRL, ShareGPT, ms-swift, UI-TARS, Qwen, OpenAI messages."""

from __future__ import annotations

import base64
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from demopack.codecs import qwen, swift, ui_tars
from demopack.codecs.answers import ANSWER_FORMS, IdealAnswer
from demopack.codecs.base import Codec
from demopack.codecs.element_words import element_lines
from demopack.codecs.losses import Loss
from demopack.codecs.output import encode_step
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import LEFT_OUT, LOAD_IMAGE_FOLDER, Format, FormatWriter, load_lines
from demopack.codecs.sets.questions import (
    PLACEHOLDER_LOSS,
    SYSTEM,
    answer,
    answer_text,
    element_list,
    question,
    reasoning,
    without_placeholders,
)
from demopack.domain.geometry import Size


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question with its picture, and the answer.

    Attributes:
        step: the step.
        picture: path inside the export.
        asks: the question in words.
        says: the answer in words.
    """

    step: RecordedStep
    picture: str
    asks: str
    says: str


class ChatWriter(FormatWriter):
    """Makes chats of demos; the unit decides between samples per step and per demo."""

    def add(self, demo: RecordedDemo) -> None:
        """Write one demo."""
        turns: list[Turn] = []
        for step in demo.steps:
            turn = self._turn(demo, step, first=not turns)
            if turn is not None and self.options.unit == "step":
                self._write(demo, [turn])
            elif turn is not None:
                turns.append(turn)
        if turns:
            self._write(demo, turns)

    def _turn(self, demo: RecordedDemo, step: RecordedStep, *, first: bool) -> Turn | None:
        if step.recorded.before is None:
            self.output.left_out.add("no_picture", LEFT_OUT["no_picture"], step.name)
            return None
        says = self.says(step)
        if says is None:
            return None
        picture = self.picture(demo, step.recorded.before)
        if self.options.unit == "step" or first:
            asks = question(demo, step, self.options, self.listed(step))
        else:
            # What was done before stands above, in the chat itself.
            asks = self.listed(step) or "What is next?"
        return Turn(step=step, picture=picture, asks=asks, says=says)

    def says(self, step: RecordedStep) -> str | None:
        """A step's answer, by default the LLMResponse as JSON; None where it has none, which is counted here."""
        return answer_text(step, self.options)

    def listed(self, step: RecordedStep) -> str:
        """The list of elements as a question tells it: by default in the contract's numbers; empty for none."""
        return element_list(step, self.options)

    def _write(self, demo: RecordedDemo, turns: Sequence[Turn]) -> None:
        self.write(demo.head.id if len(turns) != 1 else turns[0].step.name, turns)
        self.output.rows_out += len(turns)

    @abstractmethod
    def write(self, key: str, turns: Sequence[Turn]) -> None:
        """Write one sample as one line.

        Args:
            key: a name for it: the demo, or the step where there is one alone.
            turns: one for each step; a single one in samples per step.
        """

    def finish(self) -> None:
        """Note how many samples there are."""
        super().finish()
        self.output.notes.append(f"{sum(self.output.lines.values())} samples, one for each {self.options.unit}")


_USES: Final = frozenset({"rationale", "elements", "marks", "unit", "history"})


# TRL --------------------------------------------------------------------------------------------------------------


class _Talks(ChatWriter):
    """An image folder; content is always in parts.

    Parts carry no ``image`` key: Arrow would give one to the text parts too, and templates take those for pictures.
    """

    picture_folder = "{part}/images/"

    def write(self, key: str, turns: Sequence[Turn]) -> None:
        talk: list[dict[str, Any]] = [{"role": "system", "content": [{"type": "text", "text": SYSTEM}]}]
        for turn in turns:
            # A template of LLaVA's kind writes <image> where the picture part stands, and the processor counts them.
            asks, says = (without_placeholders(text, self.output, key) for text in (turn.asks, turn.says))
            talk.append({"role": "user", "content": [{"type": "image"}, {"type": "text", "text": asks}]})
            talk.append({"role": "assistant", "content": [{"type": "text", "text": says}]})
        names = [turn.picture.removeprefix(f"{self.output.part}/") for turn in turns]
        self.output.line(f"{self.output.part}/metadata.jsonl", {"file_names": names, **self.row(talk), "sample": key})

    @abstractmethod
    def row(self, talk: list[dict[str, Any]]) -> dict[str, Any]:
        """The columns of a talk."""


class _Messages(_Talks):
    note = "TRL's loss runs over the questions, too, unless SFTConfig has assistant_only_loss=True"

    def row(self, talk: list[dict[str, Any]]) -> dict[str, Any]:
        return {"messages": talk}

    def finish(self) -> None:
        super().finish()
        if self.options.unit == "episode":
            self.output.notes.append(
                "axolotl reads one picture of a sample alone and puts it into the last question: give it samples per "
                "step (--per step)"
            )


class _PromptCompletion(_Talks):
    def row(self, talk: list[dict[str, Any]]) -> dict[str, Any]:
        return {"prompt": talk[:-1], "completion": talk[-1:]}


TRL: Final = Format(
    name="trl",
    title="TRL, prompt and completion",
    files="train/metadata.jsonl, train/images/",
    reads="TRL's SFTTrainer, datasets (imagefolder)",
    about="One row a step, prompt and completion with its picture: the loss falls on the answers alone.",
    load=LOAD_IMAGE_FOLDER,
    writer=_PromptCompletion,
    losses=(PLACEHOLDER_LOSS,),
    sides=True,
    uses=_USES - {"unit"},
)
TRL_MESSAGES: Final = replace(
    TRL,
    name="trl-messages",
    title="TRL, messages",
    reads="TRL's SFTTrainer (assistant_only_loss=True), Unsloth, axolotl (per step), datasets (imagefolder)",
    about="A chat a step, or a demo, with its pictures: for trainers that read messages.",
    load=f"{LOAD_IMAGE_FOLDER}  # train with SFTConfig(assistant_only_loss=True)",
    writer=_Messages,
    units=("step", "episode"),
    uses=_USES,
)


# Messages as texts with ``<image>`` where a picture stands --------------------------------------------------------


class _GuardedWriter(ChatWriter):
    """Keeps texts of the screen from being taken for placeholders: one too many, and a loader drops the sample."""

    def guarded(self, text: str, key: str) -> str:
        """A text without anything that a loader would take for a picture or a box."""
        return without_placeholders(text, self.output, key)

    def messages(self, told: str, turns: Sequence[Turn], key: str) -> list[dict[str, Any]]:
        """What the model is told once, then each question behind the place of its picture, and its answer."""
        talk = [{"role": "system", "content": told}]
        for turn in turns:
            talk.append({"role": "user", "content": f"<image>{self.guarded(turn.asks, key)}"})
            talk.append({"role": "assistant", "content": self.guarded(turn.says, key)})
        return talk


class _ShareGpt(_GuardedWriter):
    table = "demos.jsonl"

    def write(self, key: str, turns: Sequence[Turn]) -> None:
        messages = self.messages(SYSTEM, turns, key)
        row = {"messages": messages, "images": [turn.picture for turn in turns], "sample": key}
        self.output.line(self.table, row)

    def finish(self) -> None:
        super().finish()
        tags = {f"{name}_tag": name for name in ("role", "content", "user", "assistant", "system")}
        columns = {"messages": "messages", "images": "images"}
        info = {"file_name": self.table, "formatting": "sharegpt", "columns": columns, "tags": tags}
        self.output.json("dataset_info.json", {"demos": info})


class _Swift(_GuardedWriter):
    """Places are placeholders with real pixels beside them: the trainer writes them as its model wants them."""

    note = (
        "every place, in the lists of elements and in the answers, is written by ms-swift as the model writes places; "
        "with QWENVL_BBOX_FORMAT=new the answers of Qwen models are plain JSON; "
        "demopack score --dialect swift reads what a trained model answers"
    )

    def listed(self, step: RecordedStep) -> str:
        found = step.observation
        lines = (
            element_lines(found.elements, found.size, lambda _element, _size: swift.MARK)
            if self.options.elements
            else []
        )
        return "\n".join(["Elements:", *lines]) if lines else ""

    def says(self, step: RecordedStep) -> str | None:
        return self._answer(step)[0]

    def write(self, key: str, turns: Sequence[Turn]) -> None:
        messages = self.messages(swift.SYSTEM, turns, key)
        messages = [{**one, "content": swift.with_placeholders(one["content"])} for one in messages]
        placed = [[*self._boxes(turn.step), *self._answer(turn.step)[1]] for turn in turns]
        objects = {
            "ref": [],
            "bbox": [box for boxes in placed for box in boxes],
            "bbox_type": "real",
            "image_id": [number for number, boxes in enumerate(placed) for _ in boxes],
        }
        row = {"messages": messages, "images": [turn.picture for turn in turns], "objects": objects, "sample": key}
        self.output.line("swift.jsonl", row)

    def _answer(self, step: RecordedStep) -> tuple[str, list[list[int]]]:
        # A step without a picture has no turn, and a picture has a size.
        size = step.observation.size or Size(1, 1)
        return swift.encode_response(answer(step, self.options), size)

    def _boxes(self, step: RecordedStep) -> list[list[int]]:
        size = step.observation.size
        if size is None or not self.options.elements:
            return []
        return [swift.object_of_box(element.box, size) for element in step.observation.elements]


SHAREGPT: Final = Format(
    name="sharegpt",
    title="ShareGPT messages with dataset_info.json",
    files="demos.jsonl, dataset_info.json, images/",
    reads="LLaMA-Factory, ms-swift, Qwen-VL finetuning",
    about="Messages with a placeholder where a picture stands: LLaMA-Factory, ms-swift and Qwen-VL train on them.",
    load="$ llamafactory-cli train --dataset demos --dataset_dir FOLDER --media_dir FOLDER …",
    writer=_ShareGpt,
    units=("step", "episode"),
    losses=(PLACEHOLDER_LOSS,),
    uses=_USES,
)
SWIFT: Final = replace(
    SHAREGPT,
    name="swift",
    title="ms-swift with objects in pixels",
    files="swift.jsonl, images/",
    reads="ms-swift (start it in the folder, or set ROOT_IMAGE_DIR); places are written as each model writes them",
    about="Messages whose places are boxes that ms-swift writes as its model wants them.",
    load="$ ROOT_IMAGE_DIR=FOLDER swift sft --dataset FOLDER/swift.jsonl …",
    writer=_Swift,
)


# The action strings that GUI models are trained on ----------------------------------------------------------------


_RESIZED: Final = (
    "Places are pixels of the picture as the model's processor resizes it with min_pixels {least} and max_pixels "
    "12845056; train and ask with these"
)


class _AgentWriter(_GuardedWriter):
    """The reason and the action in an agent's own vocabulary, behind the agent's own system text."""

    codec: ClassVar[Codec]
    table: ClassVar[str]

    def listed(self, step: RecordedStep) -> str:
        return element_list(step, self.options, self.codec.coordinates)

    def says(self, step: RecordedStep) -> str | None:
        encoded = encode_step(self.output, self.codec, step)
        if encoded is None:
            return None
        ideal = IdealAnswer(act=step.placed, thought=reasoning(step, self.options))
        return str(ANSWER_FORMS[self.codec.name](encoded, ideal))

    def told(self, turns: Sequence[Turn]) -> str:
        """What the model is told first, of the size of the picture that it sees first."""
        return "" if self.codec.system is None else self.codec.system(turns[0].step.observation.size)


class _UiTars(_AgentWriter):
    codec = ui_tars.CODEC
    table = "ui_tars.jsonl"

    def write(self, key: str, turns: Sequence[Turn]) -> None:
        told = self.messages(self.told(turns), turns, key)
        messages = [{**one, "loss_mask": int(one["role"] == "assistant")} for one in told]
        pictures = [turn.picture for turn in turns]
        self.output.line(self.table, {"messages": messages, "images": pictures, "sample": key})


class _UiTarsPixels(_UiTars):
    codec = ui_tars.PIXEL_CODEC
    note = _RESIZED.format(least=78_400)


class _Qwen(_AgentWriter):
    """Its loader knows the roles ``human`` and ``gpt`` alone: the system text stands before the first picture."""

    codec = qwen.CODEC
    table = "qwen.jsonl"

    def write(self, key: str, turns: Sequence[Turn]) -> None:
        talk: list[dict[str, str]] = []
        for number, turn in enumerate(turns):
            told = f"{self.told(turns)}\n\n" if number == 0 else ""
            talk.append({"from": "human", "value": f"{told}<image>\n{self.guarded(turn.asks, key)}"})
            talk.append({"from": "gpt", "value": self.guarded(turn.says, key)})
        pictures = [turn.picture for turn in turns]
        picture = pictures[0] if len(pictures) == 1 else pictures
        self.output.line(self.table, {"id": key, "image": picture, "conversations": talk})


class _QwenPixels(_Qwen):
    codec = qwen.PIXEL_CODEC
    note = _RESIZED.format(least=3_136)


_TARGET: Final = Loss("target", "which element was meant", "an action names a place, neither element nor track")

UI_TARS: Final = Format(
    name="ui-tars",
    title="UI-TARS talks",
    files="ui_tars.jsonl, images/",
    reads="UI-TARS 1.0, and trainers for messages with images",
    about="Thought and action a step in UI-TARS' own words, places from 0 to 1000.",
    load=load_lines("ui_tars.jsonl"),
    writer=_UiTars,
    units=("episode", "step"),
    dialect="ui-tars",
    losses=(_TARGET, PLACEHOLDER_LOSS),
    uses=_USES,
)
UI_TARS_PIXELS: Final = replace(
    UI_TARS,
    name="ui-tars-1.5",
    title="UI-TARS 1.5 talks",
    about="Thought and action a step for UI-TARS 1.5, places in pixels of the picture as it resizes it.",
    reads="UI-TARS 1.5, and trainers for messages with images",
    writer=_UiTarsPixels,
    dialect="ui-tars-1.5",
)
QWEN: Final = replace(
    UI_TARS,
    name="qwen",
    title="Qwen computer_use talks",
    files="qwen.jsonl, images/",
    reads="Qwen-VL finetuning, for Qwen3-VL",
    about="Calls of Qwen's computer_use a step, places from 0 to 999, in the form of Qwen-VL's finetuning.",
    load=load_lines("qwen.jsonl"),
    writer=_Qwen,
    units=("step", "episode"),
    dialect="qwen",
)
QWEN_PIXELS: Final = replace(
    QWEN,
    name="qwen2.5-vl",
    title="Qwen2.5-VL computer_use talks",
    about="Calls of Qwen's computer_use a step for Qwen2.5-VL, places in pixels of the picture as it resizes it.",
    reads="Qwen-VL finetuning, for Qwen2.5-VL",
    writer=_QwenPixels,
    dialect="qwen2.5-vl",
)


# OpenAI's chat messages, pictures inside: the form that finetuning services share ---------------------------------


class _OpenAiChat(FormatWriter):
    table = "openai.jsonl"

    def add(self, demo: RecordedDemo) -> None:
        for step, frame in self.pictured(demo):
            url = f"data:image/png;base64,{base64.b64encode(self.picture_bytes(demo, frame)).decode('ascii')}"
            text = {"type": "text", "text": question(demo, step, self.options, element_list(step, self.options))}
            messages = [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": [text, {"type": "image_url", "image_url": {"url": url}}]},
                {"role": "assistant", "content": answer_text(step, self.options)},
            ]
            self.output.line(self.table, {"messages": messages})


OPENAI_CHAT: Final = Format(
    name="openai-chat",
    title="OpenAI chat messages",
    files="openai.jsonl, pictures inside",
    reads="finetuning services that take OpenAI's form, chat completions",
    about="Chat messages a step with the picture inside: what most finetuning services take.",
    load=load_lines("openai.jsonl"),
    writer=_OpenAiChat,
    uses=_USES - {"unit"},
)

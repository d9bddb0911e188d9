"""A prompt as messages of named parts, and about how many tokens it has: a rule without network and tokenizer.

Counted are, each as one: runs of up to eight letters of an alphabet, runs of up to three digits, every ideograph, runs
of one and the same sign, line ends. Two letters of other alphabets than the Latin one count as one. A picture counts
as its pixels over 750. Every message costs four on top.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from pydantic import Field

from demopack.codecs.observation import Observation
from demopack.domain.records import Record
from demopack.prompting.example_choice import Instance

MESSAGE_TOKENS: Final = 4
_PIXELS = 750
_PER_TOKEN: Final[Mapping[str | None, int]] = {"latin": 8, "digits": 3, "other": 2}
"""Letters or digits of a run that count as one."""
_PIECE = re.compile(
    r"(?P<latin>[A-Za-z\u00c0-\u024f]+)"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<ideograph>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|(?P<other>[^\W\d_]+)"
    r"|(?P<space>[ \t]+)"
    r"|(?P<sign>(?P<one>.)(?P=one)*)",
    re.DOTALL,
)


def text_tokens(text: str) -> int:
    """About how many tokens a text has."""
    total = 0
    for match in _PIECE.finditer(text):
        kind, length = match.lastgroup, match.end() - match.start()
        if kind in _PER_TOKEN:
            total += math.ceil(length / _PER_TOKEN[kind])
        elif kind != "space":
            # One blank belongs to the word after it; only indentation costs.
            total += 1
        else:
            total += length > 1
    return total


def picture_tokens(width: int, height: int) -> int:
    """About how many tokens a picture has."""
    return math.ceil(width * height / _PIXELS)


Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture that the caller puts into the message, after its text.

    Attributes:
        path: inside the pack, or whatever the caller gave the scene.
        width: pixels.
        height: pixels.
    """

    path: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the chat.

    Attributes:
        role: whose it is.
        parts: its texts by what they are, for instance ``elements``; none is empty.
        images: its pictures.
    """

    role: Role
    parts: Mapping[str, str]
    images: tuple[Image, ...] = ()

    @property
    def text(self) -> str:
        """The parts, one blank line between them."""
        return "\n\n".join(self.parts.values())

    @property
    def tokens(self) -> int:
        """About how many."""
        return (
            MESSAGE_TOKENS
            + text_tokens(self.text)
            + sum(picture_tokens(image.width, image.height) for image in self.images)
        )

    def to_json(self) -> dict[str, Any]:
        """Role, content and pictures, as plain JSON."""
        images = [asdict(image) for image in self.images]
        return {"role": self.role, "content": self.text, **({"images": images} if images else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt, ready to be sent.

    Attributes:
        dialect: whose form it has.
        version: of the dialect's texts, for instance ``caap@1``.
        messages: in order.
        shots: ids of the demos that are shown, the best first.
        functions: the actions as function definitions, for APIs that take them.
        left_out: ids of demos that would have fitted the task and not the budget.
        notes: what the prompt does not tell although it is known, each in one sentence.
    """

    dialect: str
    version: str
    messages: tuple[Message, ...]
    shots: tuple[str, ...] = ()
    functions: Sequence[dict[str, Any]] = field(default_factory=tuple[dict[str, Any], ...])
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """About how many, without the function definitions."""
        return sum(message.tokens for message in self.messages)

    def part(self, name: str) -> str | None:
        """The text of the first part with this name; None where there is none."""
        return next((message.parts[name] for message in self.messages if name in message.parts), None)

    def to_text(self) -> str:
        """The whole prompt for people and for models without roles."""
        if len(self.messages) == 1:
            return self.messages[0].text
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in self.messages)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "dialect": self.dialect,
            "version": self.version,
            "tokens": self.tokens,
            "shots": list(self.shots),
            "left_out": list(self.left_out),
            "notes": list(self.notes),
            "messages": [message.to_json() for message in self.messages],
            "functions": list(self.functions),
        }


class PromptOptions(Record):
    """What a person may choose.

    Attributes:
        shots: at most so many demos.
        budget: tokens that the prompt may have, by the rule above.
        seed: decides between demos that fit equally well.
        instance: whether a demo of the very same task may be shown.
        exclude: demos that must not be shown.
        any_outcome: whether demos that were cut off, that failed or of which a step was rejected may be shown.
        app: program of the task; demos of it are preferred.
        diversity: 0..1; how much the demos should differ from one another.
        shot_elements: whether the turns of demos list their elements (LLMResponse, LAM, UI-TARS, Qwen).
        talk: whether the history is a talk of whole answers (UiPath), or told in words.
        pictures: whether messages name the pictures to be sent along.
        config: of CAAP's parts: a configuration of Table 6.
        without: of CAAP's parts: names to switch off, separated by commas.
    """

    shots: int = Field(default=2, ge=0, le=50)
    budget: int = Field(default=8000, ge=1)
    seed: int = 0
    instance: Instance = "any"
    exclude: tuple[str, ...] = ()
    any_outcome: bool = False
    app: str = ""
    diversity: float = Field(default=0.3, ge=0, le=1)
    shot_elements: bool = False
    talk: bool = True
    pictures: bool = True
    config: str = "full"
    without: str = ""


def json_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def message(role: Role, screen: Observation | None = None, /, **parts: str) -> Message:
    """A message of parts, those without text left out, with the picture of a scene where it has one."""
    images: tuple[Image, ...] = ()
    if screen is not None and screen.image and screen.size is not None:
        images = (Image(path=screen.image, width=screen.size.width, height=screen.size.height),)
    return Message(role=role, parts={name: text for name, text in parts.items() if text}, images=images)

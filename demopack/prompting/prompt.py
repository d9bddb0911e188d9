"""What goes to a model: messages made of named parts, so that two prompts can be compared part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from demopack.prompting.tokens import MESSAGE_TOKENS, picture_tokens, text_tokens

__all__ = ["Image", "Message", "Part", "Prompt", "Role"]

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a message; ``name`` says what it is, for instance ``elements``."""

    name: str
    text: str


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
    """One message of the chat."""

    role: Role
    parts: tuple[Part, ...]
    images: tuple[Image, ...] = ()

    @property
    def text(self) -> str:
        """The parts, one blank line between them."""
        return "\n\n".join(part.text for part in self.parts if part.text)

    @property
    def tokens(self) -> int:
        """About how many; see :mod:`demopack.prompting.tokens`."""
        return (
            MESSAGE_TOKENS
            + text_tokens(self.text)
            + sum(picture_tokens(image.width, image.height) for image in self.images)
        )

    def to_json(self) -> dict[str, Any]:
        """Role, content and pictures, as plain JSON."""
        images = [{"path": image.path, "width": image.width, "height": image.height} for image in self.images]
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
        return next((part.text for message in self.messages for part in message.parts if part.name == name), None)

    def part_names(self) -> list[str]:
        """Names of all parts, in order."""
        return [part.name for message in self.messages for part in message.parts]

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

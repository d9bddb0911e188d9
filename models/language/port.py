"""What the rest of the program asks of a language model: one request, one structured answer.

Whoever writes rationales or judges demos knows this module only; which server answers, what it costs and what
was answered before is the client's business (:mod:`models.language.client`).
"""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from demopack.domain.records import Record
from demopack.errors import ModelError
from demopack.jobs import JobControl

T = TypeVar("T", bound=Record)
V = TypeVar("V")
TEMPERATURE: Final = 0.0
"""The likeliest answer is wanted."""
_POLL_S: Final = 0.2
"""How soon a cancelled job stops to wait for an answer, seconds."""


class LanguageError(ModelError):
    """A language model gave no usable answer; what was stored before is untouched."""


class RefusedError(LanguageError):
    """The model declined to answer this request; asking again would get the same."""


class BudgetError(LanguageError):
    """The request could have passed the budget, so it was not sent."""


class AnswerError(LanguageError):
    """The answers could not be read as what was asked for, however often it was asked."""


class ServerError(LanguageError):
    """The server could not be reached, or went on failing."""


class NoKeyError(LanguageError):
    """The server wants a key, and there is none or a wrong one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptImage:
    """A picture to look at.

    Attributes:
        png: the bytes of a PNG file.
        what: what it shows, for instance ``before``; the log gets this, never the bytes.
    """

    png: bytes
    what: str


class PlainText(Record):
    """An answer as the model wrote it, for requests that ask for no fields."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a talk, before the question.

    Attributes:
        role: whose it is.
        parts: texts and pictures, in order.
    """

    role: Literal["user", "assistant"]
    parts: tuple[str | PromptImage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRequest(Generic[T]):
    """One question to a model.

    Attributes:
        prompt: id and version of the prompt's file, for instance ``writer/thought@3``; with a fingerprint when it is a
            person's own.
        system: what holds for every question of this kind.
        parts: texts and pictures, in the order in which the model gets them.
        answer: a flat record: the fields of the answer; :class:`PlainText` for the answer as it is written.
        earlier: the talk before the question, oldest message first.
        max_tokens: the longest answer, tokens.
        subject: demo and step for the log, for instance ``demo_ab12/step_3``.
        headings: what each text is called, for a person who looks at the prompt.
    """

    prompt: str
    system: str
    parts: tuple[str | PromptImage, ...]
    answer: type[T]
    earlier: tuple[ChatMessage, ...] = ()
    max_tokens: int = 800
    subject: str = ""
    headings: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        """All texts, what holds for every question first."""
        return [self.system, *(part for part in self._all_parts if isinstance(part, str))]

    @property
    def images(self) -> list[PromptImage]:
        """The pictures."""
        return [part for part in self._all_parts if isinstance(part, PromptImage)]

    @property
    def _all_parts(self) -> tuple[str | PromptImage, ...]:
        return (*(part for message in self.earlier for part in message.parts), *self.parts)

    @property
    def is_plain(self) -> bool:
        """Whether the answer is taken as it is written."""
        return self.answer is PlainText

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the answer; empty for an answer without fields."""
        return {} if self.is_plain else self.answer.model_json_schema()

    def to_json(self) -> dict[str, Any]:
        """The prompt for a program to read; a picture is told by what it shows."""
        sections: list[dict[str, Any]] = []
        headings = iter(self.headings)
        for part in self.parts:
            if isinstance(part, str):
                sections.append({"name": next(headings), "text": part, "pictures": []})
            else:
                sections[-1]["pictures"].append(part.what)
        return {"prompt": self.prompt, "system": self.system, "sections": sections}

    def shown(self) -> str:
        """The prompt for a person to read; a picture is told in brackets."""
        lines = [f"[{self.prompt}]", "", "[system]", self.system]
        for section in self.to_json()["sections"]:
            lines += ["", f"[{section['name']}]", section["text"]]
            lines += [f"[picture: {what}]" for what in section["pictures"]]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer took.

    Attributes:
        input_tokens: of the question, pictures included.
        output_tokens: of the answer.
        cost: dollars; None when the price of the model is not known.
    """

    input_tokens: int
    output_tokens: int
    cost: float | None

    def __add__(self, other: Usage) -> Usage:
        """Both together; a price that is not known counts as none."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=(self.cost or 0.0) + (other.cost or 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageAnswer(Generic[V]):
    """A model's answer.

    Attributes:
        value: the fields that were asked for; their JSON while it is stored.
        usage: what it took when it was paid for; attempts that failed are counted.
        model: the name that the server gave, for provenance.
        cached: it had been paid for before; this time it cost nothing.
        seconds: from the first attempt to the answer; 0 when cached.
        prompt: id and version of the prompt; empty while it is stored.
    """

    value: V
    usage: Usage
    model: str
    cached: bool = False
    seconds: float = 0.0
    prompt: str = ""

    @property
    def paid(self) -> float | None:
        """Dollars paid now; None when the price is not known."""
        return 0.0 if self.cached else self.usage.cost

    def to_json(self) -> dict[str, Any]:
        """What it took, for ``--json``."""
        return {
            "prompt": self.prompt,
            "model": self.model,
            "cached": self.cached,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "cost": self.paid,
            "seconds": self.seconds,
        }


class LanguagePort(Protocol):
    """A language model behind a queue.

    Attributes:
        name: kind and model, for instance ``openai:gpt-5-mini``; stored as provenance.
        sees: whether pictures may be sent.
    """

    name: str
    sees: bool

    def submit(self, request: LanguageRequest[T]) -> Future[LanguageAnswer[T]]:
        """Ask; at most so many requests as are set run at once, the others wait.

        The future raises:
            LanguageError: one of its subclasses says why there is no answer.
        """
        ...


def wait_for(future: Future[LanguageAnswer[T]], control: JobControl, *, poll_s: float = _POLL_S) -> LanguageAnswer[T]:
    """The answer, unless the user loses patience.

    Args:
        future: of the question.
        control: asked every ``poll_s`` seconds.
        poll_s: how soon a cancelled job stops to wait.

    Raises:
        LanguageError: there is none.
        CancelledError: the user stopped it; what was not sent will not be.
    """
    while True:
        try:
            control.token.check()
        except BaseException:
            future.cancel()
            raise
        if wait([future], timeout=poll_s).done:
            return future.result()

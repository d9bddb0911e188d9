"""Recorded answers: a test plays them back, and asks nobody.

A cassette is a readable JSON file. It holds answers by the address of their question, and of each question what the
log would hold: no text, no picture, no key.
"""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.records import Record
from demopack.errors import BadInputError
from models.language.port import (
    AnswerError,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    LanguageRequest,
    T,
    Usage,
)
from models.language.request_address import question_of
from models.language.servers import Server


class _Take(Record):
    """One answer of a cassette, with what its question was about."""

    key: str
    prompt: str
    subject: str
    model: str
    value: dict[str, Any]
    input_tokens: int
    output_tokens: int
    cost: float | None


class _Cassette(Record):
    """The whole file."""

    cassette_version: Literal[1] = 1
    name: str
    sees: bool
    takes: tuple[_Take, ...] = ()


class CassettePlayer:
    """Satisfies the ``LanguagePort`` from a cassette."""

    def __init__(self, file: Path) -> None:
        """Read a cassette.

        Raises:
            BadInputError: there is none, or it is damaged.
        """
        try:
            self._tape = _Cassette.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise BadInputError(f"The recorded answers {file} cannot be read.", details=str(error)) from error
        self._file = file
        self._takes = {take.key: take for take in self._tape.takes}

    @property
    def name(self) -> str:
        """Of the model that was recorded."""
        return self._tape.name

    @property
    def sees(self) -> bool:
        """Whether that took pictures."""
        return self._tape.sees

    def submit(self, request: LanguageRequest[T]) -> Future[LanguageAnswer[T]]:
        """The recorded answer, at once.

        The future raises:
            LanguageError: this question was not recorded.
            AnswerError: the record has changed so that the answer no longer fits.
        """
        future: Future[LanguageAnswer[T]] = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(self._play(request))
        except LanguageError as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing is open."""

    def _play(self, request: LanguageRequest[T]) -> LanguageAnswer[T]:
        take = self._takes.get(_key(request, self.name))
        if take is None:
            raise LanguageError(
                f"{self._file.name} has no answer to {request.prompt} about “{request.subject}”.",
                hint="The question has changed since; record it again.",
            )
        try:
            value = request.answer.model_validate(take.value, strict=False)
        except ValidationError as error:
            raise AnswerError(
                f"The answer to {request.prompt} in {self._file.name} does not fit any more.", details=str(error)
            ) from error
        usage = Usage(input_tokens=take.input_tokens, output_tokens=take.output_tokens, cost=take.cost)
        return LanguageAnswer(value=value, usage=usage, model=take.model, cached=True, seconds=0.0)


class CassetteRecorder:
    """Satisfies the ``LanguagePort`` through another, and keeps what that answers; the file appears on closing."""

    def __init__(self, inner: LanguagePort, file: Path) -> None:
        """Record into a new file.

        Args:
            inner: who answers; closed with the recorder.
            file: the cassette; an older one is replaced.
        """
        self._inner = inner
        self._file = file
        self._takes: dict[str, _Take] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Of the model that answers."""
        return self._inner.name

    @property
    def sees(self) -> bool:
        """Whether that takes pictures."""
        return self._inner.sees

    def submit(self, request: LanguageRequest[T]) -> Future[LanguageAnswer[T]]:
        """As the port behind it."""
        future = self._inner.submit(request)
        future.add_done_callback(lambda done: self._keep(request, done))
        return future

    def close(self) -> None:
        """Write the cassette, in the order of prompts and subjects, and close the port behind it."""
        self._inner.close()
        with self._lock:
            takes = sorted(self._takes.values(), key=lambda take: (take.prompt, take.subject, take.key))
        tape = _Cassette(name=self.name, sees=self.sees, takes=tuple(takes))
        write_text_atomic(self._file, json.dumps(tape.to_json(), indent=1, ensure_ascii=False) + "\n")

    def _keep(self, request: LanguageRequest[T], done: Future[LanguageAnswer[T]]) -> None:
        if done.cancelled() or done.exception() is not None:
            return
        answer = done.result()
        key = _key(request, self.name)
        take = _Take(
            key=key,
            prompt=request.prompt,
            subject=request.subject,
            model=answer.model,
            value=answer.value.to_json(),
            input_tokens=answer.usage.input_tokens,
            output_tokens=answer.usage.output_tokens,
            cost=answer.usage.cost,
        )
        with self._lock:
            self._takes[key] = take


def _key(request: LanguageRequest[Any], name: str) -> str:
    """The address of a question, wherever the server is."""
    kind, _, model = name.partition(":")
    anywhere = Server(kind=kind, model=model, protocol="openai", base_url="", key="", sees=True)
    return question_of(request, anywhere).key

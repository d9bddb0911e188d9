"""The line to a server: sends one question once. The libraries behind it are loaded for the first one."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from dataclasses import dataclass
from typing import Final, Protocol

from models.language.port import LanguageError, Usage
from models.language.questions import Question
from models.language.servers import Server

__all__ = ["LateWire", "Reply", "Wire", "open_wire"]

_NEEDED: Final = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai"}
_ADAPTER: Final = "models.language.adapter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back.

    Attributes:
        text: what the model wrote.
        model: the name that the server gives itself.
        usage: tokens; None where the server does not count.
        ended: whether the answer ran to its own end, and not into the limit of tokens.
    """

    text: str
    model: str
    usage: Usage | None
    ended: bool


class Wire(Protocol):
    """Sends one question once."""

    async def ask(self, question: Question, *, schema: bool, again: tuple[str, str] | None, timeout_s: float) -> Reply:
        """Ask.

        Args:
            question: what.
            schema: send the schema beside the prompt; otherwise it stands in the prompt.
            again: the last answer and what was wrong with it, when asked once more.
            timeout_s: longest wait.

        Raises:
            Failure: there is no reply.
            LanguageError: the switch for tests forbids it.
        """
        ...

    async def close(self) -> None:
        """Free the connections."""
        ...


class LateWire:
    """A line that is laid when the first question goes out: who has every answer already waits for no library."""

    def __init__(self, server: Server, key: str) -> None:
        self._server = server
        self._key = key
        self._laying = asyncio.Lock()
        self._wire: Wire | None = None

    async def ask(self, question: Question, *, schema: bool, again: tuple[str, str] | None, timeout_s: float) -> Reply:
        """As :meth:`Wire.ask`; the time for loading the libraries is not counted."""
        async with self._laying:
            if self._wire is None:
                self._wire = await asyncio.to_thread(self._lay)
        return await self._wire.ask(question, schema=schema, again=again, timeout_s=timeout_s)

    async def close(self) -> None:
        """Free the connections, if there are any."""
        if self._wire is not None:
            await self._wire.close()

    def _lay(self) -> Wire:
        try:
            wire: Wire = importlib.import_module(_ADAPTER).connect(self._server, self._key)
        except ImportError as error:
            raise _not_installed(self._server, str(error)) from error
        return wire


def open_wire(server: Server, key: str) -> Wire:
    """The line to a server; nothing is sent yet.

    Raises:
        LanguageError: the library for it is not installed.
    """
    for module in ("pydantic_ai", _NEEDED[server.protocol]):
        if not _is_installed(module):
            raise _not_installed(server, f"No module named {module!r}")
    return LateWire(server, key)


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package around it
        return False


def _not_installed(server: Server, details: str) -> LanguageError:
    needed = "'demopack[language]'"
    if server.protocol != "openai":
        needed += f" 'pydantic-ai-slim[{server.protocol}]'"
    return LanguageError(
        f"The library for language models of {server.kind} is not installed.",
        details=details,
        hint=f"Install it: pip install {needed}",
    )

"""Language clients for tests: an answer to ask for, a clock that only goes when somebody waits, and settings."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import math
import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Any

from PIL import Image

from demopack.domain.records import Record
from demopack.settings import LanguageSettings
from models.language.client import Clock, LanguageClient
from models.language.port import LanguageRequest, PromptImage
from models.language.usage_log import UsageLog
from tests.support.openai_server import OpenAIServer


class Reason(Record):
    """A flat answer with every kind of field that prompts use."""

    thought: str
    plan: tuple[str, ...] = ()
    score: int | None = None
    sure: bool = True


class StillClock(Clock):
    """Goes on only when somebody sleeps, and notes for how long; half of each wait is chance, here all of it."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> float:
        return sum(self.slept)

    def chance(self) -> float:
        return 1.0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


def paid(log: UsageLog, *, after: int = 0) -> float:
    """Dollars that the attempts in a log took, or may have taken."""
    return math.fsum(row["cost"] or 0.0 for row in attempts(log, after=after))


def attempts(log: UsageLog, *, after: int = 0) -> list[dict[str, Any]]:
    """The attempts in a log that came after one, oldest first."""
    with contextlib.closing(sqlite3.connect(log.file)) as db:
        db.row_factory = sqlite3.Row
        rows = [dict(row) for row in db.execute("SELECT * FROM attempts WHERE id > ? ORDER BY id", (after,))]
    return [{**row, "pictures": json.loads(row["pictures"])} for row in rows]


def question(
    text: str = "Why?", *parts: str | PromptImage, prompt: str = "writer/thought@1", **given: Any
) -> LanguageRequest[Reason]:
    """A request for a :class:`Reason`."""
    return LanguageRequest(prompt=prompt, system="You explain steps.", parts=(text, *parts), answer=Reason, **given)


def picture(width: int = 40, height: int = 30) -> PromptImage:
    """A grey picture."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (90, 90, 90)).save(buffer, "PNG")
    return PromptImage(png=buffer.getvalue(), what="before")


def settings_of(server: OpenAIServer, **given: Any) -> LanguageSettings:
    """A model at a test's server that costs a dollar for a million tokens in, and two for a million out."""
    usual = {"model": "server:tiny-vl", "base_url": server.base_url, "input_price": 1.0, "output_price": 2.0}
    return LanguageSettings.model_validate({**usual, "in_flight": 8, "timeout_s": 20, **given})


def client_of(
    server: OpenAIServer, folder: Path, *, clock: StillClock | None = None, allowance: float | None = None, **given: Any
) -> LanguageClient:
    """A client of a test's server that never really waits between attempts."""
    return LanguageClient(settings_of(server, **given), folder=folder, allowance=allowance, clock=clock or StillClock())


@contextlib.contextmanager
def asking(server: OpenAIServer, folder: Path, **given: Any) -> Generator[LanguageClient]:
    """As :func:`client_of`, closed at the end of the block."""
    client = client_of(server, folder, **given)
    try:
        yield client
    finally:
        client.close()

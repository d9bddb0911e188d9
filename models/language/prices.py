"""What questions cost: by the user's own prices, or by the published ones."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from demopack.settings import LanguageSettings
from models.language.servers import Server, is_local

__all__ = ["Prices", "prices_of"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars for a million tokens of the question and of the answer."""

    question: float
    answer: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars."""
        return (input_tokens * self.question + output_tokens * self.answer) / _MILLION


def prices_of(server: Server, settings: LanguageSettings) -> Prices | None:
    """The prices of a model; None when nobody knows them.

    A server on this machine or in a private network costs nothing unless the settings say otherwise.
    """
    if settings.input_price >= 0 or settings.output_price >= 0:
        return Prices(max(settings.input_price, 0.0), max(settings.output_price, 0.0))
    if is_local(server.base_url):
        return Prices(0.0, 0.0)
    return _published(server)


def _published(server: Server) -> Prices | None:
    """From the price list that comes with the client library; the dearest step where prices rise with length."""
    try:
        book = importlib.import_module("genai_prices")
    except ImportError:
        return None
    try:
        return Prices(_dollars(book, server, input_tokens=_MILLION), _dollars(book, server, output_tokens=_MILLION))
    except (LookupError, ValueError):
        return None


def _dollars(book: Any, server: Server, **tokens: int) -> float:  # noqa: ANN401 - an optional library
    usage = book.Usage(**{"input_tokens": 0, "output_tokens": 0, **tokens})
    return float(book.calc_price(usage, server.model, provider_id=server.kind).total_price)

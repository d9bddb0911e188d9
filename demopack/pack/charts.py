"""What is in a pack, as bars for the page and as text for the card."""

from __future__ import annotations

from collections.abc import Mapping

from demopack.pack.html import Markup, tag
from demopack.pack.sets.statistics import TITLES, Spread, Statistics, statistics_text

__all__ = ["card_numbers", "page_numbers"]

_MOST = 12
_GIVEN = frozenset({"apps", "rationales"})
"""What is named by somebody else."""
_TAME = str.maketrans({"`": "'", "<": "\u2039", ">": "\u203a"})
"""Not every reader of Markdown leaves a block of text alone."""


def card_numbers(found: Statistics) -> str:
    """A section of Markdown: a block of text, out of which no name can break."""
    lines = "\n".join(statistics_text(found, most=_MOST)).translate(_TAME)
    return f"## Numbers\n\n```text\n{lines}\n```\n"


def page_numbers(found: Statistics) -> Markup:
    """A section of the page."""
    spreads = {
        "Steps per demo": found.steps_per_demo,
        "Seconds per step": found.seconds_per_step,
        "Elements per picture": found.elements_per_picture,
    }
    facts = [tag("span", f"{title}: {_words(spread)}") for title, spread in spreads.items() if spread is not None]
    charts = [
        _chart(title, getattr(found, name), ours=name not in _GIVEN)
        for name, title in TITLES.items()
        if getattr(found, name)
    ]
    header = tag("header", tag("h1", "Numbers"), tag("div", *facts, class_="facts"))
    return tag("section", header, tag("div", *charts, class_="charts"), class_="demo numbers")


def _words(spread: Spread) -> str:
    if spread.least == spread.most:
        return f"{spread.least:g}"
    return f"{spread.least:g} to {spread.most:g}, median {spread.median:g}"


def _chart(title: str, counts: Mapping[str, int], *, ours: bool) -> Markup:
    """One card of bars; words of ours have underscores, which do not break, and are shown with blanks."""
    largest = max(counts.values())
    shown = list(counts.items())[:_MOST]
    rows: list[Markup] = []
    for name, count in shown:
        bar = tag("span", class_="bar", style=f"--share:{count / largest:.4f}")
        words = name.replace("_", " ") if ours else name
        rows += [tag("dt", words, dir="auto"), tag("dd", bar, tag("small", f"{count:,}"))]
    more = tag("p", f"and {len(counts) - _MOST} more", class_="quiet") if len(counts) > _MOST else Markup()
    return tag("div", tag("h4", title), tag("dl", *rows), more)

"""What Qt screens are made of, and which of it is held out for testing: fixed here, never drawn."""

from __future__ import annotations

from typing import Final

from models.training.labelled_screens import Split

STYLES: Final = (
    "fusion",
    "windows",
    "classic95",
    "flat",
    "gloss",
    "mac",
    "material",
    "night",
    "rounded",
    "soft",
    "wire",
    "drawn1",
    "drawn2",
    "drawn3",
    "drawn4",
)
"""Qt's own styles by name, the others are style sheets of ours; ``drawn`` ones are put together by chance each time."""
TEST_STYLES: Final = frozenset({"windows", "mac"})

GENERATORS: Final = (
    "about",
    "browser",
    "calculator",
    "calendar",
    "chat",
    "contacts",
    "dashboard",
    "editor",
    "files",
    "find",
    "form",
    "gallery",
    "ide",
    "inspector",
    "launcher",
    "login",
    "mail",
    "message",
    "monitor",
    "painter",
    "player",
    "preferences",
    "printing",
    "progress",
    "properties",
    "records",
    "settings",
    "sheet",
    "viewer",
    "wizard",
    "lists",
    "mixer",
    "switchboard",
    "toolbox",
    "writing",
)
TEST_GENERATORS: Final = frozenset({"calendar", "chat", "contacts", "monitor", "player"})

WINDOW_TURNS: Final = {"lists": 3, "mixer": 2, "switchboard": 4, "toolbox": 4, "writing": 4}
"""How often a window has its turn where others have one: these have what the others have too little of."""

PALETTES: Final = 60
"""Numbered colour schemes; each fifth is held out."""
SCALES: Final = ("1", "1", "1", "1.25", "1.5", "2")

_TEST_PALETTE = 4
_BASES: Final[dict[Split, int]] = {"train": 0, "val": 1_000_000_000, "test": 2_000_000_000}


def pairs(side: Split) -> list[tuple[str, str]]:
    """Every style with every generator that a side may use; for testing those with at least one that is held out."""
    every = [(style, generator) for style in STYLES for generator in GENERATORS]
    return [pair for pair in every if _held_out(pair) == (side == "test")]


def _held_out(pair: tuple[str, str]) -> bool:
    return pair[0] in TEST_STYLES or pair[1] in TEST_GENERATORS


def palettes(side: Split) -> list[int]:
    """The numbers of the colour schemes that a side may use."""
    return [number for number in range(PALETTES) if (number % 5 == _TEST_PALETTE) == (side == "test")]


def seed_base(side: Split) -> int:
    """Where a side's seeds begin; sides never share one."""
    return _BASES[side]

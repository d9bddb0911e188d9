"""Style sheets of our own: how programs with a look of their own style their widgets.

Each is a ``.qss`` file beside this module. ``$`` begins the name of a colour or of a small picture.
"""

from __future__ import annotations

import functools
import random
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from lab.screens.qt.looks import Scheme, mixed
from lab.screens.qt.sheets.drawn import drawn_sheet

__all__ = ["Picture", "sheet"]

Picture = Callable[[str, str], str]
"""Gives the file of a small picture: what it stands for, and its colour."""
_SIGNS: Final = ("up", "down", "left", "right", "check", "dot", "close", "grip")


def sheet(name: str, colours: Scheme, picture: Picture, rng: random.Random) -> str:
    """The style sheet of a look; empty for Qt's own styles.

    Args:
        name: of the style; those that begin with ``drawn`` are never twice the same.
        colours: of the program.
        picture: gives files of arrows and ticks.
        rng: for what is drawn by chance.
    """
    text = drawn_sheet(rng) if name.startswith("drawn") else _template(name)
    if not text:
        return ""
    return string.Template(_template("common") + text + _template("last")).substitute(_Names(colours, picture))


@functools.cache
def _template(name: str) -> str:
    path = Path(__file__).with_name(f"{name}.qss")
    return path.read_text(encoding="utf-8") if path.exists() else ""


class _Names(Mapping[str, str]):
    """What a sheet may call by name: ``accent``; ``down_text`` for an arrow in the text's colour."""

    def __init__(self, colours: Scheme, picture: Picture) -> None:
        self._colours: dict[str, str] = {
            **{name: str(value) for name, value in asdict(colours).items()},
            "light": mixed(colours.window, "#ffffff", 0.8),
            "shade": mixed(colours.window, "#000000", 0.5),
            "hover": mixed(colours.button, colours.text, 0.1),
            "press": mixed(colours.button, colours.text, 0.25),
            "soft": mixed(colours.window, colours.accent, 0.25),
            "top": mixed(colours.button, "#ffffff", 0.25),
            "bottom": mixed(colours.button, "#000000", 0.15),
            "accent_top": mixed(colours.accent, "#ffffff", 0.25),
            "accent_bottom": mixed(colours.accent, "#000000", 0.2),
        }
        self._picture = picture

    def __getitem__(self, key: str) -> str:
        if key in self._colours:
            return self._colours[key]
        sign, _, colour = key.partition("_")
        if sign not in _SIGNS:
            raise KeyError(key)
        return self._picture(sign, self._colours[colour])

    def __iter__(self) -> Iterator[str]:
        return iter(self._colours)

    def __len__(self) -> int:
        return len(self._colours)

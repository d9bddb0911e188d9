"""Further languages with Latin letters: the words of Qt windows, and what a button with an icon says in them."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import cast

from lab.screens.qt.words.speech import word_lists
from lab.screens.web.languages.locale import Locale


@functools.cache
def _commands() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, str]]", json.loads(text))


def _locale(code: str) -> Locale:
    own, names = word_lists(code), word_lists("names")
    return Locale(
        code=code,
        commands=_commands()[code],
        verbs=(*own["actions"], *own["answers"]),
        labels=tuple(own["fields"]),
        settings=tuple(own["options"]),
        things=tuple(own["nouns"]),
        headings=tuple(own["fields"]),
        statuses=tuple(own["nouns"][:14]),
        folders=tuple(own["nouns"]),
        menus=tuple(own["menus"]),
        firsts=tuple(names["first"]),
        lasts=tuple(names["last"]),
        cities=tuple(names["cities"]),
        days=tuple(own["days"]),
        months=tuple(own["months"]),
        phrases=tuple(text.rstrip(".") for text in own["sentences"]),
        sentences=tuple(own["sentences"]),
    )


LATIN = tuple(_locale(code) for code in sorted(_commands()))

"""One icon that is asked about alone: what is said of it, and what is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from demopack.errors import ModelError
from models.vision import box_reader
from models.vision.icons import Floats, IconNamer

CLASSES = ("minimize", "remove", "close", "none")
OPTIONS = {"threads": 1, "min_confidence": 0.5, "icons": "shipped"}
CROP = np.full((24, 24, 3), 200, dtype=np.uint8)
ICON = (2, 2, 22, 22)
NOTHING = {"name": None, "likely": ()}


class Says:
    def __init__(self, *row: float) -> None:
        self.row = row

    def __call__(self, icons: Floats) -> Floats:
        return np.array([self.row] * len(icons), dtype=np.float32)


def told(monkeypatch: pytest.MonkeyPatch, *row: float) -> tuple[str | None, list[tuple[str, float]]]:
    def opened(*_: Any, **__: Any) -> IconNamer:
        return IconNamer(Says(*row), CLASSES, sure_at=0.5)

    monkeypatch.setattr(box_reader, "open_icon_namer", opened)
    guesses = box_reader.BoxReader(OPTIONS).meanings(CROP, ICON)
    return guesses["name"], [(name, round(at, 2)) for name, at in guesses["likely"]]


def test_a_clear_icon_has_its_name_before_the_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    name, guesses = told(monkeypatch, 0.01, 0.05, 0.9, 0.04)
    assert name == "close"
    assert guesses == [("close", 0.9), ("remove", 0.05)], "one hundredth is too little to be told"


def test_a_dash_on_its_own_has_no_name_but_both_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    name, guesses = told(monkeypatch, 0.5, 0.5, 0.0, 0.0)
    assert name is None
    assert guesses == [("remove", 0.6), ("minimize", 0.4)]


def test_what_means_nothing_has_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, 0.0, 0.0, 0.01, 0.99) == (None, [])


def test_a_network_that_cannot_be_opened_guesses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def failing(*one: Any, **_: Any) -> IconNamer:
        asked.append(one)
        raise ModelError("gone")

    monkeypatch.setattr(box_reader, "open_icon_namer", failing)
    answers = box_reader.BoxReader(OPTIONS)
    assert [answers.meanings(CROP, ICON), answers.meanings(CROP, ICON)] == [NOTHING, NOTHING]
    assert len(asked) == 1, "it is not tried again for every icon"
    assert box_reader.BoxReader({**OPTIONS, "icons": ""}).meanings(CROP, ICON) == NOTHING
    assert len(asked) == 1

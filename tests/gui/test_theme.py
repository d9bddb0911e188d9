"""Colours can be told apart and read, in every theme; the tokens are data, so this is arithmetic."""

from __future__ import annotations

import itertools
from typing import get_args

import numpy as np
import pytest

from annotator.ui.theme.manager import stylesheet
from annotator.ui.theme.tokens import HUES, LETTERS, LINES, PALETTES, POINTER, SELECTION, Palette, family_of
from demopack.domain.elements import ELEMENT_TYPES, ElementSource

PROTAN = np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]])
DEUTAN = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])
"""How screens look without red or green cones (Machado, Oliveira, Fernandes 2009), on linear RGB."""


def linear(colour: str) -> np.ndarray:
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    one, two = (float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x = matrix @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES.keys())
def test_text_can_be_read_on_every_ground_it_stands_on(palette: Palette) -> None:
    grounds = ["window", "surface", "raised", "hover", "accent_soft"]
    pairs = [(ink, ground) for ink in ("text", "muted") for ground in grounds]
    pairs += [(ink, ground) for ink in ("danger", "warning", "success", "accent") for ground in ("window", "surface")]
    pairs += [("danger", "danger_soft"), ("warning", "warning_soft"), ("success", "success_soft")]
    pairs += [("text", "danger_soft"), ("text", "warning_soft")]
    pairs += [("on_accent", "accent"), ("on_accent", "accent_hover"), ("on_toast", "toast")]
    weak = {
        (ink, ground): round(value, 2)
        for ink, ground in pairs
        if (value := contrast(getattr(palette, ink), getattr(palette, ground))) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES.keys())
def test_edges_and_focus_can_be_seen(palette: Palette) -> None:
    for line in ("edge", "accent"):
        for ground in ("window", "surface", "raised"):
            assert contrast(getattr(palette, line), getattr(palette, ground)) >= 3, (line, ground)


@pytest.mark.parametrize("colour", [*HUES.values(), POINTER, SELECTION])
def test_marks_stand_out_from_light_and_dark_screenshots(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 3
    assert contrast(colour, "#1e1e1e") >= 3


def test_families_stay_apart_also_without_red_or_green_cones() -> None:
    for matrix, least in ((np.eye(3), 25.0), (PROTAN, 15.0), (DEUTAN, 15.0)):
        for a, b in itertools.combinations(HUES, 2):
            distance = float(np.linalg.norm(lab(matrix @ linear(HUES[a])) - lab(matrix @ linear(HUES[b]))))
            assert distance >= least, (a, b)


def test_every_type_has_a_family_and_a_letter_of_its_own() -> None:
    assert {family_of(kind) for kind in ELEMENT_TYPES} == set(HUES)
    assert len({LETTERS[kind] for kind in ELEMENT_TYPES}) == len(ELEMENT_TYPES)
    assert set(LINES) == set(get_args(ElementSource))
    assert len(set(LINES.values())) == len(LINES) - 1, "only the two kinds of models share one"
    assert LINES["describer"] == LINES["detector"]


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES.keys())
def test_the_style_sheet_has_every_colour_from_the_palette(palette: Palette) -> None:
    text = stylesheet(palette, chevron="a.svg", tick="b.svg")
    used = {text[i : i + 7] for i in range(len(text)) if text[i] == "#" and text[i + 1 : i + 7].isalnum()}
    known = set(vars(palette).values())
    assert {c for c in used if all(x in "0123456789abcdef" for x in c[1:])} <= known
    assert "$" not in text

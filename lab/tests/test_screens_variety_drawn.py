"""The varied pages and windows as they are drawn: their truth is that of the format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from lab.screens.qt.source import QtSource
from lab.screens.sources import Renderer, SampleSpec
from lab.screens.web import page, renderer, sides
from lab.screens.web.controls import tool
from lab.screens.web.renderer import WebRenderer
from models.training.labelled_screens import GroundTruth


@pytest.fixture(scope="module")
def drawing() -> Iterator[WebRenderer]:
    with renderer.web_renderer(None) as drawing:
        yield drawing


def _all(drawing: WebRenderer, template: str, seeds: range) -> list[GroundTruth]:
    moments = [drawing.render(SampleSpec(group=f"{template}.own", side="train", seed=seed)) for seed in seeds]
    return [one for some in moments for moment in some for one in moment.elements]


def test_a_code_editor_is_one_text_area_and_its_lines_are_no_text(drawing: WebRenderer) -> None:
    for seed in range(2, 5):
        moment = drawing.render(SampleSpec(group="editor.own", side="train", seed=seed))[0]
        areas = [one for one in moment.elements if one.type == "text_area"]
        assert areas
        inside = [
            one
            for one in moment.elements
            for area in areas
            if one.type == "text" and (both := one.box.intersection(area.box)) and both.area > one.box.area / 2
        ]
        assert not inside
        assert all(area.text and "1 2 3 4" not in area.text for area in areas)


def test_panels_of_controls_show_every_state_both_ways(drawing: WebRenderer) -> None:
    found = _all(drawing, "switches", range(3))
    told = {(one.type, name, value) for one in found for name, value in one.states.items()}
    for kind in ("checkbox", "radio", "button"):
        assert {(kind, "disabled", True), (kind, "disabled", False), (kind, "checked", True)} <= told
    assert ("dropdown", "expanded", True) in told
    assert any(name == "focused" and value for _, name, value in told)


def test_what_is_greyed_later_is_told_of_icons_too(drawing: WebRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    icons = ("print", "save", "home", "mail", "star", "lock")
    fixed = {"_moments": ((), (("off", (0.0, 1.0)),)), "_add_popups": None, "_pointer": "", "_icon_key": "own"}
    monkeypatch.setitem(sides.TEMPLATES, "known", lambda m: "".join(tool(m, icon=one, framed=True) for one in icons))
    for name, value in fixed.items():
        monkeypatch.setattr(page, name, lambda *_, value=value, **__: value)
    before, after = drawing.render(SampleSpec(group="known.own", side="train", seed=1))
    greyed = [[one.states["disabled"] for one in moment.elements if one.type == "icon"] for moment in (before, after)]
    assert len(greyed[0]) == len(greyed[1]) == len(icons)
    assert not any(greyed[0])
    assert any(greyed[1])
    assert not all(greyed[1])


def test_mixers_have_upright_and_level_sliders(drawing: WebRenderer) -> None:
    sliders = [one.box for one in _all(drawing, "mixer", range(4)) if one.type == "slider"]
    assert any(box.height > 2 * box.width for box in sliders)
    assert any(box.width > 2 * box.height for box in sliders)


@pytest.fixture(scope="module")
def windows() -> Iterator[Renderer]:
    with QtSource().renderer() as windows:
        yield windows


def _of_qt(windows: Renderer, style: str, window: str, seed: int) -> list[GroundTruth]:
    variant = {"style": style, "window": window, "palette": "1", "scale": "1", "moments": "1"}
    (moment,) = windows.render(SampleSpec(group=f"{style}.{window}", side="train", seed=seed, variant=variant))
    return list(moment.elements)


@pytest.mark.parametrize("style", ["soft", "material"])
def test_rows_of_qt_lists_lie_below_each_other(windows: Renderer, style: str) -> None:
    pairs = 0
    for seed in range(8):
        found = _of_qt(windows, style, "switchboard", seed)
        rows = sorted((one.box for one in found if one.type == "list_item"), key=lambda box: (box.x1, box.y1))
        for above, below in pairwise(rows):
            if (above.x1, above.x2) == (below.x1, below.x2):
                assert below.y1 >= above.y2 - 2
                pairs += 1
    assert pairs


def test_windows_to_write_in_have_large_text_areas(windows: Renderer) -> None:
    for seed in range(4):
        areas = [one for one in _of_qt(windows, "fusion", "writing", seed) if one.type == "text_area"]
        assert max(one.box.area for one in areas) > 10_000

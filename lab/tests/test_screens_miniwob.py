"""MiniWoB++ pages in a real Chromium: pictures, their truth, and nothing left behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from lab.screens.browser import Browser, BrowserInput, chromium
from lab.screens.miniwob import MiniwobSource
from lab.screens.miniwob.source import MiniwobRenderer
from lab.screens.sources import Rendered, SampleSpec
from models.training.labelled_screens import GroundTruth, LabelledScreenSet

SAMPLE = Path(__file__).parents[2] / "tests" / "data" / "screens" / "miniwob"


@pytest.fixture(scope="module")
def renderer() -> Iterator[MiniwobRenderer]:
    with MiniwobSource().renderer() as renderer:
        yield renderer


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(400, 300) as browser:
        yield browser


def _order(task: str, seed: int) -> SampleSpec:
    return SampleSpec(group=task, side="test", seed=seed, variant={"scale": "1"})


def _types(moment: Rendered) -> dict[str, int]:
    kinds = [one.type for one in moment.elements]
    return {kind: kinds.count(kind) for kind in set(kinds)}


def _one(elements: list[GroundTruth], kind: str) -> GroundTruth:
    (found,) = [one for one in elements if one.type == kind]
    return found


def test_equal_tickets_give_equal_screens_whatever_was_drawn_between(renderer: MiniwobRenderer) -> None:
    first = renderer.render(_order("click-checkboxes", 4))
    renderer.render(_order("email-inbox", 1))
    again = renderer.render(_order("click-checkboxes", 4))

    assert len(first) == len(again) > 1
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.image, other.image)
        assert one.elements == other.elements


def test_the_start_of_a_task_is_marked_as_a_person_would(renderer: MiniwobRenderer) -> None:
    start = renderer.render(_order("enter-password", 11))[0]

    assert start.image.shape == (210, 160, 3)
    assert _types(start) == {"input_field": 2, "button": 1, "text": 4}
    texts = [one.text for one in start.elements if one.type == "text"]
    assert "Password" in texts
    assert "Verify password" in texts
    assert all(one.states == {"focused": False, "disabled": False} for one in start.elements if one.type == "button")


def test_a_mail_box_has_rows_icons_and_a_scroll_bar(renderer: MiniwobRenderer) -> None:
    start = renderer.render(_order("email-inbox", 3))[0]

    kinds = _types(start)
    rows = [one for one in start.elements if one.type == "list_item"]
    assert len(rows) >= 3
    assert not any(row.leaf or row.text for row in rows)
    assert {one.subtype for one in start.elements if one.type == "icon"} == {"important", "delete", "search"}
    assert kinds["scrollbar"] == kinds["scrollbar_up_button"] == kinds["scrollbar_down_button"] == 1


def test_moments_after_an_act_show_states_in_both_values(renderer: MiniwobRenderer) -> None:
    moments = [m for seed in range(3) for m in renderer.render(_order("click-checkboxes-large", seed))]

    boxes = [one for m in moments for one in m.elements if one.type == "checkbox"]
    assert all(one.text for one in boxes), "a box to tick has its label's words"
    ticks = [one.states["checked"] for one in boxes]
    assert set(ticks) == {True, False}


def test_an_opened_native_list_has_its_rows_in_the_truth(browser: Browser) -> None:
    browser.load_html("<body style='margin:20px'><select><option>Red<option selected>Green<option>Blue</select>")
    hand = BrowserInput(browser)
    hand.click(40, 30)
    image = browser.picture()

    elements = browser.truth(image)

    assert _one(elements, "dropdown").states["expanded"]
    rows = [one for one in elements if one.type == "menu_item"]
    assert [(row.text, row.states["highlighted"]) for row in rows] == [("Red", False), ("Green", True), ("Blue", False)]
    hand.press("Escape")
    browser.picture()
    assert not _one(browser.truth(browser.picture()), "dropdown").states["expanded"]


def test_lines_links_and_what_is_covered(browser: Browser) -> None:
    browser.load_html(
        "<body style='margin:10px;font:14px DejaVu Sans'><p>Some <b>bold</b> words and <a href='#'>a link</a>.</p>"
        "<p>hidden</p><div style='position:absolute;left:0;top:41px;width:300px;height:40px;background:#eee'></div>"
        "<p style='opacity:0'>ghost</p><p style='margin-top:60px' data-truth-skip='all'>left out</p>"
    )

    elements = browser.truth(browser.picture())

    assert [(one.type, one.text) for one in elements] == [
        ("text", "Some bold words and"),
        ("hyperlink", "a link"),
    ]


def test_a_part_of_the_page_at_another_scale(browser: Browser) -> None:
    browser.view(400, 300, scale=2)
    browser.load_html(
        "<body style='margin:0'><button style='position:absolute;left:50px;top:60px;width:80px;height:30px'>Go"
    )
    clip = Rect(40, 50, 200, 150)
    image = browser.picture(clip=clip)

    button = _one(browser.truth(image, clip=clip), "button")

    browser.view(400, 300)
    assert image.shape == (200, 320, 3)
    assert button.box == Rect(20, 20, 180, 80)


def test_a_script_that_fails_says_why(browser: Browser) -> None:
    with pytest.raises(CaptureError) as caught:
        browser.run("return nothing.here")
    assert "nothing is not defined" in caught.value.details


def test_nothing_is_left_after_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    started: list[int] = []

    def fail() -> None:
        with Browser(100, 100) as browser:
            started.append(browser.pid)
            assert list(tmp_path.iterdir())
            browser.run("return nothing.here")

    with pytest.raises(CaptureError):
        fail()

    assert not list(tmp_path.iterdir())
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_a_computer_without_chromium_gets_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium.shutil, "which", lambda _name: None)
    with pytest.raises(CaptureError) as caught, Browser(100, 100):
        pass
    assert "apt-get install chromium" in caught.value.hint


def test_the_sample_in_the_repository_is_whole() -> None:
    screens = list(LabelledScreenSet(SAMPLE).screens())

    assert {screen.group for screen in screens} == {"click-menu", "email-inbox", "use-spinner"}
    for screen in screens:
        image = LabelledScreenSet(SAMPLE).image(screen)
        assert image.shape == (210, 160, 3)
        assert len(screen.elements) >= 4

"""Replay on screens that have two pixels a unit: what was found is clicked at its position on the desktop."""

from __future__ import annotations

import numpy as np
import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, ScreenSpace
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import WindowInfo
from demopack.jobs import JobControl
from demopack.settings import PlayerSettings
from player.screen_matcher import ScreenMatcher, ScreenView
from tests.support.tape import MemoryImages

SPACE = ScreenSpace(origin_x=100, origin_y=50, pixels_per_unit=2.0)


@pytest.fixture
def view() -> ScreenView:
    image = np.zeros((60, 80, 3), dtype=np.uint8)
    return ScreenView(Screenshot(image=image, started_ns=0, ended_ns=1, space=SPACE), None)


def test_a_pixel_is_clicked_where_it_is_on_the_desktop(view: ScreenView) -> None:
    assert view.to_desktop(Point(40, 20)) == Point(120, 60)


def test_a_window_is_looked_for_where_it_is_on_the_picture(view: ScreenView) -> None:
    assert view.window_box(WindowInfo(title="t", app="a", box=Rect(110, 55, 130, 75))) == Rect(20, 10, 60, 50)


def test_whoever_finds_elements_is_told_how_many_pixels_a_unit_has(view: ScreenView) -> None:
    told: list[Frame] = []

    class Finder:
        name = "test"

        def find(self, image: object, frame: Frame, *, control: JobControl, near: object = ()) -> list[Element]:  # noqa: ARG002 - the port's form
            told.append(frame)
            return []

    class Screen:
        def grab(self) -> Screenshot:
            return view.grab

    eyes = ScreenMatcher(
        demo=None,  # type: ignore[arg-type]
        screen=Screen(),  # type: ignore[arg-type]
        finder=Finder(),
        images=MemoryImages(),
        settings=PlayerSettings(),
        control=JobControl(),
    )
    eyes.find_elements(view)
    assert [frame.space for frame in told] == [SPACE]

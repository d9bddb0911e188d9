"""Parts of the desktop: their notation, and what counts as outside."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.geometry import Rect, ScreenSpace
from demopack.domain.screenshots import Snapshot
from demopack.domain.steps import WindowInfo
from demopack.errors import BadInputError
from recorder.area import EVERYTHING, CaptureArea
from recorder.event_filter import EventFilter, outside_area
from tests.support.notation import parse_events
from tests.support.sources import HEIGHT, WIDTH, grab

REGION = CaptureArea(kind="region", region=Rect(100, 50, 100 + WIDTH, 50 + HEIGHT))


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("all", EVERYTHING),
        ("monitor:HDMI-1", CaptureArea(kind="monitor", name="HDMI-1")),
        ("window:Invoice: May", CaptureArea(kind="window", name="Invoice: May")),
        ("region:-10,50,800x600", CaptureArea(kind="region", region=Rect(-10, 50, 790, 650))),
    ],
)
def test_an_area_is_written_and_read(text: str, area: CaptureArea) -> None:
    assert CaptureArea.parse(text) == area
    assert str(area) == text


@given(
    x=st.integers(-9999, 9999),
    y=st.integers(-9999, 9999),
    width=st.integers(1, 9999),
    height=st.integers(1, 9999),
)
def test_every_region_survives_its_notation(x: int, y: int, width: int, height: int) -> None:
    area = CaptureArea(kind="region", region=Rect(x, y, x + width, y + height))
    assert CaptureArea.parse(str(area)) == area


@pytest.mark.parametrize("text", ["", "all:x", "monitor:", "window: ", "region:1,2,3", "region:0,0,0x5", "screen:1"])
def test_what_is_no_area_says_how_to_write_one(text: str) -> None:
    with pytest.raises(BadInputError, match="can be captured") as caught:
        CaptureArea.parse(text)
    assert "region:X,Y,WIDTHxHEIGHT" in str(caught.value.hint)


def look(window: WindowInfo | None = None, *, scale: float = 1.0, pixels: float = 1.0) -> Snapshot:
    space = ScreenSpace(origin_x=100, origin_y=50, pixels_per_unit=pixels)
    taken = replace(grab(0), space=space, scale_factor=scale)
    return Snapshot(started_ns=0, ended_ns=1, screenshot=taken, window=window)


def kept(area: CaptureArea, events: str, at: Snapshot | None) -> list[str]:
    swallower = EventFilter(outside_area(area))
    return [event.kind for event in parse_events(events) if not swallower.hides(event, at)]


def test_a_press_outside_takes_its_release_along() -> None:
    assert kept(REGION, "(10,10) L+ (110,60) L- L", look()) == ["move", "move", "down", "up"]
    assert kept(REGION, "(110,60) L+ (10,10) L- w-1", look()) == ["move", "down", "move", "up"]


def test_the_edges_belong_as_those_of_a_picture_do() -> None:
    assert kept(REGION, f"(100,50) L ({100 + WIDTH},50) L (100,{50 + HEIGHT}) L", look()) == [
        "move", "down", "up", "move", "move",
    ]  # fmt: skip


def test_how_large_programs_draw_does_not_make_the_area_smaller() -> None:
    last = f"({100 + WIDTH - 1},{50 + HEIGHT - 1}) L"
    assert kept(REGION, last, look(scale=2.0)) == ["move", "down", "up"]
    assert kept(REGION, last, look(pixels=2.0)) == ["move"], "a picture of two pixels a unit shows half as much"


def test_keys_count_for_the_window_that_has_the_input() -> None:
    inside, outside = WindowInfo(box=Rect(90, 40, 150, 90)), WindowInfo(box=Rect(500, 0, 900, 400))
    assert kept(REGION, "a", look(inside)) == ["key_down", "key_up"]
    assert kept(REGION, "a", look(outside)) == []
    assert kept(REGION, "a", look()) == ["key_down", "key_up"], "where nobody knows the window, nothing is lost"


def test_nothing_is_outside_of_everything() -> None:
    assert len(kept(EVERYTHING, "(900,900) L w-1 a", look(WindowInfo(box=Rect(500, 0, 900, 400))))) == 6
    assert kept(REGION, "(900,900) L", None) == ["move", "down", "up"], "before the first picture nothing is known"

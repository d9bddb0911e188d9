"""Pictures and monitors on Windows and macOS, through mss's own code for them, in the unit that each counts in."""

from __future__ import annotations

import numpy as np
import pytest

from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Screenshot, colours_of
from demopack.errors import CaptureError
from recorder.area import CaptureArea
from recorder.backends import open_screen
from tests.support.system_screens import SystemMonitor, WindowsScreens, as_macos, as_windows, colour_at, picture

RETINA = SystemMonitor(Rect(0, 0, 150, 98), scale=2.0)
PLAIN = SystemMonitor(Rect(150, -20, 342, 88))
LAPTOP = SystemMonitor(Rect(0, 0, 288, 180), scale=2.0)
MIDDLE = SystemMonitor(Rect(288, 0, 544, 144), scale=1.5)
LEFT = SystemMonitor(Rect(-192, 20, 0, 128))


def shot(area: str = "all") -> Screenshot:
    screen = open_screen(area=CaptureArea.parse(area))
    try:
        return screen.grab()
    finally:
        screen.close()


def colours(screenshot: Screenshot) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    found: np.ndarray[tuple[int, ...], np.dtype[np.uint32]] = colours_of(screenshot) & 0xFFFFFF
    return found


# macOS ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("area", ["all", "region:10,20,100x50"])
def test_a_retina_monitor_is_kept_with_every_pixel(monkeypatch: pytest.MonkeyPatch, area: str) -> None:
    system = as_macos(monkeypatch, [RETINA])
    taken = shot(area)
    assert not any(options & system.NOMINAL for options in system.options)
    box = RETINA.box if area == "all" else Rect(10, 20, 110, 70)
    assert (taken.desktop_box, taken.space.pixels_per_unit, taken.scale_factor) == (box, 2.0, 2.0)
    assert np.array_equal(colours(taken), picture(box, 2.0))
    assert [(m.box, m.scale_factor, m.primary) for m in taken.monitors] == [(RETINA.box, 2.0, True)], "points"
    assert taken.space.to_pixel(30, 40) == Point(2 * (30 - box.x1), 2 * (40 - box.y1))


def test_a_retina_monitor_beside_a_plain_one_keeps_its_pixels_and_everything_lies_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_macos(monkeypatch, [RETINA, PLAIN])
    taken = shot()
    assert taken.desktop_box == Rect(0, -20, 342, 98)
    assert taken.space.pixels_per_unit == 2.0
    assert [(m.box, m.scale_factor, m.primary) for m in taken.monitors] == [
        (RETINA.box, 2.0, True), (PLAIN.box, 1.0, False),
    ]  # fmt: skip
    shown = colours(taken)
    sharp = taken.space.to_pixels(RETINA.box)
    assert np.array_equal(shown[sharp.y1 : sharp.y2, sharp.x1 : sharp.x2], picture(RETINA.box, 2.0))
    enlarged = taken.space.to_pixels(PLAIN.box)
    plain = picture(PLAIN.box).repeat(2, axis=0).repeat(2, axis=1)
    assert np.array_equal(shown[enlarged.y1 : enlarged.y2, enlarged.x1 : enlarged.x2], plain)
    for x, y in ((0, 0), (149, 97), (150, -20), (341, 87), (200, 33)):
        at = taken.space.to_pixel(x, y)
        assert shown[at.y, at.x] == colour_at(x, y)
        assert taken.space.to_desktop(at) == Point(x, y)
    assert not shown[0, : 2 * 150].any(), "no monitor is there"


def test_a_plain_monitor_alone_is_not_enlarged(monkeypatch: pytest.MonkeyPatch) -> None:
    as_macos(monkeypatch, [RETINA, PLAIN])
    taken = shot("region:160,0,100x50")
    assert (taken.space.pixels_per_unit, taken.scale_factor) == (1.0, 1.0)
    assert np.array_equal(colours(taken), picture(Rect(160, 0, 260, 50)))


# Windows --------------------------------------------------------------------------------------------------------------


def test_windows_counts_pixels_and_says_how_large_programs_draw_on_each_monitor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_windows(monkeypatch, [LAPTOP, MIDDLE, LEFT])
    taken = shot()
    whole = Rect(-192, 0, 544, 180)
    assert (taken.desktop_box, taken.space.pixels_per_unit) == (whole, 1.0)
    assert taken.scale_factor == 2.0, "of the main monitor"
    assert [(m.box, m.scale_factor, m.primary) for m in taken.monitors] == [
        (LAPTOP.box, 2.0, True), (MIDDLE.box, 1.5, False), (LEFT.box, 1.0, False),
    ]  # fmt: skip
    assert np.array_equal(colours(taken), picture(whole))
    assert shot("region:300,10,50x20").scale_factor == 1.5


def test_where_windows_does_not_tell_the_scale_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WindowsScreens, "_GetDpiForMonitor", lambda *_: -1)
    as_windows(monkeypatch, [MIDDLE])
    assert shot().scale_factor == 1.0


# Monitors by their boxes ----------------------------------------------------------------------------------------------


def test_two_equal_monitors_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    as_windows(monkeypatch, [LAPTOP, MIDDLE])
    assert [m.name for m in shot().monitors] == ["Generic PnP Monitor", "Generic PnP Monitor 2"]
    assert shot("monitor:Generic PnP Monitor 2").desktop_box == MIDDLE.box


@pytest.mark.parametrize("off", [0, 1])
def test_a_monitor_is_found_by_its_box_although_qt_rounds_it(monkeypatch: pytest.MonkeyPatch, off: int) -> None:
    box = MIDDLE.box
    area = f"monitor:{box.x1},{box.y1},{box.width + off}x{box.height - off}"
    as_windows(monkeypatch, [LAPTOP, MIDDLE, LEFT])
    assert shot(area).desktop_box == box
    as_macos(monkeypatch, [RETINA, SystemMonitor(box)])
    assert shot(area).desktop_box == box


def test_a_monitor_that_is_not_there_any_more_is_not_replaced_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    as_macos(monkeypatch, [RETINA])
    with pytest.raises(CaptureError, match=r"There is no monitor 150,-20,192x108\."):
        shot("monitor:150,-20,192x108")

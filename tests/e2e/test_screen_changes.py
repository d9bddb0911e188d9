"""Grabs are made only of what has changed, show it to the pixel, and never show a window of ours: on real servers."""

from __future__ import annotations

import random
import select
import threading
import time
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from recorder.area import CaptureArea
from recorder.backends.mss_screen import MssScreen
from recorder.backends.x11.screen import X11Screen
from recorder.backends.x11.screen_pixels import PixelReader
from recorder.backends.x11.window_below import NEUTRAL
from tests.support.easel import Easel, Sheet, shows
from tests.support.x_servers import XServer

pytestmark = pytest.mark.e2e

RED, GREEN, BLUE, YELLOW, OURS = 0xC02020, 0x20A040, 0x2040C0, 0xD0C020, 0xFF00FF
MS = 1_000_000


@pytest.fixture(scope="module")
def server() -> Generator[XServer]:
    with XServer() as made:
        yield made


@pytest.fixture
def easel(server: XServer) -> Generator[Easel]:
    with Easel(server.name) as made:
        made.ground(0x203040)
        yield made


@pytest.fixture
def screen(easel: Easel, server: XServer) -> Generator[X11Screen]:
    source = X11Screen(display=server.name)
    source.grab()
    yield source
    source.close()


def colour_at(image: RgbImage, x: int, y: int) -> int:
    red, green, blue = (int(value) for value in image[y, x])
    return red << 16 | green << 8 | blue


def test_a_screen_at_rest_needs_no_grab(screen: X11Screen) -> None:
    first = screen.grab()
    assert screen.changed_ns() == 0
    second = screen.grab()
    assert second.raw is first.raw, "equal pictures are one"
    assert second.changed_ns == 0
    assert second.started_ns > first.ended_ns


def test_a_change_is_told_with_its_time_and_grabbed_to_the_pixel(screen: X11Screen, easel: Easel) -> None:
    sheet = easel.sheet(Rect(100, 80, 300, 200), RED)
    before = screen.grab()
    started = time.monotonic_ns()
    sheet.paint(BLUE, Rect(10, 10, 30, 20))
    ended = time.monotonic_ns()
    told = screen.changed_ns()
    assert told is not None
    assert started - 2 * MS <= told <= ended
    after = screen.grab()
    assert after.changed_ns == told
    assert shows(after.image, BLUE) == 20 * 10
    assert colour_at(after.image, 110, 90) == BLUE
    assert colour_at(before.image, 110, 90) == RED, "a picture that was given out is never written to"
    assert screen.changed_ns() == 0


def test_it_can_be_waited_for(screen: X11Screen, easel: Easel) -> None:
    sheet = easel.sheet(Rect(0, 0, 50, 50), RED)
    screen.grab()
    assert screen.changed_ns() == 0
    number = screen.fileno()
    assert number is not None
    assert select.select([number], [], [], 0)[0] == []
    sheet.paint(GREEN)
    assert select.select([number], [], [], 5)[0] == [number]
    assert screen.changed_ns()


def test_any_change_is_grabbed_to_the_pixel(screen: X11Screen, server: XServer, easel: Easel) -> None:
    """Two hundred things at random, some of them between two grabs, against a full reading of the screen."""
    chance = random.Random(7)
    witness = MssScreen(display=server.name)
    sheets = [easel.sheet(Rect(n * 60, n * 40, n * 60 + 150, n * 40 + 120), RED + n * 999) for n in range(4)]
    for n in range(200):
        for _ in range(chance.randint(0, 3)):
            _something(chance, chance.choice(sheets))
        changed = screen.changed_ns()
        grab = screen.grab()
        expected = witness.grab()
        assert np.array_equal(grab.image, expected.image), f"wrong after {n}, told {changed}"
    witness.close()


def _something(chance: random.Random, sheet: Sheet) -> None:
    what = chance.randrange(6)
    x, y = chance.randrange(-40, 600), chance.randrange(-40, 440)
    colour = chance.randrange(1 << 24)
    if what == 0:
        sheet.put(x=x, y=y)
    elif what == 1:
        sheet.put(stack_mode=chance.choice([0, 1]))
    elif what == 2:
        sheet.put(width=chance.randrange(10, 300), height=chance.randrange(10, 200))
    elif what == 3:
        sheet.hide()
        sheet.show()
    elif what == 4:
        sheet.paint(colour)
    else:
        sheet.paint(colour, Rect(5, 5, 5 + chance.randrange(1, 80), 5 + chance.randrange(1, 60)))


def test_a_change_elsewhere_is_not_told(server: XServer, easel: Easel) -> None:
    sheet = easel.sheet(Rect(0, 0, 400, 100), RED)
    source = X11Screen(display=server.name, area=CaptureArea(kind="region", region=Rect(200, 0, 300, 100)))
    source.grab()
    sheet.paint(GREEN, Rect(0, 0, 50, 50))
    sheet.paint(GREEN, Rect(350, 50, 400, 100))
    assert source.changed_ns() == 0, "the box around both touches the region, but neither of them does"
    sheet.paint(GREEN, Rect(240, 10, 250, 20))
    assert source.changed_ns()
    assert shows(source.grab().image, GREEN) == 100
    source.close()


# Our own windows --------------------------------------------------------------------------------------------------


def test_our_window_is_not_on_the_picture(screen: X11Screen, easel: Easel) -> None:
    easel.sheet(Rect(100, 100, 300, 300), RED)
    without = screen.grab()
    ours = easel.sheet(Rect(50, 150, 400, 200), OURS, own=True)
    assert np.array_equal(screen.grab().image, without.image), "over a window and over the desktop"
    ours.put(x=250, y=250)
    assert np.array_equal(screen.grab().image, without.image)
    ours.destroy()
    assert np.array_equal(screen.grab().image, without.image)


def test_what_changes_beneath_our_window_is_seen(screen: X11Screen, easel: Easel) -> None:
    sheet = easel.sheet(Rect(100, 100, 300, 300), RED)
    easel.sheet(Rect(150, 150, 250, 250), OURS, own=True)
    screen.grab()
    assert screen.changed_ns() == 0
    sheet.paint(BLUE, Rect(70, 70, 90, 90))
    assert screen.changed_ns()
    image = screen.grab().image
    assert (shows(image, BLUE), shows(image, OURS)) == (400, 0)


def test_our_own_pixels_wake_nobody(screen: X11Screen, easel: Easel) -> None:
    easel.sheet(Rect(0, 0, 640, 480), RED)
    bar = easel.sheet(Rect(400, 20, 600, 60), OURS, own=True)
    menu = easel.sheet(Rect(100, 200, 160, 300), OURS, own=True)
    before = screen.grab()
    for n in range(5):
        bar.paint(OURS - n, Rect(10, 10, 60, 30))
        menu.paint(OURS - n)
        assert screen.changed_ns() == 0
    assert screen.grab().raw is before.raw


def test_menus_of_others_above_and_below_ours(screen: X11Screen, easel: Easel) -> None:
    easel.sheet(Rect(0, 0, 640, 480), RED)
    below = easel.sheet(Rect(100, 100, 200, 200), BLUE)
    ours = easel.sheet(Rect(120, 120, 320, 320), OURS, own=True)
    above = easel.sheet(Rect(150, 150, 400, 180), GREEN)
    image = screen.grab().image
    assert shows(image, OURS) == 0
    assert shows(image, GREEN) == 250 * 30
    assert shows(image, BLUE) == 100 * 100 - 50 * 30
    above.cut_out(Rect(0, 0, 100, 30), Rect(200, 0, 250, 30))
    image = screen.grab().image
    assert (shows(image, OURS), shows(image, GREEN)) == (0, 150 * 30)
    above.destroy()
    below.cut_out(Rect(0, 0, 100, 50))
    image = screen.grab().image
    assert (shows(image, OURS), shows(image, BLUE)) == (0, 100 * 50)
    ours.put(stack_mode=1)
    image = screen.grab().image
    assert (shows(image, OURS), shows(image, BLUE)) == (0, 100 * 50)


def test_a_slow_program_beneath_ours_never_lends_our_pixels(screen: X11Screen, easel: Easel) -> None:
    slow = easel.sheet(Rect(100, 100, 300, 300), RED, slow=True)
    slow.answer()
    without = screen.grab()
    assert shows(without.image, RED) == 200 * 200
    easel.sheet(Rect(150, 150, 350, 250), OURS, own=True)
    # It has been asked to paint what was covered, and has not done so yet: the old picture of that place counts.
    assert np.array_equal(screen.grab().image, without.image)
    slow.answer()
    assert np.array_equal(screen.grab().image, without.image)
    slow.paint(BLUE, Rect(60, 60, 80, 80))
    assert shows(screen.grab().image, BLUE) == 400


def test_a_recording_that_starts_with_our_window_there(easel: Easel, server: XServer) -> None:
    slow = easel.sheet(Rect(100, 100, 300, 300), RED, slow=True)
    slow.answer()
    easel.sheet(Rect(150, 150, 350, 250), OURS, own=True)
    source = X11Screen(display=server.name)
    image = source.grab().image
    assert shows(image, OURS) == 0
    assert shows(image, NEUTRAL) <= 150 * 100, "grey until the program has painted the place"
    slow.answer()
    image = source.grab().image
    assert (shows(image, RED), shows(image, NEUTRAL), shows(image, OURS)) == (200 * 200, 0, 0)
    source.close()


def test_what_appears_where_our_window_was_during_a_reading_is_announced(
    screen: X11Screen, easel: Easel, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = easel.sheet(Rect(150, 150, 250, 250), OURS, own=True)
    screen.grab()
    reader: Any = screen._reader
    read = reader.read

    def moved_meanwhile(*args: Any) -> Any:
        monkeypatch.undo()
        ours.destroy()
        easel.sheet(Rect(160, 160, 200, 200), RED)
        return read(*args)

    monkeypatch.setattr(reader, "read", moved_meanwhile)
    after = screen.grab()
    assert shows(after.image, RED) == 40 * 40
    assert after.changed_ns != 0


def test_our_window_is_on_no_picture_while_it_is_moved(screen: X11Screen, easel: Easel, server: XServer) -> None:
    easel.sheet(Rect(0, 0, 640, 480), RED)
    easel.sheet(Rect(200, 100, 400, 300), BLUE)
    ours = easel.sheet(Rect(0, 0, 120, 60), OURS, own=True)
    stop = threading.Event()

    def move() -> None:
        n = 0
        while not stop.wait(0.001):
            n += 7
            ours.put(x=n % 500, y=n * 3 % 400)

    mover = threading.Thread(target=move)
    mover.start()
    try:
        for _ in range(150):
            assert shows(screen.grab().image, OURS) == 0
    finally:
        stop.set()
        mover.join(20)


def test_without_our_windows_nothing_is_redirected(screen: X11Screen, easel: Easel) -> None:
    watch: Any = screen._watch
    easel.sheet(Rect(0, 0, 640, 480), RED)
    screen.grab()
    assert not watch.covered
    ours = easel.sheet(Rect(0, 0, 50, 50), OURS, own=True)
    screen.grab()
    assert len(watch.covered) == 1
    ours.hide()
    screen.grab()
    assert not watch.covered


# Servers that lack something ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "told", "beneath"),
    [("Composite", 0, NEUTRAL), ("DAMAGE", None, NEUTRAL), ("shared memory", 0, RED)],
)
def test_a_server_that_lacks_something(
    missing: str, told: int | None, beneath: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing == "shared memory":  # as behind a wall of containers
        monkeypatch.setattr(PixelReader, "_show", lambda *_: 0)
    arguments = () if missing == "shared memory" else ("-extension", missing)
    with XServer(*arguments) as server, Easel(server.name) as easel:
        sheet = easel.sheet(Rect(100, 100, 300, 300), RED)
        source = X11Screen(display=server.name)
        source.grab()
        assert source.changed_ns() == told
        easel.sheet(Rect(150, 150, 250, 250), OURS, own=True)
        image = source.grab().image
        assert shows(image, OURS) == 0
        assert colour_at(image, 200, 200) == beneath
        sheet.paint(GREEN, Rect(10, 10, 20, 20))
        assert shows(source.grab().image, GREEN) == 100
        source.close()

"""One monitor, one window, a region: every pixel of a picture lies where the picture says, also while things move."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.area import CaptureArea
from recorder.backends import open_input, open_screen, open_windows
from recorder.backends.base import ScreenSource, WindowAwayError
from recorder.backends.mss_screen import MssScreen
from recorder.desktop.private_display import PrivateDisplay
from recorder.session import RecordingSession
from tests.support.desktops import DPI
from tests.support.easel import Easel, Sheet, shows
from tests.support.injector import Injector
from tests.support.x_servers import DummyXorg, XServer, why_no_xorg

pytestmark = pytest.mark.e2e

RED, GREEN, OURS = 0xC02020, 0x20A040, 0xFF00FF
LEFT, RIGHT = ("--setmonitor", "LEFT", "240/60x480/120+0+0", "screen"), (
    "--setmonitor", "*RIGHT", "400/100x480/120+240+0", "none",
)  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Generator[XServer]:
    with XServer() as made:
        made.xrandr(*LEFT)
        made.xrandr(*RIGHT)
        yield made


@pytest.fixture
def easel(server: XServer) -> Generator[Easel]:
    with Easel(server.name) as made:
        yield made


@contextlib.contextmanager
def opened(server: XServer, area: str) -> Generator[ScreenSource]:
    source = open_screen(server.name, area=CaptureArea.parse(area))
    try:
        yield source
    finally:
        source.close()


def box_of(grab: Screenshot) -> Rect:
    return grab.desktop_box


def until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(2000):
        if condition():
            return
        pause.wait(0.005)
    pytest.fail("it did not happen")


# Monitors -----------------------------------------------------------------------------------------------------------


def test_all_monitors(server: XServer) -> None:
    with opened(server, "all") as source:
        grab = source.grab()
    assert box_of(grab) == Rect(0, 0, 640, 480)
    assert [(m.name, m.box, m.primary, m.scale_factor) for m in grab.monitors] == [
        ("RIGHT", Rect(240, 0, 640, 480), True, 1.0),
        ("LEFT", Rect(0, 0, 240, 480), False, 1.0),
    ]


def test_one_monitor(server: XServer, easel: Easel) -> None:
    easel.sheet(Rect(300, 50, 340, 90), RED)
    with opened(server, "monitor:RIGHT") as source:
        grab = source.grab()
    assert box_of(grab) == Rect(240, 0, 640, 480)
    assert [m.name for m in grab.monitors] == ["RIGHT"]
    assert shows(grab.image[50:90, 60:100], RED) == 1600 == shows(grab.image, RED)


def test_a_region_is_clipped_to_the_screen(server: XServer) -> None:
    with opened(server, "region:-20,400,300x200") as source:
        grab = source.grab()
    assert box_of(grab) == Rect(0, 400, 280, 480)
    assert [m.name for m in grab.monitors] == ["RIGHT", "LEFT"]


@pytest.mark.parametrize(
    ("area", "words"),
    [
        ("monitor:HDMI-9", "no monitor HDMI-9.*choose another: RIGHT, LEFT"),
        ("region:900,900,10x10", "outside the screen, which has 640 x 480"),
        ("window:Nowhere", "“Nowhere” cannot be seen"),
    ],
)
def test_what_is_not_there_is_said_at_once(server: XServer, area: str, words: str) -> None:
    with pytest.raises(CaptureError, match=words), opened(server, area):
        pass


def test_the_scale_of_programs_is_told(server: XServer, easel: Easel) -> None:
    resources = easel.display.intern_atom("RESOURCE_MANAGER")
    with opened(server, "all") as source:
        source.grab()
        easel.root.change_property(resources, easel.display.intern_atom("STRING"), 8, b"Xft.dpi:\t192\nXcursor.size: 4")
        easel.sync()
        assert source.changed_ns() != 0
        grab = source.grab()
        assert {m.scale_factor for m in grab.monitors} == {2.0}
        assert grab.scale_factor == 2.0
        assert grab.space.pixels_per_unit == 1.0  # events, windows and pictures are counted in the screen's pixels
        easel.root.delete_property(resources)
        easel.sync()
        assert source.grab().scale_factor == 1.0


def test_monitors_that_come_and_go(server: XServer) -> None:
    with opened(server, "all") as source, opened(server, "monitor:RIGHT") as right:
        assert [m.name for m in source.grab().monitors] == ["RIGHT", "LEFT"]
        right.grab()
        server.xrandr("--delmonitor", "RIGHT")
        assert source.changed_ns() != 0, "it is noticed without a grab"
        assert [m.name for m in source.grab().monitors] == ["LEFT"]
        with pytest.raises(CaptureError, match="no monitor RIGHT"):
            right.grab()
        server.xrandr(*RIGHT)
        assert [m.name for m in source.grab().monitors] == ["RIGHT", "LEFT"]
        assert box_of(right.grab()) == Rect(240, 0, 640, 480)


@pytest.mark.skipif(bool(why_no_xorg()), reason=why_no_xorg())
def test_a_screen_that_grows_and_shrinks(tmp_path: Path) -> None:
    with DummyXorg(tmp_path) as server, Easel(server.name) as easel, opened(server, "all") as source:
        assert box_of(source.grab()) == Rect(0, 0, 1280, 800)
        server.connect("DUMMY1", "800x600", right_of="DUMMY0")
        assert source.changed_ns() != 0
        grab = source.grab()
        assert box_of(grab) == Rect(0, 0, 2080, 800)
        assert [(m.name, m.box) for m in grab.monitors] == [
            ("DUMMY0", Rect(0, 0, 1280, 800)),
            ("DUMMY1", Rect(1280, 0, 2080, 600)),
        ]
        sheet = easel.sheet(Rect(1900, 500, 2000, 580), RED)
        assert shows(source.grab().image[500:580, 1900:2000], RED) == 8000
        with opened(server, "monitor:DUMMY1") as second:
            grab = second.grab()
            assert box_of(grab) == Rect(1280, 0, 2080, 600)
            assert shows(grab.image[500:580, 620:720], RED) == 8000
            server.xrandr("--output", "DUMMY0", "--mode", "800x600")
            server.xrandr("--output", "DUMMY1", "--pos", "800x0")
            sheet.put(x=810, y=20)
            grab = second.grab()
            assert box_of(grab) == Rect(800, 0, 1600, 600)
            assert shows(grab.image[20:100, 10:110], RED) == 8000
            server.xrandr("--output", "DUMMY1", "--off")
            with pytest.raises(CaptureError, match="no monitor DUMMY1"):
                second.grab()
        server.xrandr("--fb", "800x600")
        assert box_of(source.grab()) == Rect(0, 0, 800, 600)
        witness = MssScreen(display=server.name)
        assert np.array_equal(source.grab().image, witness.grab().image)
        witness.close()


# One window ---------------------------------------------------------------------------------------------------------


def test_a_window_is_followed(server: XServer, easel: Easel) -> None:
    easel.sheet(Rect(0, 0, 640, 480), GREEN, title="Another")
    sheet = easel.sheet(Rect(100, 50, 300, 150), RED, title="Invoice 12 - Editor")
    with opened(server, "window:invoice") as source:
        assert box_of(source.grab()) == Rect(100, 50, 300, 150)
        for x, y, width, height in [(120, 60, 200, 100), (400, 300, 150, 120), (-30, 440, 200, 100), (0, 0, 640, 480)]:
            sheet.put(x=x, y=y, width=width, height=height)
            assert source.changed_ns() != 0
            grab = source.grab()
            expected = Rect(x, y, x + width, y + height).intersection(Rect(0, 0, 640, 480))
            assert box_of(grab) == expected
            assert shows(grab.image, RED) == grab.image.shape[0] * grab.image.shape[1]
        sheet.window.set_wm_name("Saved")
        easel.sync()
        source.grab()  # it stays the one, whatever it is called
        sheet.hide()
        with pytest.raises(WindowAwayError, match="closed, minimised or outside"):
            source.grab()
        sheet.show()
        assert box_of(source.grab()) == Rect(0, 0, 640, 480)
        sheet.destroy()
        with pytest.raises(WindowAwayError):
            source.grab()
        easel.sheet(Rect(10, 10, 60, 60), RED, title="Invoice 13")
        assert box_of(source.grab()) == Rect(10, 10, 60, 60)


def test_every_picture_of_a_moving_window_lies_where_it_says(server: XServer, easel: Easel) -> None:
    """The desktop is striped, so each picture shows by itself where it was taken."""
    _striped(easel.sheet(Rect(0, 0, 640, 480), 0))
    frame = easel.sheet(Rect(50, 50, 250, 200), RED, title="Traveller")
    frame.cut_out(Rect(0, 0, 200, 20))  # a title bar with a hole below it
    stop = threading.Event()

    def travel() -> None:
        n = 0
        while not stop.wait(0.002):
            n += 4
            frame.put(x=n % 400, y=n * 3 // 4 % 300)

    mover = threading.Thread(target=travel)
    with opened(server, "window:Traveller") as source:
        mover.start()
        try:
            for _ in range(80):
                grab = source.grab()
                row = grab.image[-1].astype(int)
                seen = row[:, 0] << 16 | row[:, 1] << 8 | row[:, 2]
                places = (grab.space.origin_x + np.arange(len(seen))) // 4 * 4
                ground = seen & 0xFF == 0x10
                assert ground.sum() > 100
                assert np.array_equal(seen[ground], (places << 8 | 0x10)[ground])
        finally:
            stop.set()
            mover.join(20)


def _striped(sheet: Sheet) -> None:
    """A ground that the server itself restores: each four columns have a colour of their own."""
    pixmap = sheet.window.create_pixmap(640, 480, 24)
    pen = pixmap.create_gc()
    for x in range(0, 640, 4):
        pen.change(foreground=x << 8 | 0x10)
        pixmap.fill_rectangle(pen, x, 0, 4, 480)
    sheet.window.change_attributes(background_pixmap=pixmap)
    sheet.window.clear_area()


# A click is drawn back on what it hit -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("dpi", [96, 192] if DPI is None else [DPI])
@pytest.mark.parametrize("area", ["all", "monitor:RIGHT", "region:250,60,380x400", "window:Target"])
def test_a_click_lies_on_the_element_that_it_hit(tmp_path: Path, area: str, dpi: int) -> None:
    """The target moves between the clicks; on each before-frame the pointer's pixel must show the target."""
    with (
        PrivateDisplay(width=800, height=600, dpi=dpi) as screen,
        Easel(screen.name) as easel,
        Injector(screen.name) as person,
        Library.open(tmp_path / "library") as library,
        contextlib.closing(open_windows(screen.name)) as windows,
    ):
        _split(screen)
        target = easel.sheet(Rect(300, 100, 500, 250), GREEN, title="Target", managed=True)
        until(lambda: (active := windows.read().active) is not None and active.title == "Target")
        source = open_screen(screen.name, area=CaptureArea.parse(area))
        session = RecordingSession(
            library,
            settings=RecorderSettings(),
            task="hit it",
            screen=source,
            windows=windows,
            inputs=open_input(screen.name),
        )
        session.start()
        hits = [_hit(person, target, at) for at in [(300, 100), (340, 180), (280, 120)]]
        demo_id = session.stop()
        source.close()
        assert session.error is None
        steps = [step for step in library.demo(demo_id).steps if step.action.action_type == "click"]
        assert len(steps) == len(hits)
        for step, (x, y) in zip(steps, hits, strict=True):
            assert step.before is not None
            assert step.before.scale_factor == (screen.dpi or 96) / 96
            assert step.pointer is not None
            image = library.get_image(step.before.id)
            assert step.before.space.to_desktop(Point(step.pointer.x, step.pointer.y)) == Point(x, y)
            red, green, blue = (int(value) for value in image[step.pointer.y, step.pointer.x])
            assert red << 16 | green << 8 | blue == GREEN
            bbox = step.action.target.bbox if step.action.target is not None else None
            assert bbox is not None
            assert round(bbox[0] * step.before.width) == step.pointer.x


def _split(screen: PrivateDisplay) -> None:
    for arguments in (
        ("--setmonitor", "LEFT", "200/50x600/150+0+0", "screen"),
        ("--setmonitor", "RIGHT", "600/150x600/150+200+0", "none"),
    ):
        subprocess.run(["xrandr", *arguments], env=screen.environment(), check=True)


def _hit(person: Injector, target: Sheet, at: tuple[int, int]) -> tuple[int, int]:
    target.put(x=at[0], y=at[1])
    person.wait(0.3)
    origin = target.window.translate_coords(target.window.query_tree().root, 0, 0)
    # The inverse translation: where the window's corner lies on the desktop.
    x, y = -origin.x + 7, -origin.y + 9
    person.click(x, y)
    person.wait(0.3)
    return x, y

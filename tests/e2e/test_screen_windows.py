"""Which windows can be seen, in which order; asked of the server only after a change."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator

import pytest

from demopack.domain.geometry import Rect
from recorder.backends.base import SeenWindow
from recorder.backends.x11.windows import X11Windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.easel import Easel, Sheet
from tests.support.x_servers import XServer

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server() -> Generator[XServer]:
    with XServer() as made:
        yield made


@pytest.fixture
def easel(server: XServer) -> Generator[Easel]:
    with Easel(server.name) as made:
        yield made


@pytest.fixture
def windows(easel: Easel, server: XServer) -> Generator[X11Windows]:
    with contextlib.closing(X11Windows(display=server.name)) as made:
        yield made


def titles(windows: X11Windows) -> list[str]:
    return [window.title for window in windows.read().stack]


def until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(2000):
        if condition():
            return
        pause.wait(0.005)
    pytest.fail("it did not happen")


def test_topmost_first_and_without_our_own(windows: X11Windows, easel: Easel) -> None:
    assert windows.read().stack == ()
    low = easel.sheet(Rect(0, 0, 300, 300), 0x111111, title="Low")
    easel.sheet(Rect(100, 100, 400, 400), 0x222222, title="Middle")
    easel.sheet(Rect(150, 150, 200, 200), 0x333333, title="Ours", own=True)
    easel.sheet(Rect(280, 120, 380, 180), 0x444444, title="Menu")
    assert titles(windows) == ["Menu", "Middle", "Low"]
    top = windows.read().stack[0]
    assert (top.app, top.box) == ("Menu", Rect(280, 120, 380, 180))
    low.put(stack_mode=0)
    assert titles(windows) == ["Low", "Menu", "Middle"]
    low.put(x=20, y=30, width=50, height=60)
    assert windows.read().stack[0].box == Rect(20, 30, 70, 90)
    low.window.set_wm_name("Höher")
    easel.sync()
    assert titles(windows)[0] == "Höher"
    low.hide()
    assert titles(windows) == ["Menu", "Middle"]
    low.show()
    low.destroy()
    assert titles(windows) == ["Menu", "Middle"]


def test_what_nobody_can_see_is_left_out(windows: X11Windows, easel: Easel) -> None:
    easel.sheet(Rect(0, 0, 100, 100), 0x111111, title="Covered")
    easel.sheet(Rect(700, 0, 800, 100), 0x222222, title="Outside")
    cover = easel.sheet(Rect(0, 0, 120, 120), 0x333333, title="Cover")
    assert titles(windows) == ["Cover"]
    cover.put(x=5)
    assert titles(windows) == ["Cover", "Covered"]


def test_a_window_that_lets_others_shine_through_says_so(windows: X11Windows, easel: Easel) -> None:
    from Xlib import X

    screen = easel.display.screen()
    visual = next(v.visual_id for d in screen.allowed_depths if d.depth == 32 for v in d.visuals)
    easel.sheet(Rect(0, 0, 100, 100), 0x111111, title="Below")
    window = easel.root.create_window(
        0, 0, 100, 100, 0, 32, visual=visual, background_pixel=0, border_pixel=0, override_redirect=1,
        colormap=easel.root.create_colormap(visual, X.AllocNone),
    )  # fmt: skip
    window.set_wm_name("Glass")
    window.map()
    easel.sync()
    glass, below = windows.read().stack
    assert (glass.title, below.title) == ("Glass", "Below")
    assert isinstance(glass, SeenWindow)
    assert isinstance(below, SeenWindow)
    assert (glass.see_through, below.see_through) == (True, False)


def test_nothing_is_asked_while_nothing_changes(windows: X11Windows, easel: Easel) -> None:
    sheet = easel.sheet(Rect(0, 0, 100, 100), 0x111111, title="Still")
    windows.read()
    asked = windows._display.display.request_serial
    for _ in range(50):
        windows.read()
        sheet.paint(0x123456)
    assert windows._display.display.request_serial == asked
    sheet.put(x=10)
    windows.read()
    moved = windows._display.display.request_serial - asked
    assert 0 < moved <= 4, "a move is told by the server itself"


def test_windows_in_the_frames_of_a_window_manager() -> None:
    with (
        PrivateDisplay(width=800, height=600) as screen,
        Easel(screen.name) as easel,
        contextlib.closing(X11Windows(display=screen.name)) as windows,
    ):
        first: Sheet = easel.sheet(Rect(50, 50, 250, 150), 0x111111, title="First", managed=True)
        until(lambda: titles(windows) == ["First"])
        easel.sheet(Rect(100, 100, 300, 200), 0x222222, title="Second", managed=True)
        until(lambda: titles(windows) == ["Second", "First"])
        until(lambda: (active := windows.read().active) is not None and active.title == "Second")
        box = windows.read().stack[0].box
        assert box is not None
        assert box.width > 200, "its frame counts"
        first.window.set_wm_name("Renamed")
        easel.sync()
        until(lambda: titles(windows) == ["Second", "Renamed"])
        _minimise(easel, first)
        until(lambda: titles(windows) == ["Second"])
        first.show()
        until(lambda: sorted(titles(windows)) == ["Renamed", "Second"])


def _minimise(easel: Easel, sheet: Sheet) -> None:
    from Xlib import X
    from Xlib.protocol import event

    message = event.ClientMessage(
        window=sheet.window, client_type=easel.display.intern_atom("WM_CHANGE_STATE"), data=(32, [3, 0, 0, 0, 0])
    )
    easel.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    easel.sync()

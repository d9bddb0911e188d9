"""The buttons of a title bar, as the X server tells them: proved by pressing them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator

import pytest

from demopack.domain.geometry import Rect
from recorder.backends.base import SeenWindow
from recorder.backends.x11.title_bars import TitleBars
from recorder.backends.x11.windows import X11Windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.easel import Easel
from tests.support.injector import Injector
from tests.support.target_window import TargetWindow

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def display() -> Generator[PrivateDisplay]:
    with PrivateDisplay() as made:
        yield made


def seen(windows: X11Windows, title: str) -> SeenWindow | None:
    found = (window for window in windows.read().stack if isinstance(window, SeenWindow) and window.title == title)
    return next(found, None)


def until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(2000):
        if condition():
            return
        pause.wait(0.005)
    pytest.fail("it did not happen")


def test_each_told_button_is_one_and_the_last_closes_the_window(display: PrivateDisplay) -> None:
    with (
        contextlib.closing(X11Windows(display=display.name)) as windows,
        contextlib.closing(TitleBars(display.name)) as bars,
        Injector(display.name) as hand,
        TargetWindow(display, title="Framed"),
    ):
        window = seen(windows, "Framed")
        assert window is not None
        assert window.box is not None
        tree = bars.tree(window)
        assert tree is not None
        assert tree.box is not None
        assert tree.is_title_bar
        assert (tree.title, tree.app) == ("Framed", window.app)
        buttons = [node.box for node in tree.nodes[1:]]
        assert all(box is not None and tree.box.encloses(box) for box in buttons)
        assert len(buttons) == 4, "the window's menu, and the buttons to iconify, maximise and close it"
        _, _, maximise, close = buttons
        assert maximise is not None
        assert close is not None

        hand.click(maximise.center.x, maximise.center.y)
        until(lambda: (now := seen(windows, "Framed")) is not None and now.box is not None and now.box.width >= 1270)
        window = seen(windows, "Framed")
        assert window is not None
        wide = bars.tree(window)
        assert wide is not None
        assert wide.nodes[-1].box is not None
        assert wide.nodes[-1].box.x2 > 1200, "it is asked again where its size is another"

        hand.click(wide.nodes[-1].box.center.x, wide.nodes[-1].box.center.y)
        until(lambda: seen(windows, "Framed") is None)


def test_what_no_window_manager_frames_and_what_is_gone_has_no_title_bar(display: PrivateDisplay) -> None:
    with (
        contextlib.closing(X11Windows(display=display.name)) as windows,
        contextlib.closing(TitleBars(display.name)) as bars,
        Easel(display.name) as easel,
    ):
        menu = easel.sheet(Rect(40, 40, 140, 240), 0x336699, title="Menu")
        window = seen(windows, "Menu")
        assert window is not None
        assert bars.tree(window) is None
        menu.destroy()
        assert bars.tree(window.model_copy(update={"box": Rect(0, 0, 20, 20)})) is None
        assert bars.tree(SeenWindow(title="", app="", box=Rect(0, 0, 20, 20))) is None
        bars.close()
        assert bars.tree(window) is None

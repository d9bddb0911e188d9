"""What is done to our own windows leaves no step where only Qt knows them; steps in other programs are kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from annotator.ui.main_window import MainWindow
from annotator.ui.recording.floating import desktop_pixels
from annotator.ui.recording.own_windows import OwnWindowTracker
from annotator.ui.services import RecordingPlan, Services
from annotator.ui.theme.manager import Theme
from demopack.clock import now_ns
from demopack.domain.actions import ClickAction, FinishGoalAction, TypeAction
from demopack.domain.geometry import Point, Rect
from demopack.settings import Settings
from demopack.store import Library
from recorder.backends.base import WindowSource
from recorder.event_filter import OwnWindows
from recorder.session import RecordingSession
from tests.support.notation import parse_events
from tests.support.services import with_calls
from tests.support.sources import HandInput, HandScreen
from tests.support.studio import SETTINGS

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


_PLAYED_NS = 200_000_000


@pytest.fixture
def inputs() -> HandInput:
    return HandInput()


@pytest.fixture(params=["win32", "darwin"])
def window(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch,
    library: Library, theme: Theme, services: Services, inputs: HandInput, qtbot: QtBot,
) -> Iterator[MainWindow]:  # fmt: skip
    """The app on a system whose windows the recorder cannot ask for, with a real recorder."""

    def open_recorder(opened: Library, _: Settings, plan: RecordingPlan, own: OwnWindows) -> RecordingSession:
        return RecordingSession(
            opened, settings=SETTINGS, task=plan.task, own_windows=own,
            screen=HandScreen(), inputs=inputs, windows=WindowSource(),
        )  # fmt: skip

    monkeypatch.setattr(sys, "platform", request.param)
    made = MainWindow(library, theme=theme, services=with_calls(services, open_recorder=open_recorder))
    made.resize(300, 200)
    made.move(10, 500)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.workers.busy, timeout=20_000)


def other_program(qtbot: QtBot) -> None:
    """Another program has the input: on this platform that is so when the window that had it is gone."""
    last = QWindow()
    last.show()

    def has_it() -> bool:
        last.requestActivate()  # another window may have been brought to the front meanwhile
        return QGuiApplication.focusWindow() == last

    qtbot.waitUntil(has_it)
    last.destroy()
    qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is None)


def at(box: QRect) -> str:
    return f"({box.center().x()},{box.center().y()})"


def test_clicks_and_texts_in_our_windows_leave_no_step(window: MainWindow, inputs: HandInput, qtbot: QtBot) -> None:
    desk, own = window.desk, window.desk._own
    window.library_page.panel.start_wanted.emit(RecordingPlan(task="x"))
    settle(window, qtbot)
    session = desk._session
    assert session is not None

    def shows(box: QRect) -> bool:
        """Whether it is ours and was so a while ago: what is played is stamped with the time before."""
        point = Point(box.center().x(), box.center().y())
        return all(own.contains(point, now_ns() - before_ns) for before_ns in (0, _PLAYED_NS))

    def is_free(box: QRect) -> bool:
        point, newest = Point(box.center().x(), box.center().y()), session._ring.newest
        assert newest is not None
        seen = any(one.contains(point) for one in newest.own)
        return not seen and not any(own.contains(point, now_ns() - before_ns) for before_ns in (0, _PLAYED_NS))

    def give(notation: str) -> None:
        inputs.give(parse_events(notation))

    other_program(qtbot)
    qtbot.waitUntil(lambda: shows(desk.bar.frameGeometry()))
    give(f"{at(desk.bar.frameGeometry())} L w-1")
    desk._open("more")
    qtbot.waitUntil(lambda: shows(desk.menu.frameGeometry()))
    give(f"{at(desk.menu.frameGeometry())} L")
    gone = desk.menu.frameGeometry()
    desk.menu.hide()
    qtbot.waitUntil(lambda: is_free(gone))
    desk.ask("note")
    qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is not None)
    qtbot.waitUntil(lambda: shows(desk.prompt.frameGeometry()))
    give(f"{at(desk.prompt.frameGeometry())} L h u n t e r 2")
    desk.prompt.hide()
    window.showNormal()
    window.activateWindow()
    qtbot.waitUntil(lambda: shows(window.frameGeometry()))
    give(f"{at(window.frameGeometry())} L s e c r e t")
    other_program(qtbot)
    qtbot.waitUntil(lambda: is_free(window.frameGeometry()))
    give(f"{at(window.frameGeometry())} L o k")
    desk.stop()
    settle(window, qtbot)
    settle(window, qtbot)
    demo = session._library.demo(session.demo_id)
    assert [type(step.action) for step in demo.steps] == [ClickAction, TypeAction, FinishGoalAction]
    assert demo.steps[1].action.parameters == {"text_to_type": "ok"}
    assert own.docked == ()


@pytest.fixture
def tracker() -> Iterator[OwnWindowTracker]:
    parent = QObject()
    made = OwnWindowTracker(OwnWindows(), parent)
    made.start()
    yield made
    made.stop()
    made.stop()


def shown(tracker: OwnWindowTracker) -> list[Rect]:
    tracker.refresh()
    return sorted(tracker._own.docked, key=lambda box: box.x1)


def test_what_stays_on_top_counts_as_long_as_it_is_shown(tracker: OwnWindowTracker, qtbot: QtBot) -> None:
    tip, menu = QLabel("tip", None, Qt.WindowType.ToolTip), QMenu()
    tip.setGeometry(400, 10, 50, 20)
    menu.addAction("one")
    for widget in (tip, menu):
        qtbot.addWidget(widget)
    assert shown(tracker) == []
    tip.show()
    menu.popup(QPoint(100, 100))
    other_program(qtbot)
    assert shown(tracker) == [desktop_pixels(widget.windowHandle().frameGeometry()) for widget in (menu, tip)]
    menu.hide()
    assert shown(tracker) == [desktop_pixels(tip.windowHandle().frameGeometry())]
    tip.hide()
    assert shown(tracker) == []


def test_another_window_counts_while_it_is_in_front(tracker: OwnWindowTracker, qtbot: QtBot) -> None:
    first, second = QWidget(), QWidget()
    for at_x, widget in ((0, first), (200, second)):
        qtbot.addWidget(widget)
        widget.setGeometry(at_x, 300, 100, 50)
        widget.show()
        qtbot.waitUntil(widget.isActiveWindow)
    assert shown(tracker) == [desktop_pixels(second.windowHandle().frameGeometry())], "the other may be covered"
    assert tracker._own.had_input(now_ns(), seen_ns=0)
    other_program(qtbot)
    assert shown(tracker) == []
    assert not tracker._own.had_input(now_ns(), seen_ns=0)


def test_a_prompt_that_is_about_to_have_the_input_keeps_it(tracker: OwnWindowTracker, qtbot: QtBot) -> None:
    other_program(qtbot)
    tracker.refresh()
    tracker._own.begin_input(now_ns())
    tracker.refresh()
    assert tracker._own.had_input(now_ns(), seen_ns=0)

"""Before a recording: what is chosen reaches the recorder, and nothing is called good before it was received."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from annotator.ui.recording.capture_area import RegionPicker, RegionWindow
from annotator.ui.recording.floating import SCALE_PROPERTY, desktop_pixels
from annotator.ui.recording.recording_words import privacy_words
from annotator.ui.recording.start_panel import StartPanel
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError, CaptureError
from demopack.settings import PrivacySettings, RecorderSettings, Settings
from demopack.store import Library
from recorder.area import EVERYTHING, CaptureArea
from recorder.selftest import CheckResult
from tests.gui.conftest import App, make_app
from tests.support.services import with_calls

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def ask(app: App) -> StartPanel:
    app.window.library_page.panel.ask()
    app.settle()
    return app.window.library_page.panel


def field(panel: StartPanel, name: str) -> QLineEdit:
    return next(f for f in panel.findChildren(QLineEdit) if f.accessibleName() == name)


def combo(panel: StartPanel, name: str) -> QComboBox:
    return next(f for f in panel.findChildren(QComboBox) if f.accessibleName() == name)


def choose(panel: StartPanel, kind: str) -> None:
    panel.area.kind.setCurrentIndex(panel.area.kind.findData(kind))


def states(panel: StartPanel) -> dict[str, str]:
    return {name: sign.state for name, sign in panel.checks.signs.items()}


def stop(app: App) -> None:
    app.window.desk.stop()
    app.settle()
    app.settle()


def test_what_is_chosen_reaches_the_recorder(app: App) -> None:
    panel = ask(app)
    app.qtbot.keyClicks(field(panel, "Task"), "Pay  the invoice")
    app.qtbot.keyClicks(field(panel, "Application"), "Ledger")
    choose(panel, "window")
    app.settle()
    titles = combo(panel, "Title of the window")
    assert [titles.itemText(row) for row in range(titles.count())] == ["Invoice 7", "Letters"]
    edit = titles.lineEdit()
    app.qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    assert edit.hasFocus(), "a click is enough to type a title"
    titles.setCurrentText("Invoice")
    panel.findChild(QCheckBox).click()
    app.qtbot.keyClick(field(panel, "Task"), Qt.Key.Key_Return)
    app.settle()
    plan = app.recorders[0].plan
    assert (plan.task, plan.app, plan.film) == ("Pay the invoice", "Ledger", True)
    assert plan.area == CaptureArea(kind="window", name="Invoice")
    stop(app)


@pytest.mark.parametrize("text", ["", "here", "10,10,0x5"])
def test_a_region_that_is_none_is_said_in_place(app: App, text: str) -> None:
    panel = ask(app)
    choose(panel, "region")
    app.qtbot.keyClicks(field(panel, "Region"), text)
    app.qtbot.keyClick(field(panel, "Task"), Qt.Key.Key_Return)
    app.settle()
    assert not app.recorders
    assert panel._wrong.text() == "The region is not complete. Draw it, or write it like 100,50,800x600."
    panel.area.set_region(Rect(5, 6, 105, 206))
    app.qtbot.keyClick(field(panel, "Task"), Qt.Key.Key_Return)
    app.settle()
    assert str(app.recorders[0].plan.area) == "region:5,6,100x200"
    stop(app)


def test_a_window_without_a_title_is_said_in_place(app: App) -> None:
    panel = ask(app)
    choose(panel, "window")
    app.settle()
    combo(panel, "Title of the window").setEditText(" ")
    app.qtbot.keyClick(field(panel, "Task"), Qt.Key.Key_Return)
    assert "No window is chosen." in panel._wrong.text()
    assert not app.recorders


def test_earlier_tasks_are_offered(app: App) -> None:
    panel = ask(app)
    task = field(panel, "Task")
    app.qtbot.keyClicks(task, "ada")
    completer = task.completer()
    assert completer is not None
    offered = [completer.completionModel().index(row, 0).data() for row in range(completer.completionCount())]
    assert offered == [next(demo.head.task for demo in app.library.demos() if "Ada" in demo.head.task)]
    completer.popup().hide()


def test_each_sign_turns_when_its_result_came(library: Library, theme: Theme, services: Services, qtbot: QtBot) -> None:
    seen: list[dict[str, str]] = []
    panels: list[StartPanel] = []

    def try_out(_folder: Path, _settings: Settings, on_result: Callable[[CheckResult], None]) -> list[CheckResult]:
        for name, ok in (("input", True), ("pictures", False), ("hotkeys", False)):
            found = CheckResult(name=name, ok=ok, words=f"{name} seen.", hint="" if ok else "Mend it.",
                                needed=name != "hotkeys")  # fmt: skip
            on_result(found)
        return []

    app = make_app(library, theme, with_calls(services, self_test=try_out), qtbot)
    panel = app.window.library_page.panel
    panels.append(panel)
    panel.ask()
    seen.append(states(panel))
    app.settle()
    assert set(seen[0].values()) == {"waiting"}  # nothing is green before it was received
    shown = states(panel)
    assert (shown["input"], shown["pictures"], shown["hotkeys"]) == ("good", "bad", "doubtful")
    assert panel.checks.wrong.text() == "Pictures: pictures seen. Mend it.\nHot-keys: hotkeys seen. Mend it."
    assert panel._button.isEnabled()  # a person may record all the same
    app.window.close()


def test_a_self_test_that_breaks_leaves_no_sign_green(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    def broken(*_: object) -> list[CheckResult]:
        raise OSError("the server went away")

    app = make_app(library, theme, with_calls(services, self_test=broken), qtbot)
    panel = ask(app)
    assert set(states(panel).values()) == {"waiting"}
    app.window.close()


def silent_test(*programs: str) -> Callable[..., list[CheckResult]]:
    """A self-test that finds browsers which tell nothing."""

    def try_out(_folder: Path, _settings: Settings, on_result: Callable[[CheckResult], None]) -> list[CheckResult]:
        found = CheckResult(name="accessibility", ok=True, words="Programs can be asked.", silent=programs)
        on_result(found)
        return [found]

    return try_out


def test_a_browser_that_tells_nothing_is_opened_anew_with_one_click(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    opened: list[str] = []

    def launch_program(program: str) -> bool:
        opened.append(program)
        return True

    calls = with_calls(services, self_test=silent_test("chromium"), launch_program=launch_program)
    app = make_app(library, theme, calls, qtbot)
    panel = ask(app)
    assert states(panel)["accessibility"] == "doubtful"
    assert panel.silent.words.text().startswith("Chromium tells nothing of what it shows")
    (button,) = panel.silent.buttons
    assert button.text() == "Open Chromium with accessibility"
    app.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.silent.words.text() == "Opening Chromium …"
    assert not button.isEnabled()
    app.settle()
    assert opened == ["chromium"]
    assert panel.silent.words.text() == "The new window of Chromium tells what it shows: use that one."
    assert button.isHidden()
    app.window.close()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (False, "Demo Chat was opened, but tells nothing here."),
        (BadInputError("/opt/x cannot be started: Exec format error."), "/opt/x cannot be started: Exec format error."),
    ],
)
def test_where_that_fails_the_exact_line_is_said(
    library: Library, theme: Theme, services: Services, qtbot: QtBot, answer: bool | BadInputError, said: str
) -> None:
    def launch_program(_: str) -> bool:
        if isinstance(answer, BadInputError):
            raise answer
        return answer

    program = "/opt/x/Demo Chat"
    calls = with_calls(services, self_test=silent_test("firefox", program), launch_program=launch_program)
    app = make_app(library, theme, calls, qtbot)
    panel = ask(app)
    assert [button.text() for button in panel.silent.buttons] == [
        "Open Firefox with accessibility",
        "Open Demo Chat with accessibility",
    ]
    app.qtbot.mouseClick(panel.silent.buttons[1], Qt.MouseButton.LeftButton)
    app.settle()
    assert panel.silent.words.text() == f'{said} To open it yourself: demopack launch "{program}"'
    assert panel.silent.words.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    assert all(button.isEnabled() for button in panel.silent.buttons)
    app.window.close()


def test_where_every_browser_tells_nothing_is_said_of_them(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    app = make_app(library, theme, with_calls(services, self_test=silent_test()), qtbot)
    panel = ask(app)
    assert panel.silent.isHidden()
    assert states(panel)["accessibility"] == "good"
    app.window.close()


def test_privacy_is_summed_up() -> None:
    assert privacy_words(RecorderSettings()) == (
        "Passwords are left out where programs tell which fields hold them. No application is blocked. "
        "What programs report of their windows is kept beside the pictures."
    )
    assert "report" not in privacy_words(RecorderSettings(trees=False))
    many = PrivacySettings(
        accessibility=False,
        blocked_apps=("KeePassXC", "bitwarden*", "Signal"),
        blocked_titles=("*bank*",),
        blocked_regions=((0, 0, 5, 5),),
        clipboard=True,
    )
    assert privacy_words(RecorderSettings(privacy=many)) == (
        "Programs are not asked about their fields: pause before you type a password. "
        "Never recorded: KeePassXC, bitwarden*, Signal, 2 more. Clipboard texts are kept."
    )


@pytest.fixture
def found() -> list[Rect | None]:
    """What was picked; None for an end without a region."""
    return []


@pytest.fixture
def picker(theme: Theme, qtbot: QtBot, found: list[Rect | None]) -> Iterator[RegionPicker]:
    made = RegionPicker(theme, done=found.append)
    made.open()
    for window in made.windows:
        qtbot.waitExposed(window)
    yield made
    assert not made.windows
    assert not any(isinstance(left, RegionWindow) for left in QApplication.topLevelWidgets()), "gone when it is done"


def test_a_region_is_drawn(picker: RegionPicker, found: list[Rect | None], qtbot: QtBot) -> None:
    (window,) = picker.windows
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    qtbot.mouseMove(window, QPoint(100, 80))
    assert picker.region == Rect(100, 80, 300, 200)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=QPoint(100, 80))
    assert found == [Rect(100, 80, 300, 200)]


@pytest.mark.parametrize(
    ("system", "region"),
    [
        ("darwin", Rect(1110, 20, 1210, 220)),  # points
        ("linux", Rect(1220, 40, 1420, 440)),
        ("win32", Rect(1220, 40, 1420, 440)),
    ],
)
def test_a_region_on_a_scaled_monitor_is_in_the_units_of_the_desktop(
    monkeypatch: pytest.MonkeyPatch, system: str, region: Rect
) -> None:
    beside: Any = SimpleNamespace(geometry=lambda: QRect(1000, 0, 640, 400), devicePixelRatio=lambda: 2.0)
    monkeypatch.setattr(sys, "platform", system)
    found = desktop_pixels(QRect(1110, 20, 100, 200), beside)
    monkeypatch.undo()
    assert found == region


def test_where_the_desktop_has_points_only_the_size_of_the_whole_app_counts(
    monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    beside: Any = SimpleNamespace(geometry=lambda: QRect(1000, 0, 640, 400), devicePixelRatio=lambda: 3.0)
    monkeypatch.setattr(sys, "platform", "darwin")
    qapp.setProperty(SCALE_PROPERTY, 1.5)
    try:
        found = desktop_pixels(QRect(1110, 20, 100, 200), beside)
    finally:
        qapp.setProperty(SCALE_PROPERTY, None)
    assert found == Rect(1165, 30, 1315, 330)


def test_a_region_is_drawn_from_the_panel(app: App) -> None:
    panel = ask(app)
    choose(panel, "region")
    next(b for b in panel.findChildren(QAbstractButton) if b.text() == "Draw …").click()
    assert not app.window.isVisible()  # out of the way

    def picker() -> RegionWindow | None:
        gc.collect()
        return next((w for w in QApplication.topLevelWidgets() if isinstance(w, RegionWindow)), None)

    app.qtbot.waitUntil(lambda: picker() is not None)
    shown = picker()
    assert shown is not None
    assert shown.isVisible()
    app.qtbot.mousePress(shown, Qt.MouseButton.LeftButton, pos=QPoint(10, 20))
    app.qtbot.mouseMove(shown, QPoint(110, 220))
    app.qtbot.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=QPoint(110, 220))
    assert app.window.isVisible()
    assert str(panel.area.area()) == "region:10,20,100x200"


def test_esc_and_a_mere_click_pick_nothing(picker: RegionPicker, found: list[Rect | None], qtbot: QtBot) -> None:
    (window,) = picker.windows
    qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert found == []
    assert window.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert found == [None]


class HandDesktop:
    """A recording desktop that opens when it is asked for."""

    def __init__(self, *, wanted: bool = False, why_not: str = "") -> None:
        self.wanted, self.is_open, self._why_not = wanted, False, why_not

    def display(self) -> str | None:
        if self.wanted and self._why_not:
            raise CaptureError(self._why_not, hint="Install openbox.")
        self.is_open = self.wanted
        return ":7" if self.wanted else None

    def close(self) -> None:
        self.is_open = False


def shown(panel: StartPanel) -> set[str]:
    """The words that can be read or pressed."""
    parts = [*panel.findChildren(QLabel), *panel.findChildren(QAbstractButton)]
    return {part.text() for part in parts if part.isVisible()}


def test_a_desktop_of_its_own_is_chosen_and_opened(app: App) -> None:
    panel = ask(app)
    desktop = HandDesktop()
    panel._services.desktop = desktop  # type: ignore[assignment]
    choose(panel, "region")
    panel.desktop.click()
    app.settle()
    assert desktop.wanted
    assert not desktop.is_open, "a window that opens by itself would take the keyboard"
    assert not panel.area.isVisible(), "monitors and regions are those of the session"
    assert panel.plan().area == EVERYTHING
    assert any("Stop in the panel of the desktop" in words for words in shown(panel))
    next(one for one in panel.findChildren(QAbstractButton) if one.text() == "Open it now").click()
    app.settle()
    assert desktop.is_open
    panel.desktop.click()
    assert panel.area.isVisible()
    assert "Open it now" not in shown(panel)


def test_a_desktop_that_does_not_open_says_why(app: App) -> None:
    panel = ask(app)
    panel._services.desktop = HandDesktop(why_not="No window manager is installed.")  # type: ignore[assignment]
    panel.desktop.click()
    app.settle()
    next(one for one in panel.findChildren(QAbstractButton) if one.text() == "Open it now").click()
    app.settle()
    assert any("No window manager is installed. Install openbox." in words for words in shown(panel))

"""The bar and what hangs on it: steps, health, menus, pop-ups; every hot-key does what its name says."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from annotator.ui.recording.floating import Floating, snapped
from annotator.ui.recording.panels import RecordedSteps
from annotator.ui.recording.recorder_bar import Readout
from annotator.ui.recording.tray import STATE_WORDS
from annotator.ui.services import RecordingPlan
from annotator.ui.theme.manager import Theme
from demopack.domain.actions import PressKeyAction
from demopack.domain.steps import Step
from demopack.domain.words import variable_name
from demopack.settings import HotkeySettings
from tests.gui.conftest import App
from tests.support.fake_recorder import FakeRecorder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def running(app: App) -> Any:
    """A recording that runs."""
    app.window.library_page.panel.start_wanted.emit(RecordingPlan(task="Order a book"))
    app.settle()
    yield app
    if app.window.desk.active:
        app.window.desk.stop()
        app.settle()
        app.settle()


def recorder(app: App) -> FakeRecorder:
    return app.recorders[-1]


def press(window: Floating, name: str) -> None:
    next(b for b in window.findChildren(QAbstractButton) if b.accessibleName() == name and b.isVisible()).click()


def hotkey(app: App, meaning: str) -> None:
    recorder(app).on_hotkey(meaning)
    app.settle()


def test_no_window_of_the_bar_takes_the_focus_but_the_pop_up(running: App) -> None:
    desk = running.window.desk
    for window in (desk.bar, desk.steps, desk.health, desk.menu, desk.tray.menu):
        assert window.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus
        assert window.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
        assert window.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        # Only the tips of the active window are shown otherwise, and these never are.
        assert window.testAttribute(Qt.WidgetAttribute.WA_AlwaysShowToolTips)
    assert not desk.prompt.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus


def test_the_list_follows_the_steps_and_shows_doubt(running: App) -> None:
    desk = running.window.desk
    press(desk.bar, "Show the steps")
    assert desk.steps.isVisible()
    empty = desk.steps.height()
    recorder(running).press("Enter")
    recorder(running).press("Ctrl+S", settled=False)
    running.qtbot.waitUntil(lambda: desk.steps.model.rowCount() == 2)
    first, last = (desk.steps.model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(2))
    assert first.partition("\n")[0] == "Pressed Enter"
    assert "The screen was still changing when the next step began." in last
    assert "still changing" in desk.steps.model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert desk.steps.height() > empty
    assert desk.bar.readout.words == "2 steps Pressed Ctrl+S"
    press(desk.bar, "Hide the steps")
    assert not desk.steps.isVisible()


def test_the_open_list_is_remembered_and_moves_with_the_bar(running: App) -> None:
    desk = running.window.desk
    press(desk.bar, "Show the steps")
    before = desk.steps.pos()
    desk.bar.move(desk.bar.pos() + QPoint(20, 60))
    assert desk.steps.pos() - before == QPoint(20, 60)
    desk.bar.set_small(small=True)
    assert not desk.steps.isVisible()  # a dot has nothing hanging on it
    desk.bar.set_small(small=False)
    assert desk.steps.isVisible()
    assert running.window._places.value("recorder_steps") in {True, "true"}


def test_a_note_is_asked_for_and_kept(running: App) -> None:
    desk = running.window.desk
    recorder(running).press("Enter")
    hotkey(running, "note")
    running.qtbot.waitUntil(desk.prompt.isVisible)
    assert desk.prompt.title.text() == "Note on step 1: Pressed Enter"
    running.qtbot.keyClicks(desk.prompt.field, "It sends the form")
    running.qtbot.keyClick(desk.prompt.field, Qt.Key.Key_Return)
    running.settle()
    assert not desk.prompt.isVisible()
    assert recorder(running).steps[0].note == "It sends the form"
    running.qtbot.waitUntil(lambda: desk.steps.model.steps[0].note == "It sends the form")
    assert desk.bar.readout.line == "Note kept on step 1"


def test_esc_leaves_the_note_unwritten(running: App) -> None:
    desk = running.window.desk
    recorder(running).press("Enter")
    press(desk.bar, "Write a note")
    running.qtbot.keyClicks(desk.prompt.field, "nothing")
    running.qtbot.keyClick(desk.prompt.field, Qt.Key.Key_Escape)
    running.settle()
    assert not desk.prompt.isVisible()
    assert recorder(running).steps[0].note == ""


def test_a_variable_is_named_after_the_field(running: App) -> None:
    desk = running.window.desk
    recorder(running).type_text("Ada Lovelace", field="Last name:")
    recorder(running).press("Enter")
    hotkey(running, "variable")
    running.qtbot.waitUntil(desk.prompt.isVisible)
    assert desk.prompt.title.text() == "Name for what was typed: “Ada Lovelace”"
    assert desk.prompt.field.text() == "last_name"
    recorder(running).steps.pop()  # the recorder marks what was typed last
    desk.prompt.field.setText("Family name")
    running.qtbot.keyClick(desk.prompt.field, Qt.Key.Key_Return)
    running.settle()
    assert recorder(running).steps[0].variable == "family_name"
    running.qtbot.waitUntil(lambda: desk.bar.readout.line == "{family_name} is typed in step 1")


def test_the_suggestion_comes_when_the_text_is_only_now_saved(running: App) -> None:
    desk = running.window.desk
    hotkey(running, "variable")
    running.qtbot.waitUntil(desk.prompt.isVisible)
    assert desk.prompt.field.text() == ""
    recorder(running).type_text("Ada", field="Name")
    running.qtbot.waitUntil(lambda: desk.prompt.field.text() == "name")
    running.qtbot.keyClicks(desk.prompt.field, "mine")
    recorder(running).type_text("Countess", field="Title")
    running.settle()
    assert desk.prompt.field.text() == "mine"  # what a person writes is not replaced


def test_a_name_without_letters_is_not_taken(running: App) -> None:
    desk = running.window.desk
    recorder(running).type_text("Ada")
    hotkey(running, "variable")
    running.qtbot.waitUntil(desk.prompt.isVisible)
    desk.prompt.field.setText("!!")
    running.qtbot.keyClick(desk.prompt.field, Qt.Key.Key_Return)
    assert desk.prompt.isVisible()
    assert recorder(running).steps[0].variable == ""


def test_the_input_is_borrowed_and_given_back(running: App, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, calls = running.window.desk, []

    class Loan:
        def take(self, window: int) -> None:
            calls.append("take" if window == int(desk.prompt.winId()) else "wrong window")

        def give_back(self) -> None:
            calls.append("give back")

    monkeypatch.setattr("annotator.ui.recording.panels.borrow_focus", Loan)
    desk.ask("note")
    running.qtbot.keyClick(desk.prompt.field, Qt.Key.Key_Escape)
    assert calls == ["take", "give back"]


def test_shots_are_taken_at_once_or_counted_down(running: App) -> None:
    desk = running.window.desk
    hotkey(running, "shot")
    running.qtbot.waitUntil(lambda: recorder(running).shots == [0.0])
    assert desk.bar.readout.countdown == 0
    press(desk.bar, "Add a shot")
    assert desk.menu.items == ("Picture now", "Picture in 3 s", "Picture in 5 s", "Picture in 10 s")
    press(desk.menu, "Picture in 3 s")
    assert not desk.menu.isVisible()
    assert recorder(running).shots == [0.0, 3]
    assert desk.bar.readout.countdown == 3
    assert desk.bar.readout.line == "Shot in 3 s"


def test_the_delay_of_the_settings_counts_for_the_hot_key(running: App) -> None:
    control = running.window.desk
    settings = control.settings
    control.settings = settings.model_copy(
        update={"recorder": settings.recorder.model_copy(update={"shot_delay_s": 5.0})}
    )
    hotkey(running, "shot")
    running.qtbot.waitUntil(lambda: recorder(running).shots == [5.0])


def test_forgetting_says_how_much_and_takes_it_off_the_list(running: App) -> None:
    desk = running.window.desk
    for key in ("A", "B", "C"):
        recorder(running).press(f"Ctrl+{key}")
    hotkey(running, "forget")
    running.qtbot.waitUntil(lambda: desk.bar.readout.line == "Forgot 2 steps")
    assert recorder(running).seconds == [30.0]
    assert [step.action.key_info for step in desk.steps.model.steps] == ["Ctrl+A"]
    assert desk.bar.readout.words == "1 step Pressed Ctrl+A"
    recorder(running).steps.clear()
    hotkey(running, "forget")
    running.qtbot.waitUntil(lambda: desk.bar.readout.line == "No saved step was forgotten")


def test_panic_pauses_and_forgets(running: App) -> None:
    desk = running.window.desk
    recorder(running).press("Enter")
    press(desk.bar, "More")
    press(desk.menu, "Panic pause")
    running.qtbot.waitUntil(lambda: desk.bar.state == "paused")
    running.qtbot.waitUntil(lambda: desk.bar.readout.line == "Paused. Forgot 1 step")
    assert recorder(running).seconds == [5.0]
    hotkey(running, "pause")
    running.qtbot.waitUntil(lambda: desk.bar.state == "recording")


def test_health_opens_what_is_wrong_and_how_to_mend_it(running: App) -> None:
    desk = running.window.desk
    press(desk.bar, "All is well")
    assert "All is well" in [part.text() for part in desk.health.parts]
    recorder(running).health = ["The disk is nearly full. Make room, then go on."]
    running.qtbot.waitUntil(lambda: "nearly full" in desk.health.parts[0].text(), timeout=10_000)
    assert [part.text() for part in desk.health.parts] == ["The disk is nearly full.", "Make room, then go on."]
    press(desk.bar, "The disk is nearly full. Make room, then go on.")
    assert not desk.health.isVisible()
    recorder(running).health = []
    running.qtbot.waitUntil(lambda: desk.bar.problems == [], timeout=10_000)


def test_a_panel_is_shown_at_a_time(running: App) -> None:
    desk = running.window.desk
    press(desk.bar, "Show the steps")
    press(desk.bar, "All is well")
    assert (desk.health.isVisible(), desk.steps.isVisible()) == (True, False)
    press(desk.bar, "All is well")
    assert (desk.health.isVisible(), desk.steps.isVisible()) == (False, True)


def test_the_tray_offers_what_can_be_done_in_each_state(app: App) -> None:
    desk = app.window.desk
    desk.tray.open_menu()
    assert desk.tray.menu.items == ("Record", "Open demopack")
    assert desk.tray.tip == "demopack: ready"
    press(desk.tray.menu, "Record")
    app.settle()
    app.qtbot.waitUntil(lambda: desk.bar.state == "recording")
    assert desk.tray.tip == "demopack: recording"
    desk.tray.open_menu()
    assert desk.tray.menu.items[0] == "00:00, 0 steps"
    assert {"Pause", "Stop and save", "Write a note …", "Picture now", "Panic pause"} <= set(desk.tray.menu.items)
    press(desk.tray.menu, "Pause")
    app.qtbot.waitUntil(lambda: desk.bar.state == "paused")
    desk.tray.open_menu()
    assert "Go on" in desk.tray.menu.items
    press(desk.tray.menu, "Stop and save")
    app.settle()
    app.settle()
    assert not app.window.desk.active
    assert not any(window.isVisible() for window in desk._windows())


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_every_state_has_a_colour_and_a_shape_of_its_own(theme: Theme, running: App, choice: Any) -> None:
    theme.choose(choice)
    tray = running.window.desk.tray
    pictures = set()
    for state in STATE_WORDS:
        tray.set_state(state)
        image = tray.picture().pixmap(32, 32).toImage()
        pictures.add(bytes(image.constBits()))
    assert len(pictures) == 4  # ready and stopped look the same


def test_tooltips_name_the_keys_that_are_set(running: App) -> None:
    bar = running.window.desk.bar
    bar.begin(replace_keys(pause="F7", note="Ctrl+Alt+N"))
    bar.set_state("recording")
    tips = [button.toolTip() for button in bar.findChildren(QAbstractButton)]
    assert "Pause (F7)" in tips
    assert "Write a note on the last step (Ctrl+Alt+N)" in tips


def replace_keys(**keys: str) -> HotkeySettings:
    return HotkeySettings().model_copy(update=keys)


def test_the_place_snaps_to_edges(qtbot: QtBot) -> None:
    room = QRect(0, 30, 1000, 700)
    size = QSize(360, 44)
    assert snapped(QPoint(10, 300), size, room) == QPoint(0, 300)
    assert snapped(QPoint(630, 300), size, room) == QPoint(640, 300)
    assert snapped(QPoint(300, 690), size, room) == QPoint(300, 686)
    assert snapped(QPoint(300, 300), size, room) == QPoint(300, 300)


def test_pauses_do_not_count(qtbot: QtBot) -> None:
    readout = Readout()
    qtbot.addWidget(readout)
    readout.begin()
    readout.set_state("recording")
    readout._before_s = 3_723.0
    readout.set_state("paused")
    assert readout.elapsed.startswith("1:02:03")
    stopped = readout.elapsed
    readout.say("Forgot 2 steps")
    assert readout.line == "Forgot 2 steps"
    readout._news_until = 0.0  # it has been there for a while
    assert (readout.line, readout.elapsed) == ("Paused", stopped)


def test_the_list_keeps_qts_contract(qtmodeltester: Any) -> None:
    model = RecordedSteps()
    qtmodeltester.check(model, force_py=True)
    for number in range(4):
        model.add(Step(id=str(number), position=number, action=PressKeyAction(key_info="Enter")))
    model.change(model.steps[2].model_copy(update={"note": "here"}))
    model.remove(["0", "3"])
    assert [step.id for step in model.steps] == ["1", "2"]
    assert model.steps[1].note == "here"


@pytest.mark.parametrize(
    ("text", "name"),
    [("Last name:", "last_name"), ("  E-mail ", "e_mail"), ("2nd try", "v_2nd_try"), ("Straße", "strasse"), ("!?", "")],
)
def test_variables_have_names_that_can_be_written(text: str, name: str) -> None:
    assert variable_name(text) == name


def test_a_count_that_does_not_fit_loses_its_word_not_a_letter(qtbot: QtBot) -> None:
    readout = Readout()
    qtbot.addWidget(readout)
    readout.show()
    readout.resize(400, 44)
    readout.show_steps(11, "")
    assert readout._time.text() == "00:00 · 11 steps"
    readout.resize(readout._time.fontMetrics().horizontalAdvance("00:00 · 11 step"), 44)
    assert readout._time.text() == "00:00 · 11"

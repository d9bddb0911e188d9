"""A demo done again from the library and the editor: read first, followed, held and stopped, looked at afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from annotator.replay_run import ReplayPlan
from annotator.ui.replay.replay_bar import ReplayBar
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.domain.actions import Action, LaunchAction, TypeAction
from demopack.domain.demos import Demo
from demopack.errors import CaptureError
from demopack.store import Library
from tests.gui.conftest import App, make_app
from tests.support.editing import SAMPLE
from tests.support.replaying import PlayedDemos
from tests.support.services import with_calls

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> PlayedDemos:
    return PlayedDemos(monkeypatch)


@pytest.fixture
def app(library: Library, theme: Theme, services: Services, played: PlayedDemos, qtbot: QtBot) -> Iterator[App]:
    made = make_app(library, theme, with_calls(services, replay=played.replay), qtbot)
    made.window.library_page.cards.select(SAMPLE)
    yield made
    made.window.close()
    made.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]


def ask(app: App) -> Any:
    """The page on which it is read what the selected demo does."""
    app.qtbot.keyClick(app.window.library_page.cards, "d", CTRL | SHIFT)
    app.settle()
    page = app.window.replay_page
    assert page.isVisible()
    return page


def start(app: App) -> None:
    app.qtbot.keyClick(app.window.replay_page.consent, Qt.Key.Key_Return, CTRL)


def do_again(app: App) -> Any:
    """Do the selected demo again; the page with what came of it."""
    ask(app)
    start(app)
    finish(app)
    return app.window.replay_page.result


def finish(app: App) -> None:
    app.qtbot.waitUntil(lambda: not app.window.replaying.active, timeout=20_000)
    app.settle()
    app.settle()


def texts(widget: QWidget) -> set[str]:
    return {label.text() for label in widget.findChildren(QLabel) if label.isVisible()}


def test_it_is_read_first_and_enter_starts_nothing(app: App, played: PlayedDemos) -> None:
    page = ask(app)
    assert {
        "Add Ada Lovelace as a customer from the United Kingdom",
        "It will use this screen's mouse and keyboard for 11 steps.",
        "Recorded in: customers",
        "types “Ada Lovelace” in customers",
        "presses Escape in customers",
    } <= texts(page.consent)
    (field,) = page.consent.values.fields.values()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        app.qtbot.keyClick(field, key)
    app.settle()
    assert (played.plans, app.window.isMinimized()) == ([], False)
    app.qtbot.keyClick(page.consent, Qt.Key.Key_Escape)
    assert app.window.library_page.isVisible()
    assert played.performer.done == []


def test_it_is_done_followed_and_marked(app: App, played: PlayedDemos) -> None:
    ask(app)
    start(app)
    assert app.window.isMinimized()
    bar = app.window.replaying.bar
    assert bar.isVisible()
    finish(app)
    result = app.window.replay_page.result
    assert not app.window.isMinimized()
    assert not bar.isVisible()
    assert result.isVisible()
    assert result.summary.text() == "✓  Done again: all 11 steps did what they did in the recording."
    assert [row.badge for row in result.steps.rows] == ["✓"] * 11
    assert all(row.caption.startswith("As recorded") for row in result.steps.rows)
    assert any("marked as done again" in text for text in texts(result))
    proof = app.library.demo(SAMPLE).head.proof
    assert proof is not None
    assert proof.holds_for(app.library.demo(SAMPLE).steps)
    typed = [word for word in played.performer.gestures() if word.startswith("'")]
    assert "".join(word[1] for word in typed) == "Ada Lovelace"


def test_what_differs_is_shown_on_both_pictures_and_opens_in_the_editor(app: App, played: PlayedDemos) -> None:
    played.spoilt = 3
    result = do_again(app)
    assert result.summary.text().startswith("≠  ")
    assert [row.badge for row in result.steps.rows[:3]] == ["✓", "✓", "≠"]
    assert result.steps.current == "3"
    assert app.library.demo(SAMPLE).head.proof is None
    app.settle()
    for picture in (result.recorded, result.now):
        assert picture.message == ""
        assert picture.differences.boxes
    assert result.recorded.differences.boxes == result.now.differences.boxes
    result._open.click()
    app.settle()
    assert app.page.session.demo_id == SAMPLE
    assert app.page.view.index == 2


def test_a_zoom_into_one_picture_shows_the_same_of_the_other(app: App) -> None:
    result = do_again(app)
    app.settle()
    app.qtbot.keyClick(result.now, Qt.Key.Key_Plus)
    one, other = result.now.viewport, result.recorded.viewport
    assert (one.scale, one.x, one.y) == (other.scale, other.x, other.y)
    app.qtbot.keyClick(result.recorded, Qt.Key.Key_Minus)
    assert result.now.viewport.scale == result.recorded.viewport.scale


def test_it_waits_goes_step_by_step_and_is_stopped(app: App, played: PlayedDemos) -> None:
    page = ask(app)
    page.consent.held.setChecked(True)
    start(app)
    windows, bar = app.window.replaying, app.window.replaying.bar

    def held_before(number: int) -> None:
        app.qtbot.waitUntil(lambda: bar.state == "held" and f"before step {number} " in bar.words, timeout=20_000)

    held_before(1)
    assert played.performer.gestures() == []
    bar.single.click()
    held_before(2)
    bar.single.click()
    held_before(3)
    assert bar.steps.count() == 11
    assert "as recorded" in bar.steps.item(1).toolTip()
    assert "Click “" in bar.words, "it is not done yet"
    bar.stop.click()
    finish(app)
    result = page.result
    assert result.summary.text() == "≠  Stopped after 2 of 11 steps."
    assert {row.caption for row in result.steps.rows[2:]} == {"not reached"}
    assert [row.title[:10] for row in result.steps.rows[:3]] == ["1  Clicked", "2  Typed “", "3  Click “"]
    assert not windows.active


def test_a_pause_holds_the_next_step_and_goes_on(app: App) -> None:
    page = ask(app)
    page.consent.held.setChecked(True)
    start(app)
    bar = app.window.replaying.bar
    app.qtbot.waitUntil(lambda: bar.state == "held", timeout=20_000)
    bar.pause.click()
    finish(app)
    assert page.result.summary.text().startswith("✓  Done again")


def test_why_it_cannot_begin_is_one_sentence(app: App, played: PlayedDemos) -> None:
    played.error = CaptureError("This is a Wayland session.", hint="Log in with an X11 session.")
    page = ask(app)
    start(app)
    finish(app)
    assert app.window.banner.text == "This is a Wayland session. Log in with an X11 session."
    assert page.consent.isVisible()
    assert not app.window.isMinimized()
    assert not app.window.replaying.bar.isVisible()


def test_closing_the_app_stops_it(app: App, played: PlayedDemos) -> None:
    page = ask(app)
    page.consent.held.setChecked(True)
    start(app)
    app.qtbot.waitUntil(lambda: app.window.replaying.bar.state == "held", timeout=20_000)
    app.window.close()
    assert played.performer.gestures() == []


def test_from_the_editor_and_back(app: App) -> None:
    page = app.open()
    page.view.go_to(4)
    app.qtbot.keyClick(page.canvas, "d", CTRL | SHIFT)
    app.settle()
    start(app)
    finish(app)
    result = app.window.replay_page.result
    assert result.isVisible()
    app.qtbot.keyClick(result.steps, Qt.Key.Key_Escape)
    assert app.page.isVisible()
    assert app.page.view.index == 4
    # The mark was written beside the editor, which goes on from there.
    app.qtbot.keyClick(app.page.canvas, Qt.Key.Key_Space)
    assert app.stored().steps[4].review == "approved"
    assert app.window.banner.text == ""


def variable(app: App, field: QWidget, text: str) -> None:
    field.clear()  # type: ignore[attr-defined]
    app.qtbot.keyClicks(field, text)


def test_another_value_is_shown_before_and_typed(app: App, played: PlayedDemos) -> None:
    page = ask(app)
    (field,) = page.consent.values.fields.values()
    variable(app, field, "Bo Li")
    app.qtbot.waitUntil(lambda: "types “Bo Li” in customers" in texts(page.consent))
    start(app)
    finish(app)
    assert played.plans[0].values == {"full_name": "Bo Li"}
    typed = [word for word in played.performer.gestures() if word.startswith("'")]
    assert "".join(word[1] for word in typed) == "Bo Li"
    assert app.library.demo(SAMPLE).head.proof is None, "another demo was done"
    assert page.result.steps.rows[1].title == "2  Typed “Bo Li” in “Full name” (input field)"


def test_once_for_each_row_and_what_became_of_each(app: App, played: PlayedDemos, tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("Who,Town\nAda Lovelace,London\nBo Li,Oslo\n", encoding="utf-8")
    page = ask(app)
    form = page.consent.values
    form.pick = lambda _: path
    form._choose.click()
    app.settle()
    assert not page.consent.start.isEnabled(), "no column is chosen yet"
    (source,) = form.sources.values()
    source.setCurrentIndex(source.findData("Who"))
    assert page.consent.start.isEnabled()
    shown = "Row 1: full_name “Ada Lovelace”\nRow 2: full_name “Bo Li”"
    assert {"Once for each of 2 rows in customers.csv", shown} <= texts(page.consent)
    start(app)
    finish(app)
    result = page.result
    rows = [(row.title, row.badge) for row in result.rows.rows]
    # The pictures show the recorded name: what became of the second is another text.
    assert rows[0] == ("1  full_name “Ada Lovelace”", "done")
    assert rows[1][0] == "2  full_name “Bo Li”"
    result.rows.select("1")
    assert result.steps.rows[1].title == "2  Typed “Ada Lovelace” in “Full name” (input field)"
    result.rows.select("2")
    assert result.steps.rows[1].title == "2  Typed “Bo Li” in “Full name” (input field)"


def test_a_row_that_failed_waits_for_a_word(app: App, played: PlayedDemos, tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text("full_name\nAda Lovelace\nAda Lovelace\n", encoding="utf-8")
    played.spoilt = 3
    page = ask(app)
    page.consent.values.open_table(path)
    app.settle()
    start(app)
    finish(app)
    result = page.result
    assert [row.badge for row in result.rows.rows] == ["failed", "not done yet"]
    assert result.rows.current == "1"
    played.spoilt = 0
    before = len(played.performer.gestures())
    result._decide.button(2).click()  # it is done
    assert result.rows.rows[0].badge == "It is done"
    result._go_on.click()
    finish(app)
    assert [row.badge for row in result.rows.rows] == ["done", "done"]
    typed = "".join(word[1] for word in played.performer.gestures()[before:] if word.startswith("'"))
    assert typed == "Ada Lovelace", "the first was not done again"


def test_a_table_that_cannot_be_read_is_told_where_it_was_chosen(app: App, tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("full_name\n", encoding="utf-8")
    page = ask(app)
    page.consent.values.open_table(path)
    app.settle()
    assert any("holds no rows" in text for text in texts(page.consent))
    assert page.consent.start.isEnabled(), "once is still possible"


def test_the_bar_goes_where_nothing_is_done(theme: Theme, qtbot: QtBot) -> None:
    bar = ReplayBar(theme)
    bar.begin(abort_key="Ctrl+Alt+Escape")
    qtbot.waitExposed(bar)
    first = bar.geometry()
    bar.show_steps(["one", "two"], pointers=[first.center()])
    second = bar.geometry()
    assert not second.contains(first.center())
    bar.clear(second.center())
    assert not bar.geometry().contains(second.center())
    assert not bar.geometry().contains(first.center())
    bar.clear(QPoint(1, bar.geometry().center().y() + 300))
    bar.show_list(shown=True)
    assert bar.steps.isVisible()
    room = bar.screen().availableGeometry()
    assert room.contains(bar.geometry())
    bar.close()
    bar.deleteLater()


def with_step(demo: Demo, number: int, action: Action) -> Demo:
    """The demo with another action in a step, counted from 1."""
    steps = list(demo.steps)
    steps[number - 1] = steps[number - 1].but(action=action)
    return Demo(head=demo.head, steps=tuple(steps), elements=demo.elements, parsed=demo.parsed)


def test_a_program_is_started_only_where_its_box_has_a_tick(app: App) -> None:
    page = ask(app)
    demo = with_step(app.library.demo(SAMPLE), 1, LaunchAction(app="gedit notes & more.txt"))
    page.consent.show_demo(demo, abort_key="Ctrl+Alt+Escape")
    plans: list[ReplayPlan] = []
    page.consent.start_wanted.disconnect()
    page.consent.start_wanted.connect(plans.append)
    ((command, box),) = page.consent.launches.items()
    assert (command, box.text(), box.isChecked()) == (
        "gedit notes & more.txt", "Step 1: gedit notes && more.txt", False,
    )  # fmt: skip
    start(app)
    box.click()
    start(app)
    assert [plan.may_launch for plan in plans] == [frozenset(), frozenset({"gedit notes & more.txt"})]


def test_a_secret_is_asked_for_and_shown_nowhere(app: App) -> None:
    page = ask(app)
    demo = with_step(app.library.demo(SAMPLE), 2, TypeAction(text_to_type="<secret:password>"))
    page.consent.show_demo(demo, abort_key="Ctrl+Alt+Escape")
    (field,) = page.consent.values.fields.values()
    assert field.echoMode() == QLineEdit.EchoMode.Password
    plans: list[ReplayPlan] = []
    page.consent.start_wanted.disconnect()
    page.consent.start_wanted.connect(plans.append)
    app.qtbot.keyClicks(field, "hunter22")
    app.qtbot.waitUntil(lambda: not page.consent._soon.isActive())
    assert not any("hunter22" in text for text in texts(page.consent))
    start(app)
    assert list(plans[0].values.values()) == ["hunter22"]
    assert "hunter22" not in repr(plans[0])


def test_a_value_that_is_nowhere_is_asked_for_before_anything_is_done(
    app: App, played: PlayedDemos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.language.servers.key_in_ring", lambda _: "")
    hidden = with_step(app.library.demo(SAMPLE), 2, TypeAction(text_to_type="<secret:password>"))
    monkeypatch.setattr(app.library, "demo", lambda _: hidden)
    ask(app)
    start(app)
    finish(app)
    assert "does not have the value of" in app.window.banner.text
    assert played.performer.done == []


def test_the_same_key_reads_it_once_more(app: App) -> None:
    result = do_again(app)
    app.qtbot.keyClick(result.steps, "d", CTRL | SHIFT)
    app.settle()
    assert app.window.replay_page.consent.isVisible()


def test_stopped_before_its_first_step_it_leaves_everything_as_it_was(app: App, played: PlayedDemos) -> None:
    played.countdown_s = 600
    page = ask(app)
    start(app)
    bar = app.window.replaying.bar
    app.qtbot.waitUntil(lambda: bar.words.startswith("Starting in 600 s"), timeout=20_000)
    bar.stop.click()
    finish(app)
    assert page.consent.isVisible()
    assert (app.window.isMinimized(), bar.isVisible(), app.window.banner.text) == (False, False, "")
    assert played.performer.done == []


def test_while_a_demo_is_done_again_nothing_else_is_recorded_or_done(app: App, played: PlayedDemos) -> None:
    page = ask(app)
    page.consent.held.setChecked(True)
    start(app)
    bar = app.window.replaying.bar
    app.qtbot.waitUntil(lambda: bar.state == "held", timeout=20_000)
    start(app)
    app.window.desk.record_wanted.emit()
    assert app.recorders == []
    bar.pause.click()
    finish(app)
    assert len(played.plans) == 1

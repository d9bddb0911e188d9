"""After a recording: the strip, the outcome, accepting and discarding, the film, and recording again from a step."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from annotator.step_order import DeleteSteps
from annotator.ui.services import RecordingPlan
from demopack.errors import CaptureError
from tests.gui.conftest import App
from tests.support.editing import SAMPLE, TINY
from tests.support.fake_recorder import FakeRecorder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def button(root: QWidget, name: str) -> QAbstractButton:
    return next(b for b in root.findChildren(QAbstractButton) if name in {b.accessibleName(), b.text()})


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def record(app: App, *keys: str) -> Any:
    """Record some keys and stop; returns the recorder."""
    app.window.library_page.panel.start_wanted.emit(RecordingPlan(task="Press keys"))
    return go_on(app, *keys)


def go_on(app: App, *keys: str, die: bool = False) -> Any:
    app.qtbot.waitUntil(lambda: bool(app.recorders) and app.window.recorder_bar.state == "recording")
    recorder = app.recorders[-1]
    for key in keys:
        recorder.press(key)
    if die:
        recorder.die()
    else:
        button(app.window.recorder_bar, "Stop and save").click()
    app.qtbot.waitUntil(lambda: not app.window.isMinimized())
    for _ in range(4):  # joined, read, opened, film
        app.settle()
    return recorder


def keys_of(app: App, demo_id: str) -> list[str]:
    """Keys of the demo's steps; ``.`` for the end."""
    return [s.action.parameters.get("key_info", ".") for s in app.stored(demo_id).steps]


# The strip ------------------------------------------------------------------------------------------------------------


def test_after_a_recording_the_strip_says_what_it_was_until_it_is_accepted(app: App) -> None:
    recorder = record(app, "A", "B")
    strip = app.page.review.strip
    assert strip.isVisible()
    assert strip._words.text().startswith("Recorded 2 steps")
    assert strip._doubts.text() == "2 doubtful"  # the recorder of the tests takes no pictures
    QTest.keyClick(
        app.page.canvas, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert app.stored(recorder.demo_id).head.accepted
    assert not strip.isVisible()
    app.page.context.keyring.actions["undo"].trigger()
    app.settle()
    assert strip.isVisible()
    assert not app.stored(recorder.demo_id).head.accepted


def test_finished_failed_and_why_are_said_in_the_strip(app: App, page: Any) -> None:
    strip = page.review.strip
    button(strip, "How it ended: Failed").click()
    reason = next(f for f in strip.findChildren(QLineEdit) if f.accessibleName() == "Why it failed")
    assert reason.hasFocus()
    app.qtbot.keyClicks(reason, "Sold out")
    QTest.keyClick(reason, Qt.Key.Key_Return)
    demo = app.stored()
    assert (demo.head.outcome, demo.head.outcome_reason) == ("failure", "Sold out")
    assert demo.steps[-1].action.parameters == {"status": "failure"}
    button(strip, "How it ended: Open").click()
    assert app.stored().steps[-1].action.action_type != "finish_goal"
    assert not reason.isVisible()
    button(strip, "How it ended: Finished").click()
    assert app.stored().steps[-1].action.parameters == {}


def test_doubtful_steps_are_walked_through(app: App, page: Any) -> None:
    assert page.review.strip._doubts.text() == "1 doubtful"
    QTest.keyClick(page.canvas, Qt.Key.Key_J)
    assert page.view.index == 7
    QTest.keyClick(page.canvas, Qt.Key.Key_J)
    assert page.view.index == 7  # the only one


def test_a_discarded_recording_can_be_had_back_or_erased(app: App) -> None:
    recorder = record(app, "A")
    button(app.page.review.strip, "Discard this recording").click()
    app.settle()
    assert app.window.editor is None
    library = app.window.library_page
    assert recorder.demo_id not in [s.head.id for s in app.library.demos()]
    assert app.window.toast.act()
    app.settle()
    assert recorder.demo_id in [s.head.id for s in app.library.demos()]
    library.cards.acted.emit("delete", recorder.demo_id)
    app.settle()
    button(library, "Recently deleted demos").click()
    app.settle()
    assert library.showing_deleted
    library.cards.select(recorder.demo_id)
    assert "until they are erased" in library.selection_bar.words.text()
    asked: list[str] = []
    actions = app.window.library_actions
    actions.consent = lambda _, summary: bool(asked.append(summary.head.id))
    QTest.keyClick(library.cards, Qt.Key.Key_Delete)
    app.settle()
    assert asked == [recorder.demo_id]
    assert [s.head.id for s in app.library.demos(deleted=True)] == [recorder.demo_id]  # not without consent
    actions.consent = lambda *_: True
    button(library.selection_bar, "Erase for good …").click()
    app.settle()
    app.settle()
    assert app.library.demos(deleted=True) == []
    assert library.cards.model().rowCount() == 0
    button(library, "Recently deleted demos").click()
    app.settle()
    assert library.cards.model().rowCount() == 2


def test_a_deleted_demo_is_restored_from_the_list(app: App) -> None:
    library = app.window.library_page
    library.cards.acted.emit("delete", TINY)
    app.settle()
    library.show_deleted(deleted=True)
    app.settle()
    library.cards.select(TINY)
    QTest.keyClick(library.cards, Qt.Key.Key_Return)  # what Enter does to a deleted demo
    app.settle()
    app.settle()
    assert TINY in [s.head.id for s in app.library.demos()]
    assert library.cards.model().rowCount() == 0


# The film -------------------------------------------------------------------------------------------------------------


def test_the_film_is_walked_through_and_its_picture_used(app: App, page: Any) -> None:
    film = page.review.film
    page.view.go_to(2)
    QTest.keyClick(page.canvas, Qt.Key.Key_K)
    assert film.isVisible()
    here = page.view.step
    assert film.reel[film.place].frame.id == here.before.id
    QTest.keyClick(page.canvas, Qt.Key.Key_Comma)
    other = page.view.frame
    assert page.view.peeked == other
    assert other.id != here.before.id
    assert page.view.step == here  # looked at beside the step
    QTest.keyClick(page.canvas, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    assert app.stored().steps[2].before.id == other.id
    assert page.view.peeked is None
    QTest.keyClick(page.canvas, Qt.Key.Key_Period)
    QTest.keyClick(page.canvas, Qt.Key.Key_Escape)
    assert page.view.peeked is None
    page.context.keyring.actions["undo"].trigger()
    app.settle()
    assert app.stored().steps[2] == here


def test_the_film_is_played_to_its_end(app: App, page: Any) -> None:
    film = page.review.film
    page.view.go_to(9)
    page.view.set_side("after")
    film.walk(100)
    film.walk(-2)
    start = film.place
    QTest.keyClick(page.canvas, Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier)
    assert film.playing
    app.qtbot.waitUntil(lambda: not film.playing, timeout=20_000)
    assert film.place == len(film.reel) - 1 == start + 2
    QTest.keyClick(page.canvas, Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier)  # at the end: from the start
    assert film.playing
    page.view.go_to(3)  # leaving stops it
    assert not film.playing


# Recording again ------------------------------------------------------------------------------------------------------


def test_recording_again_from_a_step_replaces_the_old_end_and_one_undo_brings_it_back(app: App) -> None:
    first = record(app, "A", "B", "C")
    page = app.page
    old = app.stored(first.demo_id)
    page.view.go_to(1)
    QTest.keyClick(page.canvas, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    prepare = page.review.prepare
    assert "before step 2" in prepare._words.text()
    assert not page.review.strip.isVisible()
    button(prepare, "Start recording").click()
    app.qtbot.waitUntil(lambda: len(app.recorders) == 2)
    assert app.recorders[1].plan.take_of == first.demo_id
    assert app.recorders[1].plan.take_after == old.steps[0].id
    take = go_on(app, "X", "Y")
    assert keys_of(app, first.demo_id) == ["A", "X", "Y"]
    assert take.demo_id not in [s.head.id for s in app.library.demos()]
    assert (app.page.session.demo_id, app.page.view.index) == (first.demo_id, 1)
    app.page.context.keyring.actions["undo"].trigger()
    app.settle()
    assert app.stored(first.demo_id) == old
    app.page.context.keyring.actions["redo"].trigger()
    app.settle()
    assert keys_of(app, first.demo_id) == ["A", "X", "Y"]


def test_esc_leaves_everything_as_it_is(app: App, page: Any) -> None:
    page.view.go_to(3)
    page.context.keyring.actions["rerecord"].trigger()
    QTest.keyClick(page.review.prepare, Qt.Key.Key_Escape)
    assert not page.review.prepare.isVisible()
    assert page.review.strip.isVisible()
    assert app.recorders == []


def test_the_global_key_starts_what_is_prepared(app: App, page: Any) -> None:
    page.view.go_to(3)
    page.context.keyring.actions["rerecord"].trigger()
    app.window.desk.record_wanted.emit()
    app.qtbot.waitUntil(lambda: len(app.recorders) == 1)
    assert app.recorders[0].plan.take_after == page.session.document.steps[2].id
    go_on(app, "X")
    assert [s.action.action_type for s in app.stored().steps][3:] == ["press_key"]


def test_nothing_recorded_changes_nothing(app: App, page: Any) -> None:
    before = app.stored()
    page.view.go_to(3)
    page.context.keyring.actions["rerecord"].trigger()
    button(page.review.prepare, "Start recording").click()
    go_on(app)
    assert "Nothing was recorded" in app.window.toast.text
    assert app.stored() == before
    assert len(app.library.demos()) == 2


def test_a_take_that_was_cut_off_waits_in_the_library(app: App, page: Any) -> None:
    before = app.stored()
    page.review.take_wanted.emit(before.steps[2].id)
    take = go_on(app, "X", die=True)
    assert app.stored() == before
    assert "can no longer be captured" in app.window.banner.text
    app.page.back_wanted.emit()
    app.settle()
    library = app.window.library_page
    library.cards.select(take.demo_id)
    assert "This is a take" in library.selection_bar.words.text()
    button(library.selection_bar, "Join").click()
    app.settle()
    app.settle()
    demo = app.stored()
    assert [s.id for s in demo.steps] == [*(s.id for s in before.steps[:3]), take.steps[0].id]
    assert demo.head.status == "partial"
    assert app.page.session.demo_id == SAMPLE
    app.settle()
    assert "what was done after step 4 is missing" in app.page.review.strip._missing.text()


def test_an_open_take_offers_to_join_and_is_kept_when_it_cannot(app: App, page: Any) -> None:
    after = app.stored().steps[2].id
    page.review.take_wanted.emit(after)
    take = go_on(app, "X", die=True)
    app.page.session.do(DeleteSteps(step_ids=(after,)))
    app.settle()
    app.window.open_demo(take.demo_id)
    app.settle()
    app.settle()
    strip = app.page.review.strip
    assert strip._words.text().startswith("Take of another demo")
    button(strip, "Join").click()
    app.settle()
    app.settle()
    assert "was deleted meanwhile" in app.window.banner.text
    library = app.window.library_page
    library.cards.select(take.demo_id)
    button(library.selection_bar, "Keep as a demo").click()
    app.settle()
    app.settle()
    assert app.library.demo(take.demo_id).head.take_of == ""
    assert "is:take" not in library.selection_bar.words.text()


def test_a_failed_start_leaves_the_demo_open(app: App, page: Any) -> None:
    FakeRecorder.refuse = CaptureError("The screen cannot be captured.", hint="")
    try:
        page.review.take_wanted.emit(app.stored().steps[2].id)
        app.qtbot.waitUntil(lambda: "cannot be captured" in app.window.banner.text)
        app.settle()
    finally:
        FakeRecorder.refuse = None
    assert app.window.editor is page
    assert not app.window.isMinimized()

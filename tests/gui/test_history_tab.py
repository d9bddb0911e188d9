"""The history tab shows every edit, goes back to any of them, says what changed, and notices another window."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement, DeleteElements
from annotator.editing import EditSession
from annotator.step_commands import ReviewStep, SetRationale, SetTask
from annotator.ui.editor.history.history_feature import HistoryFeature
from annotator.ui.editor.history.history_lists import ChangesModel, HistoryModel
from demopack.store import Library, LogLine
from tests.gui.conftest import App
from tests.support.editing import SAMPLE, HandStore, element


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def feature(page: Any) -> HistoryFeature:
    return page.context.feature(HistoryFeature)


def texts(model: Any) -> list[str]:
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def edit(app: App) -> None:
    """Four edits of four things."""
    page = app.page
    session, step = page.session, page.session.document.steps[0]
    session.do(AddElement(element=element("el_new", (600, 500, 640, 520), frame=step.before.id)))
    session.do(SetAttribute(uids=("el_new",), name="text", value="Fresh"))
    session.do(SetRationale(step_id=step.id, text="Because."))
    session.do(SetTask(text="Another task"))
    app.settle()


def show_tab(app: App) -> Any:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "h")
    app.settle()
    return feature(app.page)


def click(app: App, view: Any, place: int) -> None:
    index = view.model().index(place)
    view.scrollTo(index)
    app.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    app.settle()


def go(app: App, panel: Any, place: int) -> None:
    click(app, panel.edit_list, place)
    panel.go.click()
    app.settle()


def test_every_edit_is_a_row_newest_first_and_undone_ones_are_grey(app: App, page: Any) -> None:
    edit(app)
    panel = show_tab(app)
    model = panel.edits
    assert texts(model) == [
        "Reword the task",
        "Write the rationale of step 1",
        "Set the text of the button to “Fresh”",
        "Draw a box (button)",
        "As it was before the first edit",
    ]
    page.session.undo()
    app.settle()
    assert [model.row_at(row).state for row in range(4)] == ["undone", "done", "done", "done"]
    assert model.place_of_here() == 1
    page.session.do(ReviewStep(step_id=page.session.document.steps[0].id, review="approved"))
    app.settle()
    assert texts(model)[:2] == ["Approve step 1", "Reword the task"]
    assert model.row_at(1).state == "left"
    assert "you" in model.index(0).data(Qt.ItemDataRole.ToolTipRole)


def test_a_click_shows_what_an_edit_was_about_and_changes_nothing(app: App, page: Any) -> None:
    edit(app)
    after, lines = app.stored(), app.library.log.lines(SAMPLE)
    panel = show_tab(app)
    page.view.go_to(5)
    for place in (3, 4, 0):
        click(app, panel.edit_list, place)
        if place == 3:
            assert (page.view.index, page.view.selection) == (0, ("el_new",))
        assert app.stored() == after == page.session.document.demo()
    assert app.library.log.lines(SAMPLE) == lines


def test_go_here_goes_back_and_forward_and_shows_what_it_was_about(app: App, page: Any) -> None:
    before = app.stored()
    edit(app)
    after = app.stored()
    panel = show_tab(app)
    page.view.go_to(5)
    go(app, panel, 3)
    assert (page.view.index, page.view.selection) == (0, ("el_new",))
    assert page.session.document.element("el_new").text is None
    go(app, panel, 4)
    assert app.stored() == before == page.session.document.demo()
    panel.edit_list.setCurrentIndex(panel.edits.index(0))
    app.qtbot.keyClick(panel.edit_list, Qt.Key.Key_Return)
    assert app.stored() == after == page.session.document.demo()
    assert panel.edits.place_of_here() == 0


def test_what_was_left_behind_comes_back_by_one_edit(app: App, page: Any) -> None:
    edit(app)
    for _ in range(4):
        page.session.undo()
    app.settle()
    page.session.do(SetTask(text="A third task"))
    app.settle()
    panel = show_tab(app)
    go(app, panel, 2)  # the rationale, left
    assert page.session.document.steps[0].rationale.reasoning == "Because."
    assert texts(panel.edits)[0] == "Return to “Write the rationale of step 1”"
    page.session.undo()
    app.settle()
    assert app.stored().head.task == "A third task"
    assert app.stored() == page.session.document.demo()


def test_rows_are_narrowed_by_words_and_by_time(app: App, page: Any) -> None:
    edit(app)
    panel = show_tab(app)
    panel.words.setText("rationale STEP")
    app.qtbot.waitUntil(lambda: panel.edits.rowCount() == 2)
    panel.words.clear()
    panel.narrow()
    assert panel.edits.rowCount() == 5
    panel.since.setCurrentIndex(1)
    panel.since.activated.emit(1)
    assert panel.edits.rowCount() == 5
    panel.from_time.setDateTime(panel.from_time.dateTime().addDays(1))
    panel.since.setCurrentIndex(4)
    panel.since.activated.emit(4)
    app.settle()
    assert panel.from_time.isVisible()
    assert panel.edits.rowCount() == 1


def test_what_changed_is_listed_by_thing_and_shown(app: App, page: Any) -> None:
    edit(app)
    save = next(e for e in page.session.document.elements(page.view.frame.id) if e.text == "Save customer")
    page.session.do(SetAttribute(uids=(save.uid,), name="text", value="Keep"))
    app.settle()
    panel = show_tab(app)
    panel.mode.button(1).click()
    app.settle()
    found = {t.title: (t.fate, t.details) for t in map(panel.changes.thing_at, range(panel.changes.rowCount()))}
    assert found["The demo as a whole"][1][0].endswith("→ “Another task”")
    assert found["“Fresh” (button)"] == ("added", ())
    assert found["“Keep” (button)"][1] == ("Text: “Save customer” → “Keep”", "Review: not reviewed → approved")
    clicked = next(details for title, (_, details) in found.items() if title.startswith("Clicked"))
    assert clicked[0].startswith("Rationale: ")
    assert clicked[0].endswith("“Because.”")
    page.view.go_to(4)
    place = next(p for p in range(panel.changes.rowCount()) if panel.changes.thing_at(p).change.key == save.uid)
    click(app, panel.change_list, place)
    assert (page.view.index, page.view.selection) == (0, (save.uid,))
    page.session.do(DeleteElements(uids=("el_new",)))
    app.settle()
    assert "“Fresh” (button)" not in texts(panel.changes)


def test_a_tab_that_nobody_sees_reads_nothing(app: App, page: Any) -> None:
    edit(app)
    model = feature(page).edits
    assert (model.total, model.rowCount()) == (0, 1)
    show_tab(app)
    assert model.total == 4
    app.qtbot.keyClick(feature(page).edit_list, "h")
    assert not feature(page).tab.isVisible()
    page.session.undo()
    app.settle()
    assert model.row_at(0).state == "done"


def test_the_current_row_stays_the_current_one_while_the_log_is_read(app: App, page: Any) -> None:
    edit(app)
    page.session.undo()
    app.settle()
    before = app.stored()
    app.qtbot.keyClick(page.canvas, "h")
    panel = feature(page)
    assert panel.edits.total == 0  # nothing was read yet
    app.qtbot.keyClick(panel.edit_list, Qt.Key.Key_End)
    app.settle()
    assert panel.edits.row_at(panel.edit_list.currentIndex().row()) is None
    app.qtbot.keyClick(panel.edit_list, Qt.Key.Key_Return)
    app.settle()
    assert app.stored() != before
    panel.edit_list.clearSelection()
    panel.edit_list.setCurrentIndex(panel.edits.index(2))
    feature(page)._erasures = "another"
    feature(page)._refresh()
    app.settle()
    assert panel.edit_list.currentIndex().row() == 2
    panel.edits.restart([])
    feature(page)._erasures = "another"
    feature(page)._refresh()
    app.settle()
    assert panel.edit_list.currentIndex().row() == panel.edits.place_of_here() == 4


def test_both_models_keep_qts_contract(app: App, page: Any, qtmodeltester: ModelTester) -> None:
    edit(app)
    lines = app.library.log.lines(SAMPLE)
    model, changes = HistoryModel(), ChangesModel()
    qtmodeltester.check(model, force_py=True)
    for line in lines:
        model.extend([line])
    model.narrow("box", None)
    model.narrow("", None)
    model.restart(lines)
    qtmodeltester.check(changes, force_py=True)


def test_ten_thousand_edits_are_read_as_far_as_they_are_seen(app: App, page: Any) -> None:
    lines = [
        LogLine(seq=i, op="do", edit_id=f"e{i}", merge_key=None, at=page.session.document.head.created_at, label=f"{i}")
        for i in range(1, 10_001)
    ]
    panel = show_tab(app)
    asked: list[int] = []
    ask = panel.edits.data
    panel.edits.data = lambda index, role=0: (asked.append(index.row()), ask(index, role))[1]  # type: ignore[method-assign]
    panel.edits.restart(lines)
    panel.edit_list.viewport().grab()
    assert panel.edits.rowCount() == 10_001
    assert len(set(asked)) < 60


def test_an_edit_of_another_window_appears_and_is_said(app: App, page: Any) -> None:
    with Library.open(app.library.folder) as other:
        theirs = EditSession(other, other.demo(SAMPLE), HandStore())
        theirs.do(SetTask(text="Theirs"))
        page.context.session.look()
        app.settle()
    assert page.session.document.head.task == "Theirs"
    assert app.window.toast.text == "Another window changed this demo: “Reword the task”. You see it here."

"""The page of tasks: found, corrected, set aside, recorded by a person, counted; and what an empty bank says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolTip
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from annotator.task_words import FUNNEL_WORDS, short_source
from annotator.ui.services import Services
from annotator.ui.tasks.funnel_view import StageBars
from annotator.ui.tasks.task_list import PAGE, TaskList, TaskListModel, TaskRole
from annotator.ui.tasks.tasks_page import TasksPage
from annotator.ui.theme.manager import Theme
from demopack.domain.provenance import by_human
from demopack.domain.tasks import FilterFinding, Task, TaskSource
from demopack.errors import LibraryError
from demopack.store import TEMPLATES, Library
from tasks.assignments import TaskAssignment
from tasks.bank import TaskBank, TaskRow
from tests.gui.conftest import App, make_app
from tests.support.services import with_calls

# What the offscreen platform cannot do is no fault of the page.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def task(name: str, words: str, *plan: str, app: str = "pluma", **fields: object) -> Task:
    source = TaskSource(kind="manual", name="guides/guide.html")
    given = {"id": name, "task": words, "plan": plan, "app": app, "source": source, "provenance": by_human("Ada")}
    return Task.model_validate(given | fields)


def fill(library: Library, *tasks: Task) -> None:
    with TaskBank.open(library.folder) as bank:
        bank.add(tasks, label="Add", provenance=by_human("Ada"))


def stored(app: App, name: str) -> Task:
    app.settle()
    with TaskBank.open(app.library.folder) as bank:
        return bank.get(name)


def opened(app: App) -> TasksPage:
    app.qtbot.keyClick(app.window, "t", CTRL | SHIFT)
    app.settle()
    return app.window.tasks_page


def shown(page: TasksPage) -> list[str]:
    model = page.list.model()
    return [model.index(row, 0).data(TaskRole).id for row in range(model.rowCount())]


@pytest.fixture
def tasks_app(library: Library, theme: Theme, services: Services, qtbot: QtBot, tmp_path: Path) -> Iterator[App]:
    out = (FilterFinding(rule="too_short", reason="Its task has 1 word."),)
    fill(
        library,
        task("a", "Print a page", "Press Ctrl+P", "Click Print", findings=()),
        task("b", "Borders", findings=out),
        task("c", "Sort rows", "Choose Data", app="calc"),
    )
    place = library.folder / TEMPLATES / "pluma"
    place.mkdir(parents=True)
    (place / "letter.txt").write_text("Dear Ada")
    found: list[TaskAssignment] = []
    made = make_app(library, theme, with_calls(services, open_task=found.append), qtbot)
    made.window.tasks_page.opened_documents = found  # type: ignore[attr-defined]
    yield made
    made.window.close()


def test_the_list_reads_only_what_is_seen_and_keeps_qts_contract(qapp: object, qtmodeltester: ModelTester) -> None:
    asked: list[int] = []
    model = TaskListModel(asked.append)
    rows = [
        TaskRow(number=n + 1, id=f"t{n}", state="kept", app="", kind="manual", source="", task=f"Do {n}", steps=0)
        for n in range(PAGE)
    ]
    model.begin(100_000, rows)
    assert model.rowCount() == 100_000
    assert model.index(7).data() == "Do 7"
    assert model.index(99_999).data() is None
    assert model.index(99_998).data() is None
    assert asked == [99_800]
    model.fill(99_800, rows)
    assert model.index(99_999).data() == f"Do {PAGE - 1}"
    model.begin(3, rows[:3])
    qtmodeltester.check(model, force_py=True)


def test_a_hundred_thousand_tasks_are_shown_without_asking_for_each(qtbot: QtBot, theme: Theme) -> None:
    asked: list[int] = []
    model = TaskListModel(asked.append)
    view = TaskList(model, theme)
    qtbot.addWidget(view)
    view.resize(400, 600)
    view.show()
    rows = [
        TaskRow(number=n + 1, id=f"t{n}", state="kept", app="", kind="manual", source="", task=f"Do {n}", steps=0)
        for n in range(PAGE)
    ]
    model.begin(100_000, rows)
    view.setCurrentIndex(model.index(0))
    view.grab()
    assert asked == []
    qtbot.keyClick(view, Qt.Key.Key_End)
    view.grab()
    assert view.currentIndex().row() == 99_999
    assert asked == [99_800]
    model.refresh(100_000, rows)
    view.grab()
    assert asked == [99_800, 99_800]
    qtbot.keyClick(view, Qt.Key.Key_Home)
    view.grab()
    assert (view.current, asked) == ("t0", [99_800, 99_800])


def test_tasks_are_found_by_words_state_and_program(tasks_app: App) -> None:
    page = opened(tasks_app)
    assert shown(page) == ["a", "b", "c"]
    assert page.detail.shown is not None
    assert page.detail.shown.id == "a"
    assert page.detail.plan.toPlainText() == "Press Ctrl+P\nClick Print"
    page.search.setText("ctrl")
    tasks_app.settle()
    assert shown(page) == ["a"]
    page.search.clear()
    page._state.setCurrentIndex(page._state.findData("filtered_out"))
    tasks_app.settle()
    assert shown(page) == ["b"]
    assert "too short" in page.list.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert page.detail._found.text() == "Its task has 1 word."
    page._state.setCurrentIndex(0)
    page._app.setCurrentIndex(page._app.findData("calc"))
    tasks_app.settle()
    assert shown(page) == ["c"]


def test_words_and_plan_are_corrected_and_undone(tasks_app: App) -> None:
    page = opened(tasks_app)
    page.detail.plan.setPlainText("Press Ctrl+P\n\n  Choose a printer\nClick Print")
    page.detail.plan.flush()
    assert stored(tasks_app, "a").plan == ("Press Ctrl+P", "Choose a printer", "Click Print")
    page.detail.task.setPlainText("Print one page")
    page.detail.task.flush()
    assert stored(tasks_app, "a").task == "Print one page"
    tasks_app.qtbot.keyClick(page.list, "z", CTRL)
    assert stored(tasks_app, "a").task == "Print a page"
    assert page.detail.task.toPlainText() == "Print a page"
    tasks_app.qtbot.keyClick(page.list, "z", CTRL | SHIFT)
    assert stored(tasks_app, "a").task == "Print one page"


def test_a_pause_in_a_plan_leaves_the_line_that_was_begun(tasks_app: App) -> None:
    page = opened(tasks_app)
    plan = page.detail.plan
    plan.setFocus()
    plan.moveCursor(QTextCursor.MoveOperation.End)
    tasks_app.qtbot.keyClicks(plan, " twice")
    tasks_app.qtbot.keyClick(plan, Qt.Key.Key_Return)
    plan.flush()
    assert stored(tasks_app, "a").plan == ("Press Ctrl+P", "Click Print twice")
    tasks_app.settle()
    tasks_app.qtbot.keyClicks(plan, "Close it")
    assert plan.toPlainText() == "Press Ctrl+P\nClick Print twice\nClose it"


def test_setting_aside_goes_on_to_the_next_task_of_a_filtered_list(tasks_app: App) -> None:
    app, page = tasks_app, opened(tasks_app)
    fill(app.library, task("d", "Close it", findings=()), task("e", "Save it", findings=()))
    page._state.setCurrentIndex(page._state.findData("kept"))
    app.settle()
    assert shown(page) == ["a", "d", "e"]
    app.qtbot.keyClick(page.list, Qt.Key.Key_Down)
    app.settle()
    app.qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    app.qtbot.waitUntil(lambda: shown(page) == ["a", "e"])
    app.settle()
    assert page.detail.shown is not None
    assert (page.list.current, page.detail.shown.id) == ("e", "e")
    app.qtbot.keyClick(page.list, "z", CTRL)
    app.qtbot.waitUntil(lambda: shown(page) == ["a", "d", "e"])
    assert page.list.current == "d"


def test_a_task_is_set_aside_and_restored_by_keyboard(tasks_app: App) -> None:
    page = opened(tasks_app)
    tasks_app.qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert stored(tasks_app, "a").state == "filtered_out"
    assert page.detail.aside.text() == "Restore"
    tasks_app.qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert stored(tasks_app, "a").state == "kept"


def record(app: App, page: TasksPage, *, keys: int = 1) -> None:
    app.qtbot.keyClick(page.detail.record, "r", CTRL)
    app.settle()
    recorder = app.recorders[-1]
    for _ in range(keys):
        recorder.press("Ctrl+P")
    app.settle()
    app.window.desk.stop()
    app.settle()
    app.settle()


def test_a_person_does_the_next_task_and_the_recording_is_its_execution(tasks_app: App) -> None:
    app, page = tasks_app, opened(tasks_app)
    app.qtbot.keyClick(page.list, "n", CTRL)
    app.settle()
    assert page.detail.shown is not None
    assert page.detail.shown.id == "a"
    app.qtbot.keyClick(page.detail.record, "r", CTRL)
    app.settle()
    (given,) = page.opened_documents  # type: ignore[attr-defined]
    assert given.document.read_text() == "Dear Ada"
    assert (app.recorders[0].plan.task, app.recorders[0].plan.steps) == (
        "Print a page",
        ("Press Ctrl+P", "Click Print"),
    )
    assert app.window.desk.plan.isVisible()
    assert app.window.desk.plan.words.text() == "1. Press Ctrl+P\n2. Click Print"
    app.recorders[0].press("Ctrl+P")
    app.settle()
    app.window.desk.stop()
    app.qtbot.waitUntil(lambda: page.detail.asked.isVisible())
    assert page.detail.asked.words.text() == "Recorded: 1 step. Is the task done?"
    assert app.window.editor is None
    page.detail.asked.yes.click()
    done = stored(app, "a")
    assert done.demo == app.recorders[0].demo_id
    assert done.stages["execute"].by == "person"
    assert done.verdict is not None
    assert not page.detail.asked.isVisible()
    page.detail.open.click()
    app.qtbot.waitUntil(lambda: app.window.editor is not None)
    app.settle()


def test_what_cannot_be_done_says_why_and_what_is_put_off_waits_at_the_end(tasks_app: App) -> None:
    app, page = tasks_app, opened(tasks_app)
    record(app, page)
    app.qtbot.waitUntil(lambda: page.detail.asked.isVisible())
    page.detail.asked.wait.click()
    assert stored(app, "a").postponed is not None
    app.qtbot.waitUntil(app.window.isActiveWindow)
    app.qtbot.keyClick(page.list, "n", CTRL)
    app.settle()
    assert page.detail.shown is not None
    assert (page.detail.shown.id, page.list.current) == ("c", "c")
    record(app, page, keys=0)
    app.qtbot.waitUntil(lambda: page.detail.asked.isVisible())
    assert not page.detail.asked.yes.isVisible()
    page.detail.asked.no.click()
    assert page.detail.asked.isVisible()
    app.qtbot.keyClicks(page.detail.asked.reason, "There is no such menu.")
    page.detail.asked.no.click()
    found = stored(app, "c")
    assert (found.state, found.stages["execute"].error) == ("stage_failed", "There is no such menu.")


def test_an_answer_that_cannot_be_stored_can_be_given_again(tasks_app: App) -> None:
    app, page = tasks_app, opened(tasks_app)
    record(app, page)
    app.qtbot.waitUntil(lambda: page.detail.asked.isVisible())
    with TaskBank.open(app.library.folder) as bank:  # meanwhile another program has changed it
        old = bank.get("a")
        bank.change([(old, old.but(plan=("Press Ctrl+P",)))], label="Correct", provenance=by_human("Grace"))
    broken = page._open_bank
    page._open_bank = missing  # type: ignore[method-assign]
    page.detail.asked.yes.click()
    app.settle()
    assert "disk" in app.window.banner.text
    assert page.detail.asked.isVisible()
    page._open_bank = broken  # type: ignore[method-assign]
    page.detail.asked.yes.click()
    done = stored(app, "a")
    assert (done.plan, done.demo) == (("Press Ctrl+P",), app.recorders[0].demo_id)
    assert not page.detail.asked.isVisible()


def test_a_quick_key_is_for_the_task_that_was_chosen_not_for_the_one_before(tasks_app: App) -> None:
    app, page = tasks_app, opened(tasks_app)
    app.qtbot.keyClick(page.list, Qt.Key.Key_Down)
    app.qtbot.keyClick(page.list, Qt.Key.Key_Down)
    app.qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    app.settle()
    assert [stored(app, name).state for name in "abc"] == ["kept", "filtered_out", "filtered_out"]


def missing() -> TaskBank:
    raise LibraryError("The disk is gone.")


def test_a_bank_that_cannot_be_read_says_so_and_is_read_again(tasks_app: App) -> None:
    page = tasks_app.window.tasks_page
    tried, page._open_bank = page._open_bank, missing  # type: ignore[method-assign]
    tasks_app.qtbot.keyClick(tasks_app.window, "t", CTRL | SHIFT)
    assert page._nothing.text() == "Reading the tasks …"
    tasks_app.settle()
    assert page._nothing.isVisible()
    assert page._nothing.text() == "The tasks cannot be read."
    assert "disk" in tasks_app.window.banner.text
    page._open_bank = tried  # type: ignore[method-assign]
    tasks_app.qtbot.keyClicks(page.search, "ctrl")
    tasks_app.settle()
    assert shown(page) == ["a"]
    assert page.list.isVisible()


def test_the_statistics_are_a_funnel_and_bars(tasks_app: App) -> None:
    page = opened(tasks_app)
    tasks_app.qtbot.keyClick(page.list, "s", CTRL | SHIFT)
    page.read()
    assert page.figures.isVisible()
    assert "Counting …" in [part.text() for part in page.figures.findChildren(QLabel)]
    tasks_app.settle()
    assert not page.search.isVisible()
    assert page.figures.shown is not None
    assert page.figures.shown.whole["collected"] == 3
    assert page.figures.shown.by_app["calc"]["kept"] == 0
    assert not page.figures.grab().isNull()
    tasks_app.qtbot.keyClick(page.figures, Qt.Key.Key_Escape)
    tasks_app.settle()
    assert page.list.isVisible()


def test_addresses_can_be_told_apart_and_are_told_whole(qtbot: QtBot, theme: Theme) -> None:
    address = "https://www.example.org/manuals/a-long-way/to/page-1.html"
    counts = dict.fromkeys(FUNNEL_WORDS, 1)
    bars = StageBars(theme, "By source", dict.fromkeys(("/home/ada/notes.md", address), counts))
    qtbot.addWidget(bars)
    bars.show()
    at = QPoint(20, bars.height() - 5)
    QApplication.sendEvent(bars, QHelpEvent(QEvent.Type.ToolTip, at, bars.mapToGlobal(at)))
    assert QToolTip.text() == address
    assert short_source(address) == "example.org/manuals/a-long-way/to/page-1.html"
    assert short_source("/home/ada/notes.md") == "notes.md"


def test_an_empty_bank_says_what_to_do_and_takes_files(app: App, tmp_path: Path) -> None:
    file = tmp_path / "guide.md"
    file.write_text("# Guide\n\n## Print a page\n\n1. Press Ctrl+P\n2. Click Print\n")
    app.window._services.pick_files = lambda *_: [file]  # type: ignore[method-assign]
    page = opened(app)
    button = next(b for b in page.findChildren(QAbstractButton) if b.text() == "Import tasks …")
    assert button.isVisible()
    button.click()
    app.settle()
    app.settle()
    assert shown(page)
    assert page.detail.plan.toPlainText() == "Press Ctrl+P\nClick Print"
    app.window.toast.act()
    app.settle()
    app.settle()
    assert button.isVisible()

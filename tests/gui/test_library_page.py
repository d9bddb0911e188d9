"""The first window: demos as cards, search, deleting with a way back, opening, theme."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from annotator.ui.library.demo_cards import LibraryModel, SummaryRole, ThumbnailRole, _badges, _fitting
from annotator.ui.services import NewFolderDialog, Services, target_folder
from annotator.ui.theme.manager import Theme
from demopack.settings import settings_path
from demopack.store import Library
from tests.gui.conftest import App, make_app
from tests.support.demos import CREATED_AT, demo_head, tiny_demo
from tests.support.editing import SAMPLE, TINY
from tests.support.replaying import prove


def shown(app: App) -> list[str]:
    model = app.window.library_page.cards.model()
    return [model.index(row).data(SummaryRole).head.id for row in range(model.rowCount())]


def button(app: App, name: str) -> QAbstractButton:
    return next(b for b in app.window.findChildren(QAbstractButton) if b.text() == name and b.isVisible())


@pytest.fixture
def empty_app(tmp_path: Path, theme: Theme, services: Services, qtbot: QtBot) -> Iterator[App]:
    with Library.open(tmp_path / "empty") as library:
        made = make_app(library, theme, services, qtbot)
        yield made
        made.window.close()


def test_the_library_model_keeps_qts_contract(app: App, qtmodeltester: ModelTester) -> None:
    model = LibraryModel(app.window._pictures)
    qtmodeltester.check(model, force_py=True)
    model.set_demos(app.library.demos())
    model.set_query("ada")
    model.set_query("nothing at all")
    assert model.rowCount() == 0
    model.set_query("")
    assert model.rowCount() == model.total == 2
    app.settle()


def test_demos_are_cards_with_their_first_picture(app: App) -> None:
    assert set(shown(app)) == {SAMPLE, TINY}
    model = app.window.library_page.cards.model()
    app.qtbot.waitUntil(lambda: all(model.index(r).data(ThumbnailRole) is not None for r in range(2)))
    text = model.index(shown(app).index(SAMPLE)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Add Ada Lovelace" in text
    assert "10 of 11 rationales, 1 approved" in text


def test_a_damaged_demo_is_a_card_that_says_so_and_costs_no_other(app: App) -> None:
    with sqlite3.connect(app.library.folder / "library.db") as db:
        db.execute("UPDATE entities SET json = '{}' WHERE demo = ? AND kind = 'step'", (SAMPLE,))
    db.close()
    page = app.window.library_page
    app.window.library_actions.refresh(select=SAMPLE)
    app.qtbot.waitUntil(lambda: bool(page.summary(SAMPLE) and page.summary(SAMPLE).damage))
    assert set(shown(app)) == {SAMPLE, TINY}
    index = page.cards.model().index(shown(app).index(SAMPLE))
    assert "Damaged: Step 1 is wrong" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Step 1 is wrong" in index.data(Qt.ItemDataRole.ToolTipRole)
    page.cards.select(SAMPLE)
    assert "cannot be opened. Step 1 is wrong" in page.selection_bar.words.text()
    app.window.open_demo(SAMPLE)
    app.qtbot.waitUntil(lambda: "is damaged. Step 1 is wrong" in app.window.banner.text)
    page.search.field.setText("is:damaged")
    assert shown(app) == [SAMPLE]
    page.search.field.clear()
    app.window.open_demo(TINY)
    app.qtbot.waitUntil(lambda: app.window.editor is not None)


def test_a_demo_that_was_done_again_says_when_where_and_how(app: App) -> None:
    prove(app.library, SAMPLE)
    page = app.window.library_page
    app.window.library_actions.refresh(select=SAMPLE)
    app.qtbot.waitUntil(lambda: bool(page.summary(SAMPLE) and page.summary(SAMPLE).verified))
    index = page.cards.model().index(shown(app).index(SAMPLE))
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert "Done again on 7 Mar 2026, 1280 x 800 pixels. What each step changed" in index.data(role)
    assert ("done again", "success", "check") in _badges(page.summary(SAMPLE))
    app.qtbot.keyClicks(page.search.field, "is:ver")
    assert page.search.field.offered == ["verified"]
    page.search.field.setText("is:verified")
    assert shown(app) == [SAMPLE]


def test_a_mark_leaves_room_for_the_other_badges_and_all_of_them_are_told(app: App) -> None:
    prove(app.library, SAMPLE)
    page = app.window.library_page
    app.window.library_actions.refresh(select=SAMPLE)
    app.qtbot.waitUntil(lambda: bool(page.summary(SAMPLE) and page.summary(SAMPLE).verified))
    index = page.cards.model().index(shown(app).index(SAMPLE))
    assert "done again · 1/11 approved · 10/11 rationales" in index.data(Qt.ItemDataRole.ToolTipRole).splitlines()
    badges = _badges(page.summary(SAMPLE))
    words = {
        room: [badge.words for badge, _ in _fitting(badges, lambda text: 6 * len(text), room=room)]
        for room in (320, 252, 130)
    }
    assert words[320] == ["done again", "1/11 approved", "10/11 rationales"]
    assert words[252] == ["", "1/11 approved", "10/11 rationales"]
    assert words[130] == ["", "1/11 approved"]


def test_search_narrows_and_says_when_nothing_fits(app: App) -> None:
    field = next(f for f in app.window.findChildren(QLineEdit) if f.accessibleName() == "Search demos")
    app.qtbot.keyClicks(field, "ada is:complete")
    assert shown(app) == [SAMPLE]
    app.qtbot.keyClicks(field, " -ada")
    assert shown(app) == []
    assert app.window.library_page.findChild(type(app.window.library_page.cards)).isHidden()
    field.clear()
    assert len(shown(app)) == 2


def test_what_a_search_hides_is_not_offered_for_deletion(app: App) -> None:
    page = app.window.library_page
    partial = next(one for one in shown(app) if one != SAMPLE)
    page.cards.select(partial)
    assert page.bar.replay.isEnabled()
    page.search.field.setText("nothing of that kind")
    assert shown(app) == []
    assert not page.bar.replay.isEnabled()
    assert not page.selection_bar.isVisible()
    page.search.field.clear()
    assert page.cards.current is not None
    assert page.cards.current.head.id == partial


def test_a_search_that_cannot_be_read_is_explained_and_changes_nothing(app: App) -> None:
    search = app.window.library_page.search
    search.field.setText("app:customers ")
    before = shown(app)
    search.field.setText("app:customers steps:many")
    assert search.error.text() == "“steps:” wants a number such as >10, not “many”."
    assert (search.field.marked, shown(app)) == ("many", before)
    search.field.setText('app:customers "ada')
    assert search.unfinished.text() == "This quote has no end."
    assert search.field.marked == ""  # it is only not finished
    search.field.setText("app:customers steps:>10 -action:wait")
    assert (search.error.text() + search.unfinished.text(), shown(app)) == ("", [SAMPLE])
    search.field.setText("text:ok")
    assert "Open a demo" in search.error.text()


def test_keys_and_values_of_the_search_are_offered(app: App) -> None:
    field = app.window.library_page.search.field
    app.qtbot.keyClicks(field, "sa re")
    assert field.offered == ["review:"]
    field.choose("review:")
    assert field.text() == "sa review:"
    assert field.offered == ["todo", "doubtful", "approved", "rejected"]
    field.choose("doubtful")
    assert (field.text(), field.offered) == ("sa review:doubtful ", [])
    app.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    app.qtbot.keyClicks(field, "is:a")
    for _ in range(2):
        app.qtbot.keyClick(field, Qt.Key.Key_Down)
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "is:accepted "


@pytest.mark.parametrize("how", ["enter", "double click"])
def test_a_demo_is_opened(app: App, how: str) -> None:
    cards = app.window.library_page.cards
    cards.select(TINY)
    if how == "enter":
        app.qtbot.keyClick(cards, Qt.Key.Key_Return)
    else:
        spot = cards.visualRect(cards.currentIndex()).center()
        app.qtbot.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        app.qtbot.mouseDClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    app.settle()
    assert app.page.session.demo_id == TINY
    app.qtbot.keyClick(app.page.canvas, "l", Qt.KeyboardModifier.ControlModifier)
    app.settle()
    assert app.window.editor is None
    assert cards.current is not None
    assert cards.current.head.id == TINY


def test_a_deleted_demo_comes_back(app: App) -> None:
    cards = app.window.library_page.cards
    for way in ("button", "key"):
        cards.select(TINY)
        cards.setFocus()
        app.qtbot.keyClick(cards, Qt.Key.Key_Delete)
        app.settle()
        assert shown(app) == [SAMPLE]
        assert app.window.toast.text == "Demo deleted."
        if way == "button":
            app.qtbot.mouseClick(button(app, "Undo"), Qt.MouseButton.LeftButton)
        else:
            app.qtbot.keyClick(cards, "z", Qt.KeyboardModifier.ControlModifier)
        app.settle()
        assert set(shown(app)) == {SAMPLE, TINY}
        assert cards.current is not None
        assert cards.current.head.id == TINY


def test_an_empty_library_invites_to_record(empty_app: App) -> None:
    app = empty_app
    app.qtbot.mouseClick(button(app, "Record your first demo"), Qt.MouseButton.LeftButton)
    assert app.window.library_page.panel.isVisible()


def test_what_another_program_writes_appears(empty_app: App, tmp_path: Path) -> None:
    app = empty_app
    with Library.open(tmp_path / "empty") as other:
        tiny_demo(other, demo_id="demo_other")
    app.qtbot.waitUntil(lambda: shown(app) == ["demo_other"], timeout=10_000)
    app.settle()


def test_the_theme_is_remembered(app: App) -> None:
    app.window.library_page.bar.theme_chosen.emit("dark")
    app.settle()
    assert app.theme.palette.dark
    assert json.loads(settings_path().read_text())["ui"] == {"theme": "dark"}


def test_a_demo_that_is_gone_is_one_sentence(app: App) -> None:
    app.window.open_demo("demo_nowhere")
    app.settle()
    assert "There is no demo 'demo_nowhere'" in app.window.banner.text


def test_a_folder_that_is_not_there_yet_can_be_named_and_its_place_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other.txt").write_text("mine")
    head = demo_head("demo_1", task="Buy milk")
    dialog = NewFolderDialog(None, "Where?", lambda chosen: target_folder(chosen, head, "pack"))
    qtbot.addWidget(dialog)
    dialog.setDirectory(str(tmp_path))
    for typed, place in (("full", "full/buy-milk-pack"), ("shopping-pack", "shopping-pack")):
        dialog.field.setText(typed)
        assert dialog.told.text() == f"It will be written to {tmp_path / place}."
    dialog.accept()
    assert dialog.result() == NewFolderDialog.DialogCode.Accepted
    assert dialog.chosen == tmp_path / "shopping-pack"
    assert not dialog.chosen.exists(), "who writes there makes it"


def test_a_pack_goes_into_an_empty_folder_or_beside_what_is_there(tmp_path: Path) -> None:
    assert target_folder(tmp_path / "new", demo_head("demo_1", task="Any"), "pack") == tmp_path / "new"
    assert target_folder(tmp_path, demo_head("demo_1", task="Any"), "pack") == tmp_path
    (tmp_path / "other.txt").write_text("mine")
    task = "Log in, then: export/report!"
    assert (
        target_folder(tmp_path, demo_head("demo_1", task=task), "pack") == tmp_path / "log-in-then-export-report-pack"
    )
    by_time = f"demo-{CREATED_AT.astimezone():%Y-%m-%d-%H%M}-pack"
    assert target_folder(tmp_path, demo_head("demo_1", task="日本"), "pack") == tmp_path / by_time
    (tmp_path / "pack.json").write_text("{}")
    assert target_folder(tmp_path, demo_head("demo_1", task="Any"), "pack") == tmp_path

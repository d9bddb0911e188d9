"""What may be private is reviewed by keyboard and mouse, replaced in one go, and asked about before an export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from annotator.ui.editor.export_feature import ExportFeature
from annotator.ui.redaction.redaction_sheet import FindingRow, RedactionSheet
from annotator.words import set_translation
from demopack.redaction.scan import open_findings
from tests.gui.conftest import App
from tests.support.private_demos import DEMO, Private, private_demo

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
P = Private()


@pytest.fixture
def page(app: App) -> Any:
    private_demo(app.library)
    return app.open(DEMO)


def show(app: App, page: Any) -> RedactionSheet:
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, "p", CTRL | SHIFT)
    app.settle()
    sheet = page.privacy.sheet
    assert isinstance(sheet, RedactionSheet)
    assert sheet.isVisible()
    return sheet


def button(parent: QWidget, words: str) -> Any:
    found = [b for b in parent.findChildren(QPushButton) if b.text().startswith(words) and b.isVisible()]
    assert len(found) == 1, words
    return found[0]


def choice(row: FindingRow, words: str) -> QToolButton:
    return next(b for b in row.findChildren(QToolButton) if b.text() == words)


def texts(widget: QWidget) -> str:
    return "\n".join(found.text() for found in widget.findChildren(QLabel) if found.isVisible())


def row_of(sheet: RedactionSheet, value: str) -> FindingRow:
    digest = next(one.digest for one in sheet.found if one.value == value)
    return next(row for row in sheet.rows if row.finding.digest == digest)


def test_every_value_has_a_row_with_kind_places_and_pixels(app: App, page: Any) -> None:
    sheet = show(app, page)
    assert "Found 6 things that may be private" in texts(sheet)
    assert "2 of them are secrets" in texts(sheet)
    assert len(sheet.rows) == 6
    words = texts(row_of(sheet, P.email))
    assert P.email in words
    assert "E-mail address" in words
    assert "the task" in words
    app.qtbot.waitUntil(lambda: row_of(sheet, P.email).crop.pixels is not None)
    assert row_of(sheet, P.password).crop.pixels is None, "it was typed where nobody read it"


def test_the_review_covers_the_editor_and_its_keys_do_nothing_there(app: App, page: Any) -> None:
    sheet = show(app, page)
    assert sheet.geometry() == page.parentWidget().rect()
    step = page.view.index
    app.qtbot.keyClick(sheet.rows[0], "d")
    assert page.view.index == step
    assert page.canvas.tool_name != "draw"
    app.qtbot.keyClick(sheet.rows[0], "r")
    assert page.canvas.tool_name != "draw"


def test_keys_decide_and_move(app: App, page: Any) -> None:
    sheet = show(app, page)
    first, second = sheet.rows[:2]
    assert QApplication.focusWidget() is first
    app.qtbot.keyClick(first, "r")
    app.qtbot.keyClick(first, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is second
    app.qtbot.keyClick(second, "k")
    assert [row.finding.decision for row in sheet.rows] == ["replace", "keep", "open", "open", "open", "open"]
    app.qtbot.keyClick(second, Qt.Key.Key_Space)
    assert second.finding.decision == "replace"
    app.qtbot.keyClick(second, Qt.Key.Key_Up)
    assert QApplication.focusWidget() is first
    assert "becomes <card:1>" in texts(first)
    assert button(sheet, "Replace 2").isEnabled()


def test_nothing_can_be_carried_out_before_something_is_decided(app: App, page: Any) -> None:
    sheet = show(app, page)
    assert not button(sheet, "Done").isEnabled()
    app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Return, CTRL)
    app.settle()
    assert page.privacy.sheet is sheet


def test_the_mouse_keeps_one_and_replaces_the_others(app: App, page: Any) -> None:
    sheet = show(app, page)
    app.qtbot.mouseClick(choice(row_of(sheet, P.kept), "Keep"), Qt.MouseButton.LeftButton)
    app.qtbot.mouseClick(button(sheet, "Replace all"), Qt.MouseButton.LeftButton)
    assert not button(sheet, "Replace all").isEnabled()
    app.qtbot.mouseClick(button(sheet, "Replace 5 and keep 1"), Qt.MouseButton.LeftButton)
    app.settle()
    assert page.privacy.sheet is None
    demo = app.stored(DEMO)
    assert demo.head.task == "Send mail to <email:1>"
    assert open_findings(demo) == []
    assert page.session.document.head.task == "Send mail to <email:1>"
    assert app.window.windowTitle() == "Send mail to <email:1> - demopack"
    assert page.isEnabled()
    assert app.window.toast.text == "Replaced 5 private values."


def test_what_was_done_is_said_in_the_users_language(app: App, page: Any) -> None:
    set_translation(lambda text: f"«{text}»")
    try:
        sheet = show(app, page)
        assert "«2 of them are secrets. »" in texts(sheet)
        assert "«e-mail address»" in texts(row_of(sheet, P.email))
        app.qtbot.keyClick(sheet.rows[0], "r", CTRL)
        app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Return, CTRL)
        app.settle()
        assert app.window.toast.text == "«Replaced 6 private values.»"
    finally:
        set_translation(None)


def test_what_stands_in_an_id_and_cannot_be_replaced_is_said(app: App) -> None:
    private_demo(app.library, demo_id="of jane.doe@example.com")
    sheet = show(app, app.open("of jane.doe@example.com"))
    app.qtbot.keyClick(sheet.rows[0], "r", CTRL)
    app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Return, CTRL)
    app.settle()
    assert app.window.toast.text == (
        "Replaced 6 private values. One of them also stands in an id, which cannot be replaced."
    )


def test_undo_in_the_editor_takes_it_back(app: App, page: Any) -> None:
    before = app.stored(DEMO)
    sheet = show(app, page)
    app.qtbot.keyClick(sheet.rows[0], "r", CTRL)
    app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Return, CTRL)
    app.settle()
    assert app.stored(DEMO) != before
    assert page.view.frame.covered == () or page.view.frame.id not in {f.id for f in before.frames()}
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, "z", CTRL)
    assert app.stored(DEMO) == before
    assert page.session.document.head.task == before.head.task


def test_escape_leaves_everything_as_it_is(app: App, page: Any) -> None:
    before = app.stored(DEMO)
    sheet = show(app, page)
    app.qtbot.keyClick(sheet.rows[0], "r")
    app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Escape)
    assert page.privacy.sheet is None
    assert page.isEnabled()
    assert app.stored(DEMO) == before


def test_a_name_can_be_replaced_as_well(app: App, page: Any) -> None:
    sheet = show(app, page)
    app.qtbot.keyClick(sheet.rows[0], "k")
    field = next(f for f in sheet.findChildren(QLineEdit) if f.accessibleName() == "Also replace")
    field.setFocus()
    app.qtbot.keyClicks(field, "address")
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    app.settle()
    assert page.privacy.sheet is sheet
    assert row_of(sheet, "address").finding.decision == "replace"
    assert sheet.rows[0].finding.decision == "keep", "what was decided before stays"
    app.qtbot.keyClicks(field, "nowhere to be seen")
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    app.settle()
    assert "does not occur" in texts(sheet)
    app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Return, CTRL)
    app.settle()
    labels = {e.text for found in app.stored(DEMO).elements.values() for e in found}
    assert "<text:1>" in labels
    assert "Address" not in labels


def test_a_demo_without_anything_private_says_so(app: App) -> None:
    page = app.open()
    app.qtbot.keyClick(page.canvas, "p", CTRL | SHIFT)
    app.settle()
    assert page.privacy.sheet is None
    assert app.window.toast.text == "Nothing private was found."


def test_kept_values_are_shown_again_when_asked_for_and_can_be_changed(app: App, page: Any) -> None:
    sheet = show(app, page)
    app.qtbot.mouseClick(button(sheet, "Keep all"), Qt.MouseButton.LeftButton)
    app.qtbot.keyClick(sheet.rows[0], Qt.Key.Key_Return, CTRL)
    app.settle()
    again = show(app, page)
    assert [row.finding.decision for row in again.rows] == ["keep"] * 6
    app.qtbot.keyClick(again.rows[0], "r")
    app.qtbot.keyClick(again.rows[0], Qt.Key.Key_Return, CTRL)
    app.settle()
    assert "<card:1>" in json.dumps(app.stored(DEMO).steps[3].to_json())


# Before an export --------------------------------------------------------------------------------------------------


def export(app: App, page: Any) -> None:
    app.qtbot.mouseClick(button(page, "Export"), Qt.MouseButton.LeftButton)
    app.settle()


def test_an_export_asks_first_and_then_goes_on(app: App, page: Any, tmp_path: Path) -> None:
    export(app, page)
    sheet = page.privacy.sheet
    assert sheet is not None
    assert not (tmp_path / "packs").exists()
    app.qtbot.keyClick(sheet.rows[0], "r", CTRL)
    app.qtbot.mouseClick(button(sheet, "Replace 6, then export"), Qt.MouseButton.LeftButton)
    app.settle()
    assert page.privacy.sheet is None
    asked = page.context.feature(ExportFeature).sheet
    asked.folder.setText(str(tmp_path / "packs"))
    app.qtbot.mouseClick(button(asked, "Export"), Qt.MouseButton.LeftButton)
    app.settle()
    rows = (tmp_path / "packs" / "steps.jsonl").read_text(encoding="utf-8")
    assert "<email:1>" in rows
    assert P.email not in rows
    export(app, page)
    assert page.privacy.sheet is None, "it is asked once"


def test_leaving_the_review_leaves_the_export(app: App, page: Any) -> None:
    export(app, page)
    app.qtbot.mouseClick(button(page.privacy.sheet, "Not now"), Qt.MouseButton.LeftButton)
    app.settle()
    assert page.context.feature(ExportFeature).sheet is None


def test_an_export_of_a_clean_demo_asks_nothing(app: App, tmp_path: Path) -> None:
    page = app.open()
    app.export(tmp_path / "packs")
    assert page.privacy.sheet is None
    assert (tmp_path / "packs" / "pack.json").exists()


def test_closing_the_editor_takes_the_review_along(app: App, page: Any) -> None:
    sheet = show(app, page)
    app.window.close_editor()
    app.settle()
    assert not sheet.isVisible()


def test_every_control_has_a_name_and_a_tip(app: App, page: Any) -> None:
    sheet = show(app, page)
    for row in sheet.rows:
        assert row.accessibleName()
    for found in (*sheet.findChildren(QPushButton), *sheet.findChildren(QToolButton)):
        assert found.accessibleName(), found.text()
        assert found.toolTip(), found.text()


def test_pictures_that_nobody_looked_through_are_said(app: App) -> None:
    private_demo(app.library, parsed=False)
    page = app.open(DEMO)
    sheet = show(app, page)
    assert "5 pictures were not looked through yet" in texts(sheet)

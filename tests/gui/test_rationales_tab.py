"""The tab of rationales: ordering, standing, versions, evidence at the cursor."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from annotator.attributes.element_attributes import SetAttribute
from annotator.rationale_writing import Version, WriteOrder
from annotator.step_commands import SetRationale
from annotator.ui.editor.rationales_feature import RationalesFeature
from demopack.domain.demos import basis_on
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale
from demopack.errors import ModelError
from tests.gui.conftest import App

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def feature(page: Any) -> RationalesFeature:
    found: RationalesFeature = page.context.feature(RationalesFeature)
    return found


def version(page: Any, index: int, words: str) -> Version:
    document = page.context.document
    step = document.steps[index]
    elements = () if step.before is None else document.elements(step.before.id)
    basis = basis_on(step, task=document.head.task, elements=elements)
    rationale = Rationale(thought=words, basis=basis, provenance=by_program("model", "m"))
    return Version(step_id=step.id, writer="model m", rationale=rationale)


def test_the_key_opens_the_tab_and_an_order_says_what_the_form_says(app: App, page: Any) -> None:
    orders: list[WriteOrder] = []
    rationales = feature(page)

    def note(_library: Any, order: WriteOrder, _settings: Any, _control: Any) -> str:
        orders.append(order)
        return "Written."

    rationales.carry_out = note
    app.qtbot.keyClick(page.canvas, "e", CTRL)
    assert page.context.panel.shown_tab == "rationales"
    rationales.form._writer.setCurrentText("ollama:tiny")
    rationales.form._scope.set_current(0)
    rationales.write()
    app.settle()
    rationales.form._scope.set_current(3)
    rationales.write()
    app.settle()
    assert [one.writer for one in orders] == ["ollama:tiny", "ollama:tiny"]
    assert orders[0].only == frozenset({page.view.step.id})
    assert orders[1].only is None
    assert len(orders[1].demos) == len(app.library.demos())


def test_a_failure_is_told_and_the_form_can_be_used_again(app: App, page: Any) -> None:
    rationales = feature(page)

    def fail(*_: Any) -> str:
        raise ModelError("The server does not answer.")

    rationales.carry_out = fail
    rationales.open()
    rationales.write()
    app.settle()
    assert "does not answer" in app.window.banner.text
    assert rationales.form.isEnabled()


def test_what_is_stale_is_said_at_the_step_and_in_the_list(app: App, page: Any) -> None:
    document = page.context.document
    step = next(one for one in document.steps if one.target_uid is not None)
    page.view.go_to(document.index_of(step.id))
    page.context.do(SetRationale(step_id=step.id, text="Because the task asks for it."))
    rationales = feature(page)
    rationales.open()
    assert not page.panel.rationale._stale.isVisibleTo(page.panel.rationale)
    page.context.do(SetAttribute(uids=(step.target_uid,), name="text", value="Something else"))
    assert page.panel.rationale._stale.isVisibleTo(page.panel.rationale)
    app.qtbot.waitUntil(lambda: any("changed" in row for row in listed(rationales)))
    app.settle()


def listed(rationales: RationalesFeature) -> list[str]:
    """The sentences that need a look."""
    shown = rationales.standing._list
    return [shown.item(i).text() for i in range(shown.count())]


def test_a_name_that_is_not_there_is_underlined_and_listed(app: App, page: Any) -> None:
    rationales = feature(page)
    rationales.open()
    step = page.view.step
    page.context.do(SetRationale(step_id=step.id, text="The button “Launch rocket” opens the form."))
    app.qtbot.waitUntil(lambda: any("Launch rocket" in row for row in listed(rationales)))
    field = page.panel.rationale.findChild(QPlainTextEdit)
    underlined = [one.cursor.selectedText() for one in field.extraSelections()]
    assert any("Launch rocket" in text for text in underlined)
    app.settle()


def test_the_elements_that_a_sentence_names_are_marked_while_the_cursor_is_in_it(app: App, page: Any) -> None:
    frame = page.view.step.before
    named = next(e for e in page.context.document.elements(frame.id) if e.type == "button" and e.text)
    page.context.do(SetRationale(step_id=page.view.step.id, text=f"The form is there. Click “{named.text}” now."))
    field = page.panel.rationale.findChild(QPlainTextEdit)
    page.panel.rationale.edit()
    cursor = field.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    field.setTextCursor(cursor)
    rationales = feature(page)
    assert named.box in rationales.evidence.boxes
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    field.setTextCursor(cursor)
    assert rationales.evidence.boxes == ()
    app.settle()


def test_versions_are_compared_and_all_that_pass_are_taken_in_one_edit(app: App, page: Any) -> None:
    rationales = feature(page)
    made = [version(page, 0, "First reason."), version(page, 1, "Second reason.")]
    rationales.try_beside = lambda *_: made
    rationales.open()
    rationales.beside()
    app.settle()
    view = rationales.versions
    assert view.isVisible()
    assert "First reason." in view._text.text()
    page.view.go_by(1)
    assert "Second reason." in view._text.text()
    before = len(app.library.log.entries(page.session.demo_id))
    rationales.versions._all.click()
    stored = app.stored()
    assert [one.rationale.thought for one in stored.steps[:2]] == ["First reason.", "Second reason."]
    assert len(app.library.log.entries(page.session.demo_id)) == before + 1
    assert not view.isVisible()


def test_versions_can_be_taken_one_by_one_or_dropped(app: App, page: Any) -> None:
    rationales = feature(page)
    rationales.try_beside = lambda *_: [version(page, 0, "First reason."), version(page, 1, "Second reason.")]
    rationales.open()
    rationales.beside()
    app.settle()
    rationales.versions.take()
    assert app.stored().steps[0].rationale.thought == "First reason."
    assert rationales.versions.isVisible()
    rationales.versions._drop.click()
    assert not rationales.versions.isVisible()

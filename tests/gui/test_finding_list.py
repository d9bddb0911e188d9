"""The list of elements: search, selection both ways, review by keys, the least sure one, and the filter."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from pytestqt.modeltest import ModelTester

from annotator.ui.editor.finding.element_table import ElementModel
from annotator.ui.editor.finding.finding_feature import FindingFeature
from demopack.domain.elements import Element
from tests.gui.conftest import App

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


@pytest.fixture
def finding(page: Any) -> FindingFeature:
    found = page.context.feature(FindingFeature)
    assert isinstance(found, FindingFeature)
    page.context.panel.show_tab("list")
    return found


def listed(finding: FindingFeature) -> list[str]:
    return [element.uid for element in finding.panel.model.rows]


def texts(finding: FindingFeature) -> list[str]:
    return [element.text or element.type for element in finding.panel.model.rows]


def ordered(page: Any) -> list[Element]:
    return list(page.session.document.ordered(page.view.frame.id))


def key(app: App, widget: Any, what: Any, held: Any = NONE) -> None:
    widget.setFocus()
    app.qtbot.keyClick(widget, what, held)


def search(app: App, finding: FindingFeature, text: str) -> None:
    finding.search(text)
    app.qtbot.waitUntil(lambda: not finding._lister.busy)


def test_the_list_has_the_picture_s_elements_in_reading_order(page: Any, finding: FindingFeature) -> None:
    assert listed(finding) == [e.uid for e in ordered(page)]
    assert finding.panel.count.text() == "20 elements"
    page.view.go_by(1)
    assert listed(finding) == [e.uid for e in ordered(page)]


def test_the_model_keeps_qts_contract(page: Any, finding: FindingFeature, qtmodeltester: ModelTester) -> None:
    model = ElementModel(finding._finder)
    qtmodeltester.check(model, force_py=True)
    model.show_rows(finding.panel.model.rows, of_demo=False)
    model.sort(2, Qt.SortOrder.DescendingOrder)
    model.show_rows((), of_demo=True)
    assert model.rowCount() == 0


def test_rows_are_the_same_while_their_elements_are(page: Any, finding: FindingFeature) -> None:
    model, rows = ElementModel(finding._finder), list(finding.panel.model.rows)
    assert model.show_rows(rows, of_demo=False)
    changed = rows[1].changed(text="other")
    assert not model.show_rows([rows[0], changed, *rows[2:]], of_demo=False)
    assert (model.at(1), model.row_of(rows[1])) == (changed, 1)
    assert model.show_rows(rows[1:], of_demo=False)
    assert (model.row_of(rows[1]), model.row_of(rows[0])) == (0, -1)


def test_ctrl_k_searches_and_enter_shows_the_first(app: App, page: Any, finding: FindingFeature) -> None:
    key(app, page.canvas, Qt.Key.Key_K, CONTROL)
    assert finding.panel.search.field.hasFocus()
    app.qtbot.keyClicks(finding.panel.search.field, "type:list_item 1003")
    assert texts(finding) == ["Order 1003"]
    app.qtbot.keyClick(finding.panel.search.field, Qt.Key.Key_Return)
    assert page.view.element.text == "Order 1003"
    assert page.canvas.hasFocus()


def test_a_mistake_is_explained_and_the_list_stays(app: App, finding: FindingFeature) -> None:
    search(app, finding, "order")
    before = listed(finding)
    search(app, finding, "order type:buton")
    assert finding.panel.search.error.text() == "“type:” knows no “buton”. Did you mean “button”?"
    assert (finding.panel.search.field.marked, listed(finding)) == ("buton", before)


def test_the_selection_goes_both_ways(app: App, page: Any, finding: FindingFeature) -> None:
    table, uids = finding.panel.table, listed(finding)
    page.view.select((uids[4], uids[6]))
    assert [element.uid for element in table.selected] == [uids[4], uids[6]]
    table.setFocus()
    table.selectRow(2)
    assert page.view.selection == (uids[2],)
    flag = QItemSelectionModel.SelectionFlag
    table.selectionModel().select(finding.panel.model.index(5, 0), flag.Select | flag.Rows)
    assert set(page.view.selection) == {uids[2], uids[5]}


def test_a_whole_demo_is_searched_and_a_row_of_another_step_is_gone_to(
    app: App, page: Any, finding: FindingFeature
) -> None:
    finding.panel.scope.button(1).click()
    search(app, finding, "state:checked type:checkbox")
    document = page.session.document
    wanted = [
        e.uid
        for frame in document.demo().frames()
        for e in document.ordered(frame.id)
        if e.type == "checkbox" and e.states.get("checked")
    ]
    assert listed(finding) == wanted
    finding.panel.table.setFocus()
    finding.panel.table.selectRow(0)
    assert page.view.element.uid == wanted[0]
    assert page.view.index > 0
    assert finding.panel.model.index(0, 0).data() == f"{page.view.index + 1}.{document_number(page, wanted[0])}"


def document_number(page: Any, uid: str) -> int:
    return [e.uid for e in ordered(page)].index(uid) + 1


def test_space_in_the_list_approves_and_goes_on(app: App, page: Any, finding: FindingFeature) -> None:
    table, uids = finding.panel.table, listed(finding)
    table.setFocus()
    table.selectRow(0)
    key(app, table, Qt.Key.Key_Space)
    key(app, table, Qt.Key.Key_Space, SHIFT)
    assert [element.uid for element in table.selected] == [uids[2]]
    assert page.view.selection == (uids[2],)
    key(app, table, Qt.Key.Key_Delete)
    stored = {e.uid: e.review for found in app.stored().elements.values() for e in found}
    assert [stored[uid] for uid in uids[:4]] == ["approved", "doubtful", "rejected", "unreviewed"]
    assert finding.panel.progress.text() == "1 of 19 approved, 1 doubtful"
    assert listed(finding) == [*uids[:2], *uids[3:]]
    key(app, page.canvas, "z", CONTROL)
    app.settle()
    app.qtbot.waitUntil(lambda: listed(finding) == uids)


def test_several_rows_are_approved_in_one_edit(app: App, page: Any, finding: FindingFeature) -> None:
    table = finding.panel.table
    search(app, finding, "type:list_item review:todo")
    table.setFocus()
    table.selectAll()
    key(app, table, Qt.Key.Key_Space)
    assert listed(finding) == []
    app.settle()
    assert app.library.log.entries(page.session.demo_id)[-1].edit.label == "Approve 7 elements"


def test_space_on_the_picture_approves_the_element_then_the_step(app: App, page: Any, finding: FindingFeature) -> None:
    first, second = ordered(page)[:2]
    page.view.select((first.uid,))
    key(app, page.canvas, Qt.Key.Key_Space)
    assert page.view.selection == (second.uid,)
    key(app, page.canvas, Qt.Key.Key_Space, SHIFT)
    page.view.select((first.uid,))
    key(app, page.canvas, Qt.Key.Key_Space, CONTROL)
    stored = {e.uid: e.review for found in app.stored().elements.values() for e in found}
    assert (stored[first.uid], stored[second.uid]) == ("unreviewed", "doubtful")
    assert page.view.index == 0
    page.view.select(())
    key(app, page.canvas, Qt.Key.Key_Space)
    assert (app.stored().steps[0].review, page.view.index) == ("approved", 1)
    key(app, page.canvas, Qt.Key.Key_Space, SHIFT)
    assert (app.stored().steps[1].review, page.view.index) == ("doubtful", 2)


def test_after_the_last_element_nothing_is_selected(app: App, page: Any, finding: FindingFeature) -> None:
    uids = [e.uid for e in ordered(page)]
    page.view.select(tuple(uids))
    key(app, page.canvas, Qt.Key.Key_Space)
    assert page.view.selection == ()
    app.qtbot.waitUntil(lambda: finding.tool.text() == "20/20")


def test_the_least_sure_come_one_after_the_other(app: App, page: Any, finding: FindingFeature) -> None:
    document = page.session.document
    frame = document.steps[3].before.id
    unsure = document.elements(frame)[5]
    document.replace(unsure.changed(confidence=0.05, review="unreviewed"))
    key(app, page.canvas, Qt.Key.Key_U, CONTROL)
    assert page.view.element.uid == unsure.uid
    key(app, page.canvas, Qt.Key.Key_U, CONTROL)
    assert page.view.element.uid != unsure.uid
    assert page.view.element.confidence < 0.9


def test_the_search_filters_the_picture_when_wanted(app: App, page: Any, finding: FindingFeature) -> None:
    search(app, finding, "type:button")
    everything = len(page.view.shown(page.view.frame.id))
    finding.panel.filter.setChecked(True)
    assert {e.text for e in page.view.shown(page.view.frame.id)} == {"Save customer", "Cancel"}
    finding.panel.search.field.clear()
    assert len(page.view.shown(page.view.frame.id)) == everything


def test_sorting_by_a_column(finding: FindingFeature) -> None:
    finding.panel.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    shown = [e.text.casefold() for e in finding.panel.model.rows if e.text]
    assert shown == sorted(shown)
    finding.panel.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)


def test_texts_of_the_picture_are_offered(app: App, finding: FindingFeature) -> None:
    finding.search("")
    app.qtbot.keyClicks(finding.panel.search.field, "text:order")
    assert finding.panel.search.field.offered[:2] == ['"Last orders"', '"Order 1001"']


def test_an_empty_list_says_why(app: App, page: Any, finding: FindingFeature) -> None:
    search(app, finding, "there is no such thing")
    words = finding.panel._nothing
    assert (words.isVisible(), words.text()) == (True, "No element fits this search.")
    finding.panel.search.field.clear()
    assert not words.isVisible()
    page.view.go_by(10)
    shown = len(ordered(page))
    assert words.isVisible() == (shown == 0)


def test_a_closed_editor_lets_go_of_its_search(app: App, page: Any, finding: FindingFeature) -> None:
    search(app, finding, "type:button")
    app.qtbot.keyClicks(finding.panel.search.field, " te")
    assert finding.panel.search.field.offered == ["text:"]
    app.window.close_editor()
    app.settle()
    assert app.window.editor is None


def test_the_list_follows_also_while_it_has_the_focus(app: App, page: Any, finding: FindingFeature) -> None:
    table = finding.panel.table
    table.setFocus()
    table.selectRow(0)
    app.qtbot.keyClick(table, Qt.Key.Key_U, CONTROL)
    assert [element.uid for element in table.selected] == list(page.view.selection)
    assert page.canvas.hasFocus()

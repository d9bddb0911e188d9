"""The statistics of a demo and of a library, and the way from a figure to its elements."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from annotator.attributes.element_attributes import SetAttribute
from annotator.finding.review import ReviewElements
from annotator.ui.editor.finding.finding_feature import FindingFeature
from tests.gui.conftest import App

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def cells(view: Any, column: str) -> dict[str, str]:
    """By row: what stands in the cells of a column."""
    found: dict[str, str] = {}
    for cell in view.findChildren(QLabel):
        name, comma, rest = cell.accessibleName().partition(f", {column}: ")
        if comma:
            found.setdefault(name, rest)
    return found


def test_a_demo_s_figures_stand_in_the_picture_s_place(app: App, page: Any) -> None:
    document, view = page.session.document, page.view
    first, second = document.ordered(view.frame.id)[:2]
    page.session.do(ReviewElements(uids=(first.uid,), review="approved"))
    page.session.do(SetAttribute(uids=(second.uid,), name="type", value="slider"))
    finding = page.context.feature(FindingFeature)
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_S, CONTROL | SHIFT)
    figures = finding.figures
    app.qtbot.waitUntil(lambda: figures.shown is not None)
    assert not page.canvas.isVisible()
    assert figures.shown.elements.approved == 2
    sliders = sum(e.type == "slider" for f in document.demo().elements.values() for e in f)
    assert cells(figures, "All")["slider"] == str(sliders)
    assert cells(figures, "Fixed")[second.type] == "1"
    app.qtbot.keyClick(figures, Qt.Key.Key_Escape)
    assert page.canvas.isVisible()


def test_types_have_their_badges_in_every_language(app: App, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.ui.statistics_view.type_word", lambda kind: f"das {kind}")
    finding = page.context.feature(FindingFeature)
    finding.toggle_figures()
    figures = finding.figures
    app.qtbot.waitUntil(lambda: figures.shown is not None)
    badges = [label for label in figures.findChildren(QLabel) if not label.pixmap().isNull()]
    assert len(badges) == len(figures.shown.types) + len(figures.shown.by_type) > 0


def test_a_click_on_a_figure_lists_its_elements(app: App, page: Any) -> None:
    finding = page.context.feature(FindingFeature)
    finding.toggle_figures()
    figures = finding.figures
    app.qtbot.waitUntil(lambda: figures.shown is not None)
    button = next(b for b in figures.findChildren(QPushButton) if b.text() == "checkbox")
    app.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert page.canvas.isVisible()
    assert (finding.panel.search.text, finding.panel.whole_demo) == ("type:checkbox", True)
    wanted = figures.shown.types["checkbox"].total
    app.qtbot.waitUntil(lambda: not finding._lister.busy)
    assert finding.panel.count.text() == f"{wanted} elements"


def test_a_library_s_figures_are_counted_by_a_job(app: App) -> None:
    library_page = app.window.library_page
    library_page.open_statistics()
    app.qtbot.waitUntil(lambda: library_page.figures.shown is not None)
    app.settle()
    assert library_page.figures.shown.demos == 2
    assert library_page.figures.isVisible()
    assert not library_page.cards.isVisible()
    library_page.open_statistics()
    assert library_page.cards.isVisible()

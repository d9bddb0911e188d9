"""Qt screens as they are really drawn: equal orders, states, and what cannot be seen is left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from demopack.domain.elements import ATTRIBUTES
from demopack.domain.geometry import Rect
from demopack.errors import DemopackError
from lab.screens.qt.drawing.stage import Pane, Stage
from lab.screens.qt.source import QtSource
from lab.screens.sources import Renderer, SampleSpec
from models.training.labelled_screens import GroundTruth

# The offscreen platform has no window manager to ask.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with QtSource().renderer() as running:
        yield running


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[list[QWidget]]:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    before = app.style().name()
    app.setStyle("Fusion")
    windows: list[QWidget] = []
    yield windows
    for window in windows:
        window.close()
        window.deleteLater()
    app.setStyle(before)


def drawn(window: QWidget, windows: list[QWidget], *, width: int = 400, height: int = 300) -> list[GroundTruth]:
    windows.append(window)
    window.resize(width, height)
    window.show()
    window.activateWindow()
    QApplication.processEvents()
    window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    stage = Stage(window.width(), window.height(), 1.0)
    stage.panes.append(Pane(window, QPoint(0, 0)))
    return stage.draw()[1]


def of(truths: list[GroundTruth], kind: str) -> list[GroundTruth]:
    return [truth for truth in truths if truth.type == kind]


def one(truths: list[GroundTruth], kind: str) -> GroundTruth:
    (truth,) = of(truths, kind)
    return truth


def column(*widgets: QWidget) -> QWidget:
    window = QWidget()
    layout = QVBoxLayout(window)
    for widget in widgets:
        layout.addWidget(widget)
    return window


def test_equal_orders_give_equal_pixels_and_truth_whatever_was_drawn_between(renderer: Renderer) -> None:
    specs = QtSource().specs(count=10, seed=5, side="train")
    first = [renderer.render(spec) for spec in specs]
    again = [renderer.render(spec) for spec in reversed(specs)][::-1]
    assert sum(len(moments) for moments in first) == 10
    for before, after in zip(first, again, strict=True):
        for a, b in zip(before, after, strict=True):
            assert np.array_equal(a.image, b.image)
            assert list(a.elements) == list(b.elements)
            assert a.variant == b.variant


def test_truth_lies_on_the_picture_and_says_nothing_that_its_types_cannot(renderer: Renderer) -> None:
    count = 0
    for spec in QtSource().specs(count=8, seed=9, side="test"):
        for rendered in renderer.render(spec):
            height, width = rendered.image.shape[:2]
            for element in rendered.elements:
                box, may = element.box, ATTRIBUTES[element.type]
                assert 0 <= box.x1 < box.x2 <= width
                assert 0 <= box.y1 < box.y2 <= height
                assert min(box.width, box.height) >= 3
                assert set(element.states) <= may.states
                assert element.text is None or (may.text and element.text.strip())
                count += 1
    assert count > 40


def test_an_order_that_cannot_be_drawn_is_told_and_the_next_one_is_drawn(renderer: Renderer) -> None:
    good = QtSource().specs(count=1, seed=2, side="train")[0]
    bad = SampleSpec(group="fusion.nothing", side="train", seed=1, variant={**good.variant, "window": "nothing"})
    with pytest.raises(DemopackError, match=r"fusion\.nothing 1 cannot be drawn"):
        renderer.render(bad)
    assert renderer.render(good)


def test_controls_own_their_words_and_marks_have_labels(shown: list[QWidget]) -> None:
    combo = QComboBox()
    combo.addItems(["Lisbon", "Oslo"])
    check = QCheckBox("&Remember")
    check.setChecked(True)
    off = QPushButton("Send")
    off.setEnabled(False)
    spin = QSpinBox()
    spin.setValue(42)
    field = QLineEdit()
    field.setPlaceholderText("Your name")
    secret = QLineEdit("secret")
    secret.setEchoMode(QLineEdit.EchoMode.Password)
    slider = QSlider(Qt.Orientation.Horizontal)
    truths = drawn(column(combo, check, off, spin, field, secret, slider), shown)
    assert one(truths, "dropdown").text == "Lisbon"
    assert one(truths, "checkbox").text == "Remember"
    assert one(truths, "checkbox").states["checked"] is True
    assert one(truths, "text").text == "Remember"
    assert one(truths, "button").states == {"focused": False, "disabled": True}
    assert one(truths, "spinner").text == "42"
    assert sorted(truth.text or "" for truth in of(truths, "input_field")) == ["", "Your name"]
    assert one(truths, "slider").box.width > 300


def test_the_focus_is_where_it_is_drawn(shown: list[QWidget]) -> None:
    first, second = QPushButton("One"), QPushButton("Two")
    window = column(first, second)
    drawn(window, shown)
    second.setFocus()
    focused = {truth.text: truth.states["focused"] for truth in of(drawn(window, []), "button")}
    assert focused == {"One": False, "Two": True}


def test_lines_of_a_label_and_links_are_elements_of_their_own(shown: list[QWidget]) -> None:
    wrapped = QLabel("one two three four five six seven eight nine ten eleven twelve")
    wrapped.setTextFormat(Qt.TextFormat.PlainText)
    wrapped.setWordWrap(True)
    rich = QLabel('Read the <a href="x">manual</a> first')
    rich.setTextFormat(Qt.TextFormat.RichText)
    truths = drawn(column(wrapped, rich), shown, width=180)
    texts = [truth.text for truth in of(truths, "text")]
    assert " ".join(str(text) for text in texts[:-2]) == wrapped.text()
    assert len(texts) > 4
    assert texts[-2:] == ["Read the", "first"]
    assert one(truths, "hyperlink").text == "manual"


def test_what_is_scrolled_away_is_left_out(shown: list[QWidget]) -> None:
    inner = column(*[QPushButton(f"Button {number}") for number in range(40)])
    area = QScrollArea()
    area.setWidget(inner)
    window = column(area)
    top = {truth.text for truth in of(drawn(window, shown), "button")}
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    bottom = {truth.text for truth in of(drawn(window, []), "button")}
    assert "Button 0" in top
    assert "Button 39" in bottom
    assert not top & bottom
    bars = {truth.type for truth in drawn(window, []) if truth.type.startswith("scrollbar")}
    assert {"scrollbar", "scrollbar_thumb"} <= bars


def test_rows_cells_and_branches(shown: list[QWidget]) -> None:
    rows = QListWidget()
    rows.addItems(["Alpha", "Beta"])
    rows.setCurrentRow(1)
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    branch = QTreeWidgetItem(["Branch"])
    branch.addChild(QTreeWidgetItem(["Twig"]))
    tree.addTopLevelItem(branch)
    branch.setExpanded(True)
    table = QTableWidget(1, 2)
    table.setHorizontalHeaderLabels(["Name", "Size"])
    table.setItem(0, 0, QTableWidgetItem("file.txt"))
    truths = drawn(column(rows, tree, table), shown, height=500)
    states = {truth.text: truth.states for truth in of(truths, "list_item")}
    assert states["Alpha"]["highlighted"] is False
    assert states["Beta"]["highlighted"] is True
    twigs = {truth.text: truth.states for truth in of(truths, "tree_item")}
    assert twigs["Branch"]["expanded"] is True
    assert "expanded" not in twigs["Twig"]
    assert {truth.text for truth in of(truths, "tabled_text")} == {"1", "file.txt"}
    assert {truth.text for truth in of(truths, "button")} == {"Name", "Size"}
    widths = {truth.box.width for truth in of(truths, "list_item")}
    assert widths == {rows.viewport().width()}


def test_tabs_icons_editors_and_menus(shown: list[QWidget]) -> None:
    window = QMainWindow()
    menu = window.menuBar().addMenu("&File")
    menu.addAction("Open").setShortcut("Ctrl+O")
    tabs = QTabWidget()
    tabs.addTab(QPlainTextEdit("first line\nsecond line"), "Notes")
    tabs.addTab(QWidget(), "Other")
    tool = QToolButton()
    tool.setArrowType(Qt.ArrowType.RightArrow)
    tool.setProperty("subtype", "right")
    tabs.setCornerWidget(tool)
    window.setCentralWidget(tabs)
    truths = drawn(window, shown)
    assert one(truths, "menu").text == "File"
    assert one(truths, "menu").states["expanded"] is False
    assert {truth.text: truth.states["checked"] for truth in of(truths, "tab")} == {"Notes": True, "Other": False}
    assert one(truths, "icon").subtype == "right"
    assert one(truths, "text_area").text == "first line\nsecond line"
    menu.popup(window.mapToGlobal(QPoint(5, 30)))
    QApplication.processEvents()
    stage = Stage(window.width(), window.height(), 1.0)
    stage.panes.append(Pane(window, QPoint(0, 0)))
    _, opened = stage.draw([Pane(menu, QPoint(5, 30))])
    menu.close()
    assert one(opened, "menu_item").text == "Open Ctrl+O"
    assert one(opened, "menu").states["expanded"] is True


def test_a_dialog_hides_what_is_below_it_and_the_scale_scales(shown: list[QWidget]) -> None:
    window, dialog = QWidget(), QDialog()
    row = QHBoxLayout(window)
    for text in ("Left", "Right"):
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(label)
    drawn(window, shown, width=300, height=100)
    drawn(dialog, shown, width=150, height=100)
    stage = Stage(600, 200, 2.0)
    stage.panes = [Pane(window, QPoint(0, 0)), Pane(dialog, QPoint(300, 0))]
    (left,) = stage.draw()[1]
    assert left.text == "Left"
    assert Rect(0, 0, 300, 200).encloses(left.box)
    assert left.box.height > 16
    stage.panes.pop()
    assert {truth.text for truth in stage.draw()[1]} == {"Left", "Right"}


def test_a_menu_without_anything_to_show_is_no_trouble(shown: list[QWidget]) -> None:
    menu = QMenu()
    menu.addSeparator()
    assert of(drawn(menu, shown), "menu_item") == []


def test_titles_that_have_no_room_in_a_menu_bar_are_left_out(shown: list[QWidget]) -> None:
    window = QMainWindow()
    # Some styles tell of titles without room that they stand where the button for the rest is.
    window.setStyleSheet("QMenuBar::item { padding: 5px 9px; background: transparent; }")
    for title in ("File", "Edit", "View", "Insert", "Format", "Tools", "Window", "Help"):
        window.menuBar().addMenu(QMenu(title, window))
    titles = of(drawn(window, shown, width=190, height=120), "menu")
    (more,) = [one for one in window.menuBar().findChildren(QToolButton) if one.isVisible()]
    assert 1 <= len(titles) < 8
    assert all(one.box.x2 <= more.x() + 1 for one in titles)

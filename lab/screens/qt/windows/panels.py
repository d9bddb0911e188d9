"""Crowded panels: printing with its choices, and an inspector of many small fields."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.pictures import framed, photo
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.windows.form import field


def printing(kit: WidgetBuilder) -> QWidget:
    """What is printed, how often, on what; with a look at the page."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.action())
    row = QHBoxLayout()
    left = QVBoxLayout()
    for _ in range(kit.count(1, 3)):
        left.addWidget(_choice(kit))
    left.addWidget(_amounts(kit))
    left.addStretch(1)
    row.addLayout(left, 1)
    if kit.maybe(0.6):
        right = QVBoxLayout()
        right.addWidget(framed(photo(kit, kit.rng.randint(120, 260), kit.rng.randint(150, 340))))
        pages = QHBoxLayout()
        pages.addWidget(kit.tool("left", size=16))
        pages.addWidget(kit.label(f"{kit.rng.randint(1, 9)} / {kit.rng.randint(9, 99)}"))
        pages.addWidget(kit.tool("right", size=16))
        right.addLayout(pages)
        right.addStretch(1)
        row.addLayout(right)
    column = QVBoxLayout(dialog)
    column.addLayout(row, 1)
    answers = QHBoxLayout()
    link = QLabel(f'<a href="x">{kit.say.phrase(2)}</a>')
    link.setTextFormat(Qt.TextFormat.RichText)
    answers.addWidget(link)
    answers.addStretch(1)
    for text in kit.say.answers(kit.rng.randint(2, 3)):
        answers.addWidget(kit.button(text))
    column.addLayout(answers)
    return dialog


def _choice(kit: WidgetBuilder) -> QWidget:
    """One of several, some with a field behind."""
    group = QGroupBox(kit.say.noun())
    grid = QGridLayout(group)
    buttons = QButtonGroup(group)
    texts = kit.say.options(kit.count(2, 5)) if kit.maybe(0.5) else kit.say.nouns(kit.count(2, 5))
    chosen = kit.rng.randrange(len(texts))
    for number, text in enumerate(texts):
        radio = QRadioButton(text)
        radio.setChecked(number == chosen)
        radio.setEnabled(not kit.maybe(0.1))
        buttons.addButton(radio)
        grid.addWidget(radio, number, 0)
        if kit.maybe(0.3):
            behind = QSpinBox() if kit.maybe(0.5) else QLineEdit("1-4" if kit.maybe(0.5) else "")
            behind.setEnabled(number == chosen)
            grid.addWidget(behind, number, 1)
    return group


def _amounts(kit: WidgetBuilder) -> QWidget:
    group = QGroupBox(kit.say.noun())
    grid = QGridLayout(group)
    for number, text in enumerate(kit.say.fields(kit.count(2, 6))):
        grid.addWidget(kit.label(text + ":"), number, 0)
        if kit.maybe(0.5):
            spin = QSpinBox()
            spin.setValue(kit.rng.randrange(1, 90))
            grid.addWidget(spin, number, 1)
        else:
            combo = QComboBox()
            combo.addItems(kit.say.nouns(4))
            grid.addWidget(combo, number, 1)
    grid.addWidget(QCheckBox(kit.say.option()), 9, 0, 1, 2)
    return group


def inspector(kit: WidgetBuilder) -> QWidget:
    """Many small fields beside each other, in groups that can be scrolled."""
    window = QWidget()
    window.setWindowTitle(kit.say.noun())
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setSpacing(kit.rng.randint(2, 8))
    for _ in range(kit.count(2, 6)):
        column.addWidget(_section(kit))
    column.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inner)
    outer = QVBoxLayout(window)
    outer.addWidget(area)
    return window


def _section(kit: WidgetBuilder) -> QWidget:
    group = QGroupBox(kit.say.noun())
    group.setCheckable(kit.maybe(0.2))
    grid = QGridLayout(group)
    grid.setSpacing(kit.rng.randint(2, 6))
    columns = kit.rng.randint(1, 3)
    for number, text in enumerate(kit.say.fields(kit.count(3, 12))):
        row, place = number // columns, number % columns
        grid.addWidget(kit.label(text), row, place * 2)
        grid.addWidget(field(kit), row, place * 2 + 1)
    return group

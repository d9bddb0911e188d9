"""A form with every kind of field."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QDate, Qt, QTime
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.parts import Switch
from lab.screens.qt.drawing.widget_builder import WidgetBuilder


def build(kit: WidgetBuilder) -> QWidget:
    """A form, as long as it likes, with buttons below."""
    window = QDialog() if kit.maybe(0.6) else QWidget()
    window.setWindowTitle(kit.pick((kit.say.noun(), kit.say.action())))
    column = QVBoxLayout(window)
    if kit.maybe(0.4):
        column.addWidget(kit.heading(kit.say.noun()))
    if kit.maybe(0.4):
        column.addWidget(kit.label(kit.say.paragraph(2), wrap=True))
    inner = QWidget()
    inside = QVBoxLayout(inner)
    for _ in range(kit.count(1, 3)):
        inside.addWidget(_group(kit))
    inside.addStretch(1)
    if kit.maybe(0.6):
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        column.addWidget(area, 1)
    else:
        column.addWidget(inner, 1)
    column.addLayout(_answers(kit))
    return window


def _group(kit: WidgetBuilder) -> QWidget:
    group = QGroupBox(kit.say.noun()) if kit.maybe(0.6) else QWidget()
    if isinstance(group, QGroupBox) and kit.maybe(0.25):
        group.setCheckable(True)
    form = QFormLayout(group)
    if kit.maybe(0.3):
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
    if kit.maybe(0.2):
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
    colon = kit.pick((":", "", " *"))
    for text in kit.say.fields(kit.count(2, 9)):
        form.addRow(text + colon, field(kit))
    return group


def _answers(kit: WidgetBuilder) -> QHBoxLayout:
    row = QHBoxLayout()
    if kit.maybe(0.7):
        row.addStretch(1)
    for number, text in enumerate(kit.say.answers(kit.rng.randint(1, 4))):
        button = kit.button(text)
        button.setDefault(number == 0)
        row.addWidget(button)
    return row


def field(kit: WidgetBuilder) -> QWidget:
    """One field of any kind."""
    return kit.pick(fields)(kit)


def _line(kit: WidgetBuilder) -> QWidget:
    edit = QLineEdit()
    say = kit.say
    if kit.maybe(0.6):
        edit.setText(kit.pick((say.name, say.email, say.city, say.url, say.path, say.number, say.sentence))())
    elif kit.maybe(0.6):
        edit.setPlaceholderText(kit.pick((say.phrase(3), say.field())))
    if kit.maybe(0.2):
        place = kit.pick((QLineEdit.ActionPosition.LeadingPosition, QLineEdit.ActionPosition.TrailingPosition))
        subtype = kit.pick(("search", "close", "eye", "calendar", "folder", "user", "lock", "mail"))
        edit.addAction(kit.action(edit, subtype, subtype), place)
    edit.setReadOnly(kit.maybe(0.05))
    return edit


def _password(kit: WidgetBuilder) -> QWidget:
    edit = QLineEdit("x" * kit.rng.randint(0, 12))
    edit.setEchoMode(QLineEdit.EchoMode.Password)
    return edit


def _combo(kit: WidgetBuilder) -> QWidget:
    combo = QComboBox()
    combo.setEditable(kit.maybe(0.2))
    icons = kit.maybe(0.15)
    for text in kit.say.nouns(kit.rng.randint(2, 14)):
        if icons:
            combo.addItem(kit.icons.icon(kit.icons.some()), text)
        else:
            combo.addItem(text)
    return combo


def _number(kit: WidgetBuilder) -> QWidget:
    if kit.maybe(0.5):
        spin = QSpinBox()
        spin.setRange(-100, kit.pick((10, 100, 10_000)))
        spin.setValue(kit.rng.randint(0, spin.maximum()))
        spin.setSuffix(kit.pick(("", "", " px", " %", " s")))
        return spin
    exact = QDoubleSpinBox()
    exact.setRange(0, 100_000)
    exact.setValue(kit.rng.uniform(0, 1000))
    exact.setPrefix(kit.pick(("", "", "€ ", "$")))
    return exact


def _date(kit: WidgetBuilder) -> QWidget:
    if kit.maybe(0.6):
        edit = QDateEdit(QDate(kit.rng.randint(1990, 2030), kit.rng.randint(1, 12), kit.rng.randint(1, 28)))
        edit.setCalendarPopup(kit.maybe(0.5))
        return edit
    return QTimeEdit(QTime(kit.rng.randrange(24), kit.rng.randrange(60)))


def _slider(kit: WidgetBuilder) -> QWidget:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(kit.rng.randint(0, 99))
    if kit.maybe(0.25):
        slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        slider.setTickInterval(10)
    return slider


def _checks(kit: WidgetBuilder) -> QWidget:
    box = QWidget()
    layout = QVBoxLayout(box) if kit.maybe(0.6) else QHBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    for text in kit.say.options(kit.rng.randint(1, 3)):
        check = QCheckBox(text)
        check.setChecked(kit.maybe(0.5))
        check.setEnabled(not kit.maybe(0.1))
        layout.addWidget(check)
    return box


def _radios(kit: WidgetBuilder) -> QWidget:
    box = QWidget()
    layout = QVBoxLayout(box) if kit.maybe(0.5) else QHBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    group = QButtonGroup(box)
    texts = kit.say.nouns(kit.rng.randint(2, 4))
    chosen = kit.rng.randrange(len(texts))
    for number, text in enumerate(texts):
        radio = QRadioButton(text)
        radio.setChecked(number == chosen)
        group.addButton(radio)
        layout.addWidget(radio)
    return box


def _notes(kit: WidgetBuilder) -> QWidget:
    edit = QPlainTextEdit()
    if kit.maybe(0.7):
        edit.setPlainText(kit.say.paragraph(kit.rng.randint(1, 5)))
    else:
        edit.setPlaceholderText(kit.say.sentence())
    edit.setMinimumHeight(44)
    edit.setMaximumHeight(kit.rng.randint(60, 140))
    return edit


def _switch(kit: WidgetBuilder) -> QWidget:
    switch = Switch(kit.look.colours, kit.pick(Switch.SHAPES))
    switch.setChecked(kit.maybe(0.5))
    return switch


def _browse(kit: WidgetBuilder) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(QLineEdit(kit.say.path()), 1)
    row.addWidget(kit.button("…") if kit.maybe(0.3) else kit.button(kit.say.action()))
    return box


fields: tuple[Callable[[WidgetBuilder], QWidget], ...] = (
    _line,
    _line,
    _line,
    _password,
    _combo,
    _combo,
    _number,
    _number,
    _date,
    _slider,
    _checks,
    _radios,
    _radios,
    _notes,
    _switch,
    _browse,
)
"""One maker for each kind of field."""

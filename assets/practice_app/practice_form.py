"""The form: every widget that can be filled in, in a scroll area that is taller than the window."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

_CITIES = ("Choose a city", "Lisbon", "Nairobi", "Oslo", "Seoul", "Toronto")
_WORKSHOPS = ("Bookbinding", "Ceramics", "Letterpress", "Photography", "Screen printing", "Weaving", "Woodwork")
_TIMES = ("Morning", "Afternoon", "Evening")
_ROW_PX = 26
_EXTRAS = {"newsletter": "Send me the newsletter", "lunch": "Vegetarian lunch", "parking": "I need a parking space"}


class Form(QScrollArea):
    """All fields; ``changed`` is sent whenever one of them has another value."""

    changed = Signal()
    submit_asked = Signal()
    reset_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.name, self.email, self.password = QLineEdit(), QLineEdit(), QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.city, self.workshop, self.notes = QComboBox(), QListWidget(), QTextEdit()
        self.experience, self.experience_text = QSlider(Qt.Orientation.Horizontal), QLabel()
        self.extras = {key: QCheckBox(text) for key, text in _EXTRAS.items()}
        self.times = {text: QRadioButton(text) for text in _TIMES}
        self.reset, self.submit = QPushButton("Reset"), QPushButton("Submit")
        self._prepare()
        self.setWidget(self._arranged())
        self._connect()
        self.clear()

    # What it holds --------------------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        """Every field's value; of the password only how long it is."""
        row = self.workshop.currentItem()
        return {
            "name": self.name.text(),
            "email": self.email.text(),
            "password_length": len(self.password.text()),
            "city": self.city.currentText() if self.city.currentIndex() > 0 else None,
            "workshop": row.text() if row is not None and row.isSelected() else None,
            "time": next((text for text, radio in self.times.items() if radio.isChecked()), None),
            **{key: box.isChecked() for key, box in self.extras.items()},
            "experience": self.experience.value(),
            "notes": self.notes.toPlainText(),
        }

    def missing(self) -> list[str]:
        """What must be filled in before the form can be sent, in the words of its labels."""
        values = self.values()
        wanted = {"name": "Name", "email": "E-mail", "city": "City", "workshop": "Workshop", "time": "Time"}
        return [label for key, label in wanted.items() if not values[key]]

    def clear(self) -> None:
        """Back to an empty form, scrolled to its top."""
        for field in (self.name, self.email, self.password, self.notes):
            field.clear()
        self.city.setCurrentIndex(0)
        self.workshop.setCurrentItem(None)
        for box in self.extras.values():
            box.setChecked(False)
        self._group.setExclusive(False)
        for radio in self.times.values():
            radio.setChecked(False)
        self._group.setExclusive(True)
        self.experience.setValue(0)
        self.verticalScrollBar().setValue(0)

    # How it looks ---------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        self.name.setPlaceholderText("First and last name")
        self.email.setPlaceholderText("name@example.org")
        self.password.setPlaceholderText("Only if you have an account")
        self.city.addItems(_CITIES)
        self.workshop.addItems(_WORKSHOPS)
        for row in range(self.workshop.count()):
            self.workshop.item(row).setSizeHint(QSize(0, _ROW_PX))
        self.workshop.setFixedHeight(len(_WORKSHOPS) * _ROW_PX + 4)
        self.experience.setRange(0, 10)
        self.experience.setPageStep(1)
        self.notes.setFixedHeight(130)
        self.notes.setPlaceholderText("Anything we should know")
        self.notes.setTabChangesFocus(True)
        self._group = QButtonGroup(self)
        for radio in self.times.values():
            self._group.addButton(radio)
        for field in (self.name, self.email, self.password, self.city):
            field.setMinimumHeight(34)
        for field in (self.name, self.email, self.password):
            field.setTextMargins(6, 0, 6, 0)
        for button in (self.reset, self.submit):
            button.setMinimumSize(120, 36)
        self.verticalScrollBar().setSingleStep(20)

    def _arranged(self) -> QWidget:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(24, 8, 24, 24)
        grid.setHorizontalSpacing(40)
        grid.setVerticalSpacing(20)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.addLayout(_labelled("Name", self.name), 0, 0)
        grid.addLayout(_labelled("E-mail", self.email), 1, 0)
        grid.addLayout(_labelled("Password", self.password), 2, 0)
        grid.addLayout(_labelled("Workshop", self.workshop), 0, 1, 3, 1)
        grid.addLayout(_labelled("City", self.city), 3, 0)
        slider = QHBoxLayout()
        slider.setSpacing(12)
        slider.addWidget(self.experience, 1)
        slider.addWidget(self.experience_text)
        self.experience_text.setMinimumWidth(24)
        grid.addLayout(_labelled("Experience in years", slider, buddy=self.experience), 3, 1)
        grid.addLayout(_column("Time", list(self.times.values())), 4, 0)
        grid.addLayout(_column("Extras", list(self.extras.values())), 4, 1)
        grid.addLayout(_labelled("Notes", self.notes), 5, 0, 1, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addStretch(1)
        buttons.addWidget(self.reset)
        buttons.addWidget(self.submit)
        grid.addLayout(buttons, 6, 0, 1, 2)
        return page

    def _connect(self) -> None:
        for field in (self.name, self.email, self.password):
            field.textChanged.connect(self.changed)
        self.notes.textChanged.connect(self.changed)
        self.city.currentIndexChanged.connect(self.changed)
        self.workshop.itemSelectionChanged.connect(self.changed)
        self.experience.valueChanged.connect(lambda value: self.experience_text.setText(str(value)))
        self.experience.valueChanged.connect(self.changed)
        self.experience_text.setText("0")
        for button in (*self.extras.values(), *self.times.values()):
            button.toggled.connect(self.changed)
        self.reset.clicked.connect(self.reset_asked)
        self.submit.clicked.connect(self.submit_asked)


def _labelled(text: str, content: QWidget | QHBoxLayout, *, buddy: QWidget | None = None) -> QVBoxLayout:
    label = QLabel(text)
    label.setObjectName("caption")
    column = QVBoxLayout()
    column.setSpacing(6)
    column.addWidget(label)
    if isinstance(content, QWidget):
        label.setBuddy(content)
        content.setAccessibleName(text)
        column.addWidget(content)
    else:
        label.setBuddy(buddy)
        if buddy is not None:
            buddy.setAccessibleName(text)
        column.addLayout(content)
    column.addStretch(1)
    return column


def _column(text: str, buttons: list[QAbstractButton]) -> QVBoxLayout:
    label = QLabel(text)
    label.setObjectName("caption")
    column = QVBoxLayout()
    column.setSpacing(8)
    column.addWidget(label)
    for button in buttons:
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    column.addStretch(1)
    return column

"""The window around the form: menu bar, heading, and the line that says what came of it."""

from __future__ import annotations

from typing import Any

from practice_form import Form
from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

_PLACE = (40, 28, 960, 680)
_UNSENT = "Not sent yet."


class PracticeWindow(QMainWindow):
    """Always the same size at the same place; ``changed`` is sent with every change of its state."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Practice - workshop registration")
        x, y, width, height = _PLACE
        self.move(x, y)
        self.setFixedSize(width, height)
        self.form = Form()
        self.result = QLabel(_UNSENT)
        self.result.setObjectName("result")
        self.badge = QLabel("Urgent")
        self.badge.setObjectName("badge")
        self.sent: list[dict[str, Any]] = []
        self._make_menus()
        self._arrange()
        self.form.changed.connect(self.changed)
        self.form.submit_asked.connect(self._submit)
        self.form.reset_asked.connect(self._reset)
        self.form.name.setFocus()

    def state(self) -> dict[str, Any]:
        """Everything the window holds."""
        return {
            "fields": {**self.form.values(), "urgent": self.urgent.isChecked()},
            "submitted": bool(self.sent),
            "submissions": list(self.sent),
            "result": self.result.text(),
        }

    def _make_menus(self) -> None:
        form, view = self.menuBar().addMenu("F&orm"), self.menuBar().addMenu("&View")
        self.urgent = self._action("Mark as &urgent", "Ctrl+U", checkable=True)
        self.urgent.toggled.connect(self._show_urgent)
        send, clear = self._action("&Submit", "Ctrl+Return"), self._action("&New form", "Ctrl+N")
        send.triggered.connect(self._submit)
        clear.triggered.connect(self._reset)
        leave = self._action("&Quit", "Ctrl+Q")
        leave.triggered.connect(self.close)
        form.addActions([clear, self.urgent, send])
        form.addSeparator()
        form.addAction(leave)
        top, bottom = self._action("Go to &top", "Ctrl+Home"), self._action("Go to &end", "Ctrl+End")
        top.triggered.connect(lambda: self._scroll_to(0))
        bottom.triggered.connect(lambda: self._scroll_to(self.form.verticalScrollBar().maximum()))
        view.addActions([top, bottom])

    def _action(self, text: str, keys: str, *, checkable: bool = False) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(keys))
        action.setCheckable(checkable)
        return action

    def _arrange(self) -> None:
        title, lead = QLabel("Workshop registration"), QLabel("One day, one craft. Nothing leaves this computer.")
        title.setObjectName("title")
        lead.setObjectName("lead")
        heading = QHBoxLayout()
        heading.setSpacing(16)
        heading.addWidget(title)
        heading.addWidget(self.badge)
        heading.addStretch(1)
        above = QVBoxLayout()
        above.setSpacing(6)
        above.setContentsMargins(24, 16, 24, 8)
        above.addLayout(heading)
        above.addWidget(lead)
        self.badge.hide()
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(above)
        column.addWidget(self.form, 1)
        column.addWidget(self.result)
        self.setCentralWidget(middle)

    def _scroll_to(self, value: int) -> None:
        self.form.verticalScrollBar().setValue(value)

    def _show_urgent(self, on: bool) -> None:  # noqa: FBT001 - Qt's signal passes it so
        self.badge.setVisible(on)
        self.changed.emit()

    def _submit(self) -> None:
        missing = self.form.missing()
        if missing:
            self.result.setText(f"Please fill in: {', '.join(missing)}.")
        else:
            values = self.state()["fields"]
            self.sent.append(values)
            self.result.setText(f"Thank you, {values['name']}. Your place in {values['workshop']} is booked.")
        self.changed.emit()

    def _reset(self) -> None:
        self.form.clear()
        self.urgent.setChecked(False)
        self.result.setText(_UNSENT)
        self.form.name.setFocus()
        self.changed.emit()

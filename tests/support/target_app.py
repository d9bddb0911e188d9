"""A small Qt window with real widgets that writes its state to standard output, one JSON line per change.

Run as a program: ``python tests/support/target_app.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QWidget,
)
from Xlib import display

_MODIFIERS = {
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.AltModifier: "alt",
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.MetaModifier: "meta",
}


class Pad(QLabel):
    """Notes every mouse event in words."""

    def __init__(self, changed: Any) -> None:
        super().__init__("pad")
        self.seen: list[str] = []
        self._changed = changed
        self.setMinimumSize(200, 80)
        self.setFrameShape(QLabel.Shape.Box)

    def _note(self, word: str, event: QMouseEvent) -> None:
        held = [name for flag, name in _MODIFIERS.items() if event.modifiers() & flag]
        button = event.button().name.removesuffix("Button").lower()
        self.seen.append("+".join([*held, word, button]))
        self._changed()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._note("press", event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._note("release", event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._note("double", event)


class Window(QWidget):
    """Field, text area, button, check box, pad, slider, list."""

    def __init__(self, *, label: str, title: str, asks: str) -> None:
        super().__init__()
        self.setWindowTitle(title)
        self._server: Any = display.Display()
        self.keys: list[str] = []
        self.clicks = 0
        self.presses = 0
        self.field = QLineEdit()
        self.field.setObjectName("field")
        self.area = QPlainTextEdit()
        self.button = QPushButton(label)
        self.box = QCheckBox("Agree")
        self.pad = Pad(self.tell)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.list = QListWidget()
        self.list.addItems([f"Item {n}" for n in range(60)])
        grid = QGridLayout(self)
        self.asks = QLabel(asks)
        for row, (label, widget) in enumerate({
            "": self.field, "Notes": self.area, "Go": self.button, "Terms": self.box, "Pad": self.pad,
            "Level": self.slider, "Things": self.list,
        }.items()):  # fmt: skip
            grid.addWidget(QLabel(label) if label else self.asks, row, 0)
            grid.addWidget(widget, row, 1)
        self.field.textChanged.connect(self.tell)
        self.area.textChanged.connect(self.tell)
        self.button.clicked.connect(self._clicked)
        self.box.toggled.connect(self.tell)
        self.slider.valueChanged.connect(self.tell)
        self.list.verticalScrollBar().valueChanged.connect(self.tell)
        self.list.itemSelectionChanged.connect(self.tell)
        self.field.returnPressed.connect(lambda: self._key("field submitted"))
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Notes key combinations as the program sees them."""
        if event.type() == QEvent.Type.MouseButtonPress and watched is self.windowHandle():
            self.presses += 1
            QTimer.singleShot(0, self.tell)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is self.windowHandle():
            held = [name for flag, name in _MODIFIERS.items() if event.modifiers() & flag]
            if set(held) - {"shift"} or event.key() >= Qt.Key.Key_Escape:
                self._key("+".join([*held, Qt.Key(event.key()).name.removeprefix("Key_")]))
        return super().eventFilter(watched, event)

    def _clicked(self) -> None:
        self.clicks += 1
        self.tell()

    def _key(self, words: str) -> None:
        self.keys.append(words)
        self.tell()

    def tell(self, *_: object) -> None:
        """Write the state."""
        named = {
            "field": self.field, "area": self.area, "button": self.button, "box": self.box, "pad": self.pad,
            "slider": self.slider, "list": self.list, "asks": self.asks,
        }  # fmt: skip
        places = {}
        # The X server's word: Qt counts anew from the corner of each monitor.
        window = self._server.create_resource_object("window", int(self.winId()))
        corner = self._server.screen().root.translate_coords(window, 0, 0)
        texts = {"button": self.button.text(), "box": self.box.text(), "pad": "pad", "asks": self.asks.text()}
        for name, widget in named.items():
            inside, ratio = widget.mapTo(self, QPoint(0, 0)), self.devicePixelRatioF()
            left, top = corner.x + inside.x() * ratio, corner.y + inside.y() * ratio
            box = (left, top, left + widget.width() * ratio, top + widget.height() * ratio)
            places[name] = [round(value) for value in box]
        state = {
            "places": places,
            "texts": texts,
            "focus": next((n for n, w in named.items() if w is QApplication.focusWidget()), None),
            "active": self.isActiveWindow(),
            "field": self.field.text(),
            "area": self.area.toPlainText(),
            "clicks": self.clicks,
            "presses": self.presses,
            "agreed": self.box.isChecked(),
            "pad": self.pad.seen,
            "level": self.slider.value(),
            "scroll": self.list.verticalScrollBar().value(),
            "selected": [item.text() for item in self.list.selectedItems()],
            "keys": self.keys,
        }
        sys.stdout.write(json.dumps(state) + "\n")
        sys.stdout.flush()


def main() -> None:
    """Show the window until the process is ended."""
    app = QApplication(sys.argv)
    app.setCursorFlashTime(0)
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--at", type=int, nargs=2, default=(60, 30))
    arguments.add_argument("--label", default="Submit")
    arguments.add_argument("--asks", default="Name", help="label of the field")
    arguments.add_argument("--title", default="Target")
    arguments.add_argument("--program", default="target")
    arguments.add_argument("--points", type=int, default=11)
    arguments.add_argument("--most", type=int, default=1000, help="characters that fit into the field")
    given = arguments.parse_args()
    app.setApplicationName(given.program)
    app.setFont(QFont("DejaVu Sans", given.points))
    window = Window(label=given.label, title=given.title, asks=given.asks)
    window.field.setMaxLength(given.most)
    window.resize(500, 700)
    at = app.primaryScreen().geometry().topLeft() + QPoint(*given.at)
    window.move(at)
    window.show()
    window.activateWindow()
    app.focusChanged.connect(window.tell)
    # The first line once the window manager has placed and activated the window.
    tick = QTimer(window)

    def ready() -> None:
        if window.pos() != at:
            window.move(at)  # a window manager that is still starting puts windows where it likes
        elif window.isActiveWindow():
            tick.stop()
            window.tell()

    tick.timeout.connect(ready)
    tick.start(10)
    sys.exit(app.exec())


if __name__ == "__main__":
    main()

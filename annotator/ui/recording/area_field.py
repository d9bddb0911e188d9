"""Chooses what part of the screen is captured: everything, a monitor, a window, or a region."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from annotator.ui.controls import push_button
from annotator.ui.recording.geometry import screen_pixels
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from recorder.area import EVERYTHING, CaptureArea

__all__ = ["AreaField"]

_WINDOW, _REGION = "window", "region"


class AreaField(QWidget):
    """A list of what there is, and beside it the window's title or the region's numbers.

    Signals:
        draw_wanted: a region is to be drawn on the screen.
        windows_wanted: the titles of the windows are needed now.
    """

    draw_wanted = Signal()
    windows_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kind = QComboBox()
        self._kind.setAccessibleName(tr("What to capture"))
        self._kind.setToolTip(tr("What part of the screen is captured"))
        self._title = QComboBox()
        self._title.setEditable(True)
        self._title.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._title.setAccessibleName(tr("Title of the window"))
        edit = self._title.lineEdit()
        if edit is not None:
            edit.setAccessibleName(tr("Title of the window"))
        self._title.setToolTip(tr("The window's title, or a part of it"))
        self._title.setMinimumWidth(200)
        self._numbers = QLineEdit()
        self._numbers.setAccessibleName(tr("Region"))
        self._numbers.setPlaceholderText("left,top,widthxheight")
        self._numbers.setToolTip(tr("In pixels of the whole desktop, for instance 100,50,800x600"))
        self._numbers.setMaximumWidth(190)
        self._draw = push_button(tr("Draw …"), tr("Draw the region on the screen"), theme, name="region")
        self._draw.clicked.connect(self.draw_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        for part in (self._kind, self._title, self._numbers, self._draw):
            row.addWidget(part)
        row.addStretch(1)
        self.read_monitors()
        self._kind.currentIndexChanged.connect(self._on_kind)
        self._on_kind()

    def read_monitors(self) -> None:
        """Offer the monitors that there are now; what was chosen stays, where it still exists."""
        chosen = self._kind.currentData()
        screens = QGuiApplication.screens()
        blocker = QSignalBlocker(self._kind)
        self._kind.clear()
        self._kind.addItem(tr("All monitors") if len(screens) > 1 else tr("The whole screen"), "all")
        for screen in screens if len(screens) > 1 else ():
            size = screen_pixels(screen)
            self._kind.addItem(f"{screen.name()} ({size.width} x {size.height})", f"monitor:{screen.name()}")
        self._kind.addItem(tr("One window"), _WINDOW)
        self._kind.addItem(tr("A region"), _REGION)
        self._kind.setCurrentIndex(max(0, self._kind.findData(chosen)))
        blocker.unblock()
        self._on_kind()

    def set_windows(self, titles: Sequence[str]) -> None:
        """Offer these windows; what is written stays."""
        written = self._title.currentText()
        self._title.clear()
        self._title.addItems(list(titles))
        if written:
            self._title.setEditText(written)

    def set_region(self, region: Rect) -> None:
        """Choose a region that was drawn."""
        self._kind.setCurrentIndex(self._kind.findData(_REGION))
        self._numbers.setText(str(CaptureArea(kind="region", region=region)).removeprefix("region:"))

    def area(self) -> CaptureArea:
        """What is chosen.

        Raises:
            BadInputError: the title is empty, or the region is none.
        """
        kind = str(self._kind.currentData())
        if kind == _WINDOW:
            title = self._title.currentText().strip()
            if not title:
                raise BadInputError(tr("No window is chosen."), hint=tr("Choose one, or write a part of its title."))
            return CaptureArea(kind="window", name=title)
        if kind == _REGION:
            try:
                return CaptureArea.parse(f"region:{self._numbers.text()}")
            except BadInputError as error:
                raise BadInputError(
                    tr("The region is not complete."), hint=tr("Draw it, or write it like 100,50,800x600.")
                ) from error
        return EVERYTHING if kind == "all" else CaptureArea.parse(kind)

    def choose(self, kind: str) -> None:
        """Choose an entry: ``all``, ``monitor:NAME``, ``window`` or ``region``."""
        self._kind.setCurrentIndex(self._kind.findData(kind))

    def _on_kind(self) -> None:
        kind = self._kind.currentData()
        self._title.setVisible(kind == _WINDOW)
        self._numbers.setVisible(kind == _REGION)
        self._draw.setVisible(kind == _REGION)
        if kind == _WINDOW:
            self.windows_wanted.emit()

"""Field for the part of the screen that is captured: everything, a monitor, a window, or a region."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from annotator.ui.controls import combo_box, push_button, row
from annotator.ui.recording.floating import screen_pixels
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from recorder.area import EVERYTHING, CaptureArea

_WINDOW, _REGION = "window", "region"
_WHEEL = Qt.FocusPolicy.WheelFocus


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
        self.kind = combo_box(tr("What to capture"), tr("What part of the screen is captured"), focus=_WHEEL)
        self._title = combo_box(tr("Title of the window"), tr("The window's title, or a part of it"), focus=_WHEEL)
        self._title.setEditable(True)
        self._title.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        edit = self._title.lineEdit()
        if edit is not None:
            edit.setAccessibleName(tr("Title of the window"))
        self._title.setMinimumWidth(200)
        self._numbers = QLineEdit()
        self._numbers.setAccessibleName(tr("Region"))
        self._numbers.setPlaceholderText("left,top,widthxheight")
        self._numbers.setToolTip(tr("In pixels of the whole desktop, for instance 100,50,800x600"))
        self._numbers.setMaximumWidth(190)
        self._draw = push_button(
            tr("Draw …"), tr("Draw the region on the screen"), theme, name="region", call=self.draw_wanted
        )
        row(self.kind, self._title, self._numbers, self._draw, None, of=self)
        self.read_monitors()
        self.kind.currentIndexChanged.connect(self._on_kind)
        self._on_kind()

    def read_monitors(self) -> None:
        """Offer the monitors that there are now; what was chosen stays, where it still exists."""
        chosen = self.kind.currentData()
        screens = QGuiApplication.screens()
        blocker = QSignalBlocker(self.kind)
        self.kind.clear()
        self.kind.addItem(tr("All monitors") if len(screens) > 1 else tr("The whole screen"), "all")
        for screen in screens if len(screens) > 1 else ():
            size = screen_pixels(screen)
            self.kind.addItem(f"{screen.name()} ({size.width} x {size.height})", f"monitor:{screen.name()}")
        self.kind.addItem(tr("One window"), _WINDOW)
        self.kind.addItem(tr("A region"), _REGION)
        self.kind.setCurrentIndex(max(0, self.kind.findData(chosen)))
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
        self.kind.setCurrentIndex(self.kind.findData(_REGION))
        self._numbers.setText(str(CaptureArea(kind="region", region=region)).removeprefix("region:"))

    def area(self) -> CaptureArea:
        """What is chosen.

        Raises:
            BadInputError: the title is empty, or the region is none.
        """
        kind = str(self.kind.currentData())
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

    def _on_kind(self) -> None:
        kind = self.kind.currentData()
        self._title.setVisible(kind == _WINDOW)
        self._numbers.setVisible(kind == _REGION)
        self._draw.setVisible(kind == _REGION)
        if kind == _WINDOW:
            self.windows_wanted.emit()

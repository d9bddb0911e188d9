"""Where exactly a step acted, as two numbers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui.controls import label
from annotator.ui.editor.attributes.box_fields import NumberField
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.geometry import Point, Size

__all__ = ["SpotFields"]


_FIELDS = {
    False: (
        (
            tr("Where the pointer acted, from the left"),
            tr("Where the pointer acted, pixels from the left; the arrow keys change it by 1, with Shift by 10"),
        ),
        (
            tr("Where the pointer acted, from the top"),
            tr("Where the pointer acted, pixels from the top; the arrow keys change it by 1, with Shift by 10"),
        ),
    ),
    True: (
        (
            tr("Where the drag ended, from the left"),
            tr("Where the drag ended, pixels from the left; the arrow keys change it by 1, with Shift by 10"),
        ),
        (
            tr("Where the drag ended, from the top"),
            tr("Where the drag ended, pixels from the top; the arrow keys change it by 1, with Shift by 10"),
        ),
    ),
}


class SpotFields(QWidget):
    """Pixels from the left and from the top of the picture; what is typed is clamped to it.

    Signals:
        changed: the new spot, a ``Point``.
    """

    changed = Signal(object)

    def __init__(self, *, end: bool) -> None:
        super().__init__()
        self._x = NumberField(*_FIELDS[end][0])
        self._y = NumberField(*_FIELDS[end][1])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        for name, field in (("x", self._x), ("y", self._y)):
            field.valueChanged.connect(self._on_changed)
            row.addWidget(label(name, role="muted"))
            row.addWidget(field, 1)

    def show_spot(self, spot: Point | None, size: Size | None) -> None:
        """Show a spot on a picture of this size; hidden where there is none."""
        self.setVisible(spot is not None and size is not None)
        if spot is None or size is None:
            return
        for field, value, most in ((self._x, spot.x, size.width), (self._y, spot.y, size.height)):
            field.blockSignals(True)  # noqa: FBT003 - Qt's own
            field.setRange(0, max(most - 1, 0))
            field.blockSignals(False)  # noqa: FBT003 - Qt's own
            field.show_number(value)

    def _on_changed(self) -> None:
        self.changed.emit(Point(self._x.value(), self._y.value()))

"""Where exactly a step acted, as two numbers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui.controls import label
from annotator.ui.editor.attributes.box_fields import NumberField
from annotator.ui.theme.tokens import SPACE
from demopack.domain.geometry import Point, Size

__all__ = ["SpotFields"]


class SpotFields(QWidget):
    """Pixels from the left and from the top of the picture; what is typed is clamped to it.

    Signals:
        changed: the new spot, a ``Point``.
    """

    changed = Signal(object)

    def __init__(self, words: str) -> None:
        super().__init__()
        self._x = NumberField(f"{words}, from the left", f"{words}, pixels from the left")
        self._y = NumberField(f"{words}, from the top", f"{words}, pixels from the top")
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

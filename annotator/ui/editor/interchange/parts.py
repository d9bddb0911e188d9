"""Parts that the tabs for exchange and for a second opinion share."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.ui.controls import label
from annotator.ui.theme.tokens import SPACE

__all__ = ["Lines", "part", "scrolled"]


class Lines(QWidget):
    """Sentences under a heading; hidden while there are none."""

    def __init__(self, heading: str, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._words = label("", role="fact", wraps=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setAccessibleName(name)
        column = part(heading, self._words)
        self.setLayout(column)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown."""
        return self._words.text()

    def show_lines(self, lines: Iterable[str], *, role: str = "fact") -> None:
        """Show sentences, one a line; none hides everything."""
        text = "\n".join(lines)
        self._words.setProperty("role", role)
        style = self._words.style()
        style.unpolish(self._words)
        style.polish(self._words)
        self._words.setText(text)
        self.setVisible(bool(text))


def part(heading: str, *parts: QWidget | QLayout) -> QVBoxLayout:
    """Controls under a heading."""
    column = QVBoxLayout()
    column.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
    column.setSpacing(SPACE.s)
    column.addWidget(label(heading.upper(), role="heading"))
    for one in parts:
        if isinstance(one, QWidget):
            column.addWidget(one)
        else:
            column.addLayout(one)
    return column


def scrolled(inside: QWidget) -> QScrollArea:
    """A column that can be scrolled down, never sideways."""
    inside.setObjectName("panel")
    area = QScrollArea()
    area.setObjectName("panel")
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area

"""Bars that are too narrow for their words: what matters least is put away first, and comes back with the room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QBoxLayout, QLabel, QLayout, QPushButton, QWidget

FittingStep: TypeAlias = tuple[Callable[[], object], Callable[[], object]]
"""Puts one thing away, and brings it back."""


def hiding(part: QWidget, *, wanted: Callable[[], bool] = lambda: True) -> FittingStep:
    """Hide a part; it comes back where it is ``wanted`` at all."""
    return part.hide, lambda: part.setVisible(wanted())


def saying(part: QLabel | QPushButton, full: Callable[[], str], short: Callable[[], str] = lambda: "") -> FittingStep:
    """Say less in a part: the short words, or its icon alone."""
    return lambda: part.setText(short()), lambda: part.setText(full())


def stacking(parts: QBoxLayout) -> FittingStep:
    """Put parts that stand beside each other under each other."""
    ways = QBoxLayout.Direction
    return partial(parts.setDirection, ways.TopToBottom), partial(parts.setDirection, ways.LeftToRight)


class Fitting(QObject):
    """Watches one bar. Without it a layout squeezes whatever can be squeezed, and cuts words in the middle."""

    def __init__(self, bar: QWidget, steps: Sequence[FittingStep], *, says: Callable[[], object]) -> None:
        """Begin to watch a bar with a layout; the least important step comes first.

        ``says`` tells everything in the bar that its width depends on: where that is as it was, nothing is measured.
        """
        super().__init__(bar)
        self._bar, self._steps, self._says = bar, steps, says
        self._fitted: tuple[int, object] | None = None
        bar.installEventFilter(self)

    def fit(self) -> None:
        """Put away as much as it takes, and no more; what a step brings back, nobody else may."""
        now = (self._bar.width(), self._says())
        layout = self._bar.layout()
        if now == self._fitted or layout is None:
            return
        self._fitted = now
        for _, back in self._steps:
            back()
        for away, _ in self._steps:
            # What the layout needs as everything in it is just now, also before Qt has been told.
            _forget(layout)
            if layout.minimumSize().width() <= self._bar.width():
                return
            away()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: the bar has another width, or other words."""
        if watched is self._bar and event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self.fit()
        return super().eventFilter(watched, event)


def _forget(layout: QLayout) -> None:
    # Never through layout.itemAt(): PySide keeps what that returns after Qt has deleted the item, and takes whatever is
    # made at its place in memory for it.
    for inner in (*layout.findChildren(QLayout), layout):
        inner.invalidate()

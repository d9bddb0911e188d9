"""The self-test in the start panel: one short sign a check, and a line for each thing that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from annotator.ui.controls import label, push_button
from annotator.ui.icons import Tint, icon
from annotator.ui.recording.words import CHECK_TITLES, spoken
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

if TYPE_CHECKING:
    from recorder.selftest import CheckResult

__all__ = ["CheckLine"]


class CheckLine(QWidget):
    """Grey until a result came, then green, amber (recording is possible) or red.

    Signals:
        again_wanted: try once more.
    """

    again_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._signs: dict[str, _Sign] = {name: _Sign(title, theme) for name, title in CHECK_TITLES.items()}
        self._again = push_button(tr("Try again"), tr("Try out once more what a recording needs"), theme, role="link")
        self._again.clicked.connect(self.again_wanted)
        row = QHBoxLayout()
        row.setSpacing(SPACE.l)
        for sign in self._signs.values():
            row.addWidget(sign)
        row.addStretch(1)
        row.addWidget(self._again)
        self._wrong = label("", wraps=True)
        self._wrong.hide()
        self._words: list[str] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addLayout(row)
        column.addWidget(self._wrong)

    @property
    def states(self) -> dict[str, str]:
        """By check: ``waiting``, ``good``, ``doubtful`` or ``bad``."""
        return {name: sign.state for name, sign in self._signs.items()}

    @property
    def wrong(self) -> str:
        """What is wrong and how to mend it, as shown."""
        return "" if self._wrong.isHidden() else self._wrong.text()

    def begin(self) -> None:
        """Nothing is known yet."""
        self._words = []
        self._wrong.hide()
        self._again.setEnabled(False)
        for sign in self._signs.values():
            sign.show_state("waiting", tr("Being tried out …"))
            sign.show()

    def show_result(self, result: CheckResult) -> None:
        """One check is done."""
        sign = self._signs.get(result.name)
        if sign is None:
            return
        state = "good" if result.ok else "bad" if result.needed else "doubtful"
        words = spoken(f"{result.words} {result.hint}".strip())
        sign.show_state(state, words)
        if not result.ok:
            self._words.append(f"{CHECK_TITLES[result.name]}: {words}")
            self._wrong.setText("\n".join(self._words))
            self._wrong.show()

    def reword(self, old: str, new: str) -> None:
        """Say something else instead of a part of what is wrong."""
        self._words = [words.replace(old, new) for words in self._words]
        self._wrong.setText("\n".join(self._words))

    def end(self) -> None:
        """Every check is done; what has no result was not tried here."""
        self._again.setEnabled(True)
        for sign in self._signs.values():
            sign.setVisible(sign.state != "waiting")


class _Sign(QWidget):
    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self.state = "waiting"
        self._title = title
        self._theme = theme
        self._icon = QLabel()
        self._icon.setFixedSize(16, 16)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.xs)
        row.addWidget(self._icon)
        row.addWidget(label(title, role="muted"))
        theme.changed.connect(self._paint)
        self.show_state("waiting", "")

    def show_state(self, state: str, words: str) -> None:
        """Another state, with what was found."""
        self.state = state
        self.setToolTip(words)
        self.setAccessibleName(f"{self._title}: {words}")
        self._paint()

    def _paint(self) -> None:
        looks: dict[str, tuple[str, Tint]] = {
            "waiting": ("dot", "muted"),
            "good": ("check", "success"),
            "doubtful": ("warning", "warning"),
            "bad": ("close", "danger"),
        }
        name, tint = looks[self.state]
        self._icon.setPixmap(icon(name, self._theme, tint=tint).pixmap(QSize(16, 16), self.devicePixelRatioF()))

"""Health of a recording and how to mend it: before it starts, one sign a check, and while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLabel, QWidget

from annotator.ui.controls import column, discard, label, push_button, row
from annotator.ui.icons import Tint, icon
from annotator.ui.recording.floating import Floating
from annotator.ui.recording.recording_words import CHECK_TITLES, spoken
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

if TYPE_CHECKING:
    from recorder.selftest import CheckResult

_WIDTH = 360
_OK = (tr("All is well"), tr("Pictures of the screen and your input arrive, and every step so far is on the disk."))


class HealthPanel(Floating):
    """Opened by the health light; follows while it is open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name="Health of the recording", radius=10)
        self._column = column(of=self, spacing=SPACE.xs, margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m))
        self.parts: list[QLabel] = []
        self.show_problems([])

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show each problem: the first sentence says what is wrong, the rest how to mend it."""
        discard(self.parts)
        self.parts = []
        for words, hint in [_split(problem) for problem in problems] or [_OK]:
            title = label(words, role="words", wraps=True)
            self.parts.append(title)
            if hint:
                self.parts.append(label(hint, role="muted", wraps=True))
        inner = _WIDTH - 2 * SPACE.l
        high = 2 * SPACE.m + SPACE.xs * (len(self.parts) - 1)
        for part in self.parts:
            self._column.addWidget(part)
            part.ensurePolished()
            part.setFixedSize(inner, part.heightForWidth(inner))
            high += part.height()
        self.setFixedSize(_WIDTH, high)


def _split(problem: str) -> tuple[str, str]:
    words, dot, hint = problem.partition(". ")
    return words + dot.strip(), hint


class CheckLine(QWidget):
    """Grey until a result came, then green, amber (recording is possible) or red.

    Signals:
        again_wanted: try once more.
    """

    again_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.signs: dict[str, _Sign] = {name: _Sign(title, theme) for name, title in CHECK_TITLES.items()}
        self._again = push_button(
            tr("Try again"), tr("Try out once more what a recording needs"), theme, role="link", call=self.again_wanted
        )
        self.wrong = label("", wraps=True)
        self.wrong.hide()
        self._words: list[str] = []
        column(row(*self.signs.values(), None, self._again, spacing=SPACE.l), self.wrong, of=self, spacing=SPACE.xs)

    def begin(self) -> None:
        """Nothing is known yet."""
        self._words = []
        self.wrong.hide()
        self._again.setEnabled(False)
        for sign in self.signs.values():
            sign.show_state("waiting", tr("Being tried out …"))
            sign.show()

    def show_result(self, result: CheckResult) -> None:
        """One check is done."""
        sign = self.signs.get(result.name)
        if sign is None:
            return
        state = "good" if result.ok else "bad" if result.needed else "doubtful"
        words = spoken(f"{result.words} {result.hint}".strip())
        sign.show_state(state, words)
        if not result.ok:
            self._words.append(f"{CHECK_TITLES[result.name]}: {words}")
            self.wrong.setText("\n".join(self._words))
            self.wrong.show()

    def reword(self, old: str, new: str) -> None:
        """Say something else instead of a part of what is wrong."""
        self._words = [words.replace(old, new) for words in self._words]
        self.wrong.setText("\n".join(self._words))

    def end(self) -> None:
        """Every check is done; what has no result was not tried here."""
        self._again.setEnabled(True)
        for sign in self.signs.values():
            sign.setVisible(sign.state != "waiting")


class _Sign(QWidget):
    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self.state = "waiting"
        self._title = title
        self._theme = theme
        self._icon = QLabel()
        self._icon.setFixedSize(16, 16)
        row(self._icon, label(title, role="muted"), of=self, spacing=SPACE.xs)
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

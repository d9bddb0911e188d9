"""What is wrong with the recording just now, and how to mend it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout

from annotator.ui.controls import label
from annotator.ui.recording.floating import Floating
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["HealthPanel"]

_WIDTH = 360
_WELL = (tr("All is well"), tr("Pictures of the screen and your input arrive, and every step so far is on the disk."))


class HealthPanel(Floating):
    """Opened by the health light; follows while it is open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name="Health of the recording", radius=10)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        self._column.setSpacing(SPACE.xs)
        self._parts: list[QLabel] = []
        self.show_problems([])

    @property
    def text(self) -> str:
        """Everything that is shown."""
        return "\n".join(part.text() for part in self._parts)

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show each problem: the first sentence says what is wrong, the rest how to mend it."""
        for part in self._parts:
            self._column.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._parts = []
        for words, hint in [_split(problem) for problem in problems] or [_WELL]:
            title = label(words, role="words", wraps=True)
            self._parts.append(title)
            if hint:
                self._parts.append(label(hint, role="muted", wraps=True))
        inner = _WIDTH - 2 * SPACE.l
        high = 2 * SPACE.m + SPACE.xs * (len(self._parts) - 1)
        for part in self._parts:
            self._column.addWidget(part)
            part.ensurePolished()
            part.setFixedSize(inner, part.heightForWidth(inner))
            high += part.height()
        self.setFixedSize(_WIDTH, high)


def _split(problem: str) -> tuple[str, str]:
    words, dot, hint = problem.partition(". ")
    return words + dot.strip(), hint

"""The quiet strip over a recording that nobody has accepted yet: what it is, how it ended, what to do with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from annotator.capture_words import recorded_words
from annotator.document import Document
from annotator.ui.controls import LineField, Segments, flat_button, label, push_button, shortcut_tip
from annotator.ui.editor.step_model import doubts_of
from annotator.ui.fitting import Fitting, hiding, saying
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr

__all__ = ["ReviewStrip"]

_JOIN = tr("Put this take in the place of its demo's old end")
_OUTCOMES = ("success", "failure", None)


class ReviewStrip(QWidget):
    """Shown until the recording is accepted; each of its choices is one edit that can be undone.

    Signals:
        outcome_chosen: ``success``, ``failure`` or None, and the reason of a failure.
        doubt_wanted: show the next doubtful step.
        rerecord_wanted: record again from the current step on.
        discard_wanted: delete the demo.
        accept_wanted: accept it.
    """

    outcome_chosen = Signal(object, str)
    doubt_wanted = Signal()
    rerecord_wanted = Signal()
    discard_wanted = Signal()
    accept_wanted = Signal()

    def __init__(self, view: ViewState, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Review of the recording"))
        self._view = view
        self._wanted = False
        self._aside = False
        self._words: QLabel = label("", role="words")
        self._doubts = QPushButton()
        self._doubts.setProperty("role", "doubt")
        self._doubts.setToolTip(tr("Show the next doubtful step (J)"))
        self._doubts.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._doubts.clicked.connect(self.doubt_wanted)
        self._missing = label("", role="warning", wraps=True)
        self._outcome = Segments(
            tr("How it ended"),
            (tr("Finished"), tr("Failed"), tr("Open")),
            tips=(tr("The task was done"), tr("The task could not be done"), tr("Nobody says how the task ended")),
        )
        self._outcome.chosen.connect(self._choose)
        self._reason = LineField(tr("Why it failed"), placeholder=tr("Why did it fail?"))
        self._reason.setMinimumWidth(140)
        self._reason.setMaximumWidth(280)
        self._reason.committed.connect(self._write_reason)
        self._again = push_button(
            "",
            tr("Record again from this step on; the old steps stay in the history"),
            theme,
            name="record",
            keys="Ctrl+Shift+R",
        )
        self._again.clicked.connect(self.rerecord_wanted)
        discard = flat_button("trash", tr("Discard this recording"), theme)
        discard.clicked.connect(self.discard_wanted)
        self._accept = push_button(
            tr("Accept"),
            tr("Accept the recording"),
            theme,
            name="check",
            keys="Ctrl+Shift+Return",
            role="main",
            tint="on_accent",
        )
        self._accept.clicked.connect(self.accept_wanted)
        self._lay_out((self._outcome, self._reason, self._again, discard, self._accept))
        self._again_words = ""
        spare = (saying(self._again, lambda: self._again_words), hiding(self._words))
        self._fitting = Fitting(self, spare, says=self._says)
        self._ends = self._follow(view, view.document)
        self._show()

    def _lay_out(self, controls: tuple[QWidget, ...]) -> None:
        said = QHBoxLayout()
        said.setSpacing(SPACE.xs)
        said.addWidget(self._words)
        said.addWidget(self._doubts)
        said.addStretch(1)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addLayout(said)
        texts.addWidget(self._missing)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.l, SPACE.s, SPACE.m, SPACE.s)
        row.setSpacing(SPACE.s)
        row.addLayout(texts, 1)
        for control in controls:
            row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)

    def _follow(self, view: ViewState, document: Document) -> list[Callable[[], None]]:
        def show(*_: object) -> None:
            self._show()

        return [
            view.step_changed.connect(show),
            view.leaving.connect(self._reason.flush),
            document.head_changed.connect(show),
            document.step_changed.connect(show),
            document.step_inserted.connect(show),
            document.step_removed.connect(show),
            document.elements_changed.connect(show),
        ]

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        for end in self._ends:
            end()

    @property
    def words(self) -> str:
        """What is said about the recording, also where there is no room for all of it."""
        doubts = f" {self._doubts.text()}" if not self._doubts.isHidden() else ""
        missing = f" {self._missing.text()}" if not self._missing.isHidden() else ""
        return f"{self._words.text()}{doubts}{missing}"

    def toggle(self) -> None:
        """Show it also for an accepted recording, or no longer."""
        self._wanted = not self._wanted
        self._show()

    def set_aside(self, *, aside: bool) -> None:
        """Make room for what stands in its place, or come back."""
        self._aside = aside
        self._show()

    def _show(self) -> None:
        document = self._view.document
        head = document.head
        self.setVisible((not head.accepted or self._wanted) and not self._aside)
        doubtful = sum(bool(doubts_of(document, step)) for step in document.steps)
        take = tr("Take of another demo · ") if head.take_of else ""
        self._words.setText(take + recorded_words(head, document.steps) + (" ·" if doubtful else ""))
        self._doubts.setText(tr("{doubtful} doubtful").format(doubtful=doubtful))
        self._doubts.setVisible(bool(doubtful))
        missing = head.missing or (tr("The recording was cut off.") if head.status == "partial" else "")
        self._missing.setText(missing)
        self._missing.setVisible(bool(missing))
        self._outcome.set_current(_OUTCOMES.index(head.outcome))
        self._reason.setVisible(head.outcome == "failure")
        self._reason.show_text(head.outcome_reason)
        self._again_words = tr("Re-record from step {value}").format(value=max(self._view.index, 0) + 1)
        self._again.setText(self._again_words)
        self._again.setAccessibleName(self._again_words)
        self._again.setVisible(not head.take_of)
        self._accept.setText(tr("Join") if head.take_of else tr("Accepted") if head.accepted else tr("Accept"))
        self._accept.setToolTip(
            shortcut_tip(_JOIN if head.take_of else tr("Accept the recording"), "Ctrl+Shift+Return")
        )
        self._accept.setEnabled(not head.accepted)
        self._fitting.fit()

    def _says(self) -> tuple[object, ...]:
        parts = (self._words, self._doubts, self._accept)
        return (*(part.text() for part in parts), self._again_words, self._reason.isHidden(), self._again.isHidden())

    def _write_reason(self, text: str) -> None:
        self.outcome_chosen.emit("failure", text)

    def _choose(self, place: int) -> None:
        outcome = _OUTCOMES[place]
        if outcome != self._view.document.head.outcome:
            self.outcome_chosen.emit(outcome, self._reason.text() if outcome == "failure" else "")
            if outcome == "failure":
                self._reason.setFocus(Qt.FocusReason.OtherFocusReason)

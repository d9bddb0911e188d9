"""The quiet strip over a recording that nobody has accepted yet: what it is, how it ended, what to do with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from annotator.document import Document
from annotator.step_words import doubts_of, recorded_words
from annotator.ui.controls import Bar, LineField, Segments, column, flat_button, label, push_button, row, set_tip
from annotator.ui.fitting import Fitting, hiding, saying
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr

_JOIN = tr("Put this take in the place of its demo's old end")
_OUTCOMES = ("success", "failure", None)


class ReviewStrip(Bar):
    """Shown until the recording is accepted; each of its choices is one edit that can be undone.

    Signals:
        outcome_chosen: ``success``, ``failure`` or None, and the reason of a failure.
        discard_wanted: delete the demo.
    """

    outcome_chosen = Signal(object, str)
    discard_wanted = Signal()

    def __init__(self, view: ViewState, theme: Theme, parent: QWidget) -> None:
        super().__init__("strip", parent)
        self.setAccessibleName(tr("Review of the recording"))
        self._view = view
        self._wanted = False
        self._aside = False
        self._words: QLabel = label("", role="words")
        self._doubts = QPushButton()
        self._doubts.setProperty("role", "doubt")
        set_tip(self._doubts, tr("Show the next doubtful step"), action="next_doubt", clicks=True)
        self._doubts.setFocusPolicy(Qt.FocusPolicy.TabFocus)
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
            action="rerecord",
        )
        discard = flat_button("trash", tr("Discard this recording"), theme)
        discard.clicked.connect(self.discard_wanted)
        self._accept = push_button(
            tr("Accept"),
            tr("Accept the recording"),
            theme,
            name="check",
            action="accept",
            role="main",
            tint="on_accent",
        )
        self._lay_out((self._outcome, self._reason, self._again, discard, self._accept))
        self._again_words = ""
        spare = (saying(self._again, lambda: self._again_words), hiding(self._words))
        self._fitting = Fitting(self, spare, says=self._says)
        self._follow(view, view.document)
        self._show()

    def _lay_out(self, controls: tuple[QWidget, ...]) -> None:
        row(
            (column(row(self._words, self._doubts, None, spacing=SPACE.xs), self._missing, spacing=0), 1),
            *((control, 0, Qt.AlignmentFlag.AlignVCenter) for control in controls),
            of=self,
            margins=(SPACE.l, SPACE.s, SPACE.m, SPACE.s),
        )

    def _follow(self, view: ViewState, document: Document) -> None:
        def show(*_: object) -> None:
            self._show()

        view.step_changed.connect(show)
        view.leaving.connect(self._reason.flush)
        document.head_changed.connect(show)
        for changed in (document.step_changed, document.step_inserted, document.step_removed):
            changed.connect(show)
        document.elements_changed.connect(show)

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
        set_tip(self._accept, _JOIN if head.take_of else tr("Accept the recording"))
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

"""Strips over a recording: what it is and how it ended, and to what the screen is brought before a take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton

from annotator.step_commands import SetOutcome
from annotator.step_words import doubts_of, recorded_words
from annotator.ui.controls import (
    Bar,
    LineField,
    Segments,
    column,
    flat_button,
    label,
    on_escape,
    push_button,
    row,
    set_tip,
    show_words,
)
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.fitting import Fitting, hiding, saying
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.steps import Step

if TYPE_CHECKING:
    from annotator.ui.editor.review.review_room import ReviewRoom

_JOIN = tr("Put this take in the place of its demo's old end")
_OUTCOMES: Final[tuple[Literal["success", "failure"] | None, ...]] = ("success", "failure", None)


class ReviewStrip(Bar):
    """Shown until the recording is accepted; each of its choices is one edit that can be undone.

    Signals:
        discard_wanted: delete the demo.
    """

    discard_wanted = Signal()

    def __init__(self, context: EditorContext) -> None:
        super().__init__("strip", context.page)
        self.setAccessibleName(tr("Review of the recording"))
        theme, self._view, self._session = context.theme, context.view, context.session
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
        self._reason.committed.connect(partial(self._set_outcome, "failure"))
        self._again = push_button(
            "",
            tr("Record again from this step on; the old steps stay in the history"),
            theme,
            name="record",
            action="rerecord",
        )
        discard = flat_button("trash", tr("Discard this recording"), theme, call=self.discard_wanted)
        self._accept = push_button(
            tr("Accept"),
            tr("Accept the recording"),
            theme,
            name="check",
            action="accept",
            role="main",
            tint="on_accent",
        )
        controls = (self._outcome, self._reason, self._again, discard, self._accept)
        row(
            (column(row(self._words, self._doubts, None, spacing=SPACE.xs), self._missing, spacing=0), 1),
            *((control, 0, Qt.AlignmentFlag.AlignVCenter) for control in controls),
            of=self,
            margins=(SPACE.l, SPACE.s, SPACE.m, SPACE.s),
        )
        self._again_words = ""
        spare = (saying(self._again, lambda: self._again_words), hiding(self._words))
        said = (self._words, self._doubts, self._accept)
        self._fitting = Fitting(
            self,
            spare,
            says=lambda: (
                *(one.text() for one in said), self._again_words, self._reason.isHidden(), self._again.isHidden()
            ),
        )  # fmt: skip
        document = context.document
        context.view.step_changed.connect(self._show)
        context.view.leaving.connect(self._reason.flush)
        document.head_changed.connect(self._show)
        for changed in (document.step_changed, document.step_inserted, document.step_removed):
            changed.connect(self._show)
        document.elements_changed.connect(self._show)
        self._show()

    def toggle(self) -> None:
        """Show it also for an accepted recording, or no longer."""
        self._wanted = not self._wanted
        self._show()

    def set_aside(self, *, aside: bool) -> None:
        """Make room for what stands in its place, or come back."""
        self._aside = aside
        self._show()

    def _show(self, *_: object) -> None:
        document = self._view.document
        head = document.head
        self.setVisible((not head.accepted or self._wanted) and not self._aside)
        doubtful = sum(bool(doubts_of(document, step)) for step in document.steps)
        take = tr("Take of another demo · ") if head.take_of else ""
        self._words.setText(take + recorded_words(head, document.steps) + (" ·" if doubtful else ""))
        self._doubts.setText(tr("{doubtful} doubtful").format(doubtful=doubtful))
        self._doubts.setVisible(bool(doubtful))
        cut_off = tr("The recording was cut off.") if head.status == "partial" else ""
        show_words(self._missing, head.missing or cut_off)
        self._outcome.set_current(_OUTCOMES.index(head.outcome))
        self._reason.setVisible(head.outcome == "failure")
        self._reason.show_text(head.outcome_reason)
        self._again_words = tr("Re-record from step {value}").format(value=max(self._view.index, 0) + 1)
        self._again.setAccessibleName(self._again_words)
        self._again.setVisible(not head.take_of)
        self._accept.setText(tr("Join") if head.take_of else tr("Accepted") if head.accepted else tr("Accept"))
        set_tip(self._accept, _JOIN if head.take_of else tr("Accept the recording"))
        self._accept.setEnabled(not head.accepted)
        self._fitting.fit()

    def _set_outcome(self, outcome: Literal["success", "failure"] | None, reason: str) -> None:
        self._session.do(SetOutcome(outcome=outcome, reason=reason))

    def _choose(self, place: int) -> None:
        outcome = _OUTCOMES[place]
        if outcome != self._view.document.head.outcome:
            self._set_outcome(outcome, self._reason.text() if outcome == "failure" else "")
            if outcome == "failure":
                self._reason.setFocus(Qt.FocusReason.OtherFocusReason)


class PrepareStrip(Bar):
    """Says to what the screen has to be brought first, and starts."""

    def __init__(self, context: EditorContext, room: ReviewRoom) -> None:
        super().__init__("strip", context.page)
        theme = context.theme
        self.setAccessibleName(tr("Record again"))
        self._after = ""
        self._words = label("", role="words")
        self._more = label("", role="caption", wraps=True)
        self._start = push_button(tr("Start recording"), tr("Record again from this step on"), theme, name="record",
                                  role="main", tint="on_accent")  # fmt: skip
        self._start.clicked.connect(lambda: room.end_prepare(after=self._after))
        keep = push_button(
            tr("Cancel"), tr("Keep the steps as they are"), theme, keys="Esc", call=lambda: room.end_prepare()
        )
        row(
            self._words,
            (self._more, 1),
            self._start,
            keep,
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.l, SPACE.s, SPACE.m, SPACE.s),
        )
        on_escape(self, room.end_prepare)
        self.hide()

    @property
    def after(self) -> str | None:
        """Id of the step after which the recording would go on; None while nothing is being prepared."""
        return None if self.isHidden() else self._after

    def ask(self, steps: Sequence[Step], index: int) -> None:
        """Ask for the screen as it was before the step at a place, from 0: it and all after it are replaced."""
        self._after, number, last = steps[index - 1].id if index else "", index + 1, len(steps)
        words = tr("Bring the screen to how it looks here, before step {number}, then start.")
        which = tr("Step {number}") if number == last else tr("Steps {number} to {last}")
        more = tr("{steps} will be replaced by what you do. One undo brings the old steps back.")
        self._words.setText(words.format(number=number))
        self._more.setText(more.format(steps=which.format(number=number, last=last)))
        self.show()
        self._start.setFocus(Qt.FocusReason.OtherFocusReason)

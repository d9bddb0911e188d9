"""How the rationales stand against their screens: the list of those that need a look, and the marks in the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QTimer

from annotator.document import Document
from annotator.rationales.standing import STALE_WORDS, check_demo, is_stale_in, marks_in, standing_of
from annotator.ui.editor.feature import Desk
from annotator.ui.editor.rationales.panel import RationalesPanel
from annotator.words import tr
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.jobs import JobControl
from models.language.check.findings import RationaleFinding

__all__ = ["TAB", "Standing"]

TAB: Final = "rationales"
_PAUSE_MS: Final = 150


class Standing:
    """Checks the current step after each edit, all of them when asked, and shows what came of it."""

    def __init__(self, desk: Desk, panel: RationalesPanel) -> None:
        self._desk = desk
        self._panel = panel
        self._findings: dict[str, tuple[Rationale, list[RationaleFinding]]] = {}
        self._soon = QTimer(desk.page, interval=_PAUSE_MS, singleShot=True)
        self._soon.timeout.connect(self._check_current)
        panel.check_wanted.connect(self.check)

    def close(self) -> None:
        """Check no more."""
        self._soon.stop()

    def check_soon(self) -> None:
        """Check the current step once nothing changed for a moment."""
        self._soon.start()

    def check(self) -> None:
        """Hold every rationale of the demo against its screens."""
        self._desk.leave()
        session = self._desk.session
        demo = self._desk.document.demo()
        self._desk.runner.run(
            tr("Checking rationales"),
            lambda control: check_demo(session.library, demo, control=control),
            on_result=lambda found: self._keep({step.id: step for step in demo.steps}, found),
            on_error=self._desk.messages.show_error,
        )

    def show_marks(self) -> None:
        """Underline in the text of the current step what does not hold."""
        step = self._desk.view.step
        if step is not None and step.rationale is not None:
            self._desk.panel.rationale.show_marks(marks_in(step.rationale, self._found(step)))

    def show_list(self) -> None:
        """List the steps that need a look, if anybody sees the list."""
        if self._desk.shown_tab != TAB and self._panel.isHidden():
            return
        rows, missing = _rows(self._desk.document, self._found)
        checked = any(step.id in self._findings for step in self._desk.document.steps)
        told = tr("{missing} steps have none. ").format(missing=missing) if missing != 1 else tr("1 step has none. ")
        told = told if missing else ""
        if not rows:
            told += tr("Nothing else needs a look.") if checked else tr("Check holds them against the screens.")
        self._panel.show_steps(rows, told=told.strip())

    def _check_current(self) -> None:
        step, session = self._desk.view.step, self._desk.session
        if step is None or step.rationale is None or session.closed:
            self.show_list()
            return
        demo = self._desk.document.demo()
        self._desk.runner.newest(
            "check rationale",
            lambda: check_demo(session.library, demo, control=JobControl(), only={step.id}),
            on_result=lambda found: self._keep({step.id: step}, found),
            # A damaged picture is told by the canvas; without it there is nothing to hold the words against.
            on_error=lambda _: None,
        )

    def _keep(self, steps: Mapping[str, Step], found: Mapping[str, list[RationaleFinding]]) -> None:
        if self._desk.session.closed:
            return
        for step_id, findings in found.items():
            rationale = steps[step_id].rationale
            if rationale is not None:
                self._findings[step_id] = (rationale, findings)
        self.show_list()
        self.show_marks()

    def _found(self, step: Step) -> list[RationaleFinding]:
        """What the check said about the rationale as it is now."""
        about = self._findings.get(step.id)
        return about[1] if about is not None and about[0] == step.rationale else []


def _rows(document: Document, found: Callable[[Step], list[RationaleFinding]]) -> tuple[list[tuple[str, str]], int]:
    """The steps that need a look, each with its sentence; and how many have no rationale."""
    rows: list[tuple[str, str]] = []
    missing = 0
    for number, step in enumerate(document.steps, start=1):
        findings = found(step)
        standing = standing_of(document, step, findings)
        if standing == "missing":
            missing += 1
        elif standing != "fine":
            stale = [STALE_WORDS] if is_stale_in(document, step) else []
            reasons = dict.fromkeys([*stale, *(one.message for one in findings)])
            rows.append((step.id, tr("Step {number}: {join}").format(number=number, join=" ".join(reasons))))
    return rows, missing

"""Rationales: written by order, checked while they are edited, compared between writers, their evidence shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import QTimer

from annotator.document import Document
from annotator.rationales.evidence import Named, named_in, sentence_at
from annotator.rationales.orders import WriteOrder, carry_out, try_beside
from annotator.rationales.standing import STALE_WORDS, check_demo, is_stale_in, marks_in, standing_of
from annotator.rationales.versions import TakeVersions, Version, passing
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.rationales.evidence_layer import EvidenceLayer
from annotator.ui.editor.rationales.panel import RationalesPanel
from annotator.ui.editor.step_list import StepList
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from models.language.check.findings import RationaleFinding

__all__ = ["RationalesFeature"]

_TAB = "rationales"
_PAUSE_MS = 150
WriteCall = Callable[[Library, WriteOrder, Settings, JobControl], str]
BesideCall = Callable[[Library, WriteOrder, Settings, JobControl], list[Version]]


class RationalesFeature(Feature):
    """Everything about rationales beside the text field itself.

    Attributes:
        panel: the tab.
        carry_out: writes; tests put their own in its place.
        try_beside: writes without storing; likewise.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="rationales", words=tr("Rationales: write, check, compare"), keys=("Ctrl+E",), group="Steps"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.carry_out: WriteCall = carry_out
        self.try_beside: BesideCall = try_beside
        self.panel = RationalesPanel(desk.theme)
        self._findings: dict[str, tuple[Rationale, list[RationaleFinding]]] = {}
        self._versions: dict[str, Version] = {}
        self._names: tuple[str, list[Named]] = ("", [])
        self._evidence: tuple[str, ...] = ()
        self._layer = EvidenceLayer(desk.theme, boxes=self._boxes)
        desk.canvas.add_layer(self._layer)
        desk.add_tab(_TAB, tr("Rationales"), self.panel, stays=False)
        desk.add_head_action(
            _TAB, tr("Rationales …"), self.open, tip=tr("Let a model write them, check them, compare writers")
        )
        self._soon = QTimer(desk.page, interval=_PAUSE_MS, singleShot=True)
        self._soon.timeout.connect(self._check_current)
        form, versions = self.panel.form, self.panel.versions
        form.write_wanted.connect(self.write)
        form.beside_wanted.connect(self.beside)
        versions.take_wanted.connect(self.take)
        versions.take_all_wanted.connect(self.take_all)
        versions.dropped.connect(self.drop)
        self.panel.check_wanted.connect(self.check)
        self.panel.step_chosen.connect(self._go_to)
        desk.panel.rationale.place_changed.connect(self._follow_cursor)
        self._offer_writers()
        document = desk.document
        self._ends = [
            desk.view.step_changed.connect(self._on_step),
            document.step_changed.connect(lambda _: self._soon.start()),
            document.head_changed.connect(self._soon.start),
            document.elements_changed.connect(self._on_elements),
        ]
        self._on_step()

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"rationales": self.open}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._soon.stop()
        for end in self._ends:
            end()

    def open(self) -> None:
        """Show the tab."""
        self._offer_writers()
        self._show_list()
        self.desk.show_tab(_TAB)

    def _offer_writers(self) -> None:
        model = self.desk.services.settings.language.model
        self.panel.form.offer_writers((model,) if model else ())

    # Writing --------------------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write what the form says."""
        order = self._order()
        if order is not None:
            self._run(tr("Writing rationales"), lambda library, settings, control: self.carry_out(
                library, order, settings, control), self.desk.messages.say)  # fmt: skip

    def beside(self) -> None:
        """Write beside what is there."""
        order = self._order()
        if order is None:
            return
        if order.demos != (self.desk.session.demo_id,):
            self.desk.messages.say(tr("Versions are compared within one demo; choose Step, Selected or Demo."))
            return
        self._run(tr("Writing versions"), lambda library, settings, control: self.try_beside(
            library, order, settings, control), self._show_new_versions)  # fmt: skip

    def _order(self) -> WriteOrder | None:
        self.desk.leave()
        form, session = self.panel.form, self.desk.session
        demos: tuple[str, ...] = (session.demo_id,)
        only: frozenset[str] | None = None
        if form.scope == "library":
            demos = tuple(one.head.id for one in session.library.demos())
        elif form.scope == "step":
            step = self.desk.view.step
            only = frozenset() if step is None else frozenset({step.id})
        elif form.scope == "selected":
            steps = self.desk.page.findChild(StepList)
            only = frozenset(steps.selected_ids) if isinstance(steps, StepList) else frozenset()
        if only is not None and not only:
            self.desk.messages.say(tr("No step is selected."))
            return None
        return WriteOrder(
            demos=demos, writer=form.writer, only=only, rewriting=form.rewriting, hindsight=form.hindsight,
            budget=form.budget,
        )  # fmt: skip

    def _run(
        self,
        title: str,
        work: Callable[[Library, Settings, JobControl], object],
        then: Callable[..., object],
    ) -> None:
        session, settings = self.desk.session, self.desk.services.settings
        self.panel.form.show_running(running=True)

        def show(result: object) -> None:
            if not session.closed:
                then(result)

        def end() -> None:
            if not session.closed:
                self.panel.form.show_running(running=False)
                session.reload()

        self.desk.runner.run(
            title,
            lambda control: work(session.library, settings, control),
            on_result=show,
            on_error=self.desk.messages.show_error,
            on_progress=lambda _: None if session.closed else session.reload(),
            on_end=end,
        )

    # Versions -------------------------------------------------------------------------------------------------

    def _show_new_versions(self, versions: list[Version]) -> None:
        self._versions = {one.step_id: one for one in versions}
        self._show_version()

    def take(self) -> None:
        """Take the version of the current step."""
        step = self.desk.view.step
        if step is not None and step.id in self._versions:
            self._take((self._versions[step.id],))

    def take_all(self) -> None:
        """Take every version that passes the check, in one edit."""
        self._take(tuple(passing(list(self._versions.values()))))

    def _take(self, versions: tuple[Version, ...]) -> None:
        self.desk.do(TakeVersions(versions=versions))
        self._versions = {key: one for key, one in self._versions.items() if one not in versions}
        self._show_version()

    def drop(self) -> None:
        """Forget the versions."""
        self._versions = {}
        self._show_version()

    def _show_version(self) -> None:
        step = self.desk.view.step
        there = list(self._versions.values())
        shown = None if step is None else self._versions.get(step.id)
        writer = there[0].writer if there else ""
        self.panel.versions.show_versions(shown, writer=writer, passing=len(passing(there)), total=len(there))

    # Standing -------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Hold every rationale of the demo against its screens."""
        self.desk.leave()
        session = self.desk.session
        demo = self.desk.document.demo()
        self.desk.runner.run(
            tr("Checking rationales"),
            lambda control: check_demo(session.library, demo, control=control),
            on_result=lambda found: self._keep({step.id: step for step in demo.steps}, found),
            on_error=self.desk.messages.show_error,
        )

    def _keep(self, steps: Mapping[str, Step], found: Mapping[str, list[RationaleFinding]]) -> None:
        if self.desk.session.closed:
            return
        for step_id, findings in found.items():
            rationale = steps[step_id].rationale
            if rationale is not None:
                self._findings[step_id] = (rationale, findings)
        self._show_list()
        self._show_marks()

    def _found(self, step: Step) -> list[RationaleFinding]:
        """What the check said about the rationale as it is now."""
        about = self._findings.get(step.id)
        return about[1] if about is not None and about[0] == step.rationale else []

    def _check_current(self) -> None:
        step, session = self.desk.view.step, self.desk.session
        if step is None or step.rationale is None or session.closed:
            self._show_list()
            return
        demo = self.desk.document.demo()
        self.desk.runner.newest(
            "check rationale",
            lambda: check_demo(session.library, demo, control=JobControl(), only={step.id}),
            on_result=lambda found: self._keep({step.id: step}, found),
            # A damaged picture is told by the canvas; without it there is nothing to hold the words against.
            on_error=lambda _: None,
        )

    def _show_marks(self) -> None:
        step = self.desk.view.step
        if step is not None and step.rationale is not None:
            self.desk.panel.rationale.show_marks(marks_in(step.rationale, self._found(step)))

    def _show_list(self) -> None:
        if self.desk.shown_tab != _TAB and self.panel.isHidden():
            return
        rows, missing = _rows(self.desk.document, self._found)
        checked = sum(bool(step.id in self._findings) for step in self.desk.document.steps)
        told = tr("{missing} steps have none. ").format(missing=missing) if missing != 1 else tr("1 step has none. ")
        told = told if missing else ""
        if not rows:
            told += tr("Nothing else needs a look.") if checked else tr("Check holds them against the screens.")
        self.panel.show_steps(rows, told=told.strip())

    def _go_to(self, step_id: str) -> None:
        index = self.desk.document.index_of(step_id)
        if index is not None:
            self.desk.view.go_to(index)

    def _on_step(self) -> None:
        self._evidence = ()
        self._show_version()
        self._show_marks()
        self._soon.start()

    def _on_elements(self, frame_id: str) -> None:
        del frame_id
        self._names = ("", [])
        self._soon.start()

    # Evidence -------------------------------------------------------------------------------------------------

    def _follow_cursor(self, place: int) -> None:
        found: tuple[str, ...] = ()
        frame = self.desk.view.step.before if self.desk.view.step is not None else None
        if place >= 0 and frame is not None:
            text = self.desk.panel.rationale.text
            if self._names[0] != frame.id + text:
                self._names = (frame.id + text, named_in(text, self.desk.document.elements(frame.id)))
            around = sentence_at(text, place)
            named = [one for one in self._names[1] if around.start <= one.start and one.end <= around.end]
            found = tuple(dict.fromkeys(uid for one in named for uid in one.uids))
        if found != self._evidence:
            self._evidence = found
            self.desk.canvas.update()

    def _boxes(self) -> tuple[Rect, ...]:
        frame = self.desk.view.frame
        found = (self.desk.document.element(uid) for uid in self._evidence)
        return tuple(one.box for one in found if one is not None and frame is not None and one.frame == frame.id)


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

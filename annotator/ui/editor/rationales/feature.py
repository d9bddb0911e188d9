"""Rationales: written by order, checked while they are edited, compared between writers, their evidence shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from annotator.rationales.orders import WriteOrder, carry_out, try_beside
from annotator.rationales.versions import Version
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.rationales.comparing import Comparing
from annotator.ui.editor.rationales.evidence import Evidence
from annotator.ui.editor.rationales.panel import RationalesPanel
from annotator.ui.editor.rationales.standing import TAB, Standing
from annotator.ui.editor.step_list import StepList
from annotator.words import tr
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library

__all__ = ["RationalesFeature"]

WriteCall = Callable[[Library, WriteOrder, Settings, JobControl], str]
BesideCall = Callable[[Library, WriteOrder, Settings, JobControl], list[Version]]


class RationalesFeature(Feature):
    """Everything about rationales beside the text field itself.

    Attributes:
        panel: the tab.
        evidence: what the words at the cursor speak of.
        standing: what needs a look.
        versions: what another writer would say.
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
        self.evidence = Evidence(desk)
        self.standing = Standing(desk, self.panel)
        self.versions = Comparing(desk, self.panel.versions)
        desk.add_tab(TAB, tr("Rationales"), self.panel, stays=False)
        desk.add_head_action(
            TAB, tr("Rationales …"), self.open, tip=tr("Let a model write them, check them, compare writers")
        )
        self.panel.form.write_wanted.connect(self.write)
        self.panel.form.beside_wanted.connect(self.beside)
        self.panel.step_chosen.connect(self._go_to)
        self._offer_writers()
        document = desk.document
        self._ends = [
            desk.view.step_changed.connect(self._on_step),
            document.step_changed.connect(lambda _: self.standing.check_soon()),
            document.head_changed.connect(self.standing.check_soon),
            document.elements_changed.connect(self._on_elements),
        ]
        self._on_step()

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"rationales": self.open}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self.standing.close()
        for end in self._ends:
            end()

    def open(self) -> None:
        """Show the tab."""
        self._offer_writers()
        self.standing.show_list()
        self.desk.show_tab(TAB)

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
            library, order, settings, control), self.versions.begin)  # fmt: skip

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

    # Following ------------------------------------------------------------------------------------------------

    def _go_to(self, step_id: str) -> None:
        index = self.desk.document.index_of(step_id)
        if index is not None:
            self.desk.view.go_to(index)

    def _on_step(self) -> None:
        self.evidence.forget()
        self.versions.refresh()
        self.standing.show_marks()
        self.standing.check_soon()

    def _on_elements(self, frame_id: str) -> None:
        del frame_id
        self.evidence.forget_names()
        self.standing.check_soon()

"""Rationales: written by order, checked while they are edited, compared between writers, their evidence shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, Final, TypeAlias, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from annotator.document import Document
from annotator.rationale_checks import (
    STALE_WORDS,
    check_demo,
    is_stale_in,
    marks_in,
    named_in,
    rationale_status,
    sentence_at,
)
from annotator.rationale_writing import Version, WriteOrder, carry_out, try_beside
from annotator.ui.canvas.layers import OutlineLayer, OutlineStyle
from annotator.ui.controls import column, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import scrolled, stacked
from annotator.ui.editor.rationales_panel import OrderForm, VersionsView
from annotator.ui.keys.key import Key
from annotator.ui.painting import faded
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from models.language.check.text_spans import TextSpan
from models.language.check.truth_rule import RationaleFinding

_STEP: Final = Qt.ItemDataRole.UserRole
T = TypeVar("T")
_Call: TypeAlias = Callable[[Library, WriteOrder, Settings, JobControl], T]


class RationalesFeature(Feature):
    """Everything about rationales beside the text field itself.

    Attributes:
        form: the order to a writer.
        versions: what another writer would say.
        evidence: what the words at the cursor speak of.
        standing: what needs a look.
        carry_out: writes; tests put their own in its place.
        try_beside: writes without storing; likewise.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.carry_out: _Call[str] = carry_out
        self.try_beside: _Call[list[Version]] = try_beside
        self.form = OrderForm(context.theme, write=self.write, beside=self.beside)
        self.versions = VersionsView(context)
        self.evidence = EvidenceHighlighter(context)
        self.standing = RationaleChecker(context)
        under = QWidget()
        column(self.versions, self.standing, of=under, spacing=0)
        context.panel.add_tab(TAB, tr("Rationales"), scrolled(stacked(self.form, under)), stays=False)
        context.head.add_job(
            TAB, tr("Rationales …"), self.open, tip=tr("Let a model write them, check them, compare writers")
        )

    def open(self) -> None:
        """Show the tab."""
        model = self.context.services.settings.language.model
        self.form.offer_writers((model,) if model else ())
        self.standing.show_list()
        self.context.panel.show_tab(TAB)

    # Writing --------------------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write what the form says."""
        order = self._order()
        if order is not None:
            self._run(tr("Writing rationales"), order, self.carry_out, self.context.messages.say)

    def beside(self) -> None:
        """Write beside what is there."""
        order = self._order()
        if order is None:
            return
        if order.demos != (self.context.session.demo_id,):
            self.context.messages.say(tr("Versions are compared within one demo; choose Step, Selected or Demo."))
            return
        self._run(tr("Writing versions"), order, self.try_beside, self.versions.begin)

    def _order(self) -> WriteOrder | None:
        self.context.leave()
        form, session = self.form, self.context.session
        demos: tuple[str, ...] = (session.demo_id,)
        only: frozenset[str] | None = None
        if form.scope == "library":
            demos = tuple(one.head.id for one in session.library.demos())
        elif form.scope == "step":
            step = self.context.view.step
            only = frozenset() if step is None else frozenset({step.id})
        elif form.scope == "selected":
            only = frozenset(self.context.steps.selected_ids)
        if only is not None and not only:
            self.context.messages.say(tr("No step is selected."))
            return None
        return form.order(demos, only)

    def _run(self, title: str, order: WriteOrder, call: _Call[T], then: Callable[[T], None]) -> None:
        session, settings = self.context.session, self.context.services.settings
        self.form.show_running(running=True)

        def end() -> None:
            self.form.show_running(running=False)
            session.reload()

        self.context.operations.run(
            title,
            lambda control: call(session.library, order, settings, control),
            on_result=then,
            on_progress=lambda _: session.reload(),
            on_end=end,
        )

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("rationales", tr("Rationales: write, check, compare"), ("Ctrl+E",), "Steps", call=open),
    )


def _style(theme: Theme) -> OutlineStyle:
    accent = theme.palette.accent
    return OutlineStyle(pens=(QPen(QColor(accent), 2),), fill=faded(accent, 46), margin=3, radius=4)


class EvidenceHighlighter(OutlineLayer):
    """Follows the cursor in the rationale, and marks what it reads about on the picture."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__(partial(_style, context.theme))
        self._context = context
        self._names: tuple[str, list[tuple[TextSpan, tuple[str, ...]]]] = ("", [])
        self._uids: tuple[str, ...] = ()
        context.canvas.add_layer(self)
        context.panel.rationale.place_changed.connect(self._follow)
        context.document.elements_changed.connect(self._on_elements)
        context.view.frame_changed.connect(self._mark)
        context.view.step_changed.connect(partial(self._follow, -1))

    def _on_elements(self, _: str) -> None:
        # They may have other texts and places now.
        self._names = ("", [])
        self._mark()

    def _mark(self) -> None:
        found = self._context.document.present(self._uids)
        self.show([one.box for one in found if self._context.view.is_on(one.frame)])
        self._context.canvas.update()

    def _follow(self, place: int) -> None:
        found: tuple[str, ...] = ()
        step = self._context.view.step
        frame = None if step is None else step.before
        if place >= 0 and frame is not None:
            text = self._context.panel.rationale.text
            if self._names[0] != frame.id + text:
                self._names = (frame.id + text, named_in(text, self._context.document.elements(frame.id)))
            around = sentence_at(text, place)
            named = [uids for at, uids in self._names[1] if around.start <= at.start and at.end <= around.end]
            found = tuple(dict.fromkeys(uid for uids in named for uid in uids))
        if found != self._uids:
            self._uids = found
            self._mark()


TAB: Final = "rationales"


_PAUSE_MS: Final = 150


class RationaleChecker(QWidget):
    """Checks the current step soon after each edit, all when asked; lists and underlines what does not hold."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__()
        self._context = context
        self._findings: dict[str, tuple[Rationale, list[RationaleFinding]]] = {}
        soon = QTimer(context.page, interval=_PAUSE_MS, singleShot=True)
        soon.timeout.connect(self._check_current)
        document = context.document
        context.view.step_changed.connect(self._show_marks)
        context.view.step_changed.connect(soon.start)
        document.head_changed.connect(soon.start)
        document.step_changed.connect(lambda _: soon.start())
        document.elements_changed.connect(lambda _: soon.start())
        soon.start()
        hold = tr("Hold every rationale of this demo against its screens")
        check = push_button(tr("Check"), hold, context.theme, call=self.check)
        self._told = label("", role="caption", wraps=True)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Rationales that need a look"))
        self._list.setProperty("role", "plain")
        self._list.setWordWrap(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.itemActivated.connect(self._go_to)
        self._list.itemClicked.connect(self._go_to)
        heading = row((label(tr("NEED A LOOK"), role="heading"), 1), check)
        column(heading, self._told, self._list, of=self, margins=SPACE.m)

    def _go_to(self, item: QListWidgetItem) -> None:
        index = self._context.document.index_of(str(item.data(_STEP)))
        if index is not None:
            self._context.view.go_to(index)

    def check(self) -> None:
        """Hold every rationale of the demo against its screens."""
        self._context.leave()
        session = self._context.session
        demo = self._context.document.demo()
        self._context.operations.run(
            tr("Checking rationales"),
            lambda control: check_demo(session.library, demo, control=control),
            on_result=lambda found: self._keep({step.id: step for step in demo.steps}, found),
        )

    def _show_marks(self) -> None:
        """Underline in the text of the current step what does not hold."""
        step = self._context.view.step
        if step is not None and step.rationale is not None:
            self._context.panel.rationale.show_marks(marks_in(step.rationale, self._found(step)))

    def show_list(self) -> None:
        """List the steps that need a look, if anybody sees the list."""
        if self._context.panel.shown_tab != TAB:
            return
        rows, missing = _rows(self._context.document, self._found)
        checked = any(step.id in self._findings for step in self._context.document.steps)
        some = tr("1 step has none. ") if missing == 1 else tr("{missing} steps have none. ").format(missing=missing)
        told = some if missing else ""
        if not rows:
            told += tr("Nothing else needs a look.") if checked else tr("Check holds them against the screens.")
        with QSignalBlocker(self._list):
            self._list.clear()
            for step_id, words in rows:
                item = QListWidgetItem(words)
                item.setData(_STEP, step_id)
                self._list.addItem(item)
        self._told.setText(told.strip())
        self._list.setVisible(bool(rows))

    def _check_current(self) -> None:
        step, session = self._context.view.step, self._context.session
        if step is None or step.rationale is None:
            self.show_list()
            return
        demo = self._context.document.demo()
        self._context.operations.start(
            lambda: check_demo(session.library, demo, control=JobControl(), only={step.id}),
            on_result=lambda found: self._keep({step.id: step}, found),
            # A damaged picture is told by the canvas; without it there is nothing to hold the words against.
            on_error=lambda _: None,
            lane="library",
            newest="check rationale",
        )

    def _keep(self, steps: Mapping[str, Step], found: Mapping[str, list[RationaleFinding]]) -> None:
        for step_id, findings in found.items():
            rationale = steps[step_id].rationale
            if rationale is not None:
                self._findings[step_id] = (rationale, findings)
        self.show_list()
        self._show_marks()

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
        standing = rationale_status(document, step, findings)
        if standing == "missing":
            missing += 1
        elif standing != "fine":
            stale = [STALE_WORDS] if is_stale_in(document, step) else []
            reasons = dict.fromkeys([*stale, *(one.message for one in findings)])
            rows.append((step.id, tr("Step {number}: {join}").format(number=number, join=" ".join(reasons))))
    return rows, missing

"""Several steps at once: the tab, the entries of the head's menu, and the jobs behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from annotator.batch.batch_commands import (
    AddAccessible,
    Duplicate,
    RemoveDuplicates,
    TightenAll,
    find_duplicates,
    tighten_all,
)
from annotator.batch.parsing import DemoOrder, ParseOrder, find_elements, load_order, save_order
from annotator.batch.step_ranges import duplicate_words, frames_of, left_words, range_words, steps_in
from annotator.binding import targets_of
from annotator.ui.editor.batch_panel import BatchPanel
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.step_list import StepList
from annotator.view_state import show_frame
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library

T = TypeVar("T")
_TAB = "batch"
SearchCall = Callable[[Library, ParseOrder, Settings, JobControl], str]


class BatchFeature(Feature):
    """What is done to a range of steps.

    Attributes:
        panel: the tab.
        search: searches the screens of an order; tests put their own in its place.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.search: SearchCall = find_elements
        self.panel = BatchPanel(context.theme)
        self._running = False
        self._left: ParseOrder | None = None
        context.add_tab(_TAB, tr("Several steps"), self.panel, stays=False)
        for name, words, call, tip in (
            ("batch_find", tr("Find elements on some steps"), self._open, tr("On one step, several, or every demo")),
            (
                "batch_tighten",
                tr("Tighten many boxes"),
                self._open,
                tr("Fit the boxes of several steps to what can be seen"),
            ),
            (
                "batch_told",
                tr("Add what programs told"),
                self._open,
                tr("Accessibility's names and roles as suggestions"),
            ),
            ("batch_doubles", tr("Find doubles"), self._open_doubles, tr("Elements that stand there twice")),
        ):
            context.add_head_action(name, words, call, tip=tip)
        panel = self.panel
        panel.scope_chosen.connect(self._show_range)
        panel.find_wanted.connect(lambda: self._find(again=False))
        panel.again_wanted.connect(lambda: self._find(again=True))
        panel.go_on_wanted.connect(self._go_on)
        panel.forget_wanted.connect(self._forget)
        panel.tighten_wanted.connect(self._tighten)
        panel.told_wanted.connect(self._add_told)
        panel.doubles_wanted.connect(self._find_doubles)
        panel.remove_wanted.connect(self._remove)
        panel.double_chosen.connect(self._show_double)
        self._steps = context.page.findChild(StepList)
        if self._steps is not None:
            self._steps.selectionModel().selectionChanged.connect(self._show_range)
        document = context.document
        context.view.step_changed.connect(self._show_range)
        document.step_inserted.connect(lambda _: self._show_range())
        document.step_removed.connect(lambda _: self._show_range())
        self._show_range()

    # The range ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.context.show_tab(_TAB)
        self._show_range()
        folder = self.context.session.library.folder
        self.context.operations.start(lambda: load_order(folder), on_result=self._show_left, lane="library")

    def _open_doubles(self) -> None:
        self._open()
        self._find_doubles()

    def _chosen(self) -> tuple[Step, ...]:
        context, step = self.context, self.context.view.step
        selected = () if self._steps is None else self._steps.selected_ids
        current = None if step is None else step.id
        return steps_in(context.document, self.panel.scope, current=current, selected=selected)

    def _frames(self) -> tuple[Frame, ...]:
        return frames_of(self.context.document, self._chosen())

    def _show_range(self, *_: object) -> None:
        frames = self._frames()
        every = self.panel.scope == "library"
        words = tr("Other demos are only searched.") if every else range_words(len(self._chosen()), len(frames))
        self.panel.show_range(words, screens=len(frames), running=self._running)

    # Searching ------------------------------------------------------------------------------------------------

    def _find(self, *, again: bool) -> None:
        context = self.context
        if self.panel.scope == "library":
            library = context.session.library
            context.operations.start(
                lambda: tuple(
                    DemoOrder(demo=summary.head.id) for summary in library.demos() if summary.head.status != "recording"
                ),
                on_result=lambda demos: self._order(ParseOrder(again=again, demos=demos)),
                lane="library",
            )
            return
        frames = tuple(frame.id for frame in self._frames())
        self._order(ParseOrder(again=again, demos=(DemoOrder(demo=context.session.demo_id, frames=frames),)))

    def _go_on(self) -> None:
        if self._left is not None:
            self._order(self._left)

    def _forget(self) -> None:
        folder = self.context.session.library.folder
        self.context.operations.start(lambda: save_order(folder, None), on_result=self._show_left, lane="library")

    def _order(self, order: ParseOrder) -> None:
        session, settings, call = self.context.session, self.context.services.settings, self.search
        self._run(
            tr("Finding elements"),
            lambda control: call(session.library, order, settings, control),
            announce=self.context.messages.say,
            writes=True,
        )

    def _show_left(self, order: ParseOrder | None) -> None:
        self._left = order
        self.panel.show_left("" if order is None else left_words(order))

    def _run(
        self,
        title: str,
        work: Callable[[JobControl], T],
        then: Callable[[T], None] | None = None,
        *,
        announce: Callable[[T], None] | None = None,
        writes: bool = False,
    ) -> None:
        """A job of which one runs at a time; one that writes to the library shows what it wrote as it goes on."""
        context, session = self.context, self.context.session
        context.leave()
        self._running = True
        self._show_range()

        def end() -> None:
            self._running = False
            self._show_range()
            if writes:
                session.reload()
                folder = session.library.folder
                context.operations.start(lambda: load_order(folder), on_result=self._show_left, lane="library")

        context.operations.run(
            title,
            work,
            on_result=then,
            announce=announce,
            on_progress=(lambda _: session.reload()) if writes else None,
            on_end=end,
        )

    # Boxes ----------------------------------------------------------------------------------------------------

    def _elements(self) -> dict[str, tuple[Element, ...]]:
        """The elements that are shown, by frame."""
        view = self.context.view
        return {frame.id: found for frame in self._frames() if (found := view.shown(frame.id))}

    def _tighten(self) -> None:
        library, elements = self.context.session.library, self._elements()
        self._run(
            tr("Tightening boxes"),
            lambda control: tighten_all(library, elements, control=control),
            lambda boxes: self._tightened(boxes, elements),
        )

    def _tightened(self, boxes: dict[str, Rect], seen: dict[str, tuple[Element, ...]]) -> None:
        # A box that a person moved meanwhile is theirs.
        was = {old.uid: old.box for found in seen.values() for old in found}
        still = {one.uid for one in self.context.document.present(was) if one.box == was[one.uid]}
        fitting = {uid: box for uid, box in boxes.items() if uid in still}
        if fitting:
            self.context.do(TightenAll(boxes=fitting))
        else:
            self.context.say(tr("Every box fits already."))

    def _add_told(self) -> None:
        command, document = AddAccessible(frames=self._frames()), self.context.document
        if command.edit(document) is None:
            self.context.say(tr("The programs told nothing that is not there already."))
        else:
            self.context.do(command)

    # Doubles --------------------------------------------------------------------------------------------------

    def _find_doubles(self) -> None:
        elements, targets = self._elements(), targets_of(self.context.document.steps)

        def look(control: JobControl) -> list[Duplicate]:
            found: list[Duplicate] = []
            for here in elements.values():
                control.token.check()
                found += find_duplicates(here, targets=targets)
            return found

        self._run(tr("Looking for doubles"), look, self._show_doubles)

    def _show_doubles(self, found: list[Duplicate]) -> None:
        document = self.context.document
        self.panel.show_doubles([(one.uid, duplicate_words(document, one)) for one in found])

    def _remove(self, uids: tuple[str, ...]) -> None:
        self.context.do(RemoveDuplicates(uids=uids))
        self.panel.show_doubles([])

    def _show_double(self, uid: str) -> None:
        element = self.context.document.element(uid)
        if element is not None and show_frame(self.context.view, element.frame):
            self.context.view.select((uid,))

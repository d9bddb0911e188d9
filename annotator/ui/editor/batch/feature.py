"""Several steps at once: the tab, the entries of the head's menu, and the jobs behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from annotator.batch.commands import AddAccessible, RemoveDuplicates, TightenAll
from annotator.batch.duplicates import Duplicate, find_duplicates
from annotator.batch.orders import DemoOrder, ParseOrder, load_order, save_order
from annotator.batch.ranges import frames_of, steps_in
from annotator.batch.searching import find_elements
from annotator.batch.tightening import tighten_all
from annotator.batch.words import duplicate_words, first_step, left_words, range_words
from annotator.binding import targets_of
from annotator.ui.editor.batch.panel import BatchPanel
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.step_list import StepList
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library

__all__ = ["BatchFeature"]

T = TypeVar("T")
_TAB = "batch"
SearchCall = Callable[[Library, ParseOrder, Settings, JobControl], str]


class BatchFeature(Feature):
    """What is done to a range of steps.

    Attributes:
        panel: the tab.
        search: searches the screens of an order; tests put their own in its place.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.search: SearchCall = find_elements
        self.panel = BatchPanel(desk.theme)
        self._running = False
        self._left: ParseOrder | None = None
        desk.add_tab(_TAB, tr("Several steps"), self.panel, stays=False)
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
            desk.add_head_action(name, words, call, tip=tip)
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
        self._steps = desk.page.findChild(StepList)
        if self._steps is not None:
            self._steps.selectionModel().selectionChanged.connect(self._show_range)
        document = desk.document
        self._ends = [
            desk.view.step_changed.connect(self._show_range),
            document.step_inserted.connect(lambda _: self._show_range()),
            document.step_removed.connect(lambda _: self._show_range()),
        ]
        self._show_range()

    def close_view(self) -> None:
        """See :class:`Feature`."""
        if self._steps is not None:
            self._steps.selectionModel().selectionChanged.disconnect(self._show_range)
        for end in self._ends:
            end()

    # The range ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.desk.show_tab(_TAB)
        self._show_range()
        folder = self.desk.session.library.folder
        self.desk.runner.submit(
            lambda: load_order(folder), on_result=self._show_left, on_error=self.desk.messages.show_error
        )

    def _open_doubles(self) -> None:
        self._open()
        self._find_doubles()

    def _chosen(self) -> tuple[Step, ...]:
        desk, step = self.desk, self.desk.view.step
        selected = () if self._steps is None else self._steps.selected_ids
        current = None if step is None else step.id
        return steps_in(desk.document, self.panel.scope, current=current, selected=selected)

    def _frames(self) -> tuple[Frame, ...]:
        return frames_of(self.desk.document, self._chosen())

    def _show_range(self, *_: object) -> None:
        frames = self._frames()
        every = self.panel.scope == "library"
        words = tr("Other demos are only searched.") if every else range_words(len(self._chosen()), len(frames))
        self.panel.show_range(words, screens=len(frames), running=self._running)

    # Searching ------------------------------------------------------------------------------------------------

    def _find(self, *, again: bool) -> None:
        desk = self.desk
        if self.panel.scope == "library":
            library = desk.session.library
            desk.runner.submit(
                lambda: tuple(
                    DemoOrder(demo=summary.head.id) for summary in library.demos() if summary.head.status != "recording"
                ),
                on_result=lambda demos: self._order(ParseOrder(again=again, demos=demos)),
                on_error=desk.messages.show_error,
            )
            return
        frames = tuple(frame.id for frame in self._frames())
        self._order(ParseOrder(again=again, demos=(DemoOrder(demo=desk.session.demo_id, frames=frames),)))

    def _go_on(self) -> None:
        if self._left is not None:
            self._order(self._left)

    def _forget(self) -> None:
        folder = self.desk.session.library.folder
        self.desk.runner.submit(
            lambda: save_order(folder, None), on_result=self._show_left, on_error=self.desk.messages.show_error
        )

    def _order(self, order: ParseOrder) -> None:
        session, settings, call = self.desk.session, self.desk.services.settings, self.search
        self._run(
            tr("Finding elements"),
            lambda control: call(session.library, order, settings, control),
            self.desk.messages.say,
            writes=True,
        )

    def _show_left(self, order: ParseOrder | None) -> None:
        self._left = order
        if not self.desk.session.closed:
            self.panel.show_left("" if order is None else left_words(order))

    def _run(
        self, title: str, work: Callable[[JobControl], T], then: Callable[[T], None], *, writes: bool = False
    ) -> None:
        """A job of which one runs at a time; one that writes to the library shows what it wrote as it goes on."""
        desk, session = self.desk, self.desk.session
        desk.leave()
        self._running = True
        self._show_range()

        def end() -> None:
            self._running = False
            if session.closed:
                return
            self._show_range()
            if writes:
                session.reload()
                folder = session.library.folder
                desk.runner.submit(
                    lambda: load_order(folder), on_result=self._show_left, on_error=desk.messages.show_error
                )

        desk.runner.run(
            title,
            work,
            on_result=then,
            on_error=desk.messages.show_error,
            on_progress=(lambda _: None if session.closed else session.reload()) if writes else None,
            on_end=end,
        )

    # Boxes ----------------------------------------------------------------------------------------------------

    def _elements(self) -> dict[str, tuple[Element, ...]]:
        """The elements that are shown, by frame."""
        view = self.desk.view
        return {frame.id: found for frame in self._frames() if (found := view.shown(frame.id))}

    def _tighten(self) -> None:
        library, elements = self.desk.session.library, self._elements()
        self._run(
            tr("Tightening boxes"),
            lambda control: tighten_all(library, elements, control=control),
            lambda boxes: self._tightened(boxes, elements),
        )

    def _tightened(self, boxes: dict[str, Rect], seen: dict[str, tuple[Element, ...]]) -> None:
        if self.desk.session.closed:
            return
        # A box that a person moved meanwhile is theirs.
        now = (self.desk.document.element(old.uid) for found in seen.values() for old in found)
        was = {old.uid: old.box for found in seen.values() for old in found}
        still = {one.uid for one in now if one is not None and one.box == was[one.uid]}
        fitting = {uid: box for uid, box in boxes.items() if uid in still}
        if fitting:
            self.desk.do(TightenAll(boxes=fitting))
        else:
            self.desk.say(tr("Every box fits already."))

    def _add_told(self) -> None:
        command, document = AddAccessible(frames=self._frames()), self.desk.document
        if command.edit(document) is None:
            self.desk.say(tr("The programs told nothing that is not there already."))
        else:
            self.desk.do(command)

    # Doubles --------------------------------------------------------------------------------------------------

    def _find_doubles(self) -> None:
        elements, targets = self._elements(), targets_of(self.desk.document.steps)

        def look(control: JobControl) -> list[Duplicate]:
            found: list[Duplicate] = []
            for here in elements.values():
                control.token.check()
                found += find_duplicates(here, targets=targets)
            return found

        self._run(tr("Looking for doubles"), look, self._show_doubles)

    def _show_doubles(self, found: list[Duplicate]) -> None:
        document = self.desk.document
        if not self.desk.session.closed:
            self.panel.show_doubles([(one.uid, duplicate_words(document, one)) for one in found])

    def _remove(self, uids: tuple[str, ...]) -> None:
        self.desk.do(RemoveDuplicates(uids=uids))
        self.panel.show_doubles([])

    def _show_double(self, uid: str) -> None:
        document, view = self.desk.document, self.desk.view
        element = document.element(uid)
        place = None if element is None else first_step(document, element.frame)
        if element is None or place is None:
            return
        if view.frame is None or view.frame.id != element.frame:
            view.go_to(place)
            before = document.steps[place].before
            view.set_side("before" if before is not None and before.id == element.frame else "after")
        view.select((uid,))

"""Several steps at once: the tab, the entries of the head's menu, and the jobs behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from annotator.batch.batch_commands import (
    AddAccessible,
    Duplicate,
    RemoveDuplicates,
    TightenAll,
    find_duplicates,
    tighten_all,
)
from annotator.batch.parsing import DemoOrder, ParseOrder, find_elements, load_order, save_order
from annotator.batch.step_ranges import SCOPE_NAMES, SCOPES, Scope, duplicate_words, frames_of, left_words, steps_in
from annotator.commands import targets_of
from annotator.ui.controls import column, combo_box, label, push_button
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import part, scrolled, stacked
from annotator.ui.editor.step_list import StepList
from annotator.ui.theme.manager import Theme
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
_UID = Qt.ItemDataRole.UserRole
SearchCall = Callable[[Library, ParseOrder, Settings, JobControl], str]


class BatchPanel(QWidget):
    """Which steps, and what can be done to them; the feature does it."""

    def __init__(self, theme: Theme, feature: BatchFeature) -> None:
        super().__init__()
        self._theme = theme
        self._feature = feature
        parts = (self._range_part(), self._find_part(), self._tidy_part(), self._doubles_part())
        column(scrolled(stacked(*parts)), of=self)
        self.show_left(None)
        self.show_doubles(None)

    # Parts ----------------------------------------------------------------------------------------------------

    def _range_part(self) -> QVBoxLayout:
        scopes = [(SCOPE_NAMES[scope], scope) for scope in SCOPES]
        self._scope = combo_box(tr("Which steps"), tr("Which steps are meant"), scopes)
        self._scope.setCurrentIndex(SCOPES.index("demo"))
        self._scope.currentIndexChanged.connect(self._feature.show_range)
        self._range = label("", role="caption", wraps=True)
        return part(tr("Which steps"), self._scope, self._range)

    def _find_part(self) -> QVBoxLayout:
        theme, feature, find = self._theme, self._feature, tr("Search the screens that were not searched yet")
        again = tr("Search all of these screens, also those that were searched")
        go_on, forget = tr("Search what is left of the search that was stopped"), tr("Do not offer to go on any more")
        stays = tr("What a person drew, accepted, corrected or rejected stays as it is.")
        self._find = push_button(tr("Find elements"), find, theme, name="find", call=lambda: feature.find(again=False))
        self._again = push_button(tr("Find again"), again, theme, call=lambda: feature.find(again=True))
        hint = label(stays, role="caption", wraps=True)
        self._left = label("", role="warning", wraps=True)
        self._go_on = push_button(tr("Go on"), go_on, theme, call=feature.go_on)
        self._forget = push_button(tr("Forget it"), forget, theme, role="flat", call=feature.forget)
        return part(tr("Find elements"), self._find, self._again, hint, self._left, self._go_on, self._forget)

    def _tidy_part(self) -> QVBoxLayout:
        tighten = tr("Fit every box that is shown to the edges that can be seen")
        told = tr("Accessibility's names and roles as suggestions")
        self._tighten = push_button(tr("Tighten boxes"), tighten, self._theme, call=self._feature.tighten)
        self._told = push_button(tr("Add what programs told"), told, self._theme, call=self._feature.add_told)
        return part(tr("Boxes"), self._tighten, self._told)

    def _doubles_part(self) -> QVBoxLayout:
        look, remove = tr("Elements that stand there twice"), tr("Remove the doubles that have a tick, in one edit")
        self._look = push_button(tr("Find doubles"), look, self._theme, call=self._feature.find_doubles)
        self._none = label("", role="caption", wraps=True)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Doubles"))
        self._list.setToolTip(tr("Those with a tick are removed; choosing one shows it"))
        self._list.setWordWrap(True)
        self._list.setMinimumHeight(160)
        self._list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(self._choose)
        self._list.itemChanged.connect(self._count)
        self._remove = push_button(
            tr("Remove"), remove, self._theme, name="trash", call=lambda: self._feature.remove(self.ticked)
        )
        return part(tr("Doubles"), self._look, self._none, self._list, self._remove)

    # Showing --------------------------------------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        """Which steps are meant."""
        return SCOPES[self._scope.currentIndex()]

    @property
    def ticked(self) -> tuple[str, ...]:
        """Uids of the doubles that are to go."""
        items = (self._list.item(row) for row in range(self._list.count()))
        return tuple(str(item.data(_UID)) for item in items if item.checkState() == Qt.CheckState.Checked)

    def show_range(self, steps: int, screens: int, *, running: bool) -> None:
        """How much the range is; what the library's other demos are not open for is off."""
        every = self.scope == "library"
        words = tr("Steps: {steps}, screens: {screens}") if screens else tr("There is no screen here.")
        told = tr("Other demos are only searched.") if every else words.format(steps=steps, screens=screens)
        self._range.setText(told)
        for button in (self._find, self._again, self._go_on):
            button.setEnabled((screens > 0 or every) and not running)
        for button in (self._tighten, self._told, self._look):
            button.setEnabled(screens > 0 and not every and not running)

    def show_left(self, order: ParseOrder | None) -> None:
        """What is left of a search that was stopped; None for nothing."""
        if order is not None:
            self._left.setText(left_words(order))
        for one in (self._left, self._go_on, self._forget):
            one.setVisible(order is not None)

    def show_doubles(self, doubles: Sequence[tuple[str, str]] | None) -> None:
        """Doubles as (uid, words); None before they were looked for."""
        with QSignalBlocker(self._list):
            self._list.clear()
            for uid, words in doubles or ():
                item = QListWidgetItem(words)
                item.setData(_UID, uid)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
                self._list.addItem(item)
        self._none.setText(tr("There is no double.") if doubles is not None else "")
        self._none.setVisible(doubles is not None and not doubles)
        self._list.setVisible(bool(doubles))
        self._remove.setVisible(bool(doubles))
        self._count()

    def _count(self, *_: object) -> None:
        count = len(self.ticked)
        words = tr("Remove 1 double") if count == 1 else tr("Remove {count} doubles").format(count=count)
        self._remove.setText(words)
        self._remove.setAccessibleName(words)
        self._remove.setEnabled(count > 0)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._feature.show_double(str(item.data(_UID)))


class BatchFeature(Feature):
    """What is done to a range of steps.

    Attributes:
        panel: the tab.
        search: searches the screens of an order; tests put their own in its place.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.search: SearchCall = find_elements
        self.panel = BatchPanel(context.theme, self)
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
        self._steps = context.page.findChild(StepList)
        if self._steps is not None:
            self._steps.selectionModel().selectionChanged.connect(self.show_range)
        document = context.document
        context.view.step_changed.connect(self.show_range)
        document.step_inserted.connect(lambda _: self.show_range())
        document.step_removed.connect(lambda _: self.show_range())
        self.show_range()

    # The range ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.context.show_tab(_TAB)
        self.show_range()
        folder = self.context.session.library.folder
        self.context.operations.start(lambda: load_order(folder), on_result=self._show_left, lane="library")

    def _open_doubles(self) -> None:
        self._open()
        self.find_doubles()

    def _chosen(self) -> tuple[Step, ...]:
        context, step = self.context, self.context.view.step
        selected = () if self._steps is None else self._steps.selected_ids
        current = None if step is None else step.id
        return steps_in(context.document, self.panel.scope, current=current, selected=selected)

    def _frames(self) -> tuple[Frame, ...]:
        return frames_of(self.context.document, self._chosen())

    def show_range(self, *_: object) -> None:
        """Say how much is chosen now."""
        self.panel.show_range(len(self._chosen()), len(self._frames()), running=self._running)

    # Searching ------------------------------------------------------------------------------------------------

    def find(self, *, again: bool) -> None:
        """Look for elements on the chosen screens; ``again`` also where they were looked for before."""
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

    def go_on(self) -> None:
        """Go on with the search that was stopped."""
        if self._left is not None:
            self._order(self._left)

    def forget(self) -> None:
        """Forget what is left of it."""
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
        self.panel.show_left(order)

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
        self.show_range()

        def end() -> None:
            self._running = False
            self.show_range()
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

    def tighten(self) -> None:
        """Fit the boxes that are shown to what can be seen."""
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

    def add_told(self) -> None:
        """Add what the programs told."""
        command, document = AddAccessible(frames=self._frames()), self.context.document
        if command.edit(document) is None:
            self.context.say(tr("The programs told nothing that is not there already."))
        else:
            self.context.do(command)

    # Doubles --------------------------------------------------------------------------------------------------

    def find_doubles(self) -> None:
        """Look for elements that stand there twice."""
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

    def remove(self, uids: tuple[str, ...]) -> None:
        """Remove the doubles that were ticked."""
        self.context.do(RemoveDuplicates(uids=uids))
        self.panel.show_doubles([])

    def show_double(self, uid: str) -> None:
        """Show one of the doubles on its picture."""
        element = self.context.document.element(uid)
        if element is not None and show_frame(self.context.view, element.frame):
            self.context.view.select((uid,))

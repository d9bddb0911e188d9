"""Several steps at once: the tab, the entries of the head's menu, and the jobs behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout

from annotator.batch.batch_commands import (
    AddAccessible,
    Duplicate,
    RemoveDuplicates,
    TightenAll,
    duplicate_words,
    find_duplicates,
    tighten_all,
)
from annotator.batch.parsing import (
    SCOPE_NAMES,
    SCOPES,
    DemoOrder,
    ParseOrder,
    Scope,
    find_elements,
    frames_of,
    left_words,
    load_order,
    save_order,
    steps_in,
)
from annotator.commands import targets_of
from annotator.ui.controls import combo_box, label, push_button, show_words
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import part, scrolled, stacked
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


class BatchFeature(Feature):
    """The tab for several steps at once: which ones, and what is done to them.

    Attributes:
        search: searches the screens of an order; tests put their own in its place.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.search: SearchCall = find_elements
        self._running = False
        self._order_left: ParseOrder | None = None
        parts = (self._range_part(), self._find_part(), self._tidy_part(), self._doubles_part())
        context.panel.add_tab(_TAB, tr("Several steps"), scrolled(stacked(*parts)), stays=False)
        self._show_left(None)
        self._show_doubles(None)
        fit = tr("Fit the boxes of several steps to what can be seen")
        told = tr("Accessibility's names and roles as suggestions")
        for name, words, call, tip in (
            ("batch_find", tr("Find elements on some steps"), self._open, tr("On one step, several, or every demo")),
            ("batch_tighten", tr("Tighten many boxes"), self._open, fit),
            ("batch_told", tr("Add what programs told"), self._open, told),
            ("batch_doubles", tr("Find doubles"), self._open_doubles, tr("Elements that stand there twice")),
        ):
            context.head.add_job(name, words, call, tip=tip)
        self._scope.currentIndexChanged.connect(self._show_range)
        context.steps.selectionModel().selectionChanged.connect(self._show_range)
        context.view.step_changed.connect(self._show_range)
        for changed in (context.document.step_inserted, context.document.step_removed):
            changed.connect(self._show_range)
        self._show_range()

    # Parts ----------------------------------------------------------------------------------------------------

    def _range_part(self) -> QVBoxLayout:
        scopes = [(SCOPE_NAMES[scope], scope) for scope in SCOPES]
        self._scope = combo_box(tr("Which steps"), tr("Which steps are meant"), scopes)
        self._scope.setCurrentIndex(SCOPES.index("demo"))
        self._range = label("", role="caption", wraps=True)
        return part(tr("Which steps"), self._scope, self._range)

    def _find_part(self) -> QVBoxLayout:
        theme, find = self.context.theme, tr("Search the screens that were not searched yet")
        again = tr("Search all of these screens, also those that were searched")
        go_on, forget = tr("Search what is left of the search that was stopped"), tr("Do not offer to go on any more")
        stays = tr("What a person drew, accepted, corrected or rejected stays as it is.")
        self._find = push_button(
            tr("Find elements"), find, theme, name="find", call=lambda: self._find_elements(again=False)
        )
        self._again = push_button(tr("Find again"), again, theme, call=lambda: self._find_elements(again=True))
        hint = label(stays, role="caption", wraps=True)
        self._left = label("", role="warning", wraps=True)
        self._go_on = push_button(tr("Go on"), go_on, theme, call=self._go_on_searching)
        self._forget = push_button(tr("Forget it"), forget, theme, role="flat", call=self._forget_order)
        return part(tr("Find elements"), self._find, self._again, hint, self._left, self._go_on, self._forget)

    def _tidy_part(self) -> QVBoxLayout:
        tighten = tr("Fit every box that is shown to the edges that can be seen")
        told = tr("Accessibility's names and roles as suggestions")
        self._tighten = push_button(tr("Tighten boxes"), tighten, self.context.theme, call=self._tighten_boxes)
        self._told = push_button(tr("Add what programs told"), told, self.context.theme, call=self._add_told)
        return part(tr("Boxes"), self._tighten, self._told)

    def _doubles_part(self) -> QVBoxLayout:
        look, remove = tr("Elements that stand there twice"), tr("Remove the doubles that have a tick, in one edit")
        self._look = push_button(tr("Find doubles"), look, self.context.theme, call=self._find_doubles)
        self._none = label("", role="caption", wraps=True)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Doubles"))
        self._list.setToolTip(tr("Those with a tick are removed; choosing one shows it"))
        self._list.setWordWrap(True)
        self._list.setMinimumHeight(160)
        self._list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(self._show_double)
        self._list.itemChanged.connect(self._count)
        self._remove = push_button(tr("Remove"), remove, self.context.theme, name="trash", call=self._remove_doubles)
        return part(tr("Doubles"), self._look, self._none, self._list, self._remove)

    @property
    def scope(self) -> Scope:
        """Which steps are meant."""
        return SCOPES[self._scope.currentIndex()]

    @property
    def ticked(self) -> tuple[str, ...]:
        """Uids of the doubles that are to go."""
        items = (self._list.item(row) for row in range(self._list.count()))
        return tuple(str(item.data(_UID)) for item in items if item.checkState() == Qt.CheckState.Checked)

    # The range ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.context.panel.show_tab(_TAB)
        self._show_range()
        folder = self.context.session.library.folder
        self.context.operations.start(lambda: load_order(folder), on_result=self._show_left, lane="library")

    def _open_doubles(self) -> None:
        self._open()
        self._find_doubles()

    def _chosen(self) -> tuple[Step, ...]:
        context, step = self.context, self.context.view.step
        current = None if step is None else step.id
        return steps_in(context.document, self.scope, current=current, selected=context.steps.selected_ids)

    def _frames(self) -> tuple[Frame, ...]:
        return frames_of(self.context.document, self._chosen())

    def _show_range(self, *_: object) -> None:
        frames = self._frames()
        every = self.scope == "library"
        words = tr("Steps: {steps}, screens: {screens}") if frames else tr("There is no screen here.")
        told = tr("Other demos are only searched.") if every else words
        self._range.setText(told.format(steps=len(self._chosen()), screens=len(frames)))
        for button in (self._find, self._again, self._go_on):
            button.setEnabled((bool(frames) or every) and not self._running)
        for button in (self._tighten, self._told, self._look):
            button.setEnabled(bool(frames) and not every and not self._running)

    # Searching ------------------------------------------------------------------------------------------------

    def _find_elements(self, *, again: bool) -> None:
        context = self.context
        if self.scope == "library":
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

    def _go_on_searching(self) -> None:
        if self._order_left is not None:
            self._order(self._order_left)

    def _forget_order(self) -> None:
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
        self._order_left = order
        self._left.setText("" if order is None else left_words(order))
        for one in (self._left, self._go_on, self._forget):
            one.setVisible(order is not None)

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
        view = self.context.view
        return {frame.id: found for frame in self._frames() if (found := view.shown(frame.id))}

    def _tighten_boxes(self) -> None:
        library, elements = self.context.session.library, self._elements()
        was = {element.uid: element.box for found in elements.values() for element in found}

        def fit(boxes: dict[str, Rect]) -> None:
            # A box that a person moved meanwhile is theirs.
            still = {one.uid for one in self.context.document.present(was) if one.box == was[one.uid]}
            fitting = {uid: box for uid, box in boxes.items() if uid in still}
            if fitting:
                self.context.do(TightenAll(boxes=fitting))
            else:
                self.context.say(tr("Every box fits already."))

        self._run(tr("Tightening boxes"), lambda control: tighten_all(library, elements, control=control), fit)

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

    def _show_doubles(self, found: list[Duplicate] | None) -> None:
        """List doubles, None before they were looked for."""
        document = self.context.document
        with QSignalBlocker(self._list):
            self._list.clear()
            for one in found or ():
                item = QListWidgetItem(duplicate_words(document, one))
                item.setData(_UID, one.uid)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
                self._list.addItem(item)
        show_words(self._none, tr("There is no double.") if found == [] else "")
        self._list.setVisible(bool(found))
        self._remove.setVisible(bool(found))
        self._count()

    def _count(self, *_: object) -> None:
        count = len(self.ticked)
        words = tr("Remove 1 double") if count == 1 else tr("Remove {count} doubles").format(count=count)
        self._remove.setText(words)
        self._remove.setAccessibleName(words)
        self._remove.setEnabled(count > 0)

    def _remove_doubles(self) -> None:
        self.context.do(RemoveDuplicates(uids=self.ticked))
        self._show_doubles([])

    def _show_double(self, item: QListWidgetItem | None) -> None:
        element = None if item is None else self.context.document.element(str(item.data(_UID)))
        if element is not None and show_frame(self.context.view, element.frame):
            self.context.view.select((element.uid,))

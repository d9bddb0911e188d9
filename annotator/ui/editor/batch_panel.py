"""The tab for several steps at once: which ones, and what is done to them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from annotator.batch.step_ranges import SCOPE_NAMES, SCOPES, Scope
from annotator.ui.controls import column, combo_box, label, push_button
from annotator.ui.editor.panels.panel_section import part, scrolled, stacked
from annotator.ui.theme.manager import Theme
from annotator.words import tr

_UID = Qt.ItemDataRole.UserRole


class BatchPanel(QWidget):
    """Says what the user wants; does nothing itself.

    Signals:
        scope_chosen: another range.
        find_wanted: search the screens that were not searched yet.
        again_wanted: search all screens.
        go_on_wanted: go on with the search that was stopped.
        forget_wanted: forget what is left of it.
        tighten_wanted: fit boxes to what can be seen.
        told_wanted: add what the programs told.
        doubles_wanted: look for doubles.
        remove_wanted: uids of doubles that are to go.
        double_chosen: uid of a double that is to be shown.
    """

    scope_chosen = Signal()
    find_wanted = Signal()
    again_wanted = Signal()
    go_on_wanted = Signal()
    forget_wanted = Signal()
    tighten_wanted = Signal()
    told_wanted = Signal()
    doubles_wanted = Signal()
    remove_wanted = Signal(tuple)
    double_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        parts = (self._range_part(), self._find_part(), self._tidy_part(), self._doubles_part())
        column(scrolled(stacked(*parts)), of=self)
        self.show_left("")
        self.show_doubles(None)

    # Parts ----------------------------------------------------------------------------------------------------

    def _range_part(self) -> QVBoxLayout:
        scopes = [(SCOPE_NAMES[scope], scope) for scope in SCOPES]
        self._scope = combo_box(tr("Which steps"), tr("Which steps are meant"), scopes, call=self.scope_chosen)
        self._scope.setCurrentIndex(SCOPES.index("demo"))
        self._range = label("", role="caption", wraps=True)
        return part(tr("Which steps"), self._scope, self._range)

    def _find_part(self) -> QVBoxLayout:
        theme, find = self._theme, tr("Search the screens that were not searched yet")
        again = tr("Search all of these screens, also those that were searched")
        go_on, forget = tr("Search what is left of the search that was stopped"), tr("Do not offer to go on any more")
        stays = tr("What a person drew, accepted, corrected or rejected stays as it is.")
        self._find = push_button(tr("Find elements"), find, theme, name="find", call=self.find_wanted)
        self._again = push_button(tr("Find again"), again, theme, call=self.again_wanted)
        hint = label(stays, role="caption", wraps=True)
        self._left = label("", role="warning", wraps=True)
        self._go_on = push_button(tr("Go on"), go_on, theme, call=self.go_on_wanted)
        self._forget = push_button(tr("Forget it"), forget, theme, role="flat", call=self.forget_wanted)
        return part(tr("Find elements"), self._find, self._again, hint, self._left, self._go_on, self._forget)

    def _tidy_part(self) -> QVBoxLayout:
        tighten = tr("Fit every box that is shown to the edges that can be seen")
        told = tr("Accessibility's names and roles as suggestions")
        self._tighten = push_button(tr("Tighten boxes"), tighten, self._theme, call=self.tighten_wanted)
        self._told = push_button(tr("Add what programs told"), told, self._theme, call=self.told_wanted)
        return part(tr("Boxes"), self._tighten, self._told)

    def _doubles_part(self) -> QVBoxLayout:
        look, remove = tr("Elements that stand there twice"), tr("Remove the doubles that have a tick, in one edit")
        self._look = push_button(tr("Find doubles"), look, self._theme, call=self.doubles_wanted)
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
        self._remove = push_button(tr("Remove"), remove, self._theme, name="trash", call=self._remove_ticked)
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

    def show_range(self, words: str, *, screens: int, running: bool) -> None:
        """How much the range is; what the library's other demos are not open for is off."""
        self._range.setText(words)
        every = self.scope == "library"
        for button in (self._find, self._again, self._go_on):
            button.setEnabled((screens > 0 or every) and not running)
        for button in (self._tighten, self._told, self._look):
            button.setEnabled(screens > 0 and not every and not running)

    def show_left(self, words: str) -> None:
        """What is left of a search that was stopped; empty for nothing."""
        self._left.setText(words)
        for one in (self._left, self._go_on, self._forget):
            one.setVisible(bool(words))

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

    def _remove_ticked(self) -> None:
        self.remove_wanted.emit(self.ticked)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.double_chosen.emit(str(item.data(_UID)))

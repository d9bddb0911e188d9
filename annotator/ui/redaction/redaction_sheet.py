"""The review: everything that may be private, one row each, over the editor."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.controls import Bar, LineField, column, discard, flat_button, label, push_button, row, scroll_area
from annotator.ui.redaction.finding_row import FindingRow
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.redaction.scan import Decision, PrivateFinding

_MAX_WIDTH = 920


class RedactionSheet(Bar):
    """Covers its parent until the person is done, or leaves it.

    Ctrl+Enter is done, Esc leaves; see :class:`FindingRow` for the keys of a row.
    """

    def __init__(
        self, parent: QWidget, pictures: ScreenshotCache, theme: Theme, *, then: str, leave: Callable[[], object],
        done: Callable[[Sequence[PrivateFinding]], object], named: Callable[[str], object],
    ) -> None:  # fmt: skip
        """Show nothing yet.

        Args:
            parent: what is covered.
            pictures: where values can be seen.
            theme: colours.
            then: what is done after it, in a word; empty for nothing.
            leave: called where nothing is to be changed.
            done: called with the findings and their decisions.
            named: called with a text that shall be replaced as well.
        """
        super().__init__("page", parent)
        self._left, self._carry_out, self._named = leave, done, named
        self.setAccessibleName(tr("What may be private"))
        self._parent = parent
        self._pictures = pictures
        self._theme = theme
        self._then = then
        self.found: list[PrivateFinding] = []
        self.rows: list[FindingRow] = []
        self._title = label("", role="large")
        self._words = label("", role="muted", wraps=True)
        self._unread = label("", role="warning", wraps=True)
        self._replace = push_button(
            tr("Replace all"),
            tr("Replace every value that is not kept"),
            theme,
            keys="Ctrl+R",
            call=lambda: self._decide_all("replace"),
        )
        self._keep = push_button(
            tr("Keep all"), tr("Keep every value that is not replaced"), theme, call=lambda: self._decide_all("keep")
        )
        self._name = LineField(tr("Also replace"), placeholder=tr("Also replace a text, for instance a name"))
        self._name.returnPressed.connect(self._hand_over_name)
        self._leave = push_button(tr("Not now"), tr("Change nothing and go back"), theme, keys="Esc", call=leave)
        self._done = push_button(
            tr("Done"), tr("Carry it out"), theme, keys="Ctrl+Return", role="main", call=self._finish
        )
        self._close = flat_button("close", tr("Change nothing and go back"), theme, keys="Esc", call=leave)
        self._lay_out()
        parent.installEventFilter(self)

    def _lay_out(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        inside = QWidget()
        self._list = column(None, of=inside)
        self._area = scroll_area(inside, tr("What may be private"))
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        part = QWidget()
        part.setMaximumWidth(_MAX_WIDTH)
        column(
            row(
                (column(self._title, self._words, self._unread, spacing=SPACE.xs), 1),
                (self._replace, 0, top),
                (self._keep, 0, top),
                (self._close, 0, top),
            ),
            (self._area, 1),
            row((self._name, 1), SPACE.xl, self._leave, self._done),
            of=part,
            spacing=SPACE.l,
            margins=(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l),
        )
        row(None, (part, 100), None, of=self, spacing=-1)

    # Parts ----------------------------------------------------------------------------------------------------

    def open(self, found: Sequence[PrivateFinding], *, unread: int) -> None:
        """Show findings; choices that were taken here before stay.

        Args:
            found: of the scan.
            unread: pictures that nobody has looked through yet.
        """
        chosen = {one.digest: one.decision for one in self.found}
        self.found = [dataclasses.replace(one, decision=chosen.get(one.digest, one.decision)) for one in found]
        discard(self.rows)
        self.rows = [FindingRow(one, self._pictures, self._theme) for one in self.found]
        for place, entry in enumerate(self.rows):
            entry.decided.connect(self._decide)
            entry.moved.connect(partial(self._step, place))
            self._list.insertWidget(place, entry)
        pictures = tr("1 picture was") if unread == 1 else tr("{unread} pictures were").format(unread=unread)
        self._unread.setText(
            tr("{pictures} not looked through yet: what only they show is not found. Find elements first.").format(
                pictures=pictures
            )
        )
        self._unread.setVisible(unread > 0)
        self._show()
        self._fill_parent()
        self.show()
        self.raise_()
        self._go(0)

    def say(self, words: str) -> None:
        """Tell something about the text that was named."""
        self._unread.setText(words)
        self._unread.setVisible(True)

    # Deciding -------------------------------------------------------------------------------------------------

    def _decide(self, digest: str, decision: Decision) -> None:
        self.found = [
            dataclasses.replace(one, decision=decision) if one.digest == digest else one for one in self.found
        ]
        self._show()

    def _decide_all(self, decision: Decision) -> None:
        for entry in self.rows:
            if entry.decision == "open":
                entry.decide(decision)

    def _finish(self) -> None:
        if self._done.isEnabled():
            self._carry_out(self.found)

    def _hand_over_name(self) -> None:
        text = self._name.text().strip()
        self._name.show_text("")
        self._name.clear()
        if text:
            self._named(text)

    def _show(self) -> None:
        number, secrets = len(self.found), sum(one.secret for one in self.found)
        self._title.setText(
            tr("Found 1 thing that may be private")
            if number == 1
            else tr("Found {number} things that may be private").format(number=number)
        )
        first = {0: "", 1: tr("One of them is a secret. ")}.get(
            secrets, tr("{number} of them are secrets. ").format(number=secrets)
        )
        self._words.setText(
            tr(
                "{first}A value that is replaced gives way to the same placeholder in every text, and is painted "
                "over in every picture. Undo takes it back."
            ).format(first=first)
        )
        replaced = sum(one.decision == "replace" for one in self.found)
        kept = sum(one.decision == "keep" for one in self.found)
        left = number - replaced - kept
        parts = [tr("replace {replaced}").format(replaced=replaced)] * bool(replaced) + [
            tr("keep {kept}").format(kept=kept)
        ] * bool(kept)
        words = tr(" and ").join(parts) + (tr(", then {then}").format(then=self._then) if self._then and parts else "")
        self._done.setText(words[:1].upper() + words[1:] if parts else tr("Done"))
        self._done.setAccessibleName(self._done.text())
        self._done.setEnabled(bool(parts))
        for button in (self._replace, self._keep):
            button.setEnabled(left > 0)

    # Keys and place -------------------------------------------------------------------------------------------

    def _step(self, place: int, by: int) -> None:
        self._go(place + by)

    def _go(self, place: int) -> None:
        if self.rows:
            entry = self.rows[min(max(place, 0), len(self.rows) - 1)]
            entry.setFocus(Qt.FocusReason.OtherFocusReason)
            self._area.ensureWidgetVisible(entry)
        else:
            self._name.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: done, leave, replace all."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self._left()
        elif control and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._finish()
        elif control and event.key() == Qt.Key.Key_R:
            self._decide_all("replace")
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: cover the parent, whatever its size."""
        if event.type() == QEvent.Type.Resize and watched is self._parent:
            self._fill_parent()
        return super().eventFilter(watched, event)

    def _fill_parent(self) -> None:
        self.setGeometry(self._parent.rect())

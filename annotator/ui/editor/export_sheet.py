"""The export of a demo: in which format, how, and where to; over the editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.controls import (
    Bar,
    LineField,
    Segments,
    check_box,
    column,
    flat_button,
    label,
    line,
    on_resize,
    push_button,
    row,
)
from annotator.ui.fitting import Fitting, stacking
from annotator.ui.row_list import ListRow, RowList
from annotator.ui.services import export_name, target_folder
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.codecs.sets.base import ExportOptions, Format, Unit
from demopack.codecs.sets.catalogue import GROUPS
from demopack.domain.demos import DemoHead
from demopack.domain.words import shorten

PACK: Final = "pack"
"""Key of the row of the demo pack; no format is called so."""
_MAX_WIDTH: Final = 920


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportChoice:
    """What a person wants to be written.

    Attributes:
        form: name of the format, or :data:`PACK`.
        options: how; formats have their own where nothing is chosen.
        folder: the one to make.
    """

    form: str
    options: ExportOptions
    folder: Path


class ExportSheet(Bar):
    """Covers its parent until the person exports, or leaves it. Enter exports, Esc leaves.

    Attributes:
        formats: the demo pack and every format, by rank.
        folder: where to.
    """

    def __init__(
        self, parent: QWidget, theme: Theme, formats: Mapping[str, Format], *, head: DemoHead, before: ExportChoice,
        pick: Callable[[], Path | None], leave: Callable[[], object], done: Callable[[ExportChoice], object],
    ) -> None:  # fmt: skip
        """Show it.

        Args:
            parent: is covered.
            theme: colours.
            formats: by name.
            head: of the demo; folders are named after its task.
            before: what is proposed: the format, and a folder beside which the new one goes.
            pick: asks for a folder.
            leave: called where nothing is to be written.
            done: called with what was chosen.
        """
        super().__init__("page", parent)
        self.setAccessibleName(tr("Export"))
        self._parent, self._theme, self._by_name, self._head = parent, theme, formats, head
        self._pick, self._left, self._carry_out = pick, leave, done
        self._near = before.folder.parent
        self._proposed = ""
        self.formats = RowList(tr("Format of the export"), theme)
        self._loses = label("", role="muted", wraps=True)
        # As high for each format, so that the list stays where it is.
        self._loses.setMinimumHeight(2 * self._loses.fontMetrics().lineSpacing())
        self._loses.setMinimumWidth(36 * self._loses.fontMetrics().averageCharWidth())
        self._unit = Segments(tr("A sample for each"), (tr("step"), tr("demo")))
        self._unit_row = QWidget()
        row(label(tr("A sample for each")), self._unit, of=self._unit_row)
        self._any_outcome = check_box(
            tr("Even if nobody says that the task was done"),
            tr("Programs that read this format take every demo for one that was done"),
        )
        self.folder = LineField(tr("Folder"), placeholder=tr("The folder to write"))
        self.folder.setToolTip(tr("The folder to write"))
        self._choose = push_button(
            tr("Choose …"), tr("Choose where the folder goes"), theme, name="folder", call=self._choose_folder
        )
        self._place = label("", role="caption", wraps=True)
        self._leave = push_button(tr("Not now"), tr("Write nothing and go back"), theme, keys="Esc", call=leave)
        self._done = push_button(
            tr("Export"), tr("Write it"), theme, name="export", keys="Return", role="main", call=self._finish
        )
        self._close = flat_button("close", tr("Write nothing and go back"), theme, keys="Esc", call=leave)
        self._lay_out()
        self.formats.current_changed.connect(self._show_format)
        self.formats.opened.connect(self._finish)
        self.folder.textChanged.connect(self._show_place)
        on_resize(self, parent, self._fill_parent)
        self.formats.show_rows(self._rows(), select=before.form)
        self._show_format()
        self._fill_parent()
        self.show()
        self.raise_()
        self.formats.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        title = column(
            label(tr("Export"), role="large"),
            label(shorten(self._head.task or tr("No task written"), 90), role="muted", wraps=True),
            spacing=SPACE.xs,
        )
        left = Qt.AlignmentFlag.AlignLeft
        how = row((self._loses, 1), (self._unit_row, 0, left), (self._any_outcome, 0, left), spacing=SPACE.l)
        part = QWidget()
        part.setMaximumWidth(_MAX_WIDTH)
        column(
            row((title, 1), (self._close, 0, Qt.AlignmentFlag.AlignTop)),
            (self.formats, 1),
            line(),
            how,
            row(label(tr("Folder")), (self.folder, 1), self._choose),
            row((self._place, 1), SPACE.l, self._leave, self._done),
            of=part,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.l),
        )
        row(None, (part, 100), None, of=self, spacing=-1)
        self._fitting = Fitting(part, (stacking(how),), says=lambda: self.formats.current)

    def _rows(self) -> list[ListRow]:
        about = tr("What everything below is made from: all of the demo, checked. demopack reads it again.")
        found = [ListRow(key=PACK, title=tr("Demo pack"), caption=about)]
        for heading, names in GROUPS.items():
            found.append(ListRow(key="", title=tr(heading)))
            forms = (self._by_name[name] for name in names)
            found += [ListRow(key=form.name, title=tr(form.title), caption=tr(form.about)) for form in forms]
        return found

    # What is chosen -------------------------------------------------------------------------------------------

    @property
    def choice(self) -> ExportChoice | None:
        """What was chosen as it stands; None where no folder can be made of what was written."""
        folder, form = self._folder(), self._form
        if folder is None:
            return None
        units: tuple[Unit, ...] = ("step", "episode")
        unit = units[self._unit.current] if form is not None and len(form.units) > 1 else None
        any_outcome = form is not None and form.successful_only and self._any_outcome.isChecked()
        options = ExportOptions(unit=unit, any_outcome=any_outcome)
        return ExportChoice(form=self.formats.current, options=options, folder=folder)

    @property
    def _form(self) -> Format | None:
        """The format that is current; None for the pack."""
        return self._by_name.get(self.formats.current)

    def _folder(self) -> Path | None:
        written = self.folder.text().strip()
        if not written:
            return None
        try:
            named = Path.home() / Path(written).expanduser()
            folder = target_folder(named, self._head, self.formats.current)
            return folder if folder.is_dir() or not folder.exists() else None
        except (OSError, RuntimeError, ValueError):  # a file, a folder that may not be read, a person who is not known
            return None

    def _show_format(self) -> None:
        form = self._form
        # They are written for Markdown pages, too; nothing of it is drawn here.
        lost = [tr(loss.what).replace("`", "") for loss in form.losses] if form is not None else []
        lossless = tr("It has a place for all that is known.")
        self._loses.setText(tr("Lost, or less exact: {what}.").format(what="; ".join(lost)) if lost else lossless)
        if form is not None:
            self._unit.set_current(int(form.units[0] == "episode"))
        self._unit_row.setVisible(form is not None and len(form.units) > 1)
        self._any_outcome.setVisible(form is not None and form.successful_only)
        if self.folder.text() == self._proposed:
            self._propose()
        self._show_place()

    def _propose(self) -> None:
        self._proposed = str(self._near / export_name(self._head, self.formats.current))
        self.folder.show_text(self._proposed)

    def _show_place(self) -> None:
        folder = self._folder()
        self._done.setEnabled(folder is not None)
        if folder is None:
            words = tr("No folder can be made there.") if self.folder.text().strip() else ""
        elif folder.is_dir() and any(folder.iterdir()):
            words = tr("What was exported to {folder} before is replaced.").format(folder=folder)
        else:
            told = str(folder) == self.folder.text()
            words = "" if told else tr("It will be written to {folder}.").format(folder=folder)
        self._place.setText(words)

    # Doing ----------------------------------------------------------------------------------------------------

    def _choose_folder(self) -> None:
        chosen = self._pick()
        if chosen is not None:
            self._near = chosen
            self._propose()

    def _finish(self) -> None:
        choice = self.choice
        if choice is not None:
            self._carry_out(choice)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: export, or leave."""
        if event.key() == Qt.Key.Key_Escape:
            self._left()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            # Not every platform's buttons take Enter.
            others = (button for button in (self._choose, self._leave, self._close) if button.hasFocus())
            button = next(others, None)
            if button is None:
                self._finish()
            else:
                button.click()
        else:
            super().keyPressEvent(event)

    def _fill_parent(self) -> None:
        self.setGeometry(self._parent.rect())

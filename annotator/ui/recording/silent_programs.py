"""Browsers that tell nothing of what they show: said before a recording, with one click for a window that tells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from annotator.ui.controls import column, label, push_button, row
from annotator.ui.operations import Operations
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import DemopackError


class SilentPrograms(QWidget):
    """Hidden while every browser tells."""

    def __init__(self, theme: Theme, *, services: Services, operations: Operations) -> None:
        super().__init__()
        self._theme = theme
        self._services = services
        self._operations = operations
        self.words = label("", wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons: list[QPushButton] = []
        self._row = row(None, spacing=SPACE.s)
        column(self.words, self._row, of=self, spacing=SPACE.xs)
        self.hide()

    def show_programs(self, programs: Sequence[str]) -> None:
        """Say which programs tell nothing, by their names for ``demopack launch``; none hides this."""
        if not programs and self.isHidden():
            return
        from recorder.browsers import title_of

        titles = [title_of(program) for program in programs]
        for button in self.buttons:
            button.deleteLater()
        self.buttons = []
        for place, (program, title) in enumerate(zip(programs, titles, strict=True)):
            button = push_button(
                tr("Open {name} with accessibility").format(name=title),
                tr("A new window with a profile of its own; the one that runs is left alone"),
                self._theme,
                call=partial(self._launch, program, title),
            )
            self._row.insertWidget(place, button)
            self.buttons.append(button)
        self.words.setText(
            tr("{names} tells nothing of what it shows: its elements are found in the pictures alone.").format(
                names=", ".join(titles)
            )
        )
        self.setVisible(bool(programs))

    def _launch(self, program: str, title: str) -> None:
        for button in self.buttons:
            button.setEnabled(False)
        self.words.setText(tr("Opening {name} …").format(name=title))
        self._operations.start(
            partial(self._services.launch_program, program),
            on_result=partial(self._tell_result, program, title),
            on_error=partial(self._tell_error, program),
            lane="slow",
        )

    def _tell_result(self, program: str, title: str, tells: bool) -> None:  # noqa: FBT001 - an operation's result
        if not tells:
            said = tr("{name} was opened, but tells nothing here.").format(name=title)
            self._end(f"{said} {_by_hand(program)}")
            return
        self._end(tr("The new window of {name} tells what it shows: use that one.").format(name=title))
        for button in self.buttons:
            button.hide()

    def _tell_error(self, program: str, error: Exception) -> None:
        said = error.user_message if isinstance(error, DemopackError) else str(error)
        self._end(f"{said} {_by_hand(program)}")

    def _end(self, words: str) -> None:
        self.words.setText(words)
        for button in self.buttons:
            button.setEnabled(True)


def _by_hand(program: str) -> str:
    quoted = f'"{program}"' if " " in program else program
    return tr("To open it yourself: {line}").format(line=f"demopack launch {quoted}")

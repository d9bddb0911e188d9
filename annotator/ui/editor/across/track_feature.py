"""A switch: what is changed about an element is changed on this picture only, or on all of its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.across.on_track import OnAllPictures
from annotator.across.sources import step_numbers
from annotator.across.tracks import TrackIndex
from annotator.commands import Command
from annotator.editing import EditKind
from annotator.ui.controls import Segments, label
from annotator.ui.editor.across.mode_layer import ModeLayer
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.edits import Edit

__all__ = ["TrackFeature"]


class TrackFeature(Feature):
    """The switch under the element's fields, and the tag on the picture while it is on.

    Attributes:
        switch: here only, or everywhere.
        layer: the tag.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            name="everywhere",
            words=tr("Change an element here only, or on all its pictures"),
            keys=("Shift+E",),
            group="From step to step",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._on = False
        self._tracks = TrackIndex(desk.document)
        self.switch = Segments(
            tr("Changes go to"),
            (tr("Here only"), tr("All its pictures")),
            tips=(
                tr("What is changed about this element is changed on this picture (Shift+E)"),
                tr("Type, text, states, box and deletion go to the same element on the other pictures too (Shift+E)"),
            ),
        )
        self.switch.chosen.connect(self._choose)
        self._words = label("", role="caption", wraps=True)
        self._section = QWidget()
        column = QVBoxLayout(self._section)
        column.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        column.setSpacing(SPACE.s)
        row = QHBoxLayout()
        row.addWidget(self.switch)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._words)
        desk.add_section(self._section, after="element")
        self.layer = ModeLayer(desk.theme)
        desk.canvas.add_layer(self.layer)
        self._ends = [
            desk.view.selection_changed.connect(self._show),
            desk.session.edited.connect(self._on_edited),
            desk.session.set_rewrite("tracks", self._rewrite),
        ]
        self.set_on(on=False)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"everywhere": lambda: self.set_on(on=not self._on)}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._tracks.close()
        for end in self._ends:
            end()

    @property
    def on(self) -> bool:
        """Whether changes go to all pictures of an element."""
        return self._on

    @property
    def words(self) -> str:
        """Where else the selected element is."""
        return self._words.text()

    def set_on(self, *, on: bool) -> None:
        """Let changes go to all pictures of an element, or to this one only."""
        self.desk.leave()
        self._on = on
        self.switch.set_current(int(on))
        self.layer.show(tr("Changes go to all pictures of an element") if on else "")
        self.desk.canvas.update()
        self._show()

    def _choose(self, place: int) -> None:
        self.set_on(on=bool(place))

    def _show(self) -> None:
        document = self.desk.document
        element = self.desk.view.element
        others = [] if element is None else self._tracks.others(element)
        numbers = step_numbers(document) if others else {}
        steps = sorted({numbers[other.frame] for other in others if other.frame in numbers})
        self._section.setVisible(bool(self.desk.view.selection) and (self._on or bool(others)))
        if steps:
            one = (
                tr("It is also in step {value}.").format(value=steps[0])
                if len(steps) == 1
                else tr("It is also in steps {listed}.").format(listed=_listed(steps))
            )
            self._words.setText(one)
        elif element is not None:
            self._words.setText(tr("This element is on no other picture, as far as is known."))
        else:
            self._words.setText("")

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        del edit, kind
        self._show()

    def _rewrite(self, command: Command) -> Command:
        """What is done to the selected elements, and no others, is done on their other pictures in the same edit."""
        about = frozenset(self.desk.view.selection)
        return OnAllPictures(command=command, about=about) if self._on and about else command


def _listed(steps: list[int]) -> str:
    """Numbers in words: ``1, 3 to 6, 9``."""
    runs: list[list[int]] = []
    for step in steps:
        if runs and step == runs[-1][-1] + 1:
            runs[-1].append(step)
        else:
            runs.append([step])
    return ", ".join(
        str(run[0]) if len(run) == 1 else tr("{first} to {last}").format(first=run[0], last=run[-1]) for run in runs
    )

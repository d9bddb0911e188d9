"""A switch: what is changed about an element is changed on this picture only, or on all of its pictures."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from annotator.commands import Command
from annotator.propagate.tracks import OnAllPictures, TrackIndex, step_numbers
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.controls import Segments, column, label, line, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.ui.painting import draw_tag
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.words import stretches


class ModeLayer(CanvasLayer):
    """The words at the top of the canvas.

    Attributes:
        words: what is shown; empty for nothing.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.words = ""

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """The tag, in the middle of the upper edge."""
        palette = self._theme.palette
        if self.words:
            draw_tag(painter, self.words, palette.accent, palette.on_accent, middle=viewport.width / 2)


class TrackFeature(Feature):
    """The switch under the element's fields, and the tag on the picture while it is on.

    Attributes:
        switch: here only, or everywhere.
        layer: the tag.
        on: whether changes go to all pictures of an element.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.on = False
        self._tracks = TrackIndex(context.document)
        tips = (
            tr("What is changed about this element is changed on this picture"),
            tr("Type, text, states, box and deletion go to the same element on the other pictures too"),
        )
        choices = (tr("Here only"), tr("All its pictures"))
        self.switch = Segments(tr("Changes go to"), choices, tips=tips, actions=("everywhere", "everywhere"))
        self.switch.chosen.connect(lambda: self.set_on(on=bool(self.switch.current)))
        self.words = label("", role="caption", wraps=True)
        self._section = QWidget()
        inside = column(row(self.switch, None), self.words, margins=SPACE.m)
        column(line(), inside, of=self._section, spacing=0)
        context.panel.add_section(self._section, after="element")
        self.layer = ModeLayer(context.theme)
        context.canvas.add_layer(self.layer)
        context.view.selection_changed.connect(self._show)
        context.session.edited.connect(self._show)
        context.session.set_rewrite("tracks", self._rewrite)
        self.set_on(on=False)

    def set_on(self, *, on: bool) -> None:
        """Let changes go to all pictures of an element, or to this one only."""
        self.context.leave()
        self.on = on
        self.switch.set_current(int(on))
        self.layer.words = tr("Changes go to all pictures of an element") if on else ""
        self.context.canvas.update()
        self._show()

    def _show(self, *_: object) -> None:
        document = self.context.document
        element = self.context.view.element
        others = [] if element is None else self._tracks.others(element)
        numbers = step_numbers(document) if others else {}
        steps = sorted({numbers[other.frame] for other in others if other.frame in numbers})
        self._section.setVisible(bool(self.context.view.selection) and (self.on or bool(others)))
        words = "" if element is None else tr("This element is on no other picture, as far as is known.")
        if len(steps) == 1:
            words = tr("It is also in step {value}.").format(value=steps[0])
        elif steps:
            listed = ", ".join(stretches(steps, pattern=tr("{first} to {last}")))
            words = tr("It is also in steps {listed}.").format(listed=listed)
        self.words.setText(words)

    def _rewrite(self, command: Command) -> Command:
        """What is done to the selected elements, and no others, is done on their other pictures in the same edit."""
        about = frozenset(self.context.view.selection)
        return OnAllPictures(command=command, about=about) if self.on and about else command

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("everywhere", tr("Change an element here only, or on all its pictures"), ("Shift+E",), "From step to step",
            call=lambda self: self.set_on(on=not self.on)),
    )  # fmt: skip

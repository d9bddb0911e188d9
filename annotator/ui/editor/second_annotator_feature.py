"""Compares the open demo with another person's work, shows each difference, and decides it."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QPen

from annotator.second_annotator.agreement import agreement_lines
from annotator.second_annotator.differences import Adjudicate, Difference, DifferenceTable
from annotator.second_annotator.sources import SecondAnnotator, read_second_annotator
from annotator.step_words import moments_of
from annotator.ui.canvas.outline_layer import OutlineLayer, OutlineStyle
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.second_annotator_panel import DifferencesModel, SecondAnnotatorPanel
from annotator.ui.keys.key import Key
from annotator.ui.theme.manager import Theme
from annotator.view_state import show_frame
from annotator.words import capital, tr
from demopack.errors import DemopackError

_TAB = "opinion"
_PAUSE_MS = 300


def _style(theme: Theme) -> OutlineStyle:
    """A dashed box in the colour of doubt."""
    colours = theme.palette
    dashed = QPen(QColor(colours.warning), 2, Qt.PenStyle.DashLine)
    return OutlineStyle(pens=(QPen(QColor(colours.window), 4), dashed))


class SecondAnnotatorFeature(Feature):
    """The tab with the differences, and the other one's box on the picture.

    Attributes:
        panel: the tab.
        layer: the other one's box.
        differences: every difference; None until two are compared.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.differences: DifferenceTable | None = None
        self._model = DifferencesModel(self._place)
        self.panel = SecondAnnotatorPanel(context.theme, self._model)
        self.layer = OutlineLayer(partial(_style, context.theme))
        self._looked: Difference | None = None
        context.add_tab(_TAB, tr("Second opinion"), self.panel, stays=False)
        context.add_head_action(
            "second_opinion",
            tr("Compare with another person"),
            self._open,
            tip=tr("Where their work on the same pictures differs, and who was right"),
        )
        context.canvas.add_layer(self.layer)
        panel = self.panel
        panel.source_chosen.connect(self._compare)
        panel.pick_wanted.connect(self._pick)
        panel.kind_chosen.connect(self._show)
        panel.row_chosen.connect(self._look_at)
        panel.decided.connect(self._decide)
        panel.all_decided.connect(self._decide_all)
        # Many pictures may change in one edit; the list is made once, when all have.
        self._later = QTimer(panel, interval=0, singleShot=True)
        self._later.timeout.connect(self._show)
        # The figures are about all pictures: they may come a moment after the list.
        self._figures = QTimer(panel, interval=_PAUSE_MS, singleShot=True)
        self._figures.timeout.connect(self._show_figures)
        context.document.elements_changed.connect(self._on_elements)
        context.view.frame_changed.connect(self._on_frame)

    # Comparing ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.context.leave()
        self.context.show_tab(_TAB)
        self.panel.path.setFocus()

    def _pick(self) -> None:
        chosen = self.context.services.pick_folder(self.context.page.window(), tr("Whose work should be compared?"))
        if chosen is not None:
            self.panel.show_path(chosen)

    def _compare(self) -> None:
        source, session = self.panel.source, self.context.session
        self.differences = None
        self.panel.show_nothing(())
        if source is None:
            return
        demo = session.document.demo()

        def show(second: SecondAnnotator) -> None:
            self.differences = DifferenceTable(second, session.document.elements)
            self._show_figures()
            self._show()
            self.panel.list.setFocus()

        def fail(error: Exception) -> None:
            if isinstance(error, DemopackError):
                self.panel.show_nothing([error.user_message, error.hint], wrong=True)
            else:
                self.context.messages.show_error(error)

        self.context.operations.run(
            tr("Comparing"),
            lambda control: read_second_annotator(source, demo, control=control),
            on_result=show,
            on_error=fail,
            newest="opinion",
        )

    def _show(self) -> None:
        found = self.differences
        if found is None:
            return
        self.panel.show_differences(found.all(self.panel.kind), found.counts())

    def _show_figures(self) -> None:
        found = self.differences
        if found is not None:
            self.panel.said.show_lines([f"{found.second.name}.", *agreement_lines(found.agreement())])

    def _on_elements(self, frame_id: str) -> None:
        if self.differences is not None and self.differences.refresh(frame_id):
            self._later.start()
            self._figures.start()

    def _place(self, frame_id: str) -> str:
        shown = moments_of(self.context.document.steps, frame_id)
        return capital(shown) or tr("On the last picture")

    # One difference -------------------------------------------------------------------------------------------

    def _look_at(self, one: Difference | None) -> None:
        """Show the picture, my element selected and theirs drawn over it."""
        self._looked = one
        context = self.context
        if one is None:
            self.layer.show(())
            context.canvas.update()
            return
        show_frame(context.view, one.frame)
        context.view.select(() if one.mine is None else (one.mine.uid,))
        self._on_frame()

    def _on_frame(self) -> None:
        one, frame = self._looked, self.context.view.frame
        theirs = one.theirs if one is not None and frame is not None and frame.id == one.frame else None
        self.layer.show(() if theirs is None else (theirs.box,))
        self.context.canvas.update()

    def _decide(self, choice: Literal["theirs", "mine"]) -> None:
        one = self._model.at(self.panel.list.currentIndex().row())
        if one is not None:
            self.context.do(Adjudicate(differences=[one], choice=choice))

    def _decide_all(self, choice: Literal["theirs", "mine"]) -> None:
        if self.differences is not None:
            self.context.do(Adjudicate(differences=self.differences.all(self.panel.kind), choice=choice))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("take_theirs", tr("Take their opinion, in the list"), ("Return",), "Find and review", "shown"),
        Key("keep_mine", tr("Keep my opinion, in the list"), ("Shift+Return",), "Find and review", "shown"),
    )

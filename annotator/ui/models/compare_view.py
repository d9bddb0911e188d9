"""Two models of one kind: figures side by side, and what they see differently on a demo's screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QComboBox, QLabel, QScrollArea, QWidget

from annotator.model_store import KINDS, FrameChanges, KnownModel, ModelCatalog, ModelStore
from annotator.model_words import FigureRow, figure_name, figure_rows, name_words
from annotator.step_words import type_word
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.controls import Segments, column, combo_box, figure, label, push_button, row, table
from annotator.ui.operations import Operation, Operations
from annotator.ui.painting import faded, font_of, rounded_box
from annotator.ui.row_list import ListRow, RowList
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, HUES, SPACE
from annotator.viewport import Viewport
from annotator.words import capital, tr
from demopack.domain.demos import DemoSummary
from demopack.jobs import Progress
from demopack.store import Library
from models.registry import ModelCard, ModelKind
from models.training.differences import ScreenChange

_FIRST_HUE: Final = HUES["group"]
_SECOND_HUE: Final = HUES["press"]
_HOVER_PX = 3


def change_words(change: ScreenChange) -> str:
    """What is different, in words."""
    if change.kind == "appeared":
        return tr("Only the second sees: {after}").format(after=change.after)
    if change.kind == "vanished":
        return tr("Only the first sees: {before}").format(before=change.before)
    before, after = change.before or tr("nothing"), change.after or tr("nothing")
    return f"{capital(type_word(change.kind))}: {before} → {after}"


class _ChangeLayer(CanvasLayer):
    """All changes of one screen, and the chosen one with its words beside it.

    Attributes:
        changes: what is shown.
        chosen: place of the chosen one; negative for none.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.changes: Sequence[ScreenChange] = ()
        self.chosen = -1

    def paint_cached(self, painter: QPainter, viewport: Viewport, area: QRect) -> None:
        """Outline every change: dashed for the first model, solid for the second, both where they differ."""
        del area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for change in self.changes:
            box = _placed(viewport, change)
            ways = {"vanished": (True, False), "appeared": (False, True)}.get(change.kind, (True, True))
            if ways[1]:
                _outline(painter, box, _SECOND_HUE, Qt.PenStyle.SolidLine, fill=not ways[0])
            if ways[0]:
                inner = box.adjusted(3, 3, -3, -3) if ways[1] and min(box.width(), box.height()) > 8 else box
                _outline(painter, inner, _FIRST_HUE, Qt.PenStyle.DashLine, fill=not ways[1])

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Frame the chosen change, and write its words beside it."""
        if self.chosen < 0:
            return
        change, palette = self.changes[self.chosen], self._theme.palette
        box = _placed(viewport, change).adjusted(-2, -2, 2, 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for line, colour in ((5, HALO), (2, palette.accent if not palette.dark else _SECOND_HUE)):
            painter.setPen(QPen(QColor(colour), line))
            painter.drawRect(box)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        words, metrics = change_words(change), painter.fontMetrics()
        width = min(metrics.horizontalAdvance(words) + 2 * SPACE.s + 4, viewport.width - 2 * SPACE.s)
        height = metrics.height() + SPACE.xs
        top = box.bottom() + SPACE.xs
        if top + height > viewport.height:
            top = max(0.0, box.top() - SPACE.xs - height)
        place = QRectF(min(max(box.left(), SPACE.s), viewport.width - SPACE.s - width), top, width, height)
        rounded_box(painter, place, 4, ground=palette.toast, edge=palette.on_toast)
        painter.setPen(QColor(palette.on_toast))
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, round(width) - 2 * SPACE.s)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)

    def tooltip(self, at: LayerPointer, viewport: Viewport) -> str:
        """Words of the smallest few changes at a place."""
        near = [
            change
            for change in self.changes
            if _placed(viewport, change).adjusted(-_HOVER_PX, -_HOVER_PX, _HOVER_PX, _HOVER_PX).contains(at.window)
        ]
        return "\n".join(change_words(change) for change in sorted(near, key=lambda change: change.box.area)[:4])


class ChangePicture(PictureView):
    """Shows one screen; the arrows go from change to change, whose words are its accessible description."""

    def __init__(self, pictures: ScreenshotCache, theme: Theme) -> None:
        super().__init__(theme)
        self._pictures = pictures
        self._found: FrameChanges | None = None
        self._layer = _ChangeLayer(theme)
        self.add_layer(self._layer)
        pictures.frame_ready.connect(self._on_ready)
        self.setAccessibleName(tr("What changed on the screen"))
        self.show_message(tr("Choose two models and a demo."))

    def show_changes(self, found: FrameChanges | None, *, message: str = "") -> None:
        """Show another screen, or a sentence in its place."""
        self._found = found
        self._layer.changes, self._layer.chosen = () if found is None else found.changes.changes, -1
        if found is None:
            self.setAccessibleDescription(message)
            self.show_message(message)
            return
        self.setAccessibleDescription(
            tr("{changes} changes on {shown}").format(changes=len(found.changes.changes), shown=found.shown)
        )
        self.set_view(self.viewport.showing(found.frame.size).fit())
        self._on_ready(found.frame.id)

    def _on_ready(self, frame_id: str) -> None:
        image = self._pictures.frame(frame_id) if self._found and self._found.frame.id == frame_id else None
        if image is not None:
            self.show_picture(image)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the changes with the arrows, zoom with plus and minus, show everything with 0."""
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        layer = self._layer
        if key in steps and layer.changes:
            layer.chosen = (layer.chosen + steps[key]) % len(layer.changes) if layer.chosen >= 0 else 0
            self.setAccessibleDescription(change_words(layer.changes[layer.chosen]))
            self.update()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus}:
            self.zoom_by(1 / 1.2 if key == Qt.Key.Key_Minus else 1.2)
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)


def _placed(viewport: Viewport, change: ScreenChange) -> QRectF:
    box = change.box
    return QRectF(
        round(viewport.x + box.x1 * viewport.scale), round(viewport.y + box.y1 * viewport.scale),
        round(box.width * viewport.scale), round(box.height * viewport.scale)
    )  # fmt: skip


def _outline(painter: QPainter, box: QRectF, hue: str, style: Qt.PenStyle, *, fill: bool) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(faded(HALO, 200), 4))
    painter.drawRect(box)
    painter.setBrush(faded(hue, 36) if fill else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(hue), 2, style))
    painter.drawRect(box)


_HEADING_WIDTH = 76
_WORSE = ("loss", "cer", "error", "_ms", "seconds")
"""Figures that are better when they are smaller have one of these in their names."""


class FigureTable(QScrollArea):
    """A table that is read, not worked in."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[FigureRow] = []
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("Figures side by side"))
        self.show_nothing("")

    def show_nothing(self, words: str) -> None:
        """A sentence in the place of figures."""
        self.rows = []
        told = label(words, role="muted", wraps=True)
        told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(told)

    def show_cards(self, first: ModelCard, second: ModelCard, *, names: tuple[str, str]) -> None:
        """Show the figures of two cards."""
        self.rows = figure_rows(first, second)
        if not self.rows:
            self.show_nothing(tr("No figures are written on these cards."))
            return
        heads = [label(tr("Figure"), role="heading"), *map(_model_head, names), label(tr("Difference"), role="heading")]
        for at, head in enumerate(heads):
            right = Qt.AlignmentFlag.AlignRight if at else Qt.AlignmentFlag.AlignLeft
            head.setAlignment(right | Qt.AlignmentFlag.AlignBottom)
        cells = [
            [
                label(figure_name(entry.name), wraps=True),
                *(figure("-" if value is None else f"{value:.3f}") for value in (entry.first, entry.second)),
                _change(entry),
            ]
            for entry in self.rows
        ]
        inside = QWidget()
        grid = table([heads, *cells], spacing=SPACE.s, below=SPACE.xs)
        grid.setColumnStretch(0, 1)
        column(grid, None, of=inside, spacing=-1, margins=(0, 0, SPACE.m, SPACE.m))
        self.setWidget(inside)


def _model_head(name: str) -> QLabel:
    # A name may be broken after each of its hyphens, which Qt does not do between digits.
    made = label(name.replace("-", "-\u200b"), role="heading", wraps=True)
    made.setAccessibleName(name)
    made.setFixedWidth(_HEADING_WIDTH)
    return made


def _change(entry: FigureRow) -> QWidget:
    change = entry.change
    if change is None:
        return figure("")
    if abs(change) < 0.0005:
        return figure(tr("same"), role="muted")
    better = (change < 0) == any(word in entry.name for word in _WORSE)
    return figure(f"{'▲' if change > 0 else '▼'} {abs(change):.3f}", role="good" if better else "error")


_MIN_WIDTH, _MAX_WIDTH = 370, 420
_NAME_WIDTH = 150
_ASK = tr("Choose a demo and press Show what changed: both models look at its screens.")


class CompareView(QWidget):
    """Compares; ``open_frame`` opens a demo at one of its frames, given both ids."""

    def __init__(
        self, theme: Theme, *, library: Library, shelf: ModelStore, operations: Operations,
        pictures: ScreenshotCache, open_frame: Callable[[str, str], object],
    ) -> None:  # fmt: skip
        super().__init__()
        self._library = library
        self._service = shelf
        self._operations = operations
        self._shelf: ModelCatalog | None = None
        self._found: dict[str, FrameChanges] = {}
        self._demo = ""
        self._job: Operation | None = None
        self.kind = Segments(tr("Kind"), (tr("Detectors"), tr("Describers"), tr("Icons")))
        self.kind.set_current(0)
        self.kind.chosen.connect(self._fill_models)
        self.first, self.second, self.demos = _combo(tr("First model")), _combo(tr("Second model")), _combo(tr("Demo"))
        for box in (self.first, self.second):
            box.activated.connect(self._compare_figures)
        self.go = push_button(
            tr("Show what changed"),
            tr("Both models look at every screen of the demo"),
            theme,
            name="find",
            role="main",
            call=self._show_changes,
        )
        self.cancel = push_button(tr("Cancel"), tr("Stop comparing"), theme, call=self._cancel)
        self.cancel.hide()
        self.table = FigureTable()
        self.screens = RowList(tr("Screens with changes"), theme, pictures=pictures)
        self.screens.current_changed.connect(self._show_screen)
        self.screens.opened.connect(lambda: open_frame(self._demo, self.screens.current))
        self.picture = ChangePicture(pictures, theme)
        self._told = label("", role="muted", wraps=True)
        self._keys, self._names = QWidget(), (label(""), label(""))
        marks = (_mark("╍╍", _FIRST_HUE), _mark("━━", _SECOND_HUE))
        row(marks[0], self._names[0], SPACE.s, marks[1], self._names[1], None, of=self._keys)
        self._show_keys(tr("First"), tr("Second"))
        self._lay_out()

    def show_models(self, shelf: ModelCatalog) -> None:
        """Offer these models."""
        self._shelf = shelf
        self._fill_models()

    def show_demos(self, demos: Sequence[DemoSummary]) -> None:
        """Offer these demos."""
        wanted = self.demos.currentData()
        self.demos.clear()
        for demo in demos:
            self.demos.addItem(demo.head.task or tr("No task written"), demo.head.id)
        self.demos.setCurrentIndex(max(0, self.demos.findData(wanted)))
        self.go.setEnabled(bool(demos) and self._pair() is not None)

    # ----------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.screens.hide()
        holder = QWidget()
        holder.setMinimumWidth(_MIN_WIDTH)
        holder.setMaximumWidth(_MAX_WIDTH)
        column((self.table, 3), (self.screens, 2), of=holder, margins=(0, 0, 0, SPACE.m))
        compared = column(
            row((self.demos, 1), self.go, self.cancel),
            (self.picture, 1),
            self._keys,
            self._told,
            margins=(0, 0, SPACE.l, SPACE.m),
        )
        column(
            row(self.kind, None),
            row((self.first, 1), label(tr("and"), role="muted"), (self.second, 1), margins=(0, 0, SPACE.l, 0)),
            (row((holder, 1), (compared, 2), spacing=SPACE.l), 1),
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.l, SPACE.m, 0, 0),
        )

    @property
    def _kind(self) -> ModelKind:
        return KINDS[self.kind.current]

    def _fill_models(self) -> None:
        known = [] if self._shelf is None else self._shelf.of(self._kind)
        wanted = [self.first.currentData(), self.second.currentData()]
        used = next((one.name for one in known if one.used), None)
        newest = max(known, key=lambda one: one.model.card.created if one.model else "", default=None)
        defaults = (used, newest.name if newest else None)
        for box, before, default in zip((self.first, self.second), wanted, defaults, strict=True):
            box.clear()
            for one in known:
                box.addItem(name_words(one) + (tr(" (in use)") if one.used else ""), one.name)
            place = box.findData(before)
            box.setCurrentIndex(place if place >= 0 else max(0, box.findData(default)))
        if len(known) > 1 and self.first.currentIndex() == self.second.currentIndex():
            self.second.setCurrentIndex(1 if self.first.currentIndex() == 0 else 0)
        self._compare_figures()

    def _pair(self) -> tuple[KnownModel, KnownModel] | None:
        known = {} if self._shelf is None else {one.name: one for one in self._shelf.of(self._kind)}
        first, second = (known.get(str(box.currentData())) for box in (self.first, self.second))
        return None if first is None or second is None or first is second else (first, second)

    def _compare_figures(self) -> None:
        pair = self._pair()
        self.go.setEnabled(pair is not None and self.demos.count() > 0)
        self._found = {}
        self.screens.hide()
        self._told.setText("")
        if pair is None:
            self.table.show_nothing(tr("Two models of one kind are needed. Train one, or add a folder."))
            self.picture.show_changes(None, message=tr("There are not two models to compare yet."))
            return
        cards = [one.model.card for one in pair if one.model is not None]
        self.table.show_cards(cards[0], cards[1], names=(name_words(pair[0]), name_words(pair[1])))
        self._show_keys(name_words(pair[0]), name_words(pair[1]))
        self.picture.show_changes(None, message=_ASK)

    def _show_keys(self, first: str, second: str) -> None:
        """Say which hue and line is whose."""
        both = tr("Dashed: {first}\nSolid: {second}\nBoth: they see it differently").format(first=first, second=second)
        self._keys.setToolTip(both)
        self._keys.setAccessibleName(
            tr("Dashed: {first}. Solid: {second}. Both: they see it differently.").format(first=first, second=second)
        )
        for shown, name in zip(self._names, (first, second), strict=True):
            shown.setText(shown.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, _NAME_WIDTH))

    def _show_changes(self) -> None:
        pair, demo = self._pair(), str(self.demos.currentData() or "")
        if pair is None or not demo:
            return
        names = (pair[0].name, pair[1].name)
        self.go.setEnabled(False)
        self.cancel.show()
        self._told.setText(tr("Waking the models …"))

        def progress(told: Progress) -> None:
            self._told.setText(tr("Looking at screen {value} …").format(value=told.done + 1))

        def end() -> None:
            self._job = None
            self.cancel.hide()
            self.go.setEnabled(self._pair() is not None)
            if not self._found:
                self._told.setText("")

        self._job = self._operations.run(
            tr("Comparing models"),
            lambda control: self._service.differences(
                self._library, demo, kind=pair[0].kind, names=names, control=control
            ),
            on_result=partial(self._take, demo, pair),
            on_progress=progress,
            on_end=end,
        )

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _take(self, demo: str, pair: tuple[KnownModel, KnownModel], found: list[FrameChanges]) -> None:
        if self._pair() != pair:
            return
        self._demo = demo
        self._found = {one.frame.id: one for one in found}
        rows = [
            ListRow(key=one.frame.id, title=capital(one.shown), caption=_counted(one), frame=one.frame.id)
            for one in found
        ]
        self.screens.setVisible(bool(rows))
        self.screens.show_rows(rows)
        changes = sum(len(one.changes.changes) for one in found)
        same = sum(one.changes.same for one in found)
        screens = tr("1 screen") if len(found) == 1 else tr("{found} screens").format(found=len(found))
        self._told.setText(
            tr("{screens}: {changes} changes, {same} elements alike. ← → go through the changes.").format(
                screens=screens, changes=changes, same=same
            )
        )
        self._show_screen(self.screens.current)

    def _show_screen(self, frame: str) -> None:
        found = self._found.get(frame)
        if found is not None:
            self.picture.show_changes(found)


def _combo(name: str) -> QComboBox:
    made = combo_box(name, name, focus=Qt.FocusPolicy.StrongFocus)
    made.setMinimumWidth(140)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return made


def _mark(line: str, hue: str) -> QLabel:
    made = label(line)
    made.setStyleSheet(f"color: {hue}")
    return made


def _counted(found: FrameChanges) -> str:
    counts = Counter(change.kind for change in found.changes.changes)
    words = {"appeared": tr("only in the second"), "vanished": tr("only in the first"), "type": tr("of another type"),
             "text": tr("with another text"), "states": tr("with other states")}  # fmt: skip
    return ", ".join(f"{count} {words[kind]}" for kind, count in counts.most_common()) or tr("Both see the same")

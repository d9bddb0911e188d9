"""What is shown of suggestions: the row under the picture, marks on it, and what each source said of an element."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest

import numpy as np
from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSlider,
    QWidget,
)

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.document import changed_span
from annotator.outlines import LINE_KINDS, draw_outlines
from annotator.suggestions.confidence_filter import ORIGINS, ConfidenceFilter, Origin, SuggestionCounts
from annotator.suggestions.statements import (
    FIELD_NAMES,
    FIELDS,
    ORIGIN_NAMES,
    SOURCE_NAMES,
    Field,
    accessible_element,
    count_words,
    differing_fields,
    disputed,
    field_words,
    role_words,
    source_words,
    statement_words,
    statements,
)
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.controls import Bar, check_box, flat_button, label, push_button, row, set_tip, show_words, table
from annotator.ui.editor.panels.panel_section import Do, PanelSection
from annotator.ui.fitting import Fitting, hiding, stacking
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, LINES, SPACE, LineStyle
from annotator.view_state import ViewState
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.elements import Element, Evidence

SAMPLE_SIZE = QSize(26, 12)
"""Of a sample of a line; room for a whole period of each."""


@cache
def line_sample(style: LineStyle, colour: str, *, ratio: float = 1.0) -> QPixmap:
    """A small box with an outline as boxes on the picture have it, for legends."""
    width, height = round(SAMPLE_SIZE.width() * ratio), round(SAMPLE_SIZE.height() * ratio)
    made = QImage(width, height, QImage.Format.Format_ARGB32)
    made.fill(Qt.GlobalColor.transparent)
    pixels = np.frombuffer(made.bits(), dtype=np.uint32).reshape(height, made.bytesPerLine() // 4)
    draw_outlines(
        pixels,
        np.array([[0, 0, width, height]], dtype=np.int64),
        np.array([QColor(colour).rgb()], dtype=np.uint32),
        kinds=np.array([LINE_KINDS.index(style)], dtype=np.int64),
        width=max(round(ratio), 1),
    )
    made.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(made)


_SAMPLE_GAP = 4
"""Pixels between a sample and its words, as the style has them."""
_ORIGIN_TIPS: Mapping[Origin, str] = {
    "ocr": tr("Show what was read by OCR"),
    "detector": tr("Show what the detector found"),
    "rule": tr("Show what rules found by outlines, lines and gaps"),
    "accessibility": tr("Show what the programs told"),
    "propagated": tr("Show what was carried over to where something changed"),
    "human": tr("Show what a person drew"),
}


_MOST_LINES = 3
"""Of check boxes."""


class SuggestionRow(Bar):
    """Slider, counts, check boxes and buttons."""

    def __init__(
        self, theme: Theme, *, use: Callable[[ConfidenceFilter], None], fill_menu: Callable[[QMenu], None]
    ) -> None:
        """A row; ``use`` gets other limits, ``fill_menu`` the menu of further choices when it is opened."""
        super().__init__("footer")
        self._limits = ConfidenceFilter()
        self._use = use
        self._theme = theme
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        self._layout.setSpacing(SPACE.s)
        self._first, self._second = self._slider_part(theme, fill_menu), self._origin_part()
        self._layout.addLayout(self._first, 1)
        self._layout.addLayout(self._second)
        spare = (
            stacking(self._layout),
            (partial(self._arrange, 2), partial(self._arrange, 1)),
            (partial(self._show_samples, shown=False), partial(self._show_samples, shown=True)),
            (partial(self._arrange, _MOST_LINES), partial(self._arrange, 1)),
            hiding(self._heading),
            hiding(self._counts),
        )
        boxes = self._origins.values()
        self._fitting = Fitting(
            self, spare, says=lambda: (self._counts.text(), *((box.text(), box.isHidden()) for box in boxes))
        )

    def _slider_part(self, theme: Theme, fill_menu: Callable[[QMenu], None]) -> QHBoxLayout:
        words = self._heading = label(tr("Suggestions"), role="muted")
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(0, 100)
        self._slider.setSingleStep(5)
        self._slider.setPageStep(5)
        self._slider.setMinimumWidth(72)
        self._slider.setMaximumWidth(240)
        self._slider.setAccessibleName(tr("Least confidence of a suggestion, in percent"))
        set_tip(self._slider, tr("Hide suggestions whose finder was less sure"), action="show_more show_fewer")
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.valueChanged.connect(lambda: self._use(replace(self._limits, least=self._slider.value() / 100)))
        words.setBuddy(self._slider)
        self._value = label("0.00")
        self._value.setMinimumWidth(self._value.fontMetrics().horizontalAdvance("0.00") + SPACE.xs)
        self._counts = label("", role="caption")
        accept, reject = tr("Accept every suggestion that is shown"), tr("Reject every suggestion that is shown")
        self._buttons = (
            flat_button("check", accept, theme, action="accept_shown", tint="success"),
            flat_button("close", reject, theme, action="reject_shown", tint="danger"),
        )
        more = flat_button("more", tr("Accept or reject by type, or below the slider"), theme)
        menu = QMenu(more)
        menu.aboutToShow.connect(lambda: fill_menu(menu))
        more.setMenu(menu)
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        return row(words, (self._slider, 1), self._value, self._counts, None, *self._buttons, more)

    def _origin_part(self) -> QGridLayout:
        grid = table((), spacing=SPACE.s, below=SPACE.xs)
        grid.setColumnStretch(len(ORIGINS), 1)
        self._origins: dict[Origin, QCheckBox] = {}
        for origin in ORIGINS:
            tip = _ORIGIN_TIPS[origin]
            box = self._origins[origin] = check_box(
                ORIGIN_NAMES[origin], tip, on=True, call=partial(self._show_origin, origin)
            )
            box.setAccessibleName(tip)
            grid.addWidget(box, 0, len(self._origins) - 1)
        self._samples = True
        self._draw_samples()
        self._theme.changed.connect(self._draw_samples)
        return grid

    def _show_origin(self, origin: Origin, shown: bool) -> None:  # noqa: FBT001 - a slot
        self._use(self._limits.toggled(origin, shown=shown))

    def _show_samples(self, *, shown: bool) -> None:
        if shown != self._samples:
            self._samples = shown
            self._draw_samples()

    def _draw_samples(self) -> None:
        """Beside each source the line that its boxes have: the legend of the picture."""
        for origin, box in self._origins.items():
            sample = line_sample(LINES[origin], self._theme.palette.text, ratio=self.devicePixelRatioF())
            box.setIconSize(SAMPLE_SIZE)
            box.setIcon(QIcon(sample) if self._samples else QIcon())

    def show_limits(self, limits: ConfidenceFilter) -> None:
        """Which suggestions pass; nobody is told."""
        self._limits = limits
        with QSignalBlocker(self._slider):
            self._slider.setValue(round(limits.least * 100))
        self._value.setText(f"{limits.least:.2f}")
        for origin, box in self._origins.items():
            box.setChecked(origin not in limits.hidden)

    def show_counts(self, counts: SuggestionCounts) -> None:
        """How many there are on the picture."""
        self._counts.setText(count_words(counts))
        for button in self._buttons:
            button.setEnabled(counts.shown > 0)
        for origin, box in self._origins.items():
            number = counts.by_origin.get(origin, 0)
            box.setText(f"{ORIGIN_NAMES[origin]} {number}" if number else ORIGIN_NAMES[origin])
            # Who found nothing here takes no room, unless it is hidden and would be missed elsewhere.
            box.setVisible(number > 0 or not box.isChecked())
        # A source that comes with an edit must not move the picture; where there is none at all, no room is kept.
        kept = any(not box.isHidden() for box in self._origins.values())
        for box in self._origins.values():
            policy = box.sizePolicy()
            if policy.retainSizeWhenHidden() != kept:
                policy.setRetainSizeWhenHidden(kept)
                box.setSizePolicy(policy)
        self._fitting.fit()

    def show_busy(self, words: str) -> None:
        """Say at once what takes a moment, before it begins; the next counts take its place."""
        self._counts.setText(words)
        self._counts.show()
        self._counts.repaint()

    def _arrange(self, lines: int) -> None:
        """Put the check boxes into so many lines."""
        columns = -(-len(self._origins) // lines)
        for number, box in enumerate(self._origins.values()):
            down, across = divmod(number, columns)
            if self._second.getItemPosition(self._second.indexOf(box)) != (down, across, 1, 1):
                self._second.addWidget(box, down, across)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it may be narrower than it is arranged just now."""
        edges, sample = self._layout.contentsMargins(), SAMPLE_SIZE.width() + _SAMPLE_GAP
        widths = [box.sizeHint().width() - (sample if self._samples else 0) for box in self._origins.values()]
        columns = -(-len(widths) // _MOST_LINES)
        needed = sum(max(widths[column::columns]) + SPACE.s for column in range(columns))
        return QSize(needed + edges.left() + edges.right(), super().minimumSizeHint().height())


_SIZE = 11
"""Pixels of the window."""


@cache
def _mark(colour: str, ratio: float) -> QPixmap:
    made = QPixmap(round(_SIZE * ratio), round(_SIZE * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for inset, shade in ((0.0, HALO), (1.5, colour)):
        painter.setBrush(QColor(shade))
        painter.drawEllipse(QRectF(inset, inset, _SIZE - 2 * inset, _SIZE - 2 * inset))
    painter.end()
    return made


class DisputeLayer(CanvasLayer):
    """Dots at the upper right corners; remembers what it made out about each element.

    Attributes:
        corners: where the marks stand, in pixels of the picture.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._elements: tuple[Element, ...] = ()
        self._disputed: dict[str, Element] = {}
        self.corners: list[tuple[int, int]] = []

    def set_elements(self, elements: tuple[Element, ...]) -> None:
        """The elements of another picture, or after an edit; only what differs is looked at again."""
        start, old_end, new_end = changed_span(self._elements, elements)
        for element in self._elements[start:old_end]:
            self._disputed.pop(element.uid, None)
        self._disputed |= {one.uid: one for one in elements[start:new_end] if one.evidence and disputed(one)}
        self._elements = elements

    def show(self, shows: Callable[[Element], bool]) -> None:
        """Mark those that are shown."""
        marked = (element for element in self._disputed.values() if shows(element))
        self.corners = [(element.box.x2, element.box.y1) for element in marked]

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Those that can be seen."""
        if not self.corners:
            return
        mark = _mark(self._theme.palette.warning, painter.device().devicePixelRatioF())
        reach, scale, left, top = _SIZE / 2, viewport.scale, viewport.x, viewport.y
        width, height = viewport.width + reach, viewport.height + reach
        for x, y in self.corners:
            at_x, at_y = x * scale + left, y * scale + top
            if -reach < at_x < width and -reach < at_y < height:
                painter.drawPixmap(round(at_x - reach), round(at_y - reach), mark)


Take = Callable[[Evidence, Field], None]
"""Lets the element be what a source said about one field."""


_ROWS = len(FIELDS) + 1
"""Of the grid, for one statement."""


class StatementRow:
    """Its widgets stay, and show one statement after the other: to make them anew would cost more than an edit."""

    def __init__(self, grid: QGridLayout, first: int, theme: Theme, take: Take) -> None:
        self._evidence: Evidence | None = None
        self._said = label("", wraps=True)
        self._name = label("", role="muted")
        grid.addWidget(self._name, first, 0, _ROWS, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._said, first, 1)
        self._differences: dict[Field, tuple[QWidget, QLabel, QPushButton]] = {}
        for place, field in enumerate(FIELDS, start=first + 1):
            line, words = QWidget(), label("", role="warning", wraps=True)
            button = push_button(tr("Take"), "", theme, role="link", call=partial(self._taken, take, field))
            row((words, 1), (button, 0, Qt.AlignmentFlag.AlignTop), of=line, spacing=SPACE.xs)
            grid.addWidget(line, place, 1)
            self._differences[field] = (line, words, button)

    def _taken(self, take: Take, field: Field, *_: object) -> None:
        if self._evidence is not None:
            take(self._evidence, field)

    def show(self, said: Evidence | None, differs: Collection[Field] = ()) -> None:
        """Show what a source said, with a button beside each thing that it said otherwise; None hides the row."""
        self._evidence = said
        show_words(self._name, "" if said is None else source_words(said))
        show_words(self._said, "" if said is None else statement_words(said, without=differs))
        for field, (line, words, button) in self._differences.items():
            line.setVisible(field in differs)
            if said is not None and field in differs:
                told = field_words(said, field)
                words.setText(f"{FIELD_NAMES[field]}: {told}")
                tip = tr("Take what this source says: {field_words}").format(field_words=told)
                button.setToolTip(tip)
                button.setAccessibleDescription(tip)
                name = tr("Take the {field} from {value}").format(field=field, value=SOURCE_NAMES[said.source])
                button.setAccessibleName(name)


class FoundBySection(PanelSection):
    """One line for each source; what it said otherwise than the element stands, with a button that takes it."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Found by"), view, do, theme)
        self._shown: Element | None = None
        self._statements: list[StatementRow] = []
        self._grid = table((), spacing=SPACE.s, below=SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self._told = label("", role="caption", wraps=True)
        self._body.addLayout(self._grid)
        self._body.addWidget(self._told)
        view.selection_changed.connect(self._show)
        view.document.elements_changed.connect(lambda _: self._show())
        self._show()

    def _show(self) -> None:
        element = self._view.element
        if element is not None and element == self._shown:
            return
        self._shown = element
        said = () if element is None else statements(element)
        self.setVisible(bool(said))
        if element is None or not said:
            return
        differ = sum(bool(differing_fields(element, one)) for one in said)
        words = tr("1 source differs") if differ == 1 else tr("{differ} sources differ").format(differ=differ)
        self._caption.setText(words if differ else "")
        self._fill(element, said)

    def _fill(self, element: Element, said: tuple[Evidence, ...]) -> None:
        while len(self._statements) < len(said):
            first = len(self._statements) * _ROWS
            self._statements.append(StatementRow(self._grid, first, self._theme, self._take))
        for one, line in zip_longest(said, self._statements):
            line.show(one, () if one is None else differing_fields(element, one))
        frame = self._view.document.frame(element.frame)
        told = None if frame is None else accessible_element(element, frame, self._view.document.steps_on(frame.id))
        show_words(self._told, "" if told is None else role_words(told))

    def _take(self, said: Evidence, field: Field) -> None:
        element, frame = self._view.element, self._view.frame
        if element is None or frame is None:
            return
        if field == "text":
            self._do(SetAttribute(uids=(element.uid,), name="text", value=said.text or ""))
        elif field == "type" and said.type is not None:
            self._do(SetAttribute(uids=(element.uid,), name="type", value=said.type))
        elif field == "box" and said.box is not None:
            self._do(SetBoxes(boxes={element.uid: said.box.clamped(frame.size)}))

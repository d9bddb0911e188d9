"""The overlay with every key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from annotator.ui.controls import column, label, native, on_resize, row, table
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.keys.key import GROUP_WORDS, Key
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_KEYS_WIDTH: Final = 112
_WIDTH_QUANTILE: Final = 0.9
_WORDS_WIDTH: Final = 170
_WIDEST_KEYS: Final = 176
"""What keys take of a column, where their names are long: in German, for instance."""
_GAP: Final = SPACE.m
_MAX_SHOWN_KEYS: Final = 3
_ARROWS: Final[tuple[tuple[str, str], ...]] = (("nudge_", tr("Move by a pixel")), ("ten_", tr("Move by ten pixels")))
"""Four keys, one for each arrow, that are one line."""

_MOUSE: Final = (
    (tr("Drag on empty ground"), tr("Draw a box")),
    (tr("Drag a box, or a handle"), tr("Move it, resize it")),
    (tr("Alt and drag"), tr("Draw on top of a box")),
    (tr("Shift and drag"), tr("Select what it encloses")),
    (tr("Ctrl while dragging"), tr("Nothing snaps")),
    (tr("Click again"), tr("The next larger box")),
    (tr("Ctrl and click"), tr("Select several")),
    (tr("Right button"), tr("Menu")),
    (tr("Wheel"), tr("Zoom")),
    (tr("Drag a step"), tr("Put it elsewhere")),
    (tr("Middle button, or Space"), tr("Push the picture")),
)


class KeyOverlay(Overlay):
    """Lies over its parent until a key or a click takes it away; scrolls where the window is small."""

    def __init__(self, parent: QWidget, keys: Callable[[], Sequence[Key]], *, mouse: bool = True) -> None:
        """Make it, empty; ``keys`` is asked whenever it is shown, ``mouse`` adds the pointer's ways on the picture."""
        super().__init__(parent, tr("Keys"), keeps_keys=True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._keys = keys
        self._mouse = mouse
        self._area = QScrollArea(widgetResizable=True)
        self._area.setObjectName("keys")
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(
            row(
                label(tr("Keys"), role="title"),
                None,
                label(tr("F2 changes keys. Arrows scroll, any other key closes this."), role="caption"),
            ),
            self._area,
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.l, SPACE.m, SPACE.l),
        )
        on_resize(self, parent, lambda: self._lay_out() if self.isVisible() else None)

    def toggle(self) -> None:
        """Show it, or take it away."""
        if self.isVisible():
            self.close_overlay()
            return
        self._lay_out()
        self.open_here(self)

    # Layout ---------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Put the groups into as many columns as there is room for, each about as long as the others."""
        room = self._over.width() - 2 * SPACE.s - SPACE.xl - SPACE.m - 14
        lines = _blocks(self._keys(), mouse=self._mouse)
        keys_width = _keys_width(lines, self)
        columns = max((room + _GAP) // (keys_width + SPACE.s + _WORDS_WIDTH + _GAP), 1)
        inside = QWidget(self)
        blocks = [_block(heading, some, inside, keys_width=keys_width) for heading, some in lines]
        dealt = _dealt([block.sizeHint().height() + SPACE.m for block in blocks], columns)
        shown = [column(*(blocks[place] for place in shared), None, spacing=SPACE.m) for shared in dealt]
        row(*shown, None, of=inside, spacing=_GAP, margins=(0, 0, SPACE.m, 0))
        self._area.setWidget(inside)
        wanted = inside.sizeHint() + QSize(SPACE.xl + SPACE.m + 14, 2 * SPACE.l + SPACE.m + 30)
        self.resize(wanted.boundedTo(self._over.size() - QSize(2 * SPACE.s, 2 * SPACE.s)))
        self.move((self._over.width() - self.width()) // 2, max((self._over.height() - self.height()) // 2, 0))

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: arrows and pages scroll, any other key takes it away."""
        bar = self._area.verticalScrollBar()
        steps = {
            Qt.Key.Key_Up: -40,
            Qt.Key.Key_Down: 40,
            Qt.Key.Key_PageUp: -bar.pageStep(),
            Qt.Key.Key_PageDown: bar.pageStep(),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None and bar.maximum() > 0:
            bar.setValue(bar.value() + step)
        else:
            self.close_overlay()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: any click."""
        del event
        self.close_overlay()


_Line = tuple[Sequence[str], str]


def _blocks(keys: Sequence[Key], *, mouse: bool) -> list[tuple[str, list[_Line]]]:
    """Headings with their lines: keys, and what they do; actions without a key are left out."""
    made: list[tuple[str, list[_Line]]] = []
    for group, heading in GROUP_WORDS.items():
        # The same by other keys is one line.
        found: dict[str, list[str]] = {}
        for key in (one for one in keys if one.group == group):
            words = next((words for start, words in _ARROWS if key.name.startswith(start)), key.words)
            caps = (_cap(text) for text in key.keys if text != "Return" or len(key.keys) == 1)
            found.setdefault(words, []).extend(caps)
        if any(found.values()):
            made.append((heading, [(_joined(caps), words) for words, caps in found.items() if caps]))
    return [*made, (tr("Mouse"), [((what,), words) for what, words in _MOUSE])] if mouse else made


def _cap(text: str) -> str:
    shown = native(text)
    arrow = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}.get(text.rpartition("+")[2])
    if arrow is None:
        return shown
    head, plus, _ = shown.rpartition("+")
    return f"{head}{plus}{arrow}"


def _joined(texts: list[str]) -> list[str]:
    """Arrows with the same modifiers are one cap, and so are all digits; no more than a few caps stand in a line."""
    if len(texts) > _MAX_SHOWN_KEYS and all(len(text) == 1 and text.isdigit() for text in texts):
        return ["0 - 9"]
    caps: dict[str, str] = {}
    for text in texts:
        start = text[:-1] if text[-1:] in set("←→↑↓") else ""
        if start and start in caps:
            caps[start] += f" {text[-1]}"
        else:
            caps[start or text] = text
    return list(caps.values())[:_MAX_SHOWN_KEYS]


def _dealt(heights: Sequence[int], columns: int) -> list[list[int]]:
    """Places of blocks by column: the longest first, each into the column that is shortest then."""
    made: list[list[int]] = [[] for _ in range(min(columns, len(heights)))]
    for place in sorted(range(len(heights)), key=lambda place: -heights[place]):
        min(made, key=lambda column: sum(heights[one] for one in column)).append(place)
    return sorted(sorted(column) for column in made)


def _caps(caps: Sequence[str], parent: QWidget) -> QWidget:
    made = QWidget(parent)
    labels = [label(cap, role="key") for cap in caps]
    row(*((key, 0, Qt.AlignmentFlag.AlignTop) for key in labels), None, of=made, spacing=3)
    return made


def _keys_width(blocks: Sequence[tuple[str, Sequence[_Line]]], window: QWidget) -> int:
    """So wide that nearly every line of keys stands whole: a few long ones must not cost a whole column."""
    measured = QWidget(window)
    measured.hide()
    widths = sorted(_caps(caps, measured).sizeHint().width() for _, lines in blocks for caps, _ in lines)
    measured.deleteLater()
    widest = widths[int(_WIDTH_QUANTILE * (len(widths) - 1))]
    return min(max(widest, _KEYS_WIDTH), _WIDEST_KEYS)


def _block(heading: str, lines: Sequence[_Line], parent: QWidget, *, keys_width: int) -> QWidget:
    made = QWidget(parent)
    width = keys_width + SPACE.s + _WORDS_WIDTH
    made.setFixedWidth(width)
    grid = table((), spacing=SPACE.s)
    grid.setContentsMargins(0, 0, 0, 0)
    made.setLayout(grid)
    grid.setColumnMinimumWidth(0, keys_width)
    grid.setColumnStretch(1, 1)
    grid.addWidget(label(heading.upper(), role="heading"), 0, 0, 1, 2)
    for line, (caps, words) in enumerate(lines, start=1):
        grid.addWidget(_caps(caps, made), line, 0)
        grid.addWidget(label(words, role="fact", wraps=True), line, 1, Qt.AlignmentFlag.AlignTop)
    made.setFixedHeight(grid.heightForWidth(width) if grid.hasHeightForWidth() else grid.sizeHint().height())
    return made

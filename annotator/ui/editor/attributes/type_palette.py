"""A small list of types at the element: a key opens it, the first letters choose one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from annotator.attributes.keyboard_choice import TypeDigits, goes_on, types_by_letters
from annotator.step_words import type_word
from annotator.ui.controls import column, label
from annotator.ui.editor.attributes.attributes_feature import AttributesFeature
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.keys.key import Key
from annotator.ui.painting import type_badge
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr
from demopack.domain.elements import ElementType

_WIDTH: Final = 232
_ROWS: Final = 8
"""Types that are seen at once; the arrow keys reach the others."""
_AFTER_MS: Final = 900
"""Whoever types a word on after it was taken does so within this time."""


class TypePalette(Overlay):
    """Has the keyboard while it is open: letters choose, arrows move, Return takes, Esc closes."""

    def __init__(self, canvas: QWidget, *, choose: Callable[[ElementType], None]) -> None:
        """Make it, hidden; ``choose`` is called with the type that was taken."""
        super().__init__(canvas, tr("Choose a type by its letters"))
        self._choose = choose
        # A click beside the rows is none on the picture below.
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self._by_use: Sequence[ElementType] = ()
        self._digits = TypeDigits()
        self._after: tuple[str, ElementType] | None = None
        self._field = QLineEdit(placeholderText=tr("First letters of the type"))
        self._field.setAccessibleName(tr("First letters of the type"))
        self._field.setToolTip(tr("The only type left is taken by itself; arrows choose, Return takes, Esc closes"))
        self._field.textEdited.connect(self._on_typed)
        self._field.installEventFilter(self)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Types"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setIconSize(QSize(22, 16))
        self._list.setUniformItemSizes(True)
        self._list.itemClicked.connect(self._take)
        self._none = label(tr("No type begins like this"), role="muted")
        column(self._field, self._list, self._none, of=self, spacing=SPACE.xs, margins=SPACE.s)
        self._end_after = QTimer(self, interval=_AFTER_MS, singleShot=True)
        self._end_after.timeout.connect(self._forget)
        canvas.installEventFilter(self)

    def open_beside(self, box: QRect, *, by_use: Sequence[ElementType], digits: TypeDigits) -> None:
        """Show it beside a box of the canvas, in the middle where that is empty; ``by_use``: the most used first."""
        self._by_use, self._digits = by_use, digits
        self._forget()
        self._field.clear()
        self._fill()
        room = self._over.rect()
        self.setFixedWidth(_WIDTH)
        self.adjustSize()
        x, y = box.right() + SPACE.l, box.top()
        if box.isEmpty():
            x, y = room.center().x() - _WIDTH // 2, room.center().y() - self.height() // 2
        elif x + _WIDTH > room.right() - SPACE.s:
            x = box.left() - SPACE.l - _WIDTH
        self.open_at(x, y, self._field)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: keys of the field that mean the list, and letters that come after a type was taken."""
        if watched is self._over:
            return isinstance(event, QKeyEvent) and self._swallows(event)
        if event.type() == QEvent.Type.FocusOut and QApplication.focusWidget() is not self._field:
            self.hide()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        key, count = event.key(), self._list.count()
        if key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            step = -1 if key == Qt.Key.Key_Up else 1
            self._list.setCurrentRow((self._list.currentRow() + step) % count if count else -1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if count:
                self._take(self._list.currentItem())
        elif key in {Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab}:
            self.close_overlay()
        else:
            return False
        return True

    def _on_typed(self, text: str) -> None:
        kinds = self._fill()
        if text.strip() and len(kinds) == 1:
            self._after = (text, kinds[0])
            self._end_after.start()
            self._take(self._list.item(0))

    def _fill(self) -> tuple[ElementType, ...]:
        kinds = types_by_letters(self._field.text(), self._by_use)
        self._list.clear()
        ratio = self.devicePixelRatioF()
        for kind in kinds:
            digit = self._digits.digit_of(kind)
            words = f"{type_word(kind)}   {digit}" if digit else type_word(kind)
            item = QListWidgetItem(QIcon(type_badge(kind, ratio=ratio)), words)
            item.setData(Qt.ItemDataRole.UserRole, kind)
            item.setSizeHint(QSize(_WIDTH - 4 * SPACE.s, HIT.tool))
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._list.setVisible(bool(kinds))
        self._list.setFixedHeight(min(len(kinds), _ROWS) * HIT.tool + 2)
        self._none.setVisible(not kinds)
        self.adjustSize()
        return kinds

    def _take(self, item: QListWidgetItem) -> None:
        kind: ElementType = item.data(Qt.ItemDataRole.UserRole)
        self.close_overlay()
        self._choose(kind)

    # Letters that come late -----------------------------------------------------------------------------------

    def _swallows(self, event: QKeyEvent) -> bool:
        """Whether a key of the canvas only goes on with the word that was taken: it must not set off a shortcut."""
        if self._after is None or event.type() not in {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress}:
            return False
        typed, kind = self._after
        letter = event.text()
        if not letter.strip() or not goes_on(typed, kind, letter):
            self._forget()
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        else:
            self._after = (typed + letter, kind)
            self._end_after.start()
        return True

    def _forget(self) -> None:
        self._end_after.stop()
        self._after = None


class TypePaletteFeature(Feature):
    """Sets the type of the selection, or of the next box where nothing is selected.

    Attributes:
        palette: the list at the element.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.palette = TypePalette(context.canvas, choose=self._use)
        context.view.frame_changed.connect(self.palette.hide)

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self.context.canvas.removeEventFilter(self.palette)

    def open_palette(self) -> None:
        """Let letters choose a type."""
        learning = self.context.feature(AttributesFeature).learning
        self.context.leave()
        boxes = [self.context.canvas.box_on_screen(uid) for uid in self.context.view.selection]
        around = reduce(QRect.united, boxes, QRect())
        self.palette.open_beside(around, by_use=learning.defaults.types_by_use(), digits=learning.digits)

    def _use(self, kind: ElementType) -> None:
        self.context.panel.element.use_type(kind)
        if not self.context.view.selection:
            self.context.say(tr("The next box is a {type}.").format(type=type_word(kind)))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("type_letters", tr("Choose a type by its letters"), ("\\", "F4"), "Attributes", call=open_palette),
    )

"""The demos as cards: the first screen, the task, a few facts, what is still to be done."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetrics, QKeyEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QListView, QMenu, QStyle, QStyleOptionViewItem, QWidget

from annotator.finding.demo_search import demo_search
from annotator.replay_words import proof_words, title_words
from annotator.ui.icons import paint_icon
from annotator.ui.painting import RowDelegate, draw_lines, font_of, rounded_box, rounded_picture
from annotator.ui.recording.recording_words import count_steps
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE, Palette, Tone
from annotator.words import date_words, tr
from demopack.domain.demos import DemoSummary

SummaryRole = Qt.ItemDataRole.UserRole + 1
ThumbnailRole = Qt.ItemDataRole.UserRole + 2

THUMBNAIL = QSize(384, 240)


def facts_of(summary: DemoSummary) -> str:
    """Number of steps, application and day, in one line."""
    head = summary.head
    at = head.created_at.astimezone()
    day = f"{date_words(at.date())}, {at:%H:%M}"
    return " · ".join(part for part in (count_steps(summary.steps), head.app, day) if part)


class LibraryModel(QAbstractListModel):
    """One row a demo, newest first."""

    def __init__(self, pictures: ScreenshotCache, parent: QObject | None = None, *, ratio: float = 1.0) -> None:
        """Begin with no demos; ``ratio`` is how many device pixels a pixel of the list has."""
        super().__init__(parent)
        self._pictures = pictures
        self._ratio = ratio
        self._all: list[DemoSummary] = []
        self._shown: list[DemoSummary] = []
        self._fits = demo_search("")

    @property
    def total(self) -> int:
        """How many demos there are, found or not."""
        return len(self._all)

    def set_demos(self, demos: Sequence[DemoSummary]) -> None:
        """Take a new reading of the library."""
        # What has not changed is the same object, so the comparison costs nothing.
        if list(demos) != self._all:
            self._all = list(demos)
            self._search()

    def set_query(self, query: str) -> None:
        """Show only what fits.

        Raises:
            QueryError: the search cannot be understood; what is shown stays.
        """
        self._fits = demo_search(query)
        self._search()

    def summary(self, row: int) -> DemoSummary | None:
        """The demo in a row; None where there is none."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def row_of(self, demo_id: str | None) -> int:
        """The row of a demo; -1 when it is not shown."""
        return next((row for row, one in enumerate(self._shown) if one.head.id == demo_id), -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Qt's hook: how many demos are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt's hook: one facet of a demo."""
        summary = self.summary(index.row()) if index.isValid() else None
        if summary is None:
            return None
        task = title_words(summary.head) or tr("No task written")
        if role == Qt.ItemDataRole.DisplayRole:
            return task
        if role == SummaryRole:
            return summary
        if role == ThumbnailRole:
            frame = summary.first_frame
            return None if frame is None else self._pictures.thumbnail(frame, THUMBNAIL * self._ratio)
        if role == Qt.ItemDataRole.ToolTipRole:
            proven = "" if summary.proof is None else proof_words(summary.proof)
            done = " · ".join(badge.words for badge in _badges(summary))
            return "\n".join(filter(None, (task, facts_of(summary), done, proven, summary.damage)))
        if role == Qt.ItemDataRole.AccessibleTextRole and summary.damage:
            return tr("{task}. Damaged: {reason}").format(task=task, reason=summary.damage)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = tr(
                "{value}. {facts_of}. {status}. {rationales} of {steps} rationales, {approved} approved."
            ).format(
                value=task,
                facts_of=facts_of(summary),
                status=summary.head.status,
                rationales=summary.rationales,
                steps=summary.steps,
                approved=summary.approved,
            )
            return words if summary.proof is None else f"{words} {proof_words(summary.proof)}"
        return None

    def _search(self) -> None:
        shown = list(filter(self._fits, self._all))
        if self._shown and [id(summary) for summary in shown] == [id(summary) for summary in self._shown]:
            return
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()


@dataclass(frozen=True, slots=True)
class DemoAction:
    """One thing to do.

    Attributes:
        name: ``open``, ``replay``, ``delete``, ``restore``, ``erase``, ``join`` or ``free``.
        words: on the button.
        tip: what will happen.
        keys: its key on the cards; empty for none.
    """

    name: str
    words: str
    tip: str
    keys: str = ""


_DELETE_TIP = tr("Take it off the list; it can be restored")
_OPEN = DemoAction("open", tr("Open it"), tr("Open this demo"), "Return")
_REPLAY = DemoAction("replay", tr("Do it again …"), tr("Perform this demo on the screen, step by step, and compare"))
_DELETE = DemoAction("delete", tr("Delete"), _DELETE_TIP, "Delete")
_RESTORE = DemoAction("restore", tr("Restore"), tr("Put this demo back on the list"), "Return")
_ERASE = DemoAction("erase", tr("Erase for good …"), tr("Remove this demo and its pictures from the disk"), "Delete")
_RETAKE_ACTIONS = (
    DemoAction("join", tr("Join"), tr("Put this take in the place of its demo's old end; one undo takes it back")),
    DemoAction("free", tr("Keep as a demo"), tr("Make this take a demo of its own")),
    DemoAction("delete", tr("Discard"), _DELETE_TIP, "Delete"),
)


def offers_of(summary: DemoSummary, *, deleted: bool) -> tuple[DemoAction, ...]:
    """What can be done with a demo, the likeliest first."""
    if deleted:
        return (_RESTORE, _ERASE)
    if summary.damage:
        return (_OPEN, _DELETE)
    if summary.head.status == "recording":
        return (_OPEN,)
    return (_OPEN, *_RETAKE_ACTIONS) if summary.head.take_of else (_OPEN, _REPLAY, _DELETE)


def demo_warning(summary: DemoSummary | None, *, deleted: bool) -> str:
    """What has to be said about a demo before something is done with it; empty for an ordinary one."""
    if summary is None:
        return ""
    if deleted:
        return tr("Deleted demos stay on this disk until they are erased.")
    if summary.damage:
        return tr(
            "This demo is damaged and cannot be opened. {reason} “demopack repair” mends what can be mended."
        ).format(reason=summary.damage)
    if summary.head.take_of and summary.head.status != "recording":
        cut = tr(" It was cut off.") if summary.head.status == "partial" else ""
        missing = f" {summary.head.missing}" if summary.head.missing else cut
        return tr("This is a take: another demo recorded again from one of its steps on.{missing}").format(
            missing=missing
        )
    return summary.head.missing if summary.head.status == "partial" else ""


_GAP = SPACE.s
_MIN_CARD_WIDTH_PX = 292
_TEXT_HEIGHT = 104
_PICTURE_SHAPE = 0.58
_BADGE_GAP = 6
_CARDS_KEPT = 72
"""More than fit on a screen; each takes about 300 KB."""


class _Delegate(RowDelegate):
    """Draws each card once and keeps it as a picture while it looks the same, so that scrolling only copies."""

    def __init__(self, view: QListView, theme: Theme) -> None:
        super().__init__(view, tr("Demos"), theme)
        self._drawn: OrderedDict[tuple[object, ...], tuple[DemoSummary, QPixmap]] = OrderedDict()
        self.cell = QSize(_MIN_CARD_WIDTH_PX, 260)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        del option, index
        return self.cell

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        summary = index.data(SummaryRole)
        if not isinstance(summary, DemoSummary):
            return
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        found = index.data(ThumbnailRole)
        picture = found if isinstance(found, QPixmap) else None
        selected = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        ratio = painter.device().devicePixelRatio()
        # The summary is kept with its card, so its identity names it for as long as that.
        key = (
            id(summary), selected, over, box.width(), box.height(), ratio, self._theme.palette.window,
            None if picture is None else picture.cacheKey(),
        )  # fmt: skip
        known = self._drawn.get(key)
        if known is None:
            card = QPixmap(round(box.width() * ratio), round(box.height() * ratio))
            card.setDevicePixelRatio(ratio)
            # Opaque, as the list's own ground: copying then needs no blending.
            card.fill(QColor(self._theme.palette.window))
            drawer = QPainter(card)
            drawer.setFont(painter.font())
            self._paint_card(drawer, summary, str(index.data()), picture, selected=selected, over=over)
            drawer.end()
            known = self._drawn[key] = (summary, card)
            while len(self._drawn) > _CARDS_KEPT:
                self._drawn.popitem(last=False)
        else:
            self._drawn.move_to_end(key)
        painter.drawPixmap(box.topLeft(), known[1])

    def _paint_card(
        self, painter: QPainter, summary: DemoSummary, task: str, found: QPixmap | None, *, selected: bool, over: bool
    ) -> None:
        palette = self._theme.palette
        ratio = painter.device().devicePixelRatio()
        width, height = round(painter.device().width() / ratio), round(painter.device().height() / ratio)
        card = QRect(0, 0, width, height).adjusted(_GAP, _GAP, -_GAP, -_GAP)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = palette.accent if selected else palette.edge if over else palette.line
        box = QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5)
        rounded_box(painter, box, 10, ground=palette.surface, edge=edge, width=2 if selected else 1)
        picture = QRect(card.left() + 8, card.top() + 8, card.width() - 16, card.height() - _TEXT_HEIGHT - 8)
        rounded_picture(painter, picture, found, palette, radius=6)
        text = QRect(card.left() + SPACE.m, picture.bottom() + 10, card.width() - 2 * SPACE.m, _TEXT_HEIGHT - 12)
        self._paint_text(painter, text, summary, task, palette)

    def _paint_text(self, painter: QPainter, box: QRect, summary: DemoSummary, task: str, palette: Palette) -> None:
        painter.setFont(font_of(painter.font(), size=FONT.base, bold=True))
        painter.setPen(QColor(palette.text if summary.head.task else palette.muted))
        draw_lines(painter, QRect(box.left(), box.top(), box.width(), 36), task, lines=2)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        metrics = QFontMetrics(painter.font())
        painter.setPen(QColor(palette.muted))
        facts = metrics.elidedText(summary.damage or facts_of(summary), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(QPoint(box.left(), box.top() + 38 + metrics.ascent()), facts)
        left = box.left()
        for (words, tone, icon), width in _fitting(_badges(summary), metrics.horizontalAdvance, room=box.width()):
            ground, ink = palette.badge(tone)
            mark = 14 if icon else 0
            tag = QRectF(left, box.top() + 60, width, 18)
            rounded_box(painter, tag, 4, ground=ground, edge=ink if ground == palette.surface else "")
            painter.setPen(QColor(ink))
            painter.drawText(tag.adjusted(mark, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, words)
            if icon:
                paint_icon(painter, icon, QRect(left + 4, box.top() + 62, 14, 14), ink)
            left += width + _BADGE_GAP


class _Badge(NamedTuple):
    words: str
    tone: Tone
    icon: str = ""


def _badges(summary: DemoSummary) -> list[_Badge]:
    """First what somebody has to do something about."""
    if summary.damage:
        return [_Badge(tr("damaged"), "danger")]
    found = _warnings(summary)
    if not summary.steps:
        return found
    head = summary.head
    if summary.verified:
        found.append(_Badge(tr("done again"), "success", "check"))
    if summary.approved == summary.steps:
        found.append(_Badge(tr("approved"), "success"))
    elif summary.approved:
        words = tr("{approved}/{steps} approved").format(approved=summary.approved, steps=summary.steps)
        found.append(_Badge(words, "muted"))
    elif not head.accepted and head.status == "complete" and not head.take_of:
        found.append(_Badge(tr("not accepted"), "muted"))
    found.append(_share(summary.rationales, summary.steps, tr("{}/{} rationales")))
    if summary.elements_approved:
        found.append(_share(summary.elements_approved, summary.elements, tr("{}/{} elements")))
    return found


def _fitting(badges: Sequence[_Badge], measure: Callable[[str], int], *, room: int) -> list[tuple[_Badge, int]]:
    """The badges that fit side by side and their widths, pixels; a sign has no words where more fit without them."""

    def fit(shown: Sequence[_Badge]) -> list[tuple[_Badge, int]]:
        found: list[tuple[_Badge, int]] = []
        for badge in shown:
            width = measure(badge.words) + (12 if badge.words else 8) + (14 if badge.icon else 0)
            room_left = room - sum(taken + _BADGE_GAP for _, taken in found)
            if width > room_left:
                break
            found.append((badge, width))
        return found

    return max(fit(badges), fit([one._replace(words="") if one.icon else one for one in badges]), key=len)


def _warnings(summary: DemoSummary) -> list[_Badge]:
    head, doubtful = summary.head, summary.doubtful + summary.elements_doubtful
    possible: list[tuple[bool, str, Tone]] = [
        (head.status == "recording", tr("recording now"), "danger"),
        (head.status == "partial", tr("partial"), "warning"),
        (bool(head.take_of), tr("take"), "accent"),
        (head.outcome == "failure", tr("failed"), "danger"),
        (doubtful > 0, tr("{doubtful} doubtful").format(doubtful=doubtful), "warning"),
    ]
    return [_Badge(words, tone) for holds, words, tone in possible if holds]


def _share(done: int, total: int, words: str) -> _Badge:
    return _Badge(words.format(done, total), "success" if done == total else "muted")


class DemoCards(QListView):
    """The grid of cards; as many in a row as fit.

    Attributes:
        deleted: whether the demos are deleted ones.

    Signals:
        acted: name of an offer, and id of a demo.
        current_changed: another demo is selected, or none.
    """

    acted = Signal(str, str)
    current_changed = Signal()

    def __init__(self, model: LibraryModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.deleted = False
        self._demos = model
        self._delegate = _Delegate(self, theme)
        self.setModel(model)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionRectVisible(False)
        self.activated.connect(self._open)
        self._remembered: str | None = None
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._select_again)
        self.selectionModel().currentChanged.connect(self.current_changed)

    @property
    def current(self) -> DemoSummary | None:
        """The demo that is selected; None when none is."""
        return self._demos.summary(self.currentIndex().row())

    def select(self, demo_id: str | None) -> None:
        """Select a demo, if it is shown."""
        index = self._demos.index(self._demos.row_of(demo_id))
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def _select_again(self) -> None:
        """Select what was selected, if it is still shown; Qt tells nobody that it is not."""
        self.select(self._remembered)
        self.current_changed.emit()

    def _remember(self) -> None:
        self._remembered = self._remembered if self.current is None else self.current.head.id

    def _open(self, index: QModelIndex) -> None:
        summary = self._demos.summary(index.row())
        if summary is not None:
            self._act_on(summary, "Return")

    def _act_on(self, summary: DemoSummary, keys: str) -> None:
        """Do what a key stands for on this demo."""
        for offer in offers_of(summary, deleted=self.deleted):
            if offer.keys == keys:
                self.acted.emit(offer.name, summary.head.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Delete deletes, Enter opens."""
        summary = self.current
        if summary is not None and event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self._act_on(summary, "Delete")
        elif summary is not None and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._act_on(summary, "Return")
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Qt's hook: the same by right click."""
        summary = self.current
        if summary is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for offer in offers_of(summary, deleted=self.deleted):
            menu.addAction(offer.words).triggered.connect(partial(self.acted.emit, offer.name, summary.head.id))
        menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: fill the width."""
        # With or without its scroll bar, so that the cards do not jump when it comes.
        room = self.width() - 14
        columns = max(room // _MIN_CARD_WIDTH_PX, 1)
        # A few cards must not become posters.
        width = min(room // columns, 2 * _MIN_CARD_WIDTH_PX - 1)
        cell = QSize(width, round((width - 2 * _GAP) * _PICTURE_SHAPE) + _TEXT_HEIGHT + 2 * _GAP)
        if cell != self._delegate.cell:
            self._delegate.cell = cell
            self.setGridSize(cell)
        super().resizeEvent(event)

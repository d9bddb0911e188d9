"""The small bar while a demo is done again: the step in words, pause, one step, stop, and the list of steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final, Literal

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHideEvent,
    QIcon,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy, QToolButton, QWidget

from annotator.replay_run import STATE_WORDS, StepState
from annotator.ui.controls import column, flat_button, label, row, shortcut_tip
from annotator.ui.icons import Tint, icon, paint_icon
from annotator.ui.recording.floating import Floating, desktop_pixels, monitor_at
from annotator.ui.recording.tray import paint_state
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr
from demopack.domain.geometry import Point, Rect
from demopack.errors import DemopackError
from player.windows_in_front import WindowsInFront
from recorder.backends import has_x11, open_windows

_WIDTH: Final = 380
_HEIGHT: Final = 48
_LINES: Final = 7
_EDGE_PX: Final = 12
"""From the edges of the screen: a pointer in a corner stops the replay."""
_CLEAR_PX: Final = 10
_PATIENCE_S: Final = 2.0

BarState = Literal["starting", "running", "pausing", "held", "stopping"]
_SIGNS: Final[dict[StepState, tuple[str, Tint]]] = {
    "as_recorded": ("check", "success"), "late": ("check", "success"), "unknown": ("dot", "muted"),
    "differs": ("warning", "warning"), "not_done": ("close", "danger"),
}  # fmt: skip


class ReplayBar(Floating):
    """Always on top, never takes the focus.

    Attributes:
        pause: holds the next step, or goes on.
        single: does one step.
        stop: stops at once.
        state: what it shows.
        steps: the list of steps.

    Signals:
        placed: it has moved, changed its size, appeared or gone.
    """

    placed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name=tr("Replay"), radius=14)
        self.state: BarState = "starting"
        self._countdown = 0
        self._row = ""
        self._words: list[str] = []
        self._current = 0
        self._avoid: list[QPoint] = []
        self._drag_from: QPoint | None = None
        self._title = label("", role="words")
        self._line = label("", role="caption")
        for part in (self._title, self._line):
            part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        words = QWidget()
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column(self._title, self._line, of=words, spacing=0, margins=(0, 4, 4, 4))
        self._open = self._button("chevron_down", tr("Show the steps"))
        self.pause = self._button("pause", tr("Pause before the next step"))
        self.single = self._button("step", tr("Do one step, then pause"))
        self.stop = self._button("stop", tr("Stop"))
        self.steps = QListWidget()
        self.steps.setAccessibleName(tr("Steps of the demo"))
        self.steps.setProperty("role", "plain")
        self.steps.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.steps.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.steps.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.steps.hide()
        self._open.clicked.connect(lambda: self.show_list(shown=self.steps.isHidden()))
        head = QWidget()
        head.setFixedHeight(_HEIGHT)
        row((words, 1), self._open, self.pause, self.single, self.stop, of=head, spacing=0, margins=(38, 0, SPACE.s, 0))
        column(head, (self.steps, 1), of=self, spacing=0, margins=(0, 0, 0, 0))
        self._fit()

    def _button(self, name: str, tip: str) -> QToolButton:
        made = flat_button(name, tip, self.theme, tint="danger" if name == "stop" else "text")
        made.setFixedSize(30, 30)
        made.setProperty("place", "floating")
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return made

    # What it shows --------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """Both lines, in full."""
        return f"{self._title.text()} {self._line.toolTip()}".strip()

    def begin(self, *, abort_key: str) -> None:
        """Appear, with nothing known of the demo yet."""
        self.stop.setToolTip(shortcut_tip(tr("Stop"), abort_key))
        self.steps.clear()
        self._avoid, self._row, self._current = [], "", 0
        self.set_state("starting")
        self.say(tr("Getting ready …"), "")
        self.show_list(shown=False)
        self.move(self._corners()[0])
        self.show()
        self.raise_()

    def show_steps(self, steps: Sequence[str], *, pointers: Sequence[QPoint]) -> None:
        """List the steps, in words, and go to the corner where fewest of these positions of the screen lie."""
        self.steps.clear()
        self._words, self._current = list(steps), 0
        for number, words in enumerate(steps, start=1):
            item = QListWidgetItem(self._sign("", "text"), f"{number}  {words}")
            item.setToolTip(words)
            item.setSizeHint(QSize(0, HIT.row))
            self.steps.addItem(item)
        self._avoid = list(pointers)
        self._fit()
        self.move(self._best_corner())

    def show_result(self, number: int, state: StepState) -> None:
        """How a step went, its number from 1."""
        if number <= self.steps.count():
            item, words = self.steps.item(number - 1), self._words[number - 1]
            item.setIcon(self._sign(*_SIGNS[state]))
            item.setToolTip(f"{words}\n{STATE_WORDS[state]}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{number} {words}: {STATE_WORDS[state]}")

    def show_current(self, number: int) -> None:
        """The step that is done, or comes next, its number from 1."""
        if number > self.steps.count():
            return
        self._current = number
        self.steps.item(number - 1).setIcon(self._sign("play", "accent"))
        self.steps.scrollToItem(self.steps.item(number - 1))
        self._show_words()

    def _show_words(self) -> None:
        """The step in words, and what becomes of it."""
        if not self._current:
            return
        words = {
            "held": tr("Paused before step {number} of {total}"),
            "pausing": tr("Pausing after step {number} of {total}"),
            "stopping": tr("Stopping"),
        }.get(self.state, tr("Step {number} of {total}"))
        title = words.format(number=self._current, total=self.steps.count())
        self.say(f"{self._row} · {title}" if self._row else title, self._words[self._current - 1])

    def _sign(self, name: str, tint: Tint) -> QIcon:
        if name:
            return icon(name, self.theme, tint=tint)
        empty = QPixmap(16, 16)
        empty.fill(Qt.GlobalColor.transparent)
        return QIcon(empty)

    def show_row(self, number: int, total: int, words: str) -> None:
        """The row that is done, its number from 1, with its values in words."""
        self._row = tr("Row {row} of {total}").format(row=number, total=total)
        self.say(self._row, words)

    def say(self, title: str, line: str) -> None:
        """Show two lines, cut to the room there is."""
        self._title.setText(title)
        self._line.setToolTip(line)
        room = max(self._line.width(), 120)
        self._line.setText(self._line.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, room))

    def count_down(self, seconds: int) -> None:
        """Seconds until the first step; 0 for none."""
        self._countdown = seconds
        if seconds:
            self.say(tr("Starting in {seconds} s").format(seconds=seconds), tr("Bring the screen to where it begins"))
        self.update()

    def set_state(self, state: BarState) -> None:
        """Follow the replay."""
        self.state = state
        held = state in {"held", "pausing"}
        name, words = ("play", tr("Go on")) if held else ("pause", tr("Pause before the next step"))
        self.pause.setIcon(icon(name, self.theme))
        self.pause.setToolTip(words)
        self.pause.setAccessibleName(words)
        for button in (self.pause, self.single):
            button.setEnabled(state in {"running", "pausing", "held"})
        self._show_words()
        self.stop.setEnabled(state != "stopping")
        self.setAccessibleDescription(self.words)
        self.update()

    def show_list(self, *, shown: bool) -> None:
        """Open or close the list of steps; the bar stays in its corner."""
        bottom = self.geometry().bottom()
        in_lower_half = self.geometry().center().y() > monitor_at(self.geometry().center()).geometry().center().y()
        self.steps.setVisible(shown)
        words = tr("Hide the steps") if shown else tr("Show the steps")
        self._open.setIcon(icon("chevron_up" if shown else "chevron_down", self.theme))
        self._open.setToolTip(words)
        self._open.setAccessibleName(words)
        self._fit()
        if in_lower_half:
            self.move(self.x(), bottom + 1 - self.height())

    def _fit(self) -> None:
        lines = min(max(self.steps.count(), 1), _LINES) * HIT.row + SPACE.s
        self.setFixedSize(_WIDTH, _HEIGHT + (lines if not self.steps.isHidden() else 0))

    # Place ----------------------------------------------------------------------------------------------------

    def _corners(self) -> list[QPoint]:
        """Where its upper left corner may be, the most usual first."""
        screen = QGuiApplication.primaryScreen() if not self.isVisible() else monitor_at(self.geometry().center())
        room = screen.availableGeometry().adjusted(_EDGE_PX, _EDGE_PX, -_EDGE_PX, -_EDGE_PX)
        right, bottom = room.right() + 1 - self.width(), room.bottom() + 1 - self.height()
        return [
            QPoint(right, room.top()), QPoint(right, bottom), QPoint(room.left(), bottom),
            QPoint(room.left(), room.top()),
        ]  # fmt: skip

    def _best_corner(self, but: QPoint | None = None) -> QPoint:
        """The corner that covers fewest of the places that are used; never one that covers the place of ``but``."""

        def cost(corner: QPoint) -> int:
            box = self._around(corner)
            return sum(box.contains(at) for at in self._avoid) + (1000 if but is not None and box.contains(but) else 0)

        return min(self._corners(), key=cost)

    def _around(self, corner: QPoint) -> QRect:
        return QRect(corner, self.size()).adjusted(-_CLEAR_PX, -_CLEAR_PX, _CLEAR_PX, _CLEAR_PX)

    def clear(self, at: QPoint) -> None:
        """Go to another corner where it covers a place of the screen, in Qt's units."""
        if self.isVisible() and self._around(self.pos()).contains(at):
            self.show_list(shown=False)
            self.move(self._best_corner(but=at))

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to move the bar."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_from = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move it."""
        if self._drag_from is not None:
            self.move(event.globalPosition().toPoint() - self._drag_from)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """It stays there."""
        del event
        self._drag_from = None

    def moveEvent(self, event: QMoveEvent) -> None:
        """Tell it."""
        super().moveEvent(event)
        self.placed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell it."""
        super().resizeEvent(event)
        self.placed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Tell it."""
        super().showEvent(event)
        self.placed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell it."""
        super().hideEvent(event)
        self.placed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sign of the state."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.state == "running" and not self._countdown:
            # Not the red disc: that means recording, everywhere.
            paint_icon(painter, "play", QRect(11, 14, 20, 20), self.theme.palette.accent)
            return
        state = {"held": "paused", "pausing": "paused", "stopping": "finishing"}.get(self.state, "ready")
        paint_state(painter, QRectF(15, 17, 14, 14), state, self.theme.palette, number=self._countdown)


class BarInFront(WindowsInFront):
    """Tells a replay where the bar is, and has the bar go elsewhere; the replay asks from its own thread."""

    def __init__(self, bar: ReplayBar, post: Callable[[Callable[[], object]], object]) -> None:
        """Follow a bar; ``post`` calls something on the window's thread soon."""
        self._bar, self._post = bar, post
        self._boxes: tuple[Rect, ...] = ()
        bar.placed.connect(self._note)
        self._note()

    def boxes(self) -> Sequence[Rect]:
        """As the base class; empty where the system leaves the bar out of pictures."""
        return self._boxes if has_x11() else ()

    def make_room(self, at: Point) -> None:
        """As the base class."""
        if not any(box.grown(_CLEAR_PX).contains(at) for box in self._boxes):
            return
        moved = threading.Event()

        def go() -> None:
            self._bar.clear(_logical(at))
            moved.set()

        self._post(go)
        if moved.wait(_PATIENCE_S):
            _wait_until_free(at)

    def _note(self) -> None:
        box = self._bar.frameGeometry()
        self._boxes = (desktop_pixels(box),) if self._bar.isVisible() else ()


def _wait_until_free(at: Point) -> None:
    """Until the system shows no window of ours there: it moves them in its own time."""
    try:
        windows = open_windows()
    except DemopackError:
        return  # nobody can be asked
    pause = threading.Event()
    try:
        for _ in range(round(_PATIENCE_S / 0.02)):
            if not any(box.contains(at) for box in windows.read().own):
                return
            pause.wait(0.02)
    finally:
        windows.close()


def _logical(at: Point) -> QPoint:
    """A position of the desktop in Qt's units."""
    for screen in QGuiApplication.screens():
        box = desktop_pixels(screen.geometry(), screen)
        if box.contains(at):
            origin, ratio = screen.geometry().topLeft(), box.width / screen.geometry().width()
            return QPoint(origin.x() + round((at.x - box.x1) / ratio), origin.y() + round((at.y - box.y1) / ratio))
    return QPoint(at.x, at.y)

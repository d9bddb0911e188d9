"""Boxes by keyboard: tighten, split, merge, select, copy and paste, larger nudges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, Literal

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from annotator.box_clipboard import MIME, boxes_from_json, boxes_to_json, to_paste
from annotator.box_commands import MergeElements, PasteElements, SplitElement
from annotator.commands import MoveElements
from annotator.splitting import cut_of, long_way
from annotator.tighten import ALL_SIDES, Side
from annotator.ui.canvas.layer import CanvasLayer, LayerPointer
from annotator.ui.editor.boxes.edges import SeenEdges
from annotator.ui.editor.boxes.fitting import Fitting
from annotator.ui.editor.boxes.pointing import Pointing
from annotator.ui.editor.boxes.sides_bar import SidesBar
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.records import new_id

__all__ = ["BoxesFeature"]

_FAR = 10


class _Pointer(CanvasLayer):
    """Remembers where the pointer is; paints nothing."""

    def __init__(self) -> None:
        self.at: LayerPointer | None = None

    def moved(self, at: LayerPointer) -> None:
        """See :class:`CanvasLayer`."""
        self.at = at

    def left(self) -> None:
        """See :class:`CanvasLayer`."""
        self.at = None


class BoxesFeature(Feature):
    """What is done to selected boxes.

    Attributes:
        sides: the bar that tightens one side.
        fitting: what T does.
        pointing: what a click does where a drag would draw.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            name="tighten",
            words=tr("Tighten to what can be seen; again: to what is around"),
            keys=("T",),
            group="Boxes",
        ),
        Key(
            name="fit_inside", words=tr("Fit to what is inside, from larger to smaller"), keys=("Alt+T",), group="Boxes"
        ),
        Key(name="tighten_side", words=tr("Tighten one side: then an arrow"), keys=("Shift+T",), group="Boxes"),
        Key(name="split_box", words=tr("Split at the pointer, or at the widest gap"), keys=("Ctrl+J",), group="Boxes"),
        Key(name="split_other", words=tr("Split the other way"), keys=("Ctrl+Alt+J",), group="Boxes"),
        Key(name="merge_boxes", words=tr("Merge"), keys=("Ctrl+Shift+J",), group="Boxes"),
        Key(
            name="select_all",
            words=tr("Select all boxes that are shown"),
            keys=("Ctrl+A",),
            group="Boxes",
            scope="canvas",
        ),
        Key(name="copy_boxes", words=tr("Copy"), keys=("Ctrl+C",), group="Boxes"),
        Key(name="paste_boxes", words=tr("Paste, also on another picture"), keys=("Ctrl+V",), group="Boxes"),
        Key(name="ten_left", words=tr("Move by ten pixels"), keys=("Shift+Left",), group="Boxes", scope="canvas"),
        Key(name="ten_right", words=tr("Move by ten pixels"), keys=("Shift+Right",), group="Boxes", scope="canvas"),
        Key(name="ten_up", words=tr("Move by ten pixels"), keys=("Shift+Up",), group="Boxes", scope="canvas"),
        Key(name="ten_down", words=tr("Move by ten pixels"), keys=("Shift+Down",), group="Boxes", scope="canvas"),
        Key(name="toggle_snap", words=tr("Snap to edges, or not"), keys=("Ctrl+;",), group="Boxes"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pointer = _Pointer()
        self._nudge = new_id("nudge")
        desk.canvas.add_layer(self._pointer)
        self.sides = SidesBar(desk.canvas, desk.theme)
        self.sides.wanted.connect(self.tighten)
        edges = SeenEdges(desk)
        self.fitting, self.pointing = Fitting(desk, edges), Pointing(desk, edges)
        self._ends = [
            desk.view.frame_changed.connect(self.sides.close_bar),
            desk.view.step_changed.connect(self._end_nudge),
        ]

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "tighten": self.tighten,
            "fit_inside": self.fitting.narrow,
            "tighten_side": self.open_sides,
            "split_box": self.split,
            "split_other": partial(self.split, other=True),
            "merge_boxes": self.merge,
            "select_all": self.select_all,
            "copy_boxes": self.copy,
            "paste_boxes": self.paste,
            "ten_left": partial(self.nudge, -_FAR, 0),
            "ten_right": partial(self.nudge, _FAR, 0),
            "ten_up": partial(self.nudge, 0, -_FAR),
            "ten_down": partial(self.nudge, 0, _FAR),
            "toggle_snap": self.toggle_snap,
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        for end in self._ends:
            end()
        self.pointing.close()
        self.desk.canvas.remove_layer(self._pointer)

    # Tighten --------------------------------------------------------------------------------------------------

    def tighten(self, sides: frozenset[Side] = ALL_SIDES) -> None:
        """Fit the selected boxes to what can be seen, all in one edit; again, to what lies around them."""
        self.fitting.tighten(sides, level=self.sides.level)

    def open_sides(self) -> None:
        """Let an arrow say which side."""
        chosen = self._chosen()
        if not chosen:
            self.desk.say(tr("Select a box to tighten."))
            return
        self.sides.open_at(self.desk.canvas.box_on_screen(chosen[0].uid))

    # Split and merge ------------------------------------------------------------------------------------------

    def split(self, *, other: bool = False) -> None:
        """Cut the selected box across its longer side, or the other way."""
        desk, element = self.desk, self.desk.view.element
        if element is None:
            desk.say(tr("Select one box to split."))
            return
        across = long_way(element.box)
        if other:
            across = "y" if across == "x" else "x"
        cut = cut_of(desk.canvas.pixels, element.box, across=across, at=self._place(element, across))
        if cut is None:
            desk.say(tr("This box is too thin to split."))
            return
        new = new_id("el")
        desk.do(SplitElement(uid=element.uid, across=across, cuts=(cut,), new_uids=(new,)))
        desk.view.select((element.uid, new))

    def _place(self, element: Element, across: Literal["x", "y"]) -> int | None:
        """Where the pointer is on one axis, if it is on the box."""
        at, box = self._pointer.at, element.box
        if at is None or not (box.x1 <= at.x < box.x2 and box.y1 <= at.y < box.y2):
            return None
        return round(at.x if across == "x" else at.y)

    def merge(self) -> None:
        """Make one box of the selected ones."""
        desk, uids = self.desk, self.desk.view.selection
        if len(uids) < 2:
            desk.say(tr("Select two or more boxes to merge."))
            return
        desk.do(MergeElements(uids=uids))
        left = tuple(uid for uid in uids if (e := desk.document.element(uid)) is not None and e.review != "rejected")
        desk.view.select(left)

    # Selection ------------------------------------------------------------------------------------------------

    def select_all(self) -> None:
        """Select every box that is shown."""
        frame = self.desk.view.frame
        if frame is not None:
            shown = self.desk.view.shown(frame.id)
            self.desk.view.select(tuple(element.uid for element in shown if element.review != "rejected"))

    def nudge(self, dx: int, dy: int) -> None:
        """Move the selection; a run of nudges is undone together."""
        frame, uids = self.desk.view.frame, self.desk.view.selection
        if frame is not None and uids:
            key = "-".join([self._nudge, *uids])
            self.desk.do(MoveElements(uids=uids, dx=dx, dy=dy, frame_size=frame.size, merge_key=key))

    def _end_nudge(self) -> None:
        self._nudge = new_id("nudge")

    # Clipboard ------------------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Put the selected boxes on the clipboard, as text too."""
        chosen = self._chosen()
        if not chosen:
            self.desk.say(tr("Select boxes to copy."))
            return
        text = boxes_to_json(chosen)
        data = QMimeData()
        data.setText(text)
        data.setData(MIME, text.encode())
        QGuiApplication.clipboard().setMimeData(data)
        one, several = tr("Copied 1 box."), tr("Copied {count} boxes.")
        self.desk.say(one if len(chosen) == 1 else several.format(count=len(chosen)))

    def paste(self) -> None:
        """Put the boxes of the clipboard onto the picture that is shown, in their place."""
        desk, frame = self.desk, self.desk.view.frame
        data = QGuiApplication.clipboard().mimeData()
        text = bytes(data.data(MIME).data()).decode(errors="replace") if data.hasFormat(MIME) else data.text()
        copied = boxes_from_json(text)
        if frame is None or not copied:
            desk.say(tr("There are no boxes to paste. Copy some first."))
            return
        made = to_paste(copied, frame_id=frame.id, size=frame.size, here=desk.document.elements(frame.id))
        desk.do(PasteElements(elements=made))
        desk.view.select(tuple(element.uid for element in made))

    # Snapping -------------------------------------------------------------------------------------------------

    def toggle_snap(self) -> None:
        """Let edges snap while they are dragged, or no longer."""
        canvas = self.desk.canvas
        canvas.set_snaps(not canvas.snaps)
        self.desk.say(tr("Edges snap again.") if canvas.snaps else tr("Edges no longer snap."))

    # ----------------------------------------------------------------------------------------------------------

    def _chosen(self) -> list[Element]:
        found = (self.desk.document.element(uid) for uid in self.desk.view.selection)
        return [element for element in found if element is not None]

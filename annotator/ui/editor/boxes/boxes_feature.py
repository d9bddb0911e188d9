"""Boxes by keyboard and from the picture's menu: tighten, split, merge, select, copy and paste, larger nudges."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from annotator.box_commands import (
    MIME,
    MergeElements,
    PasteElements,
    SplitElement,
    boxes_from_json,
    boxes_to_json,
    to_paste,
)
from annotator.snap.tighten import ALL_SIDES, Side, cut_of, long_way
from annotator.ui.editor.boxes.box_fitting import BoxFitting, ClickBoxes, EdgeCache, SidesBar
from annotator.ui.editor.boxes.drawing_aids import DrawingAidsFeature
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.records import new_id


def _nudge(dx: int, dy: int, feature: BoxesFeature) -> None:
    feature.context.commands.nudge(dx, dy)


class BoxesFeature(Feature):
    """What is done to selected boxes.

    Attributes:
        sides: the bar that tightens one side.
        fitting: what T does.
        click_boxes: what a click does where a drag would draw.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.sides = SidesBar(context.canvas, context.theme, tighten=self.tighten)
        edges = EdgeCache(context)
        self.fitting, self.click_boxes = BoxFitting(context, edges), ClickBoxes(context, edges)
        context.view.frame_changed.connect(self.sides.close_overlay)
        context.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        context.canvas.customContextMenuRequested.connect(self._open_menu)

    # Tighten --------------------------------------------------------------------------------------------------

    def tighten(self, sides: frozenset[Side] = ALL_SIDES) -> None:
        """Fit the selected boxes to what can be seen, all in one edit; again, to what lies around them."""
        self.fitting.tighten(sides, level=self.sides.level)

    def open_sides(self) -> None:
        """Let an arrow say which side."""
        chosen = self.context.view.selected
        if not chosen:
            self.context.say(tr("Select a box to tighten."))
            return
        self.sides.open_beside(self.context.canvas.box_on_screen(chosen[0].uid))

    # Split and merge ------------------------------------------------------------------------------------------

    def split(self, *, other: bool = False) -> None:
        """Cut the selected box across its longer side, or the other way."""
        context, element = self.context, self.context.view.element
        if element is None:
            context.say(tr("Select one box to split."))
            return
        across = long_way(element.box)
        if other:
            across = "y" if across == "x" else "x"
        cut = cut_of(context.canvas.pixels, element.box, across=across, at=self._place(element, across))
        if cut is None:
            context.say(tr("This box is too thin to split."))
            return
        new = new_id("el")
        context.do(SplitElement(uid=element.uid, across=across, cuts=(cut,), new_uids=(new,)))
        context.view.select((element.uid, new))

    def _place(self, element: Element, across: Literal["x", "y"]) -> int | None:
        """Where the pointer is on one axis, if it is on the box."""
        at, box = self.click_boxes.at, element.box
        if at is None or not (box.x1 <= at.x < box.x2 and box.y1 <= at.y < box.y2):
            return None
        return round(at.x if across == "x" else at.y)

    def merge(self) -> None:
        """Make one box of the selected ones."""
        context, uids = self.context, self.context.view.selection
        if len(uids) < 2:
            context.say(tr("Select two or more boxes to merge."))
            return
        context.do(MergeElements(uids=uids))
        context.view.select(uids)

    # Selection ------------------------------------------------------------------------------------------------

    def select_all(self) -> None:
        """Select every box that is shown."""
        view = self.context.view
        view.select(tuple(element.uid for element in view.elements if view.shows(element)))

    # Clipboard ------------------------------------------------------------------------------------------------

    def copy(self) -> None:
        """Put the selected boxes on the clipboard, as text too."""
        chosen = self.context.view.selected
        if not chosen:
            self.context.say(tr("Select boxes to copy."))
            return
        text = boxes_to_json(chosen)
        data = QMimeData()
        data.setText(text)
        data.setData(MIME, text.encode())
        QGuiApplication.clipboard().setMimeData(data)
        one, several = tr("Copied 1 box."), tr("Copied {count} boxes.")
        self.context.say(one if len(chosen) == 1 else several.format(count=len(chosen)))

    def paste(self) -> None:
        """Put the boxes of the clipboard onto the picture that is shown, in their place."""
        context, frame = self.context, self.context.view.frame
        data = QGuiApplication.clipboard().mimeData()
        text = bytes(data.data(MIME).data()).decode(errors="replace") if data.hasFormat(MIME) else data.text()
        copied = boxes_from_json(text)
        if frame is None or not copied:
            context.say(tr("There are no boxes to paste. Copy some first."))
            return
        made = to_paste(copied, frame_id=frame.id, size=frame.size, here=context.document.elements(frame.id))
        context.do(PasteElements(elements=made))
        context.view.select(tuple(element.uid for element in made))

    # Snapping -------------------------------------------------------------------------------------------------

    def toggle_snap(self) -> None:
        """Let edges snap while they are dragged, or no longer."""
        canvas = self.context.canvas
        canvas.toggle_snaps()
        self.context.say(tr("Edges snap again.") if canvas.tools.snaps else tr("Edges no longer snap."))

    # The menu -------------------------------------------------------------------------------------------------

    def menu_at(self, at: QPoint) -> QMenu:
        """The menu for a place of the canvas; a box that lies there is selected first."""
        uid, selection = self.context.canvas.uid_at(at), self.context.view.selection
        if uid is not None and uid not in selection:
            self.context.view.select((uid,))
        chosen, aids = len(self.context.view.selection), self.context.feature(DrawingAidsFeature)
        made = QMenu(self.context.canvas)
        made.setAccessibleName(tr("Boxes"))
        for words, name, call, possible in (
            (tr("Tighten"), "tighten", self.tighten, chosen > 0),
            (tr("Tighten one side"), "tighten_side", self.open_sides, chosen > 0),
            (tr("Split"), "split_box", self.split, chosen == 1),
            (tr("Merge"), "merge_boxes", self.merge, chosen > 1),
            (tr("Copy"), "copy_boxes", self.copy, chosen > 0),
            (tr("Paste"), "paste_boxes", self.paste, True),
            (tr("Select all"), "select_all", self.select_all, True),
            (tr("Delete"), "delete", self.context.commands.delete, chosen > 0),
        ):
            self._add(made, words, name, call).setEnabled(possible)
        made.addSeparator()
        for words, name, call, on in (
            (tr("Loupe"), "loupe", aids.loupe.toggle, aids.loupe.on),
            (tr("Crosshair"), "crosshair", aids.crosshair.toggle, aids.crosshair.on),
            (tr("Overview"), "minimap", aids.minimap.toggle, not aids.minimap.isHidden()),
            (tr("Snap to edges"), "toggle_snap", self.toggle_snap, self.context.canvas.tools.snaps),
        ):
            action = self._add(made, words, name, call)
            action.setCheckable(True)
            action.setChecked(on)
        return made

    def _add(self, menu: QMenu, words: str, name: str, call: Callable[[], object]) -> QAction:
        """An entry that shows its key; the key itself is the page's, so that it works without the menu."""
        shown = self.context.keyring.text_of(name)
        action = menu.addAction(f"{words}\t{shown}" if shown else words)
        action.triggered.connect(lambda: call())
        return action

    def _open_menu(self, at: QPoint) -> None:
        menu = self.menu_at(at)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.context.canvas.mapToGlobal(at))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("tighten", tr("Tighten to what can be seen; again: to what is around"), ("T",), "Boxes", call=tighten),
        Key("fit_inside", tr("Fit to what is inside, from larger to smaller"), ("Alt+T",), "Boxes",
            call=lambda self: self.fitting.narrow()),
        Key("tighten_side", tr("Tighten one side: then an arrow"), ("Shift+T",), "Boxes", call=open_sides),
        Key("split_box", tr("Split at the pointer, or at the widest gap"), ("Ctrl+J",), "Boxes", call=split),
        Key("split_other", tr("Split the other way"), ("Ctrl+Alt+J",), "Boxes",
            call=lambda self: self.split(other=True)),
        Key("merge_boxes", tr("Merge"), ("Ctrl+Shift+J",), "Boxes", call=merge),
        Key("select_all", tr("Select all boxes that are shown"), ("Ctrl+A",), "Boxes", "canvas", call=select_all),
        Key("copy_boxes", tr("Copy"), ("Ctrl+C",), "Boxes", call=copy),
        Key("paste_boxes", tr("Paste, also on another picture"), ("Ctrl+V",), "Boxes", call=paste),
        *(
            Key(f"ten_{side.lower()}", tr("Move by ten pixels"), (f"Shift+{side}",), "Boxes", "canvas",
                call=partial(_nudge, dx, dy))
            for side, dx, dy in (("Left", -10, 0), ("Right", 10, 0), ("Up", 0, -10), ("Down", 0, 10))
        ),
        Key("toggle_snap", tr("Snap to edges, or not"), ("Ctrl+;",), "Boxes", call=toggle_snap),
    )  # fmt: skip

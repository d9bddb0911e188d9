"""The menu of the picture: what keys do with boxes, for those who use the mouse."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from annotator.commands import DeleteElements
from annotator.ui.editor.boxes.aids_feature import AidsFeature
from annotator.ui.editor.boxes.feature import BoxesFeature
from annotator.ui.editor.feature import Desk, Feature
from annotator.words import tr

__all__ = ["BoxMenuFeature"]


class BoxMenuFeature(Feature):
    """Opens on the right button of the mouse; a box that lies there is selected first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        desk.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        desk.canvas.customContextMenuRequested.connect(self._open)

    def menu_at(self, at: QPoint) -> QMenu:
        """The menu for a place of the canvas."""
        uid, selection = self.desk.canvas.uid_at(at), self.desk.view.selection
        if uid is not None and uid not in selection:
            self.desk.view.select((uid,))
        made = QMenu(self.desk.canvas)
        made.setAccessibleName(tr("Boxes"))
        self._fill_boxes(made, chosen=len(self.desk.view.selection))
        made.addSeparator()
        self._fill_aids(made)
        return made

    def _open(self, at: QPoint) -> None:
        menu = self.menu_at(at)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.desk.canvas.mapToGlobal(at))

    def _fill_boxes(self, menu: QMenu, *, chosen: int) -> None:
        boxes = self.desk.feature(BoxesFeature)
        for words, name, call, possible in (
            (tr("Tighten"), "tighten", boxes.tighten, chosen > 0),
            (tr("Tighten one side"), "tighten_side", boxes.open_sides, chosen > 0),
            (tr("Split"), "split_box", boxes.split, chosen == 1),
            (tr("Merge"), "merge_boxes", boxes.merge, chosen > 1),
            (tr("Copy"), "copy_boxes", boxes.copy, chosen > 0),
            (tr("Paste"), "paste_boxes", boxes.paste, True),
            (tr("Select all"), "select_all", boxes.select_all, True),
            (tr("Delete"), "delete", self._delete, chosen > 0),
        ):
            self._add(menu, words, name, call).setEnabled(possible)

    def _fill_aids(self, menu: QMenu) -> None:
        aids, boxes = self.desk.feature(AidsFeature), self.desk.feature(BoxesFeature)
        for words, name, call, on in (
            (tr("Loupe"), "loupe", aids.loupe.toggle, aids.loupe.on),
            (tr("Crosshair"), "crosshair", aids.crosshair.toggle, aids.crosshair.on),
            (tr("Overview"), "minimap", aids.minimap.toggle, not aids.minimap.isHidden()),
            (tr("Snap to edges"), "toggle_snap", boxes.toggle_snap, self.desk.canvas.snaps),
        ):
            action = self._add(menu, words, name, call)
            action.setCheckable(True)
            action.setChecked(on)

    def _delete(self) -> None:
        self.desk.do(DeleteElements(uids=self.desk.view.selection))

    def _add(self, menu: QMenu, words: str, name: str, call: Callable[[], object]) -> QAction:
        """An entry that shows its key; the key itself is the page's, so that it works without the menu."""
        shown = self.desk.keyring.text_of(name)
        action = QAction(f"{words}\t{shown}" if shown else words, menu)
        action.triggered.connect(lambda: call())
        menu.addAction(action)
        return action

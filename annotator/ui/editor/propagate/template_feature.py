"""Templates: boxes that are kept under a name and placed on other pictures, with a preview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPen
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem

from annotator.propagate.templates import (
    Offset,
    PlaceTemplate,
    Template,
    TemplateStore,
    place_of,
    placed,
    template_of,
)
from annotator.ui.canvas.layers import OutlineLayer, OutlineStyle
from annotator.ui.controls import column, flat_button, label, push_button, row, show_words
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import TabPage
from annotator.ui.keys.key import Key
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HALO, HIT, SELECTION, SPACE
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.errors import DemopackError

_TAB = "templates"
_PREVIEW: Final = OutlineStyle(
    pens=(QPen(QColor(HALO), 3), QPen(QColor(SELECTION), 1, Qt.PenStyle.DashLine)), fill=faded(SELECTION, 34)
)


class _List(QListWidget):
    """The names; Enter places one, F2 renames it, Delete takes it away, Esc leaves."""

    def __init__(self, place: Callable[[], object], delete: Callable[[], object], leave: Callable[[], object]) -> None:
        super().__init__()
        enter, away = (Qt.Key.Key_Return, Qt.Key.Key_Enter), (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        self._calls = {**dict.fromkeys(enter, place), **dict.fromkeys(away, delete), Qt.Key.Key_Escape: leave}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook."""
        call = self._calls.get(Qt.Key(event.key()))
        if call is None:
            super().keyPressEvent(event)
        else:
            call()


class TemplateFeature(Feature):
    """The key, the tab with the list, and the preview on the picture.

    Attributes:
        list: the templates.
        words: where the chosen one was found.
        layer: the preview.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._shelf = TemplateStore(context.session.library.folder)
        self._found: tuple[Template, Frame, Offset | None] | None = None
        self.layer = OutlineLayer(lambda: _PREVIEW)
        context.canvas.add_layer(self.layer)
        self._filling = False
        tab = TabPage()
        tab.setObjectName("panel")
        tab.hidden.connect(lambda: self._show(None))
        self._name = QLineEdit(placeholderText=tr("Name of a new template"))
        self._name.setAccessibleName(tr("Name of the new template"))
        self._name.returnPressed.connect(self._save)
        self._save_button = push_button(
            tr("Save"), tr("Keep the boxes under this name"), context.theme, call=self._save
        )
        self._about = label("", role="caption", wraps=True)
        self.list = _List(self._place_boxes, self._delete, self._leave)
        self.list.setObjectName("offers")
        self.list.setAccessibleName(tr("Templates"))
        self.list.setToolTip(
            tr("Arrow keys show a template on the picture, Enter places it, F2 renames, Delete deletes")
        )
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed | QListWidget.EditTrigger.DoubleClicked)
        self.list.currentRowChanged.connect(self._look)
        self.list.itemChanged.connect(self._rename)
        self._empty = label(
            tr("Boxes that come back on many pictures can be kept here and placed with two keys."),
            role="muted",
            wraps=True,
        )
        self.words = label("", role="caption", wraps=True)
        place = tr("Put these boxes on the picture")
        self._place = push_button(tr("Place"), place, context.theme, role="main", keys="Return", call=self._place_boxes)
        self._remove = flat_button("trash", tr("Delete this template"), context.theme, keys="Delete", call=self._delete)
        column(
            row((self._name, 1), self._save_button),
            self._about,
            self._empty,
            (self.list, 1),
            self.words,
            row((self._place, 1), self._remove),
            of=tab,
            margins=SPACE.m,
        )
        self._show(None)
        context.panel.add_tab(_TAB, tr("Templates"), tab, stays=False)
        view = context.view
        view.frame_changed.connect(self._on_frame)
        view.selection_changed.connect(self._show_offer)
        context.document.elements_changed.connect(lambda _: self._show_offer())

    @property
    def shown(self) -> bool:
        """Whether the list is shown."""
        return self.context.panel.shown_tab == _TAB

    def open(self) -> None:
        """Show the list."""
        self.context.leave()
        self.context.panel.show_tab(_TAB)
        self._show_offer()
        self._reload()

    def _reload(self, current: str = "", *_: object) -> None:
        shown = self.current
        current = current or ("" if shown is None else shown.id)

        def show(found: tuple[list[Template], list[DemopackError]]) -> None:
            templates, problems = found
            self._fill(templates, current)
            if self.shown and self.list.count():
                self.list.setCurrentRow(max(self.list.currentRow(), 0))
                self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
            elif self.shown:
                self._name.setFocus(Qt.FocusReason.ShortcutFocusReason)
            for problem in problems:
                self.context.messages.show_error(problem)

        self._run(self._shelf.load, show)

    def _fill(self, templates: Sequence[Template], current: str) -> None:
        self._filling = True
        self.list.clear()
        for template in templates:
            item = QListWidgetItem(template.name)
            item.setData(Qt.ItemDataRole.UserRole, template)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            count = len(template.elements)
            item.setToolTip(tr("1 box") if count == 1 else tr("{count} boxes").format(count=count))
            item.setSizeHint(QSize(0, HIT.tool))
            self.list.addItem(item)
            if template.id == current:
                self.list.setCurrentItem(item)
        self._empty.setVisible(not templates)
        self.list.setVisible(bool(templates))
        self._filling = False
        self._look()

    @property
    def current(self) -> Template | None:
        """The template that is looked at."""
        found: Template | None = self.list.currentIndex().data(Qt.ItemDataRole.UserRole)
        return found

    def _run(self, work: Callable[[], object], then: Callable[..., None]) -> None:
        """Do something with files, in the order in which it was asked for."""
        self.context.operations.start(work, on_result=then, lane="library")

    # Keeping --------------------------------------------------------------------------------------------------

    def _show_offer(self) -> None:
        view = self.context.view
        selected = len(view.selection)
        count = selected or (len(view.elements) if self.shown else 0)
        boxes = tr("1 box") if count == 1 else tr("{count} boxes").format(count=count)
        if not count:
            self._about.setText(tr("There are no boxes on this picture to save."))
        elif selected:
            self._about.setText(tr("Saves the selection: {boxes}.").format(boxes=boxes))
        else:
            self._about.setText(tr("Nothing is selected: saves all of this picture, {boxes}.").format(boxes=boxes))
        self._save_button.setEnabled(bool(count))

    def _save(self) -> None:
        context, name = self.context, " ".join(self._name.text().split())
        if not name or not self._save_button.isEnabled():
            self._name.setFocus()
            return
        self._name.clear()
        frame = context.view.frame
        if frame is None:
            return
        elements = context.view.selected or context.view.elements
        library, shelf = context.session.library, self._shelf

        def work() -> Template:
            template = template_of(name, elements, library.get_image(frame.id))
            shelf.save(template)
            return template

        def saved(template: Template) -> None:
            context.say(tr("Saved the template “{name}”").format(name=template.name))
            self._reload(template.id)

        self._run(work, saved)

    def _rename(self, item: QListWidgetItem) -> None:
        template: Template = item.data(Qt.ItemDataRole.UserRole)
        name = item.text()
        if not self._filling:
            self._run(lambda: self._shelf.rename(template, name), partial(self._reload, template.id))

    def _delete(self) -> None:
        template = self.current
        if template is None:
            return

        def back() -> None:
            self._run(lambda: self._shelf.save(template), partial(self._reload, template.id))

        def gone(_: None) -> None:
            self._reload()
            words = tr("Deleted the template “{name}”").format(name=template.name)
            self.context.messages.say(words, button=tr("Undo"), action=back)

        self._run(lambda: self._shelf.delete(template), gone)

    # Placing --------------------------------------------------------------------------------------------------

    def _on_frame(self) -> None:
        self._show(None)
        self._show_offer()
        if self.shown:
            self._look()

    def _look(self, *_: object) -> None:
        """Look for the place of the chosen template on this picture."""
        if self._filling:
            return
        self._show(None)
        template, frame = self.current, self.context.view.frame
        if template is None or frame is None or not self.shown:
            return
        if self.context.document.frame(frame.id) is None:
            self._tell(tr("This picture is of the film only. Elements belong to the pictures of steps."), ready=False)
            return
        library = self.context.session.library

        def show(place: Offset | None) -> None:
            if self.context.view.is_on(frame.id) and self.current is template and self.shown:
                self._show((template, frame, place))

        self.context.operations.start(
            lambda: place_of(template, library.get_image(frame.id)),
            on_result=show,
            lane="library",
            newest="template",
        )

    def _show(self, place: tuple[Template, Frame, Offset | None] | None) -> None:
        self._found = place
        boxes = [] if place is None else [box for box in placed(place[0], place[2], place[1]) if box is not None]
        self.layer.show(boxes)
        self._tell("" if place is None else _words(*place), ready=bool(boxes))
        self.context.canvas.update()

    def _tell(self, words: str, *, ready: bool) -> None:
        show_words(self.words, words)
        self._place.setEnabled(ready)
        self._remove.setEnabled(self.current is not None)

    def _place_boxes(self) -> None:
        if self._found is None:
            return
        template, frame, place = self._found
        self._show(None)
        self.context.do(PlaceTemplate(template=template, place=place, frame=frame))
        self.context.canvas.setFocus()

    def _leave(self) -> None:
        self._show(None)
        self.context.panel.close_tab(_TAB)
        self.context.canvas.setFocus()

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("templates", tr("Templates of boxes"), ("Ctrl+T",), "From step to step", call=open),
    )


def _words(template: Template, frame: Frame, place: Offset | None) -> str:
    boxes = placed(template, place, frame)
    room = sum(box is not None for box in boxes)
    if not room:
        return tr("This picture is too small for any of its boxes.")
    if place == (0, 0):
        return tr("Found where it was.")
    if place is not None:
        return tr("Found {dx:+d} px across and {dy:+d} px down from where it was.").format(dx=place[0], dy=place[1])
    return tr("Nothing of its picture was found here: the boxes are shown where they were.")

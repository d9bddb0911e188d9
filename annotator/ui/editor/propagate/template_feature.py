"""Templates: boxes that are kept under a name and placed on other pictures, with a preview."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from annotator.propagate.templates import (
    PlaceTemplate,
    Template,
    TemplatePlacement,
    TemplateStore,
    place_of,
    placed,
    template_of,
)
from annotator.ui.canvas.outline_layer import OutlineLayer, OutlineStyle
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.propagate.template_panel import TemplatePanel
from annotator.ui.keys.key import Key
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HALO, SELECTION
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.errors import DemopackError

_TAB = "templates"
_PREVIEW: Final = OutlineStyle(
    pens=(QPen(QColor(HALO), 3), QPen(QColor(SELECTION), 1, Qt.PenStyle.DashLine)), fill=faded(SELECTION, 34)
)


class TemplateFeature(Feature):
    """The key, the tab with the list, and the preview on the picture.

    Attributes:
        panel: the list.
        layer: the preview.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._shelf = TemplateStore(context.session.library.folder)
        self._templates: dict[str, Template] = {}
        self._place: tuple[Template, Frame, TemplatePlacement] | None = None
        self.panel = TemplatePanel(context.theme)
        self.panel.save_wanted.connect(self._save)
        self.panel.chosen.connect(self._look)
        self.panel.place_wanted.connect(self._do_place)
        self.panel.renamed.connect(self._rename)
        self.panel.delete_wanted.connect(self._delete)
        self.panel.left.connect(self._leave)
        self.layer = OutlineLayer(lambda: _PREVIEW)
        context.canvas.add_layer(self.layer)
        context.add_tab(_TAB, tr("Templates"), self.panel, stays=False)
        self.panel.hidden.connect(lambda: self._show(None))
        view = context.view
        view.frame_changed.connect(self._on_frame)
        view.selection_changed.connect(self._show_offer)
        context.document.elements_changed.connect(lambda _: self._show_offer())

    @property
    def shown(self) -> bool:
        """Whether the list is shown."""
        return self.context.shown_tab == _TAB

    def open(self) -> None:
        """Show the list."""
        self.context.leave()
        self.context.show_tab(_TAB)
        self._show_offer()
        self._reload()

    def _reload(self, current: str = "", done: object = None) -> None:
        """List what there is; ``done`` is what came of the work before it."""
        del done
        current = current or self.panel.current

        def show(found: tuple[list[Template], list[DemopackError]]) -> None:
            templates, problems = found
            self._templates = {template.id: template for template in templates}
            self.panel.show_templates(templates, current=current)
            if self.shown:
                self.panel.take_focus()
            for problem in problems:
                self.context.messages.show_error(problem)

        self._run(self._shelf.load, show)

    def _run(self, work: Callable[[], object], then: Callable[..., None]) -> None:
        """Do something with files, in the order in which it was asked for."""
        self.context.operations.start(work, on_result=then, lane="library")

    # Keeping --------------------------------------------------------------------------------------------------

    def _show_offer(self) -> None:
        view = self.context.view
        frame = view.frame
        count = 0 if frame is None else len(self.context.document.ordered(frame.id)) if self.shown else 0
        self.panel.show_offer(selected=len(view.selection), all_boxes=count)

    def _save(self, name: str) -> None:
        context = self.context
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

    def _rename(self, key: str, name: str) -> None:
        template = self._templates.get(key)
        if template is not None:
            self._run(lambda: self._shelf.rename(template, name), partial(self._reload, key))

    def _delete(self, key: str) -> None:
        template = self._templates.get(key)
        if template is None:
            return

        def back() -> None:
            self._run(lambda: self._shelf.save(template), partial(self._reload, key))

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

    def _look(self, key: str = "") -> None:
        """Look for the place of the chosen template on this picture."""
        del key
        self._show(None)
        template, frame = self._templates.get(self.panel.current), self.context.view.frame
        if template is None or frame is None or not self.shown:
            return
        if self.context.document.frame(frame.id) is None:
            self.panel.show_place(
                tr("This picture is of the film only. Elements belong to the pictures of steps."), ready=False
            )
            return
        library = self.context.session.library
        self.context.operations.start(
            lambda: place_of(template, library.get_image(frame.id)),
            on_result=partial(self._on_found, template, frame),
            lane="library",
            newest="template",
        )

    def _on_found(self, template: Template, frame: Frame, place: TemplatePlacement) -> None:
        if self.context.view.is_on(frame.id) and self.panel.current == template.id and self.shown:
            self._show((template, frame, place))

    def _show(self, place: tuple[Template, Frame, TemplatePlacement] | None) -> None:
        self._place = place
        boxes = [] if place is None else [box for box in placed(place[0], place[2], place[1]) if box is not None]
        self.layer.show(boxes)
        self.panel.show_place("" if place is None else _words(*place), ready=bool(boxes))
        self.context.canvas.update()

    def _do_place(self) -> None:
        if self._place is None:
            return
        template, frame, place = self._place
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


def _words(template: Template, frame: Frame, place: TemplatePlacement) -> str:
    boxes = placed(template, place, frame)
    room = sum(box is not None for box in boxes)
    if not room:
        return tr("This picture is too small for any of its boxes.")
    if place.found and (place.dx, place.dy) == (0, 0):
        return tr("Found where it was.")
    if place.found:
        return tr("Found {dx:+d} px across and {dy:+d} px down from where it was.").format(dx=place.dx, dy=place.dy)
    return tr("Nothing of its picture was found here: the boxes are shown where they were.")

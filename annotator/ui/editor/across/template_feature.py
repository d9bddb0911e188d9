"""Templates: boxes that are kept under a name and placed on other pictures, with a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar

from annotator.across.template_shelf import TemplateShelf
from annotator.across.templates import Place, PlaceTemplate, Template, place_of, placed, template_of
from annotator.ui.editor.across.ghost_layer import GhostLayer
from annotator.ui.editor.across.template_panel import TemplatePanel
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.errors import DemopackError

__all__ = ["TemplateFeature"]

_TAB = "templates"


class TemplateFeature(Feature):
    """The key, the tab with the list, and the preview on the picture.

    Attributes:
        panel: the list.
        layer: the preview.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="templates", words=tr("Templates of boxes"), keys=("Ctrl+T",), group="From step to step"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._shelf = TemplateShelf(desk.session.library.folder)
        self._templates: dict[str, Template] = {}
        self._place: tuple[Template, Frame, Place] | None = None
        self.panel = TemplatePanel(desk.theme)
        self.panel.save_wanted.connect(self._save)
        self.panel.chosen.connect(self._look)
        self.panel.place_wanted.connect(self._do_place)
        self.panel.renamed.connect(self._rename)
        self.panel.delete_wanted.connect(self._delete)
        self.panel.left.connect(self._leave)
        self.layer = GhostLayer()
        desk.canvas.add_layer(self.layer)
        desk.add_tab(_TAB, tr("Templates"), self.panel, stays=False)
        self.panel.hidden.connect(lambda: self._show(None))
        view = desk.view
        self._ends = [
            view.frame_changed.connect(self._on_frame),
            view.selection_changed.connect(self._show_offer),
            desk.document.elements_changed.connect(lambda _: self._show_offer()),
        ]

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"templates": self.open}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        for end in self._ends:
            end()

    @property
    def shown(self) -> bool:
        """Whether the list is shown."""
        return self.desk.shown_tab == _TAB

    def open(self) -> None:
        """Show the list."""
        self.desk.leave()
        self.desk.show_tab(_TAB)
        self._show_offer()
        self._reload()

    def _reload(self, current: str = "", done: object = None) -> None:
        """List what there is; ``done`` is what came of the work before it."""
        del done
        current = current or self.panel.current

        def show(found: tuple[list[Template], list[DemopackError]]) -> None:
            if self.desk.session.closed:
                return
            templates, problems = found
            self._templates = {template.id: template for template in templates}
            self.panel.show_templates(templates, current=current)
            if self.shown:
                self.panel.take_focus()
            for problem in problems:
                self.desk.messages.show_error(problem)

        self._run(self._shelf.load, show)

    def _run(self, work: Callable[[], object], then: Callable[..., None]) -> None:
        """Do something with files, in the order in which it was asked for."""
        self.desk.runner.submit(work, on_result=then, on_error=self.desk.messages.show_error)

    # Keeping --------------------------------------------------------------------------------------------------

    def _show_offer(self) -> None:
        view = self.desk.view
        frame = view.frame
        count = 0 if frame is None else len(self.desk.document.ordered(frame.id)) if self.shown else 0
        self.panel.show_offer(selected=len(view.selection), all_boxes=count)

    def _save(self, name: str) -> None:
        desk = self.desk
        frame, document = desk.view.frame, desk.document
        if frame is None:
            return
        chosen = [e for uid in desk.view.selection if (e := document.element(uid)) is not None]
        elements = chosen or list(document.elements(frame.id))
        library, shelf = desk.session.library, self._shelf

        def work() -> Template:
            template = template_of(name, elements, library.get_image(frame.id))
            shelf.save(template)
            return template

        def saved(template: Template) -> None:
            if not desk.session.closed:
                desk.say(tr("Saved the template “{name}”").format(name=template.name))
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
            if not self.desk.session.closed:
                self._reload()
                words = tr("Deleted the template “{name}”").format(name=template.name)
                self.desk.messages.say(words, button=tr("Undo"), action=back)

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
        template, frame = self._templates.get(self.panel.current), self.desk.view.frame
        if template is None or frame is None or not self.shown:
            return
        if self.desk.document.frame(frame.id) is None:
            self.panel.show_place(
                tr("This picture is of the film only. Elements belong to the pictures of steps."), ready=False
            )
            return
        library = self.desk.session.library
        self.desk.runner.newest(
            f"template-{id(self)}",
            lambda: place_of(template, library.get_image(frame.id)),
            on_result=partial(self._on_found, template, frame),
            on_error=self.desk.messages.show_error,
        )

    def _on_found(self, template: Template, frame: Frame, place: Place) -> None:
        here = self.desk.view.frame
        if here is not None and here.id == frame.id and self.panel.current == template.id and self.shown:
            self._show((template, frame, place))

    def _show(self, place: tuple[Template, Frame, Place] | None) -> None:
        self._place = place
        boxes = [] if place is None else [box for box in placed(place[0], place[2], place[1]) if box is not None]
        self.layer.show(boxes)
        self.panel.show_place("" if place is None else _words(*place), ready=bool(boxes))
        self.desk.canvas.update()

    def _do_place(self) -> None:
        if self._place is None:
            return
        template, frame, place = self._place
        self._show(None)
        self.desk.do(PlaceTemplate(template=template, place=place, frame=frame))
        self.desk.canvas.setFocus()

    def _leave(self) -> None:
        self._show(None)
        self.desk.panel.close_tab(_TAB)
        self.desk.canvas.setFocus()


def _words(template: Template, frame: Frame, place: Place) -> str:
    boxes = placed(template, place, frame)
    room = sum(box is not None for box in boxes)
    if not room:
        return tr("This picture is too small for any of its boxes.")
    if place.found and (place.dx, place.dy) == (0, 0):
        return tr("Found where it was.")
    if place.found:
        return tr("Found {dx:+d} px across and {dy:+d} px down from where it was.").format(dx=place.dx, dy=place.dy)
    return tr("Nothing of its picture was found here: the boxes are shown where they were.")

"""Marks what changed since the step before, and leads from one such region to the next."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from annotator.across.attention import Attention, FirstOpen, first_open, to_look_at
from annotator.across.sources import Hop
from annotator.ui.controls import flat_button
from annotator.ui.editor.across.attention_layer import AttentionLayer
from annotator.ui.editor.feature import Desk
from annotator.words import tr
from demopack.domain.geometry import Rect

__all__ = ["Marking"]


class Marking:
    """The layer on the picture, its switch in the foot, and the way to the next region.

    Attributes:
        layer: what is painted.
        switch: shows the layer, or hides it.
        attention: what is known.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.attention = Attention(desk.document)
        self.layer = AttentionLayer()
        self._current: Rect | None = None
        self._searching = False
        self.switch = flat_button("changed", tr("Mark what changed since the step before"), desk.theme)
        self.switch.setCheckable(True)
        self.switch.toggled.connect(self.refresh)
        desk.canvas.add_layer(self.layer, under=True)
        desk.add_foot_tool(self.switch)
        view, document = desk.view, desk.document
        self._ends: list[Callable[[], None]] = [
            view.frame_changed.connect(self._on_frame),
            view.step_changed.connect(self.refresh),
            document.elements_changed.connect(lambda _: self.refresh()),
        ]

    def close_view(self) -> None:
        """Stop following."""
        for end in self._ends:
            end()

    @property
    def shown(self) -> bool:
        """Whether regions are marked."""
        return self.switch.isChecked()

    def show(self) -> None:
        """Mark regions from now on."""
        self.switch.setChecked(True)
        self.refresh()

    def remember(self, hop: Hop, regions: tuple[Rect, ...]) -> None:
        """What changed between two pictures."""
        if not self._desk.session.closed:
            self.attention.remember(hop, regions)
            self.refresh()

    def refresh(self) -> None:
        """Mark what asks for attention now; look for what changed where that is not known yet."""
        frame = self._desk.view.frame
        regions: tuple[Rect, ...] = ()
        if self.shown and frame is not None:
            regions = self.attention.open_regions(frame)
            unknown = self.attention.unknown(frame)
            if unknown is not None:
                self._find(unknown)
        if self._current not in regions:
            self._current = None
        if (regions, self._current) != (self.layer.regions, self.layer.current):
            self.layer.show(regions, current=self._current)
            self._desk.canvas.update()

    def _on_frame(self) -> None:
        self._current = None
        self.refresh()

    def _find(self, hop: Hop) -> None:
        library = self._desk.session.library
        self._desk.runner.newest(
            f"changed-{id(self)}",
            partial(self.attention.find, hop, library.get_image),
            on_result=lambda regions: self.remember(hop, regions),
            on_error=self._failed,
        )

    def _failed(self, error: Exception) -> None:
        if not self._desk.session.closed:
            # Nothing is marked then; the picture itself says what is wrong with it.
            self._desk.say(str(error))

    # To the next one ------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Go to the next region that asks for attention, on this picture or a later one."""
        self._desk.leave()
        self.show()
        frame = self._desk.view.frame
        regions = () if frame is None else self.attention.open_regions(frame)
        place = regions.index(self._current) + 1 if self._current in regions else 0
        if place < len(regions):
            self._go_to(regions[place])
        else:
            self._search()

    def _go_to(self, region: Rect) -> None:
        desk = self._desk
        frame = desk.view.frame
        if frame is None:
            return
        self._current = region
        found = to_look_at(region, desk.document.elements(frame.id))
        shown = [element for element in found if desk.view.shows(element)]
        desk.view.select(tuple(element.uid for element in shown))
        desk.canvas.look(desk.canvas.viewport.revealing(region))
        self.refresh()
        regions = self.attention.open_regions(frame)
        place, count, hidden = regions.index(region) + 1, len(regions), len(found) - len(shown)
        if hidden:
            # Carried into a changed region means little confidence: the slider may hide just these.
            desk.say(
                tr(
                    "Changed region {place} of {count} on this picture; suggestions in it that are hidden: {hidden}"
                ).format(place=place, count=count, hidden=hidden)
            )
        else:
            desk.say(tr("Changed region {place} of {count} on this picture").format(place=place, count=count))

    def _search(self) -> None:
        """Look for a region on the other pictures, in a job of its own because all of them may have to be compared."""
        if self._searching:
            return
        self._searching = True
        desk = self._desk
        ahead, read = self.attention.ahead(desk.view.index), desk.session.library.get_image

        def end() -> None:
            self._searching = False

        desk.runner.run(
            tr("Looking for what changed"),
            lambda control: first_open(ahead, read, control),
            on_result=self._arrive,
            on_error=desk.messages.show_error,
            on_end=end,
        )

    def _arrive(self, found: FirstOpen) -> None:
        desk = self._desk
        if desk.session.closed:
            return
        for hop, regions in found.compared:
            self.attention.remember(hop, regions)
        if found.place is None:
            desk.say(tr("No region that changed asks for attention any more."))
            self.refresh()
            return
        desk.view.go_to(found.place)
        desk.view.set_side("before")
        frame = desk.view.frame
        regions = () if frame is None else self.attention.open_regions(frame)
        if regions:
            self._go_to(regions[0])

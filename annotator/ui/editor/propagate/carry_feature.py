"""Carrying elements over from the step before or along the next ones, and the marks of what changed between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.editing import EditKind
from annotator.propagate.attention import AttentionRegions, Compared, changed_regions, first_open, to_look_at
from annotator.propagate.carry_commands import CarryAlong, CarryOver, carry_along
from annotator.propagate.tracks import PropagationStep, hop_to, hops_from
from annotator.ui.canvas.box_painting import window_rect
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.controls import flat_button, shortcut_tip
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HALO, HUES
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.geometry import Rect
from demopack.jobs import JobControl

_COLOUR = HUES["group"]
"""Stands out from light and dark screenshots alike."""
_MARGIN_PX = 3
_CORNER_PX = 9.0


def _corners(frame: QRectF) -> list[QLineF]:
    wide, high = min(_CORNER_PX, frame.width() / 2), min(_CORNER_PX, frame.height() / 2)
    lines: list[QLineF] = []
    for x, dx in ((frame.left(), wide), (frame.right(), -wide)):
        for y, dy in ((frame.top(), high), (frame.bottom(), -high)):
            lines += [QLineF(x, y, x + dx, y), QLineF(x, y, x, y + dy)]
    return lines


class AttentionMarks(CanvasLayer):
    """Corners around each region that asks for attention, and a tint; the one that was gone to is marked all around.

    Attributes:
        regions: what is marked, in pixels of the picture.
        current: the one that was gone to.
        switch: shows the marks, or hides them; in the foot.
        attention: what is known.
    """

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self.attention = AttentionRegions(context.document)
        self.regions: tuple[Rect, ...] = ()
        self.current: Rect | None = None
        self._searching = False
        self.switch = flat_button("changed", tr("Mark what changed since the step before"), context.theme)
        self.switch.setCheckable(True)
        self.switch.toggled.connect(self.refresh)
        context.canvas.add_layer(self, under=True)
        context.foot.add_tool(self.switch)
        view, document = context.view, context.document
        view.frame_changed.connect(self._on_frame)
        view.step_changed.connect(self.refresh)
        document.elements_changed.connect(lambda _: self.refresh())

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for region in self.regions:
            frame = window_rect(viewport, region).adjusted(-_MARGIN_PX, -_MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
            current = region == self.current
            painter.fillRect(frame, faded(_COLOUR, 46 if current else 28))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, width in ((faded(HALO, 210), 4.5), (QColor(_COLOUR), 2.0)):
                painter.setPen(QPen(colour, width, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
                if current:
                    painter.drawRect(frame)
                else:
                    painter.drawLines(_corners(frame))

    def show(self) -> None:
        """Mark regions from now on."""
        self.switch.setChecked(True)
        self.refresh()

    def remember(self, hop: PropagationStep, regions: tuple[Rect, ...]) -> None:
        """What changed between two pictures."""
        self.attention.remember(hop, regions)
        self.refresh()

    def refresh(self) -> None:
        """Mark what asks for attention now; look for what changed where that is not known yet."""
        frame = self._context.view.frame
        regions: tuple[Rect, ...] = ()
        if self.switch.isChecked() and frame is not None:
            regions = self.attention.open_regions(frame)
            unknown = self.attention.unknown(frame)
            if unknown is not None:
                self._find(unknown)
        if self.current not in regions:
            self.current = None
        if regions != self.regions:
            self.regions = regions
            self._context.canvas.update()

    def _on_frame(self) -> None:
        self.current = None
        self.refresh()

    def _find(self, hop: PropagationStep) -> None:
        library = self._context.session.library
        self._context.operations.start(
            partial(changed_regions, hop, library.get_image),
            on_result=lambda regions: self.remember(hop, regions),
            # Nothing is marked then; the picture itself says what is wrong with it.
            on_error=lambda error: self._context.say(str(error)),
            lane="library",
            newest="changed",
        )

    # To the next one ------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Go to the next region that asks for attention, on this picture or a later one."""
        self._context.leave()
        self.show()
        frame = self._context.view.frame
        regions = () if frame is None else self.attention.open_regions(frame)
        place = regions.index(self.current) + 1 if self.current in regions else 0
        if place < len(regions):
            self._go_to(regions[place])
        else:
            self._search()

    def _go_to(self, region: Rect) -> None:
        context = self._context
        frame = context.view.frame
        if frame is None:
            return
        self.current = region
        found = to_look_at(region, context.document.elements(frame.id))
        shown = [element for element in found if context.view.shows(element)]
        context.view.select(tuple(element.uid for element in shown))
        context.canvas.set_view(context.canvas.viewport.revealing(region))
        context.canvas.update()
        self.refresh()
        regions = self.attention.open_regions(frame)
        place, count, hidden = regions.index(region) + 1, len(regions), len(found) - len(shown)
        # Carried into a changed region means little confidence: the slider may hide just these.
        some = tr("Changed region {place} of {count} on this picture; suggestions in it that are hidden: {hidden}")
        words = some if hidden else tr("Changed region {place} of {count} on this picture")
        context.say(words.format(place=place, count=count, hidden=hidden))

    def _search(self) -> None:
        """Look for a region on the other pictures, in a job of its own because all of them may have to be compared."""
        if self._searching:
            return
        self._searching = True
        context = self._context
        ahead, read = self.attention.ahead(context.view.index), context.session.library.get_image

        def end() -> None:
            self._searching = False

        context.operations.run(
            tr("Looking for what changed"),
            lambda control: first_open(ahead, read, control),
            on_result=self._arrive,
            on_end=end,
        )

    def _arrive(self, found: tuple[int | None, list[Compared]]) -> None:
        context, (place, compared) = self._context, found
        for hop, regions in compared:
            self.attention.remember(hop, regions)
        if place is None:
            context.say(tr("No region that changed asks for attention any more."))
            self.refresh()
            return
        context.view.go_to(place)
        context.view.set_side("before")
        frame = context.view.frame
        regions = () if frame is None else self.attention.open_regions(frame)
        if regions:
            self._go_to(regions[0])


class CarryFeature(Feature):
    """The keys, the buttons in the foot and the entries in the head's menu.

    Attributes:
        marking: what changed, and the way to it.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._running = False
        self._label = ""
        words = tr("Carry over from the previous step")
        context.foot.add_tool(flat_button("carry", words, context.theme, action="carry_over"))
        self.marking = AttentionMarks(context)
        five = tr("Take this step's elements along, as far as they are still there")
        every = tr("Take this step's elements along to the end, as far as they are still there")
        for name, count, tip in (("carry_five", 5, five), ("carry_all", None, every)):
            words = context.keyring.map[name].words
            context.head.add_job(name, words, partial(self.carry_along, count), tip=tip, key=name)
        context.session.edited.connect(self._on_edited)

    def carry(self) -> None:
        """Carry over to the picture that is shown, from the nearest earlier one that has elements."""
        frame = self.context.view.frame
        if frame is not None and self.context.document.frame(frame.id) is None:
            self.context.say(tr("This picture is of the film only. Elements belong to the pictures of steps."))
            return
        hop = None if frame is None else hop_to(self.context.document, frame)
        if hop is None:
            self.context.say(tr("No earlier step has elements to carry over."))
        else:
            self._start([hop])

    def carry_along(self, count: int | None) -> None:
        """Carry over from the picture that is shown along so many that follow; None for all."""
        frame = self.context.view.frame
        hops = [] if frame is None else hops_from(self.context.document, frame, count=count)
        if frame is None or not self.context.document.elements(frame.id):
            self.context.say(tr("There are no elements on this picture to carry over."))
        elif not hops:
            self.context.say(tr("No step follows with another picture."))
        else:
            self._start(hops)

    # The job --------------------------------------------------------------------------------------------------

    def _start(self, hops: Sequence[PropagationStep]) -> None:
        context = self.context
        if self._running:
            context.say(tr("Elements are still being carried over."))
            return
        self._running = True
        context.leave()
        frames = {frame.id for hop in hops for frame in (hop.source, hop.target)}
        elements = {frame: context.document.elements(frame) for frame in frames}
        read = context.session.library.get_image
        done: list[CarryOver] = []

        def work(control: JobControl) -> None:
            for one in carry_along(hops, elements, read, control):
                done.append(one)  # noqa: PERF402 - one by one, so that a run that is cancelled keeps what it has

        def end() -> None:
            # Also after a run that was cancelled, or came to a damaged picture: what was done by then is kept.
            self._running = False
            self._apply(done)

        context.operations.run(tr("Carrying over"), work, on_end=end)

    def _apply(self, done: Sequence[CarryOver]) -> None:
        """All pictures are one edit, so that one undo takes it back."""
        if not done:
            return
        self._label = ""
        self.context.session.do(CarryAlong(hops=tuple(done)))
        for one in done:
            self.marking.remember(one.hop, one.regions)
        self._tell([one.hop for one in done])

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind == "done":
            self._label = edit.label

    def _tell(self, hops: Sequence[PropagationStep]) -> None:
        self.marking.show()
        asking = [len(self.marking.attention.open_regions(hop.target)) for hop in hops]
        if len(hops) == 1:
            label = self._label or tr("Everything from step {source_step} is here already").format(
                source_step=hops[0].source_step
            )
            self.context.say(f"{label}. {self._asking(asking[0])}")
            return
        words = tr("Carried over to {hops} pictures. {asking}").format(hops=len(hops), asking=self._asking(sum(asking)))
        button = tr("Go there") if any(asking) else ""
        self.context.messages.say(words, button=button, action=self.marking.go_on if button else None)

    def _asking(self, count: int) -> str:
        if count == 0:
            return tr("Nothing asks for attention.")
        one, many = tr("1 region asks for attention"), tr("{count} regions ask for attention").format(count=count)
        key = next(iter(self.context.keyring.map["next_region"].keys), "")
        return f"{shortcut_tip(one if count == 1 else many, key)}."

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("carry_over", tr("Carry over from the previous step"), ("G",), "From step to step", call=carry),
        Key("carry_five", tr("Carry over to the next five steps"), ("Ctrl+G",), "From step to step",
            call=lambda self: self.carry_along(5)),
        Key("carry_all", tr("Carry over to all following steps"), ("Ctrl+Shift+G",), "From step to step",
            call=lambda self: self.carry_along(None)),
        Key("next_region", tr("Next region that changed and asks for attention"), ("Shift+J",), "From step to step",
            call=lambda self: self.marking.go_on()),
    )  # fmt: skip

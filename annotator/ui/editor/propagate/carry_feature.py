"""Carrying elements over from the step before, to this step or along the next ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from annotator.editing import EditKind
from annotator.propagate.carry_commands import CarryAlong, CarryOver, carry_along
from annotator.propagate.tracks import PropagationStep, hop_to, hops_from
from annotator.ui.controls import flat_button, shortcut_tip
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.propagate.attention_layer import AttentionMarks
from annotator.ui.keys.key import Key
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.jobs import JobControl

_CARRY_STEPS = 5


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
        context.add_foot_tool(flat_button("carry", words, context.theme, action="carry_over"))
        self.marking = AttentionMarks(context)
        words = tr("Carry over to the next five steps")
        tip = tr("Take this step's elements along, as far as they are still there")
        context.add_head_action("carry_five", words, self.carry_five, tip=tip, key="carry_five")
        words = tr("Carry over to all following steps")
        tip = tr("Take this step's elements along to the end, as far as they are still there")
        context.add_head_action("carry_all", words, self.carry_all, tip=tip, key="carry_all")
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

    def carry_five(self) -> None:
        """Carry over from the picture that is shown along the next five."""
        self._along(_CARRY_STEPS)

    def carry_all(self) -> None:
        """Carry over from the picture that is shown to the end of the demo."""
        self._along(None)

    def _along(self, count: int | None) -> None:
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
        Key("carry_five", tr("Carry over to the next five steps"), ("Ctrl+G",), "From step to step", call=carry_five),
        Key("carry_all", tr("Carry over to all following steps"), ("Ctrl+Shift+G",), "From step to step",
            call=carry_all),
        Key("next_region", tr("Next region that changed and asks for attention"), ("Shift+J",), "From step to step",
            call=lambda self: self.marking.go_on()),
    )  # fmt: skip

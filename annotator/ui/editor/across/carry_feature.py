"""Carrying elements over from the step before, to this step or along the next ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from annotator.across.carry_commands import Carried, CarryAlong, carry_along
from annotator.across.sources import Hop, hop_to, hops_from
from annotator.editing import EditKind
from annotator.ui.controls import flat_button
from annotator.ui.editor.across.marking import Marking
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.jobs import JobControl

__all__ = ["CarryFeature"]

_SEVERAL = 5


class CarryFeature(Feature):
    """The keys, the buttons in the foot and the entries in the head's menu.

    Attributes:
        marking: what changed, and the way to it.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="carry_over", words=tr("Carry over from the previous step"), keys=("G",), group="From step to step"),
        Key(
            name="carry_five",
            words=tr("Carry over to the next five steps"),
            keys=("Ctrl+G",),
            group="From step to step",
        ),
        Key(
            name="carry_all",
            words=tr("Carry over to all following steps"),
            keys=("Ctrl+Shift+G",),
            group="From step to step",
        ),
        Key(
            name="next_region",
            words=tr("Next region that changed and asks for attention"),
            keys=("Shift+J",),
            group="From step to step",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._running = False
        self._label = ""
        button = flat_button("carry", tr("Carry over from the previous step"), desk.theme, keys="G")
        button.clicked.connect(self.carry)
        desk.add_foot_tool(button)
        self.marking = Marking(desk)
        desk.add_head_action(
            "carry_five",
            tr("Carry over to the next five steps"),
            self.carry_five,
            tip=tr("Take this step's elements along, as far as they are still there"),
        )
        desk.add_head_action(
            "carry_all",
            tr("Carry over to all following steps"),
            self.carry_all,
            tip=tr("Take this step's elements along to the end, as far as they are still there"),
        )
        self._end = desk.session.edited.connect(self._on_edited)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "carry_over": self.carry,
            "carry_five": self.carry_five,
            "carry_all": self.carry_all,
            "next_region": self.marking.go_on,
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._end()
        self.marking.close_view()

    def carry(self) -> None:
        """Carry over to the picture that is shown, from the nearest earlier one that has elements."""
        frame = self.desk.view.frame
        if frame is not None and self.desk.document.frame(frame.id) is None:
            self.desk.say(tr("This picture is of the film only. Elements belong to the pictures of steps."))
            return
        hop = None if frame is None else hop_to(self.desk.document, frame)
        if hop is None:
            self.desk.say(tr("No earlier step has elements to carry over."))
        else:
            self._start([hop])

    def carry_five(self) -> None:
        """Carry over from the picture that is shown along the next five."""
        self._along(_SEVERAL)

    def carry_all(self) -> None:
        """Carry over from the picture that is shown to the end of the demo."""
        self._along(None)

    def _along(self, count: int | None) -> None:
        frame = self.desk.view.frame
        hops = [] if frame is None else hops_from(self.desk.document, frame, count=count)
        if frame is None or not self.desk.document.elements(frame.id):
            self.desk.say(tr("There are no elements on this picture to carry over."))
        elif not hops:
            self.desk.say(tr("No step follows with another picture."))
        else:
            self._start(hops)

    # The job --------------------------------------------------------------------------------------------------

    def _start(self, hops: Sequence[Hop]) -> None:
        desk = self.desk
        if self._running:
            desk.say(tr("Elements are still being carried over."))
            return
        self._running = True
        desk.leave()
        frames = {frame.id for hop in hops for frame in (hop.source, hop.target)}
        elements = {frame: desk.document.elements(frame) for frame in frames}
        read, runner = desk.session.library.get_image, desk.runner
        done: list[Carried] = []

        def work(control: JobControl) -> None:
            for one in carry_along(hops, elements, read, control):
                done.append(one)  # noqa: PERF402 - one by one, so that a run that is cancelled keeps what it has

        def end() -> None:
            # Also after a run that was cancelled, or came to a damaged picture: what was done by then is kept.
            self._running = False
            self._apply(done)

        runner.run(
            tr("Carrying over"),
            work,
            on_result=lambda _: None,
            on_error=desk.messages.show_error,
            on_end=end,
        )

    def _apply(self, done: Sequence[Carried]) -> None:
        """All pictures are one edit, so that one undo takes it back."""
        session = self.desk.session
        if session.closed or not done:
            return
        self._label = ""
        session.do(CarryAlong(hops=tuple(one.command for one in done)))
        for one in done:
            self.marking.remember(one.hop, one.regions)
        self._tell([one.hop for one in done])

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind == "done":
            self._label = edit.label

    def _tell(self, hops: Sequence[Hop]) -> None:
        self.marking.show()
        asking = [len(self.marking.attention.open_regions(hop.target)) for hop in hops]
        if len(hops) == 1:
            label = self._label or tr("Everything from step {source_step} is here already").format(
                source_step=hops[0].source_step
            )
            self.desk.say(f"{label}. {_asking(asking[0])}")
            return
        words = tr("Carried over to {hops} pictures. {asking}").format(hops=len(hops), asking=_asking(sum(asking)))
        button = tr("Go there") if any(asking) else ""
        self.desk.messages.say(words, button=button, action=self.marking.go_on if button else None)


def _asking(count: int) -> str:
    if count == 0:
        return tr("Nothing asks for attention.")
    if count == 1:
        return tr("1 region asks for attention (Shift+J).")
    return tr("{count} regions ask for attention (Shift+J).").format(count=count)

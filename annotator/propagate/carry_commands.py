"""Carrying over as a command, and the work that prepares it beside the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotator.commands import element_changes, implied, make_edit, targets_of
from annotator.document import Document
from annotator.propagate.carry import CarriedElement, carry
from annotator.propagate.comparison import compare
from annotator.propagate.merging import MergedElements, merge
from annotator.propagate.tracks import PropagationStep, new_track, tracks_in_use
from annotator.words import tr
from demopack.domain.edits import Change, Edit, net_changes
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.jobs import JobControl, Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryOver:
    """Elements of an earlier picture, on a later one.

    Attributes:
        carried: what was found to be there.
        hop: from where to where.
        regions: of the later picture, that changed and did not merely move.
    """

    carried: tuple[CarriedElement, ...]
    hop: PropagationStep
    regions: tuple[Rect, ...] = ()

    def merged(self, document: Document) -> MergedElements:
        """What becomes of the picture as it stands now."""
        bound = targets_of(document.steps_on(self.hop.target.id))
        return merge(self._tracked(document), document.elements(self.hop.target.id), bound=bound, sparing=True)

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        merged = self.merged(document)
        replaced: dict[str, Element | None] = {**merged.replaced, **self._sources(document, merged)}
        changes = element_changes(document, replaced, merged.added.values(), rebinds=False)
        changes += self._first_targets(document, merged)
        return make_edit(self._label(merged), changes)

    def _first_targets(self, document: Document, merged: MergedElements) -> list[Change]:
        """Steps whose pointer hit nothing yet get what was surely carried under it; no other target changes."""
        here = document.elements(self.hop.target.id)
        sure = [element for element in merged.applied(here) if element.uid not in merged.doubtful]
        sure.sort(key=lambda element: element.uid)
        changes: list[Change] = []
        for step in document.steps_on(self.hop.target.id):
            if step.pointer is None or step.target_uid is not None or step.end_uid is not None:
                continue
            # Where something lies under the pointer already, a person took the target away.
            new = step if implied(step, here) != step else implied(step, sure)
            if new != step:
                changes.append(Change.between(step, new))
        return changes

    def _tracked(self, document: Document) -> tuple[CarriedElement, ...]:
        """The elements with the track of what they were made of as that is now; with a new one where it has none."""
        used: set[str] | None = None
        tracked: list[CarriedElement] = []
        for one in self.carried:
            origin = document.element(one.origin)
            track = one.element.track_id if origin is None else origin.track_id
            if track is None:
                used = tracks_in_use(document) if used is None else used
                track = new_track(one.element, used)
                used.add(track)
            tracked.append(replace(one, element=one.element.model_copy(update={"track_id": track})))
        return tuple(tracked)

    def _sources(self, document: Document, merged: MergedElements) -> dict[str, Element]:
        """The earlier elements that had no track, with the one that they have from now on."""
        after = {element.uid: element for element in merged.applied(document.elements(self.hop.target.id))}
        given: dict[str, Element] = {}
        for origin, here in merged.became.items():
            old, new = document.element(origin), after.get(here)
            if old is None or old.track_id is not None or new is None or new.track_id is None:
                continue
            if all(other.track_id != new.track_id for other in document.elements(old.frame)):
                given[origin] = old.model_copy(update={"track_id": new.track_id})
        return given

    def _label(self, merged: MergedElements) -> str:
        words = tr("Carry over {count} elements from step {step}")
        if merged.count < 2:
            one, none = tr("Carry over 1 element from step {step}"), tr("Carry over what was rejected in step {step}")
            words = one if merged.count else none
        return words.format(count=merged.count, step=self.hop.source_step)


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryAlong:
    """Elements that were carried from picture to picture, as one edit.

    Attributes:
        hops: what was carried to each picture, in order.
    """

    hops: tuple[CarryOver, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        if len(self.hops) == 1:
            return self.hops[0].edit(document)
        # Each picture begins with what the one before it has by then.
        later = Document(document.demo())
        changes: list[Change] = []
        pictures = 0
        for hop in self.hops:
            edit = hop.edit(later)
            if edit is not None:
                later.apply(edit.changes)
                changes += edit.changes
                pictures += 1
        changes = net_changes(changes)
        made = [change.becomes for change in changes if change.kind == "element"]
        count = sum(not (isinstance(one, Element) and one.review == "rejected") for one in made)
        several = tr("Carry over {count} elements to {pictures} pictures")
        words = tr("Carry over {count} elements to 1 picture") if pictures == 1 else several
        return make_edit(words.format(count=count, pictures=pictures), changes)


def carry_along(
    hops: Sequence[PropagationStep],
    elements: Mapping[str, tuple[Element, ...]],
    read: Callable[[str], RgbImage],
    control: JobControl,
) -> Iterator[CarryOver]:
    """Carry elements over one picture after the other; each gets what the one before it has by then.

    Args:
        hops: in order.
        elements: by frame id, as they stand now; of every picture that a hop touches.
        read: the pixels of a picture by its id.
        control: asked before each hop, and told of it.

    Raises:
        CancelledError: what came before is done.
        CorruptFrameError: a picture is damaged.
    """
    known = dict(elements)
    pixels: dict[str, RgbImage] = {}
    for done, hop in enumerate(hops):
        text = tr("Carrying over to step {target_step}").format(target_step=hop.target_step)
        control.step(done, len(hops), text)
        # Of two hops that follow each other the second begins where the first ended.
        old = pixels[hop.source.id] if hop.source.id in pixels else read(hop.source.id)
        new = read(hop.target.id)
        pixels = {hop.target.id: new}
        comparison = compare(old, new)
        source = known.get(hop.source.id, ())
        carried = carry(source, comparison, frame=hop.target.id, other_window=hop.other_window)
        there = known.get(hop.target.id, ())
        known[hop.target.id] = merge(carried, there, sparing=True).applied(there)
        yield CarryOver(carried=tuple(carried), hop=hop, regions=comparison.regions)
    control.report(Progress(done=len(hops), total=len(hops), text=tr("Carried over")))

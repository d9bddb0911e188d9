"""Finds the elements on every screen of a demo, follows them over the screens, and binds the steps to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.overlap import areas, box_array, common_areas, iou_of
from demopack.domain.ports import ElementFinder
from demopack.domain.provenance import by_program
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import CancelledError, LibraryError
from demopack.jobs import JobControl, Progress
from demopack.pixels.carets import without_carets
from demopack.pixels.changes import changed_boxes
from demopack.store.entities import naming_the_step
from models.vision.appearance import descriptors_of
from models.vision.detection import DetectionCache
from models.vision.duplicates import duplicates_among
from models.vision.fusion import LINE_TYPES
from models.vision.reports.acted_areas import with_acted_areas
from models.vision.reports.elements import ReportedArea, ReportedElement, reported_areas, reported_elements
from models.vision.reports.joining import join_reports
from models.vision.reports.pointed import join_accessibility
from models.vision.reports.texts import without_caret
from models.vision.reports.unreported import Ground, grounds_of
from models.vision.spin_buttons import with_acted_spin_buttons
from models.vision.step_binding import bind_steps
from models.vision.tracker import Tracker
from models.vision.typed_text import with_typed_text

if TYPE_CHECKING:
    from demopack.store import Library

_TRIES = 4
"""How often a screen is joined anew because a person edited it meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseReport:
    """What a parse did.

    Attributes:
        demo: id.
        finder: name of the models.
        frames: screens that were parsed now.
        skipped: screens that had been parsed before.
        cached: of ``frames``, taken from the cache.
        elements: elements on the parsed screens, a person's included.
        bound: steps of the whole demo that have a target element.
        unbound: numbers, from 1, of the steps whose pointer hit no element or whose text went to none.
        silent: programs that steps acted in and that told nothing about any window, though they were asked; on the
            screens that were parsed now.
        seconds: how long it took.
    """

    demo: str
    finder: str
    frames: int
    skipped: int
    cached: int
    elements: int
    bound: int
    unbound: tuple[int, ...]
    silent: tuple[str, ...]
    seconds: float


def parse_demo(
    library: Library,
    demo_id: str,
    finder: ElementFinder,
    *,
    control: JobControl,
    force: bool = False,
    frames: Collection[str] | None = None,
    on_frame: Callable[[str], None] | None = None,
) -> ParseReport:
    """Parse the screens of a demo that have not been parsed yet; undone in one go.

    What a person drew or said anything about stays; proposals about the same thing are dropped (:mod:`.merging`). Each
    screen is stored as soon as it is done, so a cancelled parse goes on where it stopped.

    Args:
        library: where the demo is and where the elements go.
        demo_id: which demo.
        finder: finds the elements of one screen.
        control: progress and cancelling.
        force: parse again what has been parsed before, without the cache.
        frames: ids of the screens that are meant; all of the demo when None.
        on_frame: called with the id of each screen that is stored.

    Raises:
        CancelledError: finished screens are kept and their steps bound.
        ModelError: the finder failed; finished screens are kept.
        LibraryError: the demo was changed elsewhere meanwhile, or a picture is damaged.
    """
    wanted = None if frames is None else frozenset(frames)
    return _Parse(library, library.demo(demo_id), finder, control, force, wanted, on_frame).run()


@dataclass
class _Parse:
    library: Library
    demo: Demo
    finder: ElementFinder
    control: JobControl
    force: bool
    wanted: frozenset[str] | None
    on_frame: Callable[[str], None] | None
    gesture: str = field(default_factory=lambda: new_id("parse"))
    frames: int = 0
    cached: int = 0
    found: int = 0
    _read_again: bool = True
    _erasures: str = ""
    _asked: set[str] = field(default_factory=set[str])
    _told: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self._now, self._seq = self.demo, self.demo.log_seq

    def run(self) -> ParseReport:
        started = time.monotonic()
        frames = self.demo.frames()
        meant = [frame for frame in frames if self.wanted is None or frame.id in self.wanted]
        todo = [frame for frame in meant if self.force or frame.id not in self.demo.parsed]
        try:
            self._parse_frames(frames, {frame.id for frame in todo})
        except CancelledError:
            self._bind()
            raise
        bound = self._bind()
        return ParseReport(
            demo=self.demo.head.id,
            finder=self.finder.name,
            frames=self.frames,
            skipped=len(meant) - len(todo),
            cached=self.cached,
            elements=self.found,
            bound=sum(step.target_uid is not None for step in bound),
            unbound=tuple(
                n
                for n, step in enumerate(bound, start=1)
                if step.target_uid is None and (step.pointer or step.action.action_type == "type")
            ),
            silent=tuple(sorted(self._asked - self._told)),
            seconds=time.monotonic() - started,
        )

    def _parse_frames(self, frames: Sequence[Frame], todo: set[str]) -> None:
        cache = DetectionCache(self.library.folder / "cache", self.finder.name)
        tracker, placeholders = Tracker(), dict[Rect, str]()
        pictures = _Pictures(self.library, frames)
        for frame in frames:
            if frame.id not in todo:
                tracker.note(self.demo.elements.get(frame.id, ()))
                continue
            self.control.step(self.frames, len(todo), f"Finding elements on screen {self.frames + 1} of {len(todo)}")
            with naming_the_step(self.demo):
                image = pictures.steady(frame)
            proposals = None if self.force else cache.get(frame.id)
            if proposals is None:
                near = _points_on(self.demo.steps, frame.id)
                proposals = self.finder.find(image, frame, control=self.control, near=near)
                cache.put(frame.id, proposals)
            else:
                self.cached += 1
            reported, grounds, areas = self._reported(frame)
            points = _points_on(self.demo.steps, frame.id)
            joined = join_reports(proposals, reported, image, frame, grounds=grounds, pointers=points)
            known = {one.window for one in reported if one.window is not None and not one.stale}
            told = join_accessibility(joined, frame, self.demo.steps, known=list(known), changes=self._changes_of)
            told = with_acted_areas(told, areas, frame, self.demo.steps)
            told = with_acted_spin_buttons(told, image, frame, self.demo.steps)
            again = duplicates_among(told)
            told = without_caret([one for i, one in enumerate(told) if i not in again], placeholders)
            told = with_typed_text(told, frame.id, self.demo.steps, changes=self._changes_of)
            elements = self._store(frame, told, tracker, image)
            self.frames += 1
            self.found += len(elements)
            if self.on_frame is not None:
                self.on_frame(frame.id)
        self.control.report(Progress(done=len(todo), total=len(todo), text="Elements found"))

    def _reported(self, frame: Frame) -> tuple[list[ReportedElement], list[Ground], list[ReportedArea]]:
        """What programs reported of the windows on a frame, when most of it was proved, and what else may be where."""
        steps = [step for step in self.demo.steps if step.before is not None and step.before.id == frame.id]
        step = max(steps, key=lambda step: sum(one.proved for one in step.trees), default=None)
        if step is None or step.before is None:
            return [], [], []
        with naming_the_step(self.demo):
            reports = [(one, self.demo.trees[one.tree]) for one in step.trees]
        trees = [tree for _, tree in reports if not tree.is_title_bar]
        self._asked |= {
            one.window.app for one in steps if one.window and one.window.app in {tree.app for tree in trees}
        }
        self._told |= {tree.app for tree in trees if tree.nodes}
        shown, pointed = step.before, [one.pointed for one in steps if one.pointed is not None]
        told = reported_elements(reports, shown, pointed=pointed)
        pointed += [one.focused for one in steps if one.focused is not None]
        return told, grounds_of(reports, shown), reported_areas(reports, shown, pointed=pointed)

    def _store(self, frame: Frame, proposals: Sequence[Element], tracker: Tracker, image: RgbImage) -> list[Element]:
        """Commit one screen; returns its elements."""
        for _ in range(_TRIES - 1):
            demo = self._as_it_stands()
            try:
                return self._join(demo, frame, proposals, tracker, image)
            except LibraryError:
                self._read_again = True
                if self._as_it_stands().elements.get(frame.id) == demo.elements.get(frame.id):
                    raise
        return self._join(self._as_it_stands(), frame, proposals, tracker, image)

    def _as_it_stands(self) -> Demo:
        """The demo, without the screens that this has stored itself.

        A person may edit it while the models look at a screen; the log tells, so that only then it is read again.
        """
        log, key = self.library.log, self.demo.head.id
        if self._read_again or self._erasures != log.erasures() or log.lines(key, after=self._seq):
            self._erasures, self._read_again = log.erasures(), False
            self._now = self.library.demo(key)
            self._seq = self._now.log_seq
        return self._now

    def _join(
        self, demo: Demo, frame: Frame, proposals: Sequence[Element], tracker: Tracker, image: RgbImage
    ) -> list[Element]:
        """Commit what a screen has and what was found on it, as the demo stands; returns its elements.

        Raises:
            LibraryError: a person edited the screen at this very moment.
        """
        old = demo.elements.get(frame.id, ())
        kept = decided(old)
        fresh = new_to(kept, proposals)
        # What this screen had is what its elements are most likely to be.
        tracker.note([e for e in old if e.track_id is not None], descriptors_of(image, old))
        tracked = tracker.track([*kept, *fresh], descriptors_of(image, [*kept, *fresh]))
        # What is found again on the same screen stays the same record, so steps keep their targets.
        reused = {e.track_id: e.uid for e in old if e.uid not in {k.uid for k in kept}}
        elements = tracked[: len(kept)]
        elements += [e.model_copy(update={"uid": reused.get(e.track_id, e.uid)}) for e in tracked[len(kept) :]]
        before, after = ({element.uid: element for element in some} for some in (old, elements))
        changes = [Change.between(element, None) for uid, element in before.items() if uid not in after]
        pairs = ((before.get(uid), element) for uid, element in after.items())
        changes += [Change.between(known, element) for known, element in pairs if known != element]
        if frame.id not in demo.parsed:
            changes.append(Change.of_parsed(frame.id, parsed=True))
        self._commit(f"Find elements: {len(elements)} on one screen", changes)
        return elements

    def _bind(self) -> Sequence[Step]:
        demo = self.library.demo(self.demo.head.id)
        steps = bind_steps(
            demo.steps,
            {frame: demo.elements.get(frame, ()) for frame in demo.parsed},
            fixed=self._decided_by_person(demo),
            changes=self._changes_of,
        )
        changes = [Change.between(old, new) for old, new in zip(demo.steps, steps, strict=True) if old != new]
        self._commit(f"Bind {len(changes)} steps to elements", changes)
        return steps

    def _changes_of(self, step: Step) -> Sequence[Rect] | None:
        if step.before is None or step.after is None:
            return None
        with naming_the_step(self.demo):
            return changed_boxes(self.library.get_image(step.before.id), self.library.get_image(step.after.id))

    def _decided_by_person(self, demo: Demo) -> frozenset[str]:
        """Steps that a person approved, or whose target a person chose."""
        decided = {step.id for step in demo.steps if step.review == "approved"}
        for entry in self.library.log.entries(demo.head.id):
            if entry.op == "undo" or entry.edit.provenance.kind != "human":
                continue
            if any(change.kind == "element" for change in entry.edit.changes):
                continue  # the target followed a corrected box; nobody chose it
            for change in entry.edit.changes:
                if change.kind == "step" and change.before and change.after:
                    moved = any(change.before.get(key) != change.after.get(key) for key in ("target_uid", "end_uid"))
                    decided |= {change.key} if moved else set()
        return frozenset(decided)

    def _commit(self, label: str, changes: Sequence[Change]) -> None:
        if not changes:
            return
        edit = Edit(
            id=new_id("edit"),
            label=label,
            changes=tuple(changes),
            provenance=by_program("model", self.finder.name, reason="parse"),
            merge_key=self.gesture,
        )
        seq = self.library.commit(self.demo.head.id, edit)
        if seq == self._seq + 1:
            self._seq = seq  # else somebody was there in between


class _Pictures:
    """The pictures of a demo as they are read: a caret that blinked off on a neighbour is not on them."""

    def __init__(self, library: Library, frames: Sequence[Frame]) -> None:
        self._library = library
        self._frames = frames
        self._place = {frame.id: place for place, frame in enumerate(frames)}
        self._recent: dict[str, RgbImage] = {}

    def steady(self, frame: Frame) -> RgbImage:
        """The pixels of a frame, shape (height, width, 3), uint8.

        Raises:
            LibraryError: its picture, or that of a frame beside it, is damaged.
        """
        place = self._place[frame.id]
        near = self._frames[max(0, place - _BESIDE) : place + _BESIDE + 1]
        self._recent = {one.id: self._image(one.id) for one in near if one.size == frame.size}
        return without_carets(self._recent[frame.id], [self._recent[key] for key in self._recent if key != frame.id])

    def _image(self, key: str) -> RgbImage:
        known = self._recent.get(key)
        return self._library.get_image(key) if known is None else known


_BESIDE: Final = 2
"""Frames before and after one on which its caret may be blinked off."""


def _points_on(steps: Sequence[Step], frame_id: str) -> list[Point]:
    """Where the steps that begin on a frame act."""
    points: list[Point] = []
    for step in steps:
        if step.pointer is not None and step.before is not None and step.before.id == frame_id:
            at = step.pointer
            points.append(Point(at.x, at.y))
            if at.end_x is not None and at.end_y is not None:
                points.append(Point(at.end_x, at.end_y))
    return points


_COVERED_IOU: Final = 0.7
"""A proposal that overlaps a person's element by more (IoU) says nothing new, whatever it takes it for."""
_SAME_IOU: Final = 0.5
"""The same for a proposal of the same type."""
_REJECTED_IOU: Final = 0.85
"""A proposal of another type is what was rejected under another name from here on; below, it is another thing."""
_NEVER: Final = 2.0


def decided(elements: Sequence[Element]) -> list[Element]:
    """Those that a person drew, or said anything about: no search changes or replaces them."""
    return [element for element in elements if element.source == "human" or element.review != "unreviewed"]


def new_to(kept: Sequence[Element], proposals: Sequence[Element]) -> list[Element]:
    """The proposals that are about something else than all of ``kept``.

    A proposal is known by its place and type: what a person rejected does not come back, also where it was found a
    little larger or under another name; what a person corrected does not come back as it was before the correction,
    which its evidence tells.

    Args:
        kept: what :func:`decided` gave for the screen.
        proposals: what was found now.
    """
    claims = [claim for element in kept for claim in _claims(element)]
    if not claims or not proposals:
        return list(proposals)
    boxes = box_array(claim.box for claim in claims)
    sizes = areas(boxes)
    result: list[Element] = []
    for proposal in proposals:
        own = box_array([proposal.box])
        overlap = iou_of(common_areas(own, boxes), areas(own), sizes)[0]
        near = ((claims[i], overlap[i]) for i in np.flatnonzero(overlap > _SAME_IOU))
        if not any(iou > (one.same if _alike(one.type, proposal.type) else one.other) for one, iou in near):
            result.append(proposal)
    return result


class _Claim(NamedTuple):
    """A place that is settled: ``same`` is the least overlap of a proposal of its type, ``other`` of any other type."""

    box: Rect
    type: ElementType | None
    same: float
    other: float


def _claims(element: Element) -> list[_Claim]:
    is_out = element.review == "rejected"
    claim = _Claim(element.box, element.type, same=_SAME_IOU, other=_REJECTED_IOU if is_out else _COVERED_IOU)
    # What was said before a person moved the box or chose another type would be said again.
    said_before = (
        _Claim(said.box, said.type, same=_COVERED_IOU, other=_NEVER)
        for said in element.evidence
        if said.box is not None and (said.box, said.type) != (element.box, element.type)
    )
    return [claim, *said_before]


def _alike(known: ElementType | None, found: ElementType) -> bool:
    """Whether two types are one to a search; kinds of text change from one look to the next."""
    return known == found or (known in {None, *LINE_TYPES} and found in LINE_TYPES)

"""Document: a demo while it is edited, as frozen values by id; three mutators, and listeners to what changed."""

from __future__ import annotations

import bisect
import contextlib
import itertools
import operator
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

from annotator.signals import Signal
from demopack.domain.demos import Demo, DemoHead, basis_on
from demopack.domain.edits import Change, Entity
from demopack.domain.elements import Element, reading_order
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.domain.tasks import Task

K = TypeVar("K", bound=Hashable)


class Document:
    """The demo that is open. Views read it and listen; only edits from the log change it.

    Attributes:
        step_inserting: index, before a step appears there.
        step_inserted: index, after it appeared.
        step_removing: index, before the step there goes.
        step_removed: index, after it went.
        step_changed: index of a step that was replaced in its place.
        elements_changed: frame id, once per edit, after any of its elements changed.
        head_changed: after the head was replaced.
        head: what is known about the demo as a whole.
        moving: the step that is removed and inserted just now because its place is another; None at any other time.
    """

    def __init__(self, demo: Demo) -> None:
        self.step_inserting: Signal[int] = Signal()
        self.step_inserted: Signal[int] = Signal()
        self.step_removing: Signal[int] = Signal()
        self.step_removed: Signal[int] = Signal()
        self.step_changed: Signal[int] = Signal()
        self.elements_changed: Signal[str] = Signal()
        self.head_changed: Signal[[]] = Signal()
        self.head = demo.head
        self._steps: list[Step] = sorted(demo.steps, key=_order)
        self._elements: dict[str, Element] = {}
        # By frame and uid; a frame is sorted by uid when it is read, and only if something came to it since.
        self._frames: dict[str, dict[str, Element]] = {}
        self._unsorted: set[str] = set()
        self._all: dict[str, tuple[Element, ...]] = {}
        self._parsed = set(demo.parsed)
        self._reading: dict[str, tuple[Element, ...]] = {}
        self._touched: set[str] | None = None
        self.moving: str | None = None
        for found in demo.elements.values():
            for element in found:
                self._store(element)

    # Reading --------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order."""
        return tuple(self._steps)

    def step(self, step_id: str) -> Step | None:
        """One step; None when it is gone."""
        return next((step for step in self._steps if step.id == step_id), None)

    def index_of(self, step_id: str) -> int | None:
        """The place of a step in the order, from 0; None when it is gone."""
        return next((i for i, step in enumerate(self._steps) if step.id == step_id), None)

    def element(self, uid: str | None) -> Element | None:
        """One element; None when it is gone."""
        return None if uid is None else self._elements.get(uid)

    def present(self, uids: Iterable[str]) -> list[Element]:
        """Those of some elements that are there still, in the order given."""
        return [element for uid in uids if (element := self._elements.get(uid)) is not None]

    def elements(self, frame_id: str) -> tuple[Element, ...]:
        """The elements of a frame, in the library's own order, so that ties resolve as they do on export."""
        if frame_id in self._unsorted:
            self._unsorted.discard(frame_id)
            self._frames[frame_id] = dict(sorted(self._frames[frame_id].items(), key=operator.itemgetter(0)))
        if frame_id not in self._all:
            self._all[frame_id] = tuple(self._frames.get(frame_id, {}).values())
        return self._all[frame_id]

    def basis_of(self, step: Step) -> str:
        """From what a rationale of a step would be written now: task, action and target as one value."""
        elements = () if step.before is None else self.elements(step.before.id)
        return basis_on(step, task=self.head.task, elements=elements)

    def ordered(self, frame_id: str) -> tuple[Element, ...]:
        """The elements of a frame in reading order, rejected ones left out; kept until one of them changes."""
        found = self._reading.get(frame_id)
        if found is None:
            found = self._reading[frame_id] = tuple(reading_order(self.elements(frame_id)))
        return found

    def is_parsed(self, frame_id: str) -> bool:
        """Whether elements were looked for on a frame, or drawn there."""
        return frame_id in self._parsed or bool(self._frames.get(frame_id))

    def steps_on(self, frame_id: str) -> list[Step]:
        """The steps whose before-frame this is."""
        return [step for step in self._steps if step.before is not None and step.before.id == frame_id]

    def frame(self, frame_id: str) -> Frame | None:
        """The reference of a frame that a step shows; None when no step does."""
        final = () if self.head.final_frame is None else (self.head.final_frame,)
        shown = itertools.chain.from_iterable(step.frames for step in self._steps)
        return next((frame for frame in itertools.chain(shown, final) if frame.id == frame_id), None)

    def demo(self) -> Demo:
        """Everything as one value."""
        return Demo(
            head=self.head,
            steps=self.steps,
            elements={frame: self.elements(frame) for frame, here in self._frames.items() if here},
            parsed=frozenset(self._parsed),
        )

    # The three mutators ---------------------------------------------------------------------------------------

    def insert(self, entity: Step | Element) -> None:
        """Add a step or an element that is not there yet."""
        if isinstance(entity, Element):
            if entity.uid in self._elements:
                raise KeyError(entity.uid)
            self._store(entity)
            self._tell(entity.frame)
            return
        if self.index_of(entity.id) is not None:
            raise KeyError(entity.id)
        index = bisect.bisect_right(self._steps, _order(entity), key=_order)
        self.step_inserting.emit(index)
        self._steps.insert(index, entity)
        self.step_inserted.emit(index)

    def remove(self, entity: Step | Element) -> None:
        """Take away the step or element with this id."""
        if isinstance(entity, Element):
            self._drop(self._elements.pop(entity.uid))
            return
        index = self._place(entity)
        self.step_removing.emit(index)
        del self._steps[index]
        self.step_removed.emit(index)

    def replace(self, entity: Entity) -> None:
        """Put a new value in the place of the one with the same id."""
        if isinstance(entity, Element):
            old = self._elements[entity.uid]
            if old.frame != entity.frame:
                self._drop(old)
            self._store(entity)
            self._tell(entity.frame)
        elif isinstance(entity, DemoHead):
            self.head = entity
            self.head_changed.emit()
        else:
            index = self._place(entity)
            if not self._stays(index, entity):
                self.moving = entity.id
                try:
                    self.remove(entity)
                    self.insert(entity)
                finally:
                    self.moving = None
                return
            self._steps[index] = entity
            self.step_changed.emit(index)

    def _place(self, step: Step) -> int:
        index = self.index_of(step.id)
        if index is None:
            raise KeyError(step.id)
        return index

    def _stays(self, index: int, step: Step) -> bool:
        """Whether the step's order is still that of its place, although its position may be another."""
        lower = index == 0 or _order(self._steps[index - 1]) < _order(step)
        return lower and (index + 1 == len(self._steps) or _order(step) < _order(self._steps[index + 1]))

    # Edits ----------------------------------------------------------------------------------------------------

    def apply(self, changes: Iterable[Change]) -> None:
        """Carry out the changes of one edit; each touched frame is told once, at the end.

        Raises:
            KeyError: a change does not fit: the entity is missing, or there already.
        """
        with self._batch():
            for change in changes:
                self._apply(change)

    def load(self, demo: Demo) -> None:
        """Become another state of the same demo, through the mutators, so that views see only what differs."""
        with self._batch():
            wanted = {step.id: step for step in demo.steps}
            for step in self.steps:
                if step.id not in wanted:
                    self.remove(step)
            elements = {element.uid: element for found in demo.elements.values() for element in found}
            for uid in [uid for uid in self._elements if uid not in elements]:
                self.remove(self._elements[uid])
            for element in elements.values():
                old_element = self._elements.get(element.uid)
                if old_element != element:
                    (self.insert if old_element is None else self.replace)(element)
            for frame in demo.parsed ^ self._parsed:
                self._tell(frame)
            self._parsed = set(demo.parsed)
            for step in demo.steps:
                old = self.step(step.id)
                if old != step:
                    (self.insert if old is None else self.replace)(step)
            if demo.head != self.head:
                self.replace(demo.head)

    def _apply(self, change: Change) -> None:
        if change.kind == "parsed":
            (self._parsed.discard if change.after is None else self._parsed.add)(change.key)
            self._tell(change.key)
            return
        entity = change.was if change.after is None else change.becomes
        if isinstance(entity, DemoHead):
            # A demo without a head is none: that the head appeared is never taken back.
            if change.after is not None:
                self.replace(entity)
        elif entity is None or isinstance(entity, Task):
            raise KeyError(change.key)
        elif change.after is None:
            self.remove(entity)
        elif change.before is None:
            self.insert(entity)
        else:
            self.replace(entity)

    def _store(self, element: Element) -> None:
        here = self._frames.setdefault(element.frame, {})
        if element.uid not in here:
            self._unsorted.add(element.frame)
        self._elements[element.uid] = here[element.uid] = element
        self._all.pop(element.frame, None)

    def _drop(self, element: Element) -> None:
        del self._frames[element.frame][element.uid]
        self._all.pop(element.frame, None)
        self._tell(element.frame)

    def _tell(self, frame_id: str) -> None:
        self._reading.pop(frame_id, None)
        if self._touched is None:
            self.elements_changed.emit(frame_id)
        else:
            self._touched.add(frame_id)

    @contextlib.contextmanager
    def _batch(self) -> Generator[None]:
        touched = self._touched = set[str]()
        try:
            yield
        finally:
            self._touched = None
            for frame_id in sorted(touched):
                self.elements_changed.emit(frame_id)


def _order(step: Step) -> tuple[int, str]:
    return (step.position, step.id)


def changed_span(old: Sequence[object], new: Sequence[object]) -> tuple[int, int, int]:
    """The span outside of which both hold the very same objects: its start, its end in the old, its end in the new one.

    Compared is by identity, five thousand in a tenth of a millisecond.
    """
    start = _first_other(old, new)
    room = min(len(old), len(new)) - start
    end = min(_first_other(old[::-1], new[::-1]), room)
    return start, len(old) - end, len(new) - end


def _first_other(old: Sequence[object], new: Sequence[object]) -> int:
    others = itertools.compress(itertools.count(), map(operator.is_not, old, new))
    return next(others, min(len(old), len(new)))


class FrameCounter(Generic[K]):
    """How often each kind of element occurs on a frame; after an edit only what differs is looked at again."""

    def __init__(self, kind: Callable[[Element], K]) -> None:
        self._kind = kind
        self._elements: tuple[Element, ...] = ()
        self._counts: Counter[K] = Counter()

    def count(self, elements: tuple[Element, ...]) -> Counter[K]:
        """The kinds of these elements with their numbers; kinds that are gone may stand there with 0."""
        start, old_end, new_end = changed_span(self._elements, elements)
        self._counts.subtract(map(self._kind, self._elements[start:old_end]))
        self._counts.update(map(self._kind, elements[start:new_end]))
        self._elements = elements
        return self._counts

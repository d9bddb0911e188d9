"""Changes of a batch, each as one edit, with what finds them: tightened boxes, duplicates, accessibility."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from annotator.commands import as_suggested, deleted_element, edit_each, element_changes, make_edit, targets_of
from annotator.document import Document
from annotator.snap.tighten import tightened
from annotator.step_words import name_element, shown_at
from annotator.suggestions.confidence_filter import is_suggestion
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.overlap import areas, box_array, common_areas, iou_of
from demopack.domain.ports import FrameStore
from demopack.domain.text_likeness import plain_text
from demopack.jobs import JobControl, Progress
from models.vision.reports.pointed import join_accessibility


@dataclass(frozen=True, slots=True, kw_only=True)
class TightenAll:
    """Boxes that were fitted to what can be seen, on any number of frames.

    Nobody looked at each of them: a suggestion stays one, and keeps the box that it had as evidence.

    Attributes:
        boxes: from uid to box; boxes without area are left out.
    """

    boxes: Mapping[str, Rect]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.boxes, self._fitted, lambda old: _label(old, _TIGHTEN))

    def _fitted(self, old: Element) -> Element:
        box = self.boxes[old.uid]
        if old.review == "rejected" or old.box == box or not box.area:
            return old
        evidence = as_suggested(old) if is_suggestion(old) else old.evidence
        return old.model_copy(update={"box": box, "evidence": evidence})


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDuplicates:
    """Elements that say what others say. What was found stays as rejected, or the next search would bring it back.

    What a step is bound to by now stays, whatever was ticked.
    """

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        targets = targets_of(document.steps)
        return edit_each(
            document,
            self.uids,
            lambda old: old if old.review == "rejected" or old.uid in targets else deleted_element(old),
            lambda old: _label(old, _REMOVE),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAccessible:
    """What the programs told while the demo was recorded, as suggestions and as evidence of those that are there.

    Attributes:
        frames: on which screens.
    """

    frames: tuple[Frame, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        added: list[Element] = []
        for frame in self.frames:
            before = {element.uid: element for element in document.elements(frame.id)}
            for element in join_accessibility(tuple(before.values()), frame, document.steps):
                if element.uid not in before:
                    added.append(element)
                elif element != before[element.uid]:
                    replaced[element.uid] = element
        count = len(replaced) + len(added)
        if not count:
            return None
        words = tr("Add what the programs told about 1 element") if count == 1 else _ADD_WORDS.format(count=count)
        return make_edit(words, element_changes(document, replaced, added))


_TIGHTEN = (tr("Tighten {one}"), tr("Tighten {count} boxes"), tr("Tighten {count} boxes on {screens} screens"))
_REMOVE = (
    tr("Remove the double of {one}"),
    tr("Remove {count} doubles"),
    tr("Remove {count} doubles on {screens} screens"),
)
_ADD_WORDS = tr("Add what the programs told about {count} elements")


def _label(old: Sequence[Element], words: tuple[str, str, str]) -> str:
    one, several, many = words
    if len(old) == 1:
        return one.format(one=name_element(old[0]))
    screens = len({element.frame for element in old})
    return (several if screens == 1 else many).format(count=len(old), screens=screens)


WIDER: Final[frozenset[ElementType]] = frozenset(
    {
        "list_item", "tree_item", "menu", "menu_item", "slider",
        "scrollbar", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button",
        "scrollbar_right_button", "scrollbar_thumb", "window", "dialog", "toolbar",
    }
)  # fmt: skip
"""Types that reach further than their ink: a row ends where the next begins, not where its words do. Fitted to what can
be seen they would shrink to their words, so a batch leaves them alone; one by one a person sees what happens."""


def tighten_all(
    store: FrameStore, elements: Mapping[str, Sequence[Element]], *, control: JobControl
) -> dict[str, Rect]:
    """The boxes that would move, by uid.

    Args:
        store: gives the pictures.
        elements: by frame id; rejected ones are left out, and types whose box is rightly wider than their ink.
        control: progress, counted in pictures, and cancelling.

    Raises:
        CancelledError: nothing was changed.
        CorruptFrameError: a picture is damaged.
    """
    moved: dict[str, Rect] = {}
    for number, (frame_id, found) in enumerate(elements.items()):
        text = tr("Tightening boxes on screen {value} of {elements}").format(value=number + 1, elements=len(elements))
        control.report(Progress(done=number, total=len(elements), text=text))
        image = store.get_image(frame_id)
        for element in found:
            control.token.check()
            if element.review == "rejected" or element.type in WIDER or not element.box.area:
                continue
            box = tightened(image, element.box)
            if box != element.box and box.area:
                moved[element.uid] = box
    control.report(Progress(done=len(elements), total=len(elements), text=tr("Boxes tightened")))
    return moved


Reason = Literal["same_box", "same_text_inside"]

_SAME_BOX_IOU: Final = 0.7
"""Overlap (IoU) of two boxes of one type that are one thing."""
_TEXT_HOLDERS: Final[frozenset[ElementType]] = frozenset({"text_area", "window", "dialog", "toolbar", "image", "menu"})
"""Types that hold words of their own: a word in them is another thing, also where it is all that they say."""
_CHUNK: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """One element too many.

    Attributes:
        uid: of the one that can go.
        keep: of the one that says the same.
        frame: id of their frame.
        reason: how they are the same.
    """

    uid: str
    keep: str
    frame: str
    reason: Reason


def find_duplicates(elements: Sequence[Element], *, targets: Collection[str] = ()) -> list[Duplicate]:
    """The duplicates on one frame, from its top to its bottom; rejected elements are left out.

    Of two, the one stays that a step is bound to, then the one that a person drew or approved; of two such, and of two
    that nobody looked at, the one whose finder was surer, then the larger one. An element goes once at most, and what
    another one gave way to stays.

    Args:
        elements: of the frame.
        targets: uids of what steps are bound to; none of these ever goes.
    """
    live = [element for element in elements if element.review != "rejected" and element.box.area]
    # The best first: whatever comes later gives way to it.
    live.sort(
        key=lambda element: (
            element.uid in targets,
            element.source == "human",
            element.review == "approved",
            1.0 if element.confidence is None else element.confidence,
            element.box.area,
            element.uid,
        ),
        reverse=True,
    )
    gone: dict[int, Duplicate] = {}
    for first, second, reason in _pairs(live):
        better, worse = live[first], live[second]
        if first not in gone and second not in gone and worse.uid not in targets:
            gone[second] = Duplicate(uid=worse.uid, keep=better.uid, frame=worse.frame, reason=reason)
    places = sorted(gone, key=lambda place: (live[place].box.y1, live[place].box.x1, live[place].uid))
    return [gone[place] for place in places]


def _pairs(live: Sequence[Element]) -> Iterator[tuple[int, int, Reason]]:
    """Places (better, worse) of elements that are the same, the better one's place first in order."""
    boxes = box_array(e.box for e in live)
    texts = [plain_text(e.text) for e in live]
    kinds, words = _numbered([e.type for e in live]), _numbered(texts)
    sizes, holds = areas(boxes), np.array([e.type in _TEXT_HOLDERS for e in live])
    has_words = np.array([bool(text) for text in texts])
    for start in range(0, len(live), _CHUNK):
        rows = slice(start, min(start + _CHUNK, len(live)))
        common = common_areas(boxes[rows], boxes)
        inside = common >= np.minimum(sizes[rows, None], sizes[None, :])
        same_box = (iou_of(common, sizes[rows], sizes) > _SAME_BOX_IOU) & (kinds[rows, None] == kinds[None, :])
        spoken = (words[rows, None] == words[None, :]) & has_words[rows, None]
        spoken &= ~np.where(sizes[rows, None] >= sizes[None, :], holds[rows, None], holds[None, :])
        for near, far in np.argwhere(same_box | (inside & spoken)):
            first, second = start + int(near), int(far)
            if first < second:
                yield first, second, "same_box" if same_box[near, far] else "same_text_inside"


def _numbered(values: Sequence[str]) -> npt.NDArray[np.int64]:
    known: dict[str, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


_REASONS: Final[Mapping[Reason, str]] = {
    "same_box": tr("{name} on step {step}: nearly the same box as another one"),
    "same_text_inside": tr("{name} on step {step}: lies with the same words in {other}"),
}


def duplicate_words(document: Document, duplicate: Duplicate) -> str:
    """Which element is double, and why."""
    one, other = document.element(duplicate.uid), document.element(duplicate.keep)
    if one is None or other is None:
        return tr("It is gone already.")
    step = next((at.step for at in shown_at(document.steps, duplicate.frame)), "?")
    return _REASONS[duplicate.reason].format(name=name_element(one), other=name_element(other), step=step)

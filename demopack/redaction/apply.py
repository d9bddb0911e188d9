"""Replaces values in a demo: one edit that can be undone, over every record and every picture."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from demopack.domain.demos import Demo, DemoHead, PrivateValue
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, iou
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.trees import WindowTree, without_covered
from demopack.domain.words import counted
from demopack.errors import BadInputError
from demopack.redaction.picture_paint import covers_of, painted_frames
from demopack.redaction.record_fields import mapped, text_fields
from demopack.redaction.scan import PrivateFinding
from demopack.redaction.text_locations import keys_text
from demopack.redaction.values import Value, ValueFinder
from demopack.store import Library

_SLUG_LENGTH = 24  # the tracker cuts what is written on an element to this length
_MIN_SLUG = 4
_ELEMENT_TEXTS = text_fields(Element)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriter:
    """Replaces values in records.

    Attributes:
        finder: of the values to replace.
        names: digest of each -> its placeholder.
        frames: id of each picture that was painted over -> its new frame; ``covered`` is what was added.
        tracks: track ids that tell a value -> those that do not.
        tree: id of an accessibility tree, and the new frame of its step -> id of what is left of it.
        uids: elements that are the same as another one now that their pictures are -> that one.
    """

    finder: ValueFinder
    names: Mapping[str, str]
    frames: Mapping[str, Frame] = field(default_factory=dict[str, Frame])
    tracks: Mapping[str, str] = field(default_factory=dict[str, str])
    tree: Callable[[str, Frame | None], str] = lambda key, _: key
    uids: Mapping[str, str] = field(default_factory=dict[str, str])

    def text(self, text: str) -> str:
        """A text with every value replaced."""
        return self.finder.replaced(text, self.names)

    def head(self, head: DemoHead) -> DemoHead:
        """The demo's head."""
        new = DemoHead.model_validate(mapped(DemoHead, head.to_json(), self.text))
        return new.model_copy(update={"final_frame": self.frame(new.final_frame)})

    def frame(self, frame: Frame | None) -> Frame | None:
        """A reference to a picture, turned to the one that was painted over; everything else about it stays."""
        painted = None if frame is None else self.frames.get(frame.id)
        if frame is None or painted is None:
            return frame
        covered = (*frame.covered, *(box for box in painted.covered if box not in frame.covered))
        return frame.model_copy(update={"id": painted.id, "covered": covered})

    def step(self, step: Step) -> Step:
        """One step."""
        data = mapped(Step, step.to_json(), self.text)
        action: dict[str, Any] = data["action"]
        for target in (action["target"], action["parameters"].get("end_target")):
            if target is not None and target.get("track_id") in self.tracks:
                target["track_id"] = self.tracks[target["track_id"]]
        data["target_uid"] = self.uids.get(step.target_uid or "", step.target_uid)
        data["end_uid"] = self.uids.get(step.end_uid or "", step.end_uid)
        data["alternatives"] = [self.uids.get(uid, uid) for uid in step.alternatives]
        new = Step.model_validate(data)
        update: dict[str, Any] = {"before": self.frame(new.before), "after": self.frame(new.after)}
        update["trees"] = tuple(one.but(tree=self.tree(one.tree, update["before"])) for one in new.trees)
        if step.action.typed_text != new.action.typed_text or self.finder.find(keys_text(step)):
            # The single keys spell the value once more; when each was pressed may stay.
            update["events"] = tuple(
                replace(event, key="", char="") if event.char or len(event.key) == 1 else event for event in step.events
            )
        if new.rationale is not None and new.rationale.basis:
            # A fingerprint of what stood there before would let a short value be guessed.
            update["rationale"] = new.rationale.model_copy(update={"basis": ""})
        return new.model_copy(update=update)

    def element(self, element: Element) -> Element:
        """One element, on the picture that was painted over."""
        painted = self.frames.get(element.frame)
        told = {name: text for name in _ELEMENT_TEXTS if (text := getattr(element, name)) is not None}
        update: dict[str, Any] = {
            **{name: self.finder.replaced_read(text, self.names) for name, text in told.items()},
            "frame": element.frame if painted is None else painted.id,
            "track_id": self.tracks.get(element.track_id or "", element.track_id),
            "parent": self.uids.get(element.parent or "", element.parent),
        }
        read = [element.text, *(one.text for one in element.evidence)]
        if any(text is not None and self.finder.replaced_read(text, self.names) != text for text in read):
            # What each source read helps to correct a demo, but one may have read more of a value than the others.
            update["evidence"] = ()
        return element.model_copy(update=update)


def renamed_tracks(demo: Demo, values: Iterable[Value]) -> dict[str, str]:
    """Track ids are made of what is written on an element: those that tell a value, and what they are called now."""
    types = {e.track_id: str(e.type) for found in demo.elements.values() for e in found if e.track_id is not None}
    for step in demo.steps:
        for target in (step.action.target, step.action.end):
            if target is not None and target.track_id is not None:
                types.setdefault(target.track_id, "element")
    slugs = [(_slug(value.text), value.kind) for value in values]
    renamed: dict[str, str] = {}
    used = set(types)
    for track, kind in types.items():
        told = next((name for slug, name in slugs if slug and _tells(track, slug)), None)
        if told is not None:
            stem = f"{kind}_{told}"
            renamed[track] = next(name for n in itertools.count() if (name := f"{stem}_{n}") not in used)
            used.add(renamed[track])
    return renamed


def _tells(track: str, slug: str) -> bool:
    """Whether a track id tells a value, whole or cut off at its end."""
    plain = re.sub(r"_[0-9]+$", "", _slug(track))
    if len(slug) < _MIN_SLUG:
        return f"_{slug}_" in f"_{plain}_"
    # Without the joints, because a number may stand there with other gaps.
    joined, whole = plain.replace("_", ""), slug.replace("_", "")
    if whole in joined:
        return True
    cut = any(joined.endswith(whole[:n]) for n in range(len(whole) - 1, _MIN_SLUG - 1, -1))
    return cut and len(plain) >= _SLUG_LENGTH - 1


def _slug(text: str) -> str:
    """A text as the tracker writes it into an id."""
    words = unicodedata.normalize("NFKD", text.casefold())
    return "_".join("".join(c if c.isalnum() else " " for c in words if not unicodedata.combining(c)).split())


def redact(library: Library, demo_id: str, findings: Sequence[PrivateFinding]) -> Edit:
    """Carry out what was decided: one edit in the demo's history, undone like any other.

    Every value with the decision ``replace`` gives way to its placeholder in all texts, typed keys and track ids; what
    shows it on a picture is painted over. ``keep`` is remembered, so that it is asked once. Open findings stay.

    What was recorded stays in the library, for undo; ``demopack forget`` is for what must not be there at all.

    Raises:
        BadInputError: nothing was decided, or there is no such demo.
        CorruptFrameError: a picture is damaged; nothing was changed.
        LibraryError: the demo was changed elsewhere meanwhile; nothing was changed.
        DiskFullError: nothing was changed.
    """
    edit = plan_redaction(library, library.demo(demo_id), findings)
    library.commit(demo_id, edit)
    return edit


def plan_redaction(library: Library, demo: Demo, findings: Sequence[PrivateFinding]) -> Edit:
    """The edit of :func:`redact`, not yet applied; the pictures that were painted over are stored already.

    Raises:
        BadInputError: nothing was decided that is not so already.
        CorruptFrameError: a picture is damaged.
        DiskFullError: a picture could not be stored.
    """
    replaced = [found for found in findings if found.decision == "replace"]
    kept = [found for found in findings if found.decision == "keep"]
    values = [Value(kind=found.kind, text=found.value) for found in replaced]
    finder = ValueFinder(values)
    names = {found.digest: found.placeholder for found in replaced}
    frames = painted_frames(demo, covers_of(demo, finder, names), library)
    merged = _merged_elements(demo, frames)
    rewriter = Rewriter(
        finder=finder,
        names=names,
        frames=frames,
        tracks=renamed_tracks(demo, values),
        tree=lambda key, frame: _rewritten_tree(library, demo, key, frame, lambda text: finder.replaced(text, names)),
        uids=merged,
    )
    changes = [_head_change(demo, rewriter, [*replaced, *kept])]
    changes += [Change.between(step, rewriter.step(step)) for step in demo.steps]
    for found in demo.elements.values():
        changes += [Change.between(e, None if e.uid in merged else rewriter.element(e)) for e in found]
    # What was looked through stays looked through under its new id.
    gone = sorted(old for old in frames if old in demo.parsed)
    changes += [Change.of_parsed(old, parsed=False) for old in gone]
    changes += [Change.of_parsed(new, parsed=True) for new in sorted({frames[old].id for old in gone} - demo.parsed)]
    real = tuple(change for change in changes if change.before != change.after)
    if not real:
        raise BadInputError("Nothing was decided, so nothing was changed.", hint="Say what to replace or keep.")
    label = f"{'Replace' if replaced else 'Keep'} {counted(len(replaced or kept), 'private value')}"
    return Edit(id=new_id("edit"), label=label, changes=real, provenance=by_human(reason="redaction"))


def _rewritten_tree(library: Library, demo: Demo, key: str, frame: Frame | None, new_text: Callable[[str], str]) -> str:
    """Store what is left of a tree beside a picture as it is painted now; returns its id."""
    tree = demo.trees[key]
    covered = [] if frame is None else [_on_desktop(box, frame) for box in frame.covered]
    new = without_covered(WindowTree.model_validate(mapped(WindowTree, tree.to_json(), new_text)), covered)
    return key if new == tree else library.put_tree(new)


def _on_desktop(box: Rect, frame: Frame) -> Rect:
    ends = (frame.space.to_desktop(Point(x, y)) for x, y in ((box.x1, box.y1), (box.x2, box.y2)))
    return Rect.spanning(*ends)


def _head_change(demo: Demo, rewriter: Rewriter, decided: Sequence[PrivateFinding]) -> Change:
    notes = {
        found.digest: PrivateValue(kind=found.kind, placeholder=found.placeholder, decision=found.decision)
        for found in decided
        if found.decision != "open"
    }
    head = rewriter.head(demo.head)
    new = head.model_copy(update={"redaction": {**head.redaction, **notes}})
    return Change.between(demo.head, new)


def _merged_elements(demo: Demo, frames: dict[str, Frame]) -> dict[str, str]:
    """Pictures that differed only in what was painted over are one now: elements of the later -> those of the first."""
    first: dict[str, list[Element]] = {frame.id: list(demo.elements.get(frame.id, ())) for frame in demo.frames()}
    for old in frames:
        first.pop(old, None)
    merged: dict[str, str] = {}
    for old, new in frames.items():
        own = demo.elements.get(old, ())
        there = first.setdefault(new.id, [])
        for element in own:
            twin = next((e for e in there if e.type == element.type and iou(e.box, element.box) >= _SAME_BOX_IOU), None)
            if twin is not None:
                merged[element.uid] = twin.uid
        there.extend(element for element in own if element.uid not in merged)
    return merged


_SAME_BOX_IOU = 0.8  # share of their area that two boxes of one thing have in common

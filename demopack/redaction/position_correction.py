"""Finds and mends what early versions recorded wrongly on scaled X11 desktops.

They took the scale at which programs draw (``Xft.dpi``) for the scale of positions. Events were recorded right; what
was made of them was multiplied: the pointer, its target, and the boxes that were painted over, so that secret fields
and blocked windows stayed visible. A picture of such a recording has a ``scale_factor`` other than 1 and says nothing
of ``pixels_per_unit``, which every later version says.

Mending works on every version of everything that the library keeps of a demo, and erases the pictures that showed too
much. What is not known is painted over rather than shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from demopack.domain.binding import bind, point_target
from demopack.domain.elements import Element
from demopack.domain.frames import MASK_COLOUR, Frame
from demopack.domain.geometry import Point, Rect, ScreenSpace, Size, iou, outermost, to_fraction
from demopack.domain.steps import Step
from demopack.domain.words import counted
from demopack.store import Library
from demopack.store.erasing import Rewriting, early_demos, rewrite_demo
from demopack.store.history import Json

_FIELD_FRAME_PX = 2  # what a field draws around itself
_FRAMES = ("before", "after", "final_frame")
_SAME_BOX_IOU = 0.5  # overlap (IoU) from which two boxes mean one thing


@dataclass(frozen=True, slots=True, kw_only=True)
class MisplacedDemo:
    """A demo with positions that are wrong.

    Attributes:
        id: of the demo.
        task: of the demo.
        steps: how many of its steps are concerned.
        scale: by how much positions were multiplied, for instance 2.0.
    """

    id: str
    task: str
    steps: int
    scale: float


@dataclass(kw_only=True)
class CorrectedDemo:
    """What was done to one demo.

    Attributes:
        id: of the demo.
        task: of the demo.
        moved: steps whose pointer lies elsewhere now.
        rebound: of these, steps that act on another element now, or on none.
        covered: pictures that were painted over.
        erased: pictures that showed too much and are gone for good.
        lost: sentences about what cannot be had again, or is not known.
    """

    id: str
    task: str
    moved: int = 0
    rebound: int = 0
    covered: int = 0
    erased: int = 0
    lost: list[str] = field(default_factory=list[str])


def misplaced_demos(library: Library) -> list[MisplacedDemo]:
    """The demos of a library whose positions are wrong, deleted ones among them; costs one look at each step."""
    found: list[MisplacedDemo] = []
    for head, steps in early_demos(library):
        scales = [[scale for frame in _frames_in(step) if (scale := _wrong_scale(frame)) is not None] for step in steps]
        concerned = [each[0] for each in scales if each]
        if concerned and str(head.get("platform", "")).startswith("linux"):
            found.append(
                MisplacedDemo(id=head["id"], task=head.get("task", ""), steps=len(concerned), scale=concerned[0])
            )
    return found


def correct_positions(
    library: Library, demo: MisplacedDemo, *, blocked_regions: Sequence[Rect] = (), cover_unknown: bool = False
) -> CorrectedDemo:
    """Mend one demo in one transaction.

    Args:
        library: that holds it.
        demo: as :func:`misplaced_demos` found it.
        blocked_regions: what is blocked by the settings as they are now, in units of the desktop; that is covered
            where the demo does not tell.
        cover_unknown: paint over everything that lies so far to the right or below that it could not be covered while
            recording, as nothing tells what there was.

    Raises:
        LibraryError: nothing was changed.
    """
    mended = CorrectedDemo(id=demo.id, task=demo.task)

    def change(rewriting: Rewriting) -> None:
        _Mending(rewriting, mended, scale=demo.scale).run(blocked_regions, cover_unknown=cover_unknown)

    mended.erased = rewrite_demo(library, demo.id, change)
    return mended


def _frames_in(entity: Json) -> Iterator[Json]:
    return (entity[name] for name in _FRAMES if entity.get(name))


def _wrong_scale(frame: Json) -> float | None:
    """By how much positions on this picture were multiplied; None where they are right."""
    scale = float(frame.get("scale_factor", 1.0))
    return None if frame.get("pixels_per_unit") is not None or scale == 1.0 else scale


@dataclass(slots=True, kw_only=True)
class _Picture:
    """One picture that was covered in the wrong places.

    Attributes:
        frame: as it stands.
        scale: by which positions on it were multiplied.
        boxes: what was painted over, pixels.
        wanted: what should have been, pixels.
        new_id: of the picture with that.
    """

    frame: Json
    scale: float
    boxes: set[Rect] = field(default_factory=set[Rect])
    wanted: list[Rect] = field(default_factory=list[Rect])
    new_id: str = ""

    @property
    def size(self) -> Size:
        return Size(int(self.frame["width"]), int(self.frame["height"]))

    def divided(self, box: Rect) -> Rect:
        """Where a box really is that was multiplied; one that was cut off at the picture's edge may reach as far."""
        size, scale = self.size, self.scale
        right = size.width if box.x2 >= size.width else math.ceil(box.x2 / scale)
        bottom = size.height if box.y2 >= size.height else math.ceil(box.y2 / scale)
        return Rect(math.floor(box.x1 / scale), math.floor(box.y1 / scale), right, bottom)

    def not_coverable(self, secret: Sequence[Rect], *, everything: bool) -> list[Rect]:
        """The secret boxes (units of the desktop), or every part, whose multiplied place lies beyond the picture."""
        (width, height), scale = self.size, self.scale
        space = ScreenSpace(origin_x=int(self.frame["origin_x"]), origin_y=int(self.frame["origin_y"]))
        found = [box for box in map(space.to_pixels, secret) if box.x1 * scale >= width or box.y1 * scale >= height]
        right, bottom = math.floor(width / scale), math.floor(height / scale)
        return [*found, *([Rect(right, 0, width, height), Rect(0, bottom, width, height)] if everything else [])]


class _Mending:
    """One demo, from its history to its new one; ``scale`` counts where a step has no picture that tells."""

    def __init__(self, rewriting: Rewriting, mended: CorrectedDemo, *, scale: float) -> None:
        self._rewriting, self._history = rewriting, rewriting.history
        self._mended, self._scale = mended, scale
        self._pictures: dict[str, _Picture] = {}
        self._recorded = {
            key: data["pointer"] for (kind, key), data in self._history.recorded.items() if kind == "step"
        }
        self._elements: dict[str, list[Element]] = {}

    def run(self, blocked: Sequence[Rect], *, cover_unknown: bool) -> None:
        """Do it; the arguments are those of :func:`correct_positions`."""
        self._find_pictures()
        self._cover_pictures([*blocked, *self._secret_fields()], cover_unknown=cover_unknown)
        self._tell_losses(cover_unknown=cover_unknown)
        self._correct_elements()
        now = self._history.now
        steps = [place for place, step in now.items() if place[0] == "step" and self._pointer(step) is not None]
        old = [now[place].get("target_uid") for place in steps]
        self._history.replace("step", self._step)
        self._history.replace("head", self._with_frames)
        self._mended.moved = len(steps)
        self._mended.rebound = sum(now[place].get("target_uid") != uid for place, uid in zip(steps, old, strict=True))
        self._correct_timeline()

    # Pictures ---------------------------------------------------------------------------------------------------

    def _find_pictures(self) -> None:
        entities = (data for kind, _, data in self._history.versions() if kind in {"step", "head"})
        for frame in [*(f for data in entities for f in _frames_in(data)), *self._rewriting.timeline.values()]:
            if (scale := _wrong_scale(frame)) is not None:
                picture = self._pictures.setdefault(frame["id"], _Picture(frame=frame, scale=scale))
                picture.boxes.update(Rect(*box) for box in frame.get("covered", ()))

    def _cover_pictures(self, secret: Sequence[Rect], *, cover_unknown: bool) -> None:
        for key, picture in self._pictures.items():
            known = [picture.divided(box) for box in picture.boxes]
            unknown = picture.not_coverable(secret, everything=cover_unknown)
            picture.wanted = [part for box in (*known, *unknown) if (part := box.clamped(picture.size)).area]
            missing = [box for box in picture.wanted if not any(done.encloses(box) for done in picture.boxes)]
            picture.new_id = key
            if missing:
                image = np.array(self._rewriting.get_image(key))
                for box in missing:
                    image[box.y1 : box.y2, box.x1 : box.x2] = MASK_COLOUR
                picture.new_id = self._rewriting.put_image(image)
                self._mended.covered += 1

    def _secret_fields(self) -> set[Rect]:
        """Where secret fields were, units of the desktop, with what they draw around themselves."""
        found: set[Rect] = set()
        for kind, _, data in self._history.versions():
            for told in (data.get("focused"), data.get("pointed")) if kind == "step" else ():
                if told and told.get("secure") and told.get("box"):
                    found.add(Rect(*told["box"]).grown(_FIELD_FRAME_PX))
        return found

    def _tell_losses(self, *, cover_unknown: bool) -> None:
        lost = self._mended.lost
        greyed = sum(
            not all(any(other.encloses(box) for other in picture.wanted) for box in picture.boxes)
            for picture in self._pictures.values()
        )
        if greyed:
            lost.append(
                f"On {counted(greyed, 'picture')} a part stays grey that showed nothing secret: its pixels were never "
                "stored."
            )
        heads = [data for (kind, _), data in self._history.recorded.items() if kind == "head"]
        if any(head.get("area", "all") != "all" for head in heads):
            lost.append(
                "Clicks in the right and lower part of the recorded area were left out while recording; they cannot be "
                "had again."
            )
        if not cover_unknown:
            share = f"beyond {1 / self._scale:.0%} of the width or height"
            lost.append(
                f"Windows that were blocked by title or program and lay wholly {share} of the screen were not covered, "
                "and nothing tells where they were: look at the pictures before you give this demo away."
            )

    def _correct_timeline(self) -> None:
        timeline = self._rewriting.timeline
        framed = {shown: self._frame(frame) for shown, frame in timeline.items()}
        timeline.clear()
        last = ""
        for shown, frame in framed.items():
            if frame["id"] != last:  # how often a covered field changed would tell how much was typed there
                timeline[shown] = frame
            last = frame["id"]

    def _frame(self, frame: Json) -> Json:
        picture = self._pictures.get(frame["id"])
        if picture is None or _wrong_scale(frame) is None:
            return frame
        covered = [box.corners for box in outermost({*picture.boxes, *picture.wanted})]
        return {**frame, "id": picture.new_id, "pixels_per_unit": 1.0, "covered": covered}

    def _with_frames(self, entity: Json) -> Json:
        wrong = [name for name in _FRAMES if entity.get(name) and _wrong_scale(entity[name]) is not None]
        return {**entity, **{name: self._frame(entity[name]) for name in wrong}} if wrong else entity

    # Elements ---------------------------------------------------------------------------------------------------

    def _correct_elements(self) -> None:
        """Elements go to the new pictures; those that were seen where a picture is covered now are forgotten."""
        first = {picture.new_id: key for key, picture in reversed(self._pictures.items())}
        same = {key for key, picture in self._pictures.items() if first[picture.new_id] != key}

        def gone(kind: str, key: str, data: Json | None) -> bool:
            if kind == "parsed":
                return key in same
            return kind == "element" and data is not None and (data["frame"] in same or self._is_void(data))

        self._history.drop(gone)
        self._history.replace("element", self._element)
        self._history.rename("parsed", {key: picture.new_id for key, picture in self._pictures.items()})
        for (kind, _), data in self._history.now.items():
            if kind == "element":
                self._elements.setdefault(data["frame"], []).append(Element.model_validate(data))

    def _is_void(self, data: Json) -> bool:
        """Whether an element shows what is covered now, or was told by accessibility and found where it really is."""
        picture = self._pictures.get(data["frame"])
        if picture is None:
            return False
        box = Rect(*data["box"])
        if _is_told(data):
            box = picture.divided(box)
            others = [other for (kind, _), other in self._history.now.items() if kind == "element"]
            mine = [Rect(*other["box"]) for other in others if other["frame"] == data["frame"] and not _is_told(other)]
            if any(iou(other, box) >= _SAME_BOX_IOU for other in mine):
                return True
        # The field itself stays: it is what was clicked and typed into.
        return _is_hidden(box, picture) and not any(iou(box, hidden) >= _SAME_BOX_IOU for hidden in picture.wanted)

    def _element(self, data: Json) -> Json:
        picture = self._pictures.get(data["frame"])
        if picture is None:
            return data
        new: Json = {**data, "frame": picture.new_id}
        if _is_told(data):
            new["box"] = picture.divided(Rect(*data["box"])).clamped(picture.size).corners
        told = [said for said in data["evidence"] if said["source"] == "accessibility" and said.get("box")]
        new["evidence"] = [said for said in data["evidence"] if said not in told]
        for said in told:
            box = picture.divided(Rect(*said["box"])).clamped(picture.size)
            if iou(box, Rect(*new["box"])) >= _SAME_BOX_IOU:  # else it was said of something else
                new["evidence"].append({**said, "box": box.corners})
        if _is_hidden(Rect(*new["box"]), picture):
            new["text"] = None
            new["evidence"] = [{**said, "text": None} for said in new["evidence"]]
        return new

    # Steps ------------------------------------------------------------------------------------------------------

    def _step(self, step: Json) -> Json:
        pointer = self._pointer(step)
        new = self._with_frames(step)
        if pointer is not None:
            frame = next(_frames_in(new), None)
            new = {**new, "pointer": pointer}
            if frame is not None:
                new["action"] = _aimed(step["action"], pointer, Frame.model_validate(frame))
        return new if new is step else self._rebound(new)

    def _pointer(self, step: Json) -> Json | None:
        """The pointer where it really was; None where there is none, or where a person has put it."""
        pointer, frame = step.get("pointer"), next(_frames_in(step), None)
        scale = self._scale if frame is None else _wrong_scale(frame)
        if not pointer or scale is None:
            return None
        origin = (0, 0) if frame is None else (int(frame["origin_x"]), int(frame["origin_y"]))
        pressed = [(int(e["x"]) - origin[0], int(e["y"]) - origin[1]) for e in step["events"] if "x" in e]
        at = next(
            (p for p in pressed if (round(p[0] * scale), round(p[1] * scale)) == (pointer["x"], pointer["y"])), None
        )
        if at is None and pointer != self._recorded.get(step["id"]):
            return None
        new = _divided(pointer, scale, "x", "y")
        if at is not None:
            new["x"], new["y"] = at
        if pointer.get("end_x") is not None:
            new = _divided(new, scale, "end_x", "end_y")
        return {**new, "path": [_divided(point, scale, "x", "y") for point in pointer.get("path", ())]}

    def _rebound(self, step: Json) -> Json:
        """Bound to what really lies under the pointer, where it was bound to something that does not."""
        frame = step.get("before")
        if step.get("target_uid") is None or frame is None:
            return step
        elements = self._elements.get(frame["id"], [])
        model = Step.model_validate(step)
        target = next((element for element in elements if element.uid == model.target_uid), None)
        if model.pointer is None:
            return step if target is not None else {**step, "target_uid": None}
        if target is not None and target.box.contains(Point(model.pointer.x, model.pointer.y)):
            return step
        bound = bind(model, elements)
        return {**step, "target_uid": bound.target_uid, "end_uid": bound.end_uid}


def _aimed(action: Json, pointer: Mapping[str, Any], frame: Frame) -> Json:
    """The action with the points that the recorder wrote where they really were; a target with more is a person's."""
    new, parameters = dict(action), dict(action.get("parameters", {}))
    if _is_point(action.get("target")):
        at = Point(pointer["x"], pointer["y"])
        new["target"] = {**action["target"], **point_target(at, frame).to_wire()}
    if _is_point(parameters.get("end_target")) and pointer.get("end_x") is not None:
        parameters["end_target"] = point_target(Point(pointer["end_x"], pointer["end_y"]), frame).to_wire()
        if "path" in parameters:
            between = (Point(p["x"], p["y"]) for p in pointer["path"][1:-1])
            parameters["path"] = [list(to_fraction(point, frame.size)) for point in between]
    new["parameters"] = parameters
    return new


def _is_point(target: Json | None) -> bool:
    return target is not None and target.get("text") is None and list(target.get("bbox") or ())[2:] == [0, 0]


def _divided(place: Json, scale: float, *names: str) -> Json:
    return {**place, **{name: round(place[name] / scale) for name in names}}


def _is_told(element: Json) -> bool:
    return bool(element["source"] == "accessibility" and element["review"] == "unreviewed")


def _is_hidden(box: Rect, picture: _Picture) -> bool:
    """Whether most of it is covered now."""
    return any(box.share_in(hidden) > 0.5 for hidden in picture.wanted)

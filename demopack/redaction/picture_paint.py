"""Parts of pictures that show a value, and the pictures with the placeholder in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import MASK_COLOUR, Frame, RgbImage
from demopack.domain.geometry import Rect, Size, outermost
from demopack.domain.steps import Step
from demopack.redaction.text_locations import keys_text
from demopack.redaction.values import ValueFinder
from demopack.store import Library

INK = (20, 20, 20)
"""Colour of what is written there instead."""

_LARGEST, _SMALLEST = 16, 7  # pixels of the writing; what would have to be smaller is left out
_MARGIN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintedText:
    """One part of a picture that must not be seen.

    Attributes:
        box: pixels of the picture.
        words: what is written there instead: the text without the values, as the element has it now.
    """

    box: Rect
    words: str


def covers_of(demo: Demo, finder: ValueFinder, names: Mapping[str, str]) -> dict[str, tuple[PaintedText, ...]]:
    """Frame id -> what shows a value: elements with that text, fields it was typed into, what accessibility told.

    Args:
        demo: as it stands.
        finder: of the values.
        names: digest of each -> its placeholder.

    Returns:
        Boxes clipped to their picture; a picture that shows none is not named.
    """
    sizes = {frame.id: frame.size for frame in demo.frames()}
    covers: dict[str, list[PaintedText]] = {}
    for key, elements in demo.elements.items():
        new = [(element, finder.replaced_read(element.text, names)) for element in elements if element.text]
        covers[key] = [PaintedText(box=element.box, words=words) for element, words in new if words != element.text]
    for number, step in enumerate(demo.steps):
        for frame, cover in _told_by_system(step, finder, names):
            covers.setdefault(frame.id, []).append(cover)
        typed = _typed(step, finder, names)
        if typed is not None:
            for key, box in _typed_into(demo, number):
                covers.setdefault(key, []).append(PaintedText(box=box, words=typed))
    clipped = {key: _clipped(found, sizes[key]) for key, found in covers.items() if key in sizes}
    return {key: found for key, found in clipped.items() if found}


def _typed(step: Step, finder: ValueFinder, names: Mapping[str, str]) -> str | None:
    """What stands for the typed text of a step that types a value; None for every other step."""
    for text in (step.action.typed_text, step.clipboard, keys_text(step)):
        new = finder.replaced(text, names) if text else text
        if new and new != text:
            return new
    return None


def _told_by_system(step: Step, finder: ValueFinder, names: Mapping[str, str]) -> Iterator[tuple[Frame, PaintedText]]:
    """The focused and the pointed element where name or value tells one; on both pictures of the step."""
    for seen in (step.focused, step.pointed):
        if seen is None or seen.box is None:
            continue
        told = next((new for text in (seen.value, seen.name) if (new := finder.replaced(text, names)) != text), None)
        for frame in (step.before, step.after):
            if told is not None and frame is not None:
                yield frame, PaintedText(box=frame.space.to_pixels(seen.box), words=told)


def _typed_into(demo: Demo, number: int) -> Iterator[tuple[str, Rect]]:
    """The field that took a value, on the picture after the typing and on every later one where it looks the same.

    Whoever reads pictures may have misread the value beyond recognition; that it was typed there is known all the same.
    """
    step = demo.steps[number]
    before = () if step.before is None else demo.elements.get(step.before.id, ())
    field = next((element for element in before if element.uid == step.target_uid), None)
    if step.after is None or field is None or step.before is None or step.after.size != step.before.size:
        return
    filled = next((e for e in demo.elements.get(step.after.id, ()) if _same(e, field)), None)
    yield step.after.id, field.box if filled is None else filled.box
    if filled is None or not filled.text:
        return
    for later in demo.steps[number + 1 :]:
        for frame in (later.before, later.after):
            shown = () if frame is None else demo.elements.get(frame.id, ())
            yield from ((e.frame, e.box) for e in shown if _same(e, field) and e.text == filled.text)


def _same(one: Element, other: Element) -> bool:
    return one.track_id is not None and one.track_id == other.track_id


def _clipped(covers: Sequence[PaintedText], size: Size) -> tuple[PaintedText, ...]:
    """On the picture, with an area, each box once (its first words count), from the top; none inside another."""
    words: dict[Rect, str] = {}
    for cover in covers:
        part = cover.box.clamped(size)
        if part.area:
            words.setdefault(part, cover.words)
    return tuple(PaintedText(box=box, words=words[box]) for box in outermost(words))


def paint_over(image: RgbImage, covers: Iterable[PaintedText]) -> RgbImage:
    """A copy of a picture in which these boxes are one flat colour with their words on it, where there is room.

    Nothing of what is left in a box depends on what was there before.
    """
    picture = Image.fromarray(np.ascontiguousarray(image))
    pen = ImageDraw.Draw(picture)
    found = list(covers)
    for cover in found:
        pen.rectangle((cover.box.x1, cover.box.y1, cover.box.x2 - 1, cover.box.y2 - 1), fill=MASK_COLOUR)
    written: list[Rect] = []
    for cover in found:
        if all(cover.box.intersection(other) is None for other in written):
            written.append(cover.box)
            _write(pen, cover)
    return np.asarray(picture, dtype=np.uint8)


def _write(pen: ImageDraw.ImageDraw, cover: PaintedText) -> None:
    box, words = cover.box, " ".join(cover.words.split())
    for size in range(min(round(box.height * 0.6), _LARGEST), _SMALLEST - 1, -1):
        font = _font(size)
        if font is None:
            return
        if font.getlength(words) <= box.width - 2 * _MARGIN:
            pen.text((box.x1 + _MARGIN, (box.y1 + box.y2) / 2), words, fill=INK, font=font, anchor="lm")
            return


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | None:
    """Pillow's own; None where Pillow was built without a way to draw it."""
    font = ImageFont.load_default(size)
    return font if isinstance(font, ImageFont.FreeTypeFont) else None


def painted_frames(demo: Demo, covers: Mapping[str, tuple[PaintedText, ...]], library: Library) -> dict[str, Frame]:
    """Frame id -> the frame of the picture that was painted over and stored; ``covered`` are the boxes.

    Raises:
        CorruptFrameError: a picture is missing or damaged.
        DiskFullError: a picture could not be stored.
    """
    painted: dict[str, Frame] = {}
    for frame in demo.frames():
        if frame.id not in covers:
            continue
        key = library.put_image(paint_over(library.get_image(frame.id), covers[frame.id]))
        if key != frame.id:  # where it was painted over already, nothing changes
            boxes = tuple(cover.box for cover in covers[frame.id])
            painted[frame.id] = frame.model_copy(update={"id": key, "covered": boxes})
    return painted

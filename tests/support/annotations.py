"""Elements of every kind for round trips, and a library-less way through a format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from demopack.annotations.merging import DemoMerge, FrameMerge
from demopack.codecs.boxes.base import (
    AnnotatedPicture,
    AnnotationFormat,
    AnnotationOptions,
    DecodeContext,
    DecodedPicture,
    ExportLosses,
)
from demopack.codecs.output import Output
from demopack.domain.elements import ELEMENT_TYPES, STATES, Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, Size

FRAME = Frame(id="ab" * 32, width=320, height=200)
_HARD = (
    "OK", "Größe", "שלום עולם", "مرحبا", "👩🏽‍🚀 go", "a\nb\tc\rd", " <&>\"' ", "]]>", "0", "-", "{x}", "true",
)  # fmt: skip
WORDS = st.sampled_from(_HARD) | st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)
"""Texts with everything that breaks a careless writer."""


@st.composite
def _element(draw: st.DrawFn, number: int) -> Element:
    x1, x2 = sorted(draw(st.lists(st.integers(0, FRAME.width), min_size=2, max_size=2, unique=True)))
    y1, y2 = sorted(draw(st.lists(st.integers(0, FRAME.height), min_size=2, max_size=2, unique=True)))
    by_program = draw(st.booleans())
    return Element(
        uid=f"el_{number:010x}",
        frame=FRAME.id,
        type=draw(st.sampled_from(ELEMENT_TYPES)),
        box=Rect(x1, y1, x2, y2),
        text=draw(st.none() | WORDS),
        mark_box=draw(st.sampled_from([None, Rect(x1, y1, x2, y2)])),
        placeholder=draw(st.none() | WORDS),
        subtype=draw(st.none() | WORDS),
        states=draw(st.dictionaries(st.sampled_from(STATES), st.booleans())),
        source=draw(st.sampled_from(["ocr", "detector", "describer", "accessibility"])) if by_program else "human",
        confidence=draw(st.none() | st.floats(0, 1)) if by_program else None,
        review=draw(st.sampled_from(["unreviewed", "approved", "rejected"])),
        track_id=draw(st.none() | WORDS),
        parent=draw(st.none() | st.sampled_from(["", "el_0000000000", "el_0000000001"])),
    )


@st.composite
def elements(draw: st.DrawFn, *, most: int = 4) -> tuple[Element, ...]:
    """Elements of one frame."""
    return tuple(draw(_element(number)) for number in range(draw(st.integers(0, most))))


def carried(form: AnnotationFormat, given: Sequence[Element], *, rejected: bool = True) -> tuple[Element, ...]:
    """The elements as the format can say them."""
    return form.capabilities.encodable(given, FRAME.size, "p", ExportLosses(), rejected=rejected)


def through(form: AnnotationFormat, given: Sequence[Element], folder: Path) -> list[DecodedPicture]:
    """Write one picture and read it."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"frame--0001-{FRAME.id[:8]}.png"
    picture = AnnotatedPicture(name=name, frame=FRAME.id, size=FRAME.size, demo="d", elements=tuple(given))
    form.encode([picture], Output(folder), AnnotationOptions(rejected=True))
    return list(form.decode(DecodeContext(path=folder, frames={name: FRAME.id})))


def read(form: AnnotationFormat, path: Path, **fields: object) -> tuple[list[DecodedPicture], DecodeContext]:
    """What a format reads of a file or folder."""
    reading = DecodeContext(path=path, **fields)  # type: ignore[arg-type]
    return list(form.decode(reading)), reading


def joined(
    form: AnnotationFormat, picture: DecodedPicture, existing: Sequence[Element] = (), *, theirs: bool = False
) -> FrameMerge:
    """What a picture would do to the frame."""
    frame = FRAME if picture.size in {None, FRAME.size} else FRAME.model_copy(update=_size(picture.size))
    return DemoMerge(capabilities=form.capabilities, taken=lambda _: False, theirs=theirs).merge(
        frame, existing, picture.boxes
    )


def _size(size: Size | None) -> dict[str, int]:
    assert size is not None
    return {"width": size.width, "height": size.height}

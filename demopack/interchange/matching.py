"""Which frame a picture of a file is: by its id, by its pixels, by its name and size."""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Size
from demopack.interchange.reading import objects, read_bytes, read_json, wrong
from demopack.interchange.values import PictureIn

__all__ = ["Matched", "match_pictures", "picture_of", "shows"]

_OURS = re.compile(r"--\d+-([0-9a-f]{8})\.[a-z]+$")
_MOST_PIXELS = 100_000_000


@dataclass(slots=True, kw_only=True)
class Matched:
    """What became of the pictures.

    Attributes:
        frames: pairs of a frame and a picture that shows it.
        unknown: pictures that no frame shows, and why.
    """

    frames: list[tuple[Frame, PictureIn]] = field(default_factory=list[tuple[Frame, PictureIn]])
    unknown: list[tuple[PictureIn, str]] = field(default_factory=list[tuple[PictureIn, str]])


def match_pictures(pictures: Sequence[PictureIn], frames: Sequence[Frame]) -> Matched:
    """Find the frames that pictures show.

    What a file of ours says about the frame counts first, then the pixels, then a name that an export of ours gives;
    a picture of a video without a name is the frame of that number, if the size is the same.

    Raises:
        BadInputError: a picture's file is damaged, or has another size than the annotations say.
    """
    by_id = {frame.id: frame for frame in frames}
    by_start = {frame.id[:8]: frame for frame in frames}
    found = Matched()
    for picture in pictures:
        frame = by_id.get(picture.frame) or _named(picture.name, by_start) or _shown(picture, by_id)
        if frame is None and picture.number is not None and picture.file is None and picture.number < len(frames):
            frame = frames[picture.number]
        if frame is None:
            found.unknown.append((picture, "no frame of the demo shows it"))
        elif picture.size is not None and picture.size != frame.size:
            said, real = _words(picture.size), _words(frame.size)
            found.unknown.append((picture, f"the file says {said} pixels, the frame has {real}"))
        else:
            found.frames.append((frame, picture))
    return found


def shows(frames: Sequence[Frame], picture: PictureIn) -> bool:
    """Whether one of some frames is the one that a picture shows; a place in a video alone does not tell."""
    return bool(match_pictures([replace(picture, number=None)], frames).frames)


def _words(size: Size) -> str:
    return f"{size.width} x {size.height}"


def _named(name: str, by_start: Mapping[str, Frame]) -> Frame | None:
    found = _OURS.search(name)
    return None if found is None else by_start.get(found[1])


def _shown(picture: PictureIn, by_id: Mapping[str, Frame]) -> Frame | None:
    if picture.size is not None and all(frame.size != picture.size for frame in by_id.values()):
        return None
    image = picture_of(picture)
    return None if image is None else by_id.get(frame_id(image))


def picture_of(picture: PictureIn) -> RgbImage | None:
    """The pixels of a picture, shape (height, width, 3); None where there is no file.

    Raises:
        BadInputError: the file is damaged, or has another size than the annotations say.
    """
    import numpy as np
    from PIL import Image

    if picture.file is not None:
        data, where = read_bytes(picture.file), str(picture.file)
    elif picture.embedded_in is not None:
        data, where = _embedded(picture.embedded_in), f"{picture.embedded_in}, imageData"
    else:
        return None
    try:
        with Image.open(io.BytesIO(data)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                wrong(where, f"The picture has {opened.width} x {opened.height} pixels.", "Use a smaller one.")
            image = np.asarray(opened.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        wrong(where, "The picture cannot be read.", "Replace it, or leave it out.", details=str(error))
    size = Size(image.shape[1], image.shape[0])
    if picture.size is not None and picture.size != size:
        wrong(
            picture.where,
            f"The file says {_words(picture.size)} pixels, but {Path(where).name} has {_words(size)}.",
            "Correct the width and height in the file, or bring the right picture.",
        )
    return image


def _embedded(path: Path) -> bytes:
    try:
        return base64.b64decode(str(objects(read_json(path)).get("imageData")), validate=True)
    except binascii.Error as error:
        wrong(path, "“imageData” is not base64.", "Set it to null and keep the picture beside.", details=str(error))

"""Matching of pictures with frames: by its id, by its pixels, by its name and size."""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Sequence
from pathlib import Path

from demopack.codecs.boxes.base import DecodedPicture
from demopack.codecs.boxes.input_files import read_bytes, read_json, refuse
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Size
from demopack.json_text import object_in

_OUR_NAME = re.compile(r"--\d+-([0-9a-f]{8})\.[a-z]+$")
_MAX_PIXELS = 100_000_000


def match_pictures(
    pictures: Sequence[DecodedPicture], frames: Sequence[Frame]
) -> tuple[list[tuple[Frame, DecodedPicture]], dict[str, str]]:
    """Find the frames that pictures show.

    What a file of ours says about the frame counts first, then the pixels, then a name that an export of ours gives;
    a picture of a video without a name is the frame of that number, if the size is the same.

    Returns:
        Each frame with a picture that shows it, and why each other picture, by its name, was passed over.

    Raises:
        BadInputError: a picture's file is damaged, or has another size than the annotations say.
    """
    by_id = {frame.id: frame for frame in frames}
    by_start = {frame.id[:8]: frame for frame in frames}
    found: list[tuple[Frame, DecodedPicture]] = []
    unknown: dict[str, str] = {}
    for picture in pictures:
        named = _OUR_NAME.search(picture.name)
        frame = by_id.get(picture.frame) or (by_start.get(named[1]) if named else None)
        if frame is None and (picture.size is None or any(one.size == picture.size for one in frames)):
            image = load_picture(picture)
            frame = None if image is None else by_id.get(frame_id(image))
        if frame is None and picture.number is not None and picture.file is None and picture.number < len(frames):
            frame = frames[picture.number]
        if frame is None:
            unknown[picture.name] = "no frame of the demo shows it"
        elif picture.size is not None and picture.size != frame.size:
            said, real = _size_text(picture.size), _size_text(frame.size)
            unknown[picture.name] = f"the file says {said} pixels, the frame has {real}"
        else:
            found.append((frame, picture))
    return found, unknown


def _size_text(size: Size) -> str:
    return f"{size.width} x {size.height}"


def load_picture(picture: DecodedPicture) -> RgbImage | None:
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
            if opened.width * opened.height > _MAX_PIXELS:
                refuse(where, f"The picture has {opened.width} x {opened.height} pixels.", "Use a smaller one.")
            image = np.asarray(opened.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        refuse(where, "The picture cannot be read.", "Replace it, or leave it out.", details=str(error))
    size = Size(image.shape[1], image.shape[0])
    if picture.size is not None and picture.size != size:
        refuse(
            picture.where,
            f"The file says {_size_text(picture.size)} pixels, but {Path(where).name} has {_size_text(size)}.",
            "Correct the width and height in the file, or bring the right picture.",
        )
    return image


def _embedded(path: Path) -> bytes:
    try:
        return base64.b64decode(str(object_in(read_json(path)).get("imageData")), validate=True)
    except binascii.Error as error:
        refuse(path, "“imageData” is not base64.", "Set it to null and keep the picture beside.", details=str(error))

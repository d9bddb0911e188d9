"""Pictures of an import, out of files and videos: each decoded once to be checked and named, and again to be stored."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import itertools
import math
import shutil
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demopack.codecs.files.json_object import BadRowError
from demopack.codecs.files.source import SourceFiles
from demopack.domain.frames import Frame, frame_id
from demopack.domain.geometry import Size
from demopack.replacing import scratch_folder

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage

MAX_PIXELS: Final = 40_000_000
"""Of one picture; a desktop of five 4K monitors."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "BMP")
_MAX_COPIED_BYTES: Final = 8 << 30
_USUAL_FPS: Final = 30.0


def decode_picture(data: bytes) -> RgbImage:
    """The pixels of a picture file, shape (height, width, 3).

    Raises:
        ValueError: it is no picture, damaged, or has too many pixels; the message says which.
    """
    import numpy as np
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
                # Nothing is unpacked before this is known.
                if picture.width * picture.height > MAX_PIXELS:
                    raise ValueError(f"it has {picture.width} x {picture.height} pixels, more than are read")
                return np.asarray(picture.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError("it is no picture that can be read") from error


class FrameLoader:
    """Knows every picture of one demo by its id, and how to get its pixels again.

    Attributes:
        files: where pictures are read from.
    """

    def __init__(self, files: SourceFiles) -> None:
        self.files = files
        self._loads: dict[str, Callable[[], RgbImage]] = {}
        self._known: dict[str, Frame] = {}
        self._folder: Path | None = None

    def file(self, name: str) -> Frame:
        """The picture in a file.

        Raises:
            BadRowError: it is missing or damaged.
        """
        return self.bytes(name, lambda: self.files.read(name))

    def bytes(self, name: str, read: Callable[[], bytes]) -> Frame:
        """The picture in some bytes that can be read again.

        Args:
            name: of it, for errors; equal names are the same picture.
            read: gives the bytes.

        Raises:
            BadRowError: it is damaged.
        """

        def load() -> RgbImage:
            try:
                return decode_picture(read())
            except ValueError as error:
                raise BadRowError(str(error), file=name, code="damaged_picture") from error

        if name not in self._known:
            self._known[name] = self._named(load(), load)
        return self._known[name]

    def pixels(self, image: RgbImage) -> Frame:
        """A picture that was made, not read: it waits as a file of its own until it is stored."""
        from PIL import Image

        folder = self._folder
        if folder is None:
            folder = self._folder = Path(self.files.enter_context(scratch_folder()))
        key = frame_id(image)
        path = folder / f"{key}.png"
        if not path.exists():
            Image.fromarray(image).save(path, format="PNG", compress_level=6)
        return self._named(image, lambda: decode_picture(path.read_bytes()))

    def image(self, key: str) -> RgbImage:
        """The pixels of a picture by its id.

        Raises:
            BadRowError: the file has changed meanwhile.
        """
        image = self._loads[key]()
        if frame_id(image) != key:
            raise BadRowError("a picture changed while it was imported", file=str(self.files.path))
        return image

    def _named(self, image: RgbImage, load: Callable[[], RgbImage]) -> Frame:
        key = frame_id(image)
        self._loads.setdefault(key, load)
        return Frame(id=key, width=image.shape[1], height=image.shape[0])


TimedPicture = tuple[float, Callable[[], "RgbImage"]]
"""Seconds since a video's begin, and the pixels of the picture that is shown from then on, decoded when asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """A video that can be read once from its beginning, as often as one likes.

    Attributes:
        path: of its file.
        size: of its pictures.
        frame_s: seconds that one picture is shown.
        pictures: each picture in order.
        end_s: a moment after its last picture.
    """

    path: Path
    size: Size
    frame_s: float
    pictures: Callable[[], Iterator[TimedPicture]]
    end_s: float = math.inf

    def frames_at(self, moments: Sequence[float], loader: FrameLoader) -> list[Frame | None]:
        """The newest picture at each moment; None before the first one. One pass, one picture in memory.

        Args:
            moments: seconds since the video's begin, in any order.
            loader: takes the pictures.
        """
        order = sorted(range(len(moments)), key=lambda number: moments[number])
        found: list[Frame | None] = [None] * len(moments)
        last: Callable[[], RgbImage] | None = None
        at = 0
        for seconds, pixels in itertools.chain(self.pictures(), [(math.inf, None)]):
            shown: Frame | None = None
            while at < len(order) and (moments[order[at]] < seconds or pixels is None):
                shown = shown or (None if last is None else loader.pixels(last()))
                found[order[at]] = shown
                at += 1
            if at == len(order):
                return found
            last = pixels
        return found


def _open_with_pyav(path: Path) -> Video:
    """A video by PyAV, with the video's own time of every picture."""
    av: Any = importlib.import_module("av")

    def pictures() -> Iterator[TimedPicture]:
        with av.open(str(path)) as container:
            video = container.streams.video[0]
            begin = float((video.start_time or 0) * video.time_base)
            for picture in container.decode(video):
                if picture.pts is not None:
                    yield float(picture.pts * video.time_base) - begin, partial(picture.to_ndarray, format="rgb24")

    with av.open(str(path)) as container:
        video = container.streams.video[0]
        size = Size(video.codec_context.width, video.codec_context.height)
        return Video(path=path, size=size, frame_s=float(1 / (video.average_rate or _USUAL_FPS)), pictures=pictures)


def _open_with_opencv(path: Path) -> Video:
    """A video by OpenCV."""
    import numpy as np

    cv2: Any = importlib.import_module("cv2")

    @contextlib.contextmanager
    def opened() -> Generator[Any]:
        capture = cv2.VideoCapture(str(path))
        try:
            yield capture
        finally:
            capture.release()

    def pictures() -> Iterator[TimedPicture]:
        with opened() as capture:
            while (read := capture.read())[0]:
                # The time of the picture that was read last; asked for before, it would be one picture too early.
                seconds = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
                yield seconds, partial(np.ascontiguousarray, read[1][:, :, ::-1])

    with opened() as capture:
        size = Size(int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        return Video(path=path, size=size, frame_s=1 / (rate if rate > 0 else _USUAL_FPS), pictures=pictures)


DECODERS: Final[tuple[tuple[str, Callable[[Path], Video]], ...]] = (
    ("av", _open_with_pyav),
    ("cv2", _open_with_opencv),
)
"""What reads videos, the best first: a module and how it is used."""


def open_video(files: SourceFiles, name: str) -> Video | None:
    """A video; None where nothing that reads videos is installed.

    Raises:
        BadRowError: it is damaged.
    """
    open_ = next((one for module, one in DECODERS if importlib.util.find_spec(module)), None)
    if open_ is None:
        return None
    try:
        video = open_(on_disk(files, name))
    except (OSError, ValueError, IndexError, ZeroDivisionError) as error:
        raise BadRowError("it is no film that can be read", file=name, code="damaged_film") from error
    width, height = video.size
    if not 0 < width * height <= MAX_PIXELS:
        raise BadRowError(f"its pictures have {width} x {height} pixels", file=name, code="damaged_film")
    return video


def on_disk(files: SourceFiles, name: str) -> Path:
    """A video or a database as a file of its own: what reads them reads no zips.

    Raises:
        BadRowError: it is missing, damaged or too large.
    """
    place = files.place(name)
    if place is not None:
        return place
    path = Path(files.enter_context(scratch_folder())) / f"copy{Path(name).suffix}"
    with files.open(name) as source, path.open("wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
        if target.tell() > _MAX_COPIED_BYTES:
            raise BadRowError("it is too large", file=name)
    return path

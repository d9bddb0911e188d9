"""Pictures out of a film, with whatever decoder is installed: PyAV, else OpenCV, else none."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.importing.errors import bad_row
from demopack.importing.files import Files
from demopack.importing.pictures import MOST_PIXELS, Shelf
from demopack.replacing import scratch_folder

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage

__all__ = ["DECODERS", "Film", "open_film"]

_MOST_BYTES: Final = 8 << 30
_USUAL_FPS: Final = 30.0


class Film(ABC):
    """A film that can be read once from its beginning, as often as one likes.

    Attributes:
        name: of its file, for errors.
        path: where it lies.
        size: of its pictures.
        frame_s: seconds that one picture is shown.
        end_s: a moment after its last picture.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self.size = Size(0, 0)
        self.frame_s = 1 / _USUAL_FPS
        self.end_s = float("inf")

    @abstractmethod
    def every(self) -> Iterator[tuple[float, Any]]:
        """Each picture: seconds since the film's begin, and something that :meth:`pixels` understands."""

    @abstractmethod
    def pixels(self, picture: Any) -> RgbImage:  # noqa: ANN401 - the decoder's own picture
        """Shape (height, width, 3)."""

    def pictures(self, moments: Sequence[float], shelf: Shelf) -> list[Frame | None]:
        """The newest picture at each moment; None before the first one. One pass, one picture in memory.

        Args:
            moments: seconds since the film's begin, in any order.
            shelf: takes the pictures.
        """
        order = sorted(range(len(moments)), key=lambda number: moments[number])
        found: list[Frame | None] = [None] * len(moments)
        last: Any = None
        shown: Frame | None = None
        at = 0
        for seconds, picture in self.every():
            while at < len(order) and moments[order[at]] < seconds:
                shown = shown or self._put(last, shelf)
                found[order[at]] = shown
                at += 1
            if at == len(order):
                return found
            last, shown = picture, None
        for number in order[at:]:
            shown = shown or self._put(last, shelf)
            found[number] = shown
        return found

    def _put(self, picture: Any, shelf: Shelf) -> Frame | None:  # noqa: ANN401
        return None if picture is None else shelf.pixels(self.pixels(picture))

    def checked(self, width: int, height: int) -> Film:
        """The film itself, its size noted.

        Raises:
            BadRowError: it has no pictures, or absurdly large ones.
        """
        if not 0 < width * height <= MOST_PIXELS:
            raise bad_row(f"its pictures have {width} x {height} pixels", file=self.name, code="damaged_film")
        self.size = Size(width, height)
        return self


class _Av(Film):
    """By PyAV, with the film's own time of every picture."""

    def open(self) -> Film:
        with self._container() as container:
            video = container.streams.video[0]
            rate = video.average_rate
            if rate:
                self.frame_s = float(1 / rate)
            return self.checked(video.codec_context.width, video.codec_context.height)

    def _container(self) -> Any:  # noqa: ANN401 - PyAV has no stable types
        return importlib.import_module("av").open(str(self.path))

    def every(self) -> Iterator[tuple[float, Any]]:
        with self._container() as container:
            video = container.streams.video[0]
            begin = float((video.start_time or 0) * video.time_base)
            for picture in container.decode(video):
                if picture.pts is not None:
                    yield float(picture.pts * video.time_base) - begin, picture

    def pixels(self, picture: Any) -> RgbImage:  # noqa: ANN401
        image: RgbImage = picture.to_ndarray(format="rgb24")
        return image


class _Cv(Film):
    """By OpenCV."""

    def open(self) -> Film:
        cv2, capture = self._capture()
        try:
            rate = capture.get(cv2.CAP_PROP_FPS)
            if rate > 0:
                self.frame_s = 1 / float(rate)
            return self.checked(int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        finally:
            capture.release()

    def _capture(self) -> tuple[Any, Any]:
        cv2 = importlib.import_module("cv2")
        return cv2, cv2.VideoCapture(str(self.path))

    def every(self) -> Iterator[tuple[float, Any]]:
        cv2, capture = self._capture()
        try:
            while True:
                good, picture = capture.read()
                if not good:
                    return
                # The time of the picture that was read last; asked for before, it would be one picture too early.
                yield float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000, picture
        finally:
            capture.release()

    def pixels(self, picture: Any) -> RgbImage:  # noqa: ANN401
        import numpy as np

        return np.ascontiguousarray(picture[:, :, ::-1])


DECODERS: Final[tuple[tuple[str, type[_Av | _Cv]], ...]] = (("av", _Av), ("cv2", _Cv))
"""What reads films, the best first: a module and how it is used."""


def open_film(files: Files, name: str) -> Film | None:
    """A film; None where nothing that reads films is installed.

    Raises:
        BadRowError: it is damaged.
    """
    kind = next((one for module, one in DECODERS if importlib.util.find_spec(module)), None)
    if kind is None:
        return None
    film = kind(_on_disk(files, name), name)
    try:
        return film.open()
    except (OSError, ValueError, IndexError, ZeroDivisionError) as error:
        raise bad_row("it is no film that can be read", file=name, code="damaged_film") from error


def _on_disk(files: Files, name: str) -> Path:
    """The film as a file of its own: decoders read no zips."""
    place = files.place(name)
    if place is not None:
        return place
    folder: Path = files.keep(scratch_folder())
    path = folder / f"film{Path(name).suffix}"
    with files.open(name) as source, path.open("wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
        if target.tell() > _MOST_BYTES:
            raise bad_row("it is too large", file=name)
    return path

"""Raw events of other programs' recorders: reduced as our own recorder reduces them, and made into steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from demopack.codecs.files.base import ImportLog
from demopack.codecs.files.builder import START_NS, DemoBuilder
from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.files.pictures import Video, open_video
from demopack.codecs.files.source import SourceFiles
from demopack.domain.events import Button, InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.domain.steps import Pointer
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import Gesture, GestureThresholds
from demopack.reduction.steps import PendingStep, build_step

BUTTONS: Final[dict[str, Button]] = {
    "left": "left", "right": "right", "middle": "middle", "x1": "back", "x2": "forward",
    "button8": "back", "button9": "forward",
}  # fmt: skip
"""Mouse buttons as pynput and X11 name them."""
TYPED_BY_KEY: Final = {"Space": " ", "Plus": "+"}
"""Keys that have a name and type something all the same."""
_MAX_PLACE_PX: Final = 1_000_000
_MIN_SIDE_PX, _MAX_SIDE_PX = 16, 1_000_000  # pixels of a screen
_NO_FRAME_ID: Final = "0" * 64


def whole_pixels(row: JsonObject, name: str) -> int:
    """A place across or down, in pixels.

    Raises:
        BadRowError: it is missing, or outside of every screen.
    """
    value = row.number(name)
    if value is None:
        raise row.wrong(name, "it is missing", code="no_place")
    if abs(value) > _MAX_PLACE_PX:
        raise row.wrong(name, f"{value:g} is outside of every screen", code="off_screen")
    return round(value)


def screen_size(about: JsonObject, across: str, down: str) -> Size | None:
    """The screen's size out of two fields; None where they are missing.

    Raises:
        BadRowError: no screen has so many pixels.
    """
    width, height = about.number(across), about.number(down)
    if not width or not height:
        return None
    for name, length in ((across, width), (down, height)):
        if not _MIN_SIDE_PX <= length <= _MAX_SIDE_PX:
            raise about.wrong(name, f"no screen has {length:g} pixels there", code="unknown_size",
                              hint="Say it with --screen, for instance 1920x1080.")  # fmt: skip
    return Size(int(width), int(height))


def only_film(files: SourceFiles, names: Sequence[str], log: ImportLog) -> Video | None:
    """The film of a recording; None, and told, where there is none, there are several, or nothing reads films.

    Raises:
        BadRowError: it is damaged.
    """
    if len(names) != 1:
        why = "there is no film of the screen" if not names else "there are several films, and nothing says which one"
        log.assume("no_film", f"{why}; the steps come without pictures", names[0] if names else log.source)
        return None
    video = open_video(files, names[0])
    if video is None:
        why = "no program that reads films is installed (av or opencv); the steps come without pictures"
        log.assume("no_decoder", why, names[0])
    return video


def film_scale(screen: Size, film: Size | None, place: str, log: ImportLog) -> tuple[float, float]:
    """Pixels of a film for one of the screen: across by the widths, down by the heights; told where they differ."""
    if film is None or film == screen:
        return 1.0, 1.0
    why = (
        f"places on the screen of {screen.width} x {screen.height} were drawn to the film's "
        f"{film.width} x {film.height}"
    )
    log.assume("coordinates_scaled", why, place)
    return film.width / screen.width, film.height / screen.height


def reduced(
    events: Sequence[InputEvent], about: JsonObject, log: ImportLog, thresholds: GestureThresholds | None = None
) -> list[Gesture]:
    """The gestures that events make; their times count from the first event.

    Args:
        events: in order, in pixels of the pictures.
        about: the recording, for the error.
        log: hears by which times they were reduced.
        thresholds: as the recording tells them; None for our own.

    Raises:
        BadRowError: (``no_steps``) there are events, but they make nothing.
    """
    limits = thresholds or GestureThresholds()
    gestures = reduce_all(events, limits)
    if not gestures and events:
        raise about.wrong("", "its events make no action: they are moves alone", code="no_steps")
    whose = "our own times" if thresholds is None else "the recording's own time for double clicks"
    why = (
        f"events were reduced with {whose}: double clicks within {limits.double_click_ms} ms, drags beyond "
        f"{limits.drag_px} pixels"
    )
    log.assume("reduction", why, log.source)
    return gestures


def _within(at: Pointer, frame: Frame) -> bool:
    """Whether both ends of what the pointer did are on a picture."""
    ends = ((at.x, at.y), (at.x if at.end_x is None else at.end_x, at.y if at.end_y is None else at.end_y))
    return all(0 <= x < frame.width and 0 <= y < frame.height for x, y in ends)


def add_gesture(
    gesture: Gesture,
    before: Frame | None,
    after: Frame | None,
    builder: DemoBuilder,
    screen: Size,
    **given: Any,  # noqa: ANN401 - fields of a step
) -> None:
    """One more step.

    Args:
        gesture: what was done; its times count nanoseconds from the demo's begin.
        before: the screen before it.
        after: the screen after it.
        builder: of the demo.
        screen: its size, for places without a picture.
        given: other fields of the step.
    """
    basis = before or Frame(id=_NO_FRAME_ID, width=screen.width, height=screen.height)
    last = gesture.events[-1].t_ns if gesture.events else gesture.start.t_ns
    draft = PendingStep(gesture=gesture, before=None, after=None, changed_before_event=None, settled=None, last_ns=last)
    step = build_step(draft, position=0, before=before, after=after, basis=basis)
    where = f"{builder.log.source}, second {gesture.start.t_ns / 1e9:.1f}"
    if step.pointer is not None and not _within(step.pointer, basis):
        builder.log.assume("beside", "a place beside the picture became the nearest one on it", where)
    builder.add(
        step.action,
        before=before,
        where=where,
        after=after,
        pointer=step.pointer if before is not None else None,
        events=tuple(replace(event, t_ns=event.t_ns + START_NS) for event in step.events),
        seconds=gesture.start.t_ns / 1e9,
        lasted=(last - gesture.start.t_ns) / 1e9,
        **given,
    )

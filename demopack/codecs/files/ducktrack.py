"""DuckTrack: raw events and a video of the screen; the events are reduced as our own recorder reduces them."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from demopack.codecs.action_builder import key_name
from demopack.codecs.files.base import ImportLog, ImportOptions, SkippedDemos, json_lines, json_object
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.files.pictures import FrameLoader, Video
from demopack.codecs.files.raw_events import (
    BUTTONS,
    TYPED_BY_KEY,
    add_gesture,
    film_scale,
    only_film,
    reduced,
    screen_size,
    whole_pixels,
)
from demopack.codecs.files.source import SourceFiles
from demopack.domain.events import EventKind, InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.domain.keys import NAMED_KEYS
from demopack.errors import ActionError
from demopack.json_text import object_in
from demopack.reduction.gestures import Gesture

_KEYS: Final[dict[str, EventKind]] = {"press": "key_down", "release": "key_up"}
_EVENTS, _ABOUT = "events.jsonl", "metadata.json"
_TIME: Final = "%Y-%m-%d %H:%M:%S"
_NOT_CARRIED: Final = "the machine's name, network address and hardware: left out on purpose"
_STARTED: Final = "OBS_WEBSOCKET_OUTPUT_STARTED"


def _event(row: JsonObject, seconds: float, log: ImportLog) -> InputEvent | None:
    """One event, its nanoseconds in DuckTrack's own clock; None for a pause and its end.

    Raises:
        BadRowError: a field is missing, or there is no such event.
    """
    kind = row.text("action", default=None)
    t_ns = round(seconds * 1e9)
    if kind in {"pause", "resume"}:
        log.assume("pause", "what was held over a pause is taken to go on after it", row.place)
        return None
    if kind in _KEYS:
        key, char = _key(row, log)
        return InputEvent(kind=_KEYS[kind], key=key, char=char if kind == "press" else "", t_ns=t_ns)
    if kind not in {"move", "click", "scroll"}:
        raise row.wrong("action", f"there is no event called {kind!r}", code="unknown_event")
    x, y = whole_pixels(row, "x"), whole_pixels(row, "y")
    if kind == "move":
        return InputEvent(kind="move", x=x, y=y, t_ns=t_ns)
    if kind == "scroll":
        return InputEvent(kind="scroll", dx=whole_pixels(row, "dx"), dy=whole_pixels(row, "dy"), x=x, y=y, t_ns=t_ns)
    pressed = row.flag("pressed")
    if pressed is None:
        raise row.wrong("pressed", "it is missing", code="no_pressed")
    button = BUTTONS.get(row.text("button", default=None).lower().removeprefix("button."), "other")
    return InputEvent(kind="down" if pressed else "up", button=button, x=x, y=y, t_ns=t_ns)


def _key(row: JsonObject, log: ImportLog) -> tuple[str, str]:
    """Canonical name and typed character."""
    name = row.text("name", default=None)
    if len(name) == 1 and name.isprintable():
        return name.upper() if name.isalpha() and len(name.upper()) == 1 else name, name
    try:
        key = key_name(name)
    except ActionError:
        log.assume("unknown_key", "keys that nobody knows stand as a doubt in the text", f"{row.place}: {name!r}")
        return "", ""
    return key, TYPED_BY_KEY.get(key, key if key not in NAMED_KEYS and len(key) == 1 else "")


def _is_ours(files: SourceFiles, name: str) -> bool:
    """Whether it is an ``events.jsonl`` whose lines have a time and an action; also where the first is no JSON."""
    if posixpath.basename(name) != _EVENTS:
        return False
    found = files.peek(name)
    if found is None:
        return files.holds(name, (b'"time_stamp"',))
    return {"time_stamp", "action"} <= object_in(found).keys()


def _demo(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    home, files, log = posixpath.dirname(row.file), builder.frames.files, builder.log
    about = _about(files, home)
    timed = _events(files, row.file, builder)
    builder.demo = demo_id("ducktrack", *(f"{seconds}{event}" for seconds, event in timed))
    log.lose("machine", _NOT_CARRIED, about.file)
    video = _video(files, home, log)
    screen = _screen(about, video, builder.options, log)
    clock = _clock(about, video, log)
    scale = film_scale(screen, None if video is None else video.size, about.file, log)
    start = timed[0][0] if timed else 0.0
    events = [
        replace(one, x=round(one.x * scale[0]), y=round(one.y * scale[1]), t_ns=one.t_ns - round(start * 1e9))
        for _, one in timed
        if one is not None
    ]
    gestures = reduced(events, about, log)
    if any(gesture.kind == "type" for gesture in gestures):
        log.assume("characters", "characters are as the keyboard's names say; layouts are not recorded", log.source)
    frames = _frames(gestures, video, clock, builder.frames, start)
    for number, gesture in enumerate(gestures):
        add_gesture(gesture, frames[number], frames[number + 1], builder, screen)
    platforms = {"windows": "windows", "darwin": "macos", "linux": "linux"}
    return {
        "task": _words(files, home),
        "platform": platforms.get(about.text("system").lower(), ""),
        "created": _started(about, log),
        "final_frame": builder.steps[-1].after if builder.steps else None,
    }


def _started(about: JsonObject, log: ImportLog) -> datetime | None:
    """When the recording began: DuckTrack writes the wall clock without a time zone."""
    try:
        began = datetime.strptime(about.text("start_time"), _TIME)  # noqa: DTZ007 - UTC, as the report says
    except ValueError:
        return None
    found = about.moment("start_time", began)
    log.assume("timezone", "times have no time zone; they are taken as UTC", about.file)
    return found


def _about(files: SourceFiles, home: str) -> JsonObject:
    name = posixpath.join(home, _ABOUT)
    files.taken.add(name)
    return json_object(files.json(name), file=name) if files.has(name) else JsonObject(data={}, file=name)


def _words(files: SourceFiles, home: str) -> str:
    """DuckTrack puts the description into README.md; AgentNet's recorder into task_name.json."""
    named = posixpath.join(home, "task_name.json")
    if files.has(named):
        files.taken.add(named)
        row = json_object(files.json(named), file=named)
        return row.text("description") or row.text("task_name")
    readme = posixpath.join(home, "README.md")
    return files.read(readme, limit=1 << 20).decode("utf-8", "replace").strip() if files.has(readme) else ""


def _events(files: SourceFiles, name: str, builder: DemoBuilder) -> list[tuple[float, InputEvent | None]]:
    """Every event and when it was, in seconds of DuckTrack's own clock; None for a pause and its end."""
    bad = SkippedDemos(allowed=builder.options.skip_bad)
    log = builder.log
    timed: list[tuple[float, InputEvent | None]] = []
    for row in json_lines(files, name, bad):
        log.rows_in += 1
        with builder.guarded(row.place):
            seconds = row.seconds("time_stamp")
            if seconds is None:
                raise row.wrong("time_stamp", "it is missing", code="no_time")
            event = _event(row, seconds, log)
            if timed and seconds < timed[-1][0]:
                raise row.wrong("time_stamp", "it is earlier than the line before it", code="clock_back")
            timed.append((seconds, event))
    log.skip_lines(bad)
    return timed


def _video(files: SourceFiles, home: str, log: ImportLog) -> Video | None:
    ours = (one for one in files.names if posixpath.dirname(one) == home)
    return only_film(files, [one for one in ours if one.lower().endswith((".mp4", ".mkv", ".mov"))], log)


def _screen(about: JsonObject, video: Video | None, options: ImportOptions, log: ImportLog) -> Size:
    said = options.screen or screen_size(about, "screen_width", "screen_height")
    if said is not None:
        return said
    if video is None:
        raise about.wrong("screen_width", "the screen's size is not known", code="unknown_size",
                          hint="Say it with --screen, for instance 1920x1080.")  # fmt: skip
    log.assume("screen", "the screen's size is not said; that of the film is taken", about.file)
    return video.size


def _clock(about: JsonObject, video: Video | None, log: ImportLog) -> float | None:
    """The event clock's seconds at which the video begins; None where nothing says that."""
    if video is None:
        return None
    start = about.number("video_start_timestamp")
    if start is not None:
        log.assume("film_clock", "the film begins at video_start_timestamp", about.file)
        return start
    states = about.row("obs_record_state_timings")
    times: Any = None if states is None else states.get(_STARTED)
    if isinstance(times, list) and times and isinstance(times[0], (int, float)):
        why = (
            "the film is taken to begin when OBS said that it had started; it really begins up to half a second "
            "earlier, so pictures before steps may be that much too old, never too new"
        )
        log.assume("film_clock", why, about.file)
        return float(times[0])
    why = "nothing says when the film begins; the steps come without pictures rather than with guessed ones"
    log.assume("no_clock", why, about.file)
    return None


def _frames(
    gestures: Sequence[Gesture], video: Video | None, clock: float | None, loader: FrameLoader, start: float
) -> list[Frame | None]:
    """The screen before each gesture, and the last one of the video."""
    if video is None or clock is None:
        return [None] * (len(gestures) + 1)
    # Gestures count nanoseconds from the first event; one picture earlier than the press is surely before it.
    moments = [start + gesture.start.t_ns / 1e9 - clock - video.frame_s for gesture in gestures]
    return video.frames_at([*moments, video.end_s], loader)


IMPORTER: Final = file_importer(
    name="ducktrack",
    title="DuckTrack recording",
    files="events.jsonl, metadata.json, README.md and a film",
    before="the film's picture one frame before the first event of the step",
    is_ours=_is_ours,
    demo=_demo,
    unit="event",
)

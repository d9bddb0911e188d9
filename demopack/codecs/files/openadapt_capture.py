"""OpenAdapt's recorder: raw events in SQLite, pictures in a film; reduced as our own recorder reduces its events."""

from __future__ import annotations

import contextlib
import math
import posixpath
import shutil
import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from demopack.codecs.files.base import ImportLog, SkippedDemos
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.capture_film import FilmTimes, film_times
from demopack.codecs.files.json_object import BadRowError, JsonObject, unpacked
from demopack.codecs.files.openadapt_keys import KeyReader
from demopack.codecs.files.pictures import FrameLoader, Video, on_disk
from demopack.codecs.files.raw_events import (
    BUTTONS,
    add_gesture,
    film_scale,
    only_film,
    reduced,
    screen_size,
    whole_pixels,
)
from demopack.codecs.files.source import FILE_LIMIT, SourceFiles
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.domain.steps import WindowInfo
from demopack.json_text import as_list, object_in
from demopack.reduction.gestures import GestureThresholds
from demopack.replacing import scratch_folder

_NAME: Final = "recording.db"
_MAGIC: Final = b"SQLite format 3\0"
_TABLES: Final = frozenset({"recording", "action_event"})
_EVENT_FIELDS: Final = (
    "id", "source_ordinal", "name", "timestamp", "screenshot_timestamp", "window_event_id", "mouse_x", "mouse_y",
    "mouse_dx", "mouse_dy", "mouse_button_name", "mouse_pressed", "key_name", "key_char", "key_vk",
    "canonical_key_name", "canonical_key_vk", "disabled",
)  # fmt: skip
_SIDE_FILES: Final = (
    "capture-state.json", "capture-artifact-manifest.json", "capture-terminal.json", "authentication-handoffs.json",
    "profiling.json",
)  # fmt: skip
_MAX_DOUBLE_CLICK_S: Final = 10
_MAX_NOTCHES: Final = 100_000
_MAX_RATIO: Final = 16
_PLATFORMS: Final = {"win32": "windows", "darwin": "macos", "linux": "linux"}
_NOT_CARRIED: Final = (
    ("browser_event", "id", "browser", "events of a browser's own"),
    ("audio_info", "id", "audio", "sound, and what was understood of it"),
    (
        "action_event",
        "structural_observation",
        "accessibility",
        "elements that accessibility told at the moment of an event: “demopack parse” finds elements on the pictures",
    ),
)
"""Table, column that is filled, code and words of what a demo has no room for."""


def _is_ours(files: SourceFiles, name: str) -> bool:
    """Whether it is the database of a recording; what is in it is looked at when it is read."""
    if posixpath.basename(name) != _NAME:
        return False
    try:
        with files.open(name) as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except BadRowError:
        return False


def _path(files: SourceFiles, name: str) -> Path:
    """The database on the disk, with its log of writes where it was never finished."""
    if not files.has(f"{name}-wal"):
        return on_disk(files, name)
    # Reading such a database writes beside it: never in the person's own folder.
    folder = Path(files.enter_context(scratch_folder()))
    for ending in ("", "-wal"):
        with files.open(name + ending) as source, (folder / f"{_NAME}{ending}").open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    return folder / _NAME


def _open(files: SourceFiles, name: str) -> sqlite3.Connection:
    """The database, to be read only; closed with the files.

    Raises:
        BadRowError: it is no database, or not of this recorder.
    """
    address = f"{_path(files, name).resolve().as_uri()}?{'' if files.has(f'{name}-wal') else 'mode=ro&immutable=1'}"
    try:
        base = files.enter_context(contextlib.closing(sqlite3.connect(address, uri=True, check_same_thread=False)))
        base.row_factory = sqlite3.Row
        base.text_factory = _text
        base.execute("PRAGMA trusted_schema = OFF")
        found = {str(row["name"]) for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise _damaged(name, error) from error
    if not found >= _TABLES:
        why = "it is no recording of OpenAdapt: it has no table “recording” or “action_event”"
        raise BadRowError(why, file=name, hint="Name the folder that openadapt-capture wrote.")
    return base


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _damaged(name: str, error: sqlite3.Error) -> BadRowError:
    return BadRowError(f"the database cannot be read ({error})", file=name, hint="Get the recording again.")


def _rows_of(
    base: sqlite3.Connection,
    name: str,
    table: str,
    fields: Sequence[str] = (),
    *,
    of: object = None,
    filled: str = "id",
) -> list[JsonObject]:
    """Rows of a table, in the order of their ids.

    Args:
        base: the database.
        name: of its file.
        table: one that is not there has no rows; old versions lack some.
        fields: those that it has of these; all where none are named.
        of: the recording they belong to; None for every one.
        filled: a field that says something in each of them.

    Raises:
        BadRowError: the database is damaged.
    """
    try:
        have = [str(row["name"]) for row in base.execute(f"PRAGMA table_info({table})")]
        if filled not in have:
            return []
        wanted = ", ".join(one for one in fields or have if one in have)
        which = "" if of is None else "recording_id = ? AND "
        found = base.execute(
            f"SELECT {wanted} FROM {table} WHERE {which}{filled} IS NOT NULL "  # noqa: S608 - names of our own
            f"AND {filled} NOT IN ('null', '{{}}', '') ORDER BY id",
            () if of is None else (of,),
        ).fetchall()
    except sqlite3.Error as error:
        raise _damaged(name, error) from error
    return [JsonObject(data=dict(row), file=name, at=f"{table}[{row['id']}]") for row in found]


def _rows(files: SourceFiles, name: str, _skipped: SkippedDemos) -> Iterator[JsonObject]:
    found = _rows_of(_open(files, name), name, "recording")
    if not found:
        raise BadRowError("it holds no recording", file=name, code="no_steps", hint="Record it again.")
    home = posixpath.dirname(name)
    files.taken.update(posixpath.join(home, one) for one in _SIDE_FILES)
    for row in found:
        config = unpacked(row.get("config"))[0]
        yield replace(row, data={**row.data, "config": config if isinstance(config, dict) else {}})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """One event, and where it stands."""

    row: JsonObject
    seconds: float
    event: InputEvent


def _demo(about: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    name, files, log = about.file, builder.frames.files, builder.log
    base = _open(files, name)
    began = about.seconds("timestamp")
    if began is None:
        raise about.wrong("timestamp", "it is missing", code="no_time")
    heard = _events(base, about, builder)
    builder.demo = demo_id("openadapt-capture", repr(began), *(f"{one.seconds}{one.event}" for one in heard))
    if not heard:
        raise about.wrong("", "it has no events", code="no_steps", hint="Record it again.")
    shown = _pictures(base, about, builder)
    screen = _screen(about, shown.size, builder)
    across, down = film_scale(screen, shown.size, about.place, log)
    start = min(began, heard[0].seconds)
    events = [
        replace(
            one.event,
            x=round(one.event.x * across),
            y=round(one.event.y * down),
            t_ns=round((one.seconds - start) * 1e9),
        )
        for one in heard
    ]
    gestures = reduced(events, about, log, _thresholds(about))
    frames = shown.frames([*(_looked(heard[gesture.first]) for gesture in gestures), math.inf])
    windows = _windows(base, about)
    for number, gesture in enumerate(gestures):
        window = windows.get(heard[gesture.first].row.get("window_event_id"), windows.get(None))
        add_gesture(gesture, frames[number], frames[number + 1], builder, screen, window=window)
    _tell_lost(base, about, builder)
    return {
        "task": about.text("task_description"),
        "platform": _PLATFORMS.get(about.text("platform"), ""),
        "app": next((step.window.app for step in builder.steps if step.window is not None), ""),
        "created": about.moment("timestamp", start),
        "final_frame": frames[-1],
    }


def _thresholds(about: JsonObject) -> GestureThresholds | None:
    """What the recorded system takes for a double click; None where the recording does not say."""
    seconds, far = about.number("double_click_interval_seconds"), about.number("double_click_distance_pixels")
    if not seconds or not 0 < seconds < _MAX_DOUBLE_CLICK_S:
        return None
    usual = GestureThresholds()
    distance = usual.double_click_px if far is None else round(far)
    return replace(usual, double_click_ms=round(seconds * 1000), double_click_px=distance)


# Events -------------------------------------------------------------------------------------------------------------


def _events(base: sqlite3.Connection, about: JsonObject, builder: DemoBuilder) -> list[_Heard]:
    """Every event in the order in which the recorder heard them."""
    log = builder.log
    rows = _rows_of(base, about.file, "action_event", _EVENT_FIELDS, of=about.get("id"))
    keys, wheel = KeyReader(log, windows=about.text("platform") == "win32"), _Wheel(log)
    heard: list[_Heard] = []
    for row in sorted(rows, key=_order):
        if row.get("disabled"):
            log.lose("disabled", "events that OpenAdapt marks as not to be used", row.place)
            continue
        log.rows_in += 1
        with builder.guarded(row.place):
            seconds = row.seconds("timestamp")
            if seconds is None:
                raise row.wrong("timestamp", "it is missing", code="no_time")
            if heard and seconds < heard[-1].seconds:
                log.assume("clock_back", "a time before that of the event before it was taken for the same", row.place)
                seconds = heard[-1].seconds
            heard.append(_Heard(row=row, seconds=seconds, event=_event(row, keys, wheel)))
    return heard


def _order(row: JsonObject) -> tuple[bool, float]:
    """By the recorder's own count; recordings of old versions by time, and what is no time at the end: it is told."""
    number, time = row.number("source_ordinal"), row.get("timestamp")
    return (True, time if isinstance(time, (int, float)) else math.inf) if number is None else (False, number)


@dataclass(slots=True)
class _Wheel:
    """Adds up parts of a notch, which fine wheels and touch pads turn by."""

    log: ImportLog
    over: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def notches(self, row: JsonObject) -> tuple[int, int]:
        """Whole notches across and up, with what was left over before."""
        whole: list[int] = []
        for axis, name in enumerate(("mouse_dx", "mouse_dy")):
            turned = row.number(name)
            if turned is None or abs(turned) > _MAX_NOTCHES:
                raise row.wrong(name, "it is missing" if turned is None else f"{turned:g} is no scrolling")
            if turned % 1:
                self.log.assume("notches", "parts of a notch of the wheel were added up to whole ones", row.place)
            total = turned + self.over[axis]
            whole.append(math.trunc(total))
            self.over[axis] = total - whole[-1]
        return whole[0], whole[1]


def _event(row: JsonObject, keys: KeyReader, wheel: _Wheel) -> InputEvent:
    """One event; its time is filled in later.

    Raises:
        BadRowError: a field is missing, or there is no such event.
    """
    kind = row.text("name", default=None)
    if kind in {"press", "release"}:
        key, char = keys.read(row, pressed=kind == "press")
        return InputEvent(kind="key_down" if kind == "press" else "key_up", key=key, char=char, t_ns=0)
    if kind not in {"move", "click", "scroll"}:
        raise row.wrong("name", f"there is no event called {kind!r}", code="unknown_event")
    x, y = whole_pixels(row, "mouse_x"), whole_pixels(row, "mouse_y")
    if kind == "move":
        return InputEvent(kind="move", x=x, y=y, t_ns=0)
    if kind == "scroll":
        across, up = wheel.notches(row)
        return InputEvent(kind="scroll", dx=across, dy=up, x=x, y=y, t_ns=0)
    if row.get("mouse_pressed") not in {0, 1}:
        raise row.wrong("mouse_pressed", "it does not say whether the button went down or up", code="no_pressed")
    button = BUTTONS.get(row.text("mouse_button_name", default=None).lower().removeprefix("button."), "other")
    return InputEvent(kind="down" if row.get("mouse_pressed") else "up", button=button, x=x, y=y, t_ns=0)


def _looked(one: _Heard) -> float:
    """When the picture was taken that the recorder bound to an event; else the moment of the event."""
    return one.row.number("screenshot_timestamp") or one.seconds


# Screen -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pictures:
    """The pictures of a recording.

    Attributes:
        size: of each; None without any.
        frames: the newest one taken up to each moment, in seconds since 1970.
    """

    size: Size | None
    frames: Callable[[Sequence[float]], list[Frame | None]]


def _pictures(base: sqlite3.Connection, about: JsonObject, builder: DemoBuilder) -> _Pictures:
    """Pictures in the database, which need no program that reads films; else those of the film."""
    rows = _rows_of(base, about.file, "screenshot", ("id", "timestamp"), of=about.get("id"), filled="png_data")
    inside = sorted(rows, key=lambda row: row.number("timestamp") or 0.0)
    if inside:
        return _stored(base, inside, builder.frames)
    files, home = builder.frames.files, posixpath.dirname(about.file)
    beside = [one for one in files.names if posixpath.dirname(one) == home and one.endswith(".mp4")]
    names = [one for one in beside if posixpath.basename(one).startswith("oa_recording-")] or beside
    film = only_film(files, names, builder.log)
    if film is None:
        return _Pictures(size=None, frames=lambda moments: [None] * len(moments))
    times = film_times(film.path, name=names[0])
    return _Pictures(size=film.size, frames=_of_film(film, times, about, builder))


def _stored(base: sqlite3.Connection, rows: Sequence[JsonObject], loader: FrameLoader) -> _Pictures:
    taken = [row.number("timestamp") or 0.0 for row in rows]

    def frame(row: JsonObject) -> Frame:
        def read() -> bytes:
            given = (row.get("id"), FILE_LIMIT)
            which = "SELECT png_data FROM screenshot WHERE id = ? AND length(png_data) <= ?"
            try:
                data = base.execute(which, given).fetchone()
            except sqlite3.Error as error:
                raise _damaged(row.file, error) from error
            if data is None or not isinstance(data["png_data"], bytes):
                raise row.wrong("png_data", "it is no picture, or too large a one", code="damaged_picture")
            return data["png_data"]

        return loader.bytes(f"{row.place}", read)

    def frames(moments: Sequence[float]) -> list[Frame | None]:
        return [frame(rows[at - 1]) if (at := bisect_right(taken, moment)) else None for moment in moments]

    return _Pictures(size=frame(rows[0]).size, frames=frames)


def _of_film(
    film: Video, times: FilmTimes | None, about: JsonObject, builder: DemoBuilder
) -> Callable[[Sequence[float]], list[Frame | None]]:
    begin = about.number("video_start_time") or about.number("timestamp") or 0.0

    def frames(moments: Sequence[float]) -> list[Frame | None]:
        if times is not None:
            found = [times.moment(moment) for moment in moments]
            # A moment before the film's begin has no picture.
            return film.frames_at([-1.0 if moment is None else moment for moment in found], builder.frames)
        why = "the film does not say when its pictures were taken; it is taken to begin at video_start_time"
        builder.log.assume("film_clock", why, about.place)
        return film.frames_at([moment - begin - film.frame_s for moment in moments], builder.frames)

    return frames


def _screen(about: JsonObject, shown: Size | None, builder: DemoBuilder) -> Size:
    """What places are pixels of: the recorded window or desktop; in old recordings the screen in the system's units."""
    if builder.options.screen is not None:
        return builder.options.screen
    config = about.row("config") or about
    scope = config.row("capture_window") or config.row("capture_desktop")
    viewport = [] if scope is None else as_list(scope.get("viewport"))
    if scope is not None and len(viewport) == 2:
        sides = replace(scope, data={"viewport[0]": viewport[0], "viewport[1]": viewport[1]})
        size = screen_size(sides, "viewport[0]", "viewport[1]")
        if size is not None:
            return size
    size = screen_size(about, "monitor_width", "monitor_height")
    if size is None and shown is None:
        raise about.wrong("monitor_width", "the screen's size is not known", code="unknown_size",
                          hint="Say it with --screen, for instance 1920x1080.")  # fmt: skip
    if size is None or scope is not None:
        builder.log.assume("screen", "the screen's size is not said; that of the pictures is taken", about.place)
        return shown or size or Size(1, 1)
    ratio = about.number("pixel_ratio") or config.number("pixel_ratio")
    if ratio is None or not 0 < ratio <= _MAX_RATIO:
        builder.log.assume("pixel_ratio", "how many pixels a unit of places has is not said; one is taken", about.place)
        return size
    return Size(max(1, round(size.width / ratio)), max(1, round(size.height / ratio)))


def _windows(base: sqlite3.Connection, about: JsonObject) -> dict[object, WindowInfo]:
    """The window in front by the id of its row; under None the one that alone was recorded."""
    rows = _rows_of(base, about.file, "window_event", ("id", "title", "state"))
    found: dict[object, WindowInfo] = {}
    for row in rows:
        owner = object_in(unpacked(row.get("state"))[0]).get("owner")
        found[row.get("id")] = WindowInfo(title=row.text("title"), app=owner if isinstance(owner, str) else "")
    scope = (about.row("config") or about).row("capture_window")
    if scope is not None:
        found[None] = WindowInfo(title=scope.text("title"), app=scope.text("owner"))
    return found


def _tell_lost(base: sqlite3.Connection, about: JsonObject, builder: DemoBuilder) -> None:
    """What the recording holds beside events and pictures, and whether it was finished."""
    log, files, home = builder.log, builder.frames.files, posixpath.dirname(about.file)
    for table, column, code, words in _NOT_CARRIED:
        for row in _rows_of(base, about.file, table, ("id",), filled=column):
            log.lose(code, words, row.place)
    state = object_in(files.peek(posixpath.join(home, "capture-state.json")))
    if state.get("complete") is False or files.has(f"{about.file}-wal"):
        log.assume("unfinished", "the recorder did not come to its end; what it had written was read", about.file)
    handoffs = object_in(files.peek(posixpath.join(home, "authentication-handoffs.json")))
    for _ in as_list(handoffs.get("intervals")):
        log.lose("sign_in", "what was done while somebody signed in: OpenAdapt does not record it", about.file)


IMPORTER: Final = file_importer(
    name="openadapt-capture",
    title="OpenAdapt capture",
    files="recording.db and a film (oa_recording-*.mp4), as openadapt-capture records",
    before="the picture that the recorder bound to the first event of the step",
    ending=".db",
    is_ours=_is_ours,
    rows=_rows,
    demo=_demo,
    unit="event",
)

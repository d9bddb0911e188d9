"""DuckTrack: raw events and a film of the screen; the events are reduced as our own recorder reduces them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.importing.building import START_NS, Builder, Imported, ImportOptions, demo_id
from demopack.importing.ducktrack_events import Told, event_of
from demopack.importing.errors import BadRowError
from demopack.importing.files import Files
from demopack.importing.film import Film, open_film
from demopack.importing.importer import Importer, Skipped, row_of, rows_of_lines
from demopack.importing.pictures import Shelf
from demopack.importing.reading import guarded
from demopack.importing.report import Ledger
from demopack.importing.values import Row
from demopack.json_text import parse_json
from recorder.pairing import Draft
from recorder.reduction.fold import reduce_all
from recorder.reduction.gestures import Constants, Gesture
from recorder.steps import build_step

__all__ = ["IMPORTER"]

_EVENTS, _ABOUT = "events.jsonl", "metadata.json"
_TIME: Final = "%Y-%m-%d %H:%M:%S"
_BLANK: Final = "0" * 64
_NOT_CARRIED: Final = "the machine's name, network address and hardware: left out on purpose"
_LEAST_SIDE, _MOST_SIDE = 16, 1_000_000  # pixels of a screen
_STARTED: Final = "OBS_WEBSOCKET_OUTPUT_STARTED"


def sniff(files: Files) -> bool:
    """Whether there is an ``events.jsonl`` whose lines have a time and an action."""
    return any(posixpath.basename(name) == _EVENTS and _is_ours(files, name) for name in files.tables)


def _is_ours(files: Files, name: str) -> bool:
    try:
        value = parse_json(next(files.lines(name), (0, "null"))[1])
    except (BadRowError, ValueError):
        return False
    return isinstance(value, dict) and {"time_stamp", "action"} <= value.keys()


def read(files: Files, options: ImportOptions, skipped: Skipped) -> Iterator[Imported]:
    """Every recording.

    Raises:
        BadRowError: a line or the film is bad; with ``skip_bad`` it is counted instead.
    """
    for name in files.tables:
        if files.only or (posixpath.basename(name) == _EVENTS and _is_ours(files, name)):
            files.taken.add(name)
            with skipped.guarding(name):
                yield _demo(name, files, options)


def _demo(name: str, files: Files, options: ImportOptions) -> Imported:
    home = posixpath.dirname(name)
    shelf = Shelf(files)
    about = _about(files, home)
    ledger = Ledger(name, unit="event")
    builder = Builder(title=IMPORTER.title, demo="", ledger=ledger, options=options)
    told = _events(files, name, builder)
    builder.demo = demo_id("ducktrack", *(f"{one.seconds}{one.event}" for one in told))
    ledger.lose("machine", _NOT_CARRIED, about.file)
    film = _film(files, home, ledger)
    screen = _screen(about, film, options, ledger)
    clock = _clock(about, film, ledger)
    scale = _scale(screen, film, about, ledger)
    start = told[0].seconds if told else 0.0
    events = [one.placed(*scale, start=start) for one in told if one.event is not None]
    gestures = reduce_all(events, Constants())
    if not gestures and events:
        raise about.wrong("", "its events make no action: they are moves alone", code="no_steps")
    _tell_reduction(gestures, ledger)
    frames = _frames(gestures, film, clock, shelf, start)
    for number, gesture in enumerate(gestures):
        _step(gesture, frames[number], frames[number + 1], builder, screen)
    return builder.finish(
        shelf.image,
        task=builder.task(_words(files, home)),
        platform=_platform(about),
        created_at=builder.untimed(_started(about, ledger)),
        final_frame=builder.steps[-1].after if builder.steps else None,
    )


def _started(about: Row, ledger: Ledger) -> datetime | None:
    """When the recording began: DuckTrack writes the wall clock without a time zone."""
    try:
        began = datetime.strptime(about.text("start_time"), _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    ledger.assume("timezone", "times have no time zone; they are taken as UTC", about.file)
    return began


def _about(files: Files, home: str) -> Row:
    name = posixpath.join(home, _ABOUT)
    files.taken.add(name)
    return row_of(files.json(name), file=name) if files.has(name) else Row(data={}, file=name)


def _platform(about: Row) -> str:
    return {"windows": "windows", "darwin": "macos", "linux": "linux"}.get(about.text("system").lower(), "")


def _words(files: Files, home: str) -> str:
    """DuckTrack puts the description into README.md; AgentNet's recorder into task_name.json."""
    named = posixpath.join(home, "task_name.json")
    if files.has(named):
        files.taken.add(named)
        row = row_of(files.json(named), file=named)
        return row.text("description") or row.text("task_name")
    readme = posixpath.join(home, "README.md")
    return files.read(readme, limit=1 << 20).decode("utf-8", "replace").strip() if files.has(readme) else ""


def _events(files: Files, name: str, builder: Builder) -> list[Told]:
    bad = Skipped(allowed=builder.options.skip_bad)
    ledger = builder.ledger
    told: list[Told] = []
    for row in rows_of_lines(files, name, bad):
        ledger.rows_in += 1
        with guarded(builder, row.place):
            one = event_of(row, ledger)
            if told and one.seconds < told[-1].seconds:
                raise row.wrong("time_stamp", "it is earlier than the line before it", code="clock_back")
            told.append(one)
    for item in bad.tally.items():
        ledger.rows_in += item.count
        for _ in range(item.count):
            ledger.skip(item.code, item.why, item.examples[0])
    return told


def _film(files: Files, home: str, ledger: Ledger) -> Film | None:
    films = [
        one for one in files.names if posixpath.dirname(one) == home and one.lower().endswith((".mp4", ".mkv", ".mov"))
    ]
    if len(films) != 1:
        why = "there is no film of the screen" if not films else "there are several films, and nothing says which one"
        ledger.assume("no_film", f"{why}; the steps come without pictures", films[0] if films else ledger.source)
        return None
    film = open_film(files, films[0])
    if film is None:
        why = "no program that reads films is installed (av or opencv); the steps come without pictures"
        ledger.assume("no_decoder", why, films[0])
    return film


def _screen(about: Row, film: Film | None, options: ImportOptions, ledger: Ledger) -> Size:
    width, height = about.number("screen_width"), about.number("screen_height")
    if options.screen is not None:
        return options.screen
    if width and height:
        for name, length in (("screen_width", width), ("screen_height", height)):
            if not _LEAST_SIDE <= length <= _MOST_SIDE:
                raise about.wrong(name, f"no screen has {length:g} pixels there", code="unknown_size",
                                  hint="Say it with --screen, for instance 1920x1080.")  # fmt: skip
        return Size(int(width), int(height))
    if film is None:
        raise about.wrong("screen_width", "the screen's size is not known", code="unknown_size",
                          hint="Say it with --screen, for instance 1920x1080.")  # fmt: skip
    ledger.assume("screen", "the screen's size is not said; that of the film is taken", about.file)
    return film.size


def _scale(screen: Size, film: Film | None, about: Row, ledger: Ledger) -> tuple[float, float]:
    """Pixels of the film for one of the screen: across by the widths, down by the heights."""
    if film is None or film.size == screen:
        return 1.0, 1.0
    why = (
        f"places on the screen of {screen.width} x {screen.height} were drawn to the film's "
        f"{film.size.width} x {film.size.height}"
    )
    ledger.assume("coordinates_scaled", why, about.file)
    return film.size.width / screen.width, film.size.height / screen.height


def _clock(about: Row, film: Film | None, ledger: Ledger) -> float | None:
    """The event clock's seconds at which the film begins; None where nothing says that."""
    if film is None:
        return None
    start = about.number("video_start_timestamp")
    if start is not None:
        ledger.assume("film_clock", "the film begins at video_start_timestamp", about.file)
        return start
    states = about.row("obs_record_state_timings")
    times: Any = None if states is None else states.get(_STARTED)
    if isinstance(times, list) and times and isinstance(times[0], (int, float)):
        why = (
            "the film is taken to begin when OBS said that it had started; it really begins up to half a second "
            "earlier, so pictures before steps may be that much too old, never too new"
        )
        ledger.assume("film_clock", why, about.file)
        return float(times[0])
    why = "nothing says when the film begins; the steps come without pictures rather than with guessed ones"
    ledger.assume("no_clock", why, about.file)
    return None


def _frames(
    gestures: Sequence[Gesture], film: Film | None, clock: float | None, shelf: Shelf, start: float
) -> list[Frame | None]:
    """The screen before each gesture, and the last one of the film."""
    if film is None or clock is None:
        return [None] * (len(gestures) + 1)
    # Gestures count nanoseconds from the first event; one picture earlier than the press is surely before it.
    moments = [start + gesture.start.t_ns / 1e9 - clock - film.frame_s for gesture in gestures]
    return film.pictures([*moments, film.end_s], shelf)


def _tell_reduction(gestures: Sequence[Gesture], ledger: Ledger) -> None:
    constants = Constants()
    why = (
        f"events were reduced with our own times: double clicks within {constants.double_click_ms} ms, drags beyond "
        f"{constants.drag_px} pixels"
    )
    ledger.assume("reduction", why, ledger.source)
    if any(gesture.kind == "type" for gesture in gestures):
        ledger.assume(
            "characters", "characters are as the keyboard's names say; layouts are not recorded", ledger.source
        )


def _step(gesture: Gesture, before: Frame | None, after: Frame | None, builder: Builder, screen: Size) -> None:
    basis = before or Frame(id=_BLANK, width=screen.width, height=screen.height)
    last = gesture.events[-1].t_ns if gesture.events else gesture.start.t_ns
    draft = Draft(gesture=gesture, before=None, after=None, changed_before_event=None, settled=None, last_ns=last)
    step = build_step(draft, position=0, before=before, after=after, basis=basis)
    builder.add(
        step.action,
        before=before,
        where=f"{builder.ledger.source}, second {gesture.start.t_ns / 1e9:.1f}",
        after=after,
        pointer=step.pointer if before is not None else None,
        events=_shifted(step.events),
        seconds=gesture.start.t_ns / 1e9,
        lasted=(last - gesture.start.t_ns) / 1e9,
    )


def _shifted(events: Sequence[InputEvent]) -> tuple[InputEvent, ...]:
    """Raw events on the demo's own clock."""
    return tuple(replace(event, t_ns=event.t_ns + START_NS) for event in events)


IMPORTER: Final = Importer(
    name="ducktrack",
    title="DuckTrack recording",
    files="events.jsonl, metadata.json, README.md and a film",
    before="the film's picture one frame before the first event of the step",
    sniff=sniff,
    read=read,
)

"""OpenAdapt's recorder: a recording that it made, and its tables written by hand where it would be hard to make it."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from demopack.codecs.files import pictures
from demopack.codecs.files.base import ImportOptions
from demopack.codecs.files.json_object import BadRowError
from demopack.domain.geometry import Size
from demopack.pack.import_demos import import_demos
from demopack.store import Library
from tests.support.foreign import codes, read_one
from tests.support.pictures import noise_image

CONTACTS = Path(__file__).parents[1] / "data" / "captures" / "contacts.tar.xz"
"""Recorded by openadapt-capture 1.3.0 under X11: what was done is in the tests below."""
START = 1_795_465_457.0
DESKTOP = {"capture_desktop": {"coordinate_space": "virtual_desktop_pixels", "viewport": [200, 100]}}

Row = dict[str, Any]


@pytest.fixture(scope="module")
def contacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("captures")
    with tarfile.open(CONTACTS) as packed:
        packed.extractall(folder, filter="data")
    return folder / "contacts"


def done(path: Path, **options: Any) -> list[tuple[str, dict[str, Any]]]:
    demo, _ = read_one(path, **options)
    return [(step.action.action_type, step.action.parameters) for step in demo.steps]


# A recording ------------------------------------------------------------------------------------------------------


def test_every_action_of_a_recording_becomes_a_step(contacts: Path) -> None:
    demo, report = read_one(contacts)
    assert [(step.action.action_type, step.action.parameters) for step in demo.steps] == [
        ("click", {}),
        ("type", {"text_to_type": "Ada L"}),  # and a full stop that was taken back
        ("press_key", {"key_info": "Tab"}),
        ("type", {"text_to_type": "ada@x.org"}),
        ("press_key", {"key_info": "Ctrl+A"}),
        ("drag", {"end_target": {"bbox": [0.65, 0.40625, 0.0, 0.0]}}),
        ("scroll", {"scroll_direction": "down", "scroll_steps": 3}),
        ("click", {"click_type": "double"}),
        ("click", {"click_type": "right"}),
        ("press_key", {"key_info": "Escape"}),
        ("click", {}),
    ]
    # Where xdotool had sent the pointer.
    places = [(at.x, at.y, at.end_x) for step in demo.steps if (at := step.pointer) is not None]
    assert places == [
        (354, 129, None), (204, 195, 416), (291, 261, None), (291, 261, None), (152, 330, None), (152, 330, None),
    ]  # fmt: skip
    assert demo.head.task == "Save the contact Zoë and open an entry"
    assert demo.head.platform == "linux"
    assert demo.head.created_at == datetime(2026, 11, 23, 20, 24, 17, 46337, tzinfo=UTC)
    assert (report.unit, report.rows_in, report.rows_used, report.steps) == ("event", 69, 69, 11)
    assert codes(report.assumed) == {"us_keyboard", "points", "reduction"}
    assert report.lost == []


@pytest.mark.parametrize("decoder", ["av", "cv2"])
def test_the_picture_before_a_step_is_the_one_the_recorder_bound_to_it(
    contacts: Path, tmp_path: Path, decoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(decoder)
    monkeypatch.setattr(pictures, "DECODERS", [one for one in pictures.DECODERS if one[0] == decoder])
    with Library.open(tmp_path) as library:
        (report,) = import_demos([contacts], library, options=ImportOptions()).demos
        demo = library.demo(report.demo)
        shown = [None if s.before is None else library.get_image(s.before.id) for s in demo.steps]
        final = demo.steps[-1].after
        assert final is not None
        last = library.get_image(final.id)

    def ink(number: int, box: tuple[int, int, int, int]) -> float:
        """How dark a part of a picture is: left, top, right, bottom."""
        image = last if number == len(shown) else shown[number]
        assert image is not None
        assert image.shape == (480, 640, 3)
        left, top, right, bottom = box
        return float(255 - image[top:bottom, left:right].mean())

    name, mail, slider = (205, 121, 505, 137), (205, 156, 505, 172), (300, 190, 400, 202)
    # The name is empty until it was typed, the address until after Tab, the slider stands left until after the drag.
    assert ink(1, name) < ink(2, name) / 2
    assert ink(3, mail) < ink(4, mail) < ink(5, mail)  # empty, written, chosen
    assert ink(5, slider) == ink(0, slider) < ink(6, slider)
    # The label beside the button: nothing saved, then opened by the double click, then saved by the last click.
    label = (196, 320, 400, 340)
    assert ink(7, label) == ink(0, label) != ink(8, label)
    assert ink(10, label) == ink(8, label) != ink(11, label)


def test_a_recording_in_a_zip_is_the_same_demo(contacts: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "capture.zip", "w") as packed:
        for file in contacts.iterdir():
            packed.write(file, f"contacts/{file.name}")
    assert read_one(tmp_path / "capture.zip")[0].steps == read_one(contacts)[0].steps
    assert read_one(contacts / "recording.db")[0].steps == read_one(contacts)[0].steps


def test_nothing_is_written_beside_a_recording(contacts: Path) -> None:
    before = {file.name: file.stat().st_mtime_ns for file in contacts.iterdir()}
    read_one(contacts)
    assert {file.name: file.stat().st_mtime_ns for file in contacts.iterdir()} == before


def test_a_film_that_does_not_tell_its_times_begins_when_the_recording_says(contacts: Path, tmp_path: Path) -> None:
    pytest.importorskip("av")
    for file in contacts.iterdir():
        data = file.read_bytes()
        if file.suffix == ".mp4":
            at = data.index(b"uuid") - 4
            data = data[:at]
        (tmp_path / file.name).write_bytes(data)
    demo, report = read_one(tmp_path)
    assert "film_clock" in codes(report.assumed)
    assert all(step.before is not None for step in demo.steps)


@pytest.mark.parametrize("told", [b"{", b'{"schema": "other"}', b'{"schema": "%s", "fps": "0/1"}'])
def test_damaged_times_of_a_film_are_refused(contacts: Path, tmp_path: Path, told: bytes) -> None:
    pytest.importorskip("av")
    for file in contacts.iterdir():
        data = file.read_bytes()
        if file.suffix == ".mp4":
            at = data.index(b"uuid") - 4
            text = told.replace(b"%s", b"openadapt.capture-video-timing/v1")
            data = data[:at] + struct.pack(">I4s", 24 + len(text), b"uuid") + data[at + 8 : at + 24] + text
        (tmp_path / file.name).write_bytes(data)
    with pytest.raises(BadRowError, match="times of its pictures") as caught:
        read_one(tmp_path)
    assert caught.value.hint


# Tables by hand ---------------------------------------------------------------------------------------------------


def capture(folder: Path, *events: Mapping[str, Any], shots: int = 0, **recording: Any) -> Path:
    """A recording without a film: the columns that are read, with the recorder's own names."""
    folder.mkdir(parents=True, exist_ok=True)
    base = sqlite3.connect(folder / "recording.db")
    head = {
        "id": 1, "timestamp": START, "monitor_width": 200, "monitor_height": 100, "pixel_ratio": 1.0,
        "double_click_interval_seconds": 0.5, "double_click_distance_pixels": 5, "platform": "linux",
        "task_description": "Do it", "video_start_time": START, "config": json.dumps(DESKTOP), **recording,
    }  # fmt: skip
    _fill(base, "recording", [head])
    _fill(base, "action_event", [{"id": at, "source_ordinal": at, "recording_id": 1, **event} for at, event in
                                 enumerate(events, start=1)])  # fmt: skip
    rows: list[Row] = []
    for number in range(shots):
        data = io.BytesIO()
        Image.fromarray(noise_image(200, 100, seed=number)).save(data, "PNG")
        rows.append({"id": number + 1, "recording_id": 1, "timestamp": START + number, "png_data": data.getvalue()})
    _fill(base, "screenshot", rows)
    base.commit()
    base.close()
    return folder


def _fill(base: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    columns = sorted({name for row in rows for name in row}) or ["id", "recording_id", "timestamp", "png_data"]
    base.execute(f"CREATE TABLE IF NOT EXISTS {table} ({', '.join(columns)})")
    for row in rows:
        names = ", ".join(row)
        base.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def at(seconds: float, name: str, **given: Any) -> Row:
    return {"timestamp": START + seconds, "name": name, **given}


def button(seconds: float, *, pressed: bool, x: float = 50, y: float = 20, which: str = "left") -> Row:
    return at(seconds, "click", mouse_x=x, mouse_y=y, mouse_button_name=which, mouse_pressed=int(pressed))


def click(seconds: float, **given: Any) -> list[Row]:
    return [button(seconds, pressed=True, **given), button(seconds + 0.05, pressed=False, **given)]


def key(seconds: float, vk: int, *, char: str = "", name: str = "", up: str | None = None) -> list[Row]:
    """A key pressed and let go; ``up`` is the character that it was let go with, where that differs."""
    let_go = char if up is None else up
    return [
        at(seconds + part, kind, key_name=name or None, key_char=text or None, key_vk=str(vk))
        for part, kind, text in ((0.0, "press", char), (0.03, "release", let_go))
    ]


def held(seconds: float, until: float, vk: int, name: str, *between: Row) -> list[Row]:
    down, up = key(seconds, vk, name=name)
    return [down, *between, {**up, "timestamp": START + until}]


def test_characters_are_those_that_the_recorder_heard(tmp_path: Path) -> None:
    # As openadapt-capture 1.3.0 wrote them for a terminal under X11, and for Windows and macOS by its sources.
    path = capture(
        tmp_path,
        *key(1.0, 26, char="é"),
        *key(1.1, 65, name="space"),
        *held(1.2, 1.22, 50, "shift", key(1.21, 43, char="H", up="h")[0]),
        key(1.24, 43, char="H", up="h")[1],
        *key(1.3, 21, char="+"),
        *key(1.4, 84, name="num2"),
        *key(1.5, 34, name="dead_acute"),
        *key(1.6, 36, name="enter"),
        *held(2.5, 2.8, 37, "ctrl", *key(2.6, 46, char="\x0c")),
        *held(3.5, 3.8, 64, "alt", *key(3.6, 68, name="F2")),
        *held(4.5, 4.8, 133, "cmd", *key(4.6, 40, char="d")),
    )
    assert done(path) == [
        ("type", {"text_to_type": "é H+2"}),
        ("press_key", {"key_info": "Enter"}),
        ("press_key", {"key_info": "Ctrl+L"}),
        ("press_key", {"key_info": "Alt+F2"}),
        ("press_key", {"key_info": "Meta+D"}),
    ]


def test_right_alt_with_ctrl_types_under_windows(tmp_path: Path) -> None:
    events = held(1.0, 1.5, 162, "ctrl_l", *held(1.1, 1.4, 165, "alt_r", *key(1.2, 81, char="@")))
    assert done(capture(tmp_path, *events, platform="win32")) == [("type", {"text_to_type": "@"})]


def test_keys_that_nobody_knows_are_a_doubt_in_the_text(tmp_path: Path) -> None:
    path = capture(tmp_path, *key(1.0, 10, char="a"), *key(1.2, 255, name="keycode_255"))
    demo, report = read_one(path)
    assert demo.steps[0].action.parameters == {"text_to_type": "a\ufffd"}
    assert "unknown_key" in codes(report.assumed)


def test_buttons_wheels_and_held_keys(tmp_path: Path) -> None:
    def turn(seconds: float, dx: float, dy: float) -> Row:
        return at(seconds, "scroll", mouse_x=10, mouse_y=10, mouse_dx=dx, mouse_dy=dy)

    path = capture(
        tmp_path,
        *click(1.0, which="middle"),
        *held(2.0, 2.3, 37, "ctrl", *click(2.1)),
        *click(3.0, which="x1"),
        *[turn(4.0 + part / 10, 0, 0.5) for part in range(4)],  # a fine wheel: four halves are two notches
        turn(6.0, -2, 0),
    )
    demo, report = read_one(path)
    assert [(step.action.action_type, step.action.parameters) for step in demo.steps] == [
        ("click", {"click_type": "middle"}),
        ("click", {"modifiers": ["ctrl"]}),
        ("press_key", {"key_info": "Alt+ArrowLeft"}),
        ("scroll", {"scroll_direction": "up", "scroll_steps": 2}),
        ("scroll", {"scroll_direction": "left", "scroll_steps": 2}),
    ]
    assert {"notches", "no_film", "no_picture"} <= codes(report.assumed)


def test_pictures_in_the_database_are_taken(tmp_path: Path) -> None:
    first, second = click(1.4), click(2.4)
    bound = [{**row, "screenshot_timestamp": START} for row in first]
    demo, report = read_one(capture(tmp_path, *bound, *second, shots=4))
    (one, two) = demo.steps
    ids = [Image.fromarray(noise_image(200, 100, seed=number)) for number in range(4)]
    assert len({frame.id for frame in demo.frames()}) == 3 < len(ids)
    # The first click is bound to the picture of second 0, the second to none: the newest one before it is of second 2.
    assert one.before is not None
    assert two.before is not None
    assert one.before.id != two.before.id == (one.after and one.after.id)
    assert (one.pointer and one.pointer.x, report.pictures) == (50, 3)
    assert "no_film" not in codes(report.assumed)


def test_old_recordings_have_places_in_the_systems_units(tmp_path: Path) -> None:
    path = capture(tmp_path, *click(1.4), shots=2, config="{}", pixel_ratio=2.0)
    demo, report = read_one(path)
    assert demo.steps[0].pointer is not None
    assert (demo.steps[0].pointer.x, demo.steps[0].pointer.y) == (100, 40)
    assert "coordinates_scaled" in codes(report.assumed)
    # Where the person knows better: pixels of the pictures after all.
    other, _ = read_one(path, screen=Size(200, 100))
    assert other.steps[0].pointer is not None
    assert (other.steps[0].pointer.x, other.steps[0].pointer.y) == (50, 20)


def test_a_place_beside_the_picture_is_told(tmp_path: Path) -> None:
    demo, report = read_one(capture(tmp_path, *click(1.4, x=250, y=-5), shots=2))
    assert demo.steps[0].action.target is not None
    assert demo.steps[0].action.target.bbox == (0.995, 0.0, 0.0, 0.0)
    assert "beside" in codes(report.assumed)


def test_a_recording_of_one_window_names_it(tmp_path: Path) -> None:
    window = {"coordinate_space": "window_pixels", "viewport": [200, 100], "title": "Report", "owner": "Writer"}
    demo, _ = read_one(capture(tmp_path, *click(1.4), config=json.dumps({"capture_window": window})))
    assert demo.steps[0].window is not None
    assert (demo.steps[0].window.title, demo.steps[0].window.app, demo.head.app) == ("Report", "Writer", "Writer")


def test_what_was_switched_off_or_not_finished_is_told(tmp_path: Path) -> None:
    path = capture(tmp_path, *click(1.0), *({**row, "disabled": 1} for row in click(2.0)))
    (path / "capture-state.json").write_text('{"complete": false}', encoding="utf-8")
    (path / "authentication-handoffs.json").write_text('{"intervals": [{}]}', encoding="utf-8")
    demo, report = read_one(path)
    assert len(demo.steps) == 1
    assert "unfinished" in codes(report.assumed)
    assert codes(report.lost) == {"disabled", "sign_in"}


def test_a_recording_that_was_cut_off_is_read_with_its_log_of_writes(tmp_path: Path) -> None:
    path = capture(tmp_path / "made", *click(1.0))
    base = sqlite3.connect(path / "recording.db")
    base.execute("PRAGMA journal_mode = WAL")
    _fill(base, "action_event", [{"id": 90 + at, "source_ordinal": 90 + at, "recording_id": 1, **row}
                                 for at, row in enumerate(click(3.0, x=70))])  # fmt: skip
    base.commit()
    cut = tmp_path / "cut"
    cut.mkdir()
    for ending in ("", "-wal"):
        (cut / f"recording.db{ending}").write_bytes((path / f"recording.db{ending}").read_bytes())
    base.close()
    demo, report = read_one(cut)
    assert [step.action.target and step.action.target.bbox for step in demo.steps] == [
        (0.25, 0.2, 0.0, 0.0), (0.35, 0.2, 0.0, 0.0),
    ]  # fmt: skip
    assert "unfinished" in codes(report.assumed)
    assert sorted(file.name for file in cut.iterdir()) == ["recording.db", "recording.db-wal"]


@pytest.mark.parametrize(
    ("spoiled", "code", "named"),
    [
        ({"mouse_x": None}, "no_place", "action_event[1].mouse_x"),
        ({"mouse_x": 9e9}, "off_screen", "action_event[1].mouse_x"),
        ({"mouse_pressed": None}, "no_pressed", "action_event[1].mouse_pressed"),
        ({"timestamp": None}, "no_time", "action_event[1].timestamp"),
        ({"name": "teleport"}, "unknown_event", "action_event[1].name"),
        ({"name": "scroll"}, "damaged", "action_event[1].mouse_dx"),
        ({"mouse_x": "left"}, "damaged", "action_event[1].mouse_x"),
    ],
)
def test_bad_events_are_named_or_left_out(tmp_path: Path, spoiled: Row, code: str, named: str) -> None:
    first, *rest = [*click(1.0), *click(2.0)]
    path = capture(tmp_path, {**first, **spoiled}, *rest)
    with pytest.raises(BadRowError) as caught:
        read_one(path)
    assert (caught.value.file, caught.value.code, caught.value.field) == ("recording.db", code, named)
    assert caught.value.hint
    demo, report = read_one(path, skip_bad=True)
    assert [step.action.action_type for step in demo.steps] == ["click"]
    assert (report.rows_in, report.rows_used, report.rows_skipped) == (4, 3, 1)


def test_a_damaged_or_foreign_database_is_refused(contacts: Path, tmp_path: Path) -> None:
    whole = (contacts / "recording.db").read_bytes()
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "recording.db").write_bytes(whole[:20_000])
    with pytest.raises(BadRowError, match="cannot be read") as caught:
        read_one(tmp_path / "cut")
    assert caught.value.hint
    other = sqlite3.connect(tmp_path / "recording.db")
    other.execute("CREATE TABLE something (id)")
    other.close()
    with pytest.raises(BadRowError, match="no recording of OpenAdapt"):
        read_one(tmp_path / "recording.db", name="openadapt-capture")
    with pytest.raises(BadRowError, match="no events"):
        read_one(capture(tmp_path / "empty"))

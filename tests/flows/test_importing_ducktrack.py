"""DuckTrack: raw events become steps, the film's pictures are the ones before them, the machine stays unknown."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demopack.codecs.files import pictures
from demopack.codecs.files.json_object import BadRowError
from demopack.pack.import_demos import import_demos
from demopack.store import Library
from tests.support.foreign import codes, events, read_all, read_one

START = 30_674.0
FPS = 10


def at(seconds: float, action: str, **given: Any) -> dict[str, Any]:
    return {"time_stamp": START + seconds, "action": action, **given}


def click(seconds: float, x: int, y: int, button: str = "left") -> list[dict[str, Any]]:
    return [at(seconds + i * 0.05, "click", x=x, y=y, button=button, pressed=i == 0) for i in range(2)]


def keys(seconds: float, *names: str) -> list[dict[str, Any]]:
    return [
        at(seconds + 0.1 * i + part * 0.04, kind, name=name)
        for i, name in enumerate(names)
        for part, kind in enumerate(("press", "release"))
    ]


STORY = [
    at(0.0, "move", x=1, y=1),
    *click(0.5, 100, 200),
    *keys(1.2, "H", "i", "space", "é", "enter"),
    at(2.5, "press", name="ctrl_l"), *keys(2.6, "s"), at(2.8, "release", name="ctrl_l"),
    at(3.5, "scroll", x=10, y=10, dx=0, dy=-1), at(3.6, "scroll", x=10, y=10, dx=0, dy=-1),
    at(4.0, "pause"), at(4.5, "resume"),
]  # fmt: skip


def make_film(path: Path, *, pictures: int = 60, size: tuple[int, int] = (200, 150)) -> Path:
    """A film whose picture N is the grey N * 4, so that each tells its own time."""
    av = pytest.importorskip("av")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=FPS)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = *size, "yuv420p", 4_000_000
        for number in range(pictures):
            image = np.full((size[1], size[0], 3), number * 4, dtype=np.uint8)
            for packet in stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def test_when_it_was_recorded_is_read_where_it_is_told(tmp_path: Path) -> None:
    events(tmp_path / "told", *STORY, about={"start_time": "2023-07-23 15:03:22"})
    demo, report = read_one(tmp_path / "told")
    assert demo.head.created_at == datetime(2023, 7, 23, 15, 3, 22, tzinfo=UTC)
    assert "timezone" in codes(report.assumed)
    assert "created" not in codes(report.assumed)
    events(tmp_path / "wrong", *STORY, about={"start_time": "on Sunday"})
    assert "created" in codes(read_one(tmp_path / "wrong")[1].assumed)


def test_events_become_steps(tmp_path: Path) -> None:
    events(tmp_path, *STORY)
    (tmp_path / "README.md").write_text("Say hi and save.\n", encoding="utf-8")
    demo, report = read_one(tmp_path)
    assert [(step.action.action_type, step.action.parameters) for step in demo.steps] == [
        ("click", {}),
        ("type", {"text_to_type": "Hi é"}),
        ("press_key", {"key_info": "Enter"}),
        ("press_key", {"key_info": "Ctrl+S"}),
        ("scroll", {"scroll_direction": "down", "scroll_steps": 2}),
    ]
    first = demo.steps[0]
    assert first.action.target is not None
    assert first.action.target.bbox == (0.25, round(200 / 300, 6), 0.0, 0.0)
    assert (first.started_ns, first.ended_ns) == (1_500_000_000, 1_550_000_000)
    assert [event.kind for event in first.events] == ["down", "up"]
    assert first.events[0].t_ns == first.started_ns
    assert (demo.head.task, demo.head.platform) == ("Say hi and save.", "linux")
    assert report.rows_in == len(STORY)
    assert {"no_film", "reduction", "characters", "pause", "no_picture"} <= codes(report.assumed)


def test_the_machine_stays_unknown(tmp_path: Path) -> None:
    demo, report = read_one(events(tmp_path, *STORY))
    told = json.dumps([demo.head.to_json(), [step.to_json() for step in demo.steps], report.to_json()], default=str)
    assert "adas-laptop" not in told
    assert str(0x0242AC110002) not in told
    assert "machine" in codes(report.lost)


def grey(image: Any) -> int:
    return round(float(image.mean()) / 4)


@pytest.mark.parametrize("decoder", ["av", "cv2"])
def test_pictures_are_the_newest_before_the_press(
    tmp_path: Path, decoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(decoder)
    events(tmp_path, *click(1.02, 100, 150), *click(3.05, 400, 300), about={"video_start_timestamp": START - 0.5})
    make_film(tmp_path / "film.mp4")
    monkeypatch.setattr(pictures, "DECODERS", tuple(one for one in pictures.DECODERS if one[0] == decoder))
    with Library.open(tmp_path / "library") as library:
        (report,) = import_demos([tmp_path], library).demos
        first, second = library.demo(report.demo).steps
        shown = [grey(library.get_image(frame.id)) for frame in (first.before, second.before, second.after) if frame]
    # Pressed at 1.52 and 3.55 seconds of the film; one picture earlier is surely before the press.
    assert shown == [14, 34, 59]
    assert first.after == second.before
    # The film is half as large as the screen, and its corner is a pixel of it.
    assert first.pointer is not None
    assert second.pointer is not None
    assert (first.pointer.x, first.pointer.y, second.pointer.x, second.pointer.y) == (50, 75, 200, 150)
    assert {"film_clock", "coordinates_scaled"} <= codes(report.assumed)


def test_a_film_without_a_clock_gives_no_pictures(tmp_path: Path) -> None:
    events(tmp_path, *click(1.0, 100, 150))
    make_film(tmp_path / "film.mp4", pictures=3)
    demo, report = read_one(tmp_path)
    assert demo.frames() == []
    assert "no_clock" in codes(report.assumed)


def test_obs_clock_is_told_with_its_doubt(tmp_path: Path) -> None:
    timings = {"OBS_WEBSOCKET_OUTPUT_STARTED": [START]}
    events(tmp_path, *click(0.25, 100, 150), about={"obs_record_state_timings": timings})
    make_film(tmp_path / "film.mp4", pictures=5)
    demo, report = read_one(tmp_path)
    assert len(demo.frames()) == 2
    (clock,) = [item for item in report.assumed if item.code == "film_clock"]
    assert "half a second" in clock.why


def test_without_a_decoder_there_are_no_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events(tmp_path, *click(1.0, 100, 150), about={"video_start_timestamp": START})
    (tmp_path / "film.mp4").write_bytes(b"whatever")
    monkeypatch.setattr(pictures, "DECODERS", ())
    demo, report = read_one(tmp_path)
    assert demo.frames() == []
    assert "no_decoder" in codes(report.assumed)


def test_a_damaged_film_stops(tmp_path: Path) -> None:
    pytest.importorskip("av")
    events(tmp_path, *click(1.0, 100, 150), about={"video_start_timestamp": START})
    (tmp_path / "film.mp4").write_bytes(b"whatever")
    with pytest.raises(BadRowError, match="no film that can be read"):
        read_all(tmp_path)


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (at(9, "teleport"), "action"),
        (at(9, "click", x=1, y=1, button="left"), "pressed"),
        (at(9, "move", x="left", y=1), "x"),
        ({"time_stamp": None, "action": "move"}, "time_stamp"),
        (at(-5, "move", x=1, y=1), "time_stamp"),
    ],
)
def test_bad_events_are_named_or_counted(tmp_path: Path, row: dict[str, Any], field: str) -> None:
    events(tmp_path, *STORY, row)
    with pytest.raises(BadRowError) as caught:
        read_all(tmp_path)
    assert (caught.value.file, caught.value.line, caught.value.field) == ("events.jsonl", len(STORY) + 1, field)
    demo, report = read_one(tmp_path, skip_bad=True)
    assert (len(demo.steps), report.rows_skipped) == (5, 1)


def test_moves_alone_are_no_demo(tmp_path: Path) -> None:
    events(tmp_path, at(0, "move", x=1, y=1), at(1, "move", x=2, y=2))
    with pytest.raises(BadRowError, match="moves alone"):
        read_all(tmp_path)

"""Observations as they are kept in a folder, and the windows that are allowed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demopack.domain.elements import Element, numbered
from demopack.domain.frames import Frame, frame_id
from demopack.domain.geometry import Point
from demopack.domain.steps import WindowInfo
from demopack.errors import BadInputError
from player.observing import LiveObservation, load_observation, save_observation
from recorder.backends.base import SeenWindow


def observation() -> LiveObservation:
    image = np.arange(30 * 40 * 3, dtype=np.uint8).reshape(30, 40, 3)
    frame = Frame(id=frame_id(image), width=40, height=30, origin_x=5, grab_started_ns=7, grab_ended_ns=9)
    element = Element.model_validate(
        {"uid": "e", "frame": frame.id, "type": "button", "box": (1, 2, 11, 12), "text": "OK", "track_id": "btn_ok_0"}
    )
    window = SeenWindow.model_validate({"title": "Order", "app": "zenity", "box": (5, 0, 30, 20), "process": 3})
    return LiveObservation(
        frame=frame, image=image, elements=tuple(numbered([element])), window=window, stack=(window,)
    )


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    seen = observation()
    save_observation(seen, tmp_path / "now")
    again = load_observation(tmp_path / "now")
    assert (again.frame, again.elements) == (seen.frame, seen.elements)
    assert np.array_equal(again.image, seen.image)
    assert again.window == WindowInfo.model_validate({"title": "Order", "app": "zenity", "box": (5, 0, 30, 20)})
    assert again.top_window(Point(3, 4)) == again.window
    assert again.top_window(Point(30, 4)) is None


@pytest.mark.parametrize("broken", ["observation.json", "screen.png"])
def test_a_folder_that_holds_none_is_refused(tmp_path: Path, broken: str) -> None:
    save_observation(observation(), tmp_path)
    (tmp_path / broken).write_bytes(b"{}")
    with pytest.raises(BadInputError) as caught:
        load_observation(tmp_path)
    assert str(tmp_path) in caught.value.user_message
    assert "demopack observe -o" in caught.value.hint


def test_the_picture_has_to_be_the_observed_one(tmp_path: Path) -> None:
    seen = observation()
    save_observation(seen, tmp_path / "one")
    other = seen.image[::-1].copy()
    frame = seen.frame.model_copy(update={"id": frame_id(other)})
    save_observation(LiveObservation(frame=frame, image=other), tmp_path / "two")
    (tmp_path / "two" / "screen.png").replace(tmp_path / "one" / "screen.png")
    with pytest.raises(BadInputError, match="not the picture"):
        load_observation(tmp_path / "one")

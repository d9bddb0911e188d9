"""What is stored can be read again, by everybody: no infinity, no NaN, no half character, no number without end."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from demopack.domain.actions import ActionTarget, ClickAction, ExtractDataAction
from demopack.domain.demos import DemoHead
from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, Monitor
from demopack.domain.geometry import Rect
from demopack.domain.provenance import Provenance
from demopack.domain.records import not_json
from demopack.domain.steps import CaptureQuality, PathPoint, Pointer, Step
from demopack.errors import ActionError, BadInputError, DemopackError
from demopack.store import Library
from tests.support.demos import tiny_demo
from tests.support.store_demos import edit

_FRAME = {"id": "0" * 64, "width": 10, "height": 10}
_EVENT = {"t_ns": 0, "kind": "move"}


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1e300, 10**300, -(10**300)])
@pytest.mark.parametrize(
    ("model", "fields", "field"),
    [
        (Frame, _FRAME, "scale_factor"),
        (Frame, _FRAME, "origin_x"),
        (Frame, _FRAME, "width"),
        (Frame, _FRAME, "grab_ended_ns"),
        (Monitor, {"name": "one", "box": [0, 0, 1, 1]}, "scale_factor"),
        (Pointer, {"x": 1, "y": 1}, "end_x"),
        (PathPoint, {"y": 1, "t_ms": 0.0}, "x"),
    ],
)
def test_a_number_that_nothing_on_a_screen_can_have_is_refused(
    model: Any, fields: dict[str, Any], field: str, value: float
) -> None:
    with pytest.raises(ValidationError):
        model.model_validate({**fields, field: value})


@pytest.mark.parametrize("text", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_json_with_more_words_than_json_has_is_refused(text: str) -> None:
    frame = '{"id":"x","width":1,"height":1,"scale_factor":%s}'
    with pytest.raises(ValidationError):
        Frame.model_validate_json(frame % text)
    for field in ("frame_age_ms", "settle_ms"):
        with pytest.raises(ValidationError):
            CaptureQuality.model_validate_json(f'{{"{field}":{text}}}')


@pytest.mark.parametrize("box", [[0, 0, 1e999, 1], [0, 0, 10**300, 1], ["", 0, 1, 1], [None, 0, 1, 1], [math.nan] * 4])
def test_a_box_that_is_none_is_refused_in_words(box: list[Any]) -> None:
    with pytest.raises(ValidationError):
        Element.model_validate({"uid": "a", "frame": "b", "type": "button", "box": box})


def test_positions_and_times_fit_into_what_keeps_them() -> None:
    with pytest.raises(ValidationError):
        Step.model_validate({"id": "a", "position": 2**63, "action": {"action_type": "finish_goal"}})
    step = {"id": "a", "position": 1, "action": {"action_type": "finish_goal"}}
    for event in ({**_EVENT, "t_ns": 2**63}, {**_EVENT, "x": 10**12}, {**_EVENT, "dy": 10**12}):
        with pytest.raises(ValidationError):
            Step.model_validate({**step, "events": [event]})
    assert Step.model_validate({**step, "events": [_EVENT]}).events == (InputEvent(t_ns=0, kind="move"),)


@pytest.mark.parametrize("data", [math.inf, {"a": [1, math.nan]}, ["\ud83d"], {"\ud83d": 1}])
def test_what_was_read_off_a_screen_is_json(data: Any) -> None:
    with pytest.raises(ActionError, match="parameter data"):
        ExtractDataAction(description="the sum", data=data)


def test_a_huge_whole_number_in_a_target_is_out_of_range_and_no_crash() -> None:
    with pytest.raises(ActionError):
        ClickAction(target=ActionTarget(bbox=(10**400, 0, 0, 0)))


def test_the_place_of_what_is_wrong_is_named() -> None:
    assert not_json({"a": [{"b": math.inf}]}) == "inf is no number that can be stored at a[0].b"
    assert "half a character" in not_json(["fine", "\udc00"])
    assert not_json({"a": [1, 2.5, None, "💡"]}) == ""


@pytest.mark.parametrize(("field", "value"), [("t_ms", math.inf), ("note", "\ud83d")])
def test_the_library_refuses_what_got_past_the_models(tmp_path: Path, field: str, value: Any) -> None:
    with Library.open(tmp_path) as library:
        demo = library.demo(tiny_demo(library))
        step = next(step for step in demo.steps if step.pointer is not None)
        assert step.pointer is not None
        bad = {"path": (PathPoint.trusted({"x": 1, "y": 1, "t_ms": value}),)}
        new = step.but(note=value) if field == "note" else step.but(pointer=step.pointer.but(**bad))
        with pytest.raises(DemopackError) as refused:
            library.commit(demo.head.id, edit((step, new)))
        assert isinstance(refused.value, BadInputError)
        assert f"The step {step.id} was not stored" in refused.value.user_message
        assert field in refused.value.user_message
        with pytest.raises(DemopackError, match=r"not stored|half a character"):
            library.add_demo(type(demo)(head=demo.head.model_copy(update={"id": "other"}), steps=(new,), elements={}))
        assert [row.head.id for row in library.demos()] == [demo.head.id]
        assert library.demo(demo.head.id) == demo
    with closing(sqlite3.connect(tmp_path / "library.db")) as db:
        assert db.execute("SELECT count(*) FROM log").fetchone() == (0,)


def test_a_rectangle_made_here_is_taken_as_it_is() -> None:
    assert Element(uid="a", frame="b", type="button", box=Rect(0, 0, 1, 1)).box.area == 1


@pytest.mark.parametrize(
    "moment",
    [
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00+01:00",
        "3000-01-01T00:00:00Z",
        "0001-01-01T00:00:00",
    ],
)
def test_a_moment_that_cannot_be_shown_everywhere_is_refused(moment: str) -> None:
    with pytest.raises(ValidationError, match="between the years 1970 and 2999"):
        DemoHead.model_validate({"id": "demo", "created_at": moment})
    with pytest.raises(ValidationError, match="between the years 1970 and 2999"):
        Provenance.model_validate({"kind": "human", "name": "user", "at": moment})


def test_a_moment_without_a_time_zone_is_utc_and_can_be_compared() -> None:
    head = DemoHead.model_validate_json('{"id":"demo","created_at":"2026-03-14T09:26:53"}')
    assert head.created_at == datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)

"""The quickstart's verdict, its task, and the folder it may use."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.errors import BadInputError
from demopack_cli.main import main
from demopack_cli.quickstart.command import _display, _make_room
from demopack_cli.quickstart.pipeline import STAGES, QuickstartReport, Stage
from demopack_cli.quickstart.practice import differences
from player.scripted_user import PracticeUser
from tests.support.fake_performer import FakePerformer

DONE: dict[str, Any] = {
    "name": "Zoë Müller",
    "email": "zoe@example.org",
    "password_length": 0,
    "city": "Seoul",
    "workshop": "Ceramics",
    "time": "Afternoon",
    "newsletter": True,
    "lunch": False,
    "parking": False,
    "experience": 7,
    "notes": "Lunch at noon, please: voilà ✓",
    "urgent": True,
}


def state(**changed: Any) -> dict[str, Any]:
    values = {**DONE, **changed}
    return {"fields": values, "submitted": True, "submissions": [values], "result": "Thank you."}


def good_report() -> QuickstartReport:
    return QuickstartReport(
        stages=[Stage(name=name) for name in STAGES], state_recorded=state(), state_replayed=state()
    )


def test_a_sent_form_with_the_right_values_is_done() -> None:
    assert differences(state()) == []


@pytest.mark.parametrize("field", list(DONE))
def test_each_wrong_field_is_named(field: str) -> None:
    (line,) = differences(state(**{field: "something else"}))
    assert line.startswith(f"{field} is 'something else'")


def test_an_unsent_form_is_not_done_even_if_its_fields_are_right() -> None:
    assert differences({**state(), "submitted": False, "submissions": [], "result": "Not sent yet."}) == [
        "The form was not sent; it says: Not sent yet."
    ]


def test_a_form_that_was_sent_twice_is_not_done() -> None:
    assert differences({**state(), "submissions": [DONE, DONE]}) == ["The form was sent 2 times."]


def test_nothing_at_all_is_not_done() -> None:
    assert differences({}) != []


def test_a_report_where_all_holds_has_no_fault() -> None:
    assert good_report().to_json()["ok"] is True


def test_each_reason_to_doubt_is_a_fault() -> None:
    reports = [good_report() for _ in range(6)]
    reports[0].not_done = ["name is ''"]
    reports[1].not_redone = ["name is ''"]
    reports[2].findings = ["G05 error steps.jsonl: wrong"]
    reports[3].stages.pop()
    reports[4].problem = "Cancelled."
    reports[5].state_replayed = state(experience=6)
    assert [len(report.faults()) for report in reports] == [1] * 6


def test_a_warning_is_no_fault() -> None:
    report = good_report()
    report.findings = ["P01 warning pack.json: no licence"]
    assert report.faults() == []


def test_what_an_earlier_quickstart_left_is_replaced(tmp_path: Path) -> None:
    _make_room(tmp_path)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "old.txt").write_text("old", encoding="utf-8")
    _make_room(tmp_path)
    assert not (tmp_path / "pack").exists()


@pytest.mark.parametrize("name", ["thesis.txt", "pack", "library"])
def test_a_folder_of_somebody_else_is_refused_and_left_whole(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(BadInputError, match="nothing was touched"):
        _make_room(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_without_consent_this_screen_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":nowhere")
    asked = CliRunner().invoke(main, ["quickstart", "--here", "--out", str(tmp_path / "out")], input="n\n")
    assert asked.exit_code == 1
    assert not (tmp_path / "out").exists()


def test_here_without_a_screen_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    asked = CliRunner().invoke(main, ["quickstart", "--here", "--yes", "--out", str(tmp_path / "out")])
    assert "Leave --here out" in str(asked.exception)


# Windows and macOS have no private screens ----------------------------------------------------------------------------


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_without_private_screens_it_asks_for_this_one(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    done = CliRunner().invoke(main, ["quickstart", "--out", str(tmp_path / "out")], input="n\n")
    assert done.exit_code == 1
    assert "the practice app opens on this one" in done.output
    assert "will be used for about a minute. Go on?" in done.output
    assert "Xvfb" not in done.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_the_own_screen_needs_no_display_there(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("DISPLAY", raising=False)
    with _display(here=True) as environment:
        assert environment["PATH"] == os.environ["PATH"]


def test_a_person_types_on_a_keyboard_that_takes_characters_as_they_are() -> None:
    keyboard = FakePerformer()
    PracticeUser(keyboard, speed=5000).type_text("Zoë✓")
    assert keyboard.done == ["'Z'", "'o'", "'ë'", "'✓'"]

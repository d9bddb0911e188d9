"""``demopack act`` before anything is looked at: responses that cannot be read, and what a person is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from demopack_cli import act
from demopack_cli.main import main

UNKNOWN = '{"reasoning": "", "action": {"action_type": "fly"}}'
NO_TEXT = '{"reasoning": "", "action": {"action_type": "type", "parameters": {}}}'
CLICK = 'click(text="Save")'


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, ["act", *arguments], input=given)


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        ('{"reasoning": "", "action": ', "not_json"),
        (UNKNOWN, "unknown_action"),
        (NO_TEXT, "type_without_text"),
        ('{"reasoning": ""}', "unknown_form"),
        ("click()", "click_without_target"),
        ('clik(text="x")', "unknown_action"),
    ],
)
def test_a_response_that_cannot_be_read_is_one_object_for_a_program(answer: str, mistake: str) -> None:
    done = run(answer, "--yes", "--json")
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert (told["code"], told["response"]) == ("unreadable", 1)
    assert told["mistake"] == mistake
    assert done.stderr == "", "a program reads it once"


def test_nothing_is_done_where_a_later_line_cannot_be_read() -> None:
    done = run("-", "--yes", "--json", given=f"{CLICK}\n\n{UNKNOWN}\n")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["response"] == 2
    assert "Response 2 is" in run("-", "--yes", given=f"{CLICK}\n{UNKNOWN}\n").stderr
    assert "There is no response" in run("-", "--yes", given="\n").stderr


def test_what_ends_it_before_the_first_response_is_one_object_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    done = CliRunner().invoke(main, ["act", CLICK, "--yes", "--json", "--observation", str(tmp_path / "none")])
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert told["code"] == "failed"
    assert str(tmp_path / "none") in told["error"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["act", CLICK], "say so with --yes"),
        (["act", "--yes"], "Missing argument"),
        (["agent", "--task", "Log in"], "An agent needs a language model"),
        (["agent", "--shots", "many"], "many"),
    ],
)
def test_a_command_that_was_called_wrongly_says_so_to_a_program_in_one_line(arguments: list[str], words: str) -> None:
    done = CliRunner().invoke(main, [arguments[0], "--json", *arguments[1:]])
    assert done.exit_code == 2
    (line,) = done.stdout.splitlines()
    told = json.loads(line)
    assert told["code"] == "failed"
    assert words in told["error"]
    assert words in done.stderr


def test_a_wrong_name_of_an_action_is_told_with_those_like_it() -> None:
    told = run('clik(text="x")', "--yes").stderr
    assert "There is no action called 'clik'" in told
    assert "Did you mean click? Use one of click, " in told
    assert "JSON" not in told


def test_a_file_is_no_folder_for_an_observation(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments in (["act", CLICK, "--yes", "--observation"], ["observe", "-o"]):
        done = CliRunner().invoke(main, [*arguments, str(tmp_path / "file")])
        assert done.exit_code == 2
        assert "is a file" in done.stderr


def test_a_person_is_asked_about_what_will_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(act, "_at_terminal", lambda: True)
    done = run(CLICK, 'type(text_to_type="Ada")', "click(element_id=999)", "--json", given="n\n")
    assert done.exit_code == 1
    assert "  Click “Save”\n  Type “Ada”\n  Click element 999\nDo this on this screen?" in done.stderr
    assert done.stdout == "", "a program's output holds no question"


def test_a_text_for_a_password_field_is_not_shown_in_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(act, "_at_terminal", lambda: True)
    asked = [
        'type(text="Your password:", text_to_type="hunter2")',
        'type(text="PIN", text_to_type="1")',
        'type(text="Pinboard", text_to_type="Ada")',
    ]
    done = run(*asked, given="n\n")
    assert "  Type “(7 characters)” in “Your password:”\n  Type “(1 character)” in “PIN”\n" in done.stdout
    assert "  Type “Ada” in “Pinboard”\n" in done.stdout
    assert "hunter2" not in done.output

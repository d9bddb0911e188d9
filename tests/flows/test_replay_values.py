"""Values of ``demopack replay``: what is refused, asked for and shown, and that no secret is left anywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, Step, WindowInfo
from demopack.errors import BadInputError
from demopack.store import Library
from demopack_cli.main import main
from models.language import servers
from tests.support.demos import demo_head
from tests.support.small_demos import blank, click_step, keep, painted, record, type_step

SECRET = "Tr0ub4dor&3"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """One demo: a name that stands in the task, and a password that was hidden."""
    images = [blank(), painted(Rect(20, 20, 60, 30)), painted(Rect(20, 20, 60, 30), Rect(20, 60, 60, 70))]
    with record(tmp_path, images, ["Ada", "<secret:password>"], task="Log Ada in"):
        return tmp_path / "library"


def replay(library: Path, *options: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, ["replay", "last", *options, "--library", str(library)], input=typed)


def refusal(library: Path, *options: str) -> str:
    """Why the command did nothing, with the way out."""
    error = replay(library, *options).exception
    assert isinstance(error, BadInputError)
    return str(error)


def test_a_dry_run_names_the_variables(library: Path) -> None:
    done = replay(library, "--dry-run")
    assert "text1 (step 1: “Ada”; stands in the task)" in done.output
    assert "password (step 2: not in the demo)" in done.output
    variables = json.loads(replay(library, "--dry-run", "--json").output)["variables"]
    assert [(one["name"], one["secret"]) for one in variables] == [("text1", False), ("password", True)]


def told(tmp_path: Path, *steps: Step) -> Path:
    """A library with one demo of steps of which programs told what they were done to."""
    with Library.open(tmp_path / "told") as opened:
        frame = keep(opened, blank())
        with opened.begin_recording(demo_head("demo_told", task="Log Ada Lovelace in from Oslo")) as recording:
            for step in steps:
                recording.append_step(step.model_copy(update={"before": frame, "after": frame}))
            recording.finish(outcome="success", final_frame=frame)
    return tmp_path / "told"


def test_a_dry_run_names_steps_as_show_does(tmp_path: Path) -> None:
    frame = Frame(id="none", width=320, height=200)
    button = AccessibleElement(role="push button", name="Save", box=Rect(20, 20, 60, 30))
    field = AccessibleElement(role="entry", name="City", box=Rect(20, 60, 60, 70), states=("editable",))
    steps = (
        click_step(1, frame, None, Point(30, 25)).model_copy(update={"pointed": button}),
        type_step(2, frame, None, "Oslo").model_copy(update={"focused": field}),
    )
    library = told(tmp_path, *steps)
    shown = CliRunner().invoke(main, ["show", "last", "--library", str(library)]).output
    words = re.findall(r"(?m)^ +\d+  (?!!)(.*?)(?:  \(found.*)?$", shown)
    assert words == ["Clicked “Save” (button)", "Typed “Oslo” in “City” (input field)"]
    assert re.findall(r"(?m)^ +\d+  (.*?)(?:  \(found.*)?$", replay(library, "--dry-run").output) == words


def test_a_dry_run_of_a_table_says_what_each_row_does(library: Path, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text(f"text1,password\nBo,{SECRET}\nAda,{SECRET}\nCy\u0085,{SECRET}\n", encoding="utf-8")
    done = replay(library, "--dry-run", "--for-each", str(table))
    assert done.exit_code == 1
    assert done.output.partition("3 rows; ")[2].splitlines() == [
        "1 cannot be done. What each does otherwise than recorded:",
        "  row 1 (line 2): text1 “Bo”, password “••••••••”",
        "      1  Typed “Bo”",
        "      2  Typed “••••••••”",
        "  row 2 (line 3): text1 “Ada”, password “••••••••”",
        "      2  Typed “••••••••”",
        "  row 3 (line 4): text1 “Cy�”, password “••••••••”",
        "       ! Row 3: The value of text1 holds a character that no key produces. Take it out.",
    ]
    assert SECRET not in done.output
    report = json.loads(replay(library, "--dry-run", "--json", "--for-each", str(table)).output)
    assert [(row["row"], row["state"], bool(row["error"])) for row in report["rows"]] == [
        (1, "open", False), (2, "open", False), (3, "open", True),
    ]  # fmt: skip
    assert not any(path.suffix == ".journal" for path in tmp_path.iterdir())
    assert "Row 3: The value" in refusal(library, "--yes", "--for-each", str(table))


@pytest.mark.parametrize(("last", "is_told"), [(blank(shade=90), True), (painted(Rect(80, 40, 200, 60)), False)])
def test_a_demo_that_closes_the_window_of_the_next_row_is_told_so(
    tmp_path: Path, last: RgbImage, is_told: bool
) -> None:
    form = painted(Rect(60, 30, 220, 32), Rect(60, 150, 220, 152))
    window = WindowInfo(title="Add a customer", app="crm", box=Rect(60, 30, 220, 152))
    with Library.open(tmp_path / "library") as library:
        before, after = keep(library, form), keep(library, last)
        with library.begin_recording(demo_head("demo_form", task="Add Ada")) as recording:
            recording.append_step(type_step(1, before, after, "Ada").model_copy(update={"window": window}))
            recording.finish(outcome="success", final_frame=before)
    table = tmp_path / "people.csv"
    table.write_text("text1\nBo\nCy\n", encoding="utf-8")
    told = "The demo closes or hides the window “Add a customer”, in which the next row has to begin."
    assert (told in replay(tmp_path / "library", "--dry-run", "--for-each", str(table)).stderr) == is_told
    table.write_text("text1\nBo\n", encoding="utf-8")
    assert told not in replay(tmp_path / "library", "--dry-run", "--for-each", str(table)).stderr


def test_all_that_is_wrong_with_a_table_is_said_at_once(library: Path, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("text1,password\nBo\nCy,b\nDora,c,d\n", encoding="utf-8")
    words = refusal(library, "--dry-run", "--for-each", str(table))
    assert "line 2: 1 value, but 2 columns" in words
    assert "Line 4: 3 values, but 2 columns" in words


def test_one_step_is_counted_as_one(tmp_path: Path) -> None:
    library = told(tmp_path, type_step(1, Frame(id="none", width=320, height=200), None, "Oslo"))
    assert "Dry run: 1 of 1 step finds its target" in replay(library, "--dry-run").output


def test_another_name_is_refused_and_those_there_are_are_named(library: Path) -> None:
    done = replay(library, "--dry-run", "--set", "name=Bo")
    assert done.exit_code == 2
    assert "The demo has no variable name. It has: text1" in done.output


def test_a_secret_is_not_taken_from_the_command_line_unless_that_is_meant(library: Path) -> None:
    words = refusal(library, "--dry-run", "--set", f"password={SECRET}")
    assert "stays in your terminal's history" in words
    assert SECRET not in words
    done = replay(library, "--dry-run", "--set-secret", f"password={SECRET}")
    assert SECRET not in done.output


def test_any_variable_can_be_treated_as_a_secret(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import demopack_cli.replay as command

    secrets = ("--set-secret", f"text1={SECRET}", "--set-secret", "password=x")
    done = replay(library, "--dry-run", *secrets)
    assert done.exit_code == 0, done.output
    assert SECRET not in done.output
    assert "Typed “••••••••”" in done.output
    found = json.loads(replay(library, "--dry-run", "--json", *secrets).output)
    assert SECRET not in str(found)
    assert found["task"] == "Log •••••••• in"
    assert [one["secret"] for one in found["variables"]] == [True, True]
    monkeypatch.setattr(command, "_at_terminal", lambda: True)
    asked = replay(library, *secrets, typed="n\n").output
    assert "types “••••••••”" in asked
    assert SECRET not in asked


def test_a_value_that_is_given_twice_is_refused(library: Path) -> None:
    for options in (["--set", "text1=a", "--set", "text1=b"], ["--set", "text1=a", "--set-secret", "text1=b"]):
        done = replay(library, "--dry-run", *options)
        assert done.exit_code == 2
        assert "text1 is given twice" in done.output
    done = replay(library, "--dry-run", "--set-secret", SECRET)
    assert done.exit_code == 2
    assert "is not NAME=VALUE" in done.output
    assert SECRET not in done.output


def test_without_a_terminal_a_secret_has_to_be_in_the_key_ring(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = re.search(r"keyring set demopack (demo_\w+:password)", refusal(library, "--yes"))
    assert name is not None
    asked: list[str] = []

    def key_in_ring(name: str) -> str:
        asked.append(name)
        return SECRET

    monkeypatch.setattr(servers, "key_in_ring", key_in_ring)
    monkeypatch.delenv("DISPLAY", raising=False)
    done = replay(library, "--yes")
    assert asked == [name[1]]
    assert not isinstance(done.exception, BadInputError)  # now it is the screen that is missing
    assert SECRET not in done.output + str(done.exception)


def test_no_secret_of_a_table_is_left_on_the_disk(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import demopack_cli.replay as command

    asked: list[str] = []

    def refuse(text: str, **_: object) -> bool:
        asked.append(text)
        return False

    monkeypatch.setattr(command, "_at_terminal", lambda: True)
    monkeypatch.setattr(click, "confirm", refuse)
    table = tmp_path / "people.csv"
    table.write_text(f"text1,password\nBo,{SECRET}\nCy,{SECRET}2\n", encoding="utf-8")
    done = replay(library, "--for-each", str(table))
    assert asked == ["Start?"]
    assert "types “Bo”" in done.output
    assert "row 2: text1 “Cy”, password “••••••••”" in done.output
    assert SECRET not in done.output
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != table]
    assert any(path.name.endswith(".journal") for path in written)
    assert not any(SECRET.encode() in path.read_bytes() for path in written)


def test_a_person_is_asked_about_the_first_row_that_is_left(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import demopack_cli.replay as command

    monkeypatch.setattr(command, "_at_terminal", lambda: True)
    monkeypatch.setattr(click, "confirm", lambda _text, **_: False)
    table = tmp_path / "people.csv"
    table.write_text("text1,password\nBo,x\nCy,y\n", encoding="utf-8")
    replay(library, "--for-each", str(table))
    journal = next(tmp_path.glob("*.journal"))
    with journal.open("a", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"row": 1, "state": state, "at": "2026-01-01T00:00:00Z"}) + "\n" for state in ("begun", "done")
        )
    done = replay(library, "--for-each", str(table))
    assert "types “Cy”" in done.output
    assert "Bo" not in done.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--unknown", "redo"], "--unknown has a meaning only with --for-each"),
        (["--set", "text1"], "is not NAME=VALUE"),
    ],
)
def test_options_without_meaning_are_refused(library: Path, options: list[str], words: str) -> None:
    done = replay(library, "--dry-run", *options)
    assert done.exit_code == 2
    assert words in done.output


def test_a_column_that_is_no_variable_is_named(library: Path, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("txt1\nBo\n", encoding="utf-8")
    done = replay(library, "--dry-run", "--for-each", str(table))
    assert done.exit_code == 2
    assert "The demo has no variable txt1" in done.output


def test_an_empty_value_of_a_table_is_typed_as_nothing_and_said_before(library: Path, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text(f"text1,password\nBo,{SECRET}\n ,{SECRET}\n", encoding="utf-8")
    done = replay(library, "--dry-run", "--for-each", str(table))
    assert "Some values of the table are empty, and typed as nothing: text1 in row 2 (line 3).\n" in done.stderr
    assert "2 rows. What each does" in done.stdout
    table.write_text(f"text1,password\nBo,{SECRET}\n", encoding="utf-8")
    assert "empty" not in replay(library, "--dry-run", "--for-each", str(table)).stderr

"""``demopack record`` as a user meets it: in a process of its own, stopped in every way there is."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from demopack.store import Library
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktop_programs import until
from tests.support.injector import Injector
from tests.support.leaks import recorded, traces
from tests.support.stage import Stage

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def screen() -> Generator[PrivateDisplay]:
    with PrivateDisplay(width=800, height=600) as display, Stage(display.name, width=600, height=400):
        yield display


def record(screen: PrivateDisplay, folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "demopack", "record", "--task", "a task", "--library", str(folder), *options]
    return subprocess.Popen(
        command, env=screen.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


NO_ACCESS = "Programs tell nothing about their fields, so passwords cannot be recognised."


def rest(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, output, and what was said beside it but for what a bare screen without D-Bus lacks."""
    out, err = process.communicate(timeout=60)
    said = [text for text in err.splitlines(keepends=True) if NO_ACCESS not in text]
    return process.returncode, out, "".join(said)


def test_ctrl_c_ends_it_and_is_no_step(screen: PrivateDisplay, tmp_path: Path) -> None:
    process = record(screen, tmp_path / "library")
    assert line(process) == "Recording. Stop with Ctrl+Alt+R or Ctrl-C, pause with F8."
    with Injector(screen.name) as person:
        person.click(300, 300)
        person.type("hi é")
        person.key("enter")
        # The user turns to the terminal, which lies on the same screen, and presses Ctrl-C there.
        person.key("ctrl+c")
    process.send_signal(signal.SIGINT)
    code, out, err = rest(process)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [text.strip() for text in lines if text.startswith("  ") and "!" not in text] == [
        "1  Clicked a spot",
        "2  Typed “hi é”",
        "3  Pressed Enter",
        "4  Finished the task",
    ]
    assert lines[-1].startswith("Saved as demo_")
    with Library.open(tmp_path / "library", create=False) as library:
        (summary,) = library.demos()
    assert (summary.head.task, summary.head.status, summary.steps) == ("a task", "complete", 4)
    assert summary.head.app == "Stage"


def test_json_hotkeys_and_a_failed_task(screen: PrivateDisplay, tmp_path: Path) -> None:
    process = record(screen, tmp_path / "library", "--json", "--failed", "--reason", "no paper", "--app", "Printer")
    doubtful = json.loads(line(process))
    assert doubtful["event"] == "problem"
    assert NO_ACCESS in doubtful["text"], "what does not work here is said before anything is done"
    assert json.loads(line(process)) == {"event": "state", "state": "recording"}
    with Injector(screen.name) as person:
        person.key("f5")
        person.key("f8")
        told = [json.loads(line(process)) for _ in range(2)]
        assert {"event": "state", "state": "paused"} in told
        person.type("secret")
        person.key("f8")
        assert json.loads(line(process)) == {"event": "state", "state": "recording"}
        person.click(350, 350, button="right")
        person.key("ctrl+alt+r")
    code, out, err = rest(process)
    assert (code, err) == (0, "")
    data = [*told, *(json.loads(text) for text in out.splitlines())]
    actions = [item["action"] for item in data if item["event"] == "step"]
    assert [(a["action_type"], a["parameters"]) for a in actions] == [
        ("press_key", {"key_info": "F5"}),
        ("click", {"click_type": "right"}),
        ("finish_goal", {"status": "failure"}),
    ]
    assert data[-1]["event"] == "done"
    with Library.open(tmp_path / "library", create=False) as library:
        head = library.demo(data[-1]["demo"]).head
    assert (head.outcome, head.outcome_reason, head.app) == ("failure", "no paper", "Printer")


@pytest.mark.parametrize("choice", ["store", "hold"])
def test_typed_text_where_no_program_tells_of_its_fields(screen: PrivateDisplay, tmp_path: Path, choice: str) -> None:
    process = record(screen, tmp_path / "library", "--json", "--unknown-fields", choice)
    told = json.loads(line(process))["text"]
    assert json.loads(line(process))["event"] == "state"
    assert ("held back as a secret" if choice == "hold" else "is stored, passwords too") in told
    with Injector(screen.name) as person:
        person.type("canary")
        person.key("ctrl+alt+h")
        said = json.loads(line(process))
        while said["event"] != "text":
            said = json.loads(line(process))
        person.type("another")
        person.wait(0.2)
        process.send_signal(signal.SIGTERM)
    code, _, _ = rest(process)
    assert (code, said) == (0, {"event": "text", "held": choice == "store"})
    typed = [step.action.typed_text for step in recorded(tmp_path / "library")]
    assert typed == (["canary", "<secret:text>", None] if choice == "store" else ["<secret:text>", "another", None])
    hidden = "another" if choice == "store" else "canary"
    assert traces(tmp_path / "library", hidden) == []


def test_the_clock_and_a_task_of_ten_thousand_characters(screen: PrivateDisplay, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    process = record(screen, folder, "--seconds", "0.2", "--task", "Straße 中\n" * 1250)
    code, out, _ = rest(process)
    assert code == 0
    assert "Saved as" in out
    with Library.open(folder, create=False) as library:
        assert library.demos()[0].head.task == "Straße 中\n" * 1250


def test_a_second_recording_in_the_same_library_is_refused(screen: PrivateDisplay, tmp_path: Path) -> None:
    first = record(screen, tmp_path / "library")
    assert line(first).startswith("Recording")
    code, _, err = rest(record(screen, tmp_path / "library"))
    assert code == 1
    assert err.startswith("demopack: Another recording is running in this library.")
    first.send_signal(signal.SIGTERM)
    assert rest(first)[0] == 0


def test_an_x_server_that_goes_away_keeps_what_was_done(tmp_path: Path) -> None:
    with (
        PrivateDisplay(width=800, height=600) as screen,
        Stage(screen.name, width=600, height=400),
        Injector(screen.name) as person,
    ):
        process = record(screen, tmp_path / "library")
        assert line(process).startswith("Recording")
        person.key("f5")
        person.click(300, 300)
        assert "Pressed F5" in line(process)
    code, _, err = rest(process)
    assert code == 1
    assert "demopack: The screen has gone" in err
    assert "Traceback" not in err
    with Library.open(tmp_path / "library", create=False) as library:
        (summary,) = library.demos()
    assert summary.head.status == "partial"
    assert summary.steps >= 1


def test_a_reader_that_goes_away_costs_nothing(screen: PrivateDisplay, tmp_path: Path) -> None:
    process = record(screen, tmp_path / "library")
    assert line(process).startswith("Recording")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    with Library.open(tmp_path / "library", create=False) as library:
        with Injector(screen.name) as person:
            person.key("f5")
            person.click(300, 300)
            until(lambda: [one.steps for one in library.demos()] == [2], "both steps are stored")
        process.send_signal(signal.SIGTERM)
        assert rest(process)[0] == 0
        (summary,) = library.demos()
    assert (summary.head.status, summary.steps) == ("complete", 3)


def test_a_library_that_is_removed_meanwhile_is_said(screen: PrivateDisplay, tmp_path: Path) -> None:
    process = record(screen, tmp_path / "library")
    assert line(process).startswith("Recording")
    shutil.rmtree(tmp_path / "library")
    with Injector(screen.name) as person:
        person.key("f5")
        person.click(300, 300)
    code, _, err = rest(process)
    assert code == 1
    assert re.fullmatch(
        r"demopack: The library .* was deleted or moved while it was open; .*--library\.", err.splitlines()[-1]
    )


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "--task"),
        (["--task", "  "], 2, "what you are going to do"),
        (["--task", "x", "--reason", "y"], 2, "--failed"),
        (["--task", "x", "--seconds", "-1"], 2, "--seconds"),
    ],
)
def test_bad_usage(arguments: list[str], code: int, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demopack", "record", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert words in done.stderr

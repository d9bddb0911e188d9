"""``demopack agent`` before anything is looked at or asked: what it refuses, and what a person reads and allows."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import termui
from click.testing import CliRunner

import demopack_cli.agent as agent_command
from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from demopack.errors import BadInputError
from demopack.jobs import CancelToken
from demopack_cli.agent import command
from demopack_cli.agent_terminal import TerminalWatcher, place_words, summary
from models.language.port import BudgetError
from player.agent import Agent, PlannedAction
from player.agent_report import AgentReport
from player.observing import any_window, name_of, windows_named
from tests.support.agent_stage import Reciter, Scene, StageHands
from tests.unit.test_agent_loop import CLICK, FINISH, another, answer, run


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("DEMOPACK_REQUESTS", "none")


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(command, list(arguments))
    assert done.exit_code == 2, done.output
    return done.output


def test_without_a_model_it_says_what_to_write() -> None:
    words = refused("--task", "Log in", "--yes", "--allow-window", "form")
    assert "An agent needs a language model." in words
    assert "openai:gpt-5-mini" in words


def test_it_says_what_else_is_missing() -> None:
    assert "Say what is to be done" in refused("--model", "openai:gpt-5-mini")
    named = ("--task", "Log in", "--model", "openai:gpt-5-mini")
    assert "say so with --yes" in refused(*named)
    assert "--allow-window" in refused(*named, "--yes")
    assert "there is none" in refused(*named, "--yes", "--allow-window", "form", "--confirm-each")
    assert "swift" in refused(*named, "--dialect", "swift")
    ready = (*named, "--yes", "--allow-window", "form")
    assert "--dialect uipath" in refused(*ready, "--grounder", "ollama:ui-tars")
    blind = CliRunner().invoke(command, [*ready, "--dialect", "uipath", "--grounder", "ollama:llama3.1"])
    assert isinstance(blind.exception, BadInputError)
    assert "cannot point" in blind.exception.user_message


@pytest.mark.parametrize(
    ("model", "dialect", "words"),
    [
        ("ollama:llama3.1", "ui-tars", "takes no pictures"),
        ("openai:gpt-5-mini", "caap", "a picture alone has none"),
        ("nobody:model", "caap", "There is no service"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_opened(model: str, dialect: str, words: str) -> None:
    given = ["--task", "x", "--model", model, "--dialect", dialect, "--eyes", "picture", "--yes", "--allow-window", "a"]
    done = CliRunner().invoke(command, given)
    assert isinstance(done.exception, BadInputError)
    assert words in done.exception.user_message


def test_windows_are_allowed_by_program_or_title() -> None:
    gedit = WindowInfo(title="Budget.ods - Text Editor", app="gedit", box=Rect(0, 0, 10, 10))
    other = WindowInfo(title="gedit notes", app="firefox")
    bare = WindowInfo()
    assert [windows_named(["GEDIT"])(one) for one in (gedit, other, bare)] == [True, True, False]
    assert [windows_named(["budget"])(one) for one in (gedit, other)] == [True, False]
    assert not windows_named([" ", ""])(bare), "an empty name allows nothing"
    assert not windows_named(["edit"])(WindowInfo(app="gedit")), "a program is named whole"
    assert windows_named(["x", "*"]) is any_window
    assert (name_of(gedit), name_of(WindowInfo(title="Only a title"))) == ("gedit", "Only a title")


def test_each_action_is_shown_before_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    watcher = TerminalWatcher(CancelToken(), confirm_each=False, quiet=False)
    hands = StageHands(react=another, codes=["occluded", "", ""])
    run(CLICK, answer("type", text_to_type="Ada\x1b[2J"), FINISH, hands=hands, watcher=watcher)
    out = capsys.readouterr().out
    assert "  1  Click “Save” (button)  (element 3, at 50, 90 in form): It is next." in out
    assert "     ! It is occluded." in out
    assert "(in form)" in out
    assert "\x1b" not in out
    assert "asking the model" in out


def answering(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Somebody writes these lines, one for each question, and has gone after the last; returns what they are asked."""
    lines, asked = iter(answers), list[str]()

    def typed(_read: object, question: str, _err: bool) -> str:
        asked.append(question)
        try:
            return next(lines)
        except StopIteration as error:
            raise EOFError from error

    monkeypatch.setattr(termui, "_readline_prompt", typed)
    return asked


@pytest.mark.parametrize(
    ("answers", "done", "end"),
    [
        (["y"], 2, "complete"),
        (["YES"], 2, "complete"),
        (["n"], 1, "complete"),
        ([""], 1, "complete"),
        (["perhaps", "y"], 2, "complete"),
        (["s"], 0, "stopped"),
        ([], 0, "stopped"),
    ],
)
def test_a_person_allows_an_action_or_leaves_it_out_or_stops_the_run(
    answers: list[str], done: int, end: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = answering(monkeypatch, *answers)
    hands = StageHands(react=another)
    watcher = TerminalWatcher(hands.control.token, confirm_each=True, quiet=True)
    report, hands, _ = run(CLICK, FINISH, hands=hands, watcher=watcher)
    assert (len(hands.done), report.end) == (done, end), "the end of a task needs no consent"
    shown = capsys.readouterr().err
    assert "Do it? [y]es, [N]o and tell the model, [s]top" in asked[0]
    assert ("write y, n or s" in shown) == ("perhaps" in answers)
    assert "Clicked" not in shown, "nothing has been done when it is asked"


def test_a_dry_run_asks_for_no_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    performed: list[object] = []
    monkeypatch.setattr(agent_command, "_work", lambda given, *_: performed.append(given))
    named = ["--task", "Log in", "--model", "openai:gpt-5-mini", "--dry-run"]
    done = CliRunner().invoke(command, [*named, "--allow-window", "form"])
    assert done.exit_code == 0, done.output
    assert "gets the picture and the texts of these windows, once" in done.output
    assert "?" not in done.output
    assert len(performed) == 1
    words = refused(*named)
    assert "--dry-run outside a terminal, say which windows" in words
    assert "--yes" not in words


def test_a_target_that_is_not_there_is_shown_as_that() -> None:
    agent = Agent(StageHands(), Reciter(answer("click", {"text": "Send"}, why="")), task="Send it")
    (planned,) = agent.first_answer()[2]
    assert "  ! " in place_words(planned)


def test_the_summary_tells_how_it_ended() -> None:
    report, _, _ = run(CLICK, BudgetError("The budget of $1 would be passed."))
    first, *_, end, kept = summary(
        report.model_copy(update={"demo": "demo_1", "data": ({"description": "p", "data": 1},)})
    )
    assert first.startswith("1 action, 2 turns, ")
    assert "the budget would have been passed: The budget of $1" in end
    assert "demo_1" in kept
    stopped = AgentReport(task="t", model="m", dialect="caap", end="stopped", reason="It was stopped.")
    assert list(summary(stopped))[-1] == "It ended because it was stopped."


def test_the_place_of_a_click_names_its_window() -> None:
    window = WindowInfo(title="Two", app="", box=Rect(0, 0, 200, 120))
    agent = Agent(StageHands(scene=Scene(window=window)), Reciter(CLICK), task="Save")
    planned: PlannedAction = agent.first_answer()[2][0]
    assert "in Two)" in place_words(planned)

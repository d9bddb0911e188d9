"""An agent against a real HTTP server: the whole way of the client, and answers made of the prompt's text alone."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from demopack.domain.actions import LLMResponse
from demopack.domain.geometry import Rect
from demopack.pack.reader import open_packs
from demopack.prompting.caap_prompts import TABLE_6
from demopack.settings import LanguageSettings
from demopack.store import Library
from demopack_cli.bench import CONFIGURATIONS
from demopack_cli.bench import _model_agent as benchmark_agent
from models.language.client import LanguageClient
from player.agent import Agent, AgentOptions
from player.agent_report import AgentReport
from player.run_recorder import RunRecorder
from tests.support.agent_stage import Scene, StageHands, element
from tests.support.language import StillClock
from tests.support.openai_server import OpenAIServer, content, hang, status
from tests.support.text_only_model import Question, Seen, answer, parse, plan_of, text_only_server

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")

LOGIN = (
    element("Name field", Rect(20, 10, 120, 26), "input_field"),
    element("Key field", Rect(20, 40, 120, 56), "input_field"),
    element("Login", Rect(20, 80, 80, 100)),
)
TASK = 'Enter the username "ada" and the password "x1y" into the text fields and press login.'


def another(_: LLMResponse, scene: Scene) -> Scene:
    return replace(scene, seed=scene.seed + 1)


@contextlib.contextmanager
def client(server: OpenAIServer, folder: Path, **given: object) -> Generator[LanguageClient]:
    settings = LanguageSettings.model_validate({"model": "server:text-only", "base_url": server.base_url, **given})
    port = LanguageClient(settings, folder=folder, clock=StillClock())
    try:
        yield port
    finally:
        port.close()


def work(
    server: OpenAIServer, library: Library, *, dialect: str, task: str = TASK, **given: object
) -> tuple[AgentReport, StageHands]:
    hands = StageHands(scene=Scene(elements=LOGIN), react=another)
    with client(server, library.folder, **given) as port, RunRecorder(library, task=task) as recorder:
        agent = Agent(hands, port, task=task, options=AgentOptions(dialect=dialect, max_steps=6), recorder=recorder)
        return agent.run(), hands


@pytest.mark.parametrize("dialect", ["llmresponse", "caap"])
def test_the_solvers_log_in_through_http(dialect: str, tmp_path: Path) -> None:
    with Library.open(tmp_path) as library, text_only_server() as server:
        report, hands = work(server, library, dialect=dialect)
        demo = library.demo(report.demo)
    done = [(one.action.action_type, one.action.typed_text) for one in hands.done[:5]]
    assert done == [("click", None), ("type", "ada"), ("click", None), ("type", "x1y"), ("click", None)]
    clicked = [one.action.target.text for one in hands.done[:5] if one.action.target]
    assert clicked == ["Name field", "Key field", "Login"]
    # CAAP has no word for the end; all five actions came from one answer there.
    assert (report.end, len(server.asked)) == (("complete", 6) if dialect == "llmresponse" else ("steps", 2))
    assert demo.head.outcome == ("success" if dialect == "llmresponse" else "failure")
    assert report.input_tokens > 0


def test_answers_are_in_the_librarys_log_and_go_with_the_demo(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library, text_only_server() as server:
        report, _ = work(server, library, dialect="caap")
        with client(server, tmp_path) as port:
            asked = len(server.asked)
            again = Agent(
                StageHands(scene=Scene(elements=LOGIN), react=another), port, task=TASK,
                options=AgentOptions(dialect="caap", max_steps=5),
            ).run()  # fmt: skip
        assert (again.steps, len(server.asked)) == (5, asked), "the same question is paid for once"
        assert again.cost == 0
        with client(server, tmp_path) as port:
            port.log.forget(report.demo)
            Agent(
                StageHands(scene=Scene(elements=LOGIN), react=another), port, task=TASK,
                options=AgentOptions(dialect="caap", max_steps=5),
            ).run()  # fmt: skip
        assert len(server.asked) == asked + 1


def test_a_server_that_stumbles_is_asked_again_and_what_costs_too_much_is_not_sent(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library, text_only_server() as server:
        server.script += [status(500), content("")]
        report, hands = work(server, library, dialect="llmresponse")
        assert (report.end, len(hands.done)) == ("complete", 6)
        poor, none = work(server, library, dialect="llmresponse", input_price=9e4, output_price=9e4, task="Focus")
    assert (poor.end, none.done) == ("budget", [])
    assert "budget" in poor.reason


def test_who_stops_it_leaves_a_server_that_is_silent(tmp_path: Path) -> None:
    release = threading.Event()
    hands = StageHands(scene=Scene(elements=LOGIN))
    with OpenAIServer() as server, client(server, tmp_path) as port:
        server.script.append(hang(release))
        agent = Agent(hands, port, task=TASK)
        thread = threading.Thread(target=agent.run)
        thread.start()
        server.wait_asked(1)
        hands.control.token.cancel()
        thread.join(20)
        assert not thread.is_alive()
        release.set()
    assert agent.report.end == "stopped"


def messages(task: str, *lines: dict[str, object]) -> list[dict[str, object]]:
    listed = "\n".join(json.dumps(line) for line in lines)
    text = f"Task: {task}\n\nNothing was done yet.\n\nElements on the screen, 200 x 100 pixels:\n{listed}\n\nNext?"
    return [{"role": "user", "content": text}]


def test_the_solvers_know_the_prompt_alone() -> None:
    asked = messages(
        'Click on the "Ok" button.',
        {"element_id": 1, "type": "text", "text": 'Click on the "Ok" button.', "bbox": [0, 0, 1, 0.1]},
        {"element_id": 2, "type": "button", "text": "Ok", "bbox": [0.1, 0.5, 0.2, 0.1]},
    )
    question = parse(asked)
    assert (question.done, question.size) == (0, (200, 100))
    plan = plan_of(question)
    assert plan is not None
    assert [act.element.number for act in plan if act.element] == [2]
    assert plan_of(replace(question, elements=question.elements[:1])) is None, "what is not listed is not known"


def test_a_link_in_a_line_is_found_by_its_share_of_it() -> None:
    line = Seen(number=1, type="text", text="aaaa bbbb cccc", box=(0, 10, 140, 20))
    plan = plan_of(Question(dialect="caap", task='Click on the link "bbbb".', elements=[line], done=0))
    assert plan is not None
    assert plan[0].at == (70, 15)


PARTS = {
    "demos": "\nDEMO_1 = {", "reasons": ', reason: "', "review": "Analysis of Action History",
    "plan": "Completion Plan", "screen": "Description of Screen Components",
}  # fmt: skip
"""What a part of CAAP's prompt is known by; without demos there are no reasons of theirs."""


@pytest.mark.parametrize("config", CONFIGURATIONS)
def test_a_configuration_of_the_papers_table_reaches_the_server(tmp_path: Path, config: str) -> None:
    """The shipped demos and the parts of the prompt, as the benchmark's command puts them together."""
    given = benchmark_agent(
        "few-shot", tmp_path, model="server:x", dialect="caap", demos=None, shots=2, config=config, eyes="pixels",
        max_steps=1, budget=None,
    )  # fmt: skip
    assert given.demos is not None
    with text_only_server() as server, client(server, tmp_path) as port, open_packs([given.demos]) as demos:
        Agent(
            StageHands(scene=Scene(elements=LOGIN), react=another), port, task=TASK, options=given.options, demos=demos
        ).run()  # fmt: skip
        prompt = server.asked[0].texts
    off = {name for name, words in PARTS.items() if words not in prompt}
    assert off == TABLE_6[config] | ({"reasons"} if "demos" in TABLE_6[config] else set())


@pytest.mark.parametrize(
    ("task", "rows", "action"),
    [
        ("Drag Ann down by one position.", [("Ann", 100), ("Bo", 150)], "drag"),
        ("Select Rome from the scroll list and click Submit.", [("Oslo", 100), ("Bern", 150)], "scroll"),
        (
            "Copy the text in the textarea below, paste it into the textbox and press Submit.",
            [("Ann", 100)],
            "finish_goal",
        ),
    ],
)
def test_solvers_tell_the_next_act_from_the_list_alone(task: str, rows: list[tuple[str, int]], action: str) -> None:
    listed = [
        {"element_id": number, "type": "list_item", "text": text, "bbox": [0.1, y / 400, 0.2, 0.05]}
        for number, (text, y) in enumerate(rows, start=1)
    ]
    asked = "\n".join(map(json.dumps, listed))
    prompt = f"Task: {task}\n\nNothing was done yet.\n\nElements on the screen, 400 x 400 pixels:\n{asked}\n\nWhich?"

    told = json.loads(answer([{"role": "user", "content": prompt}]))["action"]

    assert told["action_type"] == action
    if action == "drag":
        assert told["target"] == {"element_id": 1}
        assert told["parameters"]["end_target"]["bbox"][1] > (150 + 10) / 400  # past the middle of the other

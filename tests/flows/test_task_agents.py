"""Who is asked in a run of tasks: a model for each part, the template it chooses, and the log of what was said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.provenance import by_human
from demopack.domain.tasks import Task, TaskSource
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack_cli.main import main
from models.language.port import AnswerError, NoKeyError
from tasks.agents import agent_settings, open_agents
from tasks.results import TaskLog
from tasks.templates import TaskTemplate
from tests.support.openai_server import Asked, OpenAIServer, Reply, good

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
TASK = Task(
    id="word 1",
    task="Sort the table",
    plan=("Select it",),
    app="writer",
    source=TaskSource(kind="written"),
    provenance=by_human("Ada"),
)
KEY = "sk-a-secret-key"


def settings(**agents: dict[str, Any]) -> Settings:
    language = {"model": "openai:gpt-5-mini", "key": "MY_KEY", "sees": "yes", "input_price": 3, "in_flight": 7}
    return Settings.model_validate({"language": language, "tasks": agents})


def test_an_agent_has_what_is_common_until_it_is_given_something_of_its_own() -> None:
    given = settings(
        filter={"model": "ollama:qwen3:8b"},
        evaluation={"model": "openai:gpt-5", "sees": "no"},
        instantiation={"base_url": "http://127.0.0.1:9/v1"},
    )
    common = given.language
    assert agent_settings("filter", "model", settings(), {}) == common
    found = agent_settings("filter", "model", given, {})
    assert (found.model, found.key, found.input_price, found.sees, found.in_flight) == (
        "ollama:qwen3:8b", "", -1, "auto", 7,
    )  # fmt: skip
    found = agent_settings("evaluation", "model", given, {})
    assert (found.model, found.key, found.sees) == ("openai:gpt-5", "MY_KEY", "no")
    found = agent_settings("instantiation", "model", given, {})
    assert (found.model, found.base_url, found.key) == ("openai:gpt-5-mini", "http://127.0.0.1:9/v1", ""), (
        "a key for one server is sent to no other"
    )
    assert agent_settings("filter", "openai:gpt-5", given, {}).model == "ollama:qwen3:8b"
    assert agent_settings("evaluation", "model", given, {"evaluation": "openai:o4-mini"}).sees == "auto"


def test_what_is_wrong_with_an_agent_is_told_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    wrong: list[tuple[Settings, type[Exception], str]] = [
        (settings(filter={"model": "nobody:x"}), BadInputError, "filter of tasks: There is no service “nobody”"),
        (settings(evaluation={"key": "NO_SUCH_KEY"}), NoKeyError, "evaluation of tasks: There is no key .*NO_SUCH_KEY"),
    ]
    for given, kind, words in wrong:
        with pytest.raises(kind, match=words), open_agents("model", given, folder=tmp_path):
            pass
    with (
        pytest.raises(BadInputError, match="There is no agent 'judge'"),
        open_agents("model", settings(), folder=tmp_path, named={"judge": "openai:gpt-5"}),
    ):
        pass
    with open_agents("model", settings(), folder=tmp_path, named={"filter": "openai:gpt-5"}) as agents:
        assert agents.instantiation.port is agents.evaluation.port
        assert agents.filter.port.name == "openai:gpt-5"


@pytest.fixture
def templates(tmp_path: Path) -> list[TaskTemplate]:
    said = {"a.odt": "A letter", "b.odt": "A report with a table", "c.odt": ""}
    return [TaskTemplate(file=tmp_path / name, description=text) for name, text in said.items()]


def choosing(name: str) -> Any:
    def answer(asked: Asked) -> Reply:
        told = "There is no document “none.odt”; there is a.odt, b.odt, c.odt." in asked.texts
        return good({"template": name if told else "none.odt", "reason": f"It fits; my key is {KEY}."})

    return answer


def test_a_model_chooses_among_the_templates_that_there_are_and_each_word_is_logged(
    tmp_path: Path, templates: list[TaskTemplate], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    log, file = TaskLog(tmp_path / "out"), tmp_path / "out/logs/word_1/choose_template.jsonl"
    with OpenAIServer(answer=choosing("b.odt"), key=KEY) as server:
        language = {"model": "server:m", "base_url": server.base_url, "key": "MY_KEY", "input_price": 1}
        given = Settings.model_validate({"language": language})
        for _ in range(2):
            with open_agents("model", given, folder=tmp_path, log=log) as agents:
                choice = agents.instantiation.choose(TASK, templates, JobControl())
                assert (choice.template.file.name, choice.how) == ("b.odt", "model")
        assert len(server.paid) == 2, "the second run pays nothing"
        with open_agents("model", given, folder=tmp_path) as agents:
            assert agents.instantiation.choose(TASK, templates[:1], JobControl()).how == "only"
            assert agents.instantiation.choose(TASK, [templates[2]] * 2, JobControl()).how == "random"
        assert len(server.paid) == 2
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["answer"]["template"] for line in lines] == ["none.odt", "b.odt"] * 2
    assert [line["cached"] for line in lines] == [False, False, True, True]
    assert "- b.odt: A report with a table" in json.dumps(lines[0]["question"])
    assert all(line["prompt"].startswith("tasks/template@") and line["cost"] >= 0 for line in lines)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), path


def test_a_template_that_there_is_not_is_never_taken(tmp_path: Path, templates: list[TaskTemplate]) -> None:
    log = TaskLog(tmp_path / "out")
    with OpenAIServer(answer=choosing("none.odt")) as server:
        given = Settings.model_validate({"language": {"model": "server:m", "base_url": server.base_url}})
        with (
            open_agents("model", given, folder=tmp_path, log=log) as agents,
            pytest.raises(AnswerError, match=r"There is no document “none\.odt”"),
        ):
            agents.instantiation.choose(TASK, templates, JobControl())
        assert len(server.paid) == 2, "it says the same again"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--agent", "filter=openai:gpt-5"), "--agent and --template-method model want --model"),
        (("--template-method", "model"), "--agent and --template-method model want --model"),
        (("--model", "model", "--agent", "filter"), "'filter' is no PART=PROVIDER:NAME."),
    ],
)
def test_agents_are_named_with_their_part(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(main, ["tasks", "run", "x", "--library", str(tmp_path), *words])
    assert done.exit_code == 2
    assert told in done.output

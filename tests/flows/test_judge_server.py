from __future__ import annotations

import json
from pathlib import Path

import pytest

from demopack.jobs import JobControl
from demopack.store import Library
from models.language.judge.judge_run import judge_demo
from tests.support.editing import TINY, sample_library

pytest.importorskip("pydantic_ai", reason="the language extra is not installed")

from tests.support.language import asking
from tests.support.openai_server import OpenAIServer


def test_a_server_is_asked_by_strict_schemas_and_what_it_said_is_not_asked_again(tmp_path: Path) -> None:
    """The server of the tests fills every schema with something that fits it."""
    with Library.open(sample_library(tmp_path)) as library, OpenAIServer() as server:
        with asking(server, tmp_path / "kept") as client:
            first = judge_demo(library, TINY, client, control=JobControl())
        schemas = [asked.body["response_format"]["json_schema"] for asked in server.asked]
        with asking(server, tmp_path / "kept") as client:
            second = judge_demo(library, TINY, client, control=JobControl(), again=True)
    assert [step.state for step in first.steps] == ["judged"] * 3
    assert first.trouble == ""
    assert first.verdict is not None
    assert (first.calls, second.calls, len(server.asked)) == (4, 0, 4), "the second run was paid for by the first"
    assert second.cost == 0
    assert all(schema["strict"] for schema in schemas)
    assert "criteria_met" in json.dumps(schemas[-1])

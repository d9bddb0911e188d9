"""Answers are recorded from a server once, and played back without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from demopack.errors import BadInputError
from models.language.cassette import CassettePlayer, CassetteRecorder
from models.language.port import LanguageError, PromptImage, RefusedError
from tests.support.language import client_of, picture, question
from tests.support.openai_server import OpenAIServer, refusal

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")


def test_what_was_recorded_is_played_back_without_a_server(tmp_path: Path) -> None:
    file = tmp_path / "tapes" / "writer.json"
    with OpenAIServer() as server:
        recorder = CassetteRecorder(client_of(server, tmp_path / "language"), file)
        said = recorder.submit(question("Look:", picture(), subject="demo_a/step_1")).result(30)
        server.script.append(refusal())
        assert isinstance(recorder.submit(question("no")).exception(30), RefusedError)
        recorder.close()
    player = CassettePlayer(file)
    assert (player.name, player.sees) == ("server:tiny-vl", True)
    # What it is about and what a picture is called decide nothing.
    again = replace(question("Look:", PromptImage(png=picture().png, what="after")), subject="demo_b/step_2")
    heard = player.submit(again).result(0)
    assert (heard.value, heard.usage, heard.model) == (said.value, said.usage, said.model)
    assert heard.cached
    player.close()
    text = file.read_text(encoding="utf-8")
    assert '"subject": "demo_a/step_1"' in text
    assert "Look:" not in text


def test_a_question_that_was_not_recorded_is_told(tmp_path: Path) -> None:
    file = tmp_path / "tape.json"
    with OpenAIServer() as server:
        recorder = CassetteRecorder(client_of(server, tmp_path / "language"), file)
        recorder.submit(question("1")).result(30)
        recorder.close()
    other = replace(question("2"), subject="demo_a/step_7")
    with pytest.raises(LanguageError, match=r"tape\.json has no answer to writer/thought@1 about “demo_a/step_7”"):
        CassettePlayer(file).submit(other).result(0)


def test_a_damaged_cassette_is_named(tmp_path: Path) -> None:
    file = tmp_path / "tape.json"
    for text in (None, "{", '{"cassette_version": 2}'):
        if text is not None:
            file.write_text(text, encoding="utf-8")
        with pytest.raises(BadInputError, match=r"tape\.json"):
            CassettePlayer(file)

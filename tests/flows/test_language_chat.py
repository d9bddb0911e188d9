"""A talk with a language model over real HTTP: messages with roles and pictures in, the text as it was written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language.port import AnswerError, ChatMessage, LanguageRequest, PlainText, PromptImage
from tests.support.language import asking, attempts, paid, picture, question
from tests.support.openai_server import OpenAIServer, content, good, status

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")


def talk(
    *parts: str | PromptImage, earlier: tuple[ChatMessage, ...] = (), system: str = ""
) -> LanguageRequest[PlainText]:
    return LanguageRequest(
        prompt="agent/caap@2", system=system, parts=parts, earlier=earlier, answer=PlainText, max_tokens=900
    )


def test_a_talk_goes_out_message_by_message_and_its_answer_comes_back_as_it_was_written(tmp_path: Path) -> None:
    shown = picture()
    earlier = (
        ChatMessage(role="user", parts=("What do you see?", shown)),
        ChatMessage(role="assistant", parts=("A window.",)),
        ChatMessage(role="user", parts=("Look again.",)),
    )
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script.append(content("# Plan\n{not json"))
        answer = client.submit(talk("And now?", earlier=earlier, system="You act.")).result(30)
    assert answer.value.text == "# Plan\n{not json"
    (asked,) = server.asked
    messages = asked.body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user", "user"]
    assert asked.texts == "You act.\nWhat do you see?\nA window.\nLook again.\nAnd now?"
    assert asked.pictures == (shown.png,)
    assert messages[1]["content"][1]["type"] == "image_url"
    assert asked.schema is None
    assert asked.body["max_tokens"] == 900


def test_a_talk_without_a_system_message_begins_with_the_question(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script.append(content("yes"))
        client.submit(talk("Hello?")).result(30)
    assert [message["role"] for message in server.asked[0].body["messages"]] == ["user"]


def test_the_same_talk_is_paid_for_once_and_another_one_is_asked(tmp_path: Path) -> None:
    before = (ChatMessage(role="user", parts=("one",)), ChatMessage(role="assistant", parts=("two",)))
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script += [content("first"), content("second")]
        first = client.submit(talk("What?", earlier=before)).result(30)
        again = client.submit(talk("What?", earlier=before)).result(30)
        other = client.submit(talk("What?")).result(30)
        assert paid(client.log) == pytest.approx((first.usage.cost or 0) + (other.usage.cost or 0))
        assert len(attempts(client.log)) == 2
    assert (first.value.text, again.value.text, other.value.text) == ("first", "first", "second")
    assert (again.cached, other.cached) == (True, False)


def test_an_empty_answer_is_asked_for_again_and_a_cut_one_gets_more_room(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script += [content(""), content("half of", finish="length"), content("half of it and the rest")]
        answer = client.submit(talk("Well?")).result(30)
    assert answer.value.text == "half of it and the rest"
    assert [asked.body["max_tokens"] for asked in server.asked] == [900, 900, 1800]
    assert "It was empty. Answer again." in server.asked[1].texts


def test_answers_that_stay_empty_are_an_error(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script += [content("")] * 3
        with pytest.raises(AnswerError):
            client.submit(talk("Well?")).result(30)


def test_a_talk_proves_nothing_about_schemas(tmp_path: Path) -> None:
    """A server that takes no schemas answers talks all the same; fields are then asked for in words."""
    with OpenAIServer(schemas=False) as server, asking(server, tmp_path) as client:
        server.script.append(content("hello"))
        assert client.submit(talk("Hello?")).result(30).value.text == "hello"
        server.script += [status(400), good({"thought": "because"})]
        assert client.submit(question()).result(30).value.thought == "because"
    assert "follows this JSON schema" in server.asked[-1].texts

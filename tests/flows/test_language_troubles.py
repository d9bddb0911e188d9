"""The client over real HTTP when the server fails: each way once, what is asked again, and what the user reads."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from models.language.port import AnswerError, LanguageError, NoKeyError, RefusedError, ServerError
from tests.support.language import Reason, StillClock, asking, attempts, client_of, question
from tests.support.openai_server import (
    OpenAIServer,
    Reply,
    content,
    cut,
    fill,
    good,
    html,
    huge,
    refusal,
    status,
)

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")

GOOD = fill(Reason.model_json_schema())
SECOND = {"thought": "second"}


@pytest.mark.parametrize(
    ("reply", "outcome", "waits", "charged"),
    [
        (lambda: status(429, retry_after="7"), "busy", [7.0], False),
        (lambda: status(429), "busy", [1.0], False),
        (lambda: status(500), "server", [1.0], False),
        (lambda: status(503, retry_after="2"), "server", [2.0], False),
        (lambda: status(529), "server", [1.0], False),
        (cut, "cut", [1.0], True),
        (lambda: cut(0), "cut", [1.0], True),
        (lambda: content("I would press the button."), "unreadable", [], True),
        (lambda: content('{"thought": "x", "plan": "not a list", "score": 1, "sure": true}'), "unreadable", [], True),
        (lambda: content('{"thought": "never ends', finish="length"), "unreadable", [], True),
        (lambda: content(""), "unreadable", [], True),
        (lambda: Reply(body=b'{"half": '), "server", [1.0], True),
        (lambda: Reply(body=b'{"choices": []}'), "unreadable", [], True),
        (lambda: huge(10), "oversize", [], True),
        (html, "type", [], False),
    ],
)
def test_what_passes_is_asked_again(
    tmp_path: Path, reply: Callable[[], Reply], outcome: str, waits: list[float], charged: bool
) -> None:
    clock = StillClock()
    with OpenAIServer() as server, asking(server, tmp_path, clock=clock) as client:
        server.script.extend([reply(), good({**GOOD, **SECOND})])
        answer = client.submit(question()).result(60)
        log = attempts(client.log)
    assert answer.value.thought == "second"
    assert [row["outcome"] for row in log] == [outcome, "answered"]
    # What a server may have charged counts, what it sent away does not.
    assert (log[0]["cost"] > 0) is charged
    assert clock.slept == waits
    assert answer.usage.cost == pytest.approx(sum(row["cost"] for row in log))


@pytest.mark.parametrize(
    ("reply", "error", "attempts"),
    [
        (lambda: status(429), ServerError, 6),
        (lambda: status(500), ServerError, 6),
        (cut, ServerError, 6),
        (lambda: status(429, retry_after="4000"), ServerError, 1),
        (lambda: status(429, words="You exceeded your current quota (insufficient_quota)"), ServerError, 1),
        (lambda: status(404, words="the model `tiny-vl` does not exist"), ServerError, 1),
        (lambda: status(401), NoKeyError, 1),
        (lambda: status(403), NoKeyError, 1),
        (lambda: status(400, words="the context is too long"), ServerError, 2),
        (refusal, RefusedError, 1),
        (lambda: content("", finish="content_filter"), RefusedError, 1),
        (lambda: content("no JSON"), AnswerError, 3),
        (lambda: content(""), AnswerError, 3),
        (huge, AnswerError, 3),
        (html, AnswerError, 3),
    ],
)
def test_what_does_not_pass_is_told_and_stored_nowhere(
    tmp_path: Path, reply: Callable[[], Reply], error: type[LanguageError], attempts: int
) -> None:
    with OpenAIServer(answer=lambda _: reply()) as server, asking(server, tmp_path) as client:
        caught = client.submit(question()).exception(60)
        assert type(caught) is error
        assert isinstance(caught, LanguageError)
        assert "server:tiny-vl" in caught.user_message
        assert caught.hint
        assert len(server.asked) == attempts
        # Failures are no answers: the next time it is asked anew.
        server.script.append(good({**GOOD, **SECOND}))
        assert client.submit(question()).result(60).value.thought == "second"


def test_a_silent_server_is_left_and_asked_again(tmp_path: Path) -> None:
    release, clock = threading.Event(), StillClock()
    with OpenAIServer() as server, asking(server, tmp_path, clock=clock, timeout_s=2) as client:
        server.script.append(Reply(message={"content": "{}"}, wait=release, cut_at=0))
        answer = client.submit(question()).result(60)
        outcomes = [(row["outcome"], row["cost"] > 0) for row in attempts(client.log)]
        release.set()
    assert answer.value.thought == "some words"
    # The server may have thought about it all the same: it counts with the most it can have cost.
    assert outcomes == [("timeout", True), ("answered", True)]
    assert clock.slept == [1.0]


def test_nobody_at_the_address_costs_nothing_and_is_told(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        pass
    with asking(server, tmp_path) as client:
        caught = client.submit(question()).exception(60)
        costs = [row["cost"] for row in attempts(client.log)]
    assert isinstance(caught, ServerError)
    assert "cannot be reached" in caught.user_message
    assert "language.base_url" in caught.hint
    assert costs == [0.0] * 2


def test_a_server_that_has_answered_is_waited_for(tmp_path: Path) -> None:
    with contextlib.ExitStack() as ends:
        with OpenAIServer() as server:
            client = client_of(server, tmp_path, clock=(clock := StillClock()))
            ends.callback(client.close)
            client.submit(question()).result(60)
        caught = client.submit(question("Why not?")).exception(60)
    assert isinstance(caught, ServerError)
    assert len(clock.slept) == 5


def test_waits_double_and_have_an_end(tmp_path: Path) -> None:
    clock = StillClock()
    with OpenAIServer(answer=lambda _: status(500)) as server, asking(server, tmp_path, clock=clock) as client:
        assert isinstance(client.submit(question()).exception(60), ServerError)
    assert clock.slept == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_when_one_is_sent_away_the_others_wait_too(tmp_path: Path) -> None:
    """With one request at a time: after a 429 nothing goes out before the server's own time is over."""
    clock = StillClock()
    with OpenAIServer() as server, asking(server, tmp_path, clock=clock, in_flight=1) as client:
        server.script.append(status(429, retry_after="30"))
        futures = [client.submit(question(str(n))) for n in range(3)]
        assert [future.result(60).cached for future in futures] == [False] * 3
    assert clock.slept == [30.0]
    assert len(server.asked) == 4


def test_an_answer_that_does_not_fit_is_shown_to_the_model_with_its_mistakes(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        wrong = json.dumps({"thought": "x", "plan": [], "score": "many", "sure": True})
        server.script.extend([content(wrong), good(GOOD)])
        client.submit(question()).result(60)
    roles = [message["role"] for message in server.asked[1].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "score:" in server.asked[1].body["messages"][-1]["content"]
    assert server.asked[1].schema is not None


def test_an_answer_that_was_cut_off_gets_more_room(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script.append(content("", finish="length"))
        client.submit(question(max_tokens=100)).result(60)
    assert [asked.body["max_tokens"] for asked in server.asked] == [100, 200]


def test_one_strange_answer_does_not_change_the_way_of_asking(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        client.submit(question("1")).result(60)
        server.script.append(content("Hello!"))
        client.submit(question("2")).result(60)
    assert [asked.schema is not None for asked in server.asked] == [True, True, True]


def test_a_failure_is_shared_by_all_who_asked(tmp_path: Path) -> None:
    go = threading.Event()
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script.append(Reply(message={"content": None, "refusal": "no"}, wait=go))
        futures = [client.submit(question()) for _ in range(3)]
        server.wait_asked(1)
        go.set()
        assert [type(future.exception(60)) for future in futures] == [RefusedError] * 3
    assert len(server.asked) == 1


def test_who_leaves_ends_the_retries(tmp_path: Path) -> None:
    go = threading.Event()
    with OpenAIServer() as server, asking(server, tmp_path, in_flight=1) as client:
        server.script.append(Reply(status=500, body=b"{}", wait=go))
        future = client.submit(question("left"))
        server.wait_asked(1)
        future.cancel()
        go.set()
        client.submit(question("another")).result(60)
    assert [asked.texts.splitlines()[-1] for asked in server.asked] == ["left", "another"]

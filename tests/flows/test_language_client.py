"""The client over real HTTP when all goes well: what is sent, what is paid, what is shared, what is kept."""

from __future__ import annotations

import json
import threading
from concurrent.futures import CancelledError, wait
from dataclasses import replace
from pathlib import Path

import pytest

from demopack.domain.records import Record
from models.language.client import LanguageClient
from models.language.port import BudgetError, LanguageError, NoKeyError, PromptImage
from tests.support.language import Reason, asking, attempts, client_of, paid, picture, question, settings_of
from tests.support.openai_server import Asked, OpenAIServer, Reply, content, fill, good, hang

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")


def test_a_question_goes_out_with_a_strict_schema_and_comes_back_as_a_record(tmp_path: Path) -> None:
    said = {"thought": "“Save” keeps it", "plan": ["save"], "score": None, "sure": True}
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script.append(good(said))
        answer = client.submit(question("Why?", subject="demo_a/step_1")).result(30)
    assert answer.value == Reason(thought="“Save” keeps it", plan=("save",), score=None, sure=True)
    assert (answer.model, answer.cached) == ("tiny-vl-2025-08-07", False)
    (asked,) = server.asked
    wanted = asked.body["response_format"]["json_schema"]
    assert wanted["strict"] is True
    assert wanted["schema"]["required"] == ["thought", "plan", "score", "sure"]
    assert wanted["schema"]["additionalProperties"] is False
    assert wanted["schema"]["properties"]["score"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert (asked.body["max_tokens"], asked.body["temperature"]) == (800, 0.0)
    assert asked.texts == "You explain steps.\nWhy?"


def test_models_that_think_first_are_kept_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with OpenAIServer() as server, asking(server, tmp_path, model="openai:gpt-5-mini") as client:
        client.submit(question()).result(30)
    body = server.asked[0].body
    assert (body["reasoning_effort"], body["max_completion_tokens"]) == ("low", 800)
    assert "temperature" not in body  # they take none
    assert "max_tokens" not in body


def test_what_it_takes_is_counted_and_priced(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        usage = client.submit(question("x" * 4000)).result(30).usage
        (row,) = attempts(client.log)
    assert usage.input_tokens == 1000 + len("You explain steps.\n") // 4
    assert usage.cost == pytest.approx((usage.input_tokens + 2 * usage.output_tokens) / 1e6)
    assert (row["input_tokens"], row["cost"]) == (usage.input_tokens, usage.cost)


def test_pictures_arrive_as_they_were_and_in_their_place(tmp_path: Path) -> None:
    shown = picture()
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        assert client.sees
        client.submit(question("Look:", shown, "Why?")).result(30)
        log = attempts(client.log)
    (asked,) = server.asked
    assert asked.pictures == (shown.png,)
    assert [part["type"] for part in asked.body["messages"][-1]["content"]] == ["text", "image_url", "text"]
    (noted,) = log[0]["pictures"]
    assert (noted["what"], noted["width"], noted["height"]) == ("before", 40, 30)


def test_a_blind_model_gets_no_pictures_and_a_broken_picture_is_not_sent(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        with asking(server, tmp_path, sees="no") as client, pytest.raises(LanguageError, match="takes no pictures"):
            client.submit(question("Look:", picture())).result(30)
        with asking(server, tmp_path) as client, pytest.raises(Exception, match="not a PNG"):
            client.submit(question("Look:", PromptImage(png=b"GIF89a", what="before"))).result(30)
    assert server.asked == []


def test_what_was_answered_is_never_sent_again(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        with asking(server, tmp_path) as client:
            first = client.submit(question()).result(30)
            again = client.submit(replace(question(), subject="demo_b/step_9")).result(30)
        with asking(server, tmp_path) as client:  # as after a restart
            later = client.submit(question()).result(30)
            assert len(attempts(client.log)) == 1
    assert len(server.asked) == 1
    assert (first.cached, again.cached, later.cached) == (False, True, True)
    assert first.value == again.value == later.value
    assert later.usage == first.usage


@pytest.mark.parametrize(
    "other",
    [
        replace(question(), prompt="writer/thought@2"),
        replace(question(), parts=("Why not?",)),
        replace(question("Why?", picture()), parts=("Why?", picture(41))),
        replace(question(), system="You judge."),
        replace(question(), max_tokens=900),
    ],
)
def test_whatever_decides_the_answer_makes_another_question(tmp_path: Path, other: object) -> None:
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        client.submit(question()).result(30)
        client.submit(other).result(30)  # type: ignore[arg-type]
    assert len(server.asked) == 2


def test_another_shape_of_the_answer_is_another_question(tmp_path: Path) -> None:
    class Verdict(Record):
        complete: bool

    with OpenAIServer() as server, asking(server, tmp_path) as client:
        client.submit(question()).result(30)
        assert client.submit(replace(question(), answer=Verdict)).result(30).value == Verdict(complete=True)
    assert len(server.asked) == 2


def test_equal_questions_under_way_are_sent_once(tmp_path: Path) -> None:
    go = threading.Event()
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        server.script.append(good(fill(Reason.model_json_schema()), wait=go))
        futures = [client.submit(question()) for _ in range(5)]
        server.wait_asked(1)
        go.set()
        answers = [future.result(30) for future in futures]
        cost = paid(client.log)
    assert len(server.asked) == 1
    assert [answer.cached for answer in answers] == [False, True, True, True, True]
    assert cost == answers[0].usage.cost


def test_never_more_at_once_than_set(tmp_path: Path) -> None:
    lock, now, most = threading.Lock(), [0], [0]
    gate = threading.Barrier(3, timeout=30)

    def before() -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        gate.wait()  # three must be here together, or nobody goes on
        with lock:
            now[0] -= 1
        gate.wait()

    with OpenAIServer(before=before) as server, asking(server, tmp_path, in_flight=3) as client:
        futures = [client.submit(question(str(n))) for n in range(12)]
        assert wait(futures, 60).not_done == set()
    assert most[0] == 3


def test_cancelling_keeps_what_waits_from_being_sent_and_stores_what_was(tmp_path: Path) -> None:
    go = threading.Event()
    server = OpenAIServer(answer=lambda asked: good(fill(asked.schema or {}), wait=go))
    with server, asking(server, tmp_path, in_flight=1) as client:
        futures = [client.submit(question(str(n))) for n in range(20)]
        server.wait_asked(1)
        for future in futures:
            assert future.cancel()
        go.set()
        # A question that comes later has its turn only when the first has ended.
        client.submit(question("last")).result(30)
        assert client.submit(question("0")).result(30).cached
    assert len(server.asked) == 2


def test_closing_ends_what_waits_and_what_runs(tmp_path: Path) -> None:
    release = threading.Event()
    with OpenAIServer(answer=lambda _: hang(release)) as server:
        client = client_of(server, tmp_path, in_flight=1)
        futures = [client.submit(question(str(n))) for n in range(3)]
        server.wait_asked(1)
        client.close()
        client.close()
        release.set()
    for future in futures:
        with pytest.raises(CancelledError):
            future.result(30)
    with pytest.raises(LanguageError, match="was closed"):
        client.submit(question())


def test_the_budget_stops_before_it_is_passed(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path, budget=0.004) as client:
        answers = []
        futures = [client.submit(question(str(n))) for n in range(100)]
        for future in futures:
            try:
                answers.append(future.result(60))
            except BudgetError as error:
                refused = error
        spent = paid(client.log)
    assert 0 < len(answers) < 100
    assert len(server.asked) == len(answers)
    assert spent <= 0.004
    assert spent == pytest.approx(sum(answer.usage.cost or 0 for answer in answers))
    assert "budget of $0.004 for this library" in refused.user_message
    assert "--budget" in refused.hint


def test_near_the_budget_a_question_waits_for_those_under_way(tmp_path: Path) -> None:
    """Each may cost 0.0025 and costs a fraction: all fit one after the other, but not all at once."""
    with OpenAIServer() as server, asking(server, tmp_path, budget=0.006) as client:
        futures = [client.submit(question(str(n))) for n in range(16)]
        assert len([future.result(60) for future in futures]) == 16


def test_an_allowance_counts_from_now_within_the_budget(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        with asking(server, tmp_path) as client:
            client.submit(question("x" * 400_000)).result(30)
            assert paid(client.log) > 0.1
        with asking(server, tmp_path, allowance=0.01) as client:
            client.submit(question("a little")).result(30)
            with pytest.raises(BudgetError, match=r"budget of \$0\.01 for this run"):
                client.submit(question("y" * 400_000)).result(30)


def test_without_a_price_nothing_is_sent_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer() as server:
        monkeypatch.setattr("models.language.servers.is_local", lambda _: False)
        with asking(server, tmp_path, input_price=-1, output_price=-1) as client:
            with pytest.raises(BudgetError, match="price of server:tiny-vl is not known") as caught:
                client.submit(question()).result(30)
            assert "language.input_price" in caught.value.hint
    assert server.asked == []


def test_a_server_that_does_not_count_is_charged_at_its_worst(tmp_path: Path) -> None:
    with OpenAIServer(counts=False) as server, asking(server, tmp_path) as client:
        usage = client.submit(question()).result(30).usage
    assert (usage.input_tokens, usage.output_tokens) == (0, 0)
    assert (usage.cost or 0) >= 2 * 800 / 1e6


def test_a_server_without_schemas_is_asked_in_words(tmp_path: Path) -> None:
    with OpenAIServer(schemas=False) as server, asking(server, tmp_path) as client:
        assert client.submit(question("1")).result(30).value.thought == "some words"
        assert client.submit(question("2")).result(30).value.thought == "some words"
    assert [asked.schema is not None for asked in server.asked] == [True, False, False]
    assert "JSON schema" in server.asked[1].texts


def test_a_server_that_overlooks_schemas_is_asked_in_words(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        return content("I would press it.") if asked.schema else content(f"Sure!\n```json\n{_said()}\n```")

    with OpenAIServer(answer=answer) as server, asking(server, tmp_path) as client:
        assert client.submit(question("1")).result(30).value.thought == "it saves"
        assert client.submit(question("2")).result(30).value.thought == "it saves"
    assert [asked.schema is not None for asked in server.asked] == [True, False, False]


def test_the_way_of_asking_can_be_set(tmp_path: Path) -> None:
    with OpenAIServer() as server, asking(server, tmp_path, structured="prompt") as client:
        client.submit(question("1")).result(30)
    with OpenAIServer(schemas=False) as strict, asking(strict, tmp_path / "2", structured="schema") as client:
        future = client.submit(question("1"))
        assert isinstance(future.exception(30), LanguageError)
    assert server.asked[0].schema is None
    assert len(strict.asked) == 1


def test_a_key_goes_to_its_server_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-very-secret-1234"
    monkeypatch.setenv("MY_KEY", secret)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    with OpenAIServer(key=secret) as server:
        with asking(server, tmp_path, key="MY_KEY") as client:
            client.submit(question("1")).result(30)
        with asking(server, tmp_path) as client, pytest.raises(NoKeyError) as caught:
            client.submit(question("2")).result(30)
        assert "sk-other" not in server.asked[-1].headers["authorization"]
        monkeypatch.setenv("MY_KEY", secret + "x")
        with asking(server, tmp_path, key="MY_KEY") as client, pytest.raises(NoKeyError) as wrong:
            client.submit(question("3")).result(30)
    assert "none" in caught.value.details
    assert secret not in wrong.value.details
    assert "<key>" in wrong.value.details
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes()


def test_the_log_holds_neither_texts_nor_pictures(tmp_path: Path) -> None:
    shown = picture()
    with OpenAIServer() as server, asking(server, tmp_path) as client:
        client.submit(question("The password is hunter2-xyz", shown, subject="demo_a/step_2")).result(30)
        log = json.dumps(attempts(client.log))
    assert '"demo_a/step_2"' in log
    assert "hunter2" not in log
    for file in tmp_path.rglob("*"):
        data = file.read_bytes() if file.is_file() else b""
        assert b"hunter2" not in data
        assert shown.png not in data


def test_the_switch_makes_requests_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = pytest.raises(LanguageError, match="real request")
    with OpenAIServer() as server:
        monkeypatch.setenv("DEMOPACK_REQUESTS", "none")
        with asking(server, tmp_path) as client:
            with pytest.raises(LanguageError, match="real request"):
                client.submit(question()).result(30)
            assert paid(client.log) == 0
        monkeypatch.setenv("DEMOPACK_REQUESTS", "local")
        with asking(server, tmp_path) as client:
            client.submit(question()).result(30)
        with asking(server, tmp_path, base_url="http://192.0.2.1/v1") as client, stopped:
            client.submit(question()).result(30)
    assert len(server.asked) == 1


def test_the_factory_gives_a_port(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        port = LanguageClient(settings_of(server), folder=tmp_path / "language")
        try:
            assert port.name == "server:tiny-vl"
            assert port.submit(question()).result(30).value.thought == "some words"
        finally:
            port.close()


def _said() -> str:
    return json.dumps({"thought": "it saves", "plan": [], "score": 1, "sure": False})

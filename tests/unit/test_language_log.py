from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from demopack.errors import LibraryError, NewerVersionError
from models.language.port import BudgetError, LanguageAnswer, LanguageRequest, Usage
from models.language.servers import Server
from models.language.usage_log import FILE, SpendingLimit, UsageLog, address_of
from tests.support.language import Reason, attempts, paid

HERE = Server(kind="server", model="m", protocol="openai", base_url="http://127.0.0.1/v1", key="", sees=True)
NOTHING = Usage(input_tokens=0, output_tokens=0, cost=0.0)


def _question(text: str = "Why?", subject: str = "demo_a/step_1") -> LanguageRequest[Reason]:
    return LanguageRequest(prompt="p@1", system="", parts=(text,), answer=Reason, subject=subject)


def _key(question: LanguageRequest[Reason]) -> str:
    return address_of(question, HERE)


def _reserve(log: UsageLog, question: LanguageRequest[Reason], most: float, budget: float = 1.0) -> int:
    limits = [SpendingLimit(name="this library", dollars=budget)]
    return log.reserve(question, _key(question), model="server:m", most=most, limits=limits)


def _keep(log: UsageLog, question: LanguageRequest[Reason], cost: float = 0.1) -> None:
    usage = Usage(input_tokens=10, output_tokens=5, cost=cost)
    answer = LanguageAnswer(value='{"thought": "t"}', usage=usage, model="m-1")
    log.settle(_reserve(log, question, cost), outcome="answered", usage=usage, seconds=1.25, answer=answer)


@pytest.fixture
def log(tmp_path: Path) -> UsageLog:
    return UsageLog(tmp_path / "deep" / "language", now=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))


def test_an_attempt_counts_with_its_most_until_it_has_ended(log: UsageLog) -> None:
    attempt = _reserve(log, _question(), 0.6)
    assert paid(log) == 0.6
    with pytest.raises(BudgetError, match=r"budget of \$1 for this library would be passed: \$0\.6000"):
        _reserve(log, _question(), 0.5)
    log.settle(attempt, outcome="server", usage=NOTHING, seconds=0.5)
    assert paid(log) == 0
    _reserve(log, _question(), 1.0)
    _reserve(log, _question(), 0.0, budget=0.5)  # what is free is asked however much was spent
    log.close()


def test_who_opens_it_later_counts_what_never_ended(log: UsageLog, tmp_path: Path) -> None:
    _reserve(log, _question(), 0.6)
    log.close()
    again = UsageLog(tmp_path / "deep" / "language")
    assert attempts(again)[0]["outcome"] == "sent"
    with pytest.raises(BudgetError):
        _reserve(again, _question(), 0.5)
    again.close()


def test_an_answer_and_its_cost_appear_together(log: UsageLog) -> None:
    question = _question()
    assert log.answer(_key(question)) is None
    _keep(log, question)
    stored = log.answer(_key(question))
    assert stored is not None
    assert (stored.value, stored.model, stored.usage.cost) == ('{"thought": "t"}', "m-1", 0.1)
    (row,) = attempts(log)
    assert (row["at"], row["outcome"], row["seconds"]) == ("2026-01-02T03:04:05.000+00:00", "answered", 1.25)
    assert (row["prompt"], row["subject"], row["characters"]) == ("p@1", "demo_a/step_1", 4)
    log.close()


def test_the_kept_sum_is_the_sum_of_all_attempts(log: UsageLog) -> None:
    for n in range(50):
        attempt = _reserve(log, _question(str(n)), 0.013)
        if n % 3:
            usage = Usage(input_tokens=1, output_tokens=1, cost=0.0007 * n)
            log.settle(attempt, outcome="answered", usage=usage, seconds=1)
    spent = paid(log)
    _reserve(log, _question(), 0.01, budget=spent + 0.01)
    with pytest.raises(BudgetError):
        _reserve(log, _question(), 0.01, budget=spent + 0.0199)
    log.close()


def test_sums_begin_where_they_are_asked_to(log: UsageLog) -> None:
    _keep(log, _question("1"))
    mark = log.last()
    _keep(log, _question("2"), cost=0.2)
    assert len(attempts(log)) == 2
    (later,) = attempts(log, after=mark)
    assert (later["input_tokens"], later["output_tokens"], later["cost"]) == (10, 5, 0.2)
    log.close()


def test_what_is_forgotten_leaves_the_disk_but_not_the_sums(log: UsageLog, tmp_path: Path) -> None:
    kept, gone = _question("1", "demo_ab/step_1"), _question("2", "demo_a/step_2")
    for one in (kept, gone):
        _keep(log, one)
    usage = Usage(input_tokens=1, output_tokens=1, cost=0.0)
    secret = _question("3", "demo_a")
    answer = LanguageAnswer(value='{"thought": "Annabel"}', usage=usage, model="m")
    log.settle(_reserve(log, secret, 0), outcome="answered", usage=usage, seconds=0, answer=answer)
    log.forget("demo_a")
    assert log.answer(_key(kept)) is not None
    assert log.answer(_key(gone)) is None
    assert paid(log) == pytest.approx(0.2)
    for file in (tmp_path / "deep" / "language").iterdir():
        assert b"Annabel" not in file.read_bytes()
    log.close()


def test_a_deleted_folder_and_a_newer_file_are_told(log: UsageLog, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "language" / FILE
    file.unlink()
    with pytest.raises(LibraryError, match="deleted or moved"):
        _reserve(log, _question(), 0.1)
    log.close()
    log.close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(NewerVersionError):
        UsageLog(tmp_path)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database" * 100)
    with pytest.raises(LibraryError, match=FILE):
        UsageLog(tmp_path)


def test_a_log_that_is_closed_says_so_as_a_library_does(log: UsageLog) -> None:
    attempt = _reserve(log, _question(), 0.1)
    log.close()
    with pytest.raises(LibraryError):
        _reserve(log, _question(), 0.1)
    with pytest.raises(LibraryError):
        log.settle(attempt, outcome="server", usage=NOTHING, seconds=0.5)

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from demopack.errors import LibraryError, NewerVersionError
from models.language.accounts import Limit, Stored
from models.language.ledger import FILE, Ledger
from models.language.port import BudgetError, LanguageRequest, Usage
from models.language.questions import Question, question_of
from models.language.servers import Server
from tests.support.language import Reason

HERE = Server(kind="server", model="m", protocol="openai", base_url="http://127.0.0.1/v1", key="", sees=True)
NOTHING = Usage(input_tokens=0, output_tokens=0, cost=0.0)


def _question(text: str = "Why?", subject: str = "demo_a/step_1") -> Question:
    return question_of(LanguageRequest(prompt="p@1", system="", parts=(text,), answer=Reason, subject=subject), HERE)


def _reserve(ledger: Ledger, question: Question, most: float, budget: float = 1.0) -> int:
    return ledger.reserve(question, model="server:m", most=most, limits=[Limit(name="this library", dollars=budget)])


def _keep(ledger: Ledger, question: Question, cost: float = 0.1) -> None:
    usage = Usage(input_tokens=10, output_tokens=5, cost=cost)
    answer = Stored(value='{"thought": "t"}', usage=usage, model="m-1")
    ledger.keep(_reserve(ledger, question, cost), question, answer, usage=usage, seconds=1.25)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "deep" / "language", now=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))


def test_an_attempt_counts_with_its_most_until_it_has_ended(ledger: Ledger) -> None:
    attempt = _reserve(ledger, _question(), 0.6)
    assert ledger.totals().cost == 0.6
    with pytest.raises(BudgetError, match=r"budget of \$1 for this library would be passed: \$0\.6000"):
        _reserve(ledger, _question(), 0.5)
    ledger.settle(attempt, outcome="server", usage=NOTHING, seconds=0.5)
    assert ledger.totals().cost == 0
    _reserve(ledger, _question(), 1.0)
    _reserve(ledger, _question(), 0.0, budget=0.5)  # what is free is asked however much was spent
    ledger.close()


def test_who_opens_it_later_counts_what_never_ended(ledger: Ledger, tmp_path: Path) -> None:
    _reserve(ledger, _question(), 0.6)
    ledger.close()
    again = Ledger(tmp_path / "deep" / "language")
    assert again.log()[0]["outcome"] == "sent"
    with pytest.raises(BudgetError):
        _reserve(again, _question(), 0.5)
    again.close()


def test_an_answer_and_its_cost_appear_together(ledger: Ledger) -> None:
    question = _question()
    assert ledger.answer(question.key) is None
    _keep(ledger, question)
    stored = ledger.answer(question.key)
    assert stored is not None
    assert (stored.value, stored.model, stored.usage.cost) == ('{"thought": "t"}', "m-1", 0.1)
    (row,) = ledger.log()
    assert (row["at"], row["outcome"], row["seconds"]) == ("2026-01-02T03:04:05.000+00:00", "answered", 1.25)
    assert (row["prompt"], row["subject"], row["characters"]) == ("p@1", "demo_a/step_1", 4)
    ledger.close()


def test_the_kept_sum_is_the_sum_of_all_attempts(ledger: Ledger) -> None:
    for n in range(50):
        attempt = _reserve(ledger, _question(str(n)), 0.013)
        if n % 3:
            usage = Usage(input_tokens=1, output_tokens=1, cost=0.0007 * n)
            ledger.settle(attempt, outcome="answered", usage=usage, seconds=1)
    spent = ledger.totals().cost
    _reserve(ledger, _question(), 0.01, budget=spent + 0.01)
    with pytest.raises(BudgetError):
        _reserve(ledger, _question(), 0.01, budget=spent + 0.0199)
    ledger.close()


def test_sums_begin_where_they_are_asked_to(ledger: Ledger) -> None:
    _keep(ledger, _question("1"))
    mark = ledger.last()
    _keep(ledger, _question("2"), cost=0.2)
    assert ledger.totals().calls == 2
    later = ledger.totals(after=mark)
    assert (later.calls, later.input_tokens, later.output_tokens, later.cost) == (1, 10, 5, 0.2)
    ledger.close()


def test_what_is_forgotten_leaves_the_disk_but_not_the_sums(ledger: Ledger, tmp_path: Path) -> None:
    kept, gone = _question("1", "demo_ab/step_1"), _question("2", "demo_a/step_2")
    for one in (kept, gone):
        _keep(ledger, one)
    usage = Usage(input_tokens=1, output_tokens=1, cost=0.0)
    secret = _question("3", "demo_a")
    answer = Stored(value='{"thought": "Annabel"}', usage=usage, model="m")
    ledger.keep(_reserve(ledger, secret, 0), secret, answer, usage=usage, seconds=0)
    ledger.forget("demo_a")
    assert ledger.answer(kept.key) is not None
    assert ledger.answer(gone.key) is None
    assert ledger.totals().cost == pytest.approx(0.2)
    for file in (tmp_path / "deep" / "language").iterdir():
        assert b"Annabel" not in file.read_bytes()
    ledger.close()


def test_a_deleted_folder_and_a_newer_file_are_told(ledger: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "language" / FILE
    file.unlink()
    with pytest.raises(LibraryError, match="deleted or moved"):
        _reserve(ledger, _question(), 0.1)
    ledger.close()
    ledger.close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(NewerVersionError):
        Ledger(tmp_path)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database" * 100)
    with pytest.raises(LibraryError, match=FILE):
        Ledger(tmp_path)

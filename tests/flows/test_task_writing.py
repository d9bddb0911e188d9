"""What a language model writes for the task bank, over real HTTP: checked, told back, paid once, killed and resumed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, get_args

import pytest
from click.testing import CliRunner

from demopack.codecs.tasks.files import TaskFileOptions
from demopack.domain.provenance import by_human
from demopack.domain.tasks import Task, TaskSource, TaskState
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl
from demopack_cli.main import main
from demopack_cli.tasks_writing import EVOLVABLE, WRITABLE
from models.language.prompts import PromptCatalogue
from tasks.asking import AskingReport
from tasks.bank import TaskBank, TaskQuery
from tasks.collecting import collect_files
from tasks.filters import FilterRules, filter_bank
from tasks.writing import TaskWriter, evolve_tasks, extract_tasks, write_tasks
from tests.support.language import asking
from tests.support.openai_server import Asked, OpenAIServer, Reply, content, good, hang, refusal, status

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")
pytest.importorskip("py3langid", reason="what tells languages apart is an extra")

ROOT = Path(__file__).parents[2]
BY = by_human("Ada")
Answer = Callable[[Asked], Reply]


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[TaskBank]:
    with TaskBank.open(tmp_path / "library") as bank:
        yield bank


def task(name: str, words: str, *plan: str, kind: str = "manual", **more: Any) -> Task:
    source = TaskSource.model_validate({"kind": kind, "name": "guide.html", "place": name})
    return Task(id=name, task=words, plan=plan, source=source, provenance=BY, **more)


def add(bank: TaskBank, *tasks: Task) -> None:
    bank.add(tasks, label="Add", provenance=BY)


def said(asked: Asked, what: str) -> str:
    """What stands behind a mark of the prompt."""
    found = re.search(rf"^{what}: (.+)$", asked.texts, re.MULTILINE)
    return found[1] if found else ""


def is_again(asked: Asked) -> bool:
    return "Your last answer cannot be used" in asked.texts


def usual(asked: Asked) -> Reply:
    """A model that does what it is asked for."""
    if query := said(asked, "QUERY"):
        return good({"request": f"Please {query} in the open document."})
    words = said(asked, "TASK")
    plan = [f"Open the menu for {words.lower()}", "Choose OK"]
    if "harder task, in one sentence" in asked.texts:
        number = asked.texts.count("\n- ") - 2
        return good({"task": f"{words} and save a copy, number {number}", "steps": [*plan, "Save a copy"]})
    return good({"steps": plan})


class Ask(Protocol):
    """Runs with one server for the whole test; the report, and what was asked this time."""

    def __call__(
        self, run: Callable[..., AskingReport], answer: Answer | Sequence[object] = ..., **given: Any
    ) -> tuple[AskingReport, list[Asked]]: ...


@pytest.fixture
def ask(bank: TaskBank) -> Iterator[Ask]:
    def run(
        run: Callable[..., AskingReport], answer: Answer | Sequence[object] = usual, **given: Any
    ) -> tuple[AskingReport, list[Asked]]:
        server.script.clear()
        script: Sequence[object] = () if callable(answer) else answer
        server.script.extend(one if isinstance(one, Reply) else good(one) for one in script)
        answers[:] = [answer if callable(answer) else usual]
        usage = {key: given.pop(key) for key in ("allowance", "in_flight") if key in given}
        query, before = TaskQuery(**given.pop("query", {})), len(server.asked)
        with asking(server, bank.folder, **usage) as port:
            writer = TaskWriter(port=port, catalogue=PromptCatalogue())
            report = run(bank, writer, query, control=JobControl(), **given)
        return report, server.asked[before:]

    answers: list[Answer] = []
    with OpenAIServer(answer=lambda asked: answers[0](asked)) as server:
        yield run


def test_queries_become_requests_and_tasks_without_a_plan_get_one(bank: TaskBank, ask: Ask) -> None:
    add(
        bank,
        task("q", "bold text", kind="query", app="writer"),
        task("n", "Print a page"),
        task("p", "Delete a row", "Select it", "Press Delete"),
    )
    report, asked = ask(write_tasks)
    assert (sorted(report.changed), report.failed, report.trouble, len(asked)) == (["n", "q"], [], "", 3)
    request, other, same = bank.get("q"), bank.get("n"), bank.get("p")
    assert request.task == "Please bold text in the open document."
    assert request.plan[-1] == "Choose OK"
    assert request.source.kind == "query"
    assert request.written is not None
    assert (request.written.query, request.written.plan) == ("bold text", True)
    assert request.written.provenance.name == "server:tiny-vl"
    assert request.written.provenance.reason.startswith("tasks/reword@1 (tiny-vl-2025-08-07); tasks/plan@1")
    assert (other.task, other.plan[-1]) == ("Print a page", "Choose OK")
    assert other.written is not None
    assert (other.written.query, other.written.plan) == ("", True)
    assert same.written is None
    assert any("It is about this program: writer" in one.texts for one in asked)
    again, asked = ask(write_tasks)
    assert (again.total, asked) == (0, [])
    assert bank.undo()
    assert (bank.get("q").task, bank.get("q").plan, bank.get("n").plan) == ("bold text", (), ())


def test_what_was_rewritten_is_known_when_its_file_comes_in_again(bank: TaskBank, ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "queries.txt").write_text("bold text\n", "utf-8")
    (tmp_path / "tasks.json").write_text('[{"task_id": "1", "task": "Print a page"}]', "utf-8")
    paths = [tmp_path / "queries.txt", tmp_path / "tasks.json"]
    collect_files(paths, bank, TaskFileOptions(), provenance=BY)
    ask(write_tasks)
    report = collect_files(paths, bank, TaskFileOptions(), provenance=BY)
    assert (report.added, report.known, bank.count()) == ((), 2, 2)


BAD_REQUESTS: list[tuple[object, str]] = [
    ({"request": "Insert a pivot chart into the open sheet."}, "something else"),
    ({"request": "bold text " * 31}, "62 words"),
    ({"request": "Bold text"}, "no whole sentence"),
    ({"request": "I'm sorry, but I can't help with that."}, "something else"),
]


@pytest.mark.parametrize(("value", "reason"), BAD_REQUESTS)
def test_a_request_that_does_not_hold_is_told_back_and_left_out(
    bank: TaskBank, ask: Ask, value: object, reason: str
) -> None:
    old = task("q", "bold text", kind="query")
    add(bank, old)
    report, asked = ask(write_tasks, [value] * 3)
    assert [one.name for one in report.failed] == ["q"]
    assert reason in report.failed[0].reason
    assert bank.get("q") == old
    assert [is_again(one) for one in asked] == [False, True], "who says the same again is not asked a third time"
    assert reason in asked[1].texts
    again, asked = ask(write_tasks)
    assert (again.failed, asked) == (report.failed, []), "the same answers are not paid for again"


@pytest.mark.parametrize("value", ["", "\n\x00 "])
def test_a_query_that_asks_for_nothing_that_can_be_done_is_left_as_it_is(bank: TaskBank, ask: Ask, value: str) -> None:
    old = task("q", "price of excel", kind="query")
    add(bank, old)
    report, asked = ask(write_tasks, [{"request": value}])
    assert "finds nothing in the query" in report.failed[0].reason
    assert (bank.get("q"), len(asked)) == (old, 1)


@pytest.mark.parametrize(
    ("query", "request_"),
    [
        ("exel colum width", "Set the width of a column in Excel."),
        ("ms word toc", "Insert a table of contents in Microsoft Word."),
        ("how to bold text", "Make the selected text bold."),
        ("text fett machen word", "Formatiere den markierten Text in Word fett."),
    ],
)
def test_short_forms_and_misspelt_words_of_queries_may_be_mended(
    bank: TaskBank, ask: Ask, query: str, request_: str
) -> None:
    add(bank, task("q", query, kind="query"))
    report, _ = ask(write_tasks, [{"request": request_}])
    assert (report.failed, bank.get("q").task) == ([], request_)


def test_an_answer_that_was_mended_counts(bank: TaskBank, ask: Ask) -> None:
    add(bank, task("q", "bold text", kind="query"))
    report, _ = ask(write_tasks, [{"request": "Insert a chart there."}, {"request": "Make the first text bold."}])
    assert (report.changed, report.failed) == (["q"], [])
    assert bank.get("q").task == "Make the first text bold."


BAD_PLANS: list[tuple[object, str]] = [
    ({"steps": []}, "The plan has no steps."),
    ({"steps": ["", " "]}, "The plan has no steps."),
    ({"steps": [f"Press {n}" for n in range(41)]}, "41 steps"),
    ({"steps": ["Choose File", "..."]}, "Step 2 says nothing"),
    ({"steps": ["word " * 81]}, "Step 1 has 81 words"),
    ({"steps": ["x" * 300_000]}, "Step 1 has 1 word, 1001 letters"),
    ({"steps": ["word " * 81] * 1000}, "41 steps or more"),
    ({"steps": ["I'm sorry, I cannot do that."]}, "It is no plan"),
]


@pytest.mark.parametrize(("value", "reason"), BAD_PLANS)
def test_a_plan_that_does_not_hold_never_comes_in(bank: TaskBank, ask: Ask, value: object, reason: str) -> None:
    old = task("n", "Print a page")
    add(bank, old)
    report, _ = ask(write_tasks, [value] * 3)
    assert reason in report.failed[0].reason
    assert bank.get("n") == old


def test_numbers_and_bold_type_are_taken_off(bank: TaskBank, ask: Ask) -> None:
    add(bank, task("n", "Print a page"))
    ask(write_tasks, [{"steps": ["1. Choose **File** > **Print**.", "2. Type =2**3 ", "3. Choose\n OK"]}])
    assert bank.get("n").plan == ("Choose File > Print.", "Type =2**3", "Choose OK")


def test_what_the_query_became_is_kept_where_the_plan_failed(bank: TaskBank, ask: Ask) -> None:
    add(bank, task("q", "bold text", kind="query"))
    report, _ = ask(write_tasks, [{"request": "Make the first text bold."}, *[{"steps": []}] * 3])
    assert (report.changed, [one.name for one in report.failed]) == (["q"], ["q"])
    assert (bank.get("q").task, bank.get("q").plan) == ("Make the first text bold.", ())
    report, asked = ask(write_tasks, query={"kind": "query"})
    assert (report.total, asked) == (1, []), "the same three answers"


@pytest.mark.parametrize(
    "reply", [refusal(), content("no JSON at all"), status(400), good({"steps": "Press Ctrl+P"})], ids=str
)
def test_a_refusal_and_garbage_cost_no_other_task(bank: TaskBank, ask: Ask, reply: Reply) -> None:
    add(bank, task("n", "Print a page"), task("m", "Save the page"))
    report, _ = ask(write_tasks, lambda asked: reply if "Print" in asked.texts else usual(asked))
    assert [one.name for one in report.failed] == ["n"]
    assert (report.changed, report.trouble) == (["m"], "")
    assert bank.get("n").plan == ()


def test_what_is_left_out_or_was_tried_is_not_written(bank: TaskBank, ask: Ask) -> None:
    add(bank, task("out", "Drucke eine Seite aus"), task("tried", "Print a page", demo="demo_1"))
    filter_bank(bank, FilterRules(), provenance=BY)
    assert bank.counts("state") == {"executed": 1, "filtered_out": 1}
    report, asked = ask(write_tasks)
    assert (report.total, asked) == (0, [])


def test_a_task_that_was_changed_elsewhere_meanwhile_is_left_as_it_is(bank: TaskBank, ask: Ask) -> None:
    old = task("n", "Print a page")
    add(bank, old)

    def answer(asked: Asked) -> Reply:
        with TaskBank.open(bank.folder) as other:
            other.change([(old, old.but(app="writer"))], label="There", provenance=BY)
        return usual(asked)

    report, _ = ask(write_tasks, answer)
    assert "changed elsewhere" in report.failed[0].reason
    assert (bank.get("n").app, bank.get("n").plan) == ("writer", ())


# Harder forms -------------------------------------------------------------------------------------------------------

ROW = task("row", "Delete a row from a table in Calc", "Select the row", "Press Delete", app="calc", platform="linux")


def test_a_harder_task_is_a_task_of_its_own_with_a_plan_anew(bank: TaskBank, ask: Ask) -> None:
    add(bank, ROW, task("bare", "Print a page"))
    report, asked = ask(evolve_tasks)
    assert (report.total, report.failed, len(report.added)) == (1, [], 1)
    new = bank.get(report.added[0])
    assert new.task == "Delete a row from a table in Calc and save a copy, number 0"
    assert (new.app, new.platform, new.evolved_from, new.source.kind) == ("calc", "linux", "row", "evolved")
    assert (new.plan[-1], new.state, new.provenance.kind) == ("Save a copy", "collected", "model")
    assert new.provenance.reason.startswith("tasks/evolve@1")
    assert "1. Select the row" in asked[0].texts
    assert "At most 28 words" in asked[0].texts
    assert bank.get("row") == ROW
    again, asked = ask(evolve_tasks)
    assert (again.total, asked) == (0, [])
    assert bank.undo()
    assert bank.count() == 2
    after, asked = ask(evolve_tasks)
    assert (after.added, asked) == (report.added, []), "what was taken back is not paid for again"


def test_several_forms_differ_and_more_can_be_made_again(bank: TaskBank, ask: Ask) -> None:
    add(bank, ROW)
    first, _ = ask(evolve_tasks)
    more, asked = ask(evolve_tasks, per_task=3)
    assert (len(more.added), len(asked)) == (2, 2)
    assert "Harder forms that there are already" in asked[0].texts
    again, asked = ask(evolve_tasks, again=True)
    assert (len(again.added), len(asked)) == (1, 1)
    assert bank.count(TaskQuery(kind="evolved")) == 4
    deeper, _ = ask(evolve_tasks, query={"kind": "evolved"})
    assert deeper.total == 4
    assert {one.evolved_from for one in map(bank.get, deeper.added)} == {*first.added, *more.added, *again.added}


STEPS = ["Filter the rows", "Delete them"]
BAD_FORMS: list[tuple[object, str]] = [
    ({"task": "", "steps": STEPS}, "no harder task"),
    ({"task": "Delete a row from a table in Calc" + " and one more" * 7, "steps": STEPS}, "29 words"),
    ({"task": "Delete the row from a table in Calc", "steps": STEPS}, "nothing more than the original"),
    ({"task": "Insert a picture and turn it by ten degrees", "steps": STEPS}, "about something else"),
    ({"task": "Delete a row from a table in Word, and its borders", "steps": STEPS}, "is for word"),
    (
        {"task": "Lösche die Zeile (delete row) der Tabelle table in Calc und speichere danach alles", "steps": STEPS},
        "reads as “de”",
    ),
    ({"task": "Delete a row from a table in Calc " + "x" * 300_000, "steps": STEPS}, "9 words"),
    ({"task": "Delete each empty row from a table in Calc", "steps": []}, "no steps"),
    (
        {"task": "Delete each empty row from a table in Calc", "steps": ["1. select the ROW", "2. Press delete."]},
        "that",
    ),
    ({"task": "Delete each empty row from a table in Calc", "steps": ["Press Tab"] * 41}, "41 steps"),
]


@pytest.mark.parametrize(("value", "reason"), BAD_FORMS)
def test_a_harder_task_that_does_not_hold_never_comes_in(bank: TaskBank, ask: Ask, value: object, reason: str) -> None:
    add(bank, ROW)
    report, asked = ask(evolve_tasks, [value] * 3)
    assert reason in report.failed[0].reason
    assert (report.added, bank.count(), len(asked)) == ([], 1, 2)


def test_a_form_that_there_is_already_is_none(bank: TaskBank, ask: Ask) -> None:
    add(bank, ROW)
    value = {"task": "Delete each empty row from a table in Calc", "steps": STEPS}
    report, _ = ask(evolve_tasks, [value] * 4, per_task=2)
    assert (len(report.added), "one that there is already" in report.failed[0].reason) == (1, True)


@pytest.mark.parametrize(
    ("original", "harder"),
    [
        ("Bold text", "Make the first text bold and red"),
        ("删除表格中的一行", "删除表格中的一行且把剩下的行按日期排序"),
        ("Insert a chart in Excel", "Insert a chart in Excel, and paste it as a picture in Excel on a new sheet"),
        ("Seitenrand einstellen", "Den Seitenrand der ersten Seite auf drei Zentimeter einstellen"),
    ],
)
def test_harder_tasks_of_every_language_come_in(bank: TaskBank, ask: Ask, original: str, harder: str) -> None:
    add(bank, task("1", original, "Look"))
    report, _ = ask(evolve_tasks, [{"task": harder, "steps": STEPS}])
    assert (report.failed, len(report.added)) == ([], 1)


# Ends ---------------------------------------------------------------------------------------------------------------


def test_a_server_that_dies_ends_the_run_and_what_was_answered_stays(bank: TaskBank, ask: Ask) -> None:
    names = [f"t{n:02}" for n in range(20)]
    add(bank, *(task(name, f"Print page {name}") for name in names))
    lock, served = threading.Lock(), [0]

    def answer(asked: Asked) -> Reply:
        with lock:
            served[0] += 1
            return usual(asked) if served[0] <= 5 else status(500)

    report, _ = ask(write_tasks, answer, in_flight=2)
    assert report.trouble
    assert len(report.changed) == 5
    assert sum(bool(one.plan) for one in bank.tasks()) == 5
    assert len(report.failed) < 15, "the others were not tried"
    after, asked = ask(write_tasks)
    assert (len(after.changed), len(asked), after.trouble) == (15, 15, "")


def test_a_run_ends_at_its_budget_and_the_next_one_goes_on(bank: TaskBank, ask: Ask) -> None:
    add(bank, *(task(f"t{n:02}", f"Print page {n} twice") for n in range(20)))
    report, first = ask(write_tasks, allowance=0.006, in_flight=2)
    assert "budget of $0.006 for this run" in report.trouble
    assert report.failed == []
    assert 0 < len(report.changed) < 20
    after, second = ask(write_tasks)
    assert len(report.changed) + len(after.changed) == 20
    assert max(Counter(asked.texts for asked in (*first, *second)).values()) == 1


def test_a_cancelled_run_keeps_what_was_written(bank: TaskBank, ask: Ask) -> None:
    add(bank, *(task(f"t{n}", f"Print page {n} twice") for n in range(9)))
    token = CancelToken()
    control = JobControl(token=token, report=lambda progress: token.cancel() if progress.done >= 3 else None)
    with OpenAIServer(answer=usual) as server, asking(server, bank.folder, in_flight=1) as port:
        writer = TaskWriter(port=port, catalogue=PromptCatalogue(), at_once=1)
        with pytest.raises(CancelledError):
            write_tasks(bank, writer, TaskQuery(), control=control)
    assert sum(bool(one.plan) for one in bank.tasks()) == 3


# Pages --------------------------------------------------------------------------------------------------------------

PAGE = """<h1>Borders</h1><p>To add a border to a page, open the Format menu, choose Page Style, and then select the tab
Borders. Choose a line style there and confirm with OK.</p>
<ul><li>Shadows are set on the same tab.</li></ul>"""
FOUND = {
    "tasks": ["How to add a border to a page", "Delete every file"],
    "plans": [
        ["Open the Format menu", "Choose Page Style", "Select the tab Borders", "Choose a line style, confirm with OK"],
        ["Run the terminal", "Type rm -rf"],
    ],
}


def extract(ask: Ask, folder: Path, answer: Answer | Sequence[object]) -> tuple[AskingReport, list[Asked]]:
    def run(bank: TaskBank, writer: TaskWriter, _query: TaskQuery, *, control: JobControl) -> AskingReport:
        options = TaskFileOptions(app="writer")
        return extract_tasks([folder], bank, writer, options, control=control)[0]

    return ask(run, answer)


def test_tasks_are_found_in_the_words_of_a_page_and_nothing_that_it_does_not_say(
    bank: TaskBank, ask: Ask, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "words.html").write_text(PAGE, "utf-8")
    (folder / "list.html").write_text("<h1>Copy</h1><ol><li>Press Ctrl+C</ol>", "utf-8")
    (folder / "empty.html").write_text("<h1>Empty</h1>", "utf-8")
    report, asked = extract(ask, folder, [FOUND] * 3)
    (found,) = bank.tasks()
    assert (found.task, found.app, found.source.kind) == ("Add a border to a page", "writer", "manual")
    assert (found.source.name, found.source.place, len(found.plan)) == ("words.html", "Borders", 4)
    assert (found.provenance.kind, report.added) == ("model", [found.id])
    assert "does not say (run, terminal)" in report.failed[0].reason
    assert "Shadows are set on the same tab" in asked[0].texts
    assert len(asked) == 2
    assert "“Delete every file”: Step 1 speaks of" in asked[1].texts
    again, asked = extract(ask, folder, [])
    assert (again.added, again.known, asked) == ([], 1, [])


def test_a_page_of_a_thousand_inventions_is_soon_through(bank: TaskBank, ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "words.html").write_text(PAGE, "utf-8")
    lies = {"tasks": [f"Do {n} of other things" for n in range(1000)], "plans": [["Go away " * 9] * 9] * 1000}
    report, asked = extract(ask, tmp_path / "words.html", [lies])
    assert report.added == []
    assert re.search(r"And \d+ more", report.failed[0].reason)
    assert len(asked[1].texts) < 12_000


def test_a_page_without_anything_to_do_is_no_failure(bank: TaskBank, ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "words.md").write_text("# About\nThis program has a history.\n", "utf-8")
    report, asked = extract(ask, tmp_path / "words.md", [{"tasks": [], "plans": []}])
    assert (report.added, report.failed, len(asked)) == ([], [], 1)


# The command line ---------------------------------------------------------------------------------------------------


def settings(server: OpenAIServer) -> dict[str, object]:
    return {"language": {"model": "server:tester", "base_url": server.base_url, "input_price": 1, "output_price": 2}}


def start(folder: Path, server: OpenAIServer, *command: str) -> subprocess.Popen[str]:
    (folder / "settings.json").write_text(json.dumps(settings(server)), encoding="utf-8")
    environment = {**os.environ, "DEMOPACK_SETTINGS": str(folder / "settings.json"), "DEMOPACK_REQUESTS": "local"}
    heard = ["env", "--default-signal=INT"] if sys.platform == "linux" else []
    whole = [*heard, sys.executable, "-m", "demopack", "tasks", *command, "--library", str(folder / "library")]
    return subprocess.Popen(
        whole, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip


def finish(run: subprocess.Popen[str], code: int = 0) -> str:
    out, wrong = run.communicate(timeout=180)
    assert run.returncode == code, wrong
    return out


@pytest.mark.parametrize("signal_name", ["SIGKILL", "SIGINT"])
def test_after_a_kill_nothing_is_lost_and_nothing_is_paid_twice(tmp_path: Path, signal_name: str) -> None:
    answered, release, lock, served = 7, threading.Event(), threading.Lock(), [0]

    def answer(asked: Asked) -> Reply:
        with lock:
            served[0] += 1
            return usual(asked) if served[0] <= answered else hang(release)

    with TaskBank.open(tmp_path / "library") as bank:
        add(bank, *(task(f"t{n:02}", f"bold text {n}", kind="query") for n in range(12)))
    with OpenAIServer(answer=answer) as server:
        run = start(tmp_path, server, "write", "--json")
        server.wait_asked(answered + 4)  # as many as are asked at once
        run.send_signal(getattr(signal, signal_name))
        out, wrong = run.communicate(timeout=60)
        release.set()
        assert "Traceback" not in wrong
        assert run.returncode == (130 if signal_name == "SIGINT" else -signal.SIGKILL)
        if signal_name == "SIGINT":
            assert json.loads(out)["code"] == "stopped"
        with TaskBank.open(tmp_path / "library") as bank:
            assert all(one.written is None or one.task.startswith("Please") for one in bank.tasks())
        served[0] = -1000
        report = json.loads(finish(start(tmp_path, server, "write", "--json")))
        paid = Counter(asked.texts for asked in server.paid)
    assert max(paid.values()) == 1
    assert len(paid) == 24
    assert report["failed"] == []
    with TaskBank.open(tmp_path / "library") as bank:
        assert all(one.task.startswith("Please") and one.plan for one in bank.tasks())


def test_the_commands_say_what_became_of_it_and_show_what_they_would_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TaskBank.open(tmp_path / "library") as bank:
        add(bank, task("q", "bold text", kind="query"), ROW)
    (tmp_path / "words.html").write_text(PAGE, "utf-8")
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))

    def run(*command: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, ["tasks", *command, "--library", str(tmp_path / "library")])
        assert done.exit_code == code, done.output
        return done.output

    with OpenAIServer(answer=usual) as server:
        (tmp_path / "settings.json").write_text(json.dumps(settings(server)), encoding="utf-8")
        assert "QUERY: bold text" in run("write", "--preview", "q")
        assert "TASK: Delete a row" in run("evolve", "--preview", "row")
        assert server.asked == []
        assert run("write").startswith("1 of 1 task written (server:tester); 2 answers, $")
        assert "Written by server:tester: reworded from the query “bold text”, its plan" in run("show", "q")
        assert run("evolve", "--app", "calc").startswith("1 harder task of 1 task")
        server.script.extend([good(FOUND)] * 3)
        out = run("extract", str(tmp_path / "words.html"), code=1)
        assert out.startswith("1 task found on 1 page without steps (server:tester); 3 answers, $")
        assert "x words.html (Borders): “Delete every file”" in out


def test_the_command_line_knows_the_states() -> None:
    assert {*WRITABLE, *EVOLVABLE} <= set(get_args(TaskState))

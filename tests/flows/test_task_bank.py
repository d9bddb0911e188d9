"""The task bank: what comes in stays, whatever is filtered, and every command can be taken back."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.codecs.tasks.files import TaskFileOptions
from demopack.domain.provenance import by_human
from demopack.domain.tasks import Task, TaskSource
from demopack.domain.verdicts import DemoVerdict
from demopack.errors import BadInputError, LibraryError
from demopack.store import Library
from demopack_cli.main import main
from models.language.port import LanguageAnswer, LanguageRequest, PlainText, Usage
from models.language.usage_log import UsageLog
from tasks.bank import FILE, TaskBank, TaskQuery
from tasks.collecting import collect_demos, collect_files, read_demos
from tasks.filters import FilterRules, duplicates, filter_bank, find_reasons
from tasks.forgetting import erase_demo, forget_tasks
from tests.support.demos import tiny_demo

BY = by_human("Ada")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[TaskBank]:
    with TaskBank.open(tmp_path / "library") as bank:
        yield bank


def task(name: str, words: str, *plan: str, app: str = "", kind: str = "manual", platform: str = "") -> Task:
    source = TaskSource.model_validate({"kind": kind, "name": "guide.html"})
    return Task(id=name, task=words, plan=plan, app=app, platform=platform, source=source, provenance=BY)


def add(bank: TaskBank, *tasks: Task) -> tuple[str, ...]:
    return bank.add(tasks, label="Add", provenance=BY).added


def test_tasks_are_listed_in_the_order_in_which_they_came_and_found_by_their_words(bank: TaskBank) -> None:
    add(bank, task("z", "Print a page", "Press Ctrl+P"), task("a", "Délete a row", "Choose Edit", app="calc"))
    assert [row.id for row in bank.rows()] == ["z", "a"]
    assert [(row.number, row.steps, row.app, row.source) for row in bank.rows()] == [
        (1, 1, "", "guide.html"),
        (2, 1, "calc", "guide.html"),
    ]
    found = {
        words: [row.id for row in bank.rows(TaskQuery(words=words))] for words in ("a", "del ro", "ctrl", "x", '"')
    }
    assert found == {"a": ["z", "a"], "del ro": ["a"], "ctrl": ["z"], "x": [], '"': ["z", "a"]}
    assert [row.id for row in bank.rows(TaskQuery(words="a", app="calc"))] == ["a"]
    assert bank.count(TaskQuery(words="page")) == 1
    assert [row.id for row in bank.rows(offset=1)] == ["a"]
    assert bank.counts("app") == {"": 1, "calc": 1}


def test_a_bank_of_before_gets_an_index_that_is_new_without_being_read_anew(tmp_path: Path) -> None:
    with TaskBank.open(tmp_path) as bank:
        add(bank, task("1", "Print a page"))
        assert bank.count(TaskQuery(words="page")) == 1
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("DROP INDEX task_rules")
    with TaskBank.open(tmp_path) as bank, contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("SELECT 1 FROM sqlite_master WHERE name = 'task_rules'").fetchone()
        assert db.execute("SELECT 1 FROM task_stale").fetchone() is None
        assert bank.counts("rule") == {}


def test_what_is_known_comes_in_once_and_an_id_that_is_taken_is_changed(bank: TaskBank) -> None:
    first = bank.add([task("1", "Print"), task("1", "Print"), task("1", "Save")], label="Add", provenance=BY)
    assert (first.added, first.known) == (("1", "1_2"), 1)
    again = bank.add([task("1", "Save"), task("1", "Open")], label="Add", provenance=BY)
    assert (again.added, again.known) == (("1_3",), 1)


def test_every_command_is_taken_back_whole(bank: TaskBank) -> None:
    many = [task(f"t{n}", f"Task number {n}") for n in range(1100)]
    add(bank, *many)
    bank.change([(many[3], many[3].but(app="calc"))], label="Correct", provenance=BY)
    assert bank.get("t3").app == "calc"
    assert [entry.edit.label for entry in bank.undo()] == ["Correct"]
    assert bank.get("t3") == many[3]
    bank.undo()
    assert bank.count() == 0
    assert bank.rows(TaskQuery(words="number")) == []
    bank.redo()
    assert bank.count() == 1100
    assert [row.id for row in bank.rows(limit=2, offset=1098)] == ["t1098", "t1099"]
    bank.remove([many[0]], label="Remove", provenance=BY)
    assert bank.count(TaskQuery(words="task")) == 1099
    assert {line.name for line in bank.history()} <= {"Ada", ""}


def test_a_task_is_named_by_its_id_or_the_beginning_of_it(bank: TaskBank) -> None:
    add(bank, task("word_1", "Print"), task("word_2", "Save"))
    assert bank.get("word_1").task == "Print"
    add(bank, task("xy", "Open"))
    assert bank.get("x").task == "Open"
    for name in ("word", "nothing", ""):
        with pytest.raises(BadInputError, match=r"Several tasks begin|There is no task"):
            bank.get(name)


def test_what_was_changed_elsewhere_meanwhile_is_not_overwritten(bank: TaskBank) -> None:
    old = task("1", "Print")
    add(bank, old)
    with TaskBank.open(bank.folder) as other:
        other.change([(old, old.but(app="calc"))], label="There", provenance=BY)
    with pytest.raises(LibraryError, match="changed elsewhere"):
        bank.change([(old, old.but(app="writer"))], label="Here", provenance=BY)
    assert bank.get("1").app == "calc"
    assert bank.rows()[0].app == "calc"


def test_a_damaged_task_costs_no_other(bank: TaskBank) -> None:
    add(bank, task("1", "Print"), task("2", "Save"))
    assert bank.count() == 2
    bank.close()
    with sqlite3.connect(bank.folder / FILE) as db:
        db.execute("UPDATE entities SET json = '{}' WHERE key = '1'")
    db.close()
    with TaskBank.open(bank.folder) as again:
        assert [row.id for row in again.rows()] == ["1", "2"]
        assert again.get("2").task == "Save"
        with pytest.raises(LibraryError, match="The task 1 is damaged"):
            again.get("1")


def test_the_library_beside_it_is_as_it_was(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = tiny_demo(library)
        before = library.demo(demo)
    with TaskBank.open(tmp_path / "library") as bank:
        add(bank, task("1", "Print"))
    with Library.open(tmp_path / "library") as again:
        assert [one.head.id for one in again.demos()] == [demo]
        assert again.demo(demo) == before


def test_a_recorded_demo_is_a_task_with_what_was_done_as_its_plan(bank: TaskBank) -> None:
    with Library.open(bank.folder) as library:
        demo = tiny_demo(library)
        report = collect_demos(read_demos(library, ["last"]), bank, provenance=BY)
        assert collect_demos(read_demos(library, []), bank, provenance=BY).known == 1
    found = bank.get(report.added[0])
    assert (found.task, found.source.kind, found.source.id) == ("Go and greet", "demo", demo)
    assert found.plan == ("Click “Go” (button)", "Type “héllo 中”")


# Files --------------------------------------------------------------------------------------------------------------

PAPER = """{"task_id": "word_032",
 "task": "Add a border to a page in Word",
 "plan": [
 1. Go to Design > Page Borders.
 2. Make selections for how you want the border to look.
 3. To adjust the distance between the border and the edge of the page, select Options.
 4. Select OK.
 ]
}"""
UFO_TASK = """{
// The app you want to use
"app": "word", "unique_id": "1",
"task": "Type 'hello' and set the font type to Arial",
"refined_steps": ["Type 'hello'", "Set the font to Arial"]
}"""
FILES = {
    "paper.json": PAPER,
    "ufo.json": UFO_TASK,
    "many.jsonl": '{"task": "Save", "plan": []}\n\n{"task": "Open", "plan": "1) Press Ctrl+O\\n2) Choose"}\n',
    "list.json": '[{"task_id": 7, "task": "Zoom in"}]',
    "table.csv": 'Task,Plan,App,level\n"Print, twice","Press Ctrl+P\nType 2",calc,hard\n\nClose,,,\n',
    "columns.tsv": "title\tstep 1\tstep 2\nUndo\tPress Ctrl+Z\tLook\n",
    "queries.txt": "how to bold text\n\nexcel sort column\n",
    "guide.md": "# Copy\n1. Press Ctrl+C\n",
    "page.html": "<h1>No steps</h1><p>Only words.</p>",
    "picture.png": "-",
}


def fill(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_tasks_are_read_from_every_kind_of_file(bank: TaskBank, tmp_path: Path) -> None:
    report = collect_files([fill(tmp_path / "in", FILES)], bank, TaskFileOptions(platform="linux"), provenance=BY)
    found = {one.task: one for one in bank.tasks()}
    assert {words: one.plan for words, one in found.items()} == {
        "Undo": ("Press Ctrl+Z", "Look"),
        "Copy": ("Press Ctrl+C",),
        "Zoom in": (),
        "Save": (),
        "Open": ("Press Ctrl+O", "Choose"),
        "Add a border to a page in Word": (
            "Go to Design > Page Borders.",
            "Make selections for how you want the border to look.",
            "To adjust the distance between the border and the edge of the page, select Options.",
            "Select OK.",
        ),
        "how to bold text": (),
        "excel sort column": (),
        "Print, twice": ("Press Ctrl+P", "Type 2"),
        "Close": (),
        "Type 'hello' and set the font type to Arial": ("Type 'hello'", "Set the font to Arial"),
    }
    assert (found["Print, twice"].app, found["Print, twice"].platform) == ("calc", "linux")
    assert found["how to bold text"].source == TaskSource(kind="query", name="queries.txt", place="line 1")
    assert (found["Zoom in"].id, found["Zoom in"].source.kind) == ("7", "task_file")
    assert (report.reading.files, report.reading.without_steps, report.reading.ignored) == (
        8, ["page.html"], ["picture.png"],
    )  # fmt: skip
    again = collect_files([tmp_path / "in"], bank, TaskFileOptions(platform="linux"), provenance=BY)
    assert (again.added, again.known) == ((), 11)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "a.json: it is not JSON"),
        ("a.json", "[4]", r"the field \[0\]: it is not an object"),
        ("a.jsonl", '{"task": "x", "plan": []}\n{', "a.jsonl, line 2: it is not JSON"),
        ("a.csv", "name\nx\n", "head line has no column"),
        ("a.csv", "task,plan\nx\n", "line 2: it has 1 cells and the head line 2"),
        ("a.csv", "task,Task\nx,y\n", "the same name"),
        ("a.csv", 'task\n"x', "it is no table"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_of_its_path_comes_in(
    bank: TaskBank, tmp_path: Path, name: str, text: str, said: str
) -> None:
    folder = fill(tmp_path / "in", {"0.json": '{"task": "Print", "plan": []}', name: text})
    with pytest.raises(BadInputError, match=said):
        collect_files([folder], bank, TaskFileOptions(), provenance=BY)
    assert bank.count() == 0
    report = collect_files([folder], bank, TaskFileOptions(skip_bad=True), provenance=BY)
    assert len(report.reading.skipped) == 1
    assert bank.count() == 1 + text.startswith('{"task"')


def test_a_page_of_another_encoding_is_told(bank: TaskBank, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes("<h1>Größe</h1><ol><li>x</ol>".encode("latin-1"))
    with pytest.raises(BadInputError, match=r"a.html: it is not UTF-8"):
        collect_files([tmp_path / "a.html"], bank, TaskFileOptions(), provenance=BY)


# Filters ------------------------------------------------------------------------------------------------------------


def rules_of(one: Task, **rules: object) -> list[str]:
    return [found.rule for found in find_reasons(one, FilterRules(**rules))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words",
    [
        "Insert table",
        "Bold text",
        "Change font",
        "excel vlookup",
        "Set margins",
        "Import CSV",
        "Undo a step",
        "Click OK",
    ],
)
def test_short_titles_of_programs_pass_as_english(words: str) -> None:
    assert rules_of(task("1", words)) == []


@pytest.mark.parametrize(
    "words",
    ["Seitenrand einstellen", "Insertar una tabla en Word", "Formater une cellule", "页面边框", "Ändra teckensnitt"],
)
def test_other_languages_are_left_out(words: str) -> None:
    assert "language" in rules_of(task("1", words))
    assert "language" not in rules_of(task("1", words), language="")


def test_each_rule_leaves_out_what_it_says() -> None:
    assert rules_of(task("1", "Print")) == ["too_short"]
    assert rules_of(task("1", "Print the page " * 21)) == ["too_long"]
    assert rules_of(task("1", "Print the page", *["Press a key"] * 41)) == ["too_long"]
    assert rules_of(task("1", "Print the page"), needs_plan=True) == ["no_plan"]
    assert rules_of(task("1", "how to print a page", kind="query"), needs_plan=True) == []
    assert rules_of(task("1", "What is a pivot table")) == ["not_actionable"]
    assert rules_of(task("1", "Known issues with printing")) == ["not_actionable"]
    assert rules_of(task("1", "What is a pivot table", "Choose Insert")) == []
    assert rules_of(task("1", "Print from your iPhone"), platforms=("linux",)) == ["other_platform"]
    assert rules_of(task("1", "Print a page", platform="windows"), platforms=("linux",)) == ["other_platform"]
    assert rules_of(task("1", "Print a page on Ubuntu or an iPhone"), platforms=("linux",)) == []
    assert rules_of(task("1", "Print a page"), platforms=("linux",)) == []
    assert rules_of(task("1", "Add a border in Word"), apps=("writer",)) == ["other_app"]
    assert rules_of(task("1", "Add a border", app="Writer"), apps=("writer",)) == []
    with pytest.raises(BadInputError, match="'xx' is none that can be told"):
        FilterRules(language="xx").check()
    with pytest.raises(BadInputError, match="'dos' is not known"):
        FilterRules(platforms=("dos",)).check()


def test_duplicates_are_those_that_share_enough_of_their_words() -> None:
    """Against every pair, one by one."""
    words = [f"w{n}" for n in range(12)]
    made = [task(f"t{n}", " ".join(words[(n * k) % 12] for k in range(1, 3 + n % 7))) for n in range(60)]
    for likeness in (0.5, 0.75, 1.0):
        slow: list[str] = []
        kept: list[frozenset[str]] = []
        for one in made:
            own = frozenset(one.task.split())
            if any(len(own & other) / len(own | other) >= likeness for other in kept):
                slow.append(one.id)
            else:
                kept.append(own)
        assert list(duplicates(made, likeness)) == slow
    assert duplicates(made, 0) == {}
    assert not duplicates([task("1", "Print a page", app="calc"), task("2", "Print a page", app="writer")], 0.9)


def test_a_filter_deletes_nothing_and_says_why(bank: TaskBank) -> None:
    add(
        bank,
        task("1", "Print the page"),
        task("2", "Print a page"),
        task("3", "Drucke eine Seite aus"),
        task("4", "Drucke diese Seite aus"),
    )
    assert filter_bank(bank, FilterRules(), provenance=BY) == 3
    assert [(row.state, row.rules) for row in bank.rows()] == [
        ("kept", ()),
        ("filtered_out", ("duplicate",)),
        ("filtered_out", ("language",)),
        ("filtered_out", ("language",)),
    ]
    assert bank.counts("rule") == {"language": 2, "duplicate": 1}
    assert [found.reason for found in bank.get("2").findings or ()] == ["It is 100% like 1, “Print the page”."]
    assert filter_bank(bank, FilterRules(language="", likeness=0), provenance=BY) == 0
    assert bank.counts("state") == {"kept": 4}
    bank.undo()
    assert bank.counts("state") == {"filtered_out": 3, "kept": 1}


def test_records_are_plain_json(bank: TaskBank) -> None:
    add(bank, task("1", "Print"))
    assert json.loads(bank.get("1").model_dump_json())["schema_version"] == 1


# Forgetting ---------------------------------------------------------------------------------------------------------


def ask_about(folder: Path, subject: str, words: str) -> None:
    """Leave an answer about something."""
    request = LanguageRequest(prompt="p@1", system="", parts=(), answer=PlainText, subject=subject)
    paid = Usage(input_tokens=1, output_tokens=1, cost=0.01)
    with contextlib.closing(UsageLog(folder)) as log:
        attempt = log.reserve(request, subject, model="m", most=0.01, limits=[])
        log.settle(
            attempt,
            outcome="answered",
            usage=paid,
            seconds=1,
            answer=LanguageAnswer(value=words, usage=paid, model="m"),
        )


def told(folder: Path, word: str) -> list[str]:
    """The files of a library that hold a word."""
    return sorted(path.name for path in folder.iterdir() if word.encode() in path.read_bytes())


def test_what_is_forgotten_of_a_task_is_in_no_file_and_comes_back_by_no_undo(bank: TaskBank) -> None:
    secret = task("s", "Write Zanzibar", "Type Zanzibar")
    others = [task(f"t{n}", f"Print page {n}", "Press Ctrl+P") for n in range(600)]
    add(bank, *others[:300], secret, *others[300:])
    harder = task("h", "Write Zanzibar twice", kind="evolved").but(evolved_from="s")
    add(bank, harder)
    bank.change([(others[0], others[0].but(app="calc"))], label="Correct", provenance=BY)
    bank.change([(secret, new := secret.but(plan=("Type Zanzibar slowly",)))], label="Correct", provenance=BY)
    bank.remove([new], label="Remove Zanzibar", provenance=BY)
    assert bank.rows(TaskQuery(words="zanz"))[0].id == "h"
    for subject in ("tasks/s", "s", "tasks/h", "tasks/t1"):
        ask_about(bank.folder, subject, f"Zanzibar of {subject}" if subject != "tasks/t1" else "Cairo")
    with pytest.raises(BadInputError, match="no task 'nobody'"):
        forget_tasks(bank, ["s", "nobody"])
    assert told(bank.folder, "Zanzibar")
    assert forget_tasks(bank, ["s"]).gone == ("h", "s")
    assert told(bank.folder, "Zanzibar") == told(bank.folder, "zanzibar") == []
    assert "language.db" in told(bank.folder, "Cairo")
    assert [row.id for row in bank.rows()] == [f"t{n}" for n in range(600)], "their order stays"
    assert bank.rows(TaskQuery(words="page 7"))[0].id == "t7"
    assert [entry.edit.label for entry in bank.undo()] == ["Correct"]
    assert bank.get("t0").app == ""
    bank.undo()
    assert bank.count() == 0
    bank.redo()
    assert bank.count() == 600


def test_with_a_demo_goes_what_the_bank_made_of_it_and_said_of_it(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = tiny_demo(library)
        with TaskBank.open(library.folder) as bank:
            collect_demos(read_demos(library, ()), bank, provenance=BY)
            verdict = DemoVerdict(reason="Timbuktu was typed.", complete="yes", provenance=BY)
            bank.undo()
            made = task("t", "Do it", "So")
            add(bank, made)
            bank.change([(made, made.but(demo=demo, verdict=verdict))], label="Run", provenance=BY)
        ask_about(library.folder, "tasks/t", "Timbuktu")
        ask_about(library.folder, f"{demo}/step_1", "Timbuktu")
        assert told(library.folder, f"task_{demo.removeprefix('demo_')}") == ["tasks.db"]
        erase_demo(library, demo)
        assert told(library.folder, "Timbuktu") == []
        assert told(library.folder, f"task_{demo.removeprefix('demo_')}") == []
        with TaskBank.open(library.folder) as bank:
            assert bank.get("t") == made
            assert bank.undo() == [], "its history told of the demo"


def test_a_forgetting_that_ended_early_goes_on_when_the_bank_is_opened(
    bank: TaskBank, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(bank, task("s", "Write Zanzibar"), task("t", "Print"))
    assert bank.count() == 2
    with monkeypatch.context() as patch:
        patch.setattr(TaskBank, "_finish_erasing", lambda _: None)
        bank.erase(["s"])
    bank.close()
    assert told(bank.folder, "Zanzibar")
    with TaskBank.open(bank.folder) as again:
        assert again.count() == 1
        assert told(bank.folder, "anzibar") == []


def test_tasks_are_forgotten_from_the_command_line(bank: TaskBank) -> None:
    add(bank, task("word_1", "Write Zanzibar"), task("t", "Print"))
    done = CliRunner().invoke(main, ["tasks", "forget", "word", "--library", str(bank.folder)])
    assert (done.exit_code, done.stdout) == (0, "Removed 1 task for good.\n")
    assert [row.id for row in bank.rows()] == ["t"]
    done = CliRunner().invoke(main, ["tasks", "forget", "word", "--library", str(bank.folder)])
    assert "There is no task 'word'." in str(done.exception)

"""Rows of a table: how they are read, and that the journal tells what became of each, wherever a run was cut off."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from demopack.domain.demos import Demo
from demopack.errors import BadInputError, ReplayError
from demopack.jobs import CancelToken, JobControl
from player.report import ReplayReport, StepReport, hide_secrets
from player.row_table import Row, RowJournal, RowTable, demo_fingerprint, journal_path, read_rows, set_journal_aside
from player.rows import RowReport, RowRun
from tests.support.demos import demo_head


def table_of(folder: Path, text: str | bytes, name: str = "t.csv") -> RowTable:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_rows(path)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("name,city\nBo Li,Oslo\nÉmile,Łódź\n", id="commas"),
        pytest.param("name;city\r\nBo Li;Oslo\r\nÉmile;Łódź\r\n", id="semicolons, lines as on Windows"),
        pytest.param("name\tcity\nBo Li\tOslo\nÉmile\tŁódź", id="tabs, no end of the last line"),
        pytest.param("\ufeffname,city\n\nBo Li,Oslo\n,\nÉmile,Łódź\n", id="byte order mark, empty lines"),
        pytest.param(' name ,"city"\n"Bo Li","Oslo"\n"Émile","Łódź"\n', id="quotes"),
    ],
)
def test_all_kinds_of_csv_are_read(tmp_path: Path, text: str) -> None:
    table = table_of(tmp_path, text)
    assert table.columns == ("name", "city")
    assert [row.values for row in table.rows] == [{"name": "Bo Li", "city": "Oslo"}, {"name": "Émile", "city": "Łódź"}]
    assert [row.number for row in table.rows] == [1, 2]


def test_values_may_hold_separators_and_lines(tmp_path: Path) -> None:
    table = table_of(tmp_path, 'name,note\nBo,"a, ""b""\r\nc"\nCy,d\n')
    assert [row.values["note"] for row in table.rows] == ['a, "b"\nc', "d"]
    assert [row.line for row in table.rows] == [2, 4]


def test_json_lines_are_read(tmp_path: Path) -> None:
    table = table_of(tmp_path, '{"name": "Bo", "age": 7}\n\n{"age": null, "name": "Cy"}\n', "t.jsonl")
    assert [row.values for row in table.rows] == [{"name": "Bo", "age": "7"}, {"name": "Cy", "age": ""}]


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("name\n", "t.csv", "holds no rows"),
        ("", "t.csv", "holds no rows"),
        ("name,city\nBo\n", "t.csv", r"line 2: 1 value, but 2 columns"),
        ("name,name\nBo,Li\n", "t.csv", "two columns are called name"),
        ("name,\nBo,Li\n", "t.csv", "a column has no name"),
        ("name\nB\x1bo\n", "t.csv", "line 2: name holds a control character"),
        (b"name\nB\xe9\n", "t.csv", "not UTF-8"),
        ('name\n"Bo\n', "t.csv", "it is not CSV"),
        ('{"name": "Bo"}\n{"nam": "Cy"}\n', "t.jsonl", "line 2: its fields are not those of the first line"),
        ('{"name": ["Bo"]}\n', "t.jsonl", "line 1: name is neither a text nor a number"),
        ("[1]\n", "t.jsonl", "line 1: it is list, not an object"),
    ],
)
def test_what_is_wrong_with_a_table_is_named(tmp_path: Path, text: str | bytes, name: str, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        table_of(tmp_path, text, name)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"There is no file .*none\.csv\."):
        read_rows(tmp_path / "none.csv")
    (tmp_path / "file").touch()
    with pytest.raises(BadInputError, match=r"cannot be read: Not a directory\."):
        read_rows(tmp_path / "file" / "t.csv")


# The journal ----------------------------------------------------------------------------------------------------------


class Desk:
    """A table of four rows, a journal, and what has been done, which outlives every cut."""

    def __init__(self, folder: Path) -> None:
        self.table = table_of(folder, "name\nAda\nBo\nCy\nDora\n")
        self.path = folder / "t.csv.journal"
        self.done: list[str] = []
        self.told: list[RowReport] = []
        self.on_row: Callable[[Row], None] = lambda _: None

    def journal(self, *, does: str = "d", table: str = "t") -> RowJournal:
        return RowJournal(self.path, demo="demo_1", does=does, table=table, rows=4)

    def replay(self, row: Row) -> ReplayReport:
        self.on_row(row)
        self.done.append(row.values["name"])
        step = StepReport(index=1, step="s", action_type="click", action="Clicked", performed=True)
        return ReplayReport(demo="demo_1", total=1, steps=(step,))

    def run(self, journal: RowJournal, *, go_on: bool = False) -> RowRun:
        return RowRun(demo="demo_1", table=self.table, journal=journal, replay=self.replay, go_on=go_on)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


class Cut(BaseException):
    """The end of the program."""


def test_every_row_is_done_once_and_never_again(desk: Desk) -> None:
    for _ in range(2):
        with desk.journal() as journal:
            report = desk.run(journal).run(on_row=desk.told.append)
        assert report.success
        assert report.counts == {"done": 4, "failed": 0, "unknown": 0, "skipped": 0, "open": 0}
    assert desk.done == ["Ada", "Bo", "Cy", "Dora"]
    assert [(one.row, one.state, one.performed, one.total) for one in desk.told] == [
        (n, "done", 1, 1) for n in (1, 2, 3, 4)
    ]
    assert stat.S_IMODE(desk.path.stat().st_mode) == 0o600 or sys.platform == "win32"


@pytest.mark.parametrize("seen", [False, True], ids=["before its steps", "after its steps"])
def test_a_row_that_was_cut_off_is_unknown_until_somebody_answers(desk: Desk, *, seen: bool) -> None:
    def cut(row: Row) -> None:
        if row.number == 2:
            desk.done += ["Bo"] * seen
            raise Cut

    desk.on_row = cut
    with pytest.raises(Cut), desk.journal() as journal:
        desk.run(journal).run()
    desk.on_row = lambda _: None
    with desk.journal() as journal:
        report = desk.run(journal).run()
    assert [one.state for one in report.rows] == ["done", "unknown", "done", "done"]
    assert not report.success
    assert desk.done.count("Bo") == seen
    with desk.journal() as journal:
        run = desk.run(journal)
        (unknown,) = run.rows("unknown")
        run.answer(unknown, "done" if seen else "redo")
        assert run.run().success
    assert sorted(desk.done) == ["Ada", "Bo", "Cy", "Dora"]


def test_wherever_the_file_is_cut_no_row_that_was_begun_is_done_again(desk: Desk) -> None:
    with desk.journal() as journal:
        desk.run(journal).run()
    whole = desk.path.read_bytes()
    lines = whole.split(b"\n")
    ends = [0]
    for line in lines:
        ends.append(ends[-1] + len(line) + 1)
    for cut in sorted({min(max(end + by, 0), len(whole)) for end in ends for by in (-40, -1, 0, 1)}):
        # What is on the disk is all that was written before a row's next step: a row whose begin is there is begun.
        desk.path.write_bytes(whole[:cut])
        kept = whole[:cut].split(b"\n")[:-1]
        begun = {n for n in range(1, 5) if lines[2 * n - 1] in kept}
        desk.done.clear()
        with desk.journal() as journal:
            states = dict(journal.states)
            desk.run(journal).run()
        assert {n for n, state in states.items() if state != "open"} == begun
        assert len(desk.done) == 4 - len(begun)
        assert all(line.endswith(b"}") for line in desk.path.read_bytes().split(b"\n")[:-1])


def test_a_journal_that_cannot_be_kept_names_the_cause(desk: Desk, tmp_path: Path) -> None:
    def refusal(path: Path) -> str:
        journal = RowJournal(path, demo="d", does="", table="", rows=1)
        with pytest.raises(BadInputError) as refused, journal:
            pass
        return str(refused.value)

    nowhere = tmp_path / "none" / "rows.journal"
    assert f"There is no folder {nowhere.parent}" in refusal(nowhere)
    assert not nowhere.parent.exists()
    table = tmp_path / "a-file"
    table.touch()
    assert "There is no folder" in refusal(table / "rows.journal")
    with desk.journal():
        assert "at work" in refusal(desk.path)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a file system that nobody can write to")
def test_a_journal_on_a_file_system_without_writing_is_not_at_work() -> None:
    with pytest.raises(BadInputError) as refused, RowJournal(Path("/proc/r.j"), demo="d", does="", table="", rows=1):
        pass
    assert "/proc/r.j cannot be written" in str(refused.value)
    assert "--journal" in str(refused.value)


def test_it_stops_at_a_row_that_fails_or_goes_on(desk: Desk) -> None:
    def fail(row: Row) -> None:
        if row.number == 2:
            raise ReplayError("The screen is gone.")

    desk.on_row = fail
    with pytest.raises(ReplayError), desk.journal() as journal:
        desk.run(journal).run()
    with desk.journal() as journal:
        assert journal.states == {1: "done", 2: "failed", 3: "open", 4: "open"}
        assert journal.errors[2] == "The screen is gone."


@pytest.mark.parametrize("go_on", [False, True], ids=["stop", "continue"])
def test_a_report_that_is_no_success_fails_the_row(desk: Desk, monkeypatch: pytest.MonkeyPatch, *, go_on: bool) -> None:
    def replay(row: Row) -> ReplayReport:
        return ReplayReport(demo="demo_1", total=1, stopped="not found") if row.number == 2 else desk.replay(row)

    with desk.journal() as journal:
        run = RowRun(demo="demo_1", table=desk.table, journal=journal, replay=replay, go_on=go_on)
        report = run.run()
    assert [one.state for one in report.rows] == ["done", "failed", *(["done"] if go_on else ["open"]) * 2]
    assert report.rows[1].error == "not found"
    assert bool(report.stopped) is not go_on
    assert not report.success
    with desk.journal() as journal:
        report = desk.run(journal).run()
    assert [one.state for one in report.rows] == ["done", "failed", "done", "done"]  # nor again unasked


def test_a_person_who_stops_it_stops_it_between_rows(desk: Desk) -> None:
    token = CancelToken()
    desk.on_row = lambda row: token.cancel() if row.number == 2 else None
    with desk.journal() as journal:
        report = desk.run(journal, go_on=True).run(control=JobControl(token=token))
    assert report.stopped == "The replay was stopped."
    assert [one.state for one in report.rows][2:] == ["open", "open"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"table": "u"}, "The table has changed"), ({"does": "e"}, "The demo, or a --set, has changed")],
)
def test_another_table_or_demo_is_noticed(desk: Desk, changed: dict[str, str], words: str) -> None:
    with desk.journal(**changed):
        pass  # nothing was begun, so nothing can be wrong
    with desk.journal() as journal:
        desk.run(journal).run()
    with pytest.raises(BadInputError, match=words) as error, desk.journal(**changed):
        pass
    assert "--restart" in error.value.hint
    aside = set_journal_aside(desk.path)
    assert aside is not None
    assert aside.exists()
    with desk.journal(**changed) as journal:
        assert set(journal.states.values()) == {"open"}


def test_a_damaged_journal_is_named(desk: Desk) -> None:
    with desk.journal() as journal:
        desk.run(journal).run()
    lines = desk.path.read_bytes().split(b"\n")
    desk.path.write_bytes(b"\n".join([lines[0], b"{broken", *lines[2:]]))
    with pytest.raises(BadInputError, match="is damaged"), desk.journal():
        pass


def test_two_at_a_time_are_refused(desk: Desk) -> None:
    with (
        desk.journal(),
        pytest.raises(BadInputError, match="Another demopack is at work on these rows"),
        desk.journal(),
    ):
        pass


def test_what_the_digests_tell(tmp_path: Path) -> None:
    one = table_of(tmp_path, "name,pin\nAda,1234\n")
    other_pin = table_of(tmp_path, "name,pin\nAda,9999\n")
    other_name = table_of(tmp_path, "name,pin\nBo,1234\n")
    assert one.fingerprint({"pin"}) == other_pin.fingerprint({"pin"}) != other_name.fingerprint({"pin"})
    assert one.fingerprint(()) != other_pin.fingerprint(())
    demo = Demo(head=demo_head("demo_1"), steps=(), elements={})
    assert demo_fingerprint(demo, {}) != demo_fingerprint(demo, {"city": "Oslo"})
    assert journal_path(tmp_path / "t.csv", "demo_0123456789abcdef").name == "t.csv.0123456789ab.journal"


def test_neither_table_nor_reports_show_a_secret(tmp_path: Path) -> None:
    table = table_of(tmp_path, "pin\nTr0ub4dor\n")
    assert "Tr0ub4dor" not in repr(table)
    step = StepReport(index=1, step="s", action_type="type", action="Typed", failed=("track: reads “Tr0ub4dor”",))
    report = ReplayReport(demo="d", total=1, steps=(step,), stopped="“Tr0ub4dor” was there").without({"Tr0ub4dor"})
    assert "Tr0ub4dor" not in str(report.to_json())
    assert hide_secrets("at 12", {"12"}) == "at 12"  # too short to be told from ordinary words
    assert hide_secrets("at 12: reads “12” or “128”", {"12"}) == "at 12: reads “••••••••” or “128”"
    assert hide_secrets("reads “a secret that…”", {"a secret  that is long"}) == "reads “••••••••…”"


def test_a_line_that_is_no_head_is_damage_too(desk: Desk) -> None:
    desk.path.write_bytes(b"garbage\n")
    with pytest.raises(BadInputError, match="is damaged"), desk.journal():
        pass
    assert desk.path.read_bytes() == b"garbage\n"


def test_all_rows_anew_leaves_the_journal_alone_until_a_row_begins(desk: Desk) -> None:
    with desk.journal() as journal:
        desk.run(journal).run()
    before = desk.path.read_bytes()

    def anew() -> RowJournal:
        return RowJournal(desk.path, demo="demo_1", does="e", table="u", rows=4, anew=True)

    with anew() as journal:
        assert set(journal.states.values()) == {"open"}
    assert desk.path.read_bytes() == before
    assert list(desk.path.parent.glob("t.csv.journal.*")) == []
    with anew() as journal:
        journal.begin(1)
    (aside,) = desk.path.parent.glob("t.csv.journal.*")
    assert aside.read_bytes() == before
    with RowJournal(desk.path, demo="demo_1", does="e", table="u", rows=4) as journal:
        assert [journal.states[row] for row in (1, 2)] == ["unknown", "open"]

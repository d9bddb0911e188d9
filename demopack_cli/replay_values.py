"""Options of ``demopack replay`` that give variables other values, once or for each row of a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from demopack.domain.words import counted, stretches
from demopack.errors import BadInputError
from demopack_cli.options import FILE, say, say_note, wants_json

if TYPE_CHECKING:
    from demopack.domain.demos import Demo
    from demopack.domain.ports import FrameStore
    from demopack.jobs import JobControl
    from player.report import ReplayReport
    from player.row_table import Row, RowJournal, RowState, RowTable
    from player.rows import RowAnswer, RowReport, RowRun, RowsReport
    from player.variables import FilledDemo, ValuePlaces, Variable

_F = TypeVar("_F", bound=Callable[..., Any])
_MOST_ROWS_SHOWN: Final = 100
_MOST_EMPTY_SHOWN: Final = 20
_MANUAL: Final = "as-is"


def _pairs(_context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for number, one in enumerate(given, start=1):
        name, equals, value = one.partition("=")
        name = name.strip()
        if not equals or not name:
            # What was meant as a secret is not repeated.
            shown = f"The value number {number}" if parameter.name == "secrets" else repr(one)
            raise click.BadParameter(f"{shown} is not NAME=VALUE.")
        if name in pairs:
            raise click.BadParameter(f"{name} is given twice. Give each variable one value.")
        pairs[name] = value
    return pairs


def values_options(command: _F) -> _F:
    """Add the options to a command; it gets them by the names of the fields of :class:`ValueOptions`."""
    options = (
        click.option("--set", "values", multiple=True, metavar="NAME=VALUE", callback=_pairs,
                     help="Type this value for a variable of the demo; may be given several times."),
        click.option("--set-secret", "secrets", multiple=True, metavar="NAME=VALUE", callback=_pairs,
                     help="The same, shown nowhere, for a secret or another variable; it stays in the history of your "
                     "terminal. Without it you are asked for a secret, or it comes from the key ring."),
        click.option("--for-each", "table", type=FILE, default=None, metavar="TABLE",
                     help="Do the demo for each row of a table: CSV or JSON Lines, whose columns are variables."),
        click.option("--on-error", type=click.Choice(["stop", "continue"]), default="stop", show_default=True,
                     help="With --for-each: whether the next row is done after one that failed."),
        click.option("--unknown", type=click.Choice(["redo", "skip", "done"]), default=None,
                     help="With --for-each: what becomes of rows that were begun when an earlier run was cut off."),
        click.option("--failed", type=click.Choice(["redo", "skip", "done"]), default=None,
                     help="With --for-each: what becomes of rows that failed in an earlier run."),
        click.option("--journal", type=FILE, default=None,
                     help="With --for-each: the file that says which rows are done; default: beside the table."),
        click.option("--restart", is_flag=True,
                     help="With --for-each: begin anew at the first row, whatever was done before."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, kw_only=True)
class ValueOptions:
    """What was given: the options of :func:`values_options`."""

    values: dict[str, str]
    secrets: dict[str, str] = field(repr=False)
    table: Path | None
    on_error: str
    unknown: RowAnswer | None
    failed: RowAnswer | None
    journal: Path | None
    restart: bool

    def check(self) -> None:
        """Refuse what has no meaning without a table, and a value that is given twice."""
        given = {
            "--unknown": self.unknown,
            "--failed": self.failed,
            "--journal": self.journal,
            "--restart": self.restart,
        }
        if self.table is None and (alone := [name for name, value in given.items() if value]):
            raise click.UsageError(f"{alone[0]} has a meaning only with --for-each.")
        if twice := next((name for name in self.values if name in self.secrets), ""):
            raise click.UsageError(f"{twice} is given twice, with --set and with --set-secret. Leave one out.")


class ValuesPlan:
    """A demo with the values that were given, and the rows that it is to be done for.

    Attributes:
        table: the rows; None where it is done once.
        first: the demo as it is done once, or for the first row that can be done.
        problems: by the number of a row, why it cannot be done.
    """

    def __init__(self, demo: Demo, images: FrameStore, options: ValueOptions, *, ask: bool, dry_run: bool) -> None:
        """Check that everything fits and fetch the secrets.

        Args:
            demo: as recorded.
            images: its frames.
            options: as they were given.
            ask: whether somebody can be asked for what is missing.
            dry_run: nothing is typed, so nothing is missing.

        Raises:
            BadInputError: a value is missing, or the table is wrong.
            click.UsageError: there is no such variable.
        """
        from player.consent import printable
        from player.row_table import read_rows
        from player.rows import closed_window
        from player.variables import DOTS, check_names, find_places, variables_of

        options.check()
        self._demo, self._options = demo, options
        self._known: dict[str, Variable] = {one.name: one for one in variables_of(demo, secret=options.secrets)}
        self.table: RowTable | None = None if options.table is None else read_rows(options.table)
        columns = () if self.table is None else self.table.columns
        given = {**options.values, **options.secrets}
        try:
            check_names(demo, [*given, *columns])
        except BadInputError as error:
            raise click.UsageError(str(error)) from error
        if self.table is not None and (empty := self.table.empty_cells()):
            shown = "; ".join(empty[:_MOST_EMPTY_SHOWN]) + ("; …" if len(empty) > _MOST_EMPTY_SHOWN else "")
            say(f"Some values of the table are empty, and typed as nothing: {shown}.", err=True)
        if self.table is not None and len(self.table.rows) > 1 and (title := closed_window(demo, images)):
            say(
                f"The demo closes or hides the window “{printable(title)}”, in which the next row has to begin. "
                "Record it so that it ends where it begins.",
                err=True,
            )
        if twice := next((name for name in columns if name in given), ""):
            raise BadInputError(f"{twice} is both a column of the table and given by itself.", hint="Leave one out.")
        for name in options.values:
            if self._known[name].secret:
                raise BadInputError(
                    f"{name} is a secret, and what stands on the command line stays in your terminal's history.",
                    hint="Leave it out to be asked for it, keep it with: keyring set demopack "
                    f"{self._ring_name(name)}, or insist with --set-secret {name}=….",
                )
        for name, variable in self._known.items():
            if variable.value is None and name not in given and name not in columns:
                given[name] = DOTS if dry_run else self._fetch(variable, ask=ask)
        self._given = given
        self._places: ValuePlaces = find_places(demo, [*given, *columns], images)
        self.problems: dict[int, str] = {}
        self.first: FilledDemo = self._check_rows(dry_run=dry_run)

    def _check_rows(self, *, dry_run: bool) -> FilledDemo:
        """The demo as it is done first; what is wrong with a row is noted, and said before the first is done.

        Raises:
            BadInputError: a row cannot be done; with ``dry_run``, none can.
        """
        if self.table is None:
            return self.fill(None)
        first: FilledDemo | None = None
        wrong: BadInputError | None = None
        for row in self.table.rows:
            try:
                filled = self.fill(row)
            except BadInputError as error:
                wrong = wrong or error
                self.problems[row.number] = str(error)
            else:
                first = first or filled
        if wrong is not None and (first is None or not dry_run):
            if more := list(self.problems)[1:]:
                are = "row has" if len(more) == 1 else "rows have"
                numbers = ", ".join(stretches(more))
                wrong.hint = f"{wrong.hint} {len(more)} more {are} something wrong ({numbers}): --dry-run names all."
            raise wrong
        assert first is not None
        return first

    def fill(self, row: Row | None) -> FilledDemo:
        """The demo with a row's values, or without a table with those that were given."""
        from player.variables import fill

        try:
            values = {**self._given, **({} if row is None else row.values)}
            return fill(self._demo, values, self._places, secret=self._options.secrets)
        except BadInputError as error:
            if row is not None:
                error.user_message = f"Row {row.number}: {error.user_message}"
            raise

    def variables(self) -> list[str]:
        """The variables of the demo in words."""
        from player.variables import describe_variable

        return [describe_variable(one) for one in self._known.values()]

    def to_json(self) -> list[dict[str, object]]:
        """The variables of the demo as plain JSON."""
        return [
            {"name": one.name, "steps": list(one.steps), "value": one.value, "marked": one.marked, "secret": one.secret}
            for one in self._known.values()
        ]

    def shown(self, row: Row) -> dict[str, str]:
        """A row's values, secrets as dots."""
        from player.variables import DOTS

        return {name: DOTS if self._known[name].secret else value for name, value in row.values.items()}

    def dry_rows(self) -> list[dict[str, Any]]:
        """What each row would do, as plain JSON: its values, the steps that are others than recorded, what is wrong.

        ``state`` is what an earlier run made of the row.

        Raises:
            BadInputError: a journal is there, and belongs to another table or demo, is damaged or in use.
        """
        assert self.table is not None
        states: dict[int, RowState] = {}
        if self._journal_path.exists() and not self._options.restart:
            with self._open_journal() as journal:
                states = dict(journal.states)
        return [
            {
                "row": row.number,
                "line": row.line,
                "state": states.get(row.number, "open"),
                "values": self.shown(row),
                "steps": [] if row.number in self.problems else self._changed_steps(row),
                "error": self.problems.get(row.number, ""),
            }
            for row in self.table.rows
        ]

    def _changed_steps(self, row: Row) -> list[dict[str, Any]]:
        from demopack.domain.words import describe_step_in
        from player.report import hide_secrets

        filled = self.fill(row)
        was = [describe_step_in(self._demo, step) for step in self._demo.steps]
        now = [hide_secrets(describe_step_in(filled.demo, step), filled.hidden) for step in filled.demo.steps]
        return [
            {"index": number, "action": new}
            for number, (old, new) in enumerate(zip(was, now, strict=True), start=1)
            if new != old
        ]

    def row_lines(self, rows: list[dict[str, Any]]) -> list[str]:
        """The rows of :meth:`dry_rows` for a person; of many the first, and all that are wrong."""
        from player.consent import values_words

        lines: list[str] = []
        for at, row in enumerate(rows):
            if at >= _MOST_ROWS_SHOWN and not row["error"]:
                continue
            state = "" if row["state"] == "open" else f"  ({row['state']} in an earlier run)"
            lines.append(f"  row {row['row']} (line {row['line']}): {values_words(row['values'])}{state}")
            lines += [f"    {step['index']:3}  {step['action']}" for step in row["steps"]]
            lines += [f"       ! {row['error']}"] if row["error"] else []
        wrong = len(self.problems)
        tail = f"; {wrong} cannot be done" if wrong else ""
        return [f"{counted(len(rows), 'row')}{tail}. What each does otherwise than recorded:", *lines]

    @contextlib.contextmanager
    def rows(self) -> Generator[RowsPlan]:
        """The rows, with their journal open.

        Raises:
            BadInputError: the journal belongs to another table or demo, is damaged or in use.
        """
        assert self.table is not None
        if self._options.restart and self._journal_path.exists():
            say(f"All rows are done anew; {self._journal_path} is kept beside the new journal.", err=True)
        with self._open_journal() as journal:
            yield RowsPlan(self, self._demo, self.table, journal, self._options)

    @property
    def _journal_path(self) -> Path:
        from player.row_table import journal_path

        assert self._options.table is not None
        return self._options.journal or journal_path(self._options.table, self._demo.head.id)

    def _open_journal(self) -> RowJournal:
        from player.row_table import RowJournal, demo_fingerprint

        assert self.table is not None
        secret = {name for name, one in self._known.items() if one.secret}
        fixed = {name: value for name, value in self._given.items() if name not in secret}
        return RowJournal(
            self._journal_path, demo=self._demo.head.id, does=demo_fingerprint(self._demo, fixed),
            table=self.table.fingerprint(secret), rows=len(self.table.rows), anew=self._options.restart,
        )  # fmt: skip

    def _ring_name(self, name: str) -> str:
        return f"{self._demo.head.id}:{name}"

    def _fetch(self, variable: Variable, *, ask: bool) -> str:
        """A value that the demo does not have, from the key ring or the person."""
        from models.language.servers import SERVICE, key_in_ring

        steps = ", ".join(str(number) for number in variable.steps)
        if variable.secret and (kept := key_in_ring(self._ring_name(variable.name))):
            return kept
        if ask:
            words = f"{variable.name} (step {steps}), which was hidden in the recording"
            return str(click.prompt(words, hide_input=variable.secret, err=True))
        keep = f"keep it with: keyring set {SERVICE} {self._ring_name(variable.name)}"
        raise BadInputError(
            f"The demo does not have the value of {variable.name} (step {steps}): it was hidden in the recording.",
            hint=f"Run it in a terminal to be asked, or {keep}."
            if variable.secret
            else f"Give it with --set {variable.name}=….",
        )


class RowsPlan:
    """The rows of a table on the command line: what was begun before, consent, progress, the end."""

    def __init__(
        self, plan: ValuesPlan, demo: Demo, table: RowTable, journal: RowJournal, options: ValueOptions
    ) -> None:
        self._plan, self._demo, self._table = plan, demo, table
        self._journal, self._options = journal, options

    def settle_begun(self, *, ask: bool) -> None:
        """Have it decided what becomes of rows that were begun before; what nobody decides stays as it is."""
        run = self._run_with(_never)
        for row in run.rows("failed") if self._options.failed else ():
            run.answer(row, cast("RowAnswer", self._options.failed))
        for row in run.rows("unknown"):
            answer: str = self._options.unknown or _MANUAL
            if not self._options.unknown and ask:
                say_note(f"Row {self._words(row)} was begun when an earlier run was cut off; it may be done in part.")
                choice = click.Choice(["redo", "skip", "done", _MANUAL])
                answer = click.prompt("Look at it. What now?", type=choice, default=_MANUAL, err=wants_json())
            if answer != _MANUAL:
                run.answer(row, cast("RowAnswer", answer))

    def next(self) -> FilledDemo | None:
        """The demo as it is done for the first row that is open; None where no row is."""
        rows = self._run_with(_never).rows("open")
        return self._plan.fill(rows[0]) if rows else None

    def consent_lines(self) -> list[str]:
        """The rows that are to be done, with all that is typed for them."""
        from player.consent import values_words

        rows = self._run_with(_never).rows("open")
        lines = [f"  row {row.number}: {values_words(self._plan.shown(row))}" for row in rows[:_MOST_ROWS_SHOWN]]
        rest = rows[_MOST_ROWS_SHOWN:]
        # A line end may send what was typed, so a row that holds one is shown wherever it stands.
        moving = [row for row in rest if any(set(value) & set("\n\t") for value in row.values.values())]
        lines += [f"  row {row.number}: {values_words(self._plan.shown(row))}" for row in moving]
        if len(rest) > len(moving):
            lines.append(f"  and {counted(len(rest) - len(moving), 'more row')} without line ends or tabs")
        return [f"  It does so once for each of {counted(len(rows), 'row')}, above for the first:", *lines]

    def run(self, play: Callable[[FilledDemo], ReplayReport], control: JobControl) -> RowsReport:
        """Do every row that is open, and say how each went."""
        run = self._run_with(lambda row: play(self._plan.fill(row)))
        return run.run(control=control, on_row=(lambda _: None) if wants_json() else self._tell)

    def summary(self, report: RowsReport) -> list[str]:
        """What has become of the rows, and the ways out."""
        words = ", ".join(f"{count} {state}" for state, count in report.counts.items() if count)
        lines = [f"{counted(len(report.rows), 'row')}: {words}; {report.seconds:.1f} s."]
        unknown = [str(row.row) for row in report.rows if row.state == "unknown"]
        if unknown:
            lines.append(
                f"Unknown: row {', '.join(unknown)}. An earlier run was cut off in it, and it may be done in part. "
                "Look there, then run this again with --unknown redo, skip or done."
            )
        failed = [row for row in report.rows if row.state == "failed" and not row.now]
        lines += [f"Failed before: row {row.row} ({row.error}). --failed redo does it again." for row in failed]
        return [*lines, *([f"Ended early: {report.stopped}"] if report.stopped else [])]

    def to_json(self, report: RowsReport) -> dict[str, Any]:
        """The report as plain JSON, with where the journal is."""
        return {**report.to_json(), "journal": str(self._journal.path)}

    def _run_with(self, replay: Callable[[Row], ReplayReport]) -> RowRun:
        from player.rows import RowRun

        return RowRun(
            demo=self._demo.head.id, table=self._table, journal=self._journal, replay=replay,
            show=self._plan.shown, go_on=self._options.on_error == "continue",
        )  # fmt: skip

    def _words(self, row: Row) -> str:
        from player.consent import values_words

        return f"{row.number} ({values_words(self._plan.shown(row))})"

    def _tell(self, row: RowReport) -> None:
        from player.consent import values_words

        steps = f"{row.performed} of {counted(row.total, 'step')}, {row.seconds:.1f} s"
        say(f"row {row.row}/{len(self._table.rows)}  {row.state}  {values_words(row.values)}  ({steps})")
        if row.error:
            say(f"     ! {row.error}")


def _never(row: Row) -> ReplayReport:
    raise AssertionError(f"row {row.number} is not to be done yet")

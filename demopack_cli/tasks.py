"""``demopack tasks``: the task bank."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from demopack.domain.words import counted
from demopack_cli import tasks_writing
from demopack_cli.options import (
    FOLDER,
    PATH,
    confirm,
    job_control,
    json_option,
    library_folder,
    library_option,
    on_signals,
    open_library,
    print_result,
    say,
    say_note,
)

if TYPE_CHECKING:
    from demopack.domain.tasks import Task
    from tasks.bank import TaskBank, TaskQuery, TaskRow
    from tasks.matching import MatchStrategy
    from tasks.results import Mode
    from tasks.running import TaskOutcome

# Written out so that --help imports nothing; tests hold them to the types.
KINDS = ("manual", "how_to", "query", "task_file")
STATES = (
    "collected", "filtered_out", "kept", "instantiated", "infeasible", "executed", "stage_failed", "complete",
    "incomplete", "unsure",
)  # fmt: skip
RULES = (
    "language", "too_short", "too_long", "no_plan", "not_actionable", "other_platform", "other_app", "duplicate",
)  # fmt: skip
FORMS = ("record", "ufo_task", "ufo_result", "plans", "actions", "rewards")
SETS = ("plans", "actions", "rewards")
MODES = ("instantiation", "execution", "dataflow")
MATCHES = ("contains", "fuzzy", "regex")
METHODS = ("similarity", "model")
_ROWS: Final = 50


@click.group(name="tasks")
def command() -> None:
    """Collect tasks with their plans, and choose those that are worth doing.

    The task bank lies beside the library, in tasks.db. No filter deletes anything, and every command that changes the
    bank can be undone.

    Example: demopack tasks import manual.html --app writer
    """


def _open_bank(*, create: bool) -> TaskBank:
    from tasks.bank import TaskBank

    return TaskBank.open(library_folder(), create=create)


@command.command(name="import")
@click.argument("paths", metavar="PATH...", nargs=-1, type=PATH)
@click.option(
    "--kind", type=click.Choice(KINDS), default=None,
    help="What the files are: of pages manual or how_to (one task a page, its title); of texts and tables query.",
)  # fmt: skip
@click.option("--app", default="", help="The program that tasks are for, where the files do not say it.")
@click.option("--app-version", default="", help="Its version, likewise.")
@click.option("--platform", default="", help="The platform that they are for, likewise: linux, windows, macos, ...")
@click.option("--demos", metavar="DEMO", multiple=True, help="Recorded demos instead of files; “all” for every one.")
@click.option("--skip-bad", is_flag=True, help="Leave out what cannot be read, and count it, instead of stopping.")
@library_option
@json_option
def import_tasks(paths: tuple[Path, ...], demos: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401 - the options
    """Bring tasks in from files, or from recorded demos.

    PATH is a folder, a zip or a file: JSON and JSON Lines (task and plan, UFO's tasks and results), CSV with a column
    task, a text with a search query a line, and manuals and how-to pages in HTML or Markdown, where each numbered
    list is a plan. What the bank has already is left alone.

    Example: demopack tasks import guide/ --app writer --platform linux

    Example: demopack tasks import --demos all
    """
    from demopack.codecs.tasks.files import TaskFileOptions
    from demopack.domain.provenance import by_human
    from tasks.collecting import collect_demos, collect_files, read_demos, reading_lines

    if bool(paths) == bool(demos):
        raise click.UsageError("Name either files or --demos.")
    provenance = by_human()
    with _open_bank(create=True) as bank:
        if demos:
            with open_library(create=False) as library:
                names = () if demos == ("all",) else demos
                report = collect_demos(read_demos(library, names), bank, provenance=provenance)
        else:
            report = collect_files(paths, bank, TaskFileOptions(**given), provenance=provenance, control=job_control())
    lines = [f"{counted(len(report.added), 'task')} added, {report.known} known already."]
    print_result(report.to_json(), [*lines, *reading_lines(report.reading)])


@command.command(name="list")
@click.argument("words", nargs=-1)
@click.option("--state", type=click.Choice(STATES), default=None, help="Only those that came so far.")
@click.option("--app", default="", help="Only those for this program.")
@click.option("--kind", default="", help="Only those from this kind of source.")
@click.option("--source", default="", help="Only those from this file or address.")
@click.option("--rule", type=click.Choice(RULES), default=None, help="Only those that this rule filtered out.")
@click.option("--limit", type=click.IntRange(min=0), default=None, help=f"At most so many; on a terminal {_ROWS}.")
@library_option
@json_option
def list_tasks(words: tuple[str, ...], limit: int | None, **given: str | None) -> None:
    """List tasks in the order in which they came in; with WORDS only those that have all of them.

    Example: demopack tasks list border --state kept
    """
    from tasks.bank import TaskQuery

    query = TaskQuery(words=" ".join(words), **{name: value or "" for name, value in given.items()})
    with _open_bank(create=False) as bank:
        rows = bank.rows(query, limit=-1 if limit is None else limit)
        total = bank.count(query)
    lines = ["\t".join(_cells(row)) for row in rows]
    if total > len(rows):
        lines.append(f"{total - len(rows)} more.")
    print_result([row.to_json() for row in rows], lines or ["No tasks."])


def _cells(row: TaskRow) -> tuple[str, ...]:
    return (row.id, row.state, row.app, counted(row.steps, "step"), " ".join(row.rules), row.task)


@command.command(name="show")
@click.argument("name", metavar="TASK")
@library_option
@json_option
def show(name: str) -> None:
    """Show a task with its plan, where it comes from and what came of it. TASK is its id or the beginning of one.

    Example: demopack tasks show word_032
    """
    with _open_bank(create=False) as bank:
        task = bank.get(name)
    print_result(task.to_json(), _described(task))


def _described(task: Task) -> list[str]:
    about = ", ".join(part for part in (task.app, task.app_version, task.platform) if part)
    source = task.source
    where = " ".join(part for part in (source.kind.replace("_", "-"), source.name, source.place) if part)
    lines = [
        task.task,
        f"{task.id}, {task.state.replace('_', ' ')}{f', for {about}' if about else ''}",
        f"From {where}",
    ]
    if task.evolved_from:
        lines.append(f"A harder form of {task.evolved_from}, by {task.provenance.name}")
    if (written := task.written) is not None:
        what = [f"reworded from the query “{written.query}”"] * bool(written.query) + ["its plan"] * written.plan
        lines.append(f"Written by {written.provenance.name}: {', '.join(what)}")
    lines += [f"  {number:2}  {step}" for number, step in enumerate(task.plan, start=1)]
    lines += [f"Left out ({finding.rule}): {finding.reason}" for finding in task.findings or ()]
    made = task.instantiation
    if made is not None and made.request:
        lines.append(f"Instantiated: {made.request}")
        lines += [f"  {number:2}  {_step_words(step)}" for number, step in enumerate(made.steps, start=1)]
    lines += [
        f"Tried before, planned by {one.plan_by}: {one.verdict.complete}. {one.verdict.reason}"
        for one in task.earlier
        if one.verdict is not None
    ]
    if task.feasibility is not None:
        lines.append(f"{'Can' if task.feasibility.judge else 'Cannot'} be done: {task.feasibility.thought}")
    lines += [f"{stage} failed: {record.error}" for stage, record in task.stages.items() if record.error]
    if task.verdict is not None:
        lines.append(f"Done: {task.verdict.complete}. {task.verdict.reason}")
    return lines


def _step_words(step: Any) -> str:  # noqa: ANN401 - PlannedStep, imported only for checking
    arguments = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in step.args.items())
    on = f"“{step.control_text}”: " if step.control_text else ""
    return f"{step.subtask}  [{on}{step.function}({arguments})]"


@command.command(name="filter")
@click.option("--language", default="en", show_default=True, help="Of task and plan; empty for any.")
@click.option("--min-words", type=click.IntRange(min=0), default=2, show_default=True, help="Of the task.")
@click.option("--max-words", type=click.IntRange(min=1), default=60, show_default=True, help="Of the task.")
@click.option("--max-steps", type=click.IntRange(min=1), default=40, show_default=True, help="Of the plan.")
@click.option("--needs-plan", is_flag=True, help="Leave out what has no plan, search queries aside.")
@click.option("--platform", "platforms", multiple=True, help="Keep tasks for this platform only; several are possible.")
@click.option("--app", "apps", multiple=True, help="Keep tasks for this program only; several are possible.")
@click.option(
    "--likeness", type=click.FloatRange(0, 1), default=0.9, show_default=True,
    help="Share of words from which two tasks are the same; 0 to keep all.",
)  # fmt: skip
@library_option
@json_option
def filter_tasks(**given: Any) -> None:  # noqa: ANN401 - the options
    """Say of each task whether it is kept, and why not; what an earlier filter said is said anew.

    Example: demopack tasks filter --platform linux --app writer --app calc
    """
    from demopack.domain.provenance import by_program
    from tasks.bank import TaskQuery
    from tasks.filters import FilterRules, filter_bank

    with _open_bank(create=False) as bank:
        out = filter_bank(
            bank, FilterRules(**given), provenance=by_program("template", "task-filter-1"), control=job_control()
        )
        kept = bank.count() - out
        rules = bank.counts("rule", TaskQuery(state="filtered_out"))
    lines = [f"{counted(kept, 'task')} kept, {out} left out."]
    lines += [f"{count:8}  {rule}" for rule, count in rules.items()]
    print_result({"kept": kept, "filtered_out": out, "rules": rules}, lines)


@command.command(name="stats")
@library_option
@json_option
def stats() -> None:
    """Count tasks by source, by program and by how far they came, and tell how well what was done went.

    Of each program, and of each that made plans: the share of tries that did the task and of steps that succeeded, and
    time, steps and time per step on average.

    Example: demopack tasks stats --json
    """
    from tasks.bank import TaskQuery
    from tasks.metrics import run_statistics, statistics_lines

    with _open_bank(create=False) as bank, open_library(create=False) as library:
        demos = library.demos()
        runs = run_statistics(bank, {one.head.id: one.steps - ("finish_goal" in one.actions) for one in demos})
        total = bank.count()
        kinds = bank.counts("kind")
        left_out = bank.counts("kind", TaskQuery(state="filtered_out"))
        kept = {kind: count - left_out.get(kind, 0) for kind, count in kinds.items()}
        states, apps = bank.counts("state"), bank.counts("app")
        rules = bank.counts("rule", TaskQuery(state="filtered_out"))
    lines = [f"{'source':12} {'tasks':>8} {'not left out':>13}"]
    lines += [f"{kind:12} {count:8} {kept[kind]:13}" for kind, count in kinds.items()]
    lines += [f"{'all':12} {total:8} {sum(kept.values()):13}"]
    for title, found in (("state", states), ("program", apps), ("left out by", rules)):
        if found:
            lines += ["", title, *(f"{name or '-':16} {count:8}" for name, count in found.items())]
    data = {"tasks": total, "kinds": kinds, "kept": kept, "states": states, "apps": apps, "rules": rules}
    done = statistics_lines(runs)
    print_result({**data, "runs": runs.to_json()}, [*lines, *([""] if done else []), *done])


@command.command(name="export")
@click.option(
    "-o", "--out", required=True, type=PATH,
    help="The file; .json for a list, .jsonl for one a line. Of plans, actions and rewards a folder for train.jsonl "
    "and test.jsonl, or one .jsonl for all.",
)  # fmt: skip
@click.option(
    "--form", type=click.Choice(FORMS), default="record", show_default=True,
    help="record: task_id, task, plan. ufo_task and ufo_result: what UFO's dataflow reads and writes. The others are "
    "prompts and completions to train a model: plans; actions, each step of what was judged “yes”; rewards, also of "
    "what was judged “no”, with 1 and -1.",
)  # fmt: skip
@click.option("--state", type=click.Choice(STATES), default=None, help="Only those that came so far.")
@click.option("--app", default="", help="Only those for this program.")
@click.option(
    "--test", type=click.FloatRange(0, 1), default=0.1, show_default=True, metavar="SHARE",
    help="plans, actions, rewards, in a folder: for testing; a task and its harder forms are on one side.",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Likewise: another seed, another division.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@library_option
@json_option
def export(out: Path, form: str, state: str | None, app: str, test: float, seed: int, force: bool) -> None:
    """Write tasks as other programs read them; one that came in the same form goes out as it came.

    Example: demopack tasks export -o tasks.json --state kept

    Example: demopack tasks export --form plans -o plans/ --test 0.1

    Example: demopack tasks export --form actions -o actions/
    """
    from demopack.atomic import write_text_atomic
    from demopack.codecs.tasks.records import encode_task
    from tasks.bank import TaskQuery

    is_set = form in SETS
    folder = is_set and out.suffix not in {".json", ".jsonl"}
    if not folder and out.suffix not in ({".jsonl"} if is_set else {".json", ".jsonl"}):
        wanted = ".jsonl, or be a folder's" if is_set else ".json or .jsonl"
        raise click.BadParameter(f"The file's name has to end with {wanted}.", param_hint="--out")
    there = [one for one in ((out / "train.jsonl", out / "test.jsonl") if folder else (out,)) if one.exists()]
    if there and not force and not confirm(f"{there[0]} is there already. Replace it?"):
        say("Nothing was written.")
        raise click.exceptions.Exit(1)
    if is_set:
        _export_set(form, out, TaskQuery(state=state or "", app=app), test=test, seed=seed)
        return
    with _open_bank(create=False) as bank:
        found = [encode_task(task, form) for task in bank.tasks(TaskQuery(state=state or "", app=app))]
    lines = out.suffix == ".jsonl"
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found)
    write_text_atomic(out, text if lines else json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    print_result({"file": str(out), "tasks": len(found)}, [f"{counted(len(found), 'task')} written to {out}."])


def _export_set(form: str, out: Path, query: TaskQuery, *, test: float, seed: int) -> None:
    from tasks.action_sets import write_action_set
    from tasks.plan_sets import left_out_lines, write_plan_set

    with _open_bank(create=False) as bank:
        if form == "plans":
            report = write_plan_set(bank, query, out, test=test, seed=seed, control=job_control())
        else:
            with open_library(create=False) as library:
                report = write_action_set(
                    bank, library, query, out, rewards=form == "rewards", test=test, seed=seed, control=job_control()
                )
    sides = ", ".join(f"{count} for {side}ing" for side, count in report.rows.items() if count)
    written = counted(sum(report.rows.values()), "plan" if form == "plans" else "step")
    lines = [f"{written} written to {out}{f': {sides}' if sides else ''}."]
    print_result({"out": str(out), **report.to_json()}, [*lines, *left_out_lines(report)])


for _written in (tasks_writing.write, tasks_writing.evolve, tasks_writing.extract, tasks_writing.judge_plans):
    command.add_command(_written)


@command.command(name="undo")
@library_option
@json_option
def undo() -> None:
    """Take back the last command that changed the bank.

    Example: demopack tasks undo
    """
    with _open_bank(create=False) as bank:
        entries = bank.undo()
    label = entries[0].edit.label if entries else ""
    count = sum(len(entry.changes) for entry in entries)
    words = f"Taken back: {label} ({counted(count, 'task')})." if entries else "There is nothing to take back."
    print_result({"label": label, "tasks": count}, [words])


@command.command(name="forget")
@click.argument("names", metavar="TASK...", nargs=-1, required=True)
@library_option
@json_option
def forget(names: tuple[str, ...]) -> None:
    """Remove tasks from the disk for good, with their harder forms, their history and what models answered about them.

    Nothing can bring them back. The demos in which they were done stay in the library, and files that were exported
    or lie in a folder of results stay where they are.

    Example: demopack tasks forget word_032
    """
    from demopack.errors import BadInputError
    from tasks.forgetting import forget_tasks

    with _open_bank(create=False) as bank:
        ids: list[str] = []
        for name in names:
            try:
                ids.append(bank.get(name).id)
            except BadInputError:
                ids.append(name)  # removed before, but not forgotten
        erased = forget_tasks(bank, ids)
    print_result({"removed": list(erased.gone)}, [f"Removed {counted(len(erased.gone), 'task')} for good."])


@command.command(name="run")
@click.argument("names", metavar="[PATH|TASK...]", nargs=-1)
@click.option(
    "--retry-failed", is_flag=True,
    help="Instead of named tasks, in the mode dataflow: those that failed, and that the model has not tried yet.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(MODES), default="execution", show_default=True,
    help="instantiation: choose a template, make the task concrete on it, filter. execution: perform a plan that was "
    "made, and judge. dataflow: both; what the filter refuses is not performed.",
)  # fmt: skip
@click.option("--templates", type=FOLDER, default=None, help="A folder with documents for each program.")
@click.option("-o", "--out", type=FOLDER, default=Path("results"), show_default=True, help="Where results go.")
@click.option("--match", type=click.Choice(MATCHES), default="fuzzy", show_default=True, help="How controls are found.")
@click.option(
    "--floor", type=click.FloatRange(0, 1), default=0.7, show_default=True,
    help="Likeness below which a control is another one.",
)  # fmt: skip
@click.option("--max-steps", type=click.IntRange(min=1), default=30, show_default=True, help="Of a plan.")
@click.option(
    "--model", default=None, metavar="PROVIDER:NAME",
    help="Who makes tasks concrete, says which can be done, and judges: a model such as openai:gpt-5-mini, or “model” "
    "for the one in the settings. Without one, rules alone judge.",
)  # fmt: skip
@click.option(
    "--agent", "agents", multiple=True, metavar="PART=PROVIDER:NAME",
    help="Another model for one part: instantiation, filter or evaluation. What is set in tasks.instantiation and so "
    "on counts, too.",
)  # fmt: skip
@click.option(
    "--template-method", type=click.Choice(METHODS), default="similarity", show_default=True,
    help="How a template is chosen: by the likeness of its description and the task, or by the model.",
)  # fmt: skip
@click.option("--budget", type=click.FloatRange(min=0), metavar="DOLLARS", help="Spend no more than this now.")
@click.option(
    "--again", is_flag=True,
    help="Do anew what was done: requests that were made concrete, and what was performed into this folder.",
)  # fmt: skip
@library_option
@json_option
def run(
    names: tuple[str, ...],
    retry_failed: bool,
    mode: Mode,
    model: str | None,
    agents: tuple[str, ...],
    template_method: str,
    budget: float | None,
    templates: Path | None,
    out: Path,
    match: MatchStrategy,
    floor: float,
    max_steps: int,
    again: bool,
) -> None:
    """Perform tasks in real programs, each on a screen of its own that nobody sees, and judge what came of it.

    PATH is a file or a folder with tasks or results of UFO, which come into the bank first; TASK is the id of one of
    the bank. Controls are found by their text, without a model. A step whose control is not there ends its task, and
    the document is put back; the next task goes on. What was done is a demo in the library; results lie in UFO's
    folders. A run that was stopped or killed goes on when it is started again.

    Example: demopack tasks run results/instantiation/instantiation_pass --templates templates

    Example: demopack tasks run --retry-failed --model server:my-lam --templates templates
    """
    from demopack.codecs.tasks.files import TaskFileOptions
    from demopack.domain.provenance import by_human, by_program
    from demopack.settings import load_settings
    from models.vision.finder import open_finder
    from tasks.agents import open_agents
    from tasks.collecting import collect_files
    from tasks.evaluation import judge_by_model
    from tasks.execution import ExecutionOptions
    from tasks.matching import MatchRules
    from tasks.results import TaskLog
    from tasks.running import RunPlan, failed_tasks, run_tasks

    if bool(names) == retry_failed:
        raise click.UsageError("Name either tasks or --retry-failed.")
    mode = "dataflow" if retry_failed else mode
    if model is None and mode != "execution":
        raise click.UsageError(f"The mode {mode} asks a model: name it with --model.")
    if model is None and (agents or template_method == "model"):
        raise click.UsageError("--agent and --template-method model want --model, for instance “--model model”.")
    if bad := next((one for one in agents if not all(one.partition("="))), None):
        raise click.BadParameter(f"{bad!r} is no PART=PROVIDER:NAME.", param_hint="--agent")
    settings, control = load_settings(), job_control()
    plan = RunPlan(
        out=out.resolve(),
        log=TaskLog(out.resolve()),
        asks_for_template=template_method == "model",
        templates=templates,
        execution=ExecutionOptions(match=MatchRules(strategy=match, floor=floor), max_steps=max_steps),
        again=again,
        retries=retry_failed,
    )
    with (
        _open_bank(create=True) as bank,
        open_library(create=True) as library,
        on_signals(lambda _: control.token.cancel(), "SIGINT", "SIGTERM"),
        open_finder(settings.vision) as finder,
        contextlib.ExitStack() as stack,
    ):
        if model is not None:
            named = dict(one.split("=", 1) for one in agents)
            opened = open_agents(
                model, settings, folder=library.folder, named=named, budget=budget, max_steps=max_steps, log=plan.log
            )
            asked = stack.enter_context(opened)
            judge = judge_by_model(asked.evaluation, library, control)
            plan = replace(plan, model=asked.instantiation, filter_model=asked.filter, judge=judge)
        chosen: list[Task] = failed_tasks(bank, plan.model.port.name) if retry_failed and plan.model else []
        for name in names:
            if not Path(name).exists():
                chosen.append(bank.get(name))
                continue
            found = collect_files([Path(name)], bank, TaskFileOptions(), provenance=by_human())
            chosen += [bank.get(one) for one in found.ids]
        outcomes: list[TaskOutcome] = []
        for outcome in run_tasks(
            chosen, mode, plan, bank=bank, library=library, settings=settings, finder=finder,
            provenance=by_program("recorder", "tasks-run-1"), token=control.token,
        ):  # fmt: skip
            outcomes.append(outcome)
            say_note(f"{len(outcomes)}/{len(chosen)}  {outcome}")
    states = {state: sum(one.task.state == state for one in outcomes) for state in STATES}
    lines = [f"{count:8}  {state.replace('_', ' ')}" for state, count in states.items() if count]
    print_result([one.to_json() for one in outcomes], lines)

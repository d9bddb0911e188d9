"""``demopack tasks write``, ``evolve``, ``extract`` and ``judge-plans``: what a language model is asked about tasks."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from demopack.domain.words import counted
from demopack_cli.options import FILE, PATH, job_control, json_option, library_folder, library_option, print_result

if TYPE_CHECKING:
    from models.language.port import LanguageRequest
    from tasks.asking import AskingReport
    from tasks.bank import TaskBank
    from tasks.writing import TaskWriter

_F = TypeVar("_F", bound=Callable[..., Any])
_SHOWN: Final = 20
WRITABLE = ("collected", "kept")
EVOLVABLE = ("collected", "kept", "instantiated", "executed", "complete")


def _model_options(function: _F) -> _F:
    for option in (
        click.option("--budget", type=click.FloatRange(min=0), metavar="DOLLARS", help="Spend no more than this now."),
        click.option(
            "--model", default="model", show_default=True, metavar="PROVIDER:NAME",
            help="Who is asked: a model such as openai:gpt-5-mini or ollama:qwen3:8b, or “model” for the one in the "
            "settings.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


@contextlib.contextmanager
def _opened(model: str, budget: float | None, *, create: bool = False) -> Generator[tuple[TaskBank, TaskWriter]]:
    from demopack.settings import load_settings
    from models.language.client import LanguageClient
    from models.language.prompts import PromptCatalogue
    from models.language.writers import settings_for
    from tasks.bank import TaskBank
    from tasks.writing import TaskWriter

    chosen = settings_for(model, load_settings().language)
    with TaskBank.open(library_folder(), create=create) as bank:
        port = LanguageClient(chosen, folder=bank.folder, allowance=budget)
        try:
            yield bank, TaskWriter(port=port, catalogue=PromptCatalogue(), at_once=2 * chosen.in_flight)
        finally:
            port.close()


@click.command(name="write")
@click.option("--state", type=click.Choice(WRITABLE), default=None, help="Only those that came so far.")
@click.option("--app", default="", help="Only those for this program.")
@click.option("--kind", default="", help="Only those from this kind of source.")
@_model_options
@click.option("--preview", metavar="TASK", help="Show what would be asked about a task; send nothing.")
@library_option
@json_option
def write(model: str, budget: float | None, preview: str | None, **given: str | None) -> None:
    """Have a model reword search queries as requests, and write plans for tasks without one.

    The query stays with its task. What the model says is checked, and told back to it where it does not hold; what
    still does not hold is named and left out. Started again, it goes on where it ended, and nothing is paid twice.

    Example: demopack tasks write --model openai:gpt-5-mini --budget 1
    """
    from tasks.bank import TaskQuery
    from tasks.writing import next_question, write_tasks

    query = TaskQuery(**{name: value or "" for name, value in given.items()})
    if preview is not None:
        _show(preview, next_question)
        return
    with _opened(model, budget) as (bank, writer):
        report = write_tasks(bank, writer, query, control=job_control())
    _tell(report, f"{len(report.changed)} of {counted(report.total, 'task')} written")


@click.command(name="evolve")
@click.option("--per-task", type=click.IntRange(min=1), default=1, show_default=True, help="Harder forms of each task.")
@click.option("--again", is_flag=True, help="Make so many further ones of tasks that have some already.")
@click.option("--state", type=click.Choice(EVOLVABLE), default=None, help="Only of those that came so far.")
@click.option("--app", default="", help="Only of those for this program.")
@click.option("--kind", default="", help="Only of this kind of source; “evolved” for harder forms of harder forms.")
@_model_options
@click.option("--preview", metavar="TASK", help="Show what would be asked about a task; send nothing.")
@library_option
@json_option
def evolve(
    model: str, budget: float | None, preview: str | None, per_task: int, again: bool, **given: str | None
) -> None:
    """Have a model make harder forms of tasks with a plan, each a task of its own with a plan anew.

    A harder form has at most 20 words more, is about the same in the same program and language, and has another plan:
    what does not hold is told back to the model, and in the end named and left out. Filter them as any other task.

    Example: demopack tasks evolve --state kept --model openai:gpt-5-mini --budget 1
    """
    from tasks.bank import TaskQuery
    from tasks.writing import evolution_question, evolve_tasks

    query = TaskQuery(**{name: value or "" for name, value in given.items()})
    if preview is not None:
        _show(preview, evolution_question)
        return
    with _opened(model, budget) as (bank, writer):
        report = evolve_tasks(bank, writer, query, per_task=per_task, again=again, control=job_control())
    _tell(report, f"{counted(len(report.added), 'harder task')} of {counted(report.total, 'task')}")


@click.command(name="extract")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@click.option(
    "--kind", type=click.Choice(("manual", "how_to")), default=None, help="What the pages are; default: manual."
)
@click.option("--app", default="", help="The program that they are about.")
@click.option("--app-version", default="", help="Its version.")
@click.option("--platform", default="", help="The platform that they are about: linux, windows, macos, ...")
@click.option("--skip-bad", is_flag=True, help="Leave out what cannot be read, and count it, instead of stopping.")
@_model_options
@library_option
@json_option
def extract(paths: tuple[Path, ...], model: str, budget: float | None, **given: Any) -> None:  # noqa: ANN401 - the options
    """Have a model find tasks and plans in pages without any list of steps.

    PATH is a folder, a zip or a page in HTML or Markdown; pages with lists of steps come in with `demopack tasks
    import`. A step whose words do not stand on the page is told back to the model, and in the end its task is left out.

    Example: demopack tasks extract guide/ --app writer --model openai:gpt-5-mini --budget 1
    """
    from demopack.codecs.tasks.files import TaskFileOptions
    from tasks.collecting import reading_lines
    from tasks.writing import extract_tasks

    with _opened(model, budget, create=True) as (bank, writer):
        report, reading = extract_tasks(paths, bank, writer, TaskFileOptions(**given), control=job_control())
    known = f", {report.known} known already" if report.known else ""
    pages = counted(reading.files, "page")
    done = f"{counted(len(report.added), 'task')} found on {pages} without steps{known}"
    _tell(report, done, reading_lines(reading), pages=reading.files, skipped=[str(one) for one in reading.skipped])


@click.command(name="judge-plans")
@click.argument("answers", type=FILE)
@click.argument("plans", type=FILE)
@_model_options
@click.option("-o", "--out", type=PATH, default=None, help="A file for what was said of each plan, JSON Lines.")
@library_option
@json_option
def judge_plans(answers: Path, plans: Path, model: str, budget: float | None, out: Path | None) -> None:
    """Have a model judge plans against reference plans: how many do their task, step precision, step recall.

    ANSWERS are JSON Lines with `task_id` and `answer`, what a model planned; PLANS is the test.jsonl that `demopack
    tasks export --form plans` wrote. A task without an answer counts as not done. Which of the two plans is told first
    differs from task to task, and what the judge pairs is counted here, each step once.

    Example: demopack tasks judge-plans answers.jsonl plans/test.jsonl --model openai:gpt-5-mini --budget 1
    """
    from demopack.atomic import write_text_atomic
    from demopack.json_lines import dump_line
    from tasks.plan_judging import judge_plans, score_lines

    with _opened(model, budget, create=True) as (bank, writer):
        judged = judge_plans(answers, plans, bank, writer, control=job_control())
    if out is not None:
        write_text_atomic(out, "".join(dump_line(one.to_json()) for one in judged.scores))
    done = f"{counted(len(judged.scores), 'plan')} judged"
    _tell(judged.asking, done, score_lines(judged), **judged.to_json())


def _show(name: str, question: Callable[..., LanguageRequest[Any]]) -> None:
    """What would be asked about a task."""
    from models.language.prompts import PromptCatalogue
    from tasks.bank import TaskBank

    with TaskBank.open(library_folder(), create=False) as bank:
        asked = question(bank.get(name), PromptCatalogue())
    print_result(asked.to_json(), [asked.shown().removesuffix("\n")])


def _tell(report: AskingReport, done: str, more: Iterable[str] = (), **beside: object) -> None:
    lines = [f"{done} ({report.model}){_cost(report)}."]
    lines += [f"  x {one.name}: {one.reason}" for one in report.failed[:_SHOWN]]
    if len(report.failed) > _SHOWN:
        lines.append(f"  x {len(report.failed) - _SHOWN} more; --json names them all")
    lines += [*more, *([f"It ended early: {report.trouble}"] if report.trouble else [])]
    print_result({**report.to_json(), **beside}, lines, ok=not report.trouble and not report.failed)


def _cost(report: AskingReport) -> str:
    from models.language.reports import money

    return f"; {counted(len(report.asked), 'answer')}, {money(report.asked)}" if report.asked else ""

"""``demopack rationale``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from demopack.domain.words import counted
from demopack_cli.options import job_control, json_option, library_option, open_library, print_result

if TYPE_CHECKING:
    from demopack.store import Library
    from models.language.rationale_run import Rewriting
    from models.language.reports import WriteReport
    from models.language.step_questions import Question
    from models.language.writers import EffectSource, WriterMode


@click.command(name="rationale")
@click.argument("demos", nargs=-1, required=True, metavar="DEMO...")
@library_option
@json_option
@click.option("--overwrite", is_flag=True, help="Replace what a program wrote before; a person's words stay.")
@click.option("--stale", is_flag=True, help="Replace what a program wrote before task, action or target changed.")
@click.option(
    "--writer",
    default="template",
    show_default=True,
    metavar="template|MODEL",
    help="Who writes: the template, which needs no network; a model such as openai:gpt-5-mini or ollama:qwen2.5vl:7b; "
    "or “model” for the one in the settings.",
)
@click.option(
    "--mode",
    type=click.Choice(["no_hindsight", "hindsight", "caap"]),
    default="no_hindsight",
    show_default=True,
    help="Tell only what could be known before each action, or also what came of it (not for training); “caap” tells "
    "that in one paragraph alone, as CAAP's paper asks a model for it.",
)
@click.option(
    "--effects",
    type=click.Choice(["local", "model"]),
    default="local",
    show_default=True,
    help="Who says what an action did: the program, from what changed on the screen, or the model, for one more call.",
)
@click.option("--budget", type=click.FloatRange(min=0), metavar="DOLLARS", help="Spend no more than this now.")
@click.option("--preview", type=click.IntRange(min=1), metavar="STEP", help="Show the prompt for a step; send nothing.")
def command(
    demos: tuple[str, ...],
    overwrite: bool,
    stale: bool,
    writer: str,
    mode: WriterMode,
    effects: EffectSource,
    budget: float | None,
    preview: int | None,
) -> None:
    """Write a rationale for every step that has none. DEMO is its id, the beginning of it, or "last".

    Each text is held against the screen; what does not hold is told. Started again, a run goes on where it ended.

    Example: demopack rationale last --writer openai:gpt-5-mini --budget 0.50
    """
    from demopack.settings import load_settings
    from models.language.rationale_run import write_demos
    from models.language.writers import open_writer

    with open_library(create=False) as opened:
        keys = [opened.find(demo) for demo in demos]
        if preview is not None:
            _show(opened, keys, preview, writer=writer, mode=mode)
            return
        rewriting: Rewriting = "programs" if overwrite else "stale" if stale else "missing"
        settings = load_settings().language
        given = open_writer(writer, settings, folder=opened.folder, mode=mode, effects=effects, budget=budget)
        with given as (ready, at_once):
            reports = write_demos(opened, keys, ready, control=job_control(), rewriting=rewriting, at_once=at_once)
        lines = (line for report in reports for line in _lines(opened, report))
        ok = not any(report.trouble or report.failed for report in reports)
        print_result([report.to_json() for report in reports], lines, ok=ok)


def _show(library: Library, keys: Sequence[str], number: int, *, writer: str, mode: WriterMode) -> None:
    """The whole prompt for one step of each demo."""
    from demopack.errors import BadInputError
    from demopack.settings import load_settings
    from models.language.prompts import PromptCatalogue
    from models.language.step_context import DemoStory
    from models.language.step_questions import step_question
    from models.language.writers import writer_sees

    sees = writer_sees(writer, load_settings().language)
    shown: list[dict[str, object]] = []
    texts: list[str] = []
    for key in keys:
        story = DemoStory(library, library.demo(key))
        if number > len(story.demo.steps):
            raise BadInputError(f"{key} has {counted(len(story.demo.steps), 'step')}, so there is no step {number}.")
        question: Question = "thought" if mode == "no_hindsight" else mode
        prompt = step_question(question, story.context(number - 1), PromptCatalogue(), sees=sees)
        shown.append({"demo": key, "step": number, **prompt.to_json()})
        texts.append(prompt.shown().removesuffix("\n"))
    print_result(shown, texts)


def _lines(library: Library, report: WriteReport) -> Iterator[str]:
    """One demo, for a person."""
    from models.language.reports import money

    kept = f", {report.kept} kept ({report.human} by a person)" if report.kept else ""
    paid = f"; {counted(len(report.asked), 'call')}, {money(report.asked)}" if report.asked else ""
    yield f"{report.demo}: {counted(report.written, 'rationale')} written{kept} ({report.writer}){paid}"
    for step in report.steps:
        for finding in step.findings:
            yield f"  ! step {step.step}: {finding}"
        if step.state == "failed":
            yield f"  x step {step.step} got none: {step.message}"
    if report.trouble:
        yield f"  x it ended before step {len(report.steps) + 1}: {report.trouble}"
    demo = library.demo(report.demo)
    unparsed = sum(step.before is not None and step.before.id not in demo.parsed for step in demo.steps)
    if unparsed:
        better = f"`demopack parse {report.demo}` makes better words"
        yield f"  ! elements were not yet looked for on {counted(unparsed, 'step')}; {better}"

"""``demopack judge``."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from demopack.domain.words import counted
from demopack_cli.options import job_control, json_option, library_option, open_library, print_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from models.language.judge.judge_run import JudgedStep, JudgeReport


@click.command(name="judge")
@click.argument("demos", nargs=-1, required=True, metavar="DEMO...")
@library_option
@json_option
@click.option(
    "--model",
    metavar="MODEL",
    help="Ask a model such as openai:gpt-5-mini or ollama:qwen2.5vl:7b, or “model” for the one in the settings. "
    "Without it only what frames and actions tell is noted.",
)
@click.option("--budget", type=click.FloatRange(min=0), metavar="DOLLARS", help="Spend no more than this now.")
@click.option("--again", is_flag=True, help="Ask again what this model has said already.")
@click.option("--leave-out", is_flag=True, help="Mark doubtful steps to be left out; else they stay as lessons.")
def command(
    demos: tuple[str, ...],
    model: str | None,
    budget: float | None,
    **given: Any,  # noqa: ANN401 - what is said again, and what is left out
) -> None:
    """Say which steps were wrong or needless, and with a model, whether the task was done.

    DEMO is its id, the beginning of it, or "last". Started again, a run goes on where it ended.

    Example: demopack judge last --model openai:gpt-5-mini --budget 0.20
    """
    from models.language.judge.judge_run import judge_demo

    reports: list[JudgeReport] = []
    with open_library(create=False) as opened, contextlib.ExitStack() as stack:
        keys = [opened.find(demo) for demo in demos]
        port = None
        if model is not None:
            from demopack.settings import load_settings
            from models.language.client import LanguageClient
            from models.language.writers import settings_for

            chosen = settings_for(model, load_settings().language)
            port = LanguageClient(chosen, folder=opened.folder, allowance=budget)
            stack.callback(port.close)
        for key in keys:
            reports.append(judge_demo(opened, key, port, control=job_control(), **given))
            if port is not None and reports[-1].trouble:
                break
    lines = (line for report in reports for line in _lines(report))
    ok = not any(report.trouble or any(step.state == "failed" for step in report.steps) for report in reports)
    print_result([report.to_json() for report in reports], lines, ok=ok)


def _lines(report: JudgeReport) -> Iterator[str]:
    doubtful = [step for step in report.steps if step.verdict is not None and step.verdict.doubtful]
    yield f"{report.demo}: {counted(len(doubtful), 'doubtful step')} of {len(report.steps)} ({report.judge})"
    for step in report.steps:
        words = _words(step)
        if words:
            yield f"  {step.step:3}  {words}"
    verdict = report.verdict
    if verdict is not None:
        yield f"  Task done: {verdict.complete}. {verdict.reason}"
        for part in verdict.sub_scores:
            yield f"    {part.met:6} {part.name}"
        if verdict.quality is not None:
            yield (
                f"  Alignment {verdict.alignment}, efficiency {verdict.efficiency}, difficulty {verdict.difficulty} "
                f"of 10; the task is {verdict.quality.replace('_', '-')}."
            )
        if verdict.actual_task:
            yield f"  Really done: {verdict.actual_task}"
    if report.calls:
        cost = "" if report.cost is None else f", ${report.cost:.4f}"
        yield f"  {counted(report.calls, 'answer')}, {report.input_tokens + report.output_tokens} tokens{cost}"
    if report.trouble:
        yield f"  ! {report.trouble}"


def _words(step: JudgedStep) -> str:
    from models.language.judge.judge_questions import LABEL_WORDS

    if step.state == "failed":
        return f"! {step.message}"
    if step.verdict is None or not step.verdict.doubtful:
        return ""
    words = ["wrong"] * (step.verdict.correct == "no") + ["needless"] * (step.verdict.redundant == "yes")
    words += [LABEL_WORDS[label] for label in step.verdict.labels]
    left_out = " [left out of exports]" if step.left_out else ""
    reflection = f" {step.verdict.reflection}" if step.verdict.reflection else ""
    return f"{'; '.join(words)}.{reflection}{left_out}"

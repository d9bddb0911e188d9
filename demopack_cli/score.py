"""``demopack score``."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from demopack_cli.options import FILE, PATH, job_control, json_option, print_result


@click.command(name="score")
@click.argument("predictions", type=FILE)
@click.argument("pack", type=PATH)
@click.option(
    "--dialect",
    default="llmresponse",
    show_default=True,
    help="How the answers are written: llmresponse, ui-tars, qwen, openai, anthropic, pyautogui, caap, uipath, ...",
)
@click.option("--alternatives", type=FILE, help="JSON Lines with further targets that are right: step and targets.")
@click.option("-o", "--output", "out", type=PATH, help="A folder for the page with the failures on their screens.")
@click.option("--seed", default=0, show_default=True, help="Of the intervals; equal seeds give equal ones.")
@json_option
def command(
    predictions: Path, pack: Path, dialect: str, alternatives: Path | None, out: Path | None, seed: int
) -> None:
    """Hold a model's answers against the steps of a pack.

    PREDICTIONS is a file of JSON Lines: `step` (or `demo` and `index`) and `answer` in each. A step without an answer
    counts as wrong.

    Example: demopack score answers.jsonl my-pack --dialect ui-tars -o result
    """
    from demopack.pack.reader import open_packs
    from demopack.prompting.scoring.metrics import report_lines
    from demopack.prompting.scoring.predictions import read_alternatives, read_predictions
    from demopack.prompting.scoring.score_folder import score_folder
    from demopack.prompting.scoring.step_scores import score

    answers = read_predictions(predictions)
    others = None if alternatives is None else read_alternatives(alternatives)
    with contextlib.ExitStack() as stack:
        demos = stack.enter_context(open_packs([pack]))
        folder = None if out is None else stack.enter_context(score_folder(out))
        report = score(
            answers,
            demos,
            pack=pack.name,
            dialect=dialect,
            alternatives=others,
            seed=seed,
            on_failure=None if folder is None else folder.add,
            control=job_control(),
        )
        if folder is not None:
            folder.finish(report)
    look = [] if out is None else [f"Look at it: {out / 'index.html'}"]
    print_result(report.to_json(), [*report_lines(report), *look])

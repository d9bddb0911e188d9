"""``demopack bench``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack_cli.options import PATH, json_option, on_signals, print_result, say

if TYPE_CHECKING:
    from player.evaluation.miniwob.model_agent import ModelAgent
    from player.observing import Eyes

_MAX_SEEDS = 100_000
AGENT_DIALECTS = ("llmresponse", "caap", "uipath", "ui-tars")


@click.group(name="bench")
def command() -> None:
    """Measure agents on tasks that judge for themselves whether they were done.

    Example: demopack bench miniwob --agent replay --tasks click-button --seeds 0-2
    """


def _seeds(_context: click.Context, _parameter: click.Parameter, value: str) -> list[int]:
    """``0-2,7``: numbers and ranges, both ends included."""
    found: list[int] = []
    for part in value.split(","):
        parsed = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        first = int(parsed[1]) if parsed else 0
        last = int(parsed[2]) if parsed and parsed[2] else first
        if parsed is None or last < first or last - first > _MAX_SEEDS:
            raise click.BadParameter(f"{value!r} names no seeds. Write them as 0-49 or 3,7.")
        found += range(first, last + 1)
    return list(dict.fromkeys(found))


def _tasks(_context: click.Context, _parameter: click.Parameter, value: str) -> list[str]:
    """``caap``, ``all``, or names."""
    from player.evaluation.miniwob.solvers import SOLVERS
    from player.evaluation.miniwob.tasks import CAAP_SUCCESS, FURTHER_TASKS

    sets = {"caap": [*CAAP_SUCCESS], "all": [*CAAP_SUCCESS, *FURTHER_TASKS]}
    if value in sets:
        return sets[value]
    names = [name.strip() for name in value.split(",")]
    unknown = [name for name in names if name not in SOLVERS]
    if unknown:
        raise click.BadParameter(f"There is no task {unknown[0]!r} here. They are: {', '.join(sorted(SOLVERS))}.")
    return list(dict.fromkeys(names))


@command.command(name="miniwob")
@click.option(
    "--agent", "name", type=click.Choice(["replay", "few-shot", "model"]), required=True, help="Who does the tasks."
)
@click.option(
    "--model", default="", metavar="PROVIDER:NAME", help="few-shot and model: which; as for `demopack agent`."
)
@click.option(
    "--dialect", type=click.Choice(AGENT_DIALECTS), default="caap", show_default=True,
    help="few-shot and model: in which prompts are written and answers read.",
)  # fmt: skip
@click.option(
    "--demos", type=PATH, help="few-shot: the pack with the examples. Demos of the very same page are left out."
)
@click.option("--shots", type=click.IntRange(0, 50), default=3, show_default=True, help="few-shot: at most so many.")
@click.option("--config", default="full", show_default=True, metavar="NAME", help="CAAP: a configuration of Table 6.")
@click.option(
    "--eyes", type=click.Choice(["pixels", "all", "picture"]), default="pixels", show_default=True,
    help="few-shot and model: what finds the elements: models on the screenshot alone, as in the paper; also what the "
    "browser reports; or nobody.",
)  # fmt: skip
@click.option("--max-steps", type=click.IntRange(1), default=30, show_default=True, help="few-shot and model: actions.")
@click.option("--budget", type=click.FloatRange(min=0), metavar="DOLLARS", help="For each worker, at most.")
@click.option(
    "--tasks", default="caap", show_default=True, callback=_tasks,
    help="Names with commas between them; caap: the 67 of the CAAP paper; all: the six more of its repository, too.",
)  # fmt: skip
@click.option("--seeds", default="0-49", show_default=True, callback=_seeds, help="For instance 0-2, or 3,7.")
@click.option(
    "-o", "--out", type=PATH, default=Path("miniwob"), show_default=True,
    help="The folder for the results; what is there is not done again.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Displays to work on at a time.")
@json_option
def miniwob(name: str, tasks: list[str], seeds: list[int], out: Path, jobs: int, **given: Any) -> None:  # noqa: ANN401
    """Measure an agent on MiniWoB++ in Chromium, by the raw reward of its pages.

    Each worker has a screen of its own, which nobody sees. Agents: `replay` performs again, from its pack, what a
    scripted person did on the same page; `few-shot` and `model` ask a language model, with examples and without.

    Example: demopack bench miniwob --agent replay --tasks click-button,use-slider --seeds 0-2 --out results
    """
    from demopack.jobs import CancelToken
    from player.evaluation.episodes import append_result, read_results, resume_results, run_episodes
    from player.evaluation.miniwob.bench import BenchWorker, ReplayAgent
    from player.evaluation.miniwob.tasks import CAAP_SUCCESS, STANDARD_SET
    from player.evaluation.scores import score_table

    agent = ReplayAgent() if name == "replay" else _model_agent(name, out, **given)
    wanted = [(task, seed) for task in tasks for seed in seeds]
    path = out / "results.jsonl"
    done, todo = resume_results(path, agent.name, wanted)
    if done:
        say(f"{len(done)} of {len(wanted)} episodes are there already.", err=True)
    token = CancelToken()
    with on_signals(lambda _: token.cancel(), "SIGINT", "SIGTERM"):
        episodes = run_episodes(
            todo,
            open_worker=BenchWorker(agent, telling=given["eyes"] == "all"),
            agent=agent.name,
            jobs=min(jobs, max(1, len(todo))),
            token=token,
        )
        for number, result in enumerate(episodes, start=len(done) + 1):
            append_result(path, result)
            told = f"! {result.error}" if result.error else f"raw reward {result.reward:.2f}"
            say(f"{number}/{len(wanted)}  {result.task} {result.seed}  {told}  ({result.seconds:g} s)", err=True)
    there = read_results(path, agent.name)
    results = [there[key] for key in wanted if key in there]
    table = score_table(results, tasks=tasks, published=CAAP_SUCCESS, standard_set=STANDARD_SET)
    print_result({"agent": agent.name, **table.to_json()}, table.lines())


def _model_agent(
    name: str,
    out: Path,
    *,
    model: str,
    dialect: str,
    demos: Path | None,
    shots: int,
    config: str,
    eyes: Eyes,
    max_steps: int,
    budget: float | None,
) -> ModelAgent:
    from demopack.prompting.prompt import PromptOptions
    from demopack.settings import load_settings
    from player.agent import AgentOptions
    from player.evaluation.miniwob.model_agent import ModelAgent

    if not model:
        raise click.UsageError(f"--agent {name} needs --model, for instance --model openai:gpt-5-mini.")
    if (name == "few-shot") != (demos is not None):
        raise click.UsageError("--agent few-shot needs --demos PACK, and only it takes them.")
    prompt = PromptOptions(budget=32_000, shots=shots if demos is not None else 0, instance="other", config=config)
    return ModelAgent(
        name=f"{name} {model} {dialect} {config} {eyes}",
        language=load_settings().language.model_copy(update={"model": model}),
        folder=out,
        options=AgentOptions(dialect=dialect, max_steps=max_steps, prompt=prompt),
        eyes=eyes,
        demos=demos,
        allowance=budget,
    )

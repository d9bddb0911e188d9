"""``demopack bench``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack.domain.words import counted
from demopack_cli.options import PATH, json_option, on_signals, print_result, say

if TYPE_CHECKING:
    from demopack.jobs import CancelToken
    from player.evaluation.episodes import EpisodeKey
    from player.evaluation.miniwob.bench import BenchWorker
    from player.evaluation.miniwob.model_agent import ModelAgent
    from player.evaluation.scores import ScoreTable
    from player.observing import Eyes

_MAX_SEEDS = 100_000
AGENT_DIALECTS = ("llmresponse", "caap", "uipath", "ui-tars")
CONFIGURATIONS = ("full", "demo_without_cot", "cot_without_demo", "cot_with_action_only_demo", "no_cot_no_demo")


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
    "--demos", type=PATH,
    help="few-shot: the pack with the examples; by default one demo of each of the 67 tasks, made on seeds from 3000 "
    "on. Demos of the very same page are left out.",
)  # fmt: skip
@click.option("--shots", type=click.IntRange(0, 50), default=3, show_default=True, help="few-shot: at most so many.")
@click.option(
    "--config", type=click.Choice([*CONFIGURATIONS, "all"]), default="full", show_default=True,
    help="caap: a configuration of Table 6 of the paper, or all five, one after the other.",
)  # fmt: skip
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
    from player.evaluation.miniwob.bench import BenchWorker, ReplayAgent

    config: str = given.pop("config")
    if config != "full" and (name == "replay" or given["dialect"] != "caap"):
        raise click.UsageError(
            "--config is about the prompts of CAAP: use it with few-shot or model, in --dialect caap."
        )
    configs = CONFIGURATIONS if config == "all" else (config,)
    agents = [ReplayAgent() if name == "replay" else _model_agent(name, out, config=one, **given) for one in configs]
    wanted = [(task, seed) for task in tasks for seed in seeds]
    token = CancelToken()
    tables: dict[str, ScoreTable] = {}
    with on_signals(lambda _: token.cancel(), "SIGINT", "SIGTERM"):
        for one, agent in zip(configs, agents, strict=True):
            if config == "all":
                say(f"Configuration {one}:", err=True)
            worker = BenchWorker(agent, telling=given["eyes"] == "all")
            tables[one] = _measured(worker, wanted, out / "results.jsonl", jobs=jobs, token=token)
    if config == "all":
        _print_configurations(agents[0].name, tables)
    else:
        print_result({"agent": agents[0].name, **tables[config].to_json()}, tables[config].lines())


def _measured(
    worker: BenchWorker, wanted: list[EpisodeKey], path: Path, *, jobs: int, token: CancelToken
) -> ScoreTable:
    """Do what is still to be done, and count all."""
    from player.evaluation.episodes import append_result, read_results, resume_results, run_episodes
    from player.evaluation.miniwob.tasks import CAAP_SUCCESS, STANDARD_SET
    from player.evaluation.scores import score_table

    agent = worker.agent.name
    done, todo = resume_results(path, agent, wanted)
    if done:
        say(
            f"{len(done)} of {counted(len(wanted), 'episode')} {'is' if len(done) == 1 else 'are'} there already.",
            err=True,
        )
    episodes = run_episodes(todo, open_worker=worker, agent=agent, jobs=min(jobs, max(1, len(todo))), token=token)
    for number, result in enumerate(episodes, start=len(done) + 1):
        append_result(path, result)
        told = f"! {result.error}" if result.error else f"raw reward {result.reward:.2f}"
        say(f"{number}/{len(wanted)}  {result.task} {result.seed}  {told}  ({result.seconds:g} s)", err=True)
    there = read_results(path, agent)
    results = [there[key] for key in wanted if key in there]
    tasks = list(dict.fromkeys(task for task, _ in wanted))
    return score_table(results, tasks=tasks, published=CAAP_SUCCESS, standard_set=STANDARD_SET)


def _print_configurations(agent: str, tables: dict[str, ScoreTable]) -> None:
    from player.evaluation.miniwob.tasks import CAAP_CONFIGURATIONS

    rows = [f"{'configuration':<28}{'tasks':>6}{'raw > 0':>9}{'raw = 1':>9}{'CAAP':>7}"]
    rows += [
        f"{name:<28}{len(table.tasks):>6}{table.any_reward:>9.3f}{table.full_reward:>9.3f}"
        f"{CAAP_CONFIGURATIONS[name]:>7.3f}"
        for name, table in tables.items()
    ]
    rows.append("CAAP: the means of the paper's Table 6, over 67 tasks.")
    told = {name: {**table.to_json(), "published": CAAP_CONFIGURATIONS[name]} for name, table in tables.items()}
    print_result({"agent": agent, "configurations": told}, rows)


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
    from demopack.resources import asset
    from demopack.settings import load_settings
    from player.agent import AgentOptions
    from player.evaluation.miniwob.model_agent import ModelAgent

    if not model:
        raise click.UsageError(f"--agent {name} needs --model, for instance --model openai:gpt-5-mini.")
    if name != "few-shot" and demos is not None:
        raise click.UsageError("Only --agent few-shot takes --demos.")
    if name == "few-shot":
        demos = demos or asset("demos/miniwob.zip")
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

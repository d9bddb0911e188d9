"""MiniWoB++ by an agent whose model is small solvers that read the prompt alone: what eyes, prompt and hands allow.

    python benchmarks/agent_miniwob.py --seeds 3 --first-seed 5000 --eyes pixels all --dialects llmresponse caap

It is no model's score: the solvers (``tests/support/text_only_model.py``) were written for these pages on seeds 1000 to
1999; give seeds that nobody looked at. Prints the reward of each episode, and seconds for each step without the model.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.prompting.prompt import PromptOptions
from demopack.resources import asset
from demopack.settings import LanguageSettings
from player.agent import AgentOptions
from player.evaluation.episodes import EpisodeResult, append_result, resume_results, run_episodes
from player.evaluation.miniwob.bench import BenchWorker
from player.evaluation.miniwob.model_agent import ModelAgent
from player.evaluation.miniwob.tasks import CAAP_SUCCESS
from player.observing import Eyes
from tests.support.text_only_model import text_only_server

TASKS = tuple(CAAP_SUCCESS)


def episodes(given: argparse.Namespace, eyes: Eyes, dialect: str, base_url: str, folder: Path) -> list[EpisodeResult]:
    """All tasks and seeds with one kind of eyes, in one dialect."""
    prompt = PromptOptions(budget=32_000, shots=given.shots, instance="other")
    agent = ModelAgent(
        name=f"text-only {dialect} {eyes}",
        language=LanguageSettings(model="server:text-only", base_url=base_url),
        folder=folder,
        options=AgentOptions(dialect=dialect, max_steps=given.max_steps, prompt=prompt),
        eyes=eyes,
        demos=given.demos if given.shots else None,
    )
    wanted = [(task, seed) for task in given.tasks for seed in range(given.first_seed, given.first_seed + given.seeds)]
    done, todo = resume_results(given.out, agent.name, wanted)
    for result in run_episodes(
        todo, open_worker=BenchWorker(agent, telling=eyes == "all"), agent=agent.name, jobs=given.jobs
    ):
        append_result(given.out, result)
        done.append(result)
        told = f"! {result.error}" if result.error else f"{result.reward:5.2f}"
        print(f"{eyes:7} {dialect:11} {result.task:22} {result.seed:6} {told}  {result.seconds:g} s", flush=True)
    return done


def main() -> None:
    """Measure and print; the last lines are the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=list(TASKS))
    parser.add_argument("--eyes", nargs="*", choices=["pixels", "all"], default=["pixels", "all"])
    parser.add_argument("--dialects", nargs="*", default=["llmresponse", "caap"])
    parser.add_argument("--max-steps", type=int, default=12)
    parser.add_argument("--shots", type=int, default=3, help="demos in each prompt, of --demos")
    parser.add_argument("--demos", type=Path, default=asset("demos/miniwob.zip"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("agent-miniwob.jsonl"))
    given = parser.parse_args()
    with text_only_server() as server, tempfile.TemporaryDirectory() as folder:
        print("What eyes, prompt, parser and hands allow, by solvers that read the prompt alone; no model's score.")
        for eyes in given.eyes:
            for dialect in given.dialects:
                some = episodes(given, eyes, dialect, server.base_url, Path(folder))
                won = sum(one.reward > 0 for one in some)
                spent = [one.notes["overhead_s"] for one in some if one.notes.get("overhead_s")]
                middle = statistics.median(spent) if spent else 0.0
                print(f"{eyes:7} {dialect:11} reward > 0 {won} of {len(some)}; {middle:.2f} s a step without the model")


if __name__ == "__main__":
    main()

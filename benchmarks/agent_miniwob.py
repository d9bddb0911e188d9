"""MiniWoB++ by an agent whose model is small solvers that read the prompt alone: what eyes, prompt and hands allow.

    python benchmarks/agent_miniwob.py --seeds 3 --first-seed 5000 --eyes pixels all --dialects llmresponse caap

It is no model's score: the solvers (``tests/support/text_only_model.py``) were written for these pages on seeds 1000 to
1999; give seeds that nobody looked at. Prints the reward of each episode, and seconds for each step without the model.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.settings import LanguageSettings, Settings
from demopack.store import Library
from models.language.client import LanguageClient
from player.agent import Agent, AgentOptions, AgentWatcher
from player.backends.x11 import X11Performer
from player.executor import open_executor
from player.run_recorder import RunRecorder
from recorder.desktop.private_display import PrivateDesktop, PrivateDisplay
from tests.support import miniwob
from tests.support.miniwob import NEUTRAL, SCREEN, MiniWob
from tests.support.text_only_model import text_only_server

TASKS = (
    "click-test", "click-test-2", "click-button", "click-button-sequence", "click-link", "click-checkboxes",
    "click-option", "enter-text", "enter-password", "login-user", "focus-text", "focus-text-2", "click-dialog",
    "click-dialog-2", "click-tab", "simple-arithmetic",
)  # fmt: skip
TELLING = "--force-renderer-accessibility"


class Page(AgentWatcher):
    """Says that a task is over when its page has judged."""

    def __init__(self, page: MiniWob) -> None:
        self._page = page

    def is_over(self) -> bool:
        return bool(self._page.ask("return WOB_DONE_GLOBAL"))


def episodes(given: argparse.Namespace, eyes: str, dialect: str) -> list[dict[str, Any]]:
    """All tasks and seeds with one kind of eyes, in one dialect."""
    rows: list[dict[str, Any]] = []
    if eyes == "all":
        miniwob._SWITCHES = (*miniwob._SWITCHES, TELLING)  # noqa: SLF001 - joined with the harness later
    with (
        tempfile.TemporaryDirectory() as folder,
        (PrivateDesktop if eyes == "all" else PrivateDisplay)(width=SCREEN[0], height=SCREEN[1]) as display,
        mock.patch.dict(os.environ, display.environment()),
        MiniWob(display.environment()) as page,
        X11Performer(display.name) as device,
        Library.open(Path(folder)) as library,
        text_only_server() as server,
        open_executor(Settings(), eyes=eyes) as hands,  # type: ignore[arg-type]
    ):
        page.calibrate(device)
        language = LanguageSettings(model="server:text-only", base_url=server.base_url)
        port = LanguageClient(language, folder=library.folder)
        for task in given.tasks:
            for seed in range(given.first_seed, given.first_seed + given.seeds):
                device.move(*NEUTRAL)
                page.open(task, seed=seed)
                options = AgentOptions(dialect=dialect, max_steps=given.max_steps)
                with RunRecorder(library, task=page.utterance) as recorder:
                    agent = Agent(
                        hands, port, task=page.utterance, options=options, recorder=recorder, watcher=Page(page)
                    )
                    report = agent.run()
                reward = page.reward(seconds=1.0)
                parts = _parts(library, report.demo) if report.steps else {}
                rows.append(
                    {
                        **report.to_json(), "page": task, "seed": seed, "eyes": eyes, "reward": reward, "parts": parts,
                    }
                )  # fmt: skip
                spent = " ".join(f"{name} {value:.2f}" for name, value in parts.items())
                words = "" if reward > 0 else f"  {report.end}: {report.reason} ({page.utterance})"
                print(
                    f"{eyes:7} {dialect:11} {task:22} {seed:6} {reward:5.2f} {report.steps:3} steps"
                    f" {report.overhead_s:6.2f} s/step {spent}{words}",
                    flush=True,
                )
                if given.show and reward <= 0:
                    print(server.asked[-1].texts[-given.show :], flush=True)
        port.close()
    return rows


def _parts(library: Library, demo: str) -> dict[str, float]:
    """Mean seconds of each look, prompt and action of a run."""
    origin = library.demo(demo).head.origin
    rows = [] if origin is None else [row for rows in origin.steps.values() for row in rows]
    turns = list({row["turn"]: row for row in rows}.values())
    means = {name: sum(row["seconds"][name] for row in turns) / len(turns) for name in ("observe", "prompt")}
    return {**means, "act": sum(row["result"]["seconds"] for row in rows) / len(rows)}


def main() -> None:
    """Measure and print; the last lines are the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=list(TASKS))
    parser.add_argument("--eyes", nargs="*", choices=["pixels", "all"], default=["pixels", "all"])
    parser.add_argument("--dialects", nargs="*", default=["llmresponse", "caap"])
    parser.add_argument("--max-steps", type=int, default=12)
    parser.add_argument("--show", type=int, default=0, help="Show so many characters of the prompt of a lost episode.")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows = [row for eyes in given.eyes for dialect in given.dialects for row in episodes(given, eyes, dialect)]
    print("\nWhat eyes, prompt, parser and hands allow, by solvers that read the prompt alone; no model's score.")
    for eyes in given.eyes:
        for dialect in given.dialects:
            some = [row for row in rows if (row["eyes"], row["dialect"]) == (eyes, dialect)]
            won = sum(row["reward"] > 0 for row in some)
            spent = sorted(row["overhead_s"] for row in some if row["overhead_s"])
            middle = spent[len(spent) // 2] if spent else 0.0
            print(f"{eyes:7} {dialect:11} reward > 0 {won} of {len(some)}; {middle:.2f} s a step without the model")
    if given.out is not None:
        given.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""The demos for the 67 tasks of the CAAP paper that come with demopack: one of each task, on seeds from 3000 on.

    python benchmarks/make_miniwob_demos.py --out assets/demos/miniwob.zip

A scripted person does each task through the X server and is recorded from outside the page, as everybody is. The
recording is parsed by the shipped models and explained by the template, and nothing is corrected by hand. Where the
page does not give its whole reward, the next seed is taken. Each demo's origin names its task and seed. Some seconds a
task; what is in ``--library`` is not done again.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.domain.demos import Origin
from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_program
from demopack.domain.records import new_id
from demopack.jobs import JobControl
from demopack.pack import export_pack
from demopack.store import Library
from models.language.rationale_run import write_demos
from models.language.template import TemplateWriter
from models.vision.demo_parsing import parse_demo
from player.evaluation.closed_loop import recording
from player.evaluation.miniwob.bench import BenchWorker, Episode
from player.evaluation.miniwob.solvers import SOLVERS
from player.evaluation.miniwob.tasks import CAAP_SUCCESS, DEMO_SEEDS
from player.scripted_user import PracticeUser

FORMAT = "miniwob"
_SPEED = 1.5  # of the scripted person; their pauses are still longer than a frame
_WHOLE = 0.9  # circle-center gives no more than 0.98
_TRIES = 5


@dataclass(frozen=True, slots=True)
class ScriptedPerson:
    """Does a task and leaves its demo in a library; a demo without the whole reward is deleted."""

    library: Path
    name: str = "person"

    def __call__(self, episode: Episode) -> dict[str, Any]:
        """Do it, once."""
        with Library.open(self.library) as library:
            with recording(library, task=episode.browser.utterance) as demo_id:
                SOLVERS[episode.task](episode.browser, PracticeUser(episode.device, speed=_SPEED, seed=episode.seed))
                reward = episode.browser.reward()
            if reward < _WHOLE:
                library.delete_demo(demo_id())
                return {}
            parse_demo(library, demo_id(), episode.finder, control=JobControl())
            head = library.demo(demo_id()).head
            origin = Origin(format=FORMAT, said={"task": episode.task, "seed": episode.seed, "raw_reward": reward})
            told = head.model_copy(update={"origin": origin, "outcome": "success", "app": "MiniWoB++"})
            change = Change.between(head, told)
            library.commit(
                demo_id(),
                Edit(
                    id=new_id("edit"),
                    label="Name the task",
                    changes=(change,),
                    provenance=by_program("template", FORMAT),
                ),
            )
            write_demos(library, [demo_id()], TemplateWriter(), control=JobControl())
        return {"demo": demo_id()}


def main() -> None:
    """Make what is missing, then the pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=Path("miniwob-demos"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tasks", nargs="*", default=list(CAAP_SUCCESS))
    given = parser.parse_args()
    there = demos_in(given.library)
    missing = [task for task in given.tasks if task not in there]
    if missing:
        with BenchWorker(ScriptedPerson(given.library))() as run:
            for task in missing:
                for seed in DEMO_SEEDS[:_TRIES]:
                    result = run(task, seed)
                    print(f"{task} {seed} {result.reward:g} {result.error} ({result.seconds:g} s)", flush=True)
                    if result.reward >= _WHOLE and not result.error:
                        break
    there = demos_in(given.library)
    with Library.open(given.library) as library:
        demos = [there[task] for task in given.tasks]
        given.out.parent.mkdir(parents=True, exist_ok=True)
        export_pack(
            library, demos, given.out, licence="AGPL-3.0-or-later", consent="scripted", zipped=True, trees=False
        )
    print(f"{len(demos)} demos, {given.out.stat().st_size / 1e6:.1f} MB")


def demos_in(folder: Path) -> dict[str, str]:
    """Task -> id of its finished demo."""
    with Library.open(folder) as library:
        heads = [summary.head for summary in library.demos()]
    return {str(head.origin.said["task"]): head.id for head in heads if head.origin is not None}


if __name__ == "__main__":
    main()

"""The demos for the 67 tasks of the CAAP paper that come with demopack: one of each task, on seeds from 3000 on.

    python benchmarks/make_miniwob_demos.py --out assets/demos/miniwob.zip

A scripted person does each task through the X server and is recorded from outside the page, as everybody is. The
recording is parsed by the shipped models and explained by the template, and nothing is corrected by hand. Where the
page does not give its whole reward, the next seed is taken. Each demo's origin names its task and seed. Then it is
performed again from its pack, and marked as proved: where the page does not give the same reward again, the next seed
is taken. Some seconds a task; what is in ``--library`` is not done again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
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
from player.evaluation.closed_loop import recording, replay_pack
from player.evaluation.miniwob.bench import BenchWorker, Episode
from player.evaluation.miniwob.solvers import SOLVERS
from player.evaluation.miniwob.tasks import CAAP_SUCCESS, DEMO_SEEDS
from player.replay_proof import proof_of, store_proof
from player.scripted_user import PracticeUser
from recorder.sources import platform_name

FORMAT = "miniwob"
_SPEED = 1.5  # of the scripted person; their pauses are still longer than a frame
_WHOLE = 0.9  # circle-center gives no more than 0.98
_TRIES = 5


@dataclass(frozen=True, slots=True)
class ScriptedPerson:
    """Does a task and leaves its demo in a library; one without the whole reward, now or again, is deleted."""

    library: Path
    name: str = "person"

    def __call__(self, episode: Episode) -> dict[str, Any]:
        """Do it, once; then perform it again, once."""
        with Library.open(self.library) as library:
            known = demos_of(library).get(episode.task) or self._record(episode, library)
            if not known or self._prove(episode, library, known):
                return {"demo": known}
            library.delete_demo(known)
            return {}

    def _record(self, episode: Episode, library: Library) -> str:
        """The id of a demo with the whole reward; empty where the page did not give it."""
        with recording(library, task=episode.browser.utterance) as demo_id:
            SOLVERS[episode.task](episode.browser, PracticeUser(episode.device, speed=_SPEED, seed=episode.seed))
            reward = episode.browser.reward()
        if reward < _WHOLE:
            library.delete_demo(demo_id())
            return ""
        parse_demo(library, demo_id(), episode.finder, control=JobControl())
        head = library.demo(demo_id()).head
        origin = Origin(format=FORMAT, said={"task": episode.task, "seed": episode.seed, "raw_reward": reward})
        told = head.model_copy(update={"origin": origin, "outcome": "success", "app": "MiniWoB++"})
        library.commit(
            demo_id(),
            Edit(
                id=new_id("edit"),
                label="Name the task",
                changes=(Change.between(head, told),),
                provenance=by_program("template", FORMAT),
            ),
        )
        write_demos(library, [demo_id()], TemplateWriter(), control=JobControl())
        return demo_id()

    def _prove(self, episode: Episode, library: Library, demo_id: str) -> bool:
        """Perform a demo again, from its pack on a fresh page, and mark it where the reward is the same."""
        demo = library.demo(demo_id)
        origin = demo.head.origin
        if demo.head.proof is not None or origin is None:
            return demo.head.proof is not None
        pack = episode.folder / "pack"
        export_pack(library, [demo_id], pack)
        episode.restart()
        report = replay_pack(pack, episode.finder)
        if episode.browser.reward() < float(str(origin.said["raw_reward"])):
            return False
        proof = proof_of(demo, report, kind="reward", platform=platform_name())
        if proof is not None:
            store_proof(library, demo, proof)
        return proof is not None


def main() -> None:
    """Make what is missing, then the pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=Path("miniwob-demos"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tasks", nargs="*", default=list(CAAP_SUCCESS))
    given = parser.parse_args()
    with BenchWorker(ScriptedPerson(given.library))() as run:
        for task in given.tasks:
            with Library.open(given.library) as library:
                seeds = demo_seeds(library, task)
            for seed in seeds:
                result = run(task, seed)
                print(f"{task} {seed} {result.notes.get('demo', '')} {result.error} ({result.seconds:g} s)", flush=True)
                if result.notes.get("demo"):
                    break
    with Library.open(given.library) as library:
        there = demos_of(library)
        demos = [there[task] for task in given.tasks]
        given.out.parent.mkdir(parents=True, exist_ok=True)
        export_pack(
            library, demos, given.out, licence="AGPL-3.0-or-later", consent="scripted", zipped=True, trees=False
        )
    print(f"{len(demos)} demos, {given.out.stat().st_size / 1e6:.1f} MB")


def demos_of(library: Library) -> dict[str, str]:
    """Task -> id of its finished demo."""
    heads = [summary.head for summary in library.demos()]
    return {str(head.origin.said["task"]): head.id for head in heads if head.origin is not None}


def demo_seeds(library: Library, task: str) -> Sequence[int]:
    """The seeds to try, first that of the demo where there is one; none where it is proved."""
    known = demos_of(library).get(task)
    head = None if known is None else library.demo(known).head
    if head is None or head.origin is None:
        return DEMO_SEEDS[:_TRIES]
    first = int(str(head.origin.said["seed"]))
    return [] if head.proof is not None else [first, *(seed for seed in DEMO_SEEDS[:_TRIES] if seed != first)]


if __name__ == "__main__":
    main()

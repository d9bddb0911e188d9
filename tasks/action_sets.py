"""Training sets of the LAM paper's phases 2 to 4, of what was done: each step is asked for, the step is the answer.

The questions are word for word those that an agent's model gets in the dialect ``lam``. Rows are TRL's ``prompt`` and
``completion``; sides are drawn as for plans, so that no task is tested in one phase that was trained in another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from demopack.codecs import lam
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.domain.rationale import lam_thought
from demopack.domain.tasks import Task
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.json_lines import dump_line
from demopack.prompting.agent_state import state_before
from demopack.prompting.library_demos import LibraryDemos
from demopack.prompting.prompt import json_text
from demopack.prompting.prompt_builder import agent_system, render
from demopack.store import Library
from tasks.bank import TaskBank, TaskQuery
from tasks.plan_sets import SIDES, Families, SetReport, fingerprint, is_one_file, write_sides

_REWARDS: Final = {"yes": 1.0, "no": -1.0}
"""What every step of a try is worth, by its verdict; of what nobody is sure there is no reward."""
_REASONS: Final = ("filtered_out", "not_done", "without_demo", "rejected", "no_word", "twice")


def write_action_set(
    bank: TaskBank,
    library: Library,
    query: TaskQuery,
    out: Path,
    *,
    rewards: bool = False,
    test: float = 0.1,
    seed: int = 0,
    control: JobControl | None = None,
) -> SetReport:
    """Write the steps of all tries that were judged, ``train.jsonl`` and ``test.jsonl`` in a folder, or one file.

    Args:
        bank: with the tasks.
        library: with the demos of what was done, which are told as they stand.
        query: which tasks; without a state all that are not filtered out.
        out: a folder, or a file whose name ends with ``.jsonl``.
        rewards: also tries that were judged “no”, and of each step its reward, 1 or -1; else those judged “yes” alone.
        test: as for :func:`tasks.plan_sets.write_plan_set`, as is ``seed``.
        seed: of the division.
        control: progress and cancelling; nothing is written before all is read.

    Raises:
        CancelledError: it was stopped.
        DiskFullError: nothing was written.
    """
    control = control or JobControl()
    report = SetReport(left_out=dict.fromkeys(_REASONS, 0))
    families, total = Families.of(bank, control), bank.count()
    sides: dict[str, list[str]] = {side: [] for side in SIDES}
    asked: dict[bytes, str] = {}
    said: set[bytes] = set()
    for number, task in enumerate(bank.tasks(query)):
        control.step(total + number, 2 * total, "Writing steps")
        if task.findings and not query.state:
            report.left_out["filtered_out"] += len(task.tries)
            continue
        side = "test" if not is_one_file(out) and families.draw(task.id, seed) < test else "train"
        for row in _rows_of(task, library, families.root(task.id), report, rewards=rewards):
            question = fingerprint(row["prompt"])
            whole = fingerprint(row["prompt"], row["completion"], row.get("reward"))
            # A demo's task may have been reworded, so that two families ask the same.
            if whole in said or asked.setdefault(question, side) != side:
                report.left_out["twice"] += 1
                continue
            said.add(whole)
            sides[side].append(dump_line(row))
            report.rows[side] += 1
    write_sides(out, sides)
    return report


def _rows_of(task: Task, library: Library, root: str, report: SetReport, *, rewards: bool) -> Iterator[dict[str, Any]]:
    """The rows of a task's tries, as far as they are to be written; what is not is counted."""
    for number, one in enumerate(task.tries, start=1):
        reward = None if one.verdict is None else _REWARDS.get(one.verdict.complete)
        if one.verdict is None or reward is None or (reward < 0 and not rewards):
            report.left_out["not_done"] += 1
            continue
        try:
            demo = next(LibraryDemos(library, [one.demo]).demos()) if one.demo else None
        except BadInputError:
            demo = None
        if demo is None:
            report.left_out["without_demo"] += 1
            continue
        about = {
            "task_id": task.id,
            "root": root,
            "app": task.app,
            "demo": one.demo,
            "try": number,
            "plan_by": one.plan_by,
            "task_complete": one.verdict.complete,
            "task_feedback": one.verdict.reason,
            **({"reward": reward} if rewards else {}),
        }
        # The bank's word counts: the demo may be older than the verdict.
        judged = replace(demo, head=demo.head.but(verdict=one.verdict))
        yield from ({**row, **about} for row in action_rows(judged, report))


def action_rows(demo: RecordedDemo, report: SetReport) -> Iterator[dict[str, Any]]:
    """The steps of a demo, each with what a model is asked before it and what it should answer.

    Args:
        demo: the last step of which ends the task where its head says that the task was done.
        report: counts steps that LAM has no words for, and those that a person rejected.
    """
    said = [(lam.listed(step), told) for step in demo.steps if not (told := lam.encode(step)).is_empty]
    report.left_out["no_word"] += sum(not step.ends for step in demo.steps) - sum(not step.ends for step, _ in said)
    for turn in lam.lam_turns(demo, said, thought=_thought):
        step = turn.step
        if step.recorded.review == "rejected":
            report.left_out["rejected"] += 1
            continue
        yield {
            "prompt": question_before(demo, step.index),
            "completion": [{"role": "assistant", "content": json_text(turn.answer)}],
            "step": step.recorded.id,
            "number": step.number + 1,
        }


def question_before(demo: RecordedDemo, index: int) -> list[dict[str, str]]:
    """What an agent's model would be asked before a step: system and user.

    What a writer said about effects is not told: an agent knows no more than whether the screen changed.

    Args:
        demo: the demo.
        index: of the step, from 0.
    """
    state = state_before(demo, index)
    done = [replace(step, recorded=step.recorded.but(rationale=None)) for step in state.history]
    prompt = render(replace(state, history=done), [], dialect="lam")
    return [
        {"role": "system", "content": agent_system(prompt)},
        {"role": "user", "content": prompt.messages[-1].text},
    ]


def _thought(step: RecordedStep) -> str:
    """Why a step was taken, where it was written before it."""
    rationale = step.recorded.rationale
    return lam_thought(rationale) if rationale is not None and rationale.mode == "no_hindsight" else ""

"""An inspect_ai task: a model is asked for each step of a pack, and judged as `demopack score` judges.

demopack export my-pack -o steps --format llmresponse
inspect eval inspect_steps.py --model openai/gpt-5 -T export="$PWD/steps" -T pack="$PWD/my-pack"

Whole paths, because inspect_ai works in the folder of this file.
"""

import json
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate

from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.questions import SYSTEM
from demopack.pack.reader import open_packs
from demopack.prompting.scoring.predictions import Answer
from demopack.prompting.scoring.step_scores import StepScore, score_step


def words(row: dict[str, Any]) -> str:
    """The question of one line of `steps.jsonl`: the task, what was done, and the elements on the picture."""
    done = [f"{number}. {line}" for number, line in enumerate(row["history"], start=1)]
    listed = [
        f"[{one['element_id']}] {one['type']} {json.dumps(one['text'], ensure_ascii=False)} at {one['bbox']}"
        for one in row.get("elements", [])
    ]
    parts = [f"Task: {row['task']}"]
    parts += ["\n".join(["Done so far:", *done])] if done else []
    parts += ["\n".join(["Elements:", *listed])] if listed else []
    return "\n\n".join(parts)


def recorded_steps(pack: str) -> dict[str, tuple[RecordedDemo, int]]:
    """Step id -> its demo, and its number there."""
    with open_packs([Path(pack)]) as packs:
        demos = list(packs.demos())
    return {step.recorded.id: (demo, number) for demo in demos for number, step in enumerate(demo.steps)}


def judged(steps: dict[str, tuple[RecordedDemo, int]], step: str, answer: str, dialect: str) -> StepScore:
    """One answer held against the step that it is about."""
    demo, number = steps[step]
    return score_step(demo, number, Answer(parts=(answer,)), dialect=dialect)


@scorer(metrics={"*": [mean()]})
def recorded_action(pack: str, dialect: str) -> Scorer:
    """Shares of steps whose type of action, arguments, status, and all of it with the target, are right."""
    steps = recorded_steps(pack)

    async def score(state: TaskState, target: Target) -> Score:
        found = judged(steps, str(state.sample_id), state.output.completion, dialect)
        verdict = found.verdict
        value = {
            "step": int(found.right),
            "kind": int(verdict is not None and verdict.kind),
            "operation": int(verdict is not None and verdict.operation),
            "status": int(found.status),
        }
        return Score(
            value=value, answer=state.output.completion, explanation=found.problem or f"Right is {target.text}"
        )

    return score


@task
def recorded_demos(export: str, pack: str, dialect: str = "llmresponse") -> Task:
    """Every step of an export as `llmresponse`, one sample each."""

    def sample(row: dict[str, Any]) -> Sample:
        picture = [ContentImage(image=str((Path(export) / row["image"]).resolve()))] if row["image"] else []
        asked = ChatMessageUser(content=[*picture, ContentText(text=words(row))])
        return Sample(
            id=row["step"], input=[ChatMessageSystem(content=SYSTEM), asked], target=json.dumps(row["response"])
        )

    dataset = json_dataset(str(Path(export) / "steps.jsonl"), sample)
    return Task(dataset=dataset, solver=generate(), scorer=recorded_action(pack, dialect))

"""What a prompt is built from: the task, the screen now, what was done so far, and demos as examples."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from demopack.domain.actions import ActionTarget, LLMResponse, parse_response
from demopack.domain.geometry import Point, from_norm_xywh
from demopack.domain.rationale import Rationale
from demopack.domain.words import describe_action
from demopack.errors import BadInputError
from demopack.pack.formats.acts import Act, act_of
from demopack.pack.formats.lam import orders_of
from demopack.pack.formats.uipath import memory_operations
from demopack.pack.rows import ElementRow
from demopack.pack.stream import DemoRows, DemoSource
from demopack.prompting.scene import Listed, Scene, scene_before
from demopack.prompting.uipath.memory import apply_operations

__all__ = ["Recorded", "Shot", "Situation", "live_step", "recorded_steps", "shot_of", "situation_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One step that was done.

    Attributes:
        act: the action, ready for any vocabulary.
        response: the action in the contract's form.
        scene: the screen before it.
        description: what was done, in words.
        rationale: why; None where nobody wrote it.
        orders: all that was done in its demo, in words, the same list for each of its steps.
        done: how many of these were done after this step.
        memory: what it added to the memory.
    """

    act: Act
    response: LLMResponse
    scene: Scene
    description: str
    rationale: Rationale | None = None
    orders: Sequence[str] = ()
    done: int = 0
    memory: tuple[Mapping[str, Any], ...] = ()

    @property
    def plan(self) -> tuple[str, ...]:
        """What remained to be done after it, in words: its rationale's plan, else what was done then."""
        written = () if self.rationale is None else self.rationale.plan
        return tuple(written or self.orders[self.done :])

    @property
    def ends(self) -> bool:
        """Whether the task ended with it."""
        return self.act.kind == "finish_goal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A demo as an example.

    Attributes:
        demo: its id.
        task: what it shows.
        app: in which program.
        steps: in order.
    """

    demo: str
    task: str
    app: str
    steps: tuple[Recorded, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the model is asked about.

    Attributes:
        task: in the person's words.
        scene: the screen now.
        history: what was done so far.
        last_response: what the model answered last; empty on the first turn.
        failure: why the last answer could not be carried out; empty when it could.
        memory: the planner's memory (UiPath).
        plan: the plan of the last answer (LAM).
        date: today, as YYYY-MM-DD; empty to leave it out.
        last_turn: whether the model must finish now (UiPath).
    """

    task: str
    scene: Scene = field(default_factory=Scene)
    history: Sequence[Recorded] = ()
    last_response: str = ""
    failure: str = ""
    memory: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    plan: Sequence[str] = ()
    date: str = ""
    last_turn: bool = False


def recorded_steps(demo: DemoRows) -> tuple[Recorded, ...]:
    """The steps of a demo."""
    by_step = orders_of(demo)
    orders = tuple(itertools.chain.from_iterable(by_step))
    done = itertools.accumulate(map(len, by_step))
    return tuple(
        Recorded(
            act=act_of(row, demo),
            response=parse_response(row.response),
            scene=scene_before(row, demo),
            description=row.description,
            rationale=row.rationale,
            orders=orders,
            done=so_far,
            memory=tuple(memory_operations(row)),
        )
        for row, so_far in zip(demo.steps, done, strict=True)
    )


def shot_of(demo: DemoRows) -> Shot:
    """A demo as an example."""
    return Shot(demo=demo.head.demo, task=demo.head.task, app=demo.head.app, steps=recorded_steps(demo))


def situation_at(source: DemoSource, place: str, *, task: str = "") -> tuple[Situation, tuple[str, ...]]:
    """The moment before a recorded step: its screen, and what was done until then.

    Args:
        source: where the demo is.
        place: ``DEMO:STEP``, the demo's id or its beginning, the step's number from 1.
        task: by default the demo's.

    Returns:
        The situation, and the id of the demo: it must not be an example for itself.

    Raises:
        BadInputError: there is no such demo or step, or several demos begin so.
    """
    name, _, number = place.rpartition(":")
    if not name or not number.isdigit():
        raise BadInputError(f"“{place}” is no moment of a demo.", hint="Write DEMO:STEP, for instance demo_5a3b:4.")
    found = [demo for demo in source.demos() if demo.head.demo.startswith(name)]
    if len(found) != 1:
        many = "Several demos begin" if found else "No demo of the pack begins"
        raise BadInputError(f"{many} with “{name}”.", hint="Write the id as demos.jsonl has it.")
    demo, index = found[0], int(number) - 1
    if not 0 <= index < len(demo.steps):
        raise BadInputError(f"{demo.head.demo} has no step {number}.", hint=f"Its steps are 1 to {len(demo.steps)}.")
    steps = recorded_steps(demo)
    plan = steps[index - 1].plan if index else ()
    situation = Situation(
        task=task or demo.head.task,
        scene=steps[index].scene,
        history=steps[:index],
        plan=plan,
        memory=_memory(steps[:index]),
    )
    return situation, (demo.head.demo,)


def _memory(steps: Sequence[Recorded]) -> dict[str, dict[str, Any]]:
    memory: dict[str, dict[str, Any]] = {}
    for step in steps:
        memory = apply_operations(memory, step.memory)
    return memory


def live_step(response: LLMResponse, scene: Scene) -> Recorded:
    """A step that an agent has just done on a screen, so that it can go into the history of the next prompt."""
    action = response.action
    target, end = _element(action.target, scene), _element(action.end_target, scene)
    start, to = _point(action.target, scene), _point(action.end_target, scene)
    way: tuple[Point, ...] = ()
    if start is not None and to is not None and scene.size is not None:
        width, height = scene.size
        path = [Point(round(x * width), round(y * height)) for x, y in action.parameters.get("path", ())]
        way = (start, *path, to)
    act = Act(
        kind=action.action_type,
        parameters=dict(action.parameters),
        at=start,
        to=to,
        way=way,
        size=scene.size,
        target=None if target is None else _row(target, scene),
        end=None if end is None else _row(end, scene),
        target_text=(action.target.text or "") if action.target is not None else "",
        window=scene.window,
    )
    return Recorded(act=act, response=response, scene=scene, description=describe_action(action))


def _element(target: ActionTarget | None, scene: Scene) -> Listed | None:
    if target is None or target.element_id is None:
        return None
    return next((item for item in scene.elements if item.number == target.element_id), None)


def _point(target: ActionTarget | None, scene: Scene) -> Point | None:
    if target is None or target.bbox is None or scene.size is None:
        return None
    return from_norm_xywh(target.bbox, scene.size).center


def _row(element: Listed, scene: Scene) -> ElementRow:
    """The element as a pack would tell it; what only packs know is empty."""
    width, height = scene.size or (max(1, element.box.x2), max(1, element.box.y2))
    box = element.box
    return ElementRow.model_validate(
        {
            "demo": "", "frame": "", "image": scene.image, "image_size": [width, height],
            "element_id": element.number, "uid": element.uid or f"element_{element.number}", "type": element.type,
            "box": [box.x1, box.y1, box.x2, box.y2],
            "bbox": [box.x1 / width, box.y1 / height, box.width / width, box.height / height],
            "text": element.text, "subtype": element.subtype, "states": dict(element.states),
            "track_id": element.track_id, "parent": None, "parent_by_hand": None, "source": "human",
            "confidence": None, "review": "unreviewed",
        }
    )  # fmt: skip

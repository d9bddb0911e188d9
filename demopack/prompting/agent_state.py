"""State that a prompt is built from: the task, the screen now, what was done so far, and demos as examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from demopack.codecs.lam import orders_of, plan_after
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.recorded_demo import DemoSource, RecordedDemo, RecordedStep, told_action
from demopack.codecs.uipath_registry import ACTIONS, ActionRegistry, apply_operations
from demopack.domain.actions import ActionTarget, DragAction, LLMResponse
from demopack.domain.elements import NumberedElement
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, from_norm_xywh
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.errors import BadInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """What the model is asked about.

    Attributes:
        task: in the person's words.
        observation: the screen now.
        history: what was done so far.
        last_response: what the model answered last; empty on the first turn.
        failure: why the last answer could not be carried out; empty when it could.
        memory: the planner's memory (UiPath).
        plan: the plan of the last answer (LAM).
        date: today, as YYYY-MM-DD; empty to leave it out.
        last_turn: whether the model must finish now (UiPath).
        actions: what the planner may do (UiPath).
    """

    task: str
    observation: Observation = field(default_factory=Observation)
    history: Sequence[RecordedStep] = ()
    last_response: str = ""
    failure: str = ""
    memory: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    plan: Sequence[str] = ()
    date: str = ""
    last_turn: bool = False
    actions: ActionRegistry = field(default_factory=lambda: ACTIONS)


def agent_state_at(source: DemoSource, place: str, *, task: str = "") -> tuple[AgentState, tuple[str, ...]]:
    """The moment before a recorded step: its screen, and what was done until then.

    Args:
        source: where the demo is.
        place: ``DEMO:STEP``, the demo's id or its beginning, the step's number from 1.
        task: by default the demo's.

    Returns:
        The moment, and the id of the demo: it must not be an example for itself.

    Raises:
        BadInputError: there is no such demo or step, or several demos begin so.
    """
    name, _, number = place.rpartition(":")
    if not name or not number.isdigit():
        raise BadInputError(f"“{place}” is no moment of a demo.", hint="Write DEMO:STEP, for instance demo_5a3b:4.")
    found = [demo for demo in source.demos() if demo.head.id.startswith(name)]
    if len(found) != 1:
        many = "Several demos begin" if found else "No demo of the pack begins"
        raise BadInputError(f"{many} with “{name}”.", hint="Write the id as demos.jsonl has it.")
    demo, index = found[0], int(number) - 1
    if not 0 <= index < len(demo.steps):
        raise BadInputError(f"{demo.head.id} has no step {number}.", hint=f"Its steps are 1 to {len(demo.steps)}.")
    return state_before(demo, index, task=task), (demo.head.id,)


def state_before(demo: RecordedDemo, index: int, *, task: str = "") -> AgentState:
    """The moment before a step of a demo, by its position from 0; see :func:`agent_state_at`."""
    memory: dict[str, dict[str, Any]] = {}
    for step in demo.steps[:index]:
        memory = apply_operations(memory, step.memory)
    return AgentState(
        task=task or demo.head.task,
        observation=demo.steps[index].observation,
        history=demo.steps[:index],
        plan=plan_after(demo, index - 1, orders=orders_of(demo)),
        memory=memory,
    )


def live_step(
    response: LLMResponse,
    observation: Observation,
    *,
    result: str = "",
    memory: Sequence[Mapping[str, Any]] = (),
    screens: tuple[Frame | None, Frame | None] = (None, None),
) -> RecordedStep:
    """A step that an agent has just done on a screen, so that it can go into the history of the next prompt.

    Args:
        response: what it did.
        observation: the screen that it did it on.
        result: what came of it, in words; LAM's history tells it beside the action.
        memory: what the answer added to the planner's memory (UiPath).
        screens: before and after it; LAM's history tells whether they differ where ``result`` is empty.
    """
    action = response.action
    target, end = _element(action.target, observation), _element(action.end, observation)
    start, to = _point(action.target, observation), _point(action.end, observation)
    way: tuple[Point, ...] = ()
    if start is not None and to is not None and observation.size is not None:
        width, height = observation.size
        points = action.path if isinstance(action, DragAction) else ()
        path = [Point(round(x * width), round(y * height)) for x, y in points]
        way = (start, *path, to)
    placed = PlacedAction(
        action=action,
        at=start,
        to=to,
        way=way,
        size=observation.size,
        target=target,
        end=end,
        target_text=(action.target.text or "") if action.target is not None else "",
        elements=observation.elements,
        window=observation.window,
    )
    return RecordedStep(
        recorded=Step(id="", position=0, action=action, before=screens[0], after=screens[1]),
        description=told_action(placed, describe_action(action, target, end)),
        response=response,
        observation=observation,
        placed=placed,
        memory=memory,
        result=result,
    )


def _element(target: ActionTarget | None, observation: Observation) -> NumberedElement | None:
    number = None if target is None else target.element_id
    return next((item for item in observation.elements if item.number == number), None)


def _point(target: ActionTarget | None, observation: Observation) -> Point | None:
    if target is None or target.bbox is None or observation.size is None:
        return None
    return from_norm_xywh(target.bbox, observation.size).center

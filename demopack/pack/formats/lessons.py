"""How-tos made from a demo: a skill that an agent or a person can follow, and a tutorial to print."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.words import shorten
from demopack.pack.card import plain
from demopack.pack.formats.acts import act_of
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import uipath
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import reasoning
from demopack.pack.formats.shots import Shots
from demopack.pack.formats.trajectories import demo_name
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["SKILL", "Lesson", "instruction", "lessons"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One thing to do.

    Attributes:
        row: the step.
        does: what to do, as an order; the value of a variable is written as its name.
        why: the reason; may be empty.
        effect: what should happen; may be empty.
        image: path of the picture; None without one.
    """

    row: StepRow
    does: str
    why: str
    effect: str
    image: str | None


def instruction(demo: DemoRows, row: StepRow) -> str:
    """A step as an order, for instance “Click the button "Save".”."""
    action = row.response["action"]
    kind, parameters = action["action_type"], action["parameters"]
    if kind == "type" and row.variable:
        enter = ", then press Enter" if parameters.get("submit") else ""
        return f"Type the value of {row.variable}{enter}."
    if kind == "launch":
        return f"Start {parameters['app']}."
    if kind == "press_key":
        times = f" {parameters['presses']} times" if parameters.get("presses", 1) > 1 else ""
        return f"Press {parameters['key_info']}{times}."
    spoken = uipath.DIALECT.say(act_of(row, demo))
    words = " ".join(str(call["description"]) for call in spoken.calls)
    held = "+".join(name.capitalize() for name in parameters.get("modifiers", ()))
    if not words:
        return f"{row.description}."
    return f"Hold {held}. {words}" if held else words


def lessons(demo: DemoRows, options: ExportOptions, shots: Shots, *, folder: str) -> list[Lesson]:
    """Every step but the finish, with its picture brought to ``folder``."""
    found: list[Lesson] = []
    for row in demo.steps:
        if row.response["action"]["action_type"] == "finish_goal":
            continue
        rationale = None if options.rationale == "none" else row.rationale
        number = len(found) + 1
        image = shots.before(demo, row, name=f"{folder}{number:03}.png")
        effect = "" if rationale is None else rationale.expected_effect
        why = reasoning(row, options)
        # The reasoning ends with the expected effect, which has a line of its own here.
        why = why.removesuffix(effect).strip() if effect else why
        found.append(Lesson(row=row, does=instruction(demo, row), why=why, effect=effect, image=image))
    return found


def _slug(text: str) -> str:
    """A skill's name: lower-case letters, digits and hyphens, 64 at most."""
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return slug[:64].strip("-")


class _Skill:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options)
        self._names: set[str] = set()

    def add(self, demo: DemoRows) -> None:
        name = self._name(demo)
        self._output.rows_in += len(demo.steps)
        steps = lessons(demo, self._options, self._shots, folder=f"{name}/images/")
        self._output.write(f"{name}/SKILL.md", self._text(demo, name, steps))
        self._output.rows_out += len(demo.steps)

    def _name(self, demo: DemoRows) -> str:
        slug = _slug(demo.head.task) or _slug(demo_name(demo)) or "skill"
        name, number = slug, 2
        while name in self._names:
            name = f"{slug[:58]}-{number}"
            number += 1
        self._names.add(name)
        return name

    def _text(self, demo: DemoRows, name: str, steps: Sequence[Lesson]) -> str:
        head = demo.head
        app = f" in {head.app}" if head.app else ""
        task = shorten(head.task or name, 300).rstrip(".")
        about = f"{task}{app}. Use it when this task, or one like it, is to be done."
        parts = ["---", f"name: {name}", f"description: {json.dumps(about, ensure_ascii=False)}", "---", ""]
        parts += [f"# {plain(head.task or name)}", "", *_parameters(demo), "## Steps", ""]
        for number, step in enumerate(steps, start=1):
            parts += self._step(name, number, step)
        parts += ["## Done when", "", _done(demo, self._options), ""]
        return "\n".join(parts)

    def _step(self, name: str, number: int, step: Lesson) -> list[str]:
        lines = [f"### {number}. {plain(step.does, limit=500)}", ""]
        lines += [f"Why: {plain(step.why, limit=2000)}", ""] if step.why else []
        lines += [f"Expect: {plain(step.effect, limit=2000)}", ""] if step.effect else []
        if step.image is not None:
            lines += [f"![The screen before step {number}]({step.image.removeprefix(f'{name}/')})", ""]
        action = json.dumps(step.row.response["action"], ensure_ascii=False)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", action)), default=0))
        return [*lines, f"{fence}json", action, fence, ""]

    def finish(self) -> None:
        """Nothing comes at the end."""


def _parameters(demo: DemoRows) -> list[str]:
    used: dict[str, str] = {}
    for row in demo.steps:
        if row.variable:
            used.setdefault(row.variable, str(row.response["action"]["parameters"].get("text_to_type", "")))
    if not used:
        return []
    rows = [f"| {plain(name)} | {plain(value) or '-'} |" for name, value in used.items()]
    return ["## Parameters", "", "| name | value in the demonstration |", "| --- | --- |", *rows, ""]


def _done(demo: DemoRows, options: ExportOptions) -> str:
    last = demo.steps[-1] if demo.steps else None
    ends = last is not None and last.response["action"]["action_type"] == "finish_goal"
    seen = reasoning(last, options) if ends and last is not None else ""
    if demo.head.outcome == "failure":
        why = f": {plain(demo.head.outcome_reason, limit=1000)}" if demo.head.outcome_reason else "."
        return f"The demonstration failed{why}"
    return plain(seen, limit=2000) or "The screen shows that the task is done."


SKILL: Final = Format(
    name="skill",
    title="SKILL.md",
    files="a folder for each demo with SKILL.md and images/",
    reads="agents that take skills, and people",
    writer=_Skill,
    units=("episode",),
    losses=(Loss(code="elements", what="the elements", why="a how-to names those alone that are used"),),
    uses=frozenset({"rationale", "marks"}),
)

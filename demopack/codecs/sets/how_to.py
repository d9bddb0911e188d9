"""How-tos made from a demo: a skill that an agent or a person can follow, and a tutorial to print."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.codecs import uipath
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import ExportOptions, Format, FormatWriter
from demopack.codecs.sets.questions import demo_name, reasoning
from demopack.codecs.step_marks import overlay, step_marks
from demopack.domain.actions import ClickAction, LaunchAction, PressKeyAction, TypeAction
from demopack.domain.words import EMAIL, shorten
from demopack.file_names import safe_name, slug
from demopack.markup import Markup, plain, table, tag


@dataclass(frozen=True, slots=True, kw_only=True)
class HowToStep:
    """One thing to do.

    Attributes:
        step: the step.
        does: what to do, as an order; the value of a variable is written as its name.
        why: the reason; may be empty.
        effect: what should happen; may be empty.
        image: path of the picture; None without one.
    """

    step: RecordedStep
    does: str
    why: str
    effect: str
    image: str | None


def instruction(step: RecordedStep) -> str:
    """A step as an order, for instance “Click the button "Save".”."""
    action = step.response.action
    if isinstance(action, TypeAction) and step.recorded.variable:
        return f"Type the value of {step.recorded.variable}{', then press Enter' if action.submit else ''}."
    if isinstance(action, LaunchAction):
        return f"Start {action.app}."
    if isinstance(action, PressKeyAction):
        return f"Press {action.key_info}{f' {action.presses} times' if action.presses > 1 else ''}."
    if isinstance(action, ClickAction) and action.click_type == "middle":
        words = f"Middle-click {uipath.told_target(step.placed)}."
    else:
        words = " ".join(str(call["description"]) for call in uipath.CODEC.encode(step.placed).calls)
    held = "+".join(name.capitalize() for name in action.held)
    if not words:
        return f"{step.description}."
    return f"Hold {held}. {words}" if held else words


def _step_lines(number: int, step: HowToStep, *, head: str, why: str, expect: str, folder: str = "") -> list[str]:
    """One thing to do in Markdown, its parts led in by some words; the picture's path is told from a folder."""
    lines = [f"{head} {number}. {plain(step.does, limit=500)}", ""]
    lines += [f"{why}{plain(step.why, limit=2000)}", ""] if step.why else []
    lines += [f"{expect} {plain(step.effect, limit=2000)}", ""] if step.effect else []
    if step.image is not None:
        lines += [f"![The screen before step {number}]({step.image.removeprefix(folder)})", ""]
    return lines


class HowToWriter(FormatWriter):
    """Base of the formats that make how-tos."""

    def how_to_steps(self, demo: RecordedDemo, folder: str) -> list[HowToStep]:
        """Every step but the finish, with its picture brought to ``folder``; all steps are counted."""
        found: list[HowToStep] = []
        for step in self.every(demo):
            if step.ends:
                continue
            rationale = None if self.options.rationale == "none" else step.recorded.rationale
            image = self.picture_before(demo, step, name=f"{folder}{len(found) + 1:03}.png")
            effect = "" if rationale is None else rationale.expected_effect
            why = reasoning(step, self.options)
            # The reasoning ends with the expected effect, which has a line of its own here.
            why = why.removesuffix(effect).strip() if effect else why
            found.append(HowToStep(step=step, does=instruction(step), why=why, effect=effect, image=image))
        return found


_RESERVED: Final = re.compile(r"anthropic|claude")
"""Words that a skill may not have in its name."""


def _skill_name(text: str) -> str:
    """A skill's name, which is that of its folder; empty where most letters would be lost.

    A language model's reader takes nothing else (Agent Skills, the fields ``name`` and ``description``).
    """
    name = slug(_RESERVED.sub("-", slug(text)))
    return name if safe_name(name) == name else name and f"skill-{name}"


def _about(task: str, app: str) -> str:
    """A skill's description: what it does and when; without addresses, and without tags, which are refused there."""
    said = f"{shorten(task, 300).rstrip(' .,;:!?')}{f' in {shorten(app, 100)}' if app else ''}"
    said = re.sub(r"<([^<>]*)>", r"[\1]", EMAIL.sub("an e-mail address", said))
    said = said.replace(">", "→").replace("<", "←")
    return f"{said}. Use it when this task, or one like it, is to be done."


class _Skill(HowToWriter):
    def add(self, demo: RecordedDemo) -> None:
        name = self._name(demo)
        self.output.write(f"{name}/SKILL.md", self._text(demo, name, self.how_to_steps(demo, f"{name}/images/")))

    def _name(self, demo: RecordedDemo) -> str:
        first = _skill_name(demo.head.task) or _skill_name(demo_name(demo)) or "skill"
        name, number = first, 2
        while (self.output.folder / name).exists():
            name = f"{first[:58].strip('-')}-{number}"
            number += 1
        return name

    def _text(self, demo: RecordedDemo, name: str, steps: Sequence[HowToStep]) -> str:
        head = demo.head
        about = _about(head.task or name, head.app)
        parts = ["---", f"name: {name}", f"description: {json.dumps(about, ensure_ascii=False)}", "---", ""]
        parts += [f"# {plain(head.task or name)}", "", *_parameters(demo), "## Steps", ""]
        for number, step in enumerate(steps, start=1):
            parts += self._step(name, number, step)
        parts += ["## Done when", "", _done(demo, self.options), ""]
        return "\n".join(parts)

    def _step(self, name: str, number: int, step: HowToStep) -> list[str]:
        lines = _step_lines(number, step, head="###", why="Why: ", expect="Expect:", folder=f"{name}/")
        action = json.dumps(step.step.response.action.to_wire(), ensure_ascii=False)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", action)), default=0))
        return [*lines, f"{fence}json", action, fence, ""]


def _parameters(demo: RecordedDemo) -> list[str]:
    used: dict[str, str] = {}
    for step in demo.steps:
        if step.recorded.variable:
            used.setdefault(step.recorded.variable, step.response.action.typed_text or "")
    if not used:
        return []
    rows = [[plain(name), plain(value) or "-"] for name, value in used.items()]
    return ["## Parameters", "", table(["name", "value in the demonstration"], rows), ""]


def _done(demo: RecordedDemo, options: ExportOptions) -> str:
    last = demo.steps[-1] if demo.steps else None
    seen = reasoning(last, options) if last is not None and last.ends else ""
    if demo.head.outcome == "failure":
        why = f": {plain(demo.head.outcome_reason, limit=1000)}" if demo.head.outcome_reason else "."
        return f"The demonstration failed{why}"
    return plain(seen, limit=2000) or "The screen shows that the task is done."


SKILL: Final = Format(
    name="skill",
    title="SKILL.md",
    files="a folder for each demo with SKILL.md and images/",
    reads="agents that take skills, and people",
    about="A how-to a demo that agents load as a skill.",
    load="$ cp -r FOLDER/*/ YOUR-AGENT/skills/",
    writer=_Skill,
    units=("episode",),
    losses=(Loss("elements", "the elements", "a how-to names those alone that are used"),),
    uses=frozenset({"rationale", "marks"}),
)


# The tutorial -----------------------------------------------------------------------------------------------------

_STYLE = Markup("""
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f;
  background: #fff }
h1 { line-height: 1.2 } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
p { margin: .25rem 0 .5rem } .expect { color: #4a4a52 }
.shot { position: relative; border: 1px solid #c8c8d0; line-height: 0 }
.shot img { width: 100% } .shot svg { position: absolute; inset: 0; width: 100%; height: 100% }
svg * { fill: none; vector-effect: non-scaling-stroke } .halo { stroke: #fff; stroke-width: 5 }
.line { stroke: #c2185b; stroke-width: 2.5 } .dot { fill: #c2185b } .fill { fill: #c2185b22 }
@media print { body { margin: 0; max-width: none } section { break-inside: avoid } }
""")


class _Tutorial(HowToWriter):
    note = "The step that ends a demo is no step of a tutorial; what it says is left to the reader."

    def add(self, demo: RecordedDemo) -> None:
        name = demo_name(demo)
        steps = self.how_to_steps(demo, f"{name}-images/")
        self.output.write(f"{name}.html", _page(demo, steps))
        self.output.write(f"{name}.md", _markdown(demo, steps))


def _title(demo: RecordedDemo) -> str:
    return demo.head.task.strip() or demo.head.id


def _page(demo: RecordedDemo, steps: Sequence[HowToStep]) -> str:
    sections = [_section(number, step) for number, step in enumerate(steps, start=1)]
    app = tag("p", f"In {demo.head.app}.") if demo.head.app else Markup()
    body = tag("body", tag("h1", _title(demo)), app, *sections)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", _title(demo)),
        tag("style", _STYLE),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _section(number: int, step: HowToStep) -> Markup:
    parts = [tag("h2", f"{number}. {step.does}")]
    parts += [tag("p", step.why, dir="auto")] if step.why else []
    parts += [tag("p", f"Expect: {step.effect}", class_="expect", dir="auto")] if step.effect else []
    recorded, size = step.step, step.step.observation.size
    if step.image is not None and size is not None:
        parameters, pointer = recorded.response.action.parameters, recorded.recorded.pointer
        drawn = overlay(step_marks(size, parameters, target=recorded.target_box, end=recorded.end_box, pointer=pointer))
        image = tag("img", src=step.image, alt=f"The screen before step {number}")
        parts.append(tag("div", image, drawn, class_="shot"))
    return tag("section", *parts)


def _markdown(demo: RecordedDemo, steps: Sequence[HowToStep]) -> str:
    lines = [f"# {plain(_title(demo))}", ""]
    for number, step in enumerate(steps, start=1):
        lines += _step_lines(number, step, head="##", why="", expect="*Expect:*")
    return "\n".join(lines)


TUTORIAL: Final = Format(
    name="tutorial",
    title="Tutorial to print",
    files="DEMO.html, DEMO.md, DEMO-images/",
    reads="people; a browser prints it to PDF",
    about="A page a demo with words and pictures, for people.",
    load="$ xdg-open FOLDER/DEMO.html",
    writer=_Tutorial,
    units=("episode",),
    losses=(
        Loss("elements", "the elements", "a tutorial shows those alone that are used"),
        Loss("response", "the exact actions", "a tutorial is words and pictures"),
    ),
    uses=frozenset({"rationale", "marks"}),
)

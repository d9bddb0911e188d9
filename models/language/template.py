"""The writer that needs no model: it explains a step from its target, the task and the visible change.

The same step always gets the same words. Names stand in quotes, and every quoted name is on the screen, in the task,
or typed (:mod:`models.language.grounding` checks it).
"""

from __future__ import annotations

from collections.abc import Callable

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, from_norm_xywh
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.jobs import JobControl
from models.language.effects import actual_effect, expected_effect, key_meaning
from models.language.grounding import quote
from models.language.places import HOLDS_VALUE, beside, name, place
from models.language.plan import plan_of
from models.language.reasons import named_in_task, purpose
from models.language.recovery import recovering

__all__ = ["TemplateWriter"]

_CLICK_VERBS = {
    "single": "click", "double": "double-click", "triple": "triple-click", "right": "right-click",
    "middle": "middle-click",
}  # fmt: skip


class TemplateWriter:
    """Satisfies the ``RationaleWriter`` port."""

    def __init__(self, *, mode: RationaleMode = "no_hindsight") -> None:
        """In hindsight it tells the plan from the actions that came, and everything in one paragraph."""
        self.mode: RationaleMode = mode

    @property
    def name(self) -> str:
        """For the provenance."""
        return "template-1"

    def write(self, context: StepContext, *, control: JobControl) -> Rationale:
        """See ``RationaleWriter``; never fails."""
        control.token.check()
        seen, done = _observation(context), actual_effect(context)
        chosen = f"{recovering(context)} {_THOUGHTS[context.action.action_type](context)}".lstrip()
        told = self.mode == "hindsight"
        return Rationale(
            observation=seen,
            thought=chosen,
            expected_effect=expected_effect(context),
            actual_effect=done,
            plan=plan_of(context.coming) if told else (),
            hindsight=" ".join(part for part in (seen, chosen, done) if part) if told else "",
            mode=self.mode,
            provenance=by_program("template", self.name),
        )


def _observation(context: StepContext) -> str:
    """Where the target is, and what state it is in."""
    if context.target is None:
        return _surroundings(context)
    target = context.target
    words = [_sentence(name(target, context.before), "is", _where(target, context))]
    if target.type in HOLDS_VALUE and (target.text or "").strip() and quote(target.text or "") not in words[0]:
        words.append(f"It shows {quote(target.text or '')}.")
    for state, value in target.states.items():
        if value or state == "checked":
            words.append(f"It is {'' if value else 'not '}{state}.")
    if context.end_target is not None and context.end_target.uid != target.uid:
        end = context.end_target
        words.append(_sentence(name(end, context.before), "is", _where(end, context)))
    return " ".join(words)


def _where(element: Element, context: StepContext) -> str:
    where = place(element.box, context.size)
    named_by_text = (element.text or "").strip() and element.type not in HOLDS_VALUE
    landmark = beside(element, context.before) if named_by_text else ""
    return ", ".join(part for part in (where, landmark) if part) or "on the screen"


def _surroundings(context: StepContext) -> str:
    if context.window_title.strip():
        return f"The window {quote(context.window_title)} is in front."
    return f"The application {quote(context.app)} is in front." if context.app.strip() else ""


def _click(context: StepContext) -> str:
    parameters = context.action.parameters
    verb = _CLICK_VERBS[parameters.get("click_type", "single")]
    if parameters.get("hold_s") is not None:
        verb = "press and hold"
    held = parameters.get("modifiers", ())
    if held:
        verb = f"hold {' and '.join(m.capitalize() for m in held)} and {verb}"
    if context.target is None:
        return f"Next I {verb} {_spot(context)}."
    return _because(context.target, context, f"I {verb}")


def _because(target: Element, context: StepContext, act: str) -> str:
    why = purpose(target, context.task)
    called = name(target, context.before)
    if why:
        return f"{act} {called}, because {why}."
    towards = f" towards the task {quote(context.task, limit=80)}" if context.task.strip() else ""
    return f"{act} {called} as the next step{towards}."


def _spot(context: StepContext) -> str:
    """A point without an element, by its place on the screen."""
    target = context.action.target
    if target is None or target.bbox is None or context.size is None:
        return "here"
    return f"a spot {place(from_norm_xywh(target.bbox, context.size), context.size)}"


def _type(context: StepContext) -> str:
    text = context.action.parameters["text_to_type"]
    where = f" into {name(context.target, context.before)}" if context.target is not None else ""
    enter = " and press Enter" if context.action.parameters.get("submit") else ""
    named = named_in_task(text, context.task)
    why = ", because the task gives this text" if named is not None else ", which is what the task needs here"
    return f"I type {quote(text) if text.strip() else 'a space'}{where}{enter}{why if context.task.strip() else ''}."


def _press(context: StepContext) -> str:
    key = context.action.parameters["key_info"]
    meaning = key_meaning(key)
    where = f" in {name(context.target, context.before)}" if context.target is not None else ""
    presses = context.action.parameters.get("presses", 1)
    often = f" {presses} times" if presses > 1 else ""
    return f"I press {key}{often}{where}{' ' + meaning if meaning else ''}."


def _scroll(context: StepContext) -> str:
    direction = context.action.parameters["scroll_direction"]
    target = context.target
    where = f" at {name(target, context.before)}" if target is not None else ""
    return f"What the task needs next is not in view yet, so I scroll {direction}{where}."


def _hover(context: StepContext) -> str:
    if context.target is None:
        return f"I point at {_spot(context)} to see what it shows."
    return f"I point at {name(context.target, context.before)} to see what it shows."


def _drag(context: StepContext) -> str:
    start, end = context.target, context.end_target
    what = name(start, context.before) if start is not None else _spot(context)
    if start is not None and end is not None and start.uid == end.uid:
        return f"I drag within {what}{_direction(context)}."
    if end is not None:
        return f"I drag {what} onto {name(end, context.before)}."
    return f"I drag {what}{_direction(context)}."


def _direction(context: StepContext) -> str:
    """With a space before it; empty when it is unknown."""
    start, end = context.action.target, context.action.end_target
    if start is None or end is None or start.bbox is None or end.bbox is None or context.size is None:
        return ""
    a: Rect = from_norm_xywh(start.bbox, context.size)
    b: Rect = from_norm_xywh(end.bbox, context.size)
    dx, dy = b.center.x - a.center.x, b.center.y - a.center.y
    if abs(dx) >= abs(dy):
        return " to the right" if dx > 0 else " to the left"
    return " downwards" if dy > 0 else " upwards"


def _wait(_: StepContext) -> str:
    return "The program is still busy, so I wait."


def _launch(context: StepContext) -> str:
    return f"I start {quote(context.action.parameters['app'])}, which the task is done with."


def _extract(context: StepContext) -> str:
    return f"I note down {quote(context.action.parameters['description'])} from the screen, because it is needed later."


def _finish(context: StepContext) -> str:
    task = f" {quote(context.task, limit=80)}" if context.task.strip() else ""
    if context.action.parameters.get("status") == "failure":
        return f"The task{task} cannot be brought to its end here, so I stop."
    return f"Every step of the task{task} is done, so I finish."


def _sentence(subject: str, verb: str, rest: str) -> str:
    return f"{subject[0].upper()}{subject[1:]} {verb} {rest}."


_THOUGHTS: dict[str, Callable[[StepContext], str]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "hover": _hover,
    "drag": _drag,
    "wait": _wait,
    "launch": _launch,
    "extract_data": _extract,
    "finish_goal": _finish,
}

"""Template writer, which needs no model: explains a step from its target, the task and the visible change.

The same step always gets the same words. Names stand in quotes, and every quoted name is on the screen, in the task,
or typed.
"""

from __future__ import annotations

from demopack.domain.actions import ClickAction, PressKeyAction, TypeAction
from demopack.domain.elements import Element
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.jobs import JobControl
from models.language.check.findings import check_rationale
from models.language.effect_sentences import actual_effect, expected_effect, key_meaning
from models.language.phrases import (
    CLICK_VERBS,
    HOLDS_VALUE,
    beside,
    box_of,
    name,
    named_in_task,
    place,
    plan_of,
    purpose,
    quote,
    recovering,
    said_of,
)
from models.language.reports import ExplainedStep


class TemplateWriter:
    """Satisfies :class:`~models.language.reports.RationaleWriter`.

    Attributes:
        name: for the provenance.
        mode: what it looks at.
    """

    def __init__(self, *, mode: RationaleMode = "no_hindsight") -> None:
        """In hindsight it tells the plan from the actions that came, and everything in one paragraph."""
        self.name = "template-1"
        self.mode: RationaleMode = mode

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        """See :class:`~models.language.reports.RationaleWriter`."""
        del subject
        rationale = self.write(context, control=control)
        found = check_rationale(rationale, context, after_visible=self.mode == "hindsight")
        return ExplainedStep(rationale=rationale, findings=tuple(found))

    def write(self, context: StepContext, *, control: JobControl) -> Rationale:
        """The explanation of one step; never fails."""
        control.token.check()
        seen, done = _observation(context), actual_effect(context)
        chosen = f"{recovering(context)} {_thought(context)}".lstrip()
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
        if context.window_title.strip():
            return f"The window {quote(context.window_title)} is in front."
        return f"The application {quote(context.app)} is in front." if context.app.strip() else ""
    target = context.target
    words = [_placed(target, context)]
    if target.type in HOLDS_VALUE and (target.text or "").strip() and quote(target.text or "") not in words[0]:
        words.append(f"It shows {quote(target.text or '')}.")
    for state, value in target.states.items():
        if value or state == "checked":
            words.append(f"It is {'' if value else 'not '}{state}.")
    if context.end_target is not None and context.end_target.uid != target.uid:
        words.append(_placed(context.end_target, context))
    return " ".join(words)


def _placed(element: Element, context: StepContext) -> str:
    """Where an element is, as a sentence."""
    called = name(element, context.before)
    where = place(element.box, context.size)
    named_by_text = (element.text or "").strip() and element.type not in HOLDS_VALUE
    landmark = beside(element, context.before) if named_by_text else ""
    told = ", ".join(part for part in (where, landmark) if part) or "on the screen"
    return f"{called[0].upper()}{called[1:]} is {told}."


def _thought(context: StepContext) -> str:  # noqa: C901 - a case for each action
    action = context.action
    match action.action_type:
        case "click":
            return _click(action, context)
        case "type":
            return _type(action, context)
        case "press_key":
            return _press(action, context)
        case "scroll":
            where = _behind("at", context)
            return f"What the task needs next is not in view yet, so I scroll {action.scroll_direction}{where}."
        case "hover":
            return f"I point at {_called(context)} to see what it shows."
        case "drag":
            return _drag(context)
        case "wait":
            return "The program is still busy, so I wait."
        case "launch":
            return f"I start {said_of(action)}, which the task is done with."
        case "extract_data":
            return f"I note down {said_of(action)} from the screen, because it is needed later."
        case "finish_goal":
            task = f" {quote(context.task, limit=80)}" if context.task.strip() else ""
            if action.completes_goal:
                return f"Every step of the task{task} is done, so I finish."
            return f"The task{task} cannot be brought to its end here, so I stop."


def _click(action: ClickAction, context: StepContext) -> str:
    verb = CLICK_VERBS[action.click_type] if action.hold_s is None else "press and hold"
    if action.modifiers:
        verb = f"hold {' and '.join(m.capitalize() for m in action.modifiers)} and {verb}"
    if context.target is None:
        return f"Next I {verb} {_called(context)}."
    why = purpose(context.target, context.task)
    towards = f" towards the task {quote(context.task, limit=80)}" if context.task.strip() else ""
    reason = f", because {why}" if why else f" as the next step{towards}"
    return f"I {verb} {_called(context)}{reason}."


def _called(context: StepContext) -> str:
    """The target's name; of a point without an element, its place on the screen."""
    if context.target is not None:
        return name(context.target, context.before)
    box = box_of(context.action.target, context.size)
    return "here" if box is None else f"a spot {place(box, context.size)}"


def _behind(word: str, context: StepContext) -> str:
    """The target's name behind a preposition, with a space before it; empty when there is no element."""
    return f" {word} {_called(context)}" if context.target is not None else ""


def _type(action: TypeAction, context: StepContext) -> str:
    enter = " and press Enter" if action.submit else ""
    named = named_in_task(action.text_to_type, context.task)
    why = ", because the task gives this text" if named is not None else ", which is what the task needs here"
    return f"I type {said_of(action)}{_behind('into', context)}{enter}{why if context.task.strip() else ''}."


def _press(action: PressKeyAction, context: StepContext) -> str:
    meaning = key_meaning(action.key_info)
    often = f" {action.presses} times" if action.presses > 1 else ""
    return f"I press {action.key_info}{often}{_behind('in', context)}{' ' + meaning if meaning else ''}."


def _drag(context: StepContext) -> str:
    start, end, what = context.target, context.end_target, _called(context)
    if start is not None and end is not None and start.uid == end.uid:
        return f"I drag within {what}{_direction(context)}."
    if end is not None:
        return f"I drag {what} onto {name(end, context.before)}."
    return f"I drag {what}{_direction(context)}."


def _direction(context: StepContext) -> str:
    """With a space before it; empty when it is unknown."""
    a, b = box_of(context.action.target, context.size), box_of(context.action.end, context.size)
    if a is None or b is None:
        return ""
    dx, dy = b.center.x - a.center.x, b.center.y - a.center.y
    if abs(dx) >= abs(dy):
        return " to the right" if dx > 0 else " to the left"
    return " downwards" if dy > 0 else " upwards"

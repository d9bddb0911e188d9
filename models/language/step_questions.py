"""Makes the question about one step from what may be known for it, steps and screens one line each, as CAAP has them.

``action_2: {name: click, arg: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False}}``
``element_3: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False, visible: True}``

The question of a writer without hindsight is made from a context out of which everything that came later was taken:
there is no way for it to reach the prompt.

The question in hindsight is CAAP's (Figure 8 of its paper), in its own words for functions and elements:
``action_2: {name: click_element, …}`` and ``demo_element_3: {…}``. The question ``caap`` is the figure's alone: no
pictures, one paragraph.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from operator import itemgetter
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field

from demopack.codecs.caap import element_data, seen_by_caap
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.sets.caap import START_LINE, ScriptLine, lines_of_action, script_lines
from demopack.domain.actions import ActionTarget, DragAction
from demopack.domain.elements import STATES, Element, NumberedElement
from demopack.domain.geometry import Point, Rect, Size, caap_notation
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.rationale import START_REASON, Rationale, caap_paragraph
from demopack.domain.records import Record
from demopack.domain.words import describe_action, shorten
from models.language.phrases import box_of, mistake_told
from models.language.picture_views import change_pictures, target_pictures
from models.language.port import LanguageRequest, PromptImage
from models.language.prompts import PromptCatalogue

_MAX_ELEMENTS: Final = 240
"""Elements of one screen; of more, those nearest to where something was done are told."""
_NEARBY_STEPS: Final = 40
"""Steps before the one in question, and after it, that are told."""
_LONGEST: Final = 200
"""Characters of one text."""
_TOLD_APART: Final = frozenset({"text_to_type", "end_target", "path"})
_TICKED: Final = frozenset({"radio", "checkbox", "toggle", "icon"})
"""Types whose mark comes before their text, as in CAAP's lists."""


def _element_data(element: Element, *, visible: bool | None = None) -> str:
    """One element: type, place, text and states; ``visible`` is told where it is given."""
    fields = [f"type: {element.type}"]
    if element.subtype:
        fields.append(f"subtype: {element.subtype}")
    fields.append(caap_notation(element.box))
    states = [(state, element.states[state]) for state in STATES if state in element.states]
    first = [pair for pair in states if pair[0] == "checked" and element.type in _TICKED]
    fields += [f"{state}: {value}" for state, value in first]
    if element.text:
        short = element.text if len(element.text) <= _LONGEST else element.text[: _LONGEST - 1] + "…"
        fields.append(f"text: {json.dumps(short, ensure_ascii=False)}")
    fields += [f"{state}: {value}" for state, value in states if (state, value) not in first]
    if visible is not None:
        fields.append(f"visible: {visible}")
    return "{" + ", ".join(fields) + "}"


def _action_line(number: int, brief: StepBrief, *, size: Size | None = None, reason: str = "") -> str:
    """One action, with its reason where there is one.

    Args:
        number: of the action; the start is 1, so that of a demo's first step is 2.
        brief: the step.
        size: of the frame, for a target that is a mere point; None when there is no frame.
        reason: why it was taken.
    """
    action, text = brief.action, brief.action.typed_text
    fields = [f"name: {action.action_type}"]
    if text is not None:
        fields.append(f"arg: {json.dumps(text, ensure_ascii=False)}")
    where = _where(action.target, brief.target, size)
    if where:
        fields.append(f"{'into' if text is not None else 'arg'}: {where}")
    if action.end is not None:
        fields.append(f"to: {_where(action.end, brief.end_target, size) or 'unknown'}")
    others = {name: value for name, value in action.parameters.items() if name not in _TOLD_APART}
    fields += [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in others.items()]
    if reason.strip():
        fields.append(f"reason: {json.dumps(' '.join(reason.split()), ensure_ascii=False)}")
    return f"action_{number}: {{{', '.join(fields)}}}"


def own_brief(context: StepContext) -> StepBrief:
    """The step that is asked about, as one of its demo."""
    return StepBrief(action=context.action, target=context.target, end_target=context.end_target)


def own_line(context: StepContext) -> str:
    """The action that is asked about; the start is the first."""
    return _action_line(len(context.earlier) + 2, own_brief(context), size=context.size)


def record_lines(briefs: Sequence[StepBrief], *, size: Size | None = None, around: int | None = None) -> str:
    """The actions of a demo with their reasons, the start before them.

    Args:
        briefs: the steps, in order, from the first of the demo.
        size: of the frame, for targets that are mere points.
        around: position of the step in question, from 0: of very long demos only what is near it is told; None to
            tell everything.
    """
    first, last = 0, len(briefs)
    if around is not None:
        first, last = max(0, around - _NEARBY_STEPS), min(last, around + _NEARBY_STEPS + 1)
    lines = [f'action_1: {{name: start, reason: "{START_REASON}"}}']
    lines += _left_out(first)
    for index in range(first, last):
        brief = briefs[index]
        said = brief.rationale
        reason = "" if said is None else f"{said.reasoning} {said.actual_effect}".strip()
        lines.append(_action_line(index + 2, brief, size=size, reason=reason))
    return "\n".join([*lines, *_left_out(len(briefs) - last)])


def _left_out(number: int) -> list[str]:
    return [f"({number} more {'action' if number == 1 else 'actions'}, left out here)"] if number else []


def screen_lines(shown: Sequence[Element] | None, hidden: Sequence[Element] = (), *, near: Rect | None = None) -> str:
    """The elements of a screen, numbered in reading order; then those that were seen before and are not there now.

    Args:
        shown: elements on the frame, in reading order; None where nobody looked for any.
        hidden: elements that cannot be seen any more.
        near: where something was done: of very many elements, the nearest are told.
    """
    if shown is None:
        return "(nothing was looked for on it)"
    if not shown and not hidden:
        return "(nothing was recognised on it)"
    numbered = list(enumerate(shown, start=1))
    kept = sorted(numbered, key=lambda pair: (_distance(pair[1].box, near), pair[0]))[:_MAX_ELEMENTS]
    lines = [f"element_{n}: {_element_data(e, visible=True)}" for n, e in sorted(kept, key=itemgetter(0))]
    if len(numbered) > len(kept):
        lines.append(f"({len(numbered) - len(kept)} more elements, further away, are left out)")
    room = max(0, _MAX_ELEMENTS - len(kept))
    start = len(numbered) + 1
    lines += [f"element_{n}: {_element_data(e, visible=False)}" for n, e in enumerate(hidden[:room], start=start)]
    return "\n".join(lines)


def _distance(box: Rect, near: Rect | None) -> int:
    if near is None:
        return 0
    dx = max(near.x1 - box.x2, box.x1 - near.x2, 0)
    dy = max(near.y1 - box.y2, box.y1 - near.y2, 0)
    return dx * dx + dy * dy


def _where(target: ActionTarget | None, element: Element | None, size: Size | None) -> str:
    if element is not None:
        return _element_data(element)
    box = box_of(target, size)
    return "" if box is None else f"{{type: point, X: {box.center.x}, Y: {box.center.y}}}"


def _caap_placed(brief: StepBrief, size: Size | None) -> PlacedAction:
    action, target = brief.action, brief.target
    start, to = (box_of(one, size) for one in (action.target, action.end))
    way: tuple[Point, ...] = ()
    if isinstance(action, DragAction) and size is not None and start is not None and to is not None:
        between = (Point(round(x * size.width), round(y * size.height)) for x, y in action.path)
        way = (start.center, *between, to.center)
    number = 1 if action.target is None else action.target.element_id or 1
    return PlacedAction(
        action=action,
        at=None if start is None else start.center,
        way=way,
        size=size,
        target=None if target is None else NumberedElement.trusted({**target.__dict__, "number": number}),
    )


def _caap_lines(brief: StepBrief, size: Size | None, why: str = "") -> list[ScriptLine]:
    words = describe_action(brief.action, brief.target, brief.end_target)
    return lines_of_action(_caap_placed(brief, size), words, why)


def _caap_action(context: StepContext) -> str:
    """The action in question as it stands in the script."""
    first = 2 + sum(_calls(_caap_lines(brief, context.size)) for brief in context.earlier)
    return "\n".join(script_lines(_caap_lines(own_brief(context), context.size), first=first))


def _caap_record(briefs: Sequence[StepBrief], *, size: Size | None, around: int) -> str:
    """The script of a demo with what is known of the reasons, as CAAP writes it; of long ones what is near a step."""
    first, last = max(0, around - _NEARBY_STEPS), min(len(briefs), around + _NEARBY_STEPS + 1)
    lines = [*script_lines([START_LINE]), *_left_out(first)]
    number = 2
    for index, brief in enumerate(briefs):
        told = _caap_lines(brief, size, " ".join(caap_paragraph(brief.rationale).split()))
        if first <= index < last:
            lines += script_lines(told, first=number)
        number += _calls(told)
    return "\n".join([*lines, *_left_out(len(briefs) - last)])


def _calls(lines: Sequence[ScriptLine]) -> int:
    return sum(not isinstance(told, str) for told, _ in lines)


def _caap_screens(context: StepContext, near: Rect | None) -> tuple[str, str]:
    """The screens before and after, each with what is gone from it; an element has one number on both."""
    known: dict[str, int] = {}

    def lines(shown: Sequence[Element] | None, hidden: Sequence[Element]) -> str:
        if shown is None:
            return "(nothing was looked for on it)"
        told: list[tuple[int, int, str]] = []
        for element, visible in [*((one, True) for one in shown), *((one, False) for one in hidden)]:
            number = known.setdefault(element.track_id or element.uid, len(known) + 1)
            seen = seen_by_caap(element)
            if seen is not None:
                if seen.text:
                    seen = seen.model_copy(update={"text": shorten(seen.text, _LONGEST)})
                data = element_data(seen, visible=visible)
                told.append((_distance(element.box, near), number, f"demo_element_{number}: {data}"))
        kept = sorted(told)[:_MAX_ELEMENTS]
        more = len(told) - len(kept)
        written = [line for _, _, line in sorted(kept, key=itemgetter(1))]
        written += [f"({more} more elements, further away, are left out)"] if more else []
        return "\n".join(written) or "Empty Screen (nothing was recognised on it)"

    before = lines(context.before, context.hidden)
    if context.after is None and context.is_last and context.look_after is None:
        return before, "Empty Screen (the task is done)"
    return before, lines(context.after, _gone(context))


UNTOLD: Final = "(not told)"
Question = Literal["thought", "effect", "hindsight", "caap"]
"""Why, told from before the action; what the action did; both, told from the end, in all fields or CAAP's paragraph."""


def step_question(
    question: Question,
    context: StepContext,
    catalogue: PromptCatalogue,
    *,
    sees: bool,
    findings: str = "",
    subject: str = "",
) -> LanguageRequest[Any]:
    """What a writer asks about one step; the answer is what :data:`REPLIES` has for the question.

    Args:
        question: what is asked.
        context: the step; nothing that was known only after its action gets into the question for a thought.
        catalogue: the prompts.
        sees: whether pictures may be sent.
        findings: what was wrong with the last answer; empty the first time.
        subject: demo and step, for the log.

    Raises:
        BadInputError: a person's own prompt is broken.
        CorruptFrameError: a picture is damaged.
    """
    if question == "thought":
        context = _known_in_time(context)
    near = None if context.target is None else context.target.box
    values = {
        "task": " ".join(context.task.split()) or UNTOLD,
        "app": " ".join(context.app.split()) or UNTOLD,
        "action": own_line(context),
        "note": " ".join(context.note.split()),
        "mistake": mistake_told(context),
        "before": screen_lines(context.before, context.hidden, near=near),
        "findings": findings,
    }
    earlier, around = context.earlier, len(context.earlier)
    match question:
        case "thought":
            values["history"] = record_lines(earlier, size=context.size, around=around)
        case "effect":
            values["after"] = _after_lines(context)
            values["changed"] = "\n".join(f"X: [{b.x1}-{b.x2}], Y: [{b.y1}-{b.y2}]" for b in context.changed or ())
        case "hindsight" | "caap":
            values["action"] = _caap_action(context)
            if question == "hindsight":
                words = describe_action(context.action, context.target, context.end_target)
                values["action"] += f"\n(In words: {words}.)"
            values["before"], values["after"] = _caap_screens(context, near)
            # Later steps have no reasons yet, or old ones that will be replaced.
            coming = [dataclasses.replace(brief, rationale=None) for brief in context.coming]
            record = [*earlier, own_brief(context), *coming]
            values["record"] = _caap_record(record, size=context.size, around=around)
            end = record[-1].action
            values["did"] = "did with success" if end.completes_goal else "gave up" if end.gives_up else "did"
    pictures: dict[str, tuple[PromptImage, ...]] = {}
    if sees and question in {"thought", "hindsight"}:
        pictures["before"] = _before_pictures(context)
    if sees and question in {"effect", "hindsight"}:
        pictures["change"] = changed_images(context)
    answer, most = REPLIES[question]
    template = catalogue.get(f"writer/{question}")
    return template.fill(answer, values, pictures=pictures, max_tokens=most, subject=subject)


def _known_in_time(context: StepContext) -> StepContext:
    """What was known before the action: a field that tells of what came later cannot reach the prompt."""
    earlier: list[StepBrief] = []
    for brief in context.earlier:
        told = brief.rationale
        if told is not None and told.mode != "no_hindsight":
            # A writer who saw the end may tell it in any of the fields; what stays are a person's own words.
            brief = dataclasses.replace(brief, rationale=Rationale(text=told.text, provenance=told.provenance))
        earlier.append(brief)
    return dataclasses.replace(
        context, after=None, changed=None, is_last=False, coming=(), look_after=None, earlier=tuple(earlier)
    )


def _after_lines(context: StepContext) -> str:
    if context.after is None and context.is_last and context.look_after is None:
        return "There is no screen after it: the task is done."
    near = None if context.target is None else context.target.box
    return screen_lines(context.after, _gone(context), near=near)


def _gone(context: StepContext) -> list[Element]:
    """What was on the screen before and is not on the one after."""
    there = {element.track_id for element in context.after or ()}
    return [element for element in context.before if element.track_id is not None and element.track_id not in there]


def _before_pictures(context: StepContext) -> tuple[PromptImage, ...]:
    if context.look is None:
        return ()
    pairs = ((context.target, context.action.target), (context.end_target, context.action.end))
    start, end = (box_of(target, context.size) if element is None else element.box for element, target in pairs)
    return target_pictures(context.look(), start, end)


def changed_images(context: StepContext) -> tuple[PromptImage, ...]:
    """What the action changed, before and after; empty where nothing can be compared."""
    if context.look is None or context.look_after is None or not context.changed:
        return ()
    return change_pictures(context.look(), context.look_after(), context.changed)


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return " ".join(text.split())


Words = Annotated[str, AfterValidator(_said)]
Steps = Annotated[
    tuple[str, ...], AfterValidator(lambda steps: tuple(" ".join(step.split()) for step in steps if step.strip()))
]


class ThoughtReply(Record):
    """Told from before the action."""

    observation: Words = Field(description="What on the screen matters for the choice.")
    thought: Words = Field(description="What is done with which arguments, and why just this now.")
    expected_effect: Words = Field(description="What the action should do.")
    plan: Steps = Field(description="What will remain to be done after it, one imperative for each step.")


class EffectReply(Record):
    """Told from the difference of the screens."""

    actual_effect: Words = Field(description="What can be seen to have changed.")


_PARAGRAPH: Final = Field(description="One paragraph: how and why it was chosen, then what happened.")


class HindsightReply(ThoughtReply):
    """Told from the end."""

    actual_effect: Words = Field(description="What can be seen to have changed.")
    hindsight: Words = _PARAGRAPH


class ParagraphReply(Record):
    """Told from the end, in CAAP's form."""

    hindsight: Words = _PARAGRAPH


REPLIES: Final[dict[Question, tuple[type[Record], int]]] = {
    "thought": (ThoughtReply, 2000),
    "effect": (EffectReply, 1000),
    "hindsight": (HindsightReply, 3000),
    "caap": (ParagraphReply, 2000),
}
"""The answer to each question, and tokens that it may have: it takes a tenth; models that think before they answer are
billed for their thoughts as part of it."""

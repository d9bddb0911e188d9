"""Steps and screens as a language model reads them: one line for each, in CAAP's notation.

``action_2: {name: click, arg: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False}}``
``element_3: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", focused: False, visible: True}``
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from demopack.domain.actions import ActionTarget
from demopack.domain.elements import STATES, Element
from demopack.domain.geometry import Rect, Size, caap_notation
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.rationale import START_REASON
from models.language.phrases import box_of

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


def screen_lines(
    shown: Sequence[Element], hidden: Sequence[Element] = (), *, near: Rect | None = None, flags: bool = True
) -> str:
    """The elements of a screen, numbered in reading order; then those that were seen before and are not there now.

    Args:
        shown: elements on the frame, in reading order.
        hidden: elements that cannot be seen any more.
        near: where something was done: of very many elements, the nearest are told.
        flags: whether each line says if the element is visible.
    """
    if not shown and not hidden:
        return "(nothing was recognised on it)"
    numbered = list(enumerate(shown, start=1))
    kept = sorted(numbered, key=lambda pair: (_distance(pair[1].box, near), pair[0]))[:_MAX_ELEMENTS]
    lines = [
        f"element_{n}: {_element_data(e, visible=True if flags else None)}" for n, e in sorted(kept, key=itemgetter(0))
    ]
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

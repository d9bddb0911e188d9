"""Which parts a CAAP prompt has: each may be switched off, and the five configurations of the paper's Table 6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from demopack.errors import BadInputError

__all__ = ["COT_PARTS", "TABLE_6", "CaapParts", "caap_parts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaapParts:
    """Switches; what is off leaves everything else as it is.

    Attributes:
        premise: the first sentence.
        demos: the demonstrations.
        reasons: the reasons inside the demonstrations.
        situation: that a task is to be done now.
        task: the task.
        last_response: the model's last answer, between task and history as the paper has it.
        history: the actions so far.
        failure: why the last answer could not be carried out.
        elements: what is on the screen.
        actions: the action types as text; off by default, as function definitions tell them.
        review: reasoning section 1, the history.
        screen: reasoning section 2, the screen.
        plan: reasoning section 3, the plan.
        answer: section 4, the form of the answer.
        guards: the four rules.
        drag_note: what is possible while the button is held; only then part of the prompt.
    """

    premise: bool = True
    demos: bool = True
    reasons: bool = True
    situation: bool = True
    task: bool = True
    last_response: bool = True
    history: bool = True
    failure: bool = True
    elements: bool = True
    actions: bool = False
    review: bool = True
    screen: bool = True
    plan: bool = True
    answer: bool = True
    guards: bool = True
    drag_note: bool = True


COT_PARTS: Final = ("opening", "review", "screen", "plan")
"""The parts of a prompt that are there to make the model reason."""

_NO_COT: Final = {"review": False, "screen": False, "plan": False}
TABLE_6: Final[Mapping[str, CaapParts]] = {
    "full": CaapParts(),
    "demo_without_cot": CaapParts(**_NO_COT),
    "cot_without_demo": CaapParts(demos=False),
    "cot_with_action_only_demo": CaapParts(reasons=False),
    "no_cot_no_demo": CaapParts(demos=False, **_NO_COT),
}
"""The columns of Table 6: all; no reasoning phrases; no demos; demos without reasons; neither."""


def caap_parts(*, without: str = "", config: str = "full") -> CaapParts:
    """A configuration of Table 6 with more parts switched off.

    Args:
        without: names of parts, separated by commas.
        config: one of :data:`TABLE_6`.

    Raises:
        BadInputError: there is no such part or configuration.
    """
    if config not in TABLE_6:
        raise BadInputError(f"There is no configuration {config!r}.", hint=f"Use one of {', '.join(TABLE_6)}.")
    names = [name.strip() for name in without.split(",") if name.strip()]
    known = [field.name for field in fields(CaapParts)]
    for name in names:
        if name not in known:
            raise BadInputError(f"There is no part {name!r}.", hint=f"Use of {', '.join(known)}.")
    base = TABLE_6[config]
    return CaapParts(**{name: name not in names and bool(getattr(base, name)) for name in known})

"""What was typed is the text of its field, where what was read of it agrees only in part.

A caret is read as a letter, a rare sign as a common one. Secrets are no text: the recorder stored words in their place,
and these stay out of fields as they stay out of pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from demopack.domain.actions import TypeAction
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.domain.text_likeness import letters_in, ratio
from demopack.redaction.matches import PLACEHOLDER
from models.vision.step_binding import TEXT_TYPES

_AGREES: Final = 0.6
"""Share of letters in common from which what was read is what was typed."""
_MOST_MORE: Final = 2
"""Letters more than were typed: a caret makes one or two; a field that completes what is typed makes more."""


def with_typed_text(
    elements: Sequence[Element],
    frame_id: str,
    steps: Sequence[Step],
    *,
    changes: Callable[[Step], Sequence[Rect] | None],
) -> list[Element]:
    """The elements of a frame, the field into which a step typed with what was typed.

    Args:
        elements: of the frame.
        frame_id: which; it counts as the screen after a step, or as that before the next one.
        steps: of the demo, in order.
        changes: boxes in which a step's before- and after-frame differ; None when there is nothing to compare.
    """
    known = list(elements)
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        shown = {one.id for one in (step.after, None if following is None else following.before) if one is not None}
        text = _typed(step) if frame_id in shown else ""
        place = _field(known, text, changes(step) or ()) if text else None
        if place is not None:
            known[place] = known[place].but(text=text)
    return known


def _typed(step: Step) -> str:
    """What a step typed, as far as it is no secret."""
    if not isinstance(step.action, TypeAction) or (step.focused is not None and step.focused.secure):
        return ""
    text = step.action.text_to_type.strip()
    return "" if PLACEHOLDER.search(text) else text


def _field(elements: Sequence[Element], text: str, changed: Sequence[Rect]) -> int | None:
    """The element that changed and of which about this was read; one that takes text before all others."""
    fits: list[tuple[bool, float, int]] = []
    for place, one in enumerate(elements):
        is_open = one.text and one.source not in {"human", "accessibility"} and one.review == "unreviewed"
        if not is_open or not any(box.intersection(one.box) for box in changed):
            continue
        share = _agreement(one.text or "", text)
        if share >= _AGREES:
            fits.append((one.type in TEXT_TYPES, share, place))
    return max(fits)[2] if fits else None


def _agreement(read: str, typed: str) -> float:
    own, other = letters_in(read), letters_in(typed)
    if not own or len(own) > len(other) + _MOST_MORE or (own == other and read.isupper() != typed.isupper()):
        return 0.0  # nothing was read, it goes on, or the field writes everything in capitals
    return ratio(own, other)

"""Labels that need no model: steps without effect, undone, repeated, to and fro; from frames and actions alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from demopack.domain.actions import PressKeyAction
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.domain.verdicts import StepLabel
from demopack.pixels.changes import changed_boxes

Same = Callable[[Frame, Frame], bool]
"""Whether two frames show the same."""

_VISIBLE: Final = frozenset({"click", "type", "press_key", "scroll", "hover", "drag", "launch"})
"""Actions that are taken to change something on the screen."""
_SILENT_KEYS: Final = frozenset({"Ctrl+C", "Ctrl+Insert", "Ctrl+S", "PrintScreen"})
"""Keys that do their work where nobody sees it."""
_BACK: Final = 3
"""Steps within which an undoing is looked for; later returns to a screen mostly have a reason."""
_PICTURES: Final = 8
"""Pictures that are kept in memory: what is compared mostly lies close together."""
_CURSOR: Final = (4, 48)
"""Pixels, width and height: what is not larger is a cursor that blinks."""


class ScreenSimilarity:
    """Compares frames by their pixels; a blinking cursor makes no difference. Remembers what it has compared."""

    def __init__(self, picture: Callable[[str], RgbImage]) -> None:
        """Compare with what ``picture`` gives for the id of a frame."""
        self._picture = lru_cache(maxsize=_PICTURES)(picture)
        self._known: dict[tuple[str, str], tuple[Rect, ...] | None] = {}

    def same(self, a: Frame, b: Frame) -> bool:
        """Whether nothing but a cursor differs.

        Raises:
            CorruptFrameError: a picture is damaged.
        """
        boxes = self._boxes(a, b)
        return boxes is not None and all(box.width <= _CURSOR[0] and box.height <= _CURSOR[1] for box in boxes)

    def equal(self, a: Frame, b: Frame) -> bool:
        """Whether nothing differs at all."""
        return self._boxes(a, b) == ()

    def _boxes(self, a: Frame, b: Frame) -> tuple[Rect, ...] | None:
        if a.id == b.id:
            return ()
        key = (min(a.id, b.id), max(a.id, b.id))
        if key not in self._known:
            self._known[key] = changed_boxes(self._picture(key[0]), self._picture(key[1]))
        return self._known[key]


def local_labels(steps: Sequence[Step], *, same: Same, equal: Same) -> list[tuple[StepLabel, ...]]:
    """The labels of each step, in a fixed order; a step without frames gets none.

    Args:
        steps: of one demo, in order.
        same: whether two frames show the same, a cursor aside.
        equal: whether two frames are equal.
    """
    found: list[set[StepLabel]] = [set() for _ in steps]
    for index, step in enumerate(steps):
        silent = isinstance(step.action, PressKeyAction) and step.action.key_info in _SILENT_KEYS
        seen = None if step.before is None or step.after is None else equal(step.before, step.after)
        if seen and step.action.action_type in _VISIBLE and not silent:
            found[index].add("no_effect")
        if index and _is_repeated(steps[index - 1], step, same):
            found[index].add("repeated")
    for first, last in _returns(steps, same):
        found[last].add("undoing")
        for index in range(first, last):
            found[index].add("undone")
    for index in _to_and_fro(steps, same):
        found[index].add("back_and_forth")
    order: tuple[StepLabel, ...] = ("no_effect", "undone", "undoing", "repeated", "back_and_forth")
    return [tuple(label for label in order if label in labels) for labels in found]


def _is_repeated(earlier: Step, step: Step, same: Same) -> bool:
    """The same once more where the screen had not changed: a “next” that was pressed twice did something each time."""
    if step.action.action_type not in _VISIBLE or _act(earlier) != _act(step):
        return False
    return earlier.before is not None and step.before is not None and same(earlier.before, step.before)


def _act(step: Step) -> tuple[str, str, str]:
    action = step.action
    where = step.target_uid or (action.target.model_dump_json() if action.target is not None else "")
    parameters = {key: value for key, value in action.parameters.items() if key not in {"duration_s", "hold_s"}}
    return (action.action_type, where, json.dumps(parameters, sort_keys=True))


def _returns(steps: Sequence[Step], same: Same) -> list[tuple[int, int]]:
    """Pairs of a step and a later one that led back to the screen before it, with something else in between."""
    found: list[tuple[int, int]] = []
    taken = -1
    for last, step in enumerate(steps):
        if step.after is None or step.before is None or same(step.before, step.after):
            continue
        for first in range(last - 1, max(taken, last - 1 - _BACK), -1):
            before = steps[first].before
            if before is not None and _changed(steps[first], same) and same(before, step.after):
                found.append((first, last))
                taken = last
                break
    return found


def _changed(step: Step, same: Same) -> bool:
    return step.before is not None and step.after is not None and not same(step.before, step.after)


def _to_and_fro(steps: Sequence[Step], same: Same) -> list[int]:
    """Steps of a run that goes from one screen to another, back, and there again; the last way there is needed."""
    found: list[int] = []
    for index in range(2, len(steps)):
        three = steps[index - 2 : index + 1]
        a, b, c, d = three[0].before, three[0].after, three[1].after, three[2].after
        if all(_changed(step, same) for step in three) and a and b and c and d and same(a, c) and same(b, d):
            found += [index - 2, index - 1]
    return found

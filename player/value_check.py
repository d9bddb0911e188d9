"""Check after a step whether the screen shows the new value of a variable where the recording showed the old one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.domain.actions import TypeAction
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.domain.text_likeness import label_likeness, letters_in, plain_text
from demopack.errors import ModelError
from player.compare import area_alike, changed_boxes
from player.focus_place import ScreenMoves
from player.screen_matcher import ScreenMatcher, ScreenView
from player.variables import FilledDemo, ShownValue, shown_by

_AROUND: Final = 6
"""So many times as large as a value's place a thing may be that is still said to stand there; windows are larger."""
_UNTOUCHED: Final = 0.995


class ValueCheck:
    """Knows which values each step brought to the screen, and whether the new ones stand there now."""

    def __init__(self, matcher: ScreenMatcher, filled: FilledDemo) -> None:
        self._matcher = matcher
        self._filled = filled
        self._brought: dict[str, list[ShownValue]] = {}

    def types_secret(self, step: Step) -> bool:
        """Whether the step types a secret: then nobody looks at what stands in its field."""
        return step.id in self._filled.secrets

    def brought(self, step: Step) -> list[ShownValue]:
        """The new values that the step brought to the screen in the recording, as old ones."""
        if step.id not in self._brought:
            before, after = self._matcher.recorded_image(step.before), self._matcher.recorded_image(step.after)
            changes = [] if before is None or after is None else changed_boxes(before, after)
            self._brought[step.id] = shown_by(step, self._filled, changes)
        return self._brought[step.id]

    def stand(self, step: Step, view: ScreenView, moves: ScreenMoves, *, read: bool) -> bool | None:
        """Whether all of them stand on the screen now; None where nothing tells.

        Args:
            step: that was performed, and brought some.
            view: a look after it.
            moves: how far things have moved.
            read: also read the picture, where programs report nothing; that takes seconds.
        """
        expected = self.brought(step)
        told = _found(expected, self._matcher.find_reported_texts(view), moves)
        if told is not None or not read:
            return told
        try:
            texts = [(e.text, e.box) for e in self._matcher.find_elements(view) if e.text]
        except ModelError:
            return None  # nothing is there that could read
        told = _found(expected, texts, moves)
        return False if told is None and texts else told

    def new_places(self, view: ScreenView, moves: ScreenMoves) -> list[Rect]:
        """Where programs report that the screen shows a new value, in pixels of the recorded picture."""
        if not self._filled.changes:
            return []
        places = self._filled.places_of_new(self._matcher.find_reported_texts(view))
        return [box.moved(-dx, -dy) for box in places for dx, dy in moves.all()]

    def is_untouched(self, step: Step, view: ScreenView, moves: ScreenMoves) -> bool:
        """Whether the places of the values look as they did before the step: then it has brought nothing."""
        before = self._matcher.recorded_image(step.before)
        if before is None or not isinstance(step.action, TypeAction):
            return False
        return any(
            area_alike(before, view.image, one.box, dx=dx, dy=dy)[0] >= _UNTOUCHED
            for one in self.brought(step)
            for dx, dy in moves.all()[:1]
        )


def _found(expected: Sequence[ShownValue], texts: Sequence[tuple[str, Rect]], moves: ScreenMoves) -> bool | None:
    """Whether every value stands where it should, or anywhere; False where an old one stands there instead."""
    told = [_stands(one, texts, moves) for one in expected]
    return False if False in told else True if all(told) else None


def _stands(one: ShownValue, texts: Sequence[tuple[str, Rect]], moves: ScreenMoves) -> bool | None:
    places = [one.box.moved(dx, dy) for dx, dy in moves.all()]
    near = [
        text
        for text, box in texts
        if box.area <= _AROUND * one.box.area and any(box.intersection(place) is not None for place in places)
    ]
    if any(holds_value(text, one.new) for text in near):
        return True
    if any(holds_value(text, one.old) for text in near) and not holds_value(one.new, one.old):
        return False
    if any(label_likeness(one.new, text) for text in near) or any(holds_value(text, one.new) for text, _ in texts):
        return True
    return None


def field_holds(value: str, text: str) -> bool:
    """Whether a field's own value holds a text that was typed; one of a single line leaves the ends of lines out."""
    return holds_value(value, text) and ("\n" in value.strip() or "\n" not in text.strip())


def typed_into(before: str | None, text: str, after: str) -> bool:
    """Whether a field's value is the one before with a text put into it, or in place of a part of it.

    Letters and digits count, whatever their case: fields divide numbers and mend quotation marks. Where the value
    before is not known, the text has to stand there.
    """
    if not field_holds(after, text):
        return False
    if before is None:
        return True
    was, typed, value = (letters_in(one) for one in (before, text, after))
    starts = [at for at in range(len(value) - len(typed) + 1) if value.startswith(typed, at)]
    rests = [(value[:at], value[at + len(typed) :]) for at in starts]
    return any(was.startswith(a) and was.endswith(b) and len(a) + len(b) <= len(was) for a, b in rests)


def holds_value(text: str, value: str) -> bool:
    """Whether a value stands in a text, however it is spaced and divided (``1,234`` for ``1234``)."""
    wanted = letters_in(value)
    return wanted in letters_in(text) if wanted else plain_text(value) in plain_text(text)

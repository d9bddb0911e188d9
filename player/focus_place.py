"""Comparison of the place where keys arrive with what it looked like in the recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Final, Literal

from demopack.domain.actions import PressKeyAction, TypeAction
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.keys import parse_key_info
from demopack.domain.labels import field_label
from demopack.domain.steps import AccessibleElement, Step, WindowInfo
from demopack.domain.text_likeness import SAME_LABEL, label_likeness
from demopack.errors import ModelError
from player.compare import area_alike, changed_boxes, exact_move
from player.screen_matcher import ScreenMatcher, ScreenView
from player.step_plan import StepPlan, recorded_window
from player.target_strategies import ALIKE, Resolution

KEYBOARD: Final = frozenset({"type", "press_key"})
"""Actions whose keys go wherever the focus is."""
_MOVES_FOCUS: Final = frozenset({"click", "drag", "launch"})
Labelled = Literal["same", "other", "unseen"]
"""What is known of a field's label: it is the recorded one; clearly another; or neither could be seen."""
_MARGIN: Final = 16
_MIN_FOREGROUND_PX: Final = 120  # pixels; less than that looks the same everywhere
_EDITING: Final = frozenset({
    "Ctrl", "Shift", "A", "C", "V", "X", "Z", "Y", "Backspace", "Delete", "Home", "End", "ArrowLeft", "ArrowRight",
    "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Space",
})  # fmt: skip
_WORDS: Final = 8
_MIN_WORDS_SHARE: Final = 0.5
_MIN_LABEL_FOREGROUND_PX: Final = 40  # a short word; what is drawn thinner beside a field is a line
_BESIDE_PX: Final = 4  # the frame that a field has while it has the focus
_MAX_CHANGE_SHARE: Final = 0.5  # of the picture; beyond it a change does not tell where something was typed


@dataclass(slots=True, kw_only=True)
class ScreenMoves:
    """What the steps done so far did to the screen and to the input focus.

    A replay does what the person did, so the focus is where theirs was; a click too many would lose a selection or
    close a pop-up. Only where the last click went elsewhere, and the screen does not look as recorded either, or where
    nothing has been performed yet, is the target clicked first.

    Attributes:
        by: how far the last thing that was acted on has moved, in pixels; None before the first.
        clicked: the recorded box of the last click's target, pixels of the recorded picture, as long as no key has
            moved the focus since; None otherwise.
        clicked_at: where that was found, pixels of the live picture.
        typed: whether the last step typed text, and nothing more.
        field: where the keys of this step go, pixels of the recorded picture; None where nobody tells.
    """

    by: tuple[int, int] | None = None
    clicked: Rect | None = None
    clicked_at: Rect | None = None
    typed: bool = False
    field: Rect | None = None
    _last: StepPlan | None = None

    def acted(self, plan: StepPlan, found: Resolution | None, view: ScreenView) -> None:
        """A pointer step is done at a place that was found in a look at the screen."""
        aim = plan.aim
        self.clicked = None
        if found is None or aim is None:
            return
        if aim.element is not None:
            place, here = aim.element.box, found.box
        elif aim.point is not None:
            place, here = Rect.at_point(aim.point), Rect.at_point(found.point)
        else:
            return
        dx, dy = here.x1 - place.x1, here.y1 - place.y1
        known = None if aim.renewed else view.recorded  # where another text stands now, letters do not tell the move
        self.by = (dx, dy) if known is None else exact_move(known, view.image, place, dx=dx, dy=dy)
        if plan.action.action_type == "click" or plan.action.action_type in KEYBOARD:
            self.clicked, self.clicked_at = place, here

    def keys_go(
        self, step: Step, view: ScreenView, window: WindowInfo | None, element: AccessibleElement | None
    ) -> None:
        """Keys are about to be sent into a window and an element that lie there now."""
        move = None if step.before is None else _window_move(step, step.before, view.window_box(window))
        self.by = self.by if move is None else move
        self.field = None
        if element is not None and element.box is not None and "editable" in element.states and self.by is not None:
            here = view.grab.space.to_pixels(element.box)
            self.field = here.moved(-self.by[0], -self.by[1])

    def needs_click(self, plan: StepPlan, *, same_screen: bool) -> bool:
        """Whether the target of a ``type`` or ``press_key`` step has to be clicked first."""
        if plan.aim is None or plan.action.action_type not in KEYBOARD or same_screen:
            return False
        if self._last is None:
            return True
        if self._last.action.action_type != "click":
            return False  # keys and drags move the focus in ways that only the program knows
        clicked = self._last.aim
        if clicked is None:
            return True
        if clicked.target.track_id is not None and clicked.target.track_id == plan.aim.target.track_id:
            return False
        a, b = clicked.place, plan.aim.place
        # A click on a field's label or inside the field: the boxes touch.
        return a is None or b is None or not (b.contains(a.center) or a.contains(b.center))

    def performed(self, plan: StepPlan) -> None:
        """A step was done: keys that do more than write and correct may have moved the focus."""
        action = plan.action
        if action.action_type in _MOVES_FOCUS or action.action_type in KEYBOARD:
            self._last = plan
        if isinstance(action, TypeAction):
            moved = action.submit or "\t" in action.text_to_type
        elif isinstance(action, PressKeyAction):
            moved = not _EDITING.issuperset(parse_key_info(action.key_info))
        else:
            moved = action.action_type in {"drag", "launch"}
        self.typed = isinstance(action, TypeAction) and not moved
        if moved:
            self.clicked = None

    def all(self, recorded: tuple[int, int] | None = None) -> list[tuple[int, int]]:
        """Every way in which things may have moved, the likeliest first, each once; ``recorded``: of the window."""
        return list(dict.fromkeys(move for move in (recorded, self.by, (0, 0)) if move is not None))


class FocusPlace:
    """Compares the surroundings of the focus with the recording."""

    def __init__(self, matcher: ScreenMatcher) -> None:
        self._matcher = matcher
        self._areas: dict[str, Rect] = {}
        self._read: dict[str, Labelled] = {}

    def looks_as_recorded(
        self, plan: StepPlan, view: ScreenView, *, live: WindowInfo | None, moves: ScreenMoves, read: bool
    ) -> Literal["picture", "words"] | None:
        """What tells that the place looks as it did; None where nothing does.

        Args:
            plan: of a step for the keyboard.
            view: the screen now, compared with the frame before the step.
            live: the window that has the focus now; the place has to lie in it.
            moves: how far things have moved.
            read: also compare what is written there, for a screen with another theme or scale; that takes seconds.
        """
        step, frame, recorded = plan.step, plan.before, view.recorded
        if frame is None or recorded is None:
            return None
        if live is None and (view.share or 0.0) < self._matcher.settings.match_threshold:
            return None  # nobody knows which window has the focus: at least it must be the same screen
        area = self._areas.get(step.id)
        if area is None:
            place = self._recorded_place(plan, frame, recorded, moves)
            area = self._areas[step.id] = _grown(place, _inside(step, frame), recorded, frame)
        here = view.window_box(live)
        for dx, dy in moves.all(_window_move(step, frame, here)):
            if here is not None and not here.contains(area.moved(dx, dy).center):
                continue
            share, drawn = area_alike(recorded, view.image, area, dx=dx, dy=dy, ignore=frame.covered)
            if share >= ALIKE and drawn >= _MIN_FOREGROUND_PX:
                moves.by = (dx, dy)
                return "picture"
        return "words" if read and self._words_agree(step, frame, area, view, here) else None

    def label_agrees(
        self,
        step: Step,
        view: ScreenView,
        *,
        live: WindowInfo | None,
        element: AccessibleElement | None,
        moves: ScreenMoves,
        read: bool,
    ) -> Labelled | None:
        """Whether the label agrees of the field that was found or clicked.

        For a field whose program tells no label, what stands beside it has to be as recorded. What stands on its left,
        above and on its right tells what a field is for; what stands below it, where there is nothing else. What stands
        in the field does not count. Each side counts for itself: a field's frame and buttons are more pixels than the
        one word that makes it another question.

        Args:
            step: for the keyboard.
            view: the screen now, compared with the frame before the step.
            live: the window that has the focus now.
            element: what has it now.
            moves: what was clicked last, which is the field where no program tells one.
            read: read what is written there, for a screen with another theme or scale, which takes seconds; else what
                was read last counts.

        Returns:
            None where no field is known, or nothing stands beside it.
        """
        if step.focused is not None and step.focused.name:
            return "same"
        frame, recorded = step.before, view.recorded
        told = None if step.focused is None else step.focused.box
        if frame is None or recorded is None or (told is None and moves.clicked is None):
            return None
        here = None if element is None or element.box is None else view.grab.space.to_pixels(element.box)
        if told is not None:
            box = frame.space.to_pixels(told)
        elif moves.clicked is not None and step.action.action_type == "type":
            box, here = moves.clicked, moves.clicked_at
        else:
            return None
        box, window = box.clamped(frame.size), _inside(step, frame)
        sides = _sides(box, window, recorded, frame)
        if not sides:
            return None
        there = view.window_box(live)
        by = _window_move(step, frame, there) if here is None else (here.x1 - box.x1, here.y1 - box.y1)
        dx, dy = by or (0, 0)
        shares = [area_alike(recorded, view.image, s, dx=dx, dy=dy, ignore=frame.covered)[0] for s in sides]
        if min(shares) >= ALIKE:
            return "same"
        if read:
            self._read[step.id] = self._read_label(step, frame, box, view, here=here, window=there)
        return self._read.get(step.id, "unseen")

    def _read_label(
        self, step: Step, frame: Frame, box: Rect, view: ScreenView, *, here: Rect | None, window: Rect | None
    ) -> Labelled:
        """What the labels of a field say that was in ``box`` and is ``here``, as they are read off the pictures."""
        try:
            then, now = self._labels(step, frame), self._texts(view, window)
        except ModelError:
            return "unseen"  # nothing is there that could read
        label, label_now = field_label(box, then), "" if here is None else field_label(here, now)
        if label and label_now and not label_likeness(label, label_now):
            return "other"
        same = bool(label) and any(label_likeness(label, one.text or "") >= SAME_LABEL for one in now)
        return "same" if same and self._words_agree(step, frame, box, view, window) else "unseen"

    def _labels(self, step: Step, frame: Frame) -> list[Element]:
        """The elements with a text in the recorded window."""
        known, inside = self._matcher.find_recorded_elements(frame), _inside(step, frame)
        return [e for e in known if e.text and e.review != "rejected" and inside.contains(e.box.center)]

    def _texts(self, view: ScreenView, here: Rect | None) -> list[Element]:
        """The elements with a text in the live window; on the whole screen where that is not known."""
        fresh = self._matcher.find_elements(view)
        return [e for e in fresh if e.text and (here is None or here.contains(e.box.center))]

    def _recorded_place(self, plan: StepPlan, frame: Frame, recorded: RgbImage, moves: ScreenMoves) -> Rect:
        """Where the focus was, in pixels of the recorded frame; the whole window where nothing tells."""
        step, told = plan.step, plan.step.focused
        typing = step.action.action_type == "type" or moves.typed
        # Text that was typed went into an element that can be edited.
        if told is not None and told.box is not None and (not typing or "editable" in told.states):
            box = frame.space.to_pixels(told.box).clamped(frame.size)
            if box.area:
                return box
        if plan.aim is not None and plan.aim.element is not None:
            return plan.aim.element.box
        if moves.clicked is not None:
            return moves.clicked
        after = None if step.after is None else self._matcher.recorded_image(step.after)
        changes = [] if after is None else changed_boxes(recorded, after)
        if changes:
            whole = reduce(Rect.union, changes)
            if whole.area <= frame.width * frame.height * _MAX_CHANGE_SHARE:
                return whole
        return _inside(step, frame)

    def _words_agree(self, step: Step, frame: Frame, area: Rect, view: ScreenView, here: Rect | None) -> bool:
        """Whether what is written nearest to the place is written in the window that has the focus now."""
        try:
            there = self._texts(view, here)
            labels = sorted(self._labels(step, frame), key=lambda e: _gap(e.box, area))[:_WORDS]
        except ModelError:
            return False  # nothing is there that could read
        found = sum(any(label_likeness(label.text or "", one.text or "") for one in there) for label in labels)
        return found >= min(2, len(labels)) and bool(labels) and found >= len(labels) * _MIN_WORDS_SHARE


def _inside(step: Step, frame: Frame) -> Rect:
    """The recorded window on the recorded frame; the whole frame where no window is known."""
    whole = Rect(0, 0, frame.width, frame.height)
    window = recorded_window(step, frame)
    return whole if window is None else window.intersection(whole) or whole


def _window_move(step: Step, frame: Frame, here: Rect | None) -> tuple[int, int] | None:
    """How far the recorded window's left upper corner has moved."""
    there = recorded_window(step, frame)
    return None if here is None or there is None else (here.x1 - there.x1, here.y1 - there.y1)


def _grown(place: Rect, limit: Rect, recorded: RgbImage, frame: Frame) -> Rect:
    """The place with a margin, and more of its surroundings where it is too plain to be known again."""
    margin = _MARGIN
    while True:
        area = place.grown(margin).intersection(limit)
        if area is None or area == limit:
            return limit
        if area_alike(recorded, recorded, area, ignore=frame.covered)[1] >= _MIN_FOREGROUND_PX:
            return area
        margin *= 2


def _sides(box: Rect, window: Rect, recorded: RgbImage, frame: Frame) -> list[Rect]:
    """The strips beside a field in which something is drawn, each only as wide as it has to be for that."""
    around = box.grown(_BESIDE_PX)
    x1, y1, x2, y2 = around.x1, around.y1, around.x2, around.y2
    strips: list[Callable[[int], Rect]] = [
        lambda m: Rect(x1 - m, y1, x1, y2),
        lambda m: Rect(x1, y1 - m, x2, y1),
        lambda m: Rect(x2, y1, x2 + m, y2),
    ]
    beside = [area for strip in strips if (area := _drawn(strip, window, recorded, frame)) is not None]
    below = None if beside else _drawn(lambda m: Rect(x1, y2, x2, y2 + m), window, recorded, frame)
    return beside if below is None else [below]


def _drawn(strip: Callable[[int], Rect], window: Rect, recorded: RgbImage, frame: Frame) -> Rect | None:
    """The narrowest strip in which enough is drawn to be known again; None where the window ends before."""
    area, margin = strip(_MARGIN).intersection(window), _MARGIN
    while area is not None:
        margin *= 2
        wider = strip(margin).intersection(window)
        drawn = area_alike(recorded, recorded, area, ignore=frame.covered)[1]
        if drawn >= _MIN_FOREGROUND_PX or wider in {None, area}:
            return area if drawn >= _MIN_LABEL_FOREGROUND_PX else None
        area = wider
    return None


def _gap(box: Rect, area: Rect) -> int:
    dx = max(area.x1 - box.x2, box.x1 - area.x2, 0)
    dy = max(area.y1 - box.y2, box.y1 - area.y2, 0)
    return dx * dx + dy * dy

"""Outcome of a step: whether it did on the live screen what it did in the recording."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.actions import TypeAction
from demopack.domain.demos import Demo
from demopack.domain.elements import ElementType
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.domain.text_likeness import label_likeness
from demopack.errors import ModelError
from player.compare import area_alike, change_alike, changed_boxes, effect_alike
from player.focus_place import ScreenMoves
from player.reported_changes import has_changed_so, recorded_change
from player.screen_matcher import ScreenMatcher, ScreenView
from player.step_plan import recorded_window
from player.target_strategies import ALIKE

_EFFECT: Final = 0.6  # of what a step changed; a time that is shown somewhere in it must not count as a failure
_MIN_WORDS_SHARE: Final = 0.5
_MARKED: Final[frozenset[ElementType]] = frozenset({"checkbox", "radio", "toggle"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """What a look after a step told.

    Attributes:
        agrees: whether the step did what it did in the recording; None where that cannot be told.
        effect: share of what it changed in the recording that looks so now; None where it changed nothing.
    """

    agrees: bool | None
    effect: float | None


def after_frame(step: Step, demo: Demo) -> Frame | None:
    """What the screen looked like after a step; that of the last one is the end of the recording."""
    if step.action.action_type == "finish_goal":
        return demo.head.final_frame or step.before
    return step.after


def later_frame(step: Step, demo: Demo) -> Frame | None:
    """The recorded picture that came next: the frame before the following step, if only the one that finishes.

    The frame after a step may show it half done (a button still pressed, its dialog still there), and so may those of a
    wait that follows. None where nothing else was seen before somebody acted again, and for text that stays where it
    was typed: what it looks like later may hide that it is another one.
    """
    if isinstance(step.action, TypeAction) and not step.action.submit:
        return None
    if step.after is None:
        return None
    rest = itertools.dropwhile(lambda one: one.id != step.id, demo.steps)
    for following in itertools.islice(rest, 1, None):
        waits = following.action.action_type == "wait"
        for frame in (following.before, following.after) if waits else (following.before,):
            if frame is not None and frame.id != step.after.id:
                return frame
        if not waits:
            break
    return None


class OutcomeJudge:
    """Judges steps by what they changed: a wrong text is a few pixels of a screen, and all of what was typed.

    A step that changed nothing in the recording is judged by the whole screen, where that has looked as recorded once.
    """

    def __init__(self, matcher: ScreenMatcher) -> None:
        self._matcher = matcher
        self._same_screen = False

    def whole(self, view: ScreenView) -> bool:
        """Whether the whole screen looks as recorded; that it did so once is remembered."""
        same = view.share is not None and view.share >= self._matcher.settings.match_threshold
        self._same_screen = self._same_screen or same
        return same

    def judge(
        self, step: Step, view: ScreenView, moves: ScreenMoves, *, read: bool = False, ignore: Sequence[Rect] = ()
    ) -> StepOutcome:
        """Hold a look after a step against the frame after it, and then against the recorded picture that came next.

        Args:
            step: that was performed.
            view: a look, compared with the frame after the step.
            moves: how far things have moved.
            read: also compare what is written there, for a screen with another theme or scale.
            ignore: parts of the recorded pictures that do not count.
        """
        seen = self._held_against(after_frame(step, self._matcher.demo), step, view, moves, read=read, ignore=ignore)
        later = later_frame(step, self._matcher.demo) if seen.agrees is False else None
        if later is None:
            return seen
        # Only what the step changed counts: that nothing had changed any more by then tells nothing about it.
        second = self._held_against(later, step, self._matcher.view(view.grab, later), moves, read=False, ignore=ignore)
        return second if second.agrees and second.effect is not None else seen

    def reported(self, step: Step) -> bool | None:
        """Whether programs report now what they reported after the step; None where that does not tell."""
        recorded = recorded_change(step, self._matcher.demo)
        live = None if recorded is None else self._matcher.read_reports()
        if recorded is None or live is None:
            return None
        return has_changed_so(*recorded, [tree for _, tree in live if tree.nodes and not tree.is_title_bar])

    def can_compare(self, step: Step, seen: ScreenView, moves: ScreenMoves) -> bool:
        """Whether the picture can tell what a step did: what it changed has to have looked as recorded before.

        Args:
            step: that was performed.
            seen: the screen before it was.
            moves: how far things have moved.
        """
        before, after = step.before, after_frame(step, self._matcher.demo)
        if before is None or after is None:
            return True
        if seen.scale_from(before) != 1:
            return False
        recorded = self._recorded(before)
        boxes = changed_boxes(recorded, self._recorded(after))
        whole = sum(box.area for box in boxes)
        return not whole or any(
            sum(
                area_alike(recorded, seen.image, box, dx=dx, dy=dy, ignore=before.covered)[0] * box.area
                for box in boxes
            )
            >= ALIKE * whole
            for dx, dy in moves.all()
        )

    def _held_against(
        self,
        after: Frame | None,
        step: Step,
        view: ScreenView,
        moves: ScreenMoves,
        *,
        read: bool,
        ignore: Sequence[Rect],
    ) -> StepOutcome:
        same = self.whole(view)
        before = step.before
        if before is None or after is None or view.recorded is None:
            return StepOutcome(agrees=None, effect=None)
        effect = effect_alike(
            self._recorded(before),
            view.recorded,
            view.image,
            within=moves.field if step.action.action_type == "type" and moves.field else recorded_window(step, after),
            moved=moves.all(),
            ignore=(*before.covered, *view.covered, *ignore),
        )
        if effect is None:
            return StepOutcome(agrees=True if same else (False if self._same_screen else None), effect=None)
        agrees = (effect >= _EFFECT and self._mark_agrees(step, before, view, moves)) or (
            read and self._words_agree(before, after, view)
        )
        return StepOutcome(agrees=agrees, effect=round(effect, 4))

    def _mark_agrees(self, step: Step, before: Frame, view: ScreenView, moves: ScreenMoves) -> bool:
        """Whether the mark of a check box or radio button that was clicked looks as it did.

        It is all that such a step is about, and few pixels beside the highlights that come and go with a click.
        """
        element = next((e for e in self._matcher.demo.elements.get(before.id, ()) if e.uid == step.target_uid), None)
        if (
            element is None
            or element.type not in _MARKED
            or step.action.action_type != "click"
            or view.recorded is None
        ):
            return True
        box = element.box
        mark = element.mark_box or Rect(box.x1, box.y1, min(box.x2, box.x1 + box.height), box.y2)
        pictures = (self._recorded(before), view.recorded, view.image)
        shares = [change_alike(*pictures, mark, dx=dx, dy=dy) for dx, dy in moves.all()]
        return max((share for share in shares if share is not None), default=1.0) >= ALIKE

    def _recorded(self, frame: Frame) -> RgbImage:
        picture = self._matcher.recorded_image(frame)
        assert picture is not None
        return picture

    def _words_agree(self, before: Frame, after: Frame, view: ScreenView) -> bool:
        """Whether what a step wrote on the screen, or brought there, can be read now."""
        changed = changed_boxes(self._recorded(before), self._recorded(after))
        try:
            known = self._matcher.find_recorded_elements(after)
            there = [e.text for e in self._matcher.find_elements(view) if e.text]
        except ModelError:
            return False  # nothing is there that could read
        made = [e for e in known if e.text and any(b.contains(e.box.center) or e.box.encloses(b) for b in changed)]
        found = sum(any(label_likeness(e.text or "", text) for text in there) for e in made)
        return bool(made) and found >= len(made) * _MIN_WORDS_SHARE

"""Check before keys are sent: whether what has the focus is what had it in the recording.

A click is done at a place that was found; keys go wherever the focus is, and nobody sees where until they have arrived.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Final, Literal

from demopack.clock import now_ns
from demopack.domain.actions import PressKeyAction, TypeAction
from demopack.domain.geometry import Point
from demopack.domain.keys import parse_key_info
from demopack.domain.steps import AccessibleElement, Step, WindowInfo
from demopack.domain.text_likeness import plain_text
from demopack.domain.trees import WindowTree
from demopack.domain.words import shorten
from demopack.errors import ReplayError
from player.abort import AbortMonitor
from player.backends.base import Performer
from player.focus_match import element_agrees, is_mistaken, name_focused, name_window, takes_no_text, window_agrees
from player.focus_place import FocusPlace, Labelled, ScreenMoves
from player.node_match import (
    cell_in_use,
    goes_into_cell,
    holds_same,
    item_under,
    manages_cells,
    open_menu,
    seen_instead,
    text_held,
)
from player.reported_targets import ReportedPlace, recorded_report
from player.screen_matcher import ScreenMatcher, ScreenView
from player.step_plan import StepPlan
from recorder.backends.base import AccessSource

Checked = Literal["element", "picture", "words", "click", "desktop", "unchecked"]
"""What told that the focus is where it was: accessibility; the place looks as it did; the words there are the same; it
was clicked just now; the keys are the desktop's own; nothing, and the person allowed that."""

_POLL_INTERVAL_S: Final = 0.1
_NEWS_S: Final = 0.3  # how long programs may take to say what has the focus
_TELLING_NS: Final = 1_000_000_000  # and how long one may take that has just been asked for the first time
_EVERY: Final = 8  # characters from one question about the element to the next
_DESKTOP: Final = frozenset({
    "PrintScreen", "VolumeUp", "VolumeDown", "VolumeMute", "MediaPlayPause", "MediaNext", "MediaPrevious",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Focused:
    """What the next key would go to: ``number`` changes when the focus moves, ``window_number`` with the window."""

    number: int
    window_number: int
    window: WindowInfo | None
    element: AccessibleElement | None


class TypingGuard:
    """Asked before each key of a step: stops where the focus has gone elsewhere since the step was checked.

    Attributes:
        sent: how many characters or combinations had been sent when it was asked last.
    """

    def __init__(self, checked: _Focused, *, plan: StepPlan, performer: Performer, access: AccessSource) -> None:
        self.sent = 0
        self._checked = checked
        self._number = checked.number
        self._action = plan.action
        self._performer = performer
        self._access = access

    def __call__(self, sent: int) -> None:
        """Return when the next key may be sent.

        Raises:
            ReplayError: something else has got the focus.
        """
        self.sent = sent
        if self._performer.sees_focus and (number := self._performer.focus_number()) != self._number:
            # A program may give the focus to a part of its own window. Another window is another one under the same
            # title too: what is sent into a second dialog of that name answers another question.
            if self._performer.window_number() != self._checked.window_number:
                raise self._lost(name_window(self._performer.focused_window()))
            self._number = number
        if self._checked.element is not None and sent % _EVERY == 0:
            element = self._access.focused(now_ns())
            if element is not None and takes_no_text(element, instead_of=self._checked.element):
                raise self._lost(name_focused(element))

    def _lost(self, what: str) -> ReplayError:
        there = name_window(self._checked.window)
        what = f"another window, {what}," if what == there else what
        if self.sent:
            total = 1
            if isinstance(self._action, TypeAction):
                total = len(self._action.text_to_type) + self._action.submit
            elif isinstance(self._action, PressKeyAction):
                total = self._action.presses
            words = f"after {self.sent} of {total} {'keys' if total > 1 else 'key'} had been sent to {there}"
        else:
            words = f"before a key was sent to {there}"
        return ReplayError(
            f"{what[:1].upper()}{what[1:]} got the focus {words}; nothing more was sent.",
            code="other_window",
            hint="Close what took the focus, see to what has been typed, and replay again.",
        )


@dataclass(kw_only=True)
class KeyboardCheck:
    """Says before a step for the keyboard whether its keys would arrive where they did in the recording.

    Attributes:
        matcher: captures and parses the screen, and knows what is replayed.
        performer: knows what has the focus.
        access: knows its element.
        gate: stops everything.
        unchecked: the person allowed keys where nothing tells whether they arrive where they should.
    """

    matcher: ScreenMatcher
    performer: Performer
    access: AccessSource
    gate: AbortMonitor
    unchecked: bool = False

    def __post_init__(self) -> None:
        self._place = FocusPlace(self.matcher)

    def before(
        self, plan: StepPlan, moves: ScreenMoves, *, clicked: Point | None = None
    ) -> tuple[Checked, TypingGuard]:
        """Wait until what has the focus is what had it in the recording.

        Args:
            plan: of a step for the keyboard.
            moves: how far things have moved since the recording.
            clicked: where its target was clicked just now, on the desktop; None where it was not.

        Returns:
            What told so, and the guard to be asked before each key.

        Raises:
            CancelledError: the replay was stopped.
            ReplayError: it is something else, or nothing tells what it is; nothing was sent.
        """
        started = now_ns()
        deadline = started + int(self.matcher.settings.settle_timeout_s * 1e9)
        recorded, first = plan.step, True
        while True:
            # Reading a screen takes seconds: it is done at once, and once more when nothing else can come.
            late = now_ns() >= deadline
            plan, focused = self._as_seen(plan, recorded, self._focused(recorded, started_ns=started))
            outcome = self._check(plan, focused, moves, clicked, read=first or late)
            # What was looked at is true only if the focus has not moved meanwhile.
            if not isinstance(outcome, ReplayError) and self.performer.focus_number() == focused.number:
                moves.keys_go(plan.step, self.matcher.capture(None), focused.window, focused.element)
                return outcome, TypingGuard(focused, plan=plan, performer=self.performer, access=self.access)
            if isinstance(outcome, ReplayError) and late:
                raise outcome
            first = False
            self.gate.wait(_POLL_INTERVAL_S)

    def _focused(self, step: Step, *, started_ns: int) -> _Focused:
        """What has the focus; where the recording knows the element, its program gets a moment to tell it too.

        A program that still owes an answer gets as long as a window that is late.
        """
        element, all_told = self._element()
        while step.focused is not None and self.access.available:
            late_ns = _TELLING_NS if all_told else int(self.matcher.settings.settle_timeout_s * 1e9)
            if (element is not None and element.box is not None) or now_ns() - started_ns >= late_ns:
                break
            self.gate.wait(_POLL_INTERVAL_S)
            element, all_told = self._element()
        return _Focused(
            number=self.performer.focus_number(),
            window_number=self.performer.window_number(),
            window=self.performer.focused_window(),
            element=element,
        )

    def _as_seen(self, plan: StepPlan, step: Step, focused: _Focused) -> tuple[StepPlan, _Focused]:
        """The plan of a recorded step and what has the focus; where these are two elements, those seen to have it."""
        recorded, live = step.focused, focused.element
        as_told = replace(plan, step=step), focused
        if recorded is None or live is None:
            return as_told
        agrees = element_agrees(recorded, live) != "other"
        if agrees and not manages_cells(recorded):
            return as_told
        trees, reported = self._trees_of(step), [tree for _, tree in self.matcher.read_reports() or ()]
        then: AccessibleElement | None
        now: AccessibleElement | None
        if agrees:
            then, now = cell_in_use(recorded, trees), cell_in_use(live, reported)
            if then is None or now is None or then.name == now.name:
                return as_told
        else:
            then, now = seen_instead(recorded, trees, other=live), seen_instead(live, reported, other=recorded)
            if isinstance(step.action, PressKeyAction) and step.action.key_info == "Escape" and then.app == now.app:
                # The pointer that passes over an item of an open menu gives it the focus; this key closes any of them.
                item, menu = (then, now) if now.role == "menu" else (now, then)
                were = open_menu(item, trees, menu=menu), open_menu(item, reported, menu=menu)
                then, now = (were[0] or then, were[1] or now) if all(were) else (then, now)
        return replace(plan, step=step.but(focused=then)), replace(focused, element=now)

    def _trees_of(self, step: Step) -> list[WindowTree]:
        known = self.matcher.demo.trees
        return [known[reading.tree] for reading in step.trees if reading.tree in known]

    def _element(self) -> tuple[AccessibleElement | None, bool]:
        """The element that has the focus, and whether all programs have told what they had to."""
        all_told = self.access.catch_up(timeout_s=_NEWS_S)
        return self.access.focused(now_ns()), all_told

    def _check(
        self, plan: StepPlan, focused: _Focused, moves: ScreenMoves, clicked: Point | None, *, read: bool
    ) -> Checked | ReplayError:
        step = plan.step
        window = window_agrees(step.window, focused.window)
        nothing_has_it = self.performer.sees_focus and focused.window is None
        if window == "other" or (nothing_has_it and step.window is not None):
            return _refused(plan, _has_it(focused))
        if _is_for_desktop(plan) and window in {"same", "unknown"}:
            return "desktop"
        view = self.matcher.capture(plan.before)
        # On a screen of another theme or scale nothing but what programs report may be as it was.
        reported = window == "same" and not view.matches and self.has_focus(plan, view, focused.element)
        same_element = reported or self._is_element(plan, focused, moves, view)
        if isinstance(same_element, ReplayError):
            return same_element
        if window == "unlike":
            return "unchecked" if self.unchecked else _refused(plan, _has_it(focused))
        # Fields of two dialogs that ask for different things lie at the same place.
        labelled = self._place.label_agrees(
            step, view, live=focused.window, element=focused.element, moves=moves, read=read
        )
        if labelled == "other" and not self.unchecked:
            return _refused(plan, "the field there has another label now")
        if (there := self._stands_there(plan, focused, moves)) and not self.unchecked:
            return _would_overwrite(plan, there)
        named = step.focused is not None and bool(step.focused.name and step.focused.app)
        labelled = labelled if same_element else None
        if reported or (labelled == "same" and (window == "same" or (step.window is None and named))):
            return "element"
        return self._at_place(plan, focused, moves, view, clicked, labelled=labelled, read=read)

    def _stands_there(self, plan: StepPlan, focused: _Focused, moves: ScreenMoves) -> str:
        """What stands where a text is typed into what was empty in the recording; empty where nothing is known to."""
        recorded, live, action = plan.step.focused, focused.element, plan.action
        if recorded is None or live is None or live.secure or not isinstance(action, TypeAction) or moves.typed:
            return ""
        reported = (self.matcher.read_reports() or ()) if goes_into_cell(live) else ()
        now = text_held(live, [tree for _, tree in reported])
        if not now or not now.strip() or plain_text(now) == plain_text(action.typed_text):
            return ""
        return now if text_held(recorded, self._trees_of(plan.step)) == "" else ""

    def _at_place(
        self,
        plan: StepPlan,
        focused: _Focused,
        moves: ScreenMoves,
        view: ScreenView,
        clicked: Point | None,
        *,
        labelled: Labelled | None,
        read: bool,
    ) -> Checked | ReplayError:
        """What tells where no element does: the click just now, or the picture."""
        here = None if focused.window is None else focused.window.box
        # What was clicked lies in the window that has the focus; where none is known, the click is trusted.
        if clicked is not None and (here is None or here.contains(clicked)):
            return "click"
        told: Checked | None = None
        if labelled != "unseen":
            told = self._place.looks_as_recorded(plan, view, live=focused.window, moves=moves, read=read)
        if told is not None or self.unchecked:
            return told or "unchecked"
        if view.comparison is None:
            return _refused(
                plan, "there is no picture of the screen before it, so nothing tells where its keys would go"
            )
        return _refused(plan, f"the place where it was typed looks different now; {_has_it(focused)}")

    def _is_element(
        self, plan: StepPlan, focused: _Focused, moves: ScreenMoves, view: ScreenView
    ) -> bool | ReplayError:
        """Whether the recorded element has the focus; False where that is not told."""
        step, element = plan.step, focused.element
        agreement = element_agrees(step.focused, element, windows=(step.window, focused.window))
        if element is None or agreement in {"same", "unknown"}:
            return agreement == "same"
        if agreement == "moved":
            # Where its place still looks as it did, nothing has moved, and this is another element.
            if self._place.looks_as_recorded(plan, view, live=focused.window, moves=moves, read=False) is None:
                return True
            return _refused(plan, f"{name_focused(element)} elsewhere in the window has the focus")
        typing = step.action.action_type == "type" or moves.typed
        if typing and step.focused is not None and is_mistaken(step.focused, element):
            return False  # the recording takes a row of suggestions for the element in which text was typed just then
        return _refused(plan, f"{name_focused(element)} has the focus")

    def has_focus(self, plan: StepPlan, view: ScreenView, element: AccessibleElement | None = None) -> bool:
        """Whether the one node of the live window that the recorded element is, by all that is reported, has the focus.

        Args:
            plan: of a step for the keyboard.
            view: the screen now.
            element: what has the focus; asked for where it is None.
        """
        step, recorded = plan.step, plan.step.focused
        if recorded is None:
            return False
        told, is_over = recorded_report(step, None, self.matcher.demo.trees), False
        if told is None or told.node is None:
            # Lists leave the field out in which the name of one of their items is written anew.
            item = None if recorded.name else item_under(recorded, self._trees_of(step))
            told = None if item is None else recorded_report(step.but(focused=item), None, self.matcher.demo.trees)
            is_over = True
        if told is None or told.node is None:
            return False
        if element is None:
            element, _ = self._element()
        if element is None or element.box is None or element.secure != recorded.secure:
            return False
        found = self.matcher.find_reported(told, view)
        if is_over and (element.role, element.name, element.app) != (recorded.role, recorded.name, recorded.app):
            return False
        box = found.node.box if isinstance(found, ReportedPlace) and found.node is not None else None
        if not isinstance(found, ReportedPlace) or found.node is None or box is None:
            # A list that is asked what lies at its places leaves out the item over which the field lies.
            return is_over and holds_same(recorded, element)
        if is_over:
            return box.contains(element.box.center)
        at_corners = zip(box.corners, element.box.corners, strict=True)
        return found.node.role == element.role and max(abs(a - b) for a, b in at_corners) <= 2

    def holds(self, text: str) -> bool:
        """Whether the element that has the focus tells that this text stands in it."""
        return bool(text.strip()) and plain_text(text) in plain_text(self.field_value())

    def field_value(self) -> str:
        """The text in the element that has the focus; empty where it tells none."""
        element, _ = self._element()
        return "" if element is None else element.value


def _has_it(focused: _Focused) -> str:
    return f"{name_window(focused.window)} has the focus"


def _is_for_desktop(plan: StepPlan) -> bool:
    """Whether a step's keys are meant for the desktop rather than for a program: they switch windows, for instance."""
    if not isinstance(plan.action, PressKeyAction):
        return False
    keys = frozenset(parse_key_info(plan.action.key_info))
    # On macOS it is the key of every program's own commands.
    return ("Meta" in keys and sys.platform != "darwin") or {"Alt", "Tab"} <= keys or bool(keys & _DESKTOP)


def _would_overwrite(plan: StepPlan, there: str) -> ReplayError:
    error = _refused(plan, f"“{shorten(there)}” stands there now, where nothing stood in the recording")
    error.code = "other_effect"
    error.hint = "Empty it, or replay with --unchecked-keys, which types all the same."
    return error


def _refused(plan: StepPlan, why: str) -> ReplayError:
    step, action = plan.step, plan.action
    what = f"presses {action.key_info}" if isinstance(action, PressKeyAction) else ""
    if isinstance(action, TypeAction):
        what = f"types “{shorten(action.text_to_type)}”"
    where = f" in {name_focused(step.focused)}" if step.focused is not None else ""
    there = f" of {name_window(step.window)}" if step.window is not None and where else ""
    if step.window is not None and not where:
        there = f" in {name_window(step.window)}"
    return ReplayError(
        f"The step {what}{where}{there}, but {why}. Nothing was sent.",
        code="other_window",
        hint="Bring the recorded window to the front, with the cursor where it was, and replay again. Where a program "
        "tells nothing about itself, --unchecked-keys allows keys that could not be checked.",
    )

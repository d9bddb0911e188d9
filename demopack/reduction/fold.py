"""Reduction of raw events to gestures: a pure fold, (state, event) -> (state, gestures).

The rules:

- A press and a release near each other are a click; further apart than the drag distance, a drag. Left clicks that
  follow each other quickly at one place become a double or triple click; the others stay single. A press that is held
  is a long press, which never becomes a part of a double click.
- The buttons at the side are the keys that mean the same, Alt+ArrowLeft and Alt+ArrowRight: the contract has no word
  for them.
- Wheel notches in one direction, at one place, with the same modifiers, without a pause, are one scroll.
- Characters become one text, whatever Shift, AltGr, dead keys or layouts made them. Backspace takes the last character
  back; with nothing left to take back it is a key of its own. A text that was taken back wholly leaves nothing.
  A lone space is the key. A key whose text is unknown becomes U+FFFD, so that the step shows a doubt.
- Enter, Tab, Escape, arrows, function keys are keys of their own, also with Shift. With Ctrl, Alt or Meta every key is
  a combination. Alt or Meta pressed and let go alone is a key; Ctrl, Shift, AltGr and the lock keys alone are nothing,
  because what they do shows in the other events. A key that is held and repeats is one gesture which counts its
  presses; a character that repeats is text.

A gesture is emitted when it is certain that it has ended: with its last event, with the first event that cannot belong
to it, or when its time is up (:func:`flush_due`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS, NAMED_KEYS, join_keys
from demopack.errors import ActionError
from demopack.reduction.gestures import Gesture, GestureThresholds
from demopack.reduction.state import (
    Clicks,
    HeldModifier,
    KeyPress,
    Press,
    ReductionState,
    ScrollRun,
    TextRun,
    command_modifiers,
    is_continued,
    is_drag,
    is_over,
    modifiers_of,
)

__all__ = ["ReductionState", "close_open", "flush_all", "flush_due", "forget_lone", "reduce", "reduce_all"]

UNKNOWN = "\ufffd"
_LOCKS = frozenset({"CapsLock", "NumLock", "ScrollLock"})
_HELD = frozenset({*MODIFIERS, "AltGr"})
_SIDE_BUTTONS = frozenset({"back", "forward"})
_LONE_MODIFIERS = frozenset({"Alt", "Meta"})
_Result = tuple[ReductionState, list[Gesture]]


def reduce(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    """Take in one event; returns the new state and the gestures that are complete now, oldest first."""
    state, done = flush_due(state, event.t_ns, thresholds)
    if event.kind == "move":
        state, more = _move(state, event), list[Gesture]()
    elif event.kind == "down":
        state, more = _down(state, event, thresholds)
    elif event.kind == "up":
        state, more = _up(state, event, thresholds)
    elif event.kind == "scroll":
        state, more = _scroll(state, event, thresholds)
    elif event.key in _HELD:
        state, more = _modifier(state, event)
    elif event.kind == "key_down":
        state, more = _key_down(state, event)
    else:
        state, more = _key_up(state, event)
    return replace(state, count=state.count + 1), done + more


def reduce_all(events: Iterable[InputEvent], thresholds: GestureThresholds) -> list[Gesture]:
    """Every gesture of a finished recording."""
    state, done = ReductionState(), list[Gesture]()
    for event in events:
        state, more = reduce(state, event, thresholds)
        done += more
    return done + flush_all(state)[1]


def flush_due(state: ReductionState, now_ns: int, thresholds: GestureThresholds) -> _Result:
    """Emit the open gesture if nothing that comes after ``now_ns`` can belong to it."""
    if state.open is None or not is_over(state, now_ns, thresholds):
        return state, []
    return _close(state)


def flush_all(state: ReductionState) -> _Result:
    """Emit the open gesture. A press that was not released is not a gesture."""
    return _close(replace(state, presses=(), lone=None))


def close_open(state: ReductionState) -> _Result:
    """Emit the open gesture because something else came in between; what is held down stays so."""
    return _close(state)


def forget_lone(state: ReductionState) -> ReductionState:
    """The held modifiers belonged to something else (a hot-key): letting go of them is no gesture."""
    return replace(state, lone=None)


def _close(state: ReductionState) -> _Result:
    if state.open is None:
        return state, []
    gesture = state.open.finished()
    return replace(state, open=None), [] if gesture is None else [gesture]


# Pointer --------------------------------------------------------------------------------------------------------------


def _move(state: ReductionState, event: InputEvent) -> ReductionState:
    if not state.presses:
        return state
    return replace(state, presses=tuple(press.moved(event) for press in state.presses))


def _down(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    if event.button is None or event.button == "other":
        # Nobody knows what such a button does; what was open has ended all the same.
        return _close(replace(state, lone=None))
    continues = is_continued(state, event, thresholds)
    done: list[Gesture] = []
    if not continues:
        state, done = _close(state)
    press = Press(
        button=event.button,
        number=state.count,
        event=event,
        held=tuple(h.event for h in state.held),
        modifiers=modifiers_of(state),
        continues=continues,
    )
    others = tuple(p for p in state.presses if p.button != event.button)
    return replace(state, presses=(*others, press), lone=None), done


def _up(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    press = next((p for p in state.presses if p.button == event.button), None)
    if press is None:
        return state, []
    state = replace(state, presses=tuple(p for p in state.presses if p is not press))
    if press.button in _SIDE_BUTTONS:
        state, done = _close(state)
        return state, [*done, press.side_key(event, last=state.count)]
    if is_drag(press, event, thresholds):
        state, done = _close(state)
        return state, [*done, press.drag(event, last=state.count)]
    clicks = Clicks.of(press, event, number=state.count, thresholds=thresholds)
    done = list[Gesture]()
    if press.continues and clicks.gesture.hold_s is None and isinstance(state.open, Clicks):
        clicks = state.open.joined(clicks)
    else:
        state, done = _close(state)
    state = replace(state, open=clicks)
    if clicks.is_whole:
        state, more = _close(state)
        done += more
    return state, done


def _scroll(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    held = tuple(h.event for h in state.held)
    run = ScrollRun.of(event, number=state.count, held=held, modifiers=modifiers_of(state))
    if run is None:
        return state, []
    state = replace(state, lone=None)
    if isinstance(state.open, ScrollRun) and state.open.goes_on(run, thresholds):
        return replace(state, open=state.open.joined(run)), []
    state, done = _close(state)
    return replace(state, open=run), done


# Keys -----------------------------------------------------------------------------------------------------------------


def _modifier(state: ReductionState, event: InputEvent) -> _Result:
    held = next((h for h in state.held if h.event.key == event.key), None)
    if event.kind == "key_down":
        if held is not None:
            return state, []
        new = HeldModifier(event=event, number=state.count)
        alone = not state.held and not state.presses
        state = replace(state, held=(*state.held, new), lone=new if alone else None)
        return _noted(state, event), []
    lone = state.lone
    state = replace(state, held=tuple(h for h in state.held if h is not held), lone=None)
    if lone is None or lone.event.key != event.key or event.key not in _LONE_MODIFIERS:
        return _noted(state, event), []
    state, done = _close(state)
    events = (lone.event, event)
    return state, [*done, _key(event.key, lone.number, lone.event, events, last=state.count)]


def _noted(state: ReductionState, event: InputEvent) -> ReductionState:
    """Shift and AltGr belong to the text that they help to type."""
    if isinstance(state.open, TextRun) and event.key in {"Shift", "AltGr"}:
        return replace(state, open=state.open.with_event(event))
    return state


def _key_down(state: ReductionState, event: InputEvent) -> _Result:
    if event.key in _LOCKS:
        return state, []
    state = replace(state, lone=None)
    commands = command_modifiers(state, event)
    if commands:
        info = _combination([*commands, event.key or event.char])
        return _text(state, event, UNKNOWN) if info is None else _press_key(state, event, info)
    if event.char and event.char.isprintable():
        return _text(state, event, event.char)
    if event.key == "Backspace" and isinstance(state.open, TextRun) and state.open.gesture.text:
        return replace(state, open=state.open.taken_back(event, state.count)), []
    if event.key in NAMED_KEYS:
        shift = ["Shift"] if any(h.event.key == "Shift" for h in state.held) else []
        info = _combination([*shift, event.key])
        return _press_key(state, event, info or event.key)
    # Dead keys and the middle of a Compose sequence type nothing yet; a key without even a name is unknown.
    return _text(state, event, "" if event.key else UNKNOWN)


def _combination(names: list[str]) -> str | None:
    try:
        return join_keys(names)
    except ActionError:
        return None


def _press_key(state: ReductionState, event: InputEvent, info: str) -> _Result:
    held = state.open
    if isinstance(held, KeyPress) and (held.key, held.gesture.key_info) == (event.key, info):
        return replace(state, open=held.with_event(event, state.count, presses=held.gesture.presses + 1)), []
    state, done = _close(state)
    pressed = _key(info, state.count, event, (*(h.event for h in state.held), event), last=state.count)
    return replace(state, open=KeyPress(gesture=pressed, key=event.key)), done


def _key(info: str, first: int, start: InputEvent, events: tuple[InputEvent, ...], *, last: int) -> Gesture:
    return Gesture(kind="press_key", first=first, last=last, start=start, events=events, key_info=info)


def _text(state: ReductionState, event: InputEvent, text: str) -> _Result:
    if isinstance(state.open, TextRun):
        return replace(state, open=state.open.typed(event, text, state.count)), []
    state, done = _close(state)
    helpers = (h.event for h in state.held if h.event.key in {"Shift", "AltGr"})
    events = (*helpers, event)
    typed = Gesture(kind="type", first=state.count, last=state.count, start=event, events=events, text=text)
    return replace(state, open=TextRun(gesture=typed, last_ns=event.t_ns, down=frozenset({event.key}))), done


def _key_up(state: ReductionState, event: InputEvent) -> _Result:
    run = state.open
    if isinstance(run, TextRun) and event.key in run.down:
        return replace(state, open=run.released(event, state.count)), []
    if isinstance(run, KeyPress) and event.key == run.key:
        return _close(replace(state, open=run.with_event(event, state.count)))
    return state, []

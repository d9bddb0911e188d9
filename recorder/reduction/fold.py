"""From raw events to gestures: a pure fold, (state, event) -> (state, gestures).

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
from itertools import chain

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS, NAMED_KEYS, join_keys
from demopack.errors import ActionError
from recorder.reduction.gestures import Constants, Gesture
from recorder.reduction.runs import Clicks, KeyPress, Press, ScrollRun, TextRun
from recorder.reduction.state import (
    Held,
    State,
    command_modifiers,
    is_continued,
    is_drag,
    is_over,
    modifiers_of,
)

__all__ = ["State", "close_open", "flush_all", "flush_due", "forget_lone", "reduce", "reduce_all"]

UNKNOWN = "\ufffd"
_LOCKS = frozenset({"CapsLock", "NumLock", "ScrollLock"})
_HELD = frozenset({*MODIFIERS, "AltGr"})
_SIDE_BUTTONS = frozenset({"back", "forward"})
_ALONE = frozenset({"Alt", "Meta"})
_Result = tuple[State, list[Gesture]]


def reduce(state: State, event: InputEvent, constants: Constants) -> _Result:
    """Take in one event; returns the new state and the gestures that are complete now, oldest first."""
    state, done = flush_due(state, event.t_ns, constants)
    if event.kind == "move":
        state, more = _move(state, event), list[Gesture]()
    elif event.kind == "down":
        state, more = _down(state, event, constants)
    elif event.kind == "up":
        state, more = _up(state, event, constants)
    elif event.kind == "scroll":
        state, more = _scroll(state, event, constants)
    elif event.key in _HELD:
        state, more = _modifier(state, event)
    elif event.kind == "key_down":
        state, more = _key_down(state, event)
    else:
        state, more = _key_up(state, event)
    return replace(state, count=state.count + 1), done + more


def reduce_all(events: Iterable[InputEvent], constants: Constants) -> list[Gesture]:
    """Every gesture of a finished recording."""
    state, done = State(), list[Gesture]()
    for event in events:
        state, more = reduce(state, event, constants)
        done += more
    return done + flush_all(state)[1]


def flush_due(state: State, now_ns: int, constants: Constants) -> _Result:
    """Emit the open gesture if nothing that comes after ``now_ns`` can belong to it."""
    if state.open is None or not is_over(state, now_ns, constants):
        return state, []
    return _close(state)


def flush_all(state: State) -> _Result:
    """Emit the open gesture. A press that was not released is not a gesture."""
    return _close(replace(state, presses=(), lone=None))


def close_open(state: State) -> _Result:
    """Emit the open gesture because something else came in between; what is held down stays so."""
    return _close(state)


def forget_lone(state: State) -> State:
    """The held modifiers belonged to something else (a hot-key): letting go of them is no gesture."""
    return replace(state, lone=None)


def _close(state: State) -> _Result:
    if state.open is None:
        return state, []
    gesture = state.open.gesture()
    return replace(state, open=None), [] if gesture is None else [gesture]


# Pointer --------------------------------------------------------------------------------------------------------------


def _move(state: State, event: InputEvent) -> State:
    if not state.presses:
        return state
    return replace(state, presses=tuple(press.moved(event) for press in state.presses))


def _down(state: State, event: InputEvent, constants: Constants) -> _Result:
    if event.button is None or event.button == "other":
        # Nobody knows what such a button does; what was open has ended all the same.
        return _close(replace(state, lone=None))
    continues = is_continued(state, event, constants)
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


def _up(state: State, event: InputEvent, constants: Constants) -> _Result:
    press = next((p for p in state.presses if p.button == event.button), None)
    if press is None:
        return state, []
    state = replace(state, presses=tuple(p for p in state.presses if p is not press))
    if press.button in _SIDE_BUTTONS:
        state, done = _close(state)
        return state, [*done, press.side_key(event, last=state.count)]
    if is_drag(press, event, constants):
        state, done = _close(state)
        return state, [*done, press.drag(event, last=state.count)]
    clicks = Clicks.of(press, event, number=state.count, constants=constants)
    done = list[Gesture]()
    if press.continues and clicks.hold_s is None and isinstance(state.open, Clicks):
        clicks = state.open.joined(clicks)
    else:
        state, done = _close(state)
    state = replace(state, open=clicks)
    if clicks.is_whole:
        state, more = _close(state)
        done += more
    return state, done


def _scroll(state: State, event: InputEvent, constants: Constants) -> _Result:
    held = tuple(h.event for h in state.held)
    run = ScrollRun.of(event, number=state.count, held=held, modifiers=modifiers_of(state))
    if run is None:
        return state, []
    state = replace(state, lone=None)
    if isinstance(state.open, ScrollRun) and state.open.goes_on(run, constants):
        return replace(state, open=state.open.joined(run)), []
    state, done = _close(state)
    return replace(state, open=run), done


# Keys -----------------------------------------------------------------------------------------------------------------


def _modifier(state: State, event: InputEvent) -> _Result:
    held = next((h for h in state.held if h.event.key == event.key), None)
    if event.kind == "key_down":
        if held is not None:
            return state, []
        new = Held(event=event, number=state.count)
        alone = not state.held and not state.presses
        state = replace(state, held=(*state.held, new), lone=new if alone else None)
        return _noted(state, event), []
    lone = state.lone
    state = replace(state, held=tuple(h for h in state.held if h is not held), lone=None)
    if lone is None or lone.event.key != event.key or event.key not in _ALONE:
        return _noted(state, event), []
    state, done = _close(state)
    press = KeyPress(
        key=event.key,
        key_info=event.key,
        first=lone.number,
        last=state.count,
        start=lone.event,
        events=(lone.event, event),
    )
    return state, [*done, press.gesture()]


def _noted(state: State, event: InputEvent) -> State:
    """Shift and AltGr belong to the text that they help to type."""
    if isinstance(state.open, TextRun) and event.key in {"Shift", "AltGr"}:
        return replace(state, open=replace(state.open, events=(*state.open.events, event)))
    return state


def _key_down(state: State, event: InputEvent) -> _Result:
    if event.key in _LOCKS:
        return state, []
    state = replace(state, lone=None)
    commands = command_modifiers(state, event)
    if commands:
        info = _combination([*commands, event.key or event.char])
        return _text(state, event, UNKNOWN) if info is None else _press_key(state, event, info)
    if event.char and event.char.isprintable():
        return _text(state, event, event.char)
    if event.key == "Backspace" and isinstance(state.open, TextRun) and state.open.text:
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


def _press_key(state: State, event: InputEvent, info: str) -> _Result:
    held = state.open
    if isinstance(held, KeyPress) and (held.key, held.key_info) == (event.key, info):
        return replace(state, open=held.repeated(event, state.count)), []
    state, done = _close(state)
    press = KeyPress(
        key=event.key,
        key_info=info,
        first=state.count,
        last=state.count,
        start=event,
        events=(*(h.event for h in state.held), event),
    )
    return replace(state, open=press), done


def _text(state: State, event: InputEvent, text: str) -> _Result:
    if isinstance(state.open, TextRun):
        return replace(state, open=state.open.typed(event, text, state.count)), []
    state, done = _close(state)
    helpers = (h.event for h in state.held if h.event.key in {"Shift", "AltGr"})
    run = TextRun(
        text=text,
        first=state.count,
        last=state.count,
        start=event,
        last_ns=event.t_ns,
        events=tuple(chain(helpers, (event,))),
        down=frozenset({event.key}),
    )
    return replace(state, open=run), done


def _key_up(state: State, event: InputEvent) -> _Result:
    run = state.open
    if isinstance(run, TextRun) and event.key in run.down:
        return replace(state, open=run.released(event, state.count)), []
    if isinstance(run, KeyPress) and event.key == run.key:
        ended = replace(run, last=state.count, events=(*run.events, event))
        return _close(replace(state, open=ended))
    return state, []

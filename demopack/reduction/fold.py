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
  a combination, unless the system tells that it types all the same, as with Option on a Mac. Alt or Meta pressed and
  let go alone is a key; Ctrl, Shift, AltGr and the lock keys alone are nothing, because what they do shows in the other
  events. A key that is held and repeats is one gesture which counts its presses; a character that repeats is text.

A gesture is emitted when it is certain that it has ended: with its last event, with the first event that cannot belong
to it, or when its time is up (:func:`flush_due`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from demopack.domain.actions import ClickType, Direction
from demopack.domain.events import Button, InputEvent
from demopack.domain.keys import MODIFIERS, NAMED_KEYS, join_keys
from demopack.errors import ActionError
from demopack.reduction.gestures import Gesture, GestureThresholds
from demopack.reduction.state import HeldModifier, OpenGesture, Press, ReductionState, distance

UNKNOWN = "\ufffd"
_LOCKS = frozenset({"CapsLock", "NumLock", "ScrollLock"})
_HELD = frozenset({*MODIFIERS, "AltGr"})
_TYPING = frozenset({"Shift", "AltGr"})
_LONE_MODIFIERS = frozenset({"Alt", "Meta"})
_SIDE_KEYS: dict[Button, str] = {"back": "Alt+ArrowLeft", "forward": "Alt+ArrowRight"}
_OTHER_BUTTONS: dict[Button, ClickType] = {"right": "right", "middle": "middle"}
_MORE_CLICKS: dict[ClickType, ClickType] = {"single": "double", "double": "triple"}
_FAR_RATIO = 3  # a press that came back after going this many drag distances away was still a drag (drawing a circle)
_Result = tuple[ReductionState, list[Gesture]]


def reduce(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    """Take in one event; returns the new state and the gestures that are complete now, oldest first."""
    state, done = flush_due(state, event.t_ns, thresholds)
    if event.kind == "move":
        more = list[Gesture]()
        if state.presses:
            state = replace(state, presses=tuple(press.moved(event) for press in state.presses))
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
    if state.open is None or any(press.continues for press in state.presses):
        return state, []
    limits_ms = {
        "click": thresholds.double_click_ms,
        "scroll": thresholds.scroll_pause_ms,
        "type": thresholds.text_pause_ms,
        "press_key": thresholds.key_hold_ms,
    }
    is_over = now_ns - state.open.at.t_ns > limits_ms[state.open.gesture.kind] * 1_000_000
    return close_open(state) if is_over else (state, [])


def flush_all(state: ReductionState) -> _Result:
    """Emit the open gesture. A press that was not released is not a gesture."""
    return close_open(replace(state, presses=(), lone=None))


def close_open(state: ReductionState) -> _Result:
    """Emit the open gesture because something else came in between; what is held down stays so."""
    if state.open is None:
        return state, []
    gesture = state.open.gesture
    state = replace(state, open=None)
    if gesture.kind != "type":
        return state, [gesture]
    if gesture.text == " ":
        return state, [replace(gesture, kind="press_key", text="", key_info="Space")]
    return state, [gesture] if gesture.text else []


def forget_lone(state: ReductionState) -> ReductionState:
    """The held modifiers belonged to something else (a hot-key): letting go of them is no gesture."""
    return replace(state, lone=None)


# Pointer --------------------------------------------------------------------------------------------------------------


def _down(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    if event.button is None or event.button == "other":
        # Nobody knows what such a button does; what was open has ended all the same.
        return close_open(replace(state, lone=None))
    clicks = state.opened("click")
    continues = (
        clicks is not None
        and event.button == "left"
        and clicks.gesture.modifiers == state.modifiers
        and event.t_ns - clicks.at.t_ns <= thresholds.double_click_ms * 1_000_000
        and distance(clicks.at, event) <= thresholds.double_click_px**2
    )
    state, done = (state, list[Gesture]()) if continues else close_open(state)
    press = Press(
        button=event.button,
        number=state.count,
        event=event,
        held=state.held_events,
        modifiers=state.modifiers,
        continues=continues,
    )
    others = tuple(p for p in state.presses if p.button != event.button)
    return replace(state, presses=(*others, press), lone=None), done


def _up(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    press = next((p for p in state.presses if p.button == event.button), None)
    if press is None:
        return state, []
    state = replace(state, presses=tuple(p for p in state.presses if p is not press))
    limit = thresholds.drag_px**2
    if press.button in _SIDE_KEYS:
        ended = _key(_SIDE_KEYS[press.button], press.number, press.event, (press.event, event), last=state.count)
    elif distance(press.event, event) > limit or press.reach > limit * _FAR_RATIO**2:
        ended = press.gesture(event, way=press.moves, kind="drag", last=state.count, end_x=event.x, end_y=event.y)
    else:
        return _click(state, press, event, thresholds)
    state, done = close_open(state)
    return state, [*done, ended]


def _click(state: ReductionState, press: Press, up: InputEvent, thresholds: GestureThresholds) -> _Result:
    """One of up to three clicks at one place, or a long press, which is always one."""
    held_ns = up.t_ns - press.event.t_ns
    hold_s = round(held_ns / 1e9, 1) if held_ns >= thresholds.long_press_ms * 1_000_000 else None
    kind = _OTHER_BUTTONS.get(press.button, "single")
    gesture = press.gesture(up, kind="click", last=state.count, click_type=kind, hold_s=hold_s)
    click, done = OpenGesture(gesture=gesture, at=press.event), list[Gesture]()
    before = state.opened("click")
    if press.continues and hold_s is None and before is not None:
        click = before.joined(click, click_type=_MORE_CLICKS[before.gesture.click_type])
    else:
        state, done = close_open(state)
    state = replace(state, open=click)
    if press.button != "left" or hold_s is not None or click.gesture.click_type == "triple":
        state, more = close_open(state)
        done += more
    return state, done


def _scroll(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> _Result:
    if not event.dx and not event.dy:
        return state, []
    vertical = abs(event.dy) >= abs(event.dx)
    amount = event.dy if vertical else event.dx
    words: tuple[Direction, Direction] = ("up", "down") if vertical else ("right", "left")
    new = Gesture(
        kind="scroll",
        first=state.count,
        last=state.count,
        start=event,
        events=(*state.held_events, event),
        x=event.x,
        y=event.y,
        direction=words[0] if amount > 0 else words[1],
        steps=abs(amount),
        modifiers=state.modifiers,
    )
    notch, run = OpenGesture(gesture=new, at=event), state.opened("scroll")
    state = replace(state, lone=None)
    if run is not None and distance(run.at, event) <= thresholds.scroll_px**2:
        old = run.gesture
        if (old.direction, old.modifiers) == (new.direction, new.modifiers):
            return replace(state, open=run.joined(notch, steps=old.steps + new.steps)), []
    state, done = close_open(state)
    return replace(state, open=notch), done


# Keys -----------------------------------------------------------------------------------------------------------------


def _modifier(state: ReductionState, event: InputEvent) -> _Result:
    held = next((h for h in state.held if h.event.key == event.key), None)
    lone = state.lone
    if event.kind == "key_down":
        if held is not None:
            return state, []
        new = HeldModifier(event=event, number=state.count)
        alone = not state.held and not state.presses
        state = replace(state, held=(*state.held, new), lone=new if alone else None)
    else:
        state = replace(state, held=tuple(h for h in state.held if h is not held), lone=None)
        if lone is not None and lone.event.key == event.key and event.key in _LONE_MODIFIERS:
            state, done = close_open(state)
            return state, [*done, _key(event.key, lone.number, lone.event, (lone.event, event), last=state.count)]
    run = state.opened("type")
    if run is not None and event.key in _TYPING:  # they belong to the text that they help to type
        state = replace(state, open=run.with_event(event))
    return state, []


def _key_down(state: ReductionState, event: InputEvent) -> _Result:
    if event.key in _LOCKS:
        return state, []
    state, run = replace(state, lone=None), state.opened("type")
    names = state.held_names
    # AltGr is Ctrl and Alt to some systems; a key that has a text under it types.
    types = event.types or (bool(event.char) and any(held.key == "AltGr" for held in state.held_events))
    if set(names) - _TYPING and not types:
        info = _combination([*names, event.key or event.char])
        return _text(state, event, UNKNOWN) if info is None else _press_key(state, event, info)
    if event.char and event.char.isprintable():
        return _text(state, event, event.char)
    if event.key == "Backspace" and run is not None and run.gesture.text:
        return replace(state, open=_typed(run, event, run.gesture.text[:-1], state.count)), []
    if event.key in NAMED_KEYS:
        shift = ["Shift"] if "Shift" in names else []
        return _press_key(state, event, _combination([*shift, event.key]) or event.key)
    # Dead keys and the middle of a Compose sequence type nothing yet; a key without even a name is unknown.
    return _text(state, event, "" if event.key else UNKNOWN)


def _combination(names: list[str]) -> str | None:
    try:
        return join_keys(names)
    except ActionError:
        return None


def _press_key(state: ReductionState, event: InputEvent, info: str) -> _Result:
    held = state.opened("press_key")
    if held is not None and (held.at.key, held.gesture.key_info) == (event.key, info):
        again = held.with_event(event, state.count, presses=held.gesture.presses + 1)
        return replace(state, open=replace(again, at=event)), []
    state, done = close_open(state)
    pressed = _key(info, state.count, event, (*state.held_events, event), last=state.count)
    return replace(state, open=OpenGesture(gesture=pressed, at=event)), done


def _key(info: str, first: int, start: InputEvent, events: tuple[InputEvent, ...], *, last: int) -> Gesture:
    return Gesture(kind="press_key", first=first, last=last, start=start, events=events, key_info=info)


def _text(state: ReductionState, event: InputEvent, text: str) -> _Result:
    run = state.opened("type")
    if run is not None:
        return replace(state, open=_typed(run, event, run.gesture.text + text, state.count)), []
    state, done = close_open(state)
    events = (*(held for held in state.held_events if held.key in _TYPING), event)
    typed = Gesture(kind="type", first=state.count, last=state.count, start=event, events=events, text=text)
    return replace(state, open=OpenGesture(gesture=typed, at=event, down=frozenset({event.key}))), done


def _typed(run: OpenGesture, event: InputEvent, text: str, number: int) -> OpenGesture:
    """Typing, one key later: its text is now this."""
    return replace(run.with_event(event, number, text=text), at=event, down=run.down | {event.key})


def _key_up(state: ReductionState, event: InputEvent) -> _Result:
    run = state.open
    if run is None:
        return state, []
    if event.key in run.down:
        return replace(state, open=replace(run.with_event(event, state.count), down=run.down - {event.key})), []
    if run.gesture.kind == "press_key" and event.key == run.at.key:
        return close_open(replace(state, open=run.with_event(event, state.count)))
    return state, []

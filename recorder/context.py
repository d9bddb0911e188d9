"""The context of a gesture: elements that programs report, the clipboard, the text that a field really got."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from demopack.domain.events import InputEvent
from demopack.domain.keys import PASTE_KEYS
from demopack.domain.steps import AccessibleElement
from demopack.reduction.gestures import Gesture
from demopack.reduction.steps import PendingStep
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource
from recorder.backends.x11.clipboard import X11Clipboard
from recorder.backends.x11.ping import X11Ping

CATCH_UP_TIMEOUT_S = 0.3
"""Longest wait for what programs have to say before a step is written."""
_MAX_VALUE_CHARS = 1000
_POINTED = frozenset({"click", "drag", "scroll", "hover"})
_MAX_INSERTED_RATIO = 4
"""An input method may make so many times more characters than keys were typed; more was not typed by the person."""
_POINTER_REST_NS = 60_000_000  # a pointer that is about to press something slows down first


class AccessibilityQueries:
    """Asks programs what lies under the pointer before it matters, and whether they respond, when they should.

    Used from the session's thread. What is asked at a rest is answered before the press changes anything.
    """

    def __init__(self, access: AccessSource, pings: X11Ping | None = None) -> None:
        self._access = access
        self._pings = pings
        self._moved: InputEvent | None = None
        self._asked: tuple[int, int] | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether the pointer has moved and may be about to rest."""
        return self._moved is not None and self._access.available

    def note(self, event: InputEvent) -> None:
        """An event came in."""
        if self._pings is not None and event.kind in {"down", "scroll", "key_down"}:
            self._pings.ask(event.t_ns, None if event.kind == "key_down" else (event.x, event.y))
        if event.kind in {"down", "up", "key_down"}:
            self._access.note_input(event)
        if event.kind == "move":
            self._moved = event
        elif event.kind in {"down", "scroll"}:
            self._ask(event)

    def poll(self, now_ns: int) -> None:
        """Ask if the pointer rests now."""
        if self._moved is not None and now_ns - self._moved.t_ns > _POINTER_REST_NS:
            self._ask(self._moved)

    def _ask(self, event: InputEvent) -> None:
        self._moved = None
        at = (event.x, event.y)
        # What was asked at the rest is the answer to the press; afterwards the program may show something else.
        if event.kind != "down" or at != self._asked:
            self._access.ask(*at)
        self._asked = at if event.kind == "move" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureContext:
    """What is known about a gesture beside its pixels.

    Attributes:
        focused: the element that had the input when it began, with the value that it had then.
        pointed: the element under the pointer then.
        clipboard: the text that was pasted, or that was put on the clipboard meanwhile; None unless asked for.
        text: what is to be kept instead of the typed text; for a paste that is to become typing, the pasted text.
        responded: whether the program that was acted on responded; None when not known.
        fields_known: whether all secure fields were known that the program showed; False while typed text is held back,
            too; None when not known.
    """

    focused: AccessibleElement | None = None
    pointed: AccessibleElement | None = None
    clipboard: str | None = None
    text: str | None = None
    responded: bool | None = None
    fields_known: bool | None = None


class ContextProvider:
    """Finds out what was around a gesture. For the thread that writes steps: it waits for what programs have to say."""

    def __init__(
        self,
        access: AccessSource,
        *,
        settings: PrivacySettings,
        clipboard: X11Clipboard | None = None,
        pings: X11Ping | None = None,
    ) -> None:
        """Take the sources; starting and stopping them is the caller's.

        Args:
            access: who knows elements. It is used only if the settings allow it.
            settings: what may be asked and kept.
            clipboard: who knows the clipboard. It is used only if the settings ask for it.
            pings: who knows whether programs respond; None where nobody does.
        """
        self._access = access if settings.accessibility else AccessSource()
        self._clipboard = clipboard
        self._pings = pings
        self._settings = settings

    def describe(self, pending: PendingStep) -> GestureContext:
        """What was around this gesture; of a secure field neither value nor text nor clipboard."""
        started, ended = pending.gesture.start.t_ns, pending.last_ns
        idle = pending.gesture.kind in {"hover", "wait"}
        responded = None if self._pings is None or idle else self._pings.responded(started, ended)
        found = self._describe(pending)
        return replace(found, responded=responded, fields_known=self._access.fields_known(started, ended))

    def _describe(self, pending: PendingStep) -> GestureContext:
        gesture, started = pending.gesture, pending.gesture.start.t_ns
        ended = max(pending.until_ns, pending.last_ns)
        access = self._access
        access.catch_up(timeout_s=CATCH_UP_TIMEOUT_S, since_ns=ended)
        # What was told last goes on for ever where nobody tells any more.
        focused = self._focused(access, pending, ended) if access.available else None
        pointed = access.pointed(gesture.x, gesture.y, started) if gesture.kind in _POINTED else None
        if access.secure_between(started, ended) is not None:
            return GestureContext(focused=_short(focused), pointed=_short(pointed))
        text, clipboard = self._clips(gesture, started, ended)
        if gesture.kind == "type" and access.available:
            change = access.text_change(started, ended)
            text = read_back(gesture.text, before=change[0], after=change[1]) if change is not None else None
        return GestureContext(focused=_short(focused), pointed=_short(pointed), clipboard=clipboard, text=text)

    def _focused(self, access: AccessSource, pending: PendingStep, ended: int) -> AccessibleElement | None:
        """The element that had the input.

        The news that it has moved may be later than the first key. Typing moves it nowhere, so where something else has
        it in the end, that had it from the beginning.
        """
        first = access.focused(pending.gesture.start.t_ns)
        if pending.gesture.kind != "type":
            return first
        last = access.focused(pending.last_ns)
        if last is None or (
            first is not None and (first.role, first.name, first.box) == (last.role, last.name, last.box)
        ):
            return first
        change = access.text_change(pending.gesture.start.t_ns, ended)
        return last.model_copy(update={"value": change[0] if change is not None else ""})

    def _clips(self, gesture: Gesture, started: int, ended: int) -> tuple[str | None, str | None]:
        """The text that a paste typed, and the one to be kept beside the step."""
        if self._clipboard is None:
            return None, None
        pasted = gesture.kind == "press_key" and gesture.key_info in PASTE_KEYS
        text = self._clipboard.put_between(*((0, started) if pasted else (started, ended)))
        return (text if pasted and self._settings.paste_as_text else None), (text if self._settings.clipboard else None)


def _short(element: AccessibleElement | None) -> AccessibleElement | None:
    """The element, of a long text only the beginning."""
    if element is None or len(element.value) <= _MAX_VALUE_CHARS:
        return element
    return element.model_copy(update={"value": element.value[:_MAX_VALUE_CHARS]})


def read_back(typed: str, *, before: str, after: str) -> str | None:
    """The text to be kept instead of the typed one; None when the typed one is right.

    It is right when one of the two holds all characters of the other in their order, whatever their case: fields
    complete, format and capitalise what is typed, and reject characters. Everything else came from an input method, or
    was corrected by the program.

    Args:
        typed: the characters that the keys stand for.
        before: the field's value before the first key.
        after: its value after the last one.
    """
    if _was_put_in(typed, before, after):
        return None
    got = inserted(before, after, typed_length=len(typed))
    if not got or len(got) > _MAX_INSERTED_RATIO * max(len(typed), 4):
        return None
    a, b = _plain(typed), _plain(got)
    return None if _is_subsequence(a, b) or _is_subsequence(b, a) else got


def inserted(before: str, after: str, *, typed_length: int) -> str:
    """What was put in between ``before`` and ``after``: all but the beginning and the end that both share.

    Where something was replaced, the old and the new text may begin or end alike by chance; then the part is made
    longer, up to as many characters as were typed.
    """
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    got = len(after) - start - end
    if start + end < len(before) and got:
        widen = min(max(typed_length - got, 0), start)
        start -= widen
        end -= min(max(typed_length - got - widen, 0), end)
    return after[start : len(after) - end]


def _was_put_in(typed: str, before: str, after: str) -> bool:
    """Whether a text became the other one by what was typed, in the place of none or some of its characters."""
    at = after.find(typed)
    while at >= 0:
        rest = after[at + len(typed) :]
        if before.startswith(after[:at]) and before[at:].endswith(rest):
            return True
        at = after.find(typed, at + 1)
    return False


def _common(a: str, b: str) -> int:
    """How many characters two texts share at their beginning."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((n for n, (left, right) in pairs if left != right), min(len(a), len(b)))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(character in rest for character in short)

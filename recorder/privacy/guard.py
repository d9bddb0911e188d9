"""Keeps secrets out of a recording at capture: before anything is written, not afterwards.

Four things are left out: what is done in blocked applications, windows and regions; what is typed while a secure
field has the input; what is typed while nobody tells any more which fields are secure; typed text that looks like a
secret. The pixels of blocked windows, blocked regions and secure
fields are painted over by whoever stores a look, with the boxes that :meth:`Guard.covers` gives.

What programs tell about their fields arrives late, so a text is judged when it is about to be written. Where the
accessibility interface has never answered, nothing is invented: then there are no secure fields, and the lists and the
rule for typed text are all there is, unless the person wants everything held back.
"""

from __future__ import annotations

import math
from dataclasses import replace

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource
from recorder.pairing import Draft
from recorder.privacy.blocked import Blocked
from recorder.privacy.focus import FocusMoves, Span
from recorder.privacy.hiding import Hiding
from recorder.privacy.secrecy import Secrets, edits_only, enters_text, hushed, label_of, placeholder, typed
from recorder.privacy.text_hold import TextHold
from recorder.screen.frames import Look
from recorder.surroundings import Surroundings

__all__ = ["Guard"]

_CATCH_UP_S = 0.3
_MARGIN_NS = 300_000_000  # a field is told of a little after it can be seen
_FRAME_PX = 2  # what a field draws around itself, where nothing is scaled
_AT_ONCE_NS = 250_000_000
_RECENT_NS = 1_000_000_000
_KEYBOARD = frozenset({"type", "press_key"})
_IDLE = frozenset({"hover", "wait"})
_HELD_BACK = AccessibleElement(role="", name="text", secure=True)

_FieldName = tuple[str, str, str]


class Guard:
    """Decides what a recording must not hold. :meth:`hides` is for the session's thread, the rest for the writer's.

    Attributes:
        secrets_hidden: texts that were not stored because they were secret.
    """

    def __init__(self, settings: PrivacySettings, *, access: AccessSource | None, hold: TextHold | None = None) -> None:
        """Take the user's lists.

        Args:
            settings: what is blocked, and whether typed secrets are hidden.
            access: who knows secure fields; None where nobody does. It is used only if the settings allow it.
            hold: says which texts are held back although no secure field is known; None for none.
        """
        self.secrets_hidden = 0
        self._hold = hold
        self._access = access if settings.accessibility else None
        self._blocked = Blocked(settings)
        self._hiding = Hiding(self._blocked)
        self._moves = FocusMoves()
        self._secrets = Secrets(recognised=settings.hide_secrets)
        self._caught_up_ns = 0
        self._field: _FieldName | None = None
        self._entered = ""

    # The session's thread ---------------------------------------------------------------------------------------

    def hides(self, event: InputEvent, look: Look | None) -> bool:
        """Whether the event must leave nothing; call it once for each event, in their order.

        Args:
            event: the event.
            look: the newest look before it, which knows where the windows were.
        """
        self._moves.note(event)
        return bool(self._blocked) and self._hiding.hides(event, look)

    # The writer's thread ----------------------------------------------------------------------------------------

    def scrub(self, draft: Draft) -> Draft | None:
        """The draft without secrets and without the titles of blocked windows.

        One stay in a secure field becomes one step, ``<secret:name>`` typed: what is corrected there belongs to it.

        Returns:
            The draft to be stored; None when it leaves no step: it was done in something blocked, or it belongs to the
            secret before it.
        """
        self._catch_up(max(draft.until_ns, draft.last_ns))
        if self._in_blocked(draft):
            return None
        draft = replace(draft, before=self.scrub_look(draft.before), after=self.scrub_look(draft.after))
        if draft.gesture.kind not in _KEYBOARD:
            if draft.gesture.kind not in _IDLE:
                self._field = None
            return draft
        field = self._secret_field(draft)
        return self._plain(draft) if field is None else self._secret(draft, field)

    def scrub_look(self, look: Look | None) -> Look | None:
        """A look whose window may be stored: of a blocked one nothing is told, and no title holds a secret.

        What has to be covered on its picture is the same as before.
        """
        if look is None or look.window is None:
            return look
        if not self._blocked.window(look.window):
            title = self.clean_text(look.window.title)
            return replace(look, window=look.window.model_copy(update={"title": title}))
        # Where the system does not tell the windows, this one must still be known for its pixels to be covered.
        stack = look.stack or (look.window,)
        return replace(look, window=WindowInfo(), stack=stack)

    def covers(self, look: Look) -> tuple[Rect, ...]:
        """What must be painted over before this look is stored: boxes in pixels of the virtual desktop.

        They are the blocked regions, the visible parts of blocked windows, and every secure field that could be seen
        at about that time. The same picture may need other boxes at another time.
        """
        found = self._blocked.boxes(look) if self._blocked else []
        access = self._access
        if access is not None:
            if self._caught_up_ns < look.ended_ns:
                self._catch_up(look.ended_ns)
            secure = access.secure_boxes(look.started_ns - _MARGIN_NS, look.ended_ns + _MARGIN_NS)
            margin = math.ceil(_FRAME_PX * look.picture.grab.scale_factor)
            found += [_grown(box, margin) for box in secure if box.area]
        return tuple(dict.fromkeys(found))

    def clean_text(self, text: str) -> str:
        """A text that a program or the clipboard told, with ``<secret:...>`` for every secret in it."""
        return self._secrets.hide(text)[0]

    def clean_element(self, element: AccessibleElement | None) -> AccessibleElement | None:
        """An element as it may be stored: without secrets, and without any value where it is a secure field.

        None for an element of a blocked application or in a blocked region.
        """
        if element is None or self._blocked.element(element):
            return None
        value = "" if element.secure else self.clean_text(element.value)
        return element.model_copy(update={"name": self.clean_text(element.name), "value": value})

    def clean(self, around: Surroundings, draft: Draft) -> Surroundings:
        """What was around a draft as it may be stored; ``draft`` may be scrubbed already.

        While a secure field had the input, what was pasted is the secret, and so is what the field holds; while texts
        are held back, that is so for every field, and pictures may show what was typed.
        """
        is_held = self._is_held(draft)
        is_secret = draft.gesture.kind in _KEYBOARD and (is_held or self._secure_field(self._span(draft)) is not None)
        return replace(
            around,
            focused=_without_value(self.clean_element(around.focused), hidden=is_held),
            pointed=_without_value(self.clean_element(around.pointed), hidden=is_held),
            clipboard=None if is_secret or around.clipboard is None else self.clean_text(around.clipboard),
            text=None if is_secret or around.text is None else self.clean_text(around.text),
            fields_known=False if is_held else around.fields_known,
        )

    def holds_text(self, first_ns: int, last_ns: int) -> bool:
        """Whether text is held back that was typed between the two, although pictures of then may show it."""
        return self._hold is not None and self._hold.holds(first_ns, last_ns)

    # Small parts ------------------------------------------------------------------------------------------------

    def _catch_up(self, until_ns: int) -> None:
        if self._access is not None and self._access.available:
            self._access.catch_up(timeout_s=_CATCH_UP_S, since_ns=until_ns)
            self._caught_up_ns = max(self._caught_up_ns, until_ns)

    def _in_blocked(self, draft: Draft) -> bool:
        """Whether it was done in something blocked that came up so shortly before that :meth:`hides` did not know."""
        if not self._blocked:
            return False
        gesture = draft.gesture
        if gesture.kind == "wait":
            return False
        if gesture.kind not in _KEYBOARD:
            x, y, at_ns = gesture.x, gesture.y, gesture.start.t_ns
            seen = any(self._blocked.point(x, y, look) for look in (draft.before, draft.after))
            return seen or self._hiding.was_at(x, y, at_ns, at_ns + _AT_ONCE_NS)
        if gesture.kind == "type":
            span = self._span(draft)
            is_shown = draft.after is not None and self._blocked.window(draft.after.window)
            if is_shown or self._hiding.had_keys(span.first_ns, span.until_ns):
                return True
        times = (gesture.start.t_ns, draft.last_ns)
        return self._access is not None and any(self._blocked.element(self._access.focused(t)) for t in times)

    def _span(self, draft: Draft) -> Span:
        gesture = draft.gesture
        presses = [event.t_ns for event in gesture.events if event.kind == "key_down"]
        last = max(presses, default=draft.last_ns)
        return self._moves.span(gesture.start.t_ns, last, until_ns=max(draft.until_ns, draft.last_ns))

    def _secret_field(self, draft: Draft) -> AccessibleElement | None:
        """What stands for the field that the keys went to, where what was typed must not be stored."""
        return self._secure_field(self._span(draft)) or (_HELD_BACK if self._is_held(draft) else None)

    def _is_held(self, draft: Draft) -> bool:
        return self.holds_text(draft.gesture.start.t_ns, draft.last_ns)

    def _secure_field(self, span: Span) -> AccessibleElement | None:
        """The secure field that the keys of this span went to."""
        access = self._access
        if access is None:
            return None
        released = self._hold is not None and self._hold.is_released(span.first_ns)
        found = None if released else access.secure_between(span.first_ns, span.until_ns)
        if found is not None:
            return None if _left_before(span, found, access) else found
        # The program may be slow to tell of its focus; where its secure fields are it has told long ago.
        press = span.moved_by
        inside = (
            press is not None and press.kind == "down" and _is_in(press, access.secure_boxes(press.t_ns, span.until_ns))
        )
        moved_ns = None if press is None else press.t_ns
        # A field of which nobody tells what it is may be one, unless the person has said that it is none.
        hides = inside or (not released and access.unknown_between(span.first_ns, span.last_ns, moved_ns=moved_ns))
        return AccessibleElement(role="", secure=True) if hides else None

    def _plain(self, draft: Draft) -> Draft:
        """Typed into an ordinary field; what looks like a secret is one all the same."""
        self._field = None
        gesture = draft.gesture
        if gesture.kind != "type":
            return draft
        text, count = self._secrets.hide(gesture.text)
        # What was typed and taken back again is still in the raw events.
        if not count and not self._secrets.hide(typed(gesture.events))[1]:
            return draft
        self.secrets_hidden += count
        return replace(draft, gesture=hushed(replace(gesture, text=text)))

    def _secret(self, draft: Draft, field: AccessibleElement) -> Draft | None:
        gesture, where = draft.gesture, (field.app, field.role, field.name)
        goes_on = self._field == where
        if edits_only(gesture):
            return None if goes_on else draft
        if not enters_text(gesture):
            self._field = None
            return draft
        name = label_of(field.name)
        self._entered = self._entered + gesture.text if goes_on else gesture.text
        for secret in (gesture.text, typed(gesture.events), self._entered):
            self._secrets.add(secret, name=name)
        self._field = where
        if goes_on:
            return None
        self.secrets_hidden += 1
        hidden = replace(gesture, kind="type", text=placeholder(name), key_info="", presses=1)
        return replace(draft, gesture=hushed(hidden))


def _left_before(span: Span, field: AccessibleElement, access: AccessSource) -> bool:
    """Whether the input had left the secure field before the first key, and the program was only slow to say so.

    It had, if a key or press that may have moved the focus came just before, the field was the one that had the input
    before that, and soon after the first key, as at the end, another field is known to have it.
    """
    moved = span.moved_by
    if moved is None or span.first_ns - moved.t_ns > _RECENT_NS:
        return False
    if moved.kind == "down" and _is_in(moved, access.secure_boxes(moved.t_ns, span.until_ns)):
        return False
    old = access.focused(moved.t_ns)
    if old is None or not old.secure or (old.app, old.name) != (field.app, field.name):
        return False
    soon = access.focused(min(span.first_ns + _AT_ONCE_NS, span.until_ns))
    end = access.focused(span.until_ns)
    return all(element is not None and not element.secure for element in (soon, end))


def _without_value(element: AccessibleElement | None, *, hidden: bool) -> AccessibleElement | None:
    return element.model_copy(update={"value": ""}) if hidden and element is not None else element


def _is_in(press: InputEvent, boxes: tuple[Rect, ...]) -> bool:
    return any(box.contains(Point(press.x, press.y)) for box in boxes)


def _grown(box: Rect, margin: int) -> Rect:
    return Rect(box.x1 - margin, box.y1 - margin, box.x2 + margin, box.y2 + margin)

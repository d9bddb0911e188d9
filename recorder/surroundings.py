"""What was around a gesture: the elements that programs told about, the clipboard, the text a field really got."""

from __future__ import annotations

from dataclasses import dataclass, replace

from demopack.domain.steps import AccessibleElement
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource, ClipboardSource, PingSource
from recorder.pairing import Draft
from recorder.readback import read_back
from recorder.reduction.gestures import Gesture

__all__ = ["Surroundings", "Witness"]

_CATCH_UP_S = 0.3
_MAX_VALUE = 1000
_PASTES = frozenset({"Ctrl+V", "Ctrl+Shift+V", "Shift+Insert", "Meta+V"})
_POINTED = frozenset({"click", "drag", "scroll", "hover"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
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


class Witness:
    """Tells what was around a gesture. For the thread that writes steps: it waits for what programs have to say."""

    def __init__(
        self,
        access: AccessSource | None,
        *,
        settings: PrivacySettings,
        clipboard: ClipboardSource | None = None,
        pings: PingSource | None = None,
    ) -> None:
        """Take the sources; starting and stopping them is the caller's.

        Args:
            access: who knows elements; None where nobody does. It is used only if the settings allow it.
            settings: what may be asked and kept.
            clipboard: who knows the clipboard. It is used only if the settings ask for it.
            pings: who knows whether programs respond; None where nobody does.
        """
        self._access = access if settings.accessibility else None
        self._clipboard = clipboard
        self._pings = pings
        self._keep = settings.clipboard
        self._paste_as_text = settings.paste_as_text

    def describe(self, draft: Draft) -> Surroundings:
        """What was around this gesture; of a secure field neither value nor text nor clipboard."""
        started, ended = draft.gesture.start.t_ns, draft.last_ns
        idle = draft.gesture.kind in {"hover", "wait"}
        responded = None if self._pings is None or idle else self._pings.responded(started, ended)
        found = self._describe(draft)
        known = None if self._access is None else self._access.fields_known(started, ended)
        return replace(found, responded=responded, fields_known=known)

    def _describe(self, draft: Draft) -> Surroundings:
        gesture, started = draft.gesture, draft.gesture.start.t_ns
        ended = max(draft.until_ns, draft.last_ns)
        access = self._access
        if access is None:
            pasted, clipboard = self._clips(gesture, started, ended)
            return Surroundings(clipboard=clipboard, text=pasted)
        access.catch_up(timeout_s=_CATCH_UP_S, since_ns=ended)
        # What was told last goes on for ever where nobody tells any more.
        focused = self._focused(access, draft, ended) if access.available else None
        pointed = access.pointed(gesture.x, gesture.y, started) if gesture.kind in _POINTED else None
        if access.secure_between(started, ended) is not None:
            return Surroundings(focused=_short(focused), pointed=_short(pointed))
        text, clipboard = self._clips(gesture, started, ended)
        if gesture.kind == "type" and access.available:
            change = access.text_change(started, ended)
            text = read_back(gesture.text, before=change[0], after=change[1]) if change is not None else None
        return Surroundings(focused=_short(focused), pointed=_short(pointed), clipboard=clipboard, text=text)

    def _focused(self, access: AccessSource, draft: Draft, ended: int) -> AccessibleElement | None:
        """The element that had the input.

        The news that it has moved may be later than the first key. Typing moves it nowhere, so where something else has
        it in the end, that had it from the beginning.
        """
        first = access.focused(draft.gesture.start.t_ns)
        if draft.gesture.kind != "type":
            return first
        last = access.focused(draft.last_ns)
        if last is None or (
            first is not None and (first.role, first.name, first.box) == (last.role, last.name, last.box)
        ):
            return first
        change = access.text_change(draft.gesture.start.t_ns, ended)
        return last.model_copy(update={"value": change[0] if change is not None else ""})

    def _clips(self, gesture: Gesture, started: int, ended: int) -> tuple[str | None, str | None]:
        """The text that a paste typed, and the one to be kept beside the step."""
        if self._clipboard is None:
            return None, None
        pasted = gesture.kind == "press_key" and gesture.key_info in _PASTES
        text = self._clipboard.text_at(started) if pasted else self._clipboard.put_between(started, ended)
        return (text if pasted and self._paste_as_text else None), (text if self._keep else None)


def _short(element: AccessibleElement | None) -> AccessibleElement | None:
    """The element, of a long text only the beginning."""
    if element is None or len(element.value) <= _MAX_VALUE:
        return element
    return element.model_copy(update={"value": element.value[:_MAX_VALUE]})

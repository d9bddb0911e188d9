"""Filter that keeps secrets out of a recording at capture: before anything is written, not afterwards.

Four things are left out: what is done in blocked applications, windows and regions; what is typed while a secure
field has the input; what is typed while nobody tells any more which fields are secure; typed text that looks like a
secret. The pixels of blocked windows, blocked regions and secure
fields are painted over by whoever stores a snapshot, with the boxes that :meth:`PrivacyFilter.boxes_to_mask` gives.

What programs tell about their fields arrives late, so a text is judged when it is about to be written. Where the
accessibility interface has never answered, nothing is invented: then there are no secure fields, and the lists and the
rule for typed text are all there is, unless the person wants everything held back.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Snapshot
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.domain.trees import TreeNode, WindowTree, without_covered
from demopack.reduction.steps import PendingStep
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource, SeenWindow
from recorder.backends.element_history import may_move_focus
from recorder.context import CATCH_UP_TIMEOUT_S, GestureContext
from recorder.privacy.blocked import BlockedInputFilter, BlockList
from recorder.privacy.text_hold import MAX_REPORT_DELAY_NS, TextHold
from recorder.privacy.typed_secrets import (
    TypedSecrets,
    edits_only,
    enters_text,
    label_of,
    placeholder,
    typed_characters,
    without_keystrokes,
)

_FIELD_MARGIN_NS = 300_000_000  # a field is told of a little after it can be seen
_FIELD_FRAME_PX = 2  # what a field draws around itself, where nothing is scaled
_AT_ONCE_NS = 250_000_000
_SEEN_LATE_NS = 1_000_000_000  # a busy machine takes so long to show a window that was there when it was pressed
_RECENT_MOVE_NS = 1_000_000_000
_KEYBOARD = frozenset({"type", "press_key"})
_IDLE = frozenset({"hover", "wait"})
_HELD_BACK = AccessibleElement(role="", name="text", secure=True)
_UNTOLD = AccessibleElement(role="", secure=True)  # a field of which no program has said that it had the input


@dataclass(frozen=True, slots=True)
class _Stay:
    """A stay in a secure field: the names of the field, all empty while no program has named it, and what led there."""

    field: tuple[str, str, str]
    moved_by: InputEvent | None

    def goes_on(self, before: _Stay | None) -> bool:
        """Whether it is the same stay as the one before, which a program may have named only in its course."""
        if before is None or self.field == before.field:
            return before is not None
        return not (any(self.field) and any(before.field)) and self.moved_by == before.moved_by


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusSpan:
    """The time in which one field had the input, as far as the input itself tells.

    Attributes:
        first_ns: first key.
        last_ns: last key.
        until_ns: the next input that may have moved the focus, or the longest time that news takes.
        moved_by: the input that may have brought the focus to the field; None when it is too long ago to be known.
    """

    first_ns: int
    last_ns: int
    until_ns: int
    moved_by: InputEvent | None


class FocusHistory:
    """Remembers the recent presses, and keys that go to another field. One thread notes, another asks."""

    def __init__(self, *, limit: int = 512) -> None:
        self._events: deque[InputEvent] = deque(maxlen=limit)
        self._newest_ns = 0
        self._lock = threading.Lock()

    def note(self, event: InputEvent) -> None:
        """Take in an event, in the order in which they came."""
        self._newest_ns = event.t_ns
        if may_move_focus(event):
            with self._lock:
                self._events.append(event)

    def span(self, first_ns: int, last_ns: int, *, until_ns: int) -> FocusSpan:
        """The span of keys that were pressed from ``first_ns`` to ``last_ns``.

        Args:
            first_ns: the first key.
            last_ns: the last press of a key, not its release.
            until_ns: where no input has been noted at all, the end.
        """
        if self._newest_ns < first_ns:
            return FocusSpan(first_ns=first_ns, last_ns=last_ns, until_ns=until_ns, moved_by=None)
        with self._lock:
            events = list(self._events)
        after = next((event.t_ns for event in events if event.t_ns > last_ns), last_ns + MAX_REPORT_DELAY_NS)
        before = [event for event in events if event.t_ns < first_ns]
        return FocusSpan(
            first_ns=first_ns,
            last_ns=last_ns,
            until_ns=min(after, last_ns + MAX_REPORT_DELAY_NS),
            moved_by=before[-1] if before else None,
        )


class PrivacyFilter:
    """Decides what a recording must not hold. :meth:`hides` is for the session's thread, the rest for the writer's.

    Attributes:
        secrets_hidden: texts that were not stored because they were secret.
    """

    def __init__(self, settings: PrivacySettings, *, access: AccessSource, hold: TextHold | None = None) -> None:
        """Take the user's lists.

        Args:
            settings: what is blocked, and whether typed secrets are hidden.
            access: who knows secure fields. It is used only if the settings allow it.
            hold: says which texts are held back although no secure field is known; None for none.
        """
        self.secrets_hidden = 0
        self._hold = hold or TextHold(AccessSource())
        self._access = access if settings.accessibility else AccessSource()
        self._blocked = BlockList(settings)
        self._hiding = BlockedInputFilter(self._blocked)
        self._moves = FocusHistory()
        self._secrets = TypedSecrets(recognised=settings.hide_secrets)
        self._caught_up_ns = 0
        self._stay: _Stay | None = None
        self._entered = ""

    # The session's thread ---------------------------------------------------------------------------------------

    def hides(self, event: InputEvent, snapshot: Snapshot | None) -> bool:
        """Whether the event must leave nothing; call it once for each event, in their order.

        Args:
            event: the event.
            snapshot: the newest snapshot before it, which knows where the windows were.
        """
        self._moves.note(event)
        return bool(self._blocked) and self._hiding.hides(event, snapshot)

    # The writer's thread ----------------------------------------------------------------------------------------

    def scrub(self, pending: PendingStep) -> PendingStep | None:
        """The pending step without secrets and without the titles of blocked windows.

        One stay in a secure field becomes one step, ``<secret:name>`` typed: what is corrected there belongs to it.

        Returns:
            The pending step to be stored; None when it leaves no step: it was done in something blocked, or it belongs
            to the secret before it.
        """
        self._catch_up(max(pending.until_ns, pending.last_ns))
        if self._in_blocked(pending):
            return None
        pending = replace(pending, before=self.scrub_snapshot(pending.before), after=self.scrub_snapshot(pending.after))
        if pending.gesture.kind not in _KEYBOARD:
            if pending.gesture.kind not in _IDLE:
                self._stay = None
            return pending
        # What stands for the field that the keys went to, where what was typed must not be stored.
        field = self._secure_field(pending) or (_HELD_BACK if self._is_held(pending) else None)
        return self._plain(pending) if field is None else self._secret(pending, field)

    def scrub_snapshot(self, snapshot: Snapshot | None) -> Snapshot | None:
        """A snapshot whose window may be stored: of a blocked one nothing is told, and no title holds a secret.

        What has to be covered on its picture is the same as before.
        """
        if snapshot is None or snapshot.window is None:
            return snapshot
        if not self._blocked.window(snapshot.window):
            title = self.clean_text(snapshot.window.title)
            return replace(snapshot, window=snapshot.window.model_copy(update={"title": title}))
        # Where the system does not tell the windows, this one must still be known for its pixels to be covered.
        stack = snapshot.stack or (snapshot.window,)
        return replace(snapshot, window=WindowInfo(), stack=stack)

    def boxes_to_mask(self, snapshot: Snapshot) -> tuple[Rect, ...]:
        """What must be painted over before this snapshot is stored: boxes in pixels of the virtual desktop.

        They are the blocked regions, the visible parts of blocked windows, and every secure field that could be seen
        at about that time. The same picture may need other boxes at another time.
        """
        found = self._blocked.boxes(snapshot) if self._blocked else []
        if self._caught_up_ns < snapshot.ended_ns:
            self._catch_up(snapshot.ended_ns)
        started_ns, ended_ns = snapshot.started_ns - _FIELD_MARGIN_NS, snapshot.ended_ns + _FIELD_MARGIN_NS
        # The field may lie on any of them, and what is painted over too much harms nobody.
        screenshot = snapshot.screenshot
        scale = max([screenshot.scale_factor, *(monitor.scale_factor for monitor in screenshot.monitors)])
        margin = math.ceil(_FIELD_FRAME_PX * scale)
        found += [box.grown(margin) for box in self._access.secure_boxes(started_ns, ended_ns) if box.area]
        return tuple(dict.fromkeys(found))

    def clean_text(self, text: str) -> str:
        """A text that a program or the clipboard told, with ``<secret:...>`` for every secret in it."""
        return self._secrets.hide(text)[0]

    def clean_element(self, element: AccessibleElement | None, *, hidden: bool = False) -> AccessibleElement | None:
        """An element as it may be stored: without secrets; without any value where it is a secure field or ``hidden``.

        None for an element of a blocked application or in a blocked region.
        """
        if element is None or self._blocked.element(element):
            return None
        value = "" if element.secure or hidden else self.clean_text(element.value)
        return element.model_copy(update={"name": self.clean_text(element.name), "value": value})

    def clean_tree(self, tree: WindowTree, *, covered: Sequence[Rect], pending: PendingStep) -> WindowTree:
        """A window's tree as it may be stored.

        Secrets are replaced in every text. A node in a blocked region, or under what is painted over, and one whose
        place nobody knows where anything of its window is painted over, says nothing but its role. While texts are
        held back no field has a value. Of a window that is blocked by now nothing is told.

        Args:
            tree: as it was read.
            covered: boxes of the virtual desktop that are painted over on the picture.
            pending: the step whose picture it belongs to; may be scrubbed already.
        """
        held = self._is_held(pending)
        if self._blocked.window(WindowInfo(app=tree.app, title=tree.title, box=tree.box)):
            return WindowTree(box=tree.box, complete=False)
        tree = without_covered(tree, [*covered, *self._blocked.regions])
        nodes = tuple(self._clean_node(node, held=held) for node in tree.nodes)
        return tree.model_copy(update={"title": self.clean_text(tree.title), "nodes": nodes})

    def _clean_node(self, node: TreeNode, *, held: bool) -> TreeNode:
        texts = {name: self.clean_text(text) for name in _NODE_TEXTS if (text := getattr(node, name))}
        if node.secure or (held and "editable" in node.states):
            texts["value"] = ""
        lines = tuple(line.model_copy(update={"text": self.clean_text(line.text)}) for line in node.lines)
        return node.model_copy(update={**texts, "lines": () if node.secure or held else lines})

    def clean(self, around: GestureContext, pending: PendingStep) -> GestureContext:
        """What was around a pending step as it may be stored; ``pending`` may be scrubbed already.

        While a secure field had the input, what was pasted is the secret, and so is what the field holds; while texts
        are held back, that is so for every field, and pictures may show what was typed.
        """
        is_held = self._is_held(pending)
        is_secret = pending.gesture.kind in _KEYBOARD and (is_held or self._secure_field(pending) is not None)
        return replace(
            around,
            focused=self.clean_element(around.focused, hidden=is_held),
            pointed=self.clean_element(around.pointed, hidden=is_held),
            clipboard=None if is_secret or around.clipboard is None else self.clean_text(around.clipboard),
            text=None if is_secret or around.text is None else self.clean_text(around.text),
            fields_known=False if is_held else around.fields_known,
        )

    def holds_text(self, first_ns: int, last_ns: int) -> bool:
        """Whether text is held back that was typed between the two, although pictures of then may show it."""
        return self._hold.holds(first_ns, last_ns)

    # Small parts ------------------------------------------------------------------------------------------------

    def _catch_up(self, until_ns: int) -> None:
        if self._access.available:
            self._access.catch_up(timeout_s=CATCH_UP_TIMEOUT_S, since_ns=until_ns)
            self._caught_up_ns = max(self._caught_up_ns, until_ns)

    def _in_blocked(self, pending: PendingStep) -> bool:
        """Whether it was done in something blocked that came up so shortly before that :meth:`hides` did not know."""
        if not self._blocked:
            return False
        gesture = pending.gesture
        if gesture.kind == "wait":
            return False
        if gesture.kind not in _KEYBOARD:
            x, y, at_ns = gesture.x, gesture.y, gesture.start.t_ns
            seen = any(self._blocked.point(x, y, snapshot) for snapshot in (pending.before, pending.after))
            return seen or self._hiding.was_at(x, y, at_ns, at_ns + _SEEN_LATE_NS)
        if gesture.kind == "type":
            span = self._span(pending)
            is_shown = pending.after is not None and self._blocked.window(pending.after.window)
            if is_shown or self._hiding.had_keys(span.first_ns, span.until_ns):
                return True
        times = (gesture.start.t_ns, pending.last_ns)
        return any(self._blocked.element(self._access.focused(t)) for t in times)

    def _span(self, pending: PendingStep) -> FocusSpan:
        gesture = pending.gesture
        presses = [event.t_ns for event in gesture.events if event.kind == "key_down"]
        last = max(presses, default=pending.last_ns)
        return self._moves.span(gesture.start.t_ns, last, until_ns=max(pending.until_ns, pending.last_ns))

    def _is_held(self, pending: PendingStep) -> bool:
        return self.holds_text(pending.gesture.start.t_ns, pending.last_ns)

    def _secure_field(self, pending: PendingStep) -> AccessibleElement | None:
        """The secure field that what was typed went to."""
        access, span = self._access, self._span(pending)
        released = self._hold.is_released(span.first_ns)
        if not released and access.secure_between(span.first_ns, span.until_ns) is not None:
            return self._told_field(span)
        # The program may be slow to tell of its focus; where its secure fields are it has told long ago.
        press = span.moved_by
        if press is not None and press.kind == "down" and _is_in(press, access, until_ns=span.until_ns):
            return _UNTOLD
        if released:
            return None  # the person has said that no field is one
        moved_ns = None if press is None else press.t_ns
        process = _process_with_input(pending)
        if access.unknown_between(span.first_ns, span.last_ns, moved_ns=moved_ns, process=process):
            return _UNTOLD
        return self._told_field(span)  # it may have told while it was waited for

    def _told_field(self, span: FocusSpan) -> AccessibleElement | None:
        """The secure field that a program said to have had the input, unless the keys came after it had left."""
        found = self._access.secure_between(span.first_ns, span.until_ns)
        return None if found is None or _left_before(span, found, self._access) else found

    def _plain(self, pending: PendingStep) -> PendingStep:
        """Typed into an ordinary field; what looks like a secret is one all the same."""
        self._stay = None
        gesture = pending.gesture
        if gesture.kind != "type":
            return pending
        text, count = self._secrets.hide(gesture.text)
        # What was typed and taken back again is still in the raw events.
        if not count and not self._secrets.hide(typed_characters(gesture.events))[1]:
            return pending
        self.secrets_hidden += count
        return replace(pending, gesture=without_keystrokes(replace(gesture, text=text)))

    def _secret(self, pending: PendingStep, field: AccessibleElement) -> PendingStep | None:
        gesture = pending.gesture
        stay = _Stay((field.app, field.role, field.name), self._span(pending).moved_by)
        goes_on = stay.goes_on(self._stay)
        if edits_only(gesture):
            return None if goes_on else pending
        if not enters_text(gesture):
            self._stay = None
            return pending
        name = label_of(field.name)
        self._entered = self._entered + gesture.text if goes_on else gesture.text
        for secret in (gesture.text, typed_characters(gesture.events), self._entered):
            self._secrets.add(secret, name=name)
        self._stay = stay
        if goes_on:
            return None
        self.secrets_hidden += 1
        hidden = replace(gesture, kind="type", text=placeholder(name), key_info="", presses=1)
        return replace(pending, gesture=without_keystrokes(hidden))


def _left_before(span: FocusSpan, field: AccessibleElement, access: AccessSource) -> bool:
    """Whether the input had left the secure field before the first key, and the program was only slow to say so.

    It had, if a key or press that may have moved the focus came just before, the field was the one that had the input
    before that, and soon after the first key, as at the end, another field is known to have it.
    """
    moved = span.moved_by
    if moved is None or span.first_ns - moved.t_ns > _RECENT_MOVE_NS:
        return False
    if moved.kind == "down" and _is_in(moved, access, until_ns=span.until_ns):
        return False
    old = access.focused(moved.t_ns)
    if old is None or not old.secure or (old.app, old.name) != (field.app, field.name):
        return False
    soon = access.focused(min(span.first_ns + _AT_ONCE_NS, span.until_ns))
    end = access.focused(span.until_ns)
    return all(element is not None and not element.secure for element in (soon, end))


def _process_with_input(pending: PendingStep) -> int:
    """The process of the window that had the input as a step began; 0 when unknown."""
    snapshot = pending.before or pending.after
    if snapshot is None or snapshot.window is None:
        return 0
    named = (snapshot.window.app, snapshot.window.box)
    stack = (window for window in snapshot.stack if isinstance(window, SeenWindow))
    return next((window.process for window in stack if (window.app, window.box) == named), 0)


_NODE_TEXTS = ("name", "description", "value", "placeholder", "keys")


def _is_in(press: InputEvent, access: AccessSource, *, until_ns: int) -> bool:
    """Whether a press was in a secure field that could be seen from then on at some time."""
    return any(box.contains(Point(press.x, press.y)) for box in access.secure_boxes(press.t_ns, until_ns))

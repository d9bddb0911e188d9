"""Clipboard that two X servers share: what is copied on one can be pasted on the other, in every form it is offered in.

Nothing is read before somebody pastes it: each side owns the clipboard on behalf of the other's program, and passes
questions on.
"""

from __future__ import annotations

import contextlib
import select
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.errors import CaptureError
from recorder.backends.x11.xlib import cut, open_display, server_errors, xlib

_CHUNK_BYTES: Final = 200_000  # well below what every server takes in one request
_MAX_BYTES: Final = 256_000_000
_MAX_QUESTIONS: Final = 32
_NEW_OWNER, _OWNER_GONE, _OWNER_CLOSED = 1, 2, 4
_OWN_TARGETS: Final = frozenset({"TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE", "SAVE_TARGETS", "INSERT_SELECTION"})
_UNTOLD: Final = ("UTF8_STRING", "STRING")


@dataclass(slots=True)
class _Content:
    """What an owner answered: bytes of a form, or a list of names."""

    kind: str
    width: int
    data: bytes


@dataclass(slots=True)
class _Question:
    """A form that was asked for on one side, until the program on the other side has answered."""

    target: str
    answer: Callable[[_Content | None], None]
    parts: list[bytes] = field(default_factory=list[bytes])
    kind: str = ""
    width: int = 8


@dataclass(slots=True)
class _Delivery:
    """A content that is too large for one request, on its way to the program that pastes it."""

    window: Any
    atom: int
    content: _Content
    sent: int = 0


class ClipboardBridge:
    """Runs in a thread of its own from :meth:`start` to :meth:`stop`, or until one of the servers ends."""

    def __init__(self, one: str, other: str) -> None:
        """Join two servers, named as in ``DISPLAY``; what is on the clipboard of ``one`` counts at the beginning."""
        self._names = (one, other)
        self._sides: list[Side] = []
        self._thread = threading.Thread(target=self._run, name="clipboard-bridge", daemon=True)

    def start(self) -> None:
        """Connect to both servers, and begin.

        Raises:
            CaptureError: one of them cannot be reached.
        """
        for name in self._names:
            try:
                self._sides.append(Side(name))
            except BaseException:
                self.stop()
                raise
        one, other = self._sides
        one.other, other.other = other, one
        one.read_owner()
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it passes anything on."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the thread and the connections; calling it twice is harmless."""
        for side in self._sides:
            cut(side.display)
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        for side in self._sides:
            with contextlib.suppress(*server_errors()):
                side.display.close()
        self._sides.clear()

    def _run(self) -> None:
        sides = {side.display.fileno(): side for side in self._sides}
        with contextlib.suppress(*server_errors()):
            while True:
                # Requests of one side are often asked while an event of the other is read.
                for side in sides.values():
                    side.catch_up()
                for side in sides.values():
                    side.display.flush()
                if not any(side.display.pending_events() for side in sides.values()):
                    select.select(list(sides), [], [])


class Side:
    """One of the two servers.

    Attributes:
        other: the other one.
        copies: how often a program of this side has put something on the clipboard.
    """

    other: Side

    def __init__(self, name: str) -> None:
        self.display = open_display(name, quiet=True)
        x = xlib("X")
        if not self.display.has_extension("XFIXES"):
            self.display.close()
            raise CaptureError(f"The X server {name} does not tell who owns its clipboard.")
        self.display.xfixes_query_version()
        self._selection = self.display.intern_atom("CLIPBOARD")
        self._incremental = self.display.intern_atom("INCR")
        self._clock = self.display.intern_atom("DEMOPACK_CLOCK")
        root = self.display.screen().root
        self._window = root.create_window(-1, -1, 1, 1, 0, x.CopyFromParent, event_mask=x.PropertyChangeMask)
        mask = _NEW_OWNER | _OWNER_GONE | _OWNER_CLOSED
        self.display.xfixes_select_selection_input(self._window, self._selection, mask)
        self._offered: tuple[str, ...] = ()
        self._owned_since = self._now = self._copied_at = 0
        self._questions: dict[int, _Question] = {}
        self._asked_count = 0
        self.copies = 0
        self._deliveries: dict[tuple[int, int], _Delivery] = {}
        self._names: dict[int, str] = {}
        self.display.sync()

    # What is copied here, offered there -------------------------------------------------------------------------

    def read_owner(self) -> None:
        """Offer what is on this side's clipboard on the other one."""
        owner = self.display.get_selection_owner(self._selection)
        if not owner:
            self.other.withdraw()
        elif owner.id != self._window.id:
            self.copies += 1
            known = (self.copies, self.other.copies)
            self.ask("TARGETS", lambda told: self._offer_there(told, known))

    def _offer_there(self, told: _Content | None, known: tuple[int, int]) -> None:
        """Offer it on the other side, unless something was copied on either side since it was asked about."""
        moment = self.other.last_moment()
        if known != (self.copies, self.other.copies):
            return
        names: tuple[str, ...] = _UNTOLD
        if told is not None and told.kind in {"ATOM", "TARGETS"} and told.width == 32:
            atoms = [int.from_bytes(told.data[at : at + 4], "little") for at in range(0, len(told.data), 4)]
            names = tuple(name for atom in atoms if (name := self._name(atom)) and name not in _OWN_TARGETS)
        self.other.offer(names, moment)

    def last_moment(self) -> int:
        """The millisecond before now by this side's server, once all that was copied here until then is known.

        What is copied in the rest of this millisecond is later than it, so the server can tell the two apart.
        """
        x = xlib("X")
        while True:
            self._window.change_property(self._clock, self._clock, 32, [])
            self.display.sync()
            self.catch_up()
            if self._now != self._copied_at:
                return self._now - 1 or x.CurrentTime

    def offer(self, targets: tuple[str, ...], moment: int) -> None:
        """Own this side's clipboard for a program of the other side, which knows these forms.

        Args:
            targets: the forms.
            moment: until when all that was copied here is known, in the server's milliseconds; what a program here
                copies later stays.
        """
        self._offered = targets
        self._owned_since = moment
        self._window.set_selection_owner(self._selection, moment)

    def withdraw(self) -> None:
        """Own this side's clipboard no longer, where we do."""
        owner = self.display.get_selection_owner(self._selection)
        if owner and owner.id == self._window.id:
            x = xlib("X")
            xlib("protocol.request").SetSelectionOwner(
                display=self.display.display, window=x.NONE, selection=self._selection, time=self._owned_since
            )

    def ask(self, target: str, answer: Callable[[_Content | None], None]) -> None:
        """Ask the program that owns this side's clipboard for one of its forms."""
        # A program that never answers would leave its question for good: its place goes to a later one.
        atom = self.display.intern_atom(f"DEMOPACK_{self._asked_count % _MAX_QUESTIONS}")
        self._asked_count += 1
        self._questions[atom] = _Question(target, answer)
        self._window.convert_selection(self._selection, self.display.intern_atom(target), atom, xlib("X").CurrentTime)

    # Events -----------------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Handle everything that the server has told so far."""
        while self.display.pending_events():
            self.handle(self.display.next_event())

    def handle(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        """Whatever the server tells."""
        x = xlib("X")
        if event.type == x.SelectionRequest:
            self._asked(event)
        elif event.type == x.SelectionNotify:
            self._answered(event)
        elif event.type == x.PropertyNotify:
            self._property_changed(event)
        elif event.type == x.DestroyNotify:
            for gone in [key for key in self._deliveries if key[0] == event.window.id]:
                del self._deliveries[gone]
        elif hasattr(event, "selection_timestamp") and event.selection == self._selection:
            self._copied_at = event.selection_timestamp
            owner = getattr(event.owner, "id", event.owner)
            if owner != self._window.id:
                self.read_owner()

    def _property_changed(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        x = xlib("X")
        key = (event.window.id, event.atom)
        if event.atom == self._clock:
            self._now = event.time
        elif event.state == x.PropertyDelete and key in self._deliveries:
            self._deliver_on(key)
        elif event.state == x.PropertyNewValue and event.window.id == self._window.id:
            self._more_came(event.atom)

    def _asked(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        """Somebody pastes here."""
        target, atom = self._name(event.target), event.property or event.target
        if target == "TARGETS":
            atoms = [self.display.intern_atom(name) for name in ("TARGETS", *self._offered)]
            event.requestor.change_property(atom, xlib("Xatom").ATOM, 32, atoms)
            self._notify(event, atom)
        elif target in self._offered:
            self.other.ask(target, lambda content: self._deliver(event, atom, content))
        else:
            self._notify(event, 0)

    def _deliver(self, event: Any, atom: int, content: _Content | None) -> None:  # noqa: ANN401 - an untyped library
        if content is None:
            self._notify(event, 0)
        elif len(content.data) <= _CHUNK_BYTES:
            self._write(event.requestor, atom, content, content.data)
            self._notify(event, atom)
        else:
            x = xlib("X")
            event.requestor.change_attributes(event_mask=x.PropertyChangeMask | x.StructureNotifyMask)
            self._deliveries[event.requestor.id, atom] = _Delivery(event.requestor, atom, content)
            event.requestor.change_property(atom, self._incremental, 32, [len(content.data)])
            self._notify(event, atom)

    def _deliver_on(self, key: tuple[int, int]) -> None:
        delivery = self._deliveries[key]
        part = delivery.content.data[delivery.sent : delivery.sent + _CHUNK_BYTES]
        delivery.sent += len(part)
        self._write(delivery.window, delivery.atom, delivery.content, part)
        if not part:
            del self._deliveries[key]

    def _write(self, window: Any, atom: int, content: _Content, data: bytes) -> None:  # noqa: ANN401 - untyped
        kind = self.display.intern_atom(content.kind)
        size = content.width // 8
        values = (
            data if size == 1 else [int.from_bytes(data[n : n + size], "little") for n in range(0, len(data), size)]
        )
        window.change_property(atom, kind, content.width, values)

    def _notify(self, event: Any, atom: int) -> None:  # noqa: ANN401 - an untyped library
        answer = xlib("protocol.event").SelectionNotify(
            time=event.time, requestor=event.requestor, selection=event.selection, target=event.target, property=atom
        )
        event.requestor.send_event(answer)

    def _answered(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        if event.property:
            self._read(event.property)
            return
        # A refusal does not say which question it answers: the oldest one about this form.
        target = self._name(event.target)
        refused = next((atom for atom, asked in self._questions.items() if asked.target == target), None)
        if refused is not None:
            self._end(refused, None)

    def _read(self, atom: int) -> None:
        asked = self._questions.get(atom)
        found = self._window.get_full_property(atom, xlib("X").AnyPropertyType)
        if asked is None or found is None:
            return
        self._window.delete_property(atom)
        if found.property_type == self._incremental:
            asked.kind = "INCR"
            return
        self._end(atom, _Content(self._name(found.property_type), found.format, _bytes_of(found)))

    def _more_came(self, atom: int) -> None:
        """A part of a large content; an empty one ends it."""
        asked = self._questions.get(atom)
        if asked is None or not asked.kind:
            return
        found = self._window.get_full_property(atom, xlib("X").AnyPropertyType)
        if found is None or found.property_type == self._incremental:
            return
        self._window.delete_property(atom)
        part = _bytes_of(found)
        if part:
            asked.kind, asked.width = self._name(found.property_type), found.format
            asked.parts.append(part)
        if not part or sum(map(len, asked.parts)) > _MAX_BYTES:
            data = b"".join(asked.parts)
            self._end(atom, None if part else _Content(asked.kind, asked.width, data))

    def _end(self, atom: int, content: _Content | None) -> None:
        self._questions.pop(atom).answer(content)

    def _name(self, atom: int) -> str:
        if atom not in self._names:
            try:
                self._names[atom] = self.display.get_atom_name(atom)
            except xlib("error").XError:
                return ""
        return self._names[atom]


def _bytes_of(found: Any) -> bytes:  # noqa: ANN401 - an untyped library
    value = found.value
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return b"".join((int(number) & (1 << found.format) - 1).to_bytes(found.format // 8, "little") for number in value)

"""Accessibility source for AT-SPI, the accessibility interface of Linux desktops."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence, Set

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.atspi.budget import GIVEN_UP, TREE_SHARES, WALK_SHARES, WALKS_MOST_S, Budget
from recorder.backends.atspi.bus import (
    OWNER_CHANGED,
    AccessBus,
    AccessEvent,
    BusQuery,
    Ref,
    bus_address,
    is_off,
    open_bus,
    turn,
)
from recorder.backends.atspi.element_queries import REGISTRY, ElementQueries, child_count, variant
from recorder.backends.atspi.focus import FocusReader
from recorder.backends.atspi.pointer import PointerQueries
from recorder.backends.atspi.scale import ProgramScales, ServerWindows
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import KnownFieldGaps, SecureWatch
from recorder.backends.atspi.window_trees import TreeThread
from recorder.backends.base import AccessSource, SeenWindow, WindowReading, late_words
from recorder.backends.element_history import BoxHistory, FocusLine
from recorder.backends.x11.title_bars import TitleBars

_REGISTRATION = Ref("org.a11y.atspi.Registry", "/org/a11y/atspi/registry")
_EVENTS = {
    "object:state-changed:focused": "interface='org.a11y.atspi.Event.Object',member='StateChanged',arg0='focused'",
    "object:text-changed": "interface='org.a11y.atspi.Event.Object',member='TextChanged'",
    "object:property-change:accessible-value": (
        "interface='org.a11y.atspi.Event.Object',member='PropertyChange',arg0='accessible-value'"
    ),
    "window:activate": "interface='org.a11y.atspi.Event.Window',member='Activate'",
    "window:deactivate": "interface='org.a11y.atspi.Event.Window',member='Deactivate'",
    "document:load-complete": "interface='org.a11y.atspi.Event.Document',member='LoadComplete'",
}
_SHOWN = "interface='org.a11y.atspi.Event.Object',member='StateChanged',arg0='showing'"
"""Listened to and never asked for: Qt tells of all states as soon as anybody wants one, and of what it pops up in no
other way; any other program would be made to tell of each part that it shows."""
_CHANGES = frozenset({"Object.TextChanged", "Object.PropertyChange"})
_UNKNOWN_NS = 2_000_000_000
_JOIN_S, _BEGIN_S, _WALK_S, _PROCESS_S = 5.0, 3.0, 1.2, 0.5
_GAIN_NS = 50_000_000
"""In that time after something lost the input, what gets it tells so."""
_WAITED_FOR_NS = 5_000_000_000
"""So long after a question whoever needs the answer waits for it."""
_LATE_GIVEN_UP = "A program answers too late and is asked nothing more: steps in it have no names, and are in doubt."

_Open = Callable[[str, Callable[[AccessEvent], None]], AccessBus | None]


class AtspiAccess(AccessSource):
    """One connection and five threads.

    One reads the bus, one reads what has the input, one follows secure fields, one answers what lies under the pointer,
    one reads the trees of windows.
    While nothing happens all of them sleep, but for a look around once a second.
    """

    def __init__(self, *, display: str | None = None, connect: _Open = open_bus) -> None:
        """Nothing is opened before :meth:`start`.

        Args:
            display: the X server whose programs are asked; None for the one in ``DISPLAY``.
            connect: opens the bus.
        """
        self._display = display
        self._connect = connect
        self._title_bars = TitleBars(display)
        self._was_off = False  # accessibility in this session, before we turned it on
        self._line = FocusLine[Ref]()
        self._boxes = BoxHistory[Ref]()
        self._gaps = KnownFieldGaps()
        self._lost: AccessEvent | None = None  # the news that what had the input lost it, while nothing got it
        self._caught_up_ns = 0
        self._bus: AccessBus | None = None
        self._asker: ElementQueries
        self._budget: Budget
        self._scales: ProgramScales
        self._server: ServerWindows  # of the thread that looks around
        self._reader: FocusReader
        self._watch: SecureWatch
        self._pointer: PointerQueries
        self._trees: TreeThread
        self._begun = threading.Event()
        self._begun.set()  # until it is started there is nothing to wait for
        self._left = False  # the registry, which passes on what programs tell; a new one knows nothing of us
        self._starter = threading.Thread(target=self._begin, name="accessibility start", daemon=True)

    def start(self) -> None:
        """See :class:`AccessSource`."""
        self._begun.clear()
        self._starter.start()

    def stop(self) -> None:
        """See :class:`AccessSource`."""
        if self._starter.is_alive():
            self._starter.join(timeout=_JOIN_S)
        bus = self._bus
        if bus is not None:
            # Closing first frees whoever still waits for an answer.
            bus.close()
            for each in (self._trees, self._pointer, self._reader, self._watch):
                each.stop()
            self._scales.close()
            self._server.close()
            self._title_bars.close()
            if self._was_off:
                self._was_off = False
                turn(self._display, on=False)

    @property
    def available(self) -> bool:
        """See :class:`AccessSource`."""
        if self._bus is None or not self._bus.is_open or self._left:
            return False
        return all(each.is_alive for each in (self._reader, self._watch, self._pointer))

    @property
    def has_begun(self) -> bool:
        """See :class:`AccessSource`."""
        return self._begun.is_set()

    def catch_up(self, *, timeout_s: float, since_ns: int | None = None) -> bool:
        """See :class:`AccessSource`. A program that owes an answer is not waited for again, but the result is False.

        Windows are looked through to the end, if that takes longer than the time given, too, up to a second.

        Right after :meth:`start` it waits longer, until the bus has been found or it is clear that there is none.
        """
        self._begun.wait(_BEGIN_S)
        deadline = time.monotonic() + timeout_s
        bus = self._bus
        if not self.available or bus is None:
            return False
        if since_ns is not None and since_ns < self._caught_up_ns:
            return True
        started_ns = time.monotonic_ns()
        programs = self._asker.programs(timeout_s=timeout_s)
        prompt = [program.bus for program in programs if not bus.is_silent(program.bus)]
        heard = bus.ping_all(prompt, timeout_s=max(deadline - time.monotonic(), 0.0))
        waits = (self._reader.wait_idle, self._pointer.wait_idle)
        done = [wait(max(deadline - time.monotonic(), 0.0)) for wait in waits]
        # Where programs answer, looking through what they show takes its time on a busy machine, but it has an end.
        done.append(self._watch.look_now(max(deadline - time.monotonic(), _WALK_S), since_ns=since_ns))
        if not (heard and all(done) and len(prompt) == len(programs)):
            return False
        self._caught_up_ns = started_ns
        return True

    def focused(self, t_ns: int) -> AccessibleElement | None:
        """See :class:`AccessSource`."""
        return self._line.at(t_ns)

    def ask(self, x: int, y: int) -> None:
        """See :class:`AccessSource`."""
        if self.available:
            self._watch.poke()
            self._pointer.ask(Point(x, y))

    def pointed(self, x: int, y: int, t_ns: int) -> AccessibleElement | None:
        """See :class:`AccessSource`."""
        return None if self._bus is None else self._pointer.answer(Point(x, y), t_ns)

    def secure_between(self, started_ns: int, ended_ns: int) -> AccessibleElement | None:
        """See :class:`AccessSource`."""
        return self._line.secure_between(started_ns, ended_ns)

    def secure_boxes(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:
        """See :class:`AccessSource`."""
        return self._boxes.between(started_ns, ended_ns)

    def unknown_between(self, started_ns: int, ended_ns: int, *, moved_ns: int | None = None, process: int = 0) -> bool:
        """See :class:`AccessSource`. For a program that has just stopped answering it waits up to two seconds."""
        bus = self._bus
        if bus is None or not self.available:
            return False
        programs = self._line.programs_between(started_ns, ended_ns)
        for program in programs:
            # A program that does not answer does not tell either that another field has got the input.
            may_have_moved = moved_ns is not None and moved_ns > (bus.kept_up_ns(program) or 0)
            if may_have_moved and bus.is_silent(program) and bus.wait_until_late(program):
                return True
        if process and self._has_untold_field(process, programs, started_ns, ended_ns):
            return True
        unread = self._line.unread_between(started_ns, ended_ns)
        if unread and not self._are_passing(unread, programs, started_ns, ended_ns):
            return True
        element = self._line.at(started_ns)
        nameless = element is not None and element.role in {"unknown", "invalid"}
        return nameless and self._gaps.known(programs, started_ns, ended_ns) is False

    def _has_untold_field(self, process: int, told: Set[str], started_ns: int, ended_ns: int) -> bool:
        """Whether a program shows a secure field and has not told where in it the input was.

        So it is where it does not know yet that somebody listens.
        """
        showing = self._boxes.programs_between(started_ns, ended_ns)
        return any(self._asker.process(bus, timeout_s=_PROCESS_S) == process for bus in showing - told)

    def _are_passing(self, unread: Mapping[Ref, bool], programs: Set[str], started_ns: int, ended_ns: int) -> bool:
        """Whether what could not be read are rows that popped up: all secure fields are known, and none is one."""
        if not all(unread.values()) or any(self._watch.is_secure(ref) for ref in unread):
            return False
        return self._gaps.known(programs, started_ns, ended_ns) is True

    def fields_known(self, started_ns: int, ended_ns: int) -> bool | None:
        """See :class:`AccessSource`."""
        return self._gaps.known(self._line.programs_between(started_ns, ended_ns), started_ns, ended_ns)

    def read_trees(self, stack: Sequence[SeenWindow], *, changed: Sequence[Sequence[Rect] | None]) -> None:
        """See :class:`AccessSource`."""
        if self.available:
            self._trees.look(stack, changed=changed)

    def telling(self, *, timeout_s: float) -> frozenset[int] | None:
        """See :class:`AccessSource`."""
        if self._bus is None or not self.available:
            return None
        programs = self._asker.programs(timeout_s=timeout_s)
        asked = [one for one in programs if not self._bus.is_silent(one.bus)]
        counts = self._asker.ask([child_count(one) for one in asked], timeout_s)
        shown = [one for one, count in zip(asked, counts, strict=True) if variant(count, 0) > 0]
        return frozenset(self._asker.process(one.bus, timeout_s=timeout_s) for one in shown) - {0}

    def trees_before(self, t_ns: int) -> tuple[WindowReading, ...]:
        """See :class:`AccessSource`."""
        return () if self._bus is None else self._trees.before(t_ns)

    def trees_now(self, stack: Sequence[SeenWindow], *, timeout_s: float) -> tuple[WindowReading, ...]:
        """See :class:`AccessSource`. For a program that owes an answer it waits longer, five seconds in all."""
        if self._bus is not None:
            self._tree_budget.refill()
            self._wait_for_answers({window.process for window in stack}, timeout_s=timeout_s)
        self.read_trees(stack, changed=[None] * len(stack))
        if self._bus is None or not self._trees.wait_idle(timeout_s):
            return ()
        return self._trees.before(time.monotonic_ns() + 1)

    def _wait_for_answers(self, processes: Set[int], *, timeout_s: float) -> None:
        """Wait for the programs that owe an answer, but for none longer than a while after it was asked."""
        bus = self._bus
        if bus is None or not self.available:
            return
        for program in self._asker.programs(timeout_s=timeout_s):
            if bus.is_silent(program.bus) and self._asker.process(program.bus, timeout_s=_PROCESS_S) in processes:
                bus.wait_until_late(program.bus, late_ns=_WAITED_FOR_NS)

    @property
    def news_ns(self) -> int:
        """See :class:`AccessSource`."""
        return 0 if self._bus is None else self._trees.news_ns

    @property
    def can_read_on(self) -> bool:
        """See :class:`AccessSource`."""
        return self._bus is not None and self._trees.can_go_on

    @property
    def problems(self) -> list[str]:
        """See :class:`AccessSource`."""
        if self._bus is None:
            return []
        return [_late_words(self._asker.app(bus), strikes) for bus, strikes in self._budget.late().items()]

    def text_change(self, started_ns: int, ended_ns: int) -> tuple[str, str] | None:
        """See :class:`AccessSource`."""
        return self._line.text_change(started_ns, ended_ns)

    # Beginning --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        try:
            self._open()
        finally:
            self._begun.set()

    def _open(self) -> None:
        address = bus_address(self._display)
        bus = self._connect(address, self._on_event) if address is not None else None
        if bus is None:
            return
        self._scales = ProgramScales(ServerWindows(self._display))
        self._server = ServerWindows(self._display)
        self._asker = ElementQueries(bus, self._scales)
        self._budget = Budget(bus.times_late, shares=WALK_SHARES, most_s=WALKS_MOST_S)
        budget = Budget(bus.times_late)
        walker = Walker(self._asker)
        self._watch = SecureWatch(
            walker, self._budget, boxes=self._boxes, gaps=self._gaps, on_look=self._look_for_focus
        )
        self._reader = FocusReader(walker, budget, line=self._line, watch=self._watch)
        self._pointer = PointerQueries(walker, budget, watch=self._watch, display=self._display)
        self._tree_budget = Budget(bus.times_late, shares=TREE_SHARES, keeps_debts=True)
        self._trees = TreeThread(
            walker,
            self._tree_budget,
            watch=self._watch,
            title_bar=self._title_bars.tree,
            focused=lambda: self._line.current,
        )
        for each in (self._watch, self._reader, self._pointer, self._trees):
            each.start()
        self._bus = bus
        self._was_off = is_off(self._display)
        if self._was_off:
            turn(self._display, on=True)
        bus.listen(f"type='signal',member='NameOwnerChanged',arg0='{REGISTRY.bus}'")
        bus.listen(f"type='signal',{_SHOWN}")
        for event, rule in _EVENTS.items():
            bus.listen(f"type='signal',{rule}")
            arguments = (_REGISTRATION, "org.a11y.atspi.Registry", "RegisterEvent")
            if bus.ask(BusQuery(*arguments, "sass", (event, [], ""))) is None:
                bus.ask(BusQuery(*arguments, "s", (event,)))
        self._watch.poke()

    def _look_for_focus(self, programs: list[Ref]) -> None:
        """A program that has just started may not know yet that somebody listens; so it is asked.

        One that tells what lost the input may never tell what got it, as LibreOffice does; after a while it is asked.

        So is what has the input and could not be read when that was told, and a root pane in which nothing had it yet.
        """
        current, lost = self._line.current, self._lost
        if lost is not None and lost.ref == current and time.monotonic_ns() - lost.t_ns > _GAIN_NS:
            self._lost = None
            self._reader.find(lost.ref.bus, since_ns=lost.t_ns, lost=lost.ref)
        elif current is None:
            for program in self._likely_owners(programs):
                self._reader.find(program.bus, since_ns=time.monotonic_ns(), told=False)
        elif not self._line.is_known(current) and current.bus in {program.bus for program in programs}:
            self._reader.read(current)
        else:
            self._reader.read_on(current)

    def _likely_owners(self, programs: list[Ref]) -> list[Ref]:
        """The programs that may have the input: that of the window which has it, where it is one of them.

        A Chromium whose window was taken from it goes on telling that an element there has the input.
        """
        process = self._server.active()
        its = [one for one in programs if process and self._asker.process(one.bus, timeout_s=_PROCESS_S) == process]
        return its or programs

    # In the thread that reads the bus: ask nothing here ----------------------------------------------------------

    def _on_event(self, event: AccessEvent) -> None:
        if event.kind == OWNER_CHANGED:
            self._left = self._left or not event.on
            return
        if self._bus is None or event.ref.bus == REGISTRY.bus:
            return
        if event.kind == "Object.StateChanged" and event.detail == "showing":
            if event.on:
                self._trees.appeared(event.ref)
            return
        self._trees.note(event.ref, event.t_ns)
        self._follow_input(event)
        self._watch.poke()

    def _follow_input(self, event: AccessEvent) -> None:
        """What an event says of where the input is."""
        if event.kind == "Object.StateChanged" and event.detail == "focused":
            if event.on:
                self._lost = None
                self._line.moved(event.ref, t_ns=event.t_ns, earliest_ns=self._earliest(event))
                self._reader.read(event.ref)
            elif event.ref == self._line.current:
                self._lost = event
        elif event.kind in _CHANGES:
            if self._line.changed(event.ref, t_ns=event.t_ns):
                self._reader.read(event.ref)
        elif event.kind == "Window.Activate":
            self._reader.find(event.ref.bus, since_ns=self._earliest(event))
        elif event.kind == "Window.Deactivate":
            self._line.left(event.ref.bus, t_ns=event.t_ns)
            # Another window of the same program may have got the input, and have told so already.
            self._reader.find(event.ref.bus, since_ns=event.t_ns)
        elif event.kind == "Document.LoadComplete":
            self._watch.renew(event.ref.bus)

    def _earliest(self, event: AccessEvent) -> int:
        """Since when what is told now may have been so: for a program that has just woken up, since it fell asleep."""
        kept_up = self._bus.kept_up_ns(event.ref.bus) if self._bus is not None else None
        return event.t_ns if kept_up is None else kept_up or event.t_ns - _UNKNOWN_NS


def _late_words(app: str, strikes: int) -> str:
    given_up = strikes >= GIVEN_UP
    if not given_up:
        return late_words(app)
    if not app:
        return _LATE_GIVEN_UP
    return f"“{app}” answers too late and is asked nothing more: steps in it have no names, and are in doubt."

"""Budget of questions for each program, and the threads that keep to it.

It is a small share of the program's time, less after it was late, and then nothing more.

A program answers in the thread that also draws its window: what it is asked, its user may feel. Where the system tells
how much that thread has worked, this counts, so that a machine that is busy otherwise does not make us blind.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from recorder.backends.atspi.walk import Walker

GIVEN_UP = 3
"""A program that was so often late is asked nothing but what has the input, and where its known secure fields are."""

_SHARES = (0.05, 0.01, 0.002)
WALK_SHARES = (0.015, 0.004, 0.001)
"""For walks over all that a program shows: they are many where every picture of a film asks for one."""
TREE_SHARES = (0.015, 0.004, 0.001)
"""For whole windows: each is much at once, and nothing of it is urgent."""
MOST_S = 0.4
"""No program is asked for longer at once."""
WALKS_MOST_S = 0.16
"""Nor are walks over all that it shows, one after the other."""
_FORGIVEN_S = 300.0


def worked_s(process: int) -> float | None:
    """Seconds for which the first thread of a process has had a processor; None where the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return None


@dataclass(slots=True)
class _Account:
    """What is left for one program.

    Attributes:
        room_s: seconds of asking that it may be given now.
        at_s: when that was so.
        counted: how often it was late by the bus's count, when that was looked at last.
        strikes: how often it was late, but for what is forgiven.
        struck_s: when it was late last, or when something was forgiven.
    """

    room_s: float
    at_s: float
    counted: int = 0
    strikes: int = 0
    struck_s: float = 0.0


class Budget:
    """Counts seconds of questions for each program; may be used from any thread.

    Attributes:
        most_s: what may be asked at once.
    """

    def __init__(
        self,
        times_late: Callable[[str], int],
        clock: Callable[[], float] = time.monotonic,
        *,
        shares: Sequence[float] = _SHARES,
        most_s: float = MOST_S,
        keeps_debts: bool = False,
    ) -> None:
        """Begin with everything allowed.

        Args:
            times_late: how often a program has been late so far.
            clock: monotonic seconds.
            shares: of a program's time, after it was late never, once, twice.
            most_s: what may be asked at once.
            keeps_debts: what was asked beyond the budget has to be waited for. Where it must not be, a slow machine
                would make us silent.
        """
        self._shares = shares
        self.most_s = most_s
        self._keeps_debts = keeps_debts
        self._times_late = times_late
        self._clock = clock
        self._lock = threading.Lock()
        self._accounts: dict[str, _Account] = {}

    def room_s(self, bus: str) -> float:
        """For how many seconds a program may be asked now; 0 where it has been given up."""
        with self._lock:
            return self._account(bus).room_s

    def refill(self) -> None:
        """Allow everything again, for whoever waits for the answers, also of programs that were late.

        Whoever waits would else take what a program showed before it was late, or nothing, for what it shows now. A
        program that still owes an answer is asked nothing anyway.
        """
        with self._lock:
            for bus in list(self._accounts):
                account = self._account(bus)
                account.room_s, account.strikes = self.most_s, 0

    def spend(self, bus: str, seconds: float) -> None:
        """It has been asked for so long."""
        with self._lock:
            account = self._account(bus)
            left = account.room_s - seconds
            account.room_s = left if self._keeps_debts else max(0.0, left)

    def strikes(self, bus: str) -> int:
        """How often it was late, as far as that still counts; :data:`GIVEN_UP` and more for good."""
        with self._lock:
            return self._account(bus).strikes

    def late(self) -> dict[str, int]:
        """The programs that were late, and their strikes."""
        with self._lock:
            return {bus: strikes for bus in list(self._accounts) if (strikes := self._account(bus).strikes)}

    def forget(self, bus: str) -> None:
        """The program has ended."""
        with self._lock:
            self._accounts.pop(bus, None)

    def _account(self, bus: str) -> _Account:
        now = self._clock()
        account = self._accounts.setdefault(bus, _Account(room_s=self.most_s, at_s=now))
        counted = self._times_late(bus)
        if counted > account.counted:
            account.strikes += counted - account.counted
            account.counted, account.struck_s, account.room_s = counted, now, 0.0
        elif 0 < account.strikes < GIVEN_UP and now - account.struck_s > _FORGIVEN_S:
            account.strikes, account.struck_s = account.strikes - 1, now
        share = self._shares[account.strikes] if account.strikes < GIVEN_UP else 0.0
        account.room_s = min(self.most_s, account.room_s + share * (now - account.at_s)) if share else 0.0
        account.at_s = now
        return account


class Spent:
    """What a program has been asked since: seconds of work, the program's or ours, whichever were more.

    At most the seconds that have passed, and just these where nobody tells how much the program has worked.
    """

    def __init__(self, process: int) -> None:
        """Begin now; only the thread that begins may ask.

        Args:
            process: of the program; 0 for unknown.
        """
        self._process = process
        self._started_s, self._own_s, self._worked_s = time.monotonic(), time.thread_time(), worked_s(process)

    @property
    def passed_s(self) -> float:
        """Seconds that have passed."""
        return time.monotonic() - self._started_s

    @property
    def cost_s(self) -> float:
        """Seconds of work."""
        worked, passed_s = worked_s(self._process), self.passed_s
        if worked is None or self._worked_s is None:
            return passed_s
        # Another thread reads the answers, which is as much again.
        return min(passed_s, max(worked - self._worked_s, 2 * (time.thread_time() - self._own_s)))


class QueryThread:
    """Asks programs within their budget.

    Subclasses put jobs, or have a loop of their own that ends once ``_ended`` is set.
    ``_cost_s`` is what a program was asked last has cost, as :class:`Spent` counts it.
    """

    def __init__(self, name: str, walker: Walker, budget: Budget) -> None:
        """Take the thread's name, what puts questions and looks through windows, and how much each program is asked."""
        self._walker = walker
        self._asker = walker.asker
        self._budget = budget
        self._cost_s = 0.0
        self._changed = threading.Condition()
        self._ended = False
        self._waiting: OrderedDict[object, Callable[[], None]] = OrderedDict()
        self._busy = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @contextlib.contextmanager
    def _spending(self, bus: str, *, timeout_s: float) -> Generator[Spent]:
        """Ask a program something; what that costs is told on the way, and spent at the end."""
        spent = Spent(self._asker.process(bus, timeout_s=timeout_s))
        yield spent
        self._cost_s = spent.cost_s
        self._budget.spend(bus, self._cost_s)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the thread; calling it twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until everything that was put has been asked; whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or not (self._busy or self._waiting), timeout_s)

    def _put(self, key: object, job: Callable[[], None], *, first: bool = False) -> None:
        """Have a job done in its turn, or before all others; one that waits under the same key is dropped for it."""
        with self._changed:
            self._waiting[key] = job
            if first:
                self._waiting.move_to_end(key, last=False)
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._ended or self._waiting)
                if self._ended:
                    return
                self._busy = True
                _, job = self._waiting.popitem(last=False)
            job()

"""Accessibility source over a reader that may block: the focus and the pointed element on Windows and macOS.

Where programs do not tell by themselves, or not reliably, that the focus has moved, they are asked: shortly after each
input that was noted, and now and then. Two threads ask, each with a reader of its own; nobody waits for them but
:meth:`ElementAccess.catch_up`, and that not for long. A text is known to have gone into an ordinary field only where an
answer proves it; a late answer, or none, makes the text unknown, and the privacy filter then keeps it as a secret.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.base import AccessSource, late_words
from recorder.backends.element_history import BoxHistory, FocusLine, FocusReading, PointedAnswers, may_move_focus

_log = logging.getLogger(__name__)

ANSWER_S: Final = 0.25
"""So long a reader lets the system wait for one answer of a program, as far as the system can be told."""
_LATE_NS: Final = 300_000_000
_SETTLE_NS: Final = 20_000_000
"""Asked sooner than that after an input, a program may still tell of the element that had the focus before."""
_DELAY_NS: Final = 30_000_000
_GAP_NS: Final = 40_000_000
_REST_FACTOR: Final = 3
"""After each answer programs are left alone for so many times as long as it took."""
_IDLE_NS: Final = 500_000_000
_MANY_FAILURES: Final = 4
_STUCK_NS: Final = 5_000_000_000
_MAX_REPLACED: Final = 3
_BEGIN_NS: Final = 3_000_000_000
_JOIN_S: Final = 2.0
_TOLD_LATE_NS: Final = 60_000_000_000
_MAX_FIELDS: Final = 16


class ElementRef(NamedTuple):
    """One element: its program's process, and what the system calls it there."""

    program: str
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundElement:
    """An element as a reader found it.

    Attributes:
        ref: which.
        element: what it told; of a secure field no value.
        handle: by which its reader can ask for it again; None where its place is of no interest.
    """

    ref: ElementRef
    element: AccessibleElement
    handle: Any = None


class SystemReader(Protocol):
    """The questions to one system; made, used and closed by one thread. Any of them may block, and raise anything."""

    def focused(self) -> FoundElement | None:
        """The element that has the input; None where a window of ours has it, which is not asked.

        Raises:
            LookupError: the program in front tells of none, or not what it is; so it may be a secure field.
        """
        ...

    def at(self, at: Point) -> FoundElement | None:
        """The innermost element under a position of the virtual desktop; None where none is told of."""
        ...

    def box_of(self, handle: Any) -> Rect | None:  # noqa: ANN401 - whatever the system calls it
        """Where a secure field is now; None when it cannot be seen, or is none any more."""
        ...

    def warnings(self) -> list[str]:
        """What keeps input from being seen now, in words."""
        ...

    def close(self) -> None:
        """Let go of the system."""


SILENT: Final = "The program in front does not tell which field has the input: what you type counts as a password."
OnFocus = Callable[[FoundElement], None]
OpenReader = Callable[[OnFocus | None], SystemReader]
"""Opens a reader in the calling thread; a given callback is called, from any thread, when the focus moves.

Raises anything where programs cannot be asked.
"""


class _ReaderThread:
    """Asks through a reader of its own, in a thread that is replaced when the system does not let it go any more.

    Subclasses say when something is due, and ask it. What they keep is guarded by ``_changed``.
    """

    def __init__(self, name: str, open_reader: Callable[[], SystemReader]) -> None:
        self._name = name
        self._open = open_reader
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._generation = 0
        self._busy_ns = 0  # since when a question, or the opening, is under way
        self._opened = False
        self._ended = False
        self._given_up = False
        self.has_begun = False

    def wait_begun(self, timeout_s: float) -> bool:
        """Wait until it is known whether programs can be asked; False when time was up."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or self.has_begun, timeout_s)

    def start(self) -> None:
        """Open a reader, and begin to work."""
        with self._changed:
            self._start()

    def _start(self) -> None:
        self._busy_ns = now_ns()
        thread = threading.Thread(target=self._run, args=(self._generation,), name=self._name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        """End the thread; one that hangs in the system is left behind."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
            threads = list(self._threads)
            is_stuck = bool(self._busy_ns) and now_ns() - self._busy_ns > _LATE_NS
        for thread in threads[-1:]:
            thread.join(_LATE_NS / 1e9 if is_stuck else _JOIN_S)

    @property
    def is_working(self) -> bool:
        """Whether there is a reader that can be asked."""
        with self._changed:
            return self._opened and not self._given_up and not self._ended

    def replace_if_stuck(self) -> None:
        """Give a question up that does not end, and go on with a new thread and reader; not for ever."""
        with self._changed:
            if not self._opened or not self._busy_ns or now_ns() - self._busy_ns < _STUCK_NS or self._ended:
                return
            if self._generation >= _MAX_REPLACED:
                self._given_up = True
                return
            _log.warning("The %s thread hangs in the system; another one goes on.", self._name)
            self._generation += 1
            self._on_late(self._busy_ns, now_ns())
            self._start()

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self, generation: int) -> None:
        try:
            reader = self._open()
        except Exception:  # noqa: BLE001 - a system's own library; without it there are just no answers
            _log.info("Programs cannot be asked about their elements.", exc_info=True)
            with self._changed:
                self._given_up = True
                self._begun()
            return
        with self._changed:
            self._opened = True
            self._begun()
        try:
            while self._wait(generation):
                self._work(reader, generation)
        finally:
            with contextlib.suppress(Exception):
                reader.close()

    def _begun(self) -> None:
        self.has_begun = True
        self._busy_ns = 0
        self._changed.notify_all()

    def _wait(self, generation: int) -> bool:
        """Sleep until something is due; False when the thread is to end."""
        with self._changed:
            if generation == self._generation:
                self._busy_ns = 0
                self._changed.notify_all()
            while not self._ended and generation == self._generation:
                now = now_ns()
                due = self._due_ns(now)
                if due is not None and due <= now:
                    self._busy_ns = now
                    return True
                self._changed.wait(None if due is None else (due - now) / 1e9)
        return False

    def _due_ns(self, now: int) -> int | None:
        raise NotImplementedError

    def _work(self, reader: SystemReader, generation: int) -> None:
        raise NotImplementedError

    def _on_late(self, asked_ns: int, answered_ns: int) -> None:
        """A question took too long, or was given up."""


class _Proof(NamedTuple):
    """An answer to who has the input; ``told`` where a program said by itself that it has moved."""

    asked_ns: int
    answered_ns: int
    told: bool = False


class _FocusThread(_ReaderThread):
    """Follows the focus, and the secure fields that had it."""

    def __init__(self, open_reader: OpenReader, *, line: FocusLine[ElementRef], boxes: BoxHistory[ElementRef]) -> None:
        super().__init__("accessibility focus", lambda: open_reader(None))
        self._line = line
        self._boxes = boxes
        self._inputs: deque[tuple[int, bool]] = deque(maxlen=1024)
        self._proofs: deque[_Proof] = deque(maxlen=4096)
        self._late: deque[tuple[int, int]] = deque(maxlen=256)
        self._wanted_ns: int | None = None
        self._urgent = True
        self._failures = 0
        self._has_silence = False
        self._rest_ns = self._answered_ns = 0
        self._last_asked_ns = 0  # of the questions that were answered, whatever they prove
        self._asked_ns = 0  # the question about the focus that is under way
        self._value: tuple[ElementRef | None, str, int] = (None, "", 0)
        self._fields: OrderedDict[ElementRef, Any] = OrderedDict()
        self.warnings: list[str] = []

    def note(self, event: InputEvent) -> None:
        """An input that may have changed something; programs are asked shortly after."""
        with self._changed:
            self._inputs.append((event.t_ns, may_move_focus(event)))
            if self._wanted_ns is None:
                self._wanted_ns = now_ns() + _DELAY_NS
                self._changed.notify_all()
        self.replace_if_stuck()

    def catch_up(self, *, until_ns: int, timeout_s: float) -> bool:
        """Have a question put that is younger than ``until_ns``, and wait for its answer; False when time was up."""
        with self._changed:
            if self._is_overdue() or self._failures >= _MANY_FAILURES:
                return False
            if not self._has_asked(until_ns):
                self._urgent = True
                self._changed.notify_all()
            return self._changed.wait_for(lambda: self._ended or self._has_asked(until_ns), timeout_s)

    def is_unknown(self, started_ns: int, ended_ns: int, *, moved_ns: int) -> bool:
        """Whether no answer proves what had the input between the two."""
        with self._changed:
            left_ns = next((t for t, moves in self._inputs if moves and t > ended_ns), None)
            proofs = [
                proof
                for proof in self._proofs
                if proof.asked_ns >= moved_ns + (0 if proof.told or not moved_ns else _SETTLE_NS)
                and (left_ns is None or proof.answered_ns <= left_ns)
            ]
            if not proofs:
                return True
            return proofs[-1].asked_ns < started_ns and self._was_late(proofs[-1].answered_ns, ended_ns)

    def was_late(self, started_ns: int, ended_ns: int) -> bool:
        """Whether at some time between the two a question was under way for too long, or had no answer."""
        with self._changed:
            return self._was_late(started_ns, ended_ns)

    @property
    def late_app(self) -> str | None:
        """The program that had the input when an answer was late, not long ago; empty when unknown, None for none."""
        with self._changed:
            if not self._late or now_ns() - self._late[-1][1] > _TOLD_LATE_NS:
                return None
            asked_ns = self._late[-1][0]
        element = self._line.at(asked_ns)
        return "" if element is None else element.app

    def _was_late(self, started_ns: int, ended_ns: int) -> bool:
        is_now = self._is_overdue() and self._asked_ns <= ended_ns
        return is_now or any(asked <= ended_ns and answered >= started_ns for asked, answered in self._late)

    def _is_overdue(self) -> bool:
        return bool(self._asked_ns) and now_ns() - self._asked_ns > _LATE_NS

    def _has_asked(self, t_ns: int) -> bool:
        return self._last_asked_ns >= t_ns

    @property
    def is_silent(self) -> bool:
        """Whether the program in front does not tell what has the input, and something was typed lately."""
        with self._changed:
            return self._has_silence and bool(self._inputs) and now_ns() - self._inputs[-1][0] < _TOLD_LATE_NS

    # The thread -------------------------------------------------------------------------------------------------

    def _due_ns(self, now: int) -> int:
        if self._urgent and self._rest_ns < _LATE_NS:
            return now
        wanted = now if self._urgent else self._answered_ns + _IDLE_NS
        if self._wanted_ns is not None:
            wanted = min(wanted, self._wanted_ns)
        return max(wanted, self._answered_ns + max(_GAP_NS, self._rest_ns))

    def _on_late(self, asked_ns: int, answered_ns: int) -> None:
        self._late.append((asked_ns, answered_ns))
        self._asked_ns = 0
        self._answered_ns, self._rest_ns = answered_ns, 0

    def _work(self, reader: SystemReader, generation: int) -> None:
        with self._changed:
            asked = self._asked_ns = now_ns()
            self._wanted_ns, self._urgent = None, False
        found, has_answered, is_proof = None, True, True
        try:
            found = reader.focused()
        except LookupError:
            is_proof = False
        except Exception:  # noqa: BLE001 - of the system's, for what a program did not answer
            _log.debug("What has the input could not be asked.", exc_info=True)
            has_answered = is_proof = False
        with self._changed:
            if generation != self._generation:
                return
            answered = now_ns()
            self._asked_ns, self._answered_ns = 0, answered
            self._rest_ns = (answered - asked) * _REST_FACTOR
            if not has_answered or answered - asked > _LATE_NS:
                self._late.append((asked, answered))
            if has_answered:
                self._failures = 0
                self._last_asked_ns = asked
                self._has_silence = not is_proof
                self._take(found, asked, answered, is_proof=is_proof)
            else:
                self._failures += 1
                self._rest_ns = max(self._rest_ns, _GAP_NS << min(self._failures, _MANY_FAILURES))
                self._wanted_ns = answered
            self._changed.notify_all()
        self._look_at_fields(reader, generation)

    def _take(self, found: FoundElement | None, asked: int, answered: int, *, is_proof: bool) -> None:
        """Keep what was answered."""
        earliest = self._earliest(asked)
        if is_proof:
            self._proofs.append(_Proof(asked, answered))
        if found is None:
            self._value = (None, "", 0)
            self._line.moved(None, t_ns=asked, earliest_ns=earliest)
            return
        self._line.moved(found.ref, t_ns=asked, earliest_ns=earliest)
        ref, value, before_ns = self._value
        if ref == found.ref and value != found.element.value:
            # Some time after the answer before; what was typed since is what has changed it.
            typed = [t for t, _ in self._inputs if t <= asked]
            self._line.changed(found.ref, t_ns=max([before_ns, *typed[-1:]]))
        self._value = (found.ref, found.element.value, answered)
        self._line.told(found.ref, FocusReading(asked, answered, found.element))
        if found.element.secure and found.handle is not None:
            self._follow(found, t_ns=answered, since_ns=earliest)

    def _follow(self, found: FoundElement, *, t_ns: int, since_ns: int) -> None:
        self._boxes.seen(found.ref, found.element.box, t_ns=t_ns, since_ns=since_ns)
        self._fields[found.ref] = found.handle
        self._fields.move_to_end(found.ref)
        while len(self._fields) > _MAX_FIELDS:
            self._fields.popitem(last=False)

    def _look_at_fields(self, reader: SystemReader, generation: int) -> None:
        """See where the secure fields are by now that had the input, and what keeps input from being seen."""
        with self._changed:
            fields = list(self._fields.items())
        for ref, handle in fields:
            try:
                box = reader.box_of(handle)
            except Exception:  # noqa: BLE001 - where it was last is what counts
                _log.debug("A secure field could not be asked for its place.", exc_info=True)
                continue
            self._boxes.seen(ref, box, t_ns=now_ns())
        try:
            warnings = reader.warnings()
        except Exception:  # noqa: BLE001 - of the system's
            _log.debug("It could not be asked what keeps input from being seen.", exc_info=True)
            return
        with self._changed:
            if generation == self._generation:
                self.warnings = warnings

    def _earliest(self, t_ns: int) -> int:
        """Since when the focus may have been where it is found now: the first input since it was asked for last."""
        since_ns = self._proofs[-1].asked_ns - _SETTLE_NS if self._proofs else -1
        inputs = [(t, moves) for t, moves in self._inputs if since_ns < t <= t_ns]
        moved = [t + 1 for t, moves in inputs if moves]
        return min(moved or [t for t, _ in inputs], default=t_ns)

    # In a thread of the system's: ask nothing here ----------------------------------------------------------------

    def on_focus(self, found: FoundElement) -> None:
        """A program told that the focus has moved; its value is asked for in the thread."""
        now = now_ns()
        with self._changed:
            earliest = self._earliest(now)
            if found.element.secure:
                # News of an ordinary field may be about the move before: only an answer proves one.
                self._proofs.append(_Proof(now, now, told=True))
            self._line.moved(found.ref, t_ns=now, earliest_ns=earliest)
            if found.element.secure:
                self._line.told(found.ref, FocusReading(now, now, found.element))
                if found.handle is not None:
                    self._follow(found, t_ns=now, since_ns=earliest)
            self._wanted_ns = now
            self._changed.notify_all()


class _PointerThread(_ReaderThread):
    """Answers what lay under the pointer when it was asked; the newest question wins."""

    def __init__(
        self, open_reader: OpenReader, *, on_focus: OnFocus, answers: PointedAnswers, boxes: BoxHistory[ElementRef]
    ) -> None:
        # Here, because a system may take its time to find whoever is to tell: the focus is asked for meanwhile.
        super().__init__("accessibility pointer", lambda: open_reader(on_focus))
        self._answers = answers
        self._boxes = boxes
        self._question: tuple[int, Point] | None = None

    def ask(self, at: Point) -> None:
        """Put a question; one that still waits is dropped for it."""
        with self._changed:
            self._question = (now_ns(), at)
            self._changed.notify_all()
        self.replace_if_stuck()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until everything has been answered; False when time was up, at once while an answer is late."""
        with self._changed:
            if self._given_up or (self._busy_ns and now_ns() - self._busy_ns > _LATE_NS):
                return False
            return self._changed.wait_for(lambda: self._ended or not (self._question or self._busy_ns), timeout_s)

    def _due_ns(self, now: int) -> int | None:
        return None if self._question is None else now

    def _work(self, reader: SystemReader, generation: int) -> None:
        with self._changed:
            question, self._question = self._question, None
        if question is None:
            return
        asked, at = question
        try:
            found = reader.at(at)
        except Exception:  # noqa: BLE001 - of the system's, for what a program did not answer
            _log.debug("What lies under the pointer could not be asked.", exc_info=True)
            found = None
        with self._changed:
            if generation != self._generation:
                return
        self._answers.add(asked, at, None if found is None else found.element)
        if found is not None and found.element.secure:
            self._boxes.seen(found.ref, found.element.box, t_ns=now_ns(), since_ns=asked)


class ElementAccess(AccessSource):
    """One thread follows the focus, one answers what lies under the pointer."""

    def __init__(self, open_reader: OpenReader) -> None:
        """Nothing is opened before :meth:`start`; ``open_reader`` is called in each of the two threads."""
        self._line = FocusLine[ElementRef]()
        self._boxes = BoxHistory[ElementRef]()
        self._answers = PointedAnswers()
        self._focus = _FocusThread(open_reader, line=self._line, boxes=self._boxes)
        self._pointer = _PointerThread(
            open_reader, on_focus=self._focus.on_focus, answers=self._answers, boxes=self._boxes
        )
        self._started_ns: int | None = None

    def start(self) -> None:
        """See :class:`AccessSource`."""
        self._started_ns = now_ns()
        self._focus.start()
        self._pointer.start()

    def stop(self) -> None:
        """See :class:`AccessSource`. A thread that hangs in the system is left behind."""
        if self._started_ns is not None:
            self._focus.stop()
            self._pointer.stop()

    @property
    def available(self) -> bool:
        """See :class:`AccessSource`."""
        self._focus.replace_if_stuck()
        return self._focus.is_working

    @property
    def has_begun(self) -> bool:
        """See :class:`AccessSource`. A system that has not answered after three seconds counts as one that does not."""
        started = self._started_ns
        return started is None or self._focus.has_begun or now_ns() - started > _BEGIN_NS

    def catch_up(self, *, timeout_s: float, since_ns: int | None = None) -> bool:
        """See :class:`AccessSource`. While an answer is late nobody waits for it again, but the result is False."""
        if not self.available:
            return False
        until_ns = now_ns() if since_ns is None else since_ns
        done = self._focus.catch_up(until_ns=until_ns, timeout_s=timeout_s)
        return self._pointer.wait_idle(timeout_s if done else 0.0) and done

    def note_input(self, event: InputEvent) -> None:
        """See :class:`AccessSource`."""
        self._focus.note(event)

    def focused(self, t_ns: int) -> AccessibleElement | None:
        """See :class:`AccessSource`."""
        return self._line.at(t_ns)

    def ask(self, x: int, y: int) -> None:
        """See :class:`AccessSource`."""
        if self.available:
            self._pointer.ask(Point(x, y))

    def pointed(self, x: int, y: int, t_ns: int) -> AccessibleElement | None:
        """See :class:`AccessSource`."""
        return self._answers.answer(Point(x, y), t_ns)

    def secure_between(self, started_ns: int, ended_ns: int) -> AccessibleElement | None:
        """See :class:`AccessSource`."""
        return self._line.secure_between(started_ns, ended_ns)

    def secure_boxes(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:
        """See :class:`AccessSource`. Only those fields are known that had the input, or were pointed at."""
        return self._boxes.between(started_ns, ended_ns)

    def unknown_between(self, started_ns: int, ended_ns: int, *, moved_ns: int | None = None, process: int = 0) -> bool:  # noqa: ARG002 - of what has the input it is asked, whoever shows it
        """See :class:`AccessSource`. Known is only what an answer proves that was asked after the focus moved.

        Right after :meth:`start` it waits until it is clear whether programs can be asked.
        """
        if self._started_ns is not None and not self.has_begun:
            self._focus.wait_begun(max(self._started_ns + _BEGIN_NS - now_ns(), 0) / 1e9)
        if not self.available:
            return False
        self._focus.catch_up(until_ns=started_ns, timeout_s=_LATE_NS / 1e9)
        return self._focus.is_unknown(started_ns, ended_ns, moved_ns=moved_ns or 0)

    def fields_known(self, started_ns: int, ended_ns: int) -> bool | None:
        """See :class:`AccessSource`. Nobody looks for fields that never had the input, so it is False or None."""
        return False if self._focus.was_late(started_ns, ended_ns) else None

    @property
    def problems(self) -> list[str]:
        """See :class:`AccessSource`."""
        app = self._focus.late_app
        silent = [SILENT] if self._focus.is_silent else []
        return [*([] if app is None else [late_words(app)]), *silent, *self._focus.warnings]

    def text_change(self, started_ns: int, ended_ns: int) -> tuple[str, str] | None:
        """See :class:`AccessSource`."""
        return self._line.text_change(started_ns, ended_ns)

"""Fields on a desktop that is not there, for the stand-ins of Windows' and macOS' accessibility layers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from demopack.domain.geometry import Rect

WAIT_S = 20.0
FIELD_BOX = Rect(10, 20, 110, 40)


@dataclass(eq=False)
class Field:
    """One element as its program tells it."""

    name: str
    secure: bool = False
    value: str = ""
    box: Rect = FIELD_BOX
    process: int = 700
    shown: bool = True
    gone: bool = False
    enabled: bool = True
    tells_nothing: bool = False
    kind: int = 50004
    class_name: str = ""


class SystemDownError(Exception):
    """The layer refuses a question; ``hresult`` as COM has it."""

    hresult = -2147467259


class ToldFields:
    """What the layer answers, and when. Every question of any thread goes through :meth:`answer`.

    Attributes:
        focused: what has the input.
        under: what lies under the pointer.
        asked: how often it was asked for what has the input.
        fails: whether questions are refused.
        programs: names of processes.
    """

    def __init__(self) -> None:
        self.focused: Field | None = Field("Name")
        self.under: Field | None = None
        self.fails = False
        self.asked = self.waiting = self.opened = self.closed = 0
        self.secure_input = False
        self.programs = {700: "mail", 701: "vault", 702: "Finder"}
        self.on_focus: list[Callable[[Field], None]] = []
        self._answers = threading.Event()
        self._answers.set()
        self._changed = threading.Condition()

    def answer(self, *, about_focus: bool = False) -> None:
        """A question has come; it is answered when the layer answers at all."""
        with self._changed:
            self.waiting += 1
            self._changed.notify_all()
        if not self._answers.wait(WAIT_S):
            raise SystemDownError
        with self._changed:
            self.waiting -= 1
            self.asked += about_focus
            self._changed.notify_all()
        if self.fails:
            raise SystemDownError

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Nothing is answered meanwhile."""
        self._answers.clear()
        try:
            yield
        finally:
            self._answers.set()

    def release(self) -> None:
        """Answer what hangs."""
        self._answers.set()

    def wait(self, holds: Callable[[], bool]) -> None:
        """Until something is so, after a question came or was answered."""
        with self._changed:
            assert self._changed.wait_for(holds, WAIT_S), "nobody asked"

    def tell_focus(self, field: Field) -> None:
        """The program itself tells that the focus has moved."""
        self.focused = field
        for tell in list(self.on_focus):
            tell(field)

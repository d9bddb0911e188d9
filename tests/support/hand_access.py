"""An accessibility interface that tells what the test sets, with its own times."""

from __future__ import annotations

from collections.abc import Callable

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.base import AccessSource


class HandAccess(AccessSource):
    """``focus(t, element)`` says which element had the input from then on; ``boxes`` where secure fields are seen.

    ``untold`` are processes with a secure field that do not tell where the input is; ``while_waiting`` is what happens
    while a program is waited for.
    """

    has_begun = True

    def __init__(self) -> None:
        self.boxes: list[tuple[int, int, Rect]] = []
        self.answers = True
        self.caught_up = 0
        self.pointed_at: AccessibleElement | None = None
        self.change: tuple[str, str] | None = None
        self.unknown = False
        self.untold: set[int] = set()
        self.while_waiting: Callable[[], object] = lambda: None
        self.known: bool | None = None
        self.told: list[str] = []
        self.inputs: list[InputEvent] = []
        self._focus: list[tuple[int, AccessibleElement | None]] = []

    def note_input(self, event: InputEvent) -> None:
        self.inputs.append(event)

    def focus(self, t_ns: int, element: AccessibleElement | None) -> None:
        self._focus.append((t_ns, element))

    def secure_box(self, box: Rect, *, from_ns: int = 0, to_ns: int = 2**62) -> None:
        self.boxes.append((from_ns, to_ns, box))

    def start(self) -> None:
        return

    def stop(self) -> None:
        return

    @property
    def available(self) -> bool:
        return self.answers

    def catch_up(self, *, timeout_s: float, since_ns: int | None = None) -> bool:  # noqa: ARG002 - the port's form
        self.caught_up += 1
        return True

    def focused(self, t_ns: int) -> AccessibleElement | None:
        known = [element for since, element in self._focus if since <= t_ns]
        return known[-1] if known else None

    def ask(self, x: int, y: int) -> None:  # noqa: ARG002 - the port's form
        return

    def pointed(self, x: int, y: int, t_ns: int) -> AccessibleElement | None:  # noqa: ARG002 - the port's form
        return self.pointed_at

    def secure_between(self, started_ns: int, ended_ns: int) -> AccessibleElement | None:
        ends = [since for since, _ in self._focus[1:]] + [2**62]
        for (since, element), end in zip(self._focus, ends, strict=False):
            if element is not None and element.secure and since <= ended_ns and end > started_ns:
                return element
        return None

    def secure_boxes(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:
        return tuple(box for since, until, box in self.boxes if since <= ended_ns and until >= started_ns)

    def unknown_between(
        self,
        started_ns: int,  # noqa: ARG002 - the port's form
        ended_ns: int,  # noqa: ARG002 - the port's form
        *,
        moved_ns: int | None = None,  # noqa: ARG002 - the port's form
        process: int = 0,
    ) -> bool:
        self.while_waiting()
        return self.unknown or process in self.untold

    def fields_known(self, started_ns: int, ended_ns: int) -> bool | None:  # noqa: ARG002 - the port's form
        return self.known

    @property
    def problems(self) -> list[str]:
        return self.told

    def text_change(self, started_ns: int, ended_ns: int) -> tuple[str, str] | None:  # noqa: ARG002 - the port's form
        return self.change

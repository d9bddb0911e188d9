"""Purge of the last seconds: which steps that are, and how another process asks a running recording to do it.

The order is a file in the library's folder. The recording that runs there takes it, removes the steps, and answers with
another file. Neither holds anything that was recorded, and both are gone when the answer has been read.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demopack.atomic import write_text_atomic
from demopack.clock import now_ns
from demopack.domain.steps import Step
from demopack.errors import BadInputError, LibraryBusyError, LibraryError

_ORDER, _ANSWER = "forget.order", "forget.answer"
_LOOK_S = 0.05
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?")


def parse_duration(text: str) -> float:
    """Seconds of ``30s``, ``2m``, ``1m30s``, ``1h`` or ``45``.

    Raises:
        BadInputError: it is no duration, or it is nothing.
    """
    match = _DURATION.fullmatch(text.strip().lower().replace(" ", ""))
    hours, minutes, seconds = match.groups() if match else (None, None, None)
    total = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds or 0)
    if not total:
        raise BadInputError(f"{text!r} is not a duration.", hint="Write for instance 30s, 2m or 1m30s.")
    return total


def steps_since(steps: Iterable[Step], cutoff_ns: int) -> list[str]:
    """Ids of the steps that hold anything from ``cutoff_ns`` or later, in their order; see :func:`last_ns_of`."""
    return [step.id for step in steps if last_ns_of(step) >= cutoff_ns]


def end_of(steps: Iterable[Step]) -> int:
    """When the last of the steps had ended, monotonic nanoseconds; 0 without steps."""
    return max((step.ended_ns for step in steps), default=0)


def last_ns_of(step: Step) -> int:
    """Monotonic time of the last thing that a step holds, be it a key or a picture.

    A step that was done just before a point in time, but whose picture was taken after it, shows what came then.
    """
    frames = [frame.grab_ended_ns for frame in (step.before, step.after) if frame is not None]
    return max(step.ended_ns, *frames, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeRequest:
    """An order that came from outside; whoever took it answers it, once.

    Attributes:
        id: names it in the answer.
        seconds: how far back it reaches.
        given_ns: monotonic clock when it was given.
        folder: the library.
    """

    id: str
    seconds: float
    given_ns: int
    folder: Path

    @property
    def cutoff_ns(self) -> int:
        """Everything from here on is to be forgotten, monotonic nanoseconds."""
        return max(0, self.given_ns - round(self.seconds * 1e9))

    def answer(self, *, removed: int = 0, problem: str | None = None) -> None:
        """Say how many steps have been removed from the disk, or why nothing was, in words for the user."""
        data: dict[str, Any] = {"removed": removed} if problem is None else {"problem": problem}
        write_text_atomic(self.folder / _ANSWER, json.dumps({"id": self.id, **data}) + "\n", private=True)


def take_purge_request(folder: Path, *, clock: Callable[[], int] = now_ns) -> PurgeRequest | None:
    """The order that waits in this library, if any; it is taken by this call, and must be answered.

    What somebody gave up waiting for is thrown away. Cheap enough to be called a few times a second.

    Args:
        folder: the library.
        clock: monotonic nanoseconds.
    """
    file = folder / _ORDER
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        file.unlink()
        given, until = int(data["given_ns"]), int(data["until_ns"])
        order = PurgeRequest(id=str(data["id"]), seconds=float(data["seconds"]), given_ns=given, folder=folder)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        file.unlink(missing_ok=True)
        return None
    return order if given <= clock() <= until else None


def request_purge(
    folder: Path, seconds: float, *, is_recording: Callable[[], bool], timeout_s: float = 15.0
) -> int | None:
    """Ask the recording that runs in a library to forget its last seconds, and wait until that is done.

    Args:
        folder: the library.
        seconds: how far back, from now.
        is_recording: whether the recording still runs; asked while waiting.
        timeout_s: how long the recording may take.

    Returns:
        The number of removed steps; None when the recording ended before it took the order: nothing was removed.

    Raises:
        LibraryError: the recording could not remove them.
        LibraryBusyError: it did not answer in time.
    """
    name, given = secrets.token_hex(8), now_ns()
    order = {"id": name, "seconds": seconds, "given_ns": given, "until_ns": given + round(timeout_s * 1e9)}
    write_text_atomic(folder / _ORDER, json.dumps(order) + "\n", private=True)
    pause, end = threading.Event(), time.monotonic() + timeout_s
    try:
        while time.monotonic() < end:
            answer = _answer_to(folder, name)
            if answer is not None:
                if "problem" in answer:
                    words = f"The recording could not forget: {answer['problem']}"
                    raise LibraryError(words, hint="Stop it and try again.")
                return int(answer["removed"])
            if not is_recording() and _withdraw(folder):
                return None
            pause.wait(_LOOK_S)
    finally:
        # Also on Ctrl-C: nobody waits for it any more, so it must not be carried out later.
        taken = not _withdraw(folder)
    if not taken:
        words = "The running recording does not take orders; nothing was removed."
        raise LibraryBusyError(words, hint="Press its hot-key for forgetting, or stop it and try again.")
    words = "The running recording was told to forget, but has not said yet that it is done."
    raise LibraryBusyError(words, hint="Look at its steps with `demopack show last`, and try again.")


def _answer_to(folder: Path, name: str) -> dict[str, Any] | None:
    file = folder / _ANSWER
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    # An answer to somebody else who asked at the same time is left to them.
    if data.get("id") != name:
        return None
    file.unlink(missing_ok=True)
    return data


def _withdraw(folder: Path) -> bool:
    """Take the order back; returns False when the recording has taken it already."""
    try:
        (folder / _ORDER).unlink()
    except FileNotFoundError:
        return False
    return True

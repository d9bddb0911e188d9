"""A Chromium process and its DevTools, spoken to through a pair of pipes: no port, no second program, no leftovers.

The browser ends by itself when its pipe closes, so it does not outlive a process of ours that was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Sequence
from typing import Any

from demopack.errors import CaptureError

_THEIR_IN, _THEIR_OUT = 3, 4  # the file numbers that Chromium reads commands from and writes answers to
_SPARE = 10  # our ends are moved out of the way of those two
_GRACE_S = 3.0


class DevTools:
    """One browser process; commands go in, answers and events come out, one after the other.

    Args:
        command: the program and its switches.
        limit_s: how long one command may take before the browser counts as stuck.

    Attributes:
        pid: of the process, which leads a session of its own.

    Raises:
        CaptureError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str], *, limit_s: float = 30.0) -> None:
        self._limit_s = limit_s
        self._number = 0
        self._buffer = bytearray()
        self._answers: dict[int, dict[str, Any]] = {}
        self._events: list[dict[str, Any]] = []
        their_in, self._out = (_moved(end) for end in os.pipe())
        self._in, their_out = (_moved(end) for end in os.pipe())
        try:
            self.pid = os.posix_spawn(
                command[0],
                list(command),
                dict(os.environ),
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_DUP2, their_in, _THEIR_IN),
                    (os.POSIX_SPAWN_DUP2, their_out, _THEIR_OUT),
                ],
                setsid=True,
            )
        except OSError as error:
            for end in (self._in, self._out):
                os.close(end)
            raise CaptureError("Chromium cannot be started.", details=f"{command[0]}: {error}") from error
        finally:
            for end in (their_in, their_out):
                os.close(end)

    def close(self) -> None:
        """End the process and wait for it; it is killed when it does not go by itself."""
        with contextlib.suppress(CaptureError):
            self._send("Browser.close", {}, "")
        os.close(self._out)
        os.close(self._in)
        deadline = time.monotonic() + _GRACE_S
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                # The renderers are in the browser's session; none of them may stay.
                os.killpg(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                return
            time.sleep(0.01)

    def call(self, method: str, *, session: str = "", **parameters: object) -> dict[str, Any]:
        """One command and its result.

        Raises:
            CaptureError: the browser refused it, did not answer in time, or is gone.
        """
        number = self._send(method, parameters, session)
        deadline = time.monotonic() + self._limit_s
        while number not in self._answers:
            self._read(deadline, method)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise CaptureError(f"Chromium refused {method}.", details=json.dumps(answer["error"]))
        result: dict[str, Any] = answer["result"]
        return result

    def wait_for(self, event: str) -> dict[str, Any]:
        """The parameters of the next event of this name that has not been looked at yet.

        Raises:
            CaptureError: it does not come in time, or the browser is gone.
        """
        deadline = time.monotonic() + self._limit_s
        while True:
            for index, one in enumerate(self._events):
                if one["method"] == event:
                    del self._events[index]
                    parameters: dict[str, Any] = one.get("params", {})
                    return parameters
            self._read(deadline, event)

    def forget_events(self) -> None:
        """Throw away what has come in so far, so that ``wait_for`` sees only what follows."""
        self._events.clear()

    def _send(self, method: str, parameters: dict[str, Any], session: str) -> int:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = memoryview(json.dumps(message).encode() + b"\0")
        try:
            while data:
                data = data[os.write(self._out, data) :]
        except OSError as error:
            raise CaptureError("Chromium has ended unexpectedly.", details=str(error)) from error
        return self._number

    def _read(self, deadline: float, what: str) -> None:
        ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise CaptureError(f"Chromium did not answer within {self._limit_s:g} s.", details=what)
        data = os.read(self._in, 1 << 20)
        if not data:
            raise CaptureError("Chromium has ended unexpectedly.", details=what)
        self._buffer += data
        *messages, rest = self._buffer.split(b"\0")
        self._buffer = rest
        for raw in messages:
            self._take(json.loads(raw))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
        elif message["method"] == "Page.javascriptDialogOpening":
            # A page that asks the person something stands still until it is answered.
            self._send("Page.handleJavaScriptDialog", {"accept": True}, message.get("sessionId", ""))
        else:
            self._events.append(message)


def _moved(end: int) -> int:
    import fcntl

    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _SPARE)
    os.close(end)
    return moved

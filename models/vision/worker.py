"""The vision worker: a process of its own that holds the models, and :class:`WorkerProcess`, which starts it.

Each request names the function that makes its pipeline, and the method of that to call with a picture of shape (height,
width, 3), uint8, and further arguments; what it gives is plain JSON. Requests are answered one after the other on
standard output. The worker ends as soon as its standard input is closed, also in
the middle of a request: that is how it notices that the app is gone. See ``docs/adr/0003-vision-worker.md``.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import mmap
import os
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import Future, wait
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np

from demopack.errors import DemopackError, ModelError
from demopack.jobs import JobControl
from demopack.processes import NO_CONSOLE

_LENGTHS = struct.Struct(">IQ")


def write_message(stream: BinaryIO, header: dict[str, Any], payload: bytes | memoryview = b"") -> None:
    """Send one message.

    Raises:
        OSError: the other side is gone.
    """
    text = json.dumps(header, ensure_ascii=False).encode("utf-8")
    stream.write(_LENGTHS.pack(len(text), len(payload)))
    stream.write(text)
    stream.write(payload)
    stream.flush()


def read_message(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None when the other side is gone, also in the middle of one."""
    head = stream.read(_LENGTHS.size)
    if len(head) < _LENGTHS.size:
        return None
    text_length, payload_length = _LENGTHS.unpack(head)
    text, payload = stream.read(text_length), stream.read(payload_length)
    if len(text) + len(payload) < text_length + payload_length:
        return None
    header: dict[str, Any] = json.loads(text)
    return header, payload


_POLL_S = 0.03
"""How often a waiting request looks whether it was cancelled."""
_MEMORY_SHARE = 0.75
"""Of the machine's memory that a worker may take: with more, everything else would be pushed out."""
_ENVIRONMENT = {
    "ULTRALYTICS_SAFE_LOAD": "1",
    "YOLO_AUTOINSTALL": "False",
    "YOLO_OFFLINE": "true",
    "YOLO_VERBOSE": "False",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "PYTHONUNBUFFERED": "1",
}


class WorkerDiedError(ModelError):
    """The worker ended in the middle of a request; a new one may do better."""


class WorkerStoppedError(ModelError):
    """The worker took too long or too much memory and was ended; a new one would do no better."""


def worker_threads() -> int:
    """Threads for every model: all cores of a small machine, four at most, more gain little."""
    return max(1, min(4, os.cpu_count() or 1))


def most_memory() -> int | None:
    """Bytes that a worker may take; None where the system does not say how many there are."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError, ValueError):
            return int(os.sysconf("SC_PHYS_PAGES") * mmap.PAGESIZE * _MEMORY_SHARE)
    return None


class WorkerProcess:
    """One running worker, which makes its pipeline with the first request. One request at a time."""

    def __init__(self) -> None:
        # A file, not a pipe: nobody has to drain it, and its end tells why a worker died.
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "models.vision.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=_environment(),
            # Ctrl-C in a terminal is for the app, which then ends its worker.
            start_new_session=True,
            creationflags=NO_CONSOLE,
        )

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def ask(
        self,
        header: dict[str, Any],
        payload: memoryview,
        *,
        control: JobControl,
        limit_s: float,
        most_bytes: int | None = None,
    ) -> dict[str, Any]:
        """Send a request and wait for its reply. Cancelling ends the process.

        Args:
            header: the request.
            payload: its bytes.
            control: cancelling.
            limit_s: seconds after which the process hangs.
            most_bytes: memory that the process may hold; None for any. Looked at on Linux only.

        Raises:
            CancelledError: the job was cancelled.
            WorkerDiedError: the process ended.
            WorkerStoppedError: it took longer than ``limit_s``, or more memory than ``most_bytes``.
        """
        # On a thread, so that this side can be cancelled at any moment.
        reply: Future[dict[str, Any] | None] = Future()
        exchange = threading.Thread(target=self._exchange, args=(header, payload, reply), daemon=True)
        exchange.start()
        deadline = time.monotonic() + limit_s
        try:
            while not wait([reply], timeout=_POLL_S).done:
                control.token.check()
                self._check_limits(deadline, limit_s, most_bytes)
        except BaseException:
            # Also for Ctrl-C: a worker whose reply nobody waits for cannot be asked again.
            self.kill()
            raise
        answer = reply.result()
        if answer is None:
            self.kill()
            self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - 4000))
            last = self._said.read().decode("utf-8", "replace")
            details = f"exit code {self._process.returncode}\n{last}".strip()
            raise WorkerDiedError("The process that finds elements died.", details=details)
        return answer

    def _exchange(self, header: dict[str, Any], payload: memoryview, reply: Future[dict[str, Any] | None]) -> None:
        """Write the request and read its reply: None when the process is gone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answer = None
        try:
            # A broken pipe, or one that was closed while we waited.
            with contextlib.suppress(OSError, ValueError):
                write_message(self._process.stdin, header, payload)  # type: ignore[arg-type]
                answer = read_message(self._process.stdout)  # type: ignore[arg-type]
        finally:
            reply.set_result(None if answer is None else answer[0])

    def _check_limits(self, deadline: float, limit_s: float, most_bytes: int | None) -> None:
        if time.monotonic() > deadline:
            raise WorkerStoppedError(
                f"Finding elements took longer than {limit_s:g} s on one picture and was stopped; what was found "
                "before is kept.",
                details=f"The models gave no answer about a picture within {limit_s:g} s.",
                hint="Choose another model: demopack models list, demopack models use NAME.",
            )
        if most_bytes is not None and _memory_of(self.pid) > most_bytes:
            raise WorkerStoppedError(
                f"Finding elements took more than {most_bytes / 1e9:.1f} GB of memory and was stopped; what was "
                "found before is kept.",
                details=f"The models took more than {most_bytes / 1e9:.1f} GB of memory for one picture.",
                hint="Choose a smaller model, or record one monitor or a region of the screen.",
            )

    def kill(self) -> None:
        """End the process at once; calling it twice is harmless."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def close(self) -> None:
        """Let the process end by itself, at once if it does not want to."""
        self._close_pipes()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.kill()
        self._said.close()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                # Closing flushes what a dead reader will never take.
                with contextlib.suppress(OSError):
                    pipe.close()


def _memory_of(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not tell, or it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0


def _environment() -> dict[str, str]:
    threads = str(worker_threads())
    root = str(Path(__file__).resolve().parents[2])
    path = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        **_ENVIRONMENT,
        "OMP_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        # The worker must find the very package that started it, wherever that was imported from.
        "PYTHONPATH": root if not path else f"{root}{os.pathsep}{path}",
    }


_Inbox = queue.SimpleQueue[tuple[dict[str, Any], bytes]]


def main() -> None:
    """Serve requests until the app closes the pipe."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the messages.
    os.dup2(2, 1)
    if sys.platform != "win32":
        os.nice(5)  # the window and the recorder go first
    inbox: _Inbox = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, inbox), daemon=True, name="receive").start()
    while True:
        header, payload = inbox.get()
        try:
            write_message(replies, _answer(header, payload))
        except OSError:
            return


def _receive(requests: BinaryIO, inbox: _Inbox) -> None:
    while (message := read_message(requests)) is not None:
        inbox.put(message)
    # The app is gone or wants us gone. A model may be in the middle of its work in another thread; nothing of it is
    # worth keeping, and a tidy exit would wait for it.
    os._exit(0)


def _answer(header: dict[str, Any], payload: bytes) -> dict[str, Any]:
    """The reply to one message; an error is a reply, too."""
    try:
        pipeline = _pipeline(header["builder"], json.dumps(header["options"]))
        image = np.frombuffer(payload, dtype=np.uint8).reshape(header["height"], header["width"], 3)
        return {"answer": getattr(pipeline, header["method"])(image, **header["arguments"])}
    except DemopackError as error:
        return {"error": {"message": error.user_message, "details": error.details, "hint": error.hint}}
    except Exception as error:  # noqa: BLE001 - the end of this process's world: the app reports it in its own words
        details = "".join(traceback.format_exception(error))
        return {"error": {"message": f"Finding elements failed: {error}", "details": details, "hint": ""}}


@lru_cache(maxsize=1)
def _pipeline(builder: str, options: str) -> Any:  # noqa: ANN401 - chosen by its name
    """What ``module:function`` makes of the options, JSON; heavy libraries are imported there and then."""
    module, _, function = builder.partition(":")
    return getattr(importlib.import_module(module), function)(json.loads(options))


if __name__ == "__main__":
    main()

"""``demopack record`` in a process of its own, as a user starts and stops it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from demopack.settings import PrivacySettings, RecorderSettings, Settings, save_settings

_WAIT_S = 30.0


class _Screen(Protocol):
    """Where it records."""

    def environment(self) -> dict[str, str]: ...


class RecordCommand:
    """Records from the beginning to the end of a ``with`` block, with a film.

    Attributes:
        told: what the command has said so far, one JSON object each.
    """

    def __init__(
        self,
        screen: _Screen,
        folder: Path,
        *,
        privacy: PrivacySettings,
        environment: dict[str, str] | None = None,
        trees: bool = True,
        options: Sequence[str] = (),
    ) -> None:
        self.told: list[dict[str, Any]] = []
        self._options = options
        self._ended = False
        self._folder = folder
        self._changed = threading.Condition()
        self._settings = folder.parent / "settings.json"
        save_settings(Settings(recorder=RecorderSettings(privacy=privacy, timeline=True, trees=trees)), self._settings)
        self._environment = {
            **screen.environment(),
            "DEMOPACK_SETTINGS": str(self._settings),
            **(environment or {}),
        }

    def __enter__(self) -> RecordCommand:
        command = [sys.executable, "-m", "demopack", "record", "--task", "a task", "--json"]
        self._process = subprocess.Popen(
            [*command, *self._options, "--library", str(self._folder)],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.wait_for(lambda told: {"event": "state", "state": "recording"} in told)
        except BaseException:
            self._process.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ended:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            code = self._process.wait(_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        self._reader.join()
        assert self._process.stderr is not None
        said = self._process.stderr.read()
        self._process.stderr.close()
        assert (code, said) == (0, "") or kind is not None, said

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with self._changed:
                    self.told.append(json.loads(line))
                    self._changed.notify_all()

    def wait_for_end(self) -> None:
        """Wait until it has ended by itself."""
        self._process.wait(_WAIT_S)

    def broken_off(self) -> tuple[int, str]:
        """The exit code and the errors of a recording that breaks off by itself."""
        code = self._process.wait(_WAIT_S)
        self._reader.join()
        assert self._process.stderr is not None
        with self._process.stderr as errors:
            said = errors.read()
        self._ended = True
        return code, said

    def wait_for(self, fits: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Wait until what was told fits."""
        with self._changed:
            assert self._changed.wait_for(lambda: fits(self.told), _WAIT_S), self.told

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The parameters of every step that was told so far."""
        return [item["action"]["parameters"] for item in self.told if item["event"] == "step"]

    def forget(self, last: str) -> dict[str, Any]:
        """``demopack forget`` in another terminal; returns what it said."""
        command = [sys.executable, "-m", "demopack", "forget", "--last", last, "--json", "--library", str(self._folder)]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True, timeout=60)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

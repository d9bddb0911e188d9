from __future__ import annotations

import subprocess
import sys

from demopack.processes import end_process

DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); signal.pause()"


def test_a_program_ends_when_asked_and_again_harmlessly() -> None:
    process = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    assert end_process(process) == -15
    assert end_process(process) == -15


def test_a_program_that_does_not_listen_is_forced() -> None:
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        assert end_process(process, seconds=0.1) == -9

"""How soon the abort hot-key ends an agent that waits for its model: milliseconds from the key to the end of the run.

python benchmarks/agent_abort.py --times 10
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.settings import LanguageSettings, Settings
from models.language.client import LanguageClient
from player.agent import Agent
from player.executor import open_executor
from recorder.desktop.private_display import PrivateDisplay
from tests.support.openai_server import OpenAIServer, hang


def measure() -> float:
    """One run, milliseconds."""
    release = threading.Event()
    with (
        PrivateDisplay(width=720, height=480) as display,
        mock.patch.dict(os.environ, display.environment()),
        tempfile.TemporaryDirectory() as folder,
        OpenAIServer() as server,
        open_executor(Settings(), eyes="picture") as hands,
    ):
        server.script.append(hang(release))
        port = LanguageClient(LanguageSettings(model="server:silent", base_url=server.base_url), folder=Path(folder))
        agent = Agent(hands, port, task="Wait")
        ended: list[float] = []

        def work() -> None:
            agent.run()
            ended.append(time.monotonic())

        thread = threading.Thread(target=work)
        thread.start()
        server.wait_asked(1)
        subprocess.run(["xdotool", "keydown", "ctrl", "keydown", "alt"], env=display.environment(), check=True)
        pressed = time.monotonic()
        subprocess.run(["xdotool", "keydown", "Escape"], env=display.environment(), check=True)
        thread.join(30)
        release.set()
        subprocess.run(
            ["xdotool", "keyup", "Escape", "keyup", "alt", "keyup", "ctrl"], env=display.environment(), check=True
        )
        port.close()
        if agent.report.end != "stopped":
            raise SystemExit(f"It ended otherwise: {agent.report.end}, {agent.report.reason}")
        return (ended[0] - pressed) * 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    found = sorted(measure() for _ in range(parser.parse_args().times))
    print("ms from before the key's program starts to the end of the run:", " ".join(f"{one:.0f}" for one in found))


if __name__ == "__main__":
    main()

"""How many steps a second the language client gets from a server that answers in 1 s, 8 at a time, and its CPU.

The server is a process of its own; the CPU is that of this process alone, after its libraries are loaded.
"""

from __future__ import annotations

import io
import multiprocessing
import resource
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from measure import report
from PIL import Image

from demopack.settings import LanguageSettings
from models.language.client import LanguageClient
from models.language.port import LanguageRequest, PromptImage
from tests.support.language import Reason, question
from tests.support.openai_server import OpenAIServer

IN_FLIGHT = 8
STEPS = 80
ANSWER_S = 1.0
TEXT = "A line about an element of the screen, its text, its type and its box.\n" * 60


def _serve(line: Connection) -> None:
    with OpenAIServer(before=lambda: threading.Event().wait(ANSWER_S)) as server:
        line.send(server.base_url)
        line.recv()


def _screen(width: int, height: int, seed: int) -> PromptImage:
    """Flat areas and some noise: as large as a screenshot of an application."""
    dice = np.random.default_rng(seed)
    pixels = np.full((height, width, 3), 240, np.uint8)
    pixels[: height // 5] = dice.integers(0, 255, (height // 5, width, 1), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return PromptImage(png=buffer.getvalue(), what="before")


def _steps(client: LanguageClient, requests: list[LanguageRequest[Reason]]) -> tuple[float, float]:
    """Steps a second, and share of a core."""
    began, cpu = time.monotonic(), _cpu_s()
    for future in [client.submit(request) for request in requests]:
        future.result()
    seconds = time.monotonic() - began
    return len(requests) / seconds, (_cpu_s() - cpu) / seconds


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    shown = (_screen(1280, 800, 1), _screen(400, 300, 2))
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,))
    process.start()
    settings = LanguageSettings(model="server:tiny-vl", base_url=here.recv(), in_flight=IN_FLIGHT)
    with tempfile.TemporaryDirectory() as folder:
        client = LanguageClient(settings, folder=Path(folder))
        client.submit(question("to load the libraries")).result()
        said = _steps(client, [question(f"{TEXT}{n}") for n in range(STEPS)])
        seen = _steps(client, [question(f"{TEXT}{n}", *shown) for n in range(STEPS)])
        began = time.monotonic()
        for n in range(STEPS):
            client.submit(question(f"{TEXT}{n}", *shown)).result()
        again = (time.monotonic() - began) / STEPS
        client.close()
    here.send("end")
    process.join()
    kilobytes = sum(len(one.png) for one in shown) / 1000
    report(
        f"language client, {IN_FLIGHT} in flight, {ANSWER_S:.0f} s per answer",
        {
            "text, steps a second": (said[0], "/s"),
            "text, share of a core": (said[1], ""),
            f"two pictures of {kilobytes:.0f} kB, steps a second": (seen[0], "/s"),
            f"two pictures of {kilobytes:.0f} kB, share of a core": (seen[1], ""),
            "answered before": (1000 * again, "ms"),
        },
    )


if __name__ == "__main__":
    main()

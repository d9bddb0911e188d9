"""A program that asks a language model about many steps, and prints each step that it has an answer for."""

from __future__ import annotations

import sys
from concurrent.futures import as_completed
from pathlib import Path

from demopack.settings import LanguageSettings
from models.language.client import LanguageClient
from models.language.port import LanguageRequest
from tests.support.language import Reason, question


def step(number: int) -> LanguageRequest[Reason]:
    """What is asked about a step."""
    return question(f"step {number}", subject=f"demo_a/step_{number}")


def main(address: str, folder: str, steps: int, in_flight: int) -> None:
    """Ask about every step once."""
    settings = LanguageSettings(
        model="server:tiny-vl", base_url=address, input_price=1.0, output_price=2.0, in_flight=in_flight, timeout_s=60
    )
    client = LanguageClient(settings, folder=Path(folder))
    futures = {client.submit(step(n)): n for n in range(steps)}
    for future in as_completed(futures):
        answer = future.result()
        print(futures[future], int(answer.cached), flush=True)
    client.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

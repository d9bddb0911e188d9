"""A program that trains like ``demopack train``, with the same options, but learns nothing.

Its minutes say what it does: 1 finishes at once; 3 is killed by the system; 7 fails with a sentence; any other number
reports three times, says on ``$FAKE_TRAINING_READY`` that it stands, and waits to be interrupted. Continued, it goes
on from its last report and finishes.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

COMMAND = (sys.executable, __file__)


def report(run: Path, step: int) -> None:
    """Append a line of progress, as a training does."""
    done = min(1.0, step / 300)
    line = {
        "epoch": 1, "epochs": 3, "step": step, "steps": 300, "seconds": step / 5,
        "losses": {"box_loss": 5 - 3 * done, "cls_loss": 4 - 3.5 * done},
        "metrics": {"f1": 0.2 + 0.6 * done, "type": 0.1 + 0.5 * done, "f1/qt": 0.5} if step % 200 == 100 else {},
    }  # fmt: skip
    with (run / "progress.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _finish(kind: str, name: str, run: Path) -> None:
    from models.registry import ModelCard, add_model, write_model

    weights = run / "weights.bin"
    weights.write_bytes(name.encode())
    card = ModelCard.model_validate({"id": kind, "kind": kind, "created": "", "files": {}, "metrics": {"f1": 0.8}})
    add_model(write_model(run / "model", card, [weights]), name=name)


def _wait(kind: str, name: str, run: Path, *, early: bool) -> None:
    def stop(_number: int, _frame: object) -> None:
        report(run, 320)
        if early:
            _finish(kind, name, run)
            sys.exit(0)
        print("Stopped; the same command goes on from the last checkpoint.", file=sys.stderr)
        sys.exit(130)

    signal.signal(signal.SIGINT, stop)
    ready = os.environ.get("FAKE_TRAINING_READY")
    if ready:
        Path(ready).write_text("ready", encoding="utf-8")
    while True:
        signal.pause()


def _main(arguments: list[str]) -> None:
    kind, rest = arguments[0], arguments[1:]
    given = dict(zip(rest[::2], rest[1::2], strict=True))
    run, minutes = Path(given["--run"]), float(given["--minutes"])
    (run / "arguments.json").write_text(json.dumps(arguments), encoding="utf-8")
    going_on = (run / "progress.jsonl").exists()
    if minutes == 7:
        sys.exit("demopack: There are no screens to learn from.")
    for step in (400, 500) if going_on else (100, 200, 300):
        report(run, step)
    if minutes == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if minutes != 1 and not going_on:
        _wait(kind, given["--name"], run, early=kind == "describer")
    _finish(kind, given["--name"], run)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    _main(sys.argv[1:])

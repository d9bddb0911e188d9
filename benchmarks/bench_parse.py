"""Finding elements on a 1280 x 800 screen: the first, the next with a tenth changed, a spreadsheet; and what the
worker costs.

Wall seconds are those of this machine as busy as it is; CPU seconds, divided by the cores, say what a quiet one needs.

Run: python benchmarks/bench_parse.py [--detector NAME] [--describer NAME]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measure import report
from PIL import Image

from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.vision.describer import Describer
from models.vision.detector import Detector
from models.vision.finder import WorkerFinder, open_finder
from models.vision.pipeline import build
from models.vision.reading.ocr import OcrReader
from models.vision.worker import worker_threads

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SHEET = Path(__file__).parent / "pictures" / "sheet.png"
"""Gnumeric with a table of 13 rows, drawn by itself on a screen of this size: some 200 elements."""
WIDTH, HEIGHT = 1280, 800
CHANGED = (420, 240)
"""Width and height of the part that changes: a tenth of the screen."""
LIMITS = {"first": 2.0, "next": 0.25, "spreadsheet": 2.0, "start": 15.0, "rss": 1500.0}


def picture(path: Path) -> RgbImage:
    """The upper left part of a picture, of the size that is measured."""
    return np.ascontiguousarray(np.asarray(Image.open(path).convert("RGB"), dtype=np.uint8)[:HEIGHT, :WIDTH])


def screens() -> tuple[RgbImage, RgbImage]:
    """A window full of controls, and the same with a part of another window in it."""
    first, other = (picture(PICTURES / name) for name in ("editor-light.png", "settings-light.png"))
    second = first.copy()
    second[200 : 200 + CHANGED[1], 300 : 300 + CHANGED[0]] = other[120 : 120 + CHANGED[1], 60 : 60 + CHANGED[0]]
    return first, second


def cpu_s(pid: int) -> float:
    """User and system seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    """The most memory a process held so far."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def timed(finder: WorkerFinder, image: RgbImage) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and elements of one picture."""
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    before, began = cpu_s(finder.worker_pid) if finder.worker_pid else 0.0, time.monotonic()
    found = finder.find(image, frame, control=JobControl())
    assert finder.worker_pid is not None
    return time.monotonic() - began, cpu_s(finder.worker_pid) - before, len(found)


class Clock:
    """CPU seconds by what they were spent on."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def watch(self, owner: type, name: str, label: str) -> None:
        """Count what a method of a class takes from now on."""
        inner: Callable[..., object] = getattr(owner, name)

        def call(*args: object, **more: object) -> object:
            began = time.process_time()
            try:
                return inner(*args, **more)
            finally:
                self.spent[label] = self.spent.get(label, 0.0) + time.process_time() - began

        setattr(owner, name, call)


def parts(settings: VisionSettings, image: RgbImage) -> dict[str, float]:
    """CPU seconds of each part, for one picture in this process with all models warm."""
    options = {**settings.model_dump(mode="json"), "incremental": False, "threads": worker_threads()}
    clock = Clock()
    clock.watch(Detector, "detect", "detecting elements")
    clock.watch(OcrReader, "boxes", "detecting text")
    clock.watch(OcrReader, "read", "reading text")
    clock.watch(Describer, "describe", "describing")
    pipeline = build(options)
    pipeline(np.ascontiguousarray(image[::-1]), ())
    clock.spent.clear()
    began = time.process_time()
    pipeline(image, ())
    total = time.process_time() - began
    return {**clock.spent, "everything else": total - sum(clock.spent.values())}


def main() -> None:
    """Print the table, and say what is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--detector", default="shipped")
    parser.add_argument("--describer", default="shipped")
    given = parser.parse_args()
    settings = VisionSettings(detector=given.detector, describer=given.describer)
    first, second = screens()
    cores = os.cpu_count() or 1
    sheet = picture(SHEET)
    firsts, seconds, sheets = [], [], []
    blank = np.full((64, 64, 3), 255, dtype=np.uint8)
    with open_finder(settings) as finder:
        start = timed(finder, blank)
        timed(finder, np.ascontiguousarray(first[::-1]))  # warm: every model has seen a screen of this size
        for _ in range(3):
            firsts.append(timed(finder, first))
            seconds.append(timed(finder, second))
            sheets.append(timed(finder, sheet))
            finder.close()
            timed(finder, np.ascontiguousarray(first[::-1]))
        rss = rss_mb(finder.worker_pid or os.getpid())
        print(finder.name)
    rows = {
        "worker start to first answer": (start[0], "s"),
        "first screen, wall": (statistics.median(one[0] for one in firsts), "s"),
        "first screen, CPU / cores": (statistics.median(one[1] for one in firsts) / cores, "s"),
        "next screen, 10 % changed, wall": (statistics.median(one[0] for one in seconds), "s"),
        "next screen, CPU / cores": (statistics.median(one[1] for one in seconds) / cores, "s"),
        "spreadsheet, wall": (statistics.median(one[0] for one in sheets), "s"),
        "spreadsheet, CPU / cores": (statistics.median(one[1] for one in sheets) / cores, "s"),
        "memory of the worker": (rss, "MB"),
        "elements": (float(firsts[0][2]), ""),
        "elements of the spreadsheet": (float(sheets[0][2]), ""),
    }
    rows |= {f"  {name}, CPU / cores": (value / cores, "s") for name, value in parts(settings, first).items()}
    report("parse", rows)
    measured = {
        "first": rows["first screen, CPU / cores"][0],
        "next": rows["next screen, CPU / cores"][0],
        "spreadsheet": rows["spreadsheet, CPU / cores"][0],
        "start": start[0],
        "rss": rss,
    }
    missed = [name for name, value in measured.items() if value > LIMITS[name]]
    print("missed: " + (", ".join(missed) or "nothing"))


if __name__ == "__main__":
    main()

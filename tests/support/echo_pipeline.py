"""A pipeline for the vision worker that needs no model: it says how bright the picture is, and misbehaves on demand.

The first pixel's red value chooses: 1 sleeps until it is killed, 2 ends the process, 3 ends it unless the file named
in the options is there already, 4 raises, 5 prints to standard output, 6 says which points matter, 8 takes half a
gigabyte of memory and sleeps; anything else just answers.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import ModelError
from models.vision.detection import Detection


def build(options: dict[str, Any]) -> Any:
    """The pipeline; ``options["fail"]`` makes building it fail."""
    if options.get("fail"):
        raise ModelError("The weights file x.pt is not a YOLO model.", hint="Name another.", details="why")
    marker = Path(str(options.get("marker", "")))

    def find(image: RgbImage, near: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
        command = int(image[0, 0, 0])
        if command == 1:
            threading.Event().wait()
        if command == 3 and not marker.exists():
            marker.write_text("was here", encoding="utf-8")
            command = 2
        if command == 2:
            os.kill(os.getpid(), 9)
        if command == 4:
            raise ZeroDivisionError("odd picture")
        if command == 5:
            print("noise on standard output")
        if command == 8:
            taken = bytearray(b"x") * 500_000_000
            threading.Event().wait()
            del taken
        box = Rect(0, 0, image.shape[1], image.shape[0])
        text = str(int(image[-1, -1, 2]))
        if command == 6:
            text = " ".join(f"({x}, {y})" for x, y in near)
        return [Detection(type="text", box=box, source="ocr", confidence=0.5, text=text).to_json()]

    return SimpleNamespace(find=find)

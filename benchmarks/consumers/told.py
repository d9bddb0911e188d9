"""What the consumers' scripts share: the truth that they are given, what they compare, and the line that they print.

Only the standard library: this runs in the environment of each consumer, where nothing of demopack is installed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
Step = dict[str, Any]
Place = Sequence[float]
_PLACEHOLDER = re.compile(r"<(?=(?:image|video|audio|bbox|ref-object)>)")
# Places of an answer are fractions of six digits.
_SIX_DIGITS_PX = 0.01


@dataclass(kw_only=True)
class Told:
    """What one consumer made of one export.

    Attributes:
        consumer: its name.
        folder: the export.
        steps: of the pack, in its order; what a step has is told by ``made.py``.
        frames: pictures of the pack with their boxes.
        log: the export's own.
        rows_in: how many rows the pack has for it; None before anybody counted.
        rows_out: how many the consumer found.
        left_out: how many the export's log counts with a reason.
        places: how many were compared.
        furthest_px: the largest distance between a place that was read and the one that was recorded.
        meanings: how many things that are no places were compared.
        wrong: what is not as it should be, in words.
        not_tried: what was not looked at, and why.
        versions: package to version.
        unsaid: code of a loss to how often something was missing because of it.
    """

    consumer: str
    folder: Path
    steps: list[Step]
    frames: list[dict[str, Any]]
    log: dict[str, Any]
    rows_in: int | None = None
    rows_out: int = 0
    left_out: int = 0
    places: int = 0
    furthest_px: float = 0.0
    meanings: int = 0
    wrong: list[str] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    unsaid: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, consumer: str, packages: Iterable[str]) -> Told:
        """For the folder and the truth that the command line names."""
        folder, truth = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_bytes())
        log = json.loads((folder / "EXPORT_LOG.json").read_bytes())
        told = cls(consumer=consumer, folder=folder, steps=truth["steps"], frames=truth["frames"], log=log)
        told.versions = {name: importlib.metadata.version(name) for name in packages}
        return told

    def kept(self, *, pictured: bool = True) -> list[Step]:
        """The steps that an export of steps has: those that nobody rejected, with a picture where it needs one."""
        return [
            step
            for step in self.steps
            if step["review"] != "rejected" and (step["picture"] is not None or not pictured)
        ]

    def count(self, found: int, expected: int, *, of: int | None = None) -> None:
        """How many rows came out of those that the pack has (its steps); the export's log has to say the same."""
        self.rows_in, self.rows_out = len(self.steps) if of is None else of, found
        self.left_out = sum(item["count"] for item in self.log["left_out"])
        self.same("rows", found, expected)
        self.same("rows_out of EXPORT_LOG.json", self.log["rows_out"], expected)
        self.same("rows_in of EXPORT_LOG.json", self.log["rows_in"], self.rows_in)
        self.same("rows that are there, or left out for a reason", expected + self.left_out, self.rows_in)

    def same(self, what: str, said: object, known: object) -> bool:
        """One meaning."""
        self.meanings += 1
        if said != known:
            self.wrong.append(f"{what}: {said!r:.300}, expected is {known!r:.300}")
        return said == known

    def true(self, what: str, *, holds: bool) -> None:
        """One meaning that has no two sides."""
        self.meanings += 1
        if not holds:
            self.wrong.append(what)

    def place(self, what: str, said: Place | None, known: Place | None, *, within: float) -> None:
        """One point or box, in pixels of the picture."""
        if said is None or known is None or len(said) != len(known):
            self.same(what, said, known)
            return
        self.places += 1
        pairs = list(zip(said, known, strict=True))
        distance = max(math.hypot(*(one - other for one, other in pairs[i : i + 2])) for i in range(0, len(pairs), 2))
        self.furthest_px = max(self.furthest_px, distance)
        if not distance <= within:
            self.wrong.append(f"{what}: {list(said)}, {distance:.1f} px from {list(known)}")

    def picture(self, what: str, image: Any, step: Step) -> None:  # noqa: ANN401 - of PIL, which may not be here
        """A picture is the one that was recorded, to the pixel."""
        rgb = image.convert("RGB")
        found = hashlib.sha256(f"{rgb.width}x{rgb.height}:".encode() + rgb.tobytes()).hexdigest()
        self.same(f"{what}: its pixels", found, step["picture"])

    def response(self, what: str, said: Mapping[str, Any], step: Step, *, spaced: bool = False) -> None:
        """An answer in the contract's own form: the same action, reason and status, and the boxes where they were.

        Args:
            what: the row.
            said: what was read.
            step: the truth.
            spaced: words that loaders take for pictures are written with a space, which the log has to tell.
        """
        known = dict(step["response"])
        if step["told_later"]:
            known["reasoning"] = ""
        if spaced:
            text = json.dumps(known, ensure_ascii=False)
            known = json.loads(_PLACEHOLDER.sub("< ", text))
        self.same(f"{what}: its answer", rounded(said), rounded(known))
        action = said["action"]
        ends = (action["parameters"].get("end_target"), step["end_box"])
        for target, box in ((action["target"], step["target_box"]), ends):
            if target and "bbox" in target and step["size"]:
                width, height = step["size"]
                x, y, w, h = target["bbox"]
                read = (x * width, y * height, (x + w) * width, (y + h) * height)
                self.place(f"{what}: its box", read, box, within=_SIX_DIGITS_PX)

    def losses(self, *, of: Iterable[str]) -> None:
        """What was found missing is what the log counts."""
        counted = {item["code"]: item["count"] for item in self.log["lost"]}
        for code in of:
            self.same(f"“{code}” of EXPORT_LOG.json", counted.get(code, 0), self.unsaid[code])

    def verdict(self) -> str:
        """In two words at most."""
        if self.wrong:
            return "wrong"
        if self.rows_in is None:
            return "not tried" if self.not_tried else "wrong"
        return "right"

    def line(self) -> str:
        """All of it as one line of JSON."""
        return json.dumps(
            {
                "consumer": self.consumer,
                "versions": self.versions,
                "rows_in": self.rows_in,
                "rows_out": self.rows_out,
                "left_out": self.left_out,
                "places": self.places,
                "furthest_px": round(self.furthest_px, 2),
                "meanings": self.meanings,
                "verdict": self.verdict(),
                "wrong": self.wrong[:20],
                "not_tried": self.not_tried,
            },
            ensure_ascii=False,
        )

    def finish(self) -> None:
        """Print the line; the last thing that a script does."""
        print(self.line(), flush=True)


def rounded(value: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """With numbers to nine places: some readers of JSON differ in the last bit."""
    match value:
        case dict():
            return {name: rounded(one) for name, one in value.items()}
        case list() | tuple():
            return [rounded(one) for one in value]
        case float():
            return round(value, 9)
        case _:
            return value


def spaced(text: str) -> str:
    """With a space in words that loaders take for pictures, as exports of chats write them."""
    return _PLACEHOLDER.sub("< ", text)


def loaded(file: Path) -> ModuleType:
    """A module by its file: names like ``tests`` may mean something else in a consumer's environment."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module

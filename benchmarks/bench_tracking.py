"""Identity switches on recorded demos: things that stayed where they are, and got another track all the same.

What stayed is told without the tracker: two consecutive pictures of a demo, one element on each with the same words,
alone with them on its picture, and boxes that overlap by 0.8. Run `demopack parse` on the demos first.

Run: python benchmarks/bench_tracking.py [LIBRARY], by default that of ``make demo``.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from measure import report

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.geometry import iou
from demopack.store import Library

STAYED = 0.8
LIMIT = 1.0


def worded(elements: Sequence[Element]) -> dict[str, Element]:
    """Elements by their words, those that share them left out."""
    many = Counter(one.text for one in elements if one.text)
    return {one.text: one for one in elements if one.text and many[one.text] == 1}


def count(demo: Demo) -> tuple[int, int, int]:
    """Pictures, things that stayed from one to the next, and those whose track changed."""
    frames = [frame.id for frame in demo.frames() if frame.id in demo.parsed]
    stayed = switched = 0
    for before, after in itertools.pairwise(frames):
        old, new = worded(demo.ordered(before)), worded(demo.ordered(after))
        for text in old.keys() & new.keys():
            if old[text].type == new[text].type and iou(old[text].box, new[text].box) >= STAYED:
                stayed += 1
                switched += old[text].track_id != new[text].track_id
    return len(frames), stayed, switched


def main() -> int:
    """Count over every demo of a library."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "out" / "quickstart" / "library"
    if not path.exists():
        sys.stdout.write(f"tracking: {path} is not there; run: make demo\n")
        return 0
    with Library.open(path) as library:
        counts = [count(library.demo(row.head.id)) for row in library.demos()]
    frames, stayed, switched = (sum(column) for column in zip(*counts, strict=True))
    switches = 100 * switched / max(1, frames)
    report(
        "tracking",
        {
            "pictures": (float(frames), ""),
            "things that stayed": (float(stayed), ""),
            "switches of 100 pictures": (switches, ""),
        },
    )
    return int(switches > LIMIT)


if __name__ == "__main__":
    sys.exit(main())

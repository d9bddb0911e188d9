"""What is carried over from screen to screen: how long it takes, how often it is right, how much is left to look at.

Time is CPU time of this process. With a library whose demos were searched, what is carried is compared with what the
search found on each screen, and a person is played who approves what was not carried as approved. The scenes have known
identities::

    python benchmarks/bench_across.py [--library DIR]
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from annotator.document import Document
from annotator.propagate.attention import AttentionRegions
from annotator.propagate.carry import carry
from annotator.propagate.carry_commands import carry_along
from annotator.propagate.comparison import compare
from annotator.propagate.tracks import frames_in_order, hops_from
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import iou
from demopack.jobs import JobControl
from demopack.store import Library
from tests.support.track_scenes import SCENES, painted_things

_SAME = 0.8
_PICTURES = 25


def cpu_ms(old: RgbImage, new: RgbImage, elements: list[Element]) -> tuple[float, float]:
    """Milliseconds to compare two pictures, and to carry elements."""
    began = time.process_time()
    comparison = compare(old, new)
    compared = time.process_time()
    carry(elements, comparison, frame="b")
    return (compared - began) * 1e3, (time.process_time() - compared) * 1e3


def pictures() -> None:
    """The best and the worst that a screen of 1280 x 800 can cost."""
    rng = np.random.default_rng(1)
    noise = [rng.integers(0, 255, (800, 1280, 3), dtype=np.uint8) for _ in range(2)]
    cases = {"equal": (noise[0], noise[0]), "scrolled": (noise[0], np.roll(noise[0], -120, axis=0))}
    for name, (old, new) in {**cases, "nothing in common": (noise[0], noise[1])}.items():
        best = min(cpu_ms(old, new, [])[0] for _ in range(3))
        print(f"compare 1280 x 800, {name:18} {best:6.0f} ms")


def scenes() -> None:
    """Screens whose things have identities: is each where it was carried, and is nothing else carried?"""
    for name, scene in SCENES.items():
        there = carried = right = 0
        spent = 0.0
        for before, after in itertools.pairwise(itertools.islice(scene(random.Random(3)), _PICTURES)):
            elements = [Element(uid=t.key, frame="a", type=t.type, box=t.box, text=t.text) for t in before]
            old, new = painted_things(before), painted_things(after)
            spent += sum(cpu_ms(old, new, elements))
            got = carry(elements, compare(old, new), frame="b")
            boxes = {thing.key: thing.box for thing in after}
            there += sum(thing.key in boxes for thing in before)
            carried += len(got)
            right += sum(boxes.get(one.origin) == one.element.box for one in got)
        share = f"right {right / carried:.3f}, found {right / there:.3f} of {there}"
        print(f"scene {name:12} {share}, {spent / (_PICTURES - 1):.0f} ms a screen")


def searched(library: Library, demo_id: str) -> None:
    """Carried elements beside those that the search found on the next screen."""
    document = Document(library.demo(demo_id))
    counts: Counter[str] = Counter()
    frames = [frame.id for frame in frames_in_order(document) if document.elements(frame.id)]
    for old, new in itertools.pairwise(frames):
        fresh = document.elements(new)
        for one in carry(document.elements(old), compare(library.get_image(old), library.get_image(new)), frame=new):
            best = max(fresh, key=lambda e: iou(e.box, one.element.box))
            alike = iou(best.box, one.element.box) >= _SAME and best.type == one.element.type
            counts[one.how] += 1
            counts[f"{one.how} right"] += alike and (one.how == "changed" or best.text == one.element.text)
    for how in ("same", "moved", "changed"):
        print(f"  carried as {how:8} as the search has it: {counts[f'{how} right']} of {counts[how]}")


def played(library: Library, demo_id: str) -> None:
    """A person who approves the first screen, carries over step by step, and approves what is left."""
    document = Document(library.demo(demo_id))
    frames = frames_in_order(document)
    if len(frames) < 2:
        return
    attention, everything, looked_at, regions, spent = AttentionRegions(document), 0, 0, 0, 0.0
    for hop in hops_from(document, frames[0], count=None):
        for element in document.elements(hop.source.id):
            if element.review == "unreviewed":
                document.replace(element.changed(review="approved"))
        elements = {frame.id: document.elements(frame.id) for frame in (hop.source, hop.target)}
        began = time.process_time()
        (carried,) = carry_along([hop], elements, library.get_image, JobControl())
        spent += time.process_time() - began
        edit = carried.command.edit(document)
        document.apply(() if edit is None else edit.changes)
        attention.remember(hop, carried.regions)
        here = [element for element in document.elements(hop.target.id) if element.review != "rejected"]
        everything += len(here)
        looked_at += sum(element.review != "approved" for element in here)
        regions += len(attention.open_regions(hop.target))
    each = spent / (len(frames) - 1) * 1e3
    print(f"  {each:.0f} ms a screen; {looked_at} of {everything} elements to look at, in {regions} regions")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, help="a library with demos that were searched; it is only read")
    chosen = parser.parse_args()
    pictures()
    scenes()
    if chosen.library is not None:
        with Library.open(chosen.library, create=False) as library:
            for summary in library.demos():
                print(f"{summary.head.task}: {summary.steps} steps")
                searched(library, summary.head.id)
                played(library, summary.head.id)


if __name__ == "__main__":
    main()

"""A search over the elements of an open demo: 4 or 50 pictures with 5,000 boxes each, CPU milliseconds of this process.

Each search is what a further keystroke costs, from the text to the rows in reading order; what a key asks about is read
when it is first asked for. In some demos the pictures share most
texts, as pictures of one program do; in others every text is different, which is the worst case.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product

from measure import report

from annotator.document import Document
from annotator.finding.element_search import COLUMNS, DocumentFinder, sorted_by
from demopack.domain.actions import WaitAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step

FRAMES, BOXES = (4, 50), 5000
SEARCHES = (
    "e", "el", "element", "element 3", "element 3 type:button",
    'type:button text:"element 1" state:checked conf:<0.6 source:detector review:todo step:3-7',
    r"/t 1\d+7 on/", "-type:button or conf:>.9",
)  # fmt: skip


def demo(frames: int, *, shared: bool) -> Demo:
    """Boxes in a grid, every type, some states."""
    first = Element(uid="first", frame="f", type="button", box=Rect(0, 0, 10, 10), source="detector")
    steps: list[Step] = []
    elements: dict[str, tuple[Element, ...]] = {}
    wait = WaitAction(wait_duration_s=1)
    for number in range(frames):
        frame = Frame(id=f"f{number:02}", width=1920, height=1080)
        steps.append(Step(id=f"s{number}", position=number, action=wait, before=frame))
        elements[frame.id] = tuple(
            first.model_copy(
                update={
                    "uid": f"e{number:02}_{i:04}",
                    "frame": frame.id,
                    "type": ELEMENT_TYPES[i % 30],
                    "box": Rect(i % 100 * 19, i // 100 * 20, i % 100 * 19 + 15, i // 100 * 20 + 14),
                    "text": f"Element {i} on {number % 5 if shared else number}",
                    "confidence": i % 100 / 100,
                    "states": {"checked": bool(i % 2)} if i % 3 == 0 else {},
                }
            )
            for i in range(BOXES)
        )
    return Demo(head=DemoHead(id="demo", created_at=datetime.now(UTC)), steps=tuple(steps), elements=elements)


def cpu_ms(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1e6


def measure(title: str, document: Document) -> None:
    """Read, search, sort."""
    finder = DocumentFinder(document)

    def search(text: str) -> list[Element]:
        query = finder.understand(text)
        return [element for frame in finder.frames for element in finder.find(query, frame)]

    rows = {
        "everything, for the first time": (cpu_ms(lambda: search("")), "ms"),
        "all that follow, for the first time": (cpu_ms(lambda: [search(text) for text in SEARCHES]), "ms"),
    }
    for text in SEARCHES:
        rows[text] = (cpu_ms(lambda text=text: search(text)), "ms")
    everything = search("")
    for column in COLUMNS:
        rows[f"sort by {column}"] = (cpu_ms(lambda column=column: sorted_by(everything, column)), "ms")
    report(title, rows)


def main() -> None:
    """Both kinds of demos, as long as most and as long as any."""
    gc.disable()  # as in the app, which collects between keystrokes
    for frames, (title, shared) in product(
        FRAMES, (("texts that pictures share", True), ("every text different", False))
    ):
        measure(f"{frames} pictures with {BOXES} boxes, {title}", Document(demo(frames, shared=shared)))


if __name__ == "__main__":
    main()

"""A sample demo whose elements are suggestions of several sources, surely and unsurely found."""

from __future__ import annotations

from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, Evidence, reading_order
from demopack.domain.provenance import by_program
from demopack.store import Library
from tests.support.editing import SAMPLE

FIRST_FRAME_SUGGESTIONS = 4
"""How many of the first frame's elements get a confidence below one half."""


def suggest(library: Library) -> tuple[Element, ...]:
    """Change the elements of the sample's first frame as a search would; returns them in reading order.

    The first ones were found with 0.1, 0.2, 0.3 and 0.4, the others as before; about the first, two sources differ.
    """
    demo = library.demo(SAMPLE)
    frame = demo.steps[0].before
    assert frame is not None
    old = reading_order(demo.elements[frame.id])
    new = [e.changed(confidence=(i + 1) / 10) if i < FIRST_FRAME_SUGGESTIONS else e for i, e in enumerate(old)]
    new[0] = new[0].changed(
        evidence=(
            Evidence(source="detector", type=new[0].type, box=new[0].box, confidence=0.1),
            Evidence(source="ocr", text="Sornething else", box=new[0].box, confidence=0.9),
            Evidence(source="describer", type="tab", confidence=0.7),
        )
    )
    changes = tuple(
        Change(kind="element", key=a.uid, before=a.to_json(), after=b.to_json())
        for a, b in zip(old, new, strict=True)
        if a != b
    )
    provenance = by_program("model", "painted-1", reason="parse")
    library.commit(SAMPLE, Edit(id="edit_suggested", label="Find elements", changes=changes, provenance=provenance))
    return tuple(new)

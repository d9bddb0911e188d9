"""Carrying over along a demo with dialogs: no step gets another target, nothing is there twice, and it is one edit."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.document import Document
from annotator.editing import EditSession
from annotator.propagate.carry import CarriedElement, carry
from annotator.propagate.carry_commands import CarryAlong, carry_along
from annotator.propagate.comparison import compare
from annotator.propagate.merging import merge
from annotator.propagate.tracks import hops_from
from demopack.domain.demos import Demo
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.domain.steps import Step, WindowInfo
from demopack.jobs import JobControl
from demopack.store import Library
from tests.support.across import Item, painted
from tests.support.demos import demo_head
from tests.support.editing import HandStore

DEMO = "demo_0000000007"
WHOLE, DIALOG, SAVE_AS = Rect(0, 0, 640, 480), Rect(180, 110, 560, 400), Rect(60, 40, 600, 440)
INK, EMPTY = (40, 90, 230), (255, 255, 255)


def tick(text: str, at: tuple[int, int], *, on: bool) -> Item:
    """A check box: its glyph, with a tick or without."""
    box = Rect(at[0], at[1], at[0] + 16, at[1] + 16)
    return Item(text=text, type="checkbox", box=box, written="x" if on else "", fill=INK if on else EMPTY)


def control(text: str, kind: ElementType, box: Rect, **fields: Any) -> Item:
    return Item(text=text, type=kind, box=box, **fields)


EDITOR = [
    control("Tools", "toolbar", Rect(0, 0, 640, 36), written="", fill=(225, 226, 230)),
    control("New", "button", Rect(6, 4, 66, 32)),
    control("List", "dropdown", Rect(72, 4, 180, 32)),
    control("Shopping list", "text_area", Rect(20, 50, 620, 470), written="", fields={"states": {"focused": True}}),
    Item(text="bread", box=Rect(30, 60, 90, 80)),
    Item(text="butter", box=Rect(30, 430, 90, 450)),
    Item(text="eggs", box=Rect(300, 446, 350, 466)),
]
MISSED = {("end", "eggs")}
"""What the search does not find on a screen."""


def dialog(*, case: bool, word: bool, typed: str = "") -> list[Item]:
    return [
        control("", "dialog", DIALOG, fill=(246, 246, 248)),
        control("Search for", "input_field", Rect(300, 130, 540, 158), written=typed),
        tick("Match case", (200, 180), on=case),
        tick("Match entire word only", (200, 248), on=word),
        control("Replace All", "button", Rect(430, 350, 540, 380)),
    ]


SAVE = [
    control("", "dialog", SAVE_AS, fill=(250, 250, 250)),
    control("Name", "input_field", Rect(160, 60, 560, 88), written="", fields={"states": {"focused": True}}),
    control("Save", "button", Rect(500, 400, 580, 430)),
    # In the places of two controls of the other dialog, as it happens.
    control("Folder", "input_field", Rect(300, 130, 540, 158), written="Home"),
    control("Help", "button", Rect(430, 350, 540, 380)),
]
SCREENS: dict[str, list[Item]] = {
    "edit": EDITOR,
    "find": [*EDITOR, *dialog(case=True, word=False)],
    "typed": [*EDITOR, *dialog(case=True, word=False, typed="bread")],
    "swap": [*EDITOR, *dialog(case=False, word=True, typed="bread")],
    "save": [*EDITOR, *SAVE],
    "end": [*EDITOR, Item(text="milk", box=Rect(30, 90, 90, 110))],
}
HIDDEN = {"find": DIALOG, "typed": DIALOG, "swap": DIALOG, "save": SAVE_AS}
ACTIONS: dict[str, tuple[str, tuple[int, int] | None]] = {
    "edit": ("click", (60, 70)),
    "find": ("click", (420, 144)),
    "typed": ("click", (208, 188)),
    "swap": ("click", (208, 256)),
    "save": ("press_key", None),
    "end": ("click", (320, 456)),
}


def frame(name: str) -> Frame:
    return Frame(id=name, width=640, height=480)


def seen(name: str) -> list[Element]:
    """What a search finds on a screen: boxes a little off, what is hidden left out."""
    covered = HIDDEN.get(name)
    front = [item for item in SCREENS[name] if item not in EDITOR and covered is not None]
    found: list[Element] = []
    for number, item in enumerate(SCREENS[name]):
        hidden = covered is not None and item not in front and covered.encloses(item.box)
        hidden = hidden or (name, item.text) in MISSED
        off = (number + len(name)) % 3 - 1
        small = min(item.box.width, item.box.height) < 40
        box = item.box if small else Rect(item.box.x1, item.box.y1, item.box.x2 - 3 * abs(off), item.box.y2 + off)
        if (name, item.text) == ("find", "New"):
            box = Rect(12, 8, 50, 28)
        focused = {"states": {}} if front and item in EDITOR else {}
        fields = {"uid": f"{name}-{number}", "frame": name, "type": item.type, "box": box, "text": item.text or None}
        if not hidden:
            base = {"source": "detector", "confidence": 0.8, "track_id": f"{name}{number}"}
            found.append(Element.model_validate({**base, **fields, **item.fields, **focused}))
    return found


def demo() -> Demo:
    """A demo whose every step is bound to what the recorder said, which is not always the smallest box."""
    elements = {name: tuple(sorted(seen(name), key=lambda e: e.uid)) for name in SCREENS}
    by_text = {(name, e.text or e.type): e.uid for name, found in elements.items() for e in found}
    targets = {
        "edit": by_text["edit", "Shopping list"],
        "find": by_text["find", "Search for"],
        "typed": by_text["typed", "Match case"],
        "swap": by_text["swap", "Match entire word only"],
        "save": None,
        "end": by_text["end", "Shopping list"],
    }
    windows = {"edit": WHOLE, "find": DIALOG, "typed": DIALOG, "swap": DIALOG, "save": SAVE_AS, "end": WHOLE}
    steps = tuple(
        Step.model_validate(
            {
                "id": f"step_{name}",
                "position": place,
                "action": {"action_type": kind, "parameters": {"key_info": "Enter"} if at is None else {}}
                | ({} if at is None else {"target": {"bbox": [at[0] / 640, at[1] / 480, 0, 0]}}),
                "pointer": None if at is None else {"x": at[0], "y": at[1]},
                "before": frame(name),
                "after": frame(after),
                "target_uid": targets[name],
                "window": WindowInfo(title=str(windows[name]), app="pluma", box=windows[name]),
            }
        )
        for place, ((name, (kind, at)), after) in enumerate(
            itertools.zip_longest(ACTIONS.items(), list(ACTIONS)[1:], fillvalue="end")  # type: ignore[misc]
        )
    )
    return Demo(head=demo_head(DEMO), steps=steps, elements=elements, parsed=frozenset(elements))


def read(name: str) -> RgbImage:
    return painted(SCREENS[name])


def along(document: Document, first: str = "edit") -> CarryAlong:
    hops = hops_from(document, frame(first), count=None)
    elements = {name: document.elements(name) for name in SCREENS}
    return CarryAlong(hops=tuple(carry_along(hops, elements, read, JobControl())))


def approved(document: Document, name: str) -> None:
    for element in document.elements(name):
        document.replace(element.model_copy(update={"review": "approved"}))


def targets(document: Document) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for step in document.steps:
        element = document.element(step.target_uid)
        found[step.id] = (step.target_uid, step.end_uid, element and (element.type, element.text))
    return found


def doubles(document: Document) -> list[tuple[str, str]]:
    """Pairs on one screen that are of one type and nearly the same box."""
    return [
        (a.uid, b.uid)
        for name in SCREENS
        for a, b in itertools.combinations([e for e in document.elements(name) if e.review != "rejected"], 2)
        if a.type == b.type and iou(a.box, b.box) > 0.7
    ]


@pytest.mark.parametrize("first", ["edit", "find", "typed"])
def test_no_step_gets_another_target_and_nothing_is_there_twice(first: str) -> None:
    document = Document(demo())
    approved(document, first)
    before, count = targets(document), {name: len(document.elements(name)) for name in SCREENS}
    edit = along(document, first).edit(document)
    assert edit is not None
    document.apply(edit.changes)
    assert targets(document) == before
    assert [change for change in edit.changes if change.kind == "step"] == []
    assert doubles(document) == []
    # Every screen was searched: what is there was found, but for the one that was missed.
    assert sum(len(document.elements(name)) for name in SCREENS) == sum(count.values()) + 1


def test_nothing_goes_into_a_window_that_was_not_there() -> None:
    document = Document(demo())
    approved(document, "swap")
    for name in ("save", "end"):
        for element in document.elements(name):
            document.remove(element)
    edit = along(document, "swap").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    here = document.elements("save")
    assert {e.text for e in here if SAVE_AS.encloses(e.box)} == set()
    assert {e.text for e in here} <= {"Tools", "New", "List", "Shopping list", "butter", "eggs", None}


def test_without_a_word_about_windows_no_field_is_guessed_in_what_covers_its_place() -> None:
    elements = [e for e in seen("swap") if e.type == "input_field"]
    got = carry(elements, compare(read("swap"), read("save")), frame="save")
    assert got == []


def test_what_a_person_rejected_is_not_taken_from_a_step_that_is_bound_to_it() -> None:
    document = Document(demo())
    here = {(e.frame, e.text): e for e in (*document.elements("find"), *document.elements("typed"))}
    bound, rejected = here["typed", "Replace All"], here["find", "Replace All"]
    document.replace(document.steps[2].model_copy(update={"target_uid": bound.uid}))
    document.replace(rejected.model_copy(update={"review": "rejected"}))
    edit = along(document, "find").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    assert document.steps[2].target_uid == bound.uid
    assert document.element(bound.uid) == bound.model_copy(update={"track_id": document.element(bound.uid).track_id})  # type: ignore[union-attr]


def test_what_was_approved_is_approved_where_it_was_found_again() -> None:
    document = Document(demo())
    approved(document, "find")
    edit = along(document, "find").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    here = {e.text: e for e in document.elements("typed")}
    assert here["Replace All"].review == here["Match case"].review == "approved"
    assert here["Search for"].review == "unreviewed"


def test_a_step_without_a_target_gets_nothing_from_behind_a_dialog() -> None:
    bare = demo()
    last = bare.steps[1].model_copy(update={"target_uid": None})
    steps = (bare.steps[0], last, *bare.steps[2:])
    document = Document(replace(bare, steps=steps, elements={**bare.elements, "find": ()}))
    approved(document, "edit")
    edit = along(document, "edit").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    # The field in the dialog is on no earlier screen: it was never carried, and nothing else is meant.
    assert document.steps[1].target_uid is None


def test_one_command_is_one_line_of_the_history_also_after_a_restart(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.add_demo(_stored(library, demo()))
        session = EditSession(library, library.demo(DEMO), HandStore())
        for element in session.document.elements(session.document.steps[0].before.id):  # type: ignore[union-attr]
            session.document.replace(element.model_copy(update={"review": "approved"}))
        command = _along_all(session.document, library)
        before, lines = library.demo(DEMO), len(library.log.lines(DEMO))
        session.do(command)
        after = library.demo(DEMO)
        assert after.elements != before.elements
        added = library.log.lines(DEMO)[lines:]
        assert [line.label for line in added] == [added[0].label]
        assert added[0].label.startswith("Carry over ")
        assert added[0].label.endswith(" pictures")
    with Library.open(tmp_path / "library") as again:
        session = EditSession(again, again.demo(DEMO), HandStore())
        session.undo()
        assert again.demo(DEMO).elements == before.elements
        session.redo()
        assert again.demo(DEMO).elements == after.elements


def _stored(library: Library, made: Demo) -> Demo:
    """The same demo with its pictures in a library."""
    names = {name: library.put_image(read(name)) for name in SCREENS}
    frames = {name: Frame(id=key, width=640, height=480) for name, key in names.items()}

    def moved(step: Step) -> Step:
        assert step.before is not None
        assert step.after is not None
        return step.model_copy(update={"before": frames[step.before.id], "after": frames[step.after.id]})

    elements: dict[str, tuple[Element, ...]] = {}
    for name, key in names.items():
        elements.setdefault(key, tuple(e.model_copy(update={"frame": key}) for e in made.elements[name]))
    return replace(made, steps=tuple(moved(step) for step in made.steps), elements=elements, parsed=frozenset(elements))


def _along_all(document: Document, library: Library) -> CarryAlong:
    first = document.steps[0].before
    assert first is not None
    hops = hops_from(document, first, count=None)
    elements = {f.id: document.elements(f.id) for hop in hops for f in (hop.source, hop.target)}
    found = carry_along(hops, elements, library.get_image, JobControl())
    return CarryAlong(hops=tuple(found))


# The parts ----------------------------------------------------------------------------------------------------------


def test_a_tick_that_went_to_another_box_did_not_move() -> None:
    elements = [e for e in seen("typed") if e.type == "checkbox"]
    got = carry(elements, compare(read("typed"), read("swap")), frame="swap")
    assert {one.element.text: (one.how, one.element.box) for one in got} == {
        e.text: ("changed", e.box) for e in elements
    }


@pytest.mark.parametrize(
    ("there", "added"),
    [
        ({"box": Rect(102, 101, 150, 131)}, 0),
        ({"box": Rect(104, 104, 140, 126)}, 0),
        ({"box": Rect(104, 104, 140, 126), "type": "icon"}, 1),
        ({"box": Rect(104, 104, 140, 126), "type": "text", "text": "Save"}, 0),
        ({"box": Rect(95, 95, 155, 135), "type": "text"}, 0),
        ({"box": Rect(160, 100, 210, 130)}, 1),
        ({"box": Rect(0, 0, 300, 300), "type": "window"}, 1),
    ],
)
def test_what_was_found_there_already_is_not_brought_a_second_time(there: dict[str, Any], added: int) -> None:
    base = {"frame": "b", "type": "button", "source": "detector", "confidence": 0.9}
    here = Element.model_validate({**base, "uid": "here", **there})
    box = Rect(100, 100, 150, 130)
    other = Element.model_validate({**base, "uid": "new", "box": box, "text": "Save", "review": "unreviewed"})
    merged = merge([CarriedElement(element=other, origin="old", how="same")], [here], sparing=True)
    assert len(merged.added) == added


def test_what_a_step_is_bound_to_is_never_rejected_by_carrying_over() -> None:
    base = {"frame": "b", "type": "button", "source": "detector", "confidence": 0.9, "box": Rect(9, 9, 50, 30)}
    here = Element.model_validate({**base, "uid": "here"})
    gone = Element.model_validate({**base, "uid": "new", "review": "rejected"})
    carried = [CarriedElement(element=gone, origin="old", how="same")]
    assert merge(carried, [here], bound={"here"}).replaced == {}
    assert merge(carried, [here]).replaced["here"].review == "rejected"


def test_an_edit_of_nothing_is_none() -> None:
    document = Document(demo())
    made: Edit | None = CarryAlong(hops=()).edit(document)
    assert made is None


@pytest.mark.parametrize(("words", "joined"), [("Match case", True), ("Match cose", True), ("Entire word only", False)])
def test_what_is_found_in_another_place_joins_nothing_with_other_words(words: str, joined: bool) -> None:
    base = {"frame": "b", "type": "checkbox", "source": "detector", "confidence": 0.9, "box": Rect(9, 9, 25, 25)}
    here = Element.model_validate({**base, "uid": "here", "text": words})
    moved = Element.model_validate({**base, "uid": "new", "text": "Match case", "review": "approved"})
    merged = merge([CarriedElement(element=moved, origin="old", how="moved")], [here], sparing=True)
    assert not merged.added
    assert ("here" in merged.replaced) == joined

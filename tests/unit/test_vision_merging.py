"""A new search adds what is new: what a person drew, took, corrected or rejected stays as it was left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.commands import DeleteElements, MoveElements
from annotator.document import Document
from annotator.finding.review import DecideSuggestions
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.records import new_id
from demopack.errors import LibraryError
from demopack.jobs import JobControl
from demopack.store import Library
from models.vision.appearance import descriptors_of
from models.vision.demo_parsing import decided, new_to, parse_demo
from tests.support.editing import element
from tests.support.small_demos import blank, painted, record

BUTTON = Rect(100, 100, 200, 140)


def known(box: Rect = BUTTON, **fields: Any) -> Element:
    return element("known", **{"source": "detector", "review": "approved", **fields}).changed(box=box)


def comes(old: Element, box: Rect = BUTTON, kind: str = "button") -> bool:
    proposal = element("new", type=kind, source="detector", confidence=0.9).changed(box=box)
    return new_to([old], [proposal]) == [proposal]


def test_decided_is_what_a_person_made_or_said_anything_about() -> None:
    everything = [
        element("mine", source="human"),
        element("found", source="detector"),
        *(element(review, source="ocr", review=review) for review in ("approved", "rejected", "doubtful")),
    ]
    assert [e.uid for e in decided(everything)] == ["mine", "approved", "rejected", "doubtful"]


@pytest.mark.parametrize("review", ["approved", "rejected", "doubtful"])
def test_what_is_settled_does_not_come_again_a_little_larger(review: str) -> None:
    old = known(review=review)
    assert not comes(old, BUTTON)
    assert not comes(old, Rect(90, 95, 215, 145))
    assert comes(old, Rect(100, 130, 200, 170)), "another button below"


def test_what_was_rejected_does_not_come_under_another_name_but_another_thing_does() -> None:
    rejected = known(review="rejected")
    assert not comes(rejected, Rect(101, 100, 200, 141), "hyperlink")
    assert comes(rejected, Rect(95, 95, 210, 150), "input_field"), "overlaps by less than nine tenths"


def test_kinds_of_text_are_one_to_a_search() -> None:
    line = known(Rect(10, 10, 60, 24), type="hyperlink", review="rejected")
    assert not comes(line, Rect(10, 10, 80, 24), "text")


def test_what_was_corrected_does_not_come_back_as_it_was() -> None:
    wide = Evidence(source="detector", type="button", box=Rect(80, 90, 240, 150))
    read = Evidence(source="ocr", text="Save", box=Rect(120, 110, 180, 130))
    fixed = known(evidence=(wide, read))
    assert not comes(fixed, Rect(80, 90, 240, 150))
    assert not comes(fixed, Rect(120, 110, 181, 130), "text"), "its own words"
    assert comes(fixed, Rect(120, 110, 181, 130), "icon")
    assert comes(fixed, Rect(80, 90, 240, 150), "toolbar"), "something around it"


def test_hundreds_of_boxes_are_compared_one_by_one() -> None:
    rows = [Rect(10, 10 * i, 60, 10 * i + 8) for i in range(700)]
    old = [known(box, review="rejected").changed(uid=f"old_{i}") for i, box in enumerate(rows[:600])]
    proposals = [element(f"new_{i}", source="detector").changed(box=box) for i, box in enumerate(rows)]
    assert new_to(old, proposals) == proposals[600:]


def test_boxes_without_area_and_empty_screens() -> None:
    point = known(Rect(5, 5, 5, 5))
    assert comes(point)
    assert comes(point, Rect(5, 5, 5, 5))
    assert new_to([], []) == []
    assert new_to([point], []) == []


# On whole demos -----------------------------------------------------------------------------------------------


class Fixed:
    """Finds the same things on every screen, with one field more each time when it is told to."""

    name = "fixed-1"

    def __init__(self, *things: tuple[str, Rect]) -> None:
        self.things = things

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Any = ()) -> list[Element]:
        del image, control, near
        return [
            Element.model_validate(
                {
                    "uid": new_id("el"),
                    "frame": frame.id,
                    "type": kind,
                    "box": box,
                    "source": "detector",
                    "confidence": 0.8,
                }
            )
            for kind, box in self.things
        ]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with record(tmp_path, [painted(BUTTON), blank()], [Point(150, 120)]) as opened:
        parse_demo(opened, "demo_1", Fixed(("button", BUTTON)), control=JobControl())
        yield opened


def first(library: Library) -> list[Element]:
    demo = library.demo("demo_1")
    return list(demo.elements[demo.frames()[0].id])


def do(library: Library, command: Any) -> None:
    edit = command.edit(Document(library.demo("demo_1")))
    assert edit is not None
    library.commit("demo_1", edit)


def again(library: Library, *things: tuple[str, Rect]) -> list[Element]:
    parse_demo(library, "demo_1", Fixed(*things), control=JobControl(), force=True)
    return first(library)


@pytest.mark.parametrize(
    "command",
    [
        lambda uid: DecideSuggestions(decision="reject", uids=(uid,)),
        lambda uid: DeleteElements(uids=(uid,)),
        lambda uid: SetBoxes(boxes={uid: Rect(120, 110, 180, 130)}),
        lambda uid: MoveElements(uids=(uid,), dx=80, dy=40, frame_size=Size(320, 200)),
        lambda uid: SetAttribute(uids=(uid,), name="type", value="tab"),
    ],
)
def test_what_a_person_did_outlives_the_next_search(library: Library, command: Any) -> None:
    (button,) = first(library)
    do(library, command(button.uid))
    left = first(library)
    assert again(library, ("button", BUTTON)) == left
    assert again(library, ("button", Rect(97, 97, 203, 143))) == left


def test_what_nobody_looked_at_follows_the_new_search(library: Library) -> None:
    (button,) = first(library)
    (now,) = again(library, ("button", Rect(97, 97, 203, 143)))
    assert (now.uid, now.box) == (button.uid, Rect(97, 97, 203, 143))


def test_an_edit_in_the_middle_of_a_search_is_kept(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    (button,) = first(library)
    edited: list[str] = []

    def looks(image: RgbImage, elements: Any) -> Any:
        if not edited:
            edited.append(button.uid)
            do(library, SetBoxes(boxes={button.uid: Rect(120, 110, 180, 130)}))
        return descriptors_of(image, elements)

    monkeypatch.setattr("models.vision.demo_parsing.descriptors_of", looks)
    (now,) = again(library, ("button", Rect(97, 97, 203, 143)))
    assert (now.box, now.review) == (Rect(120, 110, 180, 130), "approved")


def test_trouble_that_is_no_edit_is_told(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise LibraryError("The library cannot be written.")

    monkeypatch.setattr(library, "commit", full)
    with pytest.raises(LibraryError, match="cannot be written"):
        again(library, ("tab", BUTTON))


def test_only_the_screens_that_are_meant_are_searched(library: Library) -> None:
    before = library.demo("demo_1")
    frames, done = before.frames(), list[str]()
    report = parse_demo(
        library,
        "demo_1",
        Fixed(("tab", Rect(10, 10, 60, 40))),
        control=JobControl(),
        force=True,
        frames=[frames[1].id],
        on_frame=done.append,
    )
    now = library.demo("demo_1")
    assert (report.frames, report.skipped, done) == (1, 0, [frames[1].id])
    assert now.elements[frames[0].id] == before.elements[frames[0].id]
    assert [e.type for e in now.elements[frames[1].id]] == ["tab"]

"""What is carried meets what is there: a person's word wins, suggestions take over what was said, tracks stay one."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from annotator.document import Document
from annotator.propagate.attention import AttentionRegions, asking, first_open, to_look_at
from annotator.propagate.carry import CarriedElement, How
from annotator.propagate.carry_commands import CarryOver, carry_along
from annotator.propagate.merging import merge
from annotator.propagate.tracks import PropagationStep, TrackIndex, hop_to, hops_from, new_track
from demopack.domain.demos import Demo
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl, Progress
from tests.support.across import Item, found, painted, rows
from tests.support.demos import demo_head

BUTTON = Item(text="Send", type="button", box=Rect(300, 120, 380, 150))
FIELD = Item(text="Name", type="input_field", box=Rect(300, 60, 560, 90), written="")
SCREENS: dict[str, list[Item]] = {
    "a": [*rows(6), FIELD, BUTTON],
    "b": [*rows(6), Item(text="Name", type="input_field", box=FIELD.box, written="Ada"), BUTTON],
    "c": [*rows(6), Item(text="Name", type="input_field", box=FIELD.box, written="Ada Lovelace"), BUTTON],
}


def element(uid: str, frame: str = "b", **fields: Any) -> Element:
    base = {"uid": uid, "frame": frame, "type": "button", "box": Rect(300, 120, 380, 150), "source": "detector"}
    return Element.model_validate({**base, "confidence": 0.8, **fields})


def one(origin: str = "old", how: How = "same", **fields: Any) -> CarriedElement:
    return CarriedElement(element=element(f"new-{origin}", **fields), origin=origin, how=how)


def test_what_is_not_there_yet_is_added() -> None:
    merged = merge([one(), one("like", "changed", box=Rect(0, 0, 9, 9))], [])
    assert list(merged.added) == ["new-old", "new-like"]
    assert merged.became == {"old": "new-old", "like": "new-like"}
    assert merged.doubtful == ["new-like"]
    assert merged.count == 2


@pytest.mark.parametrize("fields", [{"source": "human"}, {"review": "approved"}, {"review": "rejected"}])
def test_what_a_person_said_there_wins(fields: dict[str, Any]) -> None:
    there = element("there", text="Theirs", track_id="mine", **fields)
    merged = merge([one(text="Carried", review="approved", track_id="other")], [there])
    assert merged.replaced == {}
    assert not merged.added
    assert merged.became == {"old": "there"}


def test_a_suggestion_takes_over_what_was_said_about_it_and_keeps_what_it_was() -> None:
    there = element("there", box=Rect(301, 121, 380, 149), text="5end", confidence=0.4, track_id="x")
    said = {"text": "Send", "review": "approved", "states": {"focused": False}, "track_id": "send"}
    merged = merge([one(**said)], [there])
    now = merged.replaced["there"]
    assert (now.text, now.review, now.states, now.track_id) == ("Send", "approved", {"focused": False}, "send")
    assert (now.box, now.frame) == (Rect(300, 120, 380, 150), "b")
    assert [(e.text, e.confidence) for e in now.evidence] == [("5end", 0.4)]


def test_a_rejection_is_carried_onto_the_same_suggestion() -> None:
    merged = merge([one(review="rejected")], [element("there")])
    assert merged.replaced["there"].review == "rejected"
    assert merged.count == 0


def test_of_two_suggestions_the_one_that_is_there_stays_and_gets_the_track() -> None:
    merged = merge([one(text="Carried", track_id="send")], [element("there", text="Fresh", track_id="other")])
    assert (merged.replaced["there"].text, merged.replaced["there"].track_id) == ("Fresh", "send")


def test_what_is_only_alike_changes_nothing_that_was_found_there() -> None:
    there = element("there", text="Fresh", track_id="x")
    assert merge([one(how="changed", text=None, track_id="y")], [there]).replaced == {}


def test_the_mistake_that_a_person_corrected_is_recognised_where_it_is_made_again() -> None:
    wrong = Rect(300, 120, 330, 150)
    corrected = one(review="approved", evidence=(Evidence(source="detector", box=wrong),))
    merged = merge([corrected], [element("again", box=wrong)])
    assert not merged.added
    assert merged.replaced["again"].box == Rect(300, 120, 380, 150)


def test_no_track_is_twice_on_a_picture() -> None:
    stray = element("stray", box=Rect(0, 0, 50, 20), track_id="send")
    merged = merge([one(track_id="send")], [stray])
    assert merged.replaced["stray"].track_id is None
    assert next(iter(merged.added.values())).track_id == "send"
    drawn = stray.model_copy(update={"source": "human"})
    merged = merge([one(track_id="send")], [drawn])
    assert merged.replaced == {}
    assert next(iter(merged.added.values())).track_id is None


# Commands ---------------------------------------------------------------------------------------------------------


def frame(name: str) -> Frame:
    return Frame(id=name, width=640, height=480)


def document(*names: str, elements: dict[str, list[Element]]) -> Document:
    steps = [
        Step.model_validate(
            {
                "id": f"s{i}",
                "position": i,
                "action": {"action_type": "click", "target": {"bbox": [0.53, 0.28, 0, 0]}},
                "pointer": {"x": 340, "y": 135},
                "before": frame(name),
                "after": None if after is None else frame(after),
            }
        )
        for i, (name, after) in enumerate(itertools.zip_longest(names, names[1:]))
        if name is not None
    ]
    found_here = {name: tuple(found) for name, found in elements.items()}
    return Document(Demo(head=demo_head("demo_0000000001"), steps=tuple(steps), elements=found_here))


def read(name: str) -> RgbImage:
    return painted(SCREENS[name])


def do(opened: Document, command: Any) -> str | None:
    edit = command.edit(opened)
    if edit is not None:
        opened.apply(edit.changes)
    return None if edit is None else edit.label


def run(opened: Document, hops: Any, control: JobControl | None = None) -> list[Any]:
    elements = {f: opened.elements(f) for hop in hops for f in (hop.source.id, hop.target.id)}
    return list(carry_along(hops, elements, read, control or JobControl()))


def test_carrying_over_is_one_edit_that_binds_the_step_and_can_be_taken_back() -> None:
    opened = document("a", "b", elements={"a": found(SCREENS["a"], "a", review="approved")})
    before = opened.demo()
    hop = hop_to(opened, frame("b"))
    assert hop is not None
    (carried,) = run(opened, [hop])
    edit = carried.edit(opened)
    assert edit is not None
    assert edit.label == "Carry over 8 elements from step 1"
    opened.apply(edit.changes)
    here = {e.text or e.type: e for e in opened.elements("b")}
    assert here["Send"].review == "approved"
    assert here["input_field"].review == "unreviewed"
    assert opened.steps[1].target_uid == here["Send"].uid
    opened.apply([change.reversed() for change in reversed(edit.changes)])
    assert opened.demo() == before


def test_carrying_over_twice_changes_nothing() -> None:
    opened = document("a", "b", elements={"a": found(SCREENS["a"], "a")})
    for expected in ("Carry over 8 elements from step 1", None):
        (carried,) = run(opened, [hop_to(opened, frame("b"))])
        assert do(opened, carried) == expected


def test_along_several_pictures_each_gets_what_the_one_before_has_by_then() -> None:
    opened = document("a", "b", "c", elements={"a": found(SCREENS["a"], "a", track_id=None, review="approved")})
    hops = hops_from(opened, frame("a"), count=5)
    assert [(h.source_step, h.target_step) for h in hops] == [(1, 2), (2, 3)]
    labels = [do(opened, carried) for carried in run(opened, hops)]
    assert labels == ["Carry over 8 elements from step 1", "Carry over 8 elements from step 2"]
    send = {name: next(e for e in opened.elements(name) if e.text == "Send") for name in "abc"}
    assert {e.track_id for e in send.values()} == {"button_send_0"}
    assert [e.frame for e in TrackIndex(opened).others(send["a"])] == ["b", "c"]
    assert [len(hops_from(opened, frame("a"), count=count)) for count in (1, None)] == [1, 2]


def test_what_a_person_drew_meanwhile_wins() -> None:
    opened = document("a", "b", elements={"a": found(SCREENS["a"], "a", review="approved")})
    (carried,) = run(opened, [hop_to(opened, frame("b"))])
    drawn = element("mine", source="human", review="approved", text="Submit")
    opened.insert(drawn)
    assert do(opened, carried) == "Carry over 8 elements from step 1"
    # It is known to be the same as on the picture before, and otherwise left alone.
    assert opened.element("mine") == drawn.model_copy(update={"track_id": "t-Send"})


def test_a_cancelled_run_keeps_what_came_before() -> None:
    token = CancelToken()
    told: list[Progress] = []

    def report(progress: Progress) -> None:
        told.append(progress)

    opened = document("a", "b", "c", elements={"a": found(SCREENS["a"], "a")})
    hops = hops_from(opened, frame("a"), count=None)
    elements = {f: opened.elements(f) for f in "abc"}
    going = carry_along(hops, elements, read, JobControl(token=token, report=report))
    do(opened, next(going))
    token.cancel()
    with pytest.raises(CancelledError):
        next(going)
    assert [(p.done, p.total) for p in told] == [(0, 2)]
    assert len(opened.elements("b")) == 8
    assert opened.elements("c") == ()


def test_the_source_is_the_nearest_earlier_picture_that_has_elements() -> None:
    opened = document("a", "b", "c", "a", elements={"a": found(SCREENS["a"], "a")})
    hop = hop_to(opened, frame("c"))
    assert hop is not None
    assert (hop.source.id, hop.source_step, hop.target_step) == ("a", 1, 3)
    assert hop_to(opened, frame("a")) is None
    assert hops_from(opened, frame("nowhere"), count=1) == []
    assert hop_to(document("a", "b", elements={}), frame("b")) is None


def test_nothing_is_carried_where_nothing_is_left() -> None:
    opened = document("a", "b", elements={"a": []})
    hop = PropagationStep(source=frame("a"), target=frame("b"), source_step=1, target_step=2)
    assert CarryOver(carried=(), hop=hop).edit(opened) is None


def test_new_tracks_have_readable_names() -> None:
    assert new_track(element("x", text="Log in!"), set()) == "button_log_in_0"
    assert new_track(element("x", text="Log in!"), {"button_log_in_0"}) == "button_log_in_1"
    assert new_track(element("x", type="icon", subtype="search"), set()) == "icon_search_0"


# Attention --------------------------------------------------------------------------------------------------------


def test_a_region_asks_until_all_in_it_is_looked_at() -> None:
    region = Rect(290, 110, 400, 160)
    suggested, window = element("s"), element("w", type="window", box=Rect(0, 0, 640, 480), review="approved")

    def asks(*elements: Element) -> bool:
        return asking([region], elements) == (region,)

    assert asks()
    assert asks(window)
    assert asks(suggested, window)
    assert asks(suggested.model_copy(update={"review": "rejected"}))
    assert asks(suggested.model_copy(update={"review": "doubtful"}))
    assert not asks(suggested.model_copy(update={"review": "approved"}), window)
    assert not asks(element("h", source="human"))
    assert not asks(element("h", source="human"), element("beside", box=Rect(0, 110, 290, 160)))
    # A neighbour that the region touches does not explain what changed; what lies around it does.
    assert asks(element("h", source="human", box=Rect(200, 100, 310, 130)))
    assert not asks(element("h", source="human", box=Rect(200, 100, 410, 170)))
    assert asks(element("h", source="human", type="menu", box=Rect(200, 100, 410, 170)))
    assert to_look_at(region, [suggested, window]) == (suggested,)


def test_regions_are_open_until_the_step_is_approved() -> None:
    opened = document("a", "b", "c", elements={"a": found(SCREENS["a"], "a", review="approved")})
    attention = AttentionRegions(opened)
    for carried in run(opened, hops_from(opened, frame("a"), count=None)):
        do(opened, carried)
        assert attention.unknown(carried.hop.target) == carried.hop
        attention.remember(carried.hop, carried.regions)
        assert attention.unknown(carried.hop.target) is None
    (region,) = attention.open_regions(frame("b"))
    assert FIELD.box.encloses(region)
    opened.replace(opened.steps[1].model_copy(update={"review": "approved"}))
    assert attention.open_regions(frame("b")) == ()
    assert len(attention.open_regions(frame("c"))) == 1
    assert attention.open_regions(frame("a")) == ()


def test_the_next_picture_that_asks_is_found_by_comparing_those_that_are_not_known() -> None:
    elements = {name: found(SCREENS[name], name) for name in "abc"}
    opened = document("a", "b", "c", elements=elements)
    attention = AttentionRegions(opened)
    place, compared = first_open(attention.ahead(0), read, JobControl())
    assert place == 1
    assert [(hop.source.id, hop.target.id) for hop, _ in compared] == [("a", "b")]
    opened.replace(opened.steps[1].model_copy(update={"review": "approved"}))
    assert first_open(attention.ahead(0), read, JobControl())[0] == 2
    opened.replace(opened.steps[2].model_copy(update={"review": "approved"}))
    assert first_open(attention.ahead(0), read, JobControl())[0] is None

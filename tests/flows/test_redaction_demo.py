"""What slipped into a demo is found in every place, and replaced everywhere by the same placeholder, in one edit."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import MASK_COLOUR
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from demopack.redaction.apply import redact
from demopack.redaction.picture_paint import PaintedText, paint_over
from demopack.redaction.scan import PrivateFinding, decided, open_findings, scan_demo
from demopack.redaction.values import Value, ValueFinder
from demopack.store import Library
from tests.support.demos import sample_demo
from tests.support.pictures import noise_image, swatch
from tests.support.private_demos import DEMO, FIELD, LIST, Private, private_demo

P = Private()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        private_demo(opened)
        yield opened


def by_value(found: list[PrivateFinding]) -> dict[str, PrivateFinding]:
    return {one.value: one for one in found}


def all_json(demo: Demo) -> str:
    records = [demo.head, *demo.steps, *(e for found in demo.elements.values() for e in found)]
    return json.dumps([record.to_json() for record in records], ensure_ascii=False)


def replace_all_but_kept(library: Library) -> list[PrivateFinding]:
    found = decided(scan_demo(library.demo(DEMO)), "keep", which=P.kept)
    found = decided(found, "replace")
    redact(library, DEMO, found)
    return found


# Finding -----------------------------------------------------------------------------------------------------------


def test_everything_private_is_found_once_secrets_first(library: Library) -> None:
    found = scan_demo(library.demo(DEMO))
    assert {one.value: one.kind for one in found} == {
        P.card_in_groups: "card",
        P.token: "token",
        P.email: "email",
        P.user: "user_path",
        P.kept: "email",
        P.password: "maybe_password",
    }
    assert [one.secret for one in found] == [True, True, False, False, False, False]
    assert all(one.decision == "open" for one in found)


def test_each_value_has_one_placeholder_numbered_by_kind(library: Library) -> None:
    found = by_value(scan_demo(library.demo(DEMO)))
    assert found[P.email].placeholder == "<email:1>"
    assert found[P.kept].placeholder == "<email:2>"
    assert found[P.card_in_groups].placeholder == "<card:1>"


def test_every_place_of_a_value_is_told_in_words(library: Library) -> None:
    places = [place.where for place in by_value(scan_demo(library.demo(DEMO)))[P.email].places]
    assert places == [
        "the task",
        "what was captured",
        "step 1, window title",
        "step 2, typed text",
        "step 2, window title",
        "step 2, the rationale",
        "step 2, the rationale",
        "step 2, the rationale",
        "step 2, the focused field's value",
        "step 3, window title",
        "step 3, the rationale",
        "on the screen after step 2 and before step 3",
        "on the screen after step 3 and before step 4",
        "on the screen after step 4 and before step 5 and after step 5 and before step 6",
        "on the screen after step 4 and before step 5 and after step 5 and before step 6",
    ]


def test_places_on_the_screen_have_their_picture_and_box(library: Library) -> None:
    demo = library.demo(DEMO)
    places = by_value(scan_demo(demo))[P.email].places
    seen = [place for place in places if place.element is not None]
    assert {place.box for place in seen if place.element and place.element.endswith("field")} == {FIELD}
    told = next(place for place in places if place.field == "focused.value")
    assert demo.steps[1].before is not None
    assert (told.frame, told.box) == (demo.steps[1].before.id, FIELD)


def test_keys_that_were_typed_and_deleted_again_are_found(library: Library) -> None:
    places = by_value(scan_demo(library.demo(DEMO)))[P.card_in_groups].places
    assert "step 4, the keys pressed" in [place.where for place in places]


def test_an_ordinary_demo_holds_nothing_private(library: Library) -> None:
    assert scan_demo(library.demo(sample_demo(library, draw=swatch))) == []


def test_what_a_person_names_is_found_too(library: Library) -> None:
    found = by_value(scan_demo(library.demo(DEMO), also=["address", "nowhere to be seen", " "]))
    assert found["address"].placeholder == "<text:1>"
    assert [place.where for place in found["address"].places][:1] == ["step 2, the rationale"]
    assert "nowhere to be seen" not in found


def test_a_decision_is_taken_by_kind_value_in_any_spelling_or_placeholder(library: Library) -> None:
    found = scan_demo(library.demo(DEMO))

    def chosen(which: str) -> set[str]:
        return {one.value for one in decided(found, "replace", which=which) if one.decision == "replace"}

    assert chosen("email") == {P.email, P.kept}
    assert chosen(P.email.upper()) == {P.email}
    assert chosen(P.card) == {P.card_in_groups}
    assert chosen("<token:1>") == {P.token}
    assert chosen("all") == {one.value for one in found}
    assert chosen("something else") == set()


# Replacing ---------------------------------------------------------------------------------------------------------


def test_no_record_holds_a_replaced_value_in_any_spelling(library: Library) -> None:
    replace_all_but_kept(library)
    text = all_json(library.demo(DEMO)).casefold()
    for value in P.spellings:
        assert value.casefold() not in text
    assert P.kept in text
    assert "jane_doe" not in text
    assert P.card_in_groups.replace(" ", "_")[:14] not in text


def test_the_same_value_has_the_same_placeholder_in_every_place(library: Library) -> None:
    replace_all_but_kept(library)
    demo = library.demo(DEMO)
    step = demo.steps[1]
    assert demo.head.task == "Send mail to <email:1>"
    assert demo.head.area == "window:<email:1>"
    assert demo.head.outcome_reason == "saved as C:\\Users\\<user_path:1>\\x"
    assert step.action.text_to_type == "<email:1>"
    assert step.window is not None
    assert step.window.title == "<email:1> - Mail - <user_path:1>@laptop"
    assert step.rationale is not None
    assert step.rationale.reasoning == "I type <email:1>."
    assert step.focused is not None
    assert step.focused.value == "<email:1>"
    assert step.note == f"as in /home/<user_path:1>/notes; ask {P.kept}"
    assert demo.steps[3].clipboard == "<card:1>"
    assert demo.steps[4].action.data == {"keys": ["<token:1>", 7]}
    texts = {e.text for found in demo.elements.values() for e in found}
    assert texts == {"Mail", "Address", None, "<email:1>", "Card <card:1>, <user_path:1>"}


def test_typed_keys_lose_their_characters_and_keep_their_times(library: Library) -> None:
    before = library.demo(DEMO)
    replace_all_but_kept(library)
    after = library.demo(DEMO)
    for number in (1, 3):
        assert [event.t_ns for event in after.steps[number].events] == [e.t_ns for e in before.steps[number].events]
        assert {(event.key, event.char) for event in after.steps[number].events} == {("", "")}
    assert after.steps[0].events == before.steps[0].events


def test_named_keys_are_kept(library: Library) -> None:
    demo = library.demo(DEMO)
    enter = demo.steps[1].events[0].__class__(t_ns=demo.steps[1].ended_ns, kind="key_down", key="Enter")
    step = demo.steps[1].model_copy(update={"events": (*demo.steps[1].events, enter)})
    changed = dataclasses.replace(demo, head=demo.head.model_copy(update={"id": "demo_x"}), steps=(step,), elements={})
    library.add_demo(changed)
    redact(library, "demo_x", decided(scan_demo(library.demo("demo_x")), "replace"))
    assert [event.key for event in library.demo("demo_x").steps[0].events][-1] == "Enter"


def test_track_ids_that_tell_a_value_are_renamed_alike_on_every_picture(library: Library) -> None:
    replace_all_but_kept(library)
    demo = library.demo(DEMO)
    names = {e.uid: e.track_id for found in demo.elements.values() for e in found}
    assert {names[f"{DEMO}_{n}_field"] for n in range(5)} == {"input_field_email_0"}
    assert {names[f"{DEMO}_{n}_row"] for n in (3, 4)} == {"list_item_card_0"}
    assert names[f"{DEMO}_0_label"] == "text_address_0"


def test_pixels_that_show_a_value_are_painted_over_on_every_picture_and_the_rest_is_untouched(library: Library) -> None:
    before = library.demo(DEMO)
    replace_all_but_kept(library)
    after = library.demo(DEMO)
    for number, (old, new) in enumerate(zip(before.frames(), after.frames(), strict=True)):
        was, now = library.get_image(old.id), library.get_image(new.id)
        assert set(new.covered) >= ({FIELD} if number >= 1 else set())
        rest = np.ones(was.shape[:2], dtype=bool)
        for box in new.covered:
            part = now[box.y1 : box.y2, box.x1 : box.x2]
            assert (part == MASK_COLOUR).all(axis=2).mean() > 0.6, "flat, but for the placeholder"
            assert (part[0] == MASK_COLOUR).all(), "nothing is written outside of the box"
            rest[box.y1 : box.y2, box.x1 : box.x2] = False
        assert (was[rest] == now[rest]).all()
    assert LIST in after.frames()[3].covered
    assert after.frames()[0] == before.frames()[0]


def test_nothing_of_what_is_painted_over_depends_on_what_was_there() -> None:
    one, other = noise_image(200, 80, seed=1), noise_image(200, 80, seed=2)
    covers = [PaintedText(box=FIELD, words="<email:1>"), PaintedText(box=Rect(150, 50, 190, 70), words="<card:1>")]
    painted = [paint_over(image, covers) for image in (one, other)]
    for cover in covers:
        box = cover.box
        parts = [image[box.y1 : box.y2, box.x1 : box.x2] for image in painted]
        assert (parts[0] == parts[1]).all()
    assert (painted[0] != painted[1]).any()


def test_the_placeholder_is_written_where_there_is_room(library: Library) -> None:
    image = noise_image(200, 80, seed=1)
    for box, written in ((FIELD, True), (Rect(10, 10, 40, 20), False), (Rect(10, 10, 120, 14), False)):
        part = paint_over(image, [PaintedText(box=box, words="<email:1>")])[box.y1 : box.y2, box.x1 : box.x2]
        assert bool((part != MASK_COLOUR).any()) is written


def test_every_reference_follows_the_painted_picture(library: Library) -> None:
    before = {frame.id for frame in library.demo(DEMO).frames()}
    replace_all_but_kept(library)
    demo = library.demo(DEMO)
    used = {frame.id for frame in demo.frames()}
    assert len(used & before) == 1
    assert set(demo.elements) == used == demo.parsed
    assert demo.head.final_frame is not None
    assert demo.steps[-1].before is not None
    assert demo.head.final_frame.id == demo.steps[-1].before.id
    for frame, found in demo.elements.items():
        assert {element.frame for element in found} == {frame}
    for step in demo.steps:
        if step.target_uid is not None and step.before is not None:
            assert step.target_uid in {e.uid for e in demo.elements[step.before.id]}


def test_one_undo_takes_all_of_it_back_and_one_redo_brings_it_again(library: Library) -> None:
    before = library.demo(DEMO)
    replace_all_but_kept(library)
    after = library.demo(DEMO)
    assert library.log.labels(DEMO)[0] == "Replace 5 private values"
    library.log.undo(DEMO)
    assert library.demo(DEMO) == before
    assert library.log.labels(DEMO)[0] is None
    library.log.redo(DEMO)
    assert library.demo(DEMO) == after


def test_a_field_is_covered_even_where_its_text_was_read_beyond_recognition(library: Library) -> None:
    demo = library.demo(DEMO)
    head = demo.head.model_copy(update={"id": "demo_x"})
    steps = tuple(s.model_copy(update={"focused": None, "id": f"x{s.id}"}) for s in demo.steps)

    def misread(e: Element) -> Element:
        return e.model_copy(update={"uid": f"x{e.uid}", "text": "|||" if e.text == P.email else e.text})

    elements = {key: tuple(misread(e) for e in found) for key, found in demo.elements.items()}
    steps = tuple(s.model_copy(update={"target_uid": f"x{s.target_uid}" if s.target_uid else None}) for s in steps)
    library.add_demo(dataclasses.replace(demo, head=head, steps=steps, elements=elements))
    redact(library, "demo_x", decided(scan_demo(library.demo("demo_x")), "replace", which=P.email))
    frames = library.demo("demo_x").frames()
    assert [FIELD in frame.covered for frame in frames] == [False, False, True, True, True]


def test_pictures_that_become_one_share_their_elements(library: Library) -> None:
    demo = library.demo(DEMO)
    image = library.get_image(demo.frames()[2].id).copy()
    image[45:50, 30:32] = 0  # the cursor blinks inside the field
    key = library.put_image(image)
    old = demo.frames()[2]
    twin = old.model_copy(update={"id": key})
    steps = list(demo.steps)
    steps[2] = steps[2].model_copy(update={"before": twin, "target_uid": "twin_field"})
    copies = tuple(
        e.model_copy(update={"uid": e.uid.replace(f"{DEMO}_2", "twin"), "frame": key}) for e in demo.elements[old.id]
    )
    changed = dataclasses.replace(
        demo,
        head=demo.head.model_copy(update={"id": "demo_x"}),
        steps=tuple(steps),
        elements={old.id: demo.elements[old.id], key: copies},
        parsed=frozenset({old.id, key}),
    )
    library.add_demo(changed)
    redact(library, "demo_x", decided(scan_demo(library.demo("demo_x")), "replace"))
    after = library.demo("demo_x")
    assert after.steps[1].after is not None
    assert after.steps[2].before is not None
    assert after.steps[1].after.id == after.steps[2].before.id
    assert [e.uid for e in after.elements[after.steps[2].before.id]] == [e.uid for e in demo.elements[old.id]]
    assert after.steps[2].target_uid == f"{DEMO}_2_field"
    library.log.undo("demo_x")
    assert library.demo("demo_x") == changed


# Decisions ---------------------------------------------------------------------------------------------------------


def test_decisions_are_asked_once_and_do_not_tell_the_value(library: Library) -> None:
    replace_all_but_kept(library)
    demo = library.demo(DEMO)
    found = scan_demo(demo)
    assert {one.value: one.decision for one in found} == {P.kept: "keep"}
    assert open_findings(demo) == []
    assert P.email not in json.dumps(demo.head.to_json()["redaction"])


def test_a_value_that_comes_again_keeps_its_placeholder_and_is_still_to_be_replaced(library: Library) -> None:
    replace_all_but_kept(library)
    demo = library.demo(DEMO)
    again = dataclasses.replace(
        demo,
        head=demo.head.model_copy(update={"id": "demo_x", "task": f"{P.email.upper()} and new@example.com"}),
        steps=(),
        elements={},
        parsed=frozenset(),
    )
    library.add_demo(again)
    found = scan_demo(library.demo("demo_x"))
    assert [(one.placeholder, one.decision) for one in found] == [("<email:1>", "replace"), ("<email:3>", "open")]
    redact(library, "demo_x", found)
    assert library.demo("demo_x").head.task == "<email:1> and new@example.com"


def test_numbers_that_stand_in_the_texts_already_are_not_given_again(library: Library) -> None:
    demo = dataclasses.replace(library.demo(DEMO), steps=(), elements={}, parsed=frozenset())
    head = demo.head.model_copy(update={"task": f"from <email:4> to {P.email}", "area": "all"})
    assert scan_demo(dataclasses.replace(demo, head=head))[0].placeholder == "<email:5>"


def test_keeping_changes_the_head_alone(library: Library) -> None:
    before = library.demo(DEMO)
    edit = redact(library, DEMO, decided(scan_demo(before), "keep"))
    assert [change.kind for change in edit.changes] == ["head"]
    assert edit.label == "Keep 6 private values"
    after = library.demo(DEMO)
    assert (after.steps, after.elements) == (before.steps, before.elements)
    assert open_findings(after) == []


def test_open_findings_stay_as_they_are(library: Library) -> None:
    redact(library, DEMO, decided(scan_demo(library.demo(DEMO)), "replace", which="token"))
    assert P.token not in all_json(library.demo(DEMO))
    assert {one.value for one in open_findings(library.demo(DEMO))} == {
        P.card_in_groups, P.email, P.user, P.kept, P.password,
    }  # fmt: skip


def test_without_a_decision_nothing_is_changed(library: Library) -> None:
    with pytest.raises(BadInputError, match="Nothing was decided"):
        redact(library, DEMO, scan_demo(library.demo(DEMO)))
    assert library.log.labels(DEMO) == (None, None)


# Finding values in texts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "text", "expected"),
    [
        ("email", "ann@x.com", "Joann@x.com, ANN@X.com.", ["ANN@X.com"]),
        ("card", P.card, f"no {P.card_in_groups}!", [P.card_in_groups]),
        ("card", P.card_in_groups, f"{P.card}0", []),
        ("password_like", "1234", "Order 12345, pin 1234", ["1234"]),
        ("token", "abcd" * 5, "x" + "abcd" * 5 + "y", ["abcd" * 5]),
        ("user_path", "jane", "jane@box, Janet, /home/jane", ["jane", "jane"]),
        ("user_path", "email", "<email:1> of email", ["email"]),
        ("phone", "+49 171 2345678", "+491712345678 or +49 (171) 234-5678", ["+491712345678", "+49 (171) 234-5678"]),
    ],
)
def test_a_value_is_found_in_other_spellings_and_not_inside_other_words(
    kind: str, value: str, text: str, expected: list[str]
) -> None:
    private = Value(kind=kind, text=value)  # type: ignore[arg-type]
    marked = ValueFinder([private]).replaced(text, {private.digest: "{}"})
    assert marked.count("{}") == len(expected)
    assert marked.format(*expected) == text


def test_the_longer_of_two_values_counts() -> None:
    finder = ValueFinder([Value(kind="user_path", text="jane"), Value(kind="email", text="jane@example.com")])
    assert [found.kind for found in finder.find("jane@example.com, jane")] == ["email", "user_path"]


def test_a_text_that_is_only_similar_in_part_is_not_taken_for_the_value() -> None:
    finder = ValueFinder([Value(kind="email", text=P.email)])
    assert finder.alike("jane.d0e@exarnple.com") is not None
    assert finder.alike("john.roe@sample.com") is None
    assert finder.alike("jane") is None

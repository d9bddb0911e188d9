"""Suggestions: which are shown, how many are taken or rejected in one edit, and what the sources say about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.commands import (
    Command,
    MoveElements,
)
from annotator.document import Document
from annotator.finding.review import DecideSuggestions
from annotator.suggestions.confidence_filter import ConfidenceFilter, SuggestionCounter, is_suggestion, next_after
from annotator.suggestions.statements import (
    RULE_NAMES,
    SOURCE_NAMES,
    accessible_element,
    differing_fields,
    disputed,
    source_words,
    statements,
)
from demopack.clock import utc_now
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element, ElementSource, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.steps import AccessibleElement
from models.vision.rules import RULES
from tests.support.editing import element
from tests.support.small_demos import click_step

FRAME = Frame(id="f", width=400, height=300)


def found(uid: str, sure: float | None = 0.5, *, left: int = 10, **fields: object) -> Element:
    return element(uid, (left, 10, left + 20, 30), **{"source": "detector", "confidence": sure, **fields})


def document(*elements: Element) -> Document:
    step = click_step(0, FRAME, None, Point(15, 15))
    return Document(
        Demo(
            head=DemoHead(id="demo_1", task="", created_at=utc_now()),
            steps=(step,),
            elements={"f": elements},
            parsed=frozenset({"f"}),
        )
    )


def do(doc: Document, command: Command) -> str:
    edit = command.edit(doc)
    assert edit is not None
    doc.apply(edit.changes)
    return edit.label


def reviews(doc: Document, uids: Sequence[str]) -> list[str]:
    return [e.review for uid in uids if (e := doc.element(uid)) is not None]


# Which are shown ----------------------------------------------------------------------------------------------


def test_the_slider_hides_suggestions_only() -> None:
    limits = ConfidenceFilter(least=0.6)
    assert not limits.passes(found("low", 0.59))
    assert limits.passes(found("high", 0.6))
    assert limits.passes(found("silent", None))
    assert limits.passes(found("approved", 0.1, review="approved"))
    assert limits.passes(found("doubtful", 0.1, review="doubtful"))
    assert limits.passes(element("mine", source="human"))


def test_a_source_hides_what_it_found_reviewed_or_not() -> None:
    limits = ConfidenceFilter().toggled("detector", shown=False)
    assert not limits.passes(found("a", 1.0))
    assert not limits.passes(found("b", 1.0, source="describer", review="approved"))
    assert limits.passes(found("c", 1.0, source="ocr"))
    assert limits.toggled("detector", shown=True) == ConfidenceFilter()


def test_the_keys_move_to_whole_steps_and_stop_at_the_ends() -> None:
    assert ConfidenceFilter(least=0.62).moved(1).least == 0.65
    assert ConfidenceFilter(least=0.62).moved(-1).least == 0.55
    assert ConfidenceFilter(least=0.98).moved(1).least == 1.0
    assert ConfidenceFilter(least=0.02).moved(-1).least == 0.0
    assert ConfidenceFilter().open
    assert not ConfidenceFilter(least=0.05).open


def test_counts() -> None:
    everything = [
        found("a", 0.9),
        found("b", 0.3),
        found("c", 0.9, type="text", source="ocr"),
        found("d", 0.9, review="approved"),
        found("e", 0.9, review="rejected"),
        element("f", source="human"),
    ]
    counts = SuggestionCounter().count(tuple(everything), ConfidenceFilter(least=0.5))
    assert (counts.suggestions, counts.shown, counts.below) == (3, 2, 1)
    assert counts.by_origin == {"ocr": 1, "detector": 3, "rule": 0, "accessibility": 0, "propagated": 0, "human": 1}
    assert counts.by_type == {"button": 1, "text": 1}


def test_rules_and_what_was_carried_over_are_shown_hidden_and_counted_by_themselves() -> None:
    seen, ruled, carried = found("a", 0.9), found("b", 0.6, source="rule"), found("c", 0.3, source="propagated")
    counts = SuggestionCounter().count((seen, ruled, carried), ConfidenceFilter())
    assert [counts.by_origin[name] for name in ("detector", "rule", "propagated")] == [1, 1, 1]
    only = ConfidenceFilter(hidden=frozenset({"rule", "propagated"}))
    assert [only.passes(one) for one in (seen, ruled, carried)] == [True, False, False]
    # Their constants are sorted in among the detector's numbers.
    assert [ConfidenceFilter(least=0.5).passes(one) for one in (seen, ruled, carried)] == [True, True, False]
    assert all(is_suggestion(one) for one in (seen, ruled, carried))


def test_a_rule_is_told_by_its_name_and_others_by_how_sure_they_are() -> None:
    assert source_words(Evidence(source="detector", confidence=0.5)) == "Detector 0.50"
    assert source_words(Evidence(source="rule", rule="list_rows", confidence=0.6)) == "Rule: evenly spaced rows"
    assert source_words(Evidence(source="rule", rule="of_later_days", confidence=0.6)) == "Rule: of_later_days"
    assert source_words(Evidence(source="rule", confidence=0.6)) == "Rule"
    assert set(RULE_NAMES) >= set(RULES), "libraries still hold finds of rules that are gone"
    assert set(SOURCE_NAMES) == set(get_args(ElementSource))


def test_the_box_of_an_outline_is_not_held_against_its_control() -> None:
    mark = Evidence(source="rule", rule="mark_outline", type="checkbox", box=Rect(10, 10, 16, 16), confidence=0.98)
    one = found("a", type="checkbox", evidence=(Evidence(source="detector", type="checkbox"), mark))
    assert [differing_fields(one, said) for said in statements(one)] == [(), ()]


def test_the_next_suggestion_follows_the_last_decided_one_and_starts_again() -> None:
    order = [found("a"), found("b", review="approved"), found("c"), element("d", source="human"), found("e")]
    following = [next_after(order, done) for done in ((), ("a",), ("d",), ("e",), ("a", "c", "e"))]
    assert [None if one is None else one.uid for one in following] == ["a", "c", "e", "a", None]


# What becomes of them -----------------------------------------------------------------------------------------


def test_many_are_accepted_in_one_edit_and_keep_what_was_suggested() -> None:
    doc = document(
        found("a"), found("b", left=100), found("c", left=200, review="rejected"), element("d", (1, 1, 5, 5))
    )
    edit = DecideSuggestions(decision="accept", uids=("a", "b", "c", "gone")).edit(doc)
    assert edit is not None
    assert edit.label == "Accept 2 suggestions"
    doc.apply(edit.changes)
    assert reviews(doc, ("a", "b", "c", "d")) == ["approved", "approved", "rejected", "unreviewed"]
    assert doc.element("a").evidence[0].confidence == 0.5  # type: ignore[union-attr]
    assert DecideSuggestions(decision="accept", uids=("a", "b", "c")).edit(doc) is None


def test_rejecting_remembers_spares_what_a_person_drew_and_binds_anew() -> None:
    doc = document(found("a"), found("around", type="other", left=5).changed(box=Rect(0, 0, 90, 90)), element("mine"))
    step = doc.steps[0]
    doc.replace(step.model_copy(update={"target_uid": "mine"}))
    assert DecideSuggestions(decision="reject", uids=("mine",)).edit(doc) is None
    assert do(doc, DecideSuggestions(decision="reject", uids=("a", "around"))) == "Reject 2 suggestions"
    assert reviews(doc, ("a", "around", "mine")) == ["rejected", "rejected", "unreviewed"]
    assert doc.steps[0].target_uid == "mine"


def test_a_rejected_target_falls_to_what_lies_under_it() -> None:
    doc = document(found("a"), found("around").changed(box=Rect(0, 0, 90, 90)))
    doc.replace(doc.steps[0].model_copy(update={"target_uid": "a"}))
    do(doc, DecideSuggestions(decision="reject", uids=("a",)))
    assert doc.steps[0].target_uid == "around"


@pytest.mark.parametrize(
    ("command", "label"),
    [
        (DecideSuggestions(decision="accept", uids=("a",)), "Accept “Save” (button)"),
        (DecideSuggestions(decision="reject", uids=("a",), type="button"), "Reject “Save” (button)"),
        (
            DecideSuggestions(decision="accept", uids=("a", "b"), type="menu_item"),
            "Accept 2 suggestions of type menu item",
        ),
        (DecideSuggestions(decision="reject", uids=("a", "b"), below=0.6), "Reject 2 suggestions below 0.60"),
    ],
)
def test_the_history_says_what_was_done(command: Command, label: str) -> None:
    assert do(document(found("a", text="Save"), found("b", left=100)), command) == label


@pytest.mark.parametrize(
    "command",
    [
        MoveElements(uids=("a",), dx=1, dy=0, frame_size=Size(400, 300)),
        SetBoxes(boxes={"a": Rect(10, 10, 29, 30)}),
        SetAttribute(uids=("a",), name="type", value="tab"),
        SetAttribute(uids=("a",), name="text", value="Save all"),
        SetAttribute(uids=("a",), name="checked", value=True),
        SetAttribute(uids=("icon",), name="subtype", value="search"),
    ],
)
def test_every_correction_of_a_suggestion_accepts_it_and_keeps_what_was_suggested(command: Command) -> None:
    doc = document(found("a", text="Save"), found("icon", left=100, type="icon"))
    before = {e.uid: e for e in doc.elements("f")}
    do(doc, command)
    (changed,) = [e for e in doc.elements("f") if e != before[e.uid]]
    was = before[changed.uid]
    assert changed.review == "approved"
    assert not is_suggestion(changed)
    assert changed.evidence == (
        Evidence(source="detector", type=was.type, box=was.box, text=was.text, confidence=was.confidence),
    )


def test_evidence_that_is_there_stays_and_a_persons_own_box_needs_none() -> None:
    read = Evidence(source="ocr", text="Sawe", confidence=0.8)
    doc = document(found("a", text="Sawe", evidence=(read,)), element("mine", (100, 100, 120, 120)))
    do(doc, SetAttribute(uids=("a",), name="text", value="Save"))
    do(doc, SetAttribute(uids=("mine",), name="text", value="Own"))
    assert doc.element("a").evidence == (read,)  # type: ignore[union-attr]
    assert doc.element("mine").evidence == ()  # type: ignore[union-attr]


def test_what_was_rejected_can_be_brought_back() -> None:
    doc = document(found("a", text="Save"), found("b", left=100, review="rejected"), found("c", left=200))
    do(doc, DecideSuggestions(decision="reject", uids=("a",)))
    assert SuggestionCounter().count(doc.elements("f"), ConfidenceFilter()).rejected == 2
    assert (
        do(doc, DecideSuggestions(decision="restore", uids=("a", "b", "c")))
        == "Bring back 2 suggestions that were rejected"
    )
    assert reviews(doc, ("a", "b", "c")) == ["unreviewed"] * 3
    assert DecideSuggestions(decision="restore", uids=("a", "b", "c")).edit(doc) is None


def test_unmarking_makes_a_suggestion_again() -> None:
    doc = document(found("a"))
    do(doc, DecideSuggestions(decision="accept", uids=("a",)))
    do(doc, SetAttribute(uids=("a",), name="review", value="unreviewed"))
    assert is_suggestion(doc.element("a"))  # type: ignore[arg-type]


# Who said what ------------------------------------------------------------------------------------------------


def said(source: str = "ocr", sure: float | None = 0.9, **fields: object) -> Evidence:
    return Evidence.model_validate({"source": source, "confidence": sure, **fields})


def test_the_fields_in_which_a_source_says_something_else() -> None:
    one = found(
        "a",
        type="button",
        text="Save",
        evidence=(
            said("detector", type="button", box=Rect(10, 10, 30, 30)),
            said("ocr", text="SAVE!", box=Rect(14, 14, 26, 24)),
            said("describer", type="hyperlink", text="Sane"),
            said("accessibility", type="button", text="Save", box=Rect(10, 10, 60, 30)),
        ),
    )
    assert [differing_fields(one, s) for s in statements(one)] == [(), (), ("type", "text"), ("box",)]
    assert disputed(one) == ("type", "text", "box")


def test_nothing_is_in_dispute_where_a_source_is_unsure_or_a_person_decided() -> None:
    unsure = found("a", evidence=(said("describer", 0.55, type="tab"), said("detector", type="other")))
    assert disputed(unsure) == ()
    assert differing_fields(unsure, *statements(unsure)[:1]) == ("type",)
    line = found("a", type="text", evidence=(said("describer", type="tabled_text"),))
    assert (disputed(line), differing_fields(line, *statements(line))) == ((), ("type",)), (
        "kinds of text are no matter of dispute"
    )
    sure = found("a", evidence=(said("describer", 0.6, type="tab"),))
    assert disputed(sure) == ("type",)
    assert disputed(sure.changed(review="approved")) == ()


def test_a_single_source_speaks_for_itself_and_a_person_for_nobody() -> None:
    one = found("a", text="Save")
    (only,) = statements(one)
    assert (only.source, only.text, differing_fields(one, only)) == ("detector", "Save", ())
    assert statements(element("mine", source="human")) == ()


def test_what_accessibility_told_about_an_element_is_found_by_its_place() -> None:
    told = AccessibleElement(role="push button", name="Save", box=Rect(10, 10, 31, 31))
    step = click_step(0, FRAME, None, Point(15, 15)).model_copy(update={"pointed": told})
    assert accessible_element(found("a"), FRAME, [step]) == told
    assert accessible_element(found("b", left=100), FRAME, [step]) is None
    elsewhere = FRAME.model_copy(update={"id": "g"})
    assert accessible_element(found("a"), elsewhere, [step]) is None

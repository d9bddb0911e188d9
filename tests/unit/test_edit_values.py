"""A change keeps the values it was made of, so that nobody has to read them again; as JSON it is what it always was."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from demopack.domain.edits import Change, net_changes
from demopack.domain.elements import Element, Evidence
from demopack.domain.geometry import Rect


def button(**fields: object) -> Element:
    plain = {"uid": "el_1", "frame": "f", "type": "button", "box": Rect(1, 2, 30, 14), "text": "OK"}
    return Element.model_validate({**plain, **fields})


def test_a_change_of_an_element_hands_on_the_very_values_it_was_made_of() -> None:
    old, new = button(), button(text="Send")
    change = Change.between(old, new)
    assert change.was is old
    assert change.becomes is new
    back = change.reversed()
    assert back.was is new
    assert back.becomes is old
    assert Change.between(None, new).was is None
    with pytest.raises(ValueError, match="one side"):
        Change.between(None, None)


def test_a_change_that_was_stored_reads_the_same_values_from_its_json() -> None:
    change = Change.between(button(), button(review="approved", evidence=(Evidence(source="ocr", text="OK"),)))
    stored = Change.model_validate_json(change.model_dump_json())
    assert stored == change
    assert stored.to_json() == change.to_json() == change.model_dump(mode="json")
    assert (stored.was, stored.becomes) == (change.was, change.becomes)
    assert stored.becomes is stored.becomes
    assert Change(kind="parsed", key="f", before=None, after={}).becomes is None


def test_a_run_of_changes_comes_to_one_with_the_first_and_the_last_value() -> None:
    first, middle, last = button(), button(text="a"), button(text="b")
    (net,) = net_changes([Change.between(first, middle), Change.between(middle, last)])
    assert (net.was, net.becomes) == (first, last)
    assert net_changes([Change.between(first, middle), Change.between(middle, first)]) == []


def test_what_is_no_dictionary_is_no_side_of_a_change() -> None:
    for wrong in ([1], "text", 5):
        with pytest.raises(ValidationError):
            Change.model_validate({"kind": "element", "key": "x", "before": wrong, "after": None})
    with pytest.raises(ValidationError):
        Change.model_validate_json('{"kind": "element", "key": "x", "before": [1], "after": null}')


def test_a_copy_with_other_values_is_the_record_that_checking_would_have_made() -> None:
    element = button(source="ocr", confidence=0.25)
    copy = element.but(review="rejected", text=None)
    assert copy == Element.model_validate({**element.to_json(), "review": "rejected", "text": None})
    assert copy.to_json() == element.model_copy(update={"review": "rejected", "text": None}).model_dump(mode="json")
    assert copy.model_copy(update={"review": "approved"}).changed(text="x").text == "x"
    assert element.review == "unreviewed"

from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.elements import Element, Evidence
from demopack.domain.geometry import Rect
from models.vision.doubt import element_doubt

BOX = Rect(10, 10, 110, 40)


def element(**fields: Any) -> Element:
    given = {"uid": "el", "frame": "f", "type": "button", "box": BOX, "source": "detector", "confidence": 1.0, **fields}
    return Element.model_validate(given)


def says(source: str, **fields: Any) -> Evidence:
    return Evidence.model_validate({"source": source, **fields})


def test_a_sure_element_whose_sources_agree_is_not_doubted() -> None:
    agreed = (
        says("detector", type="button", box=BOX, confidence=1.0),
        says("describer", type="button", text="save", confidence=0.9),
        says("ocr", text="Save", box=Rect(30, 15, 80, 35), confidence=0.99),
    )
    found = element_doubt(element(text="Save", evidence=agreed))
    assert (found.score, found.reasons) == (0.0, ())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"confidence": 0.4}, "unsure"),
        ({"type": "other"}, "unknown"),
        ({"evidence": (says("detector", type="button"), says("describer", type="tab", confidence=0.8))}, "type"),
        ({"evidence": (says("ocr", text="Save"), says("describer", text="5ove"))}, "text"),
        ({"evidence": (says("accessibility", box=Rect(10, 10, 60, 40)),)}, "box"),
    ],
)
def test_each_reason_is_named_and_counts(fields: dict[str, Any], reason: str) -> None:
    found = element_doubt(element(**fields))
    assert found.reasons == (reason,)
    assert 0.1 < found.score <= 1


def test_two_reasons_are_worse_than_one_and_the_weightier_comes_first() -> None:
    one = element_doubt(element(confidence=0.5))
    two = element_doubt(element(confidence=0.5, evidence=(says("describer", type="tab", confidence=0.2),)))
    assert two.score > one.score
    assert two.reasons == ("unsure", "type")


def test_what_a_person_said_is_not_doubted() -> None:
    assert element_doubt(element(confidence=0.1, review="approved")).score == 0
    assert element_doubt(element(source="human", confidence=None, type="other")).score == 0

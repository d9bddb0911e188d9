from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.actions import parse_action
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_human, by_program
from demopack.domain.rationale import Rationale
from models.language.check.findings import RULES, check_rationale
from models.language.check.text_spans import fold, quotes, same_name, sentences
from models.language.check.truth_rule import RationaleFinding
from models.language.check.wording import language_of

SIZE = Size(1000, 700)


def element(
    uid: str, kind: ElementType, box: tuple[int, int, int, int], text: str | None = None, **more: Any
) -> Element:
    return Element(uid=uid, frame="f", type=kind, box=Rect(*box), text=text, **more)


SCREEN = [
    element("label", "text", (20, 100, 100, 120), "User name"),
    element("field", "input_field", (120, 98, 400, 122), states={"focused": False}),
    element("agree", "checkbox", (20, 140, 34, 154), states={"checked": False, "disabled": False}),
    element("agree_text", "text", (40, 140, 160, 154), "I agree"),
    element("city", "dropdown", (20, 240, 300, 264), "Seoul", states={"expanded": False}),
    element("save", "button", (860, 640, 940, 670), "Save report", states={"disabled": False}),
    element("cancel", "button", (760, 640, 840, 670), "Cancel", states={"disabled": True}),
]
AFTER = [*SCREEN, element("done", "text", (400, 300, 560, 320), "Report saved")]
TASK = "Save the report for anna"


def context(kind: str = "click", target: str | None = "save", **more: Any) -> StepContext:
    chosen = next((e for e in SCREEN if e.uid == target), None)
    wire = {"bbox": to_norm_xywh(chosen.box, SIZE)} if chosen and kind in {"click", "drag", "hover"} else None
    action = parse_action({"action_type": kind, "target": wire, "parameters": more.pop("parameters", {})})
    values: dict[str, Any] = {
        "task": TASK, "history": (), "before": SCREEN, "after": AFTER, "changed": (Rect(390, 290, 570, 330),),
        "size": SIZE, **more,
    }  # fmt: skip
    return StepContext(action=action, target=chosen, **values)


def check(given: StepContext | None = None, *, after_visible: bool = False, **parts: Any) -> list[RationaleFinding]:
    rationale = Rationale(provenance=by_program("model", "m"), **parts)
    return check_rationale(rationale, given or context(), after_visible=after_visible)


def rules(given: StepContext | None = None, **parts: Any) -> set[str]:
    return {finding.rule for finding in check(given, **parts)}


GOOD = "I click the button “Save report”, because the task asks for it."


def test_a_true_rationale_has_no_findings() -> None:
    assert (
        check(thought=GOOD, expected_effect="The report should be saved.", actual_effect="“Report saved” appeared.")
        == []
    )


def test_a_finding_names_its_rule_and_points_at_the_words() -> None:
    (found,) = check(thought=f"{GOOD} Then comes “Log out”.")
    assert (found.rule, found.severity, found.part) == ("T01", "error", "thought")
    assert f"{GOOD} Then comes “Log out”."[found.start : found.end] == "“Log out”"
    assert "Log out" in found.message


@pytest.mark.parametrize(
    ("rule", "thought"),
    [
        ("T01", "I click the button “Save report”, which stands under “Invoices”."),
        ("T01", "I click the Save report button and not the Publish button."),
        ("T02", "I click the radio button “Save report”, because the task asks for it."),
        ("T03", "“Cancel” is enabled, but I click “Save report”."),
        ("T03", "The button “Save report” is disabled, so I click it."),
        ("T03", "The check box “I agree” is already ticked, so I click the button “Save report”."),
        ("T04", "I click the button “Save report” at (200, 110)."),
        ("T04", "I click “Save report” (X: 500 [480-520], Y: 300 [290-310])."),
        ("T05", "I go on as the task says."),
        ("T06", "I click “Cancel”, because “Save report” is what the task asks for."),
        ("T07", "I click “Save report”, which is marked by a red circle."),
        ("T07", "The bounding box lies on “Save report”, so I click that."),
        ("T08", "I click “Save report”. This saved the report."),
        ("T08", "After clicking “Save report”, a message appeared."),
        ("T08", "I click “Save report” so that “Report saved” comes up."),
        ("T10", "Ich klicke auf „Save report“, weil das die Aufgabe ist und der Knopf hier steht."),
        ("T12", "I'm sorry, but I cannot see “Save report”."),
        ("T13", "I click element 12, the button “Save report”."),
    ],
)
def test_each_rule_finds_its_fault(rule: str, thought: str) -> None:
    assert rule in rules(thought=thought)


@pytest.mark.parametrize(
    ("effect", "boxes", "denied"),
    [
        ("The screen did not change.", (Rect(390, 290, 570, 330),), True),
        ("Nothing else changed.", (Rect(390, 290, 570, 330),), False),
        ("A dialog opened.", (), True),
        ("The screen did not change.", (), False),
        ("A dialog opened.", (Rect(860, 640, 940, 670),), True),
        ("A dialog opened.", (Rect(200, 200, 700, 500),), False),
        ("“Report saved” appeared.", (Rect(390, 290, 570, 330),), False),
        ("“Cancel” appeared.", (Rect(390, 290, 570, 330),), True),
        ("“Cancel” disappeared.", (Rect(390, 290, 570, 330),), True),
        ("The whole screen changed.", (Rect(390, 290, 400, 300),), True),
        ("Something changed in the upper left.", (Rect(900, 600, 950, 650),), True),
    ],
)
def test_effects_are_held_against_the_frames(effect: str, boxes: tuple[Rect, ...], denied: bool) -> None:
    found = rules(context(changed=boxes), thought=GOOD, actual_effect=effect)
    assert ("T09" in found) is denied


def test_hindsight_may_know_what_came_of_it() -> None:
    told = "I clicked “Save report” because the task says so. After clicking it, “Report saved” appeared."
    assert check(thought=GOOD, hindsight=told, after_visible=True) == []
    assert "T08" in rules(thought=told)
    assert "T08" not in {finding.rule for finding in check(thought=told, after_visible=True)}


def test_what_is_too_long_or_said_over_and_over() -> None:
    assert "T11" in rules(thought=GOOD + " It is what the task wants." * 3)
    assert "T11" in rules(
        thought=GOOD + " And so on and on with many words." + "".join(f" Word {n}," for n in range(150))
    )


def test_a_text_without_end_is_told_to_be_too_long_and_takes_no_time() -> None:
    endless = check(thought=GOOD + " After clicking it, the " + "a " * 200_000)
    assert [(f.rule, f.end <= 1100) for f in endless if f.rule == "T11"] == [("T11", True)]
    assert "400086 characters" in next(f.message for f in endless if f.rule == "T11")


def test_slips_of_reading_are_forgiven_and_numbers_are_not() -> None:
    assert same_name(fold("Save custorner"), fold("Save customer"))
    assert same_name(fold("Log 0ut"), fold("Log out"))
    assert not same_name(fold("Order 1003"), fold("Order 1008"))
    assert not same_name(fold("Order 15"), fold("Order 11"))
    assert not same_name(fold("Undo"), fold("Redo"))


def test_typing_and_scrolling_are_told_as_they_were() -> None:
    typing = context("type", "field", parameters={"text_to_type": "anna"})
    assert rules(typing, thought="I type “anna” into the field “User name”.") == set()
    assert "T06" in rules(typing, thought="I type “Save report” into the field “User name”.")
    assert "T06" in rules(typing, thought="I type “anna” into the drop-down list “Seoul”.")
    scroll = context("scroll", None, parameters={"scroll_direction": "down", "scroll_steps": 3})
    assert rules(scroll, thought="I scroll down to see more.") == set()
    assert "T06" in rules(scroll, thought="I scroll up to see more.")


def test_a_persons_words_are_checked_and_the_template_is_spared_its_language() -> None:
    given = context(task="Speichere den Bericht für Anna und schließe das Fenster")
    by_hand = Rationale(text="I click the button “Save report”, because that is the task.", provenance=by_human())
    assert {f.rule for f in check_rationale(by_hand, given, after_visible=False)} == {"T10"}
    template = Rationale(thought=GOOD, provenance=by_program("template", "template-1"))
    assert check_rationale(template, given, after_visible=False) == []


def test_languages_by_their_commonest_words() -> None:
    assert language_of("I click the button, because it is what the task asks for.") == "en"
    assert language_of("Ich klicke auf den Knopf, weil das die Aufgabe ist.") == "de"
    assert language_of("Je clique sur le bouton parce que la tâche le demande.") == "fr"
    assert language_of("因为任务要求，我点击这个按钮。") == "zh"  # noqa: RUF001
    assert language_of("タスクがそう言っているので、このボタンを押します。") == "ja"
    assert language_of("Ada Lovelace") == "la"


def test_sentences_and_quotes() -> None:
    text = "I click 'Don. X'. Then “a. b” comes, e.g. here. \"Q\" ends `it`"
    assert [text[s.start : s.end] for s in sentences(text)] == [
        "I click 'Don. X'.", "Then “a. b” comes, e.g. here.", '"Q" ends `it`',
    ]  # fmt: skip
    assert [q[1] for q in quotes(text)] == ["Don. X", "a. b", "Q", "it"]


def test_rules_are_data() -> None:
    assert list(RULES) == sorted(RULES)
    assert all((rule.__doc__ or "").startswith(f"{name}: ") for name, rule in RULES.items())

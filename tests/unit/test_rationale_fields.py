"""What a rationale holds, when it is stale, and how each dialect renders it."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.clock import utc_now
from demopack.domain.actions import Action, ActionTarget, ClickAction, parse_action
from demopack.domain.demos import Demo, DemoHead, is_stale, step_basis
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, basis_of, caap_paragraph, lam_thought, previous_action_result
from demopack.domain.steps import Step
from demopack.redaction.apply import Rewriter
from demopack.redaction.recognisers import recognise_named
from demopack.redaction.values import ValueFinder

BY = by_program("model", "m")
WHOLE = Rationale(
    observation="The list “Storm” is in the middle.",
    thought="I open it, because “Janella”\nis in it.",
    expected_effect="Its choices should show.",
    actual_effect="“Janella” and “Selie” appeared.",
    plan=("Choose “Janella”", " ", "Press  “Submit”"),
    provenance=BY,
)
CLICK = ClickAction(target=ActionTarget(bbox=(0.1, 0.1, 0.1, 0.1)))
BUTTON = Element(uid="b", frame="f", type="button", box=Rect(10, 10, 50, 30), text="OK", states={"focused": False})


def demo_of(button: Element = BUTTON, *, task: str = "Say OK", action: Action = CLICK, **step: Any) -> Demo:
    only = Step(id="s", position=1, action=action, target_uid="b", before=Frame(id="f", width=100, height=100), **step)
    head = DemoHead(id="d", task=task, created_at=utc_now())
    return Demo(head=head, steps=(only,), elements={"f": (button,)})


def test_what_an_older_version_wrote_is_read() -> None:
    old = {"observation": "o", "thought": "t", "provenance": BY.to_json()}
    read = Rationale.model_validate(old)
    assert (read.plan, read.hindsight, read.mode, read.basis) == ((), "", "no_hindsight", "")
    assert Rationale.model_validate(read.to_json()) == read


def test_the_reasoning_tells_no_hindsight() -> None:
    seen = WHOLE.model_copy(update={"hindsight": "It went well.", "mode": "hindsight"})
    assert seen.reasoning == "I open it, because “Janella”\nis in it. Its choices should show."


def test_each_dialect_gets_its_part() -> None:
    assert caap_paragraph(WHOLE) == (
        "The list “Storm” is in the middle. I open it, because “Janella” is in it. “Janella” and “Selie” appeared."
    )
    assert previous_action_result(WHOLE) == "“Janella” and “Selie” appeared."
    assert previous_action_result(None) == ""
    assert lam_thought(WHOLE) == "The list “Storm” is in the middle. I open it, because “Janella” is in it."


def test_a_paragraph_written_in_hindsight_is_taken_whole_but_a_person_wins() -> None:
    told = WHOLE.model_copy(update={"hindsight": "Chosen, because.\nThen it opened."})
    assert caap_paragraph(told) == "Chosen, because. Then it opened."
    mine = told.model_copy(update={"text": "My words."})
    assert caap_paragraph(mine) == "My words. “Janella” and “Selie” appeared."
    assert lam_thought(mine) == "My words."


@pytest.mark.parametrize(
    "change",
    [{"text": "Cancel"}, {"box": Rect(10, 10, 50, 31)}, {"type": "hyperlink"}, {"states": {"focused": True}}],
)
def test_a_target_that_looks_different_makes_it_stale(change: dict[str, Any]) -> None:
    basis = step_basis(demo_of().steps[0], demo_of())
    told = Rationale(thought="t", basis=basis, provenance=BY)
    fresh, changed = demo_of(rationale=told), demo_of(BUTTON.changed(**change), rationale=told)
    assert not is_stale(fresh.steps[0], fresh)
    assert is_stale(changed.steps[0], changed)


def test_task_and_action_count_and_who_found_the_element_does_not() -> None:
    told = Rationale(thought="t", basis=step_basis(demo_of().steps[0], demo_of()), provenance=BY)
    other_task = demo_of(task="Say no", rationale=told)
    twice = CLICK.replace(click_type="double")
    other_action = demo_of(action=twice, rationale=told)
    found = demo_of(BUTTON.changed(source="ocr", track_id="button_ok_0", confidence=0.5), rationale=told)
    gone = demo_of(BUTTON.changed(review="rejected"), rationale=told)
    assert is_stale(other_task.steps[0], other_task)
    assert is_stale(other_action.steps[0], other_action)
    assert is_stale(gone.steps[0], gone)
    assert not is_stale(found.steps[0], found)
    unknown = demo_of(task="Say no", rationale=told.model_copy(update={"basis": ""}))
    assert not is_stale(unknown.steps[0], unknown)


def test_the_end_of_a_drag_counts() -> None:
    end = {"bbox": (0.5, 0.5, 0, 0)}
    wire = {"action_type": "drag", "target": {"bbox": (0.1, 0.1, 0, 0)}, "parameters": {"end_target": end}}
    drag = parse_action(wire)
    one = basis_of(task="t", action=drag, target=BUTTON, end_target=BUTTON)
    assert one != basis_of(task="t", action=drag, target=BUTTON, end_target=BUTTON.changed(text="Bin"))
    assert one != basis_of(task="t", action=drag, target=BUTTON)


def test_a_fingerprint_is_no_secret_and_does_not_outlive_a_redaction() -> None:
    demo = demo_of()
    basis = step_basis(demo.steps[0], demo)
    assert recognise_named("basis", basis) == []
    told = demo_of(rationale=Rationale(thought="t", basis=basis, provenance=BY)).steps[0]
    rewritten = Rewriter(finder=ValueFinder([]), names={}).step(told)
    assert rewritten.rationale is not None
    assert (rewritten.rationale.basis, rewritten.rationale.thought) == ("", "t")

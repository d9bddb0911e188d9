from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.actions import parse_action
from demopack.domain.elements import ELEMENT_TYPES, Element, ElementType
from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl
from models.language.check.findings import case_of
from models.language.check.names import missing_names
from models.language.check.text_spans import quotes
from models.language.phrases import common_words, named_in_task, place, quote
from models.language.template import TemplateWriter

SIZE = Size(1280, 800)


def ungrounded(rationale: Rationale, context: StepContext) -> list[str]:
    """The quoted names that nothing on the screen, in the task or in the action accounts for."""
    case = case_of(rationale, context, after_visible=False)
    return [name.name for _, name, _ in missing_names(case) if name.quoted]


def element(
    uid: str, kind: ElementType, box: tuple[int, int, int, int], text: str | None = None, **more: Any
) -> Element:
    return Element(uid=uid, frame="f", type=kind, box=Rect(*box), text=text, **more)


SCREEN = [
    element("label", "text", (20, 100, 100, 120), "User name"),
    element("field", "input_field", (120, 98, 400, 122)),
    element("agree", "checkbox", (20, 140, 34, 154), states={"checked": False}),
    element("agree_text", "text", (40, 140, 160, 154), "I agree"),
    element("save", "button", (1100, 740, 1200, 770), "Save report"),
    element("cancel", "button", (980, 740, 1080, 770), "Cancel"),
]


def context(
    kind: str, target: str | None = None, *, parameters: Any = None, task: str = "", **more: Any
) -> StepContext:
    by_uid = {e.uid: e for e in SCREEN}
    chosen = by_uid.get(target or "")
    wire: Any = None
    if kind in {"click", "drag", "hover"}:
        wire = {"bbox": to_norm_xywh((chosen.box if chosen else Rect(640, 5, 640, 5)), SIZE)}
    action = parse_action({"action_type": kind, "target": wire, "parameters": parameters or {}})
    values: dict[str, Any] = {"after": None, "changed": None, "size": SIZE, "before": SCREEN, "history": (), **more}
    return StepContext(task=task, action=action, target=chosen, **values)


def write(given_context: StepContext) -> Rationale:
    return TemplateWriter().write(given_context, control=JobControl())


def test_a_named_button_says_why_and_where() -> None:
    done = write(context("click", "save", task="Save the report as PDF"))
    assert done.observation == "The button “Save report” is in the lower right, right of “Cancel”."
    assert done.thought == (
        "I click the button “Save report”, because it is about “Save” and “report”, which the task asks for."
    )
    assert done.provenance.kind == "template"


def test_the_words_of_the_task_are_found_whole() -> None:
    done = write(context("click", "cancel", task="Please cancel the order."))
    assert done.thought == "I click the button “Cancel”, because the task asks for it by name."
    assert "the task names “Save, report”" in write(context("click", "save", task="Save, report!")).thought
    assert named_in_task("3", "Choose item 3") == "3"
    assert named_in_task("3", "Choose item 13") is None
    assert named_in_task("the", "open the file") is None
    assert named_in_task("Log-in", "then log in here") == "log in"
    assert common_words("Export PDF", "export it as pdf") == ["export", "pdf"]


def test_an_empty_field_is_named_by_its_label() -> None:
    done = write(context("click", "field"))
    assert "the input field right of “User name”" in done.thought
    assert done.expected_effect == "The field should get the focus."
    assert done.observation == "The input field right of “User name” is in the upper left."


def test_a_filled_field_is_named_by_its_label_and_told_with_its_content() -> None:
    filled = SCREEN[1].changed(text="anna")
    before = [SCREEN[0], filled, *SCREEN[2:]]
    done = TemplateWriter().write(
        dataclasses.replace(context("click", "field"), target=filled, before=before), control=JobControl()
    )
    assert done.observation.endswith("right of “User name” is in the upper left. It shows “anna”.")
    assert "the input field right of “User name”" in done.thought


def test_a_check_box_is_named_by_the_label_behind_it_and_told_with_its_state() -> None:
    done = write(context("click", "agree"))
    assert done.observation == "The check box left of “I agree” is in the upper left. It is not checked."
    assert done.expected_effect == "It should be marked."


def test_typing_that_the_task_gives() -> None:
    done = write(context("type", "field", parameters={"text_to_type": "anna"}, task="Log in as anna"))
    assert done.thought == (
        "I type “anna” into the input field right of “User name”, because the task gives this text."
    )
    assert done.reasoning.endswith("“anna” should stand there.")


def test_a_click_on_no_element_says_where() -> None:
    assert write(context("click")).thought == "Next I click a spot at the top."


def test_the_effect_names_what_appeared_and_never_goes_into_the_reasoning() -> None:
    after = [*SCREEN, element("new", "text", (30, 300, 200, 330), "Report saved")]
    done = write(context("click", "save", after=after, changed=(Rect(20, 290, 300, 340),)))
    assert done.actual_effect == "The screen changed on the left; “Report saved” appeared there."
    assert "Report saved" not in done.reasoning
    assert write(context("click", "save", after=SCREEN, changed=())).actual_effect == "The screen did not change."
    assert write(context("click", "save")).actual_effect == ""


def test_success_and_failure_end_differently() -> None:
    assert "is done" in write(context("finish_goal", task="Log in")).thought
    assert "cannot" in write(context("finish_goal", task="Log in", parameters={"status": "failure"})).thought


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("press_key", {"key_info": "Enter"}),
        ("press_key", {"key_info": "Ctrl+Shift+F9"}),
        ("scroll", {"scroll_direction": "down", "scroll_steps": 3}),
        ("wait", {"wait_duration_s": 1.5}),
        ("launch", {"app": "Files"}),
        ("extract_data", {"description": "the total", "data": "42"}),
        ("hover", {}),
        ("click", {"click_type": "right", "modifiers": ["ctrl"]}),
    ],
)
def test_every_action_gets_a_whole_sentence(kind: str, parameters: dict[str, Any]) -> None:
    done = write(context(kind, parameters=parameters))
    assert done.thought[0].isupper()
    assert done.thought.endswith(".")
    assert "  " not in done.reasoning
    assert " ." not in done.reasoning


def test_a_cancelled_job_writes_nothing() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        TemplateWriter().write(context("click"), control=JobControl(token=token))


def test_places_on_a_grid_of_nine() -> None:
    assert place(Rect(0, 0, 10, 10), SIZE) == "in the upper left"
    assert place(Rect(600, 390, 680, 410), SIZE) == "in the middle of the screen"
    assert place(Rect(1280, 800, 1280, 800), SIZE) == "in the lower right"
    assert place(Rect(0, 0, 10, 10), None) == ""


def test_the_checker_finds_what_is_not_there() -> None:
    said = Rationale(
        thought="I click “Log out”.", actual_effect="“Cancel” is gone.", provenance=by_program("model", "m")
    )
    assert ungrounded(said, context("click", "save")) == ["Log out", "Cancel"]
    assert ungrounded(said, context("click", "save", task="log  OUT", after=SCREEN)) == []
    rejected = [e.changed(review="rejected") for e in SCREEN]
    named = Rationale(thought="I click “Cancel”.", provenance=by_program("model", "m"))
    assert ungrounded(named, context("click", "save", before=rejected)) == ["Cancel"]


def test_quotes_inside_names_do_not_confuse() -> None:
    assert [one[1] for one in quotes(f"I click {quote('a “b” c')}.")] == ["a 'b' c"]


_TEXTS = (
    st.none() | st.text(max_size=60) | st.sampled_from(["OK", "Save", "“quoted”", "a\nb", " ", "…", "3", "User name:"])
)
_BOXES = st.tuples(st.integers(0, 1200), st.integers(0, 760), st.integers(1, 80), st.integers(1, 40)).map(
    lambda b: Rect(b[0], b[1], b[0] + b[2], b[1] + b[3])
)
_ELEMENTS = st.lists(
    st.builds(
        lambda kind, box, text, review, checked: (kind, box, text, review, checked),
        st.sampled_from(ELEMENT_TYPES),
        _BOXES,
        _TEXTS,
        st.sampled_from(["unreviewed", "approved", "rejected"]),
        st.sampled_from([{}, {"checked": True}, {"focused": False}]),
    ),
    max_size=7,
).map(
    lambda rows: [
        Element(uid=f"el_{i}", frame="f", type=kind, box=box, text=text, review=review, states=states)  # type: ignore[arg-type]
        for i, (kind, box, text, review, states) in enumerate(rows)
    ]
)
_ACTIONS = st.sampled_from(
    ["click", "drag", "hover", "scroll", "press_key", "wait", "launch", "finish_goal"]
) | st.just("type")
_PARAMETERS: dict[str, dict[str, Any]] = {
    "drag": {"end_target": {"bbox": [0.5, 0.5, 0.0, 0.0]}},
    "scroll": {"scroll_direction": "up", "scroll_steps": 1},
    "press_key": {"key_info": "Tab"},
    "wait": {"wait_duration_s": 1},
    "launch": {"app": "“Files” app"},
}


@given(_ACTIONS, _ELEMENTS, _ELEMENTS, st.text(max_size=200), st.text(max_size=80), st.data())
def test_it_never_names_what_is_not_there(
    kind: str, before: list[Element], after: list[Element], task: str, typed: str, data: st.DataObject
) -> None:
    usable = [e for e in before if e.review != "rejected"]
    target = data.draw(st.sampled_from(usable)) if usable else None
    end = data.draw(st.sampled_from(usable)) if usable and kind == "drag" else None
    parameters = {"text_to_type": typed} if kind == "type" else _PARAMETERS.get(kind, {})
    given_context = StepContext(
        task=task,
        window_title=data.draw(st.sampled_from(["", "Mail - “new”"])),
        history=(),
        action=parse_action(
            {
                "action_type": kind,
                "target": {"bbox": [0.1, 0.1, 0.0, 0.0]} if kind in {"click", "drag", "hover"} else None,
                "parameters": parameters,
            }
        ),
        target=target,
        end_target=end,
        before=before,
        after=after,
        changed=data.draw(st.sampled_from([None, (), (Rect(0, 0, 1280, 800),), (Rect(5, 5, 60, 60),)])),
        size=data.draw(st.sampled_from([None, SIZE])),
    )
    done = write(given_context)
    assert ungrounded(done, given_context) == []
    assert done.thought
    assert not any(uid in done.reasoning for uid in ("el_", "element_"))

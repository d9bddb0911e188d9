"""A wrong step that stays as a lesson: the reason of the step after it recovers, and the truth check knows that."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.actions import Action, parse_action
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale
from demopack.domain.verdicts import StepVerdict
from demopack.domain.words import describe_action
from demopack.jobs import JobControl
from demopack.store import Library
from models.language.check.findings import check_rationale
from models.language.prompts import PromptCatalogue
from models.language.step_context import DemoStory
from models.language.step_questions import Question, step_question
from models.language.template import TemplateWriter
from tests.support.demos import sample_demo
from tests.support.truth_steps import practice_steps, sample_steps

_SIZE = Size(800, 600)
_WRONG = StepVerdict(
    correct="no", reflection="It cleared the form.", provenance=by_program("model", "judge", reason="judge")
)


def _element(uid: str, kind: ElementType, x: int, text: str | None) -> Element:
    return Element(uid=uid, frame="f", type=kind, box=Rect(x, 100, x + 80, 130), text=text)


_SAVE, _CLEAR = _element("save", "button", 100, "Save"), _element("clear", "button", 300, "Clear all")
_NAME = _element("name", "input_field", 500, None)


def _action(kind: str, target: Element | None = None, **parameters: Any) -> Action:
    wire = {"bbox": to_norm_xywh(target.box, _SIZE)} if target is not None else None
    return parse_action({"action_type": kind, "target": wire, "parameters": parameters})


def _brief(kind: str, target: Element | None = None, verdict: StepVerdict | None = _WRONG, **given: Any) -> StepBrief:
    return StepBrief(action=_action(kind, target, **given), target=target, verdict=verdict)


def _after(brief: StepBrief, kind: str = "click", target: Element | None = _SAVE, **given: Any) -> StepContext:
    return StepContext(
        task="Save the form", action=_action(kind, target, **given), target=target, before=[_SAVE, _NAME], after=None,
        changed=None, size=_SIZE, earlier=(brief,), history=(describe_action(brief.action, brief.target),),
    )  # fmt: skip


def _write(context: StepContext) -> Rationale:
    return TemplateWriter().write(context, control=JobControl())


def _rules(context: StepContext, thought: str) -> list[str]:
    said = Rationale(thought=thought, provenance=by_program("model", "m"))
    return [one.rule for one in check_rationale(said, context, after_visible=False)]


def test_the_template_recovers_in_one_sentence() -> None:
    thought = _write(_after(_brief("click", _CLEAR))).thought
    assert thought.startswith("In the last step I clicked “Clear all” by mistake, and I set that right now. I click ")


def test_it_says_nothing_where_the_step_before_was_not_wrong() -> None:
    for verdict in (None, _WRONG.model_copy(update={"correct": "unsure"}), StepVerdict(provenance=_WRONG.provenance)):
        assert "mistake" not in _write(_after(_brief("click", _CLEAR, verdict))).thought


@pytest.mark.parametrize(
    ("kind", "target", "given", "words"),
    [
        ("type", _NAME, {"text_to_type": "Anna"}, "typed “Anna” by mistake"),
        ("press_key", None, {"key_info": "Escape"}, "pressed Escape by mistake"),
        ("scroll", None, {"scroll_direction": "down", "scroll_steps": 3}, "scrolled down by mistake"),
        ("drag", _CLEAR, {"end_target": {"bbox": [0.1, 0.1, 0, 0]}}, "dragged “Clear all” by mistake"),
        ("hover", _NAME, {}, "pointed at something else by mistake"),
        ("wait", None, {"wait_duration_s": 1.0}, "waited by mistake"),
        ("launch", None, {"app": "gedit"}, "started “gedit” by mistake"),
    ],
)
def test_every_kind_of_mistake_has_words(kind: str, target: Element | None, given: dict[str, Any], words: str) -> None:
    mistake = _brief(kind, target, **given)
    assert words in _write(_after(mistake)).thought
    for context in (
        _after(mistake),
        _after(mistake, "scroll", None, scroll_direction="up", scroll_steps=1),
        _after(mistake, "type", _NAME, text_to_type="Bob"),
    ):
        assert _rules(context, _write(context).thought) == []


def test_who_ends_or_waits_sets_nothing_right() -> None:
    told = _write(_after(_brief("click", _CLEAR), "finish_goal", None)).thought
    assert told.startswith("In the last step I clicked “Clear all” by mistake. ")


def _pairs(steps: Sequence[StepContext]) -> Iterator[StepContext]:
    for last, step in itertools.pairwise(steps):
        brief = StepBrief(
            action=last.action, target=last.target, end_target=last.end_target, before=last.before, verdict=_WRONG
        )
        yield dataclasses.replace(step, earlier=(brief,))


def test_no_step_of_recorded_demos_raises_a_false_alarm(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        sample_demo(library)
    contexts = [*_pairs(practice_steps()), *_pairs(sample_steps(tmp_path))]
    assert len(contexts) == 25
    for mode in (False, True):
        writer = TemplateWriter(mode="hindsight" if mode else "no_hindsight")
        for context in contexts:
            said = writer.write(context, control=JobControl())
            assert "by mistake" in said.thought
            assert check_rationale(said, context, after_visible=mode) == []


@pytest.mark.parametrize(
    "thought",
    [
        "The last click on “Clear all” was a mistake, so I click the button “Save” instead.",
        "I clicked “Clear all” by mistake, which emptied the form, so now I click the button “Save”.",
        "Instead of “Save” I had clicked “Clear all”, which was wrong. I click the button “Save” now.",
        "My previous step was wrong: the form was cleared. To recover, I click the button “Save”.",
        "After I clicked “Clear all” by accident, everything was gone; I click “Save” to go on.",
    ],
)
def test_a_models_recovery_is_no_false_alarm(thought: str) -> None:
    assert _rules(_after(_brief("click", _CLEAR)), thought) == []


@pytest.mark.parametrize(
    ("thought", "rule"),
    [
        ("The last step was a mistake, so I click the button “Delete”.", "T01"),
        ("I click “Save”, and the form was saved.", "T08"),
        ("The last step was wrong, so I click “Clear all”.", "T06"),
    ],
)
def test_what_is_not_so_is_still_found_after_a_mistake(thought: str, rule: str) -> None:
    assert rule in _rules(_after(_brief("click", _CLEAR)), thought)


def test_the_prompt_tells_of_the_mistake_only_after_one() -> None:
    catalogue = PromptCatalogue()
    questions: tuple[Question, ...] = ("thought", "hindsight")
    for question in questions:
        told = step_question(question, _after(_brief("click", _CLEAR)), catalogue, sees=False)
        assert "It cleared the form." in told.texts[1 + told.headings.index("mistake")]
        silent = step_question(question, _after(_brief("click", _CLEAR, None)), catalogue, sees=False)
        assert "mistake" not in silent.headings
        assert told.prompt.endswith("@3" if question == "hindsight" else "@2")


@pytest.mark.parametrize(
    ("review", "told"), [("unreviewed", True), ("doubtful", True), ("approved", False), ("rejected", False)]
)
def test_a_person_has_the_last_word_about_what_is_a_lesson(tmp_path: Path, review: str, told: bool) -> None:
    with Library.open(tmp_path) as library:
        demo = library.demo(sample_demo(library))
        wrong = demo.steps[1].model_copy(update={"verdict": _WRONG, "review": review})
        steps = (demo.steps[0], wrong, *demo.steps[2:])
        story = DemoStory(library, dataclasses.replace(demo, steps=steps))
        assert (story.context(2).mistake is not None) is told

"""What the program itself says of an action's effect: true by the difference of the screens, and no more than that."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.actions import ActionTarget, ClickAction
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect, Size
from demopack.domain.ports import StepContext
from demopack.jobs import JobControl
from demopack.store import Library
from models.language.check.findings import check_rationale
from models.language.effect_sentences import actual_effect
from models.language.step_context import DemoStory
from models.language.template import TemplateWriter
from tests.support.demos import sample_demo
from tests.support.pictures import swatch

CLICK = ClickAction(target=ActionTarget(bbox=(0.0, 0.0, 0.0, 0.0)))


def element(uid: str, kind: ElementType, y: int, text: str = "", **more: Any) -> Element:
    return Element(uid=uid, frame="f", type=kind, box=Rect(10, y, 110, y + 20), text=text or None, **more)


def effect(before: list[Element], after: list[Element], *changed: Rect, target: int = 0) -> str:
    context = StepContext(
        task="", history=(), action=CLICK, target=before[target], before=before, after=after, size=Size(200, 200),
        changed=changed or (Rect(0, 0, 200, 200),),
    )  # fmt: skip
    return actual_effect(context).removeprefix("Most of the screen changed").strip(" .;")


def test_a_mark_that_came_or_went_is_told() -> None:
    off = element("a", "checkbox", 10, "News", states={"checked": False}, track_id="checkbox_news_0")
    on = off.changed(uid="b", states={"checked": True})
    assert effect([off], [on]) == "The check box “News” is now checked"
    assert effect([on], [off]) == "The check box “News” is no longer checked"
    assert effect([off], [off.changed(states={})]) == "", "that it cannot be seen is no change"


def test_a_value_is_told_once_and_with_what_else_became_of_it() -> None:
    was = [element("l", "dropdown", 10, "Storm", states={"expanded": True})]
    now = [element("m", "dropdown", 10, "Janella", states={"expanded": False})]
    assert effect(was, now) == "“Janella” appeared there. The drop-down list “Janella” is now collapsed"
    label = Element(uid="t", frame="f", type="text", box=Rect(120, 10, 160, 30), text="Name")
    there = element("n", "text", 100, "Janella")
    told = effect([was[0], label, there], [now[0], label], Rect(0, 0, 200, 60))
    assert told.endswith("The drop-down list left of “Name” now shows “Janella” and is now collapsed")
    assert told.count("“Janella”") == 1


def test_the_same_text_read_otherwise_is_no_change() -> None:
    was, now = element("a", "input_field", 10, "Zoë Müllerl"), element("b", "input_field", 10, "Zoë Müller")
    assert effect([was], [now]) == ""
    assert effect([element("a", "input_field", 10)], [now]) == "“Zoë Müller” appeared there"
    scrolled = was.changed(uid="c", box=Rect(10, 90, 110, 110), text="Only if you have an account")
    label = element("l", "text", 65, "Password")
    assert "now shows" not in effect([was.changed(track_id="t")], [label, scrolled.changed(track_id="t")])


def test_what_was_acted_on_comes_first_and_others_are_not_listed_for_ever() -> None:
    rows = [element(f"r{i}", "radio", 10 + 30 * i, f"Choice {i}", states={"checked": i != 3}) for i in range(5)]
    turned = [row.changed(states={"checked": not row.states["checked"]}) for row in rows]
    told = effect(rows, turned, target=3)
    assert told.startswith("The radio button “Choice 3” is now checked. ")
    assert told.count("radio button") == 2


def test_what_lies_where_nothing_changed_is_not_told() -> None:
    off = element("a", "checkbox", 10, "News", states={"checked": False})
    on = element("b", "checkbox", 10, "News", states={"checked": True})
    assert "checked" not in effect([off], [on], Rect(150, 150, 160, 160))


@pytest.fixture
def story(tmp_path: Path) -> Iterator[DemoStory]:
    with Library.open(tmp_path / "library") as library:
        yield DemoStory(library, library.demo(sample_demo(library, draw=swatch)))


@pytest.mark.parametrize("mode", ["no_hindsight", "hindsight"])
def test_the_template_says_only_what_is_so(story: DemoStory, mode: Any) -> None:
    for index in range(len(story.demo.steps)):
        context = story.context(index)
        rationale = TemplateWriter(mode=mode).write(context, control=JobControl())
        story.told(index, rationale)
        assert check_rationale(rationale, context, after_visible=mode == "hindsight") == []


def test_what_the_demonstrator_remarked_may_be_quoted(story: DemoStory) -> None:
    context = story.context(8)
    said = TemplateWriter().write(context, control=JobControl())
    quoted = said.model_copy(update={"thought": f"{said.thought} It is “{context.note}”"})
    assert check_rationale(quoted, context, after_visible=False) == []
    assert check_rationale(quoted, dataclasses.replace(context, note=""), after_visible=False) != []


def test_the_context_tells_what_was_seen_and_is_hidden_now(story: DemoStory) -> None:
    open_list = story.context(3)
    assert {e.text for e in open_list.hidden} == {"Send me the news", "Budget"}
    assert [brief.action.action_type for brief in open_list.earlier] == ["click", "type", "click"]
    assert len(open_list.coming) == 7
    assert open_list.coming[0].target is not None
    assert open_list.coming[0].target in open_list.coming[0].before
    assert open_list.look is not None
    assert open_list.look().shape[:2] == (600, 960)
    assert story.context(8).note == "Not needed, but harmless."

"""A step has its name the moment it is recorded: what its program told, before any search."""

from __future__ import annotations

import pytest

from demopack.domain.actions import TypeAction
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, Step
from demopack.domain.words import describe_step
from tests.support.small_demos import click_step

FRAME = Frame(id="a" * 64, width=640, height=400)


def clicked(role: str, name: str) -> Step:
    told = AccessibleElement(role=role, name=name, box=Rect(0, 0, 9, 9))
    return click_step(0, FRAME, None, Point(5, 5)).but(pointed=told)


@pytest.mark.parametrize(
    ("role", "name", "words"),
    [
        ("push button", "Replace All", "Clicked “Replace All” (button)"),
        ("push button", "multiply", "Clicked “multiply” (button)"),
        ("menu item", "Save As…", "Clicked “Save As…” (menu item)"),
        ("text", "Name", "Clicked “Name” (input field)"),
        ("push button", " ", "Clicked a spot"),
        ("filler", "Page", "Clicked a spot"),
        ("label", "A long story. " * 20, "Clicked a spot"),
    ],
)
def test_a_click_names_what_the_program_told(role: str, name: str, words: str) -> None:
    assert describe_step(clicked(role, name)) == words


def test_typed_text_goes_into_the_field_that_was_told_and_its_value_is_not_said() -> None:
    secret = AccessibleElement(role="password text", name="PIN", secure=True)
    step = clicked("push button", "OK").but(action=TypeAction(text_to_type="<secret:pin>"), focused=secret)
    assert describe_step(step) == "Typed “<secret:pin>” in “PIN” (input field)"


def test_a_field_without_a_name_is_called_by_the_label_beside_it() -> None:
    field = AccessibleElement(role="text", box=Rect(100, 20, 200, 40), states=("editable",))
    label = Element(uid="l", frame=FRAME.id, type="text", box=Rect(10, 20, 90, 40), text="City", source="human")
    click = clicked("filler", "Page").but(pointed=field)
    typing = click.but(action=TypeAction(text_to_type="Oslo"), pointed=None, pointer=None, focused=field)
    said = [describe_step(step, around=around) for step in (click, typing) for around in ([label], [])]
    assert said == [
        "Clicked “City” (input field)", "Clicked the input field", "Typed “Oslo” in “City” (input field)",
        "Typed “Oslo”",
    ]  # fmt: skip


def test_an_element_that_was_found_says_it_better() -> None:
    element = Element(uid="el", frame=FRAME.id, type="tab", box=Rect(0, 0, 9, 9), text="General")
    assert describe_step(clicked("push button", "Other"), element) == "Clicked “General” (tab)"


def test_a_field_is_called_by_its_label_and_not_by_what_stands_in_it() -> None:
    said = Evidence(source="accessibility", type="input_field", text="E-mail")
    field = Element(uid="el", frame=FRAME.id, type="input_field", box=Rect(0, 0, 9, 9), text="a@b.c", evidence=(said,))
    assert describe_step(clicked("text", "E-mail"), field) == "Clicked “E-mail” (input field)"
    assert describe_step(clicked("text", "E-mail"), field.but(evidence=())) == "Clicked “a@b.c” (input field)"
    slider = field.but(type="slider", text=None)
    assert describe_step(clicked("slider", "Size"), slider) == "Clicked “E-mail” (slider)"
    button = field.but(type="button", text="Read otherwise")
    assert describe_step(clicked("push button", "x"), button) == "Clicked “Read otherwise” (button)"

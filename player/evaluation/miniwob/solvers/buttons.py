"""Tasks of clicking: buttons, links, boxes to tick, and things that are recognised by how they look."""

from __future__ import annotations

from typing import Any

from demopack.errors import CaptureError
from player.evaluation.miniwob.pages import TaskBrowser
from player.evaluation.miniwob.solvers.reading import asked, quoted, shifted, submit
from player.scripted_user import PracticeUser


def click_button(page: TaskBrowser, person: PracticeUser) -> None:
    """click-button."""
    person.click(page.one("#area button", text=quoted(page.utterance)[0]).point)


def click_button_sequence(page: TaskBrowser, person: PracticeUser) -> None:
    """click-button-sequence."""
    person.click(page.one("#area button", text="ONE").point)
    person.click(page.one("#area button", text="TWO").point)


def click_named_button(page: TaskBrowser, person: PracticeUser) -> None:
    """click-test-2, click-test-transfer."""
    person.click(page.one("#area button", text=asked(r"Click button (\w+)\.", page)).point)


def click_test(page: TaskBrowser, person: PracticeUser) -> None:
    """click-test."""
    person.click(page.one("#area button").point)


def click_link(page: TaskBrowser, person: PracticeUser) -> None:
    """click-link."""
    person.click(page.one("#area .alink", text=quoted(page.utterance)[0]).point)


def click_dialog(page: TaskBrowser, person: PracticeUser) -> None:
    """click-dialog."""
    person.click(page.one(".ui-dialog button.ui-button").point)


def click_dialog_button(page: TaskBrowser, person: PracticeUser) -> None:
    """click-dialog-2: the x in the title bar, or a button by its text."""
    wanted = quoted(page.utterance)[0]
    if wanted == "x":
        person.click(page.one(".ui-dialog-titlebar button.ui-button").point)
    else:
        person.click(page.one(".ui-dialog-buttonset button", text=wanted).point)


def click_option(page: TaskBrowser, person: PracticeUser) -> None:
    """click-option."""
    person.click(page.one("#boxes label", text=asked(r"Select (.*) and click Submit\.", page)).point)
    submit(page, person)


def click_checkboxes(page: TaskBrowser, person: PracticeUser) -> None:
    """click-checkboxes, -large, -transfer."""
    for name in asked(r"Select (.*) and click Submit\.", page).split(", "):
        if name != "nothing":
            person.click(page.one("#area label", text=name).point)
    submit(page, person)


def click_similar_checkboxes(page: TaskBrowser, person: PracticeUser) -> None:
    """click-checkboxes-soft: which words are similar is what the page itself holds for similar."""
    groups: list[list[str]] = page.ask("return SYNONYMS")
    for name in asked(r"Select words similar to (.*) and click Submit\.", page).split(", "):
        similar = {word for group in groups if name in group for word in group}
        for label in page.find("#boxes label"):
            if label.text in similar:
                person.click(label.point)
    submit(page, person)


def click_widget(page: TaskBrowser, person: PracticeUser) -> None:
    """click-widget."""
    person.click(page.one(f'#area [data-type="{quoted(page.utterance)[0]}"]').point)


def click_unicode_button(page: TaskBrowser, person: PracticeUser) -> None:
    """unicode-test."""
    person.click(page.one("#area button", text=quoted(page.utterance)[0]).point)


def identify_shape(page: TaskBrowser, person: PracticeUser) -> None:
    """identify-shape."""
    shape: dict[str, Any] = page.ask(
        "const e = document.querySelector('#area_svg *'); return {tag: e.tagName, text: e.textContent.trim()}"
    )
    names = {"rect": "Rectangle", "circle": "Circle", "polygon": "Triangle"}
    name = names.get(shape["tag"]) or ("Number" if shape["text"].isdigit() else "Letter")
    person.click(page.one("#area-buttons button", text=name).point)


def click_circle_center(page: TaskBrowser, person: PracticeUser) -> None:
    """circle-center: the page draws its dot a little beside the pointer, so the second click makes up for that.

    The page counts whole pixels and wants the dot half a pixel off, so that no click gets a reward of 1.
    """
    center = page.one("#svg-grid .black-circle").box.center
    person.click(center)
    dot = page.one("#blue-circle").box.center
    person.click(shifted(center, center.x - dot.x, center.y - dot.y))
    submit(page, person)


def find_greatest(page: TaskBrowser, person: PracticeUser) -> None:
    """find-greatest: turn every card over, then the greatest again."""
    cards = page.find("#cardholder .card")
    values: list[int] = []
    for card in cards:
        person.click(card.point)
        values.append(int(page.one("#cardholder .card:not(.hidden)").text))
    person.click(cards[values.index(max(values))].point)
    submit(page, person)


def generate_number(page: TaskBrowser, person: PracticeUser) -> None:
    """generate-number: until the number fits."""
    words = page.utterance
    bound = int(words.split("than ")[1].split(",")[0]) if "than " in words else 0
    for _ in range(60):
        person.click(page.one("#generate").point)
        number = int(page.one("#display-number").text)
        if (
            ("less than" in words and number < bound)
            or ("greater than" in words and number > bound)
            or ("odd" in words and number % 2 == 1)
            or ("even" in words and number % 2 == 0)
        ):
            submit(page, person)
            return
    raise CaptureError("No number fits.")


def odd_or_even(page: TaskBrowser, person: PracticeUser) -> None:
    """odd-or-even."""
    numbers = [int(shown.text) for shown in page.find("#numbers .display-number")]
    for row, number in enumerate(numbers):
        person.click(page.find("#numbers .odd" if number % 2 else "#numbers .even")[row].point)
    submit(page, person)

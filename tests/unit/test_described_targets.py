"""Targets in words: written so that somebody finds them who sees the screen, and found by what they say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from demopack.codecs.described_targets import target_in_words
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.recorded_demo import recorded_step
from demopack.codecs.target_words import target_words
from demopack.codecs.uipath import CODEC, decode
from demopack.domain.actions import ActionTarget, ClickAction, DragAction, LLMResponse
from demopack.domain.elements import ElementType, Evidence, NumberedElement
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.labels import label_of, told_name
from demopack.domain.steps import Pointer, Step
from demopack.domain.words import describe_action
from demopack.errors import ActionError
from tests.support.prompt_demos import figure_9

SIZE = Size(900, 600)


def element(
    number: int,
    kind: ElementType,
    text: str | None,
    box: tuple[int, int, int, int],
    **fields: object,
) -> NumberedElement:
    return NumberedElement.model_validate(
        {
            "number": number,
            "uid": f"e{number}",
            "frame": "f",
            "type": kind,
            "box": Rect(*box),
            "text": text,
            "source": "detector",
            **fields,
        }
    )


SCREEN = [
    element(1, "text", "First name", (40, 40, 140, 60)),
    element(2, "input_field", None, (150, 35, 350, 65)),
    element(3, "text", "E-mail", (40, 90, 140, 110)),
    # OCR took the caret for a letter; the field holds name@example.org.
    element(4, "input_field", "Ihame@example.org", (150, 85, 350, 115)),
    element(5, "button", "Search", (780, 20, 860, 50)),
    element(6, "button", "Login", (680, 20, 760, 50)),
    element(7, "icon", None, (860, 560, 890, 590), subtype="delete"),
    element(8, "icon", None, (10, 560, 40, 590), subtype="delete"),
    element(9, "image", None, (400, 200, 700, 500)),
    element(10, "text", "Thu 28", (500, 5, 560, 25)),
    element(11, "button", "Edit", (40, 300, 100, 330)),
    element(12, "button", "Edit", (760, 300, 820, 330)),
    element(13, "list_item", "response.txt", (40, 400, 200, 420)),
    element(14, "list_item", "responses", (40, 430, 200, 450)),
]
BY_NUMBER = {one.number: one for one in SCREEN}
OBSERVATION = Observation(size=SIZE, elements=SCREEN)


def words(number: int, **more: str) -> str:
    return target_words(BY_NUMBER[number], None, SCREEN, SIZE, **more)


# Writing


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (2, 'the input field beside "First name"'),
        (4, 'the input field beside "E-mail"'),
        (5, 'the button "Search"'),
        (7, "the delete icon in the lower right part of the screen"),
        (9, "the image"),
        (11, 'the button "Edit" in the left part of the screen'),
    ],
)
def test_an_element_is_named_by_what_stays_true_of_it(number: int, said: str) -> None:
    assert words(number) == said
    assert target_in_words(said, OBSERVATION).element_id == number


def test_what_may_be_misread_is_not_repeated() -> None:
    slip = element(1, "button", "Carice1", (0, 0, 80, 30), source="ocr", confidence=0.4)
    assert target_words(slip, None, [slip], SIZE) == "the button"
    assert target_words(slip, None, [slip], SIZE, reported="Caricel") == 'the button "Caricel"'
    sure = slip.model_copy(update={"confidence": 0.9})
    assert target_words(sure, None, [sure], SIZE) == 'the button "Carice1"'
    # What a person approved is what it says, and what is quite another text is of another thing.
    approved = slip.model_copy(update={"review": "approved"})
    assert target_words(approved, None, [approved], SIZE, reported="Form") == 'the button "Carice1"'
    assert target_words(sure, None, [sure], SIZE, reported="Form") == 'the button "Carice1"'
    doubtful = sure.model_copy(update={"review": "doubtful"})
    assert target_words(doubtful, None, [doubtful], SIZE) == "the button"


def test_what_accessibility_saw_wins_over_what_was_read() -> None:
    told = (Evidence(source="accessibility", text="Cancel"), Evidence(source="ocr", text="Cance1", confidence=0.9))
    button = element(1, "button", "Cance1", (0, 0, 80, 30), evidence=told)
    assert target_words(button, None, [button], SIZE) == 'the button "Cancel"'
    read = (Evidence(source="ocr", text="Cance1", confidence=0.3),)
    button = element(1, "button", "Cance1", (0, 0, 80, 30), evidence=read)
    assert target_words(button, None, [button], SIZE) == "the button"


def test_a_text_that_may_be_misread_is_found_by_where_it_is() -> None:
    screen = [element(n, "text", "Nane", (40, 500 * n - 460, 140, 500 * n - 440), confidence=0.2, source="ocr")
              for n in (1, 2)]  # fmt: skip
    assert said(2, *screen) == "the text in the lower left part of the screen"
    assert said(1, screen[0]) == "the text"


def test_a_label_that_may_be_misread_is_none() -> None:
    field = element(1, "input_field", None, (150, 35, 350, 65))
    label = element(2, "text", "Nane", (40, 40, 140, 60), source="ocr", confidence=0.2)
    assert label_of(field, [field, label]) is None


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ((420, 480), "the lower left part of the image"),
        ((550, 350), "the middle of the image"),
        ((660, 350), "the right part of the image"),
        ((820, 60), 'the spot below the button "Search"'),
        ((215, 410), 'the spot right of the list item "response.txt"'),
        ((30, 200), "the spot"),
    ],
)
def test_a_place_without_an_element_is_told_without_numbers(at: tuple[int, int], said: str) -> None:
    found = target_words(None, Point(*at), SCREEN, SIZE)
    assert found.startswith(said)
    assert "x=" not in found
    target = target_in_words(found, OBSERVATION)
    assert target.bbox is not None
    x, y, *size = target.bbox
    assert size == [0, 0]
    assert abs(x * SIZE.width - at[0]) < 130
    assert abs(y * SIZE.height - at[1]) < 130


def test_without_anything_around_it_is_a_part_of_the_screen() -> None:
    for at, said in (((450, 300), "the middle of the screen"), ((10, 10), "the upper left part of the screen")):
        assert target_words(None, Point(*at), [], SIZE) == said
        target = target_in_words(f"Click {said}.", Observation())
        assert target.bbox == ((0.5, 0.5, 0, 0) if at[0] == 450 else (0.166667, 0.166667, 0, 0))
    assert target_words(None, None, SCREEN, SIZE) == "the focused element"
    assert target_words(None, Point(3, 4), [], None) == "the place at x=3, y=4", "nothing else is known"


def test_the_planner_is_told_no_coordinates_of_a_step() -> None:
    to = ActionTarget(bbox=(0.5, 0.6, 0, 0))
    drag = PlacedAction(
        action=DragAction(target=ActionTarget(text="response.txt"), end_target=to),
        at=Point(60, 410),
        to=Point(450, 360),
        way=(Point(60, 410), Point(450, 360)),
        size=SIZE,
        target=BY_NUMBER[13],
        elements=SCREEN,
    )
    (call,) = CODEC.encode(drag).calls
    assert call["description"] == 'Drag the list item "response.txt" to the left part of the image.'
    click = replace(drag, action=ClickAction(target=to), target=None, at=Point(450, 360), to=None, way=())
    assert CODEC.encode(click).calls[0]["description"] == "Click the left part of the image."
    named = replace(click, target=BY_NUMBER[4])
    assert CODEC.encode(named).calls[0]["description"] == 'Click the input field beside "E-mail".'


def said(number: int, *screen: NumberedElement) -> str:
    """How an element of a screen is described; whoever reads it finds that element."""
    words = target_words(screen[number - 1], None, screen, SIZE)
    assert target_in_words(words, Observation(size=SIZE, elements=screen)).element_id == number
    return words


def test_a_field_below_its_label_is_not_beside_it() -> None:
    label, field = element(1, "text", "Name", (40, 40, 90, 56)), element(2, "input_field", "Ada", (40, 62, 400, 92))
    assert said(2, label, field) == 'the input field below "Name"'


def test_a_mark_goes_by_the_text_behind_it() -> None:
    screen = [
        element(1, "radio", None, (40, 40, 54, 54)), element(2, "text", "Morning", (60, 38, 130, 56)),
        element(3, "radio", None, (150, 40, 164, 54)), element(4, "text", "Evening", (170, 38, 230, 56)),
    ]  # fmt: skip
    assert said(1, *screen) == 'the radio beside "Morning"'
    assert said(3, *screen) == 'the radio beside "Evening"'


def test_a_kind_without_subtype_is_not_alone_beside_those_that_have_one() -> None:
    screen = [
        element(1, "icon", None, (10, 10, 30, 30)), element(2, "icon", None, (850, 10, 870, 30), subtype="close"),
        element(3, "icon", None, (10, 560, 30, 580), subtype="share"),
    ]  # fmt: skip
    assert said(1, *screen) == "the icon in the upper left part of the screen"
    assert said(2, *screen) == "the close icon"


def test_fields_that_share_a_label_are_told_apart_by_where_they_are() -> None:
    label = element(1, "text", "Time of arrival at the hotel and of departure", (40, 40, 860, 56))
    screen = [label, *(element(n, "spinner", None, (x, 62, x + 90, 92)) for n, x in ((2, 40), (3, 400), (4, 770)))]
    assert [said(n, *screen).partition(" in ")[2] for n in (2, 3, 4)] == [
        "the upper left part of the screen", "the upper part of the screen", "the upper right part of the screen",
    ]  # fmt: skip


TABLE = [
    one
    for row, name in enumerate(("Ada", "Bob", "Cyd"))
    for one in (
        element(4 * row + 1, "text", name, (40, 60 + 40 * row, 80, 80 + 40 * row)),
        element(4 * row + 2, "text", "Editor", (220, 60 + 40 * row, 280, 80 + 40 * row)),
        element(4 * row + 3, "checkbox", None, (400, 62 + 40 * row, 416, 78 + 40 * row)),
        element(4 * row + 4, "button", "Delete", (480, 58 + 40 * row, 550, 82 + 40 * row)),
    )
]


def test_buttons_of_a_table_go_by_their_row() -> None:
    screen = [*TABLE, element(13, "button", "Delete", (20, 500, 90, 524))]
    assert said(4, *screen) == 'the button "Delete" in the row of "Ada"'
    assert said(12, *screen) == 'the button "Delete" in the row of "Cyd"'
    assert said(3, *screen) == 'the checkbox in the row of "Ada"'
    assert said(6, *screen) == 'the text "Editor" beside "Bob"'
    assert said(13, *screen) == 'the button "Delete" in the lower left part of the screen'


def test_what_has_no_row_of_its_own_goes_by_its_place_in_order() -> None:
    screen = [element(n, "hyperlink", "More", (40, 20 * n, 90, 20 * n + 16)) for n in (1, 2, 3)]
    assert said(2, *screen) == 'the second hyperlink "More" from the top'
    # No words tell these apart: they stand neither in a row nor in a column.
    crooked = [element(n, "button", "Go", box) for n, box in ((1, (40, 20, 80, 40)), (2, (90, 30, 130, 50)),
                                                              (3, (60, 45, 100, 65)))]  # fmt: skip
    assert target_words(crooked[0], None, crooked, SIZE) == 'the button "Go" in the upper left part of the screen'


def test_capitals_tell_buttons_apart() -> None:
    screen = [element(1, "button", "OK", (40, 20, 100, 48)), element(2, "button", "ok", (110, 20, 170, 48))]
    assert said(1, *screen) == 'the button "OK"'
    assert said(2, *screen) == 'the button "ok"'
    assert target_in_words("Click the 'Ok' button.", Observation(size=SIZE, elements=screen[1:])).element_id == 2


def test_an_item_goes_by_the_text_in_it() -> None:
    screen = [
        one
        for n, name in enumerate(("Inbox", "Sent", "Inbox"))
        for one in (
            element(2 * n + 1, "list_item", None, (40, 40 + 60 * n, 440, 90 + 60 * n)),
            element(2 * n + 2, "text", name, (60, 55 + 60 * n, 120, 75 + 60 * n)),
        )
    ]
    assert said(3, *screen) == 'the list item with "Sent"'
    assert said(1, *screen) == 'the first list item with "Inbox" from the top'


def test_a_slider_is_dragged_from_one_part_of_it_to_another() -> None:
    screen = [element(1, "text", "Bass", (40, 230, 100, 250)), element(2, "slider", None, (120, 232, 420, 248))]
    there = ActionTarget(bbox=(0.4, 0.4, 0, 0))
    drag = PlacedAction(
        action=DragAction(target=there, end_target=there), at=Point(195, 240), to=Point(345, 240), size=SIZE,
        target=screen[1], end=screen[1], elements=screen,
    )  # fmt: skip
    (call,) = CODEC.encode(drag).calls
    assert call["description"] == 'Drag the slider beside "Bass" from its left part to its right part.'
    read = decode(call, Observation(size=SIZE, elements=screen)).responses[0].action
    assert isinstance(read, DragAction)
    for target, x in ((read.target, 195), (read.end_target, 345)):
        assert target.bbox is not None
        assert abs(target.bbox[0] * SIZE.width - x) <= 20
        assert abs(target.bbox[1] * SIZE.height - 240) <= 2
    (call,) = CODEC.encode(replace(drag, to=Point(206, 240))).calls
    assert call["description"] == 'Drag the slider beside "Bass" within its left part.'
    upright = element(1, "slider", None, (120, 100, 136, 400))
    tall = replace(drag, target=upright, end=upright, at=Point(128, 110), to=Point(128, 390), elements=[upright])
    (call,) = CODEC.encode(tall).calls
    assert call["description"] == "Drag the slider from its top part to its bottom part."
    read = decode(call, Observation(size=SIZE, elements=[upright])).responses[0].action
    assert isinstance(read, DragAction)
    assert read.target.bbox == pytest.approx((128 / 900, 130 / 600, 0, 0), abs=1e-5)


def test_a_history_says_what_was_chosen_and_where_a_slider_was_dragged() -> None:
    screen = [
        element(1, "radio", None, (40, 40, 54, 54)), element(2, "text", "Morning", (60, 38, 130, 56)),
        element(3, "text", "Bass", (40, 230, 100, 250)), element(4, "slider", "7", (120, 232, 420, 248)),
    ]  # fmt: skip
    assert told_name(screen[0], screen) == "Morning"
    there = ActionTarget(text="7", bbox=(0.2, 0.4, 0, 0))
    action = DragAction(target=there, end_target=ActionTarget(text="7", bbox=(0.4, 0.4, 0, 0)))
    words = describe_action(action, screen[3], screen[3])
    demo = figure_9()
    pointer = Pointer(x=195, y=240, end_x=410, end_y=240)
    frame = Frame(id="f", width=SIZE.width, height=SIZE.height)
    step = Step(id="s", position=0, action=action, before=frame, target_uid="e4", end_uid="e4", pointer=pointer)
    for description, said in (
        (words, "Dragged “Bass” (slider) from its left part to its far right part"),
        ("I made it loud", "I made it loud"),
    ):
        told = recorded_step(
            step, head=demo.head, index=0, response=LLMResponse.of(action), description=description,
            elements=screen, image="f.png",
        )  # fmt: skip
        assert told.description == said


@pytest.mark.parametrize(
    ("at", "said"),
    [
        # Twelve pixels right of a button of which there are four, and above it a name that stands alone.
        ((102, 503), 'the spot right of the fourth button "Delete" from the top'),
        # Nearer to the button than to the name, but a name may be as near.
        ((85, 70), 'the spot right of the text "Ada"'),
        # As much above as beside what is nearest: what is far off leads no nearer.
        ((30, 50), "the upper left part of the screen"),
    ],
)
def test_a_spot_is_told_by_what_is_near_it(at: tuple[int, int], said: str) -> None:
    screen = [*TABLE, element(13, "button", "Delete", (20, 500, 90, 524))]
    words = target_words(None, Point(*at), screen, SIZE)
    assert words == said
    target = target_in_words(words, Observation(size=SIZE, elements=screen))
    assert target.bbox is not None
    assert abs(target.bbox[0] * SIZE.width - at[0]) < 130


@pytest.mark.parametrize(
    ("at", "said"),
    [
        # The pixel after the last: a selection that was drawn to the end of a text ends there.
        ((300, 310), 'the spot right of the text "Total"'),
        ((220, 320), 'the spot below the text "Total"'),
        ((199, 310), 'the spot left of the text "Total"'),
        ((220, 299), 'the spot above the text "Total"'),
        # As far to the right as above: neither word leads there.
        ((340, 260), "the middle of the screen"),
        # On the line of the one text, and nearer to the other, though neither above nor beside it.
        ((400, 350), 'the spot left of the text "0"'),
    ],
)
def test_a_spot_lies_where_its_words_lead(at: tuple[int, int], said: str) -> None:
    screen = [element(1, "text", "Total", (200, 300, 300, 320)), element(2, "text", "0", (520, 340, 530, 360))]
    assert target_words(None, Point(*at), screen, SIZE) == said


def test_a_neighbour_of_which_there_are_two_is_told_from_the_other() -> None:
    screen = [element(n, "text", "shipped", (200, 100 * n, 260, 100 * n + 20)) for n in (1, 2)]
    words = target_words(None, Point(270, 110), screen, SIZE)
    assert words == 'the spot right of the first text "shipped" from the top'
    # Nothing tells three apart that stand in no order.
    screen.append(element(3, "text", "shipped", (290, 110, 350, 130)))
    assert target_words(None, Point(270, 106), screen, SIZE) == "the upper left part of the screen"
    screen.pop()
    screen.append(element(3, "text", "Order 1001", (40, 100, 130, 120)))
    assert target_words(None, Point(170, 110), screen, SIZE) == 'the spot right of the text "Order 1001"'


# Reading: descriptions that stand in the planner's own prompt and registry


@pytest.mark.parametrize(
    ("description", "number"),
    [
        ("Click the first name input box to focus on it.", 2),
        ("Click the 'First Name' input box from the UserInfo section to focus it before typing.", 2),
        ("Click the 'Search' button on the top right corner next to the login button.", 5),
        ("Click on the Calendar icon with the text 'Thu 28'", 10),
        ("the response.txt file", 13),
        ("the responses folder", 14),
        ("Click the text field beside \"E-mail\".", 4),
    ],
)  # fmt: skip
def test_a_description_of_the_planner_finds_its_element(description: str, number: int) -> None:
    assert target_in_words(description, OBSERVATION).element_id == number


def test_a_label_is_found_past_what_stands_between_where_no_other_is() -> None:
    label, between = element(1, "text", "News", (40, 40, 100, 60)), element(2, "icon", None, (120, 40, 140, 60))
    far = element(3, "input_field", None, (200, 40, 300, 60))
    observation = Observation(size=SIZE, elements=[label, between, far])
    assert target_in_words('Click the input field beside "News".', observation).element_id == 3
    near = element(4, "input_field", None, (40, 66, 300, 86))
    observation = Observation(size=SIZE, elements=[label, between, far, near])
    assert target_in_words('Click the input field beside "News".', observation).element_id == 4


@pytest.mark.parametrize("description", ["Click the Edit button.", "Click the profile picture of Ada", "Click on it."])
def test_what_could_be_several_or_none_is_not_guessed(description: str) -> None:
    with pytest.raises(ActionError) as caught:
        target_in_words(description, OBSERVATION)
    assert caught.value.code == "not_grounded"


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("Click the first name input box to focus on it.", "first name"),
        ("Click the 'Next' button.", "Next"),
        ("Double click word app icon to open the application.", "word app"),
        ("Move the mouse to the 'Submit' button.", "Submit"),
        ("the response.txt file", "response.txt"),
        ("Hover over the 'Settings' icon.", "Settings"),
        ("Users table", "Users"),
        ("Click the X icon", "X"),
        ("Click on it", "it"),
    ],
)
def test_without_a_list_the_target_is_what_it_is_called(description: str, text: str) -> None:
    assert target_in_words(description, Observation()) == ActionTarget(text=text)

"""Other values for a demo's variables: what is typed, what is looked for, what of the recording counts no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from demopack.clock import now_ns
from demopack.domain.actions import ActionTarget, ClickAction, FinishGoalAction, TypeAction
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import AccessibleElement, Pointer, Step, WindowInfo
from demopack.domain.trees import TreeNode, TreeReading, WindowTree, tree_bytes, tree_id
from demopack.errors import BadInputError, ModelError, ReplayError
from demopack.jobs import JobControl
from demopack.settings import PlayerSettings
from player.consent import keys_of, values_words
from player.replay import Replay
from player.screen_matcher import ScreenMatcher, ScreenView
from player.step_plan import plan_step
from player.target_strategies import SearchScreen, resolve
from player.value_check import field_holds, holds_value
from player.variables import DOTS, FilledDemo, check_names, fill, find_places, shown_by, variables_of
from recorder.backends.base import ScreenSource
from tests.support.demos import demo_head
from tests.support.fake_performer import FakePerformer

SIZE = Size(320, 200)
FIELD, ROW, OTHER = Rect(20, 20, 160, 40), Rect(20, 60, 120, 76), Rect(20, 80, 120, 96)


def picture(*texts: Rect) -> RgbImage:
    """Noise stands for writing: it looks the same only where it is the same text."""
    image = np.full((SIZE.height, SIZE.width, 3), 240, dtype=np.uint8)
    for box in texts:
        noise = np.random.default_rng(box.x2 * 1000 + box.y1).integers(0, 2, (box.height, box.width, 1))
        image[box.y1 : box.y2, box.x1 : box.x2] = noise * 200
    return image


class Pictures(dict[str, RgbImage]):
    def get_image(self, frame_id: str) -> RgbImage:
        return self[frame_id]

    def keep(self, image: RgbImage) -> Frame:
        key = frame_id(image)
        self[key] = image
        return Frame(id=key, width=SIZE.width, height=SIZE.height)


def element(uid: str, frame: Frame, kind: str, box: Rect, text: str) -> Element:
    return Element.model_validate({
        "uid": uid, "frame": frame.id, "type": kind, "box": box, "text": text, "source": "detector",
    })  # fmt: skip


def typed(number: int, text: str, frames: tuple[Frame, Frame], **fields: Any) -> Step:
    before, after = frames
    return Step(
        id=f"s{number}", position=number, action=TypeAction(text_to_type=text), before=before, after=after, **fields
    )


def demo_of(*steps: Step, task: str = "", elements: tuple[Element, ...] = ()) -> Demo:
    by_frame: dict[str, tuple[Element, ...]] = {}
    for one in elements:
        by_frame[one.frame] = (*by_frame.get(one.frame, ()), one)
    return Demo(head=demo_head("demo_1", task=task), steps=steps, elements=by_frame)


class Customers:
    """A name is typed, the row of that name is clicked, and a second text repeats it."""

    def __init__(self) -> None:
        self.images = Pictures()
        start, named = (
            self.images.keep(picture(ROW, OTHER)),
            self.images.keep(picture(Rect(22, 22, 80, 38), ROW, OTHER)),
        )
        rows = (
            element("ada", named, "list_item", ROW, "Ada Lovelace"),
            element("bo", named, "list_item", OTHER, "Bo Li"),
            element("field", named, "input_field", FIELD, "Ada Lovelace"),
        )
        field = AccessibleElement(role="entry", name="Full name", box=FIELD, states=("editable",), app="crm")
        click = Step(
            id="s2", position=2, action=ClickAction(target=ActionTarget(bbox=to_norm_xywh(ROW, SIZE))),
            target_uid="ada", before=named, after=named, pointer=Pointer(x=30, y=65),
            pointed=AccessibleElement(role="list item", name="Ada Lovelace", box=ROW, app="crm"),
            window=WindowInfo(title="Ada Lovelace - CRM", app="crm"),
        )  # fmt: skip
        self.demo = demo_of(
            typed(1, "Ada Lovelace", (start, named), variable="name", focused=field),
            click,
            typed(3, "Dear Ada Lovelace, hello", (named, named)),
            Step(id="s4", position=4, action=FinishGoalAction(), before=named),
            task="Write to Ada Lovelace",
            elements=rows,
        )

    def fill(self, **values: str) -> FilledDemo:
        return fill(self.demo, values, find_places(self.demo, values, self.images))


@pytest.fixture
def customers() -> Customers:
    return Customers()


def frames() -> tuple[Frame, Frame]:
    images = Pictures()
    return images.keep(picture()), images.keep(picture(Rect(22, 22, 80, 38)))


def test_a_marked_text_is_a_variable_and_one_of_the_task_is_offered() -> None:
    field = AccessibleElement(role="entry", name="Phone:", box=FIELD, app="crm")
    demo = demo_of(
        typed(1, "Ada", frames(), variable="name"),
        typed(2, "555 12", frames(), focused=field),
        typed(3, "7", frames()),
        typed(4, "Oslo", frames()),
        typed(5, "Ada", frames(), variable="name"),
        task="Enter Ada, 555 12 and Oslo, 7 times",
    )
    found = {one.name: (one.value, one.steps, one.marked) for one in variables_of(demo)}
    assert found == {
        "name": ("Ada", (1, 5), True),
        "phone": ("555 12", (2,), False),
        "text1": ("Oslo", (4,), False),
    }


def test_an_offered_variable_is_called_as_the_label_of_its_field() -> None:
    shots = frames()
    first, second, alone = Rect(100, 20, 200, 40), Rect(100, 60, 200, 80), Rect(100, 150, 200, 170)
    fields = [
        AccessibleElement(role="text", name="", box=box, states=("editable",)) for box in (first, second, second, alone)
    ]
    labels = (
        element("a", shots[0], "text", Rect(20, 22, 80, 38), "Full name:"),
        element("b", shots[0], "text", Rect(20, 62, 80, 78), "City"),
        element("c", shots[0], "input_field", first, "Ada"),
    )
    steps = [
        typed(number, text, shots, focused=field)
        for number, (text, field) in enumerate(zip(("Ada", "Oslo", "Rome", "555"), fields, strict=True), start=1)
    ]
    demo = demo_of(*steps, task="Ada moves from Oslo to Rome, phone 555", elements=labels)
    assert [(one.name, one.value) for one in variables_of(demo)] == [
        ("full_name", "Ada"), ("city", "Oslo"), ("city1", "Rome"), ("text1", "555"),
    ]  # fmt: skip
    marked = replace(demo, steps=(steps[0].model_copy(update={"variable": "city"}), *steps[1:]))
    assert [one.name for one in variables_of(marked)] == ["city", "city1", "city2", "text1"], "a person's name stays"


def test_a_label_that_a_program_reports_names_the_field_as_well() -> None:
    shots = frames()
    box = Rect(100, 20, 200, 40)
    nodes = (
        TreeNode(role="frame", name="Order", box=Rect(0, 0, 320, 200)),
        TreeNode(parent=0, role="label", name="Delivery day", box=Rect(20, 22, 80, 38), states=("showing", "visible")),
        TreeNode(parent=0, role="text", box=box, states=("editable", "showing", "visible")),
    )
    tree = WindowTree(app="shop", title="Order", box=Rect(0, 0, 320, 200), nodes=nodes)
    reading = TreeReading(tree=tree_id(tree_bytes(tree)), started_ns=1, ended_ns=2, proved=True)
    field = AccessibleElement(role="text", name="", box=box, states=("editable",))
    step = typed(1, "Monday", shots, focused=field, trees=(reading,))
    demo = replace(demo_of(step, task="Order for Monday"), trees={reading.tree: tree})
    assert [one.name for one in variables_of(demo)] == ["delivery_day"]


def test_a_field_that_only_the_pixels_know_is_the_one_that_was_clicked() -> None:
    shots = frames()
    parts = (
        element("a", shots[0], "text", Rect(20, 22, 80, 38), "Nick name"),
        element("b", shots[0], "input_field", Rect(100, 20, 200, 40), ""),
    )
    click = Step(
        id="s1", position=1, action=ClickAction(target=ActionTarget(text="x")), target_uid="b", before=shots[0],
        after=shots[0], pointer=Pointer(x=150, y=30),
    )  # fmt: skip
    demo = demo_of(click, typed(2, "Ada", shots), task="Call me Ada", elements=parts)
    assert [one.name for one in variables_of(demo)] == ["nick_name"]


def test_a_part_of_a_word_of_the_task_is_no_variable() -> None:
    assert variables_of(demo_of(typed(1, "art", frames()), task="Start the program")) == []


def test_a_name_that_is_none_names_those_there_are(customers: Customers) -> None:
    with pytest.raises(BadInputError, match=r"no variable nmae\. It has: name \(step 1: “Ada Lovelace”\)"):
        check_names(customers.demo, ["nmae"])
    with pytest.raises(BadInputError, match="It has none") as error:
        check_names(demo_of(typed(1, "x", frames())), ["name"])
    assert "F10" in error.value.hint


def test_the_value_is_typed_and_stands_wherever_the_demo_carries_it(customers: Customers) -> None:
    demo = customers.fill(name="Bo Li").demo
    assert [step.action.typed_text for step in demo.steps] == ["Bo Li", None, "Dear Bo Li, hello", None]
    assert demo.head.task == "Write to Bo Li"
    click = demo.steps[1]
    assert click.pointed is not None
    assert click.window is not None
    assert (click.pointed.name, click.window.title) == ("Bo Li", "Bo Li - CRM")
    assert click.before is not None
    assert [one.text for one in demo.elements[click.before.id]] == ["Bo Li", "Bo Li", "Bo Li"]
    assert customers.demo.steps[0].action.typed_text == "Ada Lovelace"  # the recording stays as it is


def test_the_recorded_value_changes_nothing(customers: Customers) -> None:
    filled = customers.fill(name="Ada Lovelace")
    assert filled.demo == customers.demo
    assert (filled.renewed, dict(filled.shown)) == (frozenset(), {})


def test_a_short_value_is_no_part_of_other_texts() -> None:
    first, second = frames()
    on_it = element("e", first, "button", ROW, "Room 2")
    click = Step(id="s2", position=2, action=ClickAction(target=ActionTarget(text="Room 2")), before=first)
    demo = demo_of(typed(1, "2", (first, second), variable="count"), click, elements=(on_it,))
    filled = fill(demo, {"count": "3"}, {})
    assert filled.demo.steps[1].action.target == ActionTarget(text="Room 2")
    assert not filled.renewed


def test_a_marked_text_that_holds_the_value_of_another_keeps_its_own() -> None:
    demo = demo_of(
        typed(1, "ada", frames(), variable="login"), typed(2, "ada@crm.org", frames(), variable="mail"), task=""
    )
    filled = fill(demo, {"login": "bo"}, {})
    assert [step.action.typed_text for step in filled.demo.steps] == ["bo", "ada@crm.org"]


def test_a_target_that_could_be_either_of_two_variables_is_refused() -> None:
    first, second = frames()
    click = Step(id="s3", position=3, action=ClickAction(target=ActionTarget(text="Oslo")), before=second)
    demo = demo_of(
        typed(1, "Oslo", (first, second), variable="home"), typed(2, "Oslo", (first, second), variable="work"), click
    )
    assert fill(demo, {"home": "Bergen", "work": "Bergen"}, {}).demo.steps[2].action.target == ActionTarget(
        text="Bergen"
    )
    with pytest.raises(BadInputError, match="Step 3 is done to “Oslo”"):
        fill(demo, {"home": "Bergen"}, {})


# What lies in the row of a value --------------------------------------------------------------------------------------

BIN = Rect(200, 60, 216, 76)


def bin_looked_for(
    customers: Customers, *fresh: tuple[str, Rect, str], looks: dict[int, float], known: bool = True, **values: str
) -> Rect:
    """Where a click on a bin in the recorded row goes; ``looks``: how much that looks so, by the y of its middle."""
    typing, click = customers.demo.steps[:2]
    assert click.before is not None
    changes = {
        "target_uid": "bin" if known else None,
        "pointer": Pointer(x=208, y=68),
        "pointed": None,
        "action": ClickAction(target=ActionTarget(bbox=to_norm_xywh(BIN, SIZE))),
    }
    elements = (*customers.demo.elements[click.before.id], element("bin", click.before, "icon", BIN, ""))
    demo = demo_of(typing, click.model_copy(update=changes), elements=elements)
    filled = fill(demo, values, find_places(demo, values, customers.images))
    plan = plan_step(filled.demo.steps[1], filled.demo).renewed(filled.renewed, filled.beside)
    assert plan.is_renewed
    assert plan.aim is not None
    assert plan.before is not None
    shown = [element(f"n{n}", plan.before, *one) for n, one in enumerate(fresh)]
    screen = SearchScreen(
        size=SIZE, fresh=shown, expect=lambda box: box, alike=lambda _box, at: looks.get(at.y, 0.0)
    )  # fmt: skip
    return resolve(plan.aim, screen).box


@pytest.mark.parametrize("known", [True, False])
def test_the_bin_in_the_row_of_the_value_is_found_by_its_look(customers: Customers, known: bool) -> None:
    rows = (("list_item", ROW, "Ada Lovelace"), ("list_item", OTHER, "Bo Li"))
    down = OTHER.center.y - ROW.center.y
    looks = {BIN.center.y: 1.0, BIN.center.y + down: 1.0}
    assert bin_looked_for(customers, *rows, looks=looks, known=known, name="Bo Li") == BIN.moved(0, down)


def test_the_bin_in_the_row_of_the_value_is_found_as_an_element(customers: Customers) -> None:
    there = BIN.moved(1, OTHER.center.y - ROW.center.y + 2)
    rows = (("list_item", OTHER, "Bo Li"), ("icon", BIN, ""), ("icon", there, ""))
    assert bin_looked_for(customers, *rows, looks={}, name="Bo Li") == there


@pytest.mark.parametrize("name", ["Bo Li", "Ada Lovelace"])
def test_the_bin_of_another_row_is_not_taken_for_it(customers: Customers, name: str) -> None:
    rows = (("list_item", ROW, "Cy Ng"), ("icon", BIN, ""), ("input_field", FIELD, name))
    with pytest.raises(ReplayError, match=f"the target beside “{name}” was not found; nothing was clicked"):
        bin_looked_for(customers, *rows, looks={BIN.center.y: 1.0}, name=name)


# Where a target is looked for -----------------------------------------------------------------------------------------


def looked_for(customers: Customers, *rows: tuple[str, Rect, str], looks_as_recorded: float = 1.0) -> Rect:
    """Where the click of step 2 goes with ``Bo Li`` on a screen of these elements."""
    filled = customers.fill(name="Bo Li")
    plan = plan_step(filled.demo.steps[1], filled.demo).renewed(filled.renewed)
    assert plan.is_renewed
    assert plan.aim is not None
    assert plan.before is not None
    fresh = [element(f"n{n}", plan.before, *row) for n, row in enumerate(rows)]
    fresh = [one.but(track_id=None if plan.aim.target.track_id is None else "t") for one in fresh]
    screen = SearchScreen(
        size=SIZE, fresh=fresh, expect=lambda box: box, alike=lambda _box, _at: looks_as_recorded
    )  # fmt: skip
    return resolve(plan.aim, screen).box


def test_the_row_of_the_new_value_is_found_wherever_it_is(customers: Customers) -> None:
    rows = (("list_item", ROW, "Ada Lovelace"), ("list_item", OTHER, "Bo Li"), ("input_field", FIELD, "Bo Li"))
    assert looked_for(customers, *rows) == OTHER


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([("list_item", ROW, "Ada Lovelace")], id="the recorded row at the recorded place"),
        pytest.param([("list_item", ROW, "Bo Lie")], id="a name that is alike"),
        pytest.param([("list_item", ROW, "Bo Li"), ("list_item", OTHER, "Bo Li")], id="two of the name"),
        pytest.param([("input_field", FIELD, "Bo Li")], id="the field that it was typed into"),
        pytest.param([("input_field", FIELD, ""), ("text", Rect(24, 24, 60, 36), "Bo Li")], id="what stands in it"),
    ],
)
def test_another_row_is_not_taken_for_it(customers: Customers, rows: list[tuple[str, Rect, str]]) -> None:
    with pytest.raises(ReplayError, match="“Bo Li” was not found; nothing was clicked"):
        looked_for(customers, *rows)


def test_a_target_known_by_its_report_alone_is_looked_for_by_the_new_text(customers: Customers) -> None:
    bare = customers.demo.steps[1].model_copy(update={"target_uid": None})
    demo = demo_of(customers.demo.steps[0], bare)
    filled = fill(demo, {"name": "Bo Li"}, {})
    assert filled.renewed == {("s2", "target")}
    target = filled.demo.steps[1].action.target
    assert target is not None
    assert target.text == "Bo Li"


def test_a_bare_point_on_a_place_that_shows_the_old_value_is_not_trusted(customers: Customers) -> None:
    # Neither an element nor a report of this step names the row; the same pixels on another frame are known to.
    typing, click = customers.demo.steps[:2]
    other = customers.images.keep(picture(ROW, OTHER, Rect(200, 150, 300, 190)))
    web = AccessibleElement(role="document web", name="Customers", box=Rect(0, 0, 200, 150), app="crm")
    bare = click.model_copy(update={"target_uid": None, "before": other, "pointed": web})
    demo = replace(customers.demo, steps=(typing, bare))
    filled = fill(demo, {"name": "Bo Li"}, find_places(demo, ["name"], customers.images))
    assert filled.renewed == {("s2", "target")}
    target = filled.demo.steps[1].action.target
    assert target is not None
    assert target.text == "Bo Li"


def test_a_click_into_the_field_that_holds_the_value_goes_there(customers: Customers) -> None:
    typing, click = customers.demo.steps[:2]
    into = click.model_copy(update={"target_uid": None, "pointed": None, "pointer": Pointer(x=30, y=30)})
    demo = replace(customers.demo, steps=(typing, into))
    assert not fill(demo, {"name": "Bo Li"}, find_places(demo, ["name"], customers.images)).renewed


# What of the pictures counts ------------------------------------------------------------------------------------------


def test_places_that_show_the_old_value_count_no_more(customers: Customers) -> None:
    filled = customers.fill(name="Bo Li")
    start, named = filled.demo.steps[0].before, filled.demo.steps[0].after
    assert start is not None
    assert named is not None
    assert any(box.encloses(FIELD) for box in named.covered)
    assert any(box.encloses(ROW) for box in named.covered)
    assert any(box.encloses(ROW) for box in start.covered)  # no element is known there, but the pixels are the same
    assert not any(box.intersection(OTHER) == OTHER for box in named.covered)


def test_a_longer_value_has_more_room(customers: Customers) -> None:
    box = next(one.box for one in customers.fill(name="Bo").shown.values().__iter__().__next__() if one.old)
    wide = customers.fill(name="Bartholomew Lindqvist-Hohenfels").shown
    assert max(one.box.width for at in wide.values() for one in at) > box.width


def test_a_step_brings_the_value_into_its_field_but_not_into_the_list(customers: Customers) -> None:
    filled = customers.fill(name="Bo Li")
    step = filled.demo.steps[0]
    brought = shown_by(step, filled, [Rect(22, 22, 80, 38), ROW])
    assert [one.new for one in brought] == ["Bo Li"]
    assert brought[0].box.encloses(FIELD)


def test_values_are_known_however_a_program_divides_them() -> None:
    assert holds_value("Total: 1,234.50", "1234.50")
    assert not holds_value("Total: 1,234.50", "1234.60")
    assert holds_value("a — b", "—")


# Secrets --------------------------------------------------------------------------------------------------------------


def secret_demo(text: str = "<secret:password>", **fields: Any) -> Demo:
    return demo_of(typed(1, text, frames(), **fields))


def test_a_hidden_text_is_a_secret_variable_without_a_value() -> None:
    (found,) = variables_of(secret_demo())
    assert (found.name, found.value, found.secret) == ("password", None, True)
    assert [one.name for one in variables_of(secret_demo(variable="pin"))] == ["pin"]
    (mail,) = variables_of(secret_demo("<email:1>"))
    assert (mail.name, mail.value, mail.secret) == ("email_1", None, False)


def test_the_placeholder_is_never_typed() -> None:
    with pytest.raises(BadInputError, match="does not have the value of password"):
        fill(secret_demo("<secret:password>"), {}, {})


def test_a_secret_stands_nowhere_but_where_it_is_typed_from() -> None:
    secret = "Tr0ub4dor&3"
    filled = fill(secret_demo("ada <secret:password>"), {"password": secret}, {})
    assert dict(filled.secrets) == {"s1": f"ada {secret}"}
    assert filled.demo.steps[0].action.typed_text == f"ada {DOTS}"
    assert secret not in repr(filled)
    assert secret not in " ".join(one.words for one in keys_of(filled.demo))
    assert DOTS in keys_of(filled.demo)[0].words


def test_consent_shows_values_with_their_signs() -> None:
    assert values_words({"name": "Bo Li", "note": "rm -rf ~\n"}) == "name “Bo Li”, note “rm -rf ~⏎”"


def test_a_part_of_a_point_target_keeps_its_place(customers: Customers) -> None:
    filled = customers.fill(name="Bo Li")
    plan = plan_step(filled.demo.steps[1], filled.demo).renewed(filled.renewed)
    assert plan.aim is not None
    assert plan.aim.point == Point(30, 65)


# What is said of a step whose value is another one --------------------------------------------------------------------


class Screen(ScreenSource):
    """Shows one picture, and another one as soon as a key was pressed."""

    def __init__(self, before: RgbImage, after: RgbImage) -> None:
        self.image = before
        self._after = after

    def typed(self, _count: int) -> None:
        self.image = self._after

    def grab(self) -> Screenshot:
        return Screenshot(image=self.image, started_ns=now_ns(), ended_ns=now_ns())

    def close(self) -> None:
        return


class Reader:
    """Reads what it is told, or cannot read."""

    name = "reader"

    def __init__(self, text: str | None) -> None:
        self._text = text

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:  # noqa: ARG002 - the port's form
        if self._text is None:
            raise ModelError("The model is missing.")
        return [element("read", frame, "input_field", FIELD, self._text)]


NEW, FAR = Rect(22, 22, 60, 38), Rect(180, 20, 310, 190)


@pytest.mark.parametrize(
    ("shown", "read", "said"),
    [
        pytest.param((NEW, ROW, OTHER), None, None, id="nobody can read it"),
        pytest.param((NEW, ROW, OTHER), "Bo Li", True, id="the new value is read"),
        pytest.param((NEW, ROW, OTHER), "Cy Ng", False, id="something else is read"),
        pytest.param((ROW, OTHER), None, False, id="nothing has been typed"),
        pytest.param((NEW, ROW, OTHER, FAR), None, False, id="much else has changed"),
    ],
)
def test_a_step_is_judged_by_its_new_value(
    customers: Customers, shown: tuple[Rect, ...], read: str | None, *, said: bool | None
) -> None:
    demo = replace(customers.demo, steps=(customers.demo.steps[0], customers.demo.steps[3]))
    filled = fill(demo, {"name": "Bo Li"}, find_places(demo, ["name"], customers.images))
    screen, performer = Screen(picture(ROW, OTHER), picture(*shown)), FakePerformer()
    performer.before = screen.typed
    settings = PlayerSettings(pause_s=0, typing_interval_ms=0, settle_timeout_s=0.1)
    report = Replay(
        filled.demo, customers.images, finder=Reader(read), screen=screen, performer=performer, settings=settings,
        unchecked_keys=True, filled=filled,
    ).run()  # fmt: skip
    assert report.steps[0].performed, report
    assert report.steps[0].matched_after is said


def test_where_the_old_value_stands_after_a_step_nothing_more_is_done(
    customers: Customers, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = customers.fill(name="Bo Li")
    screen, performer = Screen(picture(ROW, OTHER), picture(NEW, ROW, OTHER)), FakePerformer()
    performer.before = screen.typed

    def told(_matcher: ScreenMatcher, _view: ScreenView) -> list[tuple[str, Rect]]:
        return [("Ada Lovelace", FIELD)]

    monkeypatch.setattr(ScreenMatcher, "find_reported_texts", told)
    settings = PlayerSettings(pause_s=0, typing_interval_ms=0, settle_timeout_s=0.1)
    report = Replay(
        filled.demo, customers.images, finder=Reader(None), screen=screen, performer=performer, settings=settings,
        unchecked_keys=True, filled=filled,
    ).run()  # fmt: skip
    assert report.stopped == "After this step the screen shows another value than “Bo Li”."
    assert len(report.steps) == 1


def test_a_secret_is_typed_and_reported_nowhere() -> None:
    images = Pictures()
    shots = images.keep(picture(ROW)), images.keep(picture(ROW, Rect(22, 22, 80, 38)))
    demo = demo_of(typed(1, "<secret:password>", shots))
    filled = fill(demo, {"password": "Tr0ub4dor"}, find_places(demo, ["password"], images))
    screen, performer = Screen(picture(ROW), picture(ROW, NEW)), FakePerformer()
    performer.before = screen.typed
    settings = PlayerSettings(pause_s=0, typing_interval_ms=0, settle_timeout_s=0.1)
    told: list[str] = []
    control = JobControl(report=lambda progress: told.append(progress.text))
    report = Replay(
        filled.demo, images, finder=Reader("Tr0ub4dor"), screen=screen, performer=performer, settings=settings,
        unchecked_keys=True, filled=filled,
    ).run(on_step=lambda step: told.append(str(step)), control=control)  # fmt: skip
    assert "".join(performer.done).replace("'", "") == "Tr0ub4dor"
    assert "Tr0ub4dor" not in str(report.to_json()) + "".join(told)
    assert report.steps[0].matched_after is not False  # another number of dots is no difference


def test_another_text_that_is_treated_as_a_secret_is_shown_nowhere(customers: Customers) -> None:
    secret = "Zaphod Beeblebrox"
    demo, images = customers.demo, customers.images
    filled = fill(demo, {"name": secret}, find_places(demo, ["name"], images), secret={"name"})
    assert [step.action.typed_text for step in filled.demo.steps] == [DOTS, None, f"Dear {DOTS}, hello", None]
    assert dict(filled.secrets) == {"s1": secret, "s3": f"Dear {secret}, hello"}
    assert filled.demo.head.task == f"Write to {DOTS}"
    assert filled.hidden == {secret}
    (elements,) = filled.demo.elements.values()
    assert {one.text for one in elements} == {secret, "Bo Li"}, "it is still done to the row of that name"
    assert all(not one.new for places in filled.shown.values() for one in places), "nobody looks for it on the screen"
    report = Replay(
        filled.demo, images, finder=Reader(None), screen=None, performer=None, settings=PlayerSettings(), filled=filled,
    ).run(dry_run=True)  # fmt: skip
    assert secret not in str(report.to_json())
    assert DOTS in report.steps[1].action


def test_a_dry_run_looks_for_the_recorded_text_on_the_recorded_picture(customers: Customers) -> None:
    filled = customers.fill(name="Bo Li")  # which another row of the recorded list reads
    report = Replay(
        filled.demo, customers.images, finder=Reader(None), screen=None, performer=None, settings=PlayerSettings(),
        filled=filled,
    ).run(dry_run=True)  # fmt: skip
    assert [step.error for step in report.steps] == ["", "", "", ""]
    assert report.steps[1].action == "Clicked “Bo Li” (list item)"


@pytest.mark.parametrize(
    ("value", "words"),
    [(" ", "Step 2 is done to “Ada Lovelace”"), ("B\x07o", "holds a character that no key produces")],
)
def test_a_value_that_cannot_be_done_is_refused_before_anything_is(
    customers: Customers, value: str, words: str
) -> None:
    with pytest.raises(BadInputError, match=words):
        customers.fill(name=value)


@pytest.mark.parametrize("value", ["Bo\nLi", "Bo\tLi"])
def test_a_value_that_would_leave_its_field_half_typed_is_refused(customers: Customers, value: str) -> None:
    with pytest.raises(BadInputError, match="with which the field of step 1 would be left before all of it"):
        customers.fill(name=value)
    first = customers.demo.steps[0]
    assert first.focused is not None
    for focused in (first.focused.but(states=("editable", "multi line")), None):
        steps = (first.but(focused=focused), *customers.demo.steps[1:])
        filled = fill(replace(customers.demo, steps=steps), {"name": value}, {})
        assert filled.demo.steps[0].action.typed_text == value


def test_a_field_of_one_line_does_not_hold_two() -> None:
    assert field_holds("Line1\nLine2", "Line1\nLine2")
    assert not field_holds("Line1Line2", "Line1\nLine2")
    assert field_holds("1,234", "1234")
    assert field_holds("Ada", "Ada\n")

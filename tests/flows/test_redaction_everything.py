"""Redaction looks at every text of a demo, whatever its field is called and however deep it lies."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner
from pydantic import BaseModel, ValidationError

from demopack.domain.actions import (
    ACTION_MODELS,
    ActionBase,
    ActionTarget,
    ExtractDataAction,
    FinishGoalAction,
    parse_action,
)
from demopack.domain.demos import Demo, DemoHead, Origin
from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, Monitor
from demopack.domain.geometry import Rect
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import AccessibleElement, Step, WindowInfo
from demopack.domain.verdicts import DemoVerdict, StepVerdict, SubScore
from demopack.errors import DemopackError
from demopack.pack import export_pack
from demopack.pack.check.pack_check import report_on
from demopack.redaction.apply import redact
from demopack.redaction.record_fields import leaves, mapped
from demopack.redaction.scan import decided, scan_demo
from demopack.store import Library
from demopack_cli.main import main
from tests.support.demos import CREATED_AT, demo_head
from tests.support.pictures import noise_image
from tests.support.private_values import CARDS, IBANS

DEMO = "demo_5eed0fa11e"
IDS = frozenset({
    "id", "uid", "frame", "track_id", "parent", "target_uid", "end_uid", "alternatives", "take_of", "take_after",
    "basis", "key_info", "redaction",
})  # fmt: skip
"""What links records, and names of keys; here by hand, so that the code's own list has something to be held against."""
NAMES = sorted({
    name
    for model in (DemoHead, Step, Element, Frame, ActionBase, ActionTarget, AccessibleElement, Rationale, Provenance)
    for name in model.model_fields
} | {name for model in ACTION_MODELS.values() for name in model.parameter_names()} | {"parameters"})  # fmt: skip

_WHO = Provenance(kind="human", name="Ada", at=CREATED_AT, reason="why")


def whole_demo(library: Library) -> Demo:
    """A demo in which every field that may be text is filled."""
    images = [noise_image(64, 48, seed=seed) for seed in range(2)]
    before, after = (
        Frame(id=library.put_image(image), width=64, height=48, monitors=(Monitor(name="m", box=Rect(0, 0, 64, 48)),))
        for image in images
    )
    told = AccessibleElement(role="r", name="n", value="v", states=("s",), app="a", box=Rect(1, 1, 9, 9))
    target = ActionTarget(text="t", bbox=(0, 0, 0.5, 0.5))
    why = Rationale(
        observation="o", thought="t", expected_effect="e", actual_effect="a", plan=("p",), hindsight="h", text="x",
        provenance=_WHO,
    )  # fmt: skip
    actions: list[tuple[str, ActionTarget | None, dict[str, Any]]] = [
        ("click", target, {}),
        ("type", target, {"text_to_type": "hello"}),
        ("drag", target, {"end_target": target.to_wire()}),
        ("launch", None, {"app": "gedit"}),
        ("extract_data", None, {"description": "d", "data": "x"}),
        ("extract_data", None, {"description": "d", "data": dict.fromkeys(NAMES, "x")}),
        ("extract_data", None, {"description": "d", "data": [{"a": [{name: ["x"] for name in NAMES}]}]}),
        ("finish_goal", None, {}),
    ]
    steps = tuple(
        Step(
            id=f"step_{number}", position=number, before=before, after=after, note="n", variable="v", clipboard="c",
            action=parse_action({"action_type": kind, "target": aim, "parameters": parameters}),
            window=WindowInfo(title="t", app="a"), focused=told, pointed=told, rationale=why,
            events=(InputEvent(t_ns=1, kind="key_down", key="a", char="a"),),
            verdict=StepVerdict(reflection="r", provenance=_WHO),
        )
        for number, (kind, aim, parameters) in enumerate(actions)
    )  # fmt: skip
    verdict = DemoVerdict(
        reason="r", sub_scores=(SubScore(name="n", met="yes"),), complete="yes", quality="good", alignment=1,
        efficiency=1, difficulty=1, actual_task="t", provenance=_WHO,
    )  # fmt: skip
    origin = Origin(format="ufo", said={"a": {"b": ["x"]}}, steps={"step_1": ({"c": "x"},)})
    head = demo_head(DEMO, final_frame=after, outcome_reason="r", missing="m", verdict=verdict, origin=origin)
    icon = Element(uid="el_1", frame=before.id, type="icon", box=Rect(2, 2, 9, 9), subtype="s", track_id="icon_s_0")
    field = Element(uid="el_2", frame=before.id, type="input_field", box=Rect(12, 2, 60, 9), text="t")
    return Demo(head=head, steps=steps, elements={before.id: (icon, field)}, parsed=frozenset({before.id, after.id}))


class Planter:
    """Puts an address of its own wherever the record's own checks let one stand.

    Attributes:
        planted: each address with the place it was put at.
    """

    def __init__(self) -> None:
        self.planted: dict[str, str] = {}
        self._number = itertools.count()

    def plant(self, model: type[BaseModel], data: dict[str, Any]) -> Any:
        for path, put in list(_texts(data, ())):
            names = [str(part) for part in path if isinstance(part, str)]
            if not IDS.isdisjoint(names) and "data" not in names:
                continue
            address = f"p{next(self._number)}@example.com"
            old = put(address)
            try:
                model.model_validate(data)
            except (ValidationError, DemopackError):
                put(old)  # a word of the format
            else:
                self.planted[address] = f"{model.__name__}.{'.'.join(names)}"
        return model.model_validate(data)


def _texts(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Callable[[str], str]]]:
    if isinstance(value, dict):
        held: Any = cast("dict[str, Any]", value)
        pairs: list[tuple[str | int, Any]] = list(held.items())
    else:
        held = cast("list[Any]", value) if isinstance(value, list) else []
        pairs = [(place, held[place]) for place in range(len(held))]
    for key, item in pairs:
        if isinstance(item, str):

            def put(text: str, key: str | int = key) -> str:
                old: str = held[key]
                held[key] = text
                return old

            yield (*path, key), put
        else:
            yield from _texts(item, (*path, key))


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[tuple[Library, dict[str, str]]]:
    with Library.open(tmp_path / "library") as library:
        demo = whole_demo(library)
        planter = Planter()
        full = Demo(
            head=planter.plant(DemoHead, demo.head.to_json()),
            steps=tuple(planter.plant(Step, step.to_json()) for step in demo.steps),
            elements={
                key: tuple(planter.plant(Element, one.to_json()) for one in found)
                for key, found in demo.elements.items()
            },
            parsed=demo.parsed,
        )
        library.add_demo(full)
        yield library, planter.planted


def test_every_text_is_found(planted: tuple[Library, dict[str, str]]) -> None:
    library, places = planted
    found = {one.value for one in scan_demo(library.demo(DEMO)) if one.kind == "email"}
    assert len(places) > 200
    assert {place for address, place in places.items() if address not in found} == set()
    assert {place.split(".")[0] for place in places.values()} == {"DemoHead", "Step", "Element"}
    for place in (
        "Step.focused.role", "Step.pointed.states", "Element.subtype", "DemoHead.platform", "DemoHead.licence",
        "Step.rationale.provenance.name", "Step.before.monitors.name", "Step.variable", "Step.note", "Step.window.app",
        *(f"Step.action.parameters.data.{name}" for name in ("id", "source", "status", "role", "type", "mode")),
    ):  # fmt: skip
        assert place in places.values(), place


def test_nothing_of_it_is_left_in_the_pack(planted: tuple[Library, dict[str, str]], tmp_path: Path) -> None:
    library, places = planted
    redact(library, DEMO, decided(scan_demo(library.demo(DEMO)), "replace"))
    export_pack(library, [DEMO], tmp_path / "pack", licence="CC0-1.0", consent="Nobody's data.")
    written = b"".join(file.read_bytes() for file in (tmp_path / "pack").rglob("*") if file.is_file())
    assert [place for address, place in places.items() if address.encode() in written] == []
    assert [f for f in report_on(tmp_path / "pack", publish=True).findings if f.rule in {"P02", "P03"}] == []


def test_keys_and_numbers_that_were_read_are_replaced(tmp_path: Path) -> None:
    data = {
        "alice@example.com": {"ALICE@example.com": "owner"},
        "kind": CARDS[0],
        "mode": [IBANS[0], {"position": int(CARDS[0])}],
        "count": 42,
        "ALICE@example.com": 1,
    }
    with Library.open(tmp_path / "library") as library:
        demo = whole_demo(library)
        read = ExtractDataAction(description="d", data=data)
        step = demo.steps[0].model_copy(update={"action": read})
        library.add_demo(Demo(head=demo.head, steps=(step, *demo.steps[1:]), elements=demo.elements))
        redact(library, DEMO, decided(scan_demo(library.demo(DEMO)), "replace"))
        after = library.demo(DEMO)
    # Two spellings of one address stay two names.
    assert after.steps[0].action.data == {
        "<email:1>": 1,
        "<email:1> (2)": {"<email:1>": "owner"},
        "kind": "<card:1>",
        "mode": ["<iban:1>", {"position": "<card:1>"}],
        "count": 42,
    }


def test_what_cannot_be_replaced_is_told(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = whole_demo(library)
        step = demo.steps[0].model_copy(update={"id": "of jane.doe@example.com", "note": "jane.doe@example.com"})
        library.add_demo(Demo(head=demo.head, steps=(step, *demo.steps[1:]), elements={}))
    at = ["--library", str(tmp_path / "library")]
    said = CliRunner().invoke(main, ["redact", DEMO, "--replace", "all", *at])
    assert said.exit_code == 0, said.output
    assert (
        "! <email:1> could not be replaced in step 1, its id, which links records: of jane.doe@example.com"
        in said.output
    )
    told = json.loads(CliRunner().invoke(main, ["redact", DEMO, "--replace", "email", "--json", *at]).output)
    assert [(one["placeholder"], one["field"]) for one in told["not_replaced"]] == [("<email:1>", "id")]


def test_words_of_the_format_and_ids_of_ours_are_no_text(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = whole_demo(library)
    paths = {".".join(leaf.path) for leaf in leaves(Step, demo.steps[2].to_json()) if leaf.kind == "text"}
    assert "action.action_type" not in paths
    assert "review" not in paths
    assert "rationale.mode" not in paths
    assert "rationale.provenance.kind" not in paths
    assert "action.parameters.end_target.text" in paths
    assert scan_demo(demo) == []


def test_a_focused_element_is_found_and_painted_over_where_it_is_on_a_picture_with_two_pixels_a_unit(
    tmp_path: Path,
) -> None:
    """What accessibility tells is counted in units of the desktop, for instance points of a Retina display."""
    image = noise_image(64, 48, seed=3)
    with Library.open(tmp_path / "library") as library:
        before = Frame(id=library.put_image(image), width=64, height=48, origin_x=100, origin_y=50, pixels_per_unit=2.0)
        told = AccessibleElement(role="text", name="", value="alice@example.com", box=Rect(104, 53, 120, 61))
        step = Step(id="step_1", position=1, action=FinishGoalAction(), before=before, focused=told)
        library.add_demo(Demo(head=demo_head(DEMO), steps=(step,), elements={}))
        found = scan_demo(library.demo(DEMO))
        assert [place.box for one in found for place in one.places] == [Rect(8, 6, 40, 22)]
        redact(library, DEMO, decided(found, "replace"))
        after = library.demo(DEMO).steps[0].before
        assert after is not None
        assert after.covered == (Rect(8, 6, 40, 22),)
        changed = np.argwhere((library.get_image(after.id) != image).any(axis=2))
    assert (changed.min(axis=0).tolist(), changed.max(axis=0).tolist()) == ([6, 8], [21, 39])


def test_a_value_of_another_shape_than_its_field_is_handed_back() -> None:
    odd = {"task": {"nested": "words"}, "id": {"also": "odd"}}
    assert mapped(DemoHead, odd, str.upper) == odd

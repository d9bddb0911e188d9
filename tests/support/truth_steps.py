"""Steps to be explained: a demo recorded in the practice app, the sample demo, steps on screens with truth."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from demopack.domain.actions import ActionTarget, ClickAction, parse_action
from demopack.domain.elements import Element, reading_order
from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.domain.ports import StepContext
from demopack.store import Library
from models.language.step_context import DemoStory
from models.training.labelled_screens import GroundTruth, LabelledScreen

DATA = Path(__file__).parents[1] / "data"
_TASKS = (
    "Do what this screen is for, and leave everything else as it is",
    "Show me how this is set, step by step, and do not close anything",
    "Go through the page and finish the work that was begun on it",
)


def practice_steps() -> list[StepContext]:
    """Sixteen steps that were recorded in the practice app, with what was really read from its pictures."""
    data = json.loads((DATA / "truth" / "practice.json").read_text(encoding="utf-8"))
    frames = [[_element(row, str(i)) for row in rows] for i, rows in enumerate(data["frames"])]
    found: list[StepContext] = []
    for number, row in enumerate(data["steps"]):
        before = frames[row["before"]]
        by_uid = {e.uid: e for e in before}
        found.append(
            StepContext(
                task=data["task"], app=data["app"], window_title=row["title"], history=(),
                action=parse_action(row["action"]),
                target=by_uid.get(f"e{row['target']}"), end_target=by_uid.get(f"e{row['end']}"), before=before,
                after=None if row["after"] is None else frames[row["after"]],
                changed=None if row["changed"] is None else tuple(Rect(*box) for box in row["changed"]),
                size=Size(*data["size"]), is_last=number == len(data["steps"]) - 1,
            )
        )  # fmt: skip
    return found


def _element(row: dict[str, Any], frame: str) -> Element:
    return Element(
        uid=f"e{row['u']}", frame=frame, type=row["t"], box=Rect(*row["b"]), text=row.get("x"), subtype=row.get("k"),
        states=row.get("s", {}), track_id=row.get("n"), source=row.get("o", "detector"),
    )  # fmt: skip


def sample_steps(folder: Path) -> list[StepContext]:
    """The sample demo of the other tests; ``folder`` holds its library."""
    with Library.open(folder, create=False) as library:
        demo = library.demo("demo_5a3b1e0c77")
        story = DemoStory(library, demo)
        steps = [story.context(index) for index in range(len(demo.steps))]
    return [dataclasses.replace(one, look=None, look_after=None, earlier=(), coming=()) for one in steps]


def screen_steps(*, each: int = 5) -> list[StepContext]:
    """Clicks on screens with known truth, what came of them put there by hand: a mark, a choice, a dialog, nothing."""
    found: list[StepContext] = []
    for path in sorted((DATA / "screens").rglob("*.json")):
        screen = LabelledScreen.model_validate_json(path.read_text(encoding="utf-8"))
        if screen.variant.get("language") in {"fr", "ru"}:
            continue  # their texts are fine, but the voices are English
        elements = reading_order([_true(i, one) for i, one in enumerate(screen.elements)])
        size = Size(screen.width, screen.height)
        targets = list(_targets(elements))
        for number, target in enumerate(targets[:: max(1, len(targets) // each)][:each]):
            found.append(_click(elements, target, size, number))
    return found


def screen_step(name: str, text: str, *, number: int = 0) -> StepContext:
    """A click on what is called ``text`` on one screen; ``number`` 2 changes nothing, others open a dialog."""
    (path,) = (DATA / "screens").rglob(f"{name}.json")
    screen = LabelledScreen.model_validate_json(path.read_text(encoding="utf-8"))
    elements = reading_order([_true(i, one) for i, one in enumerate(screen.elements)])
    target = next(e for e in elements if e.text == text)
    return _click(elements, target, Size(screen.width, screen.height), number)


def _true(number: int, one: GroundTruth) -> Element:
    return Element(
        uid=f"e{number}", frame="f", type=one.type, box=one.box, text=one.text, subtype=one.subtype, states=one.states,
        source="detector",
    )  # fmt: skip


def _targets(elements: Sequence[Element]) -> Iterator[Element]:
    usable = {"button", "checkbox", "radio", "tab", "menu", "menu_item", "list_item", "hyperlink", "toggle", "dropdown"}
    for one in elements:
        text = (one.text or "").strip()
        if one.type in usable and 1 < len(text) < 40 and "…" not in text and ".." not in text:
            yield one


def _click(elements: list[Element], target: Element, size: Size, number: int) -> StepContext:
    after, changed = _what_came(elements, target, size, number)
    action = ClickAction(target=ActionTarget(bbox=to_norm_xywh(target.box.clamped(size), size)))
    return StepContext(
        task=_TASKS[number % len(_TASKS)], history=(), action=action, target=target, before=elements, after=after,
        changed=changed, size=size,
    )  # fmt: skip


def _what_came(
    elements: list[Element], target: Element, size: Size, number: int
) -> tuple[list[Element], tuple[Rect, ...]]:
    if target.type in {"checkbox", "radio", "toggle"}:
        turned = target.changed(states={**target.states, "checked": not target.states.get("checked", False)})
        return [turned if e.uid == target.uid else e for e in elements], (target.box,)
    if number % 3 == 2:
        return elements, ()
    box = Rect(size.width // 4, size.height // 4, size.width * 3 // 4, size.height * 3 // 4)
    new = [
        Element(uid="n0", frame="g", type="dialog", box=box, source="detector"),
        Element(
            uid="n1", frame="g", type="text", text="Please confirm this change", source="ocr",
            box=Rect(box.x1 + 4, box.y1 + 4, box.x2 - 4, box.y1 + 20),
        ),
        Element(
            uid="n2", frame="g", type="button", text="Keep it", source="detector",
            box=Rect(box.x1 + 4, box.y2 - 24, box.x1 + 60, box.y2 - 4),
        ),
    ]  # fmt: skip
    return [*[e for e in elements if e.box.intersection(box) is None], *new], (box,)

"""OpenAdapt's ``Episode``: a state with its nodes and an action for each step."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import count
from typing import Any, Final

from demopack.codecs import openadapt
from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import DEMO_FOLDER, Format, FormatWriter
from demopack.codecs.sets.questions import demo_name, reasoning, started_at
from demopack.domain.elements import ElementType, NumberedElement, containment
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.domain.trees import TreeNode, WindowTree

_ROLES: Final[dict[ElementType, str]] = {
    "text": "text_static", "hyperlink": "link", "tabled_text": "table_cell", "draggable_text": "text_static",
    "button": "button", "radio": "radio", "checkbox": "checkbox", "toggle": "checkbox", "dropdown": "combobox",
    "input_field": "text_input", "text_area": "text_input", "spinner": "text_input", "slider": "slider",
    "scrollbar": "scrollbar", "icon": "icon", "image": "image", "menu": "menu", "menu_item": "menu_item", "tab": "tab",
    "list_item": "list_item", "tree_item": "tree_item", "window": "window", "dialog": "dialog", "toolbar": "toolbar",
}  # fmt: skip


_TREES: Final = "accessibility_tree_raw is what programs reported of their windows, in openadapt-types' field for it."


class _Writer(FormatWriter):
    picture_folder = f"{DEMO_FOLDER}images/"
    note = (
        "openadapt-ml reads places from normalized_coordinates and normalized_end. Its loader takes what it has no "
        "word for, which is answer, for a click without a place: leave such steps out before training with it."
    )

    def add(self, demo: RecordedDemo) -> None:
        head = demo.head
        steps: list[dict[str, Any]] = []
        for step, encoded in self.encoded(demo, openadapt.CODEC):
            for call in encoded.calls:
                steps.append(self._step(demo, step, call, len(steps)))
        if steps:
            steps[-1]["done"] = True
        episode: dict[str, Any] = {
            "episode_id": head.id,
            "instruction": head.task,
            "steps": steps,
            "success": None if head.outcome is None else head.outcome == "success",
            "source": "human",
        }
        self.output.json(f"{DEMO_FOLDER}{demo_name(demo)}.json", episode, compact=True)

    def _step(self, demo: RecordedDemo, step: RecordedStep, call: dict[str, Any], number: int) -> dict[str, Any]:
        # The contract's own action stays beside OpenAdapt's, so that nothing is lost.
        raw = {"step": step.recorded.id, **step.response.action.to_wire()}
        moment = started_at(demo, step)
        return {
            "step_index": number,
            "observation": self._state(demo, step, moment),
            "action": {**openadapt.with_shares(call, step.observation.size), "raw": raw},
            "reasoning": reasoning(step, self.options) or None,
            "timestamp": moment and moment.timestamp(),
            "duration_ms": round(step.duration_ms),
        }

    def _state(self, demo: RecordedDemo, step: RecordedStep, moment: datetime | None) -> dict[str, Any]:
        found = step.observation.elements if self.options.elements else ()
        numbers = {element.uid: str(element.number) for element in found}
        parents = containment(found)
        focused = next((numbers[e.uid] for e in found if e.states.get("focused")), None)
        before = step.recorded.before
        state: dict[str, Any] = {
            "screenshot_path": None if before is None else self.picture(demo, before).removeprefix(DEMO_FOLDER),
            "viewport": step.image_size,
            "nodes": [_node(element, numbers, parents[element.uid]) for element in found],
            "focused_node_id": focused,
            "timestamp": moment and moment.timestamp(),
            "platform": demo.head.platform.partition("-")[0] or None,
            "source": "demopack",
        }
        tree = _tree(demo, step.recorded)
        if tree is not None:
            state["accessibility_tree_raw"] = tree
            if _TREES not in self.output.notes:
                self.output.notes.append(_TREES)
        window = step.recorded.window
        if window is not None:
            state["active_window"] = {
                "app_name": window.app,
                "window_title": window.title,
                "is_foreground": True,
            }
        return state


def _tree(demo: RecordedDemo, step: Step) -> dict[str, Any] | None:
    """What programs reported of the windows on the picture before a step; None where that is not known.

    The windows, topmost first, are the children of the desktop.
    """
    windows = [(one, demo.trees[one.tree]) for one in step.trees if one.tree in demo.trees]
    if step.before is None or not windows:
        return None
    frame, numbers = step.before, count(1)
    return {
        "role": "desktop frame",
        "name": "",
        "bbox": [0, 0, frame.width, frame.height],
        "children": [
            {
                "app": tree.app,
                "toolkit": tree.toolkit,
                "complete": tree.complete,
                "proved": reading.proved,
                **_window_nodes(tree, frame, numbers),
            }
            for reading, tree in windows
        ],
    }


def _window_nodes(tree: WindowTree, frame: Frame, numbers: Iterator[int]) -> dict[str, Any]:
    """The window of a tree with its nodes in it, their boxes in pixels of a picture: left, top, right, bottom."""
    top = TreeNode(role="window", name=tree.title, box=tree.box)
    made: list[dict[str, Any]] = []
    for node in tree.nodes or (top,):
        said = node.model_dump(mode="json", exclude_defaults=True, exclude={"parent", "box", "lines"})
        box = None if node.box is None else list(frame.space.to_pixels(node.box).corners)
        made.append({"id": str(next(numbers)), "name": "", **said, "bbox": box, "children": []})
        if node.parent is not None:
            made[node.parent]["children"].append(made[-1])
    return made[0]


def _node(element: NumberedElement, numbers: dict[str, str], parent: str | None) -> dict[str, Any]:
    box = element.box
    states = element.states
    return {
        "node_id": str(element.number),
        "role": _ROLES.get(element.type, "unknown"),
        "text": element.text,
        "bbox": {"x": box.x1, "y": box.y1, "width": box.width, "height": box.height},
        "confidence": 1.0 if element.confidence is None else element.confidence,
        "parent_id": numbers.get(parent or ""),
        "is_enabled": not states.get("disabled", False),
        "is_focused": states.get("focused", False),
        "is_editable": element.type in {"input_field", "text_area", "spinner"},
        "is_selected": states.get("checked", False) or states.get("highlighted", False),
        "attributes": {
            "type": element.type,
            "subtype": element.subtype,
            "track_id": element.track_id,
            "states": states,
        },
    }


FORMAT: Final = Format(
    name="openadapt",
    title="OpenAdapt Episode",
    files="demos/DEMO.json, demos/images/",
    reads="the openadapt-types and openadapt-ml packages",
    about="An episode a demo for OpenAdapt, elements and targets in pixels.",
    load=(
        "from pathlib import Path\n"
        "\n"
        "from openadapt_types import Episode\n"
        "\n"
        'episode = Episode.model_validate_json(Path("FOLDER/demos/DEMO.json").read_bytes())'
    ),
    writer=_Writer,
    units=("episode",),
    dialect="openadapt",
    losses=(
        Loss(
            "states",
            "states that are not visible read as false",
            "its flags know true and false only; attributes hold what was seen",
        ),
    ),
    uses=frozenset({"rationale", "elements", "marks", "trees"}),
)

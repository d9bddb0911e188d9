"""OpenAdapt's ``Episode``: a state with its nodes and an action for each step."""

from __future__ import annotations

from typing import Any, Final

from demopack.domain.elements import ElementType
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.dialects import openadapt
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import reasoning
from demopack.pack.formats.shots import Shots
from demopack.pack.formats.trajectories import demo_name, when
from demopack.pack.rows import ElementRow, StepRow
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]

_ROLES: Final[dict[ElementType, str]] = {
    "text": "text_static", "hyperlink": "link", "tabled_text": "table_cell", "draggable_text": "text_static",
    "button": "button", "radio": "radio", "checkbox": "checkbox", "toggle": "checkbox", "dropdown": "combobox",
    "input_field": "text_input", "text_area": "text_input", "spinner": "text_input", "slider": "slider",
    "scrollbar": "scrollbar", "icon": "icon", "image": "image", "menu": "menu", "menu_item": "menu_item", "tab": "tab",
    "list_item": "list_item", "tree_item": "tree_item", "window": "window", "dialog": "dialog", "toolbar": "toolbar",
}  # fmt: skip


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options)

    def add(self, demo: DemoRows) -> None:
        head = demo.head
        steps: list[dict[str, Any]] = []
        for row in demo.steps:
            self._output.rows_in += 1
            spoken = hear(self._output, openadapt.DIALECT, demo, row)
            if spoken is None:
                continue
            self._output.rows_out += 1
            for call in spoken.calls:
                steps.append(self._step(demo, row, call, len(steps)))
        if steps:
            steps[-1]["done"] = True
        episode: dict[str, Any] = {
            "episode_id": head.demo,
            "instruction": head.task,
            "steps": steps,
            "success": None if head.outcome is None else head.outcome == "success",
            "source": "human",
        }
        self._output.json(f"{demo_name(demo)}.json", episode, compact=True)

    def _step(self, demo: DemoRows, row: StepRow, call: dict[str, Any], number: int) -> dict[str, Any]:
        # The contract's own action stays beside OpenAdapt's, so that nothing is lost.
        raw = {"step": row.step, **row.response["action"]}
        return {
            "step_index": number,
            "observation": self._state(demo, row),
            "action": {**call, "raw": raw},
            "reasoning": reasoning(row, self._options) or None,
            "timestamp": when(demo, row).timestamp(),
            "duration_ms": round(row.duration_ms),
        }

    def _state(self, demo: DemoRows, row: StepRow) -> dict[str, Any]:
        found = demo.on(row) if self._options.elements else ()
        numbers = {element.uid: str(element.element_id) for element in found}
        focused = next((numbers[e.uid] for e in found if e.states.get("focused")), None)
        state: dict[str, Any] = {
            "screenshot_path": self._shots.before(demo, row),
            "viewport": row.image_size,
            "nodes": [_node(element, numbers) for element in found],
            "focused_node_id": focused,
            "timestamp": when(demo, row).timestamp(),
            "platform": demo.head.platform.partition("-")[0] or None,
            "source": "demopack",
        }
        if row.window is not None:
            state["active_window"] = {
                "app_name": row.window.app,
                "window_title": row.window.title,
                "is_foreground": True,
            }
        return state

    def finish(self) -> None:
        """Nothing comes at the end."""


def _node(element: ElementRow, numbers: dict[str, str]) -> dict[str, Any]:
    x1, y1, x2, y2 = element.box
    states = element.states
    return {
        "node_id": str(element.element_id),
        "role": _ROLES.get(element.type, "unknown"),
        "text": element.text,
        "bbox": {"x": x1, "y": y1, "width": x2 - x1, "height": y2 - y1},
        "confidence": 1.0 if element.confidence is None else element.confidence,
        "parent_id": numbers.get(element.parent or ""),
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
    files="one .json for each demo, images/",
    reads="the openadapt-types package",
    load='Episode.model_validate_json(Path("FOLDER/DEMO.json").read_bytes())',
    writer=_Writer,
    units=("episode",),
    dialect="openadapt",
    losses=(
        Loss(
            code="states",
            what="states that are not visible read as false",
            why="its flags know true and false only; attributes hold what was seen",
        ),
    ),
    uses=frozenset({"rationale", "elements", "marks"}),
)

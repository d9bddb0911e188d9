"""What programs report about themselves, read by libatspi: a witness that shares no code with demopack.

For ``changed_screens.py``; needs the system's own Python with GObject introspection, so nothing of demopack is imported
here. It answers one line of JSON with one line of JSON: ``{"dump": "zenity"}``, ``{"extents": [path, offset, end]}``.
"""

from __future__ import annotations

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

_STATES = ("checked", "selected", "focused", "editable", "showing", "pressed", "expanded")
_MOST = 1500
_LETTERS = 4000


def main() -> None:
    Atspi.init()
    Atspi.set_timeout(3000, 3000)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = dump(question["dump"]) if "dump" in question else extents(*question["extents"])
        except Exception as error:  # noqa: BLE001 - the other end decides
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


def programs(name: str) -> list[Atspi.Accessible]:
    desktop = Atspi.get_desktop(0)
    every = (desktop.get_child_at_index(i) for i in range(desktop.get_child_count()))
    return [one for one in every if one is not None and name.casefold() in (one.get_name() or "").casefold()]


def dump(name: str) -> list[dict[str, object]]:
    """Everything that the programs of a name show."""
    found: list[dict[str, object]] = []
    for program in programs(name):
        _walk(program, [program.get_name()], found)
    return found


def _walk(node: Atspi.Accessible, path: list[object], found: list[dict[str, object]]) -> None:
    for place in range(min(node.get_child_count(), 400)):
        if len(found) >= _MOST:
            return
        child = node.get_child_at_index(place)
        if child is None:
            continue
        states = child.get_state_set()
        if not states.contains(Atspi.StateType.SHOWING) and child.get_role_name() not in {"frame", "dialog", "window"}:
            continue
        below = [*path, place]
        found.append(_told(child, below, states))
        _walk(child, below, found)


def _told(node: Atspi.Accessible, path: list[object], states: Atspi.StateSet) -> dict[str, object]:
    told: dict[str, object] = {
        "path": path,
        "role": node.get_role_name(),
        "name": node.get_name() or "",
        "states": [one for one in _STATES if states.contains(getattr(Atspi.StateType, one.upper()))],
    }
    component = node.get_component_iface()
    if component is not None:
        box = component.get_extents(Atspi.CoordType.SCREEN)
        told["box"] = [box.x, box.y, box.x + box.width, box.y + box.height]
    text = node.get_text_iface()
    if text is not None:
        told["text"] = Atspi.Text.get_text(text, 0, min(_LETTERS, Atspi.Text.get_character_count(text)))
        told["caret"] = Atspi.Text.get_caret_offset(text)
        if Atspi.Text.get_n_selections(text):
            chosen = Atspi.Text.get_selection(text, 0)
            told["chosen"] = [chosen.start_offset, chosen.end_offset]
    value = node.get_value_iface()
    if value is not None:
        told["value"] = [value.get_minimum_value(), value.get_current_value(), value.get_maximum_value()]
    return told


def extents(path: list[object], start: int, end: int) -> list[int]:
    """Where some letters of a text lie, in the program's own units."""
    node = programs(str(path[0]))[0]
    for place in path[1:]:
        node = node.get_child_at_index(int(str(place)))
    box = Atspi.Text.get_range_extents(node.get_text_iface(), start, end, Atspi.CoordType.SCREEN)
    return [box.x, box.y, box.x + box.width, box.y + box.height]


if __name__ == "__main__":
    main()

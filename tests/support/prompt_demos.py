"""Demos as rows of a pack, made in memory without pictures: the two of the paper's figures, and small ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from demopack.codecs.recorded_demo import RecordedDemo, recorded_demo
from demopack.domain.actions import parse_action
from demopack.domain.binding import bind, point_target
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Pointer, Step
from demopack.errors import PackError
from demopack.pack.convert import frame_files, pruned

_AT = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
_WIDTH, _HEIGHT = 160, 210
Thing = tuple[ElementType, tuple[int, int, int, int], str, dict[str, bool]]


class _NoPictures:
    def read(self, name: str) -> bytes:
        raise PackError(f"{name} is not here.")

    def file(self, name: str) -> Path | None:
        del name
        return None


@dataclass(frozen=True)
class Source:
    """Demos to read again and again."""

    rows: Sequence[RecordedDemo]
    licence: str = "CC0-1.0"

    @property
    def total(self) -> int:
        return len(self.rows)

    def demos(self) -> Iterator[RecordedDemo]:
        return iter(self.rows)


def rows_of(demo: Demo) -> RecordedDemo:
    """A demo as a pack would tell it."""
    return recorded_demo(pruned(demo), frame_files(demo), _NoPictures())


def _screen(demo: str, number: int, things: Sequence[Thing]) -> tuple[Frame, tuple[Element, ...]]:
    frame = Frame(id=f"{demo}_{number}".encode().hex().rjust(64, "0")[-64:], width=_WIDTH, height=_HEIGHT)
    elements = tuple(
        Element(
            uid=f"{demo}_{number}_{i}", frame=frame.id, type=kind, box=Rect(*box), text=text,
            states=states, track_id=f"{kind}_{box[0]}_{box[1]}",
        )  # type: ignore[arg-type]
        for i, (kind, box, text, states) in enumerate(things)
    )  # fmt: skip
    return frame, elements


def told_demo(
    demo: str, task: str, screens: Sequence[Sequence[Thing]], acts: Sequence[tuple[str, int | None, dict[str, Any]]],
    **head: Any,
) -> RecordedDemo:  # fmt: skip
    """A demo of any actions.

    Args:
        demo: its id.
        task: what it shows.
        screens: what is on each screen, one more than there are actions, or as many.
        acts: action type, index of the element it is done to on its screen, parameters; a parameter ``reason`` becomes
            the paragraph of hindsight.
        head: other fields of the head.
    """
    shown = [_screen(demo, number, things) for number, things in enumerate(screens)]
    steps: list[Step] = []
    for index, (kind, at, given) in enumerate(acts):
        frame, elements = shown[index]
        parameters = {key: value for key, value in given.items() if key not in {"reason", "variable"}}
        centre = None if at is None else elements[at].box.center
        target = None if centre is None else point_target(centre, frame)
        reason = given.get("reason")
        step = Step(
            id=f"{demo}_step{index}",
            position=index,
            action=parse_action({"action_type": kind, "target": target, "parameters": parameters}),
            pointer=None if centre is None else Pointer(x=centre.x, y=centre.y),
            before=frame,
            after=shown[index + 1][0] if index + 1 < len(shown) else None,
            rationale=None if reason is None else _reason(reason),
            variable=given.get("variable", ""),
        )
        steps.append(bind(step, elements))
    fields = {"app": "MiniWoB", "outcome": "success", **head}
    return rows_of(
        Demo(
            head=DemoHead(id=demo, task=task, created_at=_AT, status="complete", **fields),
            steps=tuple(steps),
            elements={frame.id: elements for frame, elements in shown if elements},
        )
    )


def _reason(text: str) -> Rationale:
    return Rationale(
        thought=f"{text} now.", hindsight=f"{text} It worked.", provenance=Provenance(kind="human", name="test", at=_AT)
    )


def figure_9() -> RecordedDemo:
    """The demonstration inside the prompt of Figure 9: a list is opened, a name picked, the choice submitted."""
    submit: Thing = ("button", (1, 79, 98, 112), "Submit", {})
    closed: list[Thing] = [("dropdown", (0, 56, 151, 76), "Storm", {}), submit]
    names = ("Selie", "Janella", "Storm")
    rows: list[Thing] = [("tabled_text", (0, 93 + 16 * i, 151, 109 + 16 * i), name, {}) for i, name in enumerate(names)]
    chosen: list[Thing] = [("dropdown", (0, 56, 151, 76), "Janella", {}), submit]
    return told_demo(
        "demo_fig9", "Select Janella from the list and click Submit.", [closed, [closed[0], *rows], chosen],
        [("click", 0, {"reason": "The list has to be opened."}), ("click", 2, {"reason": "Janella is the name."}),
         ("click", 1, {"reason": "The choice has to be sent."})],
    )  # fmt: skip


def figure_8() -> RecordedDemo:
    """The demo that Figure 8 asks about: a radio button is ticked and submitted."""

    def things(*, ticked: bool) -> list[Thing]:
        return [
            ("radio", (10, 55, 52, 70), "EiTE", {"checked": ticked}),
            ("radio", (10, 73, 67, 88), "vAzBm9", {"checked": False}),
            ("button", (2, 99, 98, 130), "Submit", {"focused": False}),
        ]

    return told_demo(
        "demo_fig8", "Select EiTE and click Submit.", [things(ticked=False), things(ticked=True)],
        [("click", 0, {}), ("click", 2, {})],
    )  # fmt: skip


def small_demo(demo: str, task: str, **head: Any) -> RecordedDemo:
    """Two steps on one button, for selection."""
    things: list[Thing] = [("button", (10, 10, 60, 30), "Go", {})]
    values = head.pop("values", ())
    acts: list[tuple[str, int | None, dict[str, Any]]] = [("click", 0, {"reason": "Go comes first."})]
    acts += [("type", None, {"text_to_type": value, "variable": f"v{i}"}) for i, value in enumerate(values)]
    acts.append(("finish_goal", None, {}))
    return told_demo(demo, task, [things] * len(acts), acts, **head)

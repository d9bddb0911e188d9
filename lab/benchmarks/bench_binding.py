"""How many of 50 clicks on labels, empty areas, rows, tracks and cells are bound to the control that they hit.

Starts five real programs on a private desktop, clicks where people click, records that as it is recorded always, parses
and binds; once with all that programs reported, and once by pixels alone, as if no program had told anything::

    python lab/benchmarks/bench_binding.py [--only PROGRAM] [--keep DIR] [--json FILE]

What a click hit is asked of the program itself, by a connection that no part of the recorder knows: where the control
is before the click, and what became of it afterwards: its tick, its value, what is chosen, what has the input. A click
that had no such effect is named, and counts as wrong. Bound to the control is a step whose element is of a right type,
is at most four times as large as the control, holds its middle and has its own middle in it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from demopack.domain.demos import Demo
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Point, Rect
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.text_likeness import label_likeness
from demopack.jobs import JobControl
from demopack.settings import RecorderSettings, VisionSettings
from demopack.store import Library
from lab.screens.apps.desktop_state import Node
from lab.screens.apps.nodes import NodeReader
from lab.screens.apps.window_frames import WindowFrames
from models.vision.demo_parsing import parse_demo
from models.vision.finder import WorkerFinder, open_finder
from recorder.backends import open_screen
from recorder.desktop.private_display import PrivateDesktop, on_display
from recorder.session import RecordingSession
from tests.support.desktop_programs import DesktopProgram, chromium, until, zenity
from tests.support.injector import Injector

Part = Literal["label", "mark", "empty", "row", "track", "cell"]
LIMIT: Final = 48
_LARGEST: Final = 4.0
_LOOKS: Final = 4
_TYPES: Final[Mapping[str, frozenset[ElementType]]] = {
    "check box": frozenset({"checkbox"}),
    "radio button": frozenset({"radio"}),
    "toggle button": frozenset({"toggle"}),
    "text": frozenset({"text_area", "input_field"}),
    "entry": frozenset({"text_area", "input_field"}),
    "spin button": frozenset({"spinner"}),
    "slider": frozenset({"slider"}),
    "list item": frozenset({"list_item", "menu_item"}),
    "table cell": frozenset({"list_item", "tree_item", "tabled_text"}),
}
"""What a control may be called, by its role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Where a click goes.

    Attributes:
        part: what of the control is clicked.
        role: the control's, as its program tells it.
        name: the control's; empty for any name.
        nth: of the controls of this role and name, in the order in which they are told.
        at: as fractions of the box: of the control, or of ``label``.
        label: name of the label beside a control whose program tells the mark alone.
    """

    part: Part
    role: str
    name: str = ""
    nth: int = 0
    at: tuple[float, float] = (0.5, 0.5)
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A click that was made, and the control as its program told it.

    Attributes:
        program: which.
        aim: what was meant.
        point: where the pointer was, pixels.
        box: of the control with its label.
        had_effect: whether the program did what a click on the control does.
    """

    program: str
    aim: Aim
    point: Point
    box: Rect
    had_effect: bool


def _label(role: str, name: str, *, x: float = 0.6, y: float = 0.5, label: str = "") -> Aim:
    return Aim(part="label", role=role, name=name, at=(x, y), label=label)


def _mark(role: str, name: str, *, x: float = 0.05, label: str = "") -> Aim:
    return Aim(part="mark", role=role, name=name, at=(x, 0.5), label=label)


_FORM: Final = (
    "--form", "--width=520", "--field=Name", "--field=Send me the newsletter:CHK", "--field=Urgent:CHK",
    "--field=Notes:TXT", "--field=Volume:SCL", "--field=Keep a copy of what I sent\nin the folder for letters:CHK",
    "", "FALSE", "FALSE", "", "40", "FALSE",
)  # fmt: skip
_FORM_AIMS: Final = (
    _label("check box", "Send me the newsletter", x=0.25),
    _label("check box", "Urgent", x=0.1),
    _label("check box", "Keep a copy of what I sent in the folder for letters", x=0.2, y=0.25),
    _label("check box", "Keep a copy of what I sent in the folder for letters", x=0.2, y=0.75),
    Aim(part="empty", role="text", at=(0.7, 0.7)),
    Aim(part="empty", role="text", nth=1, at=(0.8, 0.5)),
    Aim(part="track", role="slider", at=(0.9, 0.75)),
    Aim(part="track", role="slider", at=(0.1, 0.75)),
)
_TABLE: Final = (
    "--list", "--width=560", "--height=320", "--column=Name", "--column=City", "--column=Born",
    "Ada", "London", "1815", "Grace", "New York", "1906", "Alan", "London", "1912",
    "Katherine", "White Sulphur Springs", "1918",
)  # fmt: skip
_TABLE_AIMS: Final = (
    Aim(part="cell", role="table cell", name="Grace", at=(0.2, 0.5)),
    Aim(part="cell", role="table cell", name="1912", at=(0.3, 0.5)),
    Aim(part="row", role="table cell", name="White Sulphur Springs", at=(0.97, 0.5)),
    Aim(part="row", role="table cell", name="Ada", at=(0.9, 0.5)),
    Aim(part="cell", role="table cell", name="New York", at=(0.2, 0.5)),
    Aim(part="cell", role="table cell", name="Katherine", at=(0.4, 0.5)),
    Aim(part="row", role="table cell", name="1906", at=(0.6, 0.5)),
)
_PAGE: Final = """<!doctype html><meta charset=utf-8><title>Order form</title>
<style>body{font:16px 'DejaVu Sans';margin:24px;width:760px}.row{display:flex;gap:40px;margin:12px 0}
label{display:flex;gap:8px;align-items:center}label.two{width:230px}label.top{display:block}.two input{flex:none}
.switch{appearance:none;width:40px;height:20px;border-radius:10px;background:#999;position:relative}
.switch::after{content:'';position:absolute;left:2px;top:2px;width:16px;height:16px;border-radius:8px;background:#fff}
.switch:checked{background:#06c}.switch:checked::after{left:22px}</style>
<div class=row><label><input type=checkbox><span>Gift wrapping</span></label>
<label><input type=checkbox><span>Insurance</span></label>
<label><span>Dark mode</span><input type=checkbox role=switch class=switch></label></div>
<div class=row><label class=two><input type=checkbox><span>Send me a message when the parcel is on its way</span>
</label>
<label class=two><input type=checkbox><span>Leave it with a neighbour if nobody is at home</span>
</label></div>
<div class=row><label><input type=radio name=s><span>Standard</span></label>
<label><input type=radio name=s><span>Express</span></label>
<label><span>Pick up</span><input type=radio name=s></label></div>
<div class=row><label>Amount<input type=range aria-label=Amount style="width:240px"></label>
<select size=4 aria-label=Colour style="width:180px;font:16px 'DejaVu Sans'"><option>Red<option>Green<option>Blue
<option>Grey</select></div>
<div class=row><label class=top>Remarks<br><textarea aria-label=Remarks rows=4 style="width:340px"></textarea></label>
<label class=top>City<br><input aria-label=City style="width:240px;font-size:16px"></label></div>
"""
_PARCEL, _NEIGHBOUR = (
    "Send me a message when the parcel is on its way",
    "Leave it with a neighbour if nobody is at home",
)


def _beside(role: str, name: str, *, x: float = 0.5, y: float = 0.5) -> Aim:
    return _label(role, name, x=x, y=y, label=name)


_PAGE_AIMS: Final = (
    _beside("check box", "Gift wrapping", x=0.7),
    _mark("check box", "Insurance", x=0.5, label="Insurance"),
    _beside("check box", "Insurance", x=0.2),
    _beside("toggle button", "Dark mode"),
    _mark("toggle button", "Dark mode", x=0.3, label="Dark mode"),
    _beside("check box", _PARCEL, y=0.2),
    _beside("check box", _PARCEL, x=0.2, y=0.8),
    _beside("check box", _NEIGHBOUR, x=0.2, y=0.8),
    _beside("radio button", "Express"),
    _beside("radio button", "Pick up"),
    Aim(part="track", role="slider", name="Amount", at=(0.85, 0.5)),
    Aim(part="row", role="list item", name="Green", at=(0.8, 0.5)),
    Aim(part="row", role="list item", name="Grey", at=(0.9, 0.5)),
    Aim(part="empty", role="entry", name="Remarks", at=(0.7, 0.75)),
    Aim(part="empty", role="entry", name="City", at=(0.85, 0.5)),
)
_EDITOR_AIMS: Final = (
    Aim(part="empty", role="text", at=(0.7, 0.8)),
    Aim(part="empty", role="text", at=(0.3, 0.4)),
)
_CHOICE_AIMS: Final = (
    _label("check box", "Remember window size on closing"),
    _label("check box", "Start with side-pane mode", x=0.9),
    _label("check box", "Remember splitter position"),
    _mark("check box", "Do not show menubar"),
    _label("check box", "Disable menubar accelerators", x=0.3),
    _label("check box", "Hide search bar by default", x=0.7),
    _label("check box", "Use a shared search history"),
    _label("check box", "Remember window position on closing", x=0.8),
)
_STYLE_AIMS: Final = (_label("radio button", "Custom"), _label("radio button", "Default", x=0.8))
_INTERFACE_AIMS: Final = (
    _label("check box", "Activate item on single-click", x=0.9),
    _label("check box", "Enable gui effects"),
    _label("check box", "Dialog buttons have icons"),
    _mark("check box", "Menus have icons", x=0.04),
    _label("check box", "Menus have icons", x=0.3),
    _label("check box", "Show shortcuts in context menus"),
    _label("check box", "Show shortcut underlines", x=0.2),
    Aim(part="empty", role="spin button", at=(0.6, 0.5)),
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program with what is done in it: keys and clicks by turns."""

    name: str
    start: Callable[[PrivateDesktop, Path], DesktopProgram]
    acts: tuple[str | tuple[Aim, ...], ...]


def _notes(home: Path) -> Path:
    path = home / "notes.txt"
    path.write_text("Buy bread\nCall Ann\nFix the fence\n", encoding="utf-8")
    return path


def _page(home: Path) -> Path:
    path = home / "order.html"
    path.write_text(_PAGE, encoding="utf-8")
    return path


def _settings(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


PROGRAMS: Final = (
    Program(
        "yad",
        lambda desktop, _: DesktopProgram(desktop, "yad", "--title=Letter", *_FORM, window="Letter"),
        (_FORM_AIMS,),
    ),
    Program("zenity", lambda desktop, _: zenity(desktop, *_TABLE, title="People"), (_TABLE_AIMS,)),
    Program(
        "featherpad",
        lambda desktop, home: DesktopProgram(
            desktop, "featherpad", str(_notes(home)), window="notes.txt", environment=_settings(home)
        ),
        (_EDITOR_AIMS, "ctrl+shift+p", _CHOICE_AIMS),
    ),
    Program(
        "qt5ct",
        lambda desktop, home: DesktopProgram(
            desktop, "qt5ct", window="Qt5 Config", environment={**_settings(home), "QT_QPA_PLATFORMTHEME": "qt5ct"}
        ),
        (_STYLE_AIMS, "ctrl+tab", "ctrl+tab", "ctrl+tab", _INTERFACE_AIMS),
    ),
    Program(
        "chromium",
        lambda desktop, home: chromium(desktop, _page(home), title="Order form", profile=home / "profile"),
        (_PAGE_AIMS,),
    ),
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[one.name for one in PROGRAMS])
    parser.add_argument("--keep", type=Path, help="a folder for the libraries, to look at them")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    figures: dict[str, Counter[str]] = {"told": Counter(), "pixels": Counter()}
    with tempfile.TemporaryDirectory() as scratch, open_finder(VisionSettings()) as finder:
        folder = given.keep or Path(scratch)
        for program in PROGRAMS:
            if given.only not in {None, program.name}:
                continue
            home = folder / program.name
            home.mkdir(parents=True)
            hits, demo = record(program, home)
            for way, counted in figures.items():
                for hit, step, element in bound(home / "library", demo, hits, finder, told=way == "told"):
                    right = hit.had_effect and element is not None and is_bound(hit, element)
                    counted.update({"clicks": 1, "bound": right, f"{program.name} of": 1, program.name: right})
                    if not right:
                        print(_fault(way, hit, step, element))
    for way, counted in figures.items():
        parts = ", ".join(f"{one.name} {counted[one.name]} of {counted[f'{one.name} of']}" for one in PROGRAMS)
        print(f"{way}: {counted['bound']} of {counted['clicks']} bound to the control ({parts})")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _fault(way: str, hit: Hit, step: Step, element: Element | None) -> str:
    what = "nothing" if element is None else f"{element.type} {element.text!r} {element.box.corners}"
    missing = "" if hit.had_effect else ", which had no effect"
    aim = f"{hit.aim.part} of {hit.aim.role} {hit.aim.name!r} {hit.box.corners} at {hit.point.x},{hit.point.y}"
    return f"  {way}: {hit.program} {step.id}: {aim}{missing}: {what}"


# Recording ----------------------------------------------------------------------------------------------------------


def record(program: Program, home: Path) -> tuple[list[Hit], str]:
    """The clicks in one program, and the demo of them in ``home/library``."""
    hits: list[Hit] = []
    with PrivateDesktop(width=1280, height=800) as desktop, program.start(desktop, home), _Asking(desktop) as asked:
        asked.rest()
        with (
            on_display(desktop.environment()),
            Library.open(home / "library") as library,
            Injector(desktop.name) as hand,
        ):
            session = RecordingSession(library, settings=RecorderSettings(), task="Clicks", app=program.name)
            session.start()
            try:
                for act in program.acts:
                    if isinstance(act, str):
                        hand.key(act)
                        asked.rest()
                    else:
                        hits += [_click(program.name, aim, asked, hand) for aim in act]
            finally:
                demo = session.stop(outcome="success")
    return hits, demo


def _click(program: str, aim: Aim, asked: _Asking, hand: Injector) -> Hit:
    found: list[tuple[Node, Rect]] = []

    def is_there() -> bool:
        found[:] = asked.find(aim)
        return bool(found)

    until(is_there, f"no {aim.role} {aim.name!r} in {program}")
    node, box = found[0]
    whole = box
    if aim.label:
        label = asked.label(aim.label)
        whole = box.union(label)
        box = label if aim.part == "label" else box
    point = Point(box.x1 + round(aim.at[0] * box.width), box.y1 + round(aim.at[1] * box.height))
    before = _state(node)
    hand.click(point.x, point.y)
    hand.wait(0.2)
    asked.rest()
    after = asked.find(aim)
    changed = bool(after) and (
        _state(after[0][0]) != before or (aim.part == "empty" and "focused" in after[0][0].states)
    )
    return Hit(program=program, aim=aim, point=point, box=whole, had_effect=changed or asked.is_chosen(aim))


def _state(node: Node) -> object:
    """What a click changes about a control."""
    return node.states & {"checked", "indeterminate", "selected", "pressed"}, node.value


class _Asking:
    """Asks the programs on a desktop about themselves, beside the recorder."""

    def __init__(self, desktop: PrivateDesktop) -> None:
        self._ends = contextlib.ExitStack()
        self._reader = NodeReader(desktop.name, 1)
        self._ends.callback(self._reader.close)
        self._frames = WindowFrames(desktop.name)
        self._ends.callback(self._frames.close)
        self._screen = open_screen(desktop.name)
        self._ends.callback(self._screen.close)

    def __enter__(self) -> _Asking:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def rest(self) -> None:
        """Wait until the screen shows the same several times in a row; a caret may blink."""
        last, same = self._screen.grab().image.copy(), 0

        def is_same() -> bool:
            nonlocal last, same
            now = self._screen.grab().image
            same = same + 1 if (now != last).any(axis=2).sum() <= 64 else 0
            last = np.array(now)
            return same >= 10 * _LOOKS

        until(is_same, "the screen never comes to rest")

    def find(self, aim: Aim) -> list[tuple[Node, Rect]]:
        """The controls of this role and name that can be seen."""
        found = [
            (node, node.box)
            for node in self._shown()
            if node.role == aim.role and node.box is not None and aim.name in {"", _words(node.name)}
        ]
        return found[aim.nth :]

    def label(self, name: str) -> Rect:
        """Where words stand that are no part of their control's box."""
        boxes = [node.box for node in self._shown() if node.role in {"static", "label"} and _words(node.name) == name]
        (box,) = {box for box in boxes if box is not None}
        return box

    def is_chosen(self, aim: Aim) -> bool:
        """Whether a row or a cell is chosen, or has the input."""
        if aim.part not in {"row", "cell"}:
            return False
        return any(node.states & {"selected", "focused"} for node, _ in self.find(aim))

    def _shown(self) -> Iterator[Node]:
        for program, _ in self._reader.read(self._frames.read()):
            for node in program.walk():
                if node.shown:
                    yield node


def _words(name: str) -> str:
    return " ".join(name.split())


# Judging ------------------------------------------------------------------------------------------------------------


def bound(
    folder: Path, demo_id: str, hits: Sequence[Hit], finder: WorkerFinder, *, told: bool
) -> Generator[tuple[Hit, Step, Element | None]]:
    """Each click with its step and the element that this is bound to.

    Args:
        folder: of the library.
        demo_id: which demo.
        hits: the clicks, in order.
        finder: finds elements.
        told: whether programs are believed; otherwise it is as if none had told anything.
    """
    with Library.open(folder) as library:
        demo = library.demo(demo_id)
        if not told:
            demo_id = _without_reports(library, demo)
        parse_demo(library, demo_id, finder, control=JobControl())
        demo = library.demo(demo_id)
        clicks = [step for step in demo.steps if step.action.action_type == "click"]
        assert len(clicks) == len(hits), f"{len(hits)} clicks became {len(clicks)} steps"
        for hit, step in zip(hits, clicks, strict=True):
            assert step.pointer is not None
            assert step.before is not None
            assert (step.pointer.x, step.pointer.y) == (hit.point.x, hit.point.y)
            elements = demo.elements[step.before.id]
            yield hit, step, next((one for one in elements if one.uid == step.target_uid), None)


def _without_reports(library: Library, demo: Demo) -> str:
    """A copy of a demo of which no program told anything, and its id."""
    steps = (step.but(trees=(), focused=None, pointed=None, target_uid=None, end_uid=None) for step in demo.steps)
    head = demo.head.model_copy(update={"id": new_id("demo")})
    library.add_demo(Demo(head=head, steps=tuple(steps), elements={}))
    return head.id


def is_bound(hit: Hit, element: Element) -> bool:
    """Whether an element is the control that was clicked."""
    box, control = element.box, hit.box
    fits = box.contains(control.center) and box.area <= _LARGEST * control.area
    if hit.aim.part in {"row", "cell"}:
        # A row holds the cell; the words in a cell are less than it.
        is_row = (
            element.type != "tabled_text" and box.y1 <= control.center.y < box.y2 and box.height <= 1.6 * control.height
        )
        fits = is_row or control.contains(box.center)
    elif hit.aim.part in {"label", "mark"}:
        # Programs stretch a box to tick over their windows: its mark and its words are what can be seen of it.
        said = label_likeness(hit.aim.name, element.text or "") > 0
        fits = said and control.contains(box.center) and box.area <= _LARGEST * control.area
    return element.type in _TYPES[hit.aim.role] and fits


if __name__ == "__main__":
    main()

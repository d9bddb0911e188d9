"""Whatever programs report and models find, on whatever picture, reading both together ends in elements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.steps import AccessibleElement, Step
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from models.vision.reports.acted_areas import with_acted_areas
from models.vision.reports.elements import ReportedElement, reported_areas, reported_elements
from models.vision.reports.joining import join_reports
from models.vision.reports.pointed import join_accessibility
from models.vision.reports.unreported import grounds_of
from models.vision.spin_buttons import spin_buttons, with_acted_spin_buttons
from tests.support.small_demos import click_step, type_step

_WIDTH, _HEIGHT = 160, 100
_FRAME = Frame(id="a" * 64, width=_WIDTH, height=_HEIGHT)
_ROLES = (
    *TYPES_OF_ROLES, "unknown", "filler", "panel", "split pane", "scroll pane", "table", "tree", "tree table", "list",
    "menu bar", "popup menu", "page tab list", "layered pane", "document web", "canvas", "status bar", "separator",
)  # fmt: skip
_STATES = (
    "checked", "checkable", "focused", "editable", "expandable", "expanded", "selected", "selectable", "multi line",
    "manages descendants", "focusable", "armed", "pressed",
)  # fmt: skip
_WORDS = ("", "", "Save", "A", "Send me news", "1 234.50")


class _Anything:
    """Boxes of few coordinates, so that they touch, lie in one another and stick out; all of one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._across = [0, _WIDTH, *(self._random.randint(0, _WIDTH) for _ in range(6))]
        self._down = [0, _HEIGHT, *(self._random.randint(0, _HEIGHT) for _ in range(6))]
        self.steps = [self._step(n) for n in range(3)]

    def box(self) -> Rect:
        while True:
            x1, x2 = sorted(self._random.choices(self._across, k=2))
            y1, y2 = sorted(self._random.choices(self._down, k=2))
            x1 = max(0, x1 - self._random.choice((0, 0, 1)))
            if x1 < x2 and y1 < y2:
                return Rect(x1, y1, x2, y2)

    def image(self) -> RgbImage:
        pixels = np.full((_HEIGHT, _WIDTH, 3), self._random.randint(0, 255), dtype=np.uint8)
        for _ in range(self._random.randint(0, 12)):
            box, grey = self.box(), self._random.randint(0, 255)
            pixels[box.y1 : box.y2, box.x1 : box.x2] = grey
            if self._random.random() < 0.5:
                pixels[box.y1 + 1 : box.y2 - 1, box.x1 + 1 : box.x2 - 1] = self._random.randint(0, 255)
        return pixels

    def found(self) -> list[Element]:
        return [
            Element(
                uid=f"el_{n}",
                frame=_FRAME.id,
                type=self._random.choice(ELEMENT_TYPES),
                box=self.box(),
                text=self._word() or None,
                source=self._random.choice(("ocr", "detector", "rule")),
                confidence=self._random.random(),
            ).cleaned()
            for n in range(self._random.randint(0, 8))
        ]

    def reported(self) -> list[ReportedElement]:
        return [self._reported() for _ in range(self._random.randint(1, 8))]

    def window(self) -> tuple[TreeReading, WindowTree]:
        nodes = [TreeNode(role="frame", box=Rect(0, 0, _WIDTH, _HEIGHT))]
        for _ in range(self._random.randint(1, 25)):
            role, states = self._random.choice(_ROLES), self._random.sample(_STATES, self._random.randint(0, 4))
            box = None if self._random.random() < 0.1 else self.box()
            parent = self._random.randrange(len(nodes))
            nodes.append(TreeNode(parent=parent, role=role, name=self._word(), states=("showing", *states), box=box))
        toolkit = self._random.choice(("gtk 3.24.38", "Qt 5.15.8", "WebKitGtk", ""))
        tree = WindowTree(app="any", title="Any", toolkit=toolkit, box=nodes[0].box, nodes=tuple(nodes))
        proved = self._random.random() < 0.8
        changed = (self.box(),) if self._random.random() < 0.3 else ()
        return TreeReading(tree="t", started_ns=0, ended_ns=1, proved=proved, changed=changed), tree

    def point(self) -> Point:
        return Point(self._random.randrange(_WIDTH), self._random.randrange(_HEIGHT))

    def _word(self) -> str:
        return self._random.choice(_WORDS)

    def _step(self, number: int) -> Step:
        if self._random.random() < 0.5:
            step = click_step(number, _FRAME, None, self.point())
        else:
            step = type_step(number, _FRAME, _FRAME, "abc")
        return step.but(pointed=self._told(), focused=self._told())

    def _told(self) -> AccessibleElement | None:
        if self._random.random() < 0.3:
            return None
        return AccessibleElement(role=self._random.choice(_ROLES), name=self._word(), box=self.box())

    def _reported(self) -> ReportedElement:
        kind, chance = self._random.choice(ELEMENT_TYPES), self._random.random
        return ReportedElement(
            type=kind,
            box=None if chance() < 0.05 else self.box(),
            name=self._word(),
            text=self._word(),
            placeholder=self._word(),
            states={state: chance() < 0.5 for state in ATTRIBUTES[kind].states if chance() < 0.5},
            stale=chance() < 0.2,
            is_written=chance() < 0.2,
            is_filled=chance() < 0.1,
            unsure=chance() < 0.3,
            acts=chance() < 0.1,
            secure=chance() < 0.1,
            window=self.box() if chance() < 0.5 else None,
        )


def _some(boxes: Sequence[Rect], _: Step) -> Sequence[Rect]:
    return boxes


def _lie_on_the_frame(elements: Sequence[Element]) -> bool:
    frame = Rect(0, 0, _WIDTH, _HEIGHT)
    return all(one.box.area and frame.encloses(one.box) for one in elements)


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_what_is_reported_of_anything_is_joined_with_what_is_found(first: int) -> None:
    for seed in range(first, first + 100):
        given = _Anything(seed)
        image, found, (reading, tree) = given.image(), given.found(), given.window()
        reports = [(reading, tree)]
        reported = given.reported() if seed % 2 else reported_elements(reports, _FRAME)
        joined = join_reports(
            found, reported, image, _FRAME, grounds=grounds_of(reports, _FRAME), pointers=[given.point()]
        )
        changed = [given.box()]
        told = join_accessibility(joined, _FRAME, given.steps, changes=partial(_some, changed))
        elements = with_acted_areas(told, reported_areas(reports, _FRAME), _FRAME, given.steps)
        elements = with_acted_spin_buttons(elements, image, _FRAME, given.steps)
        assert all(one.box.area for one in spin_buttons(image, given.box())), seed
        assert _lie_on_the_frame(elements), seed
        assert len({one.uid for one in elements}) == len(elements), seed

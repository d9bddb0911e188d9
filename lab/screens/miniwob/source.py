"""MiniWoB++ tasks as screens: the start of an episode, and moments after a person has done something on it."""

from __future__ import annotations

import math
import random
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from demopack.domain.geometry import Rect
from lab.screens.browser import Browser, BrowserInput
from lab.screens.miniwob.acts import ScriptedUser
from lab.screens.miniwob.pages import page_path, script
from lab.screens.miniwob.tasks import SEEDS, tasks_of
from lab.screens.sources import Rendered, SampleSpec
from models.training.labelled_screens import GroundTruth, SourceName, Split

AREA: Final = Rect(0, 0, 160, 210)
"""The part of the page that belongs to the task; everything that is asked for happens here."""
_WINDOW: Final = (500, 320)
_MOMENTS: Final = 2.4
"""Screens of one spec on average, measured."""
_MOST_ACTS: Final = 3
_FONTS: Final = ("", "", "", "DejaVu Sans", "Nimbus Sans", "Liberation Serif", "DejaVu Sans Condensed", "Nimbus Roman")
_DARK: Final = "#1f2430"
_GROUNDS: Final = ("#555", "#555", "#fff", "#eef1f5", _DARK)


class MiniwobSource:
    """The 67 CAAP tasks; 47 of them, with other seeds, for training."""

    @property
    def name(self) -> SourceName:
        """``miniwob``."""
        return "miniwob"

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        """Orders for about ``count`` screens, the same number for each task; at most one for each seed of a task."""
        tasks, band = tasks_of(side), SEEDS[side]
        each = min(len(band), max(1, math.ceil(count / _MOMENTS / len(tasks))))
        seeds = {task: random.Random(f"{seed} {side} {task}").sample(band, each) for task in tasks}  # noqa: S311 - play
        orders = [(task, seeds[task][i]) for i in range(each) for task in tasks]
        wanted = min(len(orders), max(1, math.ceil(count / _MOMENTS)))
        return [
            SampleSpec(group=task, side=side, seed=number, variant=_variant(task, number, side))
            for task, number in orders[:wanted]
        ]

    @contextmanager
    def renderer(self) -> Generator[MiniwobRenderer, None, None]:
        """A browser for the pages.

        Raises:
            CaptureError: Chromium or the pages are not installed.
        """
        page_path("click-test")
        with Browser(*_WINDOW) as browser:
            browser.on_every_page(script("stage"))
            yield MiniwobRenderer(browser)


class MiniwobRenderer:
    """Draws specs in one browser.

    Args:
        browser: with the stage's script on every page.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        """The start of an episode and up to three moments after it that look different.

        Raises:
            CaptureError: the browser failed.
        """
        browser, variant = self._browser, spec.variant
        chance = random.Random(f"{spec.group} {spec.seed} {spec.side}")  # noqa: S311 - play
        whole = variant.get("part") == "window"
        clip = Rect(0, 0, *_WINDOW) if whole else AREA
        browser.view(*_WINDOW, scale=float(variant["scale"]))
        browser.caret(shown=variant.get("caret") != "off")
        browser.load_file(page_path(spec.group))
        hand = BrowserInput(browser)
        hand.move(_WINDOW[0] - 2, _WINDOW[1] - 2)
        browser.run(script("start"), str(spec.seed), _rules(variant))
        person = ScriptedUser(browser, hand, chance, task=spec.group)
        moments = [self._moment("start", clip)]
        for _ in range(chance.randint(1, _MOST_ACTS)):
            act = person.act([one for one in moments[-1].elements if _on(AREA, one, browser.scale)])
            moment = self._moment(act, clip)
            if not any(np.array_equal(moment.image, before.image) for before in moments):
                moments.append(moment)
        return moments

    def _moment(self, act: str, clip: Rect) -> Rendered:
        image = self._browser.picture(clip=clip)
        self._browser.run(script("hints"))
        return Rendered(image=image, elements=self._browser.truth(image, clip=clip), variant={"moment": act})


def _variant(task: str, seed: int, side: Split) -> dict[str, str]:
    if side == "test":
        return {"scale": "1"}
    chance = random.Random(f"{task} {seed} variant")  # noqa: S311 - play
    return {
        "scale": chance.choice(["1", "1", "1", "1", "1.25", "1.5", "2"]),
        "part": chance.choice(["area", "area", "area", "window"]),
        "font": chance.choice(_FONTS),
        "ground": chance.choice(_GROUNDS),
        "caret": chance.choice(["on", "on", "off"]),
    }


def _rules(variant: dict[str, str]) -> str:
    rules = ""
    if variant.get("font"):
        rules += f"body, button, input, select {{ font-family: '{variant['font']}', sans-serif !important; }}"
    if variant.get("ground"):
        rules += f"body {{ background-color: {variant['ground']} !important; }}"
        if variant["ground"] == _DARK:
            rules += "#reward-display, #timer-countdown { color: #e6e8ee !important; }"
    return rules


def _on(area: Rect, one: GroundTruth, scale: float) -> bool:
    return one.box.x2 <= area.x2 * scale and one.box.y2 <= area.y2 * scale

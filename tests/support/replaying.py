"""Replays of the app on a screen of pictures: the player is the real one, screen and inputs are not."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from annotator.replay_run import ReplayPlan, ReplayRun, ReplayWatch, RowsOutcome, run_replay
from demopack.clock import now_ns
from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.domain.proofs import ReplayProof, proof_basis
from demopack.domain.screenshots import Screenshot
from demopack.jobs import JobControl
from demopack.settings import PlayerSettings, Settings
from demopack.store import Library
from player.replay_proof import store_proof
from recorder.backends.base import AccessSource, ScreenSource, WindowSource
from tests.support.fake_performer import FakePerformer

FAST = PlayerSettings(pause_s=0, pointer_px_s=100_000, typing_interval_ms=0, settle_timeout_s=0.2)


def prove(library: Library, demo_id: str) -> ReplayProof:
    """Mark a demo as done again on 7 March 2026, on a screen of 1280 by 800 pixels."""
    demo = library.demo(demo_id)
    at = datetime(2026, 3, 7, 12, tzinfo=UTC)
    steps = len(demo.steps)
    proof = ReplayProof(
        at=at, kind="pictures", width=1280, height=800, steps=steps, seconds=9, basis=proof_basis(demo.steps)
    )
    store_proof(library, demo, proof)
    return proof


class PictureScreen(ScreenSource):
    """Shows one picture until told otherwise."""

    def __init__(self) -> None:
        self.image: RgbImage | None = None

    def grab(self) -> Screenshot:
        assert self.image is not None
        now = now_ns()
        return Screenshot(image=self.image, started_ns=now, ended_ns=now)

    def close(self) -> None:
        return


class PlayedDemos:
    """A desktop that does what a demo recorded, as soon as something is performed.

    Attributes:
        performer: notes what was performed.
        plans: by which demos were done again.
        spoilt: number of a step after which the screen looks otherwise, from 1; 0 for none.
        error: raised instead of a replay.
        countdown_s: before the first step.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.performer = FakePerformer()
        self.screen = PictureScreen()
        self.plans: list[ReplayPlan] = []
        self.spoilt = 0
        self.error: Exception | None = None
        self.countdown_s = 0
        self._library: Library | None = None
        self._demo: Demo | None = None
        self._number = 1
        self.performer.before = self._performed
        fakes = {
            "open_performer": lambda: self.performer,
            "open_screen": lambda: self.screen,
            "open_windows": WindowSource,
            "open_input": lambda: None,
            "open_access": AccessSource,
            "KeyGrab": lambda _: contextlib.ExitStack(),
        }
        for name, fake in fakes.items():
            monkeypatch.setattr(f"player.replay_stage.{name}", fake)

    def replay(
        self, library: Library, plan: ReplayPlan, settings: Settings, watch: ReplayWatch, control: JobControl
    ) -> ReplayRun | RowsOutcome:
        """As ``Services.replay``."""
        self.plans.append(plan)
        if self.error is not None:
            raise self.error
        self._library = library

        def begin(demo: Demo) -> None:
            self._demo = demo
            first = demo.steps[0].before
            assert first is not None
            self.screen.image = library.get_image(first.id)
            watch.on_begin(demo)

        def follow(number: int) -> None:
            self._number = min(number, len(library.demo(plan.demo_id).steps))
            watch.on_next(number)

        fast = settings.model_copy(update={"player": FAST})
        plan = replace(plan, countdown_s=self.countdown_s)
        return run_replay(library, plan, fast, replace(watch, on_begin=begin, on_next=follow), control)

    def _performed(self, _count: int) -> None:
        if self.performer.done[-1].startswith("m") or self._demo is None or self._library is None:
            return
        after = self._demo.steps[self._number - 1].after
        if after is not None:
            image: Any = self._library.get_image(after.id)
            if self._number == self.spoilt:
                image = image.copy()
                image[100:300, 50:450] = 90
            self.screen.image = image

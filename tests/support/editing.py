"""A store thread that a test turns by hand, and a sample library that is drawn once and then copied."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo

SAMPLE, TINY = "demo_5a3b1e0c77", "demo_0000000001"


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="demopack-sample-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with Library.open(folder / "library") as library:
        tiny_demo(library, demo_id=TINY)
        sample_demo(library, demo_id=SAMPLE)
    return folder / "library"


def sample_library(folder: Path) -> Path:
    """A library with the demos ``SAMPLE`` and ``TINY`` in ``folder``; a copy, because drawing takes a while."""
    return Path(shutil.copytree(_template(), folder / "library"))


class HandStore:
    """Does its work when ``run`` is called, in order, like the one thread of the app; ``hold`` keeps work waiting."""

    def __init__(self, *, held: bool = False) -> None:
        self.held = held
        self._work: deque[tuple[Callable[[], Any], Callable[[Any], None], Callable[[Exception], None]]] = deque()

    def submit(
        self, work: Callable[[], Any], *, on_result: Callable[[Any], None], on_error: Callable[[Exception], None]
    ) -> None:
        self._work.append((work, on_result, on_error))
        if not self.held:
            self.run()

    def run(self) -> None:
        while self._work:
            work, on_result, on_error = self._work.popleft()
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - as the runner: every error is handed to the one who asked
                on_error(error)
            else:
                on_result(result)


def element(uid: str = "el_1", box: tuple[int, int, int, int] = (10, 10, 30, 20), **fields: Any) -> Element:
    """An element on frame ``f`` unless told otherwise."""
    return Element.model_validate({"uid": uid, "frame": "f", "type": "button", "box": Rect(*box), **fields})

"""Many tiny demos that differ in task, application and pictures, for tests of packs as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from demopack.pack import export_pack
from demopack.store import Library
from tests.support.demos import DemoBuilder, demo_head
from tests.support.packs import PackFolder
from tests.support.pictures import noise_image


def small_demo(
    library: Library, number: int, *, task: str = "", app: str = "", start: int = 0, at: int = 15, **head: Any
) -> str:
    """A click, a text and the end; returns the demo's id.

    Args:
        library: where to.
        number: of the demo; its pictures follow from it.
        task: what for; empty makes one of its own.
        app: where; empty makes it ``App``.
        start: the number of the first picture where that is shared with other demos; 0 for one of its own.
        at: where the first click goes, in pixels from the left and the top.
        head: further fields of the head.
    """
    b = DemoBuilder(library=library, demo_id=f"demo_{number:010}")
    first = b.frame(noise_image(64, 48, seed=start or 10 * number))
    button = Element(
        uid=f"{b.demo_id}_button", frame=first.id, type="button", box=Rect(at - 5, at - 5, at + 5, at + 5), text="Go",
        source="detector", confidence=0.9, track_id="go_0",
    )  # fmt: skip
    b.parse(first, [button])
    b.step("click", first, None, at=Point(at, at), thought=f"Go comes first in {number}.")
    second = b.frame(noise_image(64, 48, seed=10 * number + 1))
    b.steps[0] = b.steps[0].model_copy(update={"after": second})
    b.step("type", second, None, parameters={"text_to_type": f"text {number}"}, thought=f"Then the text {number}.")
    third = b.frame(noise_image(64, 48, seed=10 * number + 2))
    b.steps[1] = b.steps[1].model_copy(update={"after": third})
    b.step("finish_goal", third, None, thought=f"It is done, {number}.")
    fields = {"task": task or f"Task {number}", "app": app or "App", "final_frame": third, **head}
    return b.store(demo_head(b.demo_id, **fields))


def pack_of(folder: Path, demos: Sequence[dict[str, Any]], *, first: int = 1, licence: str = "MIT") -> PackFolder:
    """A pack of small demos; each dict holds what :func:`small_demo` takes."""
    with Library.open(folder / "library") as library:
        ids = [small_demo(library, number, **given) for number, given in enumerate(demos, start=first)]
        export_pack(library, ids, folder / "pack", licence=licence, consent="Yes.")
    return PackFolder(folder / "pack")

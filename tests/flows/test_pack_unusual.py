"""Packs that are unusual, and good all the same."""

from __future__ import annotations

from pathlib import Path

from demopack.domain.geometry import Point
from demopack.pack import check_pack, export_pack
from demopack.store import Library
from tests.support.demos import DemoBuilder, demo_head
from tests.support.pictures import noise_image


def test_a_failed_demo_and_a_step_added_by_hand_are_good(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        builder = DemoBuilder(library=library, demo_id="demo_hand")
        frame = builder.frame(noise_image(32, 24, seed=1))
        builder.step("wait", frame, None, parameters={"wait_duration_s": 1}, thought="The page must load first.")
        builder.steps[0] = builder.steps[0].model_copy(update={"started_ns": 0, "ended_ns": 0})
        builder.step("finish_goal", frame, None, parameters={"status": "failure"}, thought="It cannot be done.")
        builder.store(demo_head("demo_hand", outcome="failure", final_frame=frame, licence="MIT"))
        export_pack(library, ["demo_hand"], tmp_path / "pack")
    assert check_pack(tmp_path / "pack") == []


def test_a_press_on_another_monitor_is_good(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        builder = DemoBuilder(library=library, demo_id="demo_two")
        frame = builder.frame(noise_image(32, 24, seed=1))
        builder.step("click", frame, None, at=Point(-40, 5), thought="The other screen.")
        builder.step("finish_goal", frame, None, thought="Done.")
        builder.store(demo_head("demo_two", final_frame=frame, licence="MIT"))
        export_pack(library, ["demo_two"], tmp_path / "pack")
    assert check_pack(tmp_path / "pack") == []

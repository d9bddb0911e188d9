"""Places on monitors of unlike scale, in the unit that each system counts its desktop in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mixed_screens import MAC_MIXED, WINDOWS_MIXED, OffscreenMonitor, run_on_monitors

BOXES = """
from annotator.ui.recording.floating import desktop_pixels
sys.platform = PLATFORM
boxes = {}
for screen in app.screens():
    box = desktop_pixels(screen.geometry(), screen)
    boxes[screen.name()] = [screen.devicePixelRatio(), box.x1, box.y1, box.width, box.height]
print(json.dumps(boxes))
"""


@pytest.mark.parametrize(
    ("monitors", "platform"), [(WINDOWS_MIXED, "win32"), (MAC_MIXED, "darwin")], ids=["windows", "macos"]
)
def test_a_monitor_has_the_box_that_the_system_gives_it(
    tmp_path: Path, monitors: tuple[OffscreenMonitor, ...], platform: str
) -> None:
    boxes = run_on_monitors(monitors, BOXES.replace("PLATFORM", repr(platform)), folder=tmp_path)
    assert len(boxes) == len(monitors)
    for monitor in monitors:
        ratio, *box = boxes[monitor.name]
        expected = [monitor.x, monitor.y, monitor.width, monitor.height]
        assert ratio == monitor.scale
        assert all(abs(found - wanted) <= 1 for found, wanted in zip(box, expected, strict=True)), (box, expected)

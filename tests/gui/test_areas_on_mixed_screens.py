"""Areas that are drawn or chosen on monitors of unlike scale are those that the system counts, to a unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect
from recorder.area import CaptureArea
from recorder.backends.base import area_box
from tests.support.mixed_screens import MAC_MIXED, WINDOWS_MIXED, OffscreenMonitor, run_on_monitors

Monitors = tuple[OffscreenMonitor, ...]
SYSTEMS = pytest.mark.parametrize(
    ("monitors", "system"), [(WINDOWS_MIXED, "win32"), (MAC_MIXED, "darwin")], ids=["windows", "macos"]
)

START = """
from PySide6.QtCore import QObject, QPoint, QRect, QSettings, Qt
from PySide6.QtTest import QTest
from annotator.ui.recording.capture_area import AreaField, RegionPicker
from annotator.ui.recording.tray import RecorderTray
from annotator.ui.theme.manager import Theme
from recorder.event_filter import OwnWindows
from types import SimpleNamespace

theme = Theme(app, choice="light")
sys.platform = SYSTEM
"""

DRAWN = """
found = []
names = [screen.name() for screen in app.screens()]
for name, (x1, y1, x2, y2) in DRAGS:
    picker = RegionPicker(theme, done=found.append)
    picker.open()
    window = picker.windows[names.index(name)]
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=QPoint(x1, y1))
    QTest.mouseMove(window, QPoint(x2, y2))
    shown = {name: one._here(picker.region).getRect() for name, one in zip(names, picker.windows)}
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=QPoint(x2, y2))
    found[-1] = [*found[-1].corners, shown]
    assert not picker.windows
theme.close()
print(json.dumps(found))
"""

CHOSEN = """
field = AreaField(theme, draw=lambda: None, read_windows=lambda: None)
print(json.dumps([field.kind.itemData(row) for row in range(field.kind.count())]))
field.deleteLater()
theme.close()
"""

TRAY = """
own = OwnWindows()
owner = QObject()
tray = RecorderTray(theme, list, own, owner)
found = []
for box in BOXES:
    tray._icon = SimpleNamespace(geometry=lambda: QRect(*box))
    tray._tell_place()
    found.append(own.docked[0].corners)
theme.close()
print(json.dumps(found))
"""


def on(monitors: Monitors, system: str, code: str, folder: Path, **values: object) -> Any:
    whole = START + code
    for name, value in {"SYSTEM": system, **values}.items():
        whole = whole.replace(name, repr(value))
    return run_on_monitors(monitors, whole, folder=folder)


def ratio(monitor: OffscreenMonitor) -> float:
    """Units of the system for each of Qt's."""
    return 1.0 if monitor.in_points else monitor.scale


def in_window(monitor: OffscreenMonitor, x: int, y: int) -> tuple[int, int]:
    """A place of the desktop as a window over that monitor gets it, which Qt's test library wants whole."""
    return round((x - monitor.x) / ratio(monitor)), round((y - monitor.y) / ratio(monitor))


@SYSTEMS
def test_a_region_is_drawn_to_a_unit_on_every_monitor_and_across_their_edges(
    tmp_path: Path, monitors: Monitors, system: str
) -> None:
    wanted: list[tuple[int, Rect]] = []
    for number, monitor in enumerate(monitors):
        right, bottom = monitor.x + monitor.width, monitor.y + monitor.height
        wanted += [
            (number, Rect(monitor.x + 101, monitor.y + 51, monitor.x + 704, monitor.y + 403)),
            (number, Rect(right - 403, bottom - 207, right, bottom)),
            (number, Rect(monitor.x, monitor.y + 2, right, bottom)),  # Qt's test library has a use of its own for 0, 0
        ]
    # From the main monitor onto the next one: as long as the button is down all is counted by the first.
    edge = monitors[1].x
    wanted.append((0, Rect(edge - 301, 100, edge + 499, 700)))
    drags: list[tuple[str, tuple[int, ...]]] = []
    for number, box in wanted:
        on_it = monitors[number]
        drags.append((on_it.name, (*in_window(on_it, box.x1, box.y1), *in_window(on_it, box.x2, box.y2))))
    found = on(monitors, system, DRAWN, tmp_path, DRAGS=drags)
    assert len(found) == len(wanted)
    for (_, box), (*corners, shown) in zip(wanted, found, strict=True):
        assert all(abs(a - b) <= 1 for a, b in zip(corners, box.corners, strict=True)), (corners, box)
        for monitor in monitors:
            left, top, width, height = shown[monitor.name]
            scale = ratio(monitor)
            back = [left * scale + monitor.x, top * scale + monitor.y]
            back += [back[0] + width * scale, back[1] + height * scale]
            assert all(abs(a - b) <= 1 for a, b in zip(back, corners, strict=True)), "shown elsewhere"


@SYSTEMS
def test_a_monitor_is_offered_by_its_box_and_a_single_window_not_at_all(
    tmp_path: Path, monitors: Monitors, system: str
) -> None:
    offered = on(monitors, system, CHOSEN, tmp_path)
    everything, *boxes, region = offered
    assert (everything, region) == ("all", "region"), "single windows cannot be captured there"
    # As the capturing library lists them: other names, exact boxes.
    listed = [
        Monitor(name=f"screen {n}", box=Rect(m.x, m.y, m.x + m.width, m.y + m.height)) for n, m in enumerate(monitors)
    ]
    whole = listed[0].box
    for monitor in listed:
        whole = whole.union(monitor.box)
    found = [area_box(CaptureArea.parse(area), whole, listed) for area in boxes]
    assert sorted(box.corners for box in found) == sorted(monitor.box.corners for monitor in listed)


@SYSTEMS
def test_the_icon_in_the_tray_is_ours_where_the_system_draws_it(
    tmp_path: Path, monitors: Monitors, system: str
) -> None:
    wanted: list[Rect] = []
    boxes: list[tuple[int, int, int, int]] = []
    for monitor in monitors:
        right, bottom = monitor.x + monitor.width, monitor.y + monitor.height
        wanted.append(Rect(right - 97, bottom - 45, right - 59, bottom - 7))
        x1, y1 = in_window(monitor, wanted[-1].x1, wanted[-1].y1)
        x2, y2 = in_window(monitor, wanted[-1].x2, wanted[-1].y2)
        boxes.append((x1 + monitor.x, y1 + monitor.y, x2 - x1, y2 - y1))
    found = on(monitors, system, TRAY, tmp_path, BOXES=boxes)
    for corners, box in zip(found, wanted, strict=True):
        assert all(abs(a - b) <= 1 for a, b in zip(corners, box.corners, strict=True)), (corners, box)

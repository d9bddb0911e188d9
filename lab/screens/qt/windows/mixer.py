"""Sliders in numbers: mixing desks, levels, colours; upright and lying, with marks and without."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QMainWindow,
    QProgressBar,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.parts import Switch
from lab.screens.qt.drawing.widget_builder import WidgetBuilder

_SIGNS = ("music", "eye", "bell", "zoom_in", "clock", "star", "image", "video", "settings", "lock")


def mixer(kit: WidgetBuilder) -> QWidget:
    """One to four groups of sliders."""
    inner = QWidget()
    column = QVBoxLayout(inner)
    for _ in range(kit.count(1, 4)):
        panel = QGroupBox(kit.say.noun()) if kit.maybe(0.6) else QWidget()
        kit.pick(_GROUPS)(kit, panel)
        column.addWidget(panel)
    column.addStretch(1)
    if kit.maybe(0.5):
        window = QMainWindow()
        kit.menus(window)
        window.setCentralWidget(inner)
        window.setWindowTitle(kit.say.noun())
        return window
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.noun())
    outer = QVBoxLayout(dialog)
    outer.addWidget(inner, 1)
    row = QHBoxLayout()
    row.addStretch(1)
    for text in kit.say.answers(2):
        row.addWidget(kit.button(text))
    outer.addLayout(row)
    return dialog


def _slider(kit: WidgetBuilder, way: Qt.Orientation = Qt.Orientation.Horizontal) -> QSlider:
    slider = QSlider(way)
    slider.setRange(0, 100)
    slider.setValue(kit.rng.randint(0, 100))
    place = QSlider.TickPosition
    slider.setTickPosition(kit.pick((place.NoTicks, place.NoTicks, place.TicksBelow, place.TicksBothSides)))
    slider.setTickInterval(10)
    slider.setEnabled(not kit.maybe(0.15))
    return slider


def _levels(kit: WidgetBuilder, panel: QWidget) -> None:
    grid = QGridLayout(panel)
    spins = kit.maybe(0.4)
    for row, text in enumerate(kit.say.options(kit.rng.randint(2, 6))):
        slider = _slider(kit)
        grid.addWidget(kit.label(text), row, 0)
        grid.addWidget(slider, row, 1)
        if spins:
            spin = QSpinBox()
            spin.setValue(slider.value())
            spin.setEnabled(slider.isEnabled())
            grid.addWidget(spin, row, 2)
        else:
            grid.addWidget(kit.label(f"{slider.value()} %"), row, 2)


def _upright(kit: WidgetBuilder, panel: QWidget) -> None:
    row = QHBoxLayout(panel)
    for text in kit.say.nouns(kit.rng.randint(3, 9)):
        lane = QVBoxLayout()
        slider = _slider(kit, Qt.Orientation.Vertical)
        slider.setMinimumHeight(kit.pick((70, 100, 140)))
        lane.addWidget(slider, 1, Qt.AlignmentFlag.AlignHCenter)
        lane.addWidget(kit.label(text.split()[0]), 0, Qt.AlignmentFlag.AlignHCenter)
        row.addLayout(lane)


def _pictured(kit: WidgetBuilder, panel: QWidget) -> None:
    column = QVBoxLayout(panel)
    for _ in range(kit.rng.randint(2, 4)):
        row = QHBoxLayout()
        one, two = kit.rng.sample(_SIGNS, 2)
        row.addWidget(kit.picture(one, 18))
        row.addWidget(_slider(kit), 1)
        if kit.maybe(0.5):
            row.addWidget(kit.picture(two, 18))
        column.addLayout(row)


def _switches(kit: WidgetBuilder, panel: QWidget) -> None:
    column = QVBoxLayout(panel)
    for text in kit.say.options(kit.rng.randint(2, 5)):
        row = QHBoxLayout()
        row.addWidget(kit.label(text), 1)
        switch = Switch(kit.look.colours, kit.pick(Switch.SHAPES))
        switch.setChecked(kit.maybe(0.5))
        switch.setProperty("label", text)
        row.addWidget(switch)
        column.addLayout(row)
        column.addWidget(_slider(kit))


def _running(kit: WidgetBuilder, panel: QWidget) -> None:
    column = QVBoxLayout(panel)
    for _ in range(kit.rng.randint(1, 3)):
        bar = QProgressBar()
        bar.setValue(kit.rng.randint(0, 100))
        column.addWidget(bar)
    walk = QHBoxLayout()
    for subtype in ("previous", "play", "pause", "stop", "next")[: kit.rng.randint(3, 5)]:
        walk.addWidget(kit.tool(subtype, size=22))
    walk.addWidget(_slider(kit), 1)
    column.addLayout(walk)


_GROUPS: tuple[Callable[[WidgetBuilder, QWidget], None], ...] = (
    _levels,
    _levels,
    _upright,
    _upright,
    _pictured,
    _switches,
    _running,
)

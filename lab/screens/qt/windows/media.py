"""Programs for pictures and sound: a viewer, a player, a painter."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDial,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QScrollArea,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from lab.screens.qt.drawing.pictures import framed, photo
from lab.screens.qt.drawing.widget_builder import WidgetBuilder


def viewer(kit: WidgetBuilder) -> QWidget:
    """A picture with tools and a strip of small ones."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.file_name())
    if kit.maybe(0.6):
        kit.menus(window)
    tools = ["previous", "next", "zoom_in", "zoom_out", "refresh", "delete", "share", "print", "info"]
    kit.tool_bar(window, tools[: kit.count(3, 9)])
    middle = QWidget()
    column = QVBoxLayout(middle)
    area = QScrollArea()
    area.setAlignment(Qt.AlignmentFlag.AlignCenter)
    area.setWidget(framed(photo(kit, kit.rng.randint(150, 900), kit.rng.randint(120, 700))))
    column.addWidget(area, 1)
    if kit.maybe(0.6):
        column.addWidget(_strip(kit))
    if kit.maybe(0.5):
        row = QHBoxLayout()
        row.addWidget(kit.label(f"{kit.rng.randint(10, 400)} %"))
        zoom = QSlider(Qt.Orientation.Horizontal)
        zoom.setMaximumWidth(160)
        row.addWidget(zoom)
        row.addStretch(1)
        row.addWidget(kit.label(f"{kit.rng.randint(300, 6000)} x {kit.rng.randint(300, 4000)}"))
        column.addLayout(row)
    window.setCentralWidget(middle)
    return window


def _strip(kit: WidgetBuilder) -> QWidget:
    strip = QListWidget()
    strip.setViewMode(QListView.ViewMode.IconMode)
    strip.setFlow(QListView.Flow.LeftToRight)
    strip.setWrapping(False)
    strip.setMovement(QListView.Movement.Static)
    size = kit.pick((48, 64, 80))
    strip.setIconSize(QSize(size, size))
    strip.setFixedHeight(size + 52)
    for _ in range(kit.count(3, 12)):
        strip.addItem(QListWidgetItem(QIcon(photo(kit, size, size)), kit.say.file_name()))
    return strip


def player(kit: WidgetBuilder) -> QWidget:
    """Sound or film with a bar of time and buttons."""
    window = QMainWindow() if kit.maybe(0.6) else QWidget()
    window.setWindowTitle(kit.say.phrase(3))
    middle = QWidget()
    column = QVBoxLayout(middle)
    top = QHBoxLayout()
    if kit.maybe(0.7):
        top.addWidget(framed(photo(kit, kit.rng.randint(120, 480), kit.rng.randint(100, 320))), 1)
    if kit.maybe(0.6):
        songs = QListWidget()
        for number in range(kit.count(3, 18)):
            songs.addItem(QListWidgetItem(f"{number + 1}. {kit.say.phrase(3)}"))
        top.addWidget(songs, 1)
    column.addLayout(top, 1)
    column.addWidget(kit.heading(kit.say.phrase(3)))
    column.addWidget(kit.label(kit.say.name()))
    column.addLayout(_time(kit))
    column.addLayout(_transport(kit))
    if isinstance(window, QMainWindow):
        if kit.maybe(0.6):
            kit.menus(window)
        window.setCentralWidget(middle)
    else:
        outer = QVBoxLayout(window)
        outer.addWidget(middle)
    return window


def _time(kit: WidgetBuilder) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(kit.label(kit.say.clock()))
    bar = QSlider(Qt.Orientation.Horizontal)
    bar.setValue(kit.rng.randrange(100))
    row.addWidget(bar, 1)
    row.addWidget(kit.label(kit.say.clock()))
    return row


def _transport(kit: WidgetBuilder) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addStretch(1)
    flat = kit.maybe(0.5)
    for subtype in ("previous", kit.pick(("play", "pause")), "stop", "next"):
        row.addWidget(kit.tool(subtype, size=kit.pick((20, 24, 32)), flat=flat))
    row.addStretch(1)
    if kit.maybe(0.6):
        row.addWidget(kit.picture("bell", 18) if kit.maybe(0.3) else kit.tool("music", size=18))
        volume: QSlider | QDial = QDial() if kit.maybe(0.35) else QSlider(Qt.Orientation.Horizontal)
        volume.setValue(kit.rng.randrange(100))
        volume.setMaximumWidth(110)
        row.addWidget(volume)
    return row


def painter(kit: WidgetBuilder) -> QWidget:
    """A canvas between tools and layers."""
    window = QMainWindow()
    window.setWindowTitle(kit.say.file_name())
    kit.menus(window)
    kit.tool_bar(window, ("new", "open", "save", "undo", "redo", "zoom_in", "zoom_out")[: kit.count(3, 7)])
    middle = QWidget()
    row = QHBoxLayout(middle)
    row.addWidget(_tools(kit))
    area = QScrollArea()
    area.setWidget(framed(photo(kit, kit.rng.randint(200, 800), kit.rng.randint(160, 600))))
    row.addWidget(area, 1)
    side = QVBoxLayout()
    for text in kit.say.fields(kit.rng.randint(1, 4)):
        side.addWidget(kit.label(text))
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setValue(kit.rng.randrange(100))
        spin = QSpinBox()
        spin.setValue(slider.value())
        line = QHBoxLayout()
        line.addWidget(slider, 1)
        line.addWidget(spin)
        side.addLayout(line)
    modes = QComboBox()
    modes.addItems(kit.say.nouns(5))
    side.addWidget(modes)
    layers = QListWidget()
    for text in kit.say.nouns(kit.count(1, 7)):
        item = QListWidgetItem(QIcon(photo(kit, 24, 24)), text)
        item.setCheckState(kit.pick((Qt.CheckState.Checked, Qt.CheckState.Unchecked)))
        layers.addItem(item)
    side.addWidget(layers, 1)
    row.addLayout(side)
    window.setCentralWidget(middle)
    return window


def _tools(kit: WidgetBuilder) -> QWidget:
    box = QFrame()
    grid = QGridLayout(box)
    grid.setSpacing(kit.pick((0, 2, 4)))
    group = QButtonGroup(box)
    group.setExclusive(True)
    columns, size, flat = kit.rng.randint(1, 3), kit.pick((16, 20, 24)), kit.maybe(0.6)
    for number in range(kit.count(4, 20)):
        tool = kit.tool(kit.icons.some(), size=size, flat=flat)
        tool.setCheckable(True)
        tool.setChecked(number == 1)
        group.addButton(tool)
        grid.addWidget(tool, number // columns, number % columns)
    grid.setRowStretch(30, 1)
    return box

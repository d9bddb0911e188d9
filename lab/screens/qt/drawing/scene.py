"""What stands on a picture: one window that fills it, one with a frame, or a desktop with several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from lab.screens.qt.drawing.decoration import Decorator
from lab.screens.qt.drawing.desktop import task_bar, wallpaper
from lab.screens.qt.drawing.stage import Pane, Stage
from lab.screens.qt.drawing.widget_builder import WidgetBuilder

Builder = Callable[[WidgetBuilder], QWidget]

MARGIN: Final = 400
"""Where the stage begins on Qt's own screen, so that nothing is ever moved back into it."""
_SIZES: Final = (
    (320, 240),
    (400, 300),
    (480, 360),
    (640, 480),
    (640, 400),
    (800, 600),
    (800, 500),
    (1024, 768),
    (1024, 600),
    (1280, 720),
    (1280, 800),
    (1366, 768),
    (1440, 900),
    (1600, 900),
    (1920, 1080),
)
_LARGEST: Final = (1920, 1080)


class Scene:
    """A stage with its windows; ``main`` is the one that has the focus."""

    def __init__(self, stage: Stage, main: QWidget, windows: list[QWidget], manner: str) -> None:
        self.stage = stage
        self.main = main
        self.windows = windows
        self.manner = manner

    def close(self) -> None:
        """Take the windows away, for good."""
        for window in self.windows:
            window.close()
            window.deleteLater()


def make_scene(kit: WidgetBuilder, build: Builder, others: list[Builder], ratio: float) -> Scene:
    """Build the windows and put them on a stage.

    Args:
        kit: chance, words, icons, look.
        build: makes the main window.
        others: make what may stand beside it.
        ratio: pixels for each logical one.
    """
    draw = kit.rng.random()
    if draw < 0.35:
        return _bare(kit, build, ratio)
    return _framed(kit, build, ratio) if draw < 0.6 else _desktop(kit, build, others, ratio)


def _show(window: QWidget, width: int, height: int) -> None:
    window.resize(width, height)
    window.show()
    QApplication.processEvents()


def _bare(kit: WidgetBuilder, build: Builder, ratio: float) -> Scene:
    window = build(kit)
    width, height = kit.pick(_SIZES)
    _show(window, *_fit(kit, window, round(width / ratio), round(height / ratio)))
    window.move(MARGIN, MARGIN)
    stage = Stage(
        min(_LARGEST[0], round(window.width() * ratio)), min(_LARGEST[1], round(window.height() * ratio)), ratio
    )
    stage.panes.append(Pane(window, QPoint(0, 0)))
    return Scene(stage, window, [window], "bare")


def _fit(kit: WidgetBuilder, window: QWidget, width: int, height: int) -> tuple[int, int]:
    """Dialogs, and now and then other windows, are about as large as what is in them."""
    if not isinstance(window, QDialog) and kit.maybe(0.6):
        return width, height
    hint = window.sizeHint()
    return (
        min(width, round(hint.width() * kit.rng.uniform(1, 1.5))),
        min(height, round(hint.height() * kit.rng.uniform(1, 1.4))),
    )


def _framed(kit: WidgetBuilder, build: Builder, ratio: float) -> Scene:
    decorator = Decorator(kit.rng, kit.look.colours, kit.icons)
    window = build(kit)
    width, height = kit.pick(_SIZES)
    wide, high = decorator.room()
    _show(window, *_fit(kit, window, round(width / ratio) - wide, round(height / ratio) - high))
    air = kit.pick((0, 0, 8, 20, 40))
    full = ((window.width() + wide) * ratio + 2 * air, (window.height() + high) * ratio + 2 * air)
    stage = Stage(min(_LARGEST[0], round(full[0])), min(_LARGEST[1], round(full[1])), ratio)
    stage.ground = wallpaper(kit, stage.width, stage.height, ratio, icons=False)
    pane = decorator.framed(window, QPoint(air, air), ratio, active=True)
    _stand(window, pane, ratio)
    stage.panes.append(pane)
    return Scene(stage, window, [window], f"framed-{decorator.name}")


def _stand(window: QWidget, pane: Pane, ratio: float) -> None:
    """Where Qt believes the window to be, so that what opens from it opens at the right place."""
    window.move(MARGIN + round(pane.at.x() / ratio), MARGIN + round(pane.at.y() / ratio))


def _desktop(kit: WidgetBuilder, build: Builder, others: list[Builder], ratio: float) -> Scene:
    decorator = Decorator(kit.rng, kit.look.colours, kit.icons)
    fitting = [size for size in _SIZES if size[0] / ratio >= 760]
    width, height = kit.pick(fitting or [_LARGEST])
    stage = Stage(width, height, ratio)
    stage.ground = wallpaper(kit, width, height, ratio, icons=kit.maybe(0.6))
    windows = [kit.pick(others)(kit) for _ in range(kit.pick((0, 0, 1, 1, 2)))]
    windows.append(build(kit))
    bar = task_bar(kit, [window.windowTitle() for window in windows]) if kit.maybe(0.7) else None
    top = 0
    if bar is not None:
        _show(bar, round(width / ratio), bar.sizeHint().height())
        top = round(bar.height() * ratio) if kit.maybe(0.3) else 0
    for window in windows:
        active = window is windows[-1]
        share = kit.rng.uniform(0.5, 0.95) if active else kit.rng.uniform(0.3, 0.7)
        wanted = round(width / ratio * share), round(height / ratio * min(0.9, share * kit.rng.uniform(0.9, 1.2)))
        _show(window, *_fit(kit, window, *wanted))
        pane = decorator.framed(window, _spot(kit, stage, window, decorator, top), ratio, active=active)
        _stand(window, pane, ratio)
        stage.panes.append(pane)
    if bar is not None:
        stage.panes.append(Pane(bar, QPoint(0, 0 if top else height - round(bar.height() * ratio))))
    main = windows[-1]
    return Scene(stage, main, windows if bar is None else [*windows, bar], f"desktop-{decorator.name}")


def _spot(kit: WidgetBuilder, stage: Stage, window: QWidget, decorator: Decorator, top: int) -> QPoint:
    wide, high = decorator.room()
    room_x = stage.width - round((window.width() + wide) * stage.ratio)
    room_y = stage.height - round((window.height() + high) * stage.ratio)
    slack = 60 if kit.maybe(0.2) else 0
    x = kit.rng.randint(min(0, room_x) - slack, max(0, room_x) + slack)
    y = kit.rng.randint(top, max(top + 1, room_y))
    return QPoint(max(x, -window.width() // 3), y)

"""Draws the moments of one order."""

from __future__ import annotations

import random
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QListView

from demopack.domain.frames import RgbImage
from lab.screens.qt.drawing.icons import IconMaker, picture_files
from lab.screens.qt.drawing.moments import change
from lab.screens.qt.drawing.pointer import draw_pointer
from lab.screens.qt.drawing.popups import close_all, open_one
from lab.screens.qt.drawing.scene import Scene, make_scene
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.drawing.window_style import apply_style
from lab.screens.qt.sides import TEST_GENERATORS
from lab.screens.qt.windows.all import BUILDERS
from lab.screens.qt.words.speech import LANGUAGES, Speech
from models.training.labelled_screens import GroundTruth

Moment = tuple[RgbImage, list[GroundTruth], dict[str, str]]

_POINTED = 0.35
"""Share of the moments with the pointer on the picture."""
_OPEN = 0.35
"""Share of the moments with a menu, a list or a hint open."""


class Artist:
    """Makes windows and looks at them; one order after the other."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self._app = app
        self._folder = folder

    def draw(self, *, seed: int, variant: dict[str, str]) -> list[Moment]:
        """Every moment of one order; equal arguments give equal pixels and truth."""
        rng = random.Random(f"{seed} {sorted(variant.items())}")  # noqa: S311 - nothing secret
        language = rng.choice((*LANGUAGES, "en", "en", "en", "de", "fr"))
        look = apply_style(
            self._app,
            rng,
            style=variant["style"],
            number=int(variant["palette"]),
            language=language,
            picture=picture_files(self._folder),
        )
        kit = WidgetBuilder(rng, Speech(rng, language), IconMaker(rng, look.colours, self._folder), look)
        # What is held out must not stand behind another window either.
        companions = [builder for name, builder in BUILDERS.items() if name not in TEST_GENERATORS]
        scene = make_scene(kit, BUILDERS[variant["window"]], companions, float(variant["scale"]))
        told = {"language": language, "font": f"{look.family} {look.points}", "stage": scene.manner}
        try:
            return [self._moment(kit, scene, number, told) for number in range(int(variant["moments"]))]
        finally:
            close_all(scene)
            scene.close()
            self._app.processEvents()
            # Windows that wait for their end must not live to see another style.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _moment(self, kit: WidgetBuilder, scene: Scene, number: int, told: dict[str, str]) -> Moment:
        scene.main.activateWindow()
        self._app.processEvents()
        # Rows that were laid out before the style sheet gave them air would overlap.
        for window in scene.windows:
            for view in window.findChildren(QListView):
                if view.isVisible():
                    view.doItemsLayout()
        change(kit, scene.main, first=number == 0)
        self._app.processEvents()
        above = open_one(kit, scene) if kit.maybe(_OPEN) else []
        # Qt forgets it whenever a window is activated; without it some styles do not draw the focus.
        scene.main.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        image, truths = scene.stage.draw(above)
        pointer = draw_pointer(kit, image, scene.stage.ratio) if kit.maybe(_POINTED) else "none"
        opened = type(above[-1].widget).__name__ if above else "nothing"
        close_all(scene)
        return image, truths, {**told, "open": opened, "pointer": pointer}

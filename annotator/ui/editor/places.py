"""Set-up of the editor's window, remembered from one demo to the next and over restarts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QSplitter

from annotator.ui.editor.boxes.drawing_aids import DrawingAidsFeature
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.editor.panels.side_panel import FIRST_TAB
from annotator.ui.editor.review.review_room import ReviewRoom
from demopack.settings import settings_path

_FIT: Final = "fit"


class Places:
    """Widths, the shown tab, hidden panels, zoom, aids and film, kept in ``windows.ini`` beside the settings.

    Whatever is damaged there, or of no use any more, is as it is the first time.
    """

    def __init__(self, context: EditorContext, *, split: QSplitter, room: ReviewRoom) -> None:
        steps, canvas, panel = context.steps, context.canvas, context.panel
        aids = context.feature(DrawingAidsFeature)
        self._kept = QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat)
        self._split, self._canvas, self._panel = split, canvas, panel
        self._switches: Mapping[str, tuple[Callable[[], bool], Callable[[], object]]] = {
            "steps_hidden": (steps.isHidden, lambda: steps.setVisible(steps.isHidden())),
            "panel_hidden": (panel.isHidden, lambda: panel.setVisible(panel.isHidden())),
            "snap": (lambda: canvas.snaps, lambda: canvas.set_snaps(not canvas.snaps)),
            "loupe": (lambda: aids.loupe.on, aids.loupe.toggle),
            "crosshair": (lambda: aids.crosshair.on, aids.crosshair.toggle),
            "minimap": (lambda: not aids.minimap.isHidden(), aids.minimap.toggle),
            "film": (lambda: not room.film.isHidden(), room.toggle_film),
        }

    def restore(self) -> None:
        """Set the window up as it was left; called once, when everything stands."""
        widths = self._numbers("widths")
        if len(widths) == self._split.count() and min(widths) > 0:
            self._split.setSizes([round(width) for width in widths])
        self._show_tab(str(self._kept.value("editor/tab") or ""))
        for name, (is_on, toggle) in self._switches.items():
            kept = self._kept.value(f"editor/{name}")
            if kept in {"yes", "no"} and (kept == "yes") != is_on():
                toggle()
        zoom = str(self._kept.value("editor/zoom") or _FIT)
        if zoom != _FIT and (scale := _number(zoom)) is not None and scale > 0:
            self._canvas.zoom_to(scale)

    def remember(self) -> None:
        """Keep how the window is set up."""
        widths = self._split.sizes()
        if min(widths, default=0) > 0:
            self._kept.setValue("editor/widths", ",".join(map(str, widths)))
        self._kept.setValue("editor/tab", self._panel.shown_tab)
        view = self._canvas.viewport
        self._kept.setValue("editor/zoom", _FIT if view.fitted else f"{view.scale:g}")
        for name, (is_on, _) in self._switches.items():
            self._kept.setValue(f"editor/{name}", "yes" if is_on() else "no")

    def _show_tab(self, name: str) -> None:
        # Tabs that come and go are filled by whoever opens them.
        if name != FIRST_TAB and self._panel.is_offered(name):
            self._panel.show_tab(name)

    def _numbers(self, name: str) -> list[float]:
        # A list of Qt's, or the text of one: both come back from an ini file.
        found = self._kept.value(f"editor/{name}")
        parts = cast("list[object]", found) if isinstance(found, list) else str(found or "").split(",")
        numbers = [_number(str(part)) for part in parts]
        return [number for number in numbers if number is not None]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

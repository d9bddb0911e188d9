"""What the editor remembers from one demo to the next, and over restarts: how its window was set up."""

from __future__ import annotations

from typing import Final, cast

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QSplitter, QWidget

from annotator.ui.canvas.canvas import Canvas
from annotator.ui.editor.boxes.aids_feature import AidsFeature
from annotator.ui.editor.panels.side_panel import FIRST_TAB, SidePanel
from annotator.ui.editor.review.room import ReviewRoom
from demopack.settings import settings_path

__all__ = ["Places"]

_FIT: Final = "fit"


class Places:
    """Widths, the shown tab, hidden panels, zoom, aids and film, kept in ``windows.ini`` beside the settings.

    Whatever is damaged there, or of no use any more, is as it is the first time.
    """

    def __init__(
        self,
        *,
        split: QSplitter,
        steps: QWidget,
        canvas: Canvas,
        panel: SidePanel,
        room: ReviewRoom,
        aids: AidsFeature,
    ) -> None:
        self._kept = QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat)
        self._split, self._steps, self._canvas = split, steps, canvas
        self._panel, self._room, self._aids = panel, room, aids

    def restore(self) -> None:
        """Set the window up as it was left; called once, when everything stands."""
        widths = self._numbers("widths")
        if len(widths) == self._split.count() and min(widths) > 0:
            self._split.setSizes([round(width) for width in widths])
        self._show_tab(str(self._kept.value("editor/tab") or ""))
        self._steps.setVisible(not self._is_on("steps_hidden"))
        self._panel.setVisible(not self._is_on("panel_hidden"))
        zoom = str(self._kept.value("editor/zoom") or _FIT)
        if zoom != _FIT and (scale := _number(zoom)) is not None and scale > 0:
            self._canvas.zoom_to(scale)
        self._canvas.set_snaps(self._is_on("snap", otherwise=self._canvas.snaps))
        for name, aid in (("loupe", self._aids.loupe), ("crosshair", self._aids.crosshair)):
            if self._is_on(name) != aid.on:
                aid.toggle()
        if self._is_on("minimap") == self._aids.minimap.isHidden():
            self._aids.minimap.toggle()
        if self._is_on("film") == self._room.film.isHidden():
            self._room.toggle_film()

    def remember(self) -> None:
        """Keep how the window is set up."""
        widths = self._split.sizes()
        if min(widths, default=0) > 0:
            self._kept.setValue("editor/widths", ",".join(map(str, widths)))
        self._kept.setValue("editor/tab", self._panel.shown_tab)
        view = self._canvas.viewport
        self._kept.setValue("editor/zoom", _FIT if view.fitted else f"{view.scale:g}")
        for name, on in (
            ("steps_hidden", self._steps.isHidden()),
            ("panel_hidden", self._panel.isHidden()),
            ("snap", self._canvas.snaps),
            ("loupe", self._aids.loupe.on),
            ("crosshair", self._aids.crosshair.on),
            ("minimap", not self._aids.minimap.isHidden()),
            ("film", not self._room.film.isHidden()),
        ):
            self._kept.setValue(f"editor/{name}", "yes" if on else "no")

    def _show_tab(self, name: str) -> None:
        # Tabs that come and go are filled by whoever opens them.
        if name != FIRST_TAB and self._panel.is_offered(name):
            self._panel.show_tab(name)

    def _is_on(self, name: str, *, otherwise: bool = False) -> bool:
        found = self._kept.value(f"editor/{name}")
        return found == "yes" if found in {"yes", "no"} else otherwise

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

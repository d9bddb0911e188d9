"""Switches the theme live and follows the system."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from annotator.ui.theme.stylesheet import stylesheet
from annotator.ui.theme.tokens import FONT, PALETTES, Palette, PaletteName
from demopack.replacing import scratch_folder
from demopack.resources import asset

ThemeChoice = Literal["system", "light", "dark", "contrast"]


class Theme(QObject):
    """The palette in use; one for the whole app, handed to whoever paints.

    Signals:
        changed: another palette is in use; repaint.
    """

    changed = Signal()

    def __init__(self, app: QApplication, *, choice: ThemeChoice = "system") -> None:
        super().__init__(app)
        self._app = app
        self.choice: ThemeChoice = choice
        self._name: PaletteName | None = None
        # Pictures that the style sheet names by path, in the palette's colours.
        self._ends = ExitStack()
        self._pictures = self._ends.enter_context(scratch_folder())
        app.setStyle("Fusion")
        font = QFont(app.font())
        font.setPixelSize(FONT.base)
        app.setFont(font)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)
        self._follow()

    @property
    def palette(self) -> Palette:
        """The colours now."""
        return PALETTES[self._name or "light"]

    def choose(self, choice: ThemeChoice) -> None:
        """Use another theme from now on."""
        self.choice = choice
        self._follow()

    def close(self) -> None:
        """Remove the temporary pictures."""
        self._ends.close()

    def _follow(self) -> None:
        name: PaletteName
        if self.choice == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            name = "dark" if dark else "light"
        else:
            name = self.choice
        if name == self._name:
            return
        self._name = name
        palette = self.palette
        self._app.setPalette(_qt_palette(palette))
        self._app.setStyleSheet(
            stylesheet(
                palette,
                chevron=self._tinted("chevron_down", palette.muted),
                tick=self._tinted("check", palette.on_accent),
            )
        )
        self.changed.emit()

    def _tinted(self, name: str, colour: str) -> str:
        file = self._pictures / f"{name}-{colour.removeprefix('#')}.svg"
        if not file.exists():
            svg = asset(f"icons/{name}.svg").read_text(encoding="utf-8")
            file.write_text(svg.replace("currentColor", colour), encoding="utf-8")
        return file.as_posix()


def _qt_palette(palette: Palette) -> QPalette:
    """For what the style sheet does not reach."""
    roles = {
        QPalette.ColorRole.Window: palette.window,
        QPalette.ColorRole.WindowText: palette.text,
        QPalette.ColorRole.Base: palette.surface,
        QPalette.ColorRole.AlternateBase: palette.window,
        QPalette.ColorRole.Text: palette.text,
        QPalette.ColorRole.PlaceholderText: palette.muted,
        QPalette.ColorRole.Button: palette.raised,
        QPalette.ColorRole.ButtonText: palette.text,
        QPalette.ColorRole.Highlight: palette.accent,
        QPalette.ColorRole.HighlightedText: palette.on_accent,
        QPalette.ColorRole.ToolTipBase: palette.toast,
        QPalette.ColorRole.ToolTipText: palette.on_toast,
        QPalette.ColorRole.Link: palette.accent,
    }
    made = QPalette()
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
        if role in {QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText}:
            made.setColor(QPalette.ColorGroup.Disabled, role, QColor(palette.faint))
    return made

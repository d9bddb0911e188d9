"""Calm colours and one font, the same on every machine."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

_COLOURS = {
    QPalette.ColorRole.Window: "#f5f6f8",
    QPalette.ColorRole.WindowText: "#1f2933",
    QPalette.ColorRole.Base: "#ffffff",
    QPalette.ColorRole.AlternateBase: "#f5f6f8",
    QPalette.ColorRole.Text: "#1f2933",
    QPalette.ColorRole.Button: "#ffffff",
    QPalette.ColorRole.ButtonText: "#1f2933",
    QPalette.ColorRole.Highlight: "#2f6fdb",
    QPalette.ColorRole.HighlightedText: "#ffffff",
    QPalette.ColorRole.PlaceholderText: "#7b8794",
    QPalette.ColorRole.Accent: "#2f6fdb",
}
_FONT_PX = 15
_SHEET = """
#title { font-size: 24px; }
#lead, #hint { color: #52606d; }
#caption { color: #3e4c59; }
#result { color: #1f2933; background: #ffffff; border-top: 1px solid #cbd2d9; padding: 12px 24px; }
#badge { color: #8d2b0b; background: #ffe8d9; border-radius: 6px; padding: 3px 10px; }
QMenuBar { background: #ffffff; border-bottom: 1px solid #cbd2d9; padding: 2px 16px; }
QMenuBar::item { padding: 5px 10px; }
QMenuBar::item:selected { background: #e4e7eb; border-radius: 4px; }
"""


def apply_look(app: QApplication) -> None:
    """Dress the whole program."""
    app.setStyle("Fusion")
    palette = QPalette()
    for role, colour in _COLOURS.items():
        palette.setColor(role, QColor(colour))
    app.setPalette(palette)
    font = app.font()
    # The one that every set-up installs; which font a system would choose moves and resizes everything.
    font.setFamilies(["DejaVu Sans", font.family()])
    font.setPixelSize(_FONT_PX)
    app.setFont(font)
    app.setStyleSheet(_SHEET)

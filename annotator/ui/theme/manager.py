"""The one style sheet, made of the tokens, and the theme that switches live and follows the system."""

from __future__ import annotations

from contextlib import ExitStack
from string import Template
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from annotator.ui.theme.tokens import FONT, HIT, PALETTES, RADIUS, Palette, PaletteName
from demopack.replacing import scratch_folder
from demopack.resources import asset

# Padding does not reach the field inside a spin box: its buttons, which are not used, keep the digits off the border.
_RULES = Template("""
* { outline: none; }
QWidget { color: $text; font-size: ${base}px; }
QMainWindow, QWidget#page, QWidget#bar, QWidget#panel { background: $window; }
QWidget#bar { border-bottom: 1px solid $line; }
QWidget#strip { background: $surface; border-bottom: 1px solid $line; }
QWidget#status { background: $window; border-top: 1px solid $line; }
QWidget#footer, QWidget#review { background: $window; border-top: 1px solid $line; }
QToolTip { background: $toast; color: $on_toast; border: 1px solid $toast; padding: 4px 6px; }

QLabel { background: transparent; }
QLabel[role="title"] { font-size: ${title}px; font-weight: 600; }
QLabel[role="large"] { font-size: ${large}px; font-weight: 600; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="caption"] { color: $muted; font-size: ${caption}px; }
QLabel[role="heading"] { color: $muted; font-size: ${caption}px; font-weight: 600; }
QLabel[role="words"] { font-weight: 600; }
QLabel[role="error"] { color: $danger; font-size: ${caption}px; }
QLabel[role="fact"] { font-size: ${caption}px; }
QLabel[role="warning"] { color: $warning; font-size: ${caption}px; }
QLabel[role="good"] { color: $success; font-size: ${caption}px; }

QPushButton, QToolButton { background: $raised; border: 1px solid $edge; border-radius: ${radius}px;
  min-height: ${inner}px; padding: 0 10px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $accent_soft; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; padding: 0 9px; min-height: ${inner2}px; }
QPushButton:disabled, QToolButton:disabled { color: $faint; border-color: $line; background: transparent; }
QPushButton:checked, QToolButton:checked { background: $accent_soft; border-color: $accent; color: $text; }
QPushButton[role="main"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600;
  padding: 0 14px; }
QPushButton[role="main"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="main"]:focus { border: 2px solid $text; padding: 0 13px; }
QPushButton[role="main"]:disabled { background: $line; border-color: $line; color: $faint; }
QToolButton[role="flat"], QPushButton[role="flat"] { background: transparent; border-color: transparent;
  padding: 0 4px; }
QToolButton[role="flat"] { min-width: 20px; }
QToolButton[role="flat"]:hover, QPushButton[role="flat"]:hover { background: $hover; }
QToolButton[role="flat"]:checked { background: $accent_soft; border-color: $accent; }
QToolButton[role="flat"]:focus, QPushButton[role="flat"]:focus { border: 2px solid $accent; padding: 0 3px; }
QToolButton[role="flat"][place="floating"] { padding: 0; min-width: 24px; }
QPushButton[role="link"] { background: transparent; border-color: transparent; color: $accent; padding: 0 4px; }
QPushButton[role="link"] { text-align: left; margin: 0; }
QPushButton[role="link"]:hover { background: $hover; }
QPushButton[role="menu"] { background: transparent; border: none; border-radius: 4px; text-align: left; padding: 0 8px;
  min-height: 30px; }
QPushButton[role="menu"]:hover { background: $hover; }
QPushButton[role="menu"]:pressed { background: $accent_soft; }
QPushButton[role="menu"]:disabled { color: $muted; background: transparent; }
QPushButton[role="doubt"] { background: transparent; border-color: transparent; color: $warning; padding: 0 4px;
  text-align: left; min-height: 20px; }
QPushButton[role="doubt"]:hover { background: $warning_soft; }
QPushButton[role="doubt"]:focus { border: 2px solid $accent; padding: 0 3px; min-height: 18px; }
QSlider { min-height: 24px; }
QSlider::groove:horizontal { height: 4px; background: $track; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px; background: $accent; }
QSlider:focus { border: 2px solid $accent; border-radius: 6px; }
QPushButton[role="link"]:focus { border: 2px solid $accent; padding: 0 3px; }
QPushButton[role="keys"] { font-weight: 600; }
QPushButton[role="keys"][waiting="yes"] { border: 2px solid $accent; background: $accent_soft; font-weight: 400;
  min-height: ${inner2}px; }
QToolButton::menu-indicator { image: none; width: 0; }

QToolButton[role="segment"] { border-radius: 0; background: $surface; color: $muted; padding: 0 8px;
  min-height: ${segment}px; border: 1px solid $edge; margin-left: -1px; }
QToolButton[role="segment"][place="first"] { border-top-left-radius: ${radius}px;
  border-bottom-left-radius: ${radius}px; margin-left: 0; }
QToolButton[role="segment"][place="last"] { border-top-right-radius: ${radius}px;
  border-bottom-right-radius: ${radius}px; }
QToolButton[role="segment"]:hover { background: $hover; }
QToolButton[role="segment"]:checked { background: $accent_soft; color: $text; font-weight: 600;
  border: 1px solid $accent; }
QToolButton[role="segment"]:focus { border: 2px solid $accent; padding: 0 7px; }
QToolButton[role="segment"]:disabled { color: $faint; }

QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: $surface; border: 1px solid $edge;
  border-radius: ${radius}px; padding: 0 7px; min-height: ${inner}px; selection-background-color: $accent;
  selection-color: $on_accent; }
QPlainTextEdit { padding: 4px 5px; }
QSpinBox, QDoubleSpinBox { padding: 0; min-height: ${inner2}px; }
QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { border: none; padding: 0; min-height: 0; background: transparent; }
QSpinBox QLineEdit:focus, QDoubleSpinBox QLineEdit:focus { border: none; padding: 0; min-height: 0; }
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus {
  border: 2px solid $accent; padding-left: 6px; min-height: ${inner2}px; }
QPlainTextEdit:focus { padding: 3px 4px; }
QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid $accent; min-height: ${inner3}px; }
QLineEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  color: $faint; background: $window; border-color: $line; }
QLineEdit[role="title"] { background: transparent; border: 1px solid transparent; font-size: ${title}px;
  font-weight: 600; padding: 0 5px; }
QLineEdit[role="title"]:hover { border-color: $line; background: $surface; }
QLineEdit[role="title"]:focus { border: 2px solid $accent; background: $surface; padding: 0 4px; }
QLineEdit[role="big"] { font-size: ${title}px; min-height: 34px; }
QLineEdit QToolButton, QLineEdit QToolButton:hover { background: transparent; border: none; padding: 0;
  min-height: 0; min-width: 0; }
QSpinBox::up-button, QDoubleSpinBox::up-button { width: 7px; height: 0; border: none; subcontrol-origin: border;
  subcontrol-position: top left; }
QSpinBox::down-button, QDoubleSpinBox::down-button { width: 7px; height: 0; border: none; subcontrol-origin: border;
  subcontrol-position: top right; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("$chevron"); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $edge; selection-background-color: $accent_soft;
  selection-color: $text; padding: 2px; }
QCheckBox { spacing: 6px; min-height: ${row}px; }
QCheckBox::indicator, QListView::indicator { width: 14px; height: 14px; border: 1px solid $edge; border-radius: 4px;
  background: $surface; }
QCheckBox::indicator:checked, QListView::indicator:checked { background: $accent; border-color: $accent;
  image: url("$tick"); }
QCheckBox:focus { color: $accent; }
QCheckBox::indicator:focus { border: 2px solid $accent; }
QCheckBox:disabled { color: $faint; }

QScrollArea, QListView { background: $window; border: none; }
QScrollArea > QWidget > QWidget { background: $window; }
QListView[role="plain"] { background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $edge; border-radius: 3px; margin: 3px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent; }
QTableView { background: $window; border: none; border-top: 1px solid $line; border-bottom: 1px solid $line;
  gridline-color: $line; }
QTreeView { background: $surface; border: 1px solid $line; border-radius: ${radius}px; }
QTreeView:focus { border: 2px solid $accent; }
QTreeView::item { min-height: ${row}px; padding: 0 4px; color: $text; }
QTreeView::item:hover { background: $hover; }
QTreeView::item:selected { background: $accent_soft; color: $text; }
QTreeView::item:disabled { color: $muted; }
QHeaderView, QHeaderView::section { background: $window; color: $muted; font-size: ${caption}px; }
QHeaderView::section { border: none; border-bottom: 1px solid $line; padding: 3px 4px; }
QHeaderView::section:hover { color: $text; background: $hover; }
QTabBar { background: $window; }
QTabBar::tab { background: transparent; color: $muted; padding: 0 8px; min-height: ${segment}px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { color: $text; font-weight: 600; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { color: $accent; }
QTabBar QToolButton { background: $surface; border: 1px solid $edge; border-radius: 4px; }
QTabBar::scroller { width: 36px; }
QMenu { background: $surface; border: 1px solid $edge; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; min-height: 18px; }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: 4px 6px; }
QProgressBar { background: $track; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QFrame#line { background: $line; border: none; max-height: 1px; min-height: 1px; }

QFrame#banner { background: $danger_soft; border: none; border-bottom: 1px solid $danger; }
QFrame#banner[level="warning"] { background: $warning_soft; border-bottom: 1px solid $warning; }
QFrame#banner QLabel[role="words"] { color: $text; }
QFrame#toast { background: $toast; border-radius: ${radius}px; }
QFrame#toast QLabel { color: $on_toast; }
QFrame#toast QPushButton { background: transparent; border: 1px solid $on_toast; color: $on_toast; }
QFrame#hint { background: $surface; border: 2px solid $accent; border-radius: 10px; }
QFrame#hinted { background: transparent; border: 2px solid $accent; border-radius: ${radius}px; }
QFrame#card { background: $surface; border: 1px solid $line; border-radius: 10px; }
QFrame#finding { background: $surface; border: 1px solid $line; border-radius: ${radius}px; margin: 1px; }
QFrame#finding:focus { border: 2px solid $accent; margin: 0; }
QScrollArea#keys, QScrollArea#keys > QWidget > QWidget { background: $surface; }
QListWidget#offers { background: $surface; border: 1px solid $edge; border-radius: ${radius}px; padding: 3px; }
QListWidget#offers::item { padding: 4px 6px; border-radius: 4px; color: $text; }
QListWidget#offers::item:hover { background: $hover; }
QListWidget#offers::item:selected { background: $accent_soft; color: $text; }
QFrame#overlay { background: $surface; border: 1px solid $edge; border-radius: 10px; }
QLabel[role="key"] { background: $hover; border: 1px solid $edge; border-radius: 4px; padding: 0 6px;
  font-size: ${caption}px; }
""")


def stylesheet(palette: Palette, *, chevron: str, tick: str) -> str:
    """The style sheet of a palette.

    Args:
        palette: its colours.
        chevron: path of a picture for the arrow of a drop-down, in the palette's colour.
        tick: as ``chevron``, for a checked box.
    """
    return _RULES.substitute(
        vars(palette),
        chevron=chevron,
        tick=tick,
        base=FONT.base,
        caption=FONT.caption,
        title=FONT.title,
        large=FONT.large,
        radius=RADIUS,
        row=HIT.row,
        # A border takes a pixel above and below; the focus ring takes two.
        inner=HIT.tool - 2,
        inner2=HIT.tool - 4,
        inner3=HIT.tool - 6,
        segment=HIT.row - 2,
    )


ThemeChoice = Literal["system", "light", "dark", "contrast"]


class Theme(QObject):
    """The palette in use; one for the whole app, handed to whoever paints.

    Signals:
        changed: another palette is in use; repaint.
    """

    changed = Signal()
    _sheet_made = Signal(str)

    def __init__(self, app: QApplication, *, choice: ThemeChoice = "system") -> None:
        super().__init__(app)
        self._app = app
        self.choice: ThemeChoice = choice
        self._name: PaletteName | None = None
        self._sheet = ""
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

    def style(self, window: QWidget) -> None:
        """Let a window, and all that is put into it, look like this theme from now on.

        Windows have the style sheet, the app has none: with one, Qt would style every part of a page anew each time
        that it is put into another part, which took a fifth of the time in which an editor is built.
        """
        window.setStyleSheet(self._sheet)
        self._sheet_made.connect(window.setStyleSheet)

    def choose(self, choice: ThemeChoice) -> None:
        """Use another theme from now on."""
        self.choice = choice
        self._follow()

    def close(self) -> None:
        """Remove the temporary pictures; windows that still stand are plain from now on."""
        self._sheet_made.emit("")
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
        self._sheet = stylesheet(
            palette,
            chevron=self._tinted("chevron_down", palette.muted),
            tick=self._tinted("check", palette.on_accent),
        )
        self._sheet_made.emit(self._sheet)
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

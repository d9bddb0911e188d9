"""Starts the app."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from annotator.ui.garbage import GuiThreadCollector
from annotator.ui.language import use_language
from annotator.ui.stop_signals import stopped_by_signals
from annotator.ui.theme.manager import Theme
from demopack.resources import asset
from demopack.settings import load_settings
from demopack.store import Library

__all__ = ["run_app"]

_LISTEN_AFTER_MS = 1500
_SCALE = "QT_SCALE_FACTOR"


def _make_app(scale: int) -> QApplication:
    """The application with everything ``scale`` percent as large; a factor from outside comes before ours."""
    ours = scale != 100 and _SCALE not in os.environ
    if ours:
        os.environ[_SCALE] = f"{scale / 100:g}"
    try:
        return QApplication(sys.argv[:1])
    finally:
        # Programs that we start draw at their own size.
        if ours:
            del os.environ[_SCALE]


def run_app(library: Library, *, demo: str | None = None) -> int:
    """Show the window and stay until it is closed; ``check_display`` must have been asked before.

    Args:
        library: what to show.
        demo: id of a demo to open at once.

    Returns:
        The exit code.

    Raises:
        BadInputError: the settings file is wrong.
    """
    settings = load_settings()
    app = _make_app(settings.ui.scale)
    app.setApplicationName("demopack")
    app.setDesktopFileName("demopack")
    app.setWindowIcon(QIcon(str(asset("icons/app.svg"))))
    use_language(app, settings.ui.language)
    # Only now: texts at module level are translated when their module is imported.
    from annotator.ui.main_window import MainWindow
    from annotator.ui.services import Services

    collector = GuiThreadCollector(app)
    theme = Theme(app, choice=settings.ui.theme)
    window = MainWindow(library, theme=theme, services=Services(settings=settings))
    window.show()
    if demo is not None:
        window.open_demo(demo)
    QTimer.singleShot(_LISTEN_AFTER_MS, window, window.start_listening)
    QTimer.singleShot(_LISTEN_AFTER_MS, window, window.offer_tour)
    try:
        with stopped_by_signals(app.quit):
            return app.exec()
    finally:
        window.close()
        theme.close()
        collector.close()

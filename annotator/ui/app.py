"""Start of the app: language, signals that end it, and the collector of cyclic garbage."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTimer, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from annotator.ui.recording.floating import SCALE_PROPERTY
from annotator.ui.theme.manager import Theme
from annotator.words import set_translation
from demopack.errors import DemopackError
from demopack.resources import asset
from demopack.settings import load_settings
from demopack.store import Library

_TIMER_INTERVAL_MS = 500


class GuiThreadCollector(QObject):
    """From its making to :meth:`close` nothing is collected but here, as often as Python itself would."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        self._thresholds = gc.get_threshold()
        gc.disable()
        # Belt and braces: a library that switches collecting on again changes nothing.
        gc.set_threshold(0)
        # What was imported stays to the end. Looking through it each time takes longer than a frame may.
        gc.freeze()
        self._timer = QTimer(self, interval=_TIMER_INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect every generation that is due."""
        due = [count > limit for count, limit in zip(gc.get_count(), self._thresholds, strict=True)]
        for generation in (2, 1, 0):
            if due[generation]:
                gc.collect(generation)
                return

    def close(self) -> None:
        """Give collecting back to Python; calling it twice is harmless."""
        self._timer.stop()
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)
        if self._was_enabled:
            gc.enable()


_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Generator[None]:
    """Call ``stop`` when SIGINT or SIGTERM arrives while the block runs; main thread only.

    Qt's loop runs no Python by itself, so the handler would wait until somebody moves the mouse; a timer lets it run.
    """

    def heard(_number: int, _frame: FrameType | None) -> None:
        # Whatever is painted just now comes to its end first: windows are closed by this.
        QTimer.singleShot(0, stop)

    before = {number: signal.signal(number, heard) for number in _STOPS}
    timer = QTimer(interval=_TIMER_INTERVAL_MS)
    timer.timeout.connect(lambda: None)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        for number, handler in before.items():
            signal.signal(number, handler)


Language = Literal["system", "en", "de"]
LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
CONTEXT: Final = "demopack"
"""All our texts share one context: the same words mean the same everywhere."""


def use_language(app: QCoreApplication, choice: Language) -> str:
    """Speak a language from now on; called before any window is imported.

    Args:
        app: gets Qt's own translations.
        choice: ``system`` for that of the desktop, where there is a translation; else English.

    Returns:
        The language that is spoken.

    Raises:
        DemopackError: the translation that came with the app is damaged.
    """
    wanted = (name.split("-")[0] for name in QLocale.system().uiLanguages()) if choice == "system" else (choice,)
    chosen = next((short for short in wanted if short in LANGUAGES), "en")
    if chosen == "en":
        set_translation(None)
        return chosen
    ours = QTranslator(app)
    # Read whole: a file that is replaced while it is mapped into memory takes the app with it.
    told = _read_whole(asset(f"translations/demopack_{chosen}.qm"))
    if not ours.load(told):
        raise DemopackError(
            f"The {LANGUAGES[chosen]} translation is damaged.", hint="Install demopack again, or set ui.language to en."
        )
    set_translation(partial(_translated, ours, told))
    QLocale.setDefault(QLocale(chosen))
    qts = QTranslator(app)
    if qts.load(f"qtbase_{chosen}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(qts)
    return chosen


def _read_whole(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _translated(translator: QTranslator, _kept: bytes, text: str) -> str:
    """The translation of a text; empty where there is none. What the translator reads from has to live as long."""
    return translator.translate(CONTEXT, text) or ""


_LISTEN_AFTER_MS = 1500
_SCALE = "QT_SCALE_FACTOR"


def _make_app(scale: int) -> QApplication:
    """The application with everything ``scale`` percent as large; a factor from outside comes before ours."""
    ours = scale != 100 and _SCALE not in os.environ
    if ours:
        os.environ[_SCALE] = f"{scale / 100:g}"
    try:
        app = QApplication(sys.argv[:1])
        with contextlib.suppress(ValueError):
            app.setProperty(SCALE_PROPERTY, float(os.environ.get(_SCALE) or 1))
        return app
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

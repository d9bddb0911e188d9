"""Chooses the app's language: Qt's translations, for our own texts and for those of Qt's dialogs."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from annotator.words import speak
from demopack.errors import DemopackError
from demopack.resources import asset

__all__ = ["CONTEXT", "LANGUAGES", "Language", "use_language"]

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
    chosen = _of_system() if choice == "system" else choice
    if chosen == "en":
        speak(None)
        return chosen
    ours = QTranslator(app)
    if not ours.load(str(asset(f"translations/demopack_{chosen}.qm"))):
        raise DemopackError(
            f"The {LANGUAGES[chosen]} translation is damaged.", hint="Install demopack again, or set ui.language to en."
        )
    speak(lambda text: ours.translate(CONTEXT, text) or "")
    QLocale.setDefault(QLocale(chosen))
    qts = QTranslator(app)
    if qts.load(f"qtbase_{chosen}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(qts)
    return chosen


def _of_system() -> str:
    """The first of the languages that the desktop asks for and that there is; English where there is none."""
    for name in QLocale.system().uiLanguages():
        short = name.split("-")[0]
        if short in LANGUAGES:
            return short
    return "en"

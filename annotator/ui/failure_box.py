"""A window with what went wrong, for a program that has no console to say it on."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMessageBox


def show_failure(words: str) -> None:
    """Show a sentence and wait until it is read; works with and without a running app."""
    app = QApplication.instance() or QApplication(["demopack"])
    box = QMessageBox(QMessageBox.Icon.Critical, "demopack", words)
    box.exec()
    del app

from __future__ import annotations

import sys

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QWidget, QWidgetItem
from pytestqt.qtbot import QtBot

from annotator.ui.controls import row
from annotator.ui.fitting import Fitting, saying


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal since Python 3.12, so nothing can be lost")
def test_the_qt_binding_loses_no_reference_to_none() -> None:
    """PySide6 6.12.0 did, with every void call: the process died after some thousands of them."""
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1000):
        thing.setObjectName("x")
    assert sys.getrefcount(None) > before - 100


def test_a_bar_that_fits_itself_holds_no_items_of_its_layout(qtbot: QtBot) -> None:
    """PySide keeps the wrapper of an item after Qt has deleted it, and takes what lies there next for it: a crash."""

    def items() -> int:
        return sum(type(known) is QWidgetItem for known in shiboken6.getAllValidWrappers())

    bar, words = QWidget(), QLabel("many words")
    qtbot.addWidget(bar)
    row(words, row(QLabel("more"), QLabel("words")), of=bar)
    before = items()
    fitting = Fitting(bar, [saying(words, lambda: "many words")], says=words.text)
    bar.resize(20, 20)
    fitting.fit()
    assert words.text() == ""
    assert items() == before

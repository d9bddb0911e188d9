from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal since Python 3.12, so nothing can be lost")
def test_the_qt_binding_loses_no_reference_to_none() -> None:
    """PySide6 6.12.0 did, with every void call: the process died after some thousands of them."""
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1000):
        thing.setObjectName("x")
    assert sys.getrefcount(None) > before - 100

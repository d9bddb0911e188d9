"""Packs and demos of other programs are dropped on the library."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from demopack.jobs import JobControl
from demopack.pack import export_pack
from demopack.store import Library
from tests.gui.conftest import App
from tests.support.editing import TINY, sample_library

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def dragged(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(app: App, data: QMimeData) -> bool:
    page = app.window.library_page
    at = QPointF(50, 50)
    app.settle()
    enter = QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, data, LEFT, NONE)
    QApplication.sendEvent(page, enter)
    # While it is dragged over the page nothing is imported: one drop is one import.
    QApplication.sendEvent(page, QDragMoveEvent(at.toPoint(), Qt.DropAction.CopyAction, data, LEFT, NONE))
    assert not app.window.workers.busy
    QApplication.sendEvent(page, QDropEvent(at, Qt.DropAction.CopyAction, data, LEFT, NONE))
    return enter.isAccepted()


def test_a_dropped_pack_is_in_the_list_afterwards(app: App, tmp_path: Path) -> None:
    with Library.open(sample_library(tmp_path / "other")) as other:
        export_pack(other, [TINY], tmp_path / "pack", control=JobControl())
    app.library.erase_demo(TINY)
    assert TINY not in {one.head.id for one in app.library.demos()}
    assert drop(app, dragged(tmp_path / "pack"))
    app.settle()
    assert TINY in {one.head.id for one in app.library.demos()}


def test_what_is_no_demo_is_refused_in_a_sentence_and_nothing_is_stored(app: App, tmp_path: Path) -> None:
    before = [one.head.id for one in app.library.demos()]
    odd = tmp_path / "notes.txt"
    odd.write_text("nothing", encoding="utf-8")
    drop(app, dragged(odd))
    app.settle()
    assert app.window.banner.text
    assert [one.head.id for one in app.library.demos()] == before


def test_text_that_is_dragged_over_it_is_nobodys_business(app: App) -> None:
    data = QMimeData()
    data.setText("hello")
    assert not drop(app, data)

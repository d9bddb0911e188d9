"""Opens what the app has in a window of some size, in some language, and prints every text that is cut.

Run as a program with the folder of a library, the language, and the width and height of the window in its own pixels.
In German it also prints what names a key as English keyboards do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_OPENING = ("help", "history", "search", "statistics", "templates", "rationales", "prompt", "keys", "copy_over")
"""Names of actions of the editor that show something."""


def cut_texts(root: Any) -> Iterator[str]:
    """What is seen in a window and cannot be read to its end."""
    from PySide6.QtWidgets import QAbstractButton, QHeaderView, QLabel, QWidget

    for part in root.findChildren(QWidget):
        if not part.isVisible():
            continue
        if isinstance(part, QLabel):
            yield from _cut_label(part)
        elif isinstance(part, QAbstractButton) and part.text():
            if part.width() < _needed(part) or part.height() < part.fontMetrics().height() + 2 or _runs_off(part):
                yield part.text()
        elif isinstance(part, QHeaderView):
            yield from _cut_heads(part)
        else:
            yield from _cut_field(part)


def _needed(button: Any) -> int:
    """How wide a button must be for its words and its icon."""
    from PySide6.QtWidgets import QToolButton

    if not isinstance(button, QToolButton):
        return button.sizeHint().width()
    icon = 0 if button.icon().isNull() else button.iconSize().width() + 4
    return button.fontMetrics().horizontalAdvance(button.text()) + icon + 8


def _runs_off(part: Any) -> bool:
    """Whether it reaches over the left or right edge of what it lies in; what is below can be scrolled to."""
    from PySide6.QtCore import QPoint

    around = part.parentWidget()
    while around is not None and not _scrolls_sideways(around):
        left = part.mapTo(around, QPoint(0, 0)).x()
        if left < 0 or left + part.width() > around.width():
            return True
        around = None if around.isWindow() else around.parentWidget()
    return False


def _scrolls_sideways(part: Any) -> bool:
    from PySide6.QtWidgets import QAbstractScrollArea

    area = part.parentWidget()
    return isinstance(area, QAbstractScrollArea) and area.horizontalScrollBar().isVisible()


def _cut_label(part: Any) -> Iterator[str]:
    from PySide6.QtWidgets import QSizePolicy

    words = part.text()
    if not words or part.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored:
        return
    if part.wordWrap():
        short = part.height() < part.heightForWidth(part.width()) or part.width() < part.minimumSizeHint().width()
    else:
        short = part.width() < part.sizeHint().width() or part.height() < part.sizeHint().height()
    if short or _runs_off(part):
        yield words


def _cut_heads(heads: Any) -> Iterator[str]:
    from PySide6.QtCore import Qt

    if heads.orientation() != Qt.Orientation.Horizontal:
        return
    for section in range(heads.count()):
        words = heads.model().headerData(section, Qt.Orientation.Horizontal)
        room = heads.sectionSize(section) - 8  # the padding of the style sheet
        if words and not heads.isSectionHidden(section) and heads.fontMetrics().horizontalAdvance(words) > room:
            yield words


def _cut_field(part: Any) -> Iterator[str]:
    from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionComboBox

    if isinstance(part, QLineEdit):
        words = "" if part.text() or part.placeholderText() in part.toolTip() else part.placeholderText()
        margins = part.textMargins()
        room = part.contentsRect().width() - margins.left() - margins.right() - 2 * 7
        if words and (part.fontMetrics().horizontalAdvance(words) > room or _runs_off(part)):
            yield words
    elif isinstance(part, QComboBox) and not part.isEditable():
        option = QStyleOptionComboBox()
        part.initStyleOption(option)
        kind, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = part.style().subControlRect(kind, option, field, part).width()
        icon = part.iconSize().width() + 4 if not part.itemIcon(part.currentIndex()).isNull() else 0
        if part.fontMetrics().horizontalAdvance(part.currentText()) + icon > room or _runs_off(part):
            yield part.currentText()


def _english_keys(root: Any) -> Iterator[str]:
    """Keys that another keyboard names otherwise."""
    from PySide6.QtWidgets import QAbstractButton, QLabel

    shown = (part.text() for kind in (QLabel, QAbstractButton) for part in root.findChildren(kind) if part.isVisible())
    return (words for words in shown if "Ctrl+" in words)


def main(folder: str, language: str, width: str, height: str, pictures: str = "") -> int:
    """Print what is cut, each text once with the place where it was seen; ``pictures`` is a folder to look at it."""
    from PySide6.QtWidgets import QApplication

    from annotator.ui.app import use_language

    app = QApplication([])
    use_language(app, "de" if language == "de" else "en")
    from annotator.ui.main_window import MainWindow
    from annotator.ui.services import Services
    from annotator.ui.theme.manager import Theme
    from demopack.store import Library
    from recorder.selftest import TEXT_STORED, CheckResult
    from tests.support.services import with_calls

    def self_test(_folder: object, _settings: object, tell: Callable[[CheckResult], None]) -> None:
        for name in ("input", "pictures", "accessibility", "disk", "hotkeys", "library"):
            words = (
                f"Programs tell nothing about their fields, so passwords cannot be recognised. {TEXT_STORED}"
                if name == "accessibility"
                else ""
            )
            tell(CheckResult(name=name, ok=not words, words=words, needed=False))

    found: dict[str, str] = {}
    theme = Theme(app, choice="light")
    with Library.open(Path(folder)) as library:
        services = with_calls(
            Services(),
            pick_folder=_nothing,
            open_hotkeys=_silent,
            self_test=self_test,
            open_reader=_nothing,
            window_titles=list,
        )
        window = MainWindow(library, theme=theme, services=services)
        window.setFixedSize(int(width), int(height))

        def look(where: str) -> None:
            for _ in range(10):
                while window.workers.busy:
                    app.processEvents()
                app.processEvents()
            for words in (*cut_texts(window), *(_english_keys(window) if language == "de" else ())):
                found.setdefault(words, where)
            if pictures:
                window.grab().save(f"{pictures}/{language}-{where.replace(' ', '-')}.png")

        _pages(window, look)
        for number, one in enumerate(library.demos()):
            window.open_demo(one.head.id)
            look(f"editor {number}")
            _editor(window, lambda where, number=number: look(f"editor {number} {where}"))
        window.close()
    theme.close()
    for words, where in sorted(found.items(), key=lambda pair: (pair[1], pair[0])):
        sys.stdout.write(f"{where}: {words!r}\n")
    return 1 if found else 0


def _pages(window: Any, look: Callable[[str], None]) -> None:
    window.show()
    look("library")
    window.library_page.panel.ask()
    look("record")
    window.library_page.panel.hide()
    window.library_page.open_statistics()
    look("statistics")
    window.library_page.close_statistics()
    window.open_settings()
    look("settings")
    window.open_models()
    for view in range(4):
        window.models_page.show_view(view)
        look(f"models {view}")
    _tasks(window, look)


def _tasks(window: Any, look: Callable[[str], None]) -> None:
    """The page of tasks without any, with one that is left out, and one that was recorded."""
    from demopack.domain.provenance import by_human
    from demopack.domain.tasks import FilterFinding, Task, TaskSource
    from tasks.bank import TaskBank

    window.open_tasks()
    look("tasks none")
    page = window.tasks_page
    task = Task(
        id="a",
        task="Print a page",
        plan=("Press Ctrl P",),
        app="pluma",
        source=TaskSource(kind="manual", name="guide.html"),
        provenance=by_human("Ada"),
        findings=(FilterFinding(rule="duplicate", reason="It is 95% like b, “Print the page”."),),
    )
    with TaskBank.open(window._library.folder) as bank:
        bank.add([task, task.but(id="b", findings=(), demo="x")], label="Add", provenance=by_human("Ada"))
    window.open_tasks()
    look("tasks left out")
    page.list.setCurrentIndex(page.list.model().index(1, 0))
    look("tasks recorded")
    page.detail.asked.ask("?", can_be_done=True)
    look("tasks asked")
    page.open_statistics()
    look("tasks statistics")
    page.close_statistics()


def _editor(window: Any, look: Callable[[str], None]) -> None:
    from PySide6.QtGui import QAction

    from annotator.ui.editor.export_feature import ExportFeature

    page = window.editor
    page.view.go_to(1)
    page.view.select_next(1)
    look("element")
    for name in _OPENING:
        page.context.keyring.actions[name].trigger()
        look(name)
        page.overlay.hide()
        page.context.replace_canvas(None)
    for entry in page.context.head.findChildren(QAction):
        if entry.objectName() == "tour":
            continue
        entry.trigger()
        look(entry.objectName() or entry.text())
    page.context.feature(ExportFeature).ask()
    look("export")
    for name in ("pack", "sharegpt", "agentnet", "caap", "ui-tars"):
        page.context.feature(ExportFeature).sheet.formats.select(name)
        look(f"export {name}")


def _nothing(*_: object) -> None:
    """What the app asks for is not there."""


def _silent(*_: object) -> _Silent:
    return _Silent()


class _Silent:
    def start(self) -> None:
        """Nothing is listened to."""

    def stop(self) -> None:
        """See ``start``."""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

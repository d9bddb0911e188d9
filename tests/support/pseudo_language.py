"""Speaks a language of full-width letters, opens what the app has, and prints what is shown in plain ones.

Run as a program with the folder of a library: every text that went through ``tr`` is full-width then, so what is left
in plain letters was never translated. What stands in the demos is known and left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any

from annotator.words import set_translation

_PLAIN = re.compile(r"[A-Za-z]{3,}")
_KEYS = re.compile(
    r"\b(Ctrl|Alt|Shift|Meta|Space|Esc|Escape|Return|Enter|Tab|Backspace|Del|Delete|Home|End|Left|Right|Up|Down|PgUp"
    r"|PgDown|Ins|F\d+)\b"
)
_NAMES = re.compile(
    r"demopack|OCR|labelme|X-AnyLabeling|COCO|YOLO|CVAT|Label Studio|OmniParser|JSON|CAAP|OSWorld|UiPath|UI-TARS"
    r"|Qwen2\.5-VL|Qwen|English|Deutsch|LAM / UFO|LLMResponse|NAME\.json|NAME\.png|shipped|left,top,widthxheight"
    r"|tesseract|state:\w+|https?://\S+|/\S+|\{\w+\}"
)
_OPENING = ("help", "history", "search", "statistics", "templates", "rationales", "prompt", "keys", "copy_over")
"""Names of actions of the editor that show something."""
_CARD = "CardPanel"
"""What a model's card says are names of figures and options as the trainings write them, and its author's words."""
_FINDINGS = "RationalesPanel"
_QTS = {"Scroll Left", "Scroll Right"}
_SAYING = ("text", "title", "placeholderText", "prefix", "suffix", "toPlainText")


def pseudo(text: str) -> str:
    """The text in full-width letters; what stands in braces stays as it is."""
    parts: list[str] = []
    for words, name, spec, conversion in Formatter().parse(text):
        wide = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in words)
        parts.append(wide.replace("{", "{{").replace("}", "}}") if "{{" in text else wide)
        if name is not None:
            parts.append("{" + name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}")
    return "".join(parts)


def texts_of(root: Any) -> Iterator[tuple[str, str]]:
    """What a window says, each with the kind of widget: words, tips, names for screen readers, entries of lists."""
    from PySide6.QtWidgets import QWidget

    for part in [root, *root.findChildren(QWidget)]:
        if not _is_data(part):
            where = f"{type(part).__module__.removeprefix('annotator.ui.')}.{type(part).__name__}"
            yield from ((where, said) for said in _said_by(part))


def _is_data(part: Any) -> bool:
    """Whether a widget shows no text of the app: a model's card, a prompt, what the core found in a rationale."""
    from PySide6.QtWidgets import QListWidget, QPlainTextEdit

    if isinstance(part, QPlainTextEdit) and part.isReadOnly():
        return True
    data = {_CARD, _FINDINGS} if isinstance(part, QListWidget) else {_CARD}
    while part is not None and type(part).__name__ not in data:
        part = part.parentWidget()
    return part is not None


def _said_by(part: Any) -> Iterator[str]:
    from PySide6.QtWidgets import QAbstractItemView, QComboBox, QTabBar

    tellers: list[Callable[[], Any]] = [found for name in _SAYING if callable(found := getattr(part, name, None))]
    tellers += [part.toolTip, part.accessibleName, part.accessibleDescription]
    yield from (said for teller in tellers if isinstance(said := teller(), str))
    yield from (action.text() for action in part.actions())
    if isinstance(part, QComboBox):
        yield from (part.itemText(i) for i in range(part.count()))
    if isinstance(part, QTabBar):
        yield from (said for i in range(part.count()) for said in (part.tabText(i), part.tabToolTip(i)))
    if isinstance(part, QAbstractItemView) and part.model() is not None:
        yield from _said_in(part.model())


def _said_in(model: Any, parent: Any = None) -> Iterator[str]:
    """The cells of a model, at most sixty rows of each level, and its headings."""
    from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, Qt

    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
    above = QModelIndex() if parent is None else parent
    # Qt hides the columns of a list, and the children of a table.
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(above)
    flat = isinstance(model, QAbstractListModel | QAbstractTableModel)
    if parent is None:
        heads = (model.headerData(column, Qt.Orientation.Horizontal) for column in range(columns))
        yield from (said for said in heads if isinstance(said, str))
    for row in range(min(model.rowCount(above), 60)):
        cells = [model.index(row, column, above) for column in range(columns)]
        yield from (said for cell in cells for role in roles if isinstance(said := model.data(cell, role), str))
        if cells and not flat:
            yield from _said_in(model, cells[0])


class _Listener:
    """Looks at windows and keeps what was never translated, with the place where it was seen."""

    def __init__(self, known: set[str], settle: Callable[[], None]) -> None:
        self.found: dict[str, str] = {}
        self._known = known
        self._settle = settle

    def look(self, root: Any) -> None:
        """Take down what a window says, when it has nothing more to do."""
        self._settle()
        for where, said in texts_of(root):
            left = _NAMES.sub("", _KEYS.sub("", said))
            if said not in _QTS and any(word not in self._known for word in _PLAIN.findall(left)):
                self.found.setdefault(said, where)


def main(folder: str) -> int:
    """Print what was never translated, each text once with the place where it was seen."""
    set_translation(pseudo)
    from PySide6.QtWidgets import QApplication

    from annotator.ui.main_window import MainWindow
    from annotator.ui.services import Services
    from annotator.ui.theme.manager import Theme
    from demopack.store import Library
    from tests.support.services import with_calls

    app = QApplication([])
    theme = Theme(app, choice="light")
    with Library.open(Path(folder)) as library:
        known = {word for one in library.demos() for word in _PLAIN.findall(str(library.demo(one.head.id)))}
        services = with_calls(
            Services(),
            pick_folder=lambda *_: None,
            open_hotkeys=lambda *_: _Silent(),
            self_test=lambda *_: [],
            open_reader=lambda _: None,
        )
        window = MainWindow(library, theme=theme, services=services)

        def settle() -> None:
            while window.workers.busy:
                app.processEvents()
            app.processEvents()

        listener = _Listener(known, settle)
        _pages(window, listener)
        for one in library.demos():
            window.open_demo(one.head.id)
            settle()
            _editor(window, listener)
        window.close()
    theme.close()
    for said, where in sorted(listener.found.items(), key=lambda pair: (pair[1], pair[0])):
        sys.stdout.write(f"{where}: {said!r}\n")
    return 1 if listener.found else 0


def _pages(window: Any, listener: _Listener) -> None:
    window.show()
    listener.look(window)
    window.library_page.panel.ask()
    window.library_page.open_statistics()
    listener.look(window)
    window.open_settings()
    listener.look(window)
    window.open_models()
    for view in range(4):
        window.models_page.show_view(view)
        listener.look(window)


def _editor(window: Any, listener: _Listener) -> None:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QAction

    from annotator.ui.editor.boxes.boxes_feature import BoxesFeature
    from annotator.ui.editor.export_feature import ExportFeature
    from annotator.ui.editor.review.review_room import step_menu

    page = window.editor
    for step in range(len(page.session.document.steps)):
        page.view.go_to(step)
        page.view.select_next(1)
        listener.look(page.panel)
    listener.look(window)
    for name in _OPENING:
        page.context.keyring.actions[name].trigger()
        listener.look(window)
    listener.look(step_menu(page.steps, page.context.keyring.actions, page.view, selected=1))
    listener.look(page.context.feature(BoxesFeature).menu_at(QPoint(40, 40)))
    for entry in page.context.head.findChildren(QAction):
        entry.trigger()
        listener.look(window)
    page.context.feature(ExportFeature).ask()
    listener.look(window)
    formats = page.context.feature(ExportFeature).sheet.formats
    for row in formats.rows:
        formats.select(row.key)
        listener.look(window)


class _Silent:
    def start(self) -> None:
        """Nothing is listened to."""

    def stop(self) -> None:
        """See ``start``."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

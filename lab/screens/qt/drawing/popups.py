"""What opens above a window for a moment: menus, lists, hints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QCompleter,
    QLineEdit,
    QListView,
    QMainWindow,
    QMenu,
    QToolButton,
    QToolTip,
    QWidget,
)

from lab.screens.qt.drawing.scene import Scene
from lab.screens.qt.drawing.stage import Pane
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.probe.buttons import own_menu


def open_one(kit: WidgetBuilder, scene: Scene) -> list[Pane]:
    """Open something, if the window has anything to open; what is open, lowest first."""
    openers = list(_OPENERS)
    kit.rng.shuffle(openers)
    for opener in openers:
        if opener(kit, scene.main):
            QApplication.processEvents()
            opened = _open_now(scene)
            for popup in opened:
                _lay_out(popup)
            return [_pane(scene, popup) for popup in opened]
    return []


def _lay_out(popup: QWidget) -> None:
    """Rows that were laid out before the style sheet gave them air would overlap."""
    for view in (popup, *popup.findChildren(QListView)):
        if isinstance(view, QListView) and view.isVisible():
            view.doItemsLayout()


def close_all(scene: Scene) -> None:
    """Shut everything that was opened."""
    for popup in _open_now(scene):
        popup.close()
    QToolTip.hideText()
    QApplication.processEvents()


def _open_now(scene: Scene) -> list[QWidget]:
    popups = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget not in scene.windows]
    # A menu before the one that opens from it.
    return sorted(popups, key=lambda widget: (_depth(widget), widget.x(), widget.y()))


def _depth(widget: QWidget) -> int:
    depth, parent = 0, widget.parentWidget()
    while parent is not None:
        depth, parent = depth + 1, parent.parentWidget()
    return depth


def _pane(scene: Scene, popup: QWidget) -> Pane:
    """Where it opened, moved so that it lies on the picture as far as it can."""
    stage = scene.stage
    main = next(pane for pane in stage.panes if pane.widget is scene.main)
    away = popup.mapToGlobal(QPoint(0, 0)) - scene.main.mapToGlobal(QPoint(0, 0))
    x = main.at.x() + round(away.x() * stage.ratio)
    y = main.at.y() + round(away.y() * stage.ratio)
    width, height = round(popup.width() * stage.ratio), round(popup.height() * stage.ratio)
    return Pane(popup, QPoint(max(0, min(x, stage.width - width)), max(0, min(y, stage.height - height))))


def _menu_bar(kit: WidgetBuilder, window: QWidget) -> bool:
    if not isinstance(window, QMainWindow) or window.menuWidget() is None:
        return False
    bar = window.menuBar()
    actions = [action for action in bar.actions() if not bar.actionGeometry(action).isEmpty()]
    if not actions:
        return False
    action = kit.pick(actions)
    bar.setActiveAction(action)
    menu = action.menu()
    if isinstance(menu, QMenu):
        if not menu.isVisible():
            menu.popup(bar.mapToGlobal(bar.actionGeometry(action).bottomLeft()))
        _point_at(kit, menu)
    return True


def _point_at(kit: WidgetBuilder, menu: QMenu) -> None:
    """Move the highlight; an entry with a menu of its own opens it."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    if not entries or kit.maybe(0.2):
        return
    deeper = [action for action in entries if isinstance(action.menu(), QMenu)]
    action = kit.pick(deeper) if deeper and kit.maybe(0.6) else kit.pick(entries)
    menu.setActiveAction(action)
    inner = action.menu()
    if isinstance(inner, QMenu):
        if not inner.isVisible():
            inner.popup(menu.mapToGlobal(menu.actionGeometry(action).topRight()))
        _point_at(kit, inner)


def _context_menu(kit: WidgetBuilder, window: QWidget) -> bool:
    menu = kit.menu(window)
    spot = QPoint(kit.rng.randrange(max(1, window.width())), kit.rng.randrange(max(1, window.height())))
    menu.popup(window.mapToGlobal(spot))
    _point_at(kit, menu)
    return True


def _combo(kit: WidgetBuilder, window: QWidget) -> bool:
    combos = [one for one in window.findChildren(QComboBox) if one.isVisible() and one.isEnabled() and one.count()]
    combos = [one for one in combos if not one.visibleRegion().isEmpty()]
    if not combos:
        return False
    combo = kit.pick(combos)
    combo.setFocus()
    combo.showPopup()
    QApplication.processEvents()
    combo.view().setCurrentIndex(combo.model().index(kit.rng.randrange(combo.count()), combo.modelColumn()))
    return True


def _completer(kit: WidgetBuilder, window: QWidget) -> bool:
    edits = [one for one in window.findChildren(QLineEdit) if _can_complete(one)]
    if not edits:
        return False
    edit = kit.pick(edits)
    words = sorted({kit.pick((kit.say.city(), kit.say.noun(), kit.say.name())) for _ in range(kit.rng.randint(2, 8))})
    completer = QCompleter(words, edit)
    completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
    completer.setWidget(edit)
    edit.setFocus()
    edit.setText(words[0][:2])
    completer.complete(QRect(0, 0, edit.width(), edit.height()))
    return True


def _can_complete(edit: QLineEdit) -> bool:
    parent = edit.parentWidget()
    return (
        edit.isVisible()
        and edit.isEnabled()
        and edit.echoMode() == QLineEdit.EchoMode.Normal
        and not edit.visibleRegion().isEmpty()
        and edit.width() > 60
        and parent is not None
        and parent.metaObject().className() not in _HOSTS
    )


_HOSTS: Final = frozenset({"QComboBox", "QSpinBox", "QDoubleSpinBox", "QDateEdit", "QTimeEdit", "QFontComboBox"})


def _tool_menu(kit: WidgetBuilder, window: QWidget) -> bool:
    tools = [one for one in window.findChildren(QToolButton) if one.isVisible()]
    opening = [(tool, menu) for tool in tools if (menu := own_menu(tool)) is not None]
    if not opening:
        return False
    tool, menu = kit.pick(opening)
    menu.popup(tool.mapToGlobal(QPoint(0, tool.height())))
    _point_at(kit, menu)
    return True


def _hint(kit: WidgetBuilder, window: QWidget) -> bool:
    children = [child for child in window.findChildren(QWidget) if child.isVisible() and child.width() < 300]
    if not children:
        return False
    child = kit.pick(children)
    text = kit.pick((kit.say.action(), kit.say.sentence(), kit.say.option()))
    QToolTip.showText(child.mapToGlobal(QPoint(child.width() // 2, child.height())), text, child)
    return True


_OPENERS: Final[tuple[Callable[[WidgetBuilder, QWidget], bool], ...]] = (
    _menu_bar,
    _menu_bar,
    _combo,
    _combo,
    _context_menu,
    _completer,
    _tool_menu,
    _hint,
)

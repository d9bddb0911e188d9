"""Tells where everything is on the screen, as a person sees it: only what is visible, only the visible part."""

from __future__ import annotations

import sys
from pathlib import Path

from practice_log import write_json
from practice_window import PracticeWindow
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QMenu, QSlider, QStyle, QStyleOptionSlider, QWidget

Places = dict[str, list[int]]


class Eyes:
    """Writes the boxes ``[left, top, right, bottom]`` in pixels of the screen, what has the focus, how often it looked.

    Names: ``name``, ``city``, ``city:Oslo`` while the list is open, ``workshop:Weaving``, ``experience:handle``,
    ``experience:7`` (where the handle is at 7), ``menu:Form``, ``menu:Form:Quit`` while the menu is open.
    """

    def __init__(self, window: PracticeWindow, path: Path) -> None:
        self._window = window
        self._path = path
        self._looks = 0

    def look(self) -> None:
        """Look once, and write it, also where nothing has moved: who reads it knows then that it is still so."""
        self._looks += 1
        focus = next((name for name, widget in self._widgets().items() if widget.hasFocus()), None)
        seen = {"looks": self._looks, "active": self._window.isActiveWindow(), "focus": focus}
        write_json(self._path, {**seen, "places": self._places()})

    def _widgets(self) -> dict[str, QWidget]:
        form = self._window.form
        return {
            "name": form.name,
            "email": form.email,
            "password": form.password,
            "city": form.city,
            "workshop": form.workshop,
            "experience": form.experience,
            "notes": form.notes,
            "reset": form.reset,
            "submit": form.submit,
            "result": self._window.result,
            "form": form.viewport(),
            **form.extras,
            **form.times,
        }

    def _places(self) -> Places:
        shown = self._widgets().items()
        places = {name: box for name, widget in shown if (box := _visible(widget, widget.rect()))}
        self._add_lists(places)
        self._add_menus(places)
        _add_slider(places, self._window.form.experience)
        return places

    def _add_lists(self, places: Places) -> None:
        form = self._window.form
        shown = [("workshop", form.workshop)]
        if form.city.view().isVisible():
            shown.append(("city", form.city.view()))
        for name, view in shown:
            model = view.model()
            for row in range(model.rowCount()):
                index = model.index(row, 0)
                box = _visible(view.viewport(), view.visualRect(index))
                if box:
                    places[f"{name}:{index.data()}"] = box

    def _add_menus(self, places: Places) -> None:
        bar = self._window.menuBar()
        for action in bar.actions():
            title = action.text().replace("&", "")
            box = _visible(bar, bar.actionGeometry(action))
            if box:
                places[f"menu:{title}"] = box
            menu = action.menu()
            if isinstance(menu, QMenu) and menu.isVisible():
                for entry in menu.actions():
                    found = _visible(menu, menu.actionGeometry(entry))
                    if found and not entry.isSeparator():
                        places[f"menu:{title}:{entry.text().replace('&', '')}"] = found


def _add_slider(places: Places, slider: QSlider) -> None:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    for value in range(slider.minimum(), slider.maximum() + 1):
        option.sliderPosition = value
        handle = slider.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
        )
        box = _visible(slider, handle)
        if box:
            places[f"experience:{value}"] = box
            if value == slider.value():
                places["experience:handle"] = box


def _visible(widget: QWidget, part: QRect) -> list[int] | None:
    """The part of the widget that can be seen, in pixels of the screen; None when none of it can."""
    if not widget.isVisible():
        return None
    # Not QWidget.visibleRegion: that leaves out what its own children cover.
    seen = QRect(part)
    above: QWidget | None = widget
    while above is not None:
        seen = seen.intersected(QRect(widget.mapFrom(above, QPoint(0, 0)), above.size()))
        above = None if above.isWindow() else above.parentWidget()
    if seen.isEmpty():
        return None
    # macOS counts its desktop in points, as Qt does.
    ratio = 1.0 if sys.platform == "darwin" else widget.devicePixelRatioF()
    corner = widget.mapToGlobal(QPoint(seen.x(), seen.y()))
    # Qt counts from the corner of the monitor, which it leaves where it is.
    at = widget.screen().geometry().topLeft()
    left, top = at.x() + (corner.x() - at.x()) * ratio, at.y() + (corner.y() - at.y()) * ratio
    return [round(v) for v in (left, top, left + seen.width() * ratio, top + seen.height() * ratio)]

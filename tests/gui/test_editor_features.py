"""Places for features: keys, tabs, sections, bars, rows, tools, jobs, and another widget in the canvas's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest
from PySide6.QtWidgets import QLabel, QMenu, QTabBar, QWidget

from annotator.ui.editor import page as editor_page
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.features import FEATURES
from annotator.ui.editor.keys import KEYS, Key
from tests.gui.conftest import App


class Probe(Feature):
    """One of everything."""

    KEYS: ClassVar[tuple[Key, ...]] = (Key(name="probe", words="Try it", keys=("Ctrl+Shift+F12",), group="Everything"),)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.called: list[str] = []
        self.section, self.bar, self.row, self.tool = QLabel("section"), QLabel("bar"), QLabel("row"), QLabel("tool")
        self.tab, self.guest, self.instead = QLabel("tab"), QLabel("guest"), QWidget()
        desk.add_section(self.section, after="action")
        desk.add_bar(self.bar)
        desk.add_foot_row(self.row)
        desk.add_foot_tool(self.tool)
        desk.add_tab("probe", "Probe", self.tab)
        desk.add_tab("guest", "Guest", self.guest, stays=False)
        desk.add_head_action("probe", "Probe it", lambda: self.called.append("job"), tip="Tries the probe")

    def calls(self) -> Mapping[str, Callable[[], object]]:
        return {"probe": lambda: self.called.append("key")}

    def close_view(self) -> None:
        self.called.append("closed")


@pytest.fixture
def page(app: App, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(editor_page, "FEATURES", (*FEATURES, Probe))
    return app.open()


def test_everything_has_its_place(page: Any) -> None:
    probe = page.desk.feature(Probe)
    for part in (probe.section, probe.bar, probe.row, probe.tool):
        assert part.isVisible()
    page.desk.show_tab("probe")
    assert page.desk.shown_tab == "probe"
    assert probe.tab.isVisible()
    page.actions_by_name["probe"].trigger()
    menu = next(m for m in page.findChildren(QMenu) if "Probe it" in [a.text() for a in m.actions()])
    next(a for a in menu.actions() if a.text() == "Probe it").trigger()
    assert probe.called == ["key", "job"]
    page.close_view()
    assert probe.called[-1] == "closed"
    page.close_view = lambda: None


def test_a_tab_that_does_not_stay_comes_and_goes(page: Any) -> None:
    probe, bar = page.desk.feature(Probe), page.panel.findChild(QTabBar)
    names = [bar.tabText(i) for i in range(bar.count()) if bar.isTabVisible(i)]
    assert "Guest" not in names
    page.desk.show_tab("guest")
    assert probe.guest.isVisible()
    page.panel.close_tab("guest")
    assert page.desk.shown_tab == "element"
    page.panel.close_tab("probe")  # one that stays cannot be closed
    assert "Probe" in [bar.tabText(i) for i in range(bar.count()) if bar.isTabVisible(i)]


def test_tabs_stand_side_by_side_whatever_was_shown_before(app: App, page: Any) -> None:
    bar = page.panel.findChild(QTabBar)
    heights = set[int]()
    for name in ("batch", "guest", "history", "rationales", "templates", "list", "guest"):
        page.desk.show_tab(name)
        app.settle()
        shown = [i for i in range(bar.count()) if bar.isTabVisible(i)]
        rects = [bar.tabRect(i) for i in shown]
        assert [rect.left() for rect in rects] == [sum(r.width() for r in rects[:n]) for n in range(len(rects))]
        assert all(rect.width() == bar.tabSizeHint(i).width() for i, rect in zip(shown, rects, strict=True))
        heights.add(bar.height())
    assert len(heights) == 1


def test_a_hidden_section_takes_its_line_along(page: Any) -> None:
    probe = page.desk.feature(Probe)
    probe.section.hide()
    assert not probe.section.parentWidget().isVisible()
    probe.section.show()
    assert probe.section.isVisible()


def test_something_else_is_shown_in_the_canvas_place(page: Any) -> None:
    probe = page.desk.feature(Probe)
    page.desk.replace_canvas(probe.instead)
    assert probe.instead.isVisible()
    assert not page.canvas.isVisible()
    page.desk.replace_canvas(None)
    assert page.canvas.isVisible()


def test_no_two_keys_are_the_same(page: Any) -> None:
    keys = [*KEYS, *(key for kind in FEATURES for key in kind.KEYS)]
    names = [key.name for key in keys]
    assert sorted(set(names)) == sorted(names)
    taken: dict[str, str] = {}
    for key in keys:
        if key.scope == "shown":
            continue
        for text in key.keys:
            places = {"page": "pcl", "picture": "cl", "canvas": "c", "list": "l"}[key.scope]
            for place in places:
                assert taken.setdefault(text + place, key.name) == key.name, text
    assert page is not None

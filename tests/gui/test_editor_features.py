"""Places for features: keys, tabs, sections, bars, rows, tools, jobs, and another widget in the canvas's place."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QTabBar, QWidget

from annotator.ui.editor import features
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.editor_keys import EDITOR_KEYS
from annotator.ui.editor.features import FEATURES
from annotator.ui.editor.panels.panel_section import PanelSection
from annotator.ui.keys.key import Key
from tests.gui.conftest import App


class Probe(Feature):
    """One of everything."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.called: list[str] = []
        self.section = PanelSection("section", context.view, context.do, context.theme)
        self.bar, self.row, self.tool = QLabel("bar"), QLabel("row"), QLabel("tool")
        self.tab, self.guest, self.instead = QLabel("tab"), QLabel("guest"), QWidget()
        context.panel.add_section(self.section, after="action")
        context.bars.addWidget(self.bar)
        context.foot_rows.addWidget(self.row)
        context.foot.add_tool(self.tool)
        context.panel.add_tab("probe", "Probe", self.tab)
        context.panel.add_tab("guest", "Guest", self.guest, stays=False)
        context.head.add_job("probe", "Probe it", lambda: self.called.append("job"), tip="Tries the probe")

    def close_view(self) -> None:
        self.called.append("closed")

    def _press(self) -> None:
        self.called.append("key")

    KEYS: ClassVar[tuple[Key, ...]] = (Key("probe", "Try it", ("Ctrl+Shift+F12",), "Everything", call=_press),)


@pytest.fixture
def page(app: App, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(features, "FEATURES", (*FEATURES, Probe))
    return app.open()


def test_everything_has_its_place(page: Any) -> None:
    probe = page.context.feature(Probe)
    for part in (probe.section, probe.bar, probe.row, probe.tool):
        assert part.isVisible()
    page.context.panel.show_tab("probe")
    assert page.context.panel.shown_tab == "probe"
    assert probe.tab.isVisible()
    page.context.keyring.actions["probe"].trigger()
    menu = next(m for m in page.findChildren(QMenu) if "Probe it" in [a.text() for a in m.actions()])
    next(a for a in menu.actions() if a.text() == "Probe it").trigger()
    assert probe.called == ["key", "job"]
    page.close_view()
    assert probe.called[-1] == "closed"
    page.close_view = lambda: None


def test_a_tab_that_does_not_stay_comes_and_goes(page: Any) -> None:
    probe, bar = page.context.feature(Probe), page.panel.findChild(QTabBar)
    names = [bar.tabText(i) for i in range(bar.count()) if bar.isTabVisible(i)]
    assert "Guest" not in names
    page.context.panel.show_tab("guest")
    assert probe.guest.isVisible()
    page.panel.close_tab("guest")
    assert page.context.panel.shown_tab == "element"
    page.panel.close_tab("probe")  # one that stays cannot be closed
    assert "Probe" in [bar.tabText(i) for i in range(bar.count()) if bar.isTabVisible(i)]


def test_tabs_stand_side_by_side_whatever_was_shown_before(app: App, page: Any) -> None:
    bar = page.panel.findChild(QTabBar)
    heights = set[int]()
    for name in ("batch", "guest", "history", "rationales", "templates", "list", "guest"):
        page.context.panel.show_tab(name)
        app.settle()
        shown = [i for i in range(bar.count()) if bar.isTabVisible(i)]
        rects = [bar.tabRect(i) for i in shown]
        assert [rect.left() for rect in rects] == [sum(r.width() for r in rects[:n]) for n in range(len(rects))]
        assert all(rect.width() == bar.tabSizeHint(i).width() for i, rect in zip(shown, rects, strict=True))
        heights.add(bar.height())
    assert len(heights) == 1


def test_a_hidden_section_takes_its_line_along(page: Any) -> None:
    probe = page.context.feature(Probe)
    line = probe.section.findChild(QFrame, "line")
    assert line.isVisible()
    probe.section.hide()
    assert not line.isVisible()
    probe.section.show()
    assert line.isVisible()


def test_something_else_is_shown_in_the_canvas_place(page: Any) -> None:
    probe = page.context.feature(Probe)
    page.context.replace_canvas(probe.instead)
    assert probe.instead.isVisible()
    assert not page.canvas.isVisible()
    page.context.replace_canvas(None)
    assert page.canvas.isVisible()


def test_no_two_keys_are_the_same(page: Any) -> None:
    keys = [*EDITOR_KEYS, *features.keys()]
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

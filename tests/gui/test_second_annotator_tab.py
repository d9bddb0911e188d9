"""The second opinion: another library's differences are listed, shown on the picture, decided by key, and undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.commands import AddElement, DeleteElements
from annotator.document import Document
from annotator.ui.editor.second_annotator_feature import SecondAnnotatorFeature
from demopack.domain.geometry import Rect
from demopack.store import Library
from tests.gui.conftest import App
from tests.support.editing import SAMPLE, element, sample_library


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """Another library with the same demo, in which somebody changed three things."""
    (tmp_path / "other").mkdir()
    folder = sample_library(tmp_path / "other")
    with Library.open(folder) as library:
        demo = library.demo(SAMPLE)
        frame = demo.steps[0].before
        assert frame is not None
        first, second, *_ = demo.ordered(frame.id)
        for command in (
            SetAttribute(uids=(first.uid,), name="text", value="Otherwise"),
            SetBoxes(boxes={second.uid: Rect(0, 0, 40, 30)}),
            AddElement(element=element("el_theirs", (600, 500, 640, 520), frame=frame.id, type="icon")),
        ):
            edit = command.edit(Document(library.demo(SAMPLE)))
            assert edit is not None
            library.commit(SAMPLE, edit)
    return folder


@pytest.fixture
def panel(app: App, theirs: Path) -> Any:
    page = app.open()
    feature = page.context.feature(SecondAnnotatorFeature)
    page.context.keyring.actions.get("second_opinion")
    page.context.panel.show_tab("opinion")
    feature.path.setText(str(theirs))
    feature.path.flush()
    app.settle()
    return feature


def rows(panel: Any) -> list[str]:
    model = panel.list.model()
    return [str(model.index(row).data()).split("\n")[0] for row in range(model.rowCount())]


def test_every_difference_is_listed_and_the_agreement_told(app: App, panel: Any) -> None:
    assert len(rows(panel)) == 3
    assert any("They read “Otherwise”" in row for row in rows(panel))
    assert "Only they have the icon" in rows(panel)
    assert "F1" in panel.said.words.text()
    assert "Kappa, agreement beyond chance: type 1.00" in panel.said.words.text()
    assert panel.kinds.itemText(0) == "All differences (3)"


def test_a_row_shows_mine_and_theirs(app: App, panel: Any) -> None:
    page = app.page
    feature = page.context.feature(SecondAnnotatorFeature)
    moved = next(i for i, row in enumerate(rows(panel)) if "elsewhere" in row)
    index = panel.list.model().index(moved)
    app.qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualRect(index).center())
    assert feature.layer.boxes == (Rect(0, 0, 40, 30),)
    assert len(page.view.selection) == 1
    page.view.go_by(3)
    assert feature.layer.boxes == ()


def test_enter_takes_theirs_shift_enter_keeps_mine_and_the_next_one_follows(app: App, panel: Any) -> None:
    panel.list.setFocus()
    text = next(i for i, row in enumerate(rows(panel)) if "Otherwise" in row)
    panel.list.setCurrentIndex(panel.list.model().index(text))
    app.qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    app.settle()
    assert len(rows(panel)) == 2
    assert "Otherwise" in [e.text for found in app.stored().elements.values() for e in found]
    app.qtbot.keyClick(panel.list, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    app.settle()
    assert len(rows(panel)) == 1
    app.page.session.undo()
    app.page.session.undo()
    app.settle()
    assert len(rows(panel)) == 3


def test_all_of_a_kind_are_one_edit(app: App, panel: Any) -> None:
    panel.kinds.setCurrentIndex(panel.kinds.findData("missing"))
    assert rows(panel) == ["Only they have the icon"]
    panel.kinds.setCurrentIndex(0)
    app.qtbot.mouseClick(panel._buttons[2], Qt.MouseButton.LeftButton)
    app.settle()
    assert rows(panel) == []
    assert panel.none.isVisible()
    assert app.library.log.labels(SAMPLE)[0] == "Take their opinion on 3 things"
    app.page.session.undo()
    app.settle()
    assert len(rows(panel)) == 3


def test_the_list_follows_other_edits(app: App, panel: Any) -> None:
    page = app.page
    last = page.session.document.ordered(page.view.frame.id)[-1]
    page.session.do(DeleteElements(uids=(last.uid,)))
    app.settle()
    app.qtbot.waitUntil(lambda: len(rows(panel)) == 4, timeout=5000)
    assert any(row.startswith("You rejected") for row in rows(panel))


def test_a_place_without_the_pictures_says_so(app: App, panel: Any, tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty"):
        pass
    panel.path.setText(str(tmp_path / "empty"))
    panel.path.flush()
    app.settle()
    assert "No demo in" in panel.said.words.text()
    assert rows(panel) == []


def test_whoever_asks_anew_stays_where_they_are(app: App, panel: Any, tmp_path: Path) -> None:
    """A list that is emptied item by item makes its other rows current on the way, and shows the picture of each."""
    page = app.page
    page.view.go_by(3)
    here = page.view.frame.id
    shown: list[object] = []
    page.view.frame_changed.connect(lambda *_: shown.append(page.view.frame.id))
    panel.path.setText(str(tmp_path / "nowhere"))
    panel.path.flush()
    app.settle()
    assert rows(panel) == []
    assert (shown, page.view.frame.id) == ([], here)

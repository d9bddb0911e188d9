"""The models page: what is in use, training with curves, comparing on pictures, and what to correct first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from annotator.batch.parsing import ParseOrder
from annotator.model_store import FrameChanges, ModelStore
from annotator.training_runs import TrainingRuns
from annotator.ui.editor.batch_feature import BatchFeature
from annotator.ui.models.curves import Curves
from annotator.ui.models.models_page import ModelsPage
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import Settings, load_settings
from demopack.store import Library
from models.registry import ModelCard, ModelKind, add_model, known_models, write_model
from models.training.differences import ScreenChange, ScreenChanges
from tests.gui.conftest import App, make_app
from tests.support.editing import SAMPLE
from tests.support.fake_training import COMMAND, report
from tests.support.services import with_calls

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support"),
    pytest.mark.skipif(sys.platform == "win32", reason="the training of these tests waits for signals"),
]


class Shelf(ModelStore):
    """The real one, but comparing needs no model."""

    error: ModelError | None = None

    def differences(
        self, library: Library, demo_id: str, *, kind: ModelKind, names: tuple[str, str], control: JobControl
    ) -> list[FrameChanges]:
        assert kind == "detector"
        control.token.check()
        if self.error is not None:
            raise self.error
        demo = library.demo(demo_id)
        found: list[FrameChanges] = []
        for number, frame in enumerate(demo.frames()[:3]):
            boxes = [element.box for element in demo.elements[frame.id][: 3 - number]]
            kinds = ("vanished", "appeared", "type")
            changes = tuple(
                ScreenChange(kind=what, box=box, before=f"{names[0]}'s button", after=f"{names[1]}'s icon")
                for what, box in zip(kinds, boxes, strict=False)
            )
            changed = ScreenChanges(name=demo.shown_by(frame.id), same=4, changes=changes)
            found.append(FrameChanges(frame=frame, shown=changed.name, changes=changed))
        return found


def trained(folder: Path, name: str, *, kind: ModelKind = "detector", **metrics: float) -> None:
    folder.mkdir()
    weights = folder / "weights.bin"
    weights.write_bytes(name.encode() * 60_000)
    card = ModelCard(
        id=kind, kind=kind, created="2026-03-07", files={}, metrics=metrics, command="demopack train detector"
    )
    add_model(write_model(folder / "model", card, [weights]), name=name)


@pytest.fixture(autouse=True)
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_MODELS", str(tmp_path / "models"))
    # Whatever comes with demopack one day changes nothing here.
    monkeypatch.setattr("models.registry.assets_root", lambda: tmp_path / "assets")
    trained(tmp_path / "a", "office", f1=0.8, ap50=0.7)
    trained(tmp_path / "b", "mail", f1=0.9, map=0.4)
    trained(tmp_path / "c", "words", kind="describer", val_type=0.9)


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def searched_with() -> list[str]:
    """The detectors of the searches that were asked for in the editor; none of them looks."""
    return []


@pytest.fixture
def app(
    library: Library, theme: Theme, services: Services, shelf: Shelf, searched_with: list[str], qtbot: QtBot
) -> Iterator[App]:
    runs = TrainingRuns(command=COMMAND)

    def find(_library: Library, _demo: str, settings: Settings, _control: JobControl) -> str:
        searched_with.append(settings.vision.detector)
        return ""

    own = with_calls(services, open_shelf=lambda: shelf, open_runs=lambda: runs, find=find)
    made = make_app(library, theme, own, qtbot)
    yield made
    made.window.close()
    for run in runs.runs():
        runs.stop(run.name, control=JobControl())
    made.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]


def open_page(app: App, view: int = 0) -> ModelsPage:
    app.qtbot.keyClick(app.window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    app.settle()
    page = app.window.models_page
    assert page.isVisible()
    app.qtbot.keyClick(page, getattr(Qt.Key, f"Key_{view + 1}"), Qt.KeyboardModifier.ControlModifier)
    app.settle()
    assert page.current == view
    return page


def titles(rows: Any) -> list[tuple[str, str]]:
    return [(row.title, row.badge) for row in rows.rows if row.key]


def wait(app: App, state: str, name: str) -> None:
    """Until the page has seen a training in a state."""
    view = app.window.models_page.train_view
    app.qtbot.waitUntil(lambda: any((r.name, r.state) == (name, state) for r in view.runs), timeout=20_000)


# In use ---------------------------------------------------------------------------------------------------------------


def test_what_there_is_and_what_is_in_use(app: App) -> None:
    view = open_page(app).models_view
    none = ("None", "In use")
    assert titles(view.list) == [("mail", ""), ("office", ""), none, ("words", ""), none, none]
    assert view.list.rows[1].caption == "0.2 MB · 7 Mar 2026 · F1 of boxes 0.90"
    assert view.card.shown is not None
    assert view.card.shown.name == "mail"


def test_a_demo_that_is_open_is_searched_with_the_model_that_is_chosen_meanwhile(
    app: App, searched_with: list[str]
) -> None:
    page = app.open()
    batch = page.context.feature(BatchFeature)

    def search(_library: Library, _order: ParseOrder, settings: Settings, _control: JobControl) -> str:
        searched_with.append(settings.vision.detector)
        return ""

    batch.search = search
    page.context.head.buttons["find"].click()
    app.settle()
    view = open_page(app).models_view
    view.list.select("detector/office")
    view.card.use.click()
    app.settle()
    assert app.page is page
    page.context.head.buttons["find"].click()
    app.settle()
    batch._again.click()
    app.settle()
    assert searched_with == ["shipped", "office", "office"]


def test_another_model_is_used_from_now_on_everywhere(app: App, searched_with: list[str]) -> None:
    view = open_page(app).models_view
    view.list.select("detector/office")
    view.card.use.click()
    app.settle()
    assert load_settings().vision.detector == "office"
    assert ("office", "In use") in titles(view.list)
    assert view.card.use.isHidden()
    # What is searched from now on is searched with it.
    app.open()
    app.page.context.head.buttons["find"].click()
    app.settle()
    assert searched_with == ["office"]
    view.list.select("none:detector")
    view.without.click()
    app.settle()
    assert load_settings().vision.detector == ""
    assert view.without.isHidden()


def test_enter_uses_a_model(app: App) -> None:
    view = open_page(app).models_view
    assert view.list.hasFocus()
    app.qtbot.keyClick(view.list, Qt.Key.Key_Down)
    app.qtbot.keyClick(view.list, Qt.Key.Key_Return)
    app.settle()
    assert load_settings().vision.detector == "office"


def test_the_card_tells_and_its_command_is_copied(app: App) -> None:
    view = open_page(app).models_view
    button = next(b for b in view.card.findChildren(QAbstractButton) if b.accessibleName() == "Copy: Command")
    button.click()
    assert QGuiApplication.clipboard().text() == "demopack train detector"


def test_a_model_is_removed(app: App) -> None:
    view = open_page(app).models_view
    view.list.select("detector/mail")
    view.card.remove.click()
    app.settle()
    assert [model.folder.name for model in known_models("detector")] == ["office"]
    assert ("mail", "") not in titles(view.list)
    assert "Removed the detector mail" in app.window.toast.text


def test_a_folder_is_added_once_it_works(
    library: Library,
    theme: Theme,
    services: Services,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []
    monkeypatch.setattr("models.vision.finder.try_model", lambda model: tried.append(model.card.id))
    given = with_calls(services, open_shelf=Shelf, pick_folder=lambda *_: tmp_path / "a")
    app = make_app(library, theme, given, qtbot)
    view = open_page(app).models_view
    view.add.click()
    app.settle()
    assert view.card.shown is not None
    assert view.card.shown.name == "detector"
    assert len(tried) == 1
    app.window.close()


def test_a_folder_without_a_model_is_refused(app: App, tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    open_page(app).models_view.add.click()
    app.settle()
    assert "holds no model" in app.window.banner.text


# Train ----------------------------------------------------------------------------------------------------------------


def form_of(app: App, tmp_path: Path, *, minutes: int, name: str = "trial") -> Any:
    (tmp_path / "set").mkdir()
    form = open_page(app, 1).train_view.form
    form.library.setChecked(False)
    form.take_folder(tmp_path / "set")
    form.minutes.setValue(minutes)
    form.name.setText(name)
    return form


def test_the_form_says_what_the_library_would_teach(app: App) -> None:
    form = open_page(app, 1).train_view.form
    words = form.findChild(QLabel, "teaches")
    assert words.isVisible()
    assert words.text() == "Screens: 1 approved. The models found all 16 elements on them: little to learn."
    form.library.setChecked(False)
    assert not words.isVisible(), "it says so only while that is learned from"


def test_too_little_approved_is_told_in_the_form(app: App) -> None:
    form = open_page(app, 1).train_view.form
    form.start.click()
    app.settle()
    assert "screens that were approved or that programs reported" in form.problem.words
    assert form.start.isEnabled()
    assert app.window.banner.text == ""
    assert app.window.models_page.train_view.runs == ()


def test_a_training_is_watched_stopped_continued_and_used(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = form_of(app, tmp_path, minutes=20)
    form.start.click()
    app.settle()
    view = app.window.models_page.train_view
    assert view.list.current == "trial"
    panel = view.panel
    app.qtbot.waitUntil(lambda: "Step 300" in panel.told.text(), timeout=20_000)
    assert panel.told.text() == "Step 300 · 60 s spent · about 19 min left"
    assert list(panel.losses.shown) == ["box_loss", "cls_loss"]
    assert list(panel.metrics.shown) == ["f1", "type"]
    panel.stop.click()
    wait(app, "stopped", "trial")
    app.settle()
    assert panel.stop.isHidden()
    panel.go_on.click()
    wait(app, "finished", "trial")
    app.settle()
    assert "is trained" in app.window.toast.text
    app.qtbot.waitUntil(lambda: panel.use.isVisible(), timeout=20_000)
    panel.use.click()
    app.settle()
    assert load_settings().vision.detector == "trial"
    assert panel.use.isHidden()


def test_a_training_survives_the_window(app: App, tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    form = form_of(app, tmp_path, minutes=20)
    form.start.click()
    app.settle()
    wait(app, "running", "trial")
    app.window.close()
    again = make_app(app.library, theme, app.window._services, qtbot)
    page = open_page(again, 1)
    wait(again, "running", "trial")
    page.train_view.list.select("trial")
    assert page.train_view.panel.stop.isVisible()
    again.window.close()


def test_a_training_that_fails_says_why(app: App, tmp_path: Path) -> None:
    form_of(app, tmp_path, minutes=7).start.click()
    wait(app, "failed", "trial")
    app.settle()
    panel = app.window.models_page.train_view.panel
    assert panel.problem.words == "There are no screens to learn from."
    panel.remove.click()
    app.settle()
    app.settle()
    assert not (tmp_path / "models" / "runs" / "trial").exists()
    assert app.window.models_page.train_view.list.current == "new:"


def test_the_model_to_begin_with(app: App) -> None:
    page = open_page(app)
    page.models_view.list.select("describer/words")
    page.models_view.card.train.click()
    app.settle()
    wish = page.train_view.form.wish
    assert (page.current, wish.kind, wish.start_from) == (1, "describer", "words")
    page.train_view.form.kind.button(0).click()
    assert page.train_view.form.wish.kind == "detector"
    assert page.train_view.form.wish.start_from in {"mail", "office"}


def test_a_network_for_icons_is_used_but_not_trained_here(app: App, tmp_path: Path) -> None:
    trained(tmp_path / "d", "signs", kind="icons")
    page = open_page(app)
    page.models_view.list.select("icons/signs")
    assert not page.models_view.card.use.isHidden()
    assert page.models_view.card.train.isHidden()


def test_a_folder_is_learned_from_once_and_can_be_left(app: App, tmp_path: Path) -> None:
    form = open_page(app, 1).train_view.form
    form.take_folder(tmp_path / "one")
    form.take_folder(tmp_path / "two")
    form.take_folder(tmp_path / "one")
    assert form.wish.folders == (str(tmp_path / "one"), str(tmp_path / "two"))

    def leaving() -> list[QAbstractButton]:
        found = form.findChildren(QAbstractButton)
        return [b for b in found if b.isVisible() and b.accessibleName().startswith("Do not learn from")]

    app.qtbot.waitUntil(lambda: len(leaving()) == 2)
    away = leaving()
    # Tab goes through them in the order of reading.
    form.library.setFocus()
    for part in (*away, form.add_folder, form.minutes, form.start_from, form.name, form.start):
        app.qtbot.keyClick(app.window.focusWidget(), Qt.Key.Key_Tab)
        assert part.hasFocus()
    app.qtbot.keyClick(form.start, Qt.Key.Key_Tab)
    assert not form.isAncestorOf(app.window.focusWidget())
    away[0].click()
    assert form.wish.folders == (str(tmp_path / "two"),)


def test_a_chart_tells_the_values_under_the_pointer_and_by_keys(app: App) -> None:
    folder = app.window._services.open_runs().folder / "by-hand"
    folder.mkdir(parents=True)
    for step in (100, 200, 300):
        report(folder, step)
    page = open_page(app, 1)
    wait(app, "elsewhere", "by-hand")
    page.train_view.list.select("by-hand")
    chart: Curves = page.train_view.panel.losses
    app.qtbot.mouseMove(chart, QPoint(chart.width() - 20, chart.height() // 2))
    app.qtbot.waitUntil(lambda: chart.at == 1.0)
    assert chart.told() == [("box_loss", 2.0), ("cls_loss", 0.5)]
    app.qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.at == pytest.approx(40 / 60)
    assert not chart.grab().isNull()
    assert "Boxes 2" in chart.accessibleDescription()


# Compare --------------------------------------------------------------------------------------------------------------


def test_figures_stand_side_by_side(app: App) -> None:
    view = open_page(app, 2).compare_view
    assert (view.first.currentText(), view.second.currentText()) == ("mail", "office")
    assert [(row.name, row.first, row.second) for row in view.table.rows] == [
        ("f1", 0.9, 0.8), ("map", 0.4, None), ("ap50", None, 0.7),
    ]  # fmt: skip
    view.kind.button(1).click()
    assert view.table.rows == []
    assert not view.go.isEnabled()


def test_what_changed_is_drawn_in_two_hues_and_walked_through(app: App) -> None:
    view = open_page(app, 2).compare_view
    view.demos.setCurrentIndex(view.demos.findData(SAMPLE))
    view.go.click()
    app.settle()
    app.settle()
    assert [row.badge for row in view.screens.rows] == ["", "", ""]
    assert view.screens.rows[0].caption == "1 only in the first, 1 only in the second, 1 of another type"
    picture = view.picture
    app.qtbot.waitUntil(lambda: picture.ready and not picture.message)
    words: list[str] = []
    for _ in range(4):
        app.qtbot.keyClick(picture, Qt.Key.Key_Right)
        words.append(picture.accessibleDescription())
    assert words == [
        "Only the first sees: mail's button", "Only the second sees: office's icon",
        "Type: mail's button → office's icon", "Only the first sees: mail's button",
    ]  # fmt: skip
    app.qtbot.keyClick(view.screens, Qt.Key.Key_Down)
    assert picture._layer.chosen == -1
    app.qtbot.keyClick(view.screens, Qt.Key.Key_Return)
    app.settle()
    assert app.window.editor is not None


def test_a_model_that_cannot_look_says_so(app: App, shelf: Shelf) -> None:
    shelf.error = ModelError("onnxruntime is missing.")
    view = open_page(app, 2).compare_view
    view.go.click()
    app.settle()
    assert "onnxruntime is missing" in app.window.banner.text
    assert view.go.isEnabled()
    assert view.cancel.isHidden()


# Correct first --------------------------------------------------------------------------------------------------------


def test_a_click_on_a_doubtful_screen_opens_the_editor_there(app: App) -> None:
    view = open_page(app, 3).suspects_view
    assert "in this order" in view.told.text()
    first = app.window._services.open_shelf().suspects(app.library, limit=1)[0]
    rows = view.list.rows
    assert rows[0].frame == first[0].frame
    place = view.list.visualRect(view.list.model().index(0, 0)).center()
    app.qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    app.settle()
    assert app.page.view.frame.id == first[0].frame
    assert app.page.view.index == first[2].step - 1


# All of it ------------------------------------------------------------------------------------------------------------


def test_the_page_is_left_by_esc(app: App) -> None:
    page = open_page(app)
    app.qtbot.keyClick(page.models_view.list, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert app.window.library_page.isVisible()


@pytest.mark.parametrize("view", range(4))
def test_everything_that_takes_the_focus_has_a_name(app: App, view: int) -> None:
    page = open_page(app, view)
    nameless = [
        part
        for part in page.findChildren(QWidget)
        if part.isVisible()
        and part.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not part.accessibleName()
        and not getattr(part, "text", str)()
        and not part.objectName().startswith("qt_")
    ]
    assert nameless == []

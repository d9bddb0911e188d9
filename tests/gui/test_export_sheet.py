"""An export asks for the format, how, and where to; by keyboard alone it is written as the command line writes it."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLabel

from annotator.step_commands import SetOutcome
from annotator.ui.editor.export_feature import ExportFeature
from annotator.ui.editor.export_sheet import ExportSheet
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import GROUPS, NAMES, exporter
from demopack.jobs import JobControl, Progress
from demopack.pack.export import export_formats, packs_of
from demopack.store import Library
from tests.gui.conftest import App, make_app
from tests.support.editing import SAMPLE
from tests.support.services import with_calls

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders are proposed."""
    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.setattr(Path, "home", lambda: made)
    return made


def ask(app: App) -> ExportSheet:
    if app.window.editor is None:
        app.open()
    app.qtbot.keyClick(app.page.canvas, "x", CTRL | SHIFT)
    app.settle()
    found = sheet(app)
    assert found is not None
    return found


def sheet(app: App) -> ExportSheet | None:
    found: ExportSheet | None = app.page.context.feature(ExportFeature).sheet
    return found


def press(app: App, *keys: Qt.Key | str) -> None:
    for key in keys:
        focused = QApplication.focusWidget()
        assert focused is not None
        app.qtbot.keyClick(focused, key)


def texts(asked: ExportSheet) -> str:
    return "\n".join(found.text() for found in asked.findChildren(QLabel) if found.isVisible())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_formats_stand_by_rank_each_with_its_sentence(app: App) -> None:
    rows = ask(app).formats.rows
    assert rows[0].key == "pack"
    shown: dict[str, list[str]] = {}
    for row in rows[1:]:
        if not row.key:
            shown[row.title] = []
        else:
            shown[list(shown)[-1]].append(row.key)
            assert (row.title, row.caption) == (exporter(row.key).title, exporter(row.key).about)
    assert {heading: tuple(names) for heading, names in shown.items()} == GROUPS


def test_by_keyboard_alone_a_format_is_written_as_the_command_line_writes_it(
    app: App, home: Path, tmp_path: Path
) -> None:
    asked = ask(app)
    assert QApplication.focusWidget() is asked.formats
    press(app, *"shareg")
    assert asked.formats.current == "sharegpt"
    press(app, Qt.Key.Key_Tab, Qt.Key.Key_Right)
    assert "A sample for each" in texts(asked)
    press(app, Qt.Key.Key_Return)
    app.settle()
    (written,) = home.iterdir()
    assert written.name == "add-ada-lovelace-as-a-customer-from-the-united-k-sharegpt"
    assert app.window.banner.text == ""
    assert "ShareGPT messages with dataset_info.json: 11 of 11 steps in" in app.window.toast.text
    log = json.loads((written / "EXPORT_LOG.json").read_text(encoding="utf-8"))
    assert log["options"]["unit"] == "episode"
    with packs_of(app.library, [SAMPLE], (), tmp_path / "again") as packs:
        options = ExportOptions(unit="episode")
        export_formats(packs, [exporter("sharegpt")], tmp_path / "again", options=options)
    assert tree(written) == tree(tmp_path / "again")
    assert app.page.isEnabled()
    assert app.page.hasFocus()


def test_arrows_go_over_the_headings_and_esc_leaves(app: App, home: Path) -> None:
    asked = ask(app)
    press(app, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert asked.formats.current == "trl"
    press(app, Qt.Key.Key_Escape)
    assert sheet(app) is None
    assert app.page.isEnabled()
    ask(app)
    press(app, *[Qt.Key.Key_Tab] * 3)
    press(app, Qt.Key.Key_Return)
    assert sheet(app) is None, "the button that has the keyboard was “Not now”"
    app.settle()
    assert list(home.iterdir()) == []


def test_the_end_opens_the_folder(app: App, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    ask(app)
    press(app, Qt.Key.Key_Return)
    app.settle()
    assert "Pack written" in app.window.toast.text
    (written,) = home.iterdir()
    assert app.window.toast.act()
    assert opened == [QUrl.fromLocalFile(str(written))]


def test_a_long_path_is_told_within_the_window_beside_the_button(app: App, home: Path) -> None:
    app.window.resize(app.window.minimumSize())
    asked = ask(app)
    asked.formats.select("trl")
    asked.folder.setText(str(home.joinpath(*["a folder of the person who exports"] * 3, "sets")))
    press(app, Qt.Key.Key_Return)
    app.settle()
    toast = app.window.toast
    button = next(found for found in toast.findChildren(QAbstractButton) if found.text() == "Open folder")
    parent = toast.parentWidget()
    assert parent is not None
    assert parent.rect().contains(toast.geometry())
    assert toast.rect().contains(button.geometry())
    words = toast.findChildren(QLabel)[0]
    assert words.height() >= words.heightForWidth(words.width())


def test_the_options_are_those_that_the_format_has(app: App) -> None:
    asked = ask(app)
    for name in NAMES:
        asked.formats.select(name)
        form = exporter(name)
        said = texts(asked)
        assert ("A sample for each" in said) == (len(form.units) > 1)
        assert asked._any_outcome.isVisible() == form.successful_only
        assert "`" not in said, "it is no Markdown page"
        assert all(loss.what.replace("`", "") in said for loss in form.losses)
        assert asked.choice is not None
        assert form.fitting(asked.choice.options).unit == form.units[0]
    asked.formats.select("pack")
    assert "A sample for each" not in texts(asked)


def test_examples_are_made_of_demos_that_were_done_unless_all_are_asked_for(app: App, home: Path) -> None:
    app.open().session.do(SetOutcome(outcome="failure", reason="It was sold out."))
    ask(app).formats.select("caap")
    press(app, Qt.Key.Key_Return)
    app.settle()
    assert app.window.banner.text == ""
    assert app.window.toast.text == "CAAP demonstrations is empty: the task was not done."
    asked = ask(app)
    assert asked.formats.current == "caap", "as it was chosen last"
    assert "before is replaced" in texts(asked)
    press(app, Qt.Key.Key_Tab, Qt.Key.Key_Space, Qt.Key.Key_Return)
    app.settle()
    assert app.window.toast.text.startswith("CAAP demonstrations: ")
    assert len(list(home.iterdir())) == 1


def test_the_folder_follows_the_format_until_it_is_written_by_hand(app: App, home: Path, tmp_path: Path) -> None:
    asked = ask(app)
    asked.formats.select("trl")
    assert asked.folder.text() == str(home / "add-ada-lovelace-as-a-customer-from-the-united-k-trl")
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "mine.txt").write_text("mine")
    chooser = next(b for b in asked.findChildren(QAbstractButton) if b.text() == "Choose …")
    app.qtbot.mouseClick(chooser, Qt.MouseButton.LeftButton)
    assert asked.folder.text() == str(tmp_path / "packs" / "add-ada-lovelace-as-a-customer-from-the-united-k-trl")
    asked.folder.setText("sets")
    asked.formats.select("atif")
    assert asked.folder.text() == "sets"
    assert f"It will be written to {home / 'sets'}." in texts(asked)
    asked.folder.setText(str(tmp_path / "packs"))
    inside = tmp_path / "packs" / "add-ada-lovelace-as-a-customer-from-the-united-k-atif"
    assert f"It will be written to {inside}." in texts(asked)


def test_on_a_small_screen_what_is_lost_stands_above_what_can_be_chosen(app: App) -> None:
    asked = ask(app)
    asked.formats.select("caap")
    lost = next(found for found in asked.findChildren(QLabel) if found.text().startswith("Lost"))
    box = next(found for found in asked.findChildren(QCheckBox) if found.isVisible())
    for width, beside in ((460, False), (900, True), (460, False)):
        asked.resize(width, 400)
        QApplication.processEvents()
        assert (lost.geometry().right() < box.geometry().left()) == beside
        assert (lost.geometry().bottom() < box.geometry().top()) != beside
        assert box.width() >= box.sizeHint().width()
        assert lost.height() >= lost.heightForWidth(lost.width())


def test_nothing_is_written_where_no_folder_can_be(app: App, tmp_path: Path) -> None:
    asked = ask(app)
    (tmp_path / "file").write_text("mine")
    for nowhere in ("", "  ", str(tmp_path / "file"), "~no-such-person/there"):
        asked.folder.setText(nowhere)
        assert asked.choice is None
        press(app, Qt.Key.Key_Return)
        assert sheet(app) is asked
    assert "No folder can be made there." in texts(asked)


def test_an_error_says_what_the_command_line_says(app: App, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for name in ("pack", "trl"):
        asked = ask(app)
        asked.formats.select(name)
        asked.folder.setText(str(tmp_path / "file" / "inside"))
        press(app, Qt.Key.Key_Return)
        app.settle()
        assert "cannot be written to" in app.window.banner.text
        assert "nothing was changed" in app.window.banner.text
        app.window.banner.hide()
    assert app.page.context.head.buttons["export"].isEnabled()


@pytest.mark.parametrize("name", ["pack", "trl"])
def test_while_it_runs_its_title_stands_and_neither_done_nor_files(
    library: Library, services: Services, tmp_path: Path, name: str
) -> None:
    told: list[Progress] = []
    form = None if name == "pack" else exporter(name)
    services.export(library, [SAMPLE], tmp_path / "out", JobControl(report=told.append), form=form)
    assert {progress.text for progress in told} == {""}
    assert max(progress.done for progress in told) > 1


def test_a_cancelled_export_leaves_nothing(
    library: Library, theme: Theme, services: Services, qtbot: Any, home: Path
) -> None:
    begun, cancelled = threading.Event(), threading.Event()

    def export(*given: Any, **chosen: Any) -> str:
        begun.set()
        assert cancelled.wait(20)
        return services.export(*given, **chosen)

    app = make_app(library, theme, with_calls(services, export=export), qtbot)
    asked = ask(app)
    asked.formats.select("trl")
    press(app, Qt.Key.Key_Return)
    assert begun.wait(20)
    assert not app.page.context.head.buttons["export"].isEnabled()
    app.qtbot.keyClick(app.page.canvas, "x", CTRL | SHIFT)
    assert sheet(app) is None, "one after the other"
    (job,) = app.window.workers.jobs
    assert job.title == "Exporting"
    job.cancel()
    cancelled.set()
    app.settle()
    assert list(home.iterdir()) == []
    assert app.window.banner.text == ""
    assert app.page.context.head.buttons["export"].isEnabled()
    app.window.close()
    app.window.deleteLater()


def test_closing_the_editor_takes_the_sheet_along(app: App) -> None:
    asked = ask(app)
    app.window.close_editor()
    app.settle()
    assert not asked.isVisible()


def test_every_control_has_a_name_and_a_tip(app: App) -> None:
    asked = ask(app)
    asked.formats.select("sharegpt")
    for control in [*asked.findChildren(QAbstractButton), asked.folder]:
        assert control.accessibleName(), control
        assert control.toolTip(), control

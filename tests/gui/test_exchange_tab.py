"""The exchange tab: losses before, a report after, imports as one edit, mistakes in the files named where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.ui.editor.exchange_feature import ExchangeFeature
from annotator.ui.services import export_name, target_folder
from tests.gui.conftest import App
from tests.support.demos import CREATED_AT, demo_head
from tests.support.editing import SAMPLE


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def feature(page: Any) -> ExchangeFeature:
    return page.context.feature(ExchangeFeature)  # type: ignore[no-any-return]


def choose(panel: Any, name: str) -> None:
    panel.formats.setCurrentIndex(panel.formats.findData(name))


def export(app: App, name: str) -> Path:
    """Write the sample in a format; returns the folder."""
    app.page.context.keyring.actions["export_annotations"].trigger()
    panel = feature(app.page)
    choose(panel.out, name)
    app.settle()
    app.qtbot.mouseClick(panel.out.button, Qt.MouseButton.LeftButton)
    app.settle()
    return Path(panel.out.report.words.text().split(", in ")[1].split("\n")[0].rstrip("."))


def look(app: App, path: Path) -> Any:
    app.page.context.keyring.actions["import_annotations"].trigger()
    panel = feature(app.page).into
    panel.path.setText(str(path))
    panel.path.flush()
    app.settle()
    return panel


def test_what_would_be_lost_is_told_before_and_after(app: App, page: Any) -> None:
    app.qtbot.keyClick(page.canvas, "E", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    app.settle()
    panel = feature(page)
    assert page.context.panel.shown_tab == "exchange"
    assert "Nothing that they say would be lost." in panel.out.losses.words.text()
    choose(panel.out, "yolo")
    app.settle()
    assert "texts (153), states" in panel.out.losses.words.text()
    assert "because a line is a class and a box." in panel.out.losses.words.text()
    folder = export(app, "yolo")
    assert (folder / "data.yaml").is_file()
    assert "texts (153)" in panel.out.report.words.text()
    # After an edit the promise is made anew.
    before = panel.out.losses.words.text()
    uid = page.session.document.elements(page.view.frame.id)[0].uid
    page.view.select((uid,))
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Delete)
    app.qtbot.waitUntil(lambda: panel.out.losses.words.text() != before, timeout=5000)


def test_a_correction_comes_in_as_one_edit_and_undo_takes_it_back(app: App, page: Any) -> None:
    folder = export(app, "labelme")
    file = next(f for f in sorted(folder.glob("*.json")) if f.name != "EXPORT_LOG.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    data["shapes"][0]["description"] = "Corrected elsewhere"
    file.write_text(json.dumps(data), encoding="utf-8")
    panel = look(app, folder)
    assert "0 would be new, 1 changed;" in panel.plan.words.text()
    assert page.session.document.element(data["shapes"][0]["demopack"]["uid"]).text != "Corrected elsewhere"
    app.qtbot.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    app.settle()
    assert "0 new, 1 changed" in panel.report.words.text()
    uid = data["shapes"][0]["demopack"]["uid"]
    found = {e.uid: e for group in app.stored().elements.values() for e in group}
    assert found[uid].text == "Corrected elsewhere"
    assert found[uid].review == "approved"
    page.session.undo()
    app.settle()
    assert page.session.document.element(uid).text != "Corrected elsewhere"
    # What a person made stays, until they say otherwise.
    page.session.redo()
    data["shapes"][0]["description"] = "And again"
    file.write_text(json.dumps(data), encoding="utf-8")
    app.settle()
    panel = look(app, folder / file.name)
    assert "Made by a person and otherwise in the file" in panel.plan.words.text()
    assert not panel.button.isEnabled()
    panel.theirs.click()
    app.settle()
    assert panel.button.isEnabled()


def test_mistakes_in_a_file_are_told_where_it_was_chosen(app: App, page: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"shapes": [{"label": "x", "points": [[1, 1], [2, 2], [3, 3]]}]}')
    (tmp_path / "bad.json").write_text(
        '{"shapes": [{"label": "x", "shape_type": "rectangle", "points": [[1, 1], [2, 2], [3, 3]]}]}'
    )
    panel = look(app, tmp_path / "bad.json")
    assert "bad.json, shapes[0]: A rectangle has 2 or 4 points" in panel.plan.words.text()
    assert not panel.button.isEnabled()
    for name, text in (("odd.json", "{}"), ("list.json", '[{"a": 1}]'), ("odd.txt", "")):
        (tmp_path / name).write_text(text)
        told = look(app, tmp_path / name).plan.words.text()
        assert "Choose another file or folder, or name the format: one of labelme, " in told
        assert "--" not in told
    panel = look(app, tmp_path / "nowhere")
    assert "There is no file or folder" in panel.plan.words.text()


def test_pictures_that_the_demo_does_not_show_become_a_new_one(app: App, page: Any, tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (40, 30), (1, 2, 3)).save(tmp_path / "new.png")
    (tmp_path / "new.txt").write_text("0 0.5 0.5 0.5 0.5\n")
    (tmp_path / "classes.txt").write_text("button\n")
    panel = look(app, tmp_path)
    assert panel.plan.words.text().startswith("YOLO detection.\nNone of its pictures is one of this demo.")
    before = len(app.library.demos())
    app.qtbot.mouseClick(panel.new, Qt.MouseButton.LeftButton)
    app.settle()
    assert "A new demo was made of 1 picture, with 1 element." in panel.report.words.text()
    assert len(app.library.demos()) == before + 1


BY_TIME = f"demo-{CREATED_AT.astimezone():%Y-%m-%d-%H%M}"


def test_an_export_goes_into_an_empty_folder_or_beside_what_is_there(tmp_path: Path) -> None:
    assert target_folder(tmp_path, demo_head("demo_1", task="Log in!"), "coco") == tmp_path
    (tmp_path / "x").write_text("")
    assert target_folder(tmp_path, demo_head("demo_1", task="Log in!"), "coco") == tmp_path / "log-in-coco"
    assert target_folder(tmp_path, demo_head("demo_1", task="…"), "coco") == tmp_path / f"{BY_TIME}-coco"


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("Größe -- für Zoë ändern", "groesse-fuer-zoe-aendern-coco"),
        ("Mail ada@example.org the offer", f"{BY_TIME}-coco"),
        ("Pay from DE89 3704 0044 0532 0130 00", f"{BY_TIME}-coco"),
        ("x" * 47 + " y", f"{'x' * 47}-coco"),
    ],
)
def test_a_proposed_folder_tells_nothing_private_and_is_plain(task: str, name: str) -> None:
    assert export_name(demo_head("demo_1", task=task), "coco") == name


def test_the_sample_is_what_was_exported(app: App, page: Any) -> None:
    panel = look(app, export(app, "cvat-video"))
    assert "0 would be new, 0 changed" in panel.plan.words.text()
    assert app.stored(SAMPLE).head.id == SAMPLE

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from demopack.errors import BadInputError, NewerVersionError
from demopack.settings import Settings, UiSettings, load_settings, save_settings, settings_path


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "settings.json"
    changed = Settings(ui=UiSettings(theme="dark"))
    save_settings(changed, file)
    assert json.loads(file.read_text(encoding="utf-8")) == {"schema_version": 1, "ui": {"theme": "dark"}}
    assert load_settings(file) == changed


def test_without_a_file_the_defaults_count(own_home: Path) -> None:
    assert settings_path() == own_home / "settings.json"
    assert load_settings() == Settings()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"ui": {"theme": "pink"}}', "ui.theme"),
        ('{"recorder": {"drag_px": 0}}', "recorder.drag_px"),
        ('{"colour": 1}', "colour"),
        ("nonsense", "not JSON"),
        ("[]", "not JSON"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path: Path, text: str, names: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        load_settings(file)
    assert names in caught.value.user_message
    assert str(file) in caught.value.user_message


def test_settings_from_the_future_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"schema_version": 2}', encoding="utf-8")
    with pytest.raises(NewerVersionError):
        load_settings(file)


def _leaves(model: type[BaseModel], path: str = "") -> list[tuple[str, str | None, str | None]]:
    found: list[tuple[str, str | None, str | None]] = []
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += _leaves(field.annotation, f"{path}{name}.")
        elif name != "schema_version":
            found.append((path + name, field.title, field.description))
    return found


def test_every_setting_has_a_title_and_a_description() -> None:
    for name, title, description in _leaves(Settings):
        assert title, name
        assert description, name
        assert description.endswith("."), name


def test_a_setting_that_is_no_more_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"vision": {"merge_iou": 0.7, "iou": 0.5}}', encoding="utf-8")
    assert load_settings(file).vision.iou == 0.5

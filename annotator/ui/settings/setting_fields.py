"""The settings model as rows to show: what each setting is called, what it may be, where it stands. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from annotator.words import tr
from demopack.errors import BadInputError
from demopack.settings import Settings

SettingPath = tuple[str, ...]
FieldKind = Literal["switch", "whole", "fraction", "text", "file", "choice", "key", "lines", "regions"]

_GROUPS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        tr("Hot-keys"),
        tr("Work in every window while something is recorded, and never become steps."),
        "recorder.hotkeys",
    ),
    (tr("Privacy"), tr("What a recording must never hold."), "recorder.privacy"),
    (tr("Recording"), tr("How actions are told apart, and how often the screen is looked at."), "recorder"),
    (tr("Finding elements"), tr("How elements are found on pictures."), "vision"),
    (tr("Language model"), tr("Which model writes and judges rationales, and what it may cost."), "language"),
    (tr("Replay"), tr("How a replay moves."), "player"),
    (tr("Appearance"), tr("How the windows look."), "ui"),
)


_CHOICES: Final = {
    "auto": tr("find out"),
    "yes": tr("yes"),
    "no": tr("no"),
    "schema": tr("by a schema"),
    "prompt": tr("by the prompt"),
    "system": tr("as on the desktop"),
    "light": tr("light"),
    "dark": tr("dark"),
    "contrast": tr("high contrast"),
    "en": "English",
    "de": "Deutsch",
}


def choice_words(value: str) -> str:
    """One of the choices of a setting as a person reads it."""
    return _CHOICES.get(value, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingGroup:
    """Settings that stand together.

    Attributes:
        title: of the group.
        description: what its settings are for.
        fields: by their path from the top of the settings, for instance ``("recorder", "hotkeys", "pause")``.
    """

    title: str
    description: str
    fields: Mapping[SettingPath, FieldInfo]


def groups() -> tuple[SettingGroup, ...]:
    """Every setting, in the order in which they are shown."""
    made: list[SettingGroup] = []
    for title, description, dotted in _GROUPS:
        path: SettingPath = tuple(dotted.split("."))
        section: BaseModel = value_of(Settings(), path)
        paths: dict[SettingPath, FieldInfo] = {(*path, name): info for name, info in type(section).model_fields.items()}
        fields = {one: info for one, info in paths.items() if kind_of(one, info) is not None}
        made.append(SettingGroup(title=title, description=description, fields=fields))
    return tuple(made)


def value_of(settings: Settings, path: SettingPath) -> Any:  # noqa: ANN401 - whatever the setting holds
    """What a setting is now."""
    found: Any = settings
    for part in path:
        found = getattr(found, part)
    return found


def with_value(settings: Settings, path: SettingPath, value: Any) -> Settings:  # noqa: ANN401 - as above
    """The settings with one of them changed.

    Raises:
        BadInputError: the value is not allowed; the message names the setting.
    """
    data = settings.model_dump(mode="python")
    inner: Any = data
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        why = error.errors(include_url=False)[0]["msg"]
        raise BadInputError(tr("This is not possible: {why}.").format(why=why), hint="") from error


def fits(info: FieldInfo, group: SettingGroup, query: str) -> bool:
    """Whether every word of a search is found in a setting's name, meaning or group."""
    text = f"{group.title} {tr(info.title or '')} {tr(info.description or '')}".casefold()
    return all(word in text for word in query.casefold().split())


def kind_of(path: SettingPath, info: FieldInfo) -> FieldKind | None:
    """How a setting is edited; None for what is not edited here, such as a section of its own."""
    wanted: Any = info.annotation
    if path[-2:-1] == ("hotkeys",):
        return "key"
    if get_origin(wanted) is Literal:
        return "choice"
    plain: dict[Any, FieldKind] = {bool: "switch", int: "whole", float: "fraction", str: "text"}
    if wanted in plain:
        return plain[wanted]
    if Path in get_args(wanted):
        return "file"
    if get_origin(wanted) is tuple:
        return "lines" if get_args(wanted)[0] is str else "regions"
    return None


def range_of(info: FieldInfo) -> tuple[float, float]:
    """The least and the largest number that a setting may be."""
    limits = {one: getattr(meta, one) for meta in info.metadata for one in ("ge", "gt", "le") if hasattr(meta, one)}
    above = limits.get("gt", 0) + (1 if info.annotation is int else 0.1)
    least = limits.get("ge", above if "gt" in limits else 0)
    return float(least), float(limits.get("le", 1_000_000))

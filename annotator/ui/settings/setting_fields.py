"""The settings model as rows to show: what each setting is called, what it may be, where it stands. Knows no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from annotator.words import tr
from demopack.errors import BadInputError
from demopack.settings import Settings

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingField:
    """One setting.

    Attributes:
        path: from the top of the settings, for instance ``("recorder", "hotkeys", "pause")``.
        title: its name.
        description: what it means.
        kind: how it is edited.
        default: what it is when nobody changed it.
        least: the smallest number allowed; None for no limit.
        most: the largest.
        choices: of a ``choice``.
    """

    path: tuple[str, ...]
    title: str
    description: str
    kind: FieldKind
    default: Any
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()


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
    """Settings that stand together."""

    title: str
    description: str
    fields: tuple[SettingField, ...]


def groups() -> tuple[SettingGroup, ...]:
    """Every setting, in the order in which they are shown."""
    made: list[SettingGroup] = []
    for title, description, dotted in _GROUPS:
        path = tuple(dotted.split("."))
        section: Any = Settings()
        for part in path:
            section = getattr(section, part)
        made.append(SettingGroup(title=title, description=description, fields=tuple(_fields(section, path))))
    return tuple(made)


def value_of(settings: Settings, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - whatever the setting holds
    """What a setting is now."""
    found: Any = settings
    for part in path:
        found = getattr(found, part)
    return found


def with_value(settings: Settings, path: tuple[str, ...], value: Any) -> Settings:  # noqa: ANN401 - as above
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


def fits(field: SettingField, group: SettingGroup, query: str) -> bool:
    """Whether every word of a search is found in a setting's name, meaning or group."""
    text = f"{group.title} {field.title} {field.description}".casefold()
    return all(word in text for word in query.casefold().split())


def _fields(section: BaseModel, path: tuple[str, ...]) -> Iterator[SettingField]:
    for name, info in type(section).model_fields.items():
        kind, choices = _kind(info, path)
        if kind is None:
            continue
        limits = [
            (one, getattr(meta, one)) for meta in info.metadata for one in ("ge", "gt", "le") if hasattr(meta, one)
        ]
        least = next((float(limit) for one, limit in limits if one in {"ge", "gt"}), None)
        most = next((float(limit) for one, limit in limits if one == "le"), None)
        if any(one == "gt" for one, _ in limits) and least is not None:
            least += 1 if kind == "whole" else 0.1
        yield SettingField(
            path=(*path, name),
            title=tr(info.title or name),
            description=tr(info.description or ""),
            kind=kind,
            default=info.default,
            least=least,
            most=most,
            choices=choices,
        )


def _kind(info: FieldInfo, path: tuple[str, ...]) -> tuple[FieldKind | None, tuple[str, ...]]:
    wanted: Any = info.annotation
    if path[-1:] == ("hotkeys",):
        return "key", ()
    if get_origin(wanted) is Literal:
        return "choice", tuple(str(one) for one in get_args(wanted))
    plain: dict[Any, FieldKind] = {bool: "switch", int: "whole", float: "fraction", str: "text"}
    if wanted in plain:
        return plain[wanted], ()
    if Path in get_args(wanted):
        return "file", ()
    if get_origin(wanted) is tuple:
        return ("lines" if get_args(wanted)[0] is str else "regions"), ()
    # A section of its own.
    return None, ()

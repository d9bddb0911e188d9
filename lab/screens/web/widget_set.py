"""What a CSS framework wants its controls to be written like: classes and forms by role, with plain HTML as default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FORMS: dict[str, str] = {
    "button": '<button type="button"{cls}{attrs}>{content}</button>',
    "input": "<input{cls}{attrs}>",
    "area": "<textarea{cls}{attrs}>{content}</textarea>",
    "select": "<select{cls}{attrs}>{content}</select>",
    "checkbox": '<label{cls}><input type="checkbox"{attrs}> {label}</label>',
    "radio": '<label{cls}><input type="radio"{attrs}> {label}</label>',
    "toggle": '<label class="chk x-row"><input type="checkbox" role="switch" class="tgl"{attrs}> {label}</label>',
    "slider": '<input type="range"{cls}{attrs}>',
    "field": '<div class="x-field {place}">{label}{control}{help}</div>',
    "label": "<label{cls}{attrs}>{content}</label>",
    "tabs": '<div{cls} role="tablist">{content}</div>',
    "tab": '<a{cls} role="tab"{attrs}>{content}</a>',
    "table": "<table{cls}>{content}</table>",
    "card": "<div{cls}>{title}{content}</div>",
    "card_title": "<h3{cls}>{content}</h3>",
    "alert": "<div{cls}>{content}</div>",
    "badge": "<span{cls}>{content}</span>",
    "pages": "<div{cls}>{content}</div>",
    "page": "<a{cls}{attrs}>{content}</a>",
    "progress": '<div class="x-progress"><i style="width:{share}%"></i></div>',
    "bar": "<div{cls}>{content}</div>",
}
"""Placeholders: ``cls`` the class attribute, ``attrs`` further attributes, ``content`` and ``label`` HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One appearance of a framework: light, dark, or a theme.

    Attributes:
        name: told in the variant of a screen.
        sheets: style sheets, paths in the package.
        ground: colour of the page.
        text: colour upon it.
        accent: colour of the main button.
        root: further attributes of ``<html>``.
    """

    name: str = "light"
    sheets: tuple[str, ...] = ()
    ground: str = "#ffffff"
    text: str = "#212529"
    accent: str = "#0d6efd"
    root: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetSet:
    """A framework.

    Attributes:
        key: names it in groups of screens.
        package: key of the package it needs; None for none.
        themes: its appearances.
        classes: by role, ``role.state`` and ``role.kind`` are added to those of the role.
        forms: where its HTML differs from ``FORMS``.
        css: further rules, for instance where its reset hurts.
        own: whether controls are dressed by the page's own look.
    """

    key: str
    package: str | None = None
    themes: tuple[Theme, ...] = (Theme(),)
    classes: Mapping[str, str] = field(default_factory=dict[str, str])
    forms: Mapping[str, str] = field(default_factory=dict[str, str])
    css: str = ""
    own: bool = False

    def names(self, role: str, *more: str) -> str:
        """The classes of a role and of its kinds or states."""
        found = [self.classes.get(role, ""), *(self.classes.get(f"{role}.{one}", "") for one in more if one)]
        return " ".join(one for one in found if one)

    def write(self, role: str, *more: str, extra: str = "", **given: str) -> str:
        """The HTML of a role.

        Args:
            role: a key of ``FORMS``.
            more: kinds and states, for the classes.
            extra: further classes.
            given: what fills the form's placeholders; ``attrs`` and ``content`` may be left out.
        """
        names = " ".join(one for one in (self.names(role, *more), extra) if one)
        filled = {"attrs": "", "content": "", "label": "", "place": "", "own": "", **given}
        return self.forms.get(role, FORMS[role]).format(cls=f' class="{names}"' if names else "", names=names, **filled)

"""Frameworks with a way of writing of their own."""

from __future__ import annotations

from lab.screens.web.widget_set import Theme, WidgetSet

_X = {"badge": "x-badge", "badge.calm": "soft", "card": "x-card", "alert": "x-card", "tabs": "x-tabline"}

BULMA = WidgetSet(
    key="bulma",
    package="bulma",
    themes=(
        Theme(sheets=("css/bulma.min.css",), text="#404654", accent="#00d1b2", root=' data-theme="light"'),
        Theme(
            name="dark", sheets=("css/bulma.min.css",), ground="#14161a", text="#abb1bf", accent="#00d1b2",
            root=' data-theme="dark"',
        ),
    ),
    classes={
        "button": "button", "button.primary": "is-primary", "button.danger": "is-danger", "button.quiet": "is-text",
        "input": "input", "input.bad": "is-danger", "area": "textarea", "label": "label", "table": "table is-fullwidth",
        "card": "box", "card_title": "title is-5", "alert": "notification", "alert.good": "is-success",
        "alert.bad": "is-danger", "badge": "tag", "badge.good": "is-success", "badge.bad": "is-danger", "tabs": "tabs",
        "tab.on": "is-active", "pages": "pagination-list", "page": "pagination-link", "page.on": "is-current",
        "checkbox": "checkbox", "radio": "radio",
    },
    forms={
        "select": '<div class="select"><select{attrs}>{content}</select></div>',
        "tabs": '<div{cls}><ul role="tablist">{content}</ul></div>',
        "tab": '<li{cls}><a role="tab"{attrs}>{content}</a></li>',
        "page": '<li><a{cls} role="button"{attrs}>{content}</a></li>',
        "pages": '<nav class="pagination"><ul{cls}>{content}</ul></nav>',
        "progress": '<progress class="progress is-primary" value="{share}" max="100"></progress>',
    },
    css="h1,h2,h3,h4{font-weight:600;font-size:1.35em;margin:.4em 0}.num{max-width:110px}.pagination "
    "li{margin:0;list-style:none}.tabs{margin:0}",
)  # fmt: skip

MATERIALIZE = WidgetSet(
    key="materialize",
    package="materialize",
    themes=(
        Theme(
            sheets=("dist/css/materialize.min.css",), ground="#ffffff", text="#1a1c18", accent="#006495",
            root=' theme="light"',
        ),
        Theme(
            name="dark", sheets=("dist/css/materialize.min.css",), ground="#1a1c1e", text="#e2e2e5", accent="#8fcdff",
            root=' theme="dark"',
        ),
    ),
    classes={
        **_X, "button": "btn", "button.plain": "outlined", "button.primary": "filled", "button.danger": "tonal",
        "button.quiet": "text",
        "table": "striped", "tabs": "tabs", "card": "card-panel", "pages": "pagination", "page.on": "active",
    },
    forms={
        "input": '<div class="input-field" style="margin:0;width:100%"><input{cls}{attrs} placeholder=" "></div>',
        "area": '<div class="input-field" style="margin:0"><textarea class="materialize-textarea"{attrs} '
        'placeholder=" ">'
        "{content}</textarea></div>",
        "select": '<select class="browser-default"{attrs}>{content}</select>',
        "checkbox": '<label class="x-row" style="width:max-content"><input type="checkbox"{attrs}><span>{label}'
        '</span></label>',
        "radio": '<label><input type="radio" data-truth-skip{attrs}><span data-mark="radio" data-mark-of="{own}" '
        'data-mark-in="self">{label}</span></label>',
        "toggle": '<div class="switch"><label><input type="checkbox" data-truth-skip{attrs}><span class="lever" '
        'data-mark="toggle" data-mark-of="{own}" data-mark-at="self"></span>{label}</label></div>',
        "tabs": '<ul{cls} role="tablist">{content}</ul>',
        "tab": '<li class="tab"><a{cls} role="tab"{attrs}>{content}</a></li>',
        "page": '<li{cls}><a role="button"{attrs}>{content}</a></li>',
        "pages": "<ul{cls}>{content}</ul>",
        "progress": '<div class="progress"><div class="determinate" style="width:{share}%"></div></div>',
    },
    css="body{background:var(--ground);color:var(--text)}.num{max-width:130px}"
    "[data-mark]:not(.lever){position:relative}"
    "select.browser-default{border:1px solid var(--line)}",
)  # fmt: skip

FOUNDATION = WidgetSet(
    key="foundation",
    package="foundation",
    themes=(Theme(sheets=("dist/css/foundation.min.css",), ground="#fefefe", text="#0a0a0a", accent="#1779ba"),),
    classes={
        **_X, "button": "button", "button.plain": "secondary", "button.primary": "primary", "button.danger": "alert",
        "button.quiet": "clear",
        "tabs": "tabs", "tab.on": "is-active", "card": "card card-section", "alert": "callout", "alert.good": "success",
        "alert.bad": "alert", "badge": "label", "badge.good": "success", "badge.bad": "alert",
        "badge.calm": "secondary",
        "pages": "pagination", "page.on": "current",
    },
    forms={
        "checkbox": '<div><input type="checkbox"{attrs}><label for="{own}">{label}</label></div>',
        "radio": '<div><input type="radio"{attrs}><label for="{own}">{label}</label></div>',
        "toggle": '<div class="x-row"><div class="switch" style="margin:0"><input class="switch-input" type="checkbox" '
        'data-truth-skip{attrs}><label class="switch-paddle" for="{own}" data-mark="toggle" data-mark-of="{own}" '
        'data-mark-at="self"></label></div><span>{label}</span></div>',
        "tabs": '<ul{cls} role="tablist">{content}</ul>',
        "tab": '<li class="tabs-title"><a{cls} role="tab"{attrs}>{content}</a></li>',
        "page": '<li{cls}><a role="button"{attrs}>{content}</a></li>',
        "pages": "<ul{cls}>{content}</ul>",
        "progress": '<div class="progress"><div class="progress-meter" style="width:{share}%"></div></div>',
    },
    css=".button{margin:0}.num{max-width:120px}.progress,.callout{margin:0}.pagination{margin:0}"
    "[type=checkbox],[type=radio]{margin:0}",
)  # fmt: skip

_SEMANTIC = (
    '<div class="ui {{kind}}checkbox"><input type="{type}" data-truth-skip{{{{attrs}}}}><label for="{{{{own}}}}" '
    'data-mark="{mark}" data-mark-of="{{{{own}}}}" data-mark-in="self">{{{{label}}}}</label></div>'
)


def _semantic(mark: str, kind: str, of: str = "checkbox") -> str:
    return _SEMANTIC.format(type=of, mark=mark).format(kind=kind)


FOMANTIC = WidgetSet(
    key="fomantic",
    package="fomantic",
    themes=(Theme(sheets=("semantic.min.css",), text="#212121", accent="#2185d0"),),
    classes={
        "button": "ui button", "button.primary": "primary", "button.danger": "negative", "button.quiet": "basic",
        "table": "ui celled table", "card": "ui segment", "card_title": "ui header", "alert": "ui message",
        "alert.good": "positive", "alert.bad": "negative", "badge": "ui label", "badge.good": "green",
        "badge.bad": "red",
        "tabs": "ui tabular menu", "tab": "item", "tab.on": "active", "pages": "ui pagination menu", "page": "item",
        "page.on": "active", "select": "ui dropdown selection",
    },
    forms={
        "input": '<div class="ui input" style="width:100%"><input{cls}{attrs}></div>',
        "area": '<div class="ui form"><textarea{attrs}>{content}</textarea></div>',
        "select": '<div class="ui form"><select{attrs}>{content}</select></div>',
        "checkbox": _semantic("checkbox", ""),
        "radio": _semantic("radio", "radio ", "radio"),
        "toggle": _semantic("toggle", "toggle "),
        "page": '<a{cls} role="button"{attrs}>{content}</a>',
        "progress": '<div class="ui progress" style="margin:0"><div class="bar" style="width:{share}%"></div></div>',
    },
    css=".num{max-width:110px}.ui.checkbox{margin:2px 0}.ui.checkbox label{position:relative}",
)  # fmt: skip

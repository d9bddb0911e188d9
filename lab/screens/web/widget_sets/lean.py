"""Frameworks whose HTML stays close to plain HTML, with classes of their own."""

from __future__ import annotations

from lab.screens.web.widget_set import Theme, WidgetSet

_X = {"badge": "x-badge", "badge.calm": "soft", "card": "x-card", "alert": "x-card", "tabs": "x-tabline"}

UIKIT = WidgetSet(
    key="uikit",
    package="uikit",
    themes=(Theme(sheets=("dist/css/uikit.min.css",), text="#666666", accent="#1e87f0"),),
    classes={
        "button": "uk-button uk-button-default", "button.primary": "uk-button-primary",
        "button.danger": "uk-button-danger",
        "button.quiet": "uk-button-text", "input": "uk-input", "input.bad": "uk-form-danger", "area": "uk-textarea",
        "select": "uk-select", "slider": "uk-range", "label": "uk-form-label", "table": "uk-table uk-table-divider",
        "card": "uk-card uk-card-default uk-card-body uk-padding-small", "card_title": "uk-card-title",
        "alert": "uk-alert",
        "alert.good": "uk-alert-success", "alert.bad": "uk-alert-danger", "badge": "uk-label",
        "badge.good": "uk-label-success",
        "badge.bad": "uk-label-danger", "tabs": "uk-tab", "tab.on": "uk-active", "pages": "uk-pagination",
        "page.on": "uk-active",
    },
    forms={
        "checkbox": '<label><input class="uk-checkbox" type="checkbox"{attrs}> {label}</label>',
        "radio": '<label><input class="uk-radio" type="radio"{attrs}> {label}</label>',
        "tabs": '<ul{cls} role="tablist">{content}</ul>',
        "tab": '<li{cls}><a role="tab"{attrs}>{content}</a></li>',
        "page": '<li{cls}><a{attrs}>{content}</a></li>',
        "pages": "<ul{cls}>{content}</ul>",
        "progress": '<progress class="uk-progress" style="margin:0" value="{share}" max="100"></progress>',
    },
    css=".num{max-width:110px}.uk-pagination{margin:0}",
)  # fmt: skip

PRIMER = WidgetSet(
    key="primer",
    package="primer",
    themes=(
        Theme(
            sheets=("dist/primer.css",), text="#1f2328", accent="#1f883d",
            root=' data-color-mode="light" data-light-theme="light"',
        ),
    ),
    classes={
        **_X, "button": "btn", "button.primary": "btn-primary", "button.danger": "btn-danger",
        "button.quiet": "btn-invisible",
        "input": "form-control", "area": "form-control", "select": "form-select", "card": "Box p-3", "table": "x-table",
    },
    css=".num{max-width:110px}.x-table th{font-weight:600}",
)  # fmt: skip

SPECTRE = WidgetSet(
    key="spectre",
    package="spectre",
    themes=(Theme(sheets=("dist/spectre.min.css",), text="#3b4351", accent="#5755d9"),),
    classes={
        "button": "btn", "button.primary": "btn-primary", "button.danger": "btn-error", "button.quiet": "btn-link",
        "input": "form-input", "input.bad": "is-error", "area": "form-input", "select": "form-select",
        "label": "form-label",
        "slider": "slider", "table": "table", "card": "card p-2", "card_title": "card-title", "alert": "toast",
        "alert.good": "toast-success", "alert.bad": "toast-error", "badge": "label", "badge.good": "label-success",
        "badge.bad": "label-error", "tabs": "tab", "tab.on": "active", "pages": "pagination m-0", "page.on": "active",
    },
    forms={
        "checkbox": '<label class="form-checkbox"><input type="checkbox" data-truth-skip{attrs}><i class="form-icon" '
        'data-mark="checkbox" data-mark-of="{own}" data-mark-at="self"></i> {label}</label>',
        "radio": '<label class="form-radio"><input type="radio" data-truth-skip{attrs}><i class="form-icon" '
        'data-mark="radio" data-mark-of="{own}" data-mark-at="self"></i> {label}</label>',
        "toggle": '<label class="form-switch"><input type="checkbox" data-truth-skip{attrs}><i class="form-icon" '
        'data-mark="toggle" data-mark-of="{own}" data-mark-at="self"></i> {label}</label>',
        "tabs": '<ul{cls} role="tablist">{content}</ul>',
        "tab": '<li class="tab-item {names}"><a role="tab"{attrs}>{content}</a></li>',
        "page": '<li class="page-item {names}"><a role="button"{attrs}>{content}</a></li>',
        "pages": "<ul{cls}>{content}</ul>",
        "progress": '<div class="bar"><div class="bar-item" style="width:{share}%"></div></div>',
    },
    css=".num{max-width:110px}",
)  # fmt: skip

PAPER = WidgetSet(
    key="paper",
    package="paper",
    themes=(
        Theme(sheets=("dist/paper.min.css",), text="#41403e", accent="#41403e"),
    ),
    classes={
        **_X, "button": "paper-btn btn-small", "button.primary": "btn-primary", "button.danger": "btn-danger",
        "button.quiet": "btn-muted", "card": "card card-body", "card_title": "card-title",
        "alert": "alert alert-primary",
        "alert.good": "alert-success", "alert.bad": "alert-danger", "badge": "badge", "badge.good": "success",
        "badge.bad": "danger", "table": "table-hover",
    },
    forms={
        "checkbox": '<div class="form-group" style="margin:0"><label class="paper-check"><input '
        'type="checkbox" data-truth-skip{attrs}><span data-mark="checkbox" '
        'data-mark-of="{own}" data-mark-in="self">{label}</span></label></div>',
        "radio": '<div class="form-group" style="margin:0"><label class="paper-radio"><input type="radio" '
        'data-truth-skip{attrs}><span data-mark="radio" '
        'data-mark-of="{own}" data-mark-in="self">{label}</span></label></div>',
    },
    css="body{background:var(--ground);color:var(--text)}.num{max-width:110px}[data-mark]{position:relative}",
)  # fmt: skip

PURE = WidgetSet(
    key="pure",
    package="pure",
    themes=(Theme(sheets=("build/pure-min.css",), text="#333333", accent="#0078e7"),),
    classes={
        **_X, "button": "pure-button", "button.primary": "pure-button-primary",
        "table": "pure-table pure-table-horizontal",
        "page": "pure-button", "page.on": "pure-button-active",
    },
    forms={
        "field": '<form class="pure-form pure-form-stacked"><div class="x-field {place}">{label}{control}{help}'
        '</div></form>',
        "page": '<a{cls} role="button"{attrs}>{content}</a>',
        "input": '<span class="pure-form"><input{cls}{attrs}></span>',
        "select": '<span class="pure-form"><select{cls}{attrs}>{content}</select></span>',
    },
    css="body{margin:0;color:var(--text);font-family:var(--font)}.num{max-width:110px}",
)  # fmt: skip

_GOV = (
    '<div class="govuk-{group}__item"><input class="govuk-{group}__input" type="{kind}" data-truth-skip{{attrs}}>'
    '<label class="govuk-label govuk-{group}__label" for="{{own}}" data-mark="{kind}" data-mark-of="{{own}}" '
    'data-mark-in="self">{{label}}</label></div>'
)


def _gov(group: str, kind: str) -> str:
    inside = _GOV.format(group=group, kind=kind)
    return f'<div class="govuk-{group} govuk-{group}--small">{inside}</div>'


GOVUK = WidgetSet(
    key="govuk",
    package="govuk",
    themes=(Theme(sheets=("dist/govuk/govuk-frontend.min.css",), text="#0b0c0c", accent="#1d70b8"),),
    classes={
        "button": "govuk-button", "button.plain": "govuk-button--secondary", "button.danger": "govuk-button--warning",
        "input": "govuk-input", "input.bad": "govuk-input--error", "area": "govuk-textarea", "select": "govuk-select",
        "label": "govuk-label", "table": "govuk-table x-table", "card": "govuk-inset-text",
        "card_title": "govuk-heading-m",
        "alert": "govuk-inset-text", "badge": "govuk-tag", "badge.good": "govuk-tag--green",
        "badge.bad": "govuk-tag--red",
        "tabs": "x-tabline", "pages": "govuk-body",
    },
    forms={"checkbox": _gov("checkboxes", "checkbox"), "radio": _gov("radios", "radio")},
    css="body{margin:0;font-family:arial,sans-serif}.govuk-button{margin:0;width:auto}.num{max-width:130px}",
)  # fmt: skip

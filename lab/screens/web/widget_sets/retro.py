"""Looks of older desktops and games."""

from __future__ import annotations

from lab.screens.web.widget_set import Theme, WidgetSet

_MARKED = (
    '<div class="field-row"><input type="{kind}" data-truth-skip{{attrs}}>'
    '<label for="{{own}}" data-mark="{kind}" data-mark-of="{{own}}" data-mark-in="self">{{label}}</label></div>'
)
_FORMS = {
    "checkbox": _MARKED.format(kind="checkbox"),
    "radio": _MARKED.format(kind="radio"),
    "tabs": '<menu role="tablist">{content}</menu>',
    "tab": '<li role="tab"{attrs}><a href="#">{content}</a></li>',
    "card": "<fieldset>{title}{content}</fieldset>",
    "card_title": "<legend>{content}</legend>",
}
_BUTTON_TABS = {**_FORMS, "tab": '<button role="tab"{attrs}>{content}</button>'}
_CLASSES = {"badge": "x-badge", "alert": "x-card", "button.primary": "default", "table": "x-table"}
# These sheets draw the mark beside the label's text; the label must be its frame.
_CSS = (
    "body{background:var(--ground);color:var(--text);margin:0}label[data-mark]{position:relative}.num{width:80px}"
    "menu[role=tablist]{margin:0 0 4px;padding:0 0 0 3px;display:flex}.x-tool{min-width:0;min-height:0}"
    "input[type=range]{height:24px}menu[role=tablist] a{text-decoration:none;color:inherit}"
    # Letters that are only the shadow of transparent ones are not found; draw them plainly.
    "pre,pre code{color:#222 !important;text-shadow:none}"
    "button,label,select,input,textarea,.title-bar{text-shadow:none !important}"
    "button:not(.x-tool),select,input,textarea{color:#222 !important}"
    "button:disabled,input:disabled,input:disabled+label{color:#888 !important}"
)


WIN98 = WidgetSet(
    key="win98",
    package="win98",
    themes=(Theme(sheets=("dist/98.css",), ground="#c0c0c0", text="#222222", accent="#000080"),),
    classes=_CLASSES,
    forms=_FORMS,
    css=_CSS,
)

WINXP = WidgetSet(
    key="winxp",
    package="winxp",
    themes=(
        Theme(sheets=("dist/XP.css",), ground="#ece9d8", text="#222222", accent="#0a246a"),
        Theme(name="98", sheets=("dist/98.css",), ground="#c0c0c0", text="#222222", accent="#000080"),
    ),
    classes=_CLASSES,
    forms=_BUTTON_TABS,
    css=_CSS,
)

WIN7 = WidgetSet(
    key="win7",
    package="win7",
    themes=(Theme(sheets=("dist/7.css",), ground="#f0f0f0", text="#222222", accent="#2779aa"),),
    classes=_CLASSES,
    forms=_BUTTON_TABS,
    css=_CSS,
)

NES = WidgetSet(
    key="nes",
    package="nes",
    themes=(
        Theme(sheets=("css/nes.min.css",), text="#212529", accent="#209cee"),
        Theme(name="dark", sheets=("css/nes.min.css",), ground="#212529", text="#ffffff", accent="#92cc41"),
    ),
    classes={
        "button": "nes-btn", "button.primary": "is-primary", "button.danger": "is-error", "button.quiet": "is-warning",
        "input": "nes-input", "input.bad": "is-error", "area": "nes-textarea", "card": "nes-container",
        "alert": "nes-container",
        "badge": "x-badge", "table": "nes-table is-bordered", "tabs": "x-tabline",
    },
    forms={
        "select": '<div class="nes-select"><select{attrs}>{content}</select></div>',
        "checkbox": '<label><input type="checkbox" class="nes-checkbox" data-truth-skip{attrs}><span '
        'data-mark="checkbox" '
        'data-mark-of="{own}" data-mark-at="-28,1,24,18" data-mark-in="self">{label}</span></label>',
        "progress": '<progress class="nes-progress" value="{share}" max="100"></progress>',
    },
    css="body{background:var(--ground);color:var(--text);font-family:var(--font)}.num{max-width:140px}"
    "[data-mark]{position:relative}"
    ".nes-btn,.nes-input,.nes-textarea,.nes-select select,.nes-container{border-image-outset:1 !important}",
)  # fmt: skip

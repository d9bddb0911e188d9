"""Bootstrap in its versions and themes, and what is built upon it."""

from __future__ import annotations

from lab.screens.web.widget_set import Theme, WidgetSet

_CLASSES = {
    "button": "btn", "button.plain": "btn-secondary", "button.primary": "btn-primary", "button.danger": "btn-danger",
    "button.quiet": "btn-link", "input": "form-control", "input.bad": "is-invalid", "area": "form-control",
    "select": "form-select", "slider": "form-range", "label": "form-label", "tabs": "nav nav-tabs", "tab": "nav-link",
    "tab.on": "active", "table": "table", "card": "card card-body", "card_title": "card-title",
    "alert": "alert alert-primary", "alert.good": "alert-success", "alert.bad": "alert-danger",
    "alert.calm": "alert-light", "badge": "badge text-bg-primary", "badge.good": "text-bg-success",
    "badge.bad": "text-bg-danger", "badge.calm": "text-bg-light", "pages": "pagination m-0", "page": "page-link",
}  # fmt: skip
_FORMS = {
    "checkbox": '<div class="form-check"><input class="form-check-input" type="checkbox"{attrs}>'
    '<label class="form-check-label" for="{own}">{label}</label></div>',
    "radio": '<div class="form-check"><input class="form-check-input" type="radio"{attrs}>'
    '<label class="form-check-label" for="{own}">{label}</label></div>',
    "toggle": '<div class="form-check form-switch"><input class="form-check-input" type="checkbox" '
    'role="switch"{attrs}>'
    '<label class="form-check-label" for="{own}">{label}</label></div>',
    "tabs": '<ul{cls} role="tablist">{content}</ul>',
    "tab": '<li class="nav-item"><a{cls} role="tab"{attrs}>{content}</a></li>',
    "page": '<li class="page-item"><a{cls} role="button"{attrs}>{content}</a></li>',
    "pages": "<ul{cls}>{content}</ul>",
    "progress": '<div class="progress"><div class="progress-bar" style="width:{share}%"></div></div>',
}
_DARK = ' data-bs-theme="dark"'
_CSS = ".form-check{min-height:0;margin-bottom:2px}.num{max-width:110px}a.page-link{text-decoration:none}"

BOOTSTRAP = WidgetSet(
    key="bootstrap",
    package="bootstrap",
    themes=(
        Theme(sheets=("dist/css/bootstrap.min.css",)),
        Theme(name="dark", sheets=("dist/css/bootstrap.min.css",), ground="#212529", text="#dee2e6", root=_DARK),
    ),
    classes=_CLASSES,
    forms=_FORMS,
    css=_CSS,
)

_THEMES = (
    ("cerulean", "#ffffff", "#495057", "#2fa4e7"), ("cosmo", "#ffffff", "#373a3c", "#2780e3"),
    ("cyborg", "#060606", "#adafae", "#2a9fd6"), ("darkly", "#222222", "#ffffff", "#375a7f"),
    ("flatly", "#ffffff", "#212529", "#2c3e50"), ("journal", "#ffffff", "#222222", "#eb6864"),
    ("litera", "#ffffff", "#343a40", "#4582ec"), ("lumen", "#ffffff", "#222222", "#158cba"),
    ("lux", "#ffffff", "#55595c", "#1a1a1a"), ("materia", "#ffffff", "#444444", "#2196f3"),
    ("minty", "#ffffff", "#888888", "#78c2ad"), ("pulse", "#ffffff", "#444444", "#593196"),
    ("sandstone", "#ffffff", "#3e3f3a", "#325d88"), ("simplex", "#fcfcfc", "#212529", "#d9230f"),
    ("sketchy", "#ffffff", "#212529", "#333333"), ("slate", "#272b30", "#aaaaaa", "#3a3f44"),
    ("solar", "#002b36", "#839496", "#b58900"), ("spacelab", "#ffffff", "#777777", "#446e9b"),
    ("superhero", "#0f2537", "#ebebeb", "#df6919"), ("united", "#ffffff", "#333333", "#e95420"),
    ("vapor", "#1a0933", "#32fbe2", "#6f42c1"), ("yeti", "#ffffff", "#222222", "#008cba"),
    ("zephyr", "#ffffff", "#495057", "#3459e6"),
)  # fmt: skip

BOOTSWATCH = WidgetSet(
    key="bootswatch",
    package="bootswatch",
    themes=tuple(
        Theme(name=name, sheets=(f"dist/{name}/bootstrap.min.css",), ground=ground, text=text, accent=accent)
        for name, ground, text, accent in _THEMES
    ),
    classes=_CLASSES,
    forms=_FORMS,
    css=_CSS,
)

TABLER = WidgetSet(
    key="tabler",
    package="tabler",
    themes=(
        Theme(sheets=("dist/css/tabler.min.css",), ground="#f6f8fb", text="#1f2937", accent="#066fd1"),
        Theme(
            name="dark",
            sheets=("dist/css/tabler.min.css",),
            ground="#111827",
            text="#e5e7eb",
            accent="#066fd1",
            root=_DARK,
        ),
    ),
    classes={
        **_CLASSES,
        "button.plain": "",
        "badge": "badge bg-blue-lt",
        "badge.good": "bg-green-lt",
        "badge.bad": "bg-red-lt",
    },
    forms=_FORMS,
    css=_CSS,
)

BOOTSTRAP3 = WidgetSet(
    key="bootstrap3",
    package="bootstrap3",
    themes=(
        Theme(sheets=("dist/css/bootstrap.min.css",), text="#333333", accent="#337ab7"),
        Theme(
            name="theme",
            sheets=("dist/css/bootstrap.min.css", "dist/css/bootstrap-theme.min.css"),
            text="#333333",
            accent="#337ab7",
        ),
    ),
    classes={
        "button": "btn", "button.plain": "btn-default", "button.primary": "btn-primary", "button.danger": "btn-danger",
        "button.quiet": "btn-link", "input": "form-control", "area": "form-control", "select": "form-control",
        "tabs": "nav nav-tabs", "tab.on": "active", "table": "table table-striped",
        "card": "panel panel-default panel-body",
        "alert": "alert alert-info", "alert.good": "alert-success", "alert.bad": "alert-danger",
        "badge": "label label-primary",
        "badge.good": "label-success", "badge.bad": "label-danger", "badge.calm": "label-default",
        "pages": "pagination",
        "page.on": "active",
    },
    forms={
        "checkbox": '<div class="checkbox"><label><input type="checkbox"{attrs}>{label}</label></div>',
        "radio": '<div class="radio"><label><input type="radio"{attrs}>{label}</label></div>',
        "tabs": '<ul{cls} role="tablist">{content}</ul>',
        "tab": '<li{cls}><a role="tab"{attrs}>{content}</a></li>',
        "page": '<li{cls}><a role="button"{attrs}>{content}</a></li>',
        "pages": "<ul{cls}>{content}</ul>",
        "progress": '<div class="progress" style="margin:0"><div class="progress-bar" '
        'style="width:{share}%"></div></div>',
    },
    css=".num{max-width:110px}.checkbox,.radio{margin:2px 0}.pagination{margin:0}",
)  # fmt: skip

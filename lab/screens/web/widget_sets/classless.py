"""Style sheets for plain HTML, with few classes or none."""

from __future__ import annotations

from lab.screens.web.widget_set import Theme, WidgetSet

# What such sheets do to the page as a whole must not narrow ours.
_WIDE = (
    "html,body{max-width:none !important;margin:0 !important;padding:0 !important;width:auto !important}"
    "body{display:block !important}main,header,footer{max-width:none;padding:0;margin:0}"
    "main.x-page{max-width:var(--measure) !important;margin:0 auto !important;padding:16px !important}"
    "main.x-pad{padding:12px !important}"
)
_PARTS = {"card": "x-card", "alert": "x-card", "badge": "x-badge", "badge.calm": "soft", "tabs": "x-tabline"}
_SMALL = ".num{max-width:100px}"
"input:not([type=checkbox]):not([type=radio]):not([type=range]),select,textarea{max-width:100%}"

PICO = WidgetSet(
    key="pico",
    package="pico",
    themes=(
        *(
            Theme(name=name, sheets=(f"css/pico.{name}.min.css",), text="#373c44", accent=accent)
            for name, accent in (("blue", "#2060df"), ("red", "#c52f21"), ("jade", "#007a50"), ("pumpkin", "#c1330b"))
        ),
        Theme(
            name="dark", sheets=("css/pico.min.css",), ground="#13171f", text="#c2c7d0", accent="#01aaff",
            root=' data-theme="dark"',
        ),
    ),
    classes={**_PARTS, "button": "", "button.primary": "", "button.quiet": "outline", "button.danger": "contrast"},
    forms={
        "toggle": '<label><input type="checkbox" role="switch"{attrs}> {label}</label>',
        "card": "<article{cls}>{title}{content}</article>",
        "progress": '<progress value="{share}" max="100"></progress>',
        "page": '<a{cls} role="button"{attrs}>{content}</a>',
    },
    css=_WIDE + _SMALL + "button:not(.x-tool){width:auto}.x-tool{--pico-form-element-spacing-vertical:4px}",
)  # fmt: skip

WATER = WidgetSet(
    key="water",
    package="water",
    themes=(
        Theme(sheets=("out/light.min.css",), text="#363636", accent="#0076d1"),
        Theme(name="dark", sheets=("out/dark.min.css",), ground="#202b38", text="#dbdbdb", accent="#41adff"),
    ),
    classes=_PARTS,
    forms={"progress": '<progress value="{share}" max="100"></progress>'},
    css=_WIDE + _SMALL,
)

MVP = WidgetSet(
    key="mvp",
    package="mvp",
    themes=(Theme(sheets=("mvp.css",), text="#000000", accent="#118bee"),),
    classes=_PARTS,
    forms={"button": "<button{cls}{attrs}>{content}</button>"},
    css=_WIDE + _SMALL + "table{display:table}label{display:inline-block}",
)

NEW = WidgetSet(
    key="new",
    package="new",
    themes=(
        Theme(sheets=("new.css",), text="#000000", accent="#0070f3"),
        Theme(name="night", sheets=("new.css", "theme/night.css"), ground="#000000", text="#ffffff", accent="#3291ff"),
        Theme(
            name="terminal",
            sheets=("new.css", "theme/terminal.css"),
            ground="#0f0f0f",
            text="#00ff00",
            accent="#00ff00",
        ),
    ),
    classes=_PARTS,
    css=_WIDE + _SMALL + "html,body{background:var(--ground)}",
)

SAKURA = WidgetSet(
    key="sakura",
    package="sakura",
    themes=(
        Theme(sheets=("css/sakura.css",), ground="#f9f9f9", text="#4a4a4a", accent="#1d7484"),
        Theme(name="dark", sheets=("css/sakura-dark.css",), ground="#222222", text="#c9c9c9", accent="#ffffff"),
        Theme(name="vader", sheets=("css/sakura-vader.css",), ground="#120c0e", text="#d9d8dc", accent="#eb99a1"),
        Theme(name="earthly", sheets=("css/sakura-earthly.css",), ground="#f9f9f9", text="#4a4a4a", accent="#007559"),
    ),
    classes=_PARTS,
    css=_WIDE + _SMALL + ".x-tool{margin:0}",
)

SIMPLE = WidgetSet(
    key="simple",
    package="simple",
    themes=(Theme(sheets=("simple.min.css",), ground="#ffffff", text="#212121", accent="#0d47a1"),),
    classes=_PARTS,
    css=_WIDE + _SMALL + "body{grid-template-columns:none}",
)

MILLIGRAM = WidgetSet(
    key="milligram",
    package="milligram",
    themes=(Theme(sheets=("dist/milligram.min.css",), text="#606c76", accent="#9b4dca"),),
    classes={**_PARTS, "button.quiet": "button-clear", "button.danger": "button-outline"},
    forms={
        "checkbox": '<div><input type="checkbox"{attrs}> <label class="label-inline" for="{own}">{label}</label></div>',
        "radio": '<div><input type="radio"{attrs}> <label class="label-inline" for="{own}">{label}</label></div>',
    },
    css=".x-tool{margin:0}button{margin-bottom:0}" + _SMALL,
)

CHOTA = WidgetSet(
    key="chota",
    package="chota",
    themes=(
        Theme(sheets=("dist/chota.min.css",), text="#333333", accent="#14854f"),
    ),
    classes={
        **_PARTS, "button": "button", "button.primary": "primary", "button.danger": "error", "button.quiet": "clear",
        "tabs": "tabs", "tab.on": "active", "card": "card", "badge": "tag is-small", "table": "striped",
    },
    css="html.chota,body{--bg-color:var(--ground);--font-color:var(--text)}"
    "body{background:var(--ground);color:var(--text)}"
    + _SMALL,
)  # fmt: skip

PICNIC = WidgetSet(
    key="picnic",
    package="picnic",
    themes=(Theme(sheets=("picnic.min.css",), text="#111111", accent="#0074d9"),),
    classes={**_PARTS, "button.primary": "", "button.danger": "error", "button.quiet": "pseudo", "table": "primary"},
    forms={
        "checkbox": '<label><input type="checkbox" data-truth-skip{attrs}><span class="checkable" data-mark="checkbox" '
        'data-mark-of="{own}" data-mark-in="self">{label}</span></label>',
        "radio": '<label><input type="radio" data-truth-skip{attrs}><span class="checkable" data-mark="radio" '
        'data-mark-of="{own}" data-mark-in="self">{label}</span></label>',
    },
    css=_SMALL + ".checkable{position:relative}.card{overflow:visible}",
)

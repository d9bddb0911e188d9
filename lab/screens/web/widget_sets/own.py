"""No framework: the browser's own style, and a look of the page's own."""

from __future__ import annotations

from lab.screens.web.widget_set import Theme, WidgetSet

PLAIN = WidgetSet(
    key="plain",
    themes=(Theme(text="#000000", accent="#0b57d0"),),
    classes={
        "badge": "x-badge",
        "card": "x-card",
        "alert": "x-card",
        "tabs": "x-tabline",
        "table": "x-table",
    },
    css="body{font-family:var(--font);font-size:var(--size)} .num{width:80px}body:has(.x-fill){margin:0}",
)

OWN = WidgetSet(
    key="own",
    own=True,
    classes={
        "button": "btn", "button.primary": "primary", "button.danger": "danger", "button.quiet": "quiet",
        "input": "inp",
        "input.bad": "bad", "area": "inp", "select": "inp", "checkbox": "chk", "radio": "chk", "slider": "rng",
        "tabs": "tabs", "tab.on": "on", "card": "x-card", "alert": "x-card", "badge": "x-badge", "badge.calm": "soft",
        "page": "btn", "page.on": "primary",
    },
    forms={"page": '<a{cls} role="button"{attrs}>{content}</a>'},
    css=".num{width:90px}",
)  # fmt: skip

"""Drawings of our own for the common icons, so that pages have icons where no icon set was fetched.

Each is the inside of an SVG with a view box of 24 x 24, drawn with a round pen of the current colour.
"""

from __future__ import annotations


def _path(d: str) -> str:
    return f'<path d="{d}"/>'


def _circle(x: float, y: float, r: float, *, full: bool = False) -> str:
    fill = ' fill="currentColor"' if full else ""
    return f'<circle cx="{x}" cy="{y}" r="{r}"{fill}/>'


def _box(x: float, y: float, w: float, h: float) -> str:
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="1.5"/>'


_MAGNIFIER = _circle(10, 10, 6.5) + _path("M15 15 21 21")
_PAGE = _path("M6 3h8l4 4v14H6z M14 3v4h4")
_FOLDER = _path("M3 6h6l2 2h10v11H3z")
_ROUND = _circle(12, 12, 9)
_PADLOCK = _box(5, 11, 14, 10)

ICON_SHAPES: dict[str, str] = {
    "back": _path("M20 12H4 M11 5l-7 7 7 7"),
    "forward": _path("M4 12h16 M13 5l7 7-7 7"),
    "delete": _path("M4 6h16 M9 6V3h6v3 M6 6l1 15h10l1-15 M10 10v7 M14 10v7"),
    "important": _path("M12 3v12") + _circle(12, 20, 1.2, full=True),
    "reply": _path("M10 5 4 11l6 6 M4 11h9c5 0 7 3 7 8"),
    "retweet": _path("M7 20V7h9 M4 10l3-3 3 3 M17 4v13H8 M14 14l3 3 3-3"),
    "like": _path("M12 20C5 15 3 12 3 8.500a4.500 4.500 0 0 1 9-1 4.500 4.500 0 0 1 9 1c0 3.500-2 6.500-9 11.500z"),
    "share": _circle(6, 12, 2.5) + _circle(18, 6, 2.5) + _circle(18, 18, 2.5) + _path("M8 11l8-4 M8 13l8 4"),
    "menu": _path("M4 6h16 M4 12h16 M4 18h16"),
    "search": _MAGNIFIER,
    "zoom_in": _MAGNIFIER + _path("M7 10h6 M10 7v6"),
    "zoom_out": _MAGNIFIER + _path("M7 10h6"),
    "send": _path("M3 4l18 8-18 8 3-8z M6 12h8"),
    "add": _path("M12 4v16 M4 12h16"),
    "remove": _path("M4 12h16"),
    "close": _path("M5 5l14 14 M19 5 5 19"),
    "edit": _path("M4 20l1-5L16 4l4 4L9 19z M14 6l4 4"),
    "save": _path("M4 4h13l3 3v13H4z M8 4v5h7V4 M7 20v-7h10v7"),
    "open": _path("M3 19V6h6l2 2h8v3 M3 19l3-8h16l-3 8z"),
    "new": _PAGE + _path("M12 11v6 M9 14h6"),
    "home": _path("M3 12l9-8 9 8 M6 10v10h12V10 M10 20v-6h4v6"),
    "settings": _circle(12, 12, 3)
    + _path(
        "M12 2.500v4 M12 17.500v4 M2.500 12h4 M17.500 12h4 M5.300 5.300l2.800 2.800 M15.900 15.900l2.800 2.800 "
        "M18.700 5.300l-2.800 2.800 M8.100 15.900l-2.800 2.800"
    )
    + _circle(12, 12, 6.5),
    "help": _ROUND + _path("M9 9.500a3 3 0 1 1 4.500 2.500c-1 .6-1.500 1-1.500 2") + _circle(12, 17, 0.8, full=True),
    "info": _ROUND + _path("M12 11v6") + _circle(12, 7.5, 0.9, full=True),
    "warning": _path("M12 3 2 20h20z M12 9v5") + _circle(12, 17, 0.8, full=True),
    "error": _ROUND + _path("M9 9l6 6 M15 9l-6 6"),
    "user": _circle(12, 8, 4) + _path("M4 21c0-5 3.500-7 8-7s8 2 8 7"),
    "mail": _box(3, 5, 18, 14) + _path("M3 7l9 6 9-6"),
    "calendar": _box(4, 5, 16, 16) + _path("M4 10h16 M8 2.500V7 M16 2.500V7"),
    "clock": _ROUND + _path("M12 6.500V12l4 2.500"),
    "cart": _path("M2 4h3l3 11h10l3-8H6") + _circle(9, 19, 1.5) + _circle(17, 19, 1.5),
    "star": _path("M12 3l2.700 6 6.300.7-4.700 4.300 1.300 6.500L12 17.300 6.400 20.500 7.700 14 3 9.700 9.300 9z"),
    "bookmark": _path("M6 3h12v18l-6-5-6 5z"),
    "download": _path("M12 3v12 M7 10l5 5 5-5 M4 20h16"),
    "upload": _path("M12 16V4 M7 9l5-5 5 5 M4 20h16"),
    "print": _path("M7 9V3h10v6 M7 17H3V9h18v8h-4 M7 14h10v7H7z"),
    "copy": _box(8, 8, 13, 13) + _path("M5 16H3V3h13v2"),
    "paste": _box(5, 5, 14, 16) + _box(9, 2.5, 6, 4),
    "cut": _circle(6, 6, 2.5) + _circle(6, 18, 2.5) + _path("M8 7.500 20 18 M8 16.500 20 6"),
    "undo": _path("M8 4 3 9l5 5 M3 9h11a6 6 0 0 1 0 12H9"),
    "redo": _path("M16 4l5 5-5 5 M21 9H10a6 6 0 0 0 0 12h5"),
    "refresh": _path("M20 6v5h-5 M4 18v-5h5 M5.500 9A7.500 7.500 0 0 1 19 9 M18.500 15A7.500 7.500 0 0 1 5 15"),
    "play": _path("M7 4l13 8-13 8z"),
    "pause": _path("M8 4v16 M16 4v16"),
    "stop": _box(5, 5, 14, 14),
    "next": _path("M5 4l10 8-10 8z M19 4v16"),
    "previous": _path("M19 4 9 12l10 8z M5 4v16"),
    "up": _path("M5 15l7-7 7 7"),
    "down": _path("M5 9l7 7 7-7"),
    "left": _path("M15 5l-7 7 7 7"),
    "right": _path("M9 5l7 7-7 7"),
    "expand": _box(4, 4, 16, 16) + _path("M12 8v8 M8 12h8"),
    "collapse": _box(4, 4, 16, 16) + _path("M8 12h8"),
    "more": _circle(5, 12, 1.5, full=True) + _circle(12, 12, 1.5, full=True) + _circle(19, 12, 1.5, full=True),
    "filter": _path("M3 4h18l-7 9v7l-4-2v-5z"),
    "sort": _path("M8 4v16 M4 8l4-4 4 4 M16 4v16 M12 16l4 4 4-4"),
    "lock": _PADLOCK + _path("M8 11V7a4 4 0 0 1 8 0v4"),
    "unlock": _PADLOCK + _path("M8 11V7a4 4 0 0 1 7.500-2"),
    "eye": _path("M2 12c5-9 15-9 20 0-5 9-15 9-20 0z") + _circle(12, 12, 3),
    "link": _path(
        "M10 14a4 4 0 0 1 0-5.600l4-4a4 4 0 0 1 5.600 5.600l-2 2 M14 10a4 4 0 0 1 0 5.600l-4 4A4 4 0 0 1 4.400 14l2-2"
    ),
    "attach": _path(
        "M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.500 3.500 0 0 1 5 5l-8.500 8.500a1.500 1.500 0 0 1-2.500-2.500L15 7"
    ),
    "image": _box(3, 4, 18, 16) + _circle(8, 9, 1.5) + _path("M3 18l6-6 4 4 3-3 5 5"),
    "video": _box(2, 6, 13, 12) + _path("M15 11l7-4v10l-7-4z"),
    "music": _circle(6, 18, 2.5) + _circle(17, 16, 2.5) + _path("M8.500 18V5l11-2v13"),
    "folder": _FOLDER,
    "file": _PAGE,
    "chart": _path("M4 3v18h17 M9 17v-6 M14 17V7 M19 17v-9"),
    "list": _path("M9 6h12 M9 12h12 M9 18h12") + "".join(_circle(4, y, 1.2, full=True) for y in (6, 12, 18)),
    "grid": _box(4, 4, 6, 6) + _box(14, 4, 6, 6) + _box(4, 14, 6, 6) + _box(14, 14, 6, 6),
    "location": _path("M12 22c-5-7-7-9.500-7-13a7 7 0 0 1 14 0c0 3.500-2 6-7 13z") + _circle(12, 9, 2.5),
    "phone": _path("M5 3h4l2 5-2.500 2a12 12 0 0 0 5.500 5.500L16 13l5 2v4c0 1-1 2-2 2C10 21 3 14 3 5c0-1 1-2 2-2z"),
    "chat": _path("M3 4h18v13H11l-5 4v-4H3z"),
    "bell": _path("M5 17c2-2 2-4 2-7a5 5 0 0 1 10 0c0 3 0 5 2 7z M10 20.500h4 M12 3v2"),
    "flag": _path("M5 22V3 M5 4h13l-3 4.500 3 4.500H5"),
    "minimize": _path("M5 19h14"),
    "maximize": _box(4, 5, 16, 14) + _path("M4 8h16"),
    "logo": _path("M12 2.500 20.500 7v10L12 21.500 3.500 17V7z M12 8l4 2v4.500l-4 2-4-2V10z"),
}
"""By subtype."""

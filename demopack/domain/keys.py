"""One table of key names, and how each dialect spells them.

Canonical key text looks like ``Ctrl+Shift+T``, ``Enter``, ``Ctrl+Plus``: modifiers first, in the order Ctrl, Alt,
Shift, Meta; letters upper-case; other printable characters as themselves, but ``Plus`` and ``Space`` by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.errors import ActionError

__all__ = [
    "MODIFIERS",
    "NAMED_KEYS",
    "Dialect",
    "NamedKey",
    "join_keys",
    "normalise_key",
    "parse_key_info",
    "spell",
]

Dialect = Literal["pynput", "xdotool", "pyautogui", "uipath"]

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
"""The modifiers in their canonical order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedKey:
    """One key with a name, and its spelling elsewhere.

    Attributes:
        name: our canonical name.
        pynput: member of ``pynput.keyboard.Key``.
        xdotool: X11 keysym name, as xdotool and Anthropic's computer use write it.
        pyautogui: name in ``pyautogui.KEYBOARD_KEYS``.
        uipath: name in the UiPath planner's vocabulary, or None where it has none.
        aliases: other spellings that are accepted, lower-case.
    """

    name: str
    pynput: str
    xdotool: str
    pyautogui: str
    uipath: str | None = None
    aliases: tuple[str, ...] = ()


def _key(
    name: str,
    pynput: str,
    xdotool: str,
    pyautogui: str,
    uipath: str | None = None,
    aliases: tuple[str, ...] = (),
) -> NamedKey:
    return NamedKey(name=name, pynput=pynput, xdotool=xdotool, pyautogui=pyautogui, uipath=uipath, aliases=aliases)


_TABLE = (
    _key(
        "Ctrl",
        "ctrl",
        "ctrl",
        "ctrl",
        "Ctrl",
        ("control", "ctl", "ctrl_l", "ctrl_r", "control_l", "control_r"),
    ),
    _key("Alt", "alt", "alt", "alt", None, ("option", "opt", "alt_l", "alt_r")),
    _key("Shift", "shift", "shift", "shift", "Shift", ("shift_l", "shift_r")),
    _key(
        "Meta",
        "cmd",
        "super",
        "win",
        None,
        ("cmd", "command", "win", "windows", "super", "super_l", "super_r"),
    ),
    _key("AltGr", "alt_gr", "ISO_Level3_Shift", "altright", None, ("alt_gr", "iso_level3_shift")),
    _key("Enter", "enter", "Return", "enter", "Enter", ("return", "kp_enter")),
    _key("Tab", "tab", "Tab", "tab", "Tab"),
    _key("Escape", "esc", "Escape", "esc", "Escape", ("esc",)),
    _key("Backspace", "backspace", "BackSpace", "backspace", "Backspace", ("back",)),
    _key("Delete", "delete", "Delete", "delete", "Delete", ("del",)),
    _key("Insert", "insert", "Insert", "insert", None, ("ins",)),
    _key("Home", "home", "Home", "home"),
    _key("End", "end", "End", "end"),
    _key("PageUp", "page_up", "Page_Up", "pageup", "Pageup", ("page_up", "pgup", "prior")),
    _key("PageDown", "page_down", "Page_Down", "pagedown", "Pagedown", ("page_down", "pgdn", "pgdown", "next")),
    _key("ArrowUp", "up", "Up", "up", "Arrowup", ("up",)),
    _key("ArrowDown", "down", "Down", "down", "Arrowdown", ("down",)),
    _key("ArrowLeft", "left", "Left", "left", "Arrowleft", ("left",)),
    _key("ArrowRight", "right", "Right", "right", "Arrowright", ("right",)),
    _key("Space", "space", "space", "space"),
    _key("Plus", "+", "plus", "+"),
    _key("CapsLock", "caps_lock", "Caps_Lock", "capslock", None, ("caps_lock",)),
    _key("NumLock", "num_lock", "Num_Lock", "numlock", None, ("num_lock",)),
    _key("ScrollLock", "scroll_lock", "Scroll_Lock", "scrolllock", None, ("scroll_lock",)),
    _key("PrintScreen", "print_screen", "Print", "printscreen", None, ("print_screen", "print", "prtsc")),
    _key("Pause", "pause", "Pause", "pause"),
    _key("Menu", "menu", "Menu", "apps", None, ("contextmenu", "apps")),
    _key("VolumeUp", "media_volume_up", "XF86AudioRaiseVolume", "volumeup", None, ("media_volume_up",)),
    _key("VolumeDown", "media_volume_down", "XF86AudioLowerVolume", "volumedown", None, ("media_volume_down",)),
    _key("VolumeMute", "media_volume_mute", "XF86AudioMute", "volumemute", None, ("media_volume_mute",)),
    _key("MediaPlayPause", "media_play_pause", "XF86AudioPlay", "playpause", None, ("media_play_pause",)),
    _key("MediaNext", "media_next", "XF86AudioNext", "nexttrack", None, ("media_next",)),
    _key("MediaPrevious", "media_previous", "XF86AudioPrev", "prevtrack", None, ("media_previous",)),
    *(_key(f"F{n}", f"f{n}", f"F{n}", f"f{n}") for n in range(1, 21)),
)

NAMED_KEYS: dict[str, NamedKey] = {key.name: key for key in _TABLE}
_BY_ALIAS: dict[str, str] = {alias: key.name for key in _TABLE for alias in (key.name.lower(), *key.aliases)}


def normalise_key(text: str) -> str:
    """The canonical name of one key, whatever the spelling.

    Raises:
        ActionError: (``unknown_key``) no key has this name.
    """
    if text == " ":
        return "Space"
    if text == "+":
        return "Plus"
    if len(text) == 1 and text.isprintable():
        upper = text.upper()
        return upper if len(upper) == 1 else text
    name = _BY_ALIAS.get(text.strip().lower())
    if name is None:
        raise ActionError(
            f"There is no key called {text!r}.",
            code="unknown_key",
            field="action.parameters.key_info",
            hint="Write keys as Ctrl+Shift+T, Enter, F5 or a single character.",
        )
    return name


def parse_key_info(text: str) -> tuple[str, ...]:
    """Split ``"ctrl-shift-t"`` or ``"Ctrl+Shift+T"`` into canonical names, modifiers first.

    A lone ``+`` or ``-`` is that key; a hyphen separates only where the text has no plus sign and more than one name.

    Raises:
        ActionError: (``unknown_key``) a part is not a key, or nothing is pressed.
    """
    stripped = text.strip() if text != " " else text
    parts = _split(stripped) if len(stripped) > 1 else [stripped]
    names = [normalise_key(part) for part in parts]
    return _in_order(names)


def _split(text: str) -> list[str]:
    if text.lower() in _BY_ALIAS:
        return [text]
    separator = "+" if "+" in text else "-"
    if text.endswith(separator * 2):
        return [*text[:-2].split(separator), separator]
    return text.split(separator)


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    modifiers = [m for m in MODIFIERS if m in names]
    return (*modifiers, *(name for name in names if name not in MODIFIERS))


def join_keys(names: Sequence[str]) -> str:
    """The canonical text of keys pressed together, for instance ``Ctrl+Shift+T``."""
    return "+".join(_in_order([normalise_key(name) for name in names]))


def spell(name: str, dialect: Dialect) -> str:
    """How a dialect writes one canonical key; single characters are lower-case everywhere but in UiPath's.

    Raises:
        ActionError: (``unknown_key``) the dialect has no such key.
    """
    key = NAMED_KEYS.get(name)
    if key is None:
        if len(name) == 1:
            return name if dialect == "uipath" else name.lower()
        raise ActionError(f"There is no key called {name!r}.", code="unknown_key", field="action.parameters.key_info")
    spelling = {
        "pynput": key.pynput,
        "xdotool": key.xdotool,
        "pyautogui": key.pyautogui,
        "uipath": key.uipath,
    }[dialect]
    if spelling is None:
        raise ActionError(
            f"{dialect} has no name for the key {name}.",
            code="unknown_key",
            field="action.parameters.key_info",
        )
    return spelling

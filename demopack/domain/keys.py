"""Table of key names, and their spelling in each dialect.

Canonical key text looks like ``Ctrl+Shift+T``, ``Enter``, ``Ctrl+Plus``: modifiers first, in the order Ctrl, Alt,
Shift, Meta; letters upper-case; other printable characters as themselves, but ``Plus`` and ``Space`` by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.errors import ActionError

Dialect = Literal["pynput", "xdotool", "pyautogui", "uipath"]

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
"""The modifiers in their canonical order."""
PASTE_KEYS = frozenset({"Ctrl+V", "Ctrl+Shift+V", "Shift+Insert", "Meta+V"})
"""The combinations that paste."""


@dataclass(frozen=True, slots=True)
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


_TABLE = (
    NamedKey("Ctrl", "ctrl", "ctrl", "ctrl", "Ctrl", ("control", "ctl", "ctrl_l", "ctrl_r", "control_l", "control_r")),
    NamedKey("Alt", "alt", "alt", "alt", None, ("option", "opt", "alt_l", "alt_r")),
    NamedKey("Shift", "shift", "shift", "shift", "Shift", ("shift_l", "shift_r")),
    NamedKey("Meta", "cmd", "super", "win", None, ("cmd", "command", "win", "windows", "super", "super_l", "super_r")),
    NamedKey("AltGr", "alt_gr", "ISO_Level3_Shift", "altright", None, ("alt_gr", "iso_level3_shift")),
    NamedKey("Enter", "enter", "Return", "enter", "Enter", ("return", "kp_enter")),
    NamedKey("Tab", "tab", "Tab", "tab", "Tab"),
    NamedKey("Escape", "esc", "Escape", "esc", "Escape", ("esc",)),
    NamedKey("Backspace", "backspace", "BackSpace", "backspace", "Backspace", ("back",)),
    NamedKey("Delete", "delete", "Delete", "delete", "Delete", ("del",)),
    NamedKey("Insert", "insert", "Insert", "insert", None, ("ins",)),
    NamedKey("Home", "home", "Home", "home"),
    NamedKey("End", "end", "End", "end"),
    NamedKey("PageUp", "page_up", "Page_Up", "pageup", "Pageup", ("page_up", "pgup", "prior")),
    NamedKey("PageDown", "page_down", "Page_Down", "pagedown", "Pagedown", ("page_down", "pgdn", "pgdown", "next")),
    NamedKey("ArrowUp", "up", "Up", "up", "Arrowup", ("up",)),
    NamedKey("ArrowDown", "down", "Down", "down", "Arrowdown", ("down",)),
    NamedKey("ArrowLeft", "left", "Left", "left", "Arrowleft", ("left",)),
    NamedKey("ArrowRight", "right", "Right", "right", "Arrowright", ("right",)),
    NamedKey("Space", "space", "space", "space"),
    NamedKey("Plus", "+", "plus", "+"),
    NamedKey("CapsLock", "caps_lock", "Caps_Lock", "capslock", None, ("caps_lock",)),
    NamedKey("NumLock", "num_lock", "Num_Lock", "numlock", None, ("num_lock",)),
    NamedKey("ScrollLock", "scroll_lock", "Scroll_Lock", "scrolllock", None, ("scroll_lock",)),
    NamedKey("PrintScreen", "print_screen", "Print", "printscreen", None, ("print_screen", "print", "prtsc")),
    NamedKey("Pause", "pause", "Pause", "pause"),
    NamedKey("Menu", "menu", "Menu", "apps", None, ("contextmenu", "apps")),
    NamedKey("VolumeUp", "media_volume_up", "XF86AudioRaiseVolume", "volumeup", None, ("media_volume_up",)),
    NamedKey("VolumeDown", "media_volume_down", "XF86AudioLowerVolume", "volumedown", None, ("media_volume_down",)),
    NamedKey("VolumeMute", "media_volume_mute", "XF86AudioMute", "volumemute", None, ("media_volume_mute",)),
    NamedKey("MediaPlayPause", "media_play_pause", "XF86AudioPlay", "playpause", None, ("media_play_pause",)),
    NamedKey("MediaNext", "media_next", "XF86AudioNext", "nexttrack", None, ("media_next",)),
    NamedKey("MediaPrevious", "media_previous", "XF86AudioPrev", "prevtrack", None, ("media_previous",)),
    *(NamedKey(f"F{n}", f"f{n}", f"F{n}", f"f{n}") for n in range(1, 21)),
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
        raise ActionError(f"There is no key called {name!r}.", "unknown_key", "action.parameters.key_info")
    spelling: str | None = getattr(key, dialect)
    if spelling is None:
        raise ActionError(f"{dialect} has no name for the key {name}.", "unknown_key", "action.parameters.key_info")
    return spelling

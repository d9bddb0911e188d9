"""Layout of the keyboard, taken from one X server to another: for Xephyr, which passes on bare key codes."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any, Final

from demopack.errors import CaptureError
from recorder.backends.x11.xlib import new_request, property_of, reply_head, xlib

_TIMEOUT_S: Final = 10.0
_CORE_KEYBOARD: Final = 0x100
_NEW_KEYBOARD, _MAP, _STATE = 0, 1, 2
_EVENTS: Final = 1 << _NEW_KEYBOARD | 1 << _MAP | 1 << _STATE
_RULES: Final = "_XKB_RULES_NAMES"
_GROUP_AT: Final = 14  # of the locked group in what a state event holds after its first four bytes


def copy_layout(source: str, target: str) -> None:
    """Give a server the whole keyboard map of another one: layouts, options and what was changed by hand.

    Args:
        source: the server whose map it is, as in ``DISPLAY``.
        target: the server that gets it.

    Raises:
        CaptureError: xkbcomp is missing, or one of the servers refuses.
    """
    compiler = shutil.which("xkbcomp")
    if compiler is None:
        raise CaptureError("The keyboard's layout cannot be copied: xkbcomp is missing.", hint="Install x11-xkb-utils.")
    try:
        keymap = subprocess.run(
            [compiler, "-w0", source, "-"], capture_output=True, timeout=_TIMEOUT_S, check=True
        ).stdout
        subprocess.run(
            [compiler, "-w0", "-", target], input=keymap, capture_output=True, timeout=_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CaptureError("The keyboard's layout could not be copied.", details=str(error)) from error


def copy_rules(source: Any, target: Any) -> None:  # noqa: ANN401 - an untyped library
    """Copy the names of the layouts, which programs show; from one connection to another."""
    names = property_of(source, source.screen().root, _RULES)
    if isinstance(names, bytes):
        atom, text = target.intern_atom(_RULES), xlib("Xatom").STRING
        target.screen().root.change_property(atom, text, 8, names)


def copy_modifiers(source: Any, target: Any) -> None:  # noqa: ANN401 - an untyped library
    """Copy which keys are modifiers, which xkbcomp does not carry for every layout; from one connection to another.

    A key that is two of them, as the left Shift key of the layout Neo, is the first one there, not the last.
    """
    seen: set[int] = set()
    wanted: list[list[int]] = []
    for codes in source.get_modifier_mapping():
        wanted.append([code for code in codes if code and code not in seen])
        seen.update(wanted[-1])
    if wanted != [[code for code in codes if code] for codes in target.get_modifier_mapping()]:
        # Refused while one of them is held; then it is done with the next change.
        target.set_modifier_mapping(wanted)


class XkbChannel:
    """Changes of a server's layout and of the group in use, over a python-xlib connection, and locking a group."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self._display = display
        rq = xlib("protocol.rq")
        found = display.query_extension("XKEYBOARD")
        if found is None:
            raise CaptureError("The X server has no XKB extension.")
        self._opcode, self._first = int(found.major_opcode), int(found.first_event)
        use = new_request(
            rq, 0, rq.Card16("major"), rq.Card16("minor"), reply=(rq.Card8("supported"), *reply_head(rq), rq.Pad(24))
        )
        use(display=display.display, opcode=self._opcode, major=1, minor=0)

    def select(self) -> None:
        """Have changes told from now on."""
        rq = xlib("protocol.rq")
        request = new_request(
            rq, 1,
            rq.Card16("device"), rq.Card16("affected"), rq.Card16("cleared"), rq.Card16("all"),
            rq.Card16("parts"), rq.Card16("map"),
        )  # fmt: skip
        device = {"device": _CORE_KEYBOARD, "affected": _EVENTS, "cleared": 0, "all": _EVENTS, "parts": 0, "map": 0}
        request(display=self._display.display, opcode=self._opcode, **device)
        self._display.flush()

    def is_layout(self, event: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Whether an event tells that the layout has changed."""
        return event.type == self._first and event.detail in {_NEW_KEYBOARD, _MAP}

    def group_in(self, event: Any) -> int | None:  # noqa: ANN401 - an untyped library
        """The group that an event tells is in use; None for every other event."""
        return int(event.data[_GROUP_AT]) if event.type == self._first and event.detail == _STATE else None

    def group(self) -> int:
        """The group that is locked now, from 0."""
        rq = xlib("protocol.rq")
        request = new_request(
            rq, 4, rq.Card16("device"), rq.Pad(2),
            reply=(
                rq.Card8("device"), *reply_head(rq), rq.Pad(4), rq.Card8("group"), rq.Card8("locked"), rq.Pad(18),
            ),
        )  # fmt: skip
        answer = request(display=self._display.display, opcode=self._opcode, device=_CORE_KEYBOARD)
        return int(answer.locked)

    def lock_group(self, group: int) -> None:
        """Let a group be in use."""
        rq = xlib("protocol.rq")
        request = new_request(
            rq, 5,
            rq.Card16("device"), rq.Pad(2), rq.Card8("lock_group"), rq.Card8("group"), rq.Pad(3),
            rq.Card8("latch_group"), rq.Card16("latched"),
        )  # fmt: skip
        request(
            display=self._display.display, opcode=self._opcode,
            device=_CORE_KEYBOARD, lock_group=1, group=group, latch_group=0, latched=0,
        )  # fmt: skip
        self._display.flush()

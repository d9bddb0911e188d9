"""Parts that the hooks of Windows and macOS share: listeners that cannot hang, key names, wheels, halves of pairs."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, Protocol

from demopack.domain.events import InputEvent
from demopack.domain.keys import NAMED_KEYS
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings

_log = logging.getLogger(__name__)

DEAD_KEY: Final = "Dead"
"""``InputEvent.key`` of a key that types nothing by itself."""
_SIDES: Final = ("_l", "_r")
_WHEEL_PAUSE_NS: Final = 1_000_000_000
_SURROGATES: Final = range(0xD800, 0xE000)
_HIGH_SURROGATES: Final = range(0xD800, 0xDC00)

EventReader = Callable[..., list[InputEvent]]
"""Reads one message of a hook: the events that it stands for, mostly one."""
Deliver = Callable[..., None]
"""Called in a hook's thread with an :data:`EventReader` and the message to read. Never raises."""


class SystemHooks(Protocol):
    """pynput's listeners of one system, and what this system knows about them.

    Attributes:
        way_out: what to do when a hook has ended, a sentence for the user.
    """

    way_out: str

    def prepare(self) -> None:
        """Read what must be known before a listener starts.

        Raises:
            CaptureError: the system does not let this program watch.
        """

    def listeners(self, deliver: Deliver) -> Iterator[Any]:
        """Pynput's listeners for mouse and keyboard, not yet started; each is started before the next is asked for."""
        ...

    def refusal(self, listener: Any) -> CaptureError | None:  # noqa: ANN401 - an untyped library
        """Why nothing will come from a listener that calls itself ready; None where it works."""
        ...

    def problems(self) -> list[str]:
        """What keeps input away at the moment, in the user's words. Asked often, from any thread."""
        ...

    def timings(self) -> OsTimings:
        """The system's own constants."""
        ...


def guarded_listener(base: Any, **members: Any) -> Any:  # noqa: ANN401 - an untyped library
    """A subclass of one of pynput's listeners with these members, whose ``wait`` always ends.

    A thread that fails before it is ready keeps the exception in ``failure``, where pynput would wait for ever.
    """

    def run(listener: Any) -> None:  # noqa: ANN401 - as above
        try:
            base.run(listener)
        except Exception as error:  # noqa: BLE001 - of the system's libraries; told by the source's ``error``
            _log.info("A hook of pynput's failed.", exc_info=True)
            listener.failure = error
            # Else stopping it would wait for a message loop that never began, and joining it for an answer.
            listener._running = False  # noqa: SLF001 - pynput has no other way
            listener._queue.put(None)  # noqa: SLF001 - as above
        finally:
            listener._mark_ready()  # noqa: SLF001 - as above

    return type(base.__name__, (base,), {"run": run, "failure": None, **members})


def key_names(keyboard: Any) -> dict[int, str]:  # noqa: ANN401 - an untyped library
    """Canonical names by the virtual key codes of pynput's back end; ``Dead`` where our table has no name."""
    ours = {key.pynput: key.name for key in NAMED_KEYS.values()}
    found: dict[int, str] = {}
    for name, member in keyboard.Key.__members__.items():
        if getattr(member.value, "_is_media", None):  # of another numbering
            continue
        plain = name
        for side in _SIDES:
            plain = plain.removesuffix(side)
        found.setdefault(member.value.vk, ours.get(plain, DEAD_KEY))
    return found


class WheelSum:
    """Sums the fine deltas of one axis of a wheel to whole notches.

    A notch counts when a quarter of it has come, so that the picture before it shows the page before it moved, a short
    turn is not lost, and a wheel that trembles makes none. What is left over ends with a pause of a second, and when
    the wheel turns round.

    Args:
        notch: deltas in a notch.
    """

    def __init__(self, notch: int) -> None:
        self._notch = notch
        self._sum = self._counted = 0
        self._last_ns = 0

    def add(self, delta: int, t_ns: int) -> int:
        """Notches that begin with this delta, with its sign."""
        turned = delta * self._sum < 0
        if turned or t_ns - self._last_ns > _WHEEL_PAUSE_NS:
            self._sum = self._counted = 0
        self._last_ns = t_ns
        self._sum += delta
        begun = (abs(self._sum) + self._notch - self._notch // 4) // self._notch
        new, self._counted = begun - self._counted, begun
        return new if delta > 0 else -new


class SurrogateJoiner:
    """Joins the two halves of a character outside the basic plane, which some systems send one after the other."""

    def __init__(self) -> None:
        self._high = ""

    def join(self, text: str) -> str:
        """The text that is complete now; a half without its other half is dropped."""
        joined = ""
        for char in text:
            if ord(char) not in _SURROGATES:
                joined, self._high = joined + char, ""
            elif ord(char) in _HIGH_SURROGATES:
                self._high = char
            elif self._high:
                pair, self._high = self._high + char, ""
                joined += pair.encode("utf-16", "surrogatepass").decode("utf-16")
        return joined


_MARKS: Final = {"'": "\u0301", '"': "\u0308", "°": "\u030a", ",": "\u0327", "-": "\u0304"}
"""Combining marks of accents that Unicode does not call after them."""
_IRREGULAR: Final = {("'", "c"): "ç", ("'", "C"): "Ç"}  # of the international US layout


def compose(accent: str, char: str) -> str:
    """What a dead key and the character behind it type together; both, where they do not join."""
    if char == " ":
        return accent
    mark = _MARKS.get(accent, "")
    if not mark:
        with suppress(KeyError, ValueError):
            mark = unicodedata.lookup(f"COMBINING {unicodedata.name(accent)}")
    joined = _IRREGULAR.get((accent, char)) or unicodedata.normalize("NFC", char + mark)
    return joined if len(joined) == 1 and joined != char else accent + char


def single_lower(char: str) -> str:
    """A character in lower case, where that is one character."""
    lower = char.lower()
    return lower if len(lower) == 1 else char


def printable(text: str) -> str:
    """The text, or nothing where it holds a control character."""
    return text if text.isprintable() else ""

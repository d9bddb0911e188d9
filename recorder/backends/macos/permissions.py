"""What macOS must allow before anything can be recorded, and whether it does; asked of the system through ctypes."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from demopack.errors import CaptureError

PermissionName = Literal["accessibility_permission", "input_permission", "screen_permission", "secure_input"]
PERMISSION_NAMES: Final[tuple[PermissionName, ...]] = (
    "accessibility_permission",
    "input_permission",
    "screen_permission",
    "secure_input",
)
"""Lines of the self-test that there are on macOS alone, in their order."""

_FRAMEWORKS = "/System/Library/Frameworks"
_SERVICES = f"{_FRAMEWORKS}/ApplicationServices.framework/ApplicationServices"
_GRAPHICS = f"{_FRAMEWORKS}/CoreGraphics.framework/CoreGraphics"
_CARBON = f"{_FRAMEWORKS}/Carbon.framework/Carbon"


@dataclass(frozen=True, slots=True)
class _Question:
    """One question to the system, and what its answers mean."""

    name: PermissionName
    library: str
    function: str
    good: bool
    allowed: str
    missing: str
    hint: str


_QUESTIONS: Final = (
    _Question(
        "accessibility_permission",
        _SERVICES,
        "AXIsProcessTrusted",
        True,  # noqa: FBT003 - the answer that is hoped for
        "macOS lets this program use Accessibility.",
        "macOS does not let this program use Accessibility.",
        "Allow demopack (or the terminal) under System Settings, Privacy & Security, Accessibility, "
        "then start it again.",
    ),
    _Question(
        "input_permission",
        _GRAPHICS,
        "CGPreflightListenEventAccess",
        True,  # noqa: FBT003
        "macOS lets this program watch the keyboard.",
        "macOS does not let this program watch the keyboard.",
        "Allow demopack (or the terminal) under System Settings, Privacy & Security, Input Monitoring, "
        "then start it again.",
    ),
    _Question(
        "screen_permission",
        _GRAPHICS,
        "CGPreflightScreenCaptureAccess",
        True,  # noqa: FBT003
        "macOS lets this program record the screen.",
        "macOS does not let this program record the screen: pictures would show the wallpaper alone.",
        "Allow demopack (or the terminal) under System Settings, Privacy & Security, Screen Recording "
        "(Screen & System Audio Recording since macOS 15), then start it again.",
    ),
    _Question(
        "secure_input",
        _CARBON,
        "IsSecureEventInputEnabled",
        False,  # noqa: FBT003
        "No program keeps the keyboard to itself.",
        "Secure input is on: no program sees what is typed, and hot-keys do nothing.",
        "Leave the password field that has the input; in Terminal switch Secure Keyboard Entry off. No pane of System "
        "Settings does it: if it stays on, quit the program that holds it, often a password manager.",
    ),
)

PERMISSION_TEXTS: Final = tuple(text for one in _QUESTIONS for text in (one.allowed, one.missing, one.hint))
"""All that is said about permissions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionState:
    """What macOS says about one permission.

    Attributes:
        name: the self-test's name for it; stable.
        granted: whether recording may go on.
        words: what was found, one short sentence.
        hint: the pane of System Settings, or another way out; empty when it is granted.
    """

    name: PermissionName
    granted: bool
    words: str
    hint: str = ""


def read_permissions() -> list[PermissionState]:
    """All permissions in their order; without those that this system cannot be asked for."""
    found: list[PermissionState] = []
    for question in _QUESTIONS:
        ask = _function(question.library, question.function)
        if ask is not None:
            granted = bool(ask()) is question.good
            words, hint = (question.allowed, "") if granted else (question.missing, question.hint)
            found.append(PermissionState(name=question.name, granted=granted, words=words, hint=hint))
    return found


def require_permissions() -> None:
    """Make sure that recording is allowed.

    Where it is not, macOS is told that this program asks for it, which puts it on the list in its pane.

    Raises:
        CaptureError: for the first permission that is missing; names the pane of System Settings.
    """
    missing = [state for state in read_permissions() if not state.granted]
    if missing:
        _request({state.name for state in missing})
        raise CaptureError(missing[0].words, hint=missing[0].hint)


def has_secure_input() -> bool:
    """Whether some program keeps the keyboard to itself now, as it does for a password field."""
    ask = _function(_CARBON, "IsSecureEventInputEnabled")
    return ask is not None and bool(ask())


def _request(names: set[PermissionName]) -> None:
    if "accessibility_permission" in names:
        with contextlib.suppress(ImportError, AttributeError):
            services: Any = importlib.import_module("HIServices")
            services.AXIsProcessTrustedWithOptions({services.kAXTrustedCheckOptionPrompt: True})
    requests = {"input_permission": "CGRequestListenEventAccess", "screen_permission": "CGRequestScreenCaptureAccess"}
    for name, function in requests.items():
        ask = _function(_GRAPHICS, function) if name in names else None
        if ask is not None:
            ask()


def _function(library: str, name: str) -> Callable[[], bool] | None:
    """A function of the system without arguments; None where it does not have it."""
    try:
        found: Any = getattr(ctypes.CDLL(library), name)
    except (OSError, AttributeError):
        return None
    found.restype, found.argtypes = ctypes.c_bool, ()
    return found  # type: ignore[no-any-return]

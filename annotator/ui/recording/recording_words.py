"""Words of a recording: its privacy, what is typed, and what the recorder says; knows no Qt."""

from __future__ import annotations

import sys
from typing import Final

from annotator.words import spoken_in, tr
from demopack.domain.steps import Step
from demopack.errors import DemopackError
from demopack.settings import RecorderSettings
from recorder.backends.element_access import SILENT
from recorder.backends.macos.permissions import PERMISSION_NAMES, PERMISSION_TEXTS
from recorder.backends.pynput_darwin import LAPSED
from recorder.backends.pynput_win32 import UNSEEN
from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED, HELD, LOST_HELD, LOST_STORED

CHECK_TITLES: Final[dict[str, str]] = {
    "accessibility_permission": tr("Accessibility allowed"),
    "input_permission": tr("Input Monitoring allowed"),
    "screen_permission": tr("Screen Recording allowed"),
    "secure_input": tr("Secure input"),
    "input": tr("Input"),
    "pictures": tr("Pictures"),
    "accessibility": tr("Accessibility"),
    "disk": tr("Disk"),
    "hotkeys": tr("Hot-keys"),
    "library": tr("Library"),
}
"""The lines of the self-test, in their order; what macOS must allow comes first, and only there."""


def check_titles() -> dict[str, str]:
    """The lines of the self-test on this system, in their order."""
    return {name: title for name, title in CHECK_TITLES.items() if sys.platform == "darwin" or name not in _MACOS_ONLY}


_MACOS_ONLY = frozenset(PERMISSION_NAMES)
_MAX_NAMED = 4


def privacy_words(recorder: RecorderSettings) -> str:
    """What will be left out of the recording, and what is kept beside it, in a few short sentences."""
    settings = recorder.privacy
    if settings.accessibility:
        words = [tr("Passwords are left out where programs tell which fields hold them.")]
    else:
        words = [tr("Programs are not asked about their fields: pause before you type a password.")]
    left_out = [*settings.blocked_apps, *(f"“{title}”" for title in settings.blocked_titles)]
    regions = len(settings.blocked_regions)
    if regions:
        left_out.append(tr("1 region") if regions == 1 else tr("{regions} regions").format(regions=regions))
    if len(left_out) > _MAX_NAMED:
        left_out = [*left_out[: _MAX_NAMED - 1], tr("{value} more").format(value=len(left_out) - _MAX_NAMED + 1)]
    words.append(
        tr("Never recorded: {join}.").format(join=", ".join(left_out)) if left_out else tr("No application is blocked.")
    )
    if settings.accessibility and recorder.trees:
        words.append(tr("What programs report of their windows is kept beside the pictures."))
    if settings.clipboard:
        words.append(tr("Clipboard texts are kept."))
    return " ".join(words)


RECORDER_SENTENCES: Final = (
    LOST_HELD,
    LOST_STORED,
    ABSENT_HELD,
    ABSENT_STORED,
    HELD,
    LAPSED,
    UNSEEN,
    "The screen has gone: its X server has ended or cut the connection.",
    "Log in again; everything recorded up to then is saved.",
    "The screen cannot be read.",
    "The screen does not answer.",
    "Check that the session is unlocked.",
    "Check that the session is unlocked and that DISPLAY names it; on Wayland choose an Xorg session.",
    "Allow screen recording for this program: System Settings, Privacy & Security, Screen Recording.",
    "Close what protects the screen, such as a video with copy protection; in a remote session keep its window open.",
    "The screen is locked, or the system asks for permission on a screen of its own.",
    "Recording goes on when it is back.",
    "No pictures of the screen arrive: it does not answer.",
    "If this lasts, stop the recording; everything up to now is kept.",
    "This screen source was closed; open a new one.",
    "The window “{title}” cannot be seen: it is closed, minimised or outside the screen.",
    "Bring it back to go on; nothing is recorded meanwhile.",
    "There is no monitor {monitor}.",
    "Connect it, or choose another: {monitors}.",
    "The region {area} lies outside the screen, which has {width} x {height} pixels.",
    "Choose another region.",
    "On this system single windows cannot be recorded yet.",
    "Choose a monitor or a region instead.",
    "This screen has {depth} bits per pixel; only true colour with 24 can be recorded.",
    "Set the X server to a depth of 24.",
    "There is no screen to record: DISPLAY is not set.",
    "Start demopack from a desktop session, or set DISPLAY to a running X server.",
    "The X server {display} cannot be reached.",
    "Check that it runs, that DISPLAY is right and that you may use it (xhost, XAUTHORITY).",
    "This is a Wayland session; other programs' windows and input cannot be recorded in it.",
    "Record in a desktop in a window: `demopack record --desktop`. Or log out and choose a session named “Xorg” or “X11” at the login screen, where there is one.",  # noqa: E501
    "The recording desktop was closed, or the session that it is a window of has ended.",
    "Everything recorded up to then is saved. Open it again to go on.",
    "A recording desktop is open already.",
    "Open programs in it, or close its window first.",
    "The recording desktop did not open.",
    "This system has no recording desktops: they are made of X servers.",
    "Record your own screen: leave --desktop out.",
    "There is no screen to show a recording desktop on: neither WAYLAND_DISPLAY nor DISPLAY is set.",
    "Start it in a terminal of your desktop session.",
    "No recording desktop can be opened: no window manager is installed.",
    "Install openbox, which is small and changes nothing in your session.",
    "No recording desktop can be opened: {why}.",
    "Install Xephyr (Debian and Ubuntu: xserver-xephyr; Fedora: xorg-x11-server-Xephyr), or Xwayland 23.1 or newer.",
    "Let this session start XWayland, so that DISPLAY is set, or install Xwayland 23.1 or newer.",
    "The recording desktop's X server ({program}) did not start.",
    "Check that the session is unlocked and that programs can open windows in it.",
    SILENT,
    "One that tells nothing is named as you type in it.",
    "On a Mac hold fn with F8 to F11, which are media keys otherwise.",
    "Xwayland is not installed",
    "Xwayland needs a Wayland session",
    "Xwayland {version} is older than {needed}",
    "Xephyr is not installed",
    "Xephyr needs an X server, and DISPLAY is not set",
    "Programs there cannot be asked about their elements: dbus or at-spi2-core is missing.",
    "The clipboard is the desktop's own.",
    "This session has no X server to share it with.",
    "The X server {display} does not tell who owns its clipboard.",
    "The X server has no XKB extension.",
    "There is no program {program}.",
    "Give the name of its command, or its name in the menu of programs.",
    "{program} cannot be started: {why}.",
    "No terminal is installed to run it in.",
    "Install xterm.",
    "The keyboard's layout cannot be copied: xkbcomp is missing.",
    "Install x11-xkb-utils.",
    "The keyboard's layout could not be copied.",
    "Keyboard and mouse can no longer be watched.",
    "Keyboard and mouse cannot be watched in this session.",
    "Keys cannot be read: libxkbcommon-x11 is missing.",
    "Install it; on Debian and Ubuntu its package is libxkbcommon-x11-0.",
    "macOS does not let this program watch keyboard and mouse.",
    "Allow it under System Settings, Privacy & Security, Accessibility and Input Monitoring, then start it again.",
    *PERMISSION_TEXTS,
    "Secure input is on: what is typed does not arrive, and hot-keys do nothing.",
    "“{app}” has switched secure input on: what is typed does not arrive, and hot-keys do nothing.",
    "“{app}” has administrator rights: what you do in it cannot be recorded.",
    "Start demopack with the same rights.",
    "Blocked applications and windows cannot be kept out: the windows of this desktop are not known.",
    "Empty these lists in the settings, under Privacy, and block regions instead.",
    "macOS no longer shows keyboard and mouse to this program.",
    "Start demopack inside a desktop session.",
    "Everything up to now is kept.",
    "Start a new recording.",
    "This input source was started before; open a new one.",
    "The X server did not begin to deliver input.",
    "This X server does not let programs watch input: its RECORD extension is off.",
    'Enable it (Option "RECORD" in the server\'s configuration) and start the session again.',
    "1 input event was lost because this machine is too busy.",
    "{count} input events were lost because this machine is too busy.",
    "1 input event could not be read; a step may be missing.",
    "{count} input events could not be read; a step may be missing.",
    "Your input arrives, but no pictures of the screen do.",
    "No input has been seen yet. If you did something, input cannot be watched here.",
    "{key} belongs to another program too: it will react when you press it.",
    "“{app}” answered late. It is asked less now, so that it is not slowed down.",
    "A program answered late. It is asked less now, so that it is not slowed down.",
    "“{app}” answers too late and is asked nothing more: steps in it have no names, and are in doubt.",
    "A program answers too late and is asked nothing more: steps in it have no names, and are in doubt.",
    "The film has reached its size; the steps are recorded on.",
    "What programs report has reached its size; the steps are recorded on.",
    "The disk that holds {folder} is almost full; the recording is paused.",
    "The disk that holds {folder} is full; everything saved so far is safe.",
    "Make room and try again.",
    "The disk was almost full.",
    "The library {folder} cannot be reached; the recording is paused.",
    "Connect its drive again.",
    "The recording broke off because of a fault in demopack; the steps before it are saved.",
    "Start a new recording, and report what you did when it happened.",
    "This recording was started before.",
    "Start a new one.",
    "A recording cannot be stopped from within its own callbacks.",
    "Nothing is being recorded.",
    "Start the recording first.",
    "A move of the pointer arrived in {took} ms.",
    "Input is watched; this system does not let the test move the pointer to prove it.",
    "The pointer was moved, but nothing arrived.",
    "The pointer cannot be moved to try the input out.",
    "Close programs that hold mouse and keyboard, and try again.",
    "Allow demopack (or the terminal) under System Settings, Privacy & Security: Input Monitoring and Accessibility.",
    "Allow demopack (or the terminal) to control this computer in the system's privacy settings.",
    "Allow demopack (or the terminal) to record the screen in the system's privacy settings.",
    "A program with administrator rights has the input: close it, or start demopack with the same rights.",
    "A change was seen in its place; {width} x {height} pixels in {took} ms.",
    "{width} x {height} pixels; on this system it was not tried whether a change arrives.",
    "A spot was shown on the screen, but the pictures do not show it in its place.",
    "Switch a screen filter, magnifier or protected full-screen program off, and try again.",
    "The monitors changed during the test.",
    "The pictures of the screen are empty.",
    "Try again.",
    "Programs can be asked about their fields.",
    "Programs tell nothing about their fields, so passwords cannot be recognised.",
    "Switched off in the settings: nobody tells which fields hold passwords.",
    "Everything you type is held back as a secret.",
    "What you type is stored, passwords too.",
    "Install at-spi2-core and log in again; until then pause before you type one.",
    "Install the package comtypes and start demopack again; until then pause before you type one.",
    "Allow Accessibility in the system's privacy settings; until then pause before you type one.",
    "Switch it on under Privacy, or pause before you type one.",
    "Pause before you type one.",
    "The disk of the library is nearly full: {free} MB free.",
    "Only {free} GiB free: enough for a short recording.",
    "{free} GiB free.",
    "Make room, or choose another library.",
    "Make room soon.",
    "Make room.",
    "Nothing can be written to {folder}: {why}.",
    "Check its permissions, or choose another library.",
    "{library} can be written.",
    "{library} will be made.",
    "{key} is held by another program.",
    "{keys} are held by another program.",
    "Choose another key in the settings, under recorder.hotkeys.",
    "Stop with the bar.",
    "Stop with {key}.",
    "Other programs react to hot-keys, too, on this system.",
    "Programs can be asked, but {names} tells nothing, passwords included.",
    "Start it with `demopack launch {name}`: a new window with a profile of its own.",
    "This could not be tried out: {what}",
)
"""What the recorder says, which knows no other language, with a name in braces for what varies.

Longer texts come before their parts.
"""

_TITLES: Final[dict[str, str]] = {
    LOST_HELD: tr("Text is held back"),
    ABSENT_HELD: tr("Text is held back"),
    ABSENT_STORED: tr("Passwords are stored"),
    # Both come of what the person has just said.
    LOST_STORED: "",
    HELD: "",
}


def spoken(text: str) -> str:
    """What the recorder says, in the user's language as far as it is known there."""
    return spoken_in(text, RECORDER_SENTENCES)


def spoken_error(error: Exception) -> Exception:
    """Why a recording did not start or ended by itself, in the user's language as far as it is known there."""
    if not isinstance(error, DemopackError):
        return error
    return DemopackError(spoken(error.user_message), details=error.details, hint=spoken(error.hint))


def problem_title(problem: str) -> str:
    """A problem in the few words that the bar has room for; empty where nothing need be said."""
    return _TITLES.get(problem, spoken(problem).partition(". ")[0].removesuffix("."))


def typed_in(step: Step | None) -> str:
    """The text that was typed in a step; empty for other steps, and for none."""
    return "" if step is None else str(step.action.typed_text or "")


def count_steps(number: int) -> str:
    """``1 step`` or ``7 steps``."""
    return tr("1 step") if number == 1 else tr("{number} steps").format(number=number)

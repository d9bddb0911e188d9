"""What the start panel says about privacy and about what it tried out; knows no Qt."""

from __future__ import annotations

import functools
import re
from typing import Final

from annotator.words import marked, tr
from demopack.errors import DemopackError
from demopack.settings import PrivacySettings
from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED, HELD, LOST_HELD, LOST_STORED

__all__ = ["CHECK_TITLES", "privacy_words", "problem_title", "spoken", "spoken_error"]

CHECK_TITLES: Final[dict[str, str]] = {
    "input": tr("Input"),
    "pictures": tr("Pictures"),
    "accessibility": tr("Accessibility"),
    "disk": tr("Disk"),
    "hotkeys": tr("Hot-keys"),
    "library": tr("Library"),
}
"""The lines of the self-test, in their order."""

_MANY = 4


def privacy_words(settings: PrivacySettings) -> str:
    """What will be left out of the recording, in two or three short sentences."""
    if settings.accessibility:
        words = [tr("Passwords are left out where programs tell which fields hold them.")]
    else:
        words = [tr("Programs are not asked about their fields: pause before you type a password.")]
    left_out = [*settings.blocked_apps, *(f"“{title}”" for title in settings.blocked_titles)]
    regions = len(settings.blocked_regions)
    if regions:
        left_out.append(tr("1 region") if regions == 1 else tr("{regions} regions").format(regions=regions))
    if len(left_out) > _MANY:
        left_out = [*left_out[: _MANY - 1], tr("{value} more").format(value=len(left_out) - _MANY + 1)]
    words.append(
        tr("Never recorded: {join}.").format(join=", ".join(left_out)) if left_out else tr("No application is blocked.")
    )
    if settings.clipboard:
        words.append(tr("Clipboard texts are kept."))
    return " ".join(words)


_SENTENCES: Final = (
    marked(
        "Programs no longer tell which fields hold passwords. Everything you type is held back as a secret now, "
        "until you say that it may be stored again."
    ),
    marked(
        "Programs no longer tell which fields hold passwords. What you type is stored, passwords too: "
        "hold it back or pause before you type one."
    ),
    marked("Programs do not tell which fields hold passwords. Everything you type is held back as a secret."),
    marked(
        "Programs do not tell which fields hold passwords. What you type is stored, passwords too: "
        "hold it back or pause before you type one."
    ),
    marked("Everything you type is held back as a secret. Steps say that something was typed, and not what."),
    marked("The screen has gone: its X server has ended or cut the connection."),
    marked("Log in again; everything recorded up to then is saved."),
    marked("The screen cannot be read."),
    marked("The screen does not answer."),
    marked("Check that the session is unlocked."),
    marked("Check that the session is unlocked and that DISPLAY names it; on Wayland choose an Xorg session."),
    marked("Allow screen recording for this program: System Settings, Privacy & Security, Screen Recording."),
    marked("No pictures of the screen arrive: it does not answer."),
    marked("If this lasts, stop the recording; everything up to now is kept."),
    marked("This screen source was closed; open a new one."),
    marked("The window “{title}” cannot be seen: it is closed, minimised or outside the screen."),
    marked("Bring it back to go on; nothing is recorded meanwhile."),
    marked("There is no monitor {monitor}."),
    marked("Connect it, or choose another: {monitors}."),
    marked("Choose another: {monitors}."),
    marked("The region {area} lies outside the screen, which has {width} x {height} pixels."),
    marked("The region {area} lies outside the screen."),
    marked("Choose another region."),
    marked("On this system single windows cannot be recorded yet."),
    marked("Choose a monitor or a region instead."),
    marked("This screen has {depth} bits per pixel; only true colour with 24 can be recorded."),
    marked("Set the X server to a depth of 24."),
    marked("There is no screen to record: DISPLAY is not set."),
    marked("Start demopack from a desktop session, or set DISPLAY to a running X server."),
    marked("The X server {display} cannot be reached."),
    marked("Check that it runs, that DISPLAY is right and that you may use it (xhost, XAUTHORITY)."),
    marked("This is a Wayland session; other programs' windows and input cannot be recorded in it."),
    marked("Log out and choose a session named “Xorg” or “X11” at the login screen."),
    marked("Keyboard and mouse can no longer be watched."),
    marked("Keyboard and mouse cannot be watched in this session."),
    marked("macOS does not let this program watch keyboard and mouse."),
    marked(
        "Allow it under System Settings, Privacy & Security, Accessibility and Input Monitoring, then start it again."
    ),
    marked("Start demopack inside a desktop session."),
    marked("Everything up to now is kept."),
    marked("Start a new recording."),
    marked("This input source was started before; open a new one."),
    marked("The X server did not begin to deliver input."),
    marked("This X server does not let programs watch input: its RECORD extension is off."),
    marked('Enable it (Option "RECORD" in the server\'s configuration) and start the session again.'),
    marked("1 input event was lost because this machine is too busy."),
    marked("{count} input events were lost because this machine is too busy."),
    marked("1 input event could not be read; a step may be missing."),
    marked("{count} input events could not be read; a step may be missing."),
    marked("Your input arrives, but no pictures of the screen do."),
    marked("No input has been seen yet. If you did something, input cannot be watched here."),
    marked("{key} belongs to another program too: it will react when you press it."),
    marked("“{app}” answered late. It is asked less now, so that it is not slowed down."),
    marked("A program answered late. It is asked less now, so that it is not slowed down."),
    marked("“{app}” answers too late and is asked nothing more: steps in it have no names, and are in doubt."),
    marked("A program answers too late and is asked nothing more: steps in it have no names, and are in doubt."),
    marked("The film has reached its size; the steps are recorded on."),
    marked("The disk that holds {folder} is almost full; the recording is paused."),
    marked("The disk that holds {folder} is full; everything saved so far is safe."),
    marked("Make room and try again."),
    marked("The disk was almost full."),
    marked("The library {folder} cannot be reached; the recording is paused."),
    marked("Connect its drive again."),
    marked("The recording broke off because of a fault in demopack; the steps before it are saved."),
    marked("Start a new recording, and report what you did when it happened."),
    marked("This recording was started before."),
    marked("Start a new one."),
    marked("A recording cannot be stopped from within its own callbacks."),
    marked("Nothing is being recorded."),
    marked("Start the recording first."),
    marked("A move of the pointer arrived in {took} ms."),
    marked("Input is watched; this system does not let the test move the pointer to prove it."),
    marked("The pointer was moved, but nothing arrived."),
    marked("The pointer cannot be moved to try the input out."),
    marked("Close programs that hold mouse and keyboard, and try again."),
    marked(
        "Allow demopack (or the terminal) under System Settings, Privacy & Security: Input Monitoring and "
        "Accessibility."
    ),
    marked("Allow demopack (or the terminal) to control this computer in the system's privacy settings."),
    marked("Allow demopack (or the terminal) to record the screen in the system's privacy settings."),
    marked("A program with administrator rights has the input: close it, or start demopack with the same rights."),
    marked("A change was seen in its place; {width} x {height} pixels in {took} ms."),
    marked("{width} x {height} pixels; on this system it was not tried whether a change arrives."),
    marked("A spot was shown on the screen, but the pictures do not show it in its place."),
    marked("Switch a screen filter, magnifier or protected full-screen program off, and try again."),
    marked("The monitors changed during the test."),
    marked("The pictures of the screen are empty."),
    marked("Try again."),
    marked("Programs can be asked about their fields."),
    marked("Programs tell nothing about their fields, so passwords cannot be recognised."),
    marked("Switched off in the settings: nobody tells which fields hold passwords."),
    marked("Everything you type is held back as a secret."),
    marked("What you type is stored, passwords too."),
    marked("Install at-spi2-core and log in again; until then pause before you type one."),
    marked("Switch it on under Privacy, or pause before you type one."),
    marked("Pause before you type one."),
    marked("The disk of the library is nearly full: {free} MB free."),
    marked("Only {free} GiB free: enough for a short recording."),
    marked("{free} GiB free."),
    marked("Make room, or choose another library."),
    marked("Make room soon."),
    marked("Make room."),
    marked("Nothing can be written to {folder}: {why}."),
    marked("Check its permissions, or choose another library."),
    marked("{library} can be written."),
    marked("{library} will be made."),
    marked("{key} is held by another program."),
    marked("{keys} are held by another program."),
    marked("Choose another key in the settings, under recorder.hotkeys."),
    marked("Stop with the bar."),
    marked("Stop with {key}."),
    marked("Other programs react to hot-keys, too, on this system."),
    marked("This could not be tried out: {what}"),
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
    for english in _SENTENCES:
        words = tr(english)
        if words != english:
            text = _pattern(english).sub(functools.partial(_filled, words), text)
    return text


def _filled(words: str, found: re.Match[str]) -> str:
    return words.format(**found.groupdict())


def spoken_error(error: Exception) -> Exception:
    """Why a recording did not start or ended by itself, in the user's language as far as it is known there."""
    if not isinstance(error, DemopackError):
        return error
    return DemopackError(spoken(error.user_message), details=error.details, hint=spoken(error.hint))


@functools.cache
def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(english)), re.DOTALL)


def problem_title(problem: str) -> str:
    """A problem in the few words that the bar has room for; empty where nothing need be said."""
    return _TITLES.get(problem, spoken(problem).partition(". ")[0].removesuffix("."))

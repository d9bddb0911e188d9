"""What the player says, which knows no other language, in the user's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from annotator.words import date_words, spoken_in, tr
from demopack.domain.demos import DemoHead
from demopack.domain.proofs import ProofKind, ReplayProof
from demopack.errors import DemopackError

PLAYER_SENTENCES: Final = (
    "The step {what}) of {window}, but {why}. Nothing was sent.",
    "The step {what}, but {why}. Nothing was sent.",
    "Bring the recorded window to the front, with the cursor where it was, and replay again. Where a program tells nothing about itself, --unchecked-keys allows keys that could not be checked.",  # noqa: E501
    "{what} got the focus {when}; nothing more was sent.",
    "Close what took the focus, see to what has been typed, and replay again.",
    "On this screen several elements could be {what} beside “{text}”; nothing was clicked.",
    "On this screen several elements could be {what}; nothing was clicked.",
    "On this screen {what} beside “{text}” was not found; nothing was clicked.",
    "On this screen {what} was not found; nothing was clicked.",
    "On this screen {why}; nothing was selected.",
    "Bring the screen to where the step begins, or correct the step's target in the editor.",
    "{what} lies over the target; nothing was clicked.",
    "Close or move what lies over it, and try again.",
    "{other} lies where {window} was; nothing was clicked.",
    "Open the recorded window and replay again. Where a program gives its window another title each time, --unchecked-keys goes on.",  # noqa: E501
    "“{text}” was typed, but its field does not hold just that now.",
    "See to the field: something may have stood there before, or it does not take the value.",
    "After this step the screen shows another value than “{text}”.",
    "It may have been done to what the demo was recorded with. See to that, and correct the step's target in the editor.",  # noqa: E501
    "The step starts the program {app}, which was not allowed.",
    "Allow it with --allow-launch {app}, or start the program yourself and delete the step.",
    "{app} is not a command line.",
    "Correct the step.",
    "There is no program {app} on this machine.",
    "Install it, or start it yourself and replay from the next step.",
    "The program {app} did not start.",
    "There is no picture of the screen before this step.",
    "The {strategy} leads to another element than the recorded one.",
    "There is no screen to replay on: DISPLAY is not set.",
    "There is no screen to replay on.",
    "Use --dry-run, or run it in a desktop session.",
    "Run it in a desktop session, or on a private X server such as Xvfb.",
    "This is a Wayland session, which does not let programs press keys or move the pointer.",
    "Replay in a recording desktop: `demopack replay --desktop`. Or log in with an X11 (Xorg) session.",
    "This X server does not let programs press keys: it has no XTEST extension.",
    "Replay on another display.",
    "Keys and pointer cannot be controlled in this session.",
    "Run it in a desktop session; on macOS allow it under Privacy & Security, Accessibility.",
    "Keys cannot be controlled: the keyboard layout could not be read.",
    "Start the replay again, when this program's windows answer.",
    "There is no key {key} on this desktop.",
    "Correct the step's key_info.",
    "There is no mouse button {button} to press.",
    "Correct the step's button.",
    "This keyboard has no spare key for a character outside its layout.",
    "Switch to a keyboard layout that has the characters of the text.",
    "The text holds the character U+{code}, which no key produces; nothing was typed.",
    "Take it out of the step's text.",
    "The pointer could not be brought to ({x}, {y}).",
    "It stays at {point}.",
    "Leave the mouse alone during the replay, and use a screen of the recorded size.",
    "The replay gave way to a person, but {held} did not come to rest.",
    "Let go of keyboard and mouse and start it again.",
    "It was stopped by {reason}.",
    "It was stopped.",
    "The replay was stopped.",
    "The dry run was stopped.",
    "Row {row} failed; the rows after it were not begun.",
    "Not all steps were performed.",
    "step {step} ({action}): {share} of what it changed looks as recorded",
    "step {step} ({action}): {share} of the screen looks as recorded",
    "There is no file {path}.",
    "{path} is not UTF-8 text.",
    "Save it as “CSV UTF-8”.",
    "{path} cannot be read: {error}.",
    "{path} holds no rows.",
    "Below the line with the names of the columns, one row each.",
    "{column} holds a control character, which cannot be typed.",
    "{path}, line {line}: a column has no name.",
    "Name each column as a variable.",
    "{path}, line {line}: two columns are called {name}.",
    "{path}, line {line}: {words}",
    "Line {line}: {words}",
    "And {count}.",
    "Put a value that holds the separator in double quotes.",
    "{values}, but {columns} ({names}).",
    "it is not CSV: {error}.",
    "its fields are not those of the first line",
    "{column} is neither a text nor a number",
    "There is no folder {folder} for the journal {name}.",
    "Put it into a folder that you may write to: --journal FILE.",
    "The journal {path} cannot be written: {error}.",
    "Another demopack is at work on these rows ({path}).",
    "Wait until it has ended.",
    "The journal {path} is damaged: {error}.",
    "Begin anew with --restart; it keeps a copy.",
    "The table has changed since rows were done with it, as the journal {path} says.",
    "The demo, or a --set, has changed since rows were done with it, as the journal {path} says.",
    "Put back what was changed to go on, or begin anew at the first row with --restart.",
    "The demo has no variable {name}. It has: {names}.",
    "The demo has no variable {name}. It has none: no typed text is marked, and none stands in the task.",
    "Mark a typed text with F10 while recording, or in the editor (Variable).",
    "The demo does not have the value of {name}: it was hidden when it was recorded.",
    "Give it, for instance with --set {name}=…",
    "Step {step} is done to “{text}”, the value of two variables that differ from now on.",
    "Give both the same value, or record it with values that differ.",
    "Step {step} is done to “{text}”, and the value that stands there now is empty.",
    "Give it a value, by which it can be found.",
    "The value of {name} holds a character that no key produces.",
    (
        "The value of {name} holds a line end or a tab, with which the field of step {step} would be left before all "
        "of it was typed."
    ),
    "Take it out: the field takes one line.",
    "Take it out.",
    "{column} in row {row} (line {line})",
    "another window, {window},",
    "Another window, {window},",
    "after {sent} of {total} keys had been sent to {window}",
    "after {sent} of {total} key had been sent to {window}",
    "before a key was sent to {window}",
    "there is no picture of the screen before it, so nothing tells where its keys would go",
    "the place where it was typed looks different now; {why}",
    "the field there has another label now",
    "“{text}” stands there now, where nothing stood in the recording",
    "Empty it, or replay with --unchecked-keys, which types all the same.",
    "{what} elsewhere in the window has the focus",
    "{what} has the focus",
    "presses {what}",
    "types “{text}”",
    "no window that is known",
    "a window without a title",
    "A window without a title",
    "an element without a name ({role})",
    "An element without a name ({role})",
    "the hot-key {key}",
    "the pointer in a corner of the screen",
    "the pointer",
    "{count} elements are a {role} called “{name}”",
    "no elements are a {role} called “{name}”",
    "a {role} called “{name}”",
    "a {role} without a name",
    "nothing is {what}",
    "no elements are {what}",
    "{count} elements are {what}",
    "{what} and stand in a row of “{text}”",
    "no {role} stands in the row of “{text}”",
    "no {role} stands beside “{text}”",
    "its program reports no such window now",
    "{count} windows have it",
    "programs report nothing",
    "the place in the text at “{word}” was not found",
    "no element on the screen continues {track}",
    "element {number} now reads “{text}”",
    "element {number} now reads “”",
    "{track} now reads “”",
    "{track} now reads “{text}”",
    "there is {count}, not {number}",
    "there are {count}, not {number}",
    "element {number} is now a {role}, not a {old_role}",
    "nothing tells whether element {number} is still the one",
    "element {number} is not where it was",
    "it is a value, not a label",
    "no element reads “{text}”",
    "no elements read “{text}”",
    "{count} elements read “{text}”, and no bbox tells which",
    "{count} elements read “{text}”",
    "no elements like it stand on the line of “{text}”",
    "{count} elements like it stand on the line of “{text}”",
    "the place cannot be compared with the recording",
    "the place looks different: {share} of its pixels are as recorded",
    "; stands in the task",
    "not in the demo",
    "the target",
    "not given",
)
"""With a name in braces for what varies; sentences come before their parts, and longer texts before shorter ones.

A name at the beginning or the end of a text stands there in every language.
"""


def spoken_replay(text: str) -> str:
    """What the player says, in the user's language as far as it is known there."""
    return spoken_in(text, PLAYER_SENTENCES)


def spoken_replay_error(error: Exception) -> Exception:
    """Why a replay did not begin, or a table could not be read; as :func:`spoken_replay`."""
    if not isinstance(error, DemopackError):
        return error
    return DemopackError(spoken_replay(error.user_message), details=error.details, hint=spoken_replay(error.hint))


_PROVEN: Final[Mapping[ProofKind, str]] = {
    "pictures": tr("What each step changed on the screen was as recorded."),
    "state": tr("A check of the result said so."),
    "reward": tr("The task's own reward said so."),
}


def proof_words(proof: ReplayProof) -> str:
    """When and where a replay reached the recorded state, and how that is known; see ``ReplayProof.words``."""
    day = date_words(proof.at.astimezone().date())
    words = tr("Done again on {day}, {width} x {height} pixels.") if proof.width else tr("Done again on {day}.")
    return f"{words.format(day=day, width=proof.width, height=proof.height)} {_PROVEN[proof.kind]}"


def title_words(head: DemoHead) -> str:
    """The task of a demo; in the user's language where it is what the player wrote, as nobody had said one."""
    count = re.fullmatch(r"(\d+) responses? of a program", head.task)
    if count is not None:
        words = tr("1 response of a program") if count[1] == "1" else tr("{count} responses of a program")
        return words.format(count=count[1])
    return tr("Done by another agent") if head.task == "Done by another agent" else head.task

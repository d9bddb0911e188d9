"""The one family of errors that a user may read.

Every error carries a sentence for the user, optional details for a report, and a hint: the way out.
There is one subclass per *recovery*, not per cause::

    DemopackError
    ├── BadInputError        the user's file, text or option is wrong: correct it
    │   ├── ActionError      an LLMResponse, action or target that breaks the contract (carries ``code`` and ``field``)
    │   ├── GeometryError    a box or point outside its frame
    │   └── PackError        a pack that cannot be read
    ├── NewerVersionError    written by a newer demopack: update
    ├── LibraryError         the library cannot be used as it is
    │   ├── NotALibraryError the folder is something else: choose another
    │   ├── LibraryBusyError another process is writing: wait or stop it
    │   └── CorruptFrameError one picture is damaged: the rest is fine
    ├── CaptureError         screen or input cannot be captured here
    ├── DiskFullError        nothing more can be written: make room
    ├── ModelError           a model file or worker failed
    ├── CancelledError       the user stopped it
    └── ReplayError          a step could not be performed
"""

from __future__ import annotations

from typing import Literal


class DemopackError(Exception):
    """Base of every error that is shown to a person.

    Attributes:
        user_message: one sentence: what happened and what is safe.
        details: what a bug report needs; empty when there is nothing to add.
        hint: what to do next; empty when the message already says it.
    """

    def __init__(self, user_message: str, *, details: str = "", hint: str = "") -> None:
        super().__init__(user_message)
        self.user_message = user_message
        self.details = details
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.user_message} {self.hint}".strip()

    @property
    def whole(self) -> str:
        """Message, details and hint, as sentences in one line."""
        parts = [part.strip() for part in (self.user_message, self.details, self.hint) if part.strip()]
        return " ".join(part if part[-1] in ".!?”" else f"{part}." for part in parts)


class BadInputError(DemopackError):
    """Something the user gave is wrong; the message names the file, the field and the fix."""


class ActionError(BadInputError):
    """An action, target or response breaks the contract.

    Attributes:
        code: a stable name of the class of mistake, for instance ``click_without_target``.
        field: the path of the field at fault, for instance ``action.parameters.text_to_type``.
    """

    def __init__(self, user_message: str, code: str, field: str = "", hint: str = "", *, details: str = "") -> None:
        super().__init__(user_message, details=details, hint=hint)
        self.code = code
        self.field = field


class GeometryError(BadInputError):
    """A point or box that cannot belong to its frame."""


class PackError(BadInputError):
    """A demo pack that cannot be read."""


class NewerVersionError(DemopackError):
    """Written by a newer version of demopack; reading it could lose data."""


class LibraryError(DemopackError):
    """The library cannot be used as it is."""


class NotALibraryError(LibraryError):
    """The folder holds something else."""


class LibraryBusyError(LibraryError):
    """Another process is writing to the library."""


class CorruptFrameError(LibraryError):
    """One stored picture is missing or damaged.

    Attributes:
        frame_id: which one; empty where that is not known.
    """

    def __init__(self, user_message: str, *, frame_id: str = "", details: str = "", hint: str = "") -> None:
        super().__init__(user_message, details=details, hint=hint)
        self.frame_id = frame_id


class CaptureError(DemopackError):
    """The screen or the input of this session cannot be captured."""


class DiskFullError(DemopackError):
    """Nothing more can be written; what was committed is safe."""


class ModelError(DemopackError):
    """A model file cannot be loaded or its worker failed."""


class CancelledError(DemopackError):
    """The user stopped a job; nothing is half-written."""


ReplayCode = Literal[
    "not_found",
    "ambiguous",
    "occluded",
    "no_effect",
    "other_effect",
    "other_window",
    "not_allowed",
    "stopped",
    "failed",
]
"""Why a step or action went wrong: its target is not on the screen; several elements may be the target; something
lies over it; it changed nothing; it changed something else than in the recording, or than was asked for; another
window has the input; it was not allowed; a person stopped it; anything else, told in words."""


class ReplayError(DemopackError):
    """A step could not be performed on the live screen.

    Attributes:
        code: the class of the cause, for programs.
    """

    def __init__(self, user_message: str, *, code: ReplayCode = "failed", details: str = "", hint: str = "") -> None:
        super().__init__(user_message, details=details, hint=hint)
        self.code: ReplayCode = code

"""What a person sets out to record; handed from the start panel to the recorder."""

from __future__ import annotations

from dataclasses import dataclass

from recorder.area import EVERYTHING, CaptureArea

__all__ = ["RecordingPlan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingPlan:
    """One recording that is wanted.

    Attributes:
        task: what is going to be done, in the person's words; may be empty.
        app: the main application; empty to let the recorder find out.
        area: what part of the screen is captured.
        hold_text: whether typed text is held back where programs do not tell which fields hold passwords; None for what
            the settings say.
        film: whether every distinct picture is kept; None for what the settings say.
        take_of: demo whose end is recorded again; empty for a new demo.
        take_after: step of that demo after which it goes on.
    """

    task: str = ""
    app: str = ""
    area: CaptureArea = EVERYTHING
    hold_text: bool | None = None
    film: bool | None = None
    take_of: str = ""
    take_after: str = ""

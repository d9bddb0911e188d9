"""Every key of the editor, in one table: what the overlay shows is what the actions are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

__all__ = ["KEYS", "Key", "KeyGroup"]

KeyGroup: TypeAlias = Literal[
    "Steps", "Change steps", "Recording", "Boxes", "Suggestions", "Attributes", "From step to step", "Find and review",
    "View", "Everything",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One thing that can be done by keyboard.

    Attributes:
        name: of the action.
        words: for the overlay.
        keys: its shortcuts; the first is shown in tooltips.
        group: heading in the overlay.
        scope: ``page`` works wherever the focus is, but in a text field; ``picture`` only on the canvas and the step
            list, ``canvas`` and ``list`` on one of them, because controls need these keys themselves; ``shown`` is only
            shown: the widgets handle it.
    """

    name: str
    words: str
    keys: tuple[str, ...]
    group: KeyGroup
    scope: Literal["page", "picture", "canvas", "list", "shown"] = "page"


KEYS: Final[tuple[Key, ...]] = (
    Key(name="next_step", words="Next step", keys=("D",), group="Steps"),
    Key(name="previous_step", words="Previous step", keys=("A",), group="Steps"),
    Key(name="next_arrow", words="Next step", keys=("Right", "Down"), group="Steps", scope="picture"),
    Key(name="previous_arrow", words="Previous step", keys=("Left", "Up"), group="Steps", scope="picture"),
    Key(name="approve", words="Approve and go on", keys=("Space",), group="Steps", scope="shown"),
    Key(name="pick_target", words="Pick the target on the picture", keys=("P",), group="Steps"),
    Key(name="edit_rationale", words="Write the rationale", keys=("E",), group="Steps"),
    Key(name="next_doubt", words="Next doubtful step", keys=("J",), group="Steps"),
    Key(
        name="select_more", words="Select several steps", keys=("Shift+Up", "Shift+Down"), group="Steps", scope="shown"
    ),
    Key(name="edit_note", words="Write a note", keys=("N",), group="Steps"),
    Key(name="edit_variable", words="Make typed text a variable", keys=("V",), group="Steps"),
    Key(name="move_up", words="Move up", keys=("Alt+Up",), group="Change steps"),
    Key(name="move_down", words="Move down", keys=("Alt+Down",), group="Change steps"),
    Key(name="split_step", words="Split", keys=("S",), group="Change steps"),
    Key(name="merge_steps", words="Merge, also with the next", keys=("M",), group="Change steps"),
    Key(name="insert_step", words="Insert what is shown as a step", keys=("I",), group="Change steps"),
    Key(name="delete_in_list", words="Delete", keys=("Delete",), group="Change steps", scope="list"),
    Key(name="delete_step", words="Delete", keys=("Shift+Delete",), group="Change steps", scope="picture"),
    Key(name="rerecord", words="Re-record from this step", keys=("Ctrl+Shift+R",), group="Recording"),
    Key(name="accept", words="Accept the recording", keys=("Ctrl+Shift+Return",), group="Recording"),
    Key(name="toggle_review", words="Show or hide the review", keys=("O",), group="Recording"),
    Key(name="toggle_film", words="Show or hide the film", keys=("K",), group="Recording"),
    Key(name="play", words="Play the film", keys=("Shift+K",), group="Recording"),
    Key(name="film_back", words="One picture back", keys=(",",), group="Recording"),
    Key(name="film_on", words="One picture on", keys=(".",), group="Recording"),
    Key(name="use_before", words="Use the picture as before", keys=("Shift+B",), group="Recording"),
    Key(name="use_after", words="Use the picture as after", keys=("Shift+A",), group="Recording"),
    Key(name="draw", words="Draw boxes, also on top of others", keys=("R", "W"), group="Boxes"),
    Key(name="next_element", words="Next element", keys=("Tab",), group="Boxes", scope="canvas"),
    Key(name="previous_element", words="Previous element", keys=("Shift+Tab",), group="Boxes", scope="canvas"),
    Key(name="edit_text", words="Write the element's text", keys=("Return", "Enter"), group="Boxes", scope="canvas"),
    Key(name="use_target", words="Use as the step's target", keys=("U",), group="Boxes"),
    Key(name="duplicate", words="Duplicate", keys=("Ctrl+D",), group="Boxes"),
    Key(name="delete", words="Delete", keys=("Delete", "Backspace"), group="Boxes", scope="canvas"),
    Key(name="nudge_left", words="Move left by a pixel", keys=("Ctrl+Left",), group="Boxes", scope="canvas"),
    Key(name="nudge_right", words="Move right by a pixel", keys=("Ctrl+Right",), group="Boxes", scope="canvas"),
    Key(name="nudge_up", words="Move up by a pixel", keys=("Ctrl+Up",), group="Boxes", scope="canvas"),
    Key(name="nudge_down", words="Move down by a pixel", keys=("Ctrl+Down",), group="Boxes", scope="canvas"),
    Key(name="side", words="Before or after", keys=("B",), group="View"),
    Key(name="fit", words="Whole picture", keys=("F", "Ctrl+F"), group="View"),
    Key(name="actual", words="Actual size", keys=("Ctrl+0", "Ctrl+="), group="View"),
    Key(name="zoom_in", words="Zoom in", keys=("Ctrl++", "+"), group="View"),
    Key(name="zoom_out", words="Zoom out", keys=("Ctrl+-", "-"), group="View"),
    Key(name="letters", words="Letters on every box", keys=("L",), group="View"),
    Key(name="toggle_steps", words="Show or hide the steps", keys=("[",), group="View"),
    Key(name="toggle_panel", words="Show or hide the panel", keys=("]",), group="View"),
    Key(name="undo", words="Undo", keys=("Ctrl+Z",), group="Everything"),
    Key(name="redo", words="Redo", keys=("Ctrl+Shift+Z", "Ctrl+Y"), group="Everything"),
    Key(name="next_pane", words="Next part of the window", keys=("F6",), group="Everything"),
    Key(name="privacy", words="Look for private data", keys=("Ctrl+Shift+P",), group="Everything"),
    Key(name="library", words="Back to the library", keys=("Ctrl+L", "Alt+Left"), group="Everything"),
    Key(name="help", words="These keys", keys=("F1",), group="Everything"),
)

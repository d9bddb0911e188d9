"""Every key of the editor, in one table: what the overlay shows is what the actions are made of."""

from __future__ import annotations

from typing import Final

from annotator.ui.keys.key import GROUP_WORDS, Key, KeyGroup
from annotator.words import tr

__all__ = ["GROUP_WORDS", "KEYS", "Key", "KeyGroup"]

KEYS: Final[tuple[Key, ...]] = (
    Key(name="next_step", words=tr("Next step"), keys=("D",), group="Steps"),
    Key(name="previous_step", words=tr("Previous step"), keys=("A",), group="Steps"),
    Key(name="next_arrow", words=tr("Next step"), keys=("Right", "Down"), group="Steps", scope="picture"),
    Key(name="previous_arrow", words=tr("Previous step"), keys=("Left", "Up"), group="Steps", scope="picture"),
    Key(name="approve", words=tr("Approve and go on"), keys=("Space",), group="Steps", scope="shown"),
    Key(name="pick_target", words=tr("Pick the target on the picture"), keys=("P",), group="Steps"),
    Key(name="edit_rationale", words=tr("Write the rationale"), keys=("E",), group="Steps"),
    Key(name="next_doubt", words=tr("Next doubtful step"), keys=("J",), group="Steps"),
    Key(
        name="select_more",
        words=tr("Select several steps"),
        keys=("Shift+Up", "Shift+Down"),
        group="Steps",
        scope="shown",
    ),
    Key(name="edit_note", words=tr("Write a note"), keys=("N",), group="Steps"),
    Key(name="edit_variable", words=tr("Make typed text a variable"), keys=("V",), group="Steps"),
    Key(name="move_up", words=tr("Move up"), keys=("Alt+Up",), group="Change steps"),
    Key(name="move_down", words=tr("Move down"), keys=("Alt+Down",), group="Change steps"),
    Key(name="split_step", words=tr("Split"), keys=("S",), group="Change steps"),
    Key(name="merge_steps", words=tr("Merge, also with the next"), keys=("M",), group="Change steps"),
    Key(name="insert_step", words=tr("Insert what is shown as a step"), keys=("I",), group="Change steps"),
    Key(name="delete_in_list", words=tr("Delete"), keys=("Delete",), group="Change steps", scope="list"),
    Key(name="delete_step", words=tr("Delete"), keys=("Shift+Delete",), group="Change steps", scope="picture"),
    Key(name="rerecord", words=tr("Re-record from this step"), keys=("Ctrl+Shift+R",), group="Recording"),
    Key(name="accept", words=tr("Accept the recording"), keys=("Ctrl+Shift+Return",), group="Recording"),
    Key(name="toggle_review", words=tr("Show or hide the review"), keys=("O",), group="Recording"),
    Key(name="toggle_film", words=tr("Show or hide the film"), keys=("K",), group="Recording"),
    Key(name="play", words=tr("Play the film"), keys=("Shift+K",), group="Recording"),
    Key(name="film_back", words=tr("One picture back"), keys=(",",), group="Recording"),
    Key(name="film_on", words=tr("One picture on"), keys=(".",), group="Recording"),
    Key(name="use_before", words=tr("Use the picture as before"), keys=("Shift+B",), group="Recording"),
    Key(name="use_after", words=tr("Use the picture as after"), keys=("Shift+A",), group="Recording"),
    Key(name="draw", words=tr("Draw boxes by drags and clicks, also on top of others"), keys=("R", "W"), group="Boxes"),
    Key(name="next_element", words=tr("Next element"), keys=("Tab",), group="Boxes", scope="canvas"),
    Key(name="previous_element", words=tr("Previous element"), keys=("Shift+Tab",), group="Boxes", scope="canvas"),
    Key(
        name="edit_text", words=tr("Write the element's text"), keys=("Return", "Enter"), group="Boxes", scope="canvas"
    ),
    Key(name="use_target", words=tr("Use as the step's target"), keys=("U",), group="Boxes"),
    Key(name="duplicate", words=tr("Duplicate"), keys=("Ctrl+D",), group="Boxes"),
    Key(name="delete", words=tr("Delete"), keys=("Delete", "Backspace"), group="Boxes", scope="canvas"),
    Key(name="nudge_left", words=tr("Move left by a pixel"), keys=("Ctrl+Left",), group="Boxes", scope="canvas"),
    Key(name="nudge_right", words=tr("Move right by a pixel"), keys=("Ctrl+Right",), group="Boxes", scope="canvas"),
    Key(name="nudge_up", words=tr("Move up by a pixel"), keys=("Ctrl+Up",), group="Boxes", scope="canvas"),
    Key(name="nudge_down", words=tr("Move down by a pixel"), keys=("Ctrl+Down",), group="Boxes", scope="canvas"),
    Key(name="side", words=tr("Before or after"), keys=("B",), group="View"),
    Key(name="fit", words=tr("Whole picture"), keys=("F", "Ctrl+F"), group="View"),
    Key(name="actual", words=tr("Actual size"), keys=("Ctrl+0", "Ctrl+="), group="View"),
    Key(name="zoom_in", words=tr("Zoom in"), keys=("Ctrl++", "+"), group="View"),
    Key(name="zoom_out", words=tr("Zoom out"), keys=("Ctrl+-", "-"), group="View"),
    Key(name="letters", words=tr("Letters on every box"), keys=("L",), group="View"),
    Key(name="toggle_steps", words=tr("Show or hide the steps"), keys=("[",), group="View"),
    Key(name="toggle_panel", words=tr("Show or hide the panel"), keys=("]",), group="View"),
    Key(name="undo", words=tr("Undo"), keys=("Ctrl+Z",), group="Everything"),
    Key(name="redo", words=tr("Redo"), keys=("Ctrl+Shift+Z", "Ctrl+Y"), group="Everything"),
    Key(name="next_pane", words=tr("Next part of the window"), keys=("F6",), group="Everything"),
    Key(name="privacy", words=tr("Look for private data"), keys=("Ctrl+Shift+P",), group="Everything"),
    Key(name="library", words=tr("Back to the library"), keys=("Ctrl+L", "Alt+Left"), group="Everything"),
    Key(name="help", words=tr("These keys"), keys=("F1",), group="Everything"),
)

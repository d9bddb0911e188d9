"""The rules of the truth check, as data: id, severity, what holds, what to do, and the test."""

from __future__ import annotations

from typing import Final

from models.language.check.base import Rule
from models.language.check.coordinates import coordinates_are_right
from models.language.check.effects import effects_are_real
from models.language.check.future import nothing_from_later
from models.language.check.names import name_is_there, type_is_right
from models.language.check.states import states_are_seen
from models.language.check.target import target_is_named, target_is_right
from models.language.check.tongue import language_is_right
from models.language.check.wording import is_a_rationale, length_is_right, marker_is_silent, no_list_numbers

__all__ = ["RULES"]

_ALL = (
    Rule(id="T01", severity="error", what="Every name is on the screen it is spoken of, in the task or in the action.",
         fix="Write the name as it stands on the screen, or leave it out.", test=name_is_there),
    Rule(id="T02", severity="error", what="A thing that is called a button is one; so with every kind.",
         fix="Call it what it is.", test=type_is_right),
    Rule(id="T03", severity="error", what="A state that is claimed can be seen.",
         fix="Say how the screen shows it, or say nothing of it.", test=states_are_seen),
    Rule(id="T04", severity="error", what="Coordinates are those of what they are said of.",
         fix="Name the thing instead of its coordinates, or take those of its box.", test=coordinates_are_right),
    Rule(id="T05", severity="error", what="What was acted on is named.",
         fix="Name it by its text or its label, and say what kind of thing it is.", test=target_is_named),
    Rule(id="T06", severity="error", what="Nothing else is said to be acted on, typed or scrolled.",
         fix="Explain the action that was taken.", test=target_is_right),
    Rule(id="T07", severity="error", what="No mark that was drawn for the writer is mentioned.",
         fix="Describe the screen as it is without the mark.", test=marker_is_silent),
    Rule(id="T08", severity="error", what="What is told from before the action knows nothing of what came after it.",
         fix="Say what should happen, not what happened.", test=nothing_from_later),
    Rule(id="T09", severity="error", what="No effect is told that the frames deny.",
         fix="Say what differs between the two screens.", test=effects_are_real),
    Rule(id="T10", severity="warning", what="The language is that of the task.",
         fix="Write in the language of the task.", test=language_is_right),
    Rule(id="T11", severity="warning", what="No part is too long, and nothing is said over and over.",
         fix="Say what matters, once.", test=length_is_right),
    Rule(id="T12", severity="error", what="It is an explanation: no excuse, no placeholder, no error message.",
         fix="Explain the step, or leave it without a rationale.", test=is_a_rationale),
    Rule(id="T13", severity="warning", what="Numbers of the element list are not mentioned.",
         fix="Name the element as a person would.", test=no_list_numbers),
)  # fmt: skip

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}

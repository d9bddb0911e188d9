"""Commands about the attributes of one or many elements; each makes one edit of them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from annotator.attributes.form import AttributeName, is_state, value_of
from annotator.attributes.usual import UsualStates, retyped_states
from annotator.commands import checked, element_changes, make_edit
from annotator.document import Document
from annotator.step_words import name_element
from annotator.type_words import type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType, State
from demopack.domain.words import shorten

__all__ = ["STATE_NAMES", "FillStates", "SetAttribute"]

STATE_NAMES: Final[Mapping[State, str]] = {
    "checked": tr("checked"), "focused": tr("focused"), "highlighted": tr("highlighted"), "disabled": tr("disabled"),
    "expanded": tr("expanded"),
}  # fmt: skip
_STATE_LABELS: Final[Mapping[bool | None, str]] = {
    True: tr("Mark {element} as {state}"),
    False: tr("Mark {element} as not {state}"),
    None: tr("Mark {element} as {state}: not visible"),
}
_REVIEW_LABELS: Final[Mapping[str, str]] = {
    "approved": tr("Approve {element}"),
    "rejected": tr("Reject {element}"),
    "doubtful": tr("Doubt {element}"),
    "unreviewed": tr("Unmark {element}"),
}
_LABELS: Final[Mapping[tuple[str, bool], str]] = {
    ("type", True): tr("Turn {element} into {value}"),
    ("text", True): tr("Set the text of {element} to “{value}”"),
    ("text", False): tr("Clear the text of {element}"),
    ("subtype", True): tr("Set the subtype of {element} to “{value}”"),
    ("subtype", False): tr("Clear the subtype of {element}"),
}
"""By attribute, and whether it has a value now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAttribute:
    """One attribute of one or many elements; those whose type cannot carry it stay as they are.

    Attributes:
        uids: the elements.
        name: which attribute.
        value: as in :class:`annotator.attributes.form.Attribute`.
        usual: with another type: the states that it gets where nothing is said about them.
        merge_key: of the gesture.
    """

    uids: tuple[str, ...]
    name: AttributeName
    value: str | bool | None
    usual: UsualStates = field(default_factory=dict[str, Mapping[State, bool]])
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        old: list[Element] = []
        for uid in self.uids:
            element = document.element(uid)
            new = None if element is None else self._changed(element)
            if element is not None and new is not None:
                old.append(element)
                replaced[uid] = new
        if not old:
            return None
        changes = element_changes(document, replaced)
        return make_edit(self._label(old), changes, merge_key=self.merge_key)

    def _changed(self, element: Element) -> Element | None:
        """The element as it becomes; None where it stays."""
        fields = self._fields(element)
        if element.changed(**fields).cleaned() == element:
            return None
        return element.changed(**{**checked(element), **fields}).cleaned()

    def _fields(self, element: Element) -> dict[str, Any]:
        if is_state(self.name):
            states = {name: value for name, value in element.states.items() if name != self.name}
            if self.value is not None:
                states[cast("State", self.name)] = bool(self.value)
            return {"states": states}
        if self.name == "type":
            if value_of(element, "type") == self.value:
                return {}
            kind = cast("ElementType", self.value)
            return {"type": kind, "states": retyped_states(element, kind, self.usual)}
        return {self.name: self.value or None if self.name in {"text", "subtype"} else self.value}

    def _label(self, old: Sequence[Element]) -> str:
        what = name_element(old[0]) if len(old) == 1 else tr("{count} elements").format(count=len(old))
        if is_state(self.name):
            state = STATE_NAMES[cast("State", self.name)]
            return _STATE_LABELS[cast("bool | None", self.value)].format(element=what, state=state)
        if self.name == "review":
            return _REVIEW_LABELS[str(self.value)].format(element=what)
        value = str(self.value or "")
        words = type_word(value) if self.name == "type" else shorten(value)
        return _LABELS[self.name, bool(value)].format(element=what, value=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class FillStates:
    """A box that was just drawn gets the states that its type usually has; taken back together with the drawing.

    Attributes:
        uid: the new box.
        states: what it gets; states that it has already stay.
    """

    uid: str
    states: Mapping[State, bool]
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        old = document.element(self.uid)
        if old is None:
            return None
        new = old.changed(states={**self.states, **old.states}).cleaned()
        if new == old:
            return None
        words = {True: "{state}", False: tr("not {state}")}
        usual = ", ".join(words[value].format(state=STATE_NAMES[state]) for state, value in new.states.items())
        kind = type_word(old.type)
        label = tr("Draw a box ({kind}), as usual {states}").format(kind=kind, states=usual)
        return make_edit(label, element_changes(document, {self.uid: new}), merge_key=self.merge_key)

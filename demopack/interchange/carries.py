"""What a format carries of an element, and what gets lost: told before an export and after it, from the same count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Size
from demopack.pack.formats.base import Loss
from demopack.pack.formats.output import Tally

__all__ = ["ALWAYS", "EVERYTHING", "FIELDS", "Carrier", "Lost", "spoils_xml"]

FIELDS: Final = (
    "type", "text", "subtype", "states", "source", "confidence", "review", "track_id", "parent", "uid",
)  # fmt: skip
"""Of an element, beside its box."""
EVERYTHING: Final = frozenset(FIELDS)

_WORDS: Final[dict[str, str]] = {
    "type": "types",
    "text": "texts",
    "subtype": "subtypes of icons and shapes",
    "states": "states such as checked and focused",
    "source": "who found an element",
    "confidence": "how sure the finder was",
    "review": "what a person approved",
    "track_id": "which element is the same on other pictures",
    "parent": "parents that a person set",
    "uid": "identities, so boxes are found again by where they lie",
}

ALWAYS: Final = (
    Loss(
        code="steps", what="steps, actions and rationales", why="these formats know pictures and boxes; packs carry it"
    ),
    Loss(
        code="evidence",
        what="what each source said before they were joined",
        why="it would bring back texts that a person has corrected",
    ),
    Loss(code="no_area", what="boxes without area, or beside their picture", why="other programs refuse them"),
    Loss(code="cut", what="the part of a box that lies beside its picture", why="other programs refuse it"),
)
"""What no format carries."""

_CONTROL: Final = Loss(
    code="control",
    what="control characters in texts, which become �",
    why="XML has no way to write them",
)


@dataclass(slots=True, kw_only=True)
class Lost:
    """What was lost, or would be.

    Attributes:
        pictures: pictures that are not written, and why.
        left_out: elements that are not written, and why.
        lost: what is written less exactly than it is known, and why.
    """

    pictures: Tally = field(default_factory=Tally)
    left_out: Tally = field(default_factory=Tally)
    lost: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """What a format has room for.

    Attributes:
        fields: of an element.
        partly: fields that it tells, but not exactly enough to be read again; they count as lost.
        why: why it has no more.
        xml: whether texts are written as XML.
    """

    fields: frozenset[str] = EVERYTHING
    partly: frozenset[str] = frozenset()
    why: str = ""
    xml: bool = False

    @property
    def rejected(self) -> bool:
        """Whether rejected elements can be told from the others."""
        return "review" in self.fields

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What it cannot carry, beside what none can."""
        found = tuple(Loss(code=name, what=_WORDS[name], why=self.why) for name in FIELDS if name not in self.fields)
        return (*found, _CONTROL) if self.xml else found

    def carried(
        self, elements: Iterable[Element], size: Size, where: str, lost: Lost, *, rejected: bool = False
    ) -> tuple[Element, ...]:
        """The elements as the format can say them; what it cannot say is counted.

        Args:
            elements: of one picture.
            size: of the picture.
            where: the picture, in words.
            lost: counts.
            rejected: write rejected elements, too.
        """
        return tuple(e for element in elements if (e := self._one(element, size, where, lost, rejected)) is not None)

    def _one(self, element: Element, size: Size, where: str, lost: Lost, rejected: bool) -> Element | None:  # noqa: FBT001
        place = f"{where}: {element.text or element.type}"
        if element.review == "rejected" and not (rejected and self.rejected):
            lost.left_out.add("rejected", "elements that were rejected", place)
            return None
        box = element.box.clamped(size)
        if not box.area:
            lost.left_out.add("no_area", ALWAYS[2].what, place)
            return None
        if box != element.box:
            lost.lost.add("cut", ALWAYS[3].what, place)
        said = {name: value for name in FIELDS if (value := getattr(element, name)) not in (None, "", {})}
        if element.parent == "":
            said["parent"] = ""
        for name, value in said.items():
            if name not in self.fields and not _unsaid(name, value):
                lost.lost.add(name, f"{_WORDS[name]}: {self.why}", place)
        if element.evidence:
            lost.lost.add("evidence", ALWAYS[1].what, place)
        kept = self._texts(
            {name: value for name, value in said.items() if name in self.fields | self.partly}, lost, place
        )
        # The identity is needed while writing, even where the file has no room for it.
        return Element.model_validate({"type": "other", **kept, "uid": element.uid, "frame": element.frame, "box": box})

    def _texts(self, said: dict[str, Any], lost: Lost, place: str) -> dict[str, Any]:
        if not self.xml:
            return said
        for name in ("text", "subtype", "track_id", "parent", "uid"):
            if isinstance(said.get(name), str) and spoils_xml(said[name]):
                lost.lost.add("control", _CONTROL.what, place)
                said[name] = "".join("\N{REPLACEMENT CHARACTER}" if spoils_xml(char) else char for char in said[name])
        return said


def _unsaid(name: str, value: object) -> bool:
    """Whether leaving a field out says the same: what it holds is what a box without it gets."""
    return (name, value) in (("source", "human"), ("review", "unreviewed"), ("type", "other"))


def spoils_xml(text: Sequence[str]) -> bool:
    """Whether a text holds characters that XML cannot write."""
    return any((ord(char) < 32 and char not in "\t\n\r") or char in "\ufffe\uffff" for char in text)

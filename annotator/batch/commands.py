"""What a batch changes, each as one edit; see :mod:`annotator.commands`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotator.binding import targets_of
from annotator.commands import as_suggested, element_changes, make_edit
from annotator.document import Document
from annotator.step_words import name_element
from annotator.suggestions.sieve import is_suggestion
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from models.vision.accessibility import join_accessibility

__all__ = ["AddAccessible", "RemoveDuplicates", "TightenAll"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TightenAll:
    """Boxes that were fitted to what can be seen, on any number of frames.

    Nobody looked at each of them: a suggestion stays one, and keeps the box that it had as evidence.

    Attributes:
        boxes: from uid to box; boxes without area are left out.
    """

    boxes: Mapping[str, Rect]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        frames: set[str] = set()
        for uid, box in self.boxes.items():
            old = document.element(uid)
            if old is None or old.review == "rejected" or old.box == box or not box.area:
                continue
            evidence = as_suggested(old) if is_suggestion(old) else old.evidence
            replaced[uid] = old.model_copy(update={"box": box, "evidence": evidence})
            frames.add(old.frame)
        if not replaced:
            return None
        return make_edit(_label(document, replaced, frames, _TIGHTEN), element_changes(document, replaced))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDuplicates:
    """Elements that say what others say. What was found stays as rejected, or the next search would bring it back.

    What a step is bound to by now stays, whatever was ticked.
    """

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        targets = targets_of(document.steps)
        uids = [uid for uid in self.uids if uid not in targets]
        found = [e for uid in uids if (e := document.element(uid)) is not None and e.review != "rejected"]
        if not found:
            return None
        replaced: dict[str, Element | None] = {
            e.uid: None if e.source == "human" else e.model_copy(update={"review": "rejected"}) for e in found
        }
        frames = {element.frame for element in found}
        return make_edit(_label(document, replaced, frames, _REMOVE), element_changes(document, replaced))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAccessible:
    """What the programs told while the demo was recorded, as suggestions and as evidence of those that are there.

    Attributes:
        frames: on which screens.
    """

    frames: tuple[Frame, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        added: list[Element] = []
        for frame in self.frames:
            before = {element.uid: element for element in document.elements(frame.id)}
            for element in join_accessibility(tuple(before.values()), frame, document.steps):
                if element.uid not in before:
                    added.append(element)
                elif element != before[element.uid]:
                    replaced[element.uid] = element
        count = len(replaced) + len(added)
        if not count:
            return None
        words = tr("Add what the programs told about 1 element") if count == 1 else _TOLD.format(count=count)
        return make_edit(words, element_changes(document, replaced, added))


_TIGHTEN = (tr("Tighten {one}"), tr("Tighten {count} boxes"), tr("Tighten {count} boxes on {screens} screens"))
_REMOVE = (
    tr("Remove the double of {one}"),
    tr("Remove {count} doubles"),
    tr("Remove {count} doubles on {screens} screens"),
)
_TOLD = tr("Add what the programs told about {count} elements")


def _label(
    document: Document, replaced: Mapping[str, Element | None], frames: set[str], words: tuple[str, str, str]
) -> str:
    one, several, many = words
    if len(replaced) == 1:
        first = document.element(next(iter(replaced)))
        return one.format(one="" if first is None else name_element(first))
    return (several if len(frames) == 1 else many).format(count=len(replaced), screens=len(frames))

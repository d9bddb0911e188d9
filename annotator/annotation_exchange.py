"""Sentences about exports and imports of annotations, before and after; the import as an edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.commands import as_suggested, element_changes, make_edit
from annotator.document import Document
from annotator.words import tr
from demopack.annotations.export import AnnotationLog, ExportPreview
from demopack.annotations.importing import AnnotationImportReport
from demopack.annotations.merging import FrameMerge
from demopack.codecs.losses import LostItem
from demopack.domain.edits import Edit
from demopack.domain.elements import Element

TITLES: Final[Mapping[str, str]] = {
    "labelme": tr("labelme, strict"),
    "x-anylabeling": tr("X-AnyLabeling"),
    "coco": tr("COCO with attributes"),
    "yolo": tr("YOLO detection"),
    "cvat": tr("CVAT for images 1.1"),
    "cvat-video": tr("CVAT for video 1.1, with tracks"),
    "label-studio": tr("Label Studio JSON"),
    "omniparser": tr("OmniParser's lists"),
}
"""What the formats are called."""

_WHAT: Final[Mapping[str, str]] = {
    "type": tr("types"),
    "text": tr("texts"),
    "subtype": tr("subtypes of icons and shapes"),
    "states": tr("states such as checked and focused"),
    "source": tr("who found an element"),
    "confidence": tr("how sure the finder was"),
    "review": tr("what a person approved"),
    "track_id": tr("which element is the same on other pictures"),
    "parent": tr("parents that a person set"),
    "uid": tr("identities, so boxes are found again by where they lie"),
    "evidence": tr("what each source said before they were joined"),
    "control": tr("control characters in texts, which become �"),
    "cut": tr("parts of boxes that lie beside their picture"),
    "no_area": tr("boxes without area, or beside their picture"),
    "rejected": tr("elements that were rejected"),
    "not_parsed": tr("pictures that nobody looked through"),
    "label": tr("labels that are no type of ours became “other”, the label its subtype"),
    "shape": tr("shapes that became the box around them"),
    "unfit": tr("attributes that an element of this type has not"),
    "guess": tr("icons of OmniParser's, whose types were guessed"),
    "flat": tr("points and lines, which have no area"),
    "group": tr("groups of several boxes on a picture"),
    "links": tr("links between boxes"),
    "file": tr("files in another format"),
    "crowd": tr("crowds, which stand for many elements"),
    "keypoints": tr("key points"),
    "mask": tr("masks without a box"),
    "cancelled": tr("annotations that were skipped"),
    "second": tr("further annotations of the same picture: compare them one by one"),
    "prediction": tr("further predictions of the same picture"),
    "rotated": tr("boxes on pictures that were turned"),
    "labels": tr("further labels of one box"),
}
_NAMED: Final[Mapping[str, str]] = {
    "attribute": tr("the attribute “{name}”, which is none of ours"),
    "flag": tr("the flag “{name}”, which is none of our states"),
    "shape": tr("shapes of the kind {name}"),
    "result": tr("results of the kind {name}"),
}
"""Losses with a name in their code."""
_REASONS: Final[Mapping[str, str]] = {
    "a line is a class and a box": tr("a line is a class and a box"),
    "an entry is text or icon, a box and its content": tr("an entry is text or icon, a box and its content"),
}


def foreseen_lines(plan: ExportPreview) -> list[str]:
    """What an export would write and lose."""
    words = tr("To be written: {elements} on {pictures}.")
    first = words.format(elements=_elements(plan.elements), pictures=_pictures(plan.pictures))
    lost = loss_lines((*plan.pictures_left_out, *plan.left_out), plan.lost)
    return [first, *(lost or [tr("Nothing that they say would be lost.")])]


def exported_lines(log: AnnotationLog) -> list[str]:
    """What an export wrote and lost."""
    words = tr("Written: {elements} on {pictures}.")
    first = words.format(elements=_elements(log.elements_out), pictures=_pictures(len(log.pictures)))
    lost = loss_lines((*log.pictures_left_out, *log.left_out), log.lost)
    return [first, *(lost or [tr("Nothing that they say was lost.")]), *log.notes]


def import_lines(report: AnnotationImportReport, *, done: bool) -> list[str]:
    """What an import would change, or changed."""
    if report.new_demo:
        made = tr("A new demo was made of {pictures}, with {elements}.").format(
            pictures=_pictures(report.pictures), elements=_elements(report.added)
        )
        return [made, *_passed(report), *loss_lines(report.left_out, report.lost)]
    if not report.pictures:
        lines = [tr("None of its pictures is one of this demo.")]
    else:
        changed = tr("Elements: {added} new, {changed} changed, {same} equal.")
        would = tr("Elements: {added} would be new, {changed} changed; {same} are equal.")
        lines = [
            tr("On {pictures} of this demo.").format(pictures=_pictures(report.pictures)),
            (changed if done else would).format(added=report.added, changed=report.changed, same=report.same),
        ]
    if report.only_here:
        stay = tr("Only in the demo, and they stay: {elements}.")
        lines.append(stay.format(elements=_elements(report.only_here)))
    if report.kept:
        kept = tr("Made by a person and otherwise in the file, so they stay: {number} ({names}).")
        lines.append(kept.format(number=report.kept, names=", ".join(report.examples)))
    return [*lines, *_passed(report), *loss_lines(report.left_out, report.lost)]


def _passed(report: AnnotationImportReport) -> list[str]:
    one = tr("Passed over: {name}; {why}.")
    lines = [one.format(name=name, why=why) for name, why in list(report.unknown.items())[:5]]
    more = len(report.unknown) - len(lines)
    return [*lines, tr("Passed over: {number} more pictures.").format(number=more)] if more else lines


def loss_lines(left_out: Iterable[LostItem], lost: Iterable[LostItem]) -> list[str]:
    """Every loss with its count; what has the same reason stands together."""
    out = tr("Left out: {what} ({count}).")
    lines = [out.format(what=_what(item), count=item.count) for item in left_out]
    groups: dict[str, list[str]] = {}
    for item in lost:
        why = item.why.partition(": ")[2]
        groups.setdefault(_REASONS.get(why, ""), []).append(f"{_what(item)} ({item.count})")
    for why, things in groups.items():
        words = tr("Lost: {things}, because {why}.") if why else tr("Less exact: {things}.")
        lines.append(words.format(things=", ".join(things), why=why))
    return lines


def _what(item: LostItem) -> str:
    kind, _, name = item.code.partition(" ")
    if name and kind in _NAMED:
        return _NAMED[kind].format(name=name)
    return _WHAT.get(item.code, item.why)


def _elements(number: int) -> str:
    return tr("1 element") if number == 1 else tr("{number} elements").format(number=number)


def _pictures(number: int) -> str:
    return tr("1 picture") if number == 1 else tr("{number} pictures").format(number=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportAnnotations:
    """What was read and compared beforehand, beside the window's thread.

    Attributes:
        joined: what changes on each frame. An element that was edited since it was compared stays as it is.
        title: of the format, for the history.
    """

    joined: Sequence[FrameMerge]
    title: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        for old, new in (pair for one in self.joined for pair in one.changed):
            if document.element(old.uid) == old:
                # What a finder had suggested stays as evidence, as when a person corrects it here.
                fixed = old.review == "unreviewed" and new.review == "approved" and old.source != "human"
                replaced[old.uid] = new.changed(evidence=as_suggested(old)) if fixed else new
        added = [
            element
            for one in self.joined
            if document.frame(one.frame) is not None
            for element in one.added
            if document.element(element.uid) is None
        ]
        words = tr("Import from {program}: {added} new, {changed} changed")
        label = words.format(program=self.title, added=len(added), changed=len(replaced))
        return make_edit(label, element_changes(document, replaced, added))

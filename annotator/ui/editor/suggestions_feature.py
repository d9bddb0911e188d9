"""Suggestions as a layer of their own: shown by how sure they are, accepted, rejected, or corrected."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from PySide6.QtWidgets import QMenu

from annotator.editing import EditKind
from annotator.finding.review import DecideSuggestions, SuggestionDecision
from annotator.suggestions.confidence_filter import (
    ConfidenceFilter,
    SuggestionCounter,
    SuggestionCounts,
    is_suggestion,
    next_after,
)
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.suggestions_panel import DisputeLayer, FoundBySection, SuggestionRow
from annotator.ui.keys.key import Key
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType
from demopack.domain.steps import Step

_FILTER = "suggestions"
_MAX_SILENT_DECISIONS = 500
"""Suggestions; to decide about more takes so long that it is said."""


class SuggestionsFeature(Feature):
    """The row under the picture, the section in the panel, the marks on the picture, and their keys.

    Attributes:
        row: slider, check boxes and buttons.
        section: who said what about the selected element.
        layer: marks where sources differ.
        limits: what is shown.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.limits = ConfidenceFilter()
        self._order: tuple[str, tuple[Element, ...]] | None = None
        self._counter, self._counts = SuggestionCounter(), SuggestionCounts()
        self.row = SuggestionRow(context.theme, use=self.use, fill_menu=self._fill_menu)
        self.section = FoundBySection(context.view, context.do, context.theme)
        self.layer = DisputeLayer(context.theme)
        context.foot_rows.addWidget(self.row)
        context.panel.add_section(self.section, after="element")
        context.canvas.add_layer(self.layer)
        view = context.view
        view.frame_changed.connect(self._on_frame)
        view.filters_changed.connect(self._show)
        context.document.elements_changed.connect(lambda frame: self._on_frame() if view.is_on(frame) else None)
        context.session.edited.connect(self._on_edited)
        self._on_frame()

    def use(self, limits: ConfidenceFilter) -> None:
        """Show what passes these, here and on the picture."""
        if limits != self.limits:
            self.limits = limits
            self.row.show_limits(limits)
            self.context.view.set_filter(_FILTER, None if limits.open else limits.passes)

    # Following ------------------------------------------------------------------------------------------------

    def _on_frame(self) -> None:
        self._order = None
        self.layer.set_elements(self.context.view.elements)
        self._show()

    def _show(self) -> None:
        self._counts = self._counter.count(self.context.view.elements, self.limits)
        self.row.show_counts(self._counts)
        self.layer.show(self.context.view.shows)
        self.context.canvas.update()

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        """A step that is approved while suggestions are hidden is approved with them: that must not go unnoticed."""
        frames: set[str] = set()
        for change in edit.changes if kind == "done" else ():
            step, was = change.becomes, change.was
            if isinstance(step, Step) and step.review == "approved" and step.before is not None:
                frames |= set() if isinstance(was, Step) and was.review == "approved" else {step.before.id}
        hidden = tuple(
            e.uid for frame in frames for e in self.context.document.elements(frame) if self.limits.is_below(e)
        )
        if hidden:
            command = DecideSuggestions(decision="reject", uids=hidden, below=self.limits.least)
            self.context.messages.say(
                tr("Approved with {hidden} suggestions below {least:.2f} that are hidden.").format(
                    hidden=len(hidden), least=self.limits.least
                ),
                button=tr("Reject them"),
                action=lambda: None if self.context.session.closed else self.context.do(command),
            )

    # One after the other --------------------------------------------------------------------------------------

    def _accept_one(self) -> None:
        chosen = self.context.view.selected
        self._decide("accept", [e.uid for e in chosen if e.review not in {"approved", "rejected"}])

    def _reject_one(self) -> None:
        chosen = self.context.view.selected
        found = [e.uid for e in chosen if e.source != "human"]
        if chosen and not found:
            self.context.say(tr("A person drew this; Delete takes it away."))
            return
        self._decide("reject", found)

    def _decide(self, decision: SuggestionDecision, uids: Sequence[str]) -> None:
        view = self.context.view
        self.context.leave()
        coming = next_after(self._in_order(), uids or view.selection)
        order = self._order
        if uids:
            self.context.do(DecideSuggestions(decision=decision, uids=tuple(uids)))
            # The order did not change by that; to make it out again would cost more than everything else here.
            self._order = order
        view.select(() if coming is None else (coming.uid,))
        if coming is None:
            self.context.say(tr("No suggestion is left on this picture."))

    def _in_order(self) -> tuple[Element, ...]:
        """The elements that are shown, in reading order, as they are now."""
        view, document, frame = self.context.view, self.context.document, self.context.view.frame
        if frame is None:
            return ()
        if self._order is None or self._order[0] != frame.id:
            self._order = (frame.id, document.ordered(frame.id))
        now = document.present(element.uid for element in self._order[1])
        return tuple(element for element in now if view.shows(element))

    # Many at once ---------------------------------------------------------------------------------------------

    def _many(
        self,
        decision: SuggestionDecision,
        uids: tuple[str, ...],
        *,
        kind: ElementType | None = None,
        below: float | None = None,
    ) -> None:
        if not uids:
            self.context.say(tr("No suggestion is shown on this picture."))
            return
        if len(uids) > _MAX_SILENT_DECISIONS:
            self.row.show_busy(tr("Changing {count:,} …").format(count=len(uids)))
        self.context.do(DecideSuggestions(decision=decision, uids=uids, type=kind, below=below))
        # Also where nothing came of it: nobody is left waiting.
        self.row.show_counts(self._counts)

    def _decide_shown(self, decision: SuggestionDecision, kind: ElementType | None = None, *_: object) -> None:
        view = self.context.view
        found = (e for e in view.elements if view.shows(e) and is_suggestion(e) and kind in {None, e.type})
        self._many(decision, tuple(element.uid for element in found), kind=kind)

    def _fill_menu(self, menu: QMenu) -> None:
        """Put the choices for one picture into the menu; those about nothing are off."""
        menu.clear()
        counts, least, elements = self._counts, self.limits.least, self.context.view.elements
        below = tuple(e.uid for e in elements if self.limits.is_below(e))
        rejected = tuple(e.uid for e in elements if e.review == "rejected")
        bring_back = DecideSuggestions(decision="restore", uids=rejected)
        for words, number, call in (
            (tr("Accept all {shown} that are shown"), counts.shown, lambda: self._decide_shown("accept")),
            (tr("Reject all {shown} that are shown"), counts.shown, lambda: self._decide_shown("reject")),
            (
                tr("Reject all {below} below {least:.2f}"),
                counts.below,
                lambda: self._many("reject", below, below=least),
            ),
            (tr("Bring back the {rejected} that were rejected"), counts.rejected, lambda: self.context.do(bring_back)),
        ):
            action = menu.addAction(words.format(shown=number, below=number, rejected=number, least=least))
            action.triggered.connect(call)
            action.setEnabled(number > 0)
        menu.addSeparator()
        decisions: tuple[tuple[str, SuggestionDecision], ...] = (
            (tr("Accept by type"), "accept"),
            (tr("Reject by type"), "reject"),
        )
        for words, decision in decisions:
            kinds = menu.addMenu(words)
            kinds.setEnabled(bool(counts.by_type))
            for kind, number in counts.by_type.items():
                action = kinds.addAction(f"{kind.replace('_', ' ')} ({number})")
                action.triggered.connect(partial(self._decide_shown, decision, kind))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("accept_suggestion", tr("Accept, and go to the next"), ("Y",), "Suggestions", call=_accept_one),
        Key("reject_suggestion", tr("Reject, and go to the next"), ("X",), "Suggestions", call=_reject_one),
        Key("accept_shown", tr("Accept all that are shown"), ("Shift+Y",), "Suggestions",
            call=lambda self: self._decide_shown("accept")),
        Key("reject_shown", tr("Reject all that are shown"), ("Shift+X",), "Suggestions",
            call=lambda self: self._decide_shown("reject")),
        Key("show_more", tr("Show less sure ones"), ("Ctrl+[",), "Suggestions",
            call=lambda self: self.use(self.limits.moved(-1))),
        Key("show_fewer", tr("Show surer ones only"), ("Ctrl+]",), "Suggestions",
            call=lambda self: self.use(self.limits.moved(1))),
    )  # fmt: skip

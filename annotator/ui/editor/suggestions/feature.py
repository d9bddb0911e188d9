"""Suggestions as a layer of their own: shown by how sure they are, accepted, rejected, or corrected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMenu

from annotator.editing import EditKind
from annotator.suggestions.commands import AcceptSuggestions, BringBack, Group, RejectSuggestions
from annotator.suggestions.sieve import Counts, Origin, Sieve, Tally, is_suggestion
from annotator.suggestions.walk import next_suggestion
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.suggestions.choices import fill_menu
from annotator.ui.editor.suggestions.layer import DisputeLayer
from annotator.ui.editor.suggestions.row import SuggestionRow
from annotator.ui.editor.suggestions.section import FoundBySection
from annotator.words import tr
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, ElementType
from demopack.domain.steps import Step
from demopack.settings import settings_path

__all__ = ["SuggestionsFeature"]

_FILTER = "suggestions"
_REMEMBERED = "editor/least_confidence"
_A_MOMENT = 500
"""Suggestions; to decide about more takes so long that it is said."""
_Many = type[AcceptSuggestions] | type[RejectSuggestions]


class SuggestionsFeature(Feature):
    """The row under the picture, the section in the panel, the marks on the picture, and their keys.

    Attributes:
        row: slider, check boxes and buttons.
        section: who said what about the selected element.
        layer: marks where sources differ.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="accept_suggestion", words=tr("Accept, and go to the next"), keys=("Y",), group="Suggestions"),
        Key(name="reject_suggestion", words=tr("Reject, and go to the next"), keys=("X",), group="Suggestions"),
        Key(name="accept_shown", words=tr("Accept all that are shown"), keys=("Shift+Y",), group="Suggestions"),
        Key(name="reject_shown", words=tr("Reject all that are shown"), keys=("Shift+X",), group="Suggestions"),
        Key(name="show_more", words=tr("Show less sure ones"), keys=("Ctrl+[",), group="Suggestions"),
        Key(name="show_fewer", words=tr("Show surer ones only"), keys=("Ctrl+]",), group="Suggestions"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._places = QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat)
        self._sieve = Sieve(least=_fraction(self._places.value(_REMEMBERED)))
        self._order: tuple[str, tuple[Element, ...]] | None = None
        self._tally = Tally(())
        self._counts = Counts()
        self.row = SuggestionRow(desk.theme, fill_menu=self._fill_menu)
        self.row.least_chosen.connect(self._choose_least)
        self.row.origin_toggled.connect(self._toggle_origin)
        self.row.accept_wanted.connect(self._accept_shown)
        self.row.reject_wanted.connect(self._reject_shown)
        self.section = FoundBySection(desk.view, desk.do, desk.theme)
        self.layer = DisputeLayer(desk.theme)
        desk.add_foot_row(self.row)
        desk.add_section(self.section, after="element")
        desk.canvas.add_layer(self.layer)
        view = desk.view
        self._ends = [
            view.frame_changed.connect(self._on_frame),
            view.filters_changed.connect(self._show),
            desk.document.elements_changed.connect(self._on_elements),
            desk.session.edited.connect(self._on_edited),
        ]
        self.row.show_sieve(self._sieve)
        self._set_filter()
        self._on_frame()

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "accept_suggestion": self._accept_one,
            "reject_suggestion": self._reject_one,
            "accept_shown": self._accept_shown,
            "reject_shown": self._reject_shown,
            "show_more": lambda: self._use(self._sieve.moved(-1)),
            "show_fewer": lambda: self._use(self._sieve.moved(1)),
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._places.setValue(_REMEMBERED, self._sieve.least)
        self.section.close_view()
        for end in self._ends:
            end()

    @property
    def sieve(self) -> Sieve:
        """What is shown."""
        return self._sieve

    # The sieve ------------------------------------------------------------------------------------------------

    def _choose_least(self, least: float) -> None:
        self._use(Sieve(least=least, hidden=self._sieve.hidden))

    def _toggle_origin(self, origin: Origin, shown: bool) -> None:  # noqa: FBT001 - a slot
        self._use(self._sieve.toggled(origin, shown=shown))

    def _use(self, sieve: Sieve) -> None:
        if sieve != self._sieve:
            self._sieve = sieve
            self.row.show_sieve(sieve)
            self._set_filter()

    def _set_filter(self) -> None:
        self.desk.view.set_filter(_FILTER, None if self._sieve.open else self._sieve.passes)

    # Following ------------------------------------------------------------------------------------------------

    def _on_frame(self) -> None:
        frame = self.desk.view.frame
        everything = () if frame is None else self.desk.document.elements(frame.id)
        self._order = None
        self._tally.take(everything)
        self.layer.set_elements(everything)
        self._show()

    def _on_elements(self, frame_id: str) -> None:
        frame = self.desk.view.frame
        if frame is not None and frame.id == frame_id:
            self._on_frame()

    def _show(self) -> None:
        self._counts = self._tally.counts(self._sieve)
        self.row.show_counts(self._counts)
        self.layer.show(self.desk.view.shows)
        self.desk.canvas.update()

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        """A step that is approved while suggestions are hidden is approved with them: that must not go unnoticed."""
        steps = (
            [step for change in edit.changes if (step := _approved_by(change)) is not None] if kind == "done" else []
        )
        frames = {step.before.id for step in steps if step.before is not None}
        hidden = tuple(e.uid for frame in frames for e in self.desk.document.elements(frame) if self._sieve.is_below(e))
        if hidden:
            command = RejectSuggestions(uids=hidden, group=Group(below=self._sieve.least))
            self.desk.messages.say(
                tr("Approved with {hidden} suggestions below {least:.2f} that are hidden.").format(
                    hidden=len(hidden), least=self._sieve.least
                ),
                button=tr("Reject them"),
                action=lambda: None if self.desk.session.closed else self.desk.do(command),
            )

    # One after the other --------------------------------------------------------------------------------------

    def _accept_one(self) -> None:
        document = self.desk.document
        chosen = [e for uid in self.desk.view.selection if (e := document.element(uid)) is not None]
        self._decide(AcceptSuggestions, [e.uid for e in chosen if e.review not in {"approved", "rejected"}])

    def _reject_one(self) -> None:
        document = self.desk.document
        chosen = [e for uid in self.desk.view.selection if (e := document.element(uid)) is not None]
        found = [e.uid for e in chosen if e.source != "human"]
        if chosen and not found:
            self.desk.say(tr("A person drew this; Delete takes it away."))
            return
        self._decide(RejectSuggestions, found)

    def _decide(self, command: _Many, uids: Sequence[str]) -> None:
        view = self.desk.view
        self.desk.leave()
        coming = next_suggestion(self._in_order(), uids or view.selection)
        order = self._order
        if uids:
            self.desk.do(command(uids=tuple(uids)))
            # The order did not change by that; to make it out again would cost more than everything else here.
            self._order = order
        view.select(() if coming is None else (coming,))
        if coming is None:
            self.desk.say(tr("No suggestion is left on this picture."))

    def _in_order(self) -> tuple[Element, ...]:
        """The elements that are shown, in reading order, as they are now."""
        view, document, frame = self.desk.view, self.desk.document, self.desk.view.frame
        if frame is None:
            return ()
        if self._order is None or self._order[0] != frame.id:
            self._order = (frame.id, document.ordered(frame.id))
        now = (document.element(element.uid) for element in self._order[1])
        return tuple(element for element in now if element is not None and view.shows(element))

    # Many at once ---------------------------------------------------------------------------------------------

    def _shown(self, kind: ElementType | None = None) -> tuple[str, ...]:
        view = self.desk.view
        found = () if view.frame is None else view.shown(view.frame.id)
        return tuple(e.uid for e in found if is_suggestion(e) and (kind is None or e.type == kind))

    def _many(self, command: _Many, uids: tuple[str, ...], group: Group) -> None:
        if not uids:
            self.desk.say(tr("No suggestion is shown on this picture."))
            return
        if len(uids) > _A_MOMENT:
            self.row.show_busy(tr("Changing {count:,} …").format(count=len(uids)))
        self.desk.do(command(uids=uids, group=group))
        # Also where nothing came of it: nobody is left waiting.
        self.row.show_counts(self._counts)

    def _accept_shown(self) -> None:
        self._many(AcceptSuggestions, self._shown(), Group())

    def _reject_shown(self) -> None:
        self._many(RejectSuggestions, self._shown(), Group())

    def _by_type(self, command: _Many, kind: ElementType) -> None:
        self._many(command, self._shown(kind), Group(type=kind))

    def _reject_below(self) -> None:
        frame = self.desk.view.frame
        everything = () if frame is None else self.desk.document.elements(frame.id)
        below = tuple(e.uid for e in everything if self._sieve.is_below(e))
        self._many(RejectSuggestions, below, Group(below=self._sieve.least))

    def _bring_back(self) -> None:
        frame = self.desk.view.frame
        everything = () if frame is None else self.desk.document.elements(frame.id)
        self.desk.do(BringBack(uids=tuple(e.uid for e in everything if e.review == "rejected")))

    def _fill_menu(self, menu: QMenu) -> None:
        fill_menu(
            menu,
            self._counts,
            self._sieve,
            accept=self._accept_shown,
            reject=self._reject_shown,
            reject_below=self._reject_below,
            bring_back=self._bring_back,
            accept_type=partial(self._by_type, AcceptSuggestions),
            reject_type=partial(self._by_type, RejectSuggestions),
        )


def _approved_by(change: Change) -> Step | None:
    """The step that a change approves; None for any other change."""
    if change.kind != "step" or change.after is None or change.after.get("review") != "approved":
        return None
    was = None if change.before is None else change.before.get("review")
    return None if was == "approved" else Step.model_validate(change.after)


def _fraction(value: object) -> float:
    """A remembered number, 0..1; 0 where there is none or it is damaged."""
    try:
        number = float(str(value)) if value is not None else 0.0
    except ValueError:
        return 0.0
    return round(number, 2) if 0 <= number <= 1 else 0.0

"""Walks over the elements that nobody has decided about, the least sure first."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from annotator.finding.doubts import Doubts
from annotator.finding.finder import Finder
from annotator.finding.jump import show_frame
from annotator.finding.review import by_doubt
from annotator.ui.editor.feature import Desk
from annotator.words import tr
from demopack.domain.elements import Element

__all__ = ["UncertainWalk"]

_UID: Final[Callable[[Element], str]] = attrgetter("uid")
_AT_ONCE: Final = 4000
"""So many open elements are put in order while the user waits; more in the background."""


class UncertainWalk:
    """Remembers where it was: each call goes one further, also past what was left undecided."""

    def __init__(self, desk: Desk, finder: Finder) -> None:
        self._desk = desk
        self._finder = finder
        self._doubts = Doubts()
        self._passed: set[str] = set()
        self._closed = False

    def close(self) -> None:
        """Go nowhere any more."""
        self._closed = True

    def go(self) -> None:
        """Show the least sure element that has not been shown yet; after the last one it begins again."""
        view, document = self._desk.view, self._desk.document
        found = [e for frame in self._finder.frames for e in document.elements(frame)]
        waiting = [e for e in found if e.review in {"unreviewed", "doubtful"} and view.shows(e)]
        if not waiting:
            self._desk.say(tr("Every element that is shown is reviewed."))
            return
        if len(waiting) <= _AT_ONCE:
            self._show(by_doubt(waiting, self._doubts))
            return
        self._desk.runner.background(
            lambda: by_doubt(waiting, self._doubts), on_result=self._show, on_error=self._desk.messages.show_error
        )

    def _show(self, ordered: list[Element]) -> None:
        if self._closed:
            return
        following = next((e for e in ordered if e.uid not in self._passed), None)
        if following is None:
            self._passed.clear()
            following = ordered[0]
        self._passed.add(following.uid)
        self._desk.leave()
        show_frame(self._desk.view, following.frame)
        self._desk.view.select((following.uid,))
        self._desk.canvas.setFocus()
        place = sum(map(self._passed.__contains__, map(_UID, ordered)))
        self._desk.say(
            tr("Least sure: {place} of {ordered} to look at in this demo.").format(place=place, ordered=len(ordered))
        )

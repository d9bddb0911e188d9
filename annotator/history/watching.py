"""Watch over the log: what other windows, programs and jobs do to the open demo is shown."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.editing import AppliedEdits, EditSession
from annotator.signals import Signal
from annotator.words import tr
from demopack.domain.edits import LogEntry
from demopack.domain.words import shorten


class LogWatch:
    """Looks into the log of one session's demo.

    Attributes:
        others_edited: what another process has done; the document shows it already.
    """

    def __init__(self, session: EditSession) -> None:
        self.others_edited: Signal[Sequence[LogEntry]] = Signal()
        self._session = session
        self._looking = False
        self._erasures: str | None = None

    def look(self) -> None:
        """Take in what is new in the log; cheap enough to be asked every second.

        While edits of our own are under way nothing is taken in: the next look finds both.
        """
        session = self._session
        if self._looking or session.closed or not session.saved:
            return
        self._looking = True
        seen = session.reach.seen

        def read() -> tuple[str, list[LogEntry]]:
            log = session.library.log
            return log.erasures(), log.entries(session.demo_id, after=seen)

        def show(found: tuple[str, list[LogEntry]]) -> None:
            self._looking = False
            erasures, entries = found
            if self._erasures is not None and erasures != self._erasures and not session.closed:
                # Something was forgotten for good: places in the log may mean other entries now.
                session.reach = AppliedEdits(0)
                session.reload()
            elif entries and not session.closed and session.saved and session.reach.seen == seen:
                self._take_in(entries)
            self._erasures = erasures

        def fail(error: Exception) -> None:
            # A demo that cannot be read any more says so at the next edit.
            del error
            self._looking = False

        session.store.submit(read, on_result=show, on_error=fail)

    def _take_in(self, entries: Sequence[LogEntry]) -> None:
        session = self._session
        own = [entry for entry in entries if entry.seq in session.reach.own]
        news = [entry for entry in entries if entry.seq not in session.reach.own]
        if _touched(own) & _touched(news):
            # Ours and theirs lie in turns on one thing: only the library knows how it ends.
            session.reload()
        else:
            session.follow([c for entry in news for c in entry.changes], [entry.seq for entry in news])
        session.refresh_labels()
        others = [entry for entry in news if not session.library.log.is_mine(session.demo_id, entry.seq)]
        if others:
            self.others_edited.emit(others)


def _touched(entries: Sequence[LogEntry]) -> set[tuple[str, str]]:
    return {(change.kind, change.key) for entry in entries for change in entry.edit.changes}


def others_words(entries: Sequence[LogEntry]) -> str:
    """One sentence about what another window did."""
    last = entries[-1]
    label = shorten(last.edit.label, 60)
    if len(entries) > 1:
        several = tr("Another window changed this demo {count} times, last: “{label}”. You see it here.")
        return several.format(count=len(entries), label=label)
    words = {
        "do": tr("Another window changed this demo: “{label}”. You see it here."),
        "undo": tr("Another window took “{label}” back. You see it here."),
        "redo": tr("Another window did “{label}” again. You see it here."),
    }
    return words[last.op].format(label=label)

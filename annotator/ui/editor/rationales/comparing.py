"""What another writer would say: versions that are stored nowhere until one of them is taken."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.rationales.versions import TakeVersions, Version, passing
from annotator.ui.editor.feature import Desk
from annotator.ui.editor.rationales.versions_view import VersionsView

__all__ = ["Comparing"]


class Comparing:
    """Holds the versions, shows the current step's, and puts those in force that are wanted."""

    def __init__(self, desk: Desk, shown: VersionsView) -> None:
        self._desk = desk
        self._shown = shown
        self._versions: dict[str, Version] = {}
        shown.take_wanted.connect(self.take)
        shown.take_all_wanted.connect(self.take_all)
        shown.dropped.connect(self.drop)

    def begin(self, versions: Sequence[Version]) -> None:
        """Compare with these from now on."""
        self._versions = {one.step_id: one for one in versions}
        self.refresh()

    def take(self) -> None:
        """Take the version of the current step."""
        step = self._desk.view.step
        if step is not None and step.id in self._versions:
            self._take((self._versions[step.id],))

    def take_all(self) -> None:
        """Take every version that passes the check, in one edit."""
        self._take(tuple(passing(list(self._versions.values()))))

    def drop(self) -> None:
        """Forget the versions."""
        self.begin(())

    def refresh(self) -> None:
        """Show the version of the step that is current now."""
        step = self._desk.view.step
        there = list(self._versions.values())
        shown = None if step is None else self._versions.get(step.id)
        writer = there[0].writer if there else ""
        self._shown.show_versions(shown, writer=writer, passing=len(passing(there)), total=len(there))

    def _take(self, versions: tuple[Version, ...]) -> None:
        self._desk.do(TakeVersions(versions=versions))
        self.begin([one for one in self._versions.values() if one not in versions])

"""Copying the selected boxes over a range of steps, or taking them away there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from annotator.across.spreading import CopyOver, RemoveOver, Where, frames_between, where_same, wherever
from annotator.ui.editor.across.range_bar import RangeBar
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr

__all__ = ["RangeFeature"]


class RangeFeature(Feature):
    """The key and the bar.

    Attributes:
        bar: asks for the range.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            name="copy_over",
            words=tr("Copy the selected boxes over a range of steps, or remove them there"),
            keys=("Shift+G",),
            group="From step to step",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.bar = RangeBar(desk.theme)
        self.bar.copy_wanted.connect(lambda: self._start(removes=False))
        self.bar.remove_wanted.connect(lambda: self._start(removes=True))
        self.bar.closed.connect(desk.canvas.setFocus)
        desk.add_foot_row(self.bar)
        self._end = desk.view.selection_changed.connect(self._show_selection)

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"copy_over": self.toggle}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._end()

    def toggle(self) -> None:
        """Show the bar, or put it away."""
        if not self.bar.isHidden():
            self.bar.close_bar()
            return
        self.desk.leave()
        self._show_selection()
        self.bar.open_for(index=self.desk.view.index, count=len(self.desk.document.steps))

    def _show_selection(self) -> None:
        self.bar.show_selection(len(self.desk.view.selection))

    def _start(self, *, removes: bool) -> None:
        desk = self.desk
        desk.leave()
        uids, source = desk.view.selection, desk.view.frame
        elements = [e for uid in uids if (e := desk.document.element(uid)) is not None]
        if source is None or not elements:
            return
        frames = frames_between(desk.document, *self.bar.steps)

        def finish(where: Where) -> None:
            if not desk.session.closed:
                self._finish(uids, where, removes=removes)

        if not self.bar.only_same:
            finish(wherever(elements, frames))
            return
        read = desk.session.library.get_image
        self.bar.set_running(running=True)
        desk.runner.run(
            tr("Comparing the pictures"),
            lambda control: where_same(elements, source, frames, read, control),
            on_result=finish,
            on_error=desk.messages.show_error,
            on_end=self._show_selection,
        )

    def _finish(self, uids: tuple[str, ...], where: Where, *, removes: bool) -> None:
        command = RemoveOver(uids=uids, where=where) if removes else CopyOver(uids=uids, where=where)
        done = False

        def note(*_: object) -> None:
            nonlocal done
            done = True

        end = self.desk.session.edited.connect(note)
        self.desk.do(command)
        end()
        if not done:
            self.desk.say(
                tr("There is nothing to remove on these steps.")
                if removes
                else tr(
                    "On these steps the boxes are there already, or the pictures show something else in their place."
                )
            )

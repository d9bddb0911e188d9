"""Leads a person through the review: look, show, carry out, go on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from annotator.words import tr

if TYPE_CHECKING:
    from annotator.ui.editor.editor_context import EditorContext
    from annotator.ui.redaction.redaction_sheet import RedactionSheet
    from demopack.redaction.scan import PrivateFinding

_Seen = tuple[list["PrivateFinding"], int]


class RedactionFlow:
    """The review of one open demo."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self.sheet: RedactionSheet | None = None
        self._named: list[str] = []

    def review(self) -> None:
        """Show everything that may be private, also what was decided before."""
        self._look(lambda seen: self._show(seen, go=None) if seen[0] else self._nothing(seen[1]))

    def before_export(self, go: Callable[[], None]) -> None:
        """Ask about what nobody has decided yet, then go on; go on at once when there is nothing of that sort."""

        def ask(seen: _Seen) -> None:
            if all(one.decision == "keep" for one in seen[0]):
                go()
            else:
                self._show(seen, go=go)

        self._look(ask)

    def close(self) -> None:
        """Take the review away; nothing is changed."""
        sheet, self.sheet = self.sheet, None
        self._named.clear()
        if sheet is not None:
            sheet.hide()
            sheet.deleteLater()
            self._context.page.setEnabled(True)

    # ----------------------------------------------------------------------------------------------------------

    def _look(self, then: Callable[[_Seen], None]) -> None:
        session, named = self._context.session, tuple(self._named)

        def look() -> _Seen:
            from demopack.redaction.scan import scan_demo
            from demopack.redaction.summary import unread_pictures

            demo = session.library.demo(session.demo_id)
            return scan_demo(demo, also=named), unread_pictures(demo)

        # In the line behind the edits that are still being written.
        self._context.operations.start(look, on_result=then, lane="library")

    def _nothing(self, unread: int) -> None:
        words = tr("Nothing private was found.")
        if unread:
            words += tr(" {unread} {value} not looked through yet.").format(
                unread=unread, value=tr("picture was") if unread == 1 else tr("pictures were")
            )
        self._context.messages.say(words)

    def _show(self, seen: _Seen, *, go: Callable[[], None] | None) -> None:
        from annotator.ui.redaction.redaction_sheet import RedactionSheet

        self.close()
        host = self._context.page.parentWidget() or self._context.page
        sheet = self.sheet = RedactionSheet(
            host, self._context.pictures, self._context.theme, then=tr("export") if go else "", leave=self._leave,
            done=partial(self._carry_out, seen[0], go), named=self._look_for,
        )  # fmt: skip
        # The page's own keys are single letters, as those of the review.
        self._context.page.setEnabled(False)
        sheet.open(seen[0], unread=seen[1])

    def _leave(self) -> None:
        self.close()
        self._context.page.setFocus()

    def _look_for(self, text: str) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        self._named.append(text)

        def show(seen: _Seen) -> None:
            if self.sheet is not sheet:
                return
            known = {one.digest for one in sheet.found}
            new = [one for one in seen[0] if one.digest not in known]
            if not new:
                sheet.say(tr("“{text}” does not occur in this demo, or is in the list already.").format(text=text))
                return
            # Whoever names a text wants it replaced.
            sheet.open(
                [dataclasses.replace(one, decision="replace") if one in new else one for one in seen[0]], unread=seen[1]
            )

        self._look(show)

    def _carry_out(
        self, before: Sequence[PrivateFinding], go: Callable[[], None] | None, found: Sequence[PrivateFinding]
    ) -> None:
        self._leave()
        was = {one.digest: one.decision for one in before}
        changed = any(
            one.replaceable if one.decision == "replace" else one.decision != was.get(one.digest) for one in found
        )
        if not changed:
            if go is not None:
                go()
            return
        session = self._context.session

        def work() -> int:
            from demopack.redaction.apply import redact
            from demopack.redaction.scan import left_over

            redact(session.library, session.demo_id, found)
            return len({one.digest for one, _ in left_over(session.library.demo(session.demo_id), found)})

        def say(left: int) -> None:
            session.reload()
            if go is None or left:
                self._context.messages.say(_done(found, left), button=tr("Undo"), action=session.undo)
            if go is not None:
                go()

        self._context.operations.run(tr("Replacing what is private"), lambda _: work(), on_result=say)


def _done(found: Sequence[PrivateFinding], left: int) -> str:
    """What was decided, and how many of the values could not be replaced everywhere."""
    replaced = sum(one.decision == "replace" and one.replaceable for one in found)
    kept = sum(one.decision == "keep" for one in found)
    if replaced == 1:
        words = tr("Replaced 1 private value.")
    elif replaced:
        words = tr("Replaced {number} private values.").format(number=replaced)
    elif kept == 1:
        words = tr("Kept 1 private value.")
    else:
        words = tr("Kept {number} private values.").format(number=kept)
    if left == 1:
        words += tr(" One of them also stands in an id, which cannot be replaced.")
    elif left:
        words += tr(" {number} of them also stand in ids, which cannot be replaced.").format(number=left)
    return words

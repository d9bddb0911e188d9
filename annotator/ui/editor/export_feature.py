"""Exports the open demo, as a pack or in another program's format, beside the window's thread."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.words import tr

if TYPE_CHECKING:
    from annotator.ui.editor.export_sheet import ExportChoice, ExportSheet
    from demopack.codecs.sets.base import Format


class ExportFeature(Feature):
    """Asks what to export and where to, then writes it.

    Attributes:
        sheet: what is asked; None while nothing is.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.sheet: ExportSheet | None = None
        self._before: ExportChoice | None = None

    def close_view(self) -> None:
        """Take the sheet away; nothing is written."""
        self._leave()

    def ask(self) -> None:
        """Show the formats."""
        self.context.leave()

        def read() -> dict[str, Format]:
            from demopack.codecs.sets.catalogue import exporters

            return exporters()

        # In the line behind the edits that are still being written; the formats take a moment to import.
        self.context.operations.start(read, on_result=self._show, lane="library", newest="formats")

    def _show(self, formats: dict[str, Format]) -> None:
        from annotator.ui.editor.export_sheet import PACK, ExportChoice, ExportSheet
        from demopack.codecs.sets.base import ExportOptions

        self._leave()
        context, page = self.context, self.context.page
        before = self._before or ExportChoice(form=PACK, options=ExportOptions(), folder=Path.home() / "demo")
        # The page's own keys are single letters, and so are the beginnings of the formats' names.
        page.setEnabled(False)
        host = page.parentWidget() or page
        self.sheet = ExportSheet(
            host, context.theme, formats, head=context.document.head, before=before,
            pick=lambda: context.services.pick_folder(page.window(), tr("Where should the folder go?")),
            leave=self._go_back, done=partial(self._export, formats),
        )  # fmt: skip

    def _go_back(self) -> None:
        self._leave()
        self.context.page.setFocus()

    def _leave(self) -> None:
        sheet, self.sheet = self.sheet, None
        if sheet is not None:
            sheet.hide()
            sheet.deleteLater()
            self.context.page.setEnabled(True)

    def _export(self, formats: dict[str, Format], choice: ExportChoice) -> None:
        self._go_back()
        self._before = choice
        context, session = self.context, self.context.session
        form = formats.get(choice.form)
        button = context.head.buttons["export"]
        button.setEnabled(False)
        context.operations.run(
            tr("Writing the pack") if form is None else tr("Exporting"),
            lambda control: context.services.export(
                session.library, [session.demo_id], choice.folder, control, form=form, options=choice.options
            ),
            announce=lambda words: context.messages.say_written(words, choice.folder),
            on_end=lambda: button.setEnabled(True),
        )

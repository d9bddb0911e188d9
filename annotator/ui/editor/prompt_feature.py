"""Prompts: for the step that is shown, with the library's demos as examples."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from annotator.prompt_preview import PromptOrder, prompt_at, prompt_words
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.prompt_panel import PromptPanel
from annotator.ui.keys.key import Key
from annotator.ui.operations import Operation
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.prompting.prompt import Prompt

_TAB = "prompt"
_PAUSE_MS = 200
"""Steps are often passed through quickly, and numbers typed digit by digit."""


class PromptFeature(Feature):
    """A tab with the prompt of the current step. While the tab is not shown, nothing is built.

    Attributes:
        panel: the tab.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.panel = PromptPanel(context.theme)
        self._job: Operation | None = None
        context.add_tab(_TAB, tr("Prompt"), self.panel, stays=False)
        context.add_head_action(
            _TAB, tr("Prompt …"), self.open, tip=tr("The prompt that an agent would get at this step, to be copied")
        )
        self._soon = QTimer(context.page, interval=_PAUSE_MS, singleShot=True)
        self._soon.timeout.connect(self._build)
        self.panel.order_changed.connect(self._soon.start)
        self.panel.copy_wanted.connect(self.copy)
        document = context.document
        context.view.step_changed.connect(self._soon.start)
        document.step_changed.connect(lambda _: self._soon.start())
        document.head_changed.connect(self._soon.start)
        document.elements_changed.connect(lambda _: self._soon.start())

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._cancel()

    def open(self) -> None:
        """Show the tab."""
        self.context.leave()
        self.context.show_tab(_TAB)
        self._soon.start()

    def copy(self) -> None:
        """Put the prompt on the clipboard."""
        QGuiApplication.clipboard().setText(self.panel.text.toPlainText())
        self.context.say(tr("The prompt is on the clipboard."))

    # Building -------------------------------------------------------------------------------------------------

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _build(self) -> None:
        session = self.context.session
        if self.context.shown_tab != _TAB:
            return
        self._cancel()
        step, order = self.context.view.step, self.panel.order
        index = None if step is None else self.context.document.index_of(step.id)
        if index is None:
            self.panel.show_nothing(tr("Choose a step."))
            return
        number = index + 1
        self._job = job = self.context.operations.run(
            tr("Building a prompt"),
            lambda control: prompt_at(session.library, session.demo_id, number, order, control),
            on_result=lambda prompt: self._show(job, prompt, order),
            on_error=lambda error: self._fail(job, error),
        )

    def _show(self, job: Operation, prompt: Prompt, order: PromptOrder) -> None:
        if job is self._job:
            self.panel.show_prompt(prompt.to_text(), prompt_words(prompt, order.budget))

    def _fail(self, job: Operation, error: Exception) -> None:
        if job is not self._job:
            return
        if isinstance(error, BadInputError):
            # What was chosen does not go together: that is said where it was chosen.
            self.panel.show_nothing(f"{error.user_message} {error.hint}".strip())
        else:
            self.panel.show_nothing("")
            self.context.messages.show_error(error)

    KEYS: ClassVar[tuple[Key, ...]] = (Key("prompt", tr("Prompt for this step"), ("Ctrl+Alt+P",), "Steps", call=open),)

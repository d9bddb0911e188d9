"""Prompts: for the step that is shown, with the library's demos as examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from annotator.prompting.preview import PromptOrder, prompt_at, told_of
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.ui.editor.prompting.panel import PromptPanel
from annotator.ui.job_runner import Job
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.prompting.prompt import Prompt

__all__ = ["PromptFeature"]

_TAB = "prompt"
_PAUSE_MS = 200
"""Steps are often passed through quickly, and numbers typed digit by digit."""


class PromptFeature(Feature):
    """A tab with the prompt of the current step. While the tab is not shown, nothing is built.

    Attributes:
        panel: the tab.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="prompt", words=tr("Prompt for this step"), keys=("Ctrl+Alt+P",), group="Steps"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.panel = PromptPanel(desk.theme)
        self._job: Job | None = None
        desk.add_tab(_TAB, tr("Prompt"), self.panel, stays=False)
        desk.add_head_action(
            _TAB, tr("Prompt …"), self.open, tip=tr("The prompt that an agent would get at this step, to be copied")
        )
        self._soon = QTimer(desk.page, interval=_PAUSE_MS, singleShot=True)
        self._soon.timeout.connect(self._build)
        self.panel.order_changed.connect(self._soon.start)
        self.panel.copy_wanted.connect(self.copy)
        document = desk.document
        self._ends = [
            desk.view.step_changed.connect(self._soon.start),
            document.step_changed.connect(lambda _: self._soon.start()),
            document.head_changed.connect(self._soon.start),
            document.elements_changed.connect(lambda _: self._soon.start()),
        ]

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"prompt": self.open}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._soon.stop()
        self._cancel()
        for end in self._ends:
            end()

    def open(self) -> None:
        """Show the tab."""
        self.desk.leave()
        self.desk.show_tab(_TAB)
        self._soon.start()

    def copy(self) -> None:
        """Put the prompt on the clipboard."""
        QGuiApplication.clipboard().setText(self.panel.text)
        self.desk.say(tr("The prompt is on the clipboard."))

    # Building -------------------------------------------------------------------------------------------------

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _build(self) -> None:
        session = self.desk.session
        if session.closed or self.desk.shown_tab != _TAB:
            return
        self._cancel()
        step, order = self.desk.view.step, self.panel.order
        index = None if step is None else self.desk.document.index_of(step.id)
        if index is None:
            self.panel.show_nothing(tr("Choose a step."))
            return
        number = index + 1
        self._job = job = self.desk.runner.run(
            tr("Building a prompt"),
            lambda control: prompt_at(session.library, session.demo_id, number, order, control),
            on_result=lambda prompt: self._show(job, prompt, order),
            on_error=lambda error: self._fail(job, error),
        )

    def _show(self, job: Job, prompt: Prompt, order: PromptOrder) -> None:
        if job is self._job and not self.desk.session.closed:
            self.panel.show_prompt(prompt.to_text(), told_of(prompt, order.budget))

    def _fail(self, job: Job, error: Exception) -> None:
        if job is not self._job or self.desk.session.closed:
            return
        if isinstance(error, BadInputError):
            # What was chosen does not go together: that is said where it was chosen.
            self.panel.show_nothing(f"{error.user_message} {error.hint}".strip())
        else:
            self.panel.show_nothing("")
            self.desk.messages.show_error(error)

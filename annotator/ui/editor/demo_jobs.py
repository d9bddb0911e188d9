"""The three long jobs of a demo: find elements, write rationales, write a pack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from annotator.editing import EditSession
from annotator.ui.editor.editor_bars import Head
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.services import Services, target_folder
from annotator.view_state import ViewState
from annotator.words import tr


class DemoJobs:
    """Starts them, shows what they found while they go on, and says what came of it."""

    def __init__(
        self,
        session: EditSession,
        view: ViewState,
        head: Head,
        *,
        operations: Operations,
        services: Services,
        messages: Messages,
    ) -> None:
        self._session = session
        self._view = view
        self._head = head
        self._operations = operations
        self._services = services
        self._messages = messages

    def find(self) -> None:
        """Find elements on every picture."""
        self._run("find", tr("Finding elements"), self._services.find)

    def write(self) -> None:
        """Write the rationales that are missing."""
        self._run("write", tr("Writing rationales"), self._services.write)

    def _run(self, button: str, title: str, work: Callable[..., str]) -> None:
        self._view.leaving.emit()
        session, settings = self._session, self._services.settings
        self._head.set_running(button, running=True)

        def end() -> None:
            self._head.set_running(button, running=False)
            session.reload()

        self._operations.run(
            title,
            lambda control: work(session.library, session.demo_id, settings, control),
            announce=self._messages.say,
            on_progress=lambda _: session.reload(),
            on_end=end,
        )

    def export(self) -> None:
        """Ask where to, then write the pack."""
        self._view.leaving.emit()
        session = self._session
        parent = self._head.window()
        task = session.document.head.task
        chosen = self._ask(parent, task)
        if chosen is None:
            return
        out = target_folder(chosen, task, "pack")
        self._head.set_running("export", running=True)
        self._operations.run(
            tr("Writing the pack"),
            lambda control: self._services.export(session.library, [session.demo_id], out, control),
            announce=lambda words: self._messages.say_written(words, out),
            on_end=lambda: self._head.set_running("export", running=False),
        )

    def _ask(self, parent: QWidget, task: str) -> Path | None:
        title = tr("Where should the pack go?")
        return self._services.pick_new_folder(parent, title, lambda chosen: target_folder(chosen, task, "pack"))

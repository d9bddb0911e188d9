"""The pages beside the library and the editor: made when they are first asked for, shown over whatever was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from annotator.ui.job_runner import JobRunner
from annotator.ui.messages import Messages
from annotator.ui.page_stack import PageStack
from annotator.ui.pictures import Pictures
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.store import Library

if TYPE_CHECKING:
    from annotator.ui.models.page import ModelsPage
    from annotator.ui.settings.page import SettingsPage

__all__ = ["LatePages"]


class LatePages(QObject):
    """Settings and models. Their modules are imported late, so that the library stands on the screen sooner.

    Signals:
        made: a page, what it is called among the keys, and what its keys do.
        shown: one of them is shown now.
        left: the user wants back to what was shown before.
        saved: the settings, after they were changed there.
        muted: whether the global record key has to be left alone, because keys are being typed in.
        open_wanted: a demo, the number of a step and a side, see ``MainWindow.open_demo``.
    """

    made = Signal(QWidget, str, object)
    shown = Signal()
    left = Signal()
    saved = Signal(object)
    muted = Signal(bool)
    open_wanted = Signal(str, int, str)

    def __init__(
        self,
        stack: PageStack,
        *,
        library: Library,
        services: Services,
        theme: Theme,
        runner: JobRunner,
        messages: Messages,
        pictures: Pictures,
    ) -> None:
        super().__init__(stack)
        self._stack = stack
        self._library, self._services, self._theme = library, services, theme
        self._runner, self._messages, self._pictures = runner, messages, pictures
        self._settings: SettingsPage | None = None
        self._models: ModelsPage | None = None

    @property
    def settings(self) -> SettingsPage:
        """The settings."""
        if self._settings is None:
            from annotator.ui.settings.page import SettingsPage

            page = self._settings = SettingsPage(
                self._theme, runner=self._runner, messages=self._messages, taken=self._services.key_taken
            )
            page.saved.connect(self.saved)
            page.waiting.connect(self.muted)
            page.back_wanted.connect(self.left)
            self._stack.addWidget(page)
            self.made.emit(page, "settings", page.calls())
        return self._settings

    @property
    def models(self) -> ModelsPage:
        """The models: what is in use, training, comparing."""
        if self._models is None:
            from annotator.ui.models.page import ModelsPage

            page = self._models = ModelsPage(
                self._theme,
                library=self._library,
                services=self._services,
                runner=self._runner,
                messages=self._messages,
                pictures=self._pictures,
            )
            page.saved.connect(self.saved)
            page.back_wanted.connect(self.left)
            page.open_wanted.connect(self.open_wanted)
            self._stack.addWidget(page)
            self.made.emit(page, "models", page.calls())
        return self._models

    def show_settings(self) -> None:
        """Show the settings as they are stored now."""
        page = self.settings
        page.read()
        self._stack.open(page)
        page.search.setFocus()
        self.shown.emit()

    def show_models(self) -> None:
        """Show the models as they stand on the shelf now."""
        page = self.models
        self._stack.open(page)
        page.open()
        self.shown.emit()

"""Carries out what is wanted in a panel of keys: on the keys that hold at once, and in the settings."""

from __future__ import annotations

from PySide6.QtCore import QObject

from annotator.ui.editor.shortcuts.panel import KeysPanel
from annotator.ui.job_runner import JobRunner
from annotator.ui.keys.key_map import KeyMap
from annotator.ui.keys.ring import KeyRing
from annotator.ui.messages import Messages
from demopack.settings import Settings, load_settings, save_settings

__all__ = ["KeyChanger"]


class KeyChanger(QObject):
    """Between one panel and the keys that it shows."""

    def __init__(self, panel: KeysPanel, ring: KeyRing, *, runner: JobRunner, messages: Messages) -> None:
        super().__init__(panel)
        self._panel, self._ring = panel, ring
        self._runner, self._messages = runner, messages
        panel.pressed.connect(self._on_pressed)
        panel.taken.connect(self._give)
        panel.back_wanted.connect(self._set_back)
        ring.changed.connect(self._follow)

    def show(self) -> None:
        """Show the keys that hold."""
        self._panel.show_map(self._ring.map)

    def _follow(self) -> None:
        if self._panel.isVisible() or not self._panel.chosen:
            self.show()

    def _on_pressed(self, name: str, text: str, beside: bool) -> None:  # noqa: FBT001 - a slot
        now = self._ring.map
        if text and (why := now.refusal(name, text)):
            self._panel.tell(why)
        elif text and (others := now.others(name, text)):
            self._panel.ask(name, text, others, beside=beside)
        else:
            self._give(name, text, beside)

    def _give(self, name: str, text: str, beside: bool) -> None:  # noqa: FBT001 - a slot
        now = self._ring.map
        if beside and not text:
            # The further key is taken away; the first one stays.
            self._use(now.given(name, next(iter(now.keys_of(name)), "")))
        else:
            self._use(now.given(name, text, beside=beside))

    def _set_back(self, name: str) -> None:
        self._use(self._ring.map.set_back(name or None))

    def _use(self, wanted: KeyMap) -> None:
        self._ring.use(wanted)
        chosen = wanted.chosen

        def save() -> Settings:
            # Read again: other pages write other settings.
            settings = load_settings()
            changed = settings.model_copy(update={"ui": settings.ui.model_copy(update={"keys": chosen})})
            save_settings(changed)
            return changed

        self._runner.submit(save, on_result=self._ring.saved.emit, on_error=self._messages.show_error)

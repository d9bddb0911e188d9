"""The editor: composes list, canvas, panel and bars around one document, and turns what is asked for into commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from annotator.editing import EditKind, EditSession
from annotator.history.jumping import show_first
from annotator.step_commands import SetTask
from annotator.ui.controls import column
from annotator.ui.editor import features
from annotator.ui.editor.boxes.drawing_aids import DrawingAidsFeature
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.editor.editor_keys import EDITOR_KEYS
from annotator.ui.editor.export_feature import ExportFeature
from annotator.ui.editor.key_overlay import KeyOverlay
from annotator.ui.editor.panels.side_panel import FIRST_TAB
from annotator.ui.editor.review.review_room import ReviewRoom
from annotator.ui.editor.suggestions_feature import SuggestionsFeature
from annotator.ui.keys.key import PAGE_KEYS, KeyScope
from annotator.ui.keys.ring import KeyRing
from annotator.ui.messages import Messages
from annotator.ui.operations import Operations
from annotator.ui.redaction.redaction_flow import RedactionFlow
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.ui.tour_guide import HintName
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.settings import settings_path

_FIT: Final = "fit"


class Places:
    """Widths, shown tab, hidden panels, zoom, least confidence, aids and film, kept in ``windows.ini`` by the settings.

    Whatever is damaged there, or of no use any more, is as it is the first time.
    """

    def __init__(self, context: EditorContext, *, split: QSplitter, room: ReviewRoom) -> None:
        steps, canvas, panel = context.steps, context.canvas, context.panel
        aids, self._suggestions = context.feature(DrawingAidsFeature), context.feature(SuggestionsFeature)
        self._kept = QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat)
        self._split, self._canvas, self._panel = split, canvas, panel
        self._switches: Mapping[str, tuple[Callable[[], bool], Callable[[], object]]] = {
            "steps_hidden": (steps.isHidden, lambda: steps.setVisible(steps.isHidden())),
            "panel_hidden": (panel.isHidden, lambda: panel.setVisible(panel.isHidden())),
            "snap": (lambda: canvas.tools.snaps, canvas.toggle_snaps),
            "loupe": (lambda: aids.loupe.on, aids.loupe.toggle),
            "crosshair": (lambda: aids.crosshair.on, aids.crosshair.toggle),
            "minimap": (lambda: not aids.minimap.isHidden(), aids.minimap.toggle),
            "film": (lambda: not room.film.isHidden(), room.film.toggle),
        }

    def restore(self) -> None:
        """Set the window up as it was left; called once, when everything stands."""
        found = (_number(width) for width in str(self._kept.value("editor/widths") or "").split(","))
        widths = [width for width in found if width is not None]
        if len(widths) == self._split.count() and min(widths) > 0:
            self._split.setSizes([round(width) for width in widths])
        tab = str(self._kept.value("editor/tab") or "")
        # Tabs that come and go are filled by whoever opens them.
        if tab != FIRST_TAB and self._panel.is_offered(tab):
            self._panel.show_tab(tab)
        for name, (is_on, toggle) in self._switches.items():
            kept = self._kept.value(f"editor/{name}")
            if kept in {"yes", "no"} and (kept == "yes") != is_on():
                toggle()
        zoom = str(self._kept.value("editor/zoom") or _FIT)
        if zoom != _FIT and (scale := _number(zoom)) is not None and scale > 0:
            self._canvas.zoom_to(scale)
        least = _number(str(self._kept.value("editor/least_confidence")))
        if least is not None and 0 <= least <= 1:
            self._suggestions.use(replace(self._suggestions.limits, least=round(least, 2)))

    def remember(self) -> None:
        """Keep how the window is set up."""
        widths = self._split.sizes()
        if min(widths, default=0) > 0:
            self._kept.setValue("editor/widths", ",".join(map(str, widths)))
        self._kept.setValue("editor/tab", self._panel.shown_tab)
        view = self._canvas.viewport
        self._kept.setValue("editor/zoom", _FIT if view.fitted else f"{view.scale:g}")
        self._kept.setValue("editor/least_confidence", self._suggestions.limits.least)
        for name, (is_on, _) in self._switches.items():
            self._kept.setValue(f"editor/{name}", "yes" if is_on() else "no")


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class EditorPage(QWidget):
    """One open demo.

    Attributes:
        session: what is edited.
        context: what the features work with; ``context.feature(kind)`` gives one of them. Its ``commands``, ``view``,
            ``canvas``, ``steps`` and ``panel`` are here, too.
        review: strips, film and what is done to steps.
        overlay: every key.
        privacy: the review of what may be private.

    Signals:
        back_wanted: to the library.
        tour_wanted: show the hints of the first time.
        replay_wanted: this demo is to be done again on the screen.
        settings_saved: the ``Settings``, when the user changed some of them here.
    """

    back_wanted = Signal()
    tour_wanted = Signal()
    replay_wanted = Signal()
    settings_saved = Signal(object)

    def __init__(
        self,
        session: EditSession,
        *,
        pictures: ScreenshotCache,
        operations: Operations,
        services: Services,
        theme: Theme,
        messages: Messages,
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self.session = session
        keys = (*EDITOR_KEYS, *features.keys())
        keyring = KeyRing(self, (*keys, *PAGE_KEYS), own=keys, chosen=services.settings.ui.keys)
        keyring.saved.connect(self.settings_saved)
        context = self.context = EditorContext(
            self, session, keyring,
            pictures=pictures, operations=operations.of_owner(), services=services, theme=theme, messages=messages,
        )  # fmt: skip
        self.view, self.canvas, self.steps, self.panel = context.view, context.canvas, context.steps, context.panel
        self.privacy = RedactionFlow(self.context)
        self.commands = self.context.commands
        self.review = ReviewRoom(self.context)
        self._lay_out()
        # One after the other: a feature may use those before it.
        for kind in features.FEATURES:
            self.context.features[kind] = kind(self.context)
        self._bind_keys()
        self.overlay = KeyOverlay(self, lambda: [key for key in keyring.map.keys if key.in_editor])
        self._connect()
        self._read_ahead()
        self._places = Places(self.context, split=self._split, room=self.review)
        self._places.restore()
        session.refresh_labels()

    # Parts ----------------------------------------------------------------------------------------------------

    def hinted(self, name: HintName) -> QWidget | None:
        """What a hint of the tour is about; None for one that is not about the editor."""
        if name == "open":
            return None
        return {
            "slider": self.context.feature(SuggestionsFeature).row,
            "decide": self.canvas,
            "attributes": self.panel.element,
            "carry": self.context.foot,
            "approve": self.panel.review,
            "export": self.context.head.buttons["export"],
        }[name]

    def close_view(self) -> None:
        """Hand over what is being typed; then session, document and view say nothing more, and no timer runs."""
        self.view.leaving.emit()
        self._places.remember()
        self.session.close()
        self.view.close()
        self.privacy.close()
        for feature in self.context.features.values():
            feature.close_view()
        self.context.operations.end()
        for timer in self.findChildren(QTimer):
            timer.stop()

    def _lay_out(self) -> None:
        middle = QWidget()
        column(
            (self.context.middle, 1), self.context.foot_rows, self.review.film, self.context.foot, of=middle, spacing=0
        )
        split = self._split = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        for part, stretch in ((self.steps, 0), (middle, 1), (self.panel, 0)):
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, stretch)
        # Together with the panel's they fit into the narrowest window; the bars put away what they have no room for.
        self.steps.setMinimumWidth(188)
        middle.setMinimumWidth(280)
        self.context.middle.setMinimumHeight(64)
        split.setSizes([264, 1000, 344])
        column(
            self.context.head,
            self.review.strip,
            self.review.prepare,
            self.context.bars,
            (split, 1),
            self.context.status,
            of=self,
            spacing=0,
        )
        self.canvas.setFocus()

    def _bind_keys(self) -> None:
        canvas, steps = self.canvas, self.steps
        homes: dict[KeyScope, tuple[QWidget, ...]] = {
            "page": (self,), "picture": (canvas, steps), "canvas": (canvas,), "list": (steps,)
        }  # fmt: skip
        self.context.keyring.connect_keys(EDITOR_KEYS, self, homes)
        for feature in self.context.features.values():
            self.context.keyring.connect_keys(feature.KEYS, feature, homes)
        self.context.keyring.connect_buttons(self)

    def _connect(self) -> None:
        session, view, canvas, actions = self.session, self.view, self.canvas, self.commands
        view.step_changed.connect(self._read_ahead)
        session.edited.connect(self._on_edited)
        session.labels_changed.connect(self._on_labels)
        session.failed.connect(self.context.messages.show_error)
        canvas.commanded.connect(session.do)
        canvas.picked.connect(actions.picked)
        canvas.opened.connect(self.panel.element.edit_text)
        self.steps.approved.connect(actions.approve)
        self.steps.opened.connect(canvas.setFocus)
        self.steps.menu_wanted.connect(self.review.open_menu)
        head, services, run = self.context.head, self.context.services, actions.run_job
        head.task.committed.connect(lambda: self.session.do(SetTask(text=head.task.text())))
        head.buttons["find"].clicked.connect(lambda: run("find", tr("Finding elements"), services.find))
        head.buttons["write"].clicked.connect(lambda: run("write", tr("Writing rationales"), services.write))
        head.add_job(
            "replay", tr("Do it again …"), self.replay_wanted.emit,
            tip=tr("Perform this demo on the screen, step by step, and compare"), key="replay",
        )  # fmt: skip
        head.add_job("tour", tr("Show the tour"), self.tour_wanted.emit, tip=tr("The hints of the first time"))

    def look_for_private(self) -> None:
        """Look for what may be private in this demo."""
        self.view.leaving.emit()
        self.privacy.review()

    def export(self) -> None:
        """Ask about what may be private, then what to export and where to."""
        if self.context.head.buttons["export"].isEnabled():
            self.view.leaving.emit()
            self.privacy.before_export(self.context.feature(ExportFeature).ask)

    # Following ------------------------------------------------------------------------------------------------

    def _read_ahead(self) -> None:
        """Have the pictures of the steps beside this one read."""
        view, steps = self.view, self.session.document.steps
        for place in (view.index + 1, view.index - 1):
            if 0 <= place < len(steps) and (near := steps[place].before) is not None:
                self.context.pictures.frame(near.id)

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind != "done":
            show_first(self.view, edit.changes)
        before = {"done": "", "undone": tr("Undone: "), "redone": tr("Done again: ")}[kind]
        self.context.status.last.setText(f"{before}{edit.label}")

    def _on_labels(self, undo: str | None, redo: str | None) -> None:
        self.context.keyring.actions["undo"].setText(tr("Undo: {label}").format(label=undo) if undo else tr("Undo"))
        self.context.keyring.actions["redo"].setText(tr("Redo: {label}").format(label=redo) if redo else tr("Redo"))

    def next_pane(self) -> None:
        """Give the keyboard to the next part: steps, picture, panel."""
        if self.canvas.hasFocus() and self.panel.isVisible():
            self.panel.take_focus()
        else:
            (self.canvas if self.steps.hasFocus() else self.steps).setFocus(Qt.FocusReason.ShortcutFocusReason)

"""The main window: puts pages, bar and messages together; what they do is their own business."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from annotator.editing import EditSession
from annotator.tour import HintName
from annotator.ui.banner import Banner, Toast
from annotator.ui.job_runner import JobRunner
from annotator.ui.keys.binding import WindowKeys
from annotator.ui.late_pages import LatePages
from annotator.ui.library.actions import LibraryActions
from annotator.ui.library.drops import DropImports
from annotator.ui.library.page import LibraryPage
from annotator.ui.messages import Messages
from annotator.ui.monitors import monitor_at
from annotator.ui.page_stack import PageStack
from annotator.ui.pictures import Pictures
from annotator.ui.record_flow import RecordFlow
from annotator.ui.recording.control import RecordingControl
from annotator.ui.recording.desk import RecordingDesk
from annotator.ui.recording.plan import RecordingPlan
from annotator.ui.recording.start_panel import StartPanel
from annotator.ui.services import Services
from annotator.ui.take_flow import TakeFlow, take_plan
from annotator.ui.theme.manager import Theme, ThemeChoice
from annotator.ui.tour.guide import Anchor, Guide
from annotator.view_state import Side
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.settings import Settings, default_library_dir, load_settings, save_settings, settings_path
from demopack.store import Library

if TYPE_CHECKING:
    from annotator.ui.editor.page import EditorPage
    from annotator.ui.models.page import ModelsPage
    from annotator.ui.settings.page import SettingsPage

__all__ = ["MainWindow"]


class MainWindow(QMainWindow):
    """The app's window.

    Attributes:
        runner: runs everything slow.
        library_page: the first page.
        library_actions: what is done with whole demos.
        banner: where errors are shown.
        toast: where news pass.
        messages: both.
        desk: everything that is shown while something is recorded.
        recorder_bar: the floating bar among it.
        guide: the hints of the first time.

    Signals:
        page_changed: the library or an editor is shown.
    """

    page_changed = Signal()

    def __init__(self, library: Library, *, theme: Theme, services: Services) -> None:
        super().__init__()
        self.setWindowTitle("demopack")
        self._library = library
        self._theme = theme
        self._services = services
        self._places = QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat)
        self.runner = JobRunner(self)
        self._pictures = Pictures(library, self.runner, self)
        panel = StartPanel(theme, services=services, runner=self.runner, folder=library.folder)
        self.library_page = LibraryPage(self._pictures, theme, panel=panel)
        self._pages = PageStack(self.library_page)
        self._editor: EditorPage | None = None
        self.banner = Banner(theme)
        self._lay_out()
        self.toast = Toast(self._pages)
        self.messages = Messages(self.banner, self.toast)
        self._late = LatePages(
            self._pages,
            library=library,
            services=services,
            theme=theme,
            runner=self.runner,
            messages=self.messages,
            pictures=self._pictures,
        )
        calls = {"open_settings": self.open_settings, "open_models": self.open_models}
        self._keys = WindowKeys(self, calls, theme=theme, runner=self.runner, messages=self.messages)
        self._control = RecordingControl(library, self.runner, services, self)
        self.desk = RecordingDesk(self._control, theme, self._places, self)
        self.recorder_bar = self.desk.bar
        page, control, runner = self.library_page, self._control, self.runner
        self.library_actions = LibraryActions(library, page, runner=runner, messages=self.messages)
        self._drops = DropImports(
            library, page, runner=runner, messages=self.messages, done=self.library_actions.refresh
        )
        self._takes = TakeFlow(library, self.library_actions, runner=runner, messages=self.messages)
        self._flow = RecordFlow(self, control, self.desk, page, self.messages, wanted=self._wanted_now)
        self.guide = Guide(self, theme=theme, places=self._places, anchor=self._hinted, keys=self._key_of)
        self.page_changed.connect(self.guide.follow)
        self._connect()
        self.page_changed.connect(self._follow_keys)
        self._follow_keys()
        self._restore_place()
        self.library_actions.refresh()

    # Parts, for the app, its tests and its pictures -----------------------------------------------------------

    @property
    def editor(self) -> EditorPage | None:
        """The open demo's page; None while the library is shown."""
        return self._editor

    @property
    def settings_page(self) -> SettingsPage:
        """The settings; made when they are first needed."""
        return self._late.settings

    @property
    def models_page(self) -> ModelsPage:
        """The models; made when they are first needed."""
        return self._late.models

    def _lay_out(self) -> None:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self._pages, 1)
        self.setCentralWidget(whole)
        # Enlarged, the screen may have less room than that.
        room = monitor_at(self.geometry().center()).availableGeometry()
        self.setMinimumSize(min(880, room.width()), min(560, room.height()))

    def _connect(self) -> None:
        page = self.library_page
        page.open_wanted.connect(self.open_demo)
        page.settings_wanted.connect(self.open_settings)
        page.models_wanted.connect(self.open_models)
        self._keys.add(page, "library", page.calls())
        self._keys.saved.connect(self._use_settings)
        late = self._late
        late.made.connect(self._keys.add)
        late.saved.connect(self._use_settings)
        late.muted.connect(self._control.mute)
        late.left.connect(self._leave)
        late.shown.connect(self.page_changed)
        late.open_wanted.connect(self.open_demo)
        page.theme_chosen.connect(self._choose_theme)
        page.undo_wanted.connect(self.toast.act)
        self.library_actions.open_wanted.connect(self.open_demo)
        self._flow.finished.connect(self._takes.settle)
        self._takes.show_wanted.connect(self.open_demo)

    def _restore_place(self) -> None:
        saved = self._places.value("main_window")
        if saved is None or not self.restoreGeometry(saved):
            room = monitor_at(self.geometry().center()).availableGeometry()
            self.resize(min(1360, room.width() - 40), min(860, room.height() - 60))

    def offer_tour(self) -> None:
        """Show the hints of the first time, in one's own library and only once; ``guide.begin`` shows them again."""
        if self._library.folder.resolve() == default_library_dir().resolve():
            self.guide.offer()

    def start_listening(self) -> None:
        """Wait for the global record key; not before the window stands, it is not needed sooner."""
        self._control.listen()
        self.desk.tray.show()

    # Tour -----------------------------------------------------------------------------------------------------

    def _hinted(self, name: HintName) -> Anchor | None:
        """Where a hint of the tour stands; None while that cannot be seen."""
        shown, editor = self._pages.currentWidget(), self._editor
        if name == "open" and shown is self.library_page:
            return self.library_page.first_card
        found = editor.hinted(name) if editor is not None and shown is editor else None
        return None if found is None or not found.isVisible() else (found, found.rect())

    def _follow_keys(self) -> None:
        """What was chosen on another page holds on the one that is shown now."""
        chosen = self._services.settings.ui.keys
        self._keys.take(self._pages.currentWidget(), chosen)
        if self._editor is not None and self._pages.currentWidget() is self._editor:
            self._editor.desk.keyring.take(chosen)

    def _key_of(self, action: str) -> str:
        return "" if self._editor is None else self._editor.desk.keyring.text_of(action)

    # Library --------------------------------------------------------------------------------------------------

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)

        def save() -> Settings:
            settings = load_settings()
            changed = settings.model_copy(update={"ui": settings.ui.model_copy(update={"theme": choice})})
            save_settings(changed)
            return changed

        self.runner.submit(save, on_result=self._use_settings, on_error=self.messages.show_error)

    # Editor ---------------------------------------------------------------------------------------------------

    def open_demo(self, demo_id: str, number: int = 0, side: Side = "before") -> None:
        """Open a demo in the editor, at a step if one is given, counted from 1, and on that side of it."""

        def show(demo: Demo) -> None:
            view = self._show_editor(demo).view
            view.go_to(max(number - 1, 0))
            view.set_side(side)

        self.runner.newest(
            "open", lambda: self._library.demo(demo_id), on_result=show, on_error=self.messages.show_error
        )

    def _show_editor(self, demo: Demo) -> EditorPage:
        # The editor's modules are imported here: the library stands on the screen before they are needed.
        from annotator.ui.editor.page import EditorPage

        self.close_editor()
        session = EditSession(self._library, demo, self.runner)
        page = EditorPage(
            session,
            pictures=self._pictures,
            runner=self.runner,
            services=self._services,
            theme=self._theme,
            messages=self.messages,
        )
        page.back_wanted.connect(lambda: self._back())
        page.discard_wanted.connect(lambda: self._back(then=self.library_actions.delete))
        page.join_wanted.connect(lambda: self._back(then=self.library_actions.join))
        page.take_wanted.connect(self._record_take)
        page.settings_saved.connect(self._use_settings)
        page.tour_wanted.connect(self.guide.begin)
        self._keys.share(page.desk.keyring)
        self._editor = page
        self._pages.open_first(page)
        page.canvas.setFocus()
        self.setWindowTitle(tr("{value} - demopack").format(value=demo.head.task or tr("No task written"))[:120])
        self.page_changed.emit()
        return page

    def _back(self, *, then: Callable[[str], None] | None = None) -> None:
        demo_id = None if self._editor is None else self._editor.session.demo_id
        self.close_editor()
        self.library_actions.refresh(select=demo_id)
        if then is not None and demo_id is not None:
            then(demo_id)

    def _record_take(self, after: str) -> None:
        if self._editor is not None:
            self._flow.record(take_plan(self._editor.session.document.head, after))

    def _wanted_now(self) -> RecordingPlan:
        """What the global key records: the take that is being prepared, or else what stands in the start panel."""
        page = self._editor
        if page is not None and page.review.prepare.after is not None:
            return take_plan(page.session.document.head, page.review.prepare.after)
        return RecordingPlan(task=self.library_page.panel.task)

    def close_editor(self) -> None:
        """Hand over what is being typed, and show what the editor lay over."""
        if self._editor is None:
            return
        self._editor.close_view()
        self._pages.remove(self._editor)
        self._editor.deleteLater()
        self._editor = None
        self.setWindowTitle("demopack")
        self.page_changed.emit()

    # Settings -------------------------------------------------------------------------------------------------

    def open_settings(self) -> None:
        """Show the settings; what is changed there counts from the next recording on."""
        self._late.show_settings()

    def open_models(self) -> None:
        """Show the models: what is in use, training, comparing."""
        self._late.show_models()

    def _leave(self) -> None:
        self._pages.back()
        self.page_changed.emit()

    def _use_settings(self, settings: Settings) -> None:
        before = self._services.settings
        self._services.settings = settings
        self._control.use_settings(settings)
        self.library_page.panel.use_settings(settings)
        if settings.ui.theme != before.ui.theme:
            self._theme.choose(settings.ui.theme)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Qt's hook: save everything, end every thread."""
        self._places.setValue("main_window", self.saveGeometry())
        # First of all: what is waited for below must not freeze a window that somebody looks at.
        self.hide()
        self.library_actions.close()
        self.close_editor()
        self._control.close()
        self.desk.close()
        self.runner.close()
        super().closeEvent(event)

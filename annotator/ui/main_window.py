"""The main window: puts pages, bar and messages together; what they do is their own business."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSettings, QSize, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWidget

from annotator.app_desktop import needs_desktop
from annotator.editing import EditSession
from annotator.replay_words import spoken_replay_error
from annotator.ui.controls import column
from annotator.ui.keys.key import PAGE_KEYS, KeyPage
from annotator.ui.keys.ring import KeyRing, PageKeys
from annotator.ui.library.library_actions import LibraryActions
from annotator.ui.library.library_page import LibraryPage
from annotator.ui.messages import Banner, Messages, Toast
from annotator.ui.operations import Operations, Workers
from annotator.ui.recording.floating import monitor_at
from annotator.ui.recording.recording_windows import RecordingWindows
from annotator.ui.recording.recording_words import spoken_error
from annotator.ui.recording.start_panel import StartPanel
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.services import RecordingPlan, Services
from annotator.ui.theme.manager import Theme, ThemeChoice
from annotator.ui.tour_guide import Anchor, Guide, HintName
from annotator.view_state import Side
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.domain.words import shorten
from demopack.settings import Settings, default_library_dir, load_settings, save_settings, settings_path
from demopack.store import Library
from recorder.area import CaptureArea

if TYPE_CHECKING:
    from annotator.replay_run import ReplayPlan, ReplayRun, RowsOutcome
    from annotator.ui.editor.editor_page import EditorPage
    from annotator.ui.models.models_page import ModelsPage
    from annotator.ui.replay.replay_page import ReplayPage
    from annotator.ui.replay.replay_windows import ReplayWindows
    from annotator.ui.settings.settings_page import SettingsPage
    from annotator.ui.tasks.tasks_page import TasksPage
    from tasks.assignments import TaskAssignment


class PageStack(QStackedWidget):
    """A way there and back over pages; every page is on the way at most once, so that back always comes to an end."""

    def __init__(self, first: QWidget) -> None:
        super().__init__()
        self.addWidget(first)
        self._way = [first]
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    def open(self, page: QWidget) -> None:
        """Show a page over the one that is shown; what lies over it already is left."""
        if self.indexOf(page) < 0:
            self.addWidget(page)
        if page in self._way:
            del self._way[self._way.index(page) + 1 :]
        else:
            self._way.append(page)
        self.setCurrentWidget(page)

    def open_first(self, page: QWidget) -> None:
        """Show a page over the first one; all others are left."""
        del self._way[1:]
        self.open(page)

    def back(self) -> None:
        """Show what the page that is shown lies over."""
        if len(self._way) > 1:
            self._way.pop()
        self._show_last()

    def remove(self, page: QWidget) -> None:
        """Take a page out for good, wherever on the way it is."""
        if page in self._way:
            self._way.remove(page)
        self._show_last()
        self.removeWidget(page)

    def _show_last(self) -> None:
        page = self._way[-1]
        self.setCurrentWidget(page)
        self._listener(page).setFocus()

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Qt gives the focus to whatever asks for it, seen or not: a job that ends, a list that is filled."""
        shown = self.currentWidget()
        if new is None or shown is None or new.isVisible() or not self.isAncestorOf(new):
            return
        stays = old is not None and old.isVisible() and shown.isAncestorOf(old)
        (old if stays and old is not None else self._listener(shown)).setFocus()

    def _listener(self, page: QWidget) -> QWidget:
        """What had the keyboard on a page last, as far as that is seen."""
        last = cast("QWidget | None", page.focusWidget())
        return page if last is None or not last.isVisibleTo(page) else last


_TO_FRONT_DELAY_MS = 200
_FRAME = QSize(16, 40)
"""What a window manager may put around the window."""


class MainWindow(QMainWindow):
    """The app's window.

    Attributes:
        workers: the threads.
        operations: what the window and its lasting pages start on them.
        library_page: the first page.
        library_actions: what is done with whole demos.
        banner: where errors are shown.
        toast: where news pass.
        messages: both.
        desk: the recording, and everything that is shown of it.
        recorder_bar: the floating bar among it.
        guide: the hints of the first time.
    """

    def __init__(self, library: Library, *, theme: Theme, services: Services) -> None:
        super().__init__()
        self.setWindowTitle("demopack")
        self._library = library
        self._theme = theme
        self._services = services
        self._places = QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat)
        self.workers = Workers(self)
        self.operations = Operations(self.workers)
        self._pictures = ScreenshotCache(library, self.operations, self)
        panel = StartPanel(theme, services=services, operations=self.operations, folder=library.folder)
        self.library_page = LibraryPage(self._pictures, theme, panel=panel)
        self._pages = PageStack(self.library_page)
        self.editor: EditorPage | None = None
        self._assigned: TaskAssignment | None = None
        self.banner = Banner(theme)
        whole = QWidget()
        column(self.banner, (self._pages, 1), of=whole, spacing=0)
        self.setCentralWidget(whole)
        # Enlarged, the screen may have less room than that, and the frame needs some of it.
        room = monitor_at(self.geometry().center()).availableGeometry().size() - _FRAME
        self.setMinimumSize(QSize(880, 560).boundedTo(room))
        theme.style(self)
        self.toast = Toast(self._pages)
        self.messages = Messages(self.banner, self.toast)
        self.workers.failed.connect(self.messages.show_error)
        keys = [key for key in PAGE_KEYS if key.scope == "window"]
        self._keys = KeyRing(self, keys)
        self._keys.connect_keys(keys, self)
        self.desk = RecordingWindows(library, self.operations, services, theme, self._places, self)
        self.recorder_bar = self.desk.bar
        page = self.library_page
        self.library_actions = LibraryActions(library, page, operations=self.operations, messages=self.messages)
        self.guide = Guide(self, theme=theme, places=self._places, anchor=self._hinted, keys=self._key_of)
        self._connect()
        self._follow_page()
        saved = self._places.value("main_window")
        if saved is None or not self.restoreGeometry(saved):
            self.resize(QSize(1360, 860).boundedTo(room))
        self.library_actions.refresh()

    # Parts, for the app, its tests and its pictures -----------------------------------------------------------

    @cached_property
    def settings_page(self) -> SettingsPage:
        """The settings; made when they are first needed, for the sake of a quick start."""
        from annotator.ui.settings.settings_page import SettingsPage

        page = SettingsPage(
            self._theme, operations=self.operations, taken=self._services.key_taken, mute=self.desk.mute
        )
        self._add_page("settings", page)
        return page

    @cached_property
    def models_page(self) -> ModelsPage:
        """The models: what is in use, training, comparing; made when they are first needed."""
        from annotator.ui.models.models_page import ModelsPage

        page = ModelsPage(
            self._theme,
            library=self._library,
            services=self._services,
            operations=self.operations,
            messages=self.messages,
            pictures=self._pictures,
        )
        page.open_wanted.connect(self.open_demo)
        self._add_page("models", page)
        return page

    @cached_property
    def tasks_page(self) -> TasksPage:
        """The task bank; made when it is first needed."""
        from annotator.ui.tasks.tasks_page import TasksPage

        page = TasksPage(
            self._theme,
            library=self._library,
            services=self._services,
            operations=self.operations,
            messages=self.messages,
        )
        page.open_wanted.connect(self.open_demo)
        page.record_wanted.connect(self._record_assigned)
        page.back_wanted.connect(self._leave)
        self._pages.addWidget(page)
        self._add_keys(page, "tasks")
        return page

    @cached_property
    def replay_page(self) -> ReplayPage:
        """A demo done again: what it does before, what came of it; made when it is first needed."""
        from annotator.ui.replay.replay_page import ReplayPage

        page = ReplayPage(self._pictures, self.operations, self._theme)
        page.back_wanted.connect(self._leave)
        page.consent.start_wanted.connect(self._replay)
        page.result.again_wanted.connect(self.ask_to_replay)
        page.result.open_wanted.connect(self.open_demo)
        page.result.rows_wanted.connect(self._replay)
        self._pages.addWidget(page)
        return page

    @cached_property
    def replaying(self) -> ReplayWindows:
        """The replay, and its bar; made when they are first needed."""
        from annotator.ui.replay.replay_windows import ReplayWindows

        made = ReplayWindows(self._library, self.operations, self._services, self._theme, self)
        made.finished.connect(self._on_replayed)
        made.failed.connect(self._on_not_replayed)
        return made

    def _add_page(self, name: KeyPage, page: SettingsPage | ModelsPage) -> None:
        page.saved.connect(self._use_settings)
        page.back_wanted.connect(self._leave)
        self._pages.addWidget(page)
        self._add_keys(page, name)

    def _add_keys(self, page: QWidget, name: KeyPage) -> None:
        keys = PageKeys(page, name, shared=self._keys.actions, theme=self._theme, operations=self.operations)
        keys.saved.connect(self._use_settings)

    def _connect(self) -> None:
        page = self.library_page
        self._add_keys(page, "library")
        page.bar.theme_chosen.connect(self._choose_theme)
        page.undo_wanted.connect(self.toast.act)
        self.library_actions.open_wanted.connect(self.open_demo)
        self.library_actions.replay_wanted.connect(self.ask_to_replay)
        page.panel.start_wanted.connect(self._record)
        self.desk.started.connect(page.panel.clear)
        self.desk.finished.connect(self._on_recorded)
        self.desk.failed.connect(self._on_not_recorded)
        self.desk.record_wanted.connect(self._record_now)
        self.desk.window_wanted.connect(self._come_up)

    def offer_tour(self) -> None:
        """Show the hints of the first time, in one's own library and only once; ``guide.begin`` shows them again."""
        if self._library.folder.resolve() == default_library_dir().resolve():
            self.guide.offer()

    def start_listening(self) -> None:
        """Wait for the global record key; not before the window stands, it is not needed sooner."""
        self.desk.listen()
        self.desk.tray.show()

    # Tour -----------------------------------------------------------------------------------------------------

    def _hinted(self, name: HintName) -> Anchor | None:
        """Where a hint of the tour stands; None while that cannot be seen."""
        shown, editor = self._pages.currentWidget(), self.editor
        if name == "open" and shown is self.library_page:
            return self.library_page.first_card
        found = editor.hinted(name) if editor is not None and shown is editor else None
        return None if found is None or not found.isVisible() else (found, found.rect())

    def _follow_page(self) -> None:
        """Another page is shown: keys that were chosen elsewhere hold there, and the tour stands beside what it has."""
        self.guide.follow()
        page = self._pages.currentWidget()
        ring = None if page is None else page.findChild(KeyRing)
        if isinstance(ring, KeyRing):
            ring.take(self._services.settings.ui.keys)

    def _key_of(self, action: str) -> str:
        return "" if self.editor is None else self.editor.context.keyring.text_of(action)

    # Library --------------------------------------------------------------------------------------------------

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)

        def save() -> Settings:
            settings = load_settings()
            changed = settings.model_copy(update={"ui": settings.ui.model_copy(update={"theme": choice})})
            save_settings(changed)
            return changed

        self.operations.start(save, on_result=self._use_settings, lane="library")

    # Editor ---------------------------------------------------------------------------------------------------

    def open_demo(self, demo_id: str, number: int = 0, side: Side = "before") -> None:
        """Open a demo in the editor, at a step if one is given, counted from 1, and on that side of it."""

        def show(demo: Demo) -> None:
            view = self._show_editor(demo).view
            view.go_to(max(number - 1, 0))
            view.set_side(side)

        self.operations.start(lambda: self._library.demo(demo_id), on_result=show, lane="library", newest="open")

    def _show_editor(self, demo: Demo) -> EditorPage:
        # The editor's modules are imported here: the library stands on the screen before they are needed.
        from annotator.ui.editor.editor_page import EditorPage

        self.close_editor()
        session = EditSession(self._library, demo, self.workers)
        page = EditorPage(
            session,
            pictures=self._pictures,
            operations=self.operations,
            services=self._services,
            theme=self._theme,
            messages=self.messages,
        )
        page.back_wanted.connect(lambda: self._back())
        page.review.strip.discard_wanted.connect(lambda: self._back(then=self.library_actions.delete))
        page.review.join_wanted.connect(lambda: self._back(then=self.library_actions.join))
        page.review.take_wanted.connect(self._record_take)
        page.settings_saved.connect(self._use_settings)
        page.tour_wanted.connect(self.guide.begin)
        page.replay_wanted.connect(self._ask_about_open_demo)
        page.context.keyring.adopt(self._keys.actions)
        self.editor = page
        self._pages.open_first(page)
        page.canvas.setFocus()
        session.document.head_changed.connect(lambda: self._show_title(session.document.head.task))
        self._show_title(demo.head.task)
        self._follow_page()
        return page

    def _show_title(self, task: str) -> None:
        self.setWindowTitle(tr("{value} - demopack").format(value=shorten(task, 100) or tr("No task written")))

    def _back(self, *, then: Callable[[str], None] | None = None) -> None:
        demo_id = None if self.editor is None else self.editor.session.demo_id
        self.close_editor()
        self.library_actions.refresh(select=demo_id)
        if then is not None and demo_id is not None:
            then(demo_id)

    def _record_take(self, after: str) -> None:
        """Record the demo again after one of its steps: the same task, the same part of the screen."""
        if self.editor is not None:
            head = self.editor.session.document.head
            area = CaptureArea.parse(head.area)
            self._record(RecordingPlan(task=head.task, app=head.app, area=area, take_of=head.id, take_after=after))

    def close_editor(self) -> None:
        """Hand over what is being typed, and show what the editor lay over."""
        if self.editor is None:
            return
        self.editor.close_view()
        self._pages.remove(self.editor)
        self.editor.deleteLater()
        self.editor = None
        self.setWindowTitle("demopack")
        self._follow_page()

    # Replay: the window steps aside, and comes back -------------------------------------------------------------

    def ask_to_replay(self, demo_id: str) -> None:
        """Show what a demo does, to be read before it is done again."""

        def show(demo: Demo) -> None:
            key = self._services.settings.recorder.hotkeys.abort_replay
            self._pages.open(self.replay_page)
            self.replay_page.show_demo(demo, abort_key=key)
            self._follow_page()

        # In the line behind the edits that are still being written.
        self.operations.start(lambda: self._library.demo(demo_id), on_result=show, lane="library", newest="open")

    def _ask_about_open_demo(self) -> None:
        if self.editor is not None:
            self.editor.context.leave()
            self.ask_to_replay(self.editor.session.demo_id)

    def _replay(self, plan: ReplayPlan) -> None:
        """Do a demo again; the window is out of the way before the first picture is taken."""
        if self.desk.active or self.replaying.active:
            return
        if not needs_desktop():  # there it cannot begin, and who is minimised comes back by a person alone
            self.showMinimized()
        self.replaying.begin(plan)

    def _on_replayed(self, outcome: ReplayRun | RowsOutcome) -> None:
        from annotator.replay_run import ReplayRun

        self._come_up()
        self._pages.open(self.replay_page)
        self.replay_page.show_outcome(outcome)
        if isinstance(outcome, ReplayRun) and outcome.proof is not None:
            self.library_actions.refresh()
            self._read_again(outcome.demo.head.id)

    def _read_again(self, demo_id: str) -> None:
        """The open demo got a mark outside the editor, which has to know of it before the next edit."""
        editor = self.editor
        if editor is None or editor.session.demo_id != demo_id:
            return
        number = editor.view.index + 1

        def show(demo: Demo) -> None:
            if self.editor is not editor:
                return
            self._show_editor(demo).view.go_to(number - 1)
            self._pages.open(self.replay_page)
            self.replay_page.result.steps.setFocus()
            self._follow_page()

        self.operations.start(lambda: self._library.demo(demo_id), on_result=show, lane="library", newest="open")

    def _on_not_replayed(self, error: Exception | None) -> None:
        self._come_up()
        if error is not None:
            self.messages.show_error(spoken_error(spoken_replay_error(error)))

    # Recording: the window steps aside, and comes back --------------------------------------------------------

    def _record(self, plan: RecordingPlan) -> None:
        """Record; the window is out of the way before the first picture is taken, where it would be on it."""
        if self._is_replaying:
            return
        self.library_page.show_deleted(deleted=False)
        self.library_page.panel.set_starting(starting=True)
        self.library_page.set_recording(recording=True)
        if needs_desktop():
            self.hide()  # what is minimised there can be brought back by its person alone
        else:
            self.showMinimized()
        self.desk.begin(plan)

    def _record_now(self) -> None:
        """The global key, or Record in the tray: the take that is being prepared, or what stands in the start panel."""
        if self.desk.active or self._is_replaying:
            return
        after = None if self.editor is None else self.editor.review.prepare.after
        if after is None:
            self._record(RecordingPlan(task=self.library_page.panel.task))
        else:
            self._record_take(after)

    @property
    def _is_replaying(self) -> bool:
        return "replaying" in self.__dict__ and self.replaying.active

    def _come_up(self) -> None:
        """Show the window in front of all others."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        # Once more when the window manager has brought it back; before that it takes no notice.
        self._to_front()
        QTimer.singleShot(_TO_FRONT_DELAY_MS, self, self._to_front)

    def _to_front(self) -> None:
        self.raise_()
        self.activateWindow()

    def _come_back(self) -> None:
        self.desk.end()
        self.library_page.set_recording(recording=False)
        self._come_up()

    def _record_assigned(self, given: TaskAssignment) -> None:
        """Record a task of the bank; its document is open already."""
        from annotator.task_words import spoken_task

        if self.desk.active or self._is_replaying:
            return
        task = given.task
        made = task.instantiation
        words = (made.request if made is not None else "") or task.task
        self._assigned = given
        document = "" if given.document is None else given.document.name
        saved = tr("Document: {name}. Save it before you stop.").format(name=document)
        note = saved if document else spoken_task(given.why)
        self._record(RecordingPlan(task=words, app=task.app, steps=task.plan, note=note))

    def _on_recorded(self, demo_id: str) -> None:
        self._come_back()
        given, self._assigned = self._assigned, None
        if given is None:
            self.library_actions.settle(demo_id)
            return
        self.library_actions.refresh(select=demo_id)

        def ask(demo: Demo) -> None:
            self._pages.open(self.tasks_page)
            steps = sum(step.action.action_type != "finish_goal" for step in demo.steps)
            self.tasks_page.ask_about(given, demo_id, steps)
            self._follow_page()

        self.operations.start(lambda: self._library.demo(demo_id), on_result=ask, lane="library")

    def _on_not_recorded(self, error: Exception) -> None:
        self._come_back()
        self._assigned = None
        self.messages.show_error(spoken_error(error))

    # Settings -------------------------------------------------------------------------------------------------

    def open_settings(self) -> None:
        """Show the settings."""
        self.settings_page.read()
        self._pages.open(self.settings_page)
        self.settings_page.search.setFocus()
        self._follow_page()

    def open_models(self) -> None:
        """Show the models: what is in use, training, comparing."""
        self._pages.open(self.models_page)
        self.models_page.open()
        self._follow_page()

    def open_tasks(self) -> None:
        """Show the task bank."""
        self._pages.open(self.tasks_page)
        self.tasks_page.open()
        self._follow_page()

    def _leave(self) -> None:
        self._pages.back()
        self._follow_page()

    def _use_settings(self, settings: Settings) -> None:
        before = self._services.settings
        self._services.settings = settings
        self.desk.use_settings(settings)
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
        self.desk.close()
        if "replaying" in self.__dict__:
            self.replaying.close()
        if "tasks_page" in self.__dict__:
            self.tasks_page.detail.flush()
        self.workers.close()
        if "tasks_page" in self.__dict__:
            self.tasks_page.close_bank()
        super().closeEvent(event)

"""The trees of windows: what is asked, what is not, when it is asked again, and what of it may be stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from demopack.domain.geometry import Point, Rect
from demopack.domain.trees import TextLine, TreeNode, WindowTree
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import GestureThresholds
from demopack.settings import PrivacySettings
from recorder.backends.atspi import window_trees
from recorder.backends.atspi.budget import MOST_S, TREE_SHARES, Budget
from recorder.backends.atspi.element_queries import ROOT_PATH, refs_of
from recorder.backends.atspi.tree_nodes import scaled_around_pages
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import KnownFieldGaps, SecureWatch
from recorder.backends.atspi.window_trees import TreeThread
from recorder.backends.base import AccessSource, SeenWindow, WindowReading
from recorder.backends.element_history import BoxHistory
from recorder.privacy.filter import PrivacyFilter
from tests.support.notation import parse_events
from tests.support.telling_program import (
    APP,
    BUTTON,
    CELL,
    EDITABLE,
    EXPANDABLE,
    EXPANDED,
    FRAME,
    LAYERED,
    MANAGES,
    MENU,
    PANEL,
    PASSWORD,
    PROCESS,
    SECTION,
    SHOWING,
    TABLE,
    TEXT,
    UNKNOWN,
    Part,
    TellingProgram,
    queries,
    ref,
)
from tests.unit.test_guard import CARD, draft, guarded, run, secure_guard

WINDOW = SeenWindow(title="Notes", app="notes", box=Rect(0, 0, 300, 200), process=PROCESS)


def notes(**more: Part) -> TellingProgram:
    inside = ("/save", "/name", *more)
    return TellingProgram({
        ROOT_PATH: Part(75, ("/window",)),
        "/window": Part(FRAME, inside, box=(0, 0, 300, 200), name="Notes"),
        "/save": Part(BUTTON, name="Save", box=(10, 10, 50, 20)),
        "/name": Part(TEXT, states=SHOWING | EDITABLE, name="Name", text="Ada", placeholder="Your name"),
        **more,
    })  # fmt: skip


@pytest.fixture
def made() -> Iterator[Callable[[TellingProgram], TreeThread]]:
    threads: list[TreeThread] = []

    def make(program: TellingProgram) -> TreeThread:
        walker, budget = Walker(queries(program)), Budget(program.times_late)
        watch = SecureWatch(walker, budget, boxes=BoxHistory(), gaps=KnownFieldGaps(), on_look=lambda _: None)
        threads.append(TreeThread(walker, budget, watch=watch))
        threads[-1].start()
        return threads[-1]

    yield make
    for thread in threads:
        thread.stop()


def look(thread: TreeThread, window: SeenWindow = WINDOW, *changed: Rect) -> tuple[WindowReading, ...]:
    """Have a window read; ``changed``: where its pixels changed."""
    thread.look([window], changed=[changed])
    assert thread.wait_idle(20)
    return thread.before(1 << 62)


def test_a_window_is_told_with_what_it_shows_and_nothing_of_what_it_hides(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    program = notes(**{"/gone": Part(PANEL, ("/inside",), states=0), "/inside": Part(BUTTON)})
    (reading,) = look(made(program))
    tree = reading.tree
    assert (tree.app, tree.title, tree.box, tree.complete) == ("notes", "Notes", WINDOW.box, True)
    assert [(n.role, n.name, n.parent) for n in tree.nodes] == [
        ("frame", "Notes", None), ("push button", "Save", 0), ("text", "Name", 0), ("push button", "/inside", 0),
    ]  # fmt: skip
    assert (tree.nodes[2].value, tree.nodes[2].placeholder) == ("Ada", "Your name")
    assert tree.nodes[1].box == Rect(10, 10, 60, 30)
    assert ("/gone", "Get") not in program.asked
    assert not program.asked["/gone", "GetChildren"]
    assert 0 < reading.started_ns <= reading.ended_ns


def test_a_window_that_did_not_change_is_not_read_again(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    thread = made(program)
    first = look(thread)
    read = program.asked["/save", "GetExtents"]
    assert look(thread) == first
    assert program.asked["/save", "GetExtents"] == read
    look(thread, WINDOW, Rect(20, 20, 22, 22))
    assert program.asked["/save", "GetExtents"] == read + 1, "its pixels changed"
    thread.note(ref("/save"), first[0].ended_ns + 1)
    assert thread.news_ns > first[0].ended_ns
    look(thread)
    assert program.asked["/save", "GetExtents"] == read + 2, "the program told of a change"
    look(thread, WINDOW.model_copy(update={"box": Rect(5, 5, 305, 205)}))
    assert program.asked["/save", "GetExtents"] == read + 3, "it was moved"


def test_what_is_told_from_the_corner_of_its_window_though_it_begins_below_the_menu_bar_is_put_there(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    """As LibreOffice tells it: its own parts 25 too high, a name box of GTK among them where it is."""
    program = TellingProgram({
        ROOT_PATH: Part(75, ("/window",)),
        "/window": Part(FRAME, ("/bar", "/body"), box=(0, 0, 300, 200), name="Notes"),
        "/bar": Part(BUTTON, box=(0, 0, 40, 25)),
        "/body": Part(PANEL, ("/pane",), box=(0, 25, 300, 175)),
        "/pane": Part(46, ("/frame", "/sheet"), box=(0, 0, 300, 175)),
        "/frame": Part(PANEL, ("/widget",), box=(0, 10, 160, 34)),
        "/widget": Part(PANEL, ("/place",), box=(0, 35, 160, 33)),
        "/place": Part(TEXT, states=SHOWING | EDITABLE, box=(0, 35, 126, 33), text="A1"),
        "/sheet": Part(TABLE, ("/cell",), SHOWING | MANAGES, count=1 << 20, box=(0, 50, 300, 125), under="/cell"),
        "/cell": Part(CELL, box=(0, 50, 80, 17), parent="/sheet"),
        "/other": Part(CELL, box=(80, 50, 80, 17), parent="/sheet"),
    })  # fmt: skip
    thread = made(program)
    asker = thread._asker
    assert asker.boxes([ref("/cell")], timeout_s=1) == [Rect(0, 50, 80, 67)], "nobody knows yet"
    (reading,) = look(thread)
    places = {node.name: node.box for node in reading.tree.nodes if node.box is not None}
    assert places == {
        "Notes": Rect(0, 0, 300, 200), "/bar": Rect(0, 0, 40, 25), "/body": Rect(0, 25, 300, 200),
        "/pane": Rect(0, 25, 300, 200), "/frame": Rect(0, 35, 160, 69), "/widget": Rect(0, 35, 160, 68),
        "/place": Rect(0, 35, 126, 68), "/sheet": Rect(0, 75, 300, 200), "/cell": Rect(0, 75, 80, 92),
    }  # fmt: skip
    told = asker.describe(ref("/other"), timeout_s=1)
    assert told is not None
    assert told.box == Rect(80, 75, 160, 92), "a cell that nobody has seen lies where its table does"
    assert asker.child_at(ref("/sheet"), Point(5, 80), timeout_s=1) == ref("/cell")
    assert asker.child_at(ref("/body"), Point(5, 190), timeout_s=1) == ref("/pane"), "below where it is told"
    changed = Rect(0, 80, 10, 90)
    (again,) = look(thread, WINDOW, changed)
    assert again.tree.nodes == reading.tree.nodes, "what is kept is moved once"
    for path in ("/pane", "/frame", "/sheet", "/cell", "/other"):
        x, y, *size = program.parts[path].box
        program.parts[path].box = (x + 9, y + 26, size[0], size[1])
    told = asker.describe(ref("/other"), timeout_s=1)
    assert told is not None
    assert told.box == Rect(80, 75, 160, 92), "it tells another place whenever it has heard of the pointer"
    (again,) = look(thread, WINDOW, Rect(200, 30, 201, 31))
    assert again.tree.nodes == reading.tree.nodes


@pytest.mark.parametrize("pane", [(0, 25, 300, 175), (0, 0, 300, 170)])
def test_a_root_pane_that_fills_what_it_lies_in_or_is_of_another_size_stays_where_it_is_told(
    made: Callable[[TellingProgram], TreeThread], pane: tuple[int, int, int, int]
) -> None:
    program = notes(**{
        "/body": Part(PANEL, ("/pane",), box=(0, 25, 300, 175)),
        "/pane": Part(46, ("/in",), box=pane),
        "/in": Part(BUTTON, box=(5, 30, 20, 10)),
    })  # fmt: skip
    (reading,) = look(made(program))
    assert next(node.box for node in reading.tree.nodes if node.name == "/in") == Rect(5, 30, 25, 40)


def test_a_title_bar_is_read_with_its_window_whether_the_program_tells_anything_or_not() -> None:
    program = notes()
    walker, budget = Walker(queries(program)), Budget(program.times_late)
    watch = SecureWatch(walker, budget, boxes=BoxHistory(), gaps=KnownFieldGaps(), on_look=lambda _: None)
    silent = SeenWindow(title="Plot", app="plot", box=Rect(0, 200, 300, 400), process=PROCESS + 1, number=9)

    def told(window: SeenWindow) -> WindowTree | None:
        bar = TreeNode(role="title bar", box=Rect(0, 180, 300, 200))
        return WindowTree(app=window.app, title=window.title, box=bar.box, nodes=(bar,)) if window.number else None

    thread = TreeThread(walker, budget, watch=watch, title_bar=told)
    thread.start()
    try:
        thread.look([silent, WINDOW], changed=[(), ()])
        assert thread.wait_idle(20)
        trees = [one.tree for one in thread.before(1 << 62)]
    finally:
        thread.stop()
    assert [(tree.app, tree.is_title_bar, bool(tree.nodes)) for tree in trees] == [
        ("plot", True, True), ("plot", False, False), ("notes", False, True),
    ]  # fmt: skip


@pytest.mark.parametrize("toolkit", ["Qt", "gtk"])
@pytest.mark.parametrize("within", ["/save", ROOT_PATH], ids=["of a button", "of its own"])
def test_a_menu_that_its_program_never_names_is_found_by_what_has_the_input_in_it(toolkit: str, within: str) -> None:
    program = notes()
    program.toolkit = toolkit
    program.parts |= {
        "/menu": Part(MENU, ("/cut", "/copy"), box=(100, 100, 80, 60), parent=within),
        "/cut": Part(BUTTON, name="Cut", box=(100, 100, 80, 30)),
        "/copy": Part(BUTTON, name="Copy", box=(100, 130, 80, 30)),
    }
    walker, budget = Walker(queries(program)), Budget(program.times_late)
    watch = SecureWatch(walker, budget, boxes=BoxHistory(), gaps=KnownFieldGaps(), on_look=lambda _: None)
    has_input = ["/name"]
    menu = SeenWindow(title="", app="notes", box=Rect(100, 100, 180, 160), process=PROCESS, number=9)

    def names(*stack: SeenWindow) -> list[list[str]]:
        thread.look(stack, changed=[None] * len(stack))
        assert thread.wait_idle(20)
        return [[node.name for node in one.tree.nodes] for one in thread.before(1 << 62)]

    thread = TreeThread(walker, budget, watch=watch, focused=lambda: ref(has_input[0]))
    thread.start()
    try:
        assert names(WINDOW) == [["Notes", "Save", "Name"]]
        assert not program.asked["/name", "Parent"], "each of its windows is known"
        assert names(menu, WINDOW)[0] == [], "nothing in it has the input yet"
        has_input[0] = "/copy"
        # GTK tells what a menu holds in the tree of the window that it belongs to.
        expected = [] if toolkit == "gtk" and within == "/save" else ["/menu", "Cut", "Copy"]
        assert names(menu, WINDOW) == [expected, ["Notes", "Save", "Name"]]
        has_input[0] = "/name"
        assert names(menu, WINDOW)[0] == expected, "the pointer left it"
    finally:
        thread.stop()


@pytest.mark.parametrize("others", [(), ("/hidden", "/other")], ids=["one window", "windows that nobody sees"])
def test_a_menu_that_its_program_told_to_have_shown_is_read_before_anything_in_it_has_the_input(
    made: Callable[[TellingProgram], TreeThread], others: tuple[str, ...]
) -> None:
    program = notes()
    program.parts[ROOT_PATH].children += others
    program.parts |= {path: Part(FRAME, box=(2000, 2000, 50, 20), name="Other") for path in others}
    program.parts |= {
        "/menu": Part(MENU, ("/cut",), box=(100, 100, 80, 60), parent=ROOT_PATH),
        "/cut": Part(BUTTON, name="Cut", box=(100, 100, 80, 30)),
    }
    thread = made(program)
    menu = SeenWindow(title="", app="notes", box=Rect(100, 100, 180, 160), process=PROCESS, number=9)
    for path in ("/gone", "/menu", "/save"):
        thread.appeared(ref(path))
    thread.look([menu, WINDOW], changed=[None, None])
    assert thread.wait_idle(20)
    told = [[node.name for node in one.tree.nodes] for one in thread.before(1 << 62)]
    assert told == [["/menu", "Cut"], ["Notes", "Save", "Name"]]


def test_what_pops_up_with_the_title_of_a_hidden_window_is_not_that_window(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    program = notes()
    popup = SeenWindow(title="Notes", app="notes", box=Rect(100, 100, 180, 160), process=PROCESS, number=9)
    dialog = SeenWindow(title="Find", app="notes", box=Rect(0, 0, 300, 300), process=PROCESS, number=8)
    program.parts[ROOT_PATH].children = ("/window", "/find")
    program.parts["/find"] = Part(FRAME, box=(0, 0, 300, 300), name="Find")
    thread = made(program)
    thread.look([popup, dialog], changed=[None, None])
    assert thread.wait_idle(20)
    told = [[node.name for node in one.tree.nodes] for one in thread.before(1 << 62)]
    assert told == [[], ["Find"]]


def test_what_nobody_can_understand_costs_one_window_its_tree_and_no_other() -> None:
    program = notes()
    program.parts["/name"].box = ("left", 10, 50, 20)  # type: ignore[assignment]
    walker, budget = Walker(queries(program)), Budget(program.times_late)
    watch = SecureWatch(walker, budget, boxes=BoxHistory(), gaps=KnownFieldGaps(), on_look=lambda _: None)
    odd = SeenWindow(title="Plot", app="plot", box=Rect(0, 200, 300, 400), process=PROCESS + 1, number=9)

    def bar(window: SeenWindow) -> WindowTree | None:
        if window is odd:
            raise ValueError("no window manager says so")
        return WindowTree(app="notes", title="bar", nodes=(TreeNode(role="title bar"),))

    thread = TreeThread(walker, budget, watch=watch, title_bar=bar)
    thread.start()
    try:
        broken = look(thread, odd) + look(thread)
        program.parts["/name"].box = (10, 50, 50, 20)
        mended = look(thread, WINDOW, Rect(0, 0, 300, 200))
    finally:
        thread.stop()
    assert [(one.tree.title, bool(one.tree.nodes)) for one in broken] == [
        ("Plot", False), ("bar", True), ("Notes", False),
    ]  # fmt: skip
    assert [(one.tree.title, bool(one.tree.nodes)) for one in mended] == [("bar", True), ("Notes", True)]


def test_a_tree_that_was_cut_off_is_gone_on_with_where_it_ended(
    made: Callable[[TellingProgram], TreeThread], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_trees, "_WINDOW_S", -1.0)  # the time is over after each level
    program = notes(**{"/pane": Part(PANEL, ("/deep",), box=(0, 100, 300, 90)), "/deep": Part(BUTTON, name="Deep")})
    program.parts["/window"].children = ("/save", "/pane")
    program.parts["/deep"].box = (0, 110, 50, 20)
    thread = made(program)
    (first,) = look(thread)
    assert ([node.name for node in first.tree.nodes], first.tree.complete) == (["Notes", "Save", "/pane"], False)
    assert thread.can_go_on
    (second,) = look(thread)
    assert [node.name for node in second.tree.nodes] == ["Notes", "Save", "/pane", "Deep"]
    assert program.asked["/save", "GetExtents"] == 1, "what was read is not asked again"
    (third,) = look(thread)
    assert third.tree.complete
    assert not thread.can_go_on
    assert look(thread) == (third,)


def test_a_window_that_was_put_off_is_read_as_soon_as_its_program_may_be_asked_again() -> None:
    program, now = notes(), [0.0]
    walker = Walker(queries(program))
    budget = Budget(program.times_late, lambda: now[0], shares=TREE_SHARES, keeps_debts=True)
    watch = SecureWatch(walker, budget, boxes=BoxHistory(), gaps=KnownFieldGaps(), on_look=lambda _: None)
    thread = TreeThread(walker, budget, watch=watch)
    thread.start()
    try:
        look(thread)
        budget.spend(ref("/save").bus, 2 * MOST_S)
        program.parts["/save"].name = "Send"
        (old,) = look(thread, WINDOW, Rect(10, 10, 60, 30))
        assert [node.name for node in old.tree.nodes][1] == "Save"
        assert not thread.can_go_on
        now[0] += 60
        assert thread.can_go_on
        (new,) = look(thread)
        assert [node.name for node in new.tree.nodes][1] == "Send", "what changed meanwhile is not forgotten"
        assert not thread.can_go_on
    finally:
        thread.stop()


def test_only_what_changed_is_asked_again(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes(**{"/pane": Part(PANEL, ("/deep",), box=(0, 100, 300, 90)), "/deep": Part(BUTTON, name="Deep")})
    program.parts["/window"].children = ("/save", "/name", "/pane")
    program.parts["/name"].box = (10, 50, 100, 20)
    program.parts["/deep"].box = (0, 110, 50, 20)
    thread = made(program)
    (first,) = look(thread)
    program.parts["/name"].text = "Zoë"
    program.asked.clear()
    (second,) = look(thread, WINDOW, Rect(20, 55, 40, 60))
    assert [node.value for node in second.tree.nodes] == ["", "", "Zoë", "", ""]
    assert [node.name for node in second.tree.nodes] == [node.name for node in first.tree.nodes]
    assert {path for path, _ in program.asked} - {ROOT_PATH} == {"/window", "/name"}
    program.parts["/pane"].children = ("/deep", "/new")
    program.parts["/new"] = Part(BUTTON, name="New", box=(100, 110, 50, 20))
    program.asked.clear()
    (third,) = look(thread, WINDOW, Rect(105, 112, 120, 125))
    assert [node.name for node in third.tree.nodes][-2:] == ["Deep", "New"], "it came where nothing was"
    assert "/deep" not in {path for path, _ in program.asked}
    program.parts["/pane"].children = ("/new",)
    (fourth,) = look(thread, WINDOW, Rect(5, 112, 20, 125))
    assert [node.name for node in fourth.tree.nodes][-1:] == ["New"], "it went"
    assert "Deep" not in [node.name for node in fourth.tree.nodes]


def test_a_row_that_was_opened_is_asked_again_though_only_the_sign_before_it_changed(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    rows = {
        "/fruit": Part(CELL, states=SHOWING | EXPANDABLE, box=(40, 40, 60, 20)),
        "/nuts": Part(CELL, states=SHOWING | EXPANDABLE, box=(40, 60, 60, 20)),
    }
    program = notes(**{"/tree": Part(PANEL, ("/fruit", "/nuts"), box=(0, 40, 300, 100)), **rows})
    program.parts["/window"].children = ("/save", "/tree")
    thread = made(program)
    look(thread)
    program.parts["/fruit"].states |= EXPANDED
    program.asked.clear()
    (reading,) = look(thread, WINDOW, Rect(8, 45, 18, 55))
    assert {node.name for node in reading.tree.nodes if "expanded" in node.states} == {"/fruit"}
    assert "/nuts" not in {path for path, _ in program.asked}


def test_what_was_scrolled_into_sight_is_asked_again_though_nothing_changed_where_it_was(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    page = {"/page": Part(PANEL, ("/field", "/send"), box=(0, -50, 300, 300)), "/field": Part(BUTTON)}
    program = notes(**{"/view": Part(PANEL, ("/page",), box=(0, 40, 300, 100)), **page, "/send": Part(BUTTON)})
    program.parts["/window"].children = ("/save", "/view")
    program.parts["/field"].box, program.parts["/send"].box = (0, 60, 50, 20), (0, 170, 50, 20)
    thread = made(program)
    look(thread)
    program.parts["/field"].box, program.parts["/send"].box = (0, 20, 50, 20), (0, 100, 50, 20)
    program.parts["/page"].box = (0, -90, 300, 300)
    program.asked.clear()
    (reading,) = look(thread, WINDOW, Rect(0, 60, 60, 130))
    assert {node.name: node.box for node in reading.tree.nodes}["/send"] == Rect(0, 100, 50, 120)
    assert "/save" not in {path for path, _ in program.asked}


def test_changes_of_a_look_that_was_never_made_count(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    thread = made(program)
    look(thread)
    program.parts["/save"].name = "Store"
    held = threading.Event()

    def wait() -> None:
        held.wait(20)

    program.on_ask = wait
    thread.look([WINDOW], changed=[[]])
    thread.look([WINDOW], changed=[[Rect(20, 20, 22, 22)]])
    thread.look([WINDOW], changed=[[]])
    held.set()
    assert thread.wait_idle(20)
    assert [node.name for node in thread.before(1 << 62)[0].tree.nodes] == ["Notes", "Store", "Name"]


def test_a_secure_field_is_asked_for_its_name_and_place_alone(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes(**{"/door": Part(PASSWORD, ("/dots",), text="hunter2", name="Password"), "/dots": Part(TEXT)})
    program.parts["/window"].children = ("/door",)
    (reading,) = look(made(program))
    (_, field) = reading.tree.nodes
    assert (field.role, field.name, field.value, field.secure) == ("password text", "Password", "", True)
    assert {member for path, member in program.asked if path == "/door"} == {
        "GetState",
        "GetRole",
        "Name",
        "GetExtents",
    }


def test_what_is_within_itself_is_read_once_and_names_have_an_end(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes(**{"/loop": Part(PANEL, ("/window", "/loop", "/deep"), name="x" * 9_999), "/deep": Part(BUTTON)})
    program.parts["/deep"].children = ("/loop",)
    (reading,) = look(made(program))
    assert [node.name[:9] for node in reading.tree.nodes] == ["Notes", "Save", "Name", "x" * 9, "/deep"]
    assert len(reading.tree.nodes[3].name) < 2_000


def test_a_program_that_tells_of_too_many_changes_is_read_anew(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    thread = made(program)
    look(thread)
    for number in range(5_000):
        thread.note(ref(f"/gone{number}"), number)
    assert sum(map(len, thread._told.values())) < 5_000
    program.parts["/save"].name = "Store"
    assert look(thread)[0].tree.nodes[1].name == "Store", "it may be any of those that were told"


def test_places_where_nobody_can_be_asked_are_none() -> None:
    told = [(":1.7", "/a"), ("", "/a"), ("no name", "/a"), (":1.7", "no path"), (":1.7", "/a/"), ("x" * 300, "/a")]
    assert refs_of((told,)) == [ref("/a")], "a question to any other would end the connection"
    assert refs_of(([(1, 2, 3), "text", (7, "/a")],)) == []


@pytest.mark.parametrize("states", [SHOWING, SHOWING | MANAGES])
def test_a_table_of_a_million_cells_is_never_walked(made: Callable[[TellingProgram], TreeThread], states: int) -> None:
    cell = Part(56, name="A1", box=(0, 0, 50, 20))
    table = Part(TABLE, states=states, count=1_000_000, under="/cell", box=(0, 0, 200, 100))
    program = notes(**{"/table": table})
    program.parts["/cell"] = cell
    (reading,) = look(made(program))
    told = [node for node in reading.tree.nodes if node.role == "table"]
    assert len(told) == 1
    assert told[0].unread >= 999_000, "and it says so"
    assert program.calls() < 500
    sampled = any(node.name == "A1" for node in reading.tree.nodes)
    assert sampled is bool(states & MANAGES), "what makes its cells up as they are asked for is asked by place"


def test_the_headers_of_a_tree_that_are_its_first_children_are_told(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    tree = Part(65, ("/name", "/size"), states=SHOWING | MANAGES, count=1_000_000, box=(0, 0, 200, 100), columns=2)
    program = notes(**{"/files": tree})
    program.parts |= {"/name": Part(57, name="Name"), "/size": Part(57, name="Size")}
    (reading,) = look(made(program))
    assert [node.name for node in reading.tree.nodes if node.role == "table column header"] == ["Name", "Size"]
    assert program.asked["/files", "GetChildren"] == 0


def test_the_headers_of_a_table_without_a_row_are_told(made: Callable[[TellingProgram], TreeThread]) -> None:
    """Qt tells the header of a column only by way of a cell below it; the corner stands before the headers."""
    under = ("/corner", "/name", "/size")
    table = Part(TABLE, under, states=SHOWING | MANAGES, count=3, rows=1, box=(0, 0, 200, 100), columns=2)
    program = notes(**{"/files": table})
    program.parts |= {"/corner": Part(67), "/name": Part(57, name="Name"), "/size": Part(57, name="Size")}
    (reading,) = look(made(program))
    assert [node.name for node in reading.tree.nodes if node.role == "table column header"] == ["Name", "Size"]


def test_qt_is_not_asked_for_headers_above_the_rows_of_a_list_without_any(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    """It complains in its program's own log."""
    tree = Part(65, ("/name",), states=SHOWING | MANAGES, rows=0, box=(0, 0, 200, 100), columns=1)
    program = notes(**{"/files": tree})
    program.parts |= {"/name": Part(57, name="Name")}
    program.toolkit = "Qt 6.4"
    (reading,) = look(made(program))
    assert [node.name for node in reading.tree.nodes if node.role == "table column header"] == ["Name"]
    assert program.asked["/files", "GetColumnHeader"] == 0


def test_the_rows_of_a_list_that_was_scrolled_are_told_where_its_headers_cover_the_first(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    rows = {f"/row{n}": Part(56, name=f"Row {n}", box=(0, 6 + 24 * n, 200, 24)) for n in range(3)}
    table = Part(TABLE, tuple(rows), states=SHOWING | MANAGES, count=400, rows=400, box=(0, 0, 200, 90), covered=20)
    program = notes(**{"/files": table})
    program.parts |= rows
    (reading,) = look(made(program))
    told = [node.name for node in reading.tree.nodes if node.role == "table cell"]
    assert told == ["Row 1", "Row 2"]


@pytest.mark.parametrize(("role", "most"), [(TABLE, 500), (98, 100)], ids=["boxes that flow", "a list of rows"])
def test_what_makes_up_its_parts_but_has_no_rows_is_not_asked_place_by_place(
    made: Callable[[TellingProgram], TreeThread], role: int, most: int
) -> None:
    tools = {f"/tool{n}": Part(BUTTON, name=f"Tool {n}", box=(10 * n, 0, 10, 10)) for n in range(5)}
    flow = Part(role, tuple(tools), states=SHOWING | MANAGES, box=(0, 0, 200, 90))
    program = notes(**{"/flow": flow})
    program.parts |= tools
    (reading,) = look(made(program))
    assert [node.name for node in reading.tree.nodes][-5:] == [f"Tool {n}" for n in range(5)]
    assert "GetAccessibleAtPoint" not in program.members()
    flow.count = most + 1
    (reading,) = look(made(program))
    assert "GetAccessibleAtPoint" in program.members()


def test_rows_that_come_below_the_last_are_told_and_what_changes_in_a_row_asks_for_no_other(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    rows = {f"/row{n}": Part(CELL, name=f"Row {n}", box=(30, 2 + 24 * n, 100, 20)) for n in range(6)}
    table = Part(TABLE, tuple(rows)[:5], states=SHOWING | MANAGES, count=400, rows=400, box=(0, 0, 200, 190), covered=1)
    program = notes(**{"/files": table})
    program.parts |= rows
    thread = made(program)
    look(thread)
    program.parts["/row1"].name = "First"
    program.asked.clear()
    (reading,) = look(thread, WINDOW, Rect(2, 25, 180, 48))
    assert [node.name for node in reading.tree.nodes if node.role == "table cell"] == [
        "Row 0", "First", "Row 2", "Row 3", "Row 4"
    ]  # fmt: skip
    assert "GetAccessibleAtPoint" not in program.members()
    table.children = tuple(rows)
    (reading,) = look(thread, WINDOW, Rect(35, 124, 80, 138))
    assert [node.name for node in reading.tree.nodes if node.role == "table cell"][-2:] == ["Row 4", "Row 5"]


def test_a_program_that_was_asked_enough_is_left_alone(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    thread = made(program)
    (first,) = look(thread)
    asked = program.asked["/save", "GetExtents"]
    thread._budget.spend(APP, 10 * MOST_S)
    assert look(thread, WINDOW, Rect(20, 20, 22, 22)) == (first,), "what was read last is still what is known"
    assert program.asked["/save", "GetExtents"] == asked


def test_a_silent_program_has_a_window_without_nodes(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    program.silent = True
    (reading,) = look(made(program))
    assert (reading.tree.nodes, reading.tree.complete, reading.tree.title) == ((), False, "Notes")


def test_a_tree_of_which_something_was_not_told_in_time_is_not_whole_and_is_read_again(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    program = notes()
    thread = made(program)

    def stalls() -> None:
        program.silent = ("/save", "GetRole") in program.asked and program.unanswered < 2

    program.on_ask = stalls
    (part,) = look(thread)
    assert not part.tree.complete
    assert program.unanswered == 2
    program.silent = False
    (whole,) = look(thread)
    assert whole.tree.complete
    assert len(whole.tree.nodes) > len(part.tree.nodes)


# What may be stored ---------------------------------------------------------------------------------------------------


def tree_of(*nodes: TreeNode, **fields: object) -> WindowTree:
    top = TreeNode(role="frame", name="Notes", box=Rect(0, 0, 300, 200))
    return WindowTree.model_validate(
        {"app": "notes", "title": "Notes", "box": Rect(0, 0, 300, 200), "nodes": (top, *nodes), **fields}
    )


def cleaned(guard: PrivacyFilter, tree: WindowTree, *, covered: tuple[Rect, ...] = ()) -> WindowTree:
    (click,) = reduce_all(parse_events("(30,30) L"), GestureThresholds())
    return guard.clean_tree(tree, covered=covered, pending=draft(click))


def test_what_was_typed_as_a_secret_is_told_by_no_node() -> None:
    guard = secure_guard()
    assert run(guard, '"Hunter2!"') == ["<secret:master_password>"]
    said = "it is Hunter2! now"
    node = TreeNode(
        parent=0, role="label", name=said, description=said, value=said, placeholder=said, keys=said,
        lines=(TextLine(text=said),), box=Rect(0, 0, 9, 9),
    )  # fmt: skip
    tree = cleaned(guard, tree_of(node, title=said))
    assert "Hunter2" not in tree.model_dump_json()
    assert tree.nodes[1].name == "it is <secret:master_password> now" == tree.title


def test_nodes_under_paint_and_in_blocked_regions_say_nothing_but_their_role() -> None:
    guard = PrivacyFilter(PrivacySettings(blocked_regions=((100, 0, 200, 50),)), access=AccessSource())
    nodes = [
        TreeNode(parent=0, role="label", name="under paint", box=Rect(0, 100, 50, 120)),
        TreeNode(parent=0, role="label", name="in the region", box=Rect(110, 10, 150, 30)),
        TreeNode(parent=0, role="label", name="nobody knows where"),
        TreeNode(parent=0, role="label", name="beside", box=Rect(0, 0, 50, 20)),
    ]
    tree = cleaned(guard, tree_of(*nodes), covered=(Rect(0, 95, 60, 130),))
    assert [node.name for node in tree.nodes[1:]] == ["", "", "", "beside"]
    assert {node.role for node in tree.nodes[1:]} == {"label"}


def test_what_is_painted_over_in_part_tells_no_content_and_what_paint_only_touches_keeps_its_name() -> None:
    nodes = [
        TreeNode(parent=0, role="text", name="Notes", value="all lines", lines=(TextLine(text="one"),),
                 box=Rect(0, 0, 200, 200)),
        TreeNode(parent=1, role="paragraph", name="the line that is covered, and others", box=Rect(0, 60, 200, 160)),
        TreeNode(parent=1, role="paragraph", name="another", box=Rect(0, 10, 200, 50)),
        TreeNode(parent=0, role="label", name="Key", box=Rect(200, 100, 240, 120)),
    ]  # fmt: skip
    tree = cleaned(guarded(None), tree_of(*nodes), covered=(Rect(20, 100, 205, 120),))
    told = [(node.name, node.value, node.lines) for node in tree.nodes[1:]]
    assert told == [("Notes", "", ()), ("", "", ()), ("another", "", ()), ("Key", "", ())]


def test_a_window_that_is_blocked_by_its_title_now_tells_nothing_of_what_was_read_before() -> None:
    guard = PrivacyFilter(PrivacySettings(blocked_titles=("notes",)), access=AccessSource())
    tree = cleaned(guard, tree_of(TreeNode(parent=0, role="label", name="anything", box=Rect(0, 0, 9, 9))))
    assert (tree.nodes, tree.title, tree.app) == ((), "", "")


def test_a_secure_field_never_has_a_value_whatever_its_program_told() -> None:
    field = TreeNode(parent=0, role="password text", name="PIN", value=CARD, secure=True, lines=(TextLine(text=CARD),))
    tree = cleaned(guarded(None), tree_of(field))
    assert CARD not in tree.model_dump_json()
    assert tree.nodes[1].name == "PIN"


def test_an_element_that_says_not_what_it_is_is_asked_for_text_only_where_it_holds_some(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    """GTK complains in its program's own log where it is asked for more than an element has."""
    program = notes(**{"/drawn": Part(UNKNOWN, name="Drawn"), "/page": Part(UNKNOWN, name="Page", text="One")})
    thread = made(program)
    (reading,) = look(thread)
    assert [node.value for node in reading.tree.nodes][-2:] == ["", "One"]
    assert not program.asked["/drawn", "CharacterCount"]
    look(thread, WINDOW, Rect(0, 0, 300, 200))
    assert program.asked["/drawn", "GetInterfaces"] == 1, "once is enough"


@pytest.mark.parametrize(("role", "asked"), [(TABLE, 1), (LAYERED, 0)], ids=["table", "icons"])
def test_only_what_has_rows_is_asked_for_their_number(
    made: Callable[[TellingProgram], TreeThread], role: int, asked: int
) -> None:
    many = Part(role, (), states=SHOWING | MANAGES, box=(0, 0, 300, 200), count=5000)
    program = notes(**{"/many": many})
    look(made(program))
    assert program.asked["/many", "NRows"] == asked


def test_a_program_that_begins_to_tell_is_heard_in_the_next_look(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    program.parts[ROOT_PATH].children = ()
    thread = made(program)
    (silent,) = look(thread)
    assert not silent.tree.nodes
    program.parts[ROOT_PATH].children = ("/window",)
    (telling,) = look(thread)
    assert telling.tree.nodes


def test_a_window_that_is_another_element_now_is_looked_up_again(made: Callable[[TellingProgram], TreeThread]) -> None:
    program = notes()
    thread = made(program)
    look(thread)
    program.parts["/other"] = program.parts.pop("/window")
    program.parts[ROOT_PATH].children = ("/other",)
    (gone,) = look(thread, WINDOW, Rect(0, 0, 300, 200))
    assert not gone.tree.nodes
    assert thread.can_go_on, "it is to be read soon"
    (again,) = look(thread)
    assert [node.role for node in again.tree.nodes][:1] == ["frame"]
    assert not thread.can_go_on


def test_a_part_of_a_page_that_can_be_clicked_is_told_from_what_it_lies_in(
    made: Callable[[TellingProgram], TreeThread],
) -> None:
    program = notes(**{
        "/save": Part(SECTION, action="click"), "/name": Part(SECTION, action="clickAncestor"),
        "/inside": Part(BUTTON, action="click"),
    })  # fmt: skip
    (reading,) = look(made(program))
    assert {node.name: "clickable" in node.states for node in reading.tree.nodes[1:3]} == {
        "/save": True,
        "/name": False,
    }
    assert not program.asked["/inside", "GetName"], "its role says so"


class TestBrowsersOnScaledDesktops:
    """Chromium tells its pages in pixels, and its own buttons in units of the desktop."""

    def nodes(self, *page: int, holder: tuple[int, ...]) -> list[TreeNode]:
        """As Chromium 143 told them: what holds a page has one more panel in it, which has no place."""

        def node(role: str, parent: int | None, *box: int) -> TreeNode:
            return TreeNode(role=role, parent=parent, box=Rect(*box) if box else None)

        button = Rect(*page).moved(10, 10).corners
        return [
            node("frame", None, 10, 10, 350, 300),
            node("push button", 0, 20, 12, 30, 22),
            node("panel", 0, *holder),
            node("panel", 2),
            node("document web", 3, *page),
            node("push button", 4, *button),
        ]

    @pytest.mark.parametrize(
        ("holder", "page", "button"),
        [
            ((10, 10, 350, 300), (20, 20, 700, 600), Rect(40, 24, 60, 44)),
            ((34, 183, 626, 435), (68, 366, 1252, 870), Rect(40, 24, 60, 44)),
            ((34, 182, 626, 435), (41, 228, 784, 545), Rect(25, 15, 38, 28)),
        ],
        ids=["a page in a frame of the window manager's", "below a tool bar", "at 1.25, where everything is rounded"],
    )
    def test_what_is_around_the_page_is_turned_into_pixels(
        self, holder: tuple[int, ...], page: tuple[int, ...], button: Rect
    ) -> None:
        nodes = self.nodes(*page, holder=holder)
        found = scaled_around_pages(nodes)
        assert found[1].box == button
        assert [node.box for node in found[3:]] == [node.box for node in nodes[3:]]

    @pytest.mark.parametrize(
        ("holder", "page"),
        [
            ((10, 60, 350, 300), (10, 60, 350, 300)),
            ((10, 60, 350, 300), (20, 60, 700, 300)),
            ((10, 60, 350, 300), (300, 120, 980, 600)),
            ((), (20, 20, 700, 600)),
        ],
        ids=["as large", "as high", "elsewhere", "without a place around it"],
    )
    def test_what_does_not_fit_the_page_stays(self, holder: tuple[int, ...], page: tuple[int, ...]) -> None:
        nodes = self.nodes(*page, holder=holder)
        nodes[0] = nodes[0].but(box=None)
        assert scaled_around_pages(nodes) == nodes

"""Whether what has the focus is what had it in the recording: programs, titles, elements."""

from __future__ import annotations

import pytest

from demopack.domain.actions import ActionTarget, ClickAction
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, Pointer, Step, WindowInfo
from demopack.domain.trees import TreeReading, WindowTree
from player.focus_match import element_agrees, is_mistaken, takes_no_text, window_agrees
from player.step_runner import foreign_at, other_title_at
from recorder.backends.base import DesktopWindows


def window(title: str, app: str) -> WindowInfo:
    return WindowInfo(title=title, app=app)


@pytest.mark.parametrize(
    ("recorded", "live", "wanted"),
    [
        (("Untitled 1 - Pluma", "pluma"), ("*Untitled 1 - Pluma", "Pluma"), "same"),
        (("notes.txt (~/work) - gedit", "gedit"), ("● notes.txt (~/work) - gedit", "org.gnome.gedit"), "same"),
        (("notes.txt - Editor", "gedit"), ("notes.txt - saved - Editor", "gedit"), "same"),
        # The name of a document and a count alone: the picture has to say so too.
        (("Inbox (3) - Mail", "thunderbird"), ("Inbox (5) - Mail", "thunderbird"), "renamed"),
        (("*Untitled 1 - Pluma", "pluma"), ("notes.txt (~/work) - Pluma", "pluma"), "renamed"),
        # One word is enough to make it another window.
        (("Deploy to staging", "zenity"), ("Deploy to production", "zenity"), "unlike"),
        (("Search", "zenity"), ("Search and destroy", "zenity"), "unlike"),
        (("Delete a.txt?", "zenity"), ("Open a.txt?", "zenity"), "unlike"),
        (("Server 12", "zenity"), ("Server 13", "zenity"), "unlike"),
        (("Deploy to staging", ""), ("Deploy to production", ""), "other"),
        (("Login page - Chromium", "chromium"), ("Login page - Chromium", "chromium-browser"), "same"),
        (("", "xterm"), ("anything", "xterm"), "same"),
        (("Target", ""), ("Target", "python3"), "same"),
        # The program's own name in both titles is no likeness.
        (("Login page - Chromium", "chromium"), ("Gmail - Chromium", "chromium"), "unlike"),
        (("Untitled 1 - Pluma", "pluma"), ("Save As", "pluma"), "unlike"),
        (("pluma", "pluma"), ("Save As", "pluma"), "unlike"),
        # Another program is another program, whatever it calls its window.
        (("Target", "target_app.py"), ("Target", "xterm"), "other"),
        (("Notes", "term"), ("Notes", "xterm"), "other"),
        (("Target", ""), ("Run a command", "gmrun"), "other"),
    ],
)
def test_windows_agree_by_program_and_title(recorded: tuple[str, str], live: tuple[str, str], wanted: str) -> None:
    assert window_agrees(window(*recorded), window(*live)) == wanted


def test_a_side_that_does_not_tell_says_nothing() -> None:
    assert window_agrees(None, window("Target", "t")) == "unknown"
    assert window_agrees(window("Target", "t"), None) == "unknown"
    assert window_agrees(WindowInfo(), window("Target", "t")) == "unknown"


def element(role: str, name: str = "", *, secure: bool = False) -> AccessibleElement:
    return AccessibleElement(role=role, name=name, secure=secure)


@pytest.mark.parametrize(
    ("recorded", "live", "wanted"),
    [
        (element("entry", "Name"), element("entry", "Name:"), "same"),
        (element("text"), element("text"), "unknown"),
        (element("entry", "Name"), element("entry", "Address"), "other"),
        (element("entry", "Name"), element("push button", "Name"), "other"),
        (element("table cell", "A1"), element("table cell", "A2"), "other"),
        (element("entry", "Password for staging"), element("entry", "Password for testing"), "other"),
        (element("text", "Key"), element("text", "Key", secure=True), "other"),
        (element("text"), element("text", "Command"), "other"),
    ],
)
def test_elements_agree_by_role_and_label(recorded: AccessibleElement, live: AccessibleElement, wanted: str) -> None:
    assert element_agrees(recorded, live) == wanted
    assert element_agrees(None, live) == element_agrees(recorded, None) == "unknown"


@pytest.mark.parametrize(
    ("box", "size", "wanted"),
    [
        (Rect(310, 220, 400, 240), (200, 100), "same"),
        (Rect(310, 260, 400, 280), (200, 100), "other"),  # the field below
        (Rect(310, 220, 500, 240), (300, 100), "same"),  # a wider window
        (Rect(320, 245, 480, 275), (400, 200), "same"),  # everything twice as large
        (Rect(310, 330, 400, 350), (200, 200), "other"),
    ],
)
def test_fields_without_a_label_are_told_by_their_place_in_the_window(
    box: Rect, size: tuple[int, int], wanted: str
) -> None:
    there, here = Rect(0, 0, 200, 100), Rect(300, 200, 300 + size[0], 200 + size[1])
    windows = (WindowInfo(title="Form", box=there), WindowInfo(title="Form", box=here))
    field = AccessibleElement(role="text", box=Rect(10, 20, 100, 40))
    assert element_agrees(field, field.model_copy(update={"box": box}), windows=windows) == wanted


def test_a_labelled_field_elsewhere_has_moved_or_is_another_one() -> None:
    windows = (WindowInfo(title="Form", box=Rect(0, 0, 200, 100)),) * 2
    field = AccessibleElement(role="entry", name="Name", box=Rect(10, 20, 100, 40), states=("editable",))
    button = AccessibleElement(role="push button", name="Edit", box=Rect(10, 20, 100, 40))
    below = {"box": Rect(10, 60, 100, 80)}
    assert element_agrees(field, field.model_copy(update=below), windows=windows) == "moved"
    assert element_agrees(button, button.model_copy(update=below), windows=windows) == "moved"
    nameless = {"name": ""}
    assert (
        element_agrees(
            field.model_copy(update=nameless), field.model_copy(update={**nameless, **below}), windows=windows
        )
        == "other"
    )


def test_a_row_of_suggestions_is_not_where_text_was_typed() -> None:
    row, entry = element("table cell", "lib/"), element("text").model_copy(update={"states": ("editable",)})
    assert is_mistaken(row, entry)
    assert not is_mistaken(entry, row)
    assert not is_mistaken(entry, entry)
    assert not is_mistaken(row, entry.model_copy(update={"secure": True}))


def test_while_text_is_typed_only_what_takes_no_text_or_hides_it_ends_it() -> None:
    cell = element("table cell", "A1")
    assert not takes_no_text(element("paragraph", "A1"), instead_of=cell)
    assert takes_no_text(element("push button", "Delete"), instead_of=cell)
    assert takes_no_text(element("password text", secure=True), instead_of=cell)


def click_in(window: WindowInfo, *then: WindowInfo) -> tuple[Step, dict[str, WindowTree]]:
    """A click at (90, 130) in a window, with the trees of what could be seen then, topmost first."""
    step = Step(
        id="b" * 32,
        position=0,
        action=ClickAction(target=ActionTarget(text="Yes")),
        before=Frame(id="a" * 64, width=400, height=400),
        pointer=Pointer(x=90, y=130),
        window=window,
        trees=tuple(TreeReading(tree=str(n), started_ns=0, ended_ns=1) for n in range(len(then))),
    )
    return step, {str(n): WindowTree(app=one.app, title=one.title, box=one.box) for n, one in enumerate(then)}


KEEP = WindowInfo(title="Keep", app="zenity", box=Rect(0, 0, 400, 400))
DELETE = KEEP.but(title="Delete")
MENU = KEEP.but(title="Zenity", box=Rect(40, 20, 200, 300))
NAMED_MENU = MENU.but(title="win0")
TERMINAL = WindowInfo(title="~", app="xterm", box=Rect(400, 0, 600, 400))


@pytest.mark.parametrize(
    ("then", "now", "active", "is_other"),
    [
        pytest.param([KEEP], [KEEP], KEEP, False, id="the window itself"),
        pytest.param([KEEP], [DELETE], DELETE, True, id="another dialog"),
        pytest.param([KEEP], [DELETE], TERMINAL, True, id="another dialog, without the input"),
        pytest.param([], [DELETE], TERMINAL, True, id="another dialog, and no tree was told"),
        pytest.param([DELETE, KEEP], [DELETE], DELETE, False, id="what lay there then"),
        pytest.param([], [MENU, KEEP], KEEP, False, id="a menu that is called as its program"),
        pytest.param([], [NAMED_MENU, KEEP], KEEP, False, id="a menu with a title, while its window has the input"),
        pytest.param([NAMED_MENU, KEEP], [NAMED_MENU, KEEP], NAMED_MENU, False, id="a menu that was open then"),
    ],
)
def test_a_window_of_another_title_is_not_clicked(
    then: list[WindowInfo], now: list[WindowInfo], active: WindowInfo, is_other: bool
) -> None:
    step, trees = click_in(KEEP, *then)
    found = other_title_at(Point(90, 130), DesktopWindows(active=active, stack=tuple(now)), step=step, trees=trees)
    assert (found is not None) is is_other


SHEET = WindowInfo(title="a.ods - LibreOffice Calc", app="libreoffice-calc", box=Rect(0, 0, 400, 400))
OPEN_MENU = WindowInfo(title="LibreOffice 7.4", app="Soffice", box=Rect(40, 20, 200, 300))


@pytest.mark.parametrize(
    ("then", "now", "is_foreign"),
    [
        pytest.param([SHEET], [SHEET], False, id="the window itself"),
        pytest.param([OPEN_MENU, SHEET], [OPEN_MENU, SHEET], False, id="a menu under another name that was open then"),
        pytest.param([SHEET], [OPEN_MENU, SHEET], True, id="a menu that was not open then"),
        pytest.param([SHEET, OPEN_MENU], [OPEN_MENU, SHEET], True, id="what lay beneath the window then"),
        pytest.param([OPEN_MENU, SHEET], [WindowInfo(app="xterm", box=SHEET.box), SHEET], True, id="another program"),
        pytest.param([WindowInfo(box=SHEET.box), SHEET], [OPEN_MENU, SHEET], True, id="a window without a name then"),
    ],
)
def test_another_program_lies_over_a_target_where_it_did_not_in_the_recording(
    then: list[WindowInfo], now: list[WindowInfo], is_foreign: bool
) -> None:
    step, trees = click_in(SHEET, *then)
    assert (foreign_at(Point(90, 130), now, step=step, trees=trees) is not None) is is_foreign

"""What real programs of three toolkits tell: what has the input, what lies under the pointer, where secrets are."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from demopack.domain.trees import TreeNode
from demopack.replacing import scratch_folder
from demopack_cli.quickstart.practice import PracticeApp
from recorder.backends import open_access, open_screen, open_windows
from recorder.backends.base import AccessSource, SeenWindow
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import LOGIN_PAGE, DesktopProgram, chromium, until, xdotool, zenity

pytestmark = pytest.mark.e2e

_GTK_WINDOW = Path(__file__).parents[1] / "support" / "gtk_window.py"
_FORMS = ("--forms", "--text", "Who are you?", "--add-entry=User", "--add-password=Password")


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=1100, height=800) as started:
        assert started.has_access
        yield started


def test_a_living_desktop_keeps_its_folder_and_its_addresses_are_short(desktop: PrivateDesktop) -> None:
    folder = Path(desktop.environment()["XDG_RUNTIME_DIR"])
    with scratch_folder(folder.parent) as other:
        assert folder.name.split(".")[1::2] == other.name.split(".")[1::2] == ["demopack", "demopack"]
        sockets = [path for path in folder.rglob("*") if path.is_socket()]
        assert folder / "bus" in sockets
        assert max(len(os.fsencode(path)) for path in sockets) < 80, "an address has room for 107 bytes"


@pytest.fixture
def access(desktop: PrivateDesktop) -> Iterator[AccessSource]:
    source = open_access(desktop.name)
    source.start()
    yield source
    source.stop()
    source.stop()


def keep_up(access: AccessSource) -> None:
    """Wait until all programs have told what they had to tell: a busy machine takes its time, and that is said."""
    until(lambda: access.catch_up(timeout_s=1), "a program does not answer")


def focus(access: AccessSource, role: str, name: str | None = None) -> AccessibleElement:
    """The element that has the input, as soon as it is this one."""
    found: list[AccessibleElement | None] = []

    def fits() -> bool:
        access.catch_up(timeout_s=1)
        found.append(access.focused(time.monotonic_ns()))
        element = found[-1]
        return element is not None and element.role == role and name in {None, element.name}

    until(fits, f"no {role} {name}: {found[-1:]}")
    assert found[-1] is not None
    return found[-1]


def pictures_of_typing(desktop: PrivateDesktop, access: AccessSource, text: str) -> Rect:
    """Type and give the smallest box around all pixels that have changed."""
    # A pointer that rests on a button shows its tip, which goes away when somebody types.
    xdotool(desktop, "mousemove", "1", "1")
    screen = open_screen(desktop.name)
    before: RgbImage = screen.grab().image.copy()
    same = 0

    def at_rest() -> bool:
        nonlocal before, same
        now = screen.grab().image
        same = same + 1 if np.array_equal(now, before) else 0
        before = now.copy()
        return same >= 5

    until(at_rest, "the screen never comes to rest")
    xdotool(desktop, "type", text)
    changed: list[Rect] = []

    def seen() -> bool:
        rows, columns = np.nonzero((screen.grab().image != before).any(axis=2))
        if rows.size:
            changed.append(Rect(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1))
        # The caret and six dots.
        return bool(changed) and changed[-1].width > 20

    until(seen, "nothing was typed")
    keep_up(access)
    screen.close()
    return changed[-1]


def typed_secret_is_in_its_box(desktop: PrivateDesktop, access: AccessSource, field: AccessibleElement) -> None:
    """Type into the secure field that has the input: it is known as one, and its box holds every changed pixel."""
    started = time.monotonic_ns()
    changed = pictures_of_typing(desktop, access, "Gh7kqz")
    ended = time.monotonic_ns()
    assert access.secure_boxes(started, ended) == (field.box,)
    assert field.box is not None
    assert field.box.encloses(changed)
    assert field.box.height < 60
    secure = access.secure_between(started, ended)
    assert secure is not None
    assert (secure.role, secure.value, secure.secure) == ("password text", "", True)
    assert access.text_change(started, ended) is None


def pointed(access: AccessSource, box: Rect | None) -> AccessibleElement:
    """What lies in the middle of a box, as soon as its program says anything of it."""
    assert box is not None
    at, found = box.center, list[AccessibleElement]()

    def told() -> bool:
        access.ask(at.x, at.y)
        asked = time.monotonic_ns()
        answer = access.pointed(at.x, at.y, asked) if access.catch_up(timeout_s=2) else None
        found.extend([] if answer is None else [answer])
        return bool(found)

    until(told, f"nothing is told of {box}")
    return found[-1]


def test_qt(desktop: PrivateDesktop, access: AccessSource, tmp_path: Path) -> None:
    with PracticeApp(tmp_path, environment=desktop.environment()) as app:
        name = focus(access, "text", "Name")
        assert (name.app, name.value, name.box) == ("practice", "", app.where("name"))
        assert "focused" in name.states
        started = time.monotonic_ns()
        pictures_of_typing(desktop, access, "Ada Lovelace")
        until(lambda: _caught_up(access, started) == ("", "Ada Lovelace"), "the text was not read")
        xdotool(desktop, "key", "Tab", "Tab")
        password = focus(access, "password text", "Password")
        assert password.box == app.where("password")
        typed_secret_is_in_its_box(desktop, access, password)
        assert access.secure_between(started, started + 1) is None
        area = pointed(access, app.where("notes"))
        assert (area.role, area.name) == ("text", "Notes"), "not the part of it that scrolls"
        box = pointed(access, app.where("newsletter"))
        assert (box.role, box.name, "checked" in box.states) == ("check box", "Send me the newsletter", False)
        assert box.box is not None
        assert app.where("newsletter").encloses(box.box)
        # What is scrolled away is not shown elsewhere; what is scrolled is followed.
        middle = app.where("form").center
        xdotool(desktop, "mousemove", str(middle.x), str(middle.y), "click", "--repeat", "2", "5")
        until(lambda: app.sees("submit"), "not scrolled")
        place = app.where("password") if app.sees("password") else None
        until(lambda: _boxes(access) == ((place,) if place else ()), f"{_boxes(access)}, not {place}")


def _caught_up(access: AccessSource, started: int) -> tuple[str, str] | None:
    keep_up(access)
    return access.text_change(started, time.monotonic_ns())


def _boxes(access: AccessSource) -> tuple[Rect, ...]:
    keep_up(access)
    now = time.monotonic_ns()
    return access.secure_boxes(now, now)


def test_qt_menu(desktop: PrivateDesktop, access: AccessSource, tmp_path: Path) -> None:
    with PracticeApp(tmp_path, environment=desktop.environment()) as app:
        focus(access, "text", "Name")
        place = app.where("menu:Form").center
        xdotool(desktop, "mousemove", str(place.x), str(place.y), "click", "1")
        entry = app.where("menu:Form:Mark as urgent")
        found = pointed(access, entry)
        assert (found.role, found.name, found.box) == ("menu item", "Mark as urgent", entry)


def test_gtk(desktop: PrivateDesktop, access: AccessSource) -> None:
    with zenity(desktop, *_FORMS, title="Sign in"):
        user = focus(access, "text")
        (secret,) = _boxes(access)
        assert not secret.intersection(user.box or secret)
        found = pointed(access, secret)
        assert (found.role, found.secure, found.app) == ("password text", True, "zenity")
        xdotool(desktop, "key", "Tab")
        typed_secret_is_in_its_box(desktop, access, focus(access, "password text"))
        xdotool(desktop, "key", "Tab")
        cancel = focus(access, "push button", "Cancel")
        assert pointed(access, cancel.box) == cancel
    # The window is gone, and so is the field.
    until(lambda: _boxes(access) == (), "the field is still there")


@pytest.mark.parametrize("scale", ["1", "2"])
def test_gtk_with_its_own_title_bar(desktop: PrivateDesktop, access: AccessSource, scale: str) -> None:
    environment = {"GDK_SCALE": scale}
    command = (sys.executable, str(_GTK_WINDOW), "Own bar")
    with DesktopProgram(desktop, *command, window="Own bar", environment=environment):
        focus(access, "text")
        xdotool(desktop, "key", "Tab")
        focus(access, "password text")
        changed = pictures_of_typing(desktop, access, "Gh7kqz")
        (secret,) = _boxes(access)
        assert secret.encloses(changed)
        assert secret.height < 45 * int(scale)
        found = pointed(access, secret)
        assert found.secure


def test_chromium(desktop: PrivateDesktop, access: AccessSource, tmp_path: Path) -> None:
    page = tmp_path / "login.html"
    page.write_text(LOGIN_PAGE, encoding="utf-8")
    with chromium(desktop, page, title="Login page", profile=tmp_path / "profile"):
        user = focus(access, "entry", "User")
        assert user.box is not None
        started = time.monotonic_ns()
        changed = pictures_of_typing(desktop, access, "Ada L")
        assert user.box.encloses(changed)
        until(lambda: _caught_up(access, started) == ("", "Ada L"), "the text was not read")
        xdotool(desktop, "key", "Tab")
        password = focus(access, "password text", "Password")
        typed_secret_is_in_its_box(desktop, access, password)
        assert pointed(access, password.box) == password
        xdotool(desktop, "key", "Tab")
        sign_in = focus(access, "push button", "Sign in")
        assert pointed(access, sign_in.box) == sign_in
        # The second secure field comes up from below the fold, the first one leaves.
        xdotool(desktop, "key", "End")
        until(lambda: _boxes(access) != (password.box,) and len(_boxes(access)) == 1, "the page was not followed")


def test_a_list_with_room_below_tells_its_rows_and_the_headers_of_its_columns(
    desktop: PrivateDesktop, access: AccessSource
) -> None:
    windows = open_windows(desktop.name)
    told: dict[str, TreeNode] = {}

    def is_told() -> bool:
        stack = [window for window in windows.read().stack if isinstance(window, SeenWindow)]
        told.update((node.name, node) for one in access.trees_now(stack, timeout_s=5) for node in one.tree.nodes)
        return "Pears" in told

    lists = ("--list", "--text", "Which one?", "--height=500", "--column=Fruit", "--column=Price")
    try:
        with zenity(desktop, *lists, "Apples", "2.40", "Pears", "3.10", title="Fruit"):
            until(is_told, "no row is told")
    finally:
        windows.close()
    assert {name: told[name].role for name in ("Apples", "2.40", "Pears", "3.10")} == dict.fromkeys(
        ("Apples", "2.40", "Pears", "3.10"), "table cell"
    )
    heads = [told[name] for name in ("Fruit", "Price")]
    assert [head.role for head in heads] == ["table column header"] * 2
    first = told["Apples"].box
    assert first is not None
    assert all(head.box is not None and head.box.y2 <= first.y1 + 2 for head in heads)

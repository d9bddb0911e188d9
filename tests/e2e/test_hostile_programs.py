"""Programs whose accessibility tree is an attack: others are known as before, and nobody's memory grows."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from demopack.domain.trees import WindowTree, tree_bytes
from demopack.settings import PrivacySettings
from recorder.backends import open_access, open_windows
from recorder.backends.base import AccessSource, SeenWindow
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import until, xdotool, zenity
from tests.support.hostile_program import KINDS, HostileProgram
from tests.support.leaks import recorded, traces
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

_FORM = ("--forms", "--add-entry=User", "--add-password=Key")
_MOST_NODES, _MOST_TEXT = 1_500, 1_000
_MOST_MB = 300
_PASSWORD = "Zebra-77!quiet"


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=800, height=700) as started:
        assert started.has_access
        yield started


@contextlib.contextmanager
def _all_hostile(desktop: PrivateDesktop) -> Generator[list[HostileProgram]]:
    with contextlib.ExitStack() as programs:
        hostile = [programs.enter_context(HostileProgram(desktop, kind)) for kind in KINDS]
        # Last, so that it has the input.
        programs.enter_context(zenity(desktop, *_FORM, title="Honest"))
        yield hostile


def _trees(access: AccessSource, desktop: PrivateDesktop) -> dict[str, WindowTree]:
    """The trees of all windows, by title."""
    with contextlib.closing(open_windows(desktop.name)) as windows:
        stack = [window for window in windows.read().stack if isinstance(window, SeenWindow)]
    return {one.tree.title: one.tree for one in access.trees_now(stack, timeout_s=60)}


def _role(access: AccessSource) -> str:
    access.catch_up(timeout_s=1)
    element = access.focused(time.monotonic_ns())
    return "" if element is None else element.role


def test_hostile_trees_harm_nobody(desktop: PrivateDesktop) -> None:
    with _all_hostile(desktop) as hostile:
        access = open_access(desktop.name)
        access.start()
        seen: list[dict[str, WindowTree]] = []
        try:
            until(lambda: _role(access) == "text", "what has the input is not known", timeout_s=60)

            def honest() -> set[str]:
                seen.append(_trees(access, desktop))
                return {node.name for node in seen[-1].get("Honest", WindowTree()).nodes}

            for _ in range(3):
                until(lambda: {"User", "Key"} <= honest(), "another program's tree is not read", timeout_s=120)
            assert {kind for trees in seen for kind in KINDS if trees.get(kind, WindowTree()).nodes} >= {
                "million", "table", "cycle", "lying",
            }  # fmt: skip
            for tree in (tree for trees in seen for tree in trees.values()):
                assert len(tree.nodes) <= _MOST_NODES
                texts = [text for node in tree.nodes for text in (node.name, node.value, node.placeholder)]
                assert max(map(len, texts), default=0) <= _MOST_TEXT
                assert WindowTree.model_validate_json(tree_bytes(tree)) == tree
            assert not any("/table" in program.opened for program in hostile), "it said how many there are"
            xdotool(desktop, "key", "Tab")
            until(lambda: _role(access) == "password text", "what has the input is not known any more", timeout_s=60)
            assert access.available
        finally:
            access.stop()


@contextlib.contextmanager
def _listened_to(desktop: PrivateDesktop) -> Generator[None]:
    """Programs know that somebody listens; of one that does not yet, what is typed counts as secret."""
    access = open_access(desktop.name)
    access.start()
    try:
        until(lambda: _role(access) == "text", "what has the input is not known", timeout_s=60)
        yield
    finally:
        access.stop()


def test_a_recording_among_hostile_programs_is_like_any_other(desktop: PrivateDesktop, tmp_path: Path) -> None:
    library = tmp_path / "recording" / "library"
    library.parent.mkdir()
    with (
        _all_hostile(desktop),
        _listened_to(desktop),
        RecordCommand(desktop, library, privacy=PrivacySettings()) as recording,
    ):
        # A step that is told has been held against what programs told: by then the recorder listens, too.
        xdotool(desktop, "key", "Tab")
        recording.wait_for(lambda told: any(one["event"] == "step" for one in told))
        xdotool(desktop, "key", "shift+Tab")
        xdotool(desktop, "type", "--delay", "60", "Ada")
        xdotool(desktop, "key", "Tab")
        xdotool(desktop, "type", "--delay", "60", _PASSWORD)
        xdotool(desktop, "key", "Tab")
        recording.wait_for(lambda told: len([one for one in told if one["event"] == "step"]) >= 5)
        status = Path(f"/proc/{recording.pid}/status").read_text(encoding="utf-8")
        peak_mb = int(status.split("VmHWM:")[1].split()[0]) / 1000
    typed = [step.action.typed_text for step in recorded(library) if step.action.typed_text]
    assert (typed[0], typed[1].startswith("<secret"), len(typed)) == ("Ada", True, 2)
    assert not traces(library, _PASSWORD)
    assert peak_mb < _MOST_MB

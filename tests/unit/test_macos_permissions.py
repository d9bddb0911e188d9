"""What macOS must allow: a line each in the self-test, and no recording without them. The system's functions are
stand-ins."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from annotator.ui.recording.recording_words import check_titles
from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from demopack_cli.checks import _TRIED
from recorder import selftest
from recorder.backends.macos.permissions import PERMISSION_NAMES, read_permissions
from recorder.selftest import CheckResult, run_selftest
from recorder.sources import Sources
from tests.support.macos_system import MacSystem

PANES = {
    "accessibility_permission": ("AXIsProcessTrusted", "Privacy & Security, Accessibility"),
    "input_permission": ("CGPreflightListenEventAccess", "Privacy & Security, Input Monitoring"),
    "screen_permission": ("CGPreflightScreenCaptureAccess", "Privacy & Security, Screen Recording"),
    "secure_input": ("IsSecureEventInputEnabled", "No pane of System Settings"),
}


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> MacSystem:
    return MacSystem(monkeypatch)


def refuse(mac: MacSystem, name: str) -> None:
    if name == "secure_input":
        mac.secure_input = True
    else:
        mac.permitted[PANES[name][0]] = False


def lines(folder: Path) -> dict[str, CheckResult]:
    found = run_selftest(library=folder, settings=RecorderSettings())
    return {result.name: result for result in found}


def broken(*_: object) -> None:
    raise CaptureError("Nothing else is of interest here.")


@pytest.fixture(autouse=True)
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_try_input", "_try_pictures", "_try_accessibility", "_try_hotkeys"):
        monkeypatch.setattr(selftest, name, broken)


def test_each_has_a_line_of_its_own_and_is_good_when_it_is_granted(mac: MacSystem, tmp_path: Path) -> None:
    found = lines(tmp_path)
    assert list(found)[:4] == list(PERMISSION_NAMES)
    assert all(found[name].ok and not found[name].hint for name in PERMISSION_NAMES)
    assert "pictures" in found


@pytest.mark.parametrize("name", PERMISSION_NAMES)
def test_a_missing_one_is_named_with_its_pane_and_stops_the_recording(
    mac: MacSystem, tmp_path: Path, name: str
) -> None:
    refuse(mac, name)
    found = lines(tmp_path)
    assert [one for one in PERMISSION_NAMES if not found[one].ok] == [name]
    assert found[name].needed
    assert PANES[name][1] in found[name].hint
    assert ("pictures" in found) == (name != "screen_permission"), "the wallpaper alone looks like any picture"
    with pytest.raises(CaptureError) as refused:
        Sources(screen=None, windows=None, inputs=None).open()
    assert (refused.value.user_message, refused.value.hint) == (found[name].words, found[name].hint)


def test_macos_is_asked_for_what_is_missing_so_that_the_program_stands_on_its_list(mac: MacSystem) -> None:
    for name in PERMISSION_NAMES:
        refuse(mac, name)
    with pytest.raises(CaptureError, match="Accessibility"):
        Sources(screen=None, windows=None, inputs=None).open()
    asked = {"prompt True", "CGRequestListenEventAccess", "CGRequestScreenCaptureAccess"}
    assert asked <= set(mac.called)


def test_what_an_older_macos_cannot_be_asked_has_no_line(mac: MacSystem) -> None:
    mac.lacks = {"CGPreflightListenEventAccess"}
    assert [state.name for state in read_permissions()] == [
        one for one in PERMISSION_NAMES if one != "input_permission"
    ]


def test_the_start_panel_and_the_doctor_have_a_name_for_each(mac: MacSystem) -> None:
    assert list(check_titles())[:4] == list(PERMISSION_NAMES)
    assert set(PERMISSION_NAMES) <= _TRIED.keys()


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_elsewhere_there_are_no_such_lines(
    mac: MacSystem, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str
) -> None:
    for name in PERMISSION_NAMES:
        refuse(mac, name)
    monkeypatch.setattr(sys, "platform", platform)
    assert not set(PERMISSION_NAMES) & lines(tmp_path).keys()
    assert not set(PERMISSION_NAMES) & check_titles().keys()
    assert mac.called == []

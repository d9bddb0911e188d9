"""Stand-ins for macOS' own libraries: Quartz, AppKit, HIServices, and what ctypes finds in its frameworks."""

from __future__ import annotations

import ctypes
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from demopack.domain.geometry import Rect
from tests.support.told_fields import Field, SystemDownError, ToldFields

OK, CANNOT_COMPLETE, NO_VALUE, INVALID, DISABLED = 0, -25204, -25212, -25202, -25211
PERMITTED = {
    "AXIsProcessTrusted": True,
    "CGPreflightListenEventAccess": True,
    "CGPreflightScreenCaptureAccess": True,
}
_POINT, _SIZE = 1, 2
_BOX = Rect(0, 0, 100, 80)


class _Function:
    """A function of a framework that takes nothing."""

    def __init__(self, system: MacSystem, name: str) -> None:
        self._system, self._name = system, name
        self.restype: Any = None
        self.argtypes: Any = None

    def __call__(self) -> bool:
        assert (self.restype, self.argtypes) == (ctypes.c_bool, ())
        self._system.called.append(self._name)
        if self._name == "IsSecureEventInputEnabled":
            return self._system.secure_input
        return self._system.permitted.get(self._name, False)


class MacSystem(ToldFields):
    """Windows, front to back, and the programs behind them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.windows: list[dict[str, Any]] = []
        self.front_process = 0
        self.permitted = dict(PERMITTED)
        self.lacks: set[str] = set()
        self.called: list[str] = []
        self.timeouts: list[float] = []
        self.secure_by = 0
        self.asked_to_tell: list[int] = []
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.setattr(ctypes, "CDLL", self._framework)
        quartz, kit, services = ModuleType("Quartz"), ModuleType("AppKit"), ModuleType("HIServices")
        _fill(
            quartz,
            kCGWindowListOptionOnScreenOnly=1,
            kCGWindowListExcludeDesktopElements=16,
            kCGNullWindowID=0,
            CGWindowListCopyWindowInfo=self._windows,
            CGSessionCopyCurrentDictionary=lambda: {"kCGSSessionSecureInputPID": self.secure_by},
        )
        workspace = SimpleNamespace(frontmostApplication=lambda: self._program(self.front_process))
        running = SimpleNamespace(runningApplicationWithProcessIdentifier_=self._program)
        shared = SimpleNamespace(sharedWorkspace=lambda: workspace)
        _fill(kit, NSWorkspace=shared, NSRunningApplication=running)
        _fill(
            services,
            kAXValueCGPointType=_POINT,
            kAXValueCGSizeType=_SIZE,
            kAXTrustedCheckOptionPrompt="prompt",
            AXIsProcessTrusted=lambda: self.permitted["AXIsProcessTrusted"],
            AXIsProcessTrustedWithOptions=lambda options: self.called.append(f"prompt {options['prompt']}"),
            AXUIElementCreateSystemWide=self._open,
            AXUIElementCreateApplication=lambda process: process,
            AXUIElementSetMessagingTimeout=self._set_timeout,
            AXUIElementSetAttributeValue=self._set_attribute,
            AXUIElementCopyAttributeValue=self._attribute,
            AXUIElementCopyElementAtPosition=self._element_at,
            AXUIElementGetPid=lambda field, _: (OK, field.process),
            AXValueGetValue=_value,
        )
        for module in (quartz, kit, services):
            monkeypatch.setitem(sys.modules, module.__name__, module)

    def show(self, title: str, *, process: int = 700, box: Rect = _BOX, layer: int = 0, alpha: float = 1.0) -> None:
        """Another window, behind those there are."""
        self.windows.append(
            {
                "kCGWindowNumber": len(self.windows) + 1,
                "kCGWindowOwnerPID": process,
                "kCGWindowOwnerName": self.programs.get(process, "Python"),
                "kCGWindowName": title,
                "kCGWindowLayer": layer,
                "kCGWindowAlpha": alpha,
                "kCGWindowBounds": {
                    "X": float(box.x1), "Y": float(box.y1), "Width": float(box.width), "Height": float(box.height)
                },
            }
        )  # fmt: skip

    def _framework(self, path: str) -> Any:
        assert path.startswith("/System/Library/Frameworks/")
        system = self

        class Framework:
            def __getattr__(self, name: str) -> _Function:
                if name in system.lacks:
                    raise AttributeError(name)
                return _Function(system, name)

        return Framework()

    def _windows(self, which: int, _of: int) -> list[dict[str, Any]]:
        assert which == 17
        return self.windows

    def _program(self, process: int) -> Any:
        if process not in self.programs:
            return None
        name = self.programs[process]
        return SimpleNamespace(localizedName=lambda: name, processIdentifier=lambda: process)

    def _open(self) -> str:
        self.opened += 1
        self.answer()
        return "desktop"

    def _set_timeout(self, element: Any, seconds: float) -> int:
        assert element == "desktop"
        self.timeouts.append(seconds)
        return OK

    def _set_attribute(self, process: int, name: str, value: bool) -> int:
        assert (name, value) == ("AXManualAccessibility", True)
        self.asked_to_tell.append(process)
        return OK

    def _attribute(self, element: Any, name: str, _: None) -> tuple[int, Any]:
        self.answer_or_late(about_focus=name == "AXFocusedApplication")
        if self.fails:
            return DISABLED, None
        if element == "desktop" and name == "AXFocusedApplication":
            return (NO_VALUE, None) if self.focused is None else (OK, SimpleNamespace(process=self.focused.process))
        if self.focused is not None and self.focused.tells_nothing:
            return CANNOT_COMPLETE, None
        if name == "AXFocusedUIElement":
            return (NO_VALUE, None) if self.focused is None else (OK, self.focused)
        return self._tell(element, name)

    def _tell(self, field: Field, name: str) -> tuple[int, Any]:
        if field.gone:
            return INVALID, None
        assert name != "AXValue" or not field.secure, "the text of a secure field is never asked for"
        told = {
            "AXRole": "AXTextField",
            "AXSubrole": "AXSecureTextField" if field.secure else None,
            "AXTitle": field.name,
            "AXValue": field.value,
            "AXNumberOfCharacters": len(field.value),
            "AXPosition": (_POINT, SimpleNamespace(x=field.box.x1, y=field.box.y1)) if field.shown else None,
            "AXSize": (_SIZE, SimpleNamespace(width=field.box.width, height=field.box.height)),
            "AXEnabled": field.enabled,
            "AXFocused": True,
        }.get(name)
        return (NO_VALUE, None) if told is None else (OK, told)

    def answer_or_late(self, *, about_focus: bool) -> None:
        """As :meth:`answer`; AX says of itself that it could not complete what took too long."""
        try:
            self.answer(about_focus=about_focus)
        except SystemDownError:
            assert self.fails

    def _element_at(self, element: Any, x: float, y: float, _: None) -> tuple[int, Any]:
        assert (element, type(x)) == ("desktop", float)
        self.answer_or_late(about_focus=False)
        field = self.under
        inside = field is not None and field.box.x1 <= x < field.box.x2 and field.box.y1 <= y < field.box.y2
        return (OK, field) if inside else (NO_VALUE, None)


def _value(value: tuple[int, Any], kind: int, _: None) -> tuple[bool, Any]:
    assert value[0] == kind
    return True, value[1]


def _fill(module: Any, **members: Any) -> None:
    for name, member in members.items():
        setattr(module, name, member)

"""UI Automation through comtypes: the element that has the input, the one under a position, and whether it is secure.

Everything here may block, because a program answers in its own time; it is used by the threads of
:class:`~recorder.backends.element_access.ElementAccess` alone, in the multi-threaded apartment of COM.
"""

from __future__ import annotations

import importlib
import logging
import os
import sys
import threading
from ctypes import wintypes
from functools import partial
from typing import Any, Final

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.element_access import ANSWER_S, ElementRef, FoundElement, OnFocus
from recorder.backends.windows.desktop import Win32Windows
from recorder.backends.windows.libraries import Processes

_log = logging.getLogger(__name__)

_CLIENT = "{E22AD333-B25F-460C-83D0-0581107395C9}"  # CUIAutomation8, the one that knows time-outs
_MULTI_THREADED = 0
_GONE = -2147220991  # UIA_E_ELEMENTNOTAVAILABLE
_BOX, _NUMBER, _PROCESS, _TYPE, _NAME = 30001, 30000, 30002, 30003, 30005
_FOCUSED, _ENABLED, _CLASS, _PASSWORD, _OFFSCREEN, _FRAMEWORK, _VALUE = 30008, 30010, 30012, 30019, 30022, 30024, 30045
_CACHED = (_BOX, _NUMBER, _PROCESS, _TYPE, _NAME, _FOCUSED, _ENABLED, _CLASS, _PASSWORD, _OFFSCREEN, _FRAMEWORK)
_CONTAINERS = frozenset({50025, 50026, 50030, 50032, 50033})
_BROWSER_CLASSES = ("Chrome_", "Mozilla")
_MAX_VALUE_CHARS = 10_000
_VALUED = frozenset({50003, 50004, 50015, 50016})
"""Types whose value is that of a field: combo box, edit, slider, spinner. A document's is its address, or all of it."""
_ROLES: Final[dict[int, str]] = {
    50000: "push button", 50001: "calendar", 50002: "check box", 50003: "combo box", 50004: "text", 50005: "link",
    50006: "image", 50007: "list item", 50008: "list", 50009: "menu", 50010: "menu bar", 50011: "menu item",
    50012: "progress bar", 50013: "radio button", 50014: "scroll bar", 50015: "slider", 50016: "spin button",
    50017: "status bar", 50018: "page tab list", 50019: "page tab", 50020: "label", 50021: "tool bar",
    50022: "tool tip", 50023: "tree", 50024: "tree item", 50025: "extended", 50026: "grouping", 50027: "scroll bar",
    50028: "table", 50029: "table cell", 50030: "document frame", 50031: "push button menu", 50032: "frame",
    50033: "panel", 50034: "table row header", 50035: "table column header", 50036: "table", 50037: "title bar",
    50038: "separator", 50039: "panel", 50040: "tool bar",
}  # fmt: skip
"""Control types in AT-SPI's words, which are those of the steps of all systems."""

_importing = threading.Lock()


def _import_com() -> Any:  # noqa: ANN401 - a library without types
    """Comtypes, with the calling thread in the multi-threaded apartment.

    The first import puts its thread into an apartment, too: into that which an attribute of ``sys`` names.

    Raises:
        ImportError: it is not installed, or this is not Windows.
    """
    system: Any = sys
    with _importing:
        had, before = hasattr(system, "coinit_flags"), getattr(system, "coinit_flags", None)
        system.coinit_flags = _MULTI_THREADED
        try:
            importlib.import_module("comtypes.client")
        finally:
            if had:
                system.coinit_flags = before
            else:
                del system.coinit_flags
    com = importlib.import_module("comtypes")
    com.CoInitializeEx(_MULTI_THREADED)
    return com


class AutomationReader:
    """See :class:`~recorder.backends.element_access.SystemReader`."""

    def __init__(self, on_focus: OnFocus | None = None) -> None:
        """Connect, and have ``on_focus`` called when a program tells that the focus has moved.

        Raises:
            ImportError: comtypes is not installed.
            OSError: UI Automation refuses, or this is not Windows.
        """
        self._com = _import_com()
        self._windows, self._processes = Win32Windows(), Processes()
        self._own_rights: bool | None = None
        self._handler: Any = None
        client: Any = importlib.import_module("comtypes.client")
        with _importing:  # what it makes of the library is written to a file, which nobody may read half
            library = client.GetModule("UIAutomationCore.dll")
        self._automation: Any = client.CreateObject(_CLIENT, interface=library.IUIAutomation2)
        self._automation.ConnectionTimeout = self._automation.TransactionTimeout = round(ANSWER_S * 1000)
        self._request: Any = self._automation.CreateCacheRequest()
        for number in _CACHED:
            self._request.AddProperty(number)
        if on_focus is not None:
            self._handler = _focus_handler(self._com, library, partial(self._told, on_focus))
            self._automation.AddFocusChangedEventHandler(self._request, self._handler)

    def focused(self) -> FoundElement | None:
        """See :class:`SystemReader`. Our own windows are not asked: their thread may be waiting for us."""
        if self._windows.front_process() == os.getpid():
            return None
        element = self._automation.GetFocusedElementBuildCache(self._request)
        if not element:
            raise LookupError("The program in front tells of no element.")
        self._require_elements(element)
        return self._read(element, with_value=True)

    def at(self, at: Point) -> FoundElement | None:
        """See :class:`SystemReader`."""
        element = self._automation.ElementFromPointBuildCache(wintypes.POINT(at.x, at.y), self._request)
        return self._read(element, with_value=True) if element else None

    def box_of(self, handle: Any) -> Rect | None:  # noqa: ANN401 - an element of UI Automation
        """See :class:`SystemReader`."""
        try:
            # Also where its letters are shown in the meantime, and it is no password for UI Automation.
            hidden = handle.GetCurrentPropertyValue(_OFFSCREEN)
            return None if hidden else _rect(handle.GetCurrentPropertyValue(_BOX))
        except Exception as error:
            if getattr(error, "hresult", None) == _GONE:
                return None
            raise

    def warnings(self) -> list[str]:
        """See :class:`SystemReader`: a program with more rights than ours hides all input from us."""
        process = self._windows.front_process()
        if self._own_rights is None:
            self._own_rights = self._processes.is_elevated(os.getpid())
        if not process or self._own_rights or not self._processes.is_elevated(process):
            return []
        app = self._processes.name(process) or "?"
        words = f"“{app}” has administrator rights: what you do in it cannot be recorded."
        return [f"{words} Start demopack with the same rights."]

    def close(self) -> None:
        """See :class:`SystemReader`."""
        if self._handler is not None:
            self._automation.RemoveFocusChangedEventHandler(self._handler)
        # The apartment is left as it is: elements that are released later would need it.
        self._handler = self._request = self._automation = None

    def _told(self, on_focus: OnFocus, sender: Any) -> None:  # noqa: ANN401 - an element of UI Automation
        """In a thread of UI Automation's, which must not be kept: only what came with the event is read."""
        try:
            self._require_elements(sender)
            on_focus(self._read(sender, with_value=False))
        except Exception:  # noqa: BLE001 - the element may be gone, and nobody above us could do anything about it
            _log.debug("An event of the focus could not be read.", exc_info=True)

    def _require_elements(self, element: Any) -> None:  # noqa: ANN401 - of UI Automation
        """Make sure that what has the input is not a browser's page or window that tells of no elements.

        A browser begins to make them when it is asked for the first time, for each page anew, or never.

        Raises:
            LookupError: which of its fields has the input, nobody knows.
        """
        is_browser = element.GetCachedPropertyValue(_FRAMEWORK) == "Chrome" or str(
            element.GetCachedPropertyValue(_CLASS) or ""
        ).startswith(_BROWSER_CLASSES)
        if is_browser and element.GetCachedPropertyValue(_TYPE) in _CONTAINERS:
            raise LookupError("A browser tells of no element in its page.")

    def _read(self, element: Any, *, with_value: bool) -> FoundElement:  # noqa: ANN401 - of UI Automation
        told = {number: element.GetCachedPropertyValue(number) for number in _CACHED}
        secure = bool(told[_PASSWORD])
        kind, process = int(told[_TYPE] or 0), int(told[_PROCESS] or 0)
        value = ""
        if with_value and not secure and kind in _VALUED:
            value = str(element.GetCurrentPropertyValue(_VALUE) or "")[:_MAX_VALUE_CHARS]
        states = {"enabled": told[_ENABLED], "focused": told[_FOCUSED], "showing": not told[_OFFSCREEN]}
        return FoundElement(
            ref=ElementRef(str(process), ".".join(map(str, told[_NUMBER] or ()))),
            element=AccessibleElement(
                role="password text" if secure else _ROLES.get(kind, "unknown"),
                name=str(told[_NAME] or ""),
                value=value,
                box=_rect(told[_BOX]),
                states=tuple(sorted(name for name, holds in states.items() if holds)),
                app=self._processes.name(process) if process else "",
                secure=secure,
            ),
            handle=element if secure else None,
        )


def _rect(told: Any) -> Rect | None:  # noqa: ANN401 - left, top, width, height, or nothing
    if not told or len(told) != 4:
        return None
    left, top, width, height = (round(number) for number in told)
    return Rect(left, top, left + width, top + height) if width > 0 and height > 0 else None


def _focus_handler(com: Any, library: Any, told: Any) -> Any:  # noqa: ANN401 - of a library without types
    """The object that UI Automation calls when the focus has moved."""

    def handle(_: object, sender: Any) -> None:  # noqa: ANN401 - an element of UI Automation
        told(sender)

    members = {
        "_com_interfaces_": [library.IUIAutomationFocusChangedEventHandler],
        "IUIAutomationFocusChangedEventHandler_HandleFocusChangedEvent": handle,
    }
    return type("FocusChangedHandler", (com.COMObject,), members)()

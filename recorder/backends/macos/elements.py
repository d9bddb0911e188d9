"""Elements through AX, the accessibility interface of macOS: which has the input, what lies under a position.

Everything here may block for as long as a program takes to answer, at most the time-out of the messages; it is used by
the threads of :class:`~recorder.backends.element_access.ElementAccess` alone. The focus is asked for, not listened to:
observers need a run loop for each program.
"""

from __future__ import annotations

import importlib
import os
from typing import Any, Final

from demopack.clock import now_ns
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.element_access import ANSWER_S, ElementRef, FoundElement, OnFocus
from recorder.backends.macos import autorelease_pool
from recorder.backends.macos.permissions import has_secure_input

_OK, _CANNOT_COMPLETE, _API_DISABLED = 0, -25204, -25211
_UNSUPPORTED, _NO_VALUE = -25205, -25212
_LATE_SHARE = 0.8
_MAX_VALUE_CHARS = 10_000
_SECURE = "AXSecureTextField"
_STUCK_INPUT_NS = 3_000_000_000
_FIELDS = frozenset({"AXTextField", "AXTextArea", "AXComboBox", "AXSlider", "AXIncrementor"})
_ROLES: Final[dict[str, str]] = {
    "AXButton": "push button", "AXCell": "table cell", "AXCheckBox": "check box", "AXColorWell": "push button",
    "AXColumn": "column header", "AXComboBox": "combo box", "AXDateField": "date editor",
    "AXDisclosureTriangle": "toggle button", "AXGroup": "panel", "AXHeading": "heading", "AXImage": "image",
    "AXIncrementor": "spin button", "AXLink": "link", "AXList": "list", "AXMenu": "menu", "AXMenuBar": "menu bar",
    "AXMenuBarItem": "menu", "AXMenuButton": "push button menu", "AXMenuItem": "menu item",
    "AXOutline": "tree", "AXPopUpButton": "combo box", "AXProgressIndicator": "progress bar",
    "AXRadioButton": "radio button", "AXRow": "table row", "AXScrollArea": "scroll pane", "AXScrollBar": "scroll bar",
    "AXSheet": "dialog", "AXSlider": "slider", "AXSplitter": "separator", "AXStaticText": "label",
    "AXTabGroup": "page tab list", "AXTable": "table", "AXTextArea": "text", "AXTextField": "entry",
    "AXToolbar": "tool bar", "AXWebArea": "document web", "AXWindow": "frame",
}  # fmt: skip
"""Roles in AT-SPI's words, which are those of the steps of all systems."""


class AxReader:
    """See :class:`~recorder.backends.element_access.SystemReader`."""

    def __init__(self, on_focus: OnFocus | None = None) -> None:  # noqa: ARG002 - programs are asked, none tells
        """Connect.

        Raises:
            ImportError: pyobjc is not installed, or this is not macOS.
            PermissionError: this program may not use Accessibility.
        """
        self._ax: Any = importlib.import_module("HIServices")
        self._quartz: Any = importlib.import_module("Quartz")
        if not self._ax.AXIsProcessTrusted():
            raise PermissionError("Accessibility is not allowed.")
        self._desktop: Any = self._ax.AXUIElementCreateSystemWide()
        # Of the element for the whole desktop it is the time-out for all elements of this process.
        self._ax.AXUIElementSetMessagingTimeout(self._desktop, ANSWER_S)
        self._apps: dict[int, str] = {}
        self._secure_since_ns = 0
        self._is_on_secure = False

    def focused(self) -> FoundElement | None:
        """See :class:`SystemReader`. Where the system keeps the keyboard secure, the element counts as secure.

        Our own windows are not asked: their thread may be waiting for us.
        """
        with autorelease_pool():
            return self._focused()

    def _focused(self) -> FoundElement | None:
        app = self._ask(self._desktop, "AXFocusedApplication")
        if app is not None and self._process(app) == os.getpid():
            self._is_on_secure = False
            return None
        if app is not None:
            self._app(self._process(app))  # so that it is asked to tell everything before it is known to tell nothing
        owner = self._desktop if app is None else app
        element = self._ask(owner, "AXFocusedUIElement")
        if element is None:
            self._is_on_secure = False
            raise LookupError("The program in front tells of no element.")
        found = self._read(element)
        self._is_on_secure = found.element.secure
        if found.element.secure or not has_secure_input():
            return found
        secured = found.element.model_copy(update={"secure": True, "value": ""})
        # Its place is not covered: another program may have switched that on.
        return FoundElement(ref=found.ref, element=secured)

    def at(self, at: Point) -> FoundElement | None:
        """See :class:`SystemReader`."""
        started = now_ns()
        with autorelease_pool():
            error, element = self._ax.AXUIElementCopyElementAtPosition(self._desktop, float(at.x), float(at.y), None)
            _check(error, started)
            return None if error != _OK or element is None else self._read(element)

    def box_of(self, handle: Any) -> Rect | None:  # noqa: ANN401 - an element of AX
        """See :class:`SystemReader`."""
        # Also where its letters are shown in the meantime.
        return self._box(handle)

    def warnings(self) -> list[str]:
        """See :class:`SystemReader`: secure input that lasts, although no secure field has the input."""
        if not has_secure_input() or self._is_on_secure:
            self._secure_since_ns = 0
            return []
        now = now_ns()
        self._secure_since_ns = self._secure_since_ns or now
        if now - self._secure_since_ns < _STUCK_INPUT_NS:
            return []
        session: dict[str, Any] = self._quartz.CGSessionCopyCurrentDictionary() or {}
        app = self._app(int(session.get("kCGSSessionSecureInputPID") or 0))
        if not app:
            return ["Secure input is on: what is typed does not arrive, and hot-keys do nothing."]
        return [f"“{app}” has switched secure input on: what is typed does not arrive, and hot-keys do nothing."]

    def close(self) -> None:
        """See :class:`SystemReader`."""
        self._desktop = None

    def _read(self, element: Any) -> FoundElement:  # noqa: ANN401 - of AX
        kind, part = self._kind(element)
        secure = _SECURE in {kind, part}
        process = self._process(element)
        role = "page tab" if part == "AXTabButton" else _ROLES.get(kind, "unknown")
        states = {"enabled": self._ask(element, "AXEnabled"), "focused": self._ask(element, "AXFocused")}
        return FoundElement(
            ref=ElementRef(str(process), f"{hash(element):x}"),
            element=AccessibleElement(
                role="password text" if secure else role,
                name=self._name(element),
                value="" if secure or kind not in _FIELDS else self._value(element),
                box=self._box(element),
                states=tuple(sorted(name for name, holds in states.items() if holds)),
                app=self._app(process),
                secure=secure,
            ),
            handle=element if secure else None,
        )

    def _kind(self, element: Any) -> tuple[str, str]:  # noqa: ANN401 - of AX
        """Role and subrole; the second is empty where it has none.

        Raises:
            LookupError: they are not told, so it may be a secure field.
        """
        started = now_ns()
        error, role = self._ax.AXUIElementCopyAttributeValue(element, "AXRole", None)
        _check(error, started)
        if error != _OK or not role:
            raise LookupError("An element does not tell what it is.")
        error, part = self._ax.AXUIElementCopyAttributeValue(element, "AXSubrole", None)
        _check(error, started)
        if error not in {_OK, _NO_VALUE, _UNSUPPORTED}:
            raise LookupError("An element does not tell of which kind it is.")
        return str(role), str(part or "")

    def _process(self, element: Any) -> int:  # noqa: ANN401 - of AX
        """The process of an element; 0 when unknown."""
        error, told = self._ax.AXUIElementGetPid(element, None)
        return int(told) if error == _OK else 0

    def _name(self, element: Any) -> str:  # noqa: ANN401 - of AX
        for attribute in ("AXTitle", "AXDescription"):
            if name := self._ask(element, attribute):
                return str(name)
        label = self._ask(element, "AXTitleUIElement")
        name = "" if label is None else self._ask(label, "AXValue") or self._ask(label, "AXTitle")
        return str(name or self._ask(element, "AXPlaceholderValue") or "")

    def _value(self, element: Any) -> str:  # noqa: ANN401 - of AX
        """The text or number of a field; empty for a text as long as a document."""
        if (self._ask(element, "AXNumberOfCharacters") or 0) > _MAX_VALUE_CHARS:
            return ""
        value = self._ask(element, "AXValue")
        return "" if value is None else (f"{value:g}" if isinstance(value, float) else str(value))[:_MAX_VALUE_CHARS]

    def _box(self, element: Any) -> Rect | None:  # noqa: ANN401 - of AX
        place, size = self._ask(element, "AXPosition"), self._ask(element, "AXSize")
        if place is None or size is None:
            return None
        has_place, corner = self._ax.AXValueGetValue(place, self._ax.kAXValueCGPointType, None)
        has_size, extent = self._ax.AXValueGetValue(size, self._ax.kAXValueCGSizeType, None)
        if not has_place or not has_size or extent.width <= 0 or extent.height <= 0:
            return None
        left, top = round(corner.x), round(corner.y)
        return Rect(left, top, left + round(extent.width), top + round(extent.height))

    def _app(self, process: int) -> str:
        """The program's name as the person sees it; empty when unknown. A new program is asked to tell everything."""
        if process and process not in self._apps:
            kit: Any = importlib.import_module("AppKit")
            found = kit.NSRunningApplication.runningApplicationWithProcessIdentifier_(process)
            self._apps[process] = "" if found is None else str(found.localizedName() or "")
            # Programs that are built on a browser tell nothing before they know that somebody listens.
            program = self._ax.AXUIElementCreateApplication(process)
            self._ax.AXUIElementSetAttributeValue(program, "AXManualAccessibility", True)  # noqa: FBT003 - of C
        return self._apps.get(process, "")

    def _ask(self, element: Any, attribute: str) -> Any:  # noqa: ANN401 - of AX
        """One attribute of an element; None where it has none."""
        started = now_ns()
        error, value = self._ax.AXUIElementCopyAttributeValue(element, attribute, None)
        _check(error, started)
        return value if error == _OK else None


def _check(error: int, started_ns: int) -> None:
    """Find out whether a program has answered.

    AX says that it "cannot complete" of a program that does not answer in time, and at once of one that tells nothing.

    Raises:
        TimeoutError: it has not.
        PermissionError: AX does not let us ask any more.
    """
    if error == _CANNOT_COMPLETE and now_ns() - started_ns > _LATE_SHARE * ANSWER_S * 1e9:
        raise TimeoutError("A program did not answer AX in time.")
    if error == _API_DISABLED:
        raise PermissionError("AX is switched off.")

"""A person's hand on a page: mouse and keyboard events as Chromium gets them from the system."""

from __future__ import annotations

from typing import Final, Protocol

_CTRL: Final = 2
_SHIFT: Final = 8
_KEYS: Final[dict[str, tuple[str, int, str]]] = {
    # name: code, virtual key, text that the key writes
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "a": ("KeyA", 65, "a"),
    " ": ("Space", 32, " "),
}
_EDITING: Final = {"a": ["selectAll"]}
_DRAG_STEPS = 4


class _Page(Protocol):
    def command(self, method: str, **parameters: object) -> dict[str, object]: ...


class BrowserInput:
    """Mouse and keyboard of one page; positions are CSS pixels of its visible part.

    Args:
        page: a ``Browser``.
    """

    def __init__(self, page: _Page) -> None:
        self._page = page
        self._at = (0.0, 0.0)

    def move(self, x: float, y: float) -> None:
        """Put the pointer somewhere."""
        self._mouse("mouseMoved", x, y, button="none", buttons=0)

    def click(self, x: float, y: float, *, times: int = 1, ctrl: bool = False) -> None:
        """Click once, twice (a word) or three times (a paragraph)."""
        self.move(x, y)
        for count in range(1, times + 1):
            for kind, buttons in (("mousePressed", 1), ("mouseReleased", 0)):
                self._mouse(kind, x, y, button="left", buttons=buttons, count=count, modifiers=_CTRL if ctrl else 0)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move in a few steps, release."""
        self.move(*start)
        self._mouse("mousePressed", *start, button="left", buttons=1, count=1)
        for step in range(1, _DRAG_STEPS + 1):
            part = step / _DRAG_STEPS
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            self._mouse("mouseMoved", x, y, button="left", buttons=1)
        self._mouse("mouseReleased", *end, button="left", buttons=0, count=1)

    def wheel(self, x: float, y: float, *, down: float = 0.0, right: float = 0.0) -> None:
        """Turn the wheel over a place; CSS pixels, negative for up and left."""
        self._page.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=right, deltaY=down)

    def type_text(self, text: str) -> None:
        """Write into what has the focus."""
        for letter in text:
            self._page.command("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            self._page.command("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def press(self, key: str, *, ctrl: bool = False, shift: bool = False) -> None:
        """Press one key: a name of ``Tab, Enter, Escape, Backspace, Delete, Home, End, Arrow..., a`` or a space."""
        code, number, text = _KEYS[key]
        common: dict[str, object] = {
            "key": key,
            "code": code,
            "windowsVirtualKeyCode": number,
            "modifiers": (_CTRL if ctrl else 0) | (_SHIFT if shift else 0),
        }
        if ctrl:
            self._page.command("Input.dispatchKeyEvent", type="rawKeyDown", commands=_EDITING.get(key, []), **common)
        elif text:
            self._page.command("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        else:
            self._page.command("Input.dispatchKeyEvent", type="rawKeyDown", **common)
        self._page.command("Input.dispatchKeyEvent", type="keyUp", **common)

    def _mouse(
        self, kind: str, x: float, y: float, *, button: str, buttons: int, count: int = 0, modifiers: int = 0
    ) -> None:
        self._at = (x, y)
        self._page.command(
            "Input.dispatchMouseEvent",
            type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=count, modifiers=modifiers,
        )  # fmt: skip

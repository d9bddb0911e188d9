"""PyAutoGUI calls as strings: AgentNet's flavour with fractions of the picture, and a script's with pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from demopack.domain.geometry import Point
from demopack.domain.keys import spell
from demopack.pack.formats.acts import Act
from demopack.pack.formats.spoken import NO_PLACE, Dialect, Spoken, no_word

__all__ = ["AGENTNET", "SCRIPT"]

_CLICKS = {"single": "click", "double": "doubleClick", "triple": "tripleClick", "right": "rightClick",
           "middle": "middleClick"}  # fmt: skip


def _held(act: Act, *calls: str) -> tuple[str, ...]:
    """The calls with the modifiers held around them."""
    keys = [spell(name.capitalize(), "pyautogui") for name in act.modifiers]
    down = tuple(f"pyautogui.keyDown({key!r})" for key in keys)
    return (*down, *calls, *(f"pyautogui.keyUp({key!r})" for key in reversed(keys)))


def _fractions(act: Act, point: Point) -> str | None:
    if act.size is None:
        return None
    return f"x={round(point.x / act.size.width, 4)}, y={round(point.y / act.size.height, 4)}"


def _pixels(act: Act, point: Point) -> str | None:
    del act
    return f"x={point.x}, y={point.y}"


class _Speaker:
    """Says everything that both flavours say alike."""

    def __init__(self, place: Callable[[Act, Point], str | None], *, script: bool) -> None:
        self._place = place
        self._script = script

    def say(self, act: Act) -> Spoken:
        words: dict[str, Callable[[Act], Spoken]] = {
            "click": self._click,
            "type": self._type,
            "press_key": self._press,
            "scroll": self._scroll,
            "drag": self._drag,
            "hover": self._hover,
            "wait": self._wait,
            "finish_goal": self._finish,
        }
        return words[act.kind](act) if act.kind in words else no_word()

    def _at(self, act: Act, point: Point | None) -> str | None:
        return None if point is None else self._place(act, point)

    def _click(self, act: Act) -> Spoken:
        at = self._at(act, act.at)
        if at is None:
            return NO_PLACE
        hold = act.parameters.get("hold_s")
        if hold is not None and self._script and act.click_type in {"single", "right", "middle"}:
            button = "left" if act.click_type == "single" else act.click_type
            calls = (f"pyautogui.mouseDown({at}, button={button!r})", f"time.sleep({hold})",
                     f"pyautogui.mouseUp(button={button!r})")  # fmt: skip
            return Spoken(calls=_held(act, *calls))
        # PyAutoGUI knows tripleClick too; OpenCUA's data name it as an extension of their own.
        name = "computer.tripleClick" if act.click_type == "triple" and not self._script else None
        call = f"{name or f'pyautogui.{_CLICKS[act.click_type]}'}({at})"
        return Spoken(calls=_held(act, call), losses=("hold",) if hold is not None else ())

    def _type(self, act: Act) -> Spoken:
        calls = (f"pyautogui.write(message={act.text!r})",)
        losses = ("ascii",) if self._script and not act.text.isascii() else ()
        return Spoken(calls=(*calls, "pyautogui.press('enter')") if act.submits else calls, losses=losses)

    def _press(self, act: Act) -> Spoken:
        keys = [spell(name, "pyautogui") for name in act.keys]
        if len(keys) == 1:
            times = f", presses={act.presses}" if act.presses > 1 else ""
            return Spoken(calls=(f"pyautogui.press({keys[0]!r}{times})",))
        call = f"pyautogui.hotkey({', '.join(repr(key) for key in keys)})"
        return Spoken(calls=(call,) * act.presses, losses=("presses",) if act.presses > 1 else ())

    def _scroll(self, act: Act) -> Spoken:
        sign = 1 if act.direction in {"up", "right"} else -1
        name = "hscroll" if act.direction in {"left", "right"} else "scroll"
        at = self._at(act, act.at)
        where = "" if at is None else f", {at}"
        return Spoken(calls=_held(act, f"pyautogui.{name}({sign * act.notches}{where})"))

    def _drag(self, act: Act) -> Spoken:
        start, end = self._at(act, act.at), self._at(act, act.to)
        if start is None or end is None:
            return NO_PLACE
        if self._script and len(act.way) > 2:
            between = [f"pyautogui.moveTo({self._place(act, point)})" for point in act.way[1:]]
            calls = (f"pyautogui.mouseDown({start}, button={act.button!r})", *between,
                     f"pyautogui.mouseUp({end}, button={act.button!r})")  # fmt: skip
            return Spoken(calls=_held(act, *calls))
        calls = (f"pyautogui.moveTo({start})", f"pyautogui.dragTo({end}, button={act.button!r})")
        return Spoken(calls=_held(act, *calls), losses=("drag_path",) if len(act.way) > 2 else ())

    def _hover(self, act: Act) -> Spoken:
        at = self._at(act, act.at)
        if at is None:
            return NO_PLACE
        rest = act.parameters.get("duration_s")
        if rest is not None and self._script:
            return Spoken(calls=(f"pyautogui.moveTo({at})", f"time.sleep({rest})"))
        return Spoken(calls=(f"pyautogui.moveTo({at})",), losses=() if rest is None else ("hover_seconds",))

    def _wait(self, act: Act) -> Spoken:
        if self._script:
            return Spoken(calls=(f"time.sleep({act.seconds})",))
        return Spoken(calls=("computer.wait()",), losses=("wait_seconds",))

    def _finish(self, act: Act) -> Spoken:
        status = "failure" if act.failed else "success"
        if self._script:
            return Spoken(calls=(f"# The task ends here: {status}",), losses=("finish_text",))
        return Spoken(calls=(f"computer.terminate(status={status!r})",))


AGENTNET: Final = Dialect(
    name="agentnet",
    title="AgentNet / OpenCUA",
    places="fractions of the picture, four decimals",
    say=_Speaker(_fractions, script=False).say,
)
SCRIPT: Final = Dialect(
    name="pyautogui",
    title="PyAutoGUI script",
    places="pixels of the picture",
    say=_Speaker(_pixels, script=True).say,
)

"""Solvers of the text-only model that look at each turn anew: what opens, scrolls, drags, or is read first.

Each gets the question and what its sentence says, and tells the next act; None says that nothing is left to do. They
were written on seeds 1000 to 1999. What a sentence means, they read from its words alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from tests.support.text_only_reading import (
    FIELDS,
    PRESSED,
    Act,
    Question,
    Seen,
    UnsolvableError,
    body_of,
    button,
    field,
    fields,
    find,
    joined_lines,
    like,
)

TurnSolver = Callable[["re.Match[str]", Question, Sequence[Seen]], Act | list[Act] | None]


def _mid(one: Seen) -> tuple[float, float]:
    return ((one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2)


def _at(plan: Sequence[Act], done: int) -> list[Act]:
    return list(plan[done:])


def _shown(elements: Sequence[Seen], text: str, *, at_least: float = 0.75) -> Seen | None:
    wanted = " ".join(text.split()).casefold()
    best = max((one for one in elements if one.text), key=lambda one: like(one.words, wanted), default=None)
    return best if best is not None and like(best.words, wanted) >= at_least else None


def _below(elements: Sequence[Seen], *kinds: str) -> list[Seen]:
    """Of these kinds, from the top."""
    return sorted((one for one in elements if one.type in kinds), key=lambda one: (one.box[1], one.box[0]))


def _position(word: str) -> int:
    """``2nd`` -> 1."""
    return int(re.sub(r"\D", "", word)) - 1


# Lists, menus, tabs, sections ---------------------------------------------------------------------------------------


def choose_from_list(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    """Open it, type what the entry begins with, Enter."""
    if not asked.done:
        above = [one for one in elements if one.words != "submit" and (one.type in FIELDS or one.type in PRESSED)]
        if not above:
            raise UnsolvableError("list")
        return Act(element=min(above, key=lambda one: one.box[1]))
    if asked.done == 3:
        return button(elements, "Submit")
    return _at((Act(), Act(text=match["what"]), Act(keys="Enter")), asked.done)


def choose_in_scroll_list(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """The first with a click, the others with Ctrl held; further down after scrolling."""
    clicked = sum("lick" in line for line in asked.history)
    names = match["what"].split(", ")
    if clicked > len(names):
        return None
    if clicked == len(names):
        return button(elements, "Submit")
    rows = [one for one in elements if one.words and one.words != "submit"]
    free = [name for name in names if not any(name.casefold() in line.casefold() for line in asked.history)]
    for name in free:
        row = _shown(rows, name)
        if row is not None:
            return Act(element=row, modifiers=("Ctrl",) if clicked else ())
    if not rows or asked.done > 20:
        raise UnsolvableError(match["what"])
    return Act(at=_mid(rows[len(rows) // 2]), scroll="down")


def _link(elements: Sequence[Seen], wanted: str) -> Act | None:
    """A link of its own, else its share of the line of text that it was read in."""
    exact, wanted = wanted, wanted.casefold()
    own = [one for one in elements if one.type == "hyperlink" and like(one.words, wanted) >= 0.8]
    if own:
        return Act(element=max(own, key=lambda one: like(one.words, wanted)))
    for one in elements:
        place = re.search(rf"(?<!\w){re.escape(exact)}(?!\w)", " ".join(one.text.split()))
        if place is not None and one.type not in {"tab", "button"}:
            x1, y1, x2, y2 = one.box
            middle = (place.start() + len(wanted) / 2) / len(one.words)
            return Act(at=(x1 + middle * (x2 - x1), (y1 + y2) / 2))
    return None


def link_in_sections(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """One section after the other, until the link shows."""
    found = _link(elements, match["what"])
    if found is not None:
        return found
    if asked.done and "section" not in asked.history[-1].casefold():
        return None
    return Act(element=find(elements, f"Section #{asked.done % 3 + 1}"))


def expand_section(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    if not asked.done:
        return Act(element=find(elements, "Section #1"))
    return button(elements, "Submit") if asked.done == 1 else None


def link_in_tabs(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """One tab after the other; what is between two tabs that were read is one, too."""
    tabs = _below(elements, "tab", "icon", "button")
    if not tabs:
        raise UnsolvableError("tabs")
    held = [one for one in elements if one.type not in {"toolbar", "image", "dialog", "window"}]
    row = [one for one in held if abs(one.box[1] - tabs[0].box[1]) < 12]  # on one line
    found = _link([one for one in elements if one not in row], match["what"])
    if found is not None:
        return found
    row.sort(key=lambda one: one.box[0])
    # The first one is shown at the beginning.
    fresh = [one for one in row[1:] if one.text and not any(f"“{one.text}”" in line for line in asked.history)]
    if fresh:
        return Act(element=fresh[0])
    number = asked.done + 1
    if number < len(row):
        return Act(element=row[number])
    pitch = row[0].box[2] - row[0].box[0] + 4
    x, y = _mid(row[0])
    return Act(at=(x + pitch * number, y)) if number < 6 else None


def menu_path(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """Rest on each entry that leads on, click the last."""
    names = match["what"].split(">")
    if asked.done >= len(names):
        return None
    entry = find([one for one in elements if ">" not in one.words.strip("> ")], names[asked.done])
    return Act(element=entry, hover=asked.done < len(names) - 1)


def menu_item(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """Behind the button; some of them in a second menu."""
    if not asked.done:
        return Act(element=find(elements, "Menu", *PRESSED))
    shown = _shown(elements, match["what"])
    if shown is not None:
        return Act(element=shown)
    return Act(element=find(elements, "Playback"), hover=True) if asked.done == 1 else None


_WIDGETS: Final = {
    "radio": ("radio",), "checkbox": ("checkbox",), "text": ("input_field",), "textarea": ("text_area",),
    "button": ("button",),
}  # fmt: skip


def widget(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    if asked.done:
        return None
    found = _below(elements, *_WIDGETS.get(match["what"], ()))
    if not found:
        raise UnsolvableError(match["what"])
    return Act(element=found[0])


def circle_center(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    if asked.done:
        return button(elements, "Submit") if asked.done == 1 else None
    others = [one for one in elements if one.words != "submit"]
    if not others:
        raise UnsolvableError("circle")
    # As a shape, or as what a circle is read.
    read = [one for one in others if one.type == "shape"] or [one for one in others if one.words in {"o", "0"}]
    return Act(element=max(read or others, key=lambda one: (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])))


def shape_name(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """What can be read is a letter or a number; the rest only eyes tell."""
    if asked.done:
        return None
    signs = [one.text.strip() for one in elements if len(one.text.strip()) == 1]
    if not signs:
        raise UnsolvableError("figure")
    return button(elements, "Number" if signs[0].isdigit() else "Letter")


# Typing and copying -------------------------------------------------------------------------------------------------


def _filled(texts: Sequence[tuple[Seen, str]], last: Act, done: int) -> list[Act]:
    plan = [act for one, text in texts for act in (Act(element=one), Act(text=text))]
    return _at([*plan, last], done)


def enter_in_case(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    text = match["what"].upper() if match["case"] == "upper" else match["what"].lower()
    return _filled([(field(elements, 0), text)], button(elements, "Submit"), asked.done)


def enter_word(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    """Of the lines above the field, the words in their order."""
    own = field(elements, 0)
    lines = sorted((one for one in elements if one.type == "text" and one.box[3] < own.box[1] + 4), key=_line)
    words = " ".join(one.text for one in lines).split()
    number = _position(match["which"])
    if number >= len(words):
        raise UnsolvableError("word")
    return _filled([(own, re.sub(r"[^A-Za-z]", "", words[number]))], button(elements, "Submit"), asked.done)


def _line(one: Seen) -> tuple[int, float]:
    return round(_mid(one)[1] / 12), one.box[0]


def _value(elements: Sequence[Seen], label: str) -> str:
    """What stands right of a label on its line; both may go over two lines."""
    texts = [one for one in elements if one.text and not one.text.strip().endswith(":")]
    named = max((*texts, *_stacks(texts)), key=lambda one: like(one.words, label), default=None)
    if named is None or like(named.words, label) < 0.5:
        raise UnsolvableError(label)
    right = [one for one in texts if one.box[0] > named.box[0] + 8]
    right = [one for one in (*_stacks(right), *right) if abs(_mid(one)[1] - _mid(named)[1]) < 12]
    if not right:
        raise UnsolvableError(label)
    first = min(one.box[0] for one in right)
    # Of a value over two lines, the whole.
    return max((one for one in right if one.box[0] < first + 8), key=lambda one: len(one.text)).text.strip()


def _stacks(texts: Sequence[Seen]) -> list[Seen]:
    """Two lines of one cell, one close below the other, as one text."""
    found: list[Seen] = []
    for one in texts:
        for other in texts:
            if abs(one.box[0] - other.box[0]) < 6 and -4 < other.box[1] - one.box[3] < 5:
                x2 = max(one.box[2], other.box[2])
                box = (one.box[0], one.box[1], x2, other.box[3])
                found.append(Seen(number=one.number, type="text", text=f"{one.text} {other.text}", box=box))
    return found


def enter_value(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    if asked.done == 2:
        return [button(elements, "Submit")]
    own = fields(elements)
    table = [one for one in elements if one not in own and one.words != "submit"]
    text = _value(table, match["what"])
    if asked.done == 1:  # the field has the focus, whether it is seen or not
        return Act(text=text)
    return _filled([(field(elements, 0), text)], button(elements, "Submit"), asked.done)


def _label(one: Seen, elements: Sequence[Seen]) -> str:
    """The text left of a field, else above it."""
    x, y = one.box[0], _mid(one)[1]
    texts = [other for other in elements if other.text and other.type not in FIELDS and other.type != "button"]
    left = [other for other in texts if other.box[2] <= x + 6 and abs(_mid(other)[1] - y) < 14]
    above = [other for other in texts if other.box[3] <= one.box[1] + 6 and abs(other.box[0] - x) < 40]
    named = max(left, key=lambda other: other.box[2], default=None)
    named = named or max(above, key=lambda other: other.box[3], default=None)
    if named is None:
        raise UnsolvableError("label")
    return named.text.strip().rstrip(":")


def enter_values(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    if asked.done == 4:
        return [button(elements, "Submit")]
    labels = sorted((one for one in elements if one.text.strip().endswith(":")), key=_line)
    if len(labels) < 2 and (not labels or asked.done > 1):
        raise UnsolvableError("labels")
    # A field that has the focus may not be told as one; the other is right of its label, too.
    x = max((_mid(one)[0] for one in fields(elements)), default=labels[0].box[2] + 80)
    texts = [(Act(at=(x, _mid(one)[1])), _value(elements, one.text.strip().rstrip(":"))) for one in labels[:2]]
    plan = [act for place, text in texts for act in (place, Act(text=text))]
    return _at([*plan, button(elements, "Submit")], asked.done)


def search_film(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    texts: list[tuple[Seen, str]] = []
    for one in _below(elements, *FIELDS, "dropdown", "spinner")[:3]:
        label = _label(one, elements).casefold()
        what = "genre" if "genre" in label else "name" if "director" in label else "year"
        texts.append((one, match[what]))
    if len(texts) < 3 and asked.done < 5:
        raise UnsolvableError("fields")
    bottom = max((one.box[1] for one, _ in texts), default=0.0)
    lowest = [one for one in elements if one.type == "button" and one.box[1] > bottom]
    if not lowest:
        raise UnsolvableError("button")
    return _filled(texts, Act(element=lowest[0]), asked.done)


def copy_text(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    """All of a text area, into the field."""
    areas = _below(elements, "text_area")
    which = match.groupdict().get("which")
    number = _position(which) if which else 0
    if not asked.done:
        if number >= len(areas):
            raise UnsolvableError("text area")
        return Act(element=areas[number])
    own = _below(elements, "input_field") or fields(elements)
    if not own:
        raise UnsolvableError("field")
    keys = {1: "Ctrl+A", 2: "Ctrl+C", 4: "Ctrl+V"}
    if asked.done in keys:
        return Act(keys=keys[asked.done])
    if asked.done == 3:  # all is copied
        return Act(element=own[-1])
    return button(elements, "Submit") if asked.done == 5 else None


def last_word(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    areas = _below(elements, "text_area") or fields(elements)[:1]
    own = [one for one in fields(elements) if one not in areas]
    if not areas or not own:
        raise UnsolvableError("text area")
    words = re.findall(r"[A-Za-z]+", areas[0].text)
    return _at(
        (
            Act(element=areas[0]), Act(keys="Ctrl+End"), Act(element=own[-1]),
            Act(text=words[-1] if words else ""), button(elements, "Submit"),
        ),
        asked.done,
    )  # fmt: skip


def scroll_to(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    areas = _below(elements, "text_area") or fields(elements)[:1]
    if not areas:
        raise UnsolvableError("text area")
    end = "Ctrl+Home" if match["where"] == "top" else "Ctrl+End"
    return _at((Act(element=areas[0]), Act(keys=end), button(elements, "Submit")), asked.done)


def spinner(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    """With the arrow keys, from the number that it shows, else from 0."""
    own = next(iter(_below(elements, *FIELDS, "spinner")), None)
    if own is None:
        raise UnsolvableError("spinner")
    shown = re.fullmatch(r"-?\d+", own.text.strip())
    by = int(match["what"]) - (int(own.text) if shown else 0)
    keys = Act(keys="ArrowUp" if by > 0 else "ArrowDown", presses=max(1, abs(by)))
    return _at((Act(element=own), keys, button(elements, "Submit")), asked.done)


def guess(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """Half of what is left; earlier guesses stand in the history, what came of the last one on the screen."""
    numbers = [one for one in elements if one.text.strip().isdecimal()]  # what was typed, whatever it is seen as
    own = next(iter(_below(elements, "spinner", *FIELDS) or numbers), None)
    if own is None:
        raise UnsolvableError("field")
    told = [
        int(found[-1]) for line in asked.history if (found := re.findall(r"[“\"](\d)[”\"]", line)) and "ype" in line
    ]
    turn = asked.done % 3
    made = told if turn in {0, 1} else told[:-1]
    low, high = 0, 9
    for number, one in enumerate(made):
        if number + 1 < len(told):
            greater = told[number + 1] > one
        else:
            said = " ".join(e.words for e in elements)
            greater = "higher" in said or "greater" in said
        low, high = (one + 1, high) if greater else (low, one - 1)
    middle = (low + high) // 2
    # Dragging over what is there selects it, so that typing takes its place.
    y = _mid(own)[1]
    start = own.box[0] + 0.4 * (own.box[2] - own.box[0])  # left of the signs that count it up and down
    acts = (Act(at=(start, y), to=(own.box[0] + 6, y)), Act(text=str(middle)), button(elements, "Submit"))
    return acts[turn]


def complete(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    """What the field suggests for the beginning."""
    begin, end = match["begin"].casefold(), (match.groupdict().get("end") or "").casefold()
    waited = sum("over" in line.casefold() for line in asked.history)
    done = asked.done - waited
    if done < 2:
        return _at((Act(element=field(elements, 0)), Act(text=match["begin"])), done)
    if done > 2:
        return button(elements, "Submit") if done == 3 else None
    lines = [one for one in elements if one.words.startswith(begin) and one.type not in FIELDS]
    fitting = [one for one in lines if one.words.endswith(end) and one.words != begin]
    if not fitting:
        if waited > 1 or not fields(elements):
            raise UnsolvableError(match["begin"])
        return Act(element=field(elements, 0), hover=True)  # what it suggests may come later
    return Act(element=fitting[0])


_ALGEBRA: Final = re.compile(r"(x|\d+)\s*([-+])\s*(x|\d+)\s*=+\s*=?\s*(-?\d+|x)", re.IGNORECASE)


def algebra(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    if asked.done == 2:  # all is typed
        return [button(elements, "Submit")]
    for one in (*elements, *joined_lines(elements)):
        # Half an x, behind an icon, is read as a sign.
        text = re.sub(r"(?<!\w)[oO](?!\w)", "0", re.sub("[\u00d7<]", "x", one.text))
        told = _ALGEBRA.search(text)
        if told is None:
            continue
        a, sign, b, c = told[1].lower(), told[2], told[3].lower(), told[4].lower()
        if "x" not in {a, b}:
            continue
        if a == "x":
            x = int(c) - int(b) if sign == "+" else int(c) + int(b)
        else:
            x = int(c) - int(a) if sign == "+" else int(a) - int(c)
        own = next(iter(fields(elements)), None)
        asking = [e for e in elements if re.match(r"x\s*=", e.words)]
        if own is None and not asking:
            break
        place = Act(element=own)
        if own is None:
            y1, x2, y2 = asking[0].box[1:]
            # Right of the sign; the field has no edge that the list tells.
            place = Act(at=(x2 + (y2 - y1), (y1 + y2) / 2))
        return _at((place, Act(text=str(x)), button(elements, "Submit")), asked.done)
    raise UnsolvableError("problem")


def log_in(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | list[Act] | None:
    """What comes in between is sent away, and the click before it is done again."""
    popup = _shown([one for one in elements if one.type in PRESSED], "Cancel", at_least=0.9)
    if popup is not None:
        return Act(element=popup)
    lost = sum("cancel" in line.casefold() for line in asked.history)
    pressed = [one for one in elements if one.type == "button"]
    own = fields(elements)
    if len(own) < 2 or not pressed:
        raise UnsolvableError("fields")
    texts = [(own[0], match["user"]), (own[1], match["password"])]
    return _filled(texts, Act(element=max(pressed, key=lambda one: one.box[1])), asked.done - 2 * lost)


# Dragging -----------------------------------------------------------------------------------------------------------

_PAST: Final = 5
"""How far beyond the middle of the one whose place it takes an item is dropped, pixels."""


def drag_box(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    if asked.done:
        return button(elements, "Submit") if asked.done == 1 else None
    boxes = sorted(
        (one for one in elements if one.words != "submit"), key=lambda one: -(one.box[2] - one.box[0])
    )[:2]  # fmt: skip
    if len(boxes) < 2:
        raise UnsolvableError("boxes")
    return Act(element=boxes[1], to=_mid(boxes[0]))


def _sort_of(words: str, index: int, count: int) -> int:
    relative = {"down by one position": 1, "up by one position": -1}
    for phrase, by in relative.items():
        if phrase in words:
            return index + by
    if "to the top" in words:
        return 0
    if "to the bottom" in words:
        return count - 1
    number = re.search(r"to the (\d+)", words)
    if number is None:
        raise UnsolvableError(words)
    return int(number[1]) - 1


def drag_item(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    if asked.done:
        return None
    rows = sorted((one for one in elements if one.text), key=lambda one: _mid(one)[1])
    item = find(rows, match["what"])
    where = match["where"].rstrip(".").casefold()
    if re.search(r"center|left|right|by one$", where):
        return Act(element=item, to=_cell(rows, item, where))
    goal = _sort_of(where, rows.index(item), len(rows))
    if not 0 <= goal < len(rows):
        raise UnsolvableError(where)
    down = 1 if goal > rows.index(item) else -1
    return Act(element=item, to=(_mid(item)[0], _mid(rows[goal])[1] + _PAST * down))


def _clusters(values: Sequence[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 30:
            found.append(value)
    return found


def _cell(items: Sequence[Seen], item: Seen, where: str) -> tuple[float, float]:
    """The middle of a place in a grid of three times three, a little further on the way there."""
    columns, rows = _clusters([one.box[0] for one in items]), _clusters([one.box[1] for one in items])
    if len(columns) != 3 or len(rows) != 3:
        raise UnsolvableError("grid")
    now = (
        min(range(3), key=lambda n: abs(columns[n] - item.box[0])),
        min(range(3), key=lambda n: abs(rows[n] - item.box[1])),
    )
    column, row = 1, 1
    by = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
    moved = re.search(r"(up|down|left|right) by one", where)
    if moved is not None:
        column, row = now[0] + by[moved[1]][0], now[1] + by[moved[1]][1]
    else:
        row = 0 if "top" in where else 2 if "bottom" in where else 1
        column = 0 if "left" in where else 2 if "right" in where else 1
    # The texts stand in the upper left of their places.
    pitch = (columns[2] - columns[0]) / 2
    dx, dy = column - now[0], row - now[1]
    past = (_PAST * ((dx > 0) - (dx < 0)), _PAST * ((dy > 0) - (dy < 0)))
    return columns[column] + 0.35 * pitch + past[0], rows[row] + 0.38 * pitch + past[1]


def sort_numbers(_: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """The first that is not in its place takes it."""
    rows = sorted(
        (one for one in elements if re.fullmatch(r"-?\d+", one.text.strip())), key=lambda one: _mid(one)[1]
    )  # fmt: skip
    numbers = [int(one.text) for one in rows]
    for place, wanted in enumerate(sorted(numbers)):
        if numbers[place] != wanted:
            item = rows[numbers.index(wanted, place)]
            return Act(element=item, to=(_mid(item)[0], _mid(rows[place])[1] - _PAST))
    last = asked.history[-1].casefold() if asked.history else ""
    return button(elements, "Submit") if "submit" not in last else None


def resize(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    handle = next(iter(_below(elements, "resize_handle")), None)
    if asked.done:
        return button(elements, "Submit") if asked.done == 1 else None
    if handle is None:
        raise UnsolvableError("handle")
    by = 40 if match["how"] == "larger" else -40
    x, y = _mid(handle)
    return Act(element=handle, to=(x + by, y) if match["side"] == "width" else (x, y + by))


def highlight(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """From the beginning of the paragraph's first line to the end of its last."""
    if asked.done:
        return button(elements, "Submit") if asked.done == 1 else None
    lines = sorted((one for one in elements if one.text and one.words != "submit"), key=_line)
    paragraphs: list[list[Seen]] = []
    for one in lines:
        if paragraphs and one.box[1] - paragraphs[-1][-1].box[3] < 12:
            paragraphs[-1].append(one)
        else:
            paragraphs.append([one])
    which = match.groupdict().get("which")
    number = _position(which) if which else 0
    if number >= len(paragraphs):
        raise UnsolvableError("paragraph")
    own = paragraphs[number]
    return Act(at=(own[0].box[0] - 2, _mid(own[0])[1]), to=(own[-1].box[2] + 6, _mid(own[-1])[1]))


# Mail ---------------------------------------------------------------------------------------------------------------


_NAME: Final = r"[A-Z][a-z]+(?: [A-Z][a-z]+)?"


def _mail_request(task: str, names: Sequence[str]) -> tuple[str, str, str]:
    """What, whose mail, and the text or the recipient."""
    words = task.casefold()
    quote = re.search(r"[\"“'](.+?)[\"”']?\.?$", task)
    if re.search(r"trash|delete|\bbin\b|get rid|remove|discard|throw|dispose", words):
        action = "delete"
    elif "star" in words or "important" in words:
        action = "star"
    elif re.search(r"repl|respon|answer|\btell\b|\bsay", words):
        action = "reply"
    else:
        action = "forward"
    told_of = task.split('"', maxsplit=1)[0] if action == "reply" else task
    people = [re.sub(rf"^(?:{'|'.join(_BEGIN)}) ", "", name) for name in re.findall(rf"\b{_NAME}\b", told_of)]
    known = [name for name in people if any(like(name, shown) > 0.85 for shown in names)]
    told = re.search(rf"(?:by|from|of|to|that|which) ({_NAME})", task)
    if action != "forward":
        sender = known[0] if known else told[1] if told else people[-1] if people else ""
        return action, sender, quote[1] if quote and action == "reply" else ""
    source = re.search(rf"(?:\bby|\bfrom|\bthat|\bwhich) ({_NAME})|({_NAME})'s? ", task)
    goal = re.search(rf"\b(?:to|with) ({_NAME})", task)
    sender = (source[1] or source[2]) if source else next(iter(known), "")
    others = [name for name in people[0:] if name != sender and name not in _BEGIN]
    return action, sender, goal[1] if goal and goal[1] != sender else others[-1] if others else ""


_BEGIN: Final = frozenset(
    (
        "Find",
        "Forward",
        "Send",
        "Please",
        "Give",
        "Can",
        "Could",
        "Copy",
        "Ask",
        "Automatically",
        "I",
        "Go",
        "My",
        "The",
    )
)


def mail(match: re.Match[str], asked: Question, elements: Sequence[Seen]) -> Act | None:
    """Find the sender, scrolling; open the mail, its answer or forward at its end, the field, the send button."""
    texts = [one for one in elements if one.text]
    action, sender, text = _mail_request(match.string, [one.text for one in texts])
    told = [line.casefold() for line in asked.history]
    clicks = sum("lick" in line for line in told)
    # Less than what shows, so that no sender is passed over.
    further = Act(at=(asked.size[0] * 0.25, asked.size[1] * 0.45), scroll="down", notches=1 if not clicks else 2)
    if not clicks:
        named = _shown([one for one in texts if one.box[0] < 60], sender, at_least=0.8)
        if named is None and asked.done > 14:
            raise UnsolvableError(sender)
        found = named if named is None or action in {"reply", "forward"} else _mail_icon(elements, named, action)
        return further if found is None else Act(element=found)
    if action in {"delete", "star"}:
        return None
    if clicks == 1:
        named = _shown(texts, action)
        return further if named is None else Act(element=named)
    if not any(line.startswith("typ") for line in told):
        return _mail_field(elements, texts, action) if clicks == 2 else Act(text=text)
    if clicks > 3:
        return None
    top = min(one.box[1] for one in elements)
    send = [one for one in elements if one.box[1] < top + 50 and one.box[0] > 180]
    if not send:
        raise UnsolvableError("send")
    return Act(element=max(send, key=lambda one: one.box[0]))


def _mail_icon(elements: Sequence[Seen], named: Seen, action: str) -> Seen | None:
    """The star of a mail, or right of it the dustbin."""
    y = _mid(named)[1]
    near = [
        one for one in elements if one.type in {"icon", "button"} and one.box[0] > 180 and abs(_mid(one)[1] - y) < 22
    ]
    icons = sorted(near, key=lambda one: one.box[0])
    return None if len(icons) < 2 else icons[1 if action == "delete" else 0]


def _mail_field(elements: Sequence[Seen], texts: Sequence[Seen], action: str) -> Act:
    """Whom it goes to, or what it says; where no field was seen, right of “to:” or under the subject."""
    if action == "reply":
        area = next(iter(_below(elements, "text_area")), None)
        if area is not None:
            return Act(element=area)
    begin = "to" if action == "forward" else "subj"
    line = next((one for one in texts if re.match(rf"{begin}\w*\s*:", one.words)), None)
    if line is None:
        raise UnsolvableError("field")
    if action == "forward":
        return Act(element=line) if line.type in FIELDS else Act(at=(line.box[2] + 60, _mid(line)[1]))
    return Act(at=(_mid(line)[0], line.box[3] + 40))


TURNS: Final[Sequence[tuple[str, TurnSolver]]] = (
    (r"^Select (?P<what>.+) from the list and click Submit", choose_from_list),
    (r"^Select (?P<what>.+) from the scroll list and click Submit", choose_in_scroll_list),
    (r"^Select (?P<what>-?\d+) with the spinner", spinner),
    (r"^Select (?P<what>(?:\w+>)*\w+)$", menu_path),
    (r"^Expand the section below and click submit", expand_section),
    (r"^Expand the sections below, to find and click on the link \"(?P<what>.+)\"", link_in_sections),
    (r"^Switch between the tabs to find and click on the link \"(?P<what>.+)\"", link_in_tabs),
    (r"^Click the \"Menu\" button, and then find and click on the item labeled \"(?P<what>.+)\"", menu_item),
    (r"^Click on a \"(?P<what>\w+)\" widget", widget),
    (r"^Find and click on the center of the circle", circle_center),
    (r"^Click the button that best describes the figure", shape_name),
    (r"^Type \"(?P<what>.+)\" in all (?P<case>upper|lower) case letters", enter_in_case),
    (r"^Find the (?P<which>\d+\w\w) word in the paragraph", enter_word),
    (r"^Find the last word in the text area", last_word),
    (r"^Enter the value of (?P<what>.+) into the text field", enter_value),
    (r"^Enter the value that corresponds with each label", enter_values),
    (r"^Search for (?P<genre>.+) movies directed by (?P<name>.+) from year (?P<year>\d+)", search_film),
    (r"^Copy the text in the textarea", copy_text),
    (r"^Copy the text from the (?P<which>\d+\w\w) text area", copy_text),
    (r"^Scroll the textarea to the (?P<where>top|bottom)", scroll_to),
    (r"^Guess the number between 0-9", guess),
    (r"^Enter an item that starts with \"(?P<begin>.+?)\" and ends with \"(?P<end>.+?)\"", complete),
    (r"^Enter an item that starts with \"(?P<begin>.+?)\"", complete),
    (r"^Solve for x ", algebra),
    (r"^Enter the username \"(?P<user>.+)\" and the password \"(?P<password>.+)\" into .* and press login", log_in),
    (r"^Drag the smaller box", drag_box),
    (r"^Drag (?P<what>\S+) (?P<where>.+)$", drag_item),
    (r"^Sort the numbers in increasing order", sort_numbers),
    (r"^Resize the textarea so that the (?P<side>width|height) is (?P<how>larger|smaller)", resize),
    (r"^Highlight the text in the paragraph below", highlight),
    (r"^Highlight the text in the (?P<which>\d+\w\w) paragraph", highlight),
    (r".*(?:e-?mail|inbox|message|forward|reply|foward|trash|\bbin\b|\bstar\b)", mail),
)
"""The sentence of a task, and what does it turn by turn."""


def next_acts(task: str, asked: Question) -> list[Act] | None:
    """What is left to do as far as it can be told now; None where no solver knows the sentence.

    Raises:
        UnsolvableError: nothing on the list is what the task speaks of.
    """
    for pattern, solver in TURNS:
        match = re.match(pattern, task, re.IGNORECASE)
        if match is not None:
            told = solver(match, asked, body_of(asked))
            return told if isinstance(told, list) else [] if told is None else [told]
    return None

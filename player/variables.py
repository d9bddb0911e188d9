"""Variables of a demo: texts that it types and that get another value, and where else it carries them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.domain.actions import Action, ActionTarget, DragAction, TypeAction
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.labels import FIELDS, field_label
from demopack.domain.ports import FrameStore
from demopack.domain.roles import reported_target
from demopack.domain.steps import AccessibleElement, Step
from demopack.domain.text_likeness import plain_text
from demopack.domain.words import shorten, variable_name
from demopack.errors import BadInputError, ReplayError
from demopack.redaction.matches import PLACEHOLDER, SECRET_KINDS
from models.vision.reports.elements import reported_elements
from player.backends.base import typed_lines
from player.compare import area_alike, changed_boxes
from player.target_strategies import HOLDS_VALUE, RowText

DOTS: Final = "••••••••"
"""Stands for a secret wherever one would be shown: as long as this, whatever the secret is."""
_MIN_PART: Final = 3  # characters; a shorter value ("2", "no") is a part of too many texts by chance
_SECRET: Final = frozenset({"secret", "maybe_password", *SECRET_KINDS})
_ALIKE: Final = 0.95  # share of equal pixels from which a place still shows the same text
_MIN_DRAWN_PX: Final = 12
_MAX_TYPED_SHARE: Final = 0.5  # of the picture; beyond it a change does not tell where something was typed
_MARGIN_PX: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A text that a demo types, and that may be another one each time.

    Attributes:
        name: marked in the recording or the editor; made up for a text that stands in the task, and for a hidden one.
        steps: that type it, their numbers from 1.
        parts: of the typed text of each of these steps, what the value takes the place of: all of it, or a placeholder.
        value: as recorded; None where the demo does not have it because it was hidden.
        marked: whether a person said that it is one.
        secret: whether nobody may see its value.
    """

    name: str
    steps: tuple[int, ...]
    parts: tuple[str, ...]
    value: str | None
    marked: bool
    secret: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownValue:
    """A place on a recorded frame that shows a value which is another one now.

    Attributes:
        box: pixels of the frame.
        old: the text that stands there in the recording; empty for a secret.
        new: the text that should stand there now; empty where that is not known, or secret.
    """

    box: Rect
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledDemo:
    """A demo with other values, and what a replay has to know about them.

    Attributes:
        demo: what is performed. Places whose text is another one count as covered on its frames. What it types of a
            secret is dots, and its task has them, too.
        renewed: steps whose target has another text than in the recording, as ``(step id, "target" or "end")``: neither
            its place nor its look says where it is now.
        beside: the value that stands in the row of such targets as have no text of their own, or one that stands in
            several rows.
        shown: by frame id, where the recording shows what is another text now.
        changes: recorded values, and the new one of each.
        secrets: by step id, the texts to be typed that hold a secret.
        hidden: the secrets themselves.
        recorded: the demo without them; None where ``demo`` is it.
    """

    demo: Demo
    renewed: frozenset[tuple[str, str]] = frozenset()
    beside: Mapping[tuple[str, str], RowText] = field(default_factory=dict[tuple[str, str], RowText])
    shown: Mapping[str, tuple[ShownValue, ...]] = field(default_factory=dict[str, tuple[ShownValue, ...]])
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    hidden: frozenset[str] = field(default=frozenset(), repr=False)
    recorded: Demo | None = field(default=None, repr=False)

    def new_text(self, text: str) -> str:
        """A text of the recording as it should read now."""
        return _Replacer(self.changes)(text)

    def places_of_new(self, texts: Iterable[tuple[str, Rect]]) -> list[Rect]:
        """The places of those texts of the live screen that hold a new value, with room for the recorded ones."""
        back = _Replacer({new: old for old, new in self.changes.items()})
        return [_room_for(box, text, back(text)) for text, box in texts if back.carries(text)]


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """A place on a recorded frame that shows the value of a variable.

    Attributes:
        box: pixels of the frame.
        text: that stands there; empty for a secret.
        is_field: whether it is a field that holds the text, and not called so.
    """

    box: Rect
    text: str
    is_field: bool


ValuePlaces = Mapping[str, tuple[ValuePlace, ...]]
"""By frame id: the places that show the recorded value of a variable."""


def variables_of(demo: Demo, *, secret: Collection[str] = ()) -> list[Variable]:
    """The variables of a demo in the order of their first step.

    These are the texts that a person marked, those that were hidden when they were recorded, and those that stand word
    for word in the task, which are only offered.

    Args:
        demo: as recorded.
        secret: names of those whose new values nobody may see, though the recorded one can be seen.
    """
    parts: dict[str, list[tuple[int, str]]] = {}
    kinds: dict[str, tuple[str | None, bool, bool]] = {}
    made: dict[str, str] = {}
    marked = {step.variable for step in demo.steps if step.variable}
    for number, step in enumerate(demo.steps, start=1):
        action = step.action
        if not isinstance(action, TypeAction):
            continue
        text = action.text_to_type
        hidden = [match.group() for match in PLACEHOLDER.finditer(text)]
        for part in dict.fromkeys(hidden):
            kind, _, name = part[1:-1].partition(":")
            name = name if kind == "secret" else f"{kind}_{name}"
            whole = step.variable if text.strip() == part else ""
            name = whole or made.get(part) or _unused(variable_name(name) or "secret", {*marked, *parts})
            made[part] = name
            parts.setdefault(name, []).append((number, part))
            kinds[name] = (None, bool(whole), kind in _SECRET)
        if hidden:
            continue
        name, is_marked = step.variable, bool(step.variable)
        if not is_marked:
            if not _contains(demo.head.task, text.strip()):
                continue
            name = made.get(text) or _unused(field_name(step, demo) or "text", {*marked, *parts})
            made[text] = name
        parts.setdefault(name, []).append((number, text))
        kinds.setdefault(name, (text, is_marked, False))
    return [
        Variable(
            name=name, steps=tuple(number for number, _ in at), parts=tuple(part for _, part in at),
            value=kinds[name][0], marked=kinds[name][1], secret=kinds[name][2] or name in secret,
        )
        for name, at in parts.items()
    ]  # fmt: skip


def check_names(demo: Demo, names: Iterable[str]) -> None:
    """Refuse names that no variable of a demo has.

    Raises:
        BadInputError: the message names those that there are.
    """
    known = variables_of(demo)
    unknown = [name for name in names if name not in {one.name for one in known}]
    if not unknown:
        return
    there = "; ".join(describe_variable(one) for one in known)
    raise BadInputError(
        f"The demo has no variable {', '.join(unknown)}. "
        + (f"It has: {there}." if there else "It has none: no typed text is marked, and none stands in the task."),
        hint="" if known else "Mark a typed text with F10 while recording, or in the editor (Variable).",
    )


def describe_variable(variable: Variable) -> str:
    """For instance ``name (step 2: “Ada”)``."""
    steps = ", ".join(str(number) for number in variable.steps)
    value = f"“{shorten(variable.value)}”" if variable.value is not None else "not in the demo"
    found = "" if variable.marked or variable.value is None else "; stands in the task"
    return f"{variable.name} (step{'s' if len(variable.steps) > 1 else ''} {steps}: {value}{found})"


def find_places(demo: Demo, names: Iterable[str], images: FrameStore) -> ValuePlaces:
    """Where the frames of a demo show the recorded values of some variables.

    Elements, programs' reports and the fields that were typed into tell where; the same pixels on another frame show
    the same text.

    Args:
        demo: as recorded.
        names: of the variables.
        images: its frames.
    """
    chosen = [one for one in variables_of(demo) if one.name in set(names)]
    if not chosen:
        return {}
    read = _Images(images)
    found: dict[str, dict[Rect, ValuePlace]] = {}
    for frame_id, place in _told_places(demo, chosen, read):
        found.setdefault(frame_id, {}).setdefault(place.box, place)
    sources = [(frame_id, place) for frame_id, places in found.items() for place in places.values()]
    for frame in demo.frames():
        here = found.setdefault(frame.id, {})
        for source, place in sources:
            if source != frame.id and place.box not in here and _same_there(read, source, frame.id, place.box):
                here[place.box] = place
    return {frame_id: tuple(places.values()) for frame_id, places in found.items()}


def _told_places(
    demo: Demo, chosen: Sequence[Variable], read: Callable[[str], RgbImage]
) -> Iterator[tuple[str, ValuePlace]]:
    """Frame id and place of what shows a value: the fields that were typed into, elements, programs' reports."""
    replacer = _Replacer({part: "" for one in chosen if not one.secret for part in one.parts})
    typing = [(one, demo.steps[number - 1]) for one in chosen for number in one.steps]
    for variable, step in typing:
        if step.after is not None and (area := _typed_area(step, demo, read)) is not None:
            yield (
                step.after.id,
                ValuePlace(area, "" if variable.secret else step.action.typed_text or "", is_field=True),
            )
    for frame_id, elements in demo.elements.items():
        for element in elements:
            if element.review != "rejected" and replacer.carries(element.text):
                yield frame_id, ValuePlace(element.box, element.text or "", element.type in HOLDS_VALUE)
    for step in demo.steps:
        if step.before is not None:
            carrying = (place for place in _reported(step, step.before, demo) if replacer.carries(place.text))
            yield from ((step.before.id, place) for place in carrying)


def fill(demo: Demo, values: Mapping[str, str], places: ValuePlaces, *, secret: Collection[str] = ()) -> FilledDemo:
    """A demo with other values for some of its variables, typed and wherever else it carries them.

    Args:
        demo: as recorded.
        values: by name. A variable that is not named keeps its recorded value.
        places: of :func:`find_places` for at least these variables.
        secret: names of those that are to be treated as secrets, though they were recorded as other texts.

    Raises:
        BadInputError: there is no variable of a name; a value is missing that the demo does not have, or cannot be
            typed, or would leave its field half typed, or leaves nothing by which a step's target could be found.
    """
    check_names(demo, values)
    _refuse_untypable(values)
    variables = variables_of(demo, secret=secret)
    if missing := [one.name for one in variables if one.value is None and one.name not in values]:
        raise BadInputError(
            f"The demo does not have the value of {', '.join(missing)}: it was hidden when it was recorded.",
            hint=f"Give it, for instance with --set {missing[0]}=…",
        )
    if not values:
        return FilledDemo(demo=demo)
    chosen = [one for one in variables if one.name in values]
    _refuse_leaving(demo, chosen, values)
    meant: dict[str, set[str]] = {}
    for one in variables:
        # A marked text keeps its recorded value, also where the value of another variable is a part of it.
        if (not one.secret or one.value is not None) and (one.marked or one.name in values):
            for part in one.parts:
                meant.setdefault(part, set()).add(values.get(one.name, part))
    ambiguous = _Replacer({part: "" for part, new in meant.items() if len(new) > 1})
    _refuse_ambiguous(demo, ambiguous)
    replacer = _Replacer({part: next(iter(new)) for part, new in meant.items() if len(new) == 1})
    dots = {part: DOTS for one in chosen if one.secret for part in one.parts}
    masked = _Replacer({part: dots.get(part, next(iter(new))) for part, new in meant.items() if len(new) == 1})
    secrets: dict[str, str] = {}
    typed: dict[str, str] = {}
    for step in demo.steps:
        text = step.action.typed_text or ""
        if (shown_text := masked(text)) != (real := replacer(text)):
            typed[step.id], secrets[step.id] = shown_text, real
    for number in sorted({number for one in chosen for number in one.steps}):
        step = demo.steps[number - 1]
        text = step.action.typed_text or ""
        here = {p: one for one in chosen for n, p in zip(one.steps, one.parts, strict=True) if n == number}
        typed[step.id] = _put_in(text, {p: DOTS if one.secret else values[one.name] for p, one in here.items()})
        secrets.pop(step.id, None)
        if any(one.secret for one in here.values()):
            secrets[step.id] = _put_in(text, {p: values[one.name] for p, one in here.items()})
    shown = {
        frame_id: tuple(
            ShownValue(
                box=_room_for(one.box, one.text, new),
                old=one.text,
                # Nobody looks for a secret on the screen.
                new="" if ambiguous.carries(one.text) or masked(one.text) != new else new,
            )
            for one in boxes
            if (new := replacer(one.text)) != one.text or not one.text or ambiguous.carries(one.text)
        )
        for frame_id, boxes in places.items()
    }
    filling = _Filling(demo, replacer, typed, {frame: at for frame, at in shown.items() if at}, places)
    return FilledDemo(
        demo=filling.demo(task=masked(demo.head.task)),
        renewed=frozenset(filling.renewed),
        beside=filling.beside,
        shown=filling.shown,
        changes={part: new for part, one in meant.items() if len(one) == 1 and (new := next(iter(one))) != part},
        secrets=secrets,
        hidden=frozenset(values[one.name] for one in chosen if one.secret and values[one.name]),
        recorded=demo,
    )


def _refuse_untypable(values: Mapping[str, str]) -> None:
    for name, value in values.items():
        try:
            typed_lines(value)
        except ReplayError as error:
            raise BadInputError(
                f"The value of {name} holds a character that no key produces.", hint="Take it out."
            ) from error


def _refuse_leaving(demo: Demo, chosen: Iterable[Variable], values: Mapping[str, str]) -> None:
    """Refuse a line end, which sends a form off, and a tab, which goes to its next field, where one line is typed."""
    for one in chosen:
        keys = {"\n", "\t"} & set(values[one.name])
        for number in one.steps:
            step = demo.steps[number - 1]
            if keys - set(step.action.typed_text or "") and _takes_one_line(step, demo):
                raise BadInputError(
                    f"The value of {one.name} holds a line end or a tab, with which the field of step {number} would "
                    "be left before all of it was typed.",
                    hint="Take it out: the field takes one line.",
                )


def _takes_one_line(step: Step, demo: Demo) -> bool:
    """Whether the field in which a step types is known, and for one line."""
    elements = demo.elements.get(step.before.id, ()) if step.before is not None else ()
    types = {element.type for element in elements if element.uid == step.target_uid}
    told = step.focused
    if "text_area" in types or (told is not None and "multi line" in told.states):
        return False
    return "input_field" in types or (told is not None and "editable" in told.states)


def _refuse_ambiguous(demo: Demo, ambiguous: _Replacer) -> None:
    for number, step in enumerate(demo.steps, start=1):
        named = [target.text for target in (step.action.target, step.action.end) if target is not None]
        if step.before is not None:
            on_it = [e for e in demo.elements.get(step.before.id, ()) if e.uid in {step.target_uid, step.end_uid}]
            named += [e.text for e in on_it if e.type not in HOLDS_VALUE]
        named += [] if step.pointed is None else [step.pointed.name]
        if text := next((text for text in named if ambiguous.carries(text)), ""):
            raise BadInputError(
                f"Step {number} is done to “{shorten(text)}”, the value of two variables that differ from now on.",
                hint="Give both the same value, or record it with values that differ.",
            )


class _Filling:
    """One demo under way to other values."""

    def __init__(
        self,
        demo: Demo,
        replacer: _Replacer,
        typed: Mapping[str, str],
        shown: Mapping[str, tuple[ShownValue, ...]],
        places: ValuePlaces,
    ) -> None:
        self.renewed: set[tuple[str, str]] = set()
        self.beside: dict[tuple[str, str], RowText] = {}
        self.shown = shown
        self._demo = demo
        self._replacer = replacer
        self._typed = typed
        self._places = places
        self._elements = {
            frame: {one.uid: self._element(one) for one in elements} for frame, elements in demo.elements.items()
        }

    def demo(self, *, task: str) -> Demo:
        """The demo with the values; ``task`` as people may read it."""
        steps = tuple(self._step(step) for step in self._demo.steps)
        head, final = self._demo.head, self._demo.head.final_frame
        return Demo(
            head=head.but(task=task, final_frame=None if final is None else self._frame(final)),
            steps=steps,
            elements={frame: tuple(elements.values()) for frame, elements in self._elements.items()},
            parsed=self._demo.parsed,
            trees=self._demo.trees,
            log_seq=self._demo.log_seq,
        )

    def _frame(self, frame: Frame) -> Frame:
        whole = Rect(0, 0, frame.width, frame.height)
        boxes = [one.box.intersection(whole) for one in self.shown.get(frame.id, ())]
        return frame.but(covered=(*frame.covered, *(box for box in boxes if box is not None)))

    def _element(self, element: Element) -> Element:
        return element.but(text=self._replacer(element.text or "") or None) if element.text else element

    def _step(self, step: Step) -> Step:
        new = self._replacer
        changes: dict[str, Any] = {
            "before": None if step.before is None else self._frame(step.before),
            "after": None if step.after is None else self._frame(step.after),
            "focused": None if step.focused is None else self._told(step.focused),
            "pointed": None if step.pointed is None else self._told(step.pointed),
            "window": None if step.window is None else step.window.but(title=new(step.window.title)),
            "action": self._action(step),
        }
        return step.but(**changes)

    def _told(self, told: AccessibleElement) -> AccessibleElement:
        return told.but(name=self._replacer(told.name), value=self._replacer(told.value))

    def _action(self, step: Step) -> Action:
        action = step.action
        changes: dict[str, Any] = {}
        if isinstance(action, TypeAction):
            changes["text_to_type"] = self._typed.get(step.id, self._replacer(action.text_to_type))
        pointer = step.pointer
        at = None if pointer is None else pointer.at
        target = self._target(step, "target", action.target, step.target_uid, self._name_at(step, at))
        self._note_beside(step, "target", step.target_uid, at)
        if target is not action.target:
            changes["target"] = target
        if isinstance(action, DragAction):
            at = None if pointer is None else pointer.end
            end = self._target(step, "end", action.end, step.end_uid, self._name_at(step, at))
            self._note_beside(step, "end", step.end_uid, at)
            if end is not action.end:
                changes["end_target"] = end
        return action.model_copy(update=changes) if changes else action

    def _note_beside(self, step: Step, which: str, uid: str | None, at: Point | None) -> None:
        """Note the value in the row of a target that nothing else tells from those in other rows."""
        frame = step.before
        if frame is None or at is None or (step.id, which) in self.renewed:
            return
        elements = [one for one in self._demo.elements.get(frame.id, ()) if one.review != "rejected"]
        element = next((one for one in elements if one.uid == uid), None)
        own = Rect.at_point(at) if element is None else element.box
        told = [one for one in _reported(step, frame, self._demo) if not one.is_field]
        text = "" if element is None or element.type in HOLDS_VALUE else element.text or ""
        if element is None:
            text = min(
                (one for one in told if one.box.contains(at)), key=lambda one: one.box.area, default=_NOTHING
            ).text
        written = [*((one.box, one.text) for one in elements), *((one.box, one.text) for one in told)]
        if text and not any(_is_elsewhere(text, own, box, other or "") for box, other in written):
            return
        window = None if step.window is None or step.window.box is None else frame.space.to_pixels(step.window.box)
        places = self._places.get(frame.id, ())
        fields = [one.box for one in places if one.is_field]
        row = [
            RowText(box=one.box, text=new)
            for one in places
            if self._replacer.carries(one.text)
            and (new := self._replacer(one.text))
            and _is_level(one.box, own)
            and one.box.intersection(own) is None
            and (window is None or window.contains(one.box.center))
            and not any(box.intersection(one.box) is not None for box in fields)
        ]
        if row:
            self.beside[step.id, which] = min(row, key=lambda one: abs(one.box.center.x - own.center.x))

    def _name_at(self, step: Step, point: Point | None) -> str:
        """What programs, or the same pixels elsewhere, call what is under the pointer; empty where nothing tells."""
        if step.before is None or point is None:
            return "" if step.pointed is None else step.pointed.name
        shown = self._places.get(step.before.id, ())
        if any(one.is_field and one.box.contains(point) for one in shown):
            return ""  # what stands in a field is not its name
        told = [one for one in _reported(step, step.before, self._demo) if one.box.contains(point)]
        under = [*told, *(one for one in shown if one.box.contains(point))]
        smallest = min(under, key=lambda one: one.box.area, default=None)
        return "" if smallest is None or smallest.is_field else smallest.text

    def _target(
        self, step: Step, which: str, target: ActionTarget | None, uid: str | None, reported: str
    ) -> ActionTarget | None:
        """The target with its text as it is now; notes where that is another one."""
        new = self._replacer
        name = new(reported)
        frame = {} if step.before is None else self._elements.get(step.before.id, {})
        before = {} if step.before is None else {e.uid: e for e in self._demo.elements.get(step.before.id, ())}
        element, known = frame.get(uid or ""), before.get(uid or "")
        if element is not None and known is not None:
            if known.type in HOLDS_VALUE:
                return target  # its text is a value, and no label by which it is found
            if not element.text and name != reported:
                element = frame[element.uid] = element.but(text=name)
            if element.text != known.text or name != reported:
                self._renew(step, which, was=known.text or reported, now=element.text or "")
        if target is None:
            return None
        text = new(target.text) if target.text else None
        if element is None and (name != reported or text != target.text):
            text = text or name or None
            self._renew(step, which, was=target.text or reported, now=text or "")
        return target if text == target.text else target.model_copy(update={"text": text})

    def _renew(self, step: Step, which: str, *, was: str, now: str) -> None:
        """Note that the target of a step has another text now.

        Raises:
            BadInputError: it has none.
        """
        if not now.strip():
            number = next(at for at, one in enumerate(self._demo.steps, start=1) if one.id == step.id)
            raise BadInputError(
                f"Step {number} is done to “{shorten(was)}”, and the value that stands there now is empty.",
                hint="Give it a value, by which it can be found.",
            )
        self.renewed.add((step.id, which))


_NOTHING: Final = ValuePlace(Rect(0, 0, 0, 0), "", is_field=False)


def _is_level(box: Rect, own: Rect) -> bool:
    """Whether the middle of a target is at the height of a box."""
    return box.y1 <= own.center.y < box.y2


def _is_elsewhere(text: str, own: Rect, box: Rect, other: str) -> bool:
    """Whether the text of a target stands in a box that is not on its line."""
    return not _is_level(box, own) and plain_text(other) == plain_text(text)


class _Replacer:
    """Puts new values in the place of old ones, where these are whole words; a short one only where it is all."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = {" ".join(old.split()): new for old, new in values.items() if old.strip()}
        long = sorted((old for old in self._values if len(old) >= _MIN_PART), key=len, reverse=True)
        self._any = re.compile("|".join(_words_pattern(old) for old in long)) if long else None

    def __call__(self, text: str) -> str:
        """The text with the new values."""
        plain = " ".join(text.split())
        if plain in self._values:
            return self._values[plain]
        if self._any is None:
            return text
        return self._any.sub(lambda found: self._values[" ".join(found.group().split())], text)

    def carries(self, text: str | None) -> bool:
        """Whether an old value stands in the text."""
        if not text:
            return False
        return " ".join(text.split()) in self._values or (self._any is not None and bool(self._any.search(text)))


def _words_pattern(text: str) -> str:
    body = r"\s+".join(re.escape(word) for word in text.split())
    return rf"(?<!\w){body}(?!\w)"


def _contains(text: str, part: str) -> bool:
    """Whether a text holds another one, whole words and word for word."""
    return len(part) > 1 and re.search(_words_pattern(part), text) is not None


def _put_in(text: str, values: Mapping[str, str]) -> str:
    """The text with a value for each part; in one go, so that no value is taken for a part."""
    parts = sorted(values, key=len, reverse=True)
    return re.sub("|".join(re.escape(part) for part in parts), lambda m: values[m.group()], text) if text else text


def field_name(step: Step, demo: Demo | None = None) -> str:
    """A variable's name made of what the field is called that a step typed into; empty where nothing tells.

    Its program says so, or else the label that stands beside or above it, as its program or the pixels have it.

    Args:
        step: that typed.
        demo: that it belongs to, for the labels around; None leaves it at what the program called the field.
    """
    told = reported_target(step)
    if told is not None and (name := variable_name(told.text or "")):
        return name
    frame = step.before
    box = None if demo is None or frame is None else _field_box(step, demo) or _clicked_field(step, demo)
    if demo is None or frame is None or box is None:
        return ""
    around = demo.elements.get(frame.id, ()) or _reported_around(step, frame, demo)
    return variable_name(field_label(box, around))


def _clicked_field(step: Step, demo: Demo) -> Rect | None:
    """The field that was clicked right before a step typed, where it still is at that place."""
    at = next((number for number, one in enumerate(demo.steps) if one.id == step.id), 0)
    before = demo.steps[at - 1] if at else None
    if before is None or before.before is None or before.action.action_type != "click":
        return None
    elements = demo.elements.get(before.before.id, ())
    clicked = next((one for one in elements if one.uid == before.target_uid and one.type in FIELDS), None)
    return None if clicked is None else clicked.box


def _reported_around(step: Step, frame: Frame, demo: Demo) -> list[Element]:
    """What the programs whose windows were read before a step reported on its frame."""
    reports = [(reading, tree) for reading in step.trees if (tree := demo.trees.get(reading.tree)) is not None]
    return [
        Element(uid=f"{at}", frame=frame.id, type=one.type, box=one.box, text=one.text or None, source="accessibility")
        for at, one in enumerate(reported_elements(reports, frame), start=1)
        if one.box is not None and one.box.area
    ]


def _unused(name: str, used: set[str]) -> str:
    """``text`` becomes ``text1``, ``text2``; another name only gets a number where it is taken."""
    if name != "text" and name not in used:
        return name
    return next(made for number in range(1, len(used) + 2) if (made := f"{name}{number}") not in used)


def _reported(step: Step, frame: Frame, demo: Demo) -> Iterator[ValuePlace]:
    """What programs reported on the frame before a step: each text with its place; nothing that is half the screen."""
    told: list[tuple[Rect | None, str, bool]] = []
    for one in (step.focused, step.pointed):
        told += [] if one is None else [(one.box, text, "editable" in one.states) for text in (one.name, one.value)]
    for reading in step.trees:
        tree = demo.trees.get(reading.tree)
        if tree is not None and tree.boxes == "pixels":
            told += [(n.box, text, "editable" in n.states) for n in tree.nodes for text in (n.value, n.name)]
    for box, text, is_field in told:
        if box is not None and text:
            place = frame.space.to_pixels(box).clamped(frame.size)
            if place.area and place.area <= frame.width * frame.height * _MAX_TYPED_SHARE:
                yield ValuePlace(place, text, is_field)


class _Images:
    """Recorded pictures, each read once."""

    def __init__(self, images: FrameStore) -> None:
        self._images = images
        self._read: dict[str, RgbImage] = {}

    def __call__(self, frame_id: str) -> RgbImage:
        if frame_id not in self._read:
            self._read[frame_id] = self._images.get_image(frame_id)
        return self._read[frame_id]


def _typed_area(step: Step, demo: Demo, read: Callable[[str], RgbImage]) -> Rect | None:
    """Where a step's text stands on the frame after it; None where nothing tells."""
    if step.before is None or step.after is None:
        return None
    changes = changed_boxes(read(step.before.id), read(step.after.id))
    field_ = _field_box(step, demo)
    inside = [part for box in changes if field_ is not None and (part := box.intersection(field_)) is not None]
    if field_ is not None and inside:
        return field_
    is_sent = isinstance(step.action, TypeAction) and step.action.submit
    if not changes or field_ is not None or is_sent:
        return None
    whole = changes[0]
    for box in changes[1:]:
        whole = whole.union(box)
    small = whole.area <= step.after.width * step.after.height * _MAX_TYPED_SHARE
    return whole if small else None


def _field_box(step: Step, demo: Demo) -> Rect | None:
    frame, told = step.before, step.focused
    if frame is None:
        return None
    if told is not None and told.box is not None and "editable" in told.states:
        box = frame.space.to_pixels(told.box).clamped(frame.size)
        if box.area:
            return box
    known = {element.uid: element for element in demo.elements.get(frame.id, ())}
    element = known.get(step.target_uid or "")
    return None if element is None else element.box


def _same_there(read: Callable[[str], RgbImage], source: str, frame_id: str, box: Rect) -> bool:
    share, drawn = area_alike(read(source), read(frame_id), box)
    return share >= _ALIKE and drawn >= _MIN_DRAWN_PX


def _room_for(box: Rect, old: str, new: str) -> Rect:
    """The box, with room on both sides where a longer text stands in it now."""
    extra = 0 if not old else max(0, round(box.width * (len(new) / len(old) - 1)))
    return Rect(box.x1 - extra, box.y1, box.x2 + extra, box.y2).grown(_MARGIN_PX)


def shown_by(step: Step, filled: FilledDemo, changes: Sequence[Rect]) -> list[ShownValue]:
    """The new values that a step brought to the screen in the recording; not those that stood there before it.

    Args:
        step: of the filled demo.
        filled: what is replayed.
        changes: what the step changed in the recording, pixels of the frame after it.
    """
    before, after = (() if frame is None else filled.shown.get(frame.id, ()) for frame in (step.before, step.after))
    return [
        one
        for one in after
        if one.new
        and any(box.intersection(one.box) is not None for box in changes)
        # The row of a list stays where it is, whoever is chosen.
        and not any(other.old == one.old and other.box.intersection(one.box) is not None for other in before)
    ]

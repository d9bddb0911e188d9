"""Sentences in the user's words about what a step did: ``Clicked "Submit" (button)``.

Whole sentences, because words of other languages stand in another order. Prompts and packs have them in English; the
app gives its own :func:`annotator.words.tr`, and its catalogue gathers the texts from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:  # commands must not pay for the records to count something
    from demopack.domain.actions import Action
    from demopack.domain.demos import Demo
    from demopack.domain.elements import Element
    from demopack.domain.steps import Doubt, Step

Translate: TypeAlias = Callable[[str], str]
"""From an English text to that of another language; ``str`` for English."""

EMAIL: Final = re.compile(
    r"(?<![\w.%+-])[\w%+-][\w.%+-]{0,63}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}[^\W\d_]{2,24}(?![\w-])"
)
"""An e-mail address in a text."""

SHOT_WORDS = "Look at the screen"
"""What a shot asks for; a person may say it better."""

DOUBT_WORDS: dict[Doubt, str] = {
    "no_element": "The pointer hit no element.",
    "stale_frame": "The picture before this step is old.",
    "changed_before_event": "The screen changed between the picture and the action.",
    "not_settled": "The screen was still changing when the next step began.",
    "no_before": "There is no picture of the screen before this step.",
    "no_after": "There is no picture of the screen after this step.",
    "unknown_text": "A key was pressed whose text is unknown.",
    "off_element": "The pointer was not on the element that the program says was under it.",
    "not_responding": "The program did not respond when this was done.",
    "fields_unknown": "Not all fields of the window could be asked for: look whether a secret can be seen.",
}


def counted(number: int, thing: str) -> str:
    """``1 step``, ``2 steps``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def stretches(numbers: Iterable[int], *, pattern: str = "{first}-{last}") -> list[str]:
    """Ascending numbers in few words: ``1-3`` and ``7``; the ``pattern`` says how a stretch is written."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return [pattern.format(first=run[0], last=run[-1]) if len(run) > 1 else str(run[0]) for run in runs]


def variable_name(text: str) -> str:
    """A name for a variable made of a label or of what was typed, for instance ``last_name``; empty when nothing fits.

    Letters, digits and underscores, no digit first, at most 40 characters.
    """
    name = re.sub(r"\W+", "_", text.strip().casefold()).strip("_")[:40].rstrip("_")
    return f"v_{name}" if name[:1].isdigit() else name


def shorten(text: str, limit: int = 40) -> str:
    """One line of at most ``limit`` characters, an ellipsis where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


_LABELLED: Final = frozenset({"input_field", "text_area", "spinner", "slider"})
"""Types that are called by their label, not by what stands in them."""


def name_element(element: Element, *, tr: Translate = str) -> str:
    """For instance ``"Submit" (button)`` or ``the slider``; a field by the label that its program reported."""
    area = element.subtype if element.type == "other" else None
    kind = tr("element") if element.type == "other" else tr(element.type.replace("_", " "))
    kind = tr(area) if area else kind
    reported = next((said.text for said in element.evidence if said.source == "accessibility" and said.text), "")
    text = (reported or element.text) if element.type in _LABELLED else (element.text or reported)
    if text:
        return tr("“{text}” ({kind})").format(text=shorten(text), kind=kind)
    if element.subtype and area is None:
        return tr("the {subtype} {kind}").format(subtype=element.subtype, kind=kind)
    return tr("the {kind}").format(kind=kind)


def describe_action(
    action: Action,
    element: Element | None = None,
    end: Element | None = None,
    *,
    tr: Translate = str,
    key_words: Translate = str,
) -> str:
    """One short sentence in the past tense, without a full stop.

    Args:
        action: what was done.
        element: the element it was done to, when known.
        end: the element a drag ended on, when known.
        tr: translates texts.
        key_words: translates names of keys.
    """
    where = _where(action, element, tr)
    if action.action_type == "drag" and element is not None and element == end:
        words = tr("Dragged in {where}").format(where=where)
    else:
        words = _sentence(action, where, end, tr, key_words)
    if action.held:
        keys = key_words("+".join(modifier.capitalize() for modifier in action.held))
        both = tr("{keys}+{words}")
        # "Ctrl+clicked": where the keys come first, the sentence goes on in small letters.
        small = words if both.startswith("{words}") else f"{words[0].lower()}{words[1:]}"
        words = both.format(keys=keys, words=small)
    return words[:1].upper() + words[1:]


_ORDERS: Final = {
    "Clicked": "Click", "Double-clicked": "Double-click", "Triple-clicked": "Triple-click",
    "Right-clicked": "Right-click", "Middle-clicked": "Middle-click", "Typed": "Type", "Pressed": "Press",
    "Scrolled": "Scroll", "Pointed": "Point", "Dragged": "Drag", "Kept": "Keep", "Waited": "Wait", "Started": "Start",
    "Finished": "Finish", "Gave": "Give", "{clicked},": "{clicked} and",
}  # fmt: skip


def as_order(pattern: str) -> str:
    """The pattern of a sentence in the imperative, for what is not done yet: ``Click {where}`` for ``Clicked {where}``.

    Given to :func:`describe_action` as its ``tr``. Patterns of other texts stay as they are.
    """
    verb, space, rest = pattern.partition(" ")
    return f"{_ORDERS.get(verb, verb)}{space}{rest.replace('held for', 'hold for')}"


def describe_step(
    step: Step,
    element: Element | None = None,
    end: Element | None = None,
    *,
    around: Sequence[Element] = (),
    tr: Translate = str,
    key_words: Translate = str,
) -> str:
    """As :func:`describe_action`; where no element is known, what the step's program told of it is named.

    Args:
        step: what was done.
        element: it was done to, when known; one without a text is called by its label.
        end: the element a drag ended on, when known.
        around: the elements on the same picture, among which the labels are.
        tr: translates texts.
        key_words: translates names of keys.
    """
    from demopack.domain.roles import reported_field, reported_target

    start = _called(element, around) or reported_target(step)
    if start is None and (field := reported_field(step)) is not None:
        named = _called(field, (*around, field))
        # That keys went into some field is known without saying it.
        start = named if step.pointer is not None or named is not field else None
    return describe_action(step.action, start, _called(end, around), tr=tr, key_words=key_words)


def _called(element: Element | None, around: Sequence[Element]) -> Element | None:
    """The element, with the label beside it as its text; one that its own text or a program names stays as it is."""
    if element is None or any(said.text for said in element.evidence if said.source == "accessibility"):
        return element
    if element.type not in _LABELLED and (element.text or any(said.text for said in element.evidence)):
        return element
    from demopack.domain.elements import numbered
    from demopack.domain.labels import label_of

    on_it = numbered(one for one in around if one.review != "rejected")
    label = label_of(next((one for one in on_it if one.uid == element.uid), None), on_it)
    return element if label is None else element.but(text=label.text)


def describe_step_in(demo: Demo, step: Step, *, tr: Translate = str, key_words: Translate = str) -> str:
    """As :func:`describe_step`, with the elements that a demo has on the picture before the step."""
    elements = () if step.before is None else demo.elements.get(step.before.id, ())
    by_uid = {element.uid: element for element in elements}
    element, end = (by_uid.get(uid or "") for uid in (step.target_uid, step.end_uid))
    return describe_step(step, element, end, around=elements, tr=tr, key_words=key_words)


def _where(action: Action, element: Element | None, tr: Translate) -> str:
    if element is not None:
        return name_element(element, tr=tr)
    if action.target is not None and action.target.text:
        return f"“{shorten(action.target.text)}”"
    if action.target is not None and action.target.element_id is not None:
        return tr("element {number}").format(number=action.target.element_id)
    return tr("a spot") if action.action_type in {"click", "drag", "hover"} else ""


def _sentence(  # noqa: C901 - a case for each action
    action: Action, where: str, end: Element | None, tr: Translate, key_words: Translate
) -> str:
    match action.action_type:
        case "click":
            clicked = {
                "single": tr("Clicked {where}"),
                "double": tr("Double-clicked {where}"),
                "triple": tr("Triple-clicked {where}"),
                "right": tr("Right-clicked {where}"),
                "middle": tr("Middle-clicked {where}"),
            }
            words = clicked[action.click_type].format(where=where)
            if action.hold_s is None:
                return words
            return tr("{clicked}, held for {seconds:g} s").format(clicked=words, seconds=action.hold_s)
        case "type":
            said = tr("Typed “{text}” and Enter") if action.submit else tr("Typed “{text}”")
            if where:
                said = tr("Typed “{text}” and Enter in {where}") if action.submit else tr("Typed “{text}” in {where}")
            return said.format(text=shorten(action.text_to_type), where=where)
        case "press_key":
            said = tr("Pressed {key} {times} times") if action.presses > 1 else tr("Pressed {key}")
            if where:
                several = action.presses > 1
                said = tr("Pressed {key} {times} times in {where}") if several else tr("Pressed {key} in {where}")
            return said.format(key=key_words(action.key_info), times=action.presses, where=where)
        case "scroll":
            said = tr("Scrolled {way} by {steps} in {where}") if where else tr("Scrolled {way} by {steps}")
            return said.format(way=tr(action.scroll_direction), steps=action.scroll_steps, where=where)
        case "hover":
            return tr("Pointed at {where}").format(where=where)
        case "drag":
            target = action.end_target.text
            to = name_element(end, tr=tr) if end is not None else f"“{shorten(target)}”" if target else ""
            return (tr("Dragged {where} to {end}") if to else tr("Dragged {where}")).format(where=where, end=to)
        case "extract_data":
            if action.description == SHOT_WORDS:
                return tr("Kept a picture from {where}").format(where=where) if where else tr("Kept a picture")
            said = tr("Read {what} from {where}") if where else tr("Read {what}")
            return said.format(what=shorten(action.description), where=where)
        case "wait":
            return _placed(tr("Waited {seconds:g} s").format(seconds=action.wait_duration_s), where, tr)
        case "launch":
            return _placed(tr("Started {app}").format(app=action.app), where, tr)
        case "finish_goal":
            return _placed(tr("Finished the task") if action.completes_goal else tr("Gave up"), where, tr)


def _placed(words: str, where: str, tr: Translate) -> str:
    return tr("{words} in {where}").format(words=words, where=where) if where else words

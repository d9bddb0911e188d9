"""True rationales in many voices: how models and people really write, not how our own template does.

A voice is a function of the :class:`Facts` of one step. ``VOICES`` were looked at while the check was written;
``UNSEEN`` were written beside them and only ever counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from demopack.domain.actions import ClickAction
from demopack.domain.elements import Element
from demopack.domain.geometry import caap_notation
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_human, by_program
from demopack.domain.rationale import Rationale
from models.language.check.text_spans import quotes
from models.language.phrases import HOLDS_VALUE, beside, place

_KINDS = {
    "checkbox": "checkbox", "radio": "radio button", "input_field": "input field", "text_area": "text box",
    "dropdown": "dropdown", "button": "button", "menu": "menu", "menu_item": "menu item", "tab": "tab",
    "list_item": "entry", "hyperlink": "link", "toggle": "toggle", "slider": "slider", "spinner": "field",
}  # fmt: skip
_VERBS = {
    "double": ("double-click", "double-clicking", "double-clicked"), "right": ("right-click", "right-clicking",
    "right-clicked"), "single": ("click", "clicking", "clicked"),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is so about one step, in words.

    Attributes:
        context: the step.
        name: what the target is called; empty for a step without one.
        kind: what kind of thing it is.
        where: its place, for instance ``on the left``.
        middle: its centre in pixels, ``(x, y)``.
        caap: its box as CAAP writes it.
        state: a true sentence about its state; empty when none is known.
        effect: a true sentence about what came of it.
        typed: the text that was typed; empty for none.
        key: the key that was pressed; empty for none.
        way: the direction of a scroll; empty for none.
    """

    context: StepContext
    name: str
    kind: str
    where: str
    middle: str
    caap: str
    state: str
    effect: str
    typed: str
    key: str
    way: str

    @property
    def goal(self) -> str:
        """The task, cut to a clause."""
        return self.context.task.split(".")[0].split(",")[0]


def facts_of(context: StepContext) -> Facts | None:
    """The facts of a step; None for one that these voices have nothing to say about."""
    kind, parameters = context.action.action_type, context.action.parameters
    target = context.target
    if kind not in {"click", "type", "press_key", "scroll"} or (kind in {"click", "type"} and target is None):
        return None
    name = "" if target is None else _called(target, context)
    if kind in {"click", "type"} and not name:
        return None
    return Facts(
        context=context,
        name=name,
        kind="" if target is None else _KINDS.get(target.type, "option"),
        where="on the screen" if target is None else place(target.box, context.size),
        middle="" if target is None else f"({target.box.center.x}, {target.box.center.y})",
        caap="" if target is None else caap_notation(target.box),
        state="" if target is None else _state(target, name),
        effect=_effect(context),
        typed=parameters.get("text_to_type", ""),
        key=parameters.get("key_info", ""),
        way=parameters.get("scroll_direction", ""),
    )


def _called(target: Element, context: StepContext) -> str:
    text = " ".join((target.text or "").split())
    if target.type in HOLDS_VALUE or not text:
        label = [one[1] for one in quotes(beside(target, context.before))]
        return label[0] if label and "…" not in label[0] else ""
    return text if len(text) <= 40 else ""


def _state(target: Element, name: str) -> str:
    if "checked" in target.states:
        return f"{name} is {'' if target.states['checked'] else 'not '}checked."
    if target.states.get("disabled") is False:
        return f"{name} is enabled."
    if target.states.get("expanded") is False:
        return f"The {name} list is collapsed."
    return ""


def _effect(context: StepContext) -> str:
    if context.changed is None:
        return ""
    if not context.changed:
        return "Nothing visible happened."
    old = {" ".join((e.text or "").split()) for e in context.before}
    new = [e.text for e in context.after or () if e.text and " ".join(e.text.split()) not in old and len(e.text) < 40]
    shown = [t for t in new if any(c.isalpha() for c in t) and not any(c in t for c in "“”\"'")]
    if shown:
        return f"{shown[0]!r} appeared on the screen."
    return "Only a small part of the screen changed."


def _act(f: Facts, form: int = 0) -> str:
    """``click``, ``clicking`` or ``clicked``, whatever the mouse did."""
    action = f.context.action
    return _VERBS.get(action.click_type if isinstance(action, ClickAction) else "single", _VERBS["single"])[form]


def _by_model(**parts: str) -> Rationale:
    return Rationale(provenance=by_program("model", "voice"), **parts)  # type: ignore[arg-type]


def _by_person(text: str) -> Rationale:
    return Rationale(text=text, provenance=by_human("voice"))


def _other(f: Facts, *, click: str, typing: str) -> str:
    """The sentence for the kind of step; keys and scrolling have one each."""
    if f.typed:
        return typing
    if f.key:
        return f"I press {f.key} on the keyboard, which is the quickest way here."
    if f.way:
        return f"I scroll {f.way} to bring the rest of the page into view."
    return click


def terse(f: Facts) -> Rationale:
    return _by_model(
        thought=_other(
            f, click=f'{_act(f).capitalize()} the "{f.name}" {f.kind}.',
            typing=f'Type "{f.typed}" into the "{f.name}" field.',
        ),
        actual_effect=f.effect,
    )  # fmt: skip


def monologue(f: Facts) -> Rationale:
    act = _other(
        f, click=f"The next logical step is to {_act(f)} on “{f.name}”, since nothing else here brings me closer.",
        typing=f"The cursor is in the “{f.name}” field, so the next logical step is to enter “{f.typed}”.",
    )  # fmt: skip
    seen = f"I can see the {f.kind} “{f.name}” {f.where}. {f.state}" if f.name else "A form is displayed."
    return _by_model(
        observation=f"Looking at the screen, a page with several controls is displayed. {seen}",
        thought=f"My goal is: {f.goal}. {act}",
        expected_effect="This should move the task forward.",
        actual_effect=f.effect,
    )


def trainee(f: Facts) -> Rationale:
    first = _other(
        f, click=f'The action "{_act(f)}" was chosen on the {f.kind} "{f.name}" located {f.where}, as it is what the '
        "task needs at this point, and without it the later steps would not be possible.",
        typing=f'The text "{f.typed}" was typed because the {f.kind} "{f.name}" has to hold it in the end.',
    )  # fmt: skip
    return _by_model(thought=_plain_act(f), hindsight=f"{first} After the action, the screen was compared. {f.effect}")


def _plain_act(f: Facts) -> str:
    return _other(f, click=f"I {_act(f)} “{f.name}”.", typing=f"I type “{f.typed}” into “{f.name}”.")


def planner(f: Facts) -> Rationale:
    return _by_model(
        thought=_other(
            f, click=f"To complete the request, I need to select the '{f.name}' {f.kind}.",
            typing=f"To complete the request, the '{f.name}' {f.kind} must be filled with '{f.typed}'.",
        ),
        expected_effect=f"If that works, '{f.name or f.way or f.key}' will no longer need my attention.",
        actual_effect=f.effect,
    )  # fmt: skip


def reviewer(f: Facts) -> Rationale:
    act = _other(
        f, click=f"Now I will {_act(f)} the {f.kind} named **{f.name}**.",
        typing=f"Now I will type `{f.typed}` in **{f.name}**.",
    )  # fmt: skip
    return _by_model(
        observation="The previous action was carried out and the screen reacted as it should.",
        thought=f"The last step prepared this one: after it, the page was ready. {act}",
    )


def person(f: Facts) -> Rationale:
    return _by_person(
        _other(f, click=f"{f.name} is what we want here, so I {_act(f)} it.", typing=f"{f.typed} goes into {f.name}.")
    )


def past(f: Facts) -> Rationale:
    return _by_person(
        _other(
            f, click=f"I {_act(f, 2)} the {f.name} {f.kind} because that is how it is done in this program.",
            typing=f"I typed {f.typed} in the {f.name} {f.kind}, as I was told to.",
        )
    )  # fmt: skip


def pointing(f: Facts) -> Rationale:
    at = f" at {f.middle}" if f.middle else ""
    return _by_model(
        observation=f"The {f.kind} “{f.name}” is {f.where}{at}." if f.name else "",
        thought=_other(
            f, click=f"I {_act(f)} on “{f.name}”{at} because it belongs to the task.",
            typing=f"With the {f.kind} “{f.name}” ready{at}, I enter “{f.typed}”.",
        ),
    )  # fmt: skip


def figures(f: Facts) -> Rationale:
    said = f" It lies at {f.caap}." if f.caap else ""
    return _by_model(
        observation=f'The {f.kind} labeled "{f.name}" is on the page.{said}' if f.name else "",
        thought=_other(
            f, click=f'{_act(f, 1).capitalize()} the {f.kind} labeled "{f.name}" is required by the task.',
            typing=f'The value "{f.typed}" belongs in the {f.kind} labeled "{f.name}".',
        ),
    )  # fmt: skip


def gerund(f: Facts) -> Rationale:
    return _by_model(
        thought=_other(
            f, click=f"{_act(f, 1).capitalize()} the {f.kind} “{f.name}” should bring up what comes next.",
            typing=f"Typing “{f.typed}” here should fill the {f.kind} “{f.name}”.",
        ),
        expected_effect="The screen should change a little.",
        actual_effect=f.effect,
    )  # fmt: skip


def user_wants(f: Facts) -> Rationale:
    return _by_model(
        thought=_other(
            f, click=f"The user wants this done: {f.goal}. So the {f.kind} ‘{f.name}’ must be {_act(f, 2)}.",  # noqa: RUF001
            typing=f"The user wants this done: {f.goal}. So ‘{f.typed}’ has to be entered in ‘{f.name}’.",  # noqa: RUF001
        ),
        expected_effect="When this is done, the page should show it.",
    )  # fmt: skip


def question(f: Facts) -> Rationale:
    return _by_model(
        thought=_other(
            f, click=f"Which control does this? The {f.kind} {f.where}, “{f.name}”. I press it.",
            typing=f"What goes here? “{f.typed}”, as the “{f.name}” {f.kind} asks for it.",
        ),
        expected_effect="When I press it, the window may open another view. Once that is open I can go on.",
    )  # fmt: skip


def looking_back(f: Facts) -> Rationale:
    return _by_model(
        thought="Having done what came before, I now turn to the next thing. "
        + _other(
            f,
            click=f"I choose “{f.name}” {f.where}; after the earlier steps were finished, this one is still open.",
            typing=f"I fill in “{f.name}” with “{f.typed}”; the field was focused in the step before.",
        ),
        actual_effect=f.effect,
    )


def formal(f: Facts) -> Rationale:
    return _by_model(
        observation=f"{f.state} The view contains the {f.kind} “{f.name}”." if f.name else "",
        thought=_other(
            f, click=f"In order to proceed with the task, it is necessary to activate the {f.kind} “{f.name}”.",
            typing=f"In order to proceed with the task, it is necessary to supply “{f.typed}” in “{f.name}”.",
        ),
        expected_effect="It is expected that the application accepts the input.",
        actual_effect=f"{f.effect} Nothing else changed." if f.effect else "",
    )  # fmt: skip


def chatty(f: Facts) -> Rationale:
    return _by_person(
        _other(
            f, click=f"OK so next up is {f.name}. You'll find it {f.where}. Just {_act(f)} it, never mind the rest.",
            typing=f"OK so {f.name} needs a value: just type {f.typed} and you're good.",
        )
    )  # fmt: skip


def with_state(f: Facts) -> Rationale:
    return _by_model(
        observation=f"{f.state} The {f.kind} “{f.name}” can be seen {f.where}." if f.name else "",
        thought=_other(
            f, click=f"Since “{f.name}” is part of what I was asked for, I'm going to {_act(f)} that {f.kind}.",
            typing=f"Since “{f.name}” has to be given, I'm going to type “{f.typed}”.",
        ),
        actual_effect=f.effect,
    )  # fmt: skip


VOICES: tuple[Callable[[Facts], Rationale], ...] = (
    terse, monologue, trainee, planner, reviewer, person, past, pointing, figures, gerund, user_wants, question,
    looking_back, formal,
)  # fmt: skip


def shopper(f: Facts) -> Rationale:
    return _by_model(
        observation=f"There is a {f.kind} that says “{f.name}” {f.where}, along with other options." if f.name else "",
        thought=_other(
            f, click=f"Given the instruction to {f.goal[:1].lower()}{f.goal[1:]}, “{f.name}” looks right. "
            f"I'll {_act(f)} it next.",
            typing=f"Given the instruction, “{f.typed}” is what “{f.name}” should contain. I'll type it now.",
        ),
        expected_effect="I expect the interface to respond, probably by showing more of what I need.",
        actual_effect=f.effect,
    )  # fmt: skip


def manual(f: Facts) -> Rationale:
    return _by_person(
        _other(
            f, click=f"Step: {_act(f)} {f.name}. Reason: the work cannot go on without it.",
            typing=f"Step: enter {f.typed} under {f.name}. Reason: the form asks for it.",
        )
    )  # fmt: skip


def careful(f: Facts) -> Rationale:
    return _by_model(
        observation="Before acting I check the state of the window: no dialog is open and nothing is loading.",
        thought=_other(
            f, click=f"“{f.name}” is the only fitting {f.kind}, so I {_act(f)} it at {f.middle} instead of looking on.",
            typing=f"The {f.kind} for “{f.name}” was focused before, so “{f.typed}” can be typed right away.",
        ),
        expected_effect="A change near the pointer would show that the program has understood.",
    )  # fmt: skip


def report(f: Facts) -> Rationale:
    return _by_model(
        thought=_plain_act(f),
        hindsight=_other(
            f, click=f"The demonstrator {_act(f, 2)} “{f.name}”, a {f.kind} {f.where}, because the task could not be "
            "finished otherwise.",
            typing=f"The demonstrator typed “{f.typed}” so that “{f.name}” would hold the right value.",
        )
        + f" As for the result: {f.effect[:1].lower()}{f.effect[1:]}",
    )  # fmt: skip


def because_first(f: Facts) -> Rationale:
    return _by_model(
        thought=_other(
            f, click=f"Because the task ({f.goal}) has not been finished, the {f.name} {f.kind} is the one to use.",
            typing=f"Because the {f.name} {f.kind} must not stay as it is, {f.typed} is typed into it.",
        ),
        expected_effect="The program will hopefully accept this.",
        actual_effect=f.effect,
    )  # fmt: skip


UNSEEN: tuple[Callable[[Facts], Rationale], ...] = (
    shopper, manual, careful, report, because_first, chatty, with_state,
)  # fmt: skip

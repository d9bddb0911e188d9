"""Spoils true rationales in named ways: each class of fault in many forms, some of which the check was never tuned on.

A spoiler gets a true rationale and the facts of its step; it returns the false one, or None where the fault cannot be
made there. ``FORMS`` are the sentences of each class; the second half of each list was only ever counted.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from demopack.domain.elements import Element
from demopack.domain.rationale import Rationale
from models.language.phrases import HOLDS_VALUE
from tests.support.truth_voices import Facts

RULES_OF = {
    "wrong name": {"T01", "T05", "T06"},
    "other screen": {"T01", "T05", "T06"},
    "invented state": {"T03"},
    "future": {"T08"},
    "wrong coordinates": {"T04"},
    "marker": {"T07"},
    "other language": {"T10"},
    "denied effect": {"T03", "T09"},  # a state that the frames deny is told as such
    "too long": {"T11"},
    "wrong kind": {"T02"},
}
"""What has to be found in each class, so that a finding of another kind does not count."""

FORMS: dict[str, list[str]] = {
    "future": [
        "This opened a new view.",
        "After clicking it, a message appeared at the top.",
        "I click it and the list opened right away.",
        "As a result, the form was saved.",
        "The next screenshot shows that the choice was accepted.",
        "The user then goes on with the second page.",
        "It worked as expected.",
        # only counted
        "Once I clicked there, the dialog closed.",
        "Subsequently the page changed to the overview.",
        "The click brought up a confirmation.",
        "As can be seen in the following frame, the box has a tick.",
        "In a later step the user chose another entry.",
        "Doing so revealed three more options.",
        "The selection was successful.",
    ],
    "marker": [
        "It is marked with a red circle.",
        "The bounding box shows where to go.",
        "The element is highlighted in red.",
        "It lies inside the green rectangle.",
        "The marker is on it.",
        "An outline has been drawn around it.",
        # only counted
        "It is surrounded by a yellow frame.",
        "The red dot points to it.",
        "The highlighted area is the one to use.",
        "In the zoomed-in crop it can be read better.",
        "The annotated element is what I need.",
        "A bold red box encloses the control.",
    ],
    "other language": [
        "Ich klicke hier, weil die Aufgabe es so verlangt und nichts anderes auf dem Bildschirm passt.",
        "Je clique ici parce que la tâche le demande et que rien d'autre ne convient.",
        "Hago clic aquí porque la tarea lo pide y no hay otra opción en la pantalla.",
        "因为任务要求这样做，所以我点击这里。",  # noqa: RUF001
        "タスクに必要なので、ここをクリックします。",
        "Я нажимаю сюда, потому что этого требует задание.",
        # only counted
        "Das ist der nächste Schritt, damit die Angaben gespeichert werden können.",
        "C'est la prochaine étape pour que les données soient enregistrées.",
        "Este es el siguiente paso para que los datos se guarden.",
        "Clicco qui perché il compito lo richiede e non c'è altro da fare sulla pagina.",
        "Clico aqui porque a tarefa pede isso e não há outra opção na tela.",
        "Ik klik hier omdat de taak dat vraagt en er niets anders op het scherm is.",
        "작업에 필요하기 때문에 여기를 클릭합니다.",
    ],
    "wrong coordinates": [
        "It is at ({x}, {y}).",
        "Its centre lies at X: {x} [{x1}-{x2}], Y: {y} [{y1}-{y2}].",
        "I move the pointer to coordinates {x}, {y}.",
        "The box is [{x1}, {y1}, {x2}, {y2}].",
        # only counted
        "The position is x={x}, y={y}.",
        "It can be found at pixel ({x}, {y}) of the screen.",
        "I aim for x {x} and y {y}.",
        "Relative to the screen it is at ({nx}, {ny}).",
    ],
}

_STATES: list[tuple[str, str, bool, str]] = [
    ("checked", "{name} is already checked.", True, "checked"),
    ("checked", "The checkbox “{name}” is not ticked yet.", False, "checked"),
    ("checked", "“{name}” is currently unchecked.", False, "checked"),
    ("disabled", "The button “{name}” is disabled.", True, "disabled"),
    ("disabled", "“{name}” is greyed out at the moment.", True, "disabled"),
    ("expanded", "The dropdown “{name}” is expanded.", True, "expanded"),
    ("checked", "“{name}” is ticked.", True, "checked"),
    # only counted
    ("checked", "I notice that the box for “{name}” is still ticked.", True, "checked"),
    ("checked", "Here the unchecked “{name}” stands out.", False, "checked"),
    ("disabled", "However, “{name}” appears grayed out.", True, "disabled"),
    ("disabled", "“{name}” remains disabled.", True, "disabled"),
    ("expanded", "The list “{name}” is already expanded.", True, "expanded"),
    ("checked", "“{name}” is switched on.", True, "checked"),
]
_CARRIERS = {
    "checked": {"checkbox", "radio", "toggle"}, "disabled": {"button", "checkbox", "radio", "dropdown", "input_field"},
    "expanded": {"dropdown", "menu"},
}  # fmt: skip
_DENIED_NONE = [
    "A dialog opened.", "The list expanded and showed its entries.", "The page changed to the next view.",
    "A confirmation message appeared.",
    # only counted
    "The menu popped up.", "The screen was updated and a new window came up.", "The text was inserted into the field.",
    "The window closed.",
]  # fmt: skip
_DENIED_SOME = [
    "The screen did not change.", "Nothing happened.", "There was no visible change on the screen.",
    "The page stayed the same.",
    # only counted
    "The click had no effect.", "The screen remained unchanged.", "The program did not react at all.",
    "Everything looks exactly as before.",
]  # fmt: skip
_DENIED_SMALL = [
    "A new dialog opened.",
    "A completely new page was loaded.",
    # only counted
    "A confirmation window popped up.",
    "The entire screen changed.",
]
_FILLER = (
    "The layout of the page is simple and there are {n} further things that one could say about it. ",
    "Number {n} of the many reasons is that the task would not be done without this step at all. ",
)
_WRONG_KINDS = {
    "button": "checkbox", "checkbox": "button", "radio": "slider", "list_item": "slider", "menu_item": "checkbox",
    "tab": "checkbox", "dropdown": "radio button", "menu": "radio button", "hyperlink": "slider",
}  # fmt: skip


def _half(items: Sequence[Any], *, unseen: bool, at: int | None = None) -> Sequence[Any]:
    cut = (len(items) + 1) // 2 if at is None else at
    return items[cut:] if unseen else items[:cut]


def _forms(name: str, *, unseen: bool) -> Sequence[str]:
    cuts = {"future": 7, "marker": 6, "other language": 6, "wrong coordinates": 4}
    return _half(FORMS[name], unseen=unseen, at=cuts[name])


def _added(rationale: Rationale, sentence: str, rng: random.Random, *, part: str = "") -> Rationale:
    """With one sentence more, in front or at the end of the part that explains."""
    where = part or ("text" if rationale.text is not None else "thought")
    old = getattr(rationale, where) or ""
    new = f"{sentence} {old}" if rng.random() < 0.4 and where != "actual_effect" else f"{old} {sentence}"
    return rationale.model_copy(update={where: new.strip()})


def _renamed(rationale: Rationale, old: str, new: str) -> Rationale | None:
    """With every occurrence of a name replaced; None where it does not occur in what explains the step."""
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    update = {
        part: pattern.sub(lambda _: new, getattr(rationale, part))
        for part in ("observation", "thought", "expected_effect", "hindsight")
    }
    if rationale.text is not None:
        update["text"] = pattern.sub(lambda _: new, rationale.text)
    said = rationale.text if rationale.text is not None else rationale.thought
    return rationale.model_copy(update=update) if pattern.search(said) else None


def _names(elements: Sequence[Element], *, apart: str, types: set[str] | None = None) -> list[str]:
    """Texts of elements that share no word with a name."""
    mine = set(re.findall(r"\w+", apart.casefold()))
    found = []
    for one in elements:
        text = " ".join((one.text or "").split())
        words = set(re.findall(r"\w+", text.casefold()))
        ok = 2 < len(text) <= 30 and text[0].isalpha() and not any(c in text for c in "“”\"'…")
        if ok and not words & mine and (types is None or one.type in types):
            found.append(text)
    return found


def wrong_name(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """The target is called by the name of another element of its screen."""
    if f.context.target is None:
        return None
    near = {"button", "checkbox", "radio", "list_item", "menu_item", "menu", "tab", "hyperlink", "text"}
    types = {"text"} if f.context.target.type in HOLDS_VALUE else near
    task = f.context.task.casefold()
    names = [n for n in _names(f.context.before, apart=f"{f.name} {f.typed}", types=types) if n.casefold() not in task]
    return _renamed(rationale, f.name, rng.choice(names)) if names else None


def other_screen(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """An element of a screen of another program is named, instead of the target or beside it."""
    here = " ".join([f.context.task, *(e.text or "" for e in f.context.before)]).casefold()
    names = [name for name in others if name.casefold() not in here]
    if not names:
        return None
    name = rng.choice(names)
    if f.name and rng.random() < 0.5:
        return _renamed(rationale, f.name, name)
    dev = ("It stands right above “{}”.", 'The button "{}" is there, too.', "Later the {} button can be used.")
    rest = ("Beside it is the entry ‘{}’.", "There is also a link labeled “{}”.", "The {} tab is in front.")  # noqa: RUF001
    return _added(rationale, rng.choice(rest if unseen else dev).format(name), rng)


def invented_state(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """A state is claimed that the element does not have, or that nobody can see."""
    choices = []
    for state, form, value, _ in _half(_STATES, unseen=unseen, at=7):
        for one in f.context.before:
            text = " ".join((one.text or "").split())
            real = one.states.get(state)  # type: ignore[call-overload]
            if (
                one.type in _CARRIERS[state]
                and 1 < len(text) <= 30
                and one.type not in HOLDS_VALUE
                and real is not None
                and real != value
            ):
                choices.append(form.format(name=text))
        target = f.context.target
        if target is not None and target.type == "dropdown" and target.states.get(state) == (not value):
            choices.append(form.format(name=f.name))
    return (
        _added(rationale, rng.choice(choices), rng, part="observation") if choices and rationale.text is None else None
    )


def _sentence(name: str) -> Callable[..., Rationale | None]:
    def spoiler(
        rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
    ) -> Rationale | None:
        return _added(rationale, rng.choice(_forms(name, unseen=unseen)), rng)

    return spoiler


def wrong_coordinates(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """Coordinates that are those of no named thing."""
    target, size = f.context.target, f.context.size
    if target is None or size is None:
        return None
    box = target.box
    for _ in range(200):
        x, y = rng.randrange(20, size.width - 20), rng.randrange(20, size.height - 20)
        named = [e.box for e in f.context.before if e.text and f.name and (e.text in f.name or f.name in e.text)]
        if all(not (b.x1 - 30 <= x <= b.x2 + 30 and b.y1 - 30 <= y <= b.y2 + 30) for b in [box, *named]):
            w, h = box.width // 2 or 4, box.height // 2 or 4
            form = rng.choice(_forms("wrong coordinates", unseen=unseen))
            said = form.format(
                x=x,
                y=y,
                x1=x - w,
                x2=x + w,
                y1=y - h,
                y2=y + h,
                nx=f"{x / size.width:.3f}",
                ny=f"{y / size.height:.3f}",
            )
            return _added(rationale, said, rng)
    return None


def denied_effect(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """An effect that the difference of the frames denies."""
    changed, size = f.context.changed, f.context.size
    if changed is None or size is None or rationale.text is not None:
        return None
    share = sum(box.area for box in changed) / (size.width * size.height)
    target = f.context.target
    small = share < 0.002 and target is not None and all(target.box.intersection(box) for box in changed)
    forms = _half(_DENIED_SOME if changed else _DENIED_NONE, unseen=unseen)
    if changed and small and rng.random() < 0.6:
        forms = _half(_DENIED_SMALL, unseen=unseen)
    return rationale.model_copy(update={"actual_effect": rng.choice(forms)})


def too_long(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """Far more words than anybody reads."""
    filler = _FILLER[unseen]
    return _added(rationale, "".join(filler.format(n=n) for n in range(rng.randrange(24, 60))), rng)


def wrong_kind(
    rationale: Rationale, f: Facts, rng: random.Random, others: Sequence[str], *, unseen: bool
) -> Rationale | None:
    """The target is taken for another kind of thing."""
    target = f.context.target
    if target is None or target.type not in _WRONG_KINDS or rationale.text is not None:
        return None
    forms = ("The {kind} “{name}” is what I need.", "“{name}” is the label of the {kind} “{name}”.")
    rest = ("It is the {kind} labeled “{name}”.", 'I look at the "{name}" {kind}.')
    said = rng.choice(rest if unseen else forms).format(kind=_WRONG_KINDS[target.type], name=f.name)
    return _added(rationale, said, rng)


CLASSES: dict[str, Callable[..., Rationale | None]] = {
    "wrong name": wrong_name,
    "other screen": other_screen,
    "invented state": invented_state,
    "future": _sentence("future"),
    "wrong coordinates": wrong_coordinates,
    "marker": _sentence("marker"),
    "other language": _sentence("other language"),
    "denied effect": denied_effect,
    "too long": too_long,
    "wrong kind": wrong_kind,
}


def spoil(
    name: str, rationale: Rationale, facts: Facts, rng: random.Random, *, others: Sequence[str], unseen: bool
) -> Rationale | None:
    """A rationale with one fault of a class; None where it cannot have that fault."""
    return CLASSES[name](rationale, facts, rng, others, unseen=unseen)

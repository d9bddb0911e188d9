"""A demo full of made-up private values in every place that a pack has, on small pictures."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.store import Library
from tests.support.demos import CREATED_AT, DemoBuilder, demo_head
from tests.support.pictures import FormScreen, noise_image
from tests.support.private_values import CARDS, make_card, randomly

DEMO = "demo_9c1e0b77aa"
_SIZE = (240, 160)
PAYMENT = "demo_7d20c4e19f"
FIELD, LABEL, BAR, LIST = Rect(20, 40, 200, 60), Rect(20, 20, 120, 36), Rect(0, 0, 240, 16), Rect(20, 100, 220, 120)


@dataclass(frozen=True, kw_only=True)
class Private:
    """What is private in the demo; ``more`` is read off its last screen."""

    email: str = "jane.doe@example.com"
    card: str = CARDS[0]
    token: str = "gh" + "p_" + randomly(36)
    password: str = "Tr0ub4dor" + "&3xx"
    user: str = "janedoe"
    kept: str = "support@example.org"
    more: tuple[str, ...] = ()

    @property
    def card_in_groups(self) -> str:
        return " ".join(self.card[i : i + 4] for i in range(0, len(self.card), 4))

    @property
    def spellings(self) -> list[str]:
        """Everything that must be gone once all but ``kept`` is replaced."""
        return [self.email, self.email.upper(), self.card, self.card_in_groups, self.token, self.password, self.user]


def keys_of(text: str, t_ns: int) -> list[InputEvent]:
    """The presses of typing a text."""
    return [
        InputEvent(t_ns=t_ns + i * 1_000_000, kind="key_down", key=char, char=char, x=0, y=0)
        for i, char in enumerate(text)
    ]


def private_demo(library: Library, *, demo_id: str = DEMO, values: Private | None = None, parsed: bool = True) -> str:
    """Five steps: click into a field, type an address, click on it, paste a card, finish. Returns the demo's id."""
    p = values or Private()
    b = DemoBuilder(library=library, demo_id=demo_id)
    frames = [b.frame(noise_image(*_SIZE, seed=seed)) for seed in range(5)]
    if parsed:
        for number, frame in enumerate(frames):
            b.parse(frame, _elements(p, number, frame, demo_id))
    window = WindowInfo(title=f"{p.email} - Mail - {p.user}@laptop", app="mail", box=Rect(0, 0, 240, 160))
    b.step("click", frames[0], frames[1], at=FIELD.center, window=window, thought="The field is empty.")
    b.step(
        "type", frames[1], frames[2], window=window, parameters={"text_to_type": p.email},
        events=keys_of(p.email, b.now_ns),
        focused=AccessibleElement(role="entry", name="Mail", value=p.email.upper(), box=FIELD),
        note=f"as in /home/{p.user}/notes; ask {p.kept}",
    )  # fmt: skip
    why = _why(f"{p.email.upper()} is the address.", f"I type {p.email}.")
    b.steps[-1] = b.steps[-1].model_copy(update={"rationale": why})
    b.step("click", frames[2], frames[3], at=FIELD.center, window=window, thought=f"“{p.email}” is chosen.")
    b.step(
        "type", frames[3], frames[4], parameters={"text_to_type": p.password}, clipboard=p.card_in_groups,
        events=keys_of(p.card + "\b" + p.password, b.now_ns), thought="The rest follows.",
    )  # fmt: skip
    b.step(
        "extract_data", frames[4], frames[4], thought="That is it.",
        parameters={"description": "read", "data": {"keys": [p.token, 7, *p.more]}},
    )  # fmt: skip
    b.step("finish_goal", frames[4], None, thought="Done.")
    return b.store(
        demo_head(demo_id, final_frame=frames[4], task=f"Send mail to {p.email}", app="mail",
                  outcome_reason=f"saved as C:\\Users\\{p.user}\\x", area=f"window:{p.email}")
    )  # fmt: skip


def _why(thought: str, text: str) -> Rationale:
    provenance = Provenance(kind="human", name="user", at=CREATED_AT)
    return Rationale(observation=thought, thought=thought, expected_effect="", text=text, provenance=provenance)


def _elements(p: Private, number: int, frame: Frame, prefix: str) -> list[Element]:
    filled = number >= 2
    found: list[dict[str, Any]] = [
        {"name": "bar", "type": "text", "box": BAR, "text": "Mail", "track_id": "text_mail_0"},
        {"name": "label", "type": "text", "box": LABEL, "text": "Address", "track_id": "text_address_0"},
        {"name": "field", "type": "input_field", "box": FIELD, "text": p.email if filled else None,
         "track_id": "input_jane_doe_example_com_0", "states": {"focused": number in {1, 3}}},
    ]  # fmt: skip
    if number >= 3:
        found.append({"name": "row", "type": "list_item", "box": LIST, "text": f"Card {p.card_in_groups}, {p.user}",
                      "track_id": f"item_card_{p.card_in_groups.replace(' ', '_')}"[:29] + "_0"})  # fmt: skip
    if number == 4:
        # A program that reads pictures takes one letter for another.
        found.append({"name": "misread", "type": "text", "box": Rect(20, 130, 200, 150), "track_id": "text_x_0",
                      "text": p.email.replace("doe@", "d0e©")})  # fmt: skip
        found += [
            {"name": f"more{i}", "type": "text", "box": Rect(4, 62 + i % 30, 16, 70 + i % 30), "text": text}
            for i, text in enumerate(p.more)
        ]
    return [
        Element.model_validate(
            {
                "uid": f"{prefix}_{number}_{one.pop('name')}",
                "frame": frame.id,
                "source": "ocr",
                "confidence": 0.9,
                # What was made of several readings is kept beside them.
                "evidence": [{"source": "describer", "text": one.get("text")}],
                **one,
            }
        )
        for one in found
    ]


def payment_demo(library: Library, *, demo_id: str = PAYMENT) -> str:
    """Four steps on a form that shows an address, a number and a card; for pictures. Returns the demo's id."""
    b = DemoBuilder(library=library, demo_id=demo_id)
    empty = FormScreen()
    number = next(n for n in map(make_card, map(random.Random, range(200))) if n.startswith("4") and len(n) == 16)
    card = Private(card=number).card_in_groups
    screens = [
        empty,
        empty.changed(focused="full_name"),
        empty.changed(focused="full_name", name="jane.doe@example.com"),
        empty.changed(focused="full_name", name=card),
        empty.changed(focused="full_name", name=card, saved=True),
    ]
    window = WindowInfo(title="Customers - /home/janedoe/orders.db", app="customers", box=Rect(0, 0, 960, 600))
    frames = [b.form_frame(screen) for screen in screens]
    field, save = empty.box("full_name").center, empty.box("save").center
    b.step("click", frames[0], frames[1], at=field, window=window, thought="The field needs the cursor.")
    mail = {"parameters": {"text_to_type": "jane.doe@example.com"}, "thought": "Jane asked for it by mail."}
    b.step("type", frames[1], frames[2], window=window, note="or call +49 171 2345678", **mail)
    b.step("type", frames[2], frames[3], window=window, parameters={"text_to_type": card}, thought="She pays by card.")
    token = {"description": "the key", "data": "sk" + "-proj-" + randomly(48)}
    b.step("extract_data", frames[3], frames[3], parameters=token, window=window, thought="The key is needed later.")
    b.step("click", frames[3], frames[4], at=save, window=window, thought="All is filled in.")
    b.step("finish_goal", frames[4], None, thought="The banner says so.")
    return b.store(demo_head(demo_id, final_frame=frames[4], task="Pay for jane.doe@example.com", app="Customers"))

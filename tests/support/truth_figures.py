"""Counts what the truth check finds in the labelled set: recall of each class of fault, false alarms of each voice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale
from models.language.check.findings import check_rationale
from models.language.check.truth_rule import RationaleFinding
from tests.support.truth_hand import by_hand, false_by_hand
from tests.support.truth_spoils import CLASSES, RULES_OF, spoil
from tests.support.truth_voices import UNSEEN, VOICES, facts_of

Case = tuple[str, StepContext, Rationale, list[RationaleFinding]]


def figures(steps: Sequence[StepContext], *, seed: int = 7) -> dict[str, Any]:
    """Counts by class and by voice, on what the check was tuned with (``seen``) and on what was only counted."""
    return {
        half: _counted(steps, random.Random(seed + unseen), unseen=bool(unseen))
        for unseen, half in enumerate(("seen", "unseen"))
    }


def by_hand_figures(sample: Sequence[StepContext]) -> dict[str, int]:
    """Counts on what was written by hand; ``sample`` being the steps of the sample demo."""
    true, false = by_hand(sample), false_by_hand(sample)
    alarms = [check_rationale(one.rationale, one.context, after_visible=False) for one in true]
    rules = [{f.rule for f in check_rationale(one.rationale, one.context, after_visible=False)} for one in false]
    return {
        "true": len(true),
        "false_alarms": sum(map(bool, alarms)),
        "false": len(false),
        "found": sum(bool(RULES_OF[one.fault] & ids) for one, ids in zip(false, rules, strict=True)),
    }


def _counted(steps: Sequence[StepContext], rng: random.Random, *, unseen: bool) -> dict[str, Any]:
    others = _names(steps)
    classes: dict[str, dict[str, Any]] = {name: {"made": 0, "found": 0, "missed": []} for name in CLASSES}
    voices: dict[str, dict[str, Any]] = {}
    for context in steps:
        facts = facts_of(context)
        if facts is None:
            continue
        for voice in UNSEEN if unseen else VOICES:
            true = voice(facts)
            row = voices.setdefault(voice.__name__, {"made": 0, "false_alarms": 0, "alarms": []})
            row["made"] += 1
            found = check_rationale(true, context, after_visible=False)
            row["false_alarms"] += bool(found)
            row["alarms"] += [_told(one, true) for one in found]
            for name, counts in classes.items():
                if rng.random() < 0.5:
                    _spoiled(name, counts, true, context, spoil(name, true, facts, rng, others=others, unseen=unseen))
    made = sum(row["made"] for row in voices.values())
    alarms = sum(row["false_alarms"] for row in voices.values())
    return {
        "classes": {name: {**row, "recall": round(row["found"] / row["made"], 4)} for name, row in classes.items()},
        "voices": voices,
        "true": made,
        "false_alarms": alarms,
        "false_alarm_rate": round(alarms / made, 4),
    }


def _spoiled(name: str, counts: dict[str, Any], true: Rationale, context: StepContext, false: Rationale | None) -> None:
    if false is None or false == true:
        return
    found = check_rationale(false, context, after_visible=False)
    counts["made"] += 1
    if any(one.rule in RULES_OF[name] for one in found):
        counts["found"] += 1
    else:
        counts["missed"].append(false.text or f"{false.observation} | {false.thought} | {false.actual_effect}")


def _told(one: RationaleFinding, rationale: Rationale) -> str:
    text = "\n".join(rationale.plan) if one.part == "plan" else str(getattr(rationale, one.part))
    return f"{one.rule} {one.message} <{text[one.start : one.end]}>"


def _names(steps: Sequence[StepContext]) -> list[str]:
    """Names of buttons and the like of all screens, for a screen that does not have them."""
    kinds = {"button", "tab", "menu_item", "list_item", "menu", "checkbox", "hyperlink"}
    texts = {" ".join((e.text or "").split()) for one in steps for e in one.before if e.type in kinds}
    fine = (t for t in texts if 3 < len(t) <= 30 and t[0].isupper() and t.replace(" ", "").isalpha())
    return sorted(fine)

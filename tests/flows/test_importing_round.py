"""What our exporters write comes back equal, but for what each format says that it loses, step by step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from demopack.codecs.catalogue import CODECS
from demopack.codecs.files.base import DemoReport, ImportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.domain.binding import response_of
from demopack.domain.demos import Demo
from demopack.domain.labels import FIELDS, label_of
from demopack.domain.steps import Step
from demopack.pack.import_demos import import_demos
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo
from tests.support.exports import export
from tests.support.kinds_demo import kinds_demo
from tests.support.pictures import swatch

FORMATS: Final = ("agentnet", "osworld", "openadapt", "ufo")

# What a loss that an exporter counted may change in a step's parameters.
FORGIVEN: Final[dict[str, frozenset[str]]] = {
    "hold": frozenset({"hold_s"}),
    "modifiers": frozenset({"modifiers"}),
    "drag_path": frozenset({"path"}),
    "drag_button": frozenset({"button"}),
    "wait_seconds": frozenset({"wait_duration_s"}),
    "hover_seconds": frozenset({"duration_s"}),
    "finish_failure": frozenset({"status"}),
    # Said in several calls, which an import joins again: nothing may differ.
    "submit": frozenset(),
    "presses": frozenset(),
    "drag_start": frozenset(),
    "click_count": frozenset(),
}
# What a loss of the whole format may change.
NEVER: Final[dict[str, frozenset[str]]] = {
    "target": frozenset({"element", "elements", "states"}),
    "judged": frozenset(),
    "elements": frozenset({"elements", "element", "states"}),
    "size": frozenset(),
    "states": frozenset({"states"}),
    "picture": frozenset({"before", "after", "point", "elements", "states"}),
    "reasoning": frozenset({"reasoning"}),
    # The label stands for it, which is compared.
    "field_text": frozenset(),
}
# Not in the exporters' tables, but not written either.
REWORDED: Final = {("ufo", "extract_data")}


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Demo]]:
    """Each demo in a pack of its own."""
    root = tmp_path_factory.mktemp("round")
    made: dict[str, tuple[Path, Demo]] = {}
    with Library.open(root / "library") as library:
        ids = {"sample": sample_demo(library, draw=swatch), "tiny": tiny_demo(library), "kinds": kinds_demo(library)}
        for name, demo in ids.items():
            export_pack(library, [demo], root / name, licence="CC0-1.0")
            made[name] = (root / name, library.demo(demo))
    return made


def back(folder: Path, library: Path, **options: Any) -> tuple[Demo, DemoReport]:
    """The one demo of a folder, imported."""
    with Library.open(library) as opened:
        report = import_demos([folder], opened, options=ImportOptions(**options))
        (one,) = report.demos
        demo = opened.demo(one.demo)
        for frame in demo.frames():
            assert opened.get_image(frame.id).shape == (frame.height, frame.width, 3)
        return demo, one


def said_of(pack: Path, dialect: str) -> list[tuple[str, ...] | None]:
    """What the vocabulary loses of each step; None where it has no word for it."""
    with open_packs([pack]) as source:
        (demo,) = source.demos()
        spoken = [CODECS[dialect].encode(step.placed) for step in demo.steps]
    return [None if one.is_empty else one.losses for one in spoken]


def labels_of(pack: Path) -> dict[str, str]:
    """By step, the label of a field that something was done to."""
    with open_packs([pack]) as source:
        (demo,) = source.demos()
        placed = {step.recorded.id: step.placed for step in demo.steps}
    fields = {step: one for step, one in placed.items() if one.target and one.target.type in FIELDS}
    return {step: label.text for step, one in fields.items() if (label := label_of(one.target, one.elements))}


def facets(step: Step, demo: Demo) -> dict[str, Any]:
    """What is compared of a step."""
    wire = response_of(step, demo).to_wire()
    target: dict[str, Any] = wire["action"]["target"] or {}
    at = step.pointer
    found = () if step.before is None else demo.ordered(step.before.id)
    return {
        "kind": wire["action"]["action_type"],
        "reasoning": wire["reasoning"],
        "element": {name: target.get(name) for name in ("element_id", "text")},
        "point": None if at is None else (at.x, at.y, at.end_x, at.end_y),
        "before": None if step.before is None else step.before.id,
        "after": None if step.after is None else step.after.id,
        "elements": [(e.type, e.box, e.text, e.track_id) for e in found],
        "states": [e.states for e in found],
    }


def parameters(step: Step, demo: Demo) -> dict[str, Any]:
    found = dict(response_of(step, demo).action.parameters)
    found.pop("end_target", None)  # its place is compared as the pointer's end
    return found


@pytest.mark.parametrize("demo_name", ["sample", "tiny", "kinds"])
@pytest.mark.parametrize("name", FORMATS)
def test_a_demo_comes_back_but_for_what_the_format_loses(
    packs: dict[str, tuple[Path, Demo]], tmp_path: Path, name: str, demo_name: str
) -> None:
    pack, demo = packs[demo_name]
    log = export(pack, name, tmp_path / "out")
    imported, report = back(tmp_path / "out", tmp_path / "library")
    made = exporter(name)
    never = frozenset[str]().union(*(NEVER[loss.code] for loss in made.losses))
    kept = [
        (step, losses)
        for step, losses in zip(demo.steps, said_of(pack, made.dialect), strict=True)
        if losses is not None
    ]
    assert len(imported.steps) == len(kept)
    assert report.rows_in == report.rows_used + report.rows_noted + report.rows_skipped
    assert (report.rows_noted, report.rows_skipped) == (0, 0)
    assert {item.code for item in log.lost} <= FORGIVEN.keys()
    left_out = log.rows_in - log.rows_out
    labels = labels_of(pack) if name == "ufo" else {}
    for (step, losses), found in zip(kept, imported.steps, strict=True):
        forgiven = frozenset[str]().union(*(FORGIVEN[code] for code in losses))
        wanted, got = facets(step, demo), facets(found, imported)
        if step.id in labels:
            wanted["element"]["text"] = labels[step.id]
        # UFO's drags are two bare points: nothing but their fractions is written.
        bare = {"element"} if name == "ufo" and wanted["kind"] == "drag" else set[str]()
        unequal = {key for key in wanted if wanted[key] != got[key]} - never - bare
        # A step that was left out takes its picture along, the one after the step before; OSWorld has no other.
        gone = {"after", *({"before"} if name == "osworld" else ())} if left_out else set[str]()
        assert unequal <= gone, (step.id, wanted, got)
        if (name, wanted["kind"]) in REWORDED:
            continue
        assert {k: v for k, v in parameters(step, demo).items() if k not in forgiven} == {
            k: v for k, v in parameters(found, imported).items() if k not in forgiven
        }
    assert imported.head.task == demo.head.task
    assert imported.head.outcome == demo.head.outcome


@pytest.mark.parametrize("name", FORMATS)
def test_an_imported_demo_is_a_good_pack(packs: dict[str, tuple[Path, Demo]], tmp_path: Path, name: str) -> None:
    export(packs["sample"][0], name, tmp_path / "out")
    imported, _ = back(tmp_path / "out", tmp_path / "library", task="Add a customer")
    with Library.open(tmp_path / "library") as library:
        export_pack(library, [imported.head.id], tmp_path / "again", licence="CC0-1.0")
        library.delete_demo(imported.head.id)
    again, report = back(tmp_path / "again", tmp_path / "other")
    head = imported.head.model_copy(update={"licence": "CC0-1.0"})
    assert again == replace(imported, head=head), "the pack's licence is the demo's now"
    assert (report.assumed, report.lost) == ([], [])


def test_our_own_action_beside_openadapts_is_exact(packs: dict[str, tuple[Path, Demo]], tmp_path: Path) -> None:
    pack, demo = packs["kinds"]
    export(pack, "openadapt", tmp_path / "out")
    imported, report = back(tmp_path / "out", tmp_path / "library")
    said = [losses is not None for losses in said_of(pack, "openadapt")]
    wanted = [response_of(step, demo) for step, one in zip(demo.steps, said, strict=True) if one]
    assert [response_of(step, imported) for step in imported.steps] == wanted
    assert {"own", "joined_own"} <= {item.code for item in report.assumed}
    assert imported.head.created_at == demo.head.created_at.replace(microsecond=imported.head.created_at.microsecond)


def test_a_second_import_changes_nothing(packs: dict[str, tuple[Path, Demo]], tmp_path: Path) -> None:
    export(packs["tiny"][0], "agentnet", tmp_path / "out")
    _, first = back(tmp_path / "out", tmp_path / "library")
    _, second = back(tmp_path / "out", tmp_path / "library")
    assert (first.status, second.status) == ("imported", "already_there")
    assert first.demo == second.demo
    with Library.open(tmp_path / "library") as library:
        assert len(library.demos()) == 1

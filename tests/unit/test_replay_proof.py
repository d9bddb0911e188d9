"""A demo is marked as done again by a replay that reached the recorded state, as long as it stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_human
from demopack.pack import export_pack, open_pack
from demopack.store import Library
from demopack_cli.main import main
from player.replay_proof import proof_of, store_proof
from player.report import ReplayReport, StepReport
from tests.support.demos import sample_demo


def report(demo: Any, *matched: bool | None, **fields: Any) -> ReplayReport:
    steps = tuple(
        StepReport(index=i, step=f"s{i}", action_type="click", action="", performed=True, matched_after=one)
        for i, one in enumerate(matched, start=1)
    )
    given = {"demo": demo.head.id, "total": len(steps), "steps": steps, "screen": (1280, 800), **fields}
    return ReplayReport.model_validate(given)


@pytest.fixture
def library(tmp_path: Path) -> Any:
    with Library.open(tmp_path / "library") as library:
        yield library


@pytest.mark.parametrize(
    ("matched", "fields"),
    [
        ((True, False), {}),
        ((True,), {"total": 2}),
        ((True, True), {"stopped": "by the hot-key"}),
        ((True, True), {"dry_run": True}),
        ((None, None), {}),
    ],
    ids=["another effect", "not all steps", "stopped", "dry run", "nothing compared"],
)
def test_what_did_not_reach_the_state_is_no_proof(library: Any, matched: Any, fields: Any) -> None:
    demo = library.demo(sample_demo(library))
    assert proof_of(demo, report(demo, *matched, **fields)) is None


def test_a_check_of_the_result_is_a_proof_where_no_picture_tells(library: Any) -> None:
    demo = library.demo(sample_demo(library))
    proof = proof_of(demo, report(demo, None), kind="state")
    assert proof is not None
    assert proof.kind == "state"


def test_it_stays_until_the_steps_are_changed(library: Any, tmp_path: Path) -> None:
    demo = library.demo(sample_demo(library))
    proof = proof_of(demo, report(demo, True, None), platform="linux-x11")
    assert proof is not None
    store_proof(library, demo, proof)
    proven = library.demo(demo.head.id)
    assert proven.proof == proof
    assert (proof.width, proof.height, proof.platform) == (1280, 800, "linux-x11")

    export_pack(library, [demo.head.id], tmp_path / "pack")
    with open_pack(tmp_path / "pack") as pack:
        assert next(pack.whole_demos()).proof == proof
    page = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    card = (tmp_path / "pack" / "README.md").read_text(encoding="utf-8")
    assert proof.words() in page
    assert f"yes, by a replay that reached the recorded state ({proof.words()})" in card

    # An explanation changes nothing; another action does.
    step = proven.steps[0]
    commit(library, proven.head.id, Change.between(step, step.model_copy(update={"note": "first"})))
    assert library.demo(demo.head.id).proof == proof
    typed = next(one for one in proven.steps if one.action.typed_text)
    other = typed.model_copy(update={"action": typed.action.replace(text_to_type="something else")})
    commit(library, proven.head.id, Change.between(typed, other))
    assert library.demo(demo.head.id).proof is None
    export_pack(library, [demo.head.id], tmp_path / "later")
    with open_pack(tmp_path / "later") as pack:
        assert next(pack.whole_demos()).head.proof is None


def commit(library: Library, demo: str, *changes: Change) -> None:
    library.commit(demo, Edit(id="edit_1", label="Change", changes=changes, provenance=by_human()))


def test_export_takes_only_what_was_done_again(library: Any, tmp_path: Path) -> None:
    one, other = sample_demo(library), sample_demo(library, demo_id="demo_2")
    arguments = ["export", one, other, "--verified-only", "--library", str(library.folder)]
    refused = CliRunner().invoke(main, [*arguments, "-o", str(tmp_path / "none")])
    assert refused.exit_code
    assert not (tmp_path / "none").exists()

    demo = library.demo(one)
    proof = proof_of(demo, report(demo, True))
    assert proof is not None
    store_proof(library, demo, proof)
    for name, more in {"pack": [], "trl": ["--format", "trl"]}.items():
        done = CliRunner().invoke(main, [*arguments, "-o", str(tmp_path / name), *more], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert f"{other} is left out" in done.stderr
    with open_pack(tmp_path / "pack") as pack:
        assert [demo.head.id for demo in pack.whole_demos()] == [one]
    # From a pack with both, too.
    export_pack(library, [one, other], tmp_path / "both")
    done = CliRunner().invoke(
        main, ["export", str(tmp_path / "both"), "--format", "trl", "--verified-only", "-o", str(tmp_path / "some")]
    )
    assert done.exit_code == 0, done.output
    rows = [sum(len(f.read_bytes()) for f in (tmp_path / name).rglob("*.jsonl")) for name in ("trl", "some")]
    assert rows[0] == rows[1] > 0

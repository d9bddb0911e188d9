"""Proofs of demos: made of a replay, and stored with the demo."""

from __future__ import annotations

from demopack import __version__
from demopack.clock import utc_now
from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.proofs import ProofKind, ReplayProof, proof_basis
from demopack.domain.provenance import by_program
from demopack.domain.records import new_id
from demopack.store import Library
from player.report import ReplayReport


def proof_of(
    demo: Demo,
    report: ReplayReport,
    *,
    kind: ProofKind = "pictures",
    platform: str = "",
) -> ReplayProof | None:
    """The proof that a replay is; None where it did not reach the recorded state, or nobody can tell.

    Args:
        demo: as it was replayed.
        report: of the replay.
        kind: how it is known that the state was reached. By pictures, at least one step has to have been compared, and
            all that were have to agree.
        platform: operating system and session.
    """
    reached = report.success and not report.dry_run
    if not reached or (kind == "pictures" and not report.as_recorded):
        return None
    return ReplayProof(
        at=utc_now(),
        kind=kind,
        platform=platform,
        width=0 if report.screen is None else report.screen[0],
        height=0 if report.screen is None else report.screen[1],
        scale_factor=report.scale_factor,
        steps=len(report.steps),
        seconds=report.seconds,
        program=f"demopack {__version__}",
        basis=proof_basis(demo.steps),
    )


def store_proof(library: Library, demo: Demo, proof: ReplayProof) -> None:
    """Store a proof with its demo, as an edit like any other.

    Raises:
        LibraryError: the demo was edited meanwhile, or cannot be written.
    """
    head = library.demo(demo.head.id).head
    edit = Edit(
        id=new_id("edit"),
        label="Replayed as recorded",
        changes=(Change.between(head, head.model_copy(update={"proof": proof})),),
        provenance=by_program("recorder", proof.program, reason="replay"),
    )
    library.commit(demo.head.id, edit)

"""A recorder that is killed in the middle of things loses at most the step that was under way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.killing import AT_ONCE, kill_recorders

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ROUNDS = 5


def test_kill_9_at_twenty_random_moments(tmp_path: Path) -> None:
    found = kill_recorders(tmp_path, rounds=ROUNDS, seed=20)
    assert len(found) == ROUNDS * AT_ONCE
    # Otherwise the test would have killed before anything was recorded.
    assert sum(one.saved for one in found) >= len(found)

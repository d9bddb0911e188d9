"""The one clock under which everything is compared, on a system whose monotonic clock ticks coarsely."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import demopack.clock

_TICK_NS = 15_625_000


def _clock_of_a_system(monkeypatch: pytest.MonkeyPatch, *, resolution: float, adjusted: int) -> ModuleType:
    """The module as a system imports it whose monotonic clock has this resolution in seconds."""
    info = SimpleNamespace(resolution=resolution, monotonic=True, adjustable=False, implementation="")
    monkeypatch.setattr(time, "get_clock_info", lambda _: info)
    fine = iter(range(0, 1_000_000_000, 1_000_000))
    monkeypatch.setattr(time, "monotonic_ns", lambda: next(fine) // adjusted * adjusted)
    monkeypatch.setattr(time, "perf_counter_ns", lambda: next(fine))
    spec = importlib.util.spec_from_file_location("clock_there", Path(demopack.clock.__file__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_moments_a_millisecond_apart_differ_where_the_monotonic_clock_ticks_coarsely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = _clock_of_a_system(monkeypatch, resolution=0.015625, adjusted=_TICK_NS)
    assert [clock.now_ns() for _ in range(4)] == [0, 1_000_000, 2_000_000, 3_000_000]


def test_a_fine_monotonic_clock_is_kept_which_an_x_server_reads_too(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _clock_of_a_system(monkeypatch, resolution=1e-9, adjusted=1)
    monkeypatch.setattr(time, "monotonic_ns", lambda: 7)
    assert clock.now_ns() == 7

"""How much memory the process of a finder has held."""

from __future__ import annotations

from pathlib import Path


def peak_mb(finder: object) -> float | None:
    """Most memory that the finder's own process ever held, MB; None where it has none or the system does not tell."""
    pid = getattr(finder, "worker_pid", None)
    if pid is None:
        return None
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    peak = next((line for line in status.splitlines() if line.startswith("VmHWM:")), "")
    words = peak.split()
    return round(int(words[1]) / 1024, 1) if len(words) > 1 else None

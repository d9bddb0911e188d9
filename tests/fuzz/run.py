"""Tries the program on thousands of damaged packs and libraries: ``python -m tests.fuzz.run --packs 2000``.

Each case comes from a seed and is tried in one process that has a limit of memory and of time. When that process is
lost, with a case that hangs or eats the memory, the case is noted and the next process goes on behind it. What comes
out wrong is printed with its seed; ``--packs 1 --first 1234`` does that case again.

A kind of case is a module that satisfies :class:`Kind`: see :mod:`tests.fuzz.libraries`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Protocol

KINDS = {"packs": "tests.fuzz.packs", "libraries": "tests.fuzz.libraries"}
SECONDS = 20
"""Longest time for one command."""
BYTES = 1 << 30
"""Most memory for one command."""
_IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where a case lies: a library syncs every step, and nobody wants to keep these."""
_SILENCE_S = 20 * SECONDS
"""How long a process may be silent: a case has about fifteen commands, and not every hang is ended by a signal."""


class Kind(Protocol):
    """What a module has to have to be fuzzed. Nothing in it may depend on anything but the seed."""

    def make_template(self, folder: Path) -> None:
        """Make the good thing that all cases begin with, in a folder that is there and empty."""

    def mutate(self, template: Path, folder: Path, seed: int) -> str:
        """Make one case, in a folder that is there and empty; returns what was done to it, in words."""
        ...

    def trials(self, folder: Path, seed: int) -> Iterable[tuple[str, ...]]:
        """Commands to be tried on a case, one after the other, as on the command line; or none more, by returning.

        A generator gets control back after each command: it may look at what that left behind, and raise
        ``AssertionError`` where, for instance, a good demo cannot be reached any more.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Find:
    """A case that came out wrong.

    Attributes:
        kind: of case.
        seed: of the case.
        done: what was done to it.
        command: what was tried; empty where it was not a command that failed.
        problem: ``traceback``, ``wrong``, ``hang``, ``memory`` or ``died``.
        text: the traceback, or what is known.
    """

    kind: str
    seed: int
    done: str
    command: str
    problem: str
    text: str


class Hang(BaseException):
    """A command took too long. No ``Exception``, so that nothing on the way catches it."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a command: its exit code, what it printed, and the traceback of what it did not catch."""

    code: int
    out: str
    err: str
    crash: str = ""


def run_command(*args: str) -> Outcome:
    """One ``demopack`` command in this process, as the console script runs it."""
    from demopack_cli.main import run

    out, err, argv, crash, code = io.StringIO(), io.StringIO(), sys.argv, "", 0
    sys.argv = ["demopack", *args]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            run()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:  # noqa: BLE001 - whatever nobody caught is what is looked for
        code, crash = 1, traceback.format_exc()
    finally:
        sys.argv = argv
    if not crash and "Traceback (most recent call last)" in err.getvalue():
        crash = err.getvalue()
    return Outcome(code=code, out=out.getvalue(), err=err.getvalue(), crash=crash)


def load(kind: str) -> Kind:
    """The module of a kind of case."""
    module: Kind = importlib.import_module(KINDS[kind])  # pyright: ignore[reportAssignmentType]
    return module


def try_case(kind: str, module: Kind, template: Path, seed: int, *, limited: bool = False) -> list[Find]:
    """One case, in a folder of its own that is gone afterwards."""
    done, found, command = "could not be made", list[Find](), ""

    def note(problem: str, text: str) -> None:
        found.append(Find(kind=kind, seed=seed, done=done, command=command, problem=problem, text=text))

    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=_IN_MEMORY, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            done = module.mutate(template, folder, seed)
            for args in module.trials(folder, seed):
                command = " ".join(args)
                with _limits() if limited else contextlib.nullcontext():
                    outcome = run_command(*args)
                if outcome.crash:
                    note("memory" if "MemoryError" in outcome.crash else "traceback", outcome.crash)
                if limited and _peak() > BYTES:
                    note("memory", f"{_peak() >> 20} MB")
        except AssertionError as wrong:
            note("wrong", str(wrong))
        except Hang:
            note("hang", traceback.format_exc())
        except Exception:  # noqa: BLE001 - of the module itself
            note("died", traceback.format_exc())
    return found


def try_cases(kind: str, seeds: Iterable[int], folder: Path) -> list[Find]:
    """Cases in this process and without limits, as the suite does it; ``folder`` is for what they begin with."""
    module = load(kind)
    template = folder / "template"
    template.mkdir(parents=True)
    module.make_template(template)
    return [find for seed in seeds for find in try_case(kind, module, template, seed)]


# A process with limits ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _limits() -> Generator[None]:
    """For one command: an end to its time, and the highest mark of its memory set anew."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {SECONDS} s")

    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _peak() -> int:
    """The most memory that this process had since it was asked to count anew, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))


def _work(kind: str, first: int, count: int, report: IO[str]) -> None:
    """In the process with limits: tells line by line which case is begun, and what came of it."""

    def tell(**fields: object) -> None:
        print(json.dumps(fields), file=report, flush=True)

    module = load(kind)
    with tempfile.TemporaryDirectory(prefix="fuzz-template-") as name:
        template = Path(name) / "template"
        template.mkdir()
        module.make_template(template)
        size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        # Threads and allocators reserve more than they use: the mark of what is used is looked at after each command.
        resource.setrlimit(resource.RLIMIT_AS, (size + 2 * BYTES, size + 2 * BYTES))
        for seed in range(first, first + count):
            tell(begun=seed)
            tell(seed=seed, finds=[asdict(find) for find in try_case(kind, module, template, seed, limited=True)])


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the person who runs it: neither settings nor library nor screen."""
    given = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    paths = {"SETTINGS": "settings.json", "LIBRARY": "library", "CACHE": "cache"}
    given |= {f"DEMOPACK_{name}": str(home / file) for name, file in paths.items()}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return given | threads | {"TMPDIR": str(home), "HF_HUB_OFFLINE": "1", "DEMOPACK_REQUESTS": "local"}


def fuzz(kind: str, first: int, count: int, home: Path) -> Iterator[tuple[int, list[Find]]]:
    """Every case with what came of it, in processes of their own."""
    end = first + count
    while first < end:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        command = [sys.executable, "-m", "tests.fuzz.run", "--work", kind, str(first), str(end - first)]
        with (home / "stderr").open("w+", encoding="utf-8") as errors:
            worker = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=_environment(home), encoding="utf-8"
            )
            begun = -1
            assert worker.stdout is not None
            try:
                for line in _lines(worker.stdout):
                    told = json.loads(line)
                    if "begun" in told:
                        begun = told["begun"]
                        continue
                    first = told["seed"] + 1
                    yield told["seed"], [Find(**find) for find in told["finds"]]
            finally:
                worker.kill()
                worker.wait()
            if first >= end:
                return
            errors.seek(0)
            if begun < first:
                raise SystemExit(f"The cases of {kind} could not be begun:\n{errors.read()[-4000:]}")
            text = f"exit code {worker.returncode}\n{errors.read()[-4000:]}"
            yield begun, [Find(kind=kind, seed=begun, done="", command="", problem="died", text=text)]
            first = begun + 1


def _lines(stream: IO[str]) -> Iterator[str]:
    """Lines of a process, until it ends or says nothing for too long."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        buffer = b""
        while selector.select(timeout=_SILENCE_S):
            data = os.read(stream.fileno(), 1 << 16)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            yield from (line.decode("utf-8") for line in lines)


def main() -> None:
    """See the module's description."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=__doc__)
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=int, default=0, metavar="N", help=f"so many {kind}")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first case; the next follow")
    parser.add_argument("--work", nargs=3, metavar=("KIND", "FIRST", "N"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        kind, first, count = given.work
        # What commands print must not mix with what is told.
        report = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        _work(kind, int(first), int(count), report)
        return
    begun, finds = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="fuzz-home-") as home:
        for kind in KINDS:
            count = getattr(given, kind)
            for seed, found in fuzz(kind, given.first, count, Path(home) / kind) if count else ():
                finds += len(found)
                for find in found:
                    print(f"\n{find.problem}: --{kind} 1 --first {seed}: {find.done}\n  demopack {find.command}")
                    print("  " + find.text.strip().replace("\n", "\n  "), flush=True)
                if (seed - given.first + 1) % 50 == 0:
                    print(f"{seed - given.first + 1} {kind}, {finds} finds", flush=True)
    print(f"{finds} finds in {time.monotonic() - begun:.0f} s")
    sys.exit(1 if finds else 0)


if __name__ == "__main__":
    main()

"""A funnel of 200 tasks from manuals of this machine, through every stage of the task bank, killed on the way.

The tasks are those of LibreOffice's help for Writer and Calc (``libreoffice-help-en-us``), as it is installed. They are
imported, filtered, a part is made harder, all are made concrete, filtered by the model, performed, judged and exported,
by the program's own commands. A server of this process answers in a model's place, by a script: some answers are wrong
at first, some always, some refuse. The documents are texts and Pluma stands for the programs (a line in
``programs.toml``), so that one task takes seconds; it is performed in a real window. The commands are killed (SIGKILL,
with all that they had started) at random moments, and started again::

    python benchmarks/task_funnel.py [--tasks 200] [--kills 5] [--seed 1] [--help-folder DIR] [--out DIR]

It ends with 1 where a task was lost, something was performed twice to its end, or an answer was paid for twice that was
not on the line at a kill. Needs Xvfb, openbox, Pluma and the help.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.codecs.tasks.files import TaskFileOptions, TaskReading, read_tasks
from demopack.domain.provenance import by_program
from demopack.domain.tasks import STAGES
from demopack.pack.import_demos import open_files
from demopack.store import Library
from tasks.bank import TaskBank, TaskQuery
from tests.support.openai_server import Asked, OpenAIServer, Reply, content, good

ROOT = Path(__file__).resolve().parent.parent
HELP = Path("/usr/share/libreoffice/help/en-US/text")
GUIDES = {"writer": "swriter/guide", "calc": "scalc/guide"}
PROGRAMS = """[{name}]
command = "pluma {{document}}"
names = ["{name}"]
endings = [".txt"]
save = "Ctrl+S"
environment = {{ GTK_MODULES = "gail:atk-bridge", TMPDIR = "{{profile}}" }}
"""
TEXTS = {
    "report": "A report with a table and a chart",
    "letter": "A letter with paragraphs",
    "list": "A list of numbers",
}
QUICK = {
    "vision": {"describer": "", "icons": "", "ocr": False},
    "player": {"pause_s": 0, "settle_timeout_s": 1, "pointer_px_s": 100_000, "typing_interval_ms": 1},
}
"""No text is read from pictures, the program tells it, and hands are fast: seconds for a task instead of a minute."""


def chance_of(text: str) -> int:
    """The same number for the same text, always."""
    return zlib.crc32(text.encode())


def call(step: str, control: str, function: str, **args: object) -> str:
    return json.dumps({"step": step, "controlLabel": "", "controlText": control, "function": function, "args": args})


def said(pattern: str, texts: str) -> str:
    found = re.search(pattern, texts, re.MULTILINE)
    return "" if found is None else found.group(1).strip()


def answer(asked: Asked) -> Reply:
    """What the model of this run answers; a tenth or so of everything goes wrong, one way or another."""
    texts = asked.texts
    task = said(r"^TASK: (.*)$", texts)
    luck = chance_of(task)
    told = "Your last answer cannot be used" in texts
    if "the harder task, in one sentence" in texts:
        if luck % 10 == 0 and not told:
            return good({"task": "Bake a cake", "steps": ["Mix flour and sugar"]})
        plan = [line.strip() for line in re.findall(r"^\d+\. (.*)$", texts, re.MULTILINE)][:20]
        return good(
            {"task": f"{task.rstrip('.')} and repeat that on a second page", "steps": [*plan, "Go to a second page"]}
        )
    if "actions_plan: the calls" in texts:
        wrong = luck % 17 == 0 or (luck % 9 == 0 and not told)
        control = "No such button" if luck % 11 == 0 else "Save"
        calls = [
            call("go to the end", "", "keyboard_input", keys="^{END}"),
            call("write", "", "keyboard_input", keys=f"{{ENTER}}Done {luck}"),
            *([call("save it", control, "click_input", button="left", double=False)] if luck % 11 == 0 else []),
        ]
        if wrong:
            calls[0] = calls[0].replace("keyboard_input", "press_something")
        return good(
            {
                "observation": "a text",
                "thought": "short",
                "new_task": f"{task} in this text",
                "actions_plan": "\n".join(calls),
            }
        )
    if "request_type: None if it can" in texts:
        can = luck % 5 != 0
        return good(
            {"judge": "yes" if can else "no", "thought": "looked", "request_type": "None" if can else "App_involve"}
        )
    if "criteria_met" in texts:
        met = "unsure" if luck % 7 == 0 else "yes" if re.search(r"^\+.*Done", texts, re.MULTILINE) else "no"
        verdict = {"reason": "The document says so.", "criteria": ["written"], "criteria_met": [met], "complete": met}
        return good({**verdict, "task_quality": "good"})
    return content("?")


KINDS = (
    ("evolve", "the harder task, in one sentence"), ("prefill", "actions_plan: the calls"),
    ("filter", "request_type: None if it can"), ("evaluate", "criteria_met"),
)  # fmt: skip


def kind_of(asked: Asked) -> str:
    return next((name for name, mark in KINDS if mark in asked.texts), "?")


def descendants(pid: int) -> list[int]:
    """Every process that a process has started, and those that these have."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, new = list[int](), [pid]
    while new:
        new = [child for one in new for child in parents.get(one, ())]
        found += new
    return found


@dataclass(kw_only=True)
class Runner:
    """Starts commands, kills them when their time has come, and starts them again.

    Attributes:
        server: that answers.
        settings: file of the settings.
        chance: when.
        killed: for each kill the command and how many questions had come in.
        starts: how often each command was started.
        doubtful: questions that were paid for in the last moment before a kill.
    """

    server: OpenAIServer
    settings: Path
    chance: random.Random
    killed: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    starts: Counter[str] = field(default_factory=Counter[str])
    doubtful: list[str] = field(default_factory=list[str])

    def run(self, *words: str | Path, kills: Sequence[int] = ()) -> str:
        """A command's output; it is killed some time after as many more questions as ``kills`` says have come in."""
        name = str(words[1])
        left, began = list(kills), len(self.server.asked)
        while True:
            self.starts[name] += 1
            process = subprocess.Popen(
                [sys.executable, "-m", "demopack", *map(str, words)], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "DEMOPACK_SETTINGS": str(self.settings)},
            )  # fmt: skip
            if left and self._killed(process, name, began + left[0]):
                left.pop(0)
                continue
            out, _ = process.communicate()
            assert process.returncode in {0, 1}, (words[:3], process.returncode)
            return out

    def _killed(self, process: subprocess.Popen[str], name: str, asked: int) -> bool:
        while len(self.server.asked) < asked:
            if process.poll() is not None:
                return False
            time.sleep(0.02)
        time.sleep(self.chance.uniform(0, 8 if name == "run" else 0.05))
        if process.poll() is not None:
            return False
        children = descendants(process.pid)
        paid = len(self.server.paid)
        process.kill()
        for child in children:  # else their windows would stay
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        process.communicate()
        self.killed.append((name, asked))
        self.doubtful += (
            [one.texts for one in self.server.paid[max(paid - 8, 0) :]]
            if name == "evolve"
            else [one.texts for one in self.server.paid[max(paid - 1, 0) :]]
        )
        return True


def choose_pages(folder: Path, count: int, out: Path) -> int:
    """Copy pages of the guides until they hold so many tasks; returns how many that are."""
    chosen = 0
    pages = {app: sorted((folder / place).glob("*.html")) for app, place in GUIDES.items()}
    for app, files in pages.items():
        wanted = chosen + (count - chosen if app == "calc" else count * 5 // 6)
        (out / app).mkdir(parents=True)
        for page in files:
            with open_files(page) as source:
                options, by = TaskFileOptions(app=app), by_program("template", "funnel")
                there = len(list(read_tasks(source, options, provenance=by, report=TaskReading())))
            if there and chosen + there <= wanted:
                shutil.copyfile(page, out / app / page.name)
                chosen += there
    return chosen


def prepare_templates(folder: Path) -> None:
    """Three texts with descriptions for each program, which Pluma opens."""
    for name in GUIDES:
        (folder / name).mkdir(parents=True)
        for stem in TEXTS:
            (folder / name / f"{stem}.txt").write_text(f"The {stem} of {name}.\n")
        (folder / name / "description.json").write_text(
            json.dumps({f"{stem}.txt": text for stem, text in TEXTS.items()})
        )
    (folder / "programs.toml").write_text("".join(PROGRAMS.format(name=name) for name in GUIDES))


def funnel(given: argparse.Namespace, out: Path) -> list[str]:
    """The whole way; prints the counts, and returns what is wrong."""
    chance = random.Random(given.seed)
    pages, templates, library, results = out / "pages", out / "templates", out / "library", out / "results"
    total = choose_pages(given.help_folder, given.tasks, pages)
    prepare_templates(templates)
    at, beside = ("--library", library), ("--model", "model")
    began = time.monotonic()
    with OpenAIServer(answer=answer, before=lambda: time.sleep(0.1)) as server:
        language = {"model": "server:script", "base_url": server.base_url, "input_price": 1, "output_price": 2}
        settings = out / "settings.json"
        settings.write_text(json.dumps({**QUICK, "language": {**language, "budget": 1000}}))
        runner = Runner(server=server, settings=settings, chance=chance)
        for app in GUIDES:
            runner.run("tasks", "import", pages / app, "--app", app, *at)
        runner.run("tasks", "filter", *at)
        first = min(given.kills, 1)
        runner.run("tasks", "evolve", "--app", "calc", *beside, *at, kills=[chance.randrange(3, 12)] * first)
        runner.run("tasks", "filter", *at)
        with TaskBank.open(library) as bank:
            filtered, rules = bank.counts("state"), bank.counts("rule")
            kept = [row.id for row in bank.rows(TaskQuery(state="kept"))]
            kinds = bank.counts("kind")
        # Each task that is kept asks two or three questions; few tasks are made harder before a kill can come.
        span = int(2.5 * len(kept))
        moments = sorted(chance.randrange(span // 10, span) for _ in range(given.kills - len(runner.killed)))
        runner.run(
            "tasks", "run", *kept, "--mode", "dataflow", "--templates", templates, "-o", results, *beside, *at,
            kills=moments,
        )  # fmt: skip
        runner.run("tasks", "export", "-o", out / "results.jsonl", "--form", "ufo_result", "--state", "complete", *at)
        runner.run("tasks", "export", "-o", out / "plans", "--form", "plans", *at)
        seconds = time.monotonic() - began
        paid = Counter(one.texts for one in server.paid)
        questions = Counter(kind_of(one) for one in server.paid)
    wrong: list[str] = []
    with TaskBank.open(library) as bank, Library.open(library) as opened:
        states = bank.counts("state")
        tasks = {task.id: task for task in bank.tasks()}
        demos = [(one.head.id, one.head.status) for one in opened.demos()]
    filed = Counter(
        str(path.parent.relative_to(results)) for path in results.rglob("*.json") if "logs" not in path.parts
    )
    named = {task.demo for task in tasks.values() if task.demo}
    partial = sum(status == "partial" for _, status in demos)
    whole = {name for name, status in demos if status != "partial"}
    twice = [text for text, times in paid.items() if times > 1]
    unexplained = [text for text in twice if text not in runner.doubtful]
    if len(tasks) != total + kinds.get("evolved", 0):
        wrong.append(f"{total} tasks and {kinds.get('evolved', 0)} harder forms came in, {len(tasks)} are there")
    if lost := [
        name for name in kept if name not in tasks or tasks[name].state in {"kept", "instantiated", "executed"}
    ]:
        wrong.append(f"not taken to an end: {lost[:5]} ({len(lost)})")
    if sum(filed.values()) != len(kept):
        wrong.append(f"{len(kept)} tasks ran, and {sum(filed.values())} have a result")
    if more := whole - named:
        wrong.append(f"performed to the end, and then again: {sorted(more)}")
    if unexplained:
        wrong.append(f"{len(unexplained)} questions were paid for twice, and were not on the line")
    if len(runner.killed) != given.kills:
        wrong.append(f"killed {len(runner.killed)} times, not {given.kills}")
    failed = Counter(
        stage for task in tasks.values() for stage in STAGES if stage in task.stages and task.stages[stage].error
    )
    print(f"tasks from {sum(1 for _ in pages.rglob('*.html'))} pages of LibreOffice's help: {total}")
    print(f"  after the filter: {filtered}; rules {rules}; harder forms {kinds.get('evolved', 0)}")
    print(f"  run: {len(kept)}; states at the end {states}; stages with an error {dict(failed)}")
    print(f"  results: {dict(sorted(filed.items()))}")
    print(f"  demos: {len(whole)} whole, {partial} cut off by kills")
    print(f"  killed {len(runner.killed)} times: {runner.killed}; commands started {dict(runner.starts)}")
    print(
        f"  answers paid for: {dict(questions)}; the same question twice: {len(twice)} ({len(unexplained)} unexplained)"
    )
    print(f"  {seconds:.0f} s")
    for one in wrong:
        print(f"  WRONG: {one}")
    return wrong


def main() -> None:
    """Run it in a folder that is kept where one is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--help-folder", type=Path, default=HELP)
    parser.add_argument("--out", type=Path, help="an empty folder for all of it, which is kept")
    given = parser.parse_args()
    if not (given.help_folder / GUIDES["writer"]).is_dir():
        sys.exit(f"LibreOffice's help is not in {given.help_folder}; install libreoffice-help-en-us.")
    with tempfile.TemporaryDirectory() as scratch:
        out = (given.out or Path(scratch)).resolve()
        sys.exit(1 if funnel(given, out) else 0)


if __name__ == "__main__":
    main()

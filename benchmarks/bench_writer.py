"""How many steps a second a model writes from a server that answers in 1 s, 8 requests at a time; and its CPU.

Everything is counted: pictures are read and compared, prompts made, answers checked and stored. The server is a process
of its own; the CPU is that of this process alone, after its libraries are loaded.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from measure import report

from demopack.jobs import JobControl
from demopack.settings import LanguageSettings
from demopack.store import Library
from models.language.prompts import PromptCatalogue
from models.language.rationale_run import write_demos
from models.language.reports import WriteReport
from models.language.step_context import DemoStory
from models.language.step_questions import step_question
from models.language.template import TemplateWriter
from models.language.writers import open_writer
from tests.support.demos import sample_demo
from tests.support.openai_server import Asked, OpenAIServer, Reply, good

IN_FLIGHT = 8
DEMOS = 16
ANSWER_S = 1.0
_TASK = "Add Ada Lovelace as a customer from the United Kingdom, and give her the news, as it is in letter number "
"""And a number: equal questions would be sent once."""
_ASKS = "Explain why the next action was taken:\n"


def _serve(line: Connection) -> None:
    """Answer with what the template says of the same action, so that the check finds nothing to mend."""
    answers: dict[str, dict[str, object]] = line.recv()

    def answer(asked: Asked) -> Reply:
        threading.Event().wait(ANSWER_S)
        return good(answers[asked.texts.split(_ASKS)[1].split("\n")[0]])

    with OpenAIServer(answer=answer) as server:
        line.send(server.base_url)
        line.recv()


def _answers(library: Library, demo: str) -> dict[str, dict[str, object]]:
    story, found = DemoStory(library, library.demo(demo)), dict[str, dict[str, object]]()
    for index in range(len(story.demo.steps)):
        context = story.context(index)
        said = TemplateWriter().write(context, control=JobControl())
        asked = "\n".join(step_question("thought", context, PromptCatalogue(), sees=False).texts[1:])
        found[asked.split(_ASKS)[1].split("\n")[0]] = {
            "observation": said.observation or "The screen is as before.",
            "thought": said.thought,
            "expected_effect": said.expected_effect or "It should go on.",
            "plan": [],
        }
    return found


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _write(library: Library, demos: list[str], settings: LanguageSettings, *, model: str) -> list[WriteReport]:
    with open_writer(model, settings, folder=library.folder) as (writer, at_once):
        return write_demos(library, demos, writer, control=JobControl(), rewriting="programs", at_once=at_once)


def main() -> None:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,))
    process.start()
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        demos = [sample_demo(library, demo_id=f"demo_{n}", task=f"{_TASK}{n}") for n in range(DEMOS + 1)]
        here.send(_answers(library, demos[0]))
        settings = LanguageSettings(model="server:tiny", base_url=here.recv(), in_flight=IN_FLIGHT)
        _write(library, demos[:1], settings, model="model")  # to load the libraries
        began, cpu = time.monotonic(), _cpu_s()
        reports = _write(library, demos[1:], settings, model="model")
        seconds, used = time.monotonic() - began, _cpu_s() - cpu
    here.send("end")
    process.join()
    steps, calls = sum(one.written for one in reports), sum(len(one.asked) for one in reports)
    report(
        f"rationales by a model, {DEMOS} demos, {IN_FLIGHT} in flight, {ANSWER_S:.0f} s per answer",
        {
            "steps": (float(steps), ""),
            "calls": (float(calls), ""),
            "steps a second": (steps / seconds, "/s"),
            "share of a core": (used / seconds, ""),
            "CPU a step": (1000 * used / steps, "ms"),
        },
    )


if __name__ == "__main__":
    main()

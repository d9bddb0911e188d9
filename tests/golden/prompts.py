"""Every dialect's prompt in every form, and which demos are chosen for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.golden.doors import demopack
from tests.golden.inputs import library, unpack
from tests.golden.outputs import Outputs

SCREENS = {
    "quickstart": ("demo_0fcab91068:9",),
    "hard": ("demo_5a3b1e0c77:6", "demo_00000000e1:18"),
}
OTHERS = {
    "quickstart": ("demo_0fcab91068:1",),
    "hard": ("demo_5a3b1e0c77:3", "demo_0000000001:2", "demo_00000000aa:5", "demo_00000000aa:13", "demo_00000000e1:1",
             "demo_00000000e1:6", "demo_00000000e1:29", "demo_00000000e2:2"),
}  # fmt: skip
"""Asked about in every form, and in the four plain ones."""
FORMS: dict[str, tuple[str, ...]] = {
    "llmresponse": ("--dialect", "llmresponse"),
    "llmresponse-shots": ("--dialect", "llmresponse", "--shot-elements", "--shots", "4", "--seed", "7"),
    "llmresponse-none": ("--dialect", "llmresponse", "--shots", "0"),
    "caap": ("--dialect", "caap"),
    "caap-demo_without_cot": ("--dialect", "caap", "--config", "demo_without_cot"),
    "caap-cot_without_demo": ("--dialect", "caap", "--config", "cot_without_demo"),
    "caap-cot_with_action_only_demo": ("--dialect", "caap", "--config", "cot_with_action_only_demo"),
    "caap-no_cot_no_demo": ("--dialect", "caap", "--config", "no_cot_no_demo"),
    "caap-without": ("--dialect", "caap", "--without", "guards,review,history"),
    "uipath": ("--dialect", "uipath"),
    "uipath-words": ("--dialect", "uipath", "--history-in-words"),
    "lam": ("--dialect", "lam"),
    "lam-shots": ("--dialect", "lam", "--shot-elements", "--shots", "4"),
    "ui-tars": ("--dialect", "ui-tars"),
    "ui-tars-1.5": ("--dialect", "ui-tars-1.5", "--shot-elements"),
    "qwen": ("--dialect", "qwen"),
    "qwen2.5-vl": ("--dialect", "qwen2.5-vl"),
}
PLAIN = ("llmresponse", "caap", "uipath", "lam")
LARGE = ("--budget", "60000")


def prompts(name: str) -> Callable[[Path, Outputs], None]:
    """Of a pack, and of the library that it came from."""

    def fill(work: Path, outputs: Outputs) -> None:
        pack = unpack(f"{name}-pack", work).relative_to(work)
        home = library(f"{name}-library", work).relative_to(work)
        for screen in SCREENS[name] + OTHERS[name]:
            where = screen.replace(":", "-")
            for form, options in FORMS.items():
                if screen in SCREENS[name] or form in PLAIN:
                    outputs.said(f"{where}/{form}", demopack("prompt", pack, "--screen", screen, *options, *LARGE))
        screen = SCREENS[name][-1]
        for form in PLAIN:
            options = FORMS[form]
            outputs.said(f"json/{form}", demopack("prompt", pack, "--screen", screen, "--json", *options, *LARGE))
        # Which demos are chosen.
        for number, task in enumerate(("Add a customer", "Go and greet", "שלום") if name == "hard" else ("Register",)):
            for options in ((), ("--app", "Customers"), ("--other-instances",), ("--seed", "3", "--shots", "5")):
                said = demopack("prompt", pack, "--task", task, *options, *LARGE)
                outputs.said(f"task-{number}/{'_'.join(options).replace('-', '') or 'plain'}", said)
        outputs.said("library", demopack("prompt", "--library", home, "--screen", screen, *LARGE))
        # What does not fit.
        outputs.said("budget/little", demopack("prompt", pack, "--screen", screen, "--budget", "300"))
        outputs.said("budget/some", demopack("prompt", pack, "--screen", screen, "--budget", "4000"))
        outputs.said("wrong/dialect", demopack("prompt", pack, "--task", "x", "--dialect", "klingon"))
        outputs.said("wrong/screen", demopack("prompt", pack, "--screen", "demo_nowhere:1"))
        outputs.said("wrong/part", demopack("prompt", pack, "--task", "x", "--dialect", "caap", "--without", "soul"))
        outputs.said("wrong/task", demopack("prompt", pack))

    return fill

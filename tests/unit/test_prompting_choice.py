"""Among demos of many kinds of tasks, an example of the same kind is found: names and values must not mislead."""

from __future__ import annotations

import random

from demopack.prompting.example_choice import IndexedDemo, likeness, rank, word_similarity

KINDS = (
    "Select {n} from the list and click Submit.", 'Click on the "{n}" button.', "Select {n} and click Submit.",
    'Enter "{n}" into the text field and press Submit.', "Find the email by {n} and click the trash icon to delete it.",
    'Find the email by {n} and reply to them with the text "{w} {v}".',
    "Forward the email from {n} to {m} and click Send.",
    "Enter {d} as the date and hit submit.", "Book the shortest one-way flight from: {n} to: {m} on {d}.",
    'Find the {k}th word in the paragraph, type that into the textbox and press "Submit".',
    "Use the terminal below to delete a file that has the extension .{w}", "Click the tab number {k}.",
    'Switch between the tabs to find and click on the link "{w}".', "Search for {n} and click the {k}th search result.",
    "Select the following: {w}, {v} and click Submit.", "Drag {n} by one position to the left.",
    'Expand the sections below, to find and click on the link "{w}".', "Select {k} with the slider and hit Submit.",
    'Enter the username "{n}" and the password "{w}" into the text fields and press login.',
    'For the user @{n}, click on the "Like" button.', "Type the result of {k} plus {j} into the box and press Submit.",
    "Choose {n} from the scroll list and click Submit.",
)  # fmt: skip
NAMES = ("Janella", "Helli", "Storm", "Gena", "Betti", "Chrissie", "Ada", "Grace", "Alan", "Emmy", "Sofia", "Ivan")
WORDS = ("sed", "dolor", "amet", "nunc", "vitae", "porta", "felis", "risus")


def instance(kind: str, rng: random.Random) -> str:
    n, m = rng.sample(NAMES, 2)
    w, v = rng.sample(WORDS, 2)
    date = f"{rng.randint(1, 12)}/{rng.randint(1, 28)}/2016"
    return kind.format(n=n, m=m, w=w, v=v, d=date, k=rng.randint(2, 9), j=rng.randint(2, 9))


def test_an_example_of_the_same_kind_comes_first_where_full_text_alone_errs() -> None:
    rng = random.Random(0)
    documents = [IndexedDemo(id=f"{i}_{n}", task=instance(kind, rng)) for i, kind in enumerate(KINDS) for n in range(4)]
    missed: list[str] = []
    missed_by_words = 0
    for i, kind in enumerate(KINDS):
        for _ in range(4):
            task = instance(kind, rng)
            first = rank(documents, task, limit=1, instance="other")[0]
            if not first.id.startswith(f"{i}_"):
                missed.append(task)
            found = {
                key: value for key, value in word_similarity(documents, task).items() if _task(documents, key) != task
            }
            missed_by_words += not max(sorted(found), key=lambda key: found[key]).startswith(f"{i}_")
    assert missed == []
    assert missed_by_words > 0, "without this the rule of kinds would be for nothing"


def _task(documents: list[IndexedDemo], key: str) -> str:
    return next(document.task for document in documents if document.id == key)


def test_likeness_is_of_the_sentence_and_not_of_its_names() -> None:
    assert likeness("Open Ada", "Open Grace") == 1.0
    assert likeness("select the following sed nunc", "select the following dolor amet") > 0.5
    assert likeness("", "Open Ada") == 0.0

"""Tasks out of manuals and how-to pages, by their structure alone."""

from __future__ import annotations

import json

import pytest

from demopack.codecs.tasks.pages import as_order, page_portions, read_page

MANUAL = """---
title: not a heading
---
# Writer guide

Some words.

## 3.1 Adding page borders

A border runs around a page. To add a border to a page:

1. Go to **Design** > *Page Borders*.
2. Choose a style.

   It may be of any colour.

   - or a picture
3. Select OK .

To do this, follow these steps:

1. Never mind.

## Deleting rows

1. Select the row
2. Press Delete
   1. Confirm

- no step
"""


def told(text: str, **how: bool) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.task, one.plan) for one in read_page(text, **how)]


def test_a_numbered_list_is_a_plan_for_the_sentence_before_it_or_the_heading_above() -> None:
    assert told(MANUAL, markdown=True) == [
        (
            "Add a border to a page",
            ("Go to Design > Page Borders.", "Choose a style. It may be of any colour. or a picture", "Select OK."),
        ),
        ("Adding page borders", ("Never mind.",)),
        ("Deleting rows", ("Select the row", "Press Delete", "Confirm")),
    ]
    assert next(read_page(MANUAL, markdown=True)).place == "Writer guide > 3.1 Adding page borders"


HOW_TO = """<html><head><title>Not this</title><style>ol {}</style></head><body>
<nav><ol><li>Home</li></ol></nav>
<h1>How to Add a Border - Some Site</h1>
<h3>Method 1 of 2: With the Menu</h3>
<ol><li><b>Open</b> it.<ul><li>by double click</ul><li>Click <img src=x alt="Save">.<figure>a picture</figure></ol>
<h3>Method 2 of 2: With Keys</h3><ol><li>Press Ctrl&amp;B</ol>
<footer><ol><li>Imprint</ol></footer>"""


def test_a_how_to_page_is_one_task_and_its_methods_are_ways_to_do_it() -> None:
    assert told(HOW_TO, how_to=True) == [
        ("Add a Border (With the Menu)", ("Open it. by double click", "Click Save.")),
        ("Add a Border (With Keys)", ("Press Ctrl&B",)),
    ]
    parts = HOW_TO.replace("Method", "Part")
    assert told(parts, how_to=True) == [("Add a Border", ("Open it. by double click", "Click Save.", "Press Ctrl&B"))]


def test_what_a_page_says_of_itself_counts_first() -> None:
    said = {
        "@context": "https://schema.org",
        "@graph": [
            {
                "@type": "HowTo",
                "name": "How to print",
                "step": [
                    {"@type": "HowToStep", "text": "Press <b>Ctrl+P</b>"},
                    {"@type": "HowToSection", "itemListElement": [{"@type": "HowToStep", "name": "Click Print"}]},
                    "Fetch it",
                ],
            }
        ],
    }
    page = f'<script type="application/ld+json">{json.dumps(said)}</script><h1>x</h1><ol><li>y</li></ol>'
    assert told(page) == [("Print", ("Press Ctrl+P", "Click Print", "Fetch it"))]
    broken = page.replace('"@type"', '"@type')
    assert told(broken) == [("X", ("y",))]


@pytest.mark.parametrize(
    ("title", "order"),
    [
        ("How to Add a Border?", "Add a Border"),
        ("3.2 To add a border:", "Add a border"),
        ("Chapter 4 Printing", "Printing"),
        ("2D shapes", "2D shapes"),
        ("Today", "Today"),
        ("A", "A"),
    ],
)
def test_titles_become_orders(title: str, order: str) -> None:
    assert as_order(title) == order


@pytest.mark.parametrize(
    "text", ["", "<ol><li>", "<ol><ol></ol>", "<h1></ul></ol><ol><li></h1>", "</li>" * 9, "<" * 99]
)
def test_broken_pages_are_read_as_far_as_they_go(text: str) -> None:
    assert all(one.plan for one in read_page(f"<h1>Title</h1>{text}"))


LONG = """# Guide
## Borders
Open the Format menu.

- Choose a style.
- Choose a colour.
## Nothing
## Rows
Select the row.
<table><tr><td>Delete</td><td>removes it</td></tr></table>
"""


def test_the_words_of_a_page_are_cut_at_headings_where_they_are_too_many() -> None:
    (whole,) = page_portions(LONG, markdown=True)
    assert whole.place == "Guide"
    assert whole.text.splitlines() == [
        "# Guide", "## Borders", "Open the Format menu.", "- Choose a style.", "- Choose a colour.", "## Nothing",
        "## Rows", "Select the row.", "Delete removes it",
    ]  # fmt: skip
    parts = list(page_portions(LONG, markdown=True, limit=80))
    assert [(part.place, part.text.splitlines()[0]) for part in parts] == [
        ("Guide", "# Guide"),
        ("Guide > Nothing", "## Nothing"),
    ]
    assert "\n".join(part.text for part in parts) == whole.text


def test_a_long_paragraph_is_cut_between_words_and_headings_alone_are_no_portion() -> None:
    words = [f"w{n}" for n in range(400)]
    parts = list(page_portions(f"<h2>Long</h2><p>{' '.join(words)}</p><h2>Empty</h2>", limit=100))
    assert all(len(part.text) <= 110 for part in parts)
    assert " ".join(part.text for part in parts).split() == ["##", "Long", *words]
    assert {part.place for part in parts} == {"Long"}
    assert list(page_portions("<h1>A</h1><h2>B</h2>")) == []
    assert list(page_portions("")) == []


def test_points_between_a_sentence_and_its_list_change_nothing() -> None:
    text = "<h1>Guide</h1><p>To add a row:</p><ul><li>Quickly</ul><ol><li>Press Tab</ol>"
    assert told(text) == [("Add a row", ("Press Tab",))]

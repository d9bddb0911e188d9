"""What lies in the home folder of the programs: documents, pictures and an archive, the same from the same seed."""

from __future__ import annotations

import io
import random
import zipfile
from typing import Final

import numpy as np
from PIL import Image

_NOUNS: Final = [
    "garden",
    "bridge",
    "window",
    "river",
    "letter",
    "market",
    "morning",
    "engine",
    "story",
    "table",
    "paper",
    "island",
    "winter",
    "kitchen",
]
_VERBS: Final = [
    "opens",
    "carries",
    "follows",
    "reaches",
    "paints",
    "repairs",
    "answers",
    "counts",
    "turns",
    "keeps",
    "finds",
    "shows",
]
_ADJECTIVES: Final = [
    "old",
    "quiet",
    "green",
    "narrow",
    "bright",
    "heavy",
    "small",
    "early",
    "broken",
    "careful",
    "distant",
    "plain",
]
_NAMES: Final = [
    "Ada",
    "Boris",
    "Clara",
    "Dimitri",
    "Elif",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Keiko",
    "Lars",
    "Mina",
    "Noor",
    "Olga",
    "Pablo",
]
_CITIES: Final = ["Oslo", "Lyon", "Graz", "Porto", "Ghent", "Turin", "Split", "Malmo", "Cork", "Bern"]

_CONSENT: Final = {
    ".config/qBittorrent/qBittorrent.conf": b"[LegalNotice]\nAccepted=true\n",
    ".config/transmission/settings.json": b'{"user-has-given-informed-consent": true}',
    ".config/keepassxc/keepassxc.ini": b"[General]\nUpdateCheckMessageShown=true\n[GUI]\nCheckForUpdates=false\n",
}
"""Some programs ask something first, always the same."""


def documents(seed: int) -> dict[str, bytes]:
    """Files by path."""
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    letter = f"Dear {rng.choice(_NAMES)},\n\n" + "\n\n".join(_paragraph(rng) for _ in range(4)) + "\n\nYours\nAnn\n"
    files: dict[str, bytes] = {
        "notes.txt": "\n".join(_sentence(rng) for _ in range(rng.randint(6, 60))).encode(),
        "letter.txt": letter.encode(),
        "table.csv": _table(rng).encode(),
        "sort.py": _program(rng).encode(),
        "paper.tex": _paper(rng).encode(),
    }
    for _ in range(rng.randint(4, 14)):
        name = f"{rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)}{rng.choice(('.txt', '.csv', '.md', ' 2.txt'))}"
        files[f"Documents/{name}"] = _sentence(rng).encode()
    files[f"Documents/{rng.choice(_NOUNS)}/{rng.choice(_NOUNS)}.txt"] = _sentence(rng).encode()
    files["Documents/Invoices/march.txt"] = _sentence(rng).encode()
    for name in ("hill", *rng.sample(_NOUNS, k=3)):
        files[f"Pictures/{name}.png"] = _picture(rng)
    files["backup.zip"] = _archive(files)
    return {**files, **_CONSENT}


def _sentence(rng: random.Random) -> str:
    words = [
        f"the {rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)} {rng.choice(_VERBS)} the {rng.choice(_NOUNS)}"
        for _ in range(rng.randint(1, 2))
    ]
    text = " and ".join(words)
    return text[0].upper() + text[1:] + "."


def _paragraph(rng: random.Random) -> str:
    return "\n".join(_sentence(rng) for _ in range(rng.randint(2, 5)))


def _table(rng: random.Random) -> str:
    rows = [
        f"{rng.choice(_NAMES)},{rng.choice(_CITIES)},{rng.randint(1940, 2005)},{rng.randint(-500, 9000)}.50"
        for _ in range(rng.randint(8, 40))
    ]
    return "\n".join(["Name,City,Born,Balance", *rows]) + "\n"


def _program(rng: random.Random) -> str:
    name = rng.choice(_NOUNS)
    return (
        f'def sort_{name}(items):\n    """{_sentence(rng)}"""\n    done = []\n    for item in items:\n'
        f"        if item.{rng.choice(_VERBS)} > {rng.randint(2, 90)}:\n            done.append(item)\n"
        f"    return sorted(done)\n\n\nprint(sort_{name}([]))\n"
    )


def _paper(rng: random.Random) -> str:
    sections = "\n".join(
        f"\\section{{{rng.choice(_ADJECTIVES).title()} {rng.choice(_NOUNS)}}}\n{_paragraph(rng)}\n" for _ in range(4)
    )
    return f"\\documentclass{{article}}\n\\begin{{document}}\n{sections}\\end{{document}}\n"


def _picture(rng: random.Random) -> bytes:
    height, width = rng.choice(((240, 320), (300, 400), (400, 300)))
    y, x = np.mgrid[0:height, 0:width]
    waves = [
        127 + 120 * np.sin(x / rng.randint(30, 90) + rng.random() * 6) * np.cos(y / rng.randint(30, 90))
        for _ in range(3)
    ]
    data = io.BytesIO()
    Image.fromarray(np.stack(waves, axis=2).clip(0, 255).astype(np.uint8)).save(data, "PNG")
    return data.getvalue()


def _archive(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            if not name.endswith(".zip"):
                archive.writestr(zipfile.ZipInfo(name, date_time=(2024, 3, 1, 12, 0, 0)), content)
    return data.getvalue()

"""Gathers every text of the app into ``assets/translations/demopack_de.ts``, keeps what is translated, and compiles it.

Run: python scripts/write_translations.py [--check]. Texts without a translation are listed, and those that never go
through ``tr``; they end it with 1.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TS = ROOT / "assets/translations/demopack_de.ts"
CONTEXT = "demopack"


def texts_of_app() -> set[str]:
    """Every text that goes through ``tr``, names, doubts, the settings' titles and descriptions, and the formats'."""
    found: set[str] = set()
    said = (ROOT / "demopack/domain/words.py", ROOT / "player/consent.py")
    for path in (*sorted((ROOT / "annotator").rglob("*.py")), *said):
        found.update(_texts_in(path))
    return found | set(_texts_of_settings()) | set(_texts_of_names()) | set(_texts_of_formats())


def _texts_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        is_tr = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr"
        if isinstance(node, ast.Call) and is_tr and node.args and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


def _texts_of_names() -> Iterator[str]:
    """Words of types, states, actions and orders, what makes a step doubtful, what recorder, player and filters say."""
    from annotator.replay_words import PLAYER_SENTENCES
    from annotator.step_words import NAMES
    from annotator.task_words import TASK_SENTENCES
    from annotator.ui.recording.recording_words import RECORDER_SENTENCES
    from demopack.domain.words import DOUBT_WORDS, as_order

    yield from NAMES.values()
    yield from map(as_order, _texts_in(ROOT / "demopack/domain/words.py"))
    yield from DOUBT_WORDS.values()
    yield from RECORDER_SENTENCES
    yield from PLAYER_SENTENCES
    yield from TASK_SENTENCES


def _texts_of_formats() -> Iterator[str]:
    """What the formats of an export are called and are for, what they lose, and why rows are left out."""
    from demopack.codecs.sets.base import LEFT_OUT
    from demopack.codecs.sets.catalogue import GROUPS, exporters

    yield from GROUPS
    yield from LEFT_OUT.values()
    for form in exporters().values():
        yield from (form.title, form.about, *(loss.what for loss in form.losses))


def _texts_of_settings() -> Iterator[str]:
    from demopack.settings import Settings

    for section in Settings.model_fields.values():
        kind = section.annotation
        if isinstance(kind, type) and hasattr(kind, "model_fields"):
            yield from _texts_of_section(kind)


def _texts_of_section(kind: type) -> Iterator[str]:
    fields = getattr(kind, "model_fields", {})
    for field in fields.values():
        yield from (text for text in (field.title, field.description) if text)
        if isinstance(field.annotation, type) and hasattr(field.annotation, "model_fields"):
            yield from _texts_of_section(field.annotation)


_SHOWN = frozenset({
    "setText", "setToolTip", "setPlaceholderText", "setWindowTitle", "setAccessibleName", "setAccessibleDescription",
    "setSuffix", "setPrefix", "setTitle", "addItem", "addTab", "addAction", "label", "say", "show_waiting",
    "figure", "QLabel", "QCheckBox", "QAction", "QMenu", "QueryError", "_card", "_table", "_Row",
})  # fmt: skip
"""What puts its first argument, or its ``name``, before a person."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = frozenset({"demopack", "left,top,widthxheight", "English", "Deutsch", "OCR"})


def faults_of_app() -> list[str]:
    """Where a text reaches a person without ``tr``, or is bent in a way that only English allows: file, line, why."""
    found: list[str] = []
    for path in sorted((ROOT / "annotator").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for node in ast.walk(tree):
            why = _fault(node) if isinstance(node, ast.Call) else ""
            found += [f"{path.relative_to(ROOT)}:{node.lineno}: {why}"] if isinstance(node, ast.Call) and why else []
    return found


def _fault(call: ast.Call) -> str:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "capitalize":
        return "capitalize() writes the rest of a text small: words.capital()"
    if name not in _SHOWN:
        return ""
    shown = [*call.args[:1], *(word.value for word in call.keywords if word.arg in {"name", "title", "words"})]
    for argument in shown:
        parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
        texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        for text in texts:
            if _WORD.search(text) and text not in _NAMES:
                return f"not through tr(): {text!r}"
    return ""


def read_catalogue(path: Path = TS) -> dict[str, str]:
    """What is translated, by the English text; an unfinished one is empty."""
    if not path.exists():
        return {}
    root = ET.parse(path).getroot()  # noqa: S314 - our own file
    return {message.findtext("source") or "": message.findtext("translation") or "" for message in root.iter("message")}


def write_catalogue(texts: dict[str, str], path: Path = TS) -> None:
    """Write Qt's format, sorted, so that changes can be read."""
    root = ET.Element("TS", version="2.1", language="de_DE", sourcelanguage="en_US")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for source, translation in sorted(texts.items()):
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = source
        told = ET.SubElement(message, "translation")
        told.text = translation
        if not translation:
            told.set("type", "unfinished")
    ET.indent(root, " ")
    body = ET.tostring(root, encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def compile_catalogue(path: Path = TS) -> None:
    """Make the ``.qm`` that Qt reads."""
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    subprocess.run([str(tool), "-silent", str(path), "-qm", str(path.with_suffix(".qm"))], check=True)


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def main() -> int:
    """Write or check; 1 when something is missing."""
    known, wanted = read_catalogue(), texts_of_app()
    missing = sorted(text for text in wanted if not known.get(text))
    wrong = sorted(text for text in wanted if known.get(text) and placeholders(text) != placeholders(known[text]))
    faults = faults_of_app()
    if "--check" not in sys.argv:
        write_catalogue({text: known.get(text, "") for text in wanted})
        compile_catalogue()
    for text in missing:
        sys.stdout.write(f"not translated: {text!r}" + "\n")
    for text in wrong:
        sys.stdout.write(f"other names in braces: {text!r} -> {known[text]!r}" + "\n")
    for fault in faults:
        sys.stdout.write(fault + "\n")
    sys.stdout.write(f"{len(wanted)} texts, {len(missing)} not translated, {len(wrong)} wrong" + "\n")
    return 1 if missing or wrong or faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""A pack tells truly what was hidden, and a redacted one holds nothing private, by our rules and by another's."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.domain.demos import CaptureCounters
from demopack.pack import check_pack, export_pack, open_pack
from demopack.pack.check.exports_folder import check_path
from demopack.pack.export import export_formats
from demopack.redaction.apply import redact
from demopack.redaction.scan import decided, scan_demo
from demopack.redaction.summary import masked
from demopack.redaction.values import Value
from demopack.store import Library
from demopack_cli.main import main
from tests.support.packs import PackFolder
from tests.support.private_demos import DEMO, PAYMENT, Private, payment_demo, private_demo
from tests.support.private_values import make_card, randomly

P = Private()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        private_demo(opened)
        yield opened


def export(library: Library, tmp_path: Path, *, name: str = "pack", demo: str = DEMO) -> PackFolder:
    export_pack(library, [demo], tmp_path / name, licence="MIT")
    return PackFolder(tmp_path / name)


def replace_all(library: Library, *, keep: str = "") -> None:
    found = scan_demo(library.demo(DEMO))
    redact(library, DEMO, decided(decided(found, "keep", which=keep) if keep else found, "replace"))


def texts(pack: PackFolder) -> Iterator[tuple[str, str]]:
    for file in sorted(pack.path.rglob("*")):
        if file.is_file() and file.suffix != ".png":
            yield file.relative_to(pack.path).as_posix(), file.read_text(encoding="utf-8")


def test_what_is_open_is_counted_and_warned_about_without_being_told(library: Library, tmp_path: Path) -> None:
    pack = export(library, tmp_path)
    redaction = pack.manifest()["redaction"]
    assert redaction["open"] == {"card": 1, "email": 2, "maybe_password": 1, "token": 1, "user_path": 1}
    assert (redaction["replaced"], redaction["kept"], redaction["frames_covered"]) == ({}, {}, 0)
    found = check_pack(pack.path)
    assert {f.rule for f in found} == {"P02", "P03"}
    assert sum(f.rule == "P02" for f in found) == 2
    for finding in found:
        assert all(value not in finding.message for value in P.spellings)
        assert finding.severity == "warning"


def test_once_replaced_no_text_of_the_pack_holds_a_value(library: Library, tmp_path: Path) -> None:
    replace_all(library, keep=P.kept)
    pack = export(library, tmp_path)
    assert check_pack(pack.path) == []
    for name, text in texts(pack):
        for value in P.spellings:
            assert value.casefold() not in text.casefold(), name
        assert "jane_doe" not in text, name
    assert pack.rows("steps")[1]["response"]["action"]["parameters"]["text_to_type"] == "<email:1>"
    assert pack.rows("demos")[0]["task"] == "Send mail to <email:1>"


def test_the_summary_counts_what_was_replaced_and_kept(library: Library, tmp_path: Path) -> None:
    replace_all(library, keep=P.kept)
    redaction = export(library, tmp_path).manifest()["redaction"]
    assert redaction["replaced"] == {"card": 1, "email": 1, "maybe_password": 1, "token": 1, "user_path": 1}
    assert (redaction["kept"], redaction["open"]) == ({"email": 1}, {})
    assert redaction["kept_digests"] == [Value(kind="email", text=P.kept).digest]
    assert redaction["frames_covered"] == 4
    assert redaction["secrets_hidden"] == 0


def test_secrets_that_were_hidden_while_recording_are_counted(library: Library, tmp_path: Path) -> None:
    demo = library.demo(DEMO)
    head = demo.head.model_copy(update={"id": "demo_x", "counters": CaptureCounters(secrets_hidden=3)})
    library.add_demo(type(demo)(head=head, steps=demo.steps[-1:], elements={}, parsed=frozenset()))
    export_pack(library, ["demo_x"], tmp_path / "x", licence="MIT")
    assert PackFolder(tmp_path / "x").manifest()["redaction"]["secrets_hidden"] == 3


def test_decisions_and_other_notes_of_the_library_stay_in_it(library: Library, tmp_path: Path) -> None:
    replace_all(library, keep=P.kept)
    pack = export(library, tmp_path)
    with open_pack(pack.path) as read:
        assert next(read.whole_demos()).head.redaction == {}
        assert next(read.whole_demos()).steps == library.demo(DEMO).steps
    assert all("redaction" not in row for row in pack.rows("demos"))


def test_after_an_undo_everything_counts_as_open_again(library: Library, tmp_path: Path) -> None:
    replace_all(library)
    library.log.undo(DEMO)
    assert "email" in export(library, tmp_path).manifest()["redaction"]["open"]


def test_the_command_says_what_an_export_leaves_open(library: Library, tmp_path: Path) -> None:
    at = ["-o", str(tmp_path / "pack"), "--library", str(library.folder)]
    done = CliRunner().invoke(main, ["export", "last", *at])
    assert done.exit_code == 0, done.output
    assert "P02" in done.output
    assert "6 things that may be private were not decided about: demopack redact" in done.output
    replace_all(library)
    assert "private" not in CliRunner().invoke(main, ["export", "last", *at]).output


def exported(library: Library, tmp_path: Path, *formats: str) -> Path:
    """The demo of a payment, which types an address and the number of a card."""
    pack = export(library, tmp_path, demo=PAYMENT).path
    chosen = [exporter(name) for name in formats]
    export_formats([pack], chosen, tmp_path / "out", options=ExportOptions(), despite_errors=True)
    return tmp_path / "out"


def private_in(folder: Path) -> set[str]:
    """The values that a check of an exported folder tells, as far as it tells them."""
    found = [one.message for one in check_path(folder).findings if one.rule in {"P02", "P03"}]
    return {message.partition("(")[2].partition(")")[0] for message in found}


@pytest.mark.parametrize("name", ["sharegpt", "openai", "atif", "caap", "huggingface", "webdataset"])
def test_a_check_of_an_export_does_not_ask_again_about_what_was_kept(
    library: Library, tmp_path: Path, name: str
) -> None:
    payment_demo(library)
    keep = next(one for one in scan_demo(library.demo(PAYMENT)) if one.value == P.email)
    redact(library, PAYMENT, decided([keep], "keep"))
    out = exported(library, tmp_path, name)
    log = json.loads((out / "EXPORT_LOG.json").read_text(encoding="utf-8"))
    assert log["kept_digests"] == [Value(kind="email", text=P.email).digest]
    told = private_in(out)
    assert masked(P.email) not in told
    assert told, "what nobody decided about is told"
    # Without the log's word it is told like any other.
    (out / "EXPORT_LOG.json").write_text(json.dumps({**log, "kept_digests": [None, "0" * 24]}), encoding="utf-8")
    assert private_in(out) == {*told, masked(P.email)}


def test_exports_beside_each_other_do_not_ask_again_either(library: Library, tmp_path: Path) -> None:
    payment_demo(library)
    redact(library, PAYMENT, decided(scan_demo(library.demo(PAYMENT)), "keep"))
    for part in ("first", "second"):
        exported(library, tmp_path / "sets" / part, "sharegpt")
    assert private_in(tmp_path / "sets") == set()


# An independent opinion ---------------------------------------------------------------------------------------------


def corpus(rounds: int) -> tuple[str, ...]:
    """Values of every sort, several of each."""
    letters, digits = string.ascii_letters, string.digits
    values: list[str] = []
    for seed in range(rounds):
        values += [
            "gh" + "o_" + randomly(36, seed=seed),
            "AK" + "IA" + randomly(16, string.ascii_uppercase + digits, seed=seed),
            "sk_" + "live_" + randomly(24, seed=seed),
            "xox" + "p-" + randomly(12, digits, seed=seed) + "-" + randomly(24, seed=seed),
            "SG" + "." + randomly(22, seed=seed) + "." + randomly(43, seed=seed),
            "eyJ" + randomly(30, seed=seed) + "." + randomly(50, seed=seed) + "." + randomly(43, seed=seed),
            "npm" + "_" + randomly(36, seed=seed),
            "gl" + "pat-" + randomly(20, seed=seed),
            randomly(32, "0123456789abcdef", seed=seed) + "-us7",
            randomly(40, seed=seed),
            randomly(48, "0123456789abcdef", seed=seed),
            "https://svc:" + randomly(14, seed=seed) + "@example.com/x",
            '{"password": "' + randomly(12, letters, seed=seed) + '"}',
            "api_key = " + randomly(20, seed=seed),
            "-" * 5 + "BEGIN RSA PRIVATE KEY" + "-" * 5 + "\n" + randomly(200, seed=seed),
            f"card {make_card(random.Random(seed))}",
        ]
    return tuple(values)


def test_another_scanner_finds_no_secret_in_a_redacted_export(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        private_demo(library, values=Private(more=corpus(6)))
        before = secrets_in(export(library, tmp_path, name="open"))
        replace_all(library)
        pack = export(library, tmp_path)
    assert len(before) > 60, "the other scanner sees what is there"
    assert secrets_in(pack) == set(), "found by detect-secrets, missed by us"
    assert check_pack(pack.path) == []


def secrets_in(pack: PackFolder) -> set[str]:
    """What detect-secrets finds in the texts of a pack, the sums and ids of a pack aside."""
    from detect_secrets.core import scan
    from detect_secrets.settings import default_settings

    sums = set(re.findall(r"\b[0-9a-f]{64}\b", json.dumps(pack.manifest()) + (pack.path / "demos.jsonl").read_text()))
    with default_settings():
        found = {
            secret.secret_value or ""
            for name, _ in texts(pack)
            if not name.startswith("schema/")
            for secret in scan.scan_file(str(pack.path / name))
        }
    return {secret for secret in found if secret not in sums and not secret.startswith(DEMO)}

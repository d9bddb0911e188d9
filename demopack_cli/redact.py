"""``demopack redact``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from demopack.domain.words import counted, shorten
from demopack.errors import BadInputError
from demopack_cli.options import emit, json_option, library_option, open_library, say, wants_json

if TYPE_CHECKING:
    from demopack.domain.demos import Demo
    from demopack.domain.edits import Edit
    from demopack.redaction.scan import Decision, PrivateFinding
    from demopack.redaction.text_locations import TextLocation
    from demopack.store import Library


@click.command(name="redact")
@click.argument("demo")
@click.option("--list", "only_list", is_flag=True, help="Say what was found, and change nothing; the default.")
@click.option(
    "--replace", "replace", multiple=True, metavar="WHICH",
    help='Replace it everywhere: a kind (email, card, ...), a value, or "all". A text that nothing recognises, such as '
    "a name, can be given too.",
)  # fmt: skip
@click.option("--keep", "keep", multiple=True, metavar="WHICH", help="Keep it, and do not ask again.")
@library_option
@json_option
def command(
    demo: str,
    only_list: bool,
    replace: tuple[str, ...],
    keep: tuple[str, ...],
) -> None:
    """Find what may be private in a demo, and replace it. DEMO is its id, the beginning of it, or "last".

    Each value gives way to one placeholder in every text and typed key, for instance <email:1>, and is painted over in
    every picture. It is one edit, which the editor can undo: what was recorded stays in the library, unexported.

    Example: demopack redact last --replace all --keep support@example.com
    """
    from demopack.redaction.scan import left_over

    if only_list and (replace or keep):
        raise click.UsageError("--list changes nothing; leave it out, or --replace and --keep.")
    with open_library(create=False) as opened:
        key = opened.find(demo)
        before = opened.demo(key)
        found = _decided(before, replace, keep)
        edit = _redact(opened, before, found) if replace or keep else None
        if wants_json():
            emit(_as_json(key, found, edit, left_over(opened.demo(key), found) if replace else []))
        elif edit is not None:
            _say_done(key, found, before, opened.demo(key))
        else:
            _say_found(key, before, found)
        earlier = sum(value.decision == "keep" for value in before.head.redaction.values())
        if "all" in replace and earlier and not wants_json():
            say(f"  ! Kept before, and not replaced: {counted(earlier, 'value')}. Give the value or its kind for that.")


def _decided(demo: Demo, replace: Sequence[str], keep: Sequence[str]) -> list[PrivateFinding]:
    """What was found, with the decisions that the options give; what is named goes before "all"."""
    from demopack.redaction.scan import decided, is_meant, scan_demo
    from demopack.redaction.summary import KIND_WORDS

    plain = scan_demo(demo)
    general = {"all", *KIND_WORDS}
    named = [which for which in replace if which not in general and not any(is_meant(one, which) for one in plain)]
    found = scan_demo(demo, also=named) if named else plain
    orders: list[tuple[Decision, str]] = [
        *(("replace", which) for which in replace),
        *(("keep", which) for which in keep),
    ]
    for decision, which in sorted(orders, key=lambda order: order[1] == "all"):
        if which not in general and not any(is_meant(one, which) for one in found):
            raise BadInputError(f"“{which}” does not occur in this demo.", hint="--list shows what was found.")
        found = decided(found, decision, which=which)
    return found


def _redact(library: Library, demo: Demo, found: Sequence[PrivateFinding]) -> Edit | None:
    """The edit; None where everything is so already."""
    from demopack.redaction.apply import redact

    decided = {digest: value.decision for digest, value in demo.head.redaction.items()}
    to_do = [one for one in found if one.decision == "replace" and one.replaceable]
    to_do += [one for one in found if one.decision == "keep" and decided.get(one.digest) != "keep"]
    return redact(library, demo.head.id, found) if to_do else None


def _say_found(key: str, demo: Demo, found: Sequence[PrivateFinding]) -> None:
    from demopack.redaction.summary import KIND_WORDS, places_text, unread_pictures

    say(f"{key}: {counted(len(found), 'thing')} that may be private" if found else f"{key}: nothing private was found.")
    for one in found:
        state = {"open": "open", "keep": "kept", "replace": "to be replaced"}[one.decision]
        secret = " (secret)" if one.secret else ""
        say(f"  {one.placeholder:18} {shorten(one.value, 60)}\n{'':21}{KIND_WORDS[one.kind]}{secret}, {state}")
        say(f"{'':21}{places_text(one)}")
    _say_unread(key, unread_pictures(demo))
    if any(one.decision == "open" for one in found):
        more = "--replace all (or a kind, or a value); --keep VALUE keeps it."
        say(f"\nReplace everywhere: demopack redact {key} {more}")


def _say_done(key: str, found: Sequence[PrivateFinding], before: Demo, after: Demo) -> None:
    from demopack.redaction.scan import left_over
    from demopack.redaction.summary import unread_pictures

    replaced = [one for one in found if one.decision == "replace"]
    kept = sum(one.decision == "keep" for one in found)
    places = sum(len(one.places) for one in replaced)
    painted = len({frame.id for frame in before.frames()} - {frame.id for frame in after.frames()})
    done = f"{counted(len(replaced), 'value')} replaced in {counted(places, 'place')}"
    say(f"{key}: {done}, {counted(painted, 'picture')} painted over, {kept} kept.")
    for one, place in left_over(after, found):
        text = shorten(place.text, 60)
        say(f"  ! {one.placeholder} could not be replaced in {place.where}, which links records: {text}")
    undecided = sum(one.decision == "open" for one in found)
    if undecided:
        say(f"  ! {counted(undecided, 'thing')} that may be private still open: demopack redact {key} --list")
    _say_unread(key, unread_pictures(after))
    say("Undo takes it back in the editor; what was recorded stays in the library and is not exported.")


def _say_unread(key: str, unread: int) -> None:
    if unread:
        words = f"{counted(unread, 'picture')} not read yet: what only they show is not found"
        say(f"  ! {words}. `demopack parse {key}` reads them.")


def _as_json(
    key: str, found: Sequence[PrivateFinding], edit: Edit | None, left: Sequence[tuple[PrivateFinding, TextLocation]]
) -> dict[str, object]:
    rows = [
        {
            "value": one.value,
            "kind": one.kind,
            "secret": one.secret,
            "placeholder": one.placeholder,
            "decision": one.decision,
            "places": [_place_as_json(place) for place in one.places],
        }
        for one in found
    ]
    not_replaced = [{"placeholder": one.placeholder, **_place_as_json(place)} for one, place in left]
    return {"demo": key, "edit": None if edit is None else edit.id, "found": rows, "not_replaced": not_replaced}


def _place_as_json(place: TextLocation) -> dict[str, object]:
    said = {name: getattr(place, name) for name in ("where", "field", "step", "frame", "element")}
    return {**said, "box": None if place.box is None else [place.box.x1, place.box.y1, place.box.x2, place.box.y2]}

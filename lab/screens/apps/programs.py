"""The programs that screens are taken of, each with the Debian package that has it and the side it is on.

Programs that grew out of one another are on the same side. None of them shows what runs on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast, get_args

from models.training.labelled_screens import Split

Toolkit = Literal["gtk", "qt", "wx", "tk"]
CHOSEN: Final = Path(__file__).with_name("programs.tsv")
"""Programs that a rule chose, see docs/formats/screens.md: side, toolkit, package, command."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program.

    Attributes:
        name: of the group; the program's own.
        toolkit: what draws it.
        package: Debian's.
        side: what its screens may be used for.
        commands: ways to start it, the first word is the program; ``{home}`` is the home folder.
        weight: how many screens it gives compared with others.
    """

    name: str
    toolkit: Toolkit
    package: str
    side: Split
    commands: tuple[tuple[str, ...], ...]
    weight: int = 1


def _gtk(name: str, side: Split, *ways: str, package: str = "", weight: int = 1) -> Program:
    return Program(name, "gtk", package or name, side, _ways(name, ways), weight)


def _qt(name: str, side: Split, *ways: str, package: str = "", weight: int = 1) -> Program:
    return Program(name, "qt", package or name, side, _ways(name, ways), weight)


def _ways(name: str, ways: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(way.split("|")) for way in ways) or ((name,),)


_ZENITY = (
    "zenity|--forms|--text|New customer|--add-entry|First name|--add-entry|Surname|--add-password|Pass phrase",
    "zenity|--question|--text|Delete the file report.txt for good?",
    "zenity|--list|--checklist|--column|Buy|--column|Item|--column|Price|TRUE|Apples|2.40|FALSE|Pears|3.10|FALSE|Rice|1.95",
    "zenity|--list|--radiolist|--column|Pick|--column|Size|TRUE|Small|FALSE|Medium|FALSE|Large|FALSE|Extra large",
    "zenity|--scale|--text|Volume|--value|40",
    "zenity|--entry|--text|What shall the folder be called?|--entry-text|Holiday 2024",
    "zenity|--info|--text|All 12 files were copied.",
    "zenity|--error|--text|The disk is full. Delete something and try again.",
    "zenity|--text-info|--filename|{home}/notes.txt",
    "zenity|--list|--column|Name|--column|City|--column|Born|Ada|London|1815|Grace|New York|1906|Alan|London|1912",
    "zenity|--password|--username",
)
_YAD = (
    "yad|--form|--field|Name|--field|City:CB|--field|Newsletter:CHK|--field|Age:NUM|Ann|Oslo!Rome!Paris|TRUE|34",
    "yad|--list|--column|Task|--column|Due|--column|Done:CHK|Paint the fence|Monday|TRUE|Call Sam|Friday|FALSE",
    "yad|--scale|--value|30|--text|Brightness",
    "yad|--form|--columns|2|--field|Street|--field|Town|--field|Zip:NUM|--field|Urgent:CHK|--field|Note:TXT",
    "yad|--entry|--text|Search for",
    "yad|--text-info|--filename|{home}/letter.txt",
)


def read_programs(path: Path) -> tuple[Program, ...]:
    """Programs of a table of side, toolkit, package and command, parted by tabs; lines with # say something about it.

    Raises:
        ValueError: a line has other columns, or a side or toolkit that there is not.
    """
    found: list[Program] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        side, toolkit, package, command = line.split("\t")
        if side not in get_args(Split) or toolkit not in get_args(Toolkit):
            raise ValueError(f"{path.name}: {line!r} has no such side or toolkit.")
        ways = (tuple(command.split("|")),)
        found.append(Program(package, cast("Toolkit", toolkit), package, cast("Split", side), ways))
    return tuple(found)


PROGRAMS: Final[tuple[Program, ...]] = (
    *read_programs(CHOSEN),
    _gtk("zenity", "train", *_ZENITY, weight=3),
    _gtk("yad", "train", *_YAD, weight=2),
    _gtk("mousepad", "train", "mousepad|{home}/notes.txt", "mousepad|{home}/letter.txt|{home}/notes.txt", weight=2),
    _gtk("galculator", "train"),
    _gtk("geany", "train", "geany|{home}/sort.py", "geany|{home}/notes.txt|{home}/table.csv", weight=2),
    _gtk("thunar", "train", "thunar|{home}/Documents", "thunar|{home}/Pictures", weight=2),
    _gtk("gnumeric", "train", "gnumeric|{home}/table.csv"),
    _gtk("meld", "train", "meld|{home}/notes.txt|{home}/letter.txt", "meld"),
    _gtk("seahorse", "train"),
    _gtk("xfce4-appfinder", "train"),
    _gtk("pavucontrol", "train"),
    _qt("featherpad", "train", "featherpad|{home}/notes.txt", "featherpad|{home}/sort.py|{home}/letter.txt", weight=2),
    _qt("speedcrunch", "train"),
    _qt("qterminal", "train"),
    _qt("pcmanfm-qt", "train", "pcmanfm-qt|{home}/Documents", "pcmanfm-qt|{home}", weight=2),
    _qt("qt5ct", "train", weight=2),
    _qt("texmaker", "train", "texmaker|{home}/paper.tex", weight=2),
    _qt("cutecom", "train", weight=2),
    _qt("obconf-qt", "train", weight=2),
    _qt("lxqt-archiver", "train", "lxqt-archiver|{home}/backup.zip"),
    _qt("qdirstat", "train", "qdirstat|{home}"),
    _gtk("l3afpad", "val", "l3afpad|{home}/notes.txt"),
    _gtk("ristretto", "val", "ristretto|{home}/Pictures/hill.png"),
    _qt("juffed", "val", "juffed|{home}/letter.txt"),
    _qt("sqlitebrowser", "val"),
    _gtk("gedit", "test", "gedit|{home}/notes.txt"),
    _gtk("transmission-gtk", "test"),
    _gtk("homebank", "test"),
    _qt("keepassxc", "test", weight=2),
    _qt("qbittorrent", "test", weight=2),
    _qt("qpdfview", "test"),
    _qt("lximage-qt", "test", "lximage-qt|{home}/Pictures/hill.png"),
    _qt("kcalc", "test"),
)


def missing_packages(missing: tuple[Program, ...]) -> str:
    """How to get the programs that are not there, for a person."""
    return "apt-get install -y --no-install-recommends " + " ".join(sorted({p.package for p in missing}))

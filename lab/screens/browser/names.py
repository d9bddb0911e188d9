"""Which icon it is, from what programs call it: file names, class names, labels, ligatures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

# The longest run of words that is found wins; of two as long the earlier line.
_WORDS: Final[tuple[tuple[str, str], ...]] = (
    ("zoom_in", "zoom in; magnify plus; search plus; zoomin"),
    ("zoom_out", "zoom out; magnify minus; search minus; zoomout"),
    ("search", "search; magnifier; magnify; magnifying glass; find; lupe"),
    ("back", "back; arrow back; go back; left arrow; navigate back; caret back; corner up left"),
    ("forward", "forward; arrow forward; share forward; mail forward"),
    ("reply", "reply; reply all; mail reply"),
    ("retweet", "retweet; repost; repeat; loop"),
    ("like", "like; heart; favorite; favourite; thumbs up; thumb up; hand thumbs up"),
    ("share", "share; share alt; share nodes; share network"),
    ("send", "send; paper plane; paperplane; send message; plane"),
    ("important", "important; priority; exclamation mark"),
    ("menu", "menu; hamburger; bars; navbar toggler; menu open"),
    (
        "more",
        "more; ellipsis; dots; dots vertical; dots horizontal; three dots; kebab; more vert; more horiz; overflow",
    ),
    ("delete", "delete; trash; trash can; bin; garbage; dustbin; delete forever"),
    ("close", "close; x; xmark; times; cross; dismiss; btn close; close thick; x lg; closethick; window close"),
    ("add", "add; plus; create; plus lg; plusthick; add circle; plus circle"),
    ("remove", "remove; minus; dash; subtract; minusthick"),
    ("edit", "edit; pencil; pen; compose; rename; pencil square; modify"),
    ("save", "save; floppy; disk; diskette; floppy disk; device floppy"),
    ("open", "open; folder open; external; external link; open in new; launch; box arrow up right; extlink"),
    ("new", "new; file plus; new file; document new; file earmark plus; note add"),
    ("home", "home; house; house door"),
    ("settings", "settings; setting; gear; cog; preferences; wrench; sliders; adjustments; tools"),
    ("help", "help; question; question circle; question mark; circle question; help circle; support"),
    ("info", "info; information; info circle; circle info; about"),
    ("warning", "warning; alert; exclamation triangle; alert triangle; triangle exclamation; notice; caution"),
    ("error", "error; exclamation circle; x circle; times circle; alert circle; x octagon; circle exclamation"),
    ("user", "user; person; account; profile; avatar; contact; users; people; group; team; user circle; person circle"),
    ("mail", "mail; email; envelope; inbox; message; letter; at"),
    ("calendar", "calendar; event; schedule; date; calendar event; calendar days; datepicker"),
    ("clock", "clock; time; history; alarm; timer; stopwatch; hourglass; recent"),
    ("cart", "cart; basket; bag; shopping cart; shopping bag; cart plus; add to cart; shopping"),
    ("star", "star; rating; starred; star fill; star half"),
    ("bookmark", "bookmark; bookmarks; favorite border"),
    ("download", "download; cloud download; file download; box arrow down; arrow down tray; arrow down to line"),
    ("upload", "upload; cloud upload; file upload; box arrow up; arrow up tray; cloud arrow up"),
    ("print", "print; printer"),
    ("copy", "copy; duplicate; clone; files; content copy"),
    ("paste", "paste; clipboard; content paste"),
    ("cut", "cut; scissors; content cut"),
    ("undo", "undo; arrow counterclockwise; rotate left; arrow u up left"),
    ("redo", "redo; rotate right; arrow u up right"),
    ("refresh", "refresh; reload; sync; arrow clockwise; arrow repeat; update; rotate; refresh cw"),
    ("play", "play; play arrow; play circle; play fill"),
    ("pause", "pause; pause circle"),
    ("stop", "stop; stop circle"),
    ("next", "next; skip next; skip forward; step forward; seek next; skip end; page next; forward step"),
    ("previous", "previous; prev; skip previous; skip back; step backward; seek prev; skip start; backward step"),
    ("up", "up; arrow up; chevron up; caret up; angle up; triangle up; expand less; sort up; carat n; triangle n"),
    ("down", "down; arrow down; chevron down; caret down; angle down; triangle down; expand more; carat s; triangle s"),
    ("left", "left; arrow left; chevron left; caret left; angle left; triangle left; carat w; triangle w"),
    ("right", "right; arrow right; chevron right; caret right; angle right; triangle right; carat e; triangle e"),
    ("expand", "expand; unfold more; fullscreen; arrows angle expand; plus square; arrows fullscreen"),
    ("collapse", "collapse; unfold less; fullscreen exit; arrows angle contract; minus square; compress"),
    ("filter", "filter; funnel; filter list; filter circle"),
    ("sort", "sort; sort down; sort alpha down; sort asc; sort desc; arrow down up; arrows sort; swap vert"),
    ("lock", "lock; locked; padlock; password; lock closed; secure; shield lock"),
    ("unlock", "unlock; unlocked; lock open"),
    ("eye", "eye; visibility; show; view; preview; eye slash; visible; visibility off; eye off"),
    ("link", "link; chain; url; link 45deg; hyperlink; insert link"),
    ("attach", "attach; paperclip; attachment; clip; attach file"),
    ("image", "image; picture; photo; images; gallery; camera; photograph"),
    ("video", "video; film; movie; camera video; videocam; youtube"),
    ("music", "music; audio; music note; note; headphones; volume; speaker; volume up"),
    ("folder", "folder; directory; folder collapsed"),
    ("file", "file; document; file text; page; file earmark; file alt; description; article; report; doc; receipt"),
    ("chart", "chart; graph; bar chart; pie chart; line chart; analytics; statistics; graph up; trending up; stats"),
    ("list", "list; list ul; list ol; list check; list task; tasks; format list bulleted; todo; list bullet"),
    ("grid", "grid; apps; th; dashboard; layout grid; grid view; view module; squares; tiles; table"),
    ("location", "location; map; pin; geo; map pin; geo alt; map marker; place; location dot; compass; marker"),
    ("phone", "phone; call; telephone; mobile; phone alt; smartphone"),
    ("chat", "chat; comment; comments; message circle; chat dots; conversation; speech bubble; forum; chat left"),
    ("bell", "bell; notification; notifications; bell ring; reminder"),
    ("flag", "flag; report flag; flag fill"),
    ("minimize", "minimize; minimise; window minimize"),
    ("maximize", "maximize; maximise; window maximize; restore"),
    ("logo", "logo; brand; navbar brand; site logo"),
)
_MOST_WORDS = 4


# Said by icon fonts about every icon of theirs.
_NOISE: Final = frozenset((
    "fa", "fas", "far", "fab", "bi", "mdi", "ti", "ri", "ui", "icon", "icons", "icn", "material", "symbols", "outlined",
    "rounded", "sharp", "solid", "regular", "fill", "line", "glyphicon", "feather", "lucide", "codicon", "octicon",
    "btn", "button", "img", "svg", "the", "a", "my", "to", "light", "outline", "toggle", "is", "primary", "secondary",
))  # fmt: skip


def _table() -> dict[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {}
    for subtype, names in _WORDS:
        for name in (subtype.replace("_", " "), *names.split(";")):
            words = name.split()
            table.setdefault(tuple(w for w in words if w not in _NOISE) or tuple(words), subtype)
    return table


_TABLE: Final = _table()


def words_of(name: str) -> list[str]:
    """The words of a class name, file name or label, lower case, without what only names the icon font."""
    parted = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [word for word in re.findall(r"[a-z]+", parted.lower()) if word not in _NOISE]


def icon_subtype(names: Iterable[str]) -> str | None:
    """The subtype that a program's names for an icon speak of; None when they speak of none.

    Args:
        names: the most telling first: a name of the icon itself, then of what holds it.
    """
    for name in names:
        found = _in(words_of(name))
        if found:
            return found
    return None


def _in(words: Sequence[str]) -> str | None:
    for length in range(min(_MOST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            found = _TABLE.get(tuple(words[start : start + length]))
            if found:
                return found
    return None

"""The numbers of AT-SPI's protocol in its own words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

PASSWORD_TEXT = 40
"""Role of a field whose text is a secret."""
CLIPPING = frozenset({16, 23, 28, 49, 68, 69, 82, 95})
"""Roles of dialogs, frames, scrolled panes, windows and documents: nothing in them can be seen outside them."""
DOCUMENTS = frozenset({82, 95})
"""Those of documents alone."""
POPPING_UP = frozenset({31, 33, 41, 64, 98})
"""Roles of lists, menus, pop-up menus, tool tips and list boxes."""
ACTIVE, EDITABLE, EXPANDABLE, FOCUSED, SHOWING, VISIBLE, MANAGES_DESCENDANTS = 1, 7, 9, 12, 25, 30, 31
"""States: a window that has the input; text that can be changed; a row that can be opened; has the input; is shown, if
perhaps covered; would be shown if what it is in were; makes its children only when it is asked for them, and may have
any number."""

_ROLE_WORDS = (
    "invalid,accelerator label,alert,animation,arrow,calendar,canvas,check box,check menu item,color chooser,"
    "column header,combo box,date editor,desktop icon,desktop frame,dial,dialog,directory pane,drawing area,"
    "file chooser,filler,focus traversable,font chooser,frame,glass pane,html container,icon,image,internal frame,"
    "label,layered pane,list,list item,menu,menu bar,menu item,option pane,page tab,page tab list,panel,password text,"
    "popup menu,progress bar,push button,radio button,radio menu item,root pane,row header,scroll bar,scroll pane,"
    "separator,slider,spin button,split pane,status bar,table,table cell,table column header,table row header,"
    "tearoff menu item,terminal,text,toggle button,tool bar,tool tip,tree,tree table,unknown,viewport,window,extended,"
    "header,footer,paragraph,ruler,application,autocomplete,editbar,embedded,entry,chart,caption,document frame,"
    "heading,page,section,redundant object,form,link,input method window,table row,tree item,document spreadsheet,"
    "document presentation,document text,document web,document email,comment,list box,grouping,image map,notification,"
    "info bar,level bar,title bar,block quote,audio,video,definition,article,landmark,log,marquee,math,rating,timer,"
    "static,math fraction,math root,subscript,superscript,description list,description term,description value,footnote,"
    "content deletion,content insertion,mark,suggestion,push button menu"
)

_STATE_WORDS = (
    "invalid,active,armed,busy,checked,collapsed,defunct,editable,enabled,expandable,expanded,focusable,focused,"
    "has tooltip,horizontal,iconified,modal,multi line,multiselectable,opaque,pressed,resizable,selectable,selected,"
    "sensitive,showing,single line,stale,transient,vertical,visible,manages descendants,indeterminate,required,"
    "truncated,animated,invalid entry,supports autocompletion,selectable text,is default,visited,checkable,has popup,"
    "read only"
)
_ROLES, _STATES = tuple(_ROLE_WORDS.split(",")), tuple(_STATE_WORDS.split(","))


def _roles(words: str) -> frozenset[int]:
    return frozenset(_ROLES.index(word) for word in words.split(","))


CLOSED = _roles(
    "accelerator label,animation,arrow,calendar,check menu item,column header,dial,icon,image,menu,menu bar,"
    "menu item,progress bar,push button,radio button,radio menu item,row header,scroll bar,separator,slider,"
    "table column header,table row header,tearoff menu item,tool tip,link,level bar,static,math,"
    "push button menu,terminal"
)
"""Roles in which no secure field can be: what is in them need not be asked for. GTK's expanders are toggle buttons, and
Qt's groups with a box to tick are check boxes."""
ROOT_PANE, TABLE, TREE, SECTION, LIST_BOX = 46, 55, 65, 85, 98
BARS = _roles("tool bar,status bar,title bar")
"""Roles of bars full of buttons; a secure field in one is found when it has the input."""
CELLS = _roles("table,tree,tree table,list,list box,layered pane,canvas,document spreadsheet,table row,icon")
"""Roles of what is filled with cells, rows or icons: where there are very many of them, none is a field of its own."""
GRIDS = _roles("table,tree,tree table,document spreadsheet")
"""Roles of what has rows and columns that can be asked for."""
NUMERIC = _roles("slider,scroll bar,spin button,progress bar,level bar,dial")
"""Roles that have a number within bounds."""
TEXTS = _roles("text,entry,editbar,autocomplete,password text,unknown,invalid")
"""Roles that may become that of a secure field, as when what is typed is no longer shown."""
NAMELESS = _roles("unknown,invalid")
"""Roles that say nothing; GTK complains in a program's own log where it is asked for more than such an element has."""


def role_name(number: int) -> str:
    """The role in words; ``unknown`` for one that is newer than this table."""
    return _ROLES[number] if 0 <= number < len(_ROLES) else "unknown"


def state_names(words: Sequence[int]) -> tuple[str, ...]:
    """The states that are set in a pair of 32-bit words, sorted."""
    return _state_names(tuple(words[:2]))


@lru_cache(maxsize=1024)
def _state_names(words: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(sorted(name for number, name in enumerate(_STATES) if has_state(words, number)))


def has_state(words: Sequence[int], number: int) -> bool:
    """Whether a state is set in a pair of 32-bit words."""
    word, bit = divmod(number, 32)
    return word < len(words) and bool(words[word] >> bit & 1)

"""What icon sets call the pictures that we know by a subtype."""

from __future__ import annotations

ICON_NAMES: dict[str, tuple[str, ...]] = {
    subtype: tuple(names.split())
    for subtype, names in {
        "back": "arrow-left arrow-back",
        "delete": "trash trash-2 delete delete-bin trash-can trash-alt",
        "important": "exclamation exclamation-lg alert-important exclamation-thick",
        "forward": "arrow-right arrow-forward right-arrow-alt",
        "reply": "reply corner-up-left arrow-undo",
        "retweet": "retweet repeat repeat-line twitter-retweet",
        "like": "heart hand-thumbs-up thumbs-up thumb-up like favorite",
        "share": "share-nodes share-2 share-variant share-social share-alt share share-android",
        "menu": "menu list-ul-none three-bars bars menu-2",
        "search": "search magnify magnifying-glass",
        "send": "send paper-plane paper-airplane send-plane",
        "add": "plus plus-lg add",
        "remove": "minus dash dash-lg subtract remove",
        "close": "x x-lg close xmark",
        "edit": "pencil edit edit-2 pen",
        "save": "floppy content-save floppy-disk save",
        "open": "folder-open folder2-open folder-opened folder-open-line file-directory-open-fill",
        "new": "file-plus file-earmark-plus file-add file-circle-plus note-plus",
        "home": "home house home-2",
        "settings": "settings gear cog settings-3 settings-2",
        "help": "help-circle question-circle circle-help circle-question question help circle-question-mark",
        "info": "info info-circle information circle-info information-circle",
        "warning": "alert-triangle exclamation-triangle alert triangle-alert triangle-exclamation warning",
        "error": "x-circle x-octagon circle-x circle-xmark close-circle alert-octagon x-circle-fill",
        "user": "user person account user-3",
        "mail": "envelope email mail",
        "calendar": "calendar",
        "clock": "clock time clock-outline time-line",
        "cart": "shopping-cart cart cart-shopping",
        "star": "star",
        "bookmark": "bookmark",
        "download": "download",
        "upload": "upload cloud-upload",
        "print": "printer print",
        "copy": "copy files content-copy file-copy",
        "paste": "clipboard paste content-paste clipboard-paste",
        "cut": "scissors content-cut cut scissors-cut",
        "undo": "undo arrow-go-back rotate-left corner-down-left arrow-undo",
        "redo": "redo arrow-go-forward rotate-right corner-down-right arrow-redo",
        "refresh": "refresh refresh-cw arrow-repeat sync arrows-rotate",
        "play": "play play-fill",
        "pause": "pause pause-fill",
        "stop": "stop-fill square stop",
        "next": "skip-forward skip-end skip-next forward-step skip-right play-skip-forward",
        "previous": "skip-back skip-start skip-previous backward-step skip-left play-skip-back",
        "up": "arrow-up chevron-up",
        "down": "arrow-down chevron-down",
        "left": "chevron-left arrow-left-s chevron-back",
        "right": "chevron-right arrow-right-s chevron-forward",
        "expand": "caret-right plus-square square-plus plus-box caret-right-fill",
        "collapse": "caret-down minus-square dash-square square-minus minus-box caret-down-fill subtract-square",
        "more": "more-horizontal more-vertical three-dots three-dots-vertical ellipsis dots-horizontal dots-vertical "
        "more-2 kebab-horizontal ellipsis-vertical dots-vertical-rounded",
        "filter": "filter funnel",
        "sort": "sort arrow-down-up arrow-up-down sort-desc swap-vertical sort-variant",
        "lock": "lock lock-closed",
        "unlock": "unlock lock-open lock-unlock",
        "eye": "eye show",
        "link": "link link-45deg link-2 link-variant chain",
        "attach": "paperclip attach attachment attachment-2 attach-2",
        "image": "image picture images",
        "video": "video camera-video camera-reels videocam video-on",
        "music": "music music-note music-note-beamed music-notes music-2 musical-notes",
        "folder": "folder file-directory",
        "file": "file file-earmark file-text file-outline document",
        "chart": "bar-chart bar-chart-2 chart-bar graph bar-chart-line chart-column stats-chart bar-chart-alt-2",
        "list": "list-unordered list-ul format-list-bulleted list",
        "grid": "grid grid-3x3-gap view-grid grid-alt table-cells-large apps layout-grid",
        "location": "map-pin geo-alt location-dot map-marker location pin map-pin-2",
        "phone": "phone telephone call",
        "chat": "message-circle chat message-square comment chat-1 chatbubble comments message",
        "bell": "bell notifications notification",
        "flag": "flag flag-triangle",
        "zoom_in": "zoom-in magnify-plus magnifying-glass-plus",
        "zoom_out": "zoom-out magnify-minus magnifying-glass-minus",
        "minimize": "window-minimize minimize-2 fullscreen-exit",
        "maximize": "window-maximize maximize maximize-2 fullscreen",
        "logo": "github facebook twitter instagram linkedin youtube gitlab twitch codepen slack logo-github",
    }.items()
}
"""For each subtype the names that different sets use, the likeliest first; a set has one of them or none."""

NAMELESS = (
    "sun", "moon", "cloud", "umbrella", "coffee", "cup", "anchor", "truck", "airplane", "plane", "car", "bus",
    "bicycle", "bike", "battery", "wifi", "bluetooth", "camera", "mic", "microphone", "headphones", "globe",
    "compass", "key", "shield", "tag", "gift", "award", "trophy", "book", "bug", "cpu", "database", "server",
    "terminal", "code", "git-branch", "layers", "palette", "brush", "droplet", "feather", "scissors", "thermometer",
    "tree", "wrench", "hammer", "tools", "credit-card", "wallet", "building", "store", "shop", "briefcase",
    "graduation-cap", "lightbulb", "rocket", "puzzle", "smile",
)  # fmt: skip
"""Pictures that no subtype of the list stands for; they are icons all the same."""

SUBTYPES = tuple(ICON_NAMES)

OWN_NAMES: dict[tuple[str, str], tuple[str, ...]] = {
    # Three plain lines, where other sets have a list with bullets of that name.
    ("bootstrap-icons", "menu"): ("list",),
    ("fontawesome", "list"): ("list-ul",),
    ("boxicons", "warning"): ("error",),
}
"""What a single set calls differently, by set and subtype."""

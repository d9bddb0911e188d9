"""What the drawings of icon sets mean, told by their names: sets agree on those far more than on looks."""

from __future__ import annotations

import functools
import re
from typing import Final

from lab.screens.web.icon_names import ICON_NAMES, NAMELESS

MEANINGS: Final = tuple(ICON_NAMES)
"""The meanings that are learned, in the order of the network's outputs."""
NOTHING: Final = "none"
"""A picture that none of the meanings fits; the network's last output."""

_MORE: Final[dict[str, str]] = {
    "back": "left-arrow arrow-long-left long-arrow-left go-back back arrow-narrow-left arrow-thick-left arrow-l-left "
    "long-arrow-alt-left direction-left arrow-back-simple arrow-left-l arrow-left-thin arrow-left-long nav-back",
    "delete": "trashcan bin trash-bin trash-simple trash-bin-trash trash-bin-minimalistic delete-forever rubbish-bin "
    "delete-1 trash-3",
    "important": "important exclamation-mark exclamationmark priority-high exclamation-point",
    "forward": "arrow-right-alt arrow-long-right long-arrow-right go-forward forward-arrow arrow-narrow-right "
    "arrow-thick-right arrow-l-right long-arrow-alt-right direction-right arrow-right-l arrow-right-thin "
    "arrow-right-long nav-forward right-arrow",
    "reply": "mail-reply arrow-reply arrowshape-turn-up-left message-reply",
    "retweet": "repeat-all loop arrow-repeat-all repeat-2 media-playlist-repeat",
    "like": "favourite thumb-like thumbs-up-2 hearts heart-outline",
    "share": "social-share share-network share-2 share-circle share-alt-2 share-3 share-one",
    "menu": "hamburger-menu hamburger three-bars navigation-menu global-nav-button menu-hamburger hamburger-button "
    "navicon align-justify-menu line-three menu-lines",
    "search": "magnifier magnifer magnifying magnifyingglass find search-2 search-1 search-alt search-normal",
    "send": "plain paper-plane-tilt send-2 send-alt send-alt-2 paperplane send-mail send-one send-horizontal",
    "add": "plus-large plus-2 plus-thick add-plus plus-bold plus-math",
    "remove": "subtract minus-large minus-small minus-thick minus-bold",
    "close": "cross times clear dismiss cross-large multiply x-thin close-large close-small close-thick close-bold "
    "x-mark close-md cross-small close-lg",
    "edit": "pencil-simple create pen-2 pencil-2 edit-pencil edit-2 edit-1 pen-line pencil-alt rename editor pen-new",
    "save": "save-2 device-floppy diskette save-disk floppydisc floppy-disk-1 floppydisk save-floppy-disk saved-disk",
    "open": "open-folder folder-open-1 folder-opened folder-with-files-open fabric-open-folder-horizontal",
    "new": "file-new document-add page-add add-file note-add new-file document-plus file-add-1 page-plus add-document "
    "new-document doc-badge-plus note-plus document-new add-notes file-plus-2",
    "home": "house-simple home-simple home-alt home-smile house-alt home-1 home-variant house-1",
    "settings": "setting gear-six gear-fine cog-6-tooth cog-8-tooth cogwheel settings-minimalistic setting-two "
    "setting-1 gear-1 gear-2 settings-1 settings-alt",
    "help": "question-mark question-mark-circle question-circle-1 help-alt circle-question-1 help-round unknown",
    "info": "info-empty info-i information-circle-1 info-round info-1 info-alt infocircle information-1",
    "warning": "danger-triangle warning-triangle warning-alt triangle-warning error-triangle warning-standard "
    "exclamation-mark-triangle exclamation-circle-triangle alert-tri exclamationmark-triangle error-warning-triangle "
    "warning-2",
    "error": "times-circle dismiss-circle cross-circle close-c xmark-circle multiply-circle status-error status-failed "
    "error-badge clear-circle close-one x-mark-circle error-circle cross-fill-circle c-close",
    "user": "user-2 user-1 person-1 contact profile user-3 user-circle account-circle person-circle user-alt "
    "people-single avatar",
    "mail": "letter mail-2 mail-1 envelope-simple mail-closed mail-alt email-1 message-letter",
    "calendar": "calendar-2 calendar-1 calendar-today calendar-month calendar-blank calendar-alt date calendar-days",
    "clock": "schedule clock-circle clock-three clock-3 clock-1 clock-two clock-4 time-1 time-circle access-time "
    "clock-nine",
    "cart": "cart-2 cart-1 shopping-cart-1 cart-large cart-large-2 shopping-cart-simple basket-cart shopping-cart-2",
    "star": "star-1 star-empty favorite-star star-small grade",
    "bookmark": "bookmark-simple bookmark-1 bookmark-empty bookmark-border single-bookmark bookmark-2",
    "download": "download-simple arrow-download download-1 download-2 file-download cloud-download download-alt "
    "arrow-down-to-line arrow-down-tray tray-arrow-down software-download download-minimalistic",
    "upload": "upload-simple arrow-upload upload-1 upload-2 file-upload upload-cloud upload-alt arrow-up-from-line "
    "arrow-up-tray tray-arrow-up software-upload upload-minimalistic cloud-upload-alt",
    "print": "printer-1 printer-2 printer-three print-alt",
    "copy": "copy-2 copy-1 copy-alt duplicate copy-document clone documents copy-simple content-copy-1 square-2-stack",
    "paste": "clipboard-1 clipboard-text paste-clipboard clipboard-paste-1 clipboard-simple",
    "cut": "scissor scissors-1 cut-1 scissors-2",
    "undo": "undo-1 undo-2 undo-left undo-alt arrow-back-up undo-left-round reverse-left arrow-uturn-left "
    "arrow-u-up-left arrow-u-left-top",
    "redo": "redo-1 redo-2 redo-right redo-alt arrow-forward-up redo-left-round arrow-uturn-right arrow-redo "
    "arrow-u-up-right arrow-u-right-top undo-right undo-right-round",
    "refresh": "refresh-1 refresh-2 reload sync-1 arrow-sync arrow-clockwise arrows-clockwise renew refresh-double "
    "arrow-path refresh-3 reload-1 rotate-cw restart refresh-alt restart-circle",
    "play": "play-arrow player-play media-play control-play play-1 play-button play-solid video-play play-filled",
    "pause": "player-pause media-pause control-pause pause-1 pause-solid pause-two",
    "stop": "player-stop media-stop control-stop stop-1 stop-solid",
    "next": "next player-skip-forward player-track-next step-forward skip-next-1 control-end next-track "
    "forward-end media-skip-forward control-forward-end skip-forward-1 next-1",
    "previous": "previous player-skip-back player-track-prev step-backward skip-previous-1 control-start prev "
    "previous-track backward-end media-skip-backward skip-back-1 track-prev prev-1",
    "up": "up angle-up up-chevron keyboard-arrow-up expand-less nav-arrow-up alt-arrow-up arrow-up-thin cheveron-up "
    "arrow-up-l arrow-long-up arrow-narrow-up arrow-up-s chevron-up-1 arrow-top up-1 chevron-top direction-up",
    "down": "down angle-down down-chevron keyboard-arrow-down expand-more nav-arrow-down alt-arrow-down "
    "arrow-down-thin cheveron-down arrow-down-l arrow-long-down arrow-narrow-down arrow-down-s chevron-down-1 "
    "arrow-bottom down-1 direction-down "
    "chevron-bottom direction-down",
    "left": "left angle-left left-chevron keyboard-arrow-left navigate-before nav-arrow-left alt-arrow-left "
    "cheveron-left chevron-left-1 arrow-ios-back arrow-left-simple left-1 arrow-left-1",
    "right": "right angle-right right-chevron keyboard-arrow-right navigate-next nav-arrow-right alt-arrow-right "
    "cheveron-right chevron-right-1 arrow-ios-forward arrow-right-simple right-1 arrow-right-1",
    "expand": "add-square add-box plus-square-1 plus-squared square-plus-1 triangle-right "
    "arrow-drop-right add-square-1",
    "collapse": "minus-square-1 subtract-square indeterminate-check-box minus-squared square-minus-1 triangle-down "
    "remove-square minus-box-1 caret-sort-down",
    "more": "dots dots-three dots-three-vertical more-vert more-horiz more-h more-v ellipsis-h ellipsis-v menu-dots "
    "overflow-menu-vertical overflow-menu-horizontal dots-three-outline menu-kebab menu-meatballs option-vertical "
    "option-horizontal menu-alt-dots more-1 more-2-1 ellipses more-1-horizontal more-two more-one "
    "menu-dots-vertical three-dots-horizontal ellipsis-vertical ellipsis-horizontal more-fill",
    "filter": "filter-alt filter-1 funnel-simple-filter filter-2 filter-3 funnel-1",
    "sort": "arrows-sort arrows-down-up arrows-up-down sort-vertical sort-vertical-1 sort-alt sort-1 swap-vert "
    "transfer-vertical arrow-sort chevron-sort swap-vertical-1 sort-2 arrows-vertical arrow-bidirectional-up-down "
    "sort-amount-down",
    "lock": "locked padlock lock-1 lock-locked lock-simple lock-keyhole lock-password lock-alt lock-closed-1 lock-on",
    "unlock": "unlocked lock-unlocked lock-keyhole-open lock-simple-open lock-keyhole-unlocked lock-open-1 unlock-alt "
    "lock-off lock-open-alt padlock-unlock",
    "eye": "view visibility preview-open eye-open red-eye eye-1 eye-solid remove-red-eye preview eye-alt",
    "link": "chain link-1 insert-link link-alt link-simple link-chain link-h link-minimalistic link-2-1 link-one",
    "attach": "paperclip-1 attach-file paper-clip attachment-1 paperclip-2 attach-1 clip",
    "image": "photo picture-1 image-1 gallery insert-photo image-2 pic photo-1 photo-2 "
    "gallery-minimalistic media-image",
    "video": "video-1 video-camera videocam-1 videocamera-record video-2 camera-video-1 movie-camera video-alt "
    "video-one video-camera-alt",
    "music": "music-note-1 music-notes-simple musical-note audiotrack music-1 music-double-note music-note-simple "
    "music-alt music-one music-note-2 notes-music music-note-single",
    "folder": "folder-1 directory folder-simple folder-2 folder-close folder-closed folder-blank",
    "file": "document-1 page document-text file-1 description insert-drive-file file-alt file-blank "
    "paper doc document-2 file-text-1 empty-page article-document doc-text page-text file-2",
    "chart": "chart-bar-1 chart-bar-vertical chart-histogram column-chart bar-chart-1 chart-column-1 chart-vertical "
    "bar-graph data-bar-vertical graph-bar stats-bars leaderboard poll chart-simple bar-chart-vert chart-column-big "
    "chart-bar-big chart-bar-solid stats-report",
    "list": "list-bulleted list-bullet list-bullets bullet-list unordered-list unordered-list-1 list-dashes "
    "text-bullet-list list-bullet-1 list-details ulist view-list text-list-bullet format-list-bulleted-1 list-dots "
    "bulletlist",
    "grid": "grid-view squares-four squares-2x2 grid-1 grid-2 layout-grid-1 grid-four grid-2x2 view-grid-1 app-grid "
    "dots-nine grid-9 grid-dots grid-nine grid-3x3 widget-2 view-module",
    "location": "location-1 location-on map-pin-1 marker place location-pin map-marker-alt pin-location pushpin-map "
    "map-point map-location poi location-2 local pin-alt location-marker local-two",
    "phone": "phone-1 phone-call phone-alt telephone-1 phone-rounded-call call-1 phone-handset phone-telephone phone-2",
    "chat": "message chat-bubble chat-circle chat-circle-text speech-bubble message-1 comment-1 chat-round chat-dots "
    "chat-bubble-left speech chat-2 bubble message-square-1 comment-alt chat-square message-text message-round "
    "chat-bubble-empty chat-teardrop message-circle-1 chat-alt",
    "bell": "bell-1 notification-1 notifications-1 notification-bell bell-simple alarm-bell ringer bell-2 remind",
    "flag": "flag-1 flag-2 flag-alt flag-simple flag-solid report-flag flag-banner",
    "zoom_in": "zoom-in-1 search-plus magnifier-zoom-in magnifer-zoom-in magnify-plus-1 zoom-plus "
    "magnifying-glass-zoom-in search-zoom-in plus-magnifyingglass",
    "zoom_out": "zoom-out-1 search-minus magnifier-zoom-out magnifer-zoom-out magnify-minus-1 zoom-minus "
    "magnifying-glass-zoom-out search-zoom-out minus-magnifyingglass",
    "minimize": "minimize exit-full-screen exit-fullscreen minimise arrows-minimize corners-in full-screen-exit "
    "fullscreen-out exit-fullscreen-1 chrome-minimize back-to-window arrow-minimize quit-full-screen off-screen "
    "full-screen-minimize fullscreen-off",
    "maximize": "enter-full-screen full-screen full-screen-maximize fullscreen-1 corners-out arrows-maximize "
    "chrome-maximize arrow-maximize fullscreen-2 enter-fullscreen maximize-1 full-screen-one full-screen-two",
    "logo": "github-logo facebook-logo twitter-logo instagram-logo linkedin-logo youtube-logo logo-facebook "
    "logo-github logo-twitter logo-instagram logo-linkedin logo-youtube brand-github brand-facebook brand-twitter "
    "brand-instagram brand-youtube brand-slack brand-gitlab brand-chrome brand-apple brand-windows apple-logo "
    "google-logo windows-logo slack-logo chrome-logo logo-apple facebook-f google apple-brand",
}
"""Further names than those that pages are drawn with."""

_STYLE: Final = frozenset({
    "outline", "outlined", "fill", "filled", "f", "line", "linear", "solid", "bold", "thin", "light", "duotone",
    "regular", "rounded", "round", "sharp", "twotone", "two", "tone", "o", "icon", "s", "baseline", "r", "sm", "md",
    "lg", "xs", "glyph", "mono", "dark", "color", "symbolic", "stroke", "empty", "flat", "classic",
})  # fmt: skip
"""Words of a name that tell how it is drawn, not what."""
_SIZES: Final = re.compile(r"^(?:8|9|12|14|15|16|18|20|22|24|28|30|32|36|48|64|\d+px)$")

_OF_SET: Final[dict[tuple[str, str], str]] = {
    ("fluent", "alert"): "bell",
    ("fluent-color", "alert"): "bell",
    ("fluent", "cut"): "cut",
    ("fluent-mdl2", "cancel"): "close",
    ("fluent-mdl2", "ringer"): "bell",
    ("ooui", "cancel"): "",
    ("ooui", "close"): "close",
    ("ic", "cancel"): "error",
    ("material-symbols", "cancel"): "error",
    ("ph", "list"): "menu",
    ("ph", "repeat"): "retweet",
    ("fluent", "navigation"): "menu",
    ("akar-icons", "three-line-horizontal"): "menu",
    ("uil", "list-ul"): "list",
    ("uil", "repeat"): "retweet",
    ("vaadin", "lines"): "",
    ("fa", "list"): "list",
    ("fa", "repeat"): "redo",
    ("la", "list"): "list",
    ("fluent-mdl2", "repeat"): "",
    ("gg", "menu-grid-o"): "grid",
    ("gg", "trash-empty"): "delete",
    ("mynaui", "x"): "close",
}
"""What single sets mean otherwise; nothing for what is better left out."""


def meaning_of(name: str, *, prefix: str = "") -> str | None:
    """What a drawing stands for.

    Args:
        name: in its set, words joined by ``-``.
        prefix: of the set, because a few of them mean something else by a name.

    Returns:
        One of :data:`MEANINGS`, :data:`NOTHING` for a picture that is surely none of them, and None for what is better
        not learned: names that mean different things.
    """
    own = _OF_SET.get((prefix, name))
    if own is not None:
        return own or None
    words = [word for word in name.lower().replace("_", "-").split("-") if word and not _SIZES.match(word)]
    known = _known()
    # First as it is: "square" and "round" may be the point of a name, and not the manner it is drawn in.
    for tried in (words, [word for word in words if word not in _STYLE]):
        joined = "-".join(tried)
        own = _OF_SET.get((prefix, joined))
        if own is not None:
            return own or None
        if joined in known:
            return known[joined]
    return None


@functools.cache
def _known() -> dict[str, str]:
    known: dict[str, str] = dict.fromkeys(NAMELESS, NOTHING)
    ambiguous = {"list", "stop-fill", "square", "alert", "pin", "rotate-left", "rotate-right", "refresh-square"}
    for names in (ICON_NAMES, {meaning: tuple(more.split()) for meaning, more in _MORE.items()}):
        for meaning, every in names.items():
            for name in every:
                if name not in ambiguous:
                    known.setdefault(name, meaning)
    known["scissors"] = "cut"
    return known

"""The tasks in a mail program."""

from __future__ import annotations

import re
from dataclasses import dataclass

from demopack.errors import CaptureError
from player.evaluation.miniwob.pages import TaskBrowser
from player.evaluation.miniwob.solvers.reading import scroll_until_visible
from player.scripted_user import PracticeUser


@dataclass(frozen=True, slots=True, kw_only=True)
class MailRequest:
    """What is to be done with whose mail.

    Attributes:
        action: ``reply``, ``forward``, ``delete`` or ``star``.
        sender: of the mail.
        text: of the reply, or to whom it is forwarded; empty for the others.
    """

    action: str
    sender: str
    text: str = ""


_WORDS = (
    ("reply", r'Find the email by (\S+) and reply to them with the text "(.*)"\.'),
    ("forward", r"Find the email by (\S+) and forward that email to (.*)\."),
    ("delete", r"Find the email by (\S+) and click the trash icon"),
    ("star", r"Find the email by (\S+) and click the star icon"),
)


def _request(page: TaskBrowser) -> MailRequest:
    """What the task asks for.

    Where it is told in free sentences (some of which name sender and recipient the wrong way round), the page says what
    they mean, in the fields that MiniWoB++ gives every agent beside the sentence.
    """
    told = page.ask("const told = core.getUtterance(); return typeof told === 'string' ? null : told.fields")
    if told is not None:
        action = told.get("task", "forward")
        return MailRequest(action=action, sender=told["by"], text=told.get("message") or told.get("to") or "")
    words = page.utterance
    for action, pattern in _WORDS:
        found = re.match(pattern, words)
        if found is not None:
            return MailRequest(action=action, sender=found[1], text=found[2] if found.re.groups == 2 else "")
    raise CaptureError(f"The task reads otherwise than expected: {words}")


def solve_mail(page: TaskBrowser, person: PracticeUser) -> None:
    """All email-inbox tasks."""
    request = _request(page)
    view = page.one("#area").box
    sender = scroll_until_visible(page, person, "#main .email-thread .email-sender", request.sender, view)
    if request.action in {"delete", "star"}:
        row = next(r for r in page.find("#main .email-thread") if r.box.contains(sender))
        icons = page.find(f"#main .email-thread .{'trash' if request.action == 'delete' else 'star'}")
        person.click(next(icon.point for icon in icons if row.box.encloses(icon.box)))
        return
    person.click(sender)
    answer = page.one(f"#email .email-{request.action}")
    person.click(scroll_until_visible(page, person, f"#email .email-{request.action}", answer.text, view))
    person.click(page.one("#reply-text" if request.action == "reply" else ".forward-sender").point)
    person.type_text(request.text)
    person.click(page.one(f"#send-{request.action}").point)

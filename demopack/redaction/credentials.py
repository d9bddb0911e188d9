"""Credentials that announce themselves: known prefixes, key blocks, headers, addresses with a password, assignments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from demopack.redaction.matches import Span

_SERVICES = (
    r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}",
    r"glpat-[\w-]{20,60}|gl(?:dt|rt|ptt|cbt|ft|oas|soat)-[\w-]{20,100}",
    r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{15,250}",  # Slack
    r"AIza[\w-]{35}|ya29\.[\w-]{20,500}|GOCSPX-[\w-]{20,60}",  # Google
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9+/=]{20,100}",  # Stripe
    r"sk-[A-Za-z0-9_-]{20,300}",  # OpenAI, Anthropic and others alike
    r"hf_[A-Za-z0-9]{30,60}|gsk_[A-Za-z0-9]{40,80}|xai-[A-Za-z0-9]{40,120}|r8_[A-Za-z0-9]{30,60}|pplx-[A-Za-z0-9]{40,80}",
    r"npm_[A-Za-z0-9]{36}|pypi-[\w-]{16,400}|dckr_pat_[\w-]{20,60}",
    r"SG\.[\w-]{16,64}\.[\w-]{16,64}",  # SendGrid
    r"(?:AC|SK)[0-9a-f]{32}",  # Twilio
    r"[0-9a-f]{32}-us[0-9]{1,2}",  # Mailchimp
    r"sq0(?:atp|csp|idp)-[\w-]{22,60}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    r"[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,45}",  # Discord
    r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}",  # Telegram
    r"do[opr]_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}|AKC[a-zA-Z0-9]{10,100}|AGE-SECRET-KEY-1[A-Z0-9]{50,70}",
    r"eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,4000})?",  # JSON web token
)
# What stands in front of all of them is looked at once for each place of a text: most places have no such thing.
_SERVICE = re.compile(rf"(?<![A-Za-z0-9_])(?=[A-Za-z0-9])(?:{'|'.join(_SERVICES)})(?![A-Za-z0-9])", re.ASCII)
# The part that is the credential is group 1.
_GROUPED = (
    re.compile(r"\b(?:bearer|basic)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,4000})", re.IGNORECASE),
    re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@?#]{0,100}:([^\s/@:]{1,200})@"),
    re.compile(r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,120})"),
    re.compile(r"\bAccountKey=([A-Za-z0-9+/=]{40,100})"),
)
_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")


def tokens(text: str) -> Iterator[Span]:
    """Credentials of known services, private keys, headers, and passwords inside addresses."""
    for found in _SERVICE.finditer(text):
        # "sk-" begins ordinary names as well; those have no digits.
        if not found.group().startswith("sk-") or any(char.isdigit() for char in found.group()):
            yield "token", found.start(), found.end()
    for pattern in _GROUPED:
        for found in pattern.finditer(text):
            if not found.group(1).isalpha() or "://" in found.group():
                yield "token", found.start(1), found.end(1)
    yield from _key_blocks(text)


def _key_blocks(text: str) -> Iterator[Span]:
    """Each from its first to its last line; one that is cut off reaches to the end of the text."""
    done = 0
    ends = _BLOCK_END.finditer(text)
    end = next(ends, None)
    for begin in _BLOCK.finditer(text):
        if begin.start() < done:
            continue
        while end is not None and end.start() < begin.end():
            end = next(ends, None)
        done = len(text) if end is None else end.end()
        yield "token", begin.start(), done


_NAMES = (
    r"pass(?:word|wd|phrase|code|wort)?|passwor[dt]s?|pwd|pw|kennwort|mot[ _]de[ _]passe|contrase(?:ñ|n)a|senha|"
    r"parola|secret|(?:client|api|app|shared|consumer)[ _-]?secret|"
    r"(?:api|access|secret|private|auth|account|encryption|license|licence)[ _-]?key|"
    r"(?:access|auth|api|refresh|session|id|bearer|csrf|security)?[ _-]?token|credentials?|"
    r"db[ _-]?pass(?:word)?|aws[ _-]?secret[ _-]?access[ _-]?key|pin(?:[ _-]?code)?|otp|cvv|cvc"
)
_NAME = re.compile(rf"(?<![A-Za-z0-9])(?:{_NAMES})(?![A-Za-z0-9])", re.IGNORECASE)
_ASSIGNMENT = re.compile(
    rf"(?<![A-Za-z0-9])(?=[A-Za-z0-9 _-])(?P<name>(?:[A-Za-z0-9]{{1,20}}[_.-]){{0,4}}(?:{_NAMES}))"
    r"(?:[_-]?[0-9]{1,2})?[\"'`]{0,1}"
    r"[ \t]{0,3}(?P<sign>:=|=>|==?|:(?!//)|\bis\b)[ \t]{0,3}"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`<>\n]{3,200})(?P=quote)|[\"'`]?(?P<value>[^\s\"'`<>,;&]{3,200}))",
    re.IGNORECASE,
)
# What a form says beside its field, rather than a password.
_NO_VALUES = frozenset(
    re.findall(
        r"\w+",
        "required optional show hide hidden none null nil true false changed incorrect wrong invalid missing empty "
        "weak strong medium forgotten expired saved updated unknown password passwort must should may can never not "
        "your the undefined str string bool int value enter type too very",
    )
)
_NUMBERS_ONLY = ("pin", "otp", "cvv", "cvc", "code")


def names_secret(label: str) -> bool:
    """Whether a field with this label holds a secret: a password, a PIN, a key."""
    return _NAME.search(label) is not None


def assignments(text: str) -> Iterator[Span]:
    """``password=…``, ``pw: …`` and their like, in the languages of most keyboards."""
    for found in _ASSIGNMENT.finditer(text):
        group = "quoted" if found.group("quoted") else "value"
        value = found.group(group).rstrip("" if group == "quoted" else ".)]}:")
        if len(value) >= 3 and _is_value(found, value, text):
            start = found.start(group)
            yield "password_like", start, start + len(value)


def _is_value(found: re.Match[str], value: str, text: str) -> bool:
    if value.lower() in _NO_VALUES or set(value) <= set("*•●.-_xX…"):
        return False
    if found.group("name").lower().endswith(_NUMBERS_ONLY):
        return value.isdigit()
    mixed = not value.isalpha() or not (value.islower() or value.istitle())
    if found.group("quoted") or found.group("sign") in {"=", "==", ":=", "=>"}:
        return mixed or len(value) >= 4
    # After a colon or "is" a plain word counts only where nothing follows it: otherwise it is part of a sentence.
    last = text[found.start("value") + len(value) :].lstrip(" \t\"'`.)")[:1] in {"", "\n", "\r", ",", ";", "}"}
    return mixed or (last and len(value) >= 4)

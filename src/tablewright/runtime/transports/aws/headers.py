"""What may stand in the head of a request: printable ASCII, so that no value can end a line and begin another header.

Keys come from many places (arguments, the environment, files, endpoints), and a line break at the end of a file is the
usual mistake. Values are never shown, because most of them are secrets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.errors import CredentialsMissing, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.errors import TablewrightError

UNPRINTABLE = re.compile(r"[^\x20-\x7e]")
PLAIN_REGION = re.compile(r"[^\x21-\x7e]|[/,]")  # a region is a part of what a signature is for, between slashes
LABEL = r"[A-Za-z0-9_~](?:[A-Za-z0-9_~-]{0,61}[A-Za-z0-9_~])?"
HOST = re.compile(rf"{LABEL}(?:\.{LABEL})*\.?|[0-9A-Fa-f:.]+:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9_.~-]+)?")
MAX_HOST_CHARACTERS = 253
KEYS = ("aws_access_key_id", "aws_secret_access_key", "aws_session_token")
REMEDY = "look for a line break at its end, or at what it was copied from"


def _fault_of(value: str) -> str | None:
    """What is wrong with a value, without showing it."""
    found = UNPRINTABLE.search(value)
    if found is not None:
        return f"has the character {found[0]!a} at position {found.start()}, which no header may have; {REMEDY}"
    return f"begins or ends with a space; {REMEDY}" if value != value.strip() else None


def check_key(value: str | None, what: str) -> None:
    """A part of the keys that requests are signed with."""
    if value is not None:
        _refuse(_fault_of(value), what, CredentialsMissing)


def check_value(value: str, what: str) -> None:
    """Any other value of a header."""
    _refuse(_fault_of(value), what, _wrong)


def check_region(region: str) -> None:
    found = PLAIN_REGION.search(region)
    if found is not None or not region:
        shown = f"the character {found[0]!a}" if found is not None else "no text"
        raise _wrong(f"region_name={region[:40]!a} has {shown}; give a region's name, such as eu-west-1")


def is_host(host: str) -> bool:
    """Whether a name or address can be looked up and stand in a Host header."""
    return len(host) <= MAX_HOST_CHARACTERS and HOST.fullmatch(host) is not None


def check_arguments(said: Mapping[str, Any]) -> None:
    """The arguments of `aws(...)` that end up in headers, as soon as they are given."""
    for name in KEYS:
        if name in said:
            _refuse_other(said[name], name)
            check_key(said[name], name)
    if "region_name" in said:
        _refuse_other(said["region_name"], "region_name")
        check_region(said["region_name"])


def _refuse_other(value: Any, name: str) -> None:
    if not isinstance(value, str):
        raise _wrong(f"{name} is a {type(value).__name__}; give a text")


def _refuse(fault: str | None, what: str, error: Callable[[str], TablewrightError]) -> None:
    if fault is not None:
        raise error(f"{what} {fault}")


def _wrong(message: str) -> RequestError:
    return RequestError(message, code=1010)

"""Texts in state machines: the only place that makes JSONata, or a text that Step Functions leaves alone, of them."""

from __future__ import annotations

import json
import re
from typing import Any, cast
from zlib import crc32

LONGEST_VARIABLE = 60
SECONDS_PER_DAY = 86_400
MIDNIGHT, UTC = "'T00:00:00Z'", "'Z'"
YEAR_1 = -62_135_596_800_000
"""In milliseconds since 1970; no time lies before it."""


def text(value: str) -> str:
    """A text inside of an expression; JSONata has JSON's escapes."""
    return json.dumps(value)


def input_path(name: str) -> str:
    """A value of the caller. Between ticks a name can be anything but a tick, which nothing escapes."""
    return f"$lookup($states.input, {text(name)})" if "`" in name else f"$states.input.`{name}`"


def variable_name(name: str) -> str:
    """What the value is called once it is written as keys have it: letters, digits and underscores, not too many."""
    said = re.sub(r"[^A-Za-z0-9]", lambda found: f"_{ord(found.group()):x}_" if found.group() != "_" else "_", name)
    return f"key_{said}" if len(said) <= LONGEST_VARIABLE else f"key_{said[:40]}_{crc32(name.encode()):08x}"


def earlier_number(value: str, longest: float) -> str:
    return f"({value} - {longest})"


def earlier_time(name: str, longest: float) -> str:
    """A time of the caller so many seconds earlier, in the form it has; of dates whole days count."""
    value, days = input_path(name), int(longest // SECONDS_PER_DAY) * SECONDS_PER_DAY
    date = f"$substring({_before(f'{value} & {MIDNIGHT}', days)}, 0, 10)"
    time = f"$substring({_before(f'$substring({value}, 0, 19) & {UTC}', longest)}, 0, 19) & $substring({value}, 19)"
    return f"($length({value}) = 10 ? {date} : {time})"


def _before(moment: str, seconds: float) -> str:
    return f"$fromMillis($max([{YEAR_1}, $toMillis({moment}) - {seconds * 1000:.0f}]))"


def expression(code: str) -> str:
    return f"{{% {code} %}}"


def escape(value: Any) -> Any:
    """Data that is meant as it is: a text that looks like an expression becomes one that gives that text."""
    if isinstance(value, dict):
        return {name: escape(each) for name, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [escape(each) for each in cast("Any", value)]
    return expression(text(value)) if isinstance(value, str) and value.startswith("{%") else value


def merge_expression(part: Any) -> str:
    """The same as one expression."""
    if isinstance(part, dict):
        pairs = cast("dict[str, Any]", part).items()
        return "{" + ", ".join(f"{text(name)}: {merge_expression(each)}" for name, each in pairs) + "}"
    if isinstance(part, str) and part.startswith("{%"):
        return part[2:-2].strip()
    return json.dumps(part)

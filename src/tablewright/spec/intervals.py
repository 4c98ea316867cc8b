"""What overlaps with what lies between two moments, or two numbers: `overlaps: {start: a, end: b, longest: 14d}`.

An item answers that begins at `to` at the latest and ends at `from` at the earliest. A key in order of `start` finds
them all between `from` less the longest time and `to`; so nothing may last longer, which every write is checked for.
A pattern says it once, and everybody else finds it where such things are said: as a range of `start`, a filter of
`end`, and a rule of the attribute `end`.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.amounts import is_number, parse_seconds
from tablewright.spec.model import Ending, Overlaps, RangeSpec
from tablewright.wire.numbers import add

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.spec.model import AttributeSpec, EntitySpec, PatternSpec, Spec

NOT_BEFORE = "at least from"
"""How the filter of a pattern says that items must not have ended before `from`."""
MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:(T[0-9]{2}:[0-9]{2}:[0-9]{2})((?:\.[0-9]+)?(?:Z|\+00:00)?))?")
"""Times of one form sort as text; what is behind the seconds stays as it is, for lengths are whole seconds."""
DAY = 86_400
YEAR_1, YEAR_9999 = map(datetime.fromisoformat, ("0001-01-01T00:00:00", "9999-12-31T23:59:59"))
USUAL_LENGTH = 0.5
"""Of the longest, where nobody says how long things last."""


def longest_of(said: Overlaps) -> int | float | None:
    """In whole seconds where it is a time, as a number where it is one; None where it is neither."""
    if isinstance(said.longest, int | float) and is_number(said.longest):
        return said.longest
    seconds = parse_seconds(str(said.longest))
    return None if seconds is None else ceil(round(seconds, 3))


def with_intervals(spec: Spec) -> Spec:
    """The same with what follows from `overlaps` in its patterns and attributes."""
    asked = [each for each in spec.patterns if each.overlaps is not None]
    if not asked:
        return spec
    rules = {(each.entity, said.end): _ending(said) for each in asked if (said := each.overlaps) is not None}
    entities = {name: _with_rules(each, rules) for name, each in spec.entities.items()}
    return msgspec.structs.replace(spec, entities=entities, patterns=tuple(map(_with_range, spec.patterns)))


def _ending(said: Overlaps) -> Ending:
    return Ending(said.start, longest_of(said) or 0)


def _with_rules(entity: EntitySpec, rules: Mapping[tuple[str, str], Ending]) -> EntitySpec:
    own: dict[str, AttributeSpec] = {
        name: msgspec.structs.replace(each, ends=rules[entity.name, name])
        for name, each in entity.attributes.items()
        if (entity.name, name) in rules
    }
    return msgspec.structs.replace(entity, attributes={**entity.attributes, **own}) if own else entity


def _with_range(pattern: PatternSpec) -> PatternSpec:
    said = pattern.overlaps
    if said is None:
        return pattern
    asked = RangeSpec(said.start, "overlaps")
    return msgspec.structs.replace(pattern, range=asked, filter={**pattern.filter, said.end: NOT_BEFORE})


def without_intervals(pattern: PatternSpec) -> PatternSpec:
    """The same as it was said."""
    if pattern.overlaps is None:
        return pattern
    said = {name: value for name, value in pattern.filter.items() if name != pattern.overlaps.end}
    return msgspec.structs.replace(pattern, range=None, filter=said)


def ends_by(pattern: PatternSpec, name: str) -> bool:
    """Whether a filter compares this attribute with the beginning of what is asked for, which is the input `from`."""
    return pattern.overlaps is not None and pattern.overlaps.end == name


# ---- moments and numbers --------------------------------------------------------------------------------------------


def shifted(value: Any, by: float) -> Any:
    """A number with this added, or a time so many seconds later in the form it has; None where it is neither.

    Of dates whole days count. What would lie before the year 1 or behind the year 9999 stays at that end.
    """
    if not isinstance(value, str):
        return add(value, by)
    found = MOMENT.fullmatch(value)
    if found is None:
        return None
    day, time, rest = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}{time or ''}")
    except ValueError:
        return None
    seconds = by if time else int(by / DAY) * DAY
    try:
        moved = moment + timedelta(seconds=seconds)
    except OverflowError:
        moved = YEAR_1 if by < 0 else YEAR_9999
    return moved.isoformat(timespec="seconds") + (rest or "") if time else moved.date().isoformat()


def lasts_too_long(rule: Ending, start: Any, end: Any) -> str:
    """What is wrong with an end; empty where nothing is."""
    latest = shifted(start, rule.longest)
    if latest is None or shifted(end, 0) is None:
        return "is no time such as 2026-01-31T09:00:00Z or 2026-01-31, from which its length could be told"
    return f"is more than {rule.longest:g} behind {rule.start}" if end > latest else ""

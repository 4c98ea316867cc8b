"""What callers leave out has its default, and what must not be is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from .errors import WrongValue
from .model import Inputs, Item, Rule, Slot, Writing
from .values import shifted


def with_rules(pattern: Writing, inputs: Inputs, now: float) -> Inputs:
    """The inputs with their defaults, all of them as they must be."""
    own = [each for each in pattern.rules if not each.each]
    found = _obeying(own, inputs, now, {})
    for name in dict.fromkeys(each.each for each in pattern.rules if each.each):
        inside = [each for each in pattern.rules if each.each == name]
        elements: list[Item] = found[name]
        found[name] = [_obeying(inside, each, now, found) for each in elements]
    return found


def _obeying(
    rules: list[Rule], given: Mapping[str, Any], now: float, around: Inputs
) -> Item:
    """`around`: what all elements of a list share."""
    found = dict(given)
    for rule in rules:
        if found.get(rule.input) is None and rule.default is not None:
            found[rule.input] = _default(rule, now)
        wrong = _wrong_about(rule, found.get(rule.input))
        if wrong:
            raise WrongValue(f"{rule.input}: {found[rule.input]!r} {wrong}")
    for rule in rules:
        if rule.start:
            _check_length(rule, {**around, **found})
    return found


def _check_length(rule: Rule, given: Mapping[str, Any]) -> None:
    """Raises where something lasts too long, or where nobody could tell."""
    if rule.together and (rule.input in given) != (rule.start in given):
        raise WrongValue(f"{rule.start} and {rule.input} are given together")
    start, end = given.get(rule.start), given.get(rule.input)
    if start is None or end is None:
        return
    latest = shifted(start, rule.longest)
    shifted(end, 0)
    if end > latest:
        raise WrongValue(f"{rule.input}: {end!r} is later than {latest!r}")


def _default(rule: Rule, now: float) -> Any:
    """The time has milliseconds: two writes of one second are told apart."""
    if not isinstance(rule.default, Slot):
        return rule.default
    moment = datetime.fromtimestamp(now, timezone.utc)  # noqa: UP017 - also for Python 3.10
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _wrong_about(rule: Rule, value: Any) -> str:
    if value is None:
        return ""
    tests = {
        f"has fewer than {rule.min_length} characters": rule.min_length is not None
        and len(value) < rule.min_length,
        f"has more than {rule.max_length} characters": rule.max_length is not None
        and len(value) > rule.max_length,
        f"does not match {rule.pattern}": bool(rule.pattern)
        and re.search(_ending_strictly(rule.pattern), value, re.ASCII) is None,
        f"is less than {rule.min}": rule.min is not None and value < rule.min,
        f"is more than {rule.max}": rule.max is not None and value > rule.max,
    }
    return next((said for said, is_wrong in tests.items() if is_wrong), "")


def _ending_strictly(pattern: str) -> str:
    """With `$` as the end of the text, also behind a line feed."""
    parts = re.findall(r"\\.|\[(?:[^\]\\]|\\.)*\]|.", pattern, re.DOTALL)
    return "".join(r"\Z" if each == "$" else each for each in parts)

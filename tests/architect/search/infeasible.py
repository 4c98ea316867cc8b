"""Specs that nothing serves, and the message about it read back: which patterns, and what to change in the spec."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

from tablewright.architect.designer import design
from tablewright.errors import DesignError
from tests.architect.specs import random_spec, rich_spec

Written: TypeAlias = dict[str, Any]
VALUES: dict[str, Any] = {"true": True, "false": False}


def tight_spec(seed: int) -> Written:
    """Few indexes, strong reads, orders of several attributes, words to search for: seldom can all of it be served."""
    dice = random.Random(seed)
    make = dice.choice([random_spec, rich_spec])
    spec = make(seed, entities=dice.choice([1, 2]), patterns=dice.choice([3, 4, 5]))
    limits: Written = {"max_gsis": dice.choice([0, 0, 1, 1, 2])}
    if dice.random() < 0.5:
        limits["copies"] = "none"
    if dice.random() < 0.5:
        limits["lsis"] = False
    spec["constraints"] = limits
    for pattern in spec["access_patterns"]:
        if pattern["kind"] == "query":
            _tighten(pattern, dice)
    return spec


def _tighten(pattern: Written, dice: random.Random) -> None:
    if dice.random() < 0.3:
        pattern["consistency"] = "strong"
    if dice.random() < 0.15:
        pattern["filter_must_be_key"] = True
    if pattern.get("sort") and dice.random() < 0.3:
        pattern["limit"] = 10
    if pattern.get("sort") and dice.random() < 0.15:
        pattern["sort"].append({"attr": dice.choice("abcd"), "order": pattern["sort"][0]["order"]})
    if dice.random() < 0.05 and "through" not in pattern:
        pattern["search"] = "d"


# ---- what is said ---------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """Sets of patterns in conflict; remedies as `place: change`, of which each helps, or (`together`) only all."""

    sets: list[list[str]]
    remedies: list[str]
    together: bool


def refusal(spec: Written) -> str | None:
    """What `design` says where it refuses; None where there is a design."""
    try:
        design(spec)
    except DesignError as error:
        return error.message
    return None


def read_back(message: str) -> Told:
    sets: list[list[str]] = []
    remedies: list[str] = []
    for line in message.splitlines():
        if line.startswith("no key can serve "):
            sets.append([re.split(r"[:; ]", line.removeprefix("no key can serve "))[0]])
        elif line.startswith("no design "):
            sets.append([])
        elif line.startswith("    "):
            remedies.append(line.strip())
        elif not line.endswith("would help:"):
            sets[-1].append(line.strip().split(":")[0])
    return Told(sets, remedies, "all of these together" in message)


def only(spec: Written, ids: list[str]) -> Written:
    return {**spec, "access_patterns": [each for each in spec["access_patterns"] if each["id"] in ids]}


# ---- what is to be changed ------------------------------------------------------------------------------------------


def changed(spec: Written, remedy: str) -> Written:
    """The spec as somebody would write it who does what is said."""
    place, _, change = remedy.partition(": ")
    if " and constraints." in place:
        (first, second), (one, other) = place.split(" and ", 1), change.split(", and ")
        return changed(changed(spec, f"{first}: {one}"), f"{second}: {other}")
    found = deepcopy(spec)
    for each in place.split(" and ") if place.startswith("entities") else [place]:
        _change(found, each.split("."), change)
    return found


def _change(spec: Written, path: list[str], change: str) -> None:
    word = re.split(r"[: ]", change)[0]
    value = VALUES.get(word, int(word) if word.isdigit() else word)
    if path[0] == "constraints":
        spec["constraints"][path[1]] = value
    elif path[0] == "entities":
        spec["entities"][path[1]]["attributes"][path[3]][path[4]] = value
    elif len(path) == 2:
        assert change == "left out"
        spec["access_patterns"] = [each for each in spec["access_patterns"] if each["id"] != path[1]]
    else:
        pattern = next(each for each in spec["access_patterns"] if each["id"] == path[1])
        for field in path[2].split(" and "):
            if change.startswith("left out"):
                del pattern[field]
            else:
                pattern[field] = value

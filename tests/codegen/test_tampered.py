"""Designs with one field taken away or replaced: refused with the place when they are read, or made into files."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.codegen.targets import generate
from tablewright.design.read import design_json, read_design
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from collections.abc import Iterator

SPEC = Path(__file__).parents[2] / "examples" / "specs" / "task-management.yaml"
CHEAP = (
    "python",
    "python-boto3",
    "typescript",
    "electrodb",
    "amplify",
    "cloudformation",
    "appsync",
    "stepfunctions",
)
PARTS = ("tables", "items", "patterns", "encoding")
TAKEN_AWAY = object()
OTHERS: tuple[Any, ...] = (TAKEN_AWAY, "Nobody", "id", "", None, 0, [], {}, "{x}")
PLACE = re.compile(r"\$?\b(tables|items|patterns|encoding|service|spec)\b")
Way = tuple[str | int, ...]


@cache
def content() -> dict[str, Any]:
    return msgspec.json.decode(design_json(design(SPEC)), type=dict[str, Any])


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    if way:
        yield way
    inside: Any = ()
    if isinstance(value, dict):
        inside = cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        inside = enumerate(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    for name, each in inside:
        yield from ways(each, (*way, name))


def changed(way: Way, value: Any) -> dict[str, Any]:
    made = deepcopy(content())
    part: Any = made
    for step in way[:-1]:
        part = part[step]
    if value is TAKEN_AWAY:
        del part[way[-1]]
    else:
        part[way[-1]] = value
    return made


@pytest.mark.parametrize(
    ("way", "value", "place"),
    [
        (("items", 3, "entity"), "Nobody", "items[3].entity"),
        (("items", 1, "fixed", "__edb_e__"), TAKEN_AWAY, "items[1].fixed"),
        (("items", 0, "sample", "pk"), TAKEN_AWAY, "items[0].sample"),
        (("items", 2, "sample", "tags", 0), {}, "items[2].sample.tags"),
        (("items", 0, "keys", 0, "sk"), [], "items[0].keys[0].sk"),
        (("patterns", 1, "entities"), [], "patterns[1].entities"),
        (("patterns", 0, "reads", 0, "entities"), [], "patterns[0].reads[0].entities"),
        (("patterns", 0, "reads", 0, "sk"), [], "patterns[0].reads[0]"),
        (("patterns", 0, "reads", 0, "unfold"), "Nobody", "patterns[0].reads[0].unfold"),
        (("patterns", 7, "transaction"), TAKEN_AWAY, "patterns[7].transaction"),
        (("patterns", 10, "writes"), [], "patterns[10].writes"),
    ],
)
def test_what_generators_rely_on_is_checked_when_a_design_is_read(way: Way, value: Any, place: str) -> None:
    with pytest.raises(DesignError) as refused:
        read_design(changed(way, value))
    assert f"the design: {place}: " in refused.value.message


@pytest.mark.parametrize(
    ("way", "value", "fault"),
    [
        (("patterns", 0, "reads", 0, "filters"), ["status ="], "is no DynamoDB condition"),
        (("patterns", 0, "reads", 0, "filters"), [{"attribute": "status"}], "a text is expected"),
        (("patterns", 7, "writes", 0, "condition"), "attribute_exists(pk) AND", "is no DynamoDB condition"),
        (("patterns", 10, "writes", 0, "add"), {"views": "{views} * 2"}, "is no amount"),
        (("items", 0, "keys", 1, "when"), "role IN", "is no DynamoDB condition"),
        (("items", 0, "keys", 1, "when"), {"role": None}, "a text is expected"),
        (("items", 0, "keys", 1, "bucket"), "name:5", "is no bucket"),
        (("items", 0, "totals"), {"views": "median views"}, "is no total"),
    ],
)
def test_a_text_that_cannot_be_parsed_is_refused_with_its_place(way: Way, value: Any, fault: str) -> None:
    with pytest.raises(DesignError, match=fault) as refused:
        read_design(changed(way, value))
    assert written_place(way) in refused.value.message


def written_place(way: Way) -> str:
    return "$" + "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in way)


@pytest.mark.parametrize(
    ("way", "value", "fault"),
    [
        (
            ("patterns", 0, "reads", 0, "filters"),
            ["status = {x}"],
            "patterns[0].reads[0].filters[0]: there is no param",
        ),
        (("patterns", 0, "reads", 0, "filters"), ["a = 1 OR b = 2"], "patterns[0].reads[0].filters[0]: a = 1 OR b = 2"),
        (
            ("patterns", 7, "writes", 0, "condition"),
            "x = {x}",
            "patterns[7].writes[0].condition: there is no attribute",
        ),
        (("items", 0, "keys", 1, "when"), "role > 1 OR name = 'a'", "items[0].keys[1].when: role > 1 OR name = 'a'"),
    ],
)
def test_a_condition_that_nothing_can_meet_is_refused_with_its_place(way: Way, value: Any, fault: str) -> None:
    with pytest.raises(DesignError) as refused:
        read_design(changed(way, value))
    assert f"the design: {fault}" in refused.value.message


@pytest.mark.slow
def test_one_change_is_refused_with_its_place_or_generated() -> None:
    drawn = random.Random(12)
    every = [(way, value) for way in ways({part: content()[part] for part in PARTS}) for value in OTHERS]
    chosen = drawn.sample([each for each in every if len(each[0]) > 1], 400)
    told = [(way, value, said) for way, value in chosen for said in outcomes(way, value)]
    assert [each for each in told if not each[2].startswith(("made", "refused with"))] == []
    assert any(said == "made" for _, _, said in told)


def outcomes(way: Way, value: Any) -> Iterator[str]:
    """What becomes of a change: whatever is no `DesignError` is raised."""
    try:
        made = read_design(changed(way, value))
    except DesignError as error:
        yield "refused with a place" if PLACE.search(error.message) else f"refused: {error.message}"
        return
    for target in CHEAP:
        try:
            yield "made" if generate(made, [target]) else f"{target}: nothing"
        except DesignError as error:
            yield f"made less: {error.message}"  # a target may have names or forms that it cannot take

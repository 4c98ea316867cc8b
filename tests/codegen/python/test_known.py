"""Typed code never leaves out what a step says: it says it too, or the interpreter runs the step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.codegen.python.model import name_design
from tablewright.codegen.python.patterns import patterns_file, runs_steps
from tablewright.codegen.python.signatures import BLOCKING
from tablewright.design.layout.forms import Merge
from tablewright.design.model import Cascade, PatternDesign, ReadStep, WriteStep
from tablewright.design.values.amounts import Amount
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import Path, slot
from tests.codegen.designs import case
from tests.codegen.semantics import semantic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design

READS: dict[str, Any] = {
    "backwards": lambda step: not step.backwards,
    "limit": 7,
    "consistent": lambda step: not step.consistent,
    "projection": ("colour",),
    "copies": 3,
    "shards": 3,
    "for_each": {"colour": ("red", "blue")},
    "bucket": Bucket.parse("at:7"),
    "since": "2024-01-01T00:00:00Z",
    "keys_from": 0,
    "joins": True,
    "unfold": "parts",
    "continues": True,
    "merges": Merge(("at",)),
    "unexpired": "goesAt",
    "each": "ids",
    "optional": True,
    "counts_gone": True,
    "longest": 60,
    "beside": "Other",
    "takes": {"Maker.name": "name"},
    "index": "elsewhere",
    "table": "elsewhere",
}
WRITES: dict[str, Any] = {
    "all_attributes": lambda step: not step.all_attributes,
    "set": {Path.parse("colour"): slot("colour")},
    "constants": {"colour": "red"},
    "initial": {Path.parse("colour"): slot("colour")},
    "add": {Path.parse("size"): Amount.parse("1")},
    "remove": (Path.parse("colour"),),
    "unchanged": ("colour",),
    "unless_same": ("colour",),
    "if_same": ("colour",),
    "if_newer": ("colour",),
    "names_of": "Other",
}
PATTERNS: dict[str, Any] = {
    "cascade": (Cascade(of="A", entity="B", by={"aId": "aId"}, reads=(), writes=()),),
    "resumes": True,
    "as_job": True,
    "idempotent": True,
    "transaction": lambda pattern: not pattern.transaction,
}
ABOUT: dict[type, set[str]] = {  # what a step is about, and what is for people
    ReadStep: {"operation", "pk", "sk", "filters", "entities", "items", "shard_of"},
    WriteStep: {"operation", "item", "table", "key", "condition", "each", "why"},
    PatternDesign: {
        *("id", "description", "kind", "op", "entities", "parameters", "reads", "writes", "implied", "aggregate"),
        *("sorted_by", "returns", "consistency", "predicted", "why", "paging", "retries", "unproven"),
    },
}
"""With these others the pattern is another one."""


def with_field(value: Any, name: str, given: Any) -> Any:
    return msgspec.structs.replace(value, **{name: given(value) if callable(given) else given})


def others(pattern: PatternDesign) -> Iterator[tuple[str, PatternDesign]]:
    """The pattern with one thing more, each time another one."""
    for name, given in PATTERNS.items():
        if pattern.writes:
            yield name, with_field(pattern, name, given)
    for part, fields in (("reads", READS), ("writes", WRITES)):
        steps: tuple[Any, ...] = getattr(pattern, part)
        for name, given in fields.items():
            changed = tuple(with_field(each, name, given) for each in steps)
            if changed != steps:
                yield f"{part}.{name}", with_field(pattern, part, changed)


def code_of(design: Design, pattern: PatternDesign) -> str:
    return patterns_file(name_design(msgspec.structs.replace(design, patterns=(pattern,))), BLOCKING)


DESIGNS = {"shop": lambda: case("online-shop"), "likes": lambda: semantic("likes"), "tasks": lambda: semantic("tasks")}


@pytest.mark.parametrize("name", DESIGNS)
def test_no_field_of_a_step_is_left_out(name: str) -> None:
    design = DESIGNS[name]()
    named = name_design(design)
    typed = [each for each in design.patterns if not runs_steps(named, each)]
    assert typed
    for pattern in typed:
        for field, other in others(pattern):
            is_typed = not runs_steps(named, other)
            assert not is_typed or _body(code_of(design, other)) != _body(code_of(design, pattern)), (pattern.id, field)


def _body(code: str) -> list[str]:
    """Without docstrings, which say what is sent."""
    return [each for part in code.split('"""')[::2] for each in part.splitlines()]


@pytest.mark.parametrize(
    ("kind", "tried"),
    [(ReadStep, READS), (WriteStep, WRITES), (PatternDesign, PATTERNS)],
    ids=lambda each: str(each)[:40],
)
def test_every_field_is_thought_of(kind: type[msgspec.Struct], tried: dict[str, Any]) -> None:
    assert {each.name for each in msgspec.structs.fields(kind)} == ABOUT[kind] | set(tried)

"""Faults of counts in steps that the stream keeps: of the steps, of what is asked of them, and of who counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from msgspec.structs import replace

from tablewright.design.steps import following
from tests.proof.mutations.editing import NothingToBreakError, read
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import as_it_is

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from tablewright.design.model import Design
    from tests.proof.mutations.editing import Edit

STEPPED = "wrong count in steps"


def step(**fields: Any) -> Edit:
    def change(made: Design) -> Design:
        if all(each.step_of is None for item in made.items for each in item.attributes):
            raise NothingToBreakError("there are no steps")
        return replace(
            made, items=tuple(replace(each, attributes=_changed(each.attributes, fields)) for each in made.items)
        )

    return change


def _changed(attributes: Any, fields: dict[str, Any]) -> Any:
    return tuple(
        each if each.step_of is None else replace(each, step_of=replace(each.step_of, **fields)) for each in attributes
    )


def rounded(floor: Callable[[Any, int], int]) -> Callable[[], AbstractContextManager[object]]:
    return lambda: patch.object(following, "floor_to", floor)


def only_the_first(made: Design) -> Design:
    patterns = (replace(each, aggregate={"total": "total"}) if each.id == "ahead" else each for each in made.patterns)
    return replace(made, patterns=tuple(patterns))


def how_many_steps(made: Design) -> Design:
    patterns = (replace(each, aggregate={"count": ""}) if each.id == "ahead" else each for each in made.patterns)
    return replace(made, patterns=tuple(patterns))


STEPPING: tuple[Fault, ...] = (
    Fault(STEPPED, "ranks", "larger steps", step(size=200)),
    Fault(STEPPED, "ranks", "of another attribute", step(attr="player")),
    Fault(STEPPED, "ranks", "the whole group", read("ahead", sk=())),
    Fault(STEPPED, "ranks", "the number of one step", only_the_first),
    Fault(STEPPED, "ranks", "steps instead of items", how_many_steps),
    Fault(STEPPED, "ranks", "rounded up", as_it_is, rounded(lambda value, size: -int(-value // size) * size)),
    Fault(STEPPED, "ranks", "rounded towards 0", as_it_is, rounded(lambda value, size: int(int(value) / size) * size)),
    Fault(STEPPED, "ranks", "not rounded", as_it_is, rounded(lambda value, _: value)),
)

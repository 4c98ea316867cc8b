"""Faults of copies that change: updates that leave some behind, puts that bring old values, numbers not asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.spec.conditions import Predicate
from tests.proof.mutations.editing import NothingToBreakError, left_out, of, pattern, read, write
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import PatternDesign, Refresh
    from tests.proof.mutations.editing import Edit

OLD_COPY = "copy left behind"


def refreshed(id_: str, edit: Callable[[Refresh], Refresh]) -> Edit:
    """Copies are set in another way: `edit` gets what is said of each entity that keeps some."""

    def changed(own: PatternDesign) -> tuple[Refresh, ...]:
        if not own.refreshes:
            raise NothingToBreakError("nothing keeps copies of it")
        return tuple(edit(each) for each in own.refreshes)

    return pattern(id_, refreshes=changed)


def steps(which: str, **fields: Any) -> Callable[[Refresh], Refresh]:
    """Other fields of its `reads`, `writes` or `checks`."""
    return lambda each: replace(each, **{which: tuple(replace(step, **fields) for step in getattr(each, which))})


def swapped(each: Refresh) -> Refresh:
    return replace(each, given=dict(zip(each.given, reversed(list(each.given.values())), strict=True)))


ANY_NUMBER = Predicate.parse("attribute_not_exists(total) OR total >= 0")

COPYING: tuple[Fault, ...] = (
    Fault(OLD_COPY, "squads", "an update sets none", refreshed("rename", lambda each: replace(each, writes=()))),
    Fault(OLD_COPY, "squads", "an update finds the first only", refreshed("rename", steps("reads", limit=1))),
    Fault(OLD_COPY, "squads", "one value in the place of another", refreshed("rename", swapped)),
    Fault(
        OLD_COPY,
        "squads",
        "a value that nobody sets",
        refreshed("rename", lambda each: replace(each, given={"teamName": each.given["teamName"]})),
    ),
    Fault(OLD_COPY, "squads", "a child slips in", refreshed("rename", lambda each: replace(each, checks=()))),
    Fault(OLD_COPY, "squads", "any number will do", refreshed("rename", steps("checks", condition=ANY_NUMBER))),
    Fault(
        OLD_COPY, "squads", "a child slips in while points are added", refreshed("win", steps("checks", condition=None))
    ),
    Fault(
        OLD_COPY,
        "squads",
        "less is added to copies",
        refreshed("win", steps("writes", add={}, constants={"teamPoints": 3})),
    ),
    Fault(OLD_COPY, "squads", "a constant is not set", refreshed("begin", steps("writes", constants={}))),
    Fault(OLD_COPY, "squads", "what goes stays in copies", refreshed("begin", steps("writes", remove=()))),
    Fault(OLD_COPY, "squads", "a put with an old value", write("sign", of(operation="ConditionCheck"), seen={})),
    Fault(
        OLD_COPY,
        "squads",
        "a put asks for one value of three",
        write("sign", of(operation="ConditionCheck"), seen={"name": "teamName"}),
    ),
    Fault(OLD_COPY, "squads", "a put copies something else", read("sign", 1, takes={"teamName": "motto"})),
    Fault(OLD_COPY, "squads", "those who leave are counted", left_out("leave", of("total"))),
    Fault(OLD_COPY, "squads", "those who come are not counted", left_out("sign", of("total"))),
)

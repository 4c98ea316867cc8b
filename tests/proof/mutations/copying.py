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


def refreshed(id_: str, edit: Callable[[Refresh], Refresh], which: str = "refreshes") -> Edit:
    """Copies are set in another way: `edit` gets what is said of each entity that keeps some."""

    def changed(own: PatternDesign) -> tuple[Refresh, ...]:
        found: tuple[Refresh, ...] = getattr(own, which)
        if not found:
            raise NothingToBreakError("nothing keeps copies of it")
        return tuple(edit(each) for each in found)

    return pattern(id_, **{which: changed})


def followed(id_: str, edit: Callable[[Refresh], Refresh]) -> Edit:
    """The same of copies that a stream keeps."""
    return refreshed(id_, edit, "followed")


def with_stream(view: str | None) -> Edit:
    return lambda made: replace(made, tables=tuple(replace(each, stream=view) for each in made.tables))


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
    Fault(OLD_COPY, "offers", "nobody follows the stream", pattern("rename", followed=())),
    Fault(OLD_COPY, "offers", "the stream is not there", with_stream(None)),
    Fault(OLD_COPY, "offers", "the stream tells keys alone", with_stream("KEYS_ONLY")),
    Fault(OLD_COPY, "offers", "the function finds the first only", followed("rename", steps("reads", limit=1))),
    Fault(OLD_COPY, "offers", "the function sets one value in the place of another", followed("rename", swapped)),
    Fault(OLD_COPY, "offers", "the function sets none", followed("rename", lambda each: replace(each, writes=()))),
    Fault(
        OLD_COPY,
        "offers",
        "the function sets only what is not there",
        followed("rename", steps("writes", condition=Predicate.parse("attribute_not_exists(pk)"))),
    ),
    Fault(OLD_COPY, "offers", "a put with an old value", write("add", of(operation="ConditionCheck"), seen={})),
    Fault(OLD_COPY, "offers", "a put copies something else", read("add", takes={"shopName": "motto"})),
)

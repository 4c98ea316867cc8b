"""Faults of reads of what overlaps, and of the rule that nothing lasts longer than they look back for."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

from tablewright.design.steps import queries, rules
from tablewright.design.values.templates import Template
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import compare
from tablewright.spec.model import Ending
from tests.proof.mutations.editing import read, sort_key
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import as_it_is
from tests.proof.mutations.ruling import attribute, parameter

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tablewright.design.model import SortCondition

LASTING = "wrong overlap"
TOO_LONG = "lasts too long"
DAY = 86_400
FORTNIGHT = 14 * DAY


# ---- what single faults need ----------------------------------------------------------------------------------------


def from_the_window_on(condition: SortCondition) -> Template:
    return condition.low.rename({"_earliest": "from"})


def until_its_beginning(condition: SortCondition) -> Template:
    assert condition.high is not None
    return condition.high.rename({"to": "from"})


def half_the_time_before() -> AbstractContextManager[object]:
    right = queries.shifted
    return patch.object(queries, "shifted", lambda value, by: right(value, by // 2))


def behind_instead_of_before() -> AbstractContextManager[object]:
    right = queries.shifted
    return patch.object(queries, "shifted", lambda value, by: right(value, -by))


def one_without_the_other() -> AbstractContextManager[object]:
    right = rules._check_length

    def lenient(rule: rules.Rule, given: rules.Inputs) -> None:
        if rule.input in given and rule.start in given:
            right(rule, given)

    return patch.object(rules, "_check_length", lenient)


def ended(name: str, operator: str, slot: str) -> tuple[object, ...]:
    return (compare(name, operator, Slot(slot)),)


# ---- the catalogue --------------------------------------------------------------------------------------------------

OVERLAPPING: tuple[Fault, ...] = (
    Fault(LASTING, "bookings", "nothing that began before", sort_key("taken", low=from_the_window_on)),
    Fault(LASTING, "bookings", "no number that began before", sort_key("slots", low=from_the_window_on)),
    Fault(LASTING, "bookings", "only what began before", sort_key("taken", high=until_its_beginning)),
    Fault(LASTING, "bookings", "a day too short", read("taken", longest=FORTNIGHT - DAY)),
    Fault(LASTING, "bookings", "one too short", read("slots", longest=29)),
    Fault(LASTING, "bookings", "what has ended as well", read("taken", filters=())),
    Fault(LASTING, "bookings", "numbers that have ended as well", read("slots", filters=())),
    Fault(LASTING, "bookings", "counted what has ended", read("how-many", filters=())),
    Fault(
        LASTING, "bookings", "without what ends at the beginning", read("taken", filters=ended("endsAt", ">", "from"))
    ),
    Fault(LASTING, "bookings", "only what ends behind it", read("slots", filters=ended("last", ">=", "to"))),
    Fault(LASTING, "bookings", "its beginning for its end", read("taken", filters=ended("startsAt", ">=", "from"))),
    Fault(LASTING, "bookings", "the limit before the filter", read("last-taken", filters=(), limit=3)),
    Fault(LASTING, "bookings", "half of the time", as_it_is, half_the_time_before),
    Fault(LASTING, "bookings", "the wrong direction", as_it_is, behind_instead_of_before),
    Fault(TOO_LONG, "bookings", "any length is put", parameter("book", "endsAt", ends=None)),
    Fault(TOO_LONG, "bookings", "any length after a change", parameter("move", "endsAt", ends=None)),
    Fault(TOO_LONG, "bookings", "any number after a change", parameter("prolong", "last", ends=None)),
    Fault(TOO_LONG, "bookings", "a second longer", parameter("book", "endsAt", ends=Ending("startsAt", FORTNIGHT + 1))),
    Fault(
        TOO_LONG, "bookings", "a second shorter", parameter("book", "endsAt", ends=Ending("startsAt", FORTNIGHT - 1))
    ),
    Fault(TOO_LONG, "bookings", "only one of the two", parameter("edit", "endsAt", ends=Ending("startsAt", FORTNIGHT))),
    Fault(TOO_LONG, "bookings", "one without the other", as_it_is, one_without_the_other),
    Fault(TOO_LONG, "bookings", "any length in a list", attribute("Slot", "last", ends=None)),
)

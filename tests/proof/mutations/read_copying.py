"""Faults of read copies: one that is not kept with the others, one that is not there, pages of two of them."""

from __future__ import annotations

from random import randrange
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from tablewright.design.steps import queries
from tablewright.design.values.amounts import Amount
from tablewright.design.values.templates import KeyTemplate, Template
from tests.proof.mutations.editing import in_key, item, left_out, one_by_one, read, repeated, write
from tests.proof.mutations.fault import Fault
from tests.proof.mutations.paging import as_it_is

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tablewright.design.model import Design, ItemType, ReadStep, WriteStep
    from tests.proof.mutations.editing import Selector

COPIES = "copies that differ"


# ---- what single faults need ----------------------------------------------------------------------------------------


def copy(number: int, operation: str = "", *, listed: bool = False) -> Selector:
    """The write steps on the copies of that number: of single items, or of the list."""

    def select(made: Design, step: WriteStep) -> bool:
        keys = made.item(step.item).table_keys
        is_meant = keys.copy == number and ("kind" in keys.partition) == listed
        return is_meant and operation in ("", step.operation)

    return select


def one_copy_more(step: ReadStep) -> int:
    return step.copies + 1


def counted_from_none() -> AbstractContextManager[object]:
    return patch.object(queries, "_any_copy", lambda step: str(randrange(step.copies)))


def pages_of_any_copy() -> AbstractContextManager[object]:
    """Who goes on with a list asks another copy than before."""
    right = queries._copy_in

    def forgetful(step: Any, after: Any) -> tuple[str, Any]:
        number, place = right(step, after)
        return (number, None) if after is None else (str(int(number) % step.copies + 1), place)

    return patch.object(queries, "_copy_in", forgetful)


def pages_begun_anew() -> AbstractContextManager[object]:
    right = queries._copy_in
    return patch.object(queries, "_copy_in", lambda step, after: (right(step, after)[0], None))


def without_price(each: ItemType) -> Any:
    return tuple(attribute for attribute in each.attributes if attribute.name != "price")


def twice(add: Any) -> Any:
    return {path: Amount.parse("2") for path in add}


def of_the_first(step: WriteStep) -> tuple[KeyTemplate, ...]:
    """The key of the first copy in the place of the second's."""
    return in_key(step, lambda text: text.removesuffix("#2") + "#1" if text.endswith("#2") else text)


def item_itself(_: ReadStep) -> tuple[KeyTemplate, ...]:
    return (KeyTemplate("pk", Template.parse("DISH.COPY#{dishId}")),)


# ---- the catalogue --------------------------------------------------------------------------------------------------

READ_COPYING: tuple[Fault, ...] = (
    Fault(COPIES, "menu", "a put forgets one", left_out("add", copy(2, "PutItem"))),
    Fault(COPIES, "menu", "a first put forgets one", left_out("new", copy(1, "PutItem"))),
    Fault(COPIES, "menu", "a change forgets one", left_out("change", copy(2))),
    Fault(COPIES, "menu", "a change forgets one in the list", left_out("change", copy(1, listed=True))),
    Fault(COPIES, "menu", "a sum forgets one", left_out("sell", copy(2))),
    Fault(COPIES, "menu", "a sum is added twice to one", write("sell", copy(2), add=lambda step: twice(step.add))),
    Fault(COPIES, "menu", "a delete leaves one", left_out("drop", copy(2))),
    Fault(COPIES, "menu", "a delete leaves one in the list", left_out("drop", copy(2, listed=True))),
    Fault(COPIES, "menu", "what is renamed stays in one place", left_out("rename", copy(2, "DeleteItem", listed=True))),
    Fault(COPIES, "menu", "what is renamed is missing in one", left_out("rename", copy(1, "PutItem", listed=True))),
    Fault(COPIES, "menu", "a change is no transaction", one_by_one("change")),
    Fault(COPIES, "menu", "a first put is no transaction", one_by_one("new")),
    Fault(COPIES, "menu", "the first is changed twice", write("change", copy(2), key=of_the_first)),
    Fault(COPIES, "menu", "one lacks an attribute", item("Dish copy", attributes=without_price)),
    Fault(COPIES, "menu", "one is written twice", repeated("drop", copy(1))),
    Fault(COPIES, "menu", "one is asked that is not there", read("dish", copies=one_copy_more)),
    Fault(COPIES, "menu", "a list is asked that is not there", read("of-kind", copies=one_copy_more)),
    Fault(COPIES, "menu", "none has that key", read("dish", pk=item_itself)),
    Fault(COPIES, "menu", "a strong read that is none", read("of-kind", consistent=False)),
    Fault(COPIES, "menu", "counted from 0", as_it_is, counted_from_none),
    Fault(COPIES, "menu", "pages of different copies", as_it_is, pages_of_any_copy),
    Fault(COPIES, "menu", "pages that begin anew", as_it_is, pages_begun_anew),
)

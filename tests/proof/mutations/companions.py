"""Faults of what is written along: sentinels, second items, index keys, details, totals, embedded children."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.design.values.amounts import Amount
from tablewright.design.values.templates import Path, Template
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import exists
from tests.proof.mutations.editing import (
    NothingToBreakError,
    in_key,
    item,
    left_out,
    of,
    one_after_the_other,
    read,
    rewritten,
    unset,
    write,
)
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Design, WriteStep
    from tests.proof.mutations.editing import Edit

SENTINEL = "sentinel"
STALE = "stale copy"
TOTAL = "wrong total"


# ---- what single faults need ----------------------------------------------------------------------------------------


def key_of(edit: Callable[[str], str]) -> dict[str, Any]:
    return {"key": lambda step: in_key(step, edit)}


def put(kind: str) -> Callable[[Design, WriteStep], bool]:
    return of(kind, "PutItem")


def deleted(kind: str) -> Callable[[Design, WriteStep], bool]:
    return of(kind, "DeleteItem")


def own_namespace(entity: str) -> Edit:
    """The sentinels of one of two entities that share their values have keys of their own."""

    def change(made: Design) -> Design:
        found = [each for each in made.items if each.kind == "sentinel" and each.entity == entity]
        if not found:
            raise NothingToBreakError(f"{entity} has no sentinel")
        (pk,) = found[0].table_keys.pk
        return rewritten(pk.field, lambda text: f"{entity}.{text}", item=found[0].name)(made)

    return change


def half_of_a_pair(made: Design) -> Design:
    """The second of two attributes is not in the sentinel's key."""
    shorter = re.compile(r"#\{(old\.)?badge\}")
    return rewritten("pk", lambda text: shorter.sub("", text), item="PassHolderBadge")(made)


def renewed(made: Design, step: WriteStep) -> bool:
    """Steps that write again what stays the same."""
    return made.item(step.item).kind == "sentinel" and bool(step.if_same)


def added(**written: str) -> dict[str, Any]:
    """Other amounts, of those attributes that are added to."""

    def other(step: WriteStep) -> dict[Path, Amount]:
        return {path: Amount.parse(written.get(path.name, str(each))) for path, each in step.add.items()}

    return {"add": other}


def adding(sign: int) -> Callable[[Design, WriteStep], bool]:
    """Steps that count one more, or one less."""

    def select(made: Design, step: WriteStep) -> bool:
        return made.item(step.item).kind == "total" and str(step.add.get(Path("total"))) == str(sign)

    return select


def differing(made: Design, step: WriteStep) -> bool:
    """Steps on totals of what stays in its group."""
    return made.item(step.item).kind == "total" and bool(step.if_same)


def new_for_old(text: str) -> str:
    return text.replace("{old.", "{")


def old_for_new(text: str) -> str:
    return re.sub(r"\{(new\.)?branch\}", "{old.branch}", text)


def groups_swapped(made: Design) -> Design:
    """The old group gets what the new one should, and the other way round."""
    made = write("transfer", adding(-1), **key_of(new_for_old))(made)
    return write("transfer", adding(1), **key_of(old_for_new))(made)


# ---- the catalogue --------------------------------------------------------------------------------------------------

COMPANIONS: tuple[Fault, ...] = (
    Fault(SENTINEL, "readers", "none for a new item", left_out("join", of("sentinel"))),
    Fault(SENTINEL, "readers", "none for a new value", left_out("rename", put("sentinel"))),
    Fault(SENTINEL, "readers", "put over another's", write("join", put("sentinel"), condition=None)),
    Fault(SENTINEL, "readers", "put over another's by a change", write("rename", put("sentinel"), condition=None)),
    Fault(SENTINEL, "readers", "never removed by a delete", left_out("leave", deleted("sentinel"))),
    Fault(SENTINEL, "readers", "never removed by a change", left_out("rename", deleted("sentinel"))),
    Fault(SENTINEL, "readers", "a replaced item's stays", left_out("save", deleted("sentinel"))),
    Fault(
        SENTINEL,
        "readers",
        "a put over its own is refused",
        one_after_the_other(left_out("save", deleted("sentinel")), write("save", put("sentinel"), unless_same=())),
    ),
    Fault(SENTINEL, "handles", "each entity has its own", own_namespace("Team")),
    Fault(SENTINEL, "handles", "none for a team", left_out("found", of("sentinel"))),
    Fault(SENTINEL, "handles", "put over another's by a change", write("rename", put("sentinel"), condition=None)),
    Fault(
        SENTINEL,
        "readers",
        "every e-mail is the same",
        rewritten("pk", lambda text: text.replace("{email}", "").replace("{old.email}", ""), item="ReaderEmail"),
    ),
    Fault(SENTINEL, "clubs", "half of what is unique together", half_of_a_pair),
    Fault(SENTINEL, "clubs", "stays where its value is taken away", left_out("relabel", deleted("sentinel"))),
    Fault(SENTINEL, "clubs", "does not expire with its item", left_out("issue", renewed)),
    Fault(STALE, "social", "second item not written", left_out("follow", of("copy"))),
    Fault(STALE, "social", "item not written", left_out("follow", of("entity"))),
    Fault(STALE, "social", "second item not updated", left_out("note", of("copy"))),
    Fault(STALE, "regions", "second item not updated", left_out("mark", of("copy"))),
    Fault(STALE, "moves", "old item stays when it is replaced", left_out("put", deleted("entity"))),
    Fault(STALE, "moves", "old item stays when it moves", left_out("pay", deleted("entity"))),
    Fault(STALE, "moves", "item goes but does not arrive", left_out("pay", put("entity"))),
    Fault(STALE, "moves", "pointer stays behind", left_out("pay", of("sentinel"))),
    Fault(STALE, "moves", "pointer of what is gone", left_out("drop", of("sentinel"))),
    Fault(
        STALE,
        "social",
        "second item replaced only where there is one",
        write("follow", of("copy"), condition=exists("pk")),
    ),
    Fault(STALE, "shop", "index keys not updated", write("assign", set=unset("*pk", "*sk"))),
    Fault(STALE, "shop", "half of an index key", write("assign", set=unset("*sk"))),
    Fault(STALE, "queue", "index key not updated", write("change", set=unset("*pk"))),
    Fault(STALE, "lines", "local index key not updated", write("change", set=unset("*sk"))),
    Fault(STALE, "ticks", "sharded index key not updated", write("change", set=unset("*sk"))),
    Fault(STALE, "desk", "key of a sparse index not removed", write("turn", set=unset("*pk", "*sk"))),
    Fault(STALE, "desk", "key of a sparse index not removed, half", write("pin", set=unset("*sk"))),
    Fault(STALE, "portraits", "detail not written", left_out("join", of("detail"))),
    Fault(STALE, "portraits", "detail made for nobody", write("picture", condition=None)),
    Fault(STALE, "phones", "children of one kind on top of each other", item("Phone embedded", entry="kind")),
    Fault(
        STALE,
        "phones",
        "a child under another's name",
        write("add-phone", set={Path("phones", Slot("readerId")): Template(Slot("*"))}),
    ),
    Fault(TOTAL, "loans", "new items not counted", left_out("lend", of("total"))),
    Fault(TOTAL, "loans", "new items counted twice", write("lend", of("total"), **added(total="2"))),
    Fault(TOTAL, "loans", "a replaced item counts on in its old group", left_out("lend", adding(-1))),
    Fault(TOTAL, "loans", "a replaced item's sum not followed", left_out("lend", differing)),
    Fault(TOTAL, "loans", "a replaced item's sum taken for new", write("lend", differing, **added(feeTotal="{fee}"))),
    Fault(TOTAL, "loans", "gone items not taken off", left_out("return", of("total"))),
    Fault(TOTAL, "loans", "gone items counted", write("return", of("total"), **added(total="1"))),
    Fault(TOTAL, "loans", "gone items' sums not taken off", write("return", of("total"), **added(feeTotal="0"))),
    Fault(TOTAL, "loans", "old group keeps a moved item", left_out("transfer", adding(-1))),
    Fault(TOTAL, "loans", "new group lacks a moved item", left_out("transfer", adding(1))),
    Fault(TOTAL, "loans", "an unmoved item counts again", write("transfer", adding(1), unless_same=())),
    Fault(
        TOTAL, "loans", "the whole instead of the difference", write("charge", of("total"), **added(feeTotal="{fee}"))
    ),
    Fault(TOTAL, "loans", "a changed sum not followed", left_out("charge", of("total"))),
    Fault(TOTAL, "loans", "a sum of what it was", write("lend", of("total"), **added(feeTotal="1"))),
    Fault(TOTAL, "loans", "the groups of a moved item swapped", groups_swapped),
    Fault(TOTAL, "loans", "a total without its type", write("lend", of("total"), set=unset("_type"))),
    Fault(
        TOTAL,
        "loans",
        "another group is read",
        read("how-many", pk=lambda step: in_key(step, lambda text: text.replace("BRANCH", "READER"))),
    ),
)

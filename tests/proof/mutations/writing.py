"""Faults of writes: conditions lost, transactions taken apart, amounts, constants, removals, cascades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.design.values.amounts import Amount
from tablewright.design.values.templates import Path, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import Predicate
from tests.proof.mutations.editing import (
    NothingToBreakError,
    in_key,
    left_out,
    of,
    one_after_the_other,
    one_by_one,
    pattern,
    unset,
    without,
    write,
)
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Cascade, Design, PatternDesign, WriteStep
    from tablewright.design.values.templates import KeyTemplate
    from tests.proof.mutations.editing import Edit

LOST_CONDITION = "lost condition"
LOST_UPDATE = "lost update"
PARENT_CHECK = "lost parent check"
VERSION = "lost version"
OVERSELL = "oversell"
CONSTANT = "wrong change"
TRANSACTION = "transaction taken apart"
LEFT_OVER = "left-over after a delete"
IDEMPOTENT = "lost idempotency"


# ---- what single faults need ----------------------------------------------------------------------------------------


def lost(text: str) -> dict[str, Any]:
    """The part of a condition with this text is forgotten."""
    return {"condition": without(text)}


def amounts(written: str) -> dict[str, Any]:
    """Something else is added."""

    def other(step: WriteStep) -> dict[Path, Amount]:
        return dict.fromkeys(step.add, Amount.parse(written))

    return {"add": other}


def set_instead_of_add(name: str, value: str) -> dict[str, Any]:
    """The attribute becomes what should be added to it."""

    def plain(step: WriteStep) -> dict[Path, Amount]:
        if Path(name) not in step.add:
            raise NothingToBreakError(f"{name} is not added to")
        return {each: amount for each, amount in step.add.items() if each.name != name}

    return {"add": plain, "set": lambda step: {**step.set, Path(name): slot(value)}}


def constants(**values: Any) -> dict[str, Any]:
    """Other constants, of those that are set."""

    def other(step: WriteStep) -> dict[str, Any]:
        return {name: values.get(name, value) for name, value in step.constants.items()}

    return {"constants": other}


def fewer_constants(name: str) -> dict[str, Any]:
    return {"constants": lambda step: {each: value for each, value in step.constants.items() if each != name}}


def cascade(id_: str, edit: Callable[[Cascade], Cascade | None]) -> Edit:
    """Other things go with what is deleted: `edit` gets each of them."""

    def changed(own: PatternDesign) -> tuple[Cascade, ...]:
        return tuple(new for each in _cascades(own) if (new := edit(each)) is not None)

    return pattern(id_, cascade=changed)


def _cascades(own: PatternDesign) -> tuple[Cascade, ...]:
    if not own.cascade:
        raise NothingToBreakError("nothing goes with it")
    return own.cascade


def staying(entity: str) -> Callable[[Cascade], Cascade | None]:
    """What names a deleted item stays."""
    return lambda each: None if each.entity == entity else each


def without_writes_of(kind: str) -> Edit:
    """What belongs to a child that goes with its parent stays: its sentinel, or its part of a total."""

    def change(made: Design) -> Design:
        def fewer(each: Cascade) -> Cascade:
            return replace(each, writes=tuple(w for w in each.writes if made.item(w.item).kind != kind))

        return cascade("dissolve", fewer)(made)

    return change


def going_on(id_: str, which: str, **fields: Any) -> Edit:
    """Other fields of the `reads` or `writes` of all that goes with what is deleted."""

    def changed(each: Cascade) -> Cascade:
        return replace(each, **{which: tuple(replace(step, **fields) for step in getattr(each, which))})

    return cascade(id_, changed)


def with_old_values(step: WriteStep) -> tuple[KeyTemplate, ...]:
    return in_key(step, lambda text: text.replace("{", "{old."))


def only_keys_that_are_not_there(step: WriteStep) -> Predicate | None:
    """`exists` where `not exists` was meant, and the other way round."""
    text = str(step.condition)
    turned = text.replace("attribute_not_exists", "!").replace("attribute_exists", "attribute_not_exists")
    return Predicate.parse(turned.replace("!", "attribute_exists"))


ALWAYS = Predicate.parse("attribute_exists(pk) OR attribute_not_exists(pk)")
CHECK = of(operation="ConditionCheck")
PUT, UPDATE, DELETE = of(operation="PutItem"), of(operation="UpdateItem"), of(operation="DeleteItem")

# ---- the catalogue --------------------------------------------------------------------------------------------------

WRITING: tuple[Fault, ...] = (
    Fault(LOST_CONDITION, "shop", "a create overwrites", write("place", condition=None)),
    Fault(LOST_CONDITION, "shop", "an update makes items", write("correct", condition=None)),
    Fault(LOST_CONDITION, "shop", "when is not asked", write("assign", **lost("before"))),
    Fault(LOST_CONDITION, "queue", "a delete without its when", write("close", **lost("done"))),
    Fault(LOST_CONDITION, "best", "a worse score is kept", write("score", condition=None)),
    Fault(
        LOST_CONDITION,
        "best",
        "a score only for those who have one",
        write("score", condition=Predicate.parse("points < {points}")),
    ),
    Fault(
        LOST_CONDITION,
        "best",
        "an equal score is written",
        write("score", condition=Predicate.parse("attribute_not_exists(points) OR points <= {points}")),
    ),
    Fault(LOST_CONDITION, "likes", "a second like counts", write("like", PUT, condition=None)),
    Fault(LOST_CONDITION, "likes", "a like of no post makes one", write("like", UPDATE, condition=None)),
    Fault(LOST_CONDITION, "likes", "unlike without a like", write("unlike", DELETE, condition=None)),
    Fault(LOST_CONDITION, "basket", "an order is placed twice", write("place", of(entity="Order"), condition=None)),
    Fault(LOST_CONDITION, "basket", "a line is placed twice", write("place", of(entity="Line"), condition=None)),
    Fault(LOST_CONDITION, "two-tables", "a receipt is written over", write("receive", PUT, condition=None)),
    Fault(LOST_CONDITION, "aisles", "not exists turned round", write("put", condition=only_keys_that_are_not_there)),
    Fault(LOST_CONDITION, "social", "a note makes an edge", write("note", condition=None)),
    Fault(LOST_CONDITION, "electro", "a create overwrites", write("place", condition=None)),
    Fault(LOST_UPDATE, "shop", "races ignored", write("assign", unchanged=())),
    Fault(LOST_UPDATE, "shop", "races ignored, the other attribute", write("hurry", unchanged=())),
    Fault(LOST_UPDATE, "desk", "races ignored, sparse index", write("turn", unchanged=())),
    Fault(LOST_UPDATE, "desk", "races ignored, present or not", write("pin", unchanged=())),
    Fault(LOST_UPDATE, "moves", "races ignored, an item that moves", write("pay", unchanged=())),
    Fault(LOST_UPDATE, "moves", "races ignored, an item that is replaced", write("put", unchanged=(), condition=None)),
    Fault(LOST_UPDATE, "loans", "races ignored, total", write("transfer", unchanged=())),
    Fault(LOST_UPDATE, "loans", "races ignored, sum", write("charge", unchanged=())),
    Fault(LOST_UPDATE, "loans", "races ignored, delete and total", write("return", unchanged=())),
    Fault(
        LOST_UPDATE,
        "readers",
        "races ignored, sentinel",
        one_after_the_other(write("rename", unchanged=()), write("rename", DELETE, condition=None)),
    ),
    Fault(LOST_UPDATE, "readers", "races ignored, delete and sentinel", write("leave", unchanged=(), condition=None)),
    Fault(LOST_UPDATE, "clubs", "races ignored, time of a sentinel", write("extend", unchanged=())),
    Fault(LOST_UPDATE, "clubs", "what was given away goes all the same", going_on("close", "writes", unchanged=())),
    Fault(PARENT_CHECK, "clubs", "moved to no club", left_out("move", of(operation="ConditionCheck"))),
    Fault(PARENT_CHECK, "clubs", "the old club is asked for", write("move", CHECK, key=with_old_values)),
    Fault(PARENT_CHECK, "tree", "a board of no project", left_out("add-board", of(operation="ConditionCheck"))),
    Fault(PARENT_CHECK, "tree", "a card of no board", left_out("add-card", of(operation="ConditionCheck"))),
    Fault(
        PARENT_CHECK,
        "tree",
        "any project will do",
        write("add-board", of(operation="ConditionCheck"), condition=ALWAYS),
    ),
    Fault(
        PARENT_CHECK,
        "tree",
        "a card of no board, told by its project",
        write(
            "add-card",
            of(operation="ConditionCheck"),
            key=lambda step: in_key(step, lambda text: text.replace("BOARD", "PROJECT")),
        ),
    ),
    Fault(VERSION, "versions", "a put without having seen the last", write("save", **lost("version"))),
    Fault(VERSION, "versions", "an update without having seen the last", write("edit", **lost("version"))),
    Fault(VERSION, "versions", "a delete without having seen the last", write("discard", **lost("version"))),
    Fault(VERSION, "versions", "a put does not raise it", write("save", **amounts("{version}"))),
    Fault(VERSION, "versions", "raised by two", write("edit", **amounts("{version} + 2"))),
    Fault(VERSION, "versions", "an update does not raise it", write("edit", add={}, set=unset("version"))),
    Fault(OVERSELL, "stock", "nobody asks what is left", write("reserve", **lost("qty"))),
    Fault(OVERSELL, "stock", "nobody asks in the transaction", write("sell", UPDATE, **lost("qty"))),
    Fault(
        OVERSELL,
        "stock",
        "the last one is not sold",
        write("reserve", condition=Predicate.parse("attribute_exists(pk) AND stock > {qty}")),
    ),
    Fault(OVERSELL, "stock", "set instead of added", write("restock", **set_instead_of_add("stock", "qty"))),
    Fault(OVERSELL, "stock", "read, then set", write("viewed", add={}, set={Path("sold"): slot("old.sold")})),
    Fault(OVERSELL, "stock", "added instead of taken off", write("reserve", **amounts("{qty}"))),
    Fault(OVERSELL, "stock", "one instead of what was asked", write("sell", UPDATE, **amounts("-1"))),
    Fault(OVERSELL, "likes", "likes set to one", write("like", UPDATE, **set_instead_of_add("likes", "postId"))),
    Fault(CONSTANT, "stock", "another constant", write("hide", **constants(state="listed"))),
    Fault(CONSTANT, "stock", "no constant", write("hide", **fewer_constants("state"))),
    Fault(CONSTANT, "stock", "not removed", write("hide", remove=())),
    Fault(CONSTANT, "shop", "an attribute forgotten", write("assign", set=unset("courier"))),
    Fault(
        CONSTANT,
        "shop",
        "one attribute too many",
        write("correct", set=lambda step: {**step.set, Path("courier"): slot("total")}),
    ),
    Fault(CONSTANT, "shop", "one attribute removed along", write("correct", remove=(Path("urgency"),))),
    Fault(CONSTANT, "regions", "a put of some attributes", write("put", PUT, all_attributes=False)),
    Fault(TRANSACTION, "social", "two edges", one_by_one("follow")),
    Fault(TRANSACTION, "moves", "delete here and put there", one_by_one("pay")),
    Fault(TRANSACTION, "moves", "item and pointer", one_by_one("put")),
    Fault(TRANSACTION, "likes", "like and post", one_by_one("like")),
    Fault(TRANSACTION, "stock", "sale and product", one_by_one("sell")),
    Fault(TRANSACTION, "readers", "item and sentinel", one_by_one("rename")),
    Fault(TRANSACTION, "loans", "item and total", one_by_one("lend")),
    Fault(TRANSACTION, "basket", "order and lines", one_by_one("place")),
    Fault(TRANSACTION, "two-tables", "two tables", one_by_one("receive")),
    Fault(TRANSACTION, "portraits", "item and detail", one_by_one("join")),
    Fault(LEFT_OVER, "tree", "the children", cascade("end", staying("Board"))),
    Fault(LEFT_OVER, "tree", "the grandchildren", cascade("end", staying("Card"))),
    Fault(LEFT_OVER, "tree", "the edges", cascade("end", staying("Member"))),
    Fault(LEFT_OVER, "tree", "the children of a child that is deleted", cascade("drop-board", staying("Card"))),
    Fault(LEFT_OVER, "tree", "everything", pattern("end", cascade=())),
    Fault(LEFT_OVER, "teams", "the sentinels of children", without_writes_of("sentinel")),
    Fault(LEFT_OVER, "teams", "what children count", without_writes_of("total")),
    Fault(LEFT_OVER, "clubs", "children whose parent is gone already", pattern("close", resumes=False)),
    Fault(LEFT_OVER, "clubs", "children that have expired", going_on("close", "reads", unexpired="until")),
    Fault(LEFT_OVER, "clubs", "all children but one", going_on("close", "reads", limit=1)),
    Fault(LEFT_OVER, "phones", "a child", write("drop-phone", remove=(Path("phones", Slot("readerId")),))),
    Fault(LEFT_OVER, "shop", "the item", write("cancel", operation="UpdateItem", remove=(Path("courier"),))),
    Fault(LEFT_OVER, "social", "the second item", left_out("unfollow", of("copy"))),
    Fault(LEFT_OVER, "social", "the item", left_out("unfollow", of("entity"))),
    Fault(LEFT_OVER, "portraits", "the detail", left_out("leave", of("detail"))),
    Fault(LEFT_OVER, "two-tables", "an item in the other table", write("receive", UPDATE, table="two-tables-Receipt")),
    Fault(IDEMPOTENT, "versions", "the token is lost", pattern("hit", idempotent=False)),
    Fault(IDEMPOTENT, "stock", "the token is lost", pattern("restock", idempotent=False)),
    Fault(IDEMPOTENT, "best", "the token is lost", pattern("played", idempotent=False)),
)

"""Faults of keys and of where items lie: items on top of each other, values that collide, labels, shards, buckets."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from msgspec.structs import replace

from tablewright.design import encoding
from tablewright.design.model import SortCondition
from tablewright.design.steps import encoding as steps_encoding
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import KeyTemplate, Template
from tablewright.schema.ordered import signed_text
from tablewright.wire.values import js_number_text
from tests.proof.mutations.editing import (
    in_key,
    index_of,
    item,
    keys,
    one_after_the_other,
    pattern_of,
    read,
    rewritten,
    sort_key,
    write,
)
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.design.model import Design, ItemType, ReadStep, WriteStep
    from tests.proof.mutations.editing import Edit

OVERWRITTEN = "overwritten or duplicated id"
TEMPLATE = "wrong key template"
ENCODING = "wrong key encoding"
LABEL = "wrong type label"
SPREAD = "wrong shard or bucket"


# ---- what single faults need ----------------------------------------------------------------------------------------


def key_field(made: Design, serving: str, which: str) -> str:
    """The name of the `pk` or `sk` of the place that a pattern reads."""
    own, place = pattern_of(made, serving), index_of(made, serving)
    name = own.writes[0].table if own.kind == "write" else own.reads[0].table
    table = next(each for each in made.tables if each.name == name)
    found = next((each for each in (*table.gsis, *table.lsis) if each.name == place), None)
    if found is None:
        return table.pk.name if which == "pk" else table.sk.name
    return (found.pk if which == "pk" else found.sk)[0].name


def key(serving: str, which: str, edit: Callable[[str], str], *, only: str = "") -> Edit:
    """The key of a place has another template, wherever it stands."""

    def change(made: Design) -> Design:
        return rewritten(key_field(made, serving, which), edit, item=only)(made)

    return change


def forget(*names: str) -> Callable[[str], str]:
    """A template without these slots and the delimiter behind them."""

    def shorter(text: str) -> str:
        for name in names:
            text = re.sub(r"\{(old\.|new\.)?" + name + r"\}#?", "", text)
        return text

    return shorter


def swap(one: str, other: str) -> Callable[[str], str]:
    """Two slots change places."""

    def swapped(text: str) -> str:
        marked = re.sub(r"\{((?:old\.|new\.)?)" + one + r"\}", r"{\1!}", text)
        marked = re.sub(r"\{((?:old\.|new\.)?)" + other + r"\}", r"{\1" + one + "}", marked)
        return re.sub(r"\{((?:old\.|new\.)?)!\}", r"{\1" + other + "}", marked)

    return swapped


def no_delimiter(text: str) -> str:
    """Values follow each other without anything between them."""
    return text.replace("}#{", "}{")


def other_prefix(text: str) -> str:
    """Another literal text in front, in one place only."""
    return "X" + text


def points_in_table_key(made: Design) -> Design:
    """What is not part of the id stands in the table key: every score is another item."""
    sk = made.tables[0].sk.name
    longer = rewritten(sk, lambda text: text + "#{points}" if "points" not in text else text)
    stem = SortCondition(field=sk, operator="begins_with", low=Template("BEST#"))
    made = longer(made)
    made = read("one", operation="Query", sk=(stem,), limit=1)(made)
    return item("Best", keys=_rest_with("points"))(made)


def role_in_table_key(made: Design) -> Design:
    """The same for an edge that is only put: with another role it is there twice."""
    sk = made.tables[0].sk.name
    made = rewritten(sk, lambda text: text + "#{role}" if "userId" in text else text, item="Member")(made)
    return item("Member", keys=_rest_with("role"))(made)


def unsorted(id_: str) -> Edit:
    """A read takes all of a type, whatever its keys end with, if it does not do so anyway."""
    edit = sort_key(
        id_, operator="begins_with", low=lambda each: Template(each.low.stem.split("#")[0] + "#"), high=None
    )

    def change(made: Design) -> Design:
        return edit(made) if pattern_of(made, id_).reads[0].sk[0].operator != "begins_with" else made

    return change


def _rest_with(name: str) -> Callable[[ItemType], object]:
    def longer(own: ItemType) -> object:
        return tuple(replace(each, rest=(*each.rest, name)) if each.index is None else each for each in own.keys)

    return longer


def in_written_key(edit: Callable[[str], str]) -> Callable[[WriteStep], tuple[KeyTemplate, ...]]:
    return lambda step: in_key(step, edit)


def in_asked_key(edit: Callable[[str], str]) -> Callable[[ReadStep], tuple[KeyTemplate, ...]]:
    return lambda step: in_key(step, edit)


def labelled(name: str) -> Callable[[ItemType], dict[str, object]]:
    """The same constants with another name of the type."""

    def other(own: ItemType) -> dict[str, object]:
        return {attr: name if value == own.name else value for attr, value in own.fixed.items()}

    return other


def as_it_is(made: Design) -> Design:
    """The design is right; whoever runs it is careless."""
    return made


def in_text(write: Callable[[str], str]) -> Callable[[], AbstractContextManager[object]]:
    """Texts stand in keys as this function writes them, whoever writes them."""
    return lambda: _careless("TEXTS", "_escaped", write)


def in_numbers(write: Callable[[Any], str]) -> Callable[[], AbstractContextManager[object]]:
    """The same for numbers."""
    return lambda: _careless("NUMBERS", "_fixed", write)


def in_padding(write: Callable[[Any], str]) -> Callable[[], AbstractContextManager[object]]:
    """The same for numbers in ElectroDB's keys."""
    return lambda: _careless("NUMBERS", "_padded", write, "electrodb")


@contextmanager
def _careless(words: str, name: str, write: Callable[[Any], str], style: str = "plain") -> Iterator[None]:
    with patch.dict(getattr(encoding, words), {style: write}), patch.object(steps_encoding, name, write):
        yield


def as_electrodb(number: Any) -> str:
    return js_number_text(number).rjust(16, "0")


def with_sign(number: Any) -> str:
    return ("-" if number < 0 else "") + signed_text(abs(number), 16)


def unsigned(number: Any) -> str:
    return f"{int(abs(number) * 1_000_000):026d}"


def whole(number: Any) -> str:
    return f"{int(number) + 10**25:026d}"


# ---- the catalogue --------------------------------------------------------------------------------------------------

KEYING: tuple[Fault, ...] = (
    Fault(OVERWRITTEN, "shop", "the id is not in the key", key("order", "pk", forget("orderId"))),
    Fault(OVERWRITTEN, "electro", "the id is not in the key", key("order", "pk", forget("orderId"))),
    Fault(OVERWRITTEN, "social", "half of the id", key("stars", "sk", forget("star"))),
    Fault(OVERWRITTEN, "social", "half of the id, second item", key("stars", "sk", forget("fan"))),
    Fault(
        OVERWRITTEN,
        "readings",
        "one item a bucket",
        one_after_the_other(key("one", "sk", forget("takenAt")), unsorted("between")),
    ),
    Fault(
        OVERWRITTEN,
        "two-tables",
        "one receipt a customer",
        one_after_the_other(key("receipts", "sk", forget("at")), unsorted("receipts")),
    ),
    Fault(OVERWRITTEN, "tree", "one card a board", key("cards", "sk", forget("cardId"))),
    Fault(OVERWRITTEN, "regions", "second items of one date", key("of-region", "sk", forget("parcelId"))),
    Fault(OVERWRITTEN, "loans", "one total for all", key("how-many", "pk", forget("branch"))),
    Fault(OVERWRITTEN, "best", "every score is another item", points_in_table_key),
    Fault(OVERWRITTEN, "tree", "every role is another member", role_in_table_key),
    Fault(OVERWRITTEN, "aisles", "the same book on every shelf", key("of-shelf", "sk", forget("shelf"))),
    Fault(TEMPLATE, "shelves", "second order in front of the first", key("by-year", "sk", swap("year", "title"))),
    Fault(TEMPLATE, "shelves", "second order forgotten", key("by-year", "sk", forget("title"))),
    Fault(
        TEMPLATE,
        "best",
        "sort attribute forgotten",
        one_after_the_other(key("top", "sk", forget("points")), unsorted("top")),
    ),
    Fault(TEMPLATE, "regions", "id in front of the order", key("of-region", "sk", swap("date", "parcelId"))),
    Fault(TEMPLATE, "aisles", "attributes swapped", key("of-shelf", "sk", swap("shelf", "bookId"))),
    Fault(TEMPLATE, "aisles", "values run together", key("of-shelf", "sk", no_delimiter)),
    Fault(TEMPLATE, "best", "values run together", key("one", "pk", no_delimiter)),
    Fault(TEMPLATE, "shelves", "values run together", key("of-shelf", "pk", no_delimiter)),
    Fault(TEMPLATE, "shop", "a read asks under another name", read("of-customer", pk=in_asked_key(other_prefix))),
    Fault(TEMPLATE, "shop", "a delete goes elsewhere", write("cancel", key=in_written_key(other_prefix))),
    Fault(TEMPLATE, "shop", "an update goes elsewhere", write("correct", key=in_written_key(other_prefix))),
    Fault(TEMPLATE, "two-tables", "a read of the other table", read("receipts", table="two-tables-Customer")),
    Fault(TEMPLATE, "likes", "two types under one key", key("of-post", "sk", lambda text: "LIKE")),
    Fault(
        TEMPLATE,
        "electro",
        "another case in a read",
        read("of-customer", pk=in_asked_key(lambda text: text.replace("$electro", "$Electro"))),
    ),
    Fault(ENCODING, "aisles", "delimiters are not escaped", as_it_is, in_text(str)),
    Fault(ENCODING, "best", "delimiters are not escaped", as_it_is, in_text(str)),
    Fault(ENCODING, "social", "case is lost", as_it_is, in_text(str.lower)),
    Fault(ENCODING, "aisles", "blanks are lost", as_it_is, in_text(str.strip)),
    Fault(ENCODING, "best", "numbers are not padded", as_it_is, in_numbers(str)),
    Fault(ENCODING, "shelves", "numbers below zero lose their sign", as_it_is, in_numbers(unsigned)),
    Fault(ENCODING, "lines", "numbers are cut at the point", as_it_is, in_numbers(whole)),
    Fault(ENCODING, "depths", "decimals are padded as text", as_it_is, in_padding(as_electrodb)),
    Fault(ENCODING, "depths", "numbers below zero sort backwards", as_it_is, in_padding(with_sign)),
    Fault(ENCODING, "depths", "decimals are lost", as_it_is, in_padding(lambda number: signed_text(int(number), 16))),
    Fault(LABEL, "readers", "children called as their parent", item("Phone", fixed=labelled("Reader"))),
    Fault(LABEL, "likes", "likes called posts", item("Like", fixed=labelled("Post"))),
    Fault(LABEL, "basket", "orders called lines", item("Order", fixed=labelled("Line"))),
    Fault(LABEL, "two-tables", "receipts called customers", item("Receipt", fixed=labelled("Customer"))),
    Fault(LABEL, "device", "samples called devices", item("Sample", fixed=labelled("Device"))),
    Fault(LABEL, "tree", "cards called boards", item("Card", fixed=labelled("Board"))),
    Fault(LABEL, "phones", "no type at all", item("Reader", fixed=lambda own: {"phones": own.fixed["phones"]})),
    Fault(SPREAD, "ticks", "one shard is never asked", read("newest", shards=lambda step: step.shards - 1)),
    Fault(
        SPREAD,
        "ticks",
        "only the first shard is asked",
        read("since", shards=1, pk=in_asked_key(lambda t: t.replace("{_shard}", "0"))),
    ),
    Fault(
        SPREAD,
        "ticks",
        "written to more shards than are asked",
        keys("Tick", "newest", shards=lambda each: 2 * each.shards),
    ),
    Fault(SPREAD, "readings", "days written, months asked", keys("Reading", "one", bucket=Bucket("takenAt", 10))),
    Fault(SPREAD, "readings", "months written, days asked", read("between", bucket=Bucket("takenAt", 10))),
    Fault(SPREAD, "readings", "a get in the bucket of another length", read("one", bucket=Bucket("takenAt", 4))),
    Fault(
        SPREAD,
        "brief",
        "one shard is never asked",
        read("list", shards=lambda step: step.shards - 1, pk=in_asked_key(lambda t: t.replace("{_shard}", "0"))),
    ),
)

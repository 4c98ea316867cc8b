"""Faults of answers: items left out or too many, the wrong order or number, absent and expired ones, projections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tablewright.design.model import Projection, ReadStep, SortCondition
from tablewright.design.values.templates import HIGHEST, LOWEST, Template
from tablewright.spec.conditions import compare, exists
from tests.proof.mutations.editing import (
    NothingToBreakError,
    flipped,
    in_key,
    index,
    keys,
    one_after_the_other,
    one_less,
    one_more,
    pattern,
    pattern_of,
    read,
    sort_key,
    steps,
)
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from tablewright.design.model import Design
    from tablewright.design.values.templates import KeyTemplate
    from tests.proof.mutations.editing import Edit

DROPPED = "dropped item"
SURPLUS = "surplus item"
ORDER = "wrong order"
LIMIT = "wrong limit"
ABSENT = "absent value"
EXPIRED = "expired item"
PROJECTION = "wrong projection"
AGGREGATE = "wrong aggregate"
LOST_PARENT = "lost parent"
STALE_READ = "stale read"
OF_A_PARENT = "attribute of a parent"


# ---- what single faults need ----------------------------------------------------------------------------------------


def read_elsewhere(id_: str, like: str) -> Edit:
    """A pattern asks where another one does."""

    def change(made: Design) -> Design:
        other = pattern_of(made, like).reads[0]
        return read(id_, index=other.index, sk=other.sk, pk=other.pk)(made)

    return change


def as_fans(step: ReadStep) -> tuple[KeyTemplate, ...]:
    return in_key(step, lambda text: text.replace("STAR#", "FAN#"))


def of_authors(step: ReadStep) -> tuple[KeyTemplate, ...]:
    return tuple(replace(each, template=each.template.rename({"editorId": "authorId"})) for each in step.pk)


def for_each_but(id_: str, name: str, left: str) -> Edit:
    """A pattern asks for all values but one."""

    def fewer(step: ReadStep) -> dict[str, tuple[str, ...]]:
        return {each: tuple(v for v in found if v != left) for each, found in step.for_each.items() if each == name}

    return read(id_, for_each=fewer)


def all_keys(step: ReadStep) -> tuple[SortCondition, ...]:
    """The whole type, items without a sort attribute included."""
    (first,) = step.sk
    return (SortCondition(field=first.field, operator="begins_with", low=Template(first.low.stem.split("#")[0])),)


def only_present(step: ReadStep) -> tuple[SortCondition, ...]:
    """Only those that have the sort attribute, whatever was asked."""
    (first,) = step.sk
    stem = first.low.stem.split("#")[0] + "#"
    return (replace(first, operator="between", low=Template(stem + LOWEST), high=Template(stem + HIGHEST)),)


def lower_end(made_at: str) -> Edit:
    """A range begins right behind its first value."""
    return sort_key(made_at, low=lambda each: Template(*each.low.parts, LOWEST))


def second_first(found: tuple[ReadStep, ...]) -> tuple[ReadStep, ...]:
    """Two steps that are one list, the other way round."""
    if len(found) != 2:
        raise NothingToBreakError("one step only")
    return (replace(found[1], continues=False), replace(found[0], continues=found[1].continues))


def without_last(found: tuple[ReadStep, ...]) -> tuple[ReadStep, ...]:
    if len(found) < 2:
        raise NothingToBreakError("one step only")
    return found[:-1]


def value_by_value(found: tuple[ReadStep, ...]) -> list[ReadStep]:
    """A step for every value that is gone through, instead of one that merges them."""
    return [replace(found[0], for_each={"status": (value,)}) for value in found[0].for_each["status"]]


def limits(id_: str, by: int) -> Edit:
    """Every step of a pattern that has a limit has another one."""
    return read(id_, limit=lambda step: None if step.limit is None else step.limit + by)


def lines_alone(step: ReadStep) -> tuple[SortCondition, ...]:
    del step
    return (SortCondition(field="sk", operator="begins_with", low=Template("LINE#")),)


def without_reads_of(entity: str) -> Edit:
    """No step asks for that entity any more."""

    def change(made: Design) -> Design:
        own = {each.name for each in made.items if each.entity == entity and each.kind == "entity"}
        return steps("each", "reads", lambda found: (each for each in found if set(each.items) != own))(made)

    return change


def includes_not(serving: str, name: str) -> Edit:
    """An index that holds some attributes lacks one of them."""

    def fewer(each: object) -> Projection:
        projection: Projection = each.projection  # type: ignore[attr-defined]
        if name not in projection.attributes:
            raise NothingToBreakError(f"{name} is not included")
        return Projection("INCLUDE", tuple(n for n in projection.attributes if n != name))

    return index(serving, projection=fewer)


# ---- the catalogue --------------------------------------------------------------------------------------------------

READING: tuple[Fault, ...] = (
    Fault(DROPPED, "shop", "index only of what has a courier", keys("Order", "of-customer", when=exists("courier"))),
    Fault(DROPPED, "desk", "index of the wrong value", keys("Ticket", "open", when=compare("status", "=", "waiting"))),
    Fault(
        DROPPED, "desk", "index demands one thing more", keys("Ticket", "pinned", when=compare("status", "=", "open"))
    ),
    Fault(DROPPED, "lines", "local index only of what has a note", keys("Line", "by-date", when=exists("note"))),
    Fault(DROPPED, "queue", "one value is not gone through", for_each_but("of-team", "status", "done")),
    Fault(DROPPED, "queue", "one value is not gone through, filtered", for_each_but("urgent", "status", "new")),
    Fault(DROPPED, "shop", "range ends at its beginning", sort_key("of-status", high=lambda each: each.low)),
    Fault(DROPPED, "shop", "range without its first value", lower_end("of-status")),
    Fault(DROPPED, "native", "range without its first value", sort_key("since", operator=">")),
    Fault(DROPPED, "readings", "range without its first value", lower_end("between")),
    Fault(DROPPED, "loans", "second step stops at one", read("loans-by-email", 1, limit=1)),
    Fault(DROPPED, "social", "asks the items, not their copies", read("fans", pk=as_fans)),
    Fault(DROPPED, "phones", "one child is as good as all", read("phones", limit=1)),
    Fault(DROPPED, "basket", "asks for items of another type", sort_key("posts", low=Template("ORDER"))),
    Fault(SURPLUS, "shop", "filter lost", read("cheap", filters=())),
    Fault(
        SURPLUS,
        "shop",
        "filter the other way round",
        read(
            "cheap",
            filters=lambda s: tuple(compare(f.comparison.attribute, ">", *f.comparison.values) for f in s.filters),
        ),
    ),
    Fault(SURPLUS, "queue", "filter lost while going through values", read("urgent", filters=())),
    Fault(SURPLUS, "phones", "filter on children lost", read("one-phone", filters=())),
    Fault(SURPLUS, "shop", "range lost", read("of-status", sk=())),
    Fault(SURPLUS, "native", "range lost", read("since", sk=())),
    Fault(
        SURPLUS, "readings", "range without an end", sort_key("between", high=lambda e: Template(e.low.stem, HIGHEST))
    ),
    Fault(SURPLUS, "ticks", "range without a beginning", sort_key("since", low=lambda e: Template(e.low.stem, LOWEST))),
    Fault(SURPLUS, "desk", "sparse index of everything", keys("Ticket", "open", when=None)),
    Fault(SURPLUS, "readers", "children without their prefix", read("phones", sk=())),
    Fault(
        SURPLUS,
        "aisles",
        "prefix without its delimiter",
        sort_key("of-shelf", low=lambda each: Template.parse(str(each.low).removesuffix("#"))),
    ),
    Fault(ORDER, "shop", "backwards, merged", read("of-customer", backwards=flipped)),
    Fault(ORDER, "ticks", "backwards, sharded", read("newest", backwards=flipped)),
    Fault(ORDER, "queue", "backwards, gone through values", read("of-status", backwards=flipped)),
    Fault(ORDER, "lines", "backwards, local index", read("by-price", backwards=flipped)),
    Fault(ORDER, "native", "backwards, multi-attribute key", read("dear", backwards=flipped)),
    Fault(ORDER, "readings", "backwards, in buckets", read("between", backwards=flipped)),
    Fault(ORDER, "regions", "backwards, second items", read("of-region", backwards=flipped)),
    Fault(ORDER, "two-tables", "backwards, second table", read("receipts", backwards=flipped)),
    Fault(ORDER, "aisles", "backwards, table", read("library", backwards=flipped)),
    Fault(ORDER, "lines", "the other local index", read_elsewhere("by-date", "by-price")),
    Fault(ORDER, "queue", "values one after the other, not merged", steps("of-team", "reads", value_by_value)),
    Fault(LIMIT, "shop", "one more", read("of-customer", limit=one_more)),
    Fault(LIMIT, "shop", "one less", read("of-customer", limit=one_less)),
    Fault(LIMIT, "shop", "none", read("of-customer", limit=None)),
    Fault(LIMIT, "ticks", "one more, sharded", read("newest", limit=one_more)),
    Fault(LIMIT, "queue", "one less, gone through values", read("of-team", limit=one_less)),
    Fault(LIMIT, "lines", "none, local index", read("by-price", limit=None)),
    Fault(LIMIT, "native", "one more, multi-attribute key", read("dear", limit=one_more)),
    Fault(LIMIT, "best", "none, index", read("top", limit=None)),
    Fault(LIMIT, "device", "counts the parent", limits("with-newest", -1)),
    Fault(LIMIT, "device", "one child too many", limits("with-newest", 1)),
    Fault(LIMIT, "device", "none in the second of two queries", read("each", 1, limit=None)),
    Fault(LIMIT, "device", "one more in the second of two queries", read("each", 1, limit=one_more)),
    Fault(LIMIT, "device", "of one entity, counts the parent", limits("each", -1)),
    Fault(LIMIT, "device", "counts the parent at the edge", read("with-newest", beside="")),
    Fault(LIMIT, "device", "counts the children instead", read("with-newest", beside="Sample")),
    Fault(LIMIT, "device", "none but the parent's", read("with-newest", limit=None)),
    Fault(LOST_PARENT, "device", "only the children", without_reads_of("Device")),
    Fault(LOST_PARENT, "device", "ends before the edge", sort_key("with-newest", high=Template("SAMPLE#", HIGHEST))),
    Fault(ORDER, "device", "forwards to the edge", read("with-newest", backwards=False)),
    Fault(LOST_PARENT, "readers", "only the children", read_elsewhere("both", "phones")),
    Fault(LOST_PARENT, "phones", "only the children, embedded", read("both", entities=("Phone",))),
    Fault(LOST_PARENT, "basket", "only the children", read("order-and-lines", sk=lines_alone)),
    Fault(ABSENT, "todo", "left out, ascending", steps("by-due", "reads", without_last)),
    Fault(ABSENT, "todo", "left out, descending", read("by-weight", sk=only_present)),
    Fault(ABSENT, "todo", "first instead of last", steps("by-due", "reads", second_first)),
    Fault(ABSENT, "todo", "last instead of first", steps("heavy-first", "reads", second_first)),
    Fault(ABSENT, "todo", "a limit for each list", read("by-due", continues=False)),
    Fault(ABSENT, "todo", "shown where they were not asked for", read("only-due", sk=all_keys)),
    Fault(ABSENT, "todo", "a sparse index", keys("Task", "by-weight", when=exists("weight"))),
    Fault(
        ABSENT,
        "shop",
        "shown where they were not asked for",
        one_after_the_other(keys("Order", "of-courier", when=None), read("of-courier", sk=all_keys)),
    ),
    Fault(EXPIRED, "sessions", "shown by a get", read("session", unexpired=None)),
    Fault(EXPIRED, "sessions", "shown in a list", read("of-user", unexpired=None)),
    Fault(EXPIRED, "clubs", "shown by a list of ids", read("some-passes", unexpired=None)),
    Fault(EXPIRED, "clubs", "not there for a write", read("relabel", unexpired="until")),
    Fault(EXPIRED, "sessions", "hidden where they were asked for", read("ever", unexpired="gone")),
    Fault(EXPIRED, "sessions", "another attribute says when", read("of-user", unexpired="startedAt")),
    Fault(PROJECTION, "shop", "index of keys alone", index("of-customer", projection=Projection("KEYS_ONLY"))),
    Fault(PROJECTION, "brief", "index lacks what is returned", includes_not("list", "date")),
    Fault(PROJECTION, "brief", "index lacks the type", includes_not("list", "_type")),
    Fault(PROJECTION, "brief", "items behind the keys are not fetched", steps("seldom", "reads", without_last)),
    Fault(PROJECTION, "lines", "local index of keys alone", index("by-date", projection=Projection("KEYS_ONLY"))),
    Fault(PROJECTION, "portraits", "detail is not joined", steps("whole", "reads", without_last)),
    Fault(PROJECTION, "portraits", "details of a list are not joined", steps("named", "reads", without_last)),
    Fault(PROJECTION, "social", "asks for too little", read("stars", projection=("fan", "star", "_type"))),
    Fault(AGGREGATE, "loans", "the count instead of the greatest", pattern("highest", aggregate={"count": ""})),
    Fault(AGGREGATE, "loans", "the greatest from the wrong end", read("highest", backwards=flipped)),
    Fault(AGGREGATE, "loans", "the sum instead of the count", pattern("how-many", aggregate={"total": "feeTotal"})),
    Fault(AGGREGATE, "loans", "the count instead of the sum", pattern("fees", aggregate={"total": "total"})),
    Fault(
        AGGREGATE,
        "loans",
        "the sum of all instead of the greatest",
        one_after_the_other(pattern("highest", aggregate={"sum": "fee"}), read("highest", limit=None)),
    ),
    Fault(STALE_READ, "lines", "a local index read eventually", read("by-date", consistent=False)),
    Fault(STALE_READ, "regions", "a get read eventually", read("get", consistent=False)),
    Fault(STALE_READ, "regions", "second items read eventually", read("of-region", consistent=False)),
    Fault(STALE_READ, "shop", "an index cannot be read strongly", read("of-courier", consistent=True)),
    Fault(OF_A_PARENT, "posts", "parents are not read", steps("of-topic", "reads", without_last)),
    Fault(OF_A_PARENT, "posts", "another attribute", read("of-topic", 1, takes={"authorId.pen": "city"})),
    Fault(OF_A_PARENT, "posts", "under another name", read("of-topic", 1, takes={"pen": "pen"})),
    Fault(OF_A_PARENT, "posts", "one of two", read("edited", 1, takes={"editorId.pen": "pen"})),
    Fault(OF_A_PARENT, "posts", "of another parent", read("edited", 1, pk=of_authors)),
    Fault(OF_A_PARENT, "posts", "all of it", read("post", 1, takes={})),
    Fault(OF_A_PARENT, "posts", "instead of the item", read("post", 1, joins=False)),
    Fault(OF_A_PARENT, "posts", "asked for without it", read("of-topic", 1, projection=("city",))),
    Fault(STALE_READ, "posts", "of a parent", read("post", 1, consistent=False)),
    Fault(OF_A_PARENT, "seats", "a copy is not shown", read("of-row", takes={"Hall.title": "hallTitle"})),
    Fault(OF_A_PARENT, "seats", "the wrong copy", read("seat", takes={"Hall.title": "hallTown"})),
    Fault(OF_A_PARENT, "seats", "a copy is not written", read("add", takes={"hallTitle": "title"})),
    Fault(
        OF_A_PARENT, "seats", "a copy of another attribute", read("add", takes={"hallTitle": "tel", "hallTown": "town"})
    ),
    Fault(OF_A_PARENT, "seats", "the parent is read eventually", read("add", consistent=False)),
)

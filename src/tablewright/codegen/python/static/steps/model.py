"""What a design says about items and requests, as the patterns of this package hold it.

`{name}` in a template stands for a value: an attribute of an item, or an input of the
pattern. A template of nothing but `{name}` is the value as it is, any other is text.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

R = TypeVar("R")
Item: TypeAlias = dict[str, Any]
Inputs: TypeAlias = Mapping[str, Any]
Templates: TypeAlias = Mapping[str, str]  # by key field: `ORDER#{orderId}`


# ---- requests ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """One call of DynamoDB, with plain Python values."""

    action: str
    params: dict[str, Any]


Flow: TypeAlias = Generator[tuple[Request, ...], list[dict[str, Any]], R]
"""Work without input and output: it yields requests that may be sent at the same time,
and is sent their replies."""


PAUSE = "Pause"
"""The action of a request that is no call, but so many seconds of waiting."""


def ask(action: str, params: dict[str, Any]) -> Flow[dict[str, Any]]:
    (reply,) = yield (Request(action, params),)
    return reply


# ---- items ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemKeys:
    """How an item is keyed in one place: in the table, or in an index."""

    index: str | None = None
    needs: tuple[str, ...]  # without these an item is not in the index
    fields: Templates
    shards: int = 1
    bucket: str | None = None  # `createdAt:7`: `{_bucket}` is what that begins with
    when: Inputs = field(default_factory=dict[str, Any])  # demanded; None: any value

    def admits(self, item: Inputs) -> bool:
        """Whether an item is as the index demands of those in it."""
        return all(
            item.get(name) is not None if value is None else item.get(name) == value
            for name, value in self.when.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemType:
    """A kind of item; an embedded one is in the map `inside` of its `holder`."""

    entity: str
    table: str
    id: tuple[str, ...]
    attributes: tuple[str, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keys: tuple[ItemKeys, ...] = ()
    inside: str = ""
    holder: str = ""
    expires: str = ""  # the attribute that says when an item goes, seconds since 1970
    lifetime_seconds: int = 0

    @property
    def table_keys(self) -> ItemKeys:
        return next(each for each in self.keys if each.index is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The sort attributes of a table or index, and all attributes of its keys."""

    sort: tuple[str, ...]
    all: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """How the items of the design are stored."""

    types: Mapping[str, ItemType]
    places: Mapping[str, Place]  # by table, or `table/index`
    type_field: str  # the attribute that says what an item is
    hidden: frozenset[str]  # what is stored besides the application's own attributes
    key_text: Callable[[Any], str]  # a value as it stands in a key

    def place(self, table: str, index: str | None) -> Place:
        return self.places[table if index is None else f"{table}/{index}"]

    def entity_of(self, item: Item) -> str:
        label = item.get(self.type_field)
        for name, each in self.types.items():
            if each.fixed.get(self.type_field, name) == label:
                return each.entity
        return str(label)

    def visible(self, item: Item) -> Item:
        """An item as the application put it in."""
        return {name: each for name, each in item.items() if name not in self.hidden}


# ---- steps ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter:
    """A demand on an attribute; an item without it does not pass."""

    attribute: str
    operator: Literal["=", "gt", "gte", "lt", "lte", "between", "begins_with", "in"]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Sort:
    """A condition on a sort key."""

    field: str
    operator: Literal["=", "begins_with", "between", "<", "<=", ">", ">="]
    low: str
    high: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A request that finds items."""

    operation: Literal["GetItem", "Query", "BatchGetItem"]
    table: str
    index: str | None = None
    pk: Templates
    sk: tuple[Sort, ...] = ()
    filters: tuple[Filter, ...] = ()
    backwards: bool = False
    limit: int | None = None
    consistent: bool = False
    projection: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    shards: int = 1
    shard_of: tuple[str, ...] = ()
    for_each: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )  # asked for every combination; `_bucket`: for all between `from` and `to`
    bucket: str | None = None
    keys_from: int | None = None  # the step whose items give this one its values
    joins: bool = False  # what is found completes the items of that step
    unfold: str | None = None  # the answer is the values of this map


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A change of one item, or a demand on one."""

    operation: Literal["PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"]
    item: str
    table: str
    key: Templates
    all_attributes: bool = False  # the whole item, with all its keys
    set: Templates = field(default_factory=dict[str, str])
    add: Templates = field(default_factory=dict[str, str])
    remove: tuple[str, ...] = ()
    condition: str = ""
    unchanged: tuple[str, ...] = ()  # refused unless these are as they were read
    unless_same: tuple[str, ...] = ()  # left out when all these stay as they are
    each: str = ""  # done for every element of this list


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An input of a write that is not simply the attribute of its name."""

    name: str
    attribute: str | None = None
    entity: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A write: first its reads, then for every item found its writes."""

    op: Literal["put", "update", "delete", "transact"]
    entities: tuple[str, ...]
    inputs: tuple[str | Given, ...] = ()
    reads: tuple[Read, ...] = ()
    writes: tuple[Write, ...]
    transaction: bool = False

    @property
    def given(self) -> list[Given]:
        return [
            Given(name=each, attribute=each) if isinstance(each, str) else each
            for each in self.inputs
        ]

"""Compiled steps: requests in order, with rendered expressions and slots for values.

A value of a step is one of three things. `Slot("status")` is the value of that name as
it is. A tuple is text in which slots are written as keys have them, such as
`("ORDER#", Slot("orderId"))`. Anything else is a constant.

What a name means: in a read an input of the pattern, behind `keys_from` an attribute of
the item that the earlier step found. In a write an input, or else the attribute of the
item that the reads found; `old.status` is always the latter, `new.status` the attribute
as the write leaves it, `*` the item as it will be. `_copy` is the number of one of a
step's copies, any one. `_shard` and `_bucket` follow from the other values, and
`_earliest` from `from`; `_from`, `_to` and `_value` are what the ends of a range begin
with, as many characters as a bucket has; `_now` is the time of the call in whole
seconds since 1970, `_expires` when an item goes that is written now, `_found` how many
items were found that keep copies. An input of one entity is none of another one's
values; but conditions and sums may ask for any input.

Placeholders are unique within a step. A request has those of the expressions in it, and
DynamoDB takes no others: what a run leaves out of an update is left out with its own.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

R = TypeVar("R")
Item: TypeAlias = dict[str, Any]
Inputs: TypeAlias = Mapping[str, Any]
Value: TypeAlias = Any  # a slot, a tuple of texts and slots, or a constant
KeyStyle: TypeAlias = Literal["plain", "electrodb"]

SHARD = "_shard"
COPY = "_copy"
BUCKET = "_bucket"
EARLIEST = "_earliest"
CUT = {"from": "_from", "to": "_to", "value": "_value"}
EXPIRES = "_expires"
NOW = "_now"
FOUND = "_found"


# ---- requests ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """One call of DynamoDB, with plain Python values.

    `may_fail`: where a condition (of a transaction: or another writer) refuses it, the
    reply is `REFUSED`, and that is no error.
    """

    action: str
    params: dict[str, Any]
    may_fail: bool = False


Flow: TypeAlias = Generator[tuple[Request, ...], list[dict[str, Any]], R]
"""Work without input and output: it yields requests that may be sent at the same time,
and is sent their replies."""

REFUSED: dict[str, Any] = {"Refused": True}
"""The reply to a request that may fail, and did."""

PAUSE = "Pause"
"""The action of a request that is no call, but so many seconds of waiting."""


def ask(action: str, params: dict[str, Any]) -> Flow[dict[str, Any]]:
    (reply,) = yield (Request(action, params),)
    return reply


# ---- values and expressions ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the value of that name stands."""

    name: str

    @property
    def is_old(self) -> bool:
        """Whether it is an attribute of what the reads found, whatever is given."""
        return self.name.startswith("old.")

    @property
    def attribute(self) -> str:
        return self.name.removeprefix("old.")


@dataclass(frozen=True, slots=True)
class Sum:
    """Numbers and slots, each with its sign; what is absent counts 0."""

    terms: tuple[tuple[Literal[1, -1], Value], ...]


@dataclass(frozen=True, slots=True)
class Expression:
    """Text as DynamoDB takes it, and what its placeholders stand for.

    A name is an attribute's, or a slot: the value of which names an entry of a map.
    """

    text: str
    names: Mapping[str, str | Slot] = field(default_factory=dict[str, "str | Slot"])
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand on an item at hand; without the attribute it does not pass."""

    attribute: str
    operator: Literal[
        "=", "<>", "<", "<=", ">", ">=", "between", "begins_with", "in", "exists"
    ]
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Bucket:
    """`_bucket` is what this attribute begins with, so many characters of it."""

    attribute: str
    length: int


# ---- items ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemKeys:
    """How an item is keyed in one place: in the table, or in an index."""

    index: str | None = None
    needs: tuple[str, ...]  # without these an item is not in the index
    fields: Mapping[str, Value]
    shards: int = 1
    bucket: Bucket | None = None
    when: Inputs = field(default_factory=dict[str, Any])  # demanded; None: any value

    def admits(self, item: Inputs) -> bool:
        """Whether an item is as the index demands of those in it."""
        return all(
            item.get(name) is not None if value is None else item.get(name) == value
            for name, value in self.when.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemType:
    """A kind of item, with its keys in the table and in indexes made for text."""

    entity: str
    table: str
    id: tuple[str, ...]
    attributes: tuple[str, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keys: tuple[ItemKeys, ...] = ()
    expires: str = ""  # the attribute that says when an item goes, seconds since 1970
    packed_by: str = ""  # each is an attribute of its item, named by its value of this
    lifetime_seconds: int = 0

    @property
    def table_keys(self) -> ItemKeys:
        return next(each for each in self.keys if each.index is None)

    def keys_with(self, field: str) -> ItemKeys | None:
        """The place whose composed key a field belongs to."""
        return next((each for each in self.keys if field in each.fields), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFields:
    """The sort attributes of a table or index, and all attributes of its keys."""

    sort: tuple[str, ...]
    all: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """How the items of the design are stored."""

    types: Mapping[str, ItemType]
    places: Mapping[str, KeyFields]  # by table, or `table/index`
    type_field: str  # the attribute that says what an item is
    hidden: frozenset[str]  # what is stored besides the application's own attributes
    key_style: KeyStyle

    def place(self, table: str, index: str | None) -> KeyFields:
        return self.places[table if index is None else f"{table}/{index}"]

    def entity_of(self, item: Item) -> str:
        label = item.get(self.type_field)
        for name, each in self.types.items():
            if each.fixed.get(self.type_field, name) == label:
                return each.entity
        return str(label)

    def attributes_of(self, entity: str) -> frozenset[str]:
        """Those of its item and of all that is written along with it."""
        own = [each for each in self.types.values() if each.entity == entity]
        return frozenset(name for each in own for name in each.attributes)

    def visible(self, item: Item) -> Item:
        """An item as the application put it in."""
        return {name: each for name, each in item.items() if name not in self.hidden}


# ---- reads ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Packed:
    """Entries are all attributes of an item but `shared` ones and what is hidden, by
    their names, which are the values of `entry`. Each has what is shared. Who asks for
    some asks for as many items as usually have them, and one more.
    """

    entry: str
    shared: tuple[str, ...]
    usual: int


@dataclass(frozen=True, slots=True)
class Unfold:
    """The answer is the entries of a map, each labelled as what it is."""

    attribute: str
    label: str
    with_holder: bool = False  # and before them the item that holds the map, without it
    packed: Packed | None = None  # no map: the attributes of the item itself


@dataclass(frozen=True, slots=True)
class Merge:
    """What two lists are ordered by; items that lack it stand last, or first."""

    attributes: tuple[str, ...]
    absent_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A request that finds items.

    GetItem and BatchGetItem have a `key`, and `demands` on what they find. Query has a
    `condition` and a `filter`, or demands on what is unfolded.
    `unexpired`: an item with at most `_now` in this attribute is left out, by the
    `filter` of a Query, else by the client. `continues`: goes on with the list of the
    answering step before it, asked for what that lacks of its limit. `merges`: with the
    list before it one list in this order. `each`: the input with the keys of a batch.
    `beside`: the entity whose one item comes first, and is not counted by the limit.
    """

    operation: Literal["GetItem", "Query", "BatchGetItem"]
    table: str
    index: str | None = None
    key: Mapping[str, Value] = field(default_factory=dict[str, Value])
    condition: Expression = Expression("")
    filter: Expression | None = None
    demands: tuple[Demand, ...] = ()
    projection: Expression | None = None  # with the keys that a page goes on behind
    backwards: bool = False
    limit: int | None = None
    beside: str = ""
    sends_limit: bool = True  # as Limit: nothing but time makes a filter drop items
    consistent: bool = False
    copies: int = 1  # above 1: one of them is asked, any one
    shards: int = 1
    shard_of: tuple[str, ...] = ()
    for_each: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )  # asked for every combination; `_bucket`: for all between `from` and `to`
    bucket: Bucket | None = None
    since: str = ""  # bucket after bucket, between that of this time and that of `_now`
    longest: float | None = None  # `_earliest` is `from` less this, of times in seconds
    entities: tuple[str, ...] = ()
    keys_from: int | None = None  # the step whose items give this one its values
    joins: bool = False  # what is found completes the items of that step
    takes: Inputs = field(
        default_factory=dict[str, Any]
    )  # of what joins, as it answers
    unfold: Unfold | None = None
    optional: bool = False  # a write goes on where this finds nothing
    continues: bool = False
    merges: Merge | None = None
    unexpired: str = ""
    each: str = ""
    counts_gone: bool = False  # what is not there counts for the limit all the same


# ---- writes --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of an update: `path` with the names in it, and the new value.

    In the update stands `path = placeholder` for a SET, `path placeholder` for an ADD
    and `path` for a REMOVE. A SET with `assigned` has that behind the `=` instead, such
    as `if_not_exists(#stock, :v1) + :v0`; placeholders in it that are not the clause's
    own have their values in `path.values`.

    Of a SET: an attribute goes where its value is None, and is left alone where it is a
    slot of an input that was not given. A `key_field` is filled as the item's keys are,
    and goes where these do not admit the item as it becomes. In an update with
    `all_attributes` what is not given goes too.
    """

    action: Literal["SET", "REMOVE", "ADD"]
    path: Expression
    placeholder: str = ""
    value: Value = None
    key_field: str = ""
    assigned: str = ""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Refused unless an attribute is as the reads found it, or still absent.

    `taken`: of another entity's item, as the input that a read took it as.
    """

    attribute: str
    name: str  # the placeholders of the attribute and of its value
    value: str
    taken: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A change of one item, or a demand on one: a ConditionCheck, in transactions only.

    `names_of`: the entity whose inputs and found item its names mean, where that is not
    the entity of `item`: the check of a parent, which its child names. `attributes`
    then are the values that its key is filled from. `if_newer`: these attributes, the
    first that differs deciding, are compared with the inputs `ITEM.attribute`, which
    the reads took of the item that is there; where they took none, it is newer.
    """

    operation: Literal["PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"]
    item: str
    table: str
    key: Mapping[str, Value]
    all_attributes: bool = False  # the whole item, with all its keys
    attributes: Mapping[str, Value] = field(default_factory=dict[str, Value])
    changes: tuple[Clause, ...] = ()  # of an update
    condition: Expression | None = None
    unchanged: tuple[Unchanged, ...] = ()
    unless_same: tuple[str, ...] = ()  # left out when all these stay as they are
    if_same: tuple[str, ...] = ()  # left out when not all these stay as they are
    if_newer: tuple[str, ...] = ()  # left out unless greater than what was taken
    each: str = ""  # done for every element of this list
    names_of: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a write that is not simply the attribute of its name."""

    name: str
    attribute: str | None = None
    entity: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What an input must be like, or an attribute of every element of the list `each`.

    `default`: its value where none is given; `Slot("_now")` is the time of the call as
    ISO 8601 text. `pattern` is found in a text, `$` being its very end; lengths count
    characters. `longest`: so far it may lie behind the input `start`, of times in
    seconds; `together`: one of the two is not given without the other.
    """

    input: str
    each: str = ""
    default: Value = None
    pattern: str = ""
    min: float | None = None
    max: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    start: str = ""
    longest: float = 0
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cascade:
    """What goes with an item of the entity `of` that is deleted.

    The reads of `deletes` find it, a slot being an attribute of the deleted item's id;
    `by` says which attribute of what is found has its value. The writes are then done
    for each item found, a slot being an attribute of that. One that is refused is
    looked for again: it is gone, or was changed.
    """

    of: str
    by: Mapping[str, str]
    deletes: Writing

    @property
    def entity(self) -> str:
        return self.deletes.entities[0]

    @property
    def is_certain(self) -> bool:
        """Whether it finds all that was written before."""
        return all(each.consistent for each in self.deletes.reads)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refresh:
    """Copies that other items keep of the one that is updated, set in its transaction.

    The reads of `updates` find these items, a slot being an attribute of the updated
    item's id; `by` says which attribute of what is found has its value. The writes are
    then done for each of them, a slot being an attribute of that, or a copy with its
    new value, which is the input that `given` says. `checks` are done once. `always`:
    also where none of the inputs is given.
    """

    by: Mapping[str, str]
    given: Mapping[str, str]
    updates: Writing
    checks: tuple[Write, ...]
    always: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A write: first its reads, then for every item found its writes.

    `puts` are the entities of a transaction of whose old items nothing stays, `seen`
    those whose whole items the reads find.
    `becomes` has by entity what its attributes become without being given: a constant,
    None (it goes), or a `Sum` that is added to what the reads found (to 0 in a put) and
    known only where the item is seen. `rules` come before everything else: what is left
    out has its default, and a value that is not as it must be is refused.
    `idempotent`: always a transaction, with the input `request_token` as
    ClientRequestToken.

    `deleted`: the entities whose items it deletes, where something goes with them. When
    the writes are done, all that `cascades` find goes too: see `cascade`. `resumes`: so
    it does where the reads find no item, and that is no error. `refreshes`: what else
    is found and written in the same transaction.
    """

    op: Literal["put", "update", "delete", "transact"]
    entities: tuple[str, ...]
    inputs: tuple[str | Input, ...] = ()
    rules: tuple[Rule, ...] = ()
    reads: tuple[Read, ...] = ()
    writes: tuple[Write, ...]
    transaction: bool = False
    puts: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    becomes: Mapping[str, Mapping[str, Value]] = field(
        default_factory=dict[str, Mapping[str, Value]]
    )
    idempotent: bool = False
    deleted: tuple[str, ...] = ()
    cascades: tuple[Cascade, ...] = ()
    resumes: bool = False
    refreshes: tuple[Refresh, ...] = ()

    def is_put(self, entity: str) -> bool:
        return self.op == "put" or entity in self.puts

    @property
    def given(self) -> list[Input]:
        return [
            Input(each, each) if isinstance(each, str) else each for each in self.inputs
        ]

"""How an access pattern is served, as data: its parameters, the requests that read and write, what is deleted along.

Templates, paths, conditions, buckets and amounts are structured values, as everywhere in a design: see `model.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from tablewright.design.layout.forms import Merge
from tablewright.design.values.amounts import Amount
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import KeyTemplate, Path, Template
from tablewright.spec.conditions import Predicate
from tablewright.spec.model import AttributeType, Consistency, Ending, PatternKind, Validation, WriteOp

ReadOperation: TypeAlias = Literal["GetItem", "Query", "BatchGetItem"]
WriteOperation: TypeAlias = Literal["PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller of a pattern brings.

    One that is not required may be left out: in a put the attribute is then absent, in an update it stays as it is. An
    update takes null for the new value of an attribute that is to become absent. `default`: what a put writes where it
    is left out or null; of a timestamp, `now` is the time of the call. `validate`: a value that is not so is refused
    before anything is sent. `ends`: so is one that lies more than `longest` (of timestamps: seconds) behind the
    parameter `start`, and with `together` one of the two without the other. `each`: a list of items of that entity,
    each with its own attributes, whose defaults and rules are those of the item type.
    """

    name: str
    type: AttributeType = "string"
    attribute: str | None = None
    values: tuple[str, ...] = ()
    required: bool = True
    default: Any = None
    validate: Validation | None = None
    ends: Ending | None = None
    entity: str | None = None  # whose attribute it is, where the pattern writes several entities or asks by a list
    each: bool = False


class SortCondition(msgspec.Struct, frozen=True, kw_only=True):
    """What the sort key must satisfy; a native multi-attribute key has one for every attribute that is asked for."""

    field: str
    operator: Literal["=", "begins_with", "between", "<", "<=", ">", ">="]
    low: Template
    high: Template | None = None


class ReadStep(msgspec.Struct, frozen=True, kw_only=True):
    """One request of a read; its answer is the pattern's, or feeds the next step.

    Templates: `{name}` is a parameter, written as `encoding` says; a template of nothing but `{name}` is the value as
    it is. Query follows LastEvaluatedKey to the end, or until `limit` items are there. `limit` is sent as Limit only
    where there are no filters; a filter is sent as FilterExpression. GetItem and BatchGetItem have no filter: there
    the client drops an item that does not pass. An item without the attribute passes no filter.

    `copies` above 1: `{_copy}` is a number from 1 to this, any one, taken anew for every answer; all keys of a
    BatchGetItem and all pages of an answer have the same. `shards`: Query is asked once for every `{_shard}` from 0 on;
    GetItem only for the shard that follows from `shard_of`. `for_each`: asked once for every combination of the values
    listed, and for `_bucket` once for every
    bucket between the range's ends. Each is asked with `limit`; the answers are merged in the order of the sort key
    (backwards if so read) and cut at `limit`. `since`: one `{_bucket}` is asked after the other, from that of `{_now}`
    to that of this time if read backwards, else from that of this time to that of `{_now}`, each for what is missing,
    until `limit` items are there; shards and `for_each` are those of each bucket. `longest`: `{_earliest}` is the
    parameter `from` less this number, of timestamps so many seconds (of dates the whole days among these) earlier in
    the same form, not before the year 1. `keys_from`: an earlier step (counted from 0) whose items give `{name}` values
    before the parameters do, one request or key for each, in their order; items that are gone are left out. `joins`:
    what is found completes the earlier answer's items with the same id instead of replacing them. `takes`: of what
    joins only these attributes are taken, each under its name in the answer (`Customer.name`) and for every item that
    names what was found; an item that names nothing, or nothing that is there, goes without. Of a step that does not
    join, these attributes of what it finds are answered under these names; in a write they are parameters. `unfold`:
    the answer is the values of that map attribute, not the items that hold it (and these before them, without the map,
    where `entities` names them as well); filters are on the values. `*`: the answer is what is packed in the items,
    each with the rest of its id, in the order of the attribute `entry` (backwards if so read); `{_from}`, `{_to}` and
    `{_value}` are what those parameters begin with, as many characters as `bucket` says, and the Limit for so many of
    what is packed is `limit / entries` of the item type, rounded up, and 1. `items`: the types of the items that are
    read. The answer of several steps is what those found that no later step takes its keys from (but to join), in their
    order.

    Each step that answers is a list with a `limit` of its own (that of the step it takes its keys from, if it merely
    fetches what that found). `continues`: goes on where the answering step before it ended, both being one list with
    one limit: asked only when that list is not full yet, and for what is missing. `merges`: what it finds and the list
    of the answering step before it, both read in the same direction in the order of these attributes, are one list in
    that order, with one limit; items that lack an attribute stand last, or first, whatever the direction. `unexpired`:
    items whose time in this attribute has passed (it is there, and at most `{_now}`, in whole seconds since 1970) are
    left out: by a FilterExpression of Query, by the client elsewhere, where `unfold` is said of each value and of the
    holder for itself. Unlike a filter that does not keep Limit from being sent, and the query goes on until `limit`
    items are there. `each`: of BatchGetItem, the list parameter whose elements give the keys; the answer has their
    order, and leaves out what is not there. `counts_gone`: of BatchGetItem with `keys_from`, the limit and a page count
    the earlier step's items, also those whose own are gone, so that a page may have fewer. `optional`: in a write, what
    the step looks for may be missing; the write goes on with nothing of it known. `beside`: of Query with `limit`, the
    entity whose one item comes before all others, if it is there; `limit` does not count it. A query that begins at
    the beginning is sent with a Limit of one more.
    """

    operation: ReadOperation
    table: str
    index: str | None = None
    pk: tuple[KeyTemplate, ...]
    sk: tuple[SortCondition, ...] = ()
    filters: tuple[Predicate, ...] = ()
    backwards: bool = False
    limit: int | None = None
    beside: str = ""
    consistent: bool = False
    projection: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    copies: int = 1
    shards: int = 1
    shard_of: tuple[str, ...] = ()
    for_each: Mapping[str, tuple[str, ...]] = {}
    bucket: Bucket | None = None  # as in the item's keys
    since: str | None = None
    longest: int | float | None = None
    keys_from: int | None = None
    joins: bool = False
    takes: Mapping[str, str] = {}
    unfold: str | None = None
    continues: bool = False
    merges: Merge | None = None
    unexpired: str | None = None
    each: str = ""
    counts_gone: bool = False
    optional: bool = False


class WriteStep(msgspec.Struct, frozen=True, kw_only=True):
    """One write; several of one pattern go in one transaction. `set` has templates or `{name}` values by attribute.

    `{name}` is a parameter that was given, or else the attribute of the item that the pattern's reads found for the
    same entity; `{old.name}` is always the latter, and `{new.name}` the attribute as the pattern leaves it, constants
    and what is added included. A template of nothing but `{name}` is the value itself, any other is text. A path
    `children.{childId}` sets one entry of a map, `{at}` the attribute that the value names; `{*}` is the whole item as
    a map, of a packed one without its id; `{_expires}` is the time at which an item goes that is written now.
    `names_of`: the entity whose parameters and found item the names mean, where that is not the item type's own: a
    ConditionCheck of the parent that a child names, with the values of its key by name in `set`. It is left out where
    another step writes that same item.

    PutItem with `all_attributes`: the attributes of the item type (by the names above, in a put pattern the parameters
    alone; `set` where they come from elsewhere), its fixed ones, and its keys filled from these. UpdateItem: an
    attribute whose parameter is not given is left alone, one whose parameter is null is removed; a key field is filled
    from the item as it becomes, and removed when an attribute of that key's partition or lead is null, or missing in
    what the reads found, or when the item then is not as the key's `when` says.

    Reads that find several items: all steps are done once for each of them. Reads that find nothing: nothing is
    written, except by steps that need nothing of them (a put of what was not there). A DeleteItem with the key of
    another step's PutItem is left out, and its demands are made of the put. `each`: once for every element of that list
    parameter, whose attributes stand before parameters of the same name. `unchanged`: refused unless these attributes
    still are as the reads found them, or still absent. `seen`: the same of what another entity's item has, each with
    the parameter that a read took it as. `unless_same`: left out when all these attributes stay as they are;
    `if_same`: left out when they do not. Of an item that was not there nothing stays as it is: the id among these
    attributes tells an item that is replaced from one that is new. `if_newer`: left out unless these attributes, the
    first that differs deciding, are greater than what the reads took of the item that the step writes, as
    `ITEM.attribute`; or nothing was there. A step whose key needs a value that is absent is left out. `add` has a
    number, `{name}`, either with `-` in front, or two of these; what is absent counts 0, and what is added to an
    attribute is added to the value that it has at that moment (ADD, or for an entry of a map `SET p = if_not_exists(p,
    0) + n`). In a PutItem it is added to what the reads found, and to nothing where the entity is put. `constants` are
    set as they are. `initial` is set only where the attribute is absent at that moment: `SET p = if_not_exists(p, v)`.
    Conditions and amounts may name any parameter of the pattern, everything else those of its own entity.

    UpdateItem with `all_attributes`: the item becomes what a PutItem would write (attributes that are not given go),
    but the maps of what is embedded in it stay as they are.
    """

    operation: WriteOperation
    item: str  # item type
    table: str
    key: tuple[KeyTemplate, ...]
    all_attributes: bool = False  # a put of the whole item, with all its keys
    set: Mapping[Path, Template] = {}
    constants: Mapping[str, Any] = {}
    initial: Mapping[Path, Template] = {}
    add: Mapping[Path, Amount] = {}
    remove: tuple[Path, ...] = ()
    condition: Predicate | None = None
    unchanged: tuple[str, ...] = ()
    seen: Mapping[str, str] = {}
    unless_same: tuple[str, ...] = ()
    if_same: tuple[str, ...] = ()
    if_newer: tuple[str, ...] = ()
    each: str = ""
    names_of: str = ""
    why: str = ""


class Cascade(msgspec.Struct, frozen=True, kw_only=True):
    """What goes with an item of `of` that is deleted: the items of `entity` that name it.

    `by` says by which attributes, each with the attribute of the deleted item's id whose value it holds. `reads` find
    them, `{name}` being an attribute of that id; one that by now names another item is left alone. `writes` delete each
    of them as the writes of a pattern do, `{name}` and `{old.name}` being attributes of the one found, all in one
    transaction if `transaction` says so; one that a condition refuses is looked for again. What goes with each of those
    found is said by the cascades that are `of` their entity: a tree of comments is one cascade, of Comment to Comment.
    """

    of: str
    entity: str
    by: Mapping[str, str]
    reads: tuple[ReadStep, ...]
    writes: tuple[WriteStep, ...]
    transaction: bool = False


class Refresh(msgspec.Struct, frozen=True, kw_only=True):
    """Copies that the items of `entity` keep of the item that a pattern changes, set in the same transaction.

    `by` says by which attributes they name it, each with the attribute of its id whose value it holds. `reads` find all
    of them, `{name}` being an attribute of that id. `writes` are done for each, `{name}` being an attribute of the one
    found, or a copy with its new value: `given` says by copy which parameter that is. `checks` are done once,
    `{_found}` being how many were found: so none is missing. Where none of the parameters is given and nothing else is
    set, all this is left out.
    """

    entity: str
    by: Mapping[str, str]
    given: Mapping[str, str] = {}
    reads: tuple[ReadStep, ...]
    writes: tuple[WriteStep, ...]
    checks: tuple[WriteStep, ...] = ()


class Predicted(msgspec.Struct, frozen=True, kw_only=True):
    """What one run takes, and what a month of them costs."""

    requests: float
    items: float
    pages: float = 1.0
    rcu: float = 0.0
    wcu: float = 0.0
    usd_per_month: float = 0.0


class PatternDesign(msgspec.Struct, frozen=True, kw_only=True):
    """How an access pattern is served: first the reads, then, for a write, the writes in one transaction.

    `aggregate`: the answer is a number. `count`, `sum`, `max` or `min` (with an attribute) is made of the items found;
    `total` names the attribute of the one item found that is the number. Of nothing it is 0, a max or min null.

    `cascade`: what is deleted with the item, and with what goes with it. The item goes first, with all conditions; then
    what names it is read and deleted, what names that before it, until nothing more is found. `resumes`: where there is
    no such item, what names its id is deleted all the same, so that a run that stopped halfway is finished by another
    one; that is no error. `as_job`: that is too much for one call, and is done in the background. `idempotent`: sent as
    a transaction with the parameter `request_token` as its ClientRequestToken; where reads come first and find what the
    same call has changed before, the answer is IdempotentParameterMismatchException: it has been done.

    `refreshes`: copies that other items keep of what it changes. `followed`: the same, set by a function that follows
    the table's stream, each item by itself and as often as a record comes; `given` then says which attribute of the
    changed item each copy is of, and there are no checks.

    `unproven`: why the proof says nothing of it, such as a condition in words that nobody could read.
    """

    id: str
    description: str = ""
    kind: PatternKind
    op: WriteOp | None = None
    entities: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    reads: tuple[ReadStep, ...] = ()
    writes: tuple[WriteStep, ...] = ()
    transaction: bool = False
    cascade: tuple[Cascade, ...] = ()
    resumes: bool = False
    as_job: bool = False
    refreshes: tuple[Refresh, ...] = ()
    followed: tuple[Refresh, ...] = ()
    idempotent: bool = False
    unproven: str = ""
    implied: bool = False  # nobody describes it, but without it there would be nothing to read
    aggregate: Mapping[str, str] = {}
    sorted_by: tuple[tuple[str, str], ...] = ()
    returns: tuple[str, ...] = ()
    consistency: Consistency = "eventual"
    predicted: Predicted
    why: str = ""
    paging: str = ""
    retries: str = ""

"""A rewrite, and a spec under way through several of them.

order     a list sorted by a time is read in the order of an id that sorts as it
unique    a small item for every value that must be unique, written in the same transaction    (always, where said)
exact     the table key of an entity is its id and nothing more, so that it keeps the id unique
pointer   the small item of an id says where its item is, whose table key may change          (follows from the keys)
lookup    a read by a unique attribute goes through that small item instead of an index
latest    a small item per group that names its newest item, kept by the writes
newest    an item per group that is a copy of its newest item, kept in the same way
total     a number per group, kept up to date by the writes
trailing  the same number, a little behind: a function that follows the stream adds to it
steps     a count of what is above a value, a little behind and in steps: each step of a group has its number
top       the first items of a list in one item, a little behind: a function that follows the stream keeps it
reading   the same number, counted or added up while reading; of the greatest or least the first item of an ordered list
whole     the greatest or least number, looked for among all items of a list
embed     few and small children are a map in their parent
pack      the samples of a time series are attributes of one item for each period
split     large attributes that are seldom asked for lie in an item of their own
fetch     a list whose entries name the items of the answer: first the list, then the items    (always, where said)
through   an input that only the parent has: first the parent, then its children                (always, where said)
copied    attributes of a parent are stored with the child, whose puts read the parent
refreshed the same of attributes that change: their updates write the children in the same transaction
followed  the same, a little behind: a function that follows the stream writes the children
parents   an answer has attributes of a parent: first the items, then their parents             (always, where said)
cascade   a delete goes on to what names the item: its reads and deletes are patterns of their own (always, where said)
edge      a parent lies at the edge of its children, so that one query has it and the first of them
apart     several entities that no one query can read are read by several at once               (last resort)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, cast

import msgspec

from tablewright.spec.facts import Facts, assume
from tablewright.spec.model import Absent, EntitySpec, PatternSpec, RangeSpec, RewriteKind, Spec
from tablewright.spec.remember import recent
from tablewright.spec.write import defaults_of

Kind: TypeAlias = Literal[
    RewriteKind,
    "unique",
    "exact",
    "pointer",
    "trailing",
    "steps",
    "top",
    "reading",
    "whole",
    "fetch",
    "through",
    "parents",
    "refreshed",
    "followed",
    "cascade",
    "edge",
    "apart",
    "order",
]


class Rewrite(msgspec.Struct, frozen=True, order=True):
    """One change of form; `subject` is an entity, or a pattern where it is one that is asked in another way."""

    kind: Kind
    subject: str
    attributes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.kind, self.subject, *([f"({', '.join(self.attributes)})"] if self.attributes else [])])


class Merge(msgspec.Struct, frozen=True):
    """The attributes that two lists are ordered by, and where items stand that lack one of them."""

    attributes: tuple[str, ...]
    absent: Absent = "last"


class ReadPart(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a read: a pattern of the rewritten spec, and how its request is joined to the others."""

    pattern: str
    keys_from: int | None = None
    joins: bool = False
    takes: Mapping[str, str] = {}  # by name in the answer (in a write: by input) the attribute of what is found
    unfold: str | None = None
    given: Mapping[str, str] = {}  # inputs that the earlier step's items have under another name
    entities: tuple[str, ...] = ()  # what the answer is made of, where that is not what is stored
    only: tuple[str, ...] = ()  # inputs that unfolded values are compared with
    within: RangeSpec | None = None  # the range that they must lie in
    limit: int | None = None  # how many of them are wanted, of packed items
    cut: str = ""  # the time of packed items and how many of its characters are their period, as in `at:13`
    continues: bool = False  # one list with the part before it, with one limit
    merges: Merge | None = None  # the same, in this order
    counts_gone: bool = False  # what the earlier step's items name and is not there counts for the limit
    refreshes: str = ""  # of a write: the entity whose copies it finds or sets
    is_followed: bool = False  # not by the write itself, but by a function that follows the stream


class Copy(msgspec.Struct, frozen=True):
    """Where the value of an attribute comes from: `name` is what answers call it, `by` finds the entity that has it.

    `by` has the attributes of that entity's id, each with the attribute that holds its value. `kept` says who sets it
    again when the value changes; empty where it never does.
    """

    name: str
    entity: str
    attribute: str
    by: Mapping[str, str]
    kept: Literal["", "transaction", "stream"] = ""


class Rewritten(msgspec.Struct, frozen=True, kw_only=True):
    """A spec as it is stored, with the way back to the spec as it was written."""

    asked: Facts  # of the spec as it was written
    spec: Spec
    rewrites: tuple[Rewrite, ...] = ()
    reads: Mapping[str, tuple[ReadPart, ...]] = {}  # by pattern as written, where it is not simply itself (or goes on)
    aggregates: Mapping[str, Mapping[str, str]] = {}  # by pattern: how the answer becomes a number
    exact: tuple[str, ...] = ()  # entities whose table key must be their id
    embedded: Mapping[str, Embedded] = {}  # by child
    copies: Mapping[str, Mapping[str, Copy]] = {}  # by entity and attribute: what is another entity's

    @property
    def origin(self) -> Spec:
        return self.asked.spec

    def parts(self, pattern: str) -> tuple[ReadPart, ...]:
        """The steps of a read as it was written; a write is itself."""
        return self.reads.get(pattern) or (ReadPart(pattern=pattern),)


class Embedded(msgspec.Struct, frozen=True, kw_only=True):
    """Where the items of an entity are, when they are no items of their own."""

    parent: str
    attribute: str  # the map in the parent
    key: str  # the child's attribute that names its entry
    reference: Mapping[str, str]  # by attribute of the parent's id: the child's attribute that holds it


@recent(64)
def facts_of(form: Rewritten) -> Facts:
    """The facts of a spec as it is stored; what was assumed is what was assumed of the spec as it was written."""
    if not form.rewrites:
        return form.asked
    found, asked = assume(form.spec, form.asked.taken), form.asked
    return msgspec.structs.replace(
        found,
        changing={name: changing | asked.changing.get(name, frozenset()) for name, changing in found.changing.items()},
        assumptions=asked.assumptions,
        has_rates=asked.has_rates,
    )


# ---- as data ----------------------------------------------------------------------------------------------------


class StoredForm(msgspec.Struct, frozen=True, kw_only=True):
    """How a design says in which form a spec is stored, where that is not the form it was written in.

    `spec` has the fields of the program's own specs, without those at their defaults.
    """

    spec: Mapping[str, Any]
    reads: Mapping[str, tuple[ReadPart, ...]] = {}
    embedded: Mapping[str, Embedded] = {}

    @classmethod
    def of(cls, form: Rewritten) -> StoredForm:
        return cls(spec=_drop_defaults(form.spec), reads=form.reads, embedded=form.embedded)

    def stored_spec(self) -> Spec:
        return msgspec.convert(_with_whole_changes(self.spec), Spec)

    def form(self, asked: Facts, rewrites: tuple[Rewrite, ...]) -> Rewritten:
        return Rewritten(
            asked=asked, spec=self.stored_spec(), rewrites=rewrites, reads=self.reads, embedded=self.embedded
        )


def _with_whole_changes(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Designs made before updates could add and transactions could say more had names alone for both."""
    return {**spec, "patterns": [_with_whole_change(each) for each in spec.get("patterns", ())]}


def _with_whole_change(pattern: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(pattern)
    if pattern.get("changes"):
        found["changes"] = [{"attr": each} if isinstance(each, str) else each for each in pattern["changes"]]
    if pattern.get("ops"):
        ops: Mapping[str, Any] = pattern["ops"]
        found["ops"] = {name: {"op": each} if isinstance(each, str) else each for name, each in ops.items()}
    return found


def _drop_defaults(value: Any) -> Any:
    """Structs as mappings, without fields at their defaults."""
    if isinstance(value, msgspec.Struct):
        fields = ((name, getattr(value, name), default) for name, default in defaults_of(value.__class__))
        return {name: _drop_defaults(content) for name, content, default in fields if content != default}
    if isinstance(value, Mapping):
        return {name: _drop_defaults(each) for name, each in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, tuple):
        return [_drop_defaults(each) for each in cast("Any", value)]
    return value


# ---- changes of the spec --------------------------------------------------------------------------------------------


def fresh_name(taken: Mapping[str, object], name: str) -> str:
    """The name itself, or with a number behind it when it is taken."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}{number}", number + 1
    return found


def capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def with_entity(spec: Spec, entity: EntitySpec) -> Spec:
    return msgspec.structs.replace(spec, entities={**spec.entities, entity.name: entity})


def without_entity(spec: Spec, name: str) -> Spec:
    kept = {each: entity for each, entity in spec.entities.items() if each != name}
    return msgspec.structs.replace(spec, entities=kept)


def with_patterns(spec: Spec, id_: str, *instead: PatternSpec) -> Spec:
    """Some patterns in the place of one."""
    found: list[PatternSpec] = []
    for each in spec.patterns:
        found += instead if each.id == id_ else [each]
    return msgspec.structs.replace(spec, patterns=tuple(found))


def step_id(spec: Spec, id_: str, number: int = 2) -> str:
    """AP4.2 for the second step of AP4."""
    return fresh_name({each.id: each for each in spec.patterns}, f"{id_}.{number}")

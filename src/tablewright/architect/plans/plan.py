"""What a plan says of itself. Every plan is one module of this folder; `registry` lists them all.

FormPlan       another form in which an entity is stored or a pattern is asked: the spec is rewritten before the search
PlacePlan      where a key of an entity can stand: in the table, as a second item, in an index
VariantPlan    what keys and reads can be besides: bucketed, sparse, sharded, fanned out, projected, read together

Each is a value with functions for what applies to it: candidates, variables and rows (with their linear costs), what is
read and written, and its explanation. What is left out is the default: nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from tablewright.architect.plans.values import (
    Candidates,
    Choice,
    CollectionPlan,
    PlacedKey,
    PlacedShapes,
    PlaceName,
    ReadPlan,
    Shapes,
    Variable,
)
from tablewright.architect.plans.writing import Companion
from tablewright.design.advice import DecisionKind, Source
from tablewright.design.layout.forms import Kind, Rewrite, Rewritten
from tablewright.design.layout.layout import Layout
from tablewright.design.model import ItemKind
from tablewright.design.serving.shapes import Shape
from tablewright.spec.facts import Facts

if TYPE_CHECKING:
    from tablewright.design.cost.prices import Prices
    from tablewright.design.model import Index, ItemKeys, Projection, ReadStep
    from tablewright.spec.model import PatternSpec

Ways: TypeAlias = tuple[Rewrite, ...]
"""Rewrites of which one must be made; the first is the plainest."""
INFINITY = float("inf")


class LeanEntries(msgspec.Struct, frozen=True):
    """A shape in an index that holds only these attributes, and the plans that can do with them."""

    shape: Shape
    kind: str
    attributes: tuple[str, ...]
    plans: tuple[ReadPlan, ...]


class SearchModel(Protocol):
    """The program that plans add their variables and rows to."""

    @property
    def facts(self) -> Facts: ...
    @property
    def prices(self) -> Prices: ...
    @property
    def candidates(self) -> Candidates: ...
    @property
    def slots(self) -> int:
        """How many global indexes there may be."""
        ...

    @property
    def lean_entries(self) -> tuple[LeanEntries, ...]: ...
    def variable(self, name: Variable, cost: int = 0, rule: int = 0) -> Variable:
        """`cost` is on the bill; `rule` is what doing without is given besides. Both are micro-dollars a month."""
        ...

    def has(self, name: Variable) -> bool: ...
    def row(self, terms: Mapping[Variable, float], lower: float = -INFINITY, upper: float = INFINITY) -> None: ...
    def exactly_one(self, names: Iterable[Variable]) -> None: ...
    def pattern(self, id_: str) -> PatternSpec: ...


def _no_ways(_: Facts) -> Iterable[Ways]:
    return ()


def _no_rewrites(_: Facts) -> Iterable[Rewrite]:
    return ()


def _excludes_nothing(_: Rewrite, __: Rewrite) -> bool:
    return False


def _add_nothing(_: SearchModel) -> None:
    return None


def _add_no_shapes(_: SearchModel, __: str) -> None:
    return None


def _same_shapes(_: Facts, shapes: Shapes) -> Shapes:
    return shapes


def _asks_once(_: Facts, __: ReadPlan) -> Mapping[str, tuple[str, ...]]:
    return {}


def _says_nothing(_: ReadPlan | CollectionPlan, __: int) -> Iterable[str]:
    return ()


class IndexKeys(Protocol):
    """How an index is keyed that has no composed texts."""

    def index(self, projection: Projection) -> Index: ...
    def item_keys(self, keys: ItemKeys, tag: str) -> ItemKeys: ...
    def read_step(self, step: ReadStep) -> ReadStep: ...


def _composed_keys(_: Layout) -> Mapping[str, IndexKeys]:
    return {}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What all plans have.

    numbered   by kind of variable: where its name has the number of an index
    shared     the kinds of variables of physical indexes, which all entities have in common
    add        the variables and rows of all entities
    """

    numbered: Mapping[str, int] = {}
    shared: tuple[str, ...] = ()
    add: Callable[[SearchModel], None] = _add_nothing


class FormPlan(Plan, frozen=True, kw_only=True):
    """A change of form. `text` and `reason` explain it; `without` is what the design is called that does without it.

    demands    rewrites that a spec cannot do without, as ways of which one is taken
    offers     rewrites that may be made or left
    resorts    rewrites for a spec that nothing else serves
    excludes   whether a rewrite of this plan does not go together with another
    apply      the spec with one more rewrite made
    companion  what is written along with the items of an entity in this form
    """

    kind: Kind
    text: str
    reason: str
    without: str = ""
    apply: Callable[[Rewritten, Rewrite], Rewritten]
    demands: Callable[[Facts], Iterable[Ways]] = _no_ways
    offers: Callable[[Facts], Iterable[Rewrite]] = _no_rewrites
    resorts: Callable[[Facts], Iterable[Rewrite]] = _no_rewrites
    excludes: Callable[[Rewrite, Rewrite], bool] = _excludes_nothing
    companion: Companion | None = None


class PlacePlan(Plan, frozen=True, kw_only=True):
    """A place for keys.

    shapes       what an entity may be keyed by there
    is_item      whether whole items lie there, which a GetItem reads, and consistently
    add_shapes   the variables and rows of one entity, with what its entries cost
    read_from    of these variables one must be 1 for a plan to read there
    keys         the keys of a design that stand there
    reasons      why a key is what it is, with the patterns that read it
    sources      the pages that rests on
    """

    place: PlaceName
    variable: str
    is_item: bool = False
    shapes: Callable[[Candidates, str], tuple[Shape, ...]]
    add_shapes: Callable[[SearchModel, str], None] = _add_no_shapes
    read_from: Callable[[SearchModel, ReadPlan], Mapping[Variable, float]]
    keys: Callable[[PlacedShapes], Iterable[PlacedKey]]
    reasons: Callable[[Facts, Choice, PlacedKey, tuple[str, ...]], Iterable[str]]
    sources: Callable[[Facts, Choice, PlacedKey], tuple[Source, ...]]
    decision: DecisionKind
    name: str = "the table"  # with its number, where it has one
    added: str  # `Order as a second item by ...`
    removed: str  # `no second item of Order`
    today: str = "an index of today"  # `nothing: the table has it by ...`
    item_kind: ItemKind = "entity"  # of the items there
    item_text: str = "{entity}"
    query_text: str
    """Why it is read there, with its entity, its keys, the keys of the table (`base`) and its place."""

    def name_of(self, number: int) -> str:
        return self.name.format(number + 1)


class VariantPlan(Plan, frozen=True, kw_only=True):
    """What keys and reads can be besides.

    extend      more key shapes of an entity
    add_reads   variables and rows of reads that no single key answers
    loops       what a read is asked for once each: the values of an attribute, buckets between two times
    index_keys  by index: keys without composed texts
    explain     clauses about a read, with the number of shards it asks
    """

    extend: Callable[[Facts, Shapes], Shapes] = _same_shapes
    add_reads: Callable[[SearchModel], None] = _add_nothing
    loops: Callable[[Facts, ReadPlan], Mapping[str, tuple[str, ...]]] = _asks_once
    index_keys: Callable[[Layout], Mapping[str, IndexKeys]] = _composed_keys
    explain: Callable[[ReadPlan | CollectionPlan, int], Iterable[str]] = _says_nothing

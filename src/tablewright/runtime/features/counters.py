"""Counters: a number beside an item, in items of its own, so that many writers do not wait for each other.

    pk  __counter__#3#<the item's partition key>     (3 is the shard: every shard is a partition of its own)
    sk  views#<the item's sort key>
    n   1207

Counting up is one update of a shard chosen at random. Reading gathers all shards and adds them up; what is counted
meanwhile may or may not be in the sum. A shard is an ordinary item of an entity of its own, so that counting stands in
transactions like any other write.
"""

from __future__ import annotations

import hashlib
import random
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.runtime.features.idempotency.once import Once, once
from tablewright.runtime.items.derive import keyed
from tablewright.runtime.items.layout import Layout, lay_out
from tablewright.runtime.operations.batches import GetMany
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.transactions import Transaction, transact
from tablewright.runtime.operations.update import Update
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.changes import Change
from tablewright.schema.features import Counter
from tablewright.schema.model import AccessPattern, Entity, KeySide
from tablewright.schema.types import NUMBER, STRING, Attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.key import Key
    from tablewright.runtime.requests.request import Params

E = TypeVar("E", bound="StoredItem")

MARK = "__counter__"
NUMBER_FIELD = "n"


class CounterOf(msgspec.Struct, frozen=True):
    """`page.views`: the counter of one item."""

    layout: Layout  # that of the shards
    counter: Counter
    owner: tuple[Any, ...]  # the table key of the item it belongs to

    def add(self, amount: int = 1) -> Update[Any]:
        """Count up, or down with a negative amount: one write, which may stand in a transaction.

        A lost answer leaves it open whether it was counted; `add_once` counts once.
        """
        return self.add_to(random.randrange(self.counter.shards), amount)  # noqa: S311 - no secret

    def add_once(self, request_id: str, amount: int = 1) -> Once[Any]:
        """Count once for a request id, however often it is asked for; see `tw.once`."""
        shard = int.from_bytes(hashlib.sha256(request_id.encode()).digest()[:8]) % self.counter.shards
        return once(self.add_to(shard, amount), request_id)

    def add_to(self, shard: int, amount: int) -> Update[Any]:
        return Update(self.layout, self.shard(shard), (Change("add", ("n",), amount),))

    def value(self) -> Values[int]:
        """The sum of all shards."""
        return Values(self.layout, (self,), is_single=True)

    def set(self, value: int) -> Transaction:
        """Let it be this number: one transaction over all shards."""
        first = Put[Any](self.layout, {**self.shard(0), NUMBER_FIELD: value})
        return transact(first, *(Delete[Any](self.layout, shard) for shard in self.shards()[1:]))

    def reset(self) -> Transaction:
        """Forget all shards: the counter reads 0 again, and nothing is left of it."""
        return transact(*self.removals())

    def removals(self) -> tuple[Delete[Any], ...]:
        """The deletes of all shards, to go with the item: `tw.transact(page.delete(), *page.views.removals())`."""
        return tuple(Delete[Any](self.layout, shard) for shard in self.shards())

    def shards(self) -> list[Params]:
        """The composites of every shard that is read."""
        return [self.shard(at) for at in range(self.counter.read)]

    def shard(self, at: int) -> Params:
        pk, *sk = self.owner
        composites = {"counter": self.counter.name, "shard": at, "of_pk": str(pk)}
        return {**composites, "of_sk": str(sk[0])} if sk else composites


class Counters(msgspec.Struct, Generic[E], frozen=True):
    """`Page.views`: the counters of all items of an entity."""

    owners: Layout
    counter: Counter

    def of(self, key: Key[E]) -> CounterOf:
        """The counter of the item with this key, whether it exists or not: `Page.views.of(Page.key("home"))`."""
        return CounterOf(_shard_layout(self.owners), self.counter, _spelled_key(self.owners, key.composites))

    def values(self, keys: Iterable[Key[E]]) -> Values[list[int]]:
        """The counters of many items, in their order."""
        return Values(_shard_layout(self.owners), tuple(self.of(key) for key in keys))


def _spelled_key(owners: Layout, composites: Mapping[str, Any]) -> tuple[Any, ...]:
    """The table key of an item in the letter case of its texts: `R1` is not counted with `r1`, where keys meet."""
    key = owners.key(composites)
    if not owners.folds:
        return tuple(key[field] for field, _ in owners.table_key)
    values = keyed(owners.derived, composites) if owners.derived else composites
    sides = (side for side in (owners.primary.pk, owners.primary.sk) if side is not None)
    return tuple(msgspec.structs.replace(side, casing="none").whole(values) for side in sides)


T_co = TypeVar("T_co", covariant=True)


class Values(Tunable, msgspec.Struct, Generic[T_co], frozen=True):
    """Reads counters: all shards in as few batches as they fit in."""

    layout: Layout
    counters: tuple[CounterOf, ...]
    is_single: bool = False
    options: Options = DEFAULT

    method = "counter"

    def gets(self) -> Iterator[Get[Any]]:
        for counter in self.counters:
            yield from (Get[Any](counter.layout, shard) for shard in counter.shards())

    def params(self) -> Any:
        return GetMany[Any](tuple(self.gets()), self.options).params()

    def flow(self) -> Flow[T_co]:
        if not self.counters:
            return []  # type: ignore[return-value]
        found: list[Any] = yield from GetMany[Any](tuple(self.gets()), self.options).flow()
        numbers = iter([0 if shard is None else shard.get(NUMBER_FIELD, 0) for shard in found])
        sums = [sum(islice(numbers, each.counter.read)) for each in self.counters]
        return sums[0] if self.is_single else sums  # type: ignore[return-value]


# ---- the entity of shards ----------------------------------------------------------------------------------------


@cache
def _shard_layout(owners: Layout) -> Layout:
    """The entity whose items are the shards of all counters of another entity."""
    return lay_out(_shard_entity(owners.entity), strict=True, home=owners.home)


def _shard_entity(owner: Entity) -> Entity:
    names = ("shard", "of_pk", "counter", "of_sk") if owner.primary.sk is not None else ("shard", "counter", "of_pk")
    attributes = (
        *(Attribute(name=name, type=NUMBER if name == "shard" else STRING, field=name) for name in names),
        Attribute(name=NUMBER_FIELD, type=NUMBER, field=NUMBER_FIELD),
    )
    return Entity(
        name="tablewright:counter",
        service=owner.service,
        version="1",
        attributes=attributes,
        patterns=(_shard_key(owner.primary),),
        table=owner.table,
        identifiers=owner.identifiers,
    )


def _shard_key(primary: AccessPattern) -> AccessPattern:
    """The key of a shard in the fields of the table's key."""

    def side(field: str, *names: str, before: str = "") -> KeySide:
        text = before + "#".join("${" + name + "}" for name in names)
        return KeySide(field=field, composite=names, template=text, casing="none")

    if primary.sk is None:
        pk = side(primary.pk.field, "shard", "counter", "of_pk", before=f"{MARK}#")
        return AccessPattern(name="key", index=None, pk=pk)
    pk = side(primary.pk.field, "shard", "of_pk", before=f"{MARK}#")
    return AccessPattern(name="key", index=None, pk=pk, sk=side(primary.sk.field, "counter", "of_sk"))

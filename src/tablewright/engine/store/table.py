"""A table as the engine knows it: keys, indexes and settings, kept as one frozen value and stored as JSON."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias

import msgspec

KeyType: TypeAlias = Literal["S", "N", "B"]


class Keys(msgspec.Struct, frozen=True, dict=True):
    """The key attributes of a table or index: one of each as a rule, up to four of each in a GSI."""

    pk: tuple[str, ...]
    sk: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (*self.pk, *self.sk)


class Throughput(msgspec.Struct, frozen=True):
    read: int = 0
    write: int = 0


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """A secondary index. `slot` names its table of entries, for good: names may come back, slots do not."""

    name: str
    slot: int
    kind: Literal["gsi", "lsi"]
    keys: Keys
    projection: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = "ALL"
    included: tuple[str, ...] = ()
    throughput: Throughput | None = None
    settings: dict[str, Any] = {}  # what was asked for and is given back: warm throughput, on-demand limits

    def projected(self, table: Keys) -> frozenset[str] | None:
        """The attributes the index holds; None for all of them."""
        if self.projection == "ALL":
            return None
        return frozenset((*table.names, *self.keys.names, *self.included))


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything there is to know about a table except its items."""

    id: int
    name: str
    uuid: str
    created: float
    types: dict[str, KeyType]  # attribute definitions
    keys: Keys
    indexes: tuple[Index, ...] = ()
    billing: Literal["PROVISIONED", "PAY_PER_REQUEST"] = "PROVISIONED"
    throughput: Throughput = Throughput()
    ttl: str | None = None
    stream: dict[str, Any] | None = None  # StreamViewType and label, while enabled
    tags: dict[str, str] = {}
    settings: dict[str, Any] = {}  # table class, deletion protection, encryption, backups: given back as they came
    next_slot: int = 0
    sealed: bool = False  # made since there are checksums: every row has one

    @cached_property
    def index_key_names(self) -> frozenset[str]:
        """The key attributes of all indexes."""
        return frozenset(name for index in self.indexes for name in index.keys.names)

    @cached_property
    def lsi_count(self) -> int:
        return sum(index.kind == "lsi" for index in self.indexes)

    def index(self, name: str) -> Index | None:
        return next((each for each in self.indexes if each.name == name), None)

"""Attributes that follow from others: the shard and the period that stand in partition keys.

They are stored like any other, and every write fills them in, see `items/derive.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.features.sharding.periods import period_of, refuse_too_early
from tablewright.runtime.features.sharding.shards import any_shard, shard_of
from tablewright.runtime.types.values import ABSENT
from tablewright.schema.escaped import escape
from tablewright.schema.features import Bucket, Shards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.schema.model import AccessPattern, Entity

    Values = Mapping[str, Any]


class Derivation(msgspec.Struct, frozen=True):
    """One such attribute. `fields` are the stored partition keys it is part of."""

    name: str
    sources: tuple[str, ...]
    rule: Shards | Bucket
    fields: tuple[str, ...]
    is_constant: bool  # it follows from the table key alone
    escaped: frozenset[str] = frozenset()  # sources whose texts are hashed as they stand in keys

    @property
    def is_random(self) -> bool:
        return isinstance(self.rule, Shards) and self.rule.by == "random"

    @property
    def is_found_without(self) -> bool:
        """All shards can be asked, and all periods where there is a first one."""
        return isinstance(self.rule, Shards) or self.rule.since is not None

    def value(self, values: Values) -> Any:
        """What it is for these values; ABSENT when a source is."""
        given = [values.get(name, ABSENT) for name in self.sources]
        if any(each is ABSENT for each in given):
            return ABSENT
        if isinstance(self.rule, Bucket):
            refuse_too_early(self.rule, given[0])
            return period_of(self.rule, given[0])
        if self.is_random:
            return any_shard(self.rule)
        return shard_of(self.rule, [self.in_keys(name, each) for name, each in zip(self.sources, given, strict=True)])

    def in_keys(self, name: str, value: Any) -> Any:
        return escape(value) if name in self.escaped and isinstance(value, str) else value

    def is_kept(self, stored: Any) -> bool:
        """Whether a value that is there may stay whatever the sources say: any shard is as good as another."""
        return self.is_random and isinstance(stored, int) and isinstance(self.rule, Shards) and stored < self.rule.count


def derivations_of(entity: Entity) -> tuple[Derivation, ...]:
    found: dict[str, Derivation] = {}
    for pattern in entity.patterns:
        for rule in (pattern.shards, pattern.bucket):
            if rule is not None:
                earlier = found[rule.attribute].fields if rule.attribute in found else ()
                found[rule.attribute] = _derivation(entity, pattern, rule, earlier)
    return tuple(found.values())


def _derivation(entity: Entity, pattern: AccessPattern, rule: Shards | Bucket, fields: tuple[str, ...]) -> Derivation:
    is_random = isinstance(rule, Shards) and rule.by == "random"
    sources = () if is_random else rule.of if isinstance(rule.of, tuple) else (rule.of,)
    is_constant = not is_random and set(sources) <= set(entity.primary.composites)
    escaped = frozenset(each.name for each in entity.attributes if each.escaped and each.name in sources)
    return Derivation(rule.attribute, sources, rule, (*fields, pattern.pk.field), is_constant, escaped)

"""Attributes that follow from others: the shard and the period that stand in partition keys.

They are stored like any other, and every write fills them in: a whole item from its values, an update from what it
changes, is told, or remembers of the item it was called on. An item without the sources is without the attribute, and
so is not in the index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.sharding.periods import period_of, refuse_too_early
from tablewright.runtime.features.sharding.shards import any_shard, shard_of
from tablewright.runtime.items.values import ABSENT
from tablewright.schema.escaped import escape
from tablewright.schema.features import Bucket, Shards

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


# ---- whole items and keys ------------------------------------------------------------------------------------------


def derived(derivations: tuple[Derivation, ...], values: Values) -> dict[str, Any]:
    """The values with everything that follows from them."""
    result = dict(values)
    for each in derivations:
        if each.is_kept(result.get(each.name)):
            continue
        value = each.value(result)
        if value is ABSENT:
            result.pop(each.name, None)
        else:
            result[each.name] = value
    return result


def keyed(derivations: tuple[Derivation, ...], composites: Values) -> dict[str, Any]:
    """The composites of a table key with those that follow from them."""
    result = dict(composites)
    for each in derivations:
        if each.is_constant and (value := each.value(result)) is not ABSENT:
            result[each.name] = value
    return result


# ---- updates -------------------------------------------------------------------------------------------------------


class _Settled(msgspec.Struct, frozen=True):
    """What an update knows of derived attributes: those it changes, and those that follow from what it knows."""

    changed: dict[str, Any]  # ABSENT where it is to be removed
    told: dict[str, Any]
    remembered: dict[str, Any]


def settle(derivations: tuple[Derivation, ...], fresh: Values, told: Values, remembered: Values) -> _Settled:
    settled = _Settled({}, {}, {})
    known = {**remembered, **told, **fresh}
    for each in derivations:
        if each.is_random:
            settled.told[each.name] = _any_shard_or(known.get(each.name), each)
        elif any(name in fresh for name in each.sources):
            settled.changed[each.name] = each.value(_known_sources(each, known))
        elif all(name in told for name in each.sources):
            settled.told[each.name] = each.value(told)
        elif all(name in known for name in each.sources):
            settled.remembered[each.name] = each.value(known)
    return settled


def _any_shard_or(stored: Any, each: Derivation) -> Any:
    return stored if each.is_kept(stored) else each.value({})


def _known_sources(each: Derivation, known: Values) -> Values:
    missing = [name for name in each.sources if name not in known]
    if missing:
        remedy = "say what they are with .composite(...), or update through the item itself"
        raise RequestError(
            f"this changes {each.name}, for which {', '.join(missing)} must be known; {remedy}", code=2002
        )
    return known


def sources_of(derivations: tuple[Derivation, ...], names: Iterable[str]) -> dict[str, None]:
    """The names, with the sources in place of what follows from them."""
    by_name = {each.name: each.sources for each in derivations}
    return dict.fromkeys(source for name in names for source in by_name.get(name, (name,)))

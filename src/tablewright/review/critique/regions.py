"""The rule about replicas: what two regions lose that write one item, and what keeps them apart.

Each replica takes writes for itself and sends them to the others within about a second. Conditions, transactions and
strong reads know their own region alone; of two writes of one item the later wins, as a whole and without an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.serving.writes import operation_on
from tablewright.design.wording import concat
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.review.case import Case
    from tablewright.spec.model import EntitySpec, PatternSpec, Spec

STRONG_REGIONS = 3
"""Global tables with strong consistency (MRSC) have exactly so many replicas, in one part of the world."""


def is_global(case: Case) -> bool:
    return case.origin.is_global


def lost_writes(case: Case) -> Iterator[str]:
    """For each entity what is lost where two regions write it, then what to do about all of it."""
    conflicts = [f"{each.name}: {said}" for each in case.origin.entities.values() for said in _lost_of(case, each)]
    yield from conflicts
    yield from _late_reads(case)
    if conflicts:
        yield _remedies(case)


def _lost_of(case: Case, entity: EntitySpec) -> Iterator[str]:
    writes = _writers_of(case.origin, (entity.name,))
    changing = [each for each in writes if operation_on(case.asked, each, entity.name) in ("update", "delete")]
    if not _several_regions(case.origin, writes):
        return
    counted = {each.id: _added(each, entity.name) for each in writes if _added(each, entity.name)}
    for id_, names in counted.items():
        yield f"{id_} adds to {concat(names)}, and of two adds at the same time in two regions one is lost"
    kept = [each.name for each in case.spec.entities.values() if each.kind == "total" and each.of == entity.name]
    if kept and len(writes) > len(counted):
        yield f"its totals ({concat(kept)}) are kept by adding, which loses as well"
    newest = [each.name for each in case.spec.entities.values() if each.kind == "latest" and each.of == entity.name]
    if newest:
        yield f"{concat(newest)} may have the older of two that come at the same time in two regions"
    guarded = [each.id for each in writes if _is_guarded(case, each, entity.name)]
    if guarded:
        yield f"{concat(guarded)} {_verb(guarded, 'checks', 'check')} a condition that holds in one region alone"
    yield from _taken_twice(case, entity)
    together = [each.id for each in writes if case.lines[each.id].prediction.transactional]
    if together:
        kind = _verb(together, "is a transaction", "are transactions")
        yield f"{concat(together)} {kind}, whole in one region alone: others see parts of it for a moment"
    plain = [each.id for each in changing if each.id not in (*counted, *guarded, *together)]
    if plain:
        yield f"of two writes at the same time by {concat(plain)} the later wins"


def _writers_of(spec: Spec, entities: tuple[str, ...]) -> list[PatternSpec]:
    return [each for each in spec.writes if {*entities} & {*each.entities}]


def _several_regions(spec: Spec, patterns: Iterable[PatternSpec]) -> bool:
    return len({name for each in patterns for name in spec.called_from(each)}) > 1


def _added(pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """Attributes that an update counts up or down."""
    said = pattern.ops.get(entity)
    changes = pattern.changes if said is None or said.changes is None else said.changes
    return tuple(each.attr for each in changes or () if each.kind == "add")


def _is_guarded(case: Case, pattern: PatternSpec, entity: str) -> bool:
    """Whether something must be so in what is stored, besides that an updated item is there."""
    effect = effect_on(case.asked, pattern, entity)
    if effect.op == "check" or effect.when is not None or effect.version is not None or effect.parents:
        return True
    return effect.op == "put" and effect.existence != "any"


def _taken_twice(case: Case, entity: EntitySpec) -> Iterator[str]:
    """Unique values, as far as several regions give them."""
    across = [(name,) for group in case.origin.unique for owner, name in group if owner == entity.name]
    for group in dict.fromkeys((*entity.unique, *across)):
        if _several_regions(case.origin, (each for each in case.origin.writes if _gives(case, each, entity, group))):
            names = concat(group)
            yield f"the same {names} can be taken in two regions at the same time, and neither is refused"


def _gives(case: Case, pattern: PatternSpec, entity: EntitySpec, names: tuple[str, ...]) -> bool:
    """Whether a write may bring a new value of these attributes."""
    if entity.name not in pattern.entities:
        return False
    operation, changed = operation_on(case.asked, pattern, entity.name), pattern.changed_of(entity.name)
    return operation == "put" or (operation == "update" and (changed is None or bool({*changed} & {*names})))


def _late_reads(case: Case) -> Iterator[str]:
    strong = [
        each.id
        for each in case.origin.reads
        if each.consistency == "strong"
        if _several_regions(case.origin, (each, *_writers_of(case.origin, each.entities)))
    ]
    if strong:
        yield (
            f"{concat(strong)} {_verb(strong, 'reads', 'read')} strongly, which shows the writes of that region;"
            " those of others come about a second later"
        )


# ---- what to do -----------------------------------------------------------------------------------------------------


def _remedies(case: Case) -> str:
    home = case.origin.regions[0]
    return (
        f"write each item in one region: all of them in {home} (say `regions: [{home}]` at the pattern), or each in a"
        " home that stands in the item or in its id, such as eu-west-1.4711; count in an attribute or an item for each"
        f" region, and add up when reading; {_strong_tables(case)}"
    )


def _strong_tables(case: Case) -> str:
    """Whether strong consistency across regions would do, and what of this design stands against it."""
    names = case.origin.regions
    against = [
        f"{len(names)} regions (only {STRONG_REGIONS})" if len(names) != STRONG_REGIONS else "",
        "regions in several parts of the world" if len({each.split("-")[0] for each in names}) > 1 else "",
        "transactions" if any(each.prediction.transactional for each in case.cost.patterns) else "",
        "items that expire" if case.table.ttl_attribute else "",
        "a local index" if case.table.lsis else "",
    ]
    found = [each for each in against if each]
    if found:
        return f"global tables with strong consistency (MRSC) refuse the second write, but do not allow {concat(found)}"
    return "a global table with strong consistency (MRSC), which this design allows, refuses the second write instead"


def _verb(names: list[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many

"""Items in the proportions that a spec tells: so many of each entity, so many children, values, presence and sizes.

Collections differ in length, from half of their average to half more, a few are longer, and none is longer than `max`;
together they have the average that is said. Times are spread over the life of the items. Items that are made later
name parents that exist and are of this moment. Attributes do not depend on each other, except where a parent says both.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.proof.application.state import Item, expiry_attribute, with_expiry
from tablewright.proof.application.uniqueness import unique_groups
from tablewright.proof.lengths import lasting
from tablewright.proof.population.kin import Kin, kin_of, parents_first
from tablewright.proof.population.sizes import sized_value, time_text
from tablewright.proof.values import WRITTEN_AT
from tablewright.spec.facts import Facts
from tablewright.spec.listing import asked_reads
from tablewright.spec.validation import make_valid
from tablewright.spec.volumes import KEY_BYTES, age_days, attribute_bytes, cardinality, period_of, presence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tablewright.spec.model import AttributeSpec, PatternSpec, RelationshipSpec

SHORTEST, LONGEST = 0.5, 1.5
LONG = 4.0
"""The longest collection has so many times the average, where the spec allows that many."""
LETTERS: Mapping[str | None, int] = {"year": 4, "month": 7, "week": 10, "day": 10, "hour": 13, "minute": 16}
"""What of a time as text stands for a period; a week is told by its first day."""
WEEK = 7 * 86_400
TRIES = 30


class Population(msgspec.Struct):
    """All items by entity, and what others are made with."""

    facts: Facts
    chance: Random
    items: dict[str, list[Item]]
    kin: dict[str, list[Kin]]
    made: int = 0  # how many values of their own have been given out

    def next_number(self) -> int:
        self.made += 1
        return self.made


def populate(facts: Facts, seed: int) -> Population:
    """As many items as the facts count."""
    kin = {name: kin_of(facts, name) for name in facts.spec.entities}
    found = Population(facts, Random(seed), {name: [] for name in facts.spec.entities}, kin)  # noqa: S311 - a sample
    for name in parents_first(facts):
        rows: list[Item] = [{} for _ in range(max(1, round(facts.counts[name])))]
        _fill(found, name, rows, now=None)
        found.items[name] = _with_distinct_ids(found, name, rows)
    return found


def new_item(population: Population, entity: str, known: Item, always: frozenset[str] = frozenset()) -> Item:
    """An item of this moment; `known` are values that it has already, `always` what it must have."""
    row = dict(known)
    _fill(population, entity, [row], now=WRITTEN_AT, always=always)
    return row


def fresh_value(population: Population, entity: str, attr: str) -> Any:
    """A value that no other item has."""
    if population.facts.attribute(entity, attr).type == "timestamp":
        return _times(population, entity, attr, 1, WRITTEN_AT)[0]
    return _sized(population, entity, attr, population.next_number())


def passing(population: Population, pattern: PatternSpec, items: Iterable[Item]) -> list[Item]:
    """Those with the values that a filter says."""
    wanted = said_values(population, pattern)
    return [item for item in items if all(item.get(name) == value for name, value in wanted.items())]


def said_values(population: Population, pattern: PatternSpec) -> Item:
    known = population.facts.spec.entities[pattern.entity].attributes
    said = {name: value for name, value in pattern.filter.items() if name in known}
    return {name: value for name, value in said.items() if isinstance(value, bool) or value in known[name].values}


# ---- all attributes of some items -----------------------------------------------------------------------------------


def _fill(
    population: Population, entity: str, rows: list[Item], now: int | None, always: frozenset[str] = frozenset()
) -> None:
    """Parents first: they settle what is shared. Then what is the item's own; then parents of the same entity."""
    facts, given = population.facts, {id(row): frozenset(row) for row in rows}
    own = [each for each in population.kin[entity] if each.parent == entity]
    for kin in population.kin[entity]:
        if kin.parent != entity and population.items[kin.parent]:
            _assign(population, entity, rows, kin, population.items[kin.parent], always)
    later = {name for kin in own for name in kin.names if name not in facts.spec.entities[entity].id}
    for attr in facts.spec.entities[entity].attributes:
        open_rows = [row for row in rows if attr not in row]
        if open_rows and attr not in later and not _is_set_by_parents(population, entity, attr):
            _spread(population, entity, attr, _having(population, entity, attr, open_rows, always), now)
    for kin in own:
        _assign(population, entity, rows, kin, population.items[entity] or rows, always)
    for row in rows:
        row.update(with_expiry(facts.spec, entity, row, WRITTEN_AT))
        row.update(lasting(facts, population.chance, entity, row, given[id(row)]))


def _is_set_by_parents(population: Population, entity: str, attr: str) -> bool:
    """What a parent says, where there are any; then items without it have none."""
    return any(
        attr in kin.names and kin.parent != entity and bool(population.items[kin.parent])
        for kin in population.kin[entity]
    )


def _having(population: Population, entity: str, attr: str, rows: Sequence[Item], always: frozenset[str]) -> list[Item]:
    """The items that have an attribute: as many as are said, anywhere among them."""
    share = 1.0 if attr in always else presence(population.facts, entity, attr)
    if share >= 1.0:
        return list(rows)
    if len(rows) == 1:
        return list(rows) if population.chance.random() < share else []
    return population.chance.sample(list(rows), round(share * len(rows)))


# ---- parents --------------------------------------------------------------------------------------------------------


def _assign(
    population: Population, entity: str, rows: list[Item], kin: Kin, parents: list[Item], always: frozenset[str]
) -> None:
    """Gives every item a parent that agrees with what the item has already."""
    settled = [ours for ours in kin.names if all(ours in row for row in rows)]
    left = [name for name in kin.names if name not in settled]
    if not left:
        return
    theirs = dict(kin.pairs)
    candidates: dict[tuple[Any, ...], list[Item]] = defaultdict(list)
    for parent in parents:
        if all(name in parent for name in theirs.values()):
            candidates[tuple(parent[theirs[name]] for name in settled)].append(parent)
    groups: dict[tuple[Any, ...], list[Item]] = defaultdict(list)
    for row in _having(population, entity, left[0], [row for row in rows if left[0] not in row], always):
        groups[tuple(row[name] for name in settled)].append(row)
    for shared, members in groups.items():
        chosen = _parents_for(population, len(members), candidates.get(shared, []), kin.relation)
        for row, parent in zip(members, chosen, strict=False):
            row.update({name: parent[theirs[name]] for name in left})
        for row in members[len(chosen) :]:  # nobody to name: a value of its own
            row.update({name: fresh_value(population, entity, name) for name in left})


def _parents_for(
    population: Population, children: int, parents: list[Item], relation: RelationshipSpec | None
) -> list[Item]:
    """For every child its parent, in no order."""
    if not parents:
        return []
    average = None if relation is None else 1.0 if relation.kind == "one-to-one" else relation.avg
    having = len(parents) if not average else min(len(parents), max(1, round(children / average)))
    most = None if relation is None else relation.max
    chosen = population.chance.sample(parents, min(having, children))
    lengths = collection_lengths(children, len(chosen), most, None if relation is None else relation.p50)
    found = [parent for parent, length in zip(chosen, lengths, strict=True) for _ in range(length)]
    population.chance.shuffle(found)
    return found


def _weights(mean: float, collections: int, middle: float | None) -> list[float]:
    """How long collections are against each other: evenly spread, or with `middle` items in that of the middle."""
    places = [(at + 0.5) / collections for at in range(collections)]
    beyond = 0.0 if middle is None else 2 * mean - 1.5 * middle
    if middle is None or beyond <= 0:
        return [SHORTEST + (LONGEST - SHORTEST) * at for at in places]
    return [2 * at * middle if at <= 0.5 else middle - beyond * log(2 * (1 - at)) for at in places]


def collection_lengths(
    total: int, collections: int, most: float | None = None, middle: float | None = None
) -> list[int]:
    """So many items in so many collections, none empty, none longer than `most` unless all are."""
    mean = total / collections
    weights = _weights(mean, collections, middle)
    if middle is None and most is not None and collections >= 2 * LONG:
        weights[-1] = LONG
    cap = total if most is None else max(mean, most)
    cut: set[int] = set()
    while True:
        free = [at for at in range(collections) if at not in cut]
        scale = (total - cap * len(cut)) / sum(weights[at] for at in free) if free else 0.0
        longer = {at for at in free if weights[at] * scale > cap}
        if not longer:
            break
        cut |= longer
    wanted = [cap if at in cut else weight * scale for at, weight in enumerate(weights)]
    return _whole(wanted)


def _whole(wanted: list[float]) -> list[int]:
    """Whole numbers with the same sum, each at least 1 where that can be."""
    short = sum(max(0.0, 1.0 - each) for each in wanted)
    spare = sum(max(0.0, each - 1.0) for each in wanted)
    if spare > short > 0.0:
        wanted = [1.0 if each < 1.0 else each - (each - 1.0) * short / spare for each in wanted]
    found: list[int] = []
    total = 0.0
    for each in wanted:
        total += each
        found.append(round(total) - sum(found))
    return found


# ---- values ---------------------------------------------------------------------------------------------------------


def _spread(population: Population, entity: str, attr: str, rows: list[Item], now: int | None) -> None:
    """Gives items their values of one attribute, each value to as many as the spec tells."""
    facts, spec = population.facts, population.facts.attribute(entity, attr)
    if attr == facts.spec.entities[entity].version:
        values: list[Any] = [1] * len(rows)
    elif attr == expiry_attribute(facts.spec, entity):
        values = [WRITTEN_AT + 86_400 * population.chance.randint(1, 30) for _ in rows]
    elif (spec.type == "timestamp" and spec.cardinality is None) or (period_of(spec) and spec.type == "string"):
        values = _times(population, entity, attr, len(rows), now)
    elif spec.values or spec.type == "boolean":
        values = _enumerated(population, entity, spec, len(rows))
    elif _tells_apart(population, entity, attr):
        values = [fresh_value(population, entity, attr) for _ in rows]
    else:
        most = max(1, round(cardinality(facts, entity, attr)))
        numbers = [population.chance.randrange(most)] if len(rows) == 1 else [at % most for at in range(len(rows))]
        values = [_sized(population, entity, attr, number) for number in numbers]
    population.chance.shuffle(values)
    for row, value in zip(rows, values, strict=True):
        row[attr] = value


def _tells_apart(population: Population, entity: str, attr: str) -> bool:
    spec = population.facts.spec.entities[entity]
    if spec.attributes[attr].cardinality is not None and len(spec.id) > 1:
        return False
    unique = any(
        each == entity and attr in names for group in unique_groups(population.facts.spec) for each, names in group
    )
    return unique or attr == spec.id[len(spec.id) - 1]


def _sized(population: Population, entity: str, attr: str, number: int) -> Any:
    facts = population.facts
    size = attribute_bytes(facts, entity, attr) - len(attr.encode())
    if attr == _filler(facts, entity):
        others = sum(
            attribute_bytes(facts, entity, name) * presence(facts, entity, name)
            for name in facts.spec.entities[entity].attributes
        )
        size = max(1, round((facts.spec.entities[entity].size_bytes or 0) - KEY_BYTES - others + size))
    spec = facts.attribute(entity, attr)
    return sized_value(spec.type, size, number) if spec.validate is None else make_valid(spec, number + 2, size)


def _filler(facts: Facts, entity: str) -> str | None:
    """What makes up for the size that an entity is said to have: its largest text that nothing is found by."""
    spec = facts.spec.entities[entity]
    if spec.size_bytes is None:
        return None
    asked = {
        name for each in facts.spec.patterns for name in (*each.by, *each.filter, *(sort.attr for sort in each.sort))
    }
    free = [
        each.name
        for each in spec.attributes.values()
        if each.type in ("string", "any", "map", "list", "binary") and not each.values
        if each.name not in {*spec.id, *asked, *facts.references[entity]}
    ]
    return max(free, key=lambda name: (attribute_bytes(facts, entity, name), name), default=None)


def _enumerated(population: Population, entity: str, spec: AttributeSpec, count: int) -> list[Any]:
    """Each as often as the others, but for values of which a filter says how many pass."""
    values: list[Any] = list(spec.values) if spec.values else [False, True]
    said = {
        each.filter[spec.name]: each.selectivity
        for each in asked_reads(population.facts.spec)
        if entity in each.entities and set(each.filter) == {spec.name} and each.selectivity is not None
    }
    said = {value: share for value, share in said.items() if value in values}
    rest = max(0.0, 1.0 - sum(said.values())) / max(1, len(values) - len(said))
    shares = [said.get(value, rest) for value in values]
    if count == 1:
        return population.chance.choices(values, weights=[max(each, 1e-9) for each in shares])
    counts = _whole_shares([share * count / sum(shares) for share in shares])
    return [value for value, number in zip(values, counts, strict=True) for _ in range(number)]


def _whole_shares(wanted: list[float]) -> list[int]:
    found: list[int] = []
    total = 0.0
    for each in wanted:
        total += each
        found.append(round(total) - sum(found))
    return found


def _times(population: Population, entity: str, attr: str, count: int, now: int | None) -> list[Any]:
    """Moments, or the periods that these are in: all of one day have the same."""
    period = period_of(population.facts.attribute(entity, attr))
    size = attribute_bytes(population.facts, entity, attr) - len(attr.encode())
    if now is not None:
        moments = [now + population.next_number() / 1000 for _ in range(count)]
    else:
        span = age_days(population.facts, entity).value * 86_400
        moments = [WRITTEN_AT - span * (at + 0.5) / count for at in range(count)]
    return [time_text(each // WEEK * WEEK if period == "week" else each, size, LETTERS.get(period)) for each in moments]


# ---- ids ------------------------------------------------------------------------------------------------------------


def _with_distinct_ids(population: Population, entity: str, rows: list[Item]) -> list[Item]:
    """Items that share an id change their partners with others, as far as that helps; who is left over goes."""
    names = population.facts.spec.entities[entity].id
    for _ in range(TRIES):
        seen: set[tuple[Any, ...]] = set()
        twins: list[int] = []
        for at, row in enumerate(rows):
            mark = tuple(row[name] for name in names)
            twins += [at] if mark in seen else []
            seen.add(mark)
        if not twins or len(names) == 1:
            break
        for at in twins:
            _swap(population, rows, at, names[-1])
    found: dict[tuple[Any, ...], Item] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), row)
    return list(found.values())


def _swap(population: Population, rows: list[Item], at: int, name: str) -> None:
    other = population.chance.randrange(len(rows))
    rows[at][name], rows[other][name] = rows[other][name], rows[at][name]

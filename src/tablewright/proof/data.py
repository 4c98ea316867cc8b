"""Items of an application that follow its spec's relationships, cardinalities, presence and skew, scaled down.

They contain what breaks designs: absent values; values that begin like each other, differ in case or in Unicode form
only, or are the same in attributes of different meaning; empty text; numbers of different length and sign; times that
differ in their last digit. What keys of a style cannot hold stays out of attributes that may stand in keys: the proof
tries it by itself. The same seed makes the same items.
"""

from __future__ import annotations

import random
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.proof.application.reads import allowances
from tablewright.proof.application.state import SECONDS_PER_DAY, expiry_attribute, id_of, pair_names
from tablewright.proof.application.uniqueness import unique_groups, values_of
from tablewright.proof.lengths import with_ends
from tablewright.proof.values import WRITTEN_AT, Mixture, make_value
from tablewright.spec.facts import Facts
from tablewright.spec.listing import asked_reads, listed_by
from tablewright.spec.quantities import CHILDREN
from tablewright.spec.writes import effects_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.spec.model import RelationshipSpec

Item: TypeAlias = dict[str, Any]
Items: TypeAlias = dict[str, list[Item]]  # by entity

ABSENT_SHARE = 0.15
LEAST_SHARE = 0.15
EXPIRED_SHARE = 0.2
LEAST, MOST = 36, 150
ORPHANS = 2
GONE = 8
"""Entries of a list whose items are gone."""


class ValueSource(msgspec.Struct, frozen=True):
    """What values are made from: the facts, chance, and the values that callers promised never to change."""

    facts: Facts
    mixture: Mixture
    promised: dict[tuple[str, tuple[Any, ...]], Item] = {}

    @property
    def chance(self) -> random.Random:
        return self.mixture.chance


def make_source(facts: Facts, *, seed: int, odd: bool) -> ValueSource:
    """`odd`: keys can hold any character."""
    attributes = (each for entity in facts.spec.entities.values() for each in entity.attributes.values())
    words = dict.fromkeys(value for each in attributes for value in each.values)
    chance = random.Random(seed)  # noqa: S311 - data for a proof, the same every time
    return ValueSource(facts, Mixture(chance, odd, tuple(words)[:6]), {})


def make_items(values: ValueSource) -> Items:
    """Items by entity. References name items that exist, mostly; ids and unique values are taken once."""
    found: Items = {name: [] for name in values.facts.spec.entities}
    taken: set[Any] = set()
    for name in order_entities(values.facts):
        made = (make_item(values, name, number, found) for number in range(_count_items(values.facts, name)))
        others = (each(values, name, found) for each in (_twins, _orphans, _crowds, _left_behind))
        for item in chain(made, *others):
            marks = set(_identities(values.facts, name, item))
            if not marks & taken and not _is_full(values.facts, name, item, found[name]):
                taken |= marks
                found[name].append(keep_promises(values, name, item))
    return found


def _count_items(facts: Facts, name: str) -> int:
    """Enough for limits to cut answers, for every parent to have children, and for pages to end."""
    limits = [
        each.limit or max(each.limits.values(), default=0) for each in asked_reads(facts.spec) if name in each.entities
    ]
    wanted = max([LEAST, *(3 * limit for limit in limits)])
    return int(min(wanted, MOST, max(2.0, facts.counts[name])))


def _twins(values: ValueSource, name: str, found: Items) -> Iterator[Item]:
    """Items whose ids, written one part behind the other, look the same: (a, b1) and (ab, 1)."""
    facts = values.facts
    pairs = [(("a", "b1"), ("ab", "1"))] + ([(("a", "b#c"), ("a#b", "c"))] if values.mixture.odd else [])
    for one, other in pairwise(facts.spec.entities[name].id):
        specs = [facts.attribute(name, each) for each in (one, other)]
        if any(each.type != "string" or each.values or each.validate or each.sorts_as for each in specs):
            continue
        for first, second in (pair for both in pairs for pair in both):
            item = {**make_item(values, name, 900, found), one: first, other: second}
            if _names_parents(facts, name, item, found):
                yield item


def _orphans(values: ValueSource, name: str, found: Items) -> Iterator[Item]:
    """Children of nobody, where anybody may put such."""
    facts = values.facts
    if not facts.references[name] or not _takes_orphans(facts, name):
        return
    for number in range(ORPHANS):
        item = make_item(values, name, 950 + number, found)
        specs = {attr: facts.attribute(name, attr) for attr in facts.references[name]}
        free = [attr for attr, each in specs.items() if not each.values and each.validate is None]
        yield {**item, **{attr: f"nobody{number}" for attr in free if isinstance(item.get(attr), str)}}


def _crowds(values: ValueSource, name: str, found: Items) -> Iterator[Item]:
    """Of a parent that is not there more children than a list of them takes, where anybody may put such."""
    facts = values.facts
    for pattern in asked_reads(facts.spec) if _takes_orphans(facts, name) else ():
        counted = {entity: most for names, most in allowances(facts, pattern).items() for entity in names}
        named = [attr for attr in pattern.by if attr in facts.references[name]]
        is_beside = len(pattern.entities) > 1 and 0 < counted.get(name, 0) < MOST // 2
        if not is_beside or not named or any(facts.attribute(name, attr).values for attr in named):
            continue
        made = [make_item(values, name, 1000 + number, found) for number in range(counted[name] + 2)]
        shared = {attr: made[0][attr] for attr in pattern.by if attr in made[0]}
        shared |= {attr: "nobodyAtAll" for attr in named if isinstance(made[0].get(attr), str)}
        yield from ({**item, **shared} for item in made)


def _takes_orphans(facts: Facts, name: str) -> bool:
    puts = [each for each in facts.writes if each.op == "put" and each.entities == (name,)]
    return any(not effect.parents for each in puts for effect in effects_of(facts, each))


def _left_behind(values: ValueSource, name: str, found: Items) -> Iterator[Item]:
    """Entries of lists whose items are gone, where anybody may put such: each like one whose item is there."""
    facts = values.facts
    named = [attr for attr in listed_by(facts.spec, name) if not facts.attribute(name, attr).values]
    if not named or not _takes_orphans(facts, name):
        return
    for number, like in enumerate(found[name][:: max(1, len(found[name]) // GONE)]):
        texts = [attr for attr in named if isinstance(like.get(attr), str)]
        ids = facts.spec.entities[name].id
        own = {} if set(texts) & set(ids) else {ids[-1]: make_item(values, name, 970 + number, found)[ids[-1]]}
        yield {**like, **own, **dict.fromkeys(texts, f"gone{number}")}


def _names_parents(facts: Facts, name: str, item: Item, found: Items) -> bool:
    """Whether there are the parents that it names by whole ids of one attribute."""
    return all(
        item.get(attr) in [each[facts.spec.entities[parent].id[0]] for each in found[parent]]
        for attr, parent in facts.references[name].items()
        if len(facts.spec.entities[parent].id) == 1 and attr in item
    )


def _identities(facts: Facts, name: str, item: Item) -> list[Any]:
    """The values that no two items may share: the id, and every unique group."""
    found: list[Any] = [(name, "id", repr(id_of(facts.spec.entities[name], item)))]
    for at, group in enumerate(unique_groups(facts.spec)):
        for entity, attributes in group:
            wanted = values_of(item, attributes) if entity == name else None
            found += [] if wanted is None else [(at, repr(wanted))]
    return found


def _is_full(facts: Facts, name: str, item: Item, siblings: list[Item]) -> bool:
    """Whether the parent that an item names has as many children as the spec allows."""
    for each in facts.spec.relationships:
        if each.max is None or (each.via or each.target) != name or each.via:
            continue
        names = [attr for attr, parent in facts.references[name].items() if parent == each.source]
        same = [other for other in siblings if all(other.get(attr) == item.get(attr) for attr in names)]
        if names and len(same) >= each.max:
            return True
    return False


def order_entities(facts: Facts) -> list[str]:
    """Parents before children, as far as that is possible."""
    ordered: list[str] = []
    pending = [name for name, entity in facts.spec.entities.items() if entity.kind == "entity"]
    while pending:
        ready = [
            name
            for name in pending
            if not any(parent in pending and parent != name for parent in facts.references[name].values())
        ]
        for name in ready or pending[:1]:
            ordered.append(name)
            pending.remove(name)
    return ordered


# ---- one item -------------------------------------------------------------------------------------------------------


def make_item(values: ValueSource, name: str, number: int, found: Mapping[str, list[Item]]) -> Item:
    """An item as it may lie there for a while; what expires may have done so."""
    facts = values.facts
    parents: dict[str, Item] = {}
    item: Item = {}
    for attr in facts.spec.entities[name].attributes:
        if attr in facts.present[name] or values.chance.random() < _presence(facts, name, attr):
            item[attr] = new_value(values, name, attr, number, found, parents)
    item = with_ends(facts, values.chance, name, with_sorting_ids(facts, name, item, number))
    written = facts.spec.written_expiry(name)
    return item if written is None else {**item, written: _expiry_time(values)}


SORTING = "~"
"""What stands in an id between the time that it sorts as and what tells it apart."""


def with_sorting_ids(facts: Facts, name: str, item: Item, number: int | None = None) -> Item:
    """Ids that sort as a time hold it; one that is there already says the time."""
    found = dict(item)
    for attr, each in facts.spec.entities[name].attributes.items():
        if each.sorts_as is None or attr not in found or each.sorts_as not in found:
            continue
        time, mark, _ = str(found[attr]).partition(SORTING)
        if mark and (number is None or attr in facts.references[name]):
            found[each.sorts_as] = time
        elif number is not None:
            found[attr] = f"{found[each.sorts_as]}{SORTING}{number:06d}"
    return found


def _presence(facts: Facts, name: str, attr: str) -> float:
    """As said, but some have it and some have not."""
    said = facts.attribute(name, attr).presence
    return 1 - ABSENT_SHARE if said is None else min(max(said, LEAST_SHARE), 1 - ABSENT_SHARE)


def keep_promises(values: ValueSource, name: str, item: Item) -> Item:
    """An id comes with the same value of what is immutable, whenever it comes."""
    entity = values.facts.spec.entities[name]
    fixed = [attr for attr in entity.attributes if attr in values.facts.fixed[name] and attr not in entity.id]
    promised = values.promised.setdefault(
        (name, id_of(entity, item)), {attr: item[attr] for attr in fixed if attr in item}
    )
    return {**{attr: value for attr, value in item.items() if attr not in fixed}, **promised}


def promise_anew(values: ValueSource, name: str, item: Item) -> None:
    """What comes with an id from now on, where no item had that id before."""
    values.promised.pop((name, id_of(values.facts.spec.entities[name], item)), None)
    keep_promises(values, name, item)


def new_value(
    values: ValueSource,
    name: str,
    attr: str,
    number: int,
    found: Mapping[str, list[Item]],
    parents: dict[str, Item] | None = None,
) -> Any:
    """A value for an attribute; all references to one parent name the same item."""
    facts = values.facts
    entity = facts.spec.entities[name]
    parent = facts.references[name].get(attr) or _own_parent(facts, name, attr)
    if parent is not None and found.get(parent):
        chosen = (parents if parents is not None else {}).setdefault(parent, _pick_parent(values, name, found[parent]))
        ours = [each for each, of in facts.references[name].items() if of == parent] or [attr]
        theirs = {held: its for its, held in pair_names(facts.spec.entities[parent].id, ours).items()}
        return chosen[theirs.get(attr, attr if attr in chosen else facts.spec.entities[parent].id[0])]
    several = [each for each in facts.attribute(name, attr).references_any if found.get(each)]
    if several:
        other = values.chance.choice(several)
        return values.chance.choice(found[other])[facts.spec.entities[other].id[0]]
    if attr == entity.version:
        return values.chance.randint(1, 3)
    if attr == expiry_attribute(facts.spec, name):
        return _expiry_time(values)
    tells_apart = entity.id[-1:] == (attr,) or any(
        each == name and attr in attributes for group in unique_groups(facts.spec) for each, attributes in group
    )
    if tells_apart and len(entity.id) > 1 and values.chance.random() < 0.5:
        tells_apart = False
    apart = number if tells_apart else None
    return make_value(values.mixture, facts.attribute(name, attr), apart, is_keyed(facts, attr))


def _own_parent(facts: Facts, name: str, attr: str) -> str | None:
    """Where an item names another of its own kind."""
    related = (each for each in facts.spec.relationships if each.source == name == each.target and not each.via)
    return name if any(attr in each.by for each in related) else None


def is_keyed(facts: Facts, attr: str) -> bool:
    """Whether an attribute of this name may stand in a key, as far as a spec tells."""
    spec = facts.spec
    if any(attr in each.id or any(attr in group for group in each.unique) for each in spec.entities.values()):
        return True
    if any(attr in names for names in facts.references.values()) or any(attr in each.by for each in spec.relationships):
        return True
    return any(attr == name for group in spec.unique for _, name in group) or any(
        attr in {*each.by, *each.filter, *(sort.attr for sort in each.sort)}
        or (each.range is not None and each.range.attr == attr)
        or (each.aggregate is not None and each.aggregate.attr == attr)
        for each in (*spec.patterns, *facts.implied)
    )


def _expiry_time(values: ValueSource) -> int:
    days = values.chance.choice((0, -1, -400) if values.chance.random() < EXPIRED_SHARE else (1, 30))
    return WRITTEN_AT + days * SECONDS_PER_DAY + (1 if days > 0 else 0)


def _pick_parent(values: ValueSource, child: str, parents: list[Item]) -> Item:
    """A parent, chosen so that a few have many children and some have none."""
    average = next((each.avg for each in _relations_to(values.facts, child) if each.avg), CHILDREN)
    wanted = max(2, round(_count_items(values.facts, child) / max(1.0, min(average, 12.0))))
    return parents[int(min(len(parents), wanted) * values.chance.random() ** 2)]


def _relations_to(facts: Facts, child: str) -> list[RelationshipSpec]:
    return [each for each in facts.spec.relationships if child in (each.via, each.target)]

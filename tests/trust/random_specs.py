"""Random specs, small and full of what is seldom combined. The same seed gives the same spec."""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

Written: TypeAlias = dict[str, Any]
TYPES = ("string", "integer", "timestamp", "boolean")
RATES = (0.01, 1, 50, 1000)
SORTABLE = ("string", "integer", "timestamp")


class _Entity:
    """An entity under way: its id, its parent, and the attributes that can be asked for."""

    def __init__(self, name: str, parent: _Entity | None, dice: Random) -> None:
        self.name, self.parent, self.dice = name, parent, dice
        own, letter = f"{name.lower()}Id", name.lower()
        above: list[str] = parent.id if parent is not None else []
        self.is_below = parent is not None and dice.random() < 0.6
        self.id: list[str] = [*above, own] if self.is_below else [own]
        self.attributes: dict[str, Written] = {
            f"{letter}{number}": self._attribute() for number in range(1, dice.randint(2, 4))
        }
        if parent is not None and not self.is_below:
            self.attributes |= {each: {"required": True, "immutable": dice.random() < 0.5} for each in above}

    def _attribute(self) -> Written:
        dice = self.dice
        if dice.random() < 0.25:
            return {"values": ["p", "q"], "required": dice.random() < 0.6}
        made: Written = {"type": dice.choice(TYPES), "required": dice.random() < 0.5}
        return made | ({"immutable": True} if dice.random() < 0.2 else {})

    def some(self, *kinds: str, free: bool = False) -> list[str]:
        """Attributes of some types; `free`: that an update may change."""
        above = self.parent.id if self.parent is not None else []
        return [
            name
            for name, each in self.attributes.items()
            if name not in above and (each.get("type", "string") in kinds) and not (free and each.get("immutable"))
        ]


def random_spec(seed: int) -> Written:
    dice = Random(seed)
    entities = [_Entity("A", None, dice)]
    for name in "BC"[: dice.randint(0, 2)]:
        entities.append(_Entity(name, dice.choice(entities), dice))
    described = {each.name: _entity(each, dice) for each in entities}
    patterns = [pattern for each in entities for pattern in _patterns(each, described[each.name], dice)]
    for number, each in enumerate(patterns, 1):
        each["id"] = f"AP{number}"
        each["rate"] = dice.choice(RATES)
    patterns += _listed(entities, patterns, Random(f"lists {seed}"))  # all else is as it would be without these
    patterns += _lasting(entities, patterns, Random(f"overlaps {seed}"))
    return {
        "name": f"random-{seed}",
        "entities": described,
        "relationships": [_relationship(each, dice) for each in entities if each.parent is not None],
        "access_patterns": patterns,
        "constraints": {"key_style": dice.choice(("plain", "electrodb"))},
    }


def _entity(each: _Entity, dice: Random) -> Written:
    made: Written = {"id": each.id, "attributes": each.attributes}
    made |= {"count": dice.choice((100, 10_000, 1_000_000))} if each.parent is None else {}
    unique = [name for name in each.some("string") if "values" not in each.attributes[name]]
    if unique and dice.random() < 0.25:
        made["unique"] = [dice.choice(unique)]
    if dice.random() < 0.15:
        made["version"] = True
    if dice.random() < 0.1:
        each.attributes["expiresAt"] = {"type": "number", "required": True}
        made["ttl"] = {"attribute": "expiresAt"}
    return made


def _relationship(each: _Entity, dice: Random) -> Written:
    assert each.parent is not None
    most = dice.choice((3, 50, 100_000))
    made: Written = {"from": each.parent.name, "to": each.name, "kind": "1:n", "avg": min(most, 10), "max": most}
    made |= {"cascade": True} if dice.random() < 0.4 else {}
    return made | ({"integrity": "checked"} if dice.random() < 0.3 else {})


def _patterns(each: _Entity, entity: Written, dice: Random) -> list[Written]:
    reads = [_get, _list, _list, _together, _count, _batch]
    writes = [_update, _update, _delete, _transaction]
    found = [make(each, entity, dice) for make in (*reads, *writes) if dice.random() < 0.6]
    return [_put(each, entity, dice), *(made for made in found if made)]


# ---- reads ----------------------------------------------------------------------------------------------------------


def _get(each: _Entity, entity: Written, dice: Random) -> Written:
    unique = entity.get("unique", [])
    by = unique if unique and dice.random() < 0.5 else each.id
    return {"kind": "get", "entity": each.name, "by": by}


def _list(each: _Entity, entity: Written, dice: Random) -> Written:
    above = each.parent.id if each.parent is not None else []
    by = above if above and dice.random() < 0.5 else _chosen(each.some("string", "boolean"), dice)
    if not by:
        return {}
    made: Written = {"kind": "query", "entity": each.name, "by": by}
    sort = [name for name in each.some(*SORTABLE) if name not in by]
    if sort and dice.random() < 0.7:
        attr = dice.choice(sort)
        made["sort"] = f"{attr} {dice.choice(('asc', 'desc'))}"
        made |= {"absent": dice.choice(("first", "omit"))} if dice.random() < 0.4 else {}
        made |= {"range": {"attr": attr, "op": dice.choice(("between", "gte", "lt"))}} if dice.random() < 0.3 else {}
    listed = [name for name, one in each.attributes.items() if "values" in one and name not in by]
    made |= {"filter": {dice.choice(listed): "p"}} if listed and dice.random() < 0.4 else {}
    return made | ({"limit": dice.randint(1, 3)} if dice.random() < 0.5 else {})


def _together(each: _Entity, entity: Written, dice: Random) -> Written:
    if each.parent is None:
        return {}
    made: Written = {"kind": "query", "entities": [each.parent.name, each.name], "by": each.parent.id}
    sort = each.some(*SORTABLE)
    made |= {"sort": f"{dice.choice(sort)} {dice.choice(('asc', 'desc'))}"} if sort and dice.random() < 0.6 else {}
    return made | dice.choice(({}, {"limit": {each.name: 2}}, {"limit": 2} if "sort" in made else {}))


def _count(each: _Entity, entity: Written, dice: Random) -> Written:
    by = each.parent.id if each.parent is not None else _chosen(each.some("string"), dice)
    numbers = each.some("integer")
    what = {dice.choice(("sum", "max")): dice.choice(numbers)} if numbers and dice.random() < 0.5 else {"count": True}
    return {"kind": "query", "entity": each.name, "by": by, "aggregate": what} if by else {}


def _listed(entities: list[_Entity], others: list[Written], dice: Random) -> list[Written]:
    """Lists of an entity that answer with what its items name: their parents, or what one attribute refers to."""
    found: list[Written] = []
    made_of_nothing = [each["entity"] for each in others if each.get("upsert")]  # they would lack the reference
    for number, each in enumerate(entities if dice.random() < 0.5 else ()):
        asked = _list(each, {}, dice) | {"id": f"L{number}", "rate": dice.choice(RATES)}
        if "by" not in asked:
            continue
        if each.parent is not None and (each.name in made_of_nothing or dice.random() < 0.5):
            found.append(asked | {"entity": each.parent.name, "through": each.name})
        elif each.name not in made_of_nothing:
            named = dice.choice([one for one in entities if len(one.id) == 1])
            attribute = f"{each.name.lower()}Ref"
            references = {"references": named.name} if dice.random() < 0.5 else {}
            each.attributes[attribute] = {"required": True} | references
            found.append(asked | {"entity": named.name, "through": f"{each.name}.{attribute}"})
    return found


def _lasting(entities: list[_Entity], others: list[Written], dice: Random) -> list[Written]:
    """What overlaps with a window, of times or of numbers; updates that say what they change leave both alone."""
    found: list[Written] = []
    for number, each in enumerate(entities if dice.random() < 0.4 else ()):
        by = each.parent.id if each.parent is not None and dice.random() < 0.5 else _chosen(each.some("string"), dice)
        if not by:
            continue
        start, end = f"{each.name.lower()}Begins", f"{each.name.lower()}Ends"
        kind, longest = dice.choice((("timestamp", "14d"), ("number", 5)))
        is_made = any(one.get("upsert") and one["entity"] == each.name for one in others)
        lasting = {"type": kind, "required": not is_made and dice.random() < 0.6}
        each.attributes |= {start: lasting, end: dict(lasting)}
        made = {"id": f"O{number}", "kind": "query", "entity": each.name, "by": by, "rate": dice.choice(RATES)}
        made |= {"overlaps": {"start": start, "end": end, "longest": longest}}
        made |= {"sort": f"{start} {dice.choice(('asc', 'desc'))}"} if dice.random() < 0.7 else {}
        found.append(made | ({"limit": dice.randint(1, 3)} if dice.random() < 0.5 else {}))
        change = {"kind": "write", "op": "update", "entity": each.name, "by": each.id, "changes": [start, end]}
        found.append({"id": f"move{number}", **change, "rate": 1})
    return found


def _batch(each: _Entity, entity: Written, dice: Random) -> Written:
    return {"kind": "batch", "entity": each.name, "by": each.id, "items": 5}


# ---- writes ---------------------------------------------------------------------------------------------------------


def _put(each: _Entity, entity: Written, dice: Random) -> Written:
    made: Written = {"kind": "write", "op": "put", "entity": each.name, "by": each.id}
    return made | dice.choice(({}, {}, {"condition": "not exists"}, _when(each, dice, new=True)))


def _when(each: _Entity, dice: Random, *, new: bool = False) -> Written:
    numbers = each.some("integer")
    if not numbers:
        return {}
    name = dice.choice(numbers)
    return {"when": f"attribute_not_exists({name}) OR {name} < {{most}}" if new else f"{name} >= {{least}}"}


def _changes(each: _Entity, entity: Written, dice: Random) -> Written:
    """Something for some attributes; one that is unique or required is not taken away."""
    found: Written = {}
    for name in each.some(*TYPES, free=True):
        described = each.attributes[name]
        if name == "expiresAt" or dice.random() < 0.4:
            continue
        forms: list[Any] = [{"given": True}]
        if described.get("type") == "integer":
            forms += [{"add": 1}, {"add": "-{amount}"}]
        if "values" in described:
            forms += ["q"]
        if not described.get("required"):
            forms += [{"remove": True}]
        found[name] = dice.choice(forms)
    return found


def _update(each: _Entity, entity: Written, dice: Random) -> Written:
    changes = _changes(each, entity, dice)
    if not changes:
        return {}
    made: Written = {"kind": "write", "op": "update", "entity": each.name, "by": each.id, "changes": changes}
    needs = [name for name, one in each.attributes.items() if one.get("required") and name not in changes]
    if not needs and dice.random() < 0.2:
        return made | {"upsert": True}
    return made | (_when(each, dice) if dice.random() < 0.4 else {})


def _delete(each: _Entity, entity: Written, dice: Random) -> Written:
    return {"kind": "write", "op": "delete", "entity": each.name, "by": each.id} | (
        _when(each, dice) if dice.random() < 0.3 else {}
    )


def _transaction(each: _Entity, entity: Written, dice: Random) -> Written:
    """A child is put or deleted, and its parent counts."""
    if each.parent is None:
        return {}
    numbers = each.parent.some("integer", free=True)
    changes: Written = {"changes": {dice.choice(numbers): {"add": 1}}} if numbers else {}
    parent: Written = (
        {"op": "update", "by": each.parent.id, **changes} if numbers else {"op": "check", "by": each.parent.id}
    )
    child: Written = dice.choice(
        ({"op": "put", "condition": "not exists"}, {"op": "put"}, {"op": "delete", "condition": "exists"})
    )
    by = list(dict.fromkeys([*each.parent.id, *each.id]))
    return {
        "kind": "write",
        "op": "transact",
        "ops": {each.name: {**child, "by": each.id}, each.parent.name: parent},
        "by": by,
    }


def _chosen(names: list[str], dice: Random) -> list[str]:
    return [dice.choice(names)] if names else []

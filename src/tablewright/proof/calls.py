"""Calls of writes, made from the spec and the items there are: mostly about items that exist, sometimes about none.

Where a value may be refused it sometimes is one that must be: an id that exists, a unique value that is taken, a
version that has passed, an amount that is all there is.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.proof.application.state import Call, Item, Named, State, id_of, parents_of
from tablewright.proof.application.uniqueness import unique_groups, values_of
from tablewright.proof.data import ValueSource, keep_promises, make_item, new_value, with_sorting_ids
from tablewright.proof.lengths import with_both, with_ends
from tablewright.proof.questions import MISSING_SHARE, as_lists, similar
from tablewright.proof.spoiling import leave_out_defaults
from tablewright.proof.values import WRITTEN_MOMENT
from tablewright.spec.links import cascading_links
from tablewright.spec.writes import effect_on, effects_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.writes import Effect

OVERWRITE_SHARE = 0.35
"""The share of puts over an existing item."""
KEPT_SHARE = 0.4
"""The share of those that keep the unique values they have."""
TAKEN_SHARE = 0.2
"""The share of unique values that another item has."""
REMOVED_SHARE = 0.15
"""The share of new values that remove an optional attribute."""
STALE_SHARE = 0.15
"""The share of versions that are not those of the item."""
AMOUNTS = (1, 2, 3, 10)


# ---- writes ---------------------------------------------------------------------------------------------------------


def make_write_call(
    values: ValueSource, pattern: PatternSpec, state: State, number: int, about: Named | None = None
) -> Call:
    """`number` makes ids that no other item has; `about`: an item that is to be written, where that can be."""
    draft = _Draft(values, state, number, {}, {}, {}, {}, {})
    effects = effects_of(values.facts, pattern)
    _seed(draft, effects, about)
    for effect in sorted(effects, key=lambda each: each.op == "put"):
        (_draft_put if effect.op == "put" else _draft_change)(draft, effect)
    _reuse_unique_values(draft)
    for effect in effects:
        _draft_conditions(draft, effect)
    _say_once(draft, effects)
    leave_out_defaults(values, effects, draft, {name for each in effects for name in _slots_of(each)})
    token = f"token-{number}" if pattern.idempotent else ""
    return Call(
        by=draft.by,
        given=draft.given,
        lists={name: tuple(items) for name, items in draft.lists.items()},
        slots=draft.slots,
        versions=draft.versions,
        token=token,
        now=WRITTEN_MOMENT,
    )


def put_call(facts: Facts, pattern: PatternSpec, item: Item) -> Call:
    """The call of a put of one entity that stores this item."""
    known = facts.spec.entities[pattern.entity]
    own = {name: value for name, value in item.items() if name in known.attributes and name != known.version}
    by = {name: own.pop(name) for name in pattern.by if name in own}
    versions = {known.name: 0} if known.version else {}
    asked = _slots_of(effect_on(facts, pattern, pattern.entity))
    slots = {name: item.get(attribute or "", 0) for name, attribute in asked.items() if name not in {**by, **own}}
    token = sha256(repr(by).encode()).hexdigest()[:32]  # DynamoDB takes 36 characters
    return Call(by=by, given={known.name: own}, slots=slots, versions=versions, token=token, now=WRITTEN_MOMENT)


class _Draft(msgspec.Struct):
    """A call in the making."""

    values: ValueSource
    state: State
    number: int
    by: Item
    given: dict[str, Item]
    lists: dict[str, list[Item]]
    slots: Item
    versions: dict[str, int]

    def knows(self, effect: Effect) -> Item:
        return {name: self.by[name] for name in effect.by if name in self.by}

    def fitting(self, effect: Effect) -> list[Item]:
        """Items of an entity that have what is known already, and the rest of what they are found by."""
        known = self.knows(effect)
        return [
            item
            for item in self.state.of(effect.entity)
            if all(name in item for name in effect.by) and all(item[name] == value for name, value in known.items())
        ]


def _seed(draft: _Draft, effects: Iterable[Effect], about: Named | None) -> None:
    """Sometimes what is put exists: then its inputs are those of that item, for the other entities too."""
    for effect in effects:
        if about is not None and about[0] == effect.entity:
            draft.by.update({name: about[1][name] for name in effect.by if name in about[1]})
            return
    for effect in effects:
        existing = draft.fitting(effect)
        if effect.op == "put" and not effect.is_list and existing and draft.values.chance.random() < OVERWRITE_SHARE:
            chosen = draft.values.chance.choice(existing)
            names = {*effect.by, *draft.values.facts.spec.entities[effect.entity].id}
            draft.by.update({name: chosen[name] for name in effect.by})
            draft.given[effect.entity] = {name: chosen[name] for name in names - set(effect.by)}
            if draft.values.chance.random() < KEPT_SHARE:  # what is unique stays its own
                unique = {n for group in draft.values.facts.spec.entities[effect.entity].unique for n in group}
                kept = {name: chosen[name] for name in unique - set(effect.by) if name in chosen}
                draft.given[effect.entity].update(kept)
            return
        if effect.is_list and draft.values.chance.random() < OVERWRITE_SHARE:
            some = _without_parents(draft, effect.entity) or list(draft.state.of(effect.entity))
            chosen = draft.values.chance.choice(some) if some else {}
            draft.by.update({name: chosen[name] for name in effect.by if name in chosen})
            draft.lists[effect.entity] = [dict(chosen)] if chosen else []
            return


def _without_parents(draft: _Draft, entity: str) -> list[Item]:
    """Children that were left behind: what is put with a new parent may be there all the same."""
    facts = draft.values.facts
    return [item for item in draft.state.of(entity) if not any(parents_of(facts, draft.state, entity, item))]


def _draft_put(draft: _Draft, effect: Effect) -> None:
    values, number = draft.values, draft.number
    if effect.is_list:
        several = [_fresh(draft, effect, number * 10 + at) for at in range(values.chance.randint(1, 3))]
        several += draft.lists.get(effect.entity, [])  # one that exists
        entity = values.facts.spec.entities[effect.entity]
        unique = {id_of(entity, each): _visible(draft, effect, each) for each in several}
        draft.lists[effect.entity] = list(unique.values())
        return
    for ours in _parent_named(draft, effect):
        (draft.by if ours in effect.by else draft.given.setdefault(effect.entity, {}))[ours] = f"nobody{number}"
    item = _visible(draft, effect, _fresh(draft, effect, number))
    draft.given[effect.entity] = {name: value for name, value in item.items() if name not in effect.by}


def _parent_named(draft: _Draft, effect: Effect) -> tuple[str, ...]:
    """Sometimes the attributes that hold the id of a parent, whether it has to be there or not."""
    facts, chance = draft.values.facts, draft.values.chance
    references = facts.references[effect.entity]
    demanded = [tuple(ours for _, ours in each.named) for each in effect.parents]
    named = [
        tuple(name for name, of in references.items() if of == parent) for parent in dict.fromkeys(references.values())
    ]
    ways = list(dict.fromkeys((*demanded, *named)))
    if not ways or chance.random() >= MISSING_SHARE:
        return ()
    named_by = {each: facts.attribute(effect.entity, each) for each in chance.choice(ways)}
    return tuple(name for name, each in named_by.items() if each.type == "string" and each.validate is None)


def _fresh(draft: _Draft, effect: Effect, number: int) -> Item:
    """A new item with what is known already, and what was promised of its id."""
    made = make_item(draft.values, effect.entity, number, as_lists(draft.state))
    item = {**made, **draft.knows(effect), **draft.given.get(effect.entity, {})}
    facts = draft.values.facts
    item = keep_promises(draft.values, effect.entity, with_sorting_ids(facts, effect.entity, item))
    item = with_ends(facts, draft.values.chance, effect.entity, item, kept=(*effect.by, *facts.fixed[effect.entity]))
    draft.by.update({name: item[name] for name in effect.by if name in item})
    return item


def _visible(draft: _Draft, effect: Effect, item: Item) -> Item:
    """Only what callers say: neither the version nor the time that a put writes."""
    entity = draft.values.facts.spec.entities[effect.entity]
    return {name: value for name, value in item.items() if name in entity.attributes and name != entity.version}


def _draft_change(draft: _Draft, effect: Effect) -> None:
    """An item that exists, and new values: of all listed attributes, or of some that may change."""
    values, chance = draft.values, draft.values.chance
    fitting = draft.fitting(effect)
    made = make_item(values, effect.entity, draft.number, as_lists(draft.state))
    chosen = chance.choice(fitting) if fitting else made
    for name in effect.by:
        draft.by.setdefault(name, chosen.get(name, "none"))
    if effect.by and chance.random() < MISSING_SHARE:
        left = _left_behind(draft, effect) if effect.op == "delete" else []
        draft.by.update(chance.choice(left) if left else _similar_one(draft, effect))
    if effect.op == "update":
        draft.given[effect.entity] = _new_values(draft, effect)


def _similar_one(draft: _Draft, effect: Effect) -> Item:
    """Another value of any attribute that names the item: what is there may be like the rest of them."""
    name = effect.by[-1] if len(effect.by) == 1 else draft.values.chance.choice(effect.by)
    return {name: similar(draft.values, draft.by[name])}


def _left_behind(draft: _Draft, effect: Effect) -> list[Item]:
    """Ids that children name though there is no such item: what goes with it goes all the same."""
    spec, state = draft.values.facts.spec, draft.state
    links = [each for each in cascading_links(spec) if each.parent == effect.entity and each.by]
    ids = ({theirs: item.get(ours) for ours, theirs in link.by} for link in links for item in state.of(link.child))
    names = spec.entities[effect.entity].id
    return [
        each
        for each in ids
        if None not in each.values()
        and set(names) == set(effect.by)
        and state.get(effect.entity, tuple(each[name] for name in names)) is None
    ]


def _new_values(draft: _Draft, effect: Effect) -> Item:
    values, chance = draft.values, draft.values.chance
    listed = [each.attr for each in effect.changes if each.kind == "given"]
    picked = [name for name in listed if not effect.gives_any or chance.random() < 0.4] or listed[:1]
    picked += with_both(values.facts, chance, effect, picked)
    found: Item = {}
    for attr in picked:
        optional = attr not in values.facts.present[effect.entity]
        removed = optional and chance.random() < REMOVED_SHARE
        found[attr] = None if removed else new_value(values, effect.entity, attr, draft.number, as_lists(draft.state))
    named = {name: value for name, value in draft.by.items() if name in effect.by}
    lasting = with_ends(values.facts, chance, effect.entity, {**named, **found})
    found = {name: lasting[name] for name in found}
    return found | {name: f"nobody{draft.number}" for name in _parent_named(draft, effect) if name in found}


def _reuse_unique_values(draft: _Draft) -> None:
    """Sometimes gives a unique attribute the value of another item, of whichever entity."""
    for group in unique_groups(draft.values.facts.spec):
        for entity, attributes in group:
            given = draft.given.get(entity, {})
            if not all(given.get(name) is not None for name in attributes):
                continue
            if draft.values.chance.random() >= TAKEN_SHARE:
                continue
            other, theirs = draft.values.chance.choice(group)
            items = list(draft.state.of(other))
            taken = values_of(draft.values.chance.choice(items), theirs) if items else None
            if taken is not None:
                given.update(dict(zip(attributes, taken, strict=True)))


# ---- conditions, amounts and versions -------------------------------------------------------------------------------


def _draft_conditions(draft: _Draft, effect: Effect) -> None:
    stored = next(iter(draft.fitting(effect)), None)
    wanted = _slots_of(effect)
    adding = {each.attr for each in effect.changes if each.kind == "add"}
    for name, attribute in wanted.items():
        holder = next((given for given in draft.given.values() if name in given), None)
        if holder is not None and attribute in adding:  # one value is stored and counts: as much as there is, mostly
            holder[name] = _slot_value(draft, effect, attribute, stored)
        elif holder is None and name not in draft.slots and name not in draft.by:
            draft.slots[name] = _slot_value(draft, effect, attribute, stored)
    if effect.version is not None and effect.op != "check":
        if effect.op == "put":
            stored = _stored_put(draft, effect)
        seen = 0 if stored is None else int(stored.get(effect.version, 0))
        stale = draft.values.chance.random() < STALE_SHARE
        draft.versions[effect.entity] = max(0, seen + draft.values.chance.choice((-1, 1))) if stale else seen


def _stored_put(draft: _Draft, effect: Effect) -> Item | None:
    item = {**draft.knows(effect), **draft.given.get(effect.entity, {})}
    names = draft.values.facts.spec.entities[effect.entity].id
    return draft.state.get(effect.entity, tuple(item.get(name) for name in names))


def _slots_of(effect: Effect) -> dict[str, str | None]:
    """What conditions and amounts ask for, each with the attribute that it is compared with or added to."""
    amounts = {
        str(each.value).lstrip("-")[1:-1]: each.attr
        for each in effect.changes
        if each.kind == "add" and isinstance(each.value, str) and "{" in each.value
    }
    compared = {} if effect.when is None else {name: effect.when.slot_attribute(name) for name in effect.when.slots}
    return {**amounts, **compared}


def _say_once(draft: _Draft, effects: Iterable[Effect]) -> None:
    """What a condition or an amount asks for under the name of a new value of one entity is that value."""
    facts = draft.values.facts
    for name in tuple(draft.slots):
        givers = [each.entity for each in effects if not each.is_list and name in _givable(facts, each)]
        if len(givers) == 1:
            given = draft.given.setdefault(givers[0], {})
            said = draft.slots.pop(name)
            if given.get(name) is None:
                given[name] = said


def _givable(facts: Facts, effect: Effect) -> set[str]:
    """The attributes whose new values a caller may give."""
    if effect.op == "put":
        return set(facts.spec.entities[effect.entity].attributes) - {*effect.by, effect.version}
    return {each.attr for each in effect.changes if each.kind == "given"}


def _slot_value(draft: _Draft, effect: Effect, attribute: str | None, stored: Item | None) -> Any:
    """What the item has, so that a condition just holds, or what others have."""
    chance, facts = draft.values.chance, draft.values.facts
    adding = {each.attr for each in effect.changes if each.kind == "add"}
    known = facts.spec.entities[effect.entity].attributes
    own = None if stored is None or attribute is None else stored.get(attribute)
    if own is not None and chance.random() < 0.6 and (attribute not in adding or own > 0):
        return own
    if attribute in adding:
        return chance.choice(AMOUNTS)
    others = [item[attribute] for item in draft.state.of(effect.entity) if attribute and attribute in item]
    if others:
        return chance.choice(others)
    return new_value(draft.values, effect.entity, attribute, 0, {}) if attribute and attribute in known else "none"

"""Questions, made from the spec and the items there are: mostly about what exists, sometimes about nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.proof.application.reads import value_of
from tablewright.proof.application.state import Call, Item, Named, State
from tablewright.proof.data import ValueSource, make_item, new_value
from tablewright.proof.values import WRITTEN_AT
from tablewright.spec.intervals import without_intervals
from tablewright.spec.listing import list_pattern, listing_of

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.listing import Listing
    from tablewright.spec.model import Overlaps, PatternSpec

MISSING_SHARE = 0.12
"""The share of inputs that match no item."""
MOST_IDS = 120
"""More than one BatchGetItem takes."""


# ---- reads ----------------------------------------------------------------------------------------------------------


def make_read_call(values: ValueSource, pattern: PatternSpec, state: State, about: Named | None = None) -> Call:
    """`about`: an item that the answer should have, where it can."""
    chance, facts = values.chance, values.facts
    if pattern.kind == "batch":
        return Call(ids=_pick_ids(values, pattern.entity, state), now=WRITTEN_AT)
    listing = listing_of(facts.spec, pattern)
    if listing is not None:
        entry = None if about is None else _entry_about(facts, pattern, listing, state, about)
        return make_read_call(values, list_pattern(pattern, listing), state, entry)
    entity, chosen = about or _pick_item(values, pattern, state)
    found = {name: value_of(facts, state, (entity, chosen), name) for name in (*pattern.by, *pattern.filter)}
    found = {name: "none" if value is None else value for name, value in found.items()}
    by = {name: found[name] for name in pattern.by}
    if pattern.by and about is None and chance.random() < MISSING_SHARE:
        by[pattern.by[0]] = similar(values, by[pattern.by[0]])
    return Call(
        by=by,
        filter={name: found[name] for name in without_intervals(pattern).filter},
        range=_pick_range(values, pattern, chosen, state),
        now=WRITTEN_AT,
    )


def _entry_about(facts: Facts, pattern: PatternSpec, listing: Listing, state: State, about: Named) -> Named | None:
    """The entry itself, or one that names the item."""
    entity, item = about
    if entity == listing.entity:
        return about
    wanted = {listing.names[name]: item.get(name) for name in facts.spec.entities[pattern.entity].id}
    found = (each for each in state.of(listing.entity) if wanted.items() <= each.items())
    return next(((listing.entity, each) for each in found), None)


def _pick_item(values: ValueSource, pattern: PatternSpec, state: State) -> Named:
    """One that has what is asked by, where there is one; of the first entity mostly, which has the inputs."""
    chance = values.chance
    at = 0 if chance.random() < 0.6 else chance.randrange(len(pattern.entities))
    entity = pattern.entities[at]
    wanted = [*pattern.by, *pattern.filter, *([pattern.range.attr] if pattern.range else [])]
    own = [name for name in wanted if name in values.facts.spec.entities[entity].attributes]
    everything = list(state.of(entity))
    fitting = [item for item in everything if all(name in item for name in own)]
    return entity, chance.choice(fitting or everything or [make_item(values, entity, 0, as_lists(state))])


def similar(values: ValueSource, value: Any) -> Any:
    """A value that is easily taken for this one."""
    if not isinstance(value, str):
        return value
    return values.chance.choice((f"{value}x", value.swapcase(), value[:-1] or f"{value}0"))


def _pick_ids(values: ValueSource, entity: str, state: State) -> tuple[Item, ...]:
    chance, names = values.chance, values.facts.spec.entities[entity].id
    everything = list(state.of(entity))
    many = MOST_IDS if chance.random() < 0.1 else chance.randint(1, 6)
    found = [{name: item[name] for name in names} for item in chance.sample(everything, min(many, len(everything)))]
    made = (make_item(values, entity, 5000 + at, as_lists(state)) for at in range(max(1, many - len(found))))
    found += [{name: item[name] for name in names} for item in made]
    chance.shuffle(found)
    return tuple({tuple(each.values()): each for each in found}.values())


def _pick_range(values: ValueSource, pattern: PatternSpec, chosen: Item, state: State) -> tuple[Any, ...]:
    if pattern.overlaps is not None:
        return _pick_window(values, pattern, pattern.overlaps, chosen, state)
    if pattern.range is None:
        return ()
    attr, chance = pattern.range.attr, values.chance
    having = [each for each in pattern.entities if attr in values.facts.spec.entities[each].attributes]
    known = sorted({item[attr] for each in having for item in state.of(each) if attr in item})
    if not known:
        known = [chosen[attr] if attr in chosen else new_value(values, having[0], attr, 0, as_lists(state))]
    value = chosen.get(attr, known[0])
    if pattern.range.op == "between":
        low, high = sorted((chance.choice((chance.choice(known), value)), chance.choice(known)))
        return (low, high)
    if pattern.range.op == "begins_with":
        text = str(value)
        return (text[: chance.choice((1, 4, 7, 10, len(text)))] or "a",)
    return (value,)


def _pick_window(
    values: ValueSource, pattern: PatternSpec, said: Overlaps, chosen: Item, state: State
) -> tuple[Any, Any]:
    """Mostly one that touches something at its very end, or at its very beginning."""
    items, chance = list(state.of(pattern.entity)), values.chance
    known = [item[name] for item in items for name in (said.start, said.end) if name in item]
    own = [chosen[name] for name in (said.start, said.end) if name in chosen]
    made = own or known or [new_value(values, pattern.entity, said.start, 0, as_lists(state))]
    one = chance.choice((made[-1], made[-1], made[0], chance.choice(known or made)))
    other = chance.choice((one, one, chance.choice(known or made)))
    return (min(one, other), max(one, other))


def as_lists(state: State) -> dict[str, list[Item]]:
    return {name: list(items.values()) for name, items in state.items.items()}

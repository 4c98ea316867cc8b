"""What a write does: all of its effects, or, where a condition fails, none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.expr.compare import is_equal
from tablewright.expr.evaluate import evaluate
from tablewright.proof.application.cascade import gone_with
from tablewright.proof.application.state import (
    Applied,
    Call,
    Changed,
    Item,
    Named,
    RefusedError,
    State,
    exact_sum,
    id_of,
    with_changes,
    with_expiry,
)
from tablewright.proof.application.uniqueness import check_unique
from tablewright.spec.facts import Facts
from tablewright.spec.intervals import lasts_too_long
from tablewright.spec.model import NOW
from tablewright.spec.validation import wrong_about
from tablewright.spec.writes import Effect, effects_of
from tablewright.wire.numbers import parse_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tablewright.spec.model import Change, EntitySpec, PatternSpec


def apply(facts: Facts, pattern: PatternSpec, state: State, call: Call) -> Applied:
    """The state afterwards; raises RefusedError where the write must not happen."""
    if pattern.idempotent and call.token in state.tokens:
        return Applied(state)
    cases = [_Case(facts, effect, state, call) for effect in effects_of(facts, pattern)]
    changed = [each for case in cases for each in _OPERATIONS[case.effect.op](case)]
    after = with_changes(facts.spec, state, changed)
    deleted = [(each.entity, each.before) for each in changed if each.before is not None and each.after is None]
    along = list(gone_with(facts.spec, after, [*deleted, *_named_but_gone(cases)]))
    after = with_changes(facts.spec, after, along)
    check_unique(facts.spec, after, changed)
    checked = [each for case in cases for each in _check_parents(case, after, changed)]
    checked += [(case.effect.entity, each) for case in cases if case.effect.op == "check" for each in _subjects(case)]
    tokens = after.tokens | {call.token} if pattern.idempotent else after.tokens
    return Applied(State(after.items, tokens), tuple(changed), tuple(along), tuple(checked))


def _named_but_gone(cases: list[_Case]) -> Iterator[Named]:
    """Ids that a delete names although there is no such item: nothing names them afterwards, as if there had been."""
    for case in cases:
        if case.effect.op == "delete" and set(case.entity.id) == set(case.effect.by) and not _subjects(case):
            yield case.effect.entity, {name: case.call.by[name] for name in case.entity.id}


class _Case(msgspec.Struct, frozen=True):
    """One effect of one call."""

    facts: Facts
    effect: Effect
    state: State
    call: Call

    @property
    def entity(self) -> EntitySpec:
        return self.facts.spec.entities[self.effect.entity]

    @property
    def given(self) -> Mapping[str, Any]:
        return self.call.given.get(self.effect.entity, {})

    def slot(self, name: str) -> Any:
        """What the caller says under a name: for the condition alone, to find the item, or as a new value."""
        for said in (self.call.slots, self.call.by, self.given, *self.call.given.values()):
            if name in said:
                return said[name]
        raise KeyError(name)


# ---- puts -----------------------------------------------------------------------------------------------------------


def _put(case: _Case) -> Iterator[Changed]:
    shared = {name: case.call.by[name] for name in case.effect.by if name in case.call.by}
    several = case.call.lists[case.effect.entity] if case.effect.is_list else (case.given,)
    for said in several:
        item = {name: value for name, value in {**shared, **said}.items() if value is not None}
        item = {**_defaults(case), **item}
        _check_rules(case.entity, item)
        _check_lengths(case.entity, item)
        before = case.state.get(case.effect.entity, id_of(case.entity, item))
        _check(case, before)
        item = with_expiry(case.facts.spec, case.effect.entity, item, case.call.now)
        if case.effect.version is not None:
            item[case.effect.version] = case.call.versions[case.effect.entity] + 1
        yield Changed(case.effect.entity, before, item)


def _defaults(case: _Case) -> Item:
    """What a put has that leaves it out."""
    said = {each.name: each for each in case.entity.attributes.values() if each.default is not None}
    now = datetime.fromtimestamp(case.call.now, UTC)
    moment = now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03d}Z"
    return {
        name: moment if each.type == "timestamp" and each.default == NOW else each.default
        for name, each in said.items()
    }


def _check_rules(entity: EntitySpec, given: Item) -> None:
    """Raises where a value that is given is not as it must be."""
    for name, value in given.items():
        rule = entity.attributes[name].validate if name in entity.attributes else None
        wrong = "" if rule is None or value is None else wrong_about(rule, value)
        if wrong:
            raise RefusedError(f"{entity.name}.{name} {wrong}")


def _check_lengths(entity: EntitySpec, given: Mapping[str, Any]) -> None:
    """Raises where something would last longer than anybody looks back for it."""
    for name, attribute in entity.attributes.items():
        rule, end = attribute.ends, given.get(name)
        start = None if rule is None else given.get(rule.start)
        wrong = "" if rule is None or start is None or end is None else lasts_too_long(rule, start, end)
        if wrong:
            raise RefusedError(f"{entity.name}.{name} {wrong}")


# ---- updates --------------------------------------------------------------------------------------------------------


def _update(case: _Case) -> Iterator[Changed]:
    found = _subjects(case)
    _check_given_lengths(case)
    if not found:
        _check(case, None)
    for before in found:
        _check(case, before)
        yield Changed(case.effect.entity, before, _changed(case, before))
    if not found:
        made = {name: case.call.by[name] for name in case.effect.by}
        _check_rules(case.entity, made)
        item = with_expiry(case.facts.spec, case.effect.entity, _changed(case, made), case.call.now)
        yield Changed(case.effect.entity, None, item)


def _check_given_lengths(case: _Case) -> None:
    """Raises where new values last too long, or one comes without the other, so that nobody could tell."""
    given = {each.attr for each in case.effect.changes if each.kind == "given"}
    for name, attribute in case.entity.attributes.items():
        rule = attribute.ends
        if rule is not None and rule.start in given and (rule.start in case.given) != (name in case.given):
            raise RefusedError(f"{case.effect.entity}: {rule.start} and {name} come together")
    known = {name: case.call.by[name] for name in case.effect.by if name in case.call.by}
    _check_lengths(case.entity, {**known, **case.given})


def _changed(case: _Case, before: Item) -> Item:
    after = dict(before)
    for each in case.effect.changes:
        _CHANGES[each.kind](case, each, after)
    if case.effect.version is not None:
        after[case.effect.version] = case.call.versions[case.effect.entity] + 1
    return {name: value for name, value in after.items() if value is not None}


def _take_given(case: _Case, change: Change, item: Item) -> None:
    if change.attr in case.given:
        _check_rules(case.entity, {change.attr: case.given[change.attr]})
        item[change.attr] = case.given[change.attr]


def _set_constant(_case: _Case, change: Change, item: Item) -> None:
    item[change.attr] = change.value


def _add_amount(case: _Case, change: Change, item: Item) -> None:
    item[change.attr] = exact_sum((item.get(change.attr) or 0, _amount(case, change.value)))


def _remove(_case: _Case, change: Change, item: Item) -> None:
    item.pop(change.attr, None)


def _amount(case: _Case, said: Any) -> Any:
    """A number, `{qty}` or `-{qty}`."""
    if not isinstance(said, str):
        return said
    sign, text = (-1, said[1:]) if said.startswith("-") else (1, said)
    return sign * (case.slot(text[1:-1]) if text.startswith("{") else parse_number(text))


_CHANGES: Mapping[str, Callable[[_Case, Change, Item], None]] = {
    "given": _take_given,
    "set": _set_constant,
    "add": _add_amount,
    "remove": _remove,
}


# ---- deletes and checks ---------------------------------------------------------------------------------------------


def _delete(case: _Case) -> Iterator[Changed]:
    found = _subjects(case)
    if not found:
        _check(case, None)
    for before in found:
        _check(case, before)
        yield Changed(case.effect.entity, before, None)


def _demand(case: _Case) -> Iterator[Changed]:
    """Nothing is written, but it must be there and as it is said."""
    subjects: list[Item | None] = [*_subjects(case)]
    for found in subjects or [None]:
        _check(case, found)
    yield from ()


_OPERATIONS: Mapping[str, Callable[[_Case], Iterator[Changed]]] = {
    "put": _put,
    "update": _update,
    "delete": _delete,
    "check": _demand,
}


def _subjects(case: _Case) -> list[Item]:
    """The items that have what the caller names."""
    by = {name: case.call.by[name] for name in case.effect.by}
    return [
        item
        for item in case.state.of(case.effect.entity)
        if all(name in item and is_equal(item[name], value) for name, value in by.items())
    ]


# ---- conditions -----------------------------------------------------------------------------------------------------


def _check(case: _Case, stored: Item | None) -> None:
    """Raises where the item that is there, or its absence, forbids the write."""
    effect = case.effect
    if effect.existence == "new" and stored is not None:
        raise RefusedError(f"{effect.entity} exists")
    if effect.existence == "there" and stored is None:
        raise RefusedError(f"there is no such {effect.entity}")
    if effect.version is not None and effect.op != "check" and (stored is not None or effect.op != "delete"):
        seen = 0 if stored is None else stored.get(effect.version, 0)
        if seen != case.call.versions[effect.entity]:
            raise RefusedError(f"{effect.entity} has version {seen}")
    if effect.when is not None:
        slots = {name: case.slot(name) for name in effect.when.slots}
        if not evaluate(effect.when.fill(slots), stored or {}):
            raise RefusedError(f"{effect.entity}: not {effect.when}")


def _check_parents(case: _Case, after: State, changed: list[Changed]) -> Iterator[Named]:
    """The parents that must be there once everything is done: a transaction may put both, or delete the parent."""
    for parent in case.effect.parents:
        for each in changed:
            if each.entity != case.effect.entity or each.after is None:
                continue
            named = dict(parent.named)
            wanted = tuple(each.after.get(named[name]) for name in case.facts.spec.entities[parent.entity].id)
            found = after.get(parent.entity, wanted)
            if None not in wanted and found is None:
                raise RefusedError(f"there is no {parent.entity} {wanted}")
            if found is not None:
                yield parent.entity, found

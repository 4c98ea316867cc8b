"""Writes: what has to be known is read first, then every step is done.

Several steps go in one transaction: all of them happen, or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import time
from typing import Any

from .actions import Action, Given, action_of
from .cascade import delete_along
from .errors import NotFound, WrongValue
from .model import (
    REFUSED,
    Flow,
    Inputs,
    Item,
    ItemType,
    Read,
    Request,
    Stored,
    Write,
    Writing,
    ask,
)
from .reads import read_page
from .refresh import refresh
from .rules import with_rules
from .values import resolve_all


def write(
    stored: Stored,
    what: str,
    pattern: Writing,
    inputs: Mapping[str, Any],
    now: float | None = None,
) -> Flow[None]:
    """Does what a pattern says, once for every item that its reads find.

    What goes with an item that is deleted follows it, also where the item itself was
    gone and the pattern resumes: an earlier run may have stopped halfway. That is no
    error: the item is gone, as was asked, and something may have been deleted.
    """
    exact = time() if now is None else now
    inputs = with_rules(pattern, inputs, exact)
    moment = int(exact)
    try:
        found, taken = yield from _read_first(stored, what, pattern, inputs, moment)
    except NotFound:
        if pattern.resumes:
            yield from delete_along(stored, pattern, inputs, {}, moment)
        elif not (yield from _is_done(stored, pattern, inputs)):
            raise
        return
    inputs = {**inputs, **taken}
    for old in _subjects(pattern, found):
        try:
            actions = actions_of(stored, pattern, inputs, old, moment, found)
        except WrongValue:
            if (yield from _is_done(stored, pattern, inputs)):
                return
            raise
        actions += yield from refresh(stored, pattern, inputs, old, moment)
        yield from _send(pattern, inputs, actions)
        yield from delete_along(stored, pattern, inputs, old, moment)


def _send(pattern: Writing, inputs: Inputs, actions: list[Action]) -> Flow[None]:
    if not pattern.transaction:
        for each in actions:
            yield from ask(each.operation, dict(each.params))
        return
    if actions:
        yield from ask("TransactWriteItems", _transaction(pattern, actions, inputs))


def _transaction(
    pattern: Writing, actions: list[Action], inputs: Inputs
) -> dict[str, Any]:
    """The same token twice: DynamoDB does it once, as long as it says the same."""
    items = [{each.operation.removesuffix("Item"): each.params} for each in actions]
    if not pattern.idempotent:
        return {"TransactItems": items}
    return {"TransactItems": items, "ClientRequestToken": inputs["request_token"]}


def _is_done(stored: Stored, pattern: Writing, inputs: Inputs) -> Flow[bool]:
    """Whether the same token has done it before: then what it found may be gone, or is
    no longer what an amount can be taken from. A transaction that can never happen asks
    for the token: it is refused for its condition, or because the token was used.
    """
    if not pattern.idempotent or not pattern.writes:
        return False
    step = pattern.writes[0]
    key = resolve_all(stored.key_style, step.key, inputs)
    key = {name: value or "-" for name, value in key.items()}
    params: dict[str, Any] = {
        "TableName": step.table,
        "Item" if step.operation == "PutItem" else "Key": key,
        "ConditionExpression": "attribute_exists(#pk) AND attribute_not_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": next(iter(key))},
    }
    if step.operation == "UpdateItem":
        params["UpdateExpression"] = "REMOVE #nothing"
        params["ExpressionAttributeNames"]["#nothing"] = "nothing"
    action = Action(step.operation, params, (), step)
    asked = _transaction(pattern, [action], inputs)
    (reply,) = yield (Request("TransactWriteItems", asked, may_fail=True),)
    return reply != REFUSED


def _read_first(
    stored: Stored, what: str, pattern: Writing, inputs: Inputs, now: int
) -> Flow[tuple[dict[str, list[Item]], Item]]:
    """By entity what the reads find, and the inputs that are taken of others."""
    answers: dict[str, list[Item]] = {}
    taken: Item = {}
    for chain in _chains(pattern.reads):
        step = chain[-1]
        page = yield from read_page(stored, chain, inputs, now=now)
        if not page.items and not step.optional and pattern.op != "put":
            raise NotFound(f"{what}: there is no such item")
        if step.takes:
            found = page.items[0] if page.items else {}
            taken |= {name: found[name] for name in step.takes if name in found}
        else:
            answers[step.entities[0]] = page.items
    return answers, taken


def _subjects(
    pattern: Writing, found: Mapping[str, list[Item]]
) -> list[dict[str, Item]]:
    """By entity an item that was found, one for every time the steps are done."""
    first = {entity: items[0] for entity, items in found.items() if items}
    if len(pattern.entities) > 1:
        return [first]
    entity = next(iter(pattern.entities))
    return [{**first, entity: item} for item in found.get(entity, ())] or [first]


def _chains(reads: tuple[Read, ...]) -> list[tuple[Read, ...]]:
    """Each read by itself, or behind the one that its key comes from."""
    found: list[tuple[Read, ...]] = []
    for step in reads:
        if step.keys_from is None:
            found.append((step,))
        else:
            before = found.pop()
            found.append((*before, replace(step, keys_from=len(before) - 1)))
    return found


def actions_of(
    stored: Stored,
    pattern: Writing,
    inputs: Inputs,
    old: Mapping[str, Item],
    now: int,
    found: Mapping[str, list[Item]] | None = None,
) -> list[Action]:
    """What is written; `old` has by entity what was found, `now` is the time. What was
    found for the elements of lists is in `found`.
    """
    actions: list[Action] = []
    for step in pattern.writes:
        kind = stored.types[step.item]
        entity = step.names_of or kind.entity
        for given in _elements(pattern, entity, step, inputs):
            before = old.get(entity, {})
            if step.each and found and entity in found:
                before = _same(stored.types[entity], given.own, found[entity])
            action = action_of(stored, pattern, step, given, before, now)
            actions += [] if action is None else [action]
    return _without_checked(_without_replaced(actions))


def _same(kind: ItemType, element: Inputs, found: list[Item]) -> Item:
    """Of what was found, what has the id of the element."""
    ids = [element.get(name) for name in kind.id]
    nothing: Item = {}
    same = (item for item in found if [item[name] for name in kind.id] == ids)
    return next(same, nothing)


def _elements(
    pattern: Writing, entity: str, step: Write, inputs: Inputs
) -> list[Given]:
    """What is given for an item: nothing of other entities; once for every element."""
    foreign = {each.name for each in pattern.given if each.entity not in (None, entity)}
    own = {name: value for name, value in inputs.items() if name not in foreign}
    elements: list[Item] = inputs[step.each] if step.each else [dict[str, Any]()]
    return [Given({**own, **each}, {**inputs, **each}) for each in elements]


def _without_replaced(actions: list[Action]) -> list[Action]:
    """A delete of what is put at the same time: the put alone, with both demands."""
    puts = {each.key for each in actions if each.operation == "PutItem"}
    deletes = {
        each.key: each
        for each in actions
        if each.operation == "DeleteItem" and each.key in puts
    }
    found: list[Action] = []
    for each in actions:
        replaced = deletes.get(each.key)
        if replaced is None:
            found.append(each)
        elif each.operation == "PutItem":
            demands = {n: v for n, v in replaced.params.items() if n != "Key"}
            found.append(replace(each, params={**each.params, **demands}))
        elif each.operation != "DeleteItem":
            found.append(each)
    return found


def _without_checked(actions: list[Action]) -> list[Action]:
    """A transaction has one action for an item: what writes a parent makes it be there,
    or demands it; and one check is enough for all its children.
    """
    found: dict[tuple[str, ...], Action] = {}
    others = [each for each in actions if not each.step.names_of]
    taken = {each.key for each in others}
    for each in actions:
        if each.step.names_of and each.key not in taken:
            found.setdefault(each.key, each)
    return [*others, *found.values()]

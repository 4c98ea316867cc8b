"""Writes: what has to be known is read first, then every step is done.

Several steps go in one transaction: all of them happen, or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import time
from typing import Any

from .actions import Action, action_of
from .errors import NotFound
from .model import Flow, Inputs, Item, ItemType, Stored, Write, Writing, ask
from .reads import read_page


def write(
    stored: Stored,
    what: str,
    pattern: Writing,
    inputs: Mapping[str, Any],
    now: int | None = None,
) -> Flow[None]:
    """Does what a pattern says, once for every item that its reads find."""
    moment = int(time()) if now is None else now
    for old in (yield from _subjects(stored, what, pattern, inputs)):
        actions = actions_of(stored, pattern, inputs, old, moment)
        if pattern.transaction:
            items = [
                {each.operation.removesuffix("Item"): each.params} for each in actions
            ]
            if items:
                yield from ask("TransactWriteItems", {"TransactItems": items})
            continue
        for each in actions:
            yield from ask(each.operation, dict(each.params))


def _subjects(
    stored: Stored, what: str, pattern: Writing, inputs: Inputs
) -> Flow[list[dict[str, Item]]]:
    """By entity what the reads found, one for every time the steps are done."""
    if not pattern.reads:
        return [{}]
    answers: list[list[Item]] = []
    for step in pattern.reads:
        page = yield from read_page(stored, (step,), inputs)
        answers += [page.items]
    if len(pattern.entities) == 1:
        found = [{pattern.entities[0]: item} for item in answers[-1]]
        if not found and (pattern.op == "put" or pattern.reads[-1].optional):
            return [{}]
    else:
        pairs = list(zip(pattern.reads, answers, strict=True))
        first = {step.entities[0]: items[0] for step, items in pairs if items}
        is_whole = all(items or step.optional for step, items in pairs)
        found = [first] if is_whole else []
    if not found:
        raise NotFound(f"{what}: there is no such item")
    return found


def actions_of(
    stored: Stored, pattern: Writing, inputs: Inputs, old: Mapping[str, Item], now: int
) -> list[Action]:
    """What is written; `old` has by entity what was found, `now` is the time."""
    actions: list[Action] = []
    for step in pattern.writes:
        kind = stored.types[step.item]
        before = old.get(kind.entity, {})
        for given in _elements(pattern, kind, step, inputs):
            action = action_of(stored, pattern, step, given, before, now)
            actions += [] if action is None else [action]
    return _without_replaced(actions)


def _elements(
    pattern: Writing, kind: ItemType, step: Write, inputs: Inputs
) -> list[Inputs]:
    """What is given for an item: nothing of other entities; once for every element."""
    foreign = {
        each.name for each in pattern.given if each.entity not in (None, kind.entity)
    }
    own = {name: value for name, value in inputs.items() if name not in foreign}
    if not step.each:
        return [own]
    return [{**own, **element} for element in inputs[step.each]]


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

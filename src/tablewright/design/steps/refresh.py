"""Copies that other items keep of one that is updated: they are found, and set along.

That is part of the update's own transaction: whoever comes in between makes it fail.
"""

from __future__ import annotations

from collections.abc import Mapping

from .actions import Action, Given, action_of
from .model import FOUND, Flow, Inputs, Item, Refresh, Stored, Writing
from .reads import read_page


def refresh(
    stored: Stored, pattern: Writing, inputs: Inputs, old: Mapping[str, Item], now: int
) -> Flow[list[Action]]:
    """What is written besides, `old` being by entity what the pattern's reads found."""
    found: list[Action] = []
    for each in pattern.refreshes:
        given = {
            copy: inputs[name] for copy, name in each.given.items() if name in inputs
        }
        if given or each.always:
            known = {**old.get(pattern.entities[0], {}), **inputs}
            found += yield from _refresh_one(stored, each, known, given, now)
    return found


def _refresh_one(
    stored: Stored, one: Refresh, known: Inputs, given: Inputs, now: int
) -> Flow[list[Action]]:
    ids = {name: known[name] for name in one.by.values()}
    updates = one.updates
    page = yield from read_page(stored, updates.reads, ids, now=now)
    asked = Given(given, {**known, **given})
    actions = [
        action_of(stored, updates, step, asked, item, now)
        for item in page.items
        for step in updates.writes
    ]
    named = {ours: ids[theirs] for ours, theirs in one.by.items()}
    counted = {**named, FOUND: len(page.items)}
    checking = Given(counted, counted)
    actions += [
        action_of(stored, updates, step, checking, {}, now) for step in one.checks
    ]
    return [each for each in actions if each is not None]

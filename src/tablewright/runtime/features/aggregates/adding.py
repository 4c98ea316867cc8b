"""The update that adds to another item. Numbers are added without a look; extremes have to know what is there.

The first try guesses: a value that comes is the new extreme, one that goes was not it. Where the guess fails, DynamoDB
shows the item, and the next try knows. An extreme that goes leaves nobody who knows the next one: the value is removed
and noted as lost (`__lost__`), and a recount right behind the transaction finds it, where it can.

Every update gives the item a fresh mark (`__fed__`), by which a recount sees that something was added meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import TablewrightError
from tablewright.expr import nodes
from tablewright.expr.compare import is_less
from tablewright.expr.render import Placeholders, render_condition, render_update
from tablewright.runtime.declare.fresh import new_id
from tablewright.runtime.features.companion import Clause
from tablewright.runtime.features.member import is_still
from tablewright.runtime.options import Options
from tablewright.runtime.requests.request import existence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.runtime.features.aggregates.feeding import Delta, Fed, Part
    from tablewright.runtime.features.companion import After, Item, Verdict
    from tablewright.runtime.flow import Flow

FED = "__fed__"
LOST = "__lost__"
NUMBERS = ("count", "sum")
RECOUNTED = 1_000  # items at the most that a write reads to find an extreme again


def rank_field(part: Part) -> str:
    """Where the rank of an extreme is kept: it is the value itself, except for the latest."""
    return f"__at__{part.field}" if part.kind == "latest" else part.field


def _is_better(kind: str, one: Any, other: Any) -> bool:
    return is_less(one, other) if kind == "min" else is_less(other, one)


def best(kind: str, given: Iterable[Fed]) -> Fed | None:
    found: Fed | None = None
    for each in given:
        if found is None or _is_better(kind, each.rank, found.rank):
            found = each
    return found


def addition(delta: Delta, met: Item | None = None) -> Clause:
    """The clause for one item, which is as `met` where that is known."""
    actions: list[nodes.Action] = [nodes.Set(nodes.Name((FED,)), nodes.Value(new_id()))]
    conditions: list[nodes.Condition] = []
    for part in delta.parts.values():
        if part.kind in NUMBERS:
            actions.append(nodes.Add(nodes.Name((part.field,)), nodes.Value(part.amount)))
            continue
        further, wanted = _guessed(part) if met is None else _known(part, met)
        actions += further
        conditions += wanted
    lost = _lost_in(actions)
    actions = _merged(actions)
    there = existence(delta.parent, exists=True)
    body = {"TableName": delta.table, "Key": delta.key, **expressions(actions, nodes.all_of(there, *conditions))}

    def failed(item: Item | None) -> Verdict:
        return "leave out" if item is None else addition(delta, item)  # nobody to add to, or now it is known

    after = _repair(delta, frozenset(lost)) if lost else None
    return Clause(delta.parent, "add_to", "Update", body, failed, after)


def _repair(delta: Delta, lost: frozenset[str]) -> After:
    """The recount that finds what was lost. Where it cannot, it stays lost: there are too many items, or only an index
    has them, which does not know of this write yet.
    """

    def after() -> Flow[None]:
        from tablewright.runtime.features.aggregates.recount import Recount  # few writes take an extreme away

        options = Options(table=delta.table)
        try:
            again = Recount[Any](delta.parent, delta.composites, RECOUNTED, fields=lost, exact=True, options=options)
            yield from again.flow()
        except TablewrightError:  # the write is done; the loss is on record
            return

    return after


def _guessed(part: Part) -> tuple[list[nodes.Action], list[nodes.Condition]]:
    """Without knowing the item: what comes is the new extreme; where something goes, nothing of it was."""
    rank = nodes.Name((rank_field(part),))
    come = best(part.kind, part.come)
    if part.gone or come is None:
        closest = best(part.kind, [*part.gone, *part.come])
        assert closest is not None
        return [], [_better_than(part.kind, rank, closest.rank)]
    lost = nodes.Function("contains", (nodes.Name((LOST,)), nodes.Value(part.field)))
    empty = nodes.And((nodes.Function("attribute_not_exists", (rank,)), nodes.Not(lost)))
    worse = nodes.Compare(">" if part.kind == "min" else "<", rank, nodes.Value(come.rank))
    return list(set_to(part, come)), [nodes.Or((empty, worse))]


def _better_than(kind: str, rank: nodes.Name, value: Any) -> nodes.Condition:
    return nodes.Compare("<" if kind == "min" else ">", rank, nodes.Value(value))


def _known(part: Part, met: Item) -> tuple[list[nodes.Action], list[nodes.Condition]]:
    """Knowing the item: exactly what follows, on condition that it is still so."""
    conditions = [is_still(met, field) for field in dict.fromkeys((rank_field(part), LOST))]
    current = met.get(rank_field(part))
    come = best(part.kind, part.come)
    is_lost = part.field in met.get(LOST, ())
    if is_lost:  # whether what comes is better than what is lost, nobody knows
        return [], conditions
    if current is None:
        if part.gone:
            return list(_lose(part)), conditions
        return ([] if come is None else list(set_to(part, come))), conditions
    if any(not _is_better(part.kind, current, each.rank) for each in part.gone):
        replaced = come is not None and not _is_better(part.kind, current, come.rank)
        return (list(set_to(part, come)) if replaced and come is not None else list(_lose(part))), conditions
    if come is not None and _is_better(part.kind, come.rank, current):
        return list(set_to(part, come)), conditions
    return [], conditions


def set_to(part: Part, one: Fed) -> Iterator[nodes.Action]:
    yield nodes.Set(nodes.Name((part.field,)), nodes.Value(one.value))
    if rank_field(part) != part.field:
        yield nodes.Set(nodes.Name((rank_field(part),)), nodes.Value(one.rank))


def _lose(part: Part) -> Iterator[nodes.Action]:
    for field in dict.fromkeys((part.field, rank_field(part))):
        yield nodes.Remove(nodes.Name((field,)))
    yield nodes.Add(nodes.Name((LOST,)), nodes.Value({part.field}))


def _merged(actions: list[nodes.Action]) -> list[nodes.Action]:
    """Everything that is lost in one action, as DynamoDB takes one for each place."""
    lost = _lost_in(actions)
    if not lost:
        return actions
    others: list[nodes.Action] = [each for each in actions if each.path.parts != (LOST,)]
    return [*others, nodes.Add(nodes.Name((LOST,)), nodes.Value(lost))]


def _lost_in(actions: list[nodes.Action]) -> set[str]:
    return {
        field
        for each in actions
        if isinstance(each, nodes.Add) and each.path.parts == (LOST,)
        for field in each.value.value
    }


def expressions(actions: list[nodes.Action], condition: nodes.Condition | None) -> dict[str, Any]:
    """The expressions of a request."""
    placeholders = Placeholders()
    update = nodes.Update(
        set=tuple(each for each in actions if isinstance(each, nodes.Set)),
        remove=tuple(each for each in actions if isinstance(each, nodes.Remove)),
        add=tuple(each for each in actions if isinstance(each, nodes.Add)),
        delete=tuple(each for each in actions if isinstance(each, nodes.Delete)),
    )
    found: dict[str, Any] = {"UpdateExpression": render_update(update, placeholders)}
    if condition is not None:
        found["ConditionExpression"] = render_condition(condition, placeholders)
    found["ExpressionAttributeNames"] = placeholders.names
    if placeholders.values:
        found["ExpressionAttributeValues"] = placeholders.values
    return found

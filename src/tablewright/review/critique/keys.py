"""Rules about keys: how they spread load, how they sort, where they collide, whether they keep ids unique."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.wording import concat, number, percent, tally
from tablewright.review.case import Remark
from tablewright.review.upkeep.uniqueness import key_beyond_id
from tablewright.spec.volumes import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.layout.views import View
    from tablewright.design.model import ReadStep, SortCondition
    from tablewright.review.case import Case
    from tablewright.spec.model import PatternSpec

FEW_KEYS = 10
MANY_ITEMS = 1000


def few_partitions(case: Case) -> Iterator[Remark]:
    """Many items under so few partition keys that most of the table's capacity cannot reach them."""
    facts = case.facts
    heats = {(each.place, each.partition_key): each for each in case.heat.partitions}
    for view, keys in case.layout.keys.items():
        count = distinct(facts, view.entity, view.shape.partition) if view.shape.partition else 1.0
        spread = count * case.layout.shards[view]
        if spread >= FEW_KEYS or view.shape.bucket or facts.counts[view.entity] < MANY_ITEMS:
            continue
        heat = heats.get((place_of_view(view), keys.pk.text))
        bears = (
            f"; it bears {number(round(heat.bears_traffic, 1))} times the predicted peak"
            if heat is not None and heat.bears_traffic is not None
            else ""
        )
        yield Remark(
            text=f"{place_of_view(view)}: {tally(spread, 'partition key')} ({keys.pk.text}) for"
            f" {number(facts.counts[view.entity])} {view.entity} items{bears}",
            views=(view,),
        )


def hot_end(case: Case) -> Iterator[Remark]:
    """Partitions that only grow at their end and are busy: all writes meet there, and no split helps; shards do."""
    for each in case.heat.partitions:
        if each.time_ordered and each.verdict != "cool" and each.shards == 1:
            use = percent(1 - min(each.read_headroom, each.write_headroom))
            text = f"{each.place}: {each.partition_key} is sorted by time and used to {use} at peak"
            yield Remark(text=text, views=case.views_in(each.place, each.partition_key))


def hot_partitions(case: Case) -> Iterator[str]:
    for each in case.heat.findings:
        if each.severity == "error":
            yield f"{each.what} ({each.arithmetic}). {each.remedy}".rstrip(".")


# ---- tenants --------------------------------------------------------------------------------------------------------


def no_tenant(case: Case) -> Iterator[str]:
    """Patterns that ask for a boundary between tenants, read from partitions that hold several of them."""
    for pattern in case.spec.reads:
        if pattern.tenant is None:
            continue
        templates = [each.template for each in case.steps[pattern.id].pk]
        if not any(pattern.tenant in each.names for each in templates):
            asked = ", ".join(map(str, templates))
            yield f"{case.name(pattern.id)} reads {asked}, which does not hold {pattern.tenant}"


# ---- order ----------------------------------------------------------------------------------------------------------

NUMBERS = re.compile(
    r"(salary|price|amount|total|balance|cost|count|number|quantity|qty|points|score|rank|age|size|weight|duration"
    r"|seconds|minutes|bytes|version|priority|level)$",
    re.IGNORECASE,
)
MONEY = re.compile(r"(salary|price|amount|total|balance|cost|fee|revenue|budget)$", re.IGNORECASE)


def numbers_as_text(case: Case) -> Iterator[str]:
    """Text that is compared or sorted like a number: "9" comes behind "10"."""
    seen: set[tuple[str, str]] = set()
    for pattern in case.spec.reads:
        for entity in pattern.entities:
            for name in sorted(_ordered_by(pattern)):
                attribute = case.spec.entities[entity].attributes.get(name)
                if attribute is None or attribute.type != "string" or (entity, name) in seen:
                    continue
                if NUMBERS.search(name):
                    seen.add((entity, name))
                    yield (
                        f"{entity}.{name} is declared as text and {case.name(pattern.id)} orders by it:"
                        " declare it as number, or store it with leading zeros"
                    )


def _ordered_by(pattern: PatternSpec) -> set[str]:
    """Attributes a pattern compares or sorts by."""
    ranged = {pattern.range.attr} if pattern.range is not None and pattern.range.op != "begins_with" else set[str]()
    return ranged | {each.attr for each in pattern.sort}


def money(case: Case) -> Iterator[str]:
    """Money as a number with a fraction: DynamoDB keeps it, floats in a program do not."""
    for entity in case.origin.entities.values():
        names = [each.name for each in entity.attributes.values() if each.type == "number" and MONEY.search(each.name)]
        if names:
            yield f"{concat(f'{entity.name}.{name}' for name in names)}: use Decimal or whole cents, never float"


# ---- prefixes -------------------------------------------------------------------------------------------------------


def prefix_collisions(case: Case) -> Iterator[Remark]:
    """Queries whose sort-key condition also matches another type in the same partitions."""
    for pattern in case.spec.reads:
        step = case.steps[pattern.id]
        if step.operation != "Query" or len(step.sk) != 1 or _filters_type(case, step):
            continue
        (condition,) = step.sk
        for view in _views_read(case, step):
            if view.entity not in pattern.entities and _matches(case, view, condition):
                stem = case.layout.keys[view].sk.text
                asked = f"{condition.operator} {condition.low}"
                text = f"{case.name(pattern.id)} asks {asked} and also gets {view.entity} ({stem})"
                yield Remark(text=text, reads=(pattern.id,))


def _filters_type(case: Case, step: ReadStep) -> bool:
    return any(case.layout.type_field in each.attributes for each in step.filters)


def _views_read(case: Case, step: ReadStep) -> list[View]:
    """Views in the partitions that a request reads."""
    asked = [each.template for each in step.pk]
    return [view for view, keys in case.layout.keys.items() if view.index == step.index and [keys.pk.template] == asked]


def _matches(case: Case, view: View, condition: SortCondition) -> bool:
    """Whether a sort key of this view can lie where the condition looks, by the constant beginnings of both."""
    sort = case.layout.keys[view].sk.template
    stem, value, low, given = sort.stem, sort.names, condition.low.stem, condition.low.names
    if not stem:  # types mixed in one order are told apart by a filter
        return False
    if given:
        return bool(value) and (stem.startswith(low) or low.startswith(stem))
    match condition.operator:
        case "begins_with":
            return stem.startswith(low)
        case "between":
            return low <= stem <= str(condition.high)
        case _:
            return stem == low and not value


def id_not_unique(case: Case) -> Iterator[Remark]:
    """Table keys with more than the id: the same id is accepted more than once."""
    for entity, spec in case.spec.entities.items():
        more = key_beyond_id(case.layout, entity) if spec.kind == "entity" else ()
        if more:
            own = [each for each in case.layout.keys if each.entity == entity and each.index is None]
            yield Remark(
                text=f"{entity}: the key holds {concat(more)} besides {concat(spec.id)}; random ids make that harmless,"
                " chosen ones need a sentinel item",
                views=tuple(each for each in own if not each.is_copy),
            )

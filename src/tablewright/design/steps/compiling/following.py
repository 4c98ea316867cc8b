"""What a function has to know that follows the stream of a table."""

from __future__ import annotations

from tablewright.design import model as designed
from tablewright.design.steps.following import Following, Number
from tablewright.design.steps.tops import Top
from tablewright.spec import model as spec


def compile_following(design: designed.Design) -> dict[str, Following]:
    """By table; none where nothing is kept by its stream."""
    label = design.encoding.type_field
    found: dict[str, Following] = {}
    for table in design.tables:
        numbers: dict[str, tuple[Number, ...]] = {}
        tops: dict[str, tuple[Top, ...]] = {}
        for item in design.items:
            if item.kind == "trailing" and item.table == table.name:
                own = _owner(design, item)
                name = str(own.fixed.get(label, own.name))
                if item.top is None:
                    numbers[name] = (*numbers.get(name, ()), _number(item))
                else:
                    tops[name] = (*tops.get(name, ()), _top(item, item.top, own))
        if numbers or tops:
            found[table.name] = Following(
                table=table.name,
                key=(table.pk.name, table.sk.name),
                expires=table.ttl_attribute or "",
                numbers=numbers,
                tops=tops,
            )
    return found


def _top(item: designed.ItemType, top: spec.Top, own: designed.ItemType) -> Top:
    said = [(each.attr, -1 if each.order == "desc" else 1) for each in top.sort]
    names = [each for each, _ in said]
    return Top(
        item=item.name,
        inside=top.inside,
        order=(*said, *((name, 1) for name in own.id if name not in names)),
        id=own.id,
        most=top.most,
        shows=top.shows,
    )


def _owner(design: designed.Design, item: designed.ItemType) -> designed.ItemType:
    """The item type whose changes it follows."""
    return next(
        each
        for each in design.items
        if each.entity == item.entity and each.kind == "entity"
    )


def _number(item: designed.ItemType) -> Number:
    totals = {name: said.attribute for name, said in item.totals.items()}
    steps = {
        each.name: (each.step_of.attr, each.step_of.size)
        for each in item.attributes
        if each.step_of is not None
    }
    return Number(item=item.name, totals=totals, steps=steps)

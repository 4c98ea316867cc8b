"""What a function has to know that follows the stream of a table."""

from __future__ import annotations

from msgspec.structs import replace

from tablewright.design import model as designed
from tablewright.design.steps.compiling.reads import compile_read
from tablewright.design.steps.compiling.writes import compile_write
from tablewright.design.steps.following import Copying, Following, Number
from tablewright.design.steps.model import Writing
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
        copying = _copying(design, table.name)
        if numbers or tops or copying:
            found[table.name] = Following(
                table=table.name,
                key=(table.pk.name, table.sk.name),
                expires=table.ttl_attribute or "",
                numbers=numbers,
                tops=tops,
                copying=copying,
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


def _copying(design: designed.Design, table: str) -> dict[str, tuple[Copying, ...]]:
    """By what a changed item says it is; what several patterns change is one."""
    label = design.encoding.type_field
    own = {each.entity: each for each in design.items if each.kind == "entity"}
    together: dict[tuple[str, str, str], designed.Refresh] = {}
    for pattern in design.patterns:
        for each in pattern.followed:
            if own[pattern.entities[0]].table != table:
                continue
            key = (pattern.entities[0], each.entity, str(sorted(each.by.items())))
            together[key] = merged(together[key], each) if key in together else each
    found: dict[str, tuple[Copying, ...]] = {}
    for (entity, _, _), each in together.items():
        name = str(own[entity].fixed.get(label, own[entity].name))
        made = Copying(
            id=own[entity].id, copies=dict(each.given), updates=_updates(design, each)
        )
        found[name] = (*found.get(name, ()), made)
    return found


def merged(one: designed.Refresh, other: designed.Refresh) -> designed.Refresh:
    """The same items are found, and all copies of either set."""
    steps = zip(one.writes, other.writes, strict=True)
    return replace(
        one,
        given={**one.given, **other.given},
        writes=tuple(
            replace(mine, set={**mine.set, **theirs.set}) for mine, theirs in steps
        ),
    )


def _updates(design: designed.Design, refresh: designed.Refresh) -> Writing:
    return Writing(
        op="update",
        entities=(refresh.entity,),
        inputs=tuple(refresh.given),
        reads=tuple(compile_read(design, each) for each in refresh.reads),
        writes=tuple(compile_write(design, each) for each in refresh.writes),
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

"""Numbers of relationships that cannot all be true: children of a parent, and how many of both there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.facts import reference_attributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.faults.place import SpecFault
    from tablewright.spec.model import EntitySpec, RelationshipSpec, Spec

NUMBERS = ("avg", "p50", "p99", "max")
FAR = 2.0
"""Counts are rounded and averages guessed; beyond this factor two of them speak of different applications."""
ROUNDING = 1.01


def relationship_faults(place: str, each: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    for name in ("avg", "max"):
        if getattr(each, name) == 0:
            yield f"{place}.{name}", "0 children: leave the relationship out, or say how many there are."
    if each.kind == "one-to-one":
        for name in NUMBERS:
            if (getattr(each, name) or 0) > 1:
                yield (
                    f"{place}.{name}",
                    f"{getattr(each, name):,.0f} children, but one-to-one means one; correct one of them.",
                )
    elif each.max is not None:
        for name in ("avg", "p50", "p99"):
            if (getattr(each, name) or 0) > each.max:
                yield f"{place}.{name}", f"{getattr(each, name):,.0f} children, but at most {each.max:,.0f} (max)."
    yield from _unnamed_faults(place, each, spec)
    yield from _tail_faults(place, each)
    yield from _median_faults(place, each)
    yield from _count_faults(place, each, spec)


def _unnamed_faults(place: str, each: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    """Numbers of the children of a parent whose id has several parts, where nothing says which attributes hold it."""
    parent, child = spec.entities.get(each.source), spec.entities.get(each.via or each.target)
    if parent is None or child is None or parent is child or len(parent.id) == 1:
        return
    if each.kind == "many-to-many" and each.via is None:
        return
    said = next((name for name in NUMBERS if getattr(each, name) is not None), None)
    if said is not None and child.kind == "entity" and not reference_attributes(spec, child, parent, each):
        yield (
            f"{place}.{said}",
            (
                f"is of no list: which attributes of {child.name} hold the id of {parent.name}"
                f" ({', '.join(parent.id)})? Say it with `by`, such as by: [{', '.join(parent.id)}]."
            ),
        )


def _tail_faults(place: str, each: RelationshipSpec) -> Iterator[SpecFault]:
    """An average above what 99 of 100 parents have needs one parent in a hundred that has very many."""
    if each.avg is None or each.p99 is None or each.avg <= each.p99:
        return
    needed = (each.avg - 0.99 * each.p99) / 0.01
    if each.max is None or needed > each.max:
        yield (
            f"{place}.p99",
            (
                f"99 of 100 parents have at most {each.p99:,.0f}, and the average is {each.avg:,.0f}: that needs a max"
                f" of {needed:,.0f} or more. Correct one of them."
            ),
        )


def _median_faults(place: str, each: RelationshipSpec) -> Iterator[SpecFault]:
    """Half of the parents have `p50` children or more, the other half at most as many."""
    if each.p50 is None:
        return
    if each.p50 == 0:
        yield f"{place}.p50", "0 children; write 1 or more, of the parents that have any."
    if each.p99 is not None and each.p50 > each.p99:
        yield f"{place}.p50", f"{each.p50:,.0f} children, but 99 of 100 parents have at most {each.p99:,.0f} (p99)."
    if each.avg is None:
        yield f"{place}.p50", "says how lists differ from their average; add avg."
    elif each.avg < each.p50 / 2:
        yield (
            f"{place}.p50",
            f"half of the parents have {each.p50:,.0f} or more, so that the average is not {each.avg:,.0f}.",
        )
    elif each.max is not None and each.avg > (each.p50 + each.max) / 2 * ROUNDING:
        yield (
            f"{place}.p50",
            (
                f"half of the parents have at most {each.p50:,.0f} and the others at most {each.max:,.0f}, so that the"
                f" average is not {each.avg:,.0f}."
            ),
        )


def _count_faults(place: str, each: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    parent, child = spec.entities.get(each.source), spec.entities.get(each.via or each.target)
    if parent is None or child is None or not child.count or parent is child:
        return
    if each.avg and each.avg > child.count:
        yield (
            f"{place}.avg",
            f"{each.avg:,.0f} {child.name} items for each {parent.name}, and there are {child.count:,.0f}.",
        )
    elif parent.count and _names_always(spec, child, parent, each):
        yield from _too_many(place, each, parent.count, child)
        yield from _above_average(place, each, parent.count, child)


def _names_always(spec: Spec, child: EntitySpec, parent: EntitySpec, each: RelationshipSpec) -> bool:
    """Whether every child is known to name a parent, by attributes that name nothing else."""
    if each.kind == "many-to-many" and each.via is None:
        return False
    names = reference_attributes(spec, child, parent, each)
    known = [child.attributes[name] for name in names if name in child.attributes]
    return bool(known) and all(given.required is not False and (given.presence or 1) == 1 for given in known)


def _too_many(place: str, each: RelationshipSpec, parents: float, child: EntitySpec) -> Iterator[SpecFault]:
    most = each.max or (1.0 if each.kind == "one-to-one" else None)
    if most and child.count and child.count > parents * most * ROUNDING:
        yield (
            f"{place}.max" if each.max else f"{place}.kind",
            (
                f"at most {most:,.0f} for each of {parents:,.0f} {each.source} items are"
                f" {parents * most:,.0f}, and there are {child.count:,.0f} {child.name} items."
            ),
        )


def _above_average(place: str, each: RelationshipSpec, parents: float, child: EntitySpec) -> Iterator[SpecFault]:
    """Fewer are no contradiction: then some parents have none, and the average is that of the others."""
    if not each.avg or not child.count or each.kind == "one-to-one":
        return
    expected = parents * each.avg
    if child.count > expected * FAR:
        yield (
            f"{place}.avg",
            (
                f"{each.avg:,g} for each of {parents:,.0f} {each.source} items are {expected:,.0f}, and there are"
                f" {child.count:,.0f} {child.name} items; correct one of them."
            ),
        )


def repeated_faults(spec: Spec) -> Iterator[SpecFault]:
    """Two relationships between the same entities by the same attributes are one, told twice."""
    seen: dict[tuple[object, ...], int] = {}
    for at, each in enumerate(spec.relationships):
        what = (each.source, each.target, each.via, each.by)
        before = seen.setdefault(what, at)
        for name in NUMBERS if before != at else ():
            one, other = getattr(spec.relationships[before], name), getattr(each, name)
            if one is not None and other is not None and one != other:
                yield (
                    f"relationships[{at}].{name}",
                    (
                        f"{other:,g}, and relationships[{before}] says {one:,g} of the same {each.source} and"
                        f" {each.target}; correct one of them, or say by which attributes they differ (`by`)."
                    ),
                )

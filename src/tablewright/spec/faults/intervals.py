"""Reads of what overlaps that cannot be answered, and writes after which nobody could tell how long something lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.facts import operation_in
from tablewright.spec.faults.place import SpecFault, unknown_attributes
from tablewright.spec.intervals import longest_of
from tablewright.spec.writes import changes_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import References
    from tablewright.spec.model import AttributeSpec, EntitySpec, Overlaps, PatternSpec, Spec

LASTING = ("timestamp", "number")
RULES = ("values", "default", "validate", "since", "sorts_as", "references", "references_any")
"""What an end has none of: it follows from where it begins."""


def interval_faults(place: str, pattern: PatternSpec, spec: Spec, references: References) -> Iterator[SpecFault]:
    if not pattern.is_read:
        updated = [each for each in pattern.entities if operation_in(spec, references, pattern, each) == "update"]
        for name in updated:
            yield from _write_faults(f"{place}.changes", pattern, spec, spec.entities[name])
    elif pattern.overlaps is not None:
        yield from _read_faults(place, pattern, pattern.overlaps, spec)


def _read_faults(place: str, pattern: PatternSpec, said: Overlaps, spec: Spec) -> Iterator[SpecFault]:
    at = f"{place}.overlaps"
    if pattern.kind != "query" or len(pattern.entities) != 1 or pattern.through is not None:
        yield at, "is for a query of one entity, whose own items overlap; write one for each, without `through`."
        return
    entity = spec.entities[pattern.entity]
    unknown = [*unknown_attributes(f"{at}.start", (said.start,), entity)]
    unknown += unknown_attributes(f"{at}.end", (said.end,), entity)
    yield from unknown or _attribute_faults(at, said, entity)
    if pattern.range is not None:
        yield f"{place}.range", "what overlaps is a range already; leave out one of them, or make it a filter."
    for name in (said.start, said.end):
        if name in {*pattern.by, *pattern.filter}:
            yield at, f"{name} is an input or filter as well; leave it out there: the caller gives `from` and `to`."
    yield from _other_faults(at, pattern, spec)


def _attribute_faults(at: str, said: Overlaps, entity: EntitySpec) -> Iterator[SpecFault]:
    start, end = entity.attributes[said.start], entity.attributes[said.end]
    if said.start == said.end or start.type != end.type or start.type not in LASTING:
        yield at, f"{said.start} is a {start.type} and {said.end} a {end.type}; write two timestamps, or two numbers."
        return
    longest = longest_of(said)
    if longest is None or isinstance(said.longest, str) != (end.type == "timestamp"):
        form = "a time such as 14d or 12h" if end.type == "timestamp" else "a number, as the two are"
        yield f"{at}.longest", f"{said.longest!r} is not how long it lasts: write {form}."
    elif longest <= 0:
        yield f"{at}.longest", "must be more than 0: nothing that lasts would overlap."
    yield from _rule_faults(at, entity, end)


def _rule_faults(at: str, entity: EntitySpec, end: AttributeSpec) -> Iterator[SpecFault]:
    for name in RULES:
        if getattr(end, name) not in (None, ()):
            yield at, f"{entity.name}.{end.name} has `{name}`, but an end follows from where it begins; leave it out."
    if end.name in entity.id:
        yield at, f"{end.name} is part of the id of {entity.name}, and ids never change; let the start tell them apart."


def _other_faults(at: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    """One end has one beginning and one longest time."""
    for each in _of_entity(spec, pattern.entity):
        mine, other = pattern.overlaps, each
        if mine is None or other is mine or mine.end != other.end:
            continue
        if (mine.start, longest_of(mine)) != (other.start, longest_of(other)):
            yield at, f"another pattern says {other.start} and {other.longest} of {other.end}; let both say the same."


def _of_entity(spec: Spec, entity: str) -> list[Overlaps]:
    own = [each for each in spec.patterns if each.overlaps is not None and each.entities == (entity,)]
    return [each.overlaps for each in own if each.overlaps is not None]


# ---- writes ---------------------------------------------------------------------------------------------------------


def _write_faults(at: str, pattern: PatternSpec, spec: Spec, entity: EntitySpec) -> Iterator[SpecFault]:
    """Whoever changes where something begins or ends says both, so that its length can be told before it is written."""
    for pair in dict.fromkeys((each.start, each.end) for each in _of_entity(spec, entity.name)):
        if entity.attributes.keys() >= set(pair):
            yield from _pair_faults(at, pattern, spec, entity, pair)


def _pair_faults(
    at: str, pattern: PatternSpec, spec: Spec, entity: EntitySpec, pair: tuple[str, str]
) -> Iterator[SpecFault]:
    said, named = changes_on(spec, pattern, entity.name), pattern.by_of(entity.name)
    if said is None:
        changes = {each: "given" for each in pair if each not in entity.id and not entity.attributes[each].immutable}
    else:
        changes = {each.attr: str(each.kind) for each in said if each.attr in pair}
    known = {*named, *(name for name, kind in changes.items() if kind == "given")}
    for name, kind in changes.items():
        (other,) = set(pair) - {name}
        if name in named or kind == "remove":
            continue
        if kind in ("set", "add"):
            yield f"{at}.{name}", f"is asked for by what overlaps: let the caller give {name} and {other}."
        elif other not in known or (other in named and other != pair[0]):
            yield (
                at,
                (
                    f"changes {name} of {entity.name} without {other}, and how long it then lasts could not be told;"
                    f" let it change both, or name {other} in `by`."
                ),
            )

"""Deletes that go on: how many items one of them reaches, and the reads and deletes that it consists of.

They are patterns like any other, so that keys are found for them, and so that they are billed and heated: one that
reads what names an item, and one that deletes what was found, as often as a run of the delete brings them about.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.links import Link, cascading_links, deleted_by, reached_links
from tablewright.spec.model import PatternSpec, Rate
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.facts import Facts

MOST_IN_A_CALL = 1000
"""More items than that are deleted by a job, not by a call that somebody waits for."""
LOOKS = 2.0
"""An item that goes is looked at twice: while it is there, and when it is gone."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A link along which a delete goes on: how many parents go in a run, and how many children are found, all told."""

    pattern: str
    link: Link
    looks: float
    found: float
    most: float

    @property
    def read_id(self) -> str:
        return read_id(self.pattern, self.link.parent, self.link.child, self.link.names)

    @property
    def delete_id(self) -> str:
        return f"{self.read_id}, deleted"


def read_id(pattern: str, parent: str, child: str, names: Iterable[str]) -> str:
    """What the read of a cascade is called in the spec as it is stored."""
    return f"{pattern}: {child} of {parent} by {', '.join(names)}"


def cascade_steps(facts: Facts, pattern: PatternSpec) -> tuple[Step, ...]:
    """Of a delete: all links that it goes on along and whose attributes are known."""
    roots = deleted_by(facts, pattern)
    links = [each for each in reached_links(facts.spec, roots) if each.by]
    usual, most = _Amounts(facts, is_most=False), _Amounts(facts, is_most=True)
    for root in roots:
        usual.go(root, 1.0, (root,))
        most.go(root, 1.0, (root,))
    return tuple(
        Step(
            pattern=pattern.id,
            link=each,
            looks=max(1.0, usual.parents.get(each, 0.0) * LOOKS - (each.parent in roots)),
            found=usual.found.get(each, 0.0),
            most=most.found.get(each, 0.0),
        )
        for each in links
    )


class _Amounts:
    """Items along each link in one run, added up over all ways that lead there; circles end where they began.

    A tree that hangs on what is deleted was found with it: only below the first item does it count.
    """

    def __init__(self, facts: Facts, *, is_most: bool) -> None:
        self.facts, self.is_most = facts, is_most
        self.links = cascading_links(facts.spec)
        self.parents: dict[Link, float] = {}
        self.found: dict[Link, float] = {}

    def go(self, entity: str, amount: float, above: tuple[str, ...]) -> None:
        own = [each for each in self.links if each.parent == entity]
        depth = 0.0 if above[1:] else 1.0
        within = sum(self.add(each, amount, depth * self.depth(each)) for each in own if each.child == entity)
        for each in own:
            if each.child == entity:
                self.parents[each] += within
                continue
            found = self.add(each, amount + within, self.per_parent(each))
            if each.child not in above:
                self.go(each.child, found, (*above, each.child))

    def add(self, link: Link, parents: float, each: float) -> float:
        found = min(parents * each, self.facts.counts[link.child])
        self.parents[link] = self.parents.get(link, 0.0) + parents
        self.found[link] = self.found.get(link, 0.0) + found
        return found

    def per_parent(self, link: Link) -> float:
        """As said, but no more than there are: all children over all parents, some of whom may have none."""
        said, facts = link.relationship, self.facts
        usual = facts.counts[link.child] / max(1.0, facts.counts[link.parent])
        if link.parent != said.source:
            return usual
        usual = usual if said.avg is None else min(said.avg, usual)
        return max(usual, said.max or said.p99 or usual) if self.is_most else usual

    def depth(self, link: Link) -> float:
        """What lies below an item of a tree: on average as many as there are levels above one; at most all of it."""
        count = self.facts.counts[link.child]
        if self.is_most:
            return count
        return log(max(2.0, count)) / log(max(2.0, link.relationship.avg or 2.0))


def is_job(steps: Iterable[Step]) -> bool:
    """Whether the largest is more than one call should do; a tree nobody has bounded is taken by its average."""
    return sum(each.found if each.link.parent == each.link.child else each.most for each in steps) > MOST_IN_A_CALL


def resumes(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether a delete of what is not there goes on to what names its id.

    Not where it would be refused, nor where the caller names more than the id: another item may be meant.
    """
    if pattern.op != "delete" or set(pattern.by) != set(facts.spec.entities[pattern.entity].id):
        return False
    effect = effect_on(facts, pattern, pattern.entity)
    return effect.existence == "any" and effect.when is None


# ---- as patterns ----------------------------------------------------------------------------------------------------


def cascade_patterns(facts: Facts, steps: Iterable[Step]) -> Iterator[PatternSpec]:
    """For every step its read and its delete, with their rates."""
    for each in steps:
        yield _read(facts, each)
        yield _delete(facts, each)


def _read(facts: Facts, step: Step) -> PatternSpec:
    entity = facts.spec.entities[step.link.child]
    fixed = [name for name, attribute in entity.attributes.items() if attribute.immutable]
    return PatternSpec(
        id=step.read_id,
        kind="query",
        entities=(entity.name,),
        by=step.link.names,
        items=step.found / step.looks,
        returns=tuple(dict.fromkeys((*entity.id, *step.link.names, *fixed))),
        rate=_times(facts, step.pattern, step.looks),
        expired="shown",
        cascade_of=step.pattern,
    )


def _delete(facts: Facts, step: Step) -> PatternSpec:
    """Whatever there is to know of an item was found."""
    entity = facts.spec.entities[step.link.child]
    return PatternSpec(
        id=step.delete_id,
        kind="write",
        op="delete",
        entities=(entity.name,),
        by=tuple(entity.attributes),
        rate=_times(facts, step.pattern, step.found),
        cascade_of=step.pattern,
    )


def _times(facts: Facts, pattern: str, times: float) -> Rate:
    rate = facts.rates[pattern]
    return Rate(avg=rate.avg * times, peak=(rate.peak or 0.0) * times)

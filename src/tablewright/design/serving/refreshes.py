"""Updates that go on to copies: how many children one of them writes, and the read and the write that it consists of.

They are patterns like any other, so that a key is found for them, and so that they are billed and heated: one reads the
children of an item, and one sets what they keep of it, as often as a run of the update brings them about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.serving.cascades import read_id
from tablewright.spec.links import Link, links_of
from tablewright.spec.model import PatternSpec, Rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Change, EntitySpec, RelationshipSpec, Spec


def relationship_to(spec: Spec, parent: str, child: str, own: Sequence[str]) -> RelationshipSpec | None:
    """What is said of the children that name a parent by these attributes."""
    links = (link for each in spec.relationships for link in links_of(spec, each))
    found = (each for each in links if (each.parent, each.child) == (parent, child) and set(each.names) == set(own))
    return next((each.relationship for each in found if _counts_children(each)), None)


def _counts_children(link: Link) -> bool:
    """Of an edge, the numbers of a relationship are those of its first end."""
    return link.parent == link.relationship.source


def children_of(facts: Facts, parent: str, child: str, own: Sequence[str]) -> float:
    """On average: as said, but no more than there are."""
    usual = facts.counts[child] / max(1.0, facts.counts[parent])
    said = relationship_to(facts.spec, parent, child, own)
    return usual if said is None or said.avg is None else min(said.avg, usual)


def refresh_read(
    facts: Facts, write: PatternSpec, child: EntitySpec, own: tuple[str, ...], *, is_followed: bool = False
) -> PatternSpec:
    """All children of one item, as a delete finds those that go with it."""
    fixed = [name for name, attribute in child.attributes.items() if attribute.immutable]
    return PatternSpec(
        id=read_id(write.id, write.entity, child.name, own),
        kind="query",
        entities=(child.name,),
        by=own,
        items=children_of(facts, write.entity, child.name, own),
        returns=tuple(dict.fromkeys((*child.id, *own, *fixed))),
        rate=facts.rates[write.id],
        consistency="strong" if is_followed else "eventual",  # nothing else would find what came a moment ago
        expired="shown",
        cascade_of=write.id,
    )


def refresh_write(
    facts: Facts,
    write: PatternSpec,
    child: EntitySpec,
    own: tuple[str, ...],
    changes: tuple[Change, ...],
    *,
    is_followed: bool = False,
) -> PatternSpec:
    """Whatever there is to know of a child was found."""
    copies = {each.attr for each in changes}
    return PatternSpec(
        id=f"{read_id(write.id, write.entity, child.name, own)}, refreshed",
        kind="write",
        op="update",
        entities=(child.name,),
        by=tuple(name for name in child.attributes if name not in copies),
        changes=changes,
        rate=times(facts.rates[write.id], children_of(facts, write.entity, child.name, own)),
        transactional=not is_followed,
        cascade_of=write.id,
    )


def times(rate: Rate, children: float) -> Rate:
    """As often as a run brings it about."""
    return Rate(avg=rate.avg * children, peak=(rate.peak or 0.0) * children)

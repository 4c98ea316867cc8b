"""Few and small children as a map in their parent, each under its own id.

One item holds them all: a read of the children is a read of the parent, and every read of the parent carries them. That
fits where the number of children is bounded, all of them together stay far from an item's limit, nobody asks for a
child but by its parent, and every write knows the parent. Changing a child rewrites the parent's item.

A map is there only while its item is. So a child is embedded only where every write of one demands the parent, and
nothing but a cascade (or nothing at all) takes the parent away: then nobody can tell the map from items.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.writing import WriteSteps, key_templates, pk_field
from tablewright.design.layout.forms import Embedded, ReadPart, Rewrite, Rewritten, with_patterns, without_entity
from tablewright.design.model import ItemAttribute, ItemType, WriteStep
from tablewright.design.serving.writes import operation_on
from tablewright.design.values.templates import KeyTemplate, Path, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import exists
from tablewright.spec.listing import entities_read
from tablewright.spec.model import AttributeSpec, Change
from tablewright.spec.volumes import attribute_bytes, item_bytes
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import ItemKeys
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, PatternSpec, RelationshipSpec

MOST_CHILDREN_BYTES = 64 * 1024
MOST_ITEM_BYTES = 200 * 1024
"""Half of what an item may hold, so that estimates may be wrong."""
ENTRY_BYTES = 4
"""What DynamoDB adds for a map and for each of its entries, generously."""


def _offer(facts: Facts) -> Iterator[Rewrite]:
    for relationship in facts.spec.relationships:
        embedded = _embedding(facts, relationship)
        if embedded is not None and _fits(facts, relationship, embedded):
            yield Rewrite("embed", relationship.target, (embedded.parent,))


def _embedding(facts: Facts, relationship: RelationshipSpec) -> Embedded | None:
    """How the children would lie in the parent; None where they do not belong to it alone."""
    child, parent = facts.spec.entities.get(relationship.target), facts.spec.entities.get(relationship.source)
    if child is None or parent is None or child is parent or relationship.via or relationship.max is None:
        return None
    if "embed" not in child.rewrites or "embed" not in parent.rewrites:
        return None
    if child.ttl is not None or parent.ttl is not None or child.version or _is_unique(facts, child):
        return None
    names = [attr for attr, of in facts.references[child.name].items() if of == parent.name]
    own = [attr for attr in child.id if attr not in names]
    if len(parent.id) != 1 or len(names) != 1 or len(own) != 1 or names[0] in facts.changing[child.name]:
        return None
    attribute = child.name[:1].lower() + child.name[1:] + "s"
    if attribute in parent.attributes or child.attributes[own[0]].type != "string":
        return None
    return Embedded(parent=parent.name, attribute=attribute, key=own[0], reference={parent.id[0]: names[0]})


def _is_unique(facts: Facts, child: EntitySpec) -> bool:
    return bool(child.unique) or any(child.name == name for group in facts.spec.unique for name, _ in group)


def _fits(facts: Facts, relationship: RelationshipSpec, embedded: Embedded) -> bool:
    child = relationship.target
    most = (relationship.max or 0.0) * _child_bytes(facts, child)
    return (
        most <= MOST_CHILDREN_BYTES
        and most + item_bytes(facts, embedded.parent) <= MOST_ITEM_BYTES
        and sum(child in (each.target, each.via) for each in facts.spec.relationships) == 1
        and not any(child in (each.source, each.via) for each in facts.spec.relationships)
        and not any(child in facts.references[name].values() for name in facts.spec.entities)
        and any(child in each.entities for each in facts.spec.reads)
        and not any(child in entities_read(facts.spec, each) for each in facts.spec.reads if each.through)
        and not any(each.cascade_of and child in each.entities for each in facts.spec.patterns)
        and all(_serves(facts, each, child, embedded) for each in facts.spec.patterns if child in each.entities)
        and all(_demands_parent(facts, each, child, embedded.parent) for each in facts.writes if child in each.entities)
        and (bool(relationship.cascade) or not _is_deleted(facts, embedded.parent))
    )


def _demands_parent(facts: Facts, write: PatternSpec, child: str, parent: str) -> bool:
    """Whether a child comes only where its parent is; one that goes needs none."""
    effect = effect_on(facts, write, child)
    return effect.op == "delete" or any(each.entity == parent for each in effect.parents)


def _is_deleted(facts: Facts, entity: str) -> bool:
    return any(entity in each.entities and operation_on(facts, each, entity) == "delete" for each in facts.spec.writes)


def _child_bytes(facts: Facts, child: str) -> int:
    entity = facts.spec.entities[child]
    own = sum(attribute_bytes(facts, child, name) + 1 for name in entity.attributes)
    return (entity.size_bytes or own) + ENTRY_BYTES


def _serves(facts: Facts, pattern: PatternSpec, child: str, embedded: Embedded) -> bool:
    (reference,) = embedded.reference.values()
    plain = not (pattern.sort or pattern.range or pattern.filter or pattern.limit or pattern.aggregate)
    if pattern.is_read:
        inputs = {reference} if len(pattern.entities) > 1 else {reference, embedded.key}
        held = set(pattern.entities) <= {child, embedded.parent}
        named = len(pattern.entities) == 1 or reference == next(iter(embedded.reference))
        return plain and held and named and reference in pattern.by and set(pattern.by) <= inputs
    return (
        pattern.entities == (child,)
        and pattern.op in ("put", "delete")
        and effect_on(facts, pattern, child).existence == "any"  # no condition asks which entries there are
        and effect_on(facts, pattern, child).when is None
        and facts.spec.entities[child].version is None
        and (pattern.op == "put" or set(pattern.by) >= {reference, embedded.key})
        and not (pattern.tenant and pattern.tenant not in facts.spec.entities[embedded.parent].id)
    )


# ---- applying -------------------------------------------------------------------------------------------------------


def _embed(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, child = form.asked, rewrite.subject
    relationship = next(each for each in facts.spec.relationships if each.target == child)
    embedded = _embedding(facts, relationship)
    assert embedded is not None
    parent = form.spec.entities[embedded.parent]
    children = facts.counts[child] / facts.counts[parent.name]
    size = ceil(children * _child_bytes(facts, child)) + ENTRY_BYTES
    held = AttributeSpec(name=embedded.attribute, type="map", size_bytes=size, required=True)
    grown = msgspec.structs.replace(
        parent,
        attributes={**parent.attributes, held.name: held},
        holds=(*parent.holds, child),
        size_bytes=None if parent.size_bytes is None else parent.size_bytes + size,
    )
    spec = without_entity(form.spec, child)
    spec = msgspec.structs.replace(
        spec,
        entities={**spec.entities, parent.name: grown},
        relationships=tuple(each for each in spec.relationships if each != relationship),
    )
    found = msgspec.structs.replace(form, spec=spec, embedded={**form.embedded, child: embedded})
    for pattern in (*facts.spec.patterns, *facts.implied):
        if child in pattern.entities:
            found = _move_pattern(found, pattern, embedded)
    return found


def _move_pattern(form: Rewritten, pattern: PatternSpec, embedded: Embedded) -> Rewritten:
    """A pattern about the children as one about their parent."""
    parent = tuple(embedded.reference)
    if pattern.is_read:
        read = msgspec.structs.replace(pattern, kind="get", entities=(embedded.parent,), by=parent, returns=())
        part = ReadPart(
            pattern=pattern.id,
            unfold=embedded.attribute,
            given={ours: theirs for ours, theirs in embedded.reference.items() if ours != theirs},
            entities=pattern.entities,
            only=tuple(name for name in pattern.by if name == embedded.key),
        )
        return msgspec.structs.replace(
            form, spec=with_patterns(form.spec, pattern.id, read), reads={**form.reads, pattern.id: (part,)}
        )
    write = msgspec.structs.replace(
        pattern,
        op="update",
        entities=(embedded.parent,),
        by=parent,
        changes=(Change(embedded.attribute),),
        rate=form.asked.rates[pattern.id],
    )
    if pattern in form.asked.implied:
        return msgspec.structs.replace(
            form, spec=msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, write))
        )
    return msgspec.structs.replace(form, spec=with_patterns(form.spec, pattern.id, write))


# ---- stored and written ---------------------------------------------------------------------------------------------


def embedded_item(facts: Facts, name: str, inside: Embedded, keys: ItemKeys, table: str) -> ItemType:
    """A type without items of its own: the holder's `keys`, with the child's name for what it refers by."""
    spec = facts.spec.entities[name]
    return ItemType(
        name=name,
        entity=name,
        kind="embedded",
        table=table,
        id=spec.id,
        attributes=described_attributes(facts, spec),
        keys=(
            msgspec.structs.replace(
                keys,
                partition=tuple(inside.reference.get(attr, attr) for attr in keys.partition),
                pk=tuple(KeyTemplate(each.field, each.template.rename(inside.reference)) for each in keys.pk),
                sk=tuple(KeyTemplate(each.field, each.template.rename(inside.reference)) for each in keys.sk),
                collections=(),
            ),
        ),
        holder=inside.parent,
        inside=inside.attribute,
        entry=inside.key,
        expected_bytes=_child_bytes(facts, name),
        expected_count=facts.counts[name],
        notes=spec.notes,
    )


def described_attributes(facts: Facts, spec: EntitySpec) -> tuple[ItemAttribute, ...]:
    """The attributes of what lies inside of items, as the spec describes them."""
    return tuple(
        ItemAttribute(
            name=each.name,
            type=each.type,
            required=each.name in facts.present[spec.name],
            changes=each.name in facts.changing[spec.name],
            values=each.values,
            default=each.default,
            validate=each.validate,
            ends=each.ends,
        )
        for each in spec.attributes.values()
    )


def embedded_steps(pattern: PatternSpec, item: ItemType) -> WriteSteps:
    """A put sets the entry of the map, a delete removes it; both need the parent to be there."""
    entry = Path(item.inside, Slot(item.entry))
    step = WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_templates(item, {}),
        set={entry: slot("*")} if pattern.op == "put" else {},
        remove=(entry,) if pattern.op == "delete" else (),
        condition=exists(pk_field(item)),
        why=f"{item.entity} lies in {item.holder}",
    )
    return WriteSteps((), (step,), transaction=pattern.transactional)


def _exclude(embedded: Rewrite, other: Rewrite) -> bool:
    """A child is nothing but embedded, and its parent is neither embedded nor divided."""
    parent = embedded.attributes[0]
    named = {other.subject, *other.attributes}
    return embedded.subject in named or (other.kind in ("embed", "split") and other.subject == parent)


EMBEDDING = FormPlan(
    kind="embed",
    text="{subject} as a map in {attributes}",
    reason="there are few and small children, always read with their parent: one item instead of many",
    without="{} as items of their own",
    offers=_offer,
    excludes=_exclude,
    apply=_embed,
)

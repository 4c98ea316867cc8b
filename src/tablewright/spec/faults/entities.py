"""Names between entities: references, versions, and what is unique across them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.places import nearest
from tablewright.spec.facts import reference_attributes
from tablewright.spec.faults.place import SpecFault, unknown_attributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import EntitySpec, RelationshipSpec, Spec


def version_faults(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    if entity.version is None:
        return
    attribute = entity.attributes[entity.version]
    if attribute.type != "number":
        yield f"{place}.version", f"{entity.version} is a {attribute.type}; a version is a number."
    if entity.version in entity.id or attribute.immutable:
        yield f"{place}.version", f"{entity.version} changes with every write, so that it is no id and not immutable."
    if any(entity.version in group for group in entity.unique):
        yield f"{place}.version", f"{entity.version} counts the writes of each item, and is not unique."


def reference_faults(place: str, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    for name, attribute in entity.attributes.items():
        at = f"{place}.attributes.{name}.references"
        named = attribute.references_any or ((attribute.references,) if attribute.references else ())
        for each in named:
            yield from _one_reference(at, name, each, spec)
        types = {
            each: spec.entities[each].attributes[spec.entities[each].id[0]].type
            for each in named
            if each in spec.entities
        }
        if len(set(types.values())) > 1:
            listed = ", ".join(f"{each} by a {kind}" for each, kind in types.items())
            yield at, f"one attribute cannot hold all of these ids: {listed}."


def _one_reference(at: str, name: str, wanted: str, spec: Spec) -> Iterator[SpecFault]:
    other = spec.entities.get(wanted)
    if other is None:
        yield at, f'there is no entity "{wanted}".{nearest(wanted, spec.entities)}'
    elif len(other.id) > 1 and name not in other.id:
        whole = " and ".join(other.id)
        yield at, f"the id of {other.name} is {whole}; one attribute of another name cannot hold it."


def integrity_faults(place: str, each: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    """Whoever checks that a parent is there must know which one."""
    if each.integrity != "checked":
        return
    child = spec.entities.get(each.via or each.target)
    for name in dict.fromkeys((each.source, each.target) if each.via else (each.source,)):
        parent = spec.entities.get(name)
        if child is None or parent is None:
            yield (
                f"{place}.integrity",
                f"{each.source} and {each.via or each.target} must both be entities of this spec.",
            )
        elif not reference_attributes(spec, child, parent, each):
            yield f"{place}.integrity", f"nothing says which attribute of {child.name} names its {name}; add `by`."


def unique_across_faults(spec: Spec) -> Iterator[SpecFault]:
    for at, group in enumerate(spec.unique):
        place = f"unique[{at}]"
        for name, attribute in group:
            if name not in spec.entities:
                yield place, f'there is no entity "{name}".{nearest(name, spec.entities)}'
            else:
                yield from unknown_attributes(place, (attribute,), spec.entities[name])
        names = [name for name, _ in group]
        if len(set(names)) < len(names) or len(names) < 2:
            yield place, "names two or more entities, each once; within one entity, use its own `unique`."
        found = [spec.entities[name].attributes.get(attribute) for name, attribute in group if name in spec.entities]
        types = list(dict.fromkeys(each.type for each in found if each is not None))
        if len(types) > 1:
            yield place, f"these are of different types ({', '.join(types)}), so that their values never meet."
        elif types and types[0] in ("map", "list", "set"):
            yield place, f"these are of type {types[0]}, which no key can hold."

"""The entities as Amplify models: `a.schema`, identifiers, secondary indexes, relationships and enumerations.

Amplify makes a table of every model, with an index for every key. What only a single table has (several types in one
answer, sentinels, totals) is named in a comment and not invented.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tablewright.codegen.entities import entities_of, entity_attributes, main_item
from tablewright.codegen.functions import camel_names
from tablewright.codegen.names import camel, check_graphql_name, pascal
from tablewright.codegen.typescript.literals import comment, literal, text
from tablewright.spec.facts import reference_attributes
from tablewright.spec.model import NOW
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemAttribute, ItemKeys, PatternDesign
    from tablewright.spec.model import Spec

_TYPES = {
    "string": "a.string()",
    "timestamp": "a.datetime()",
    "number": "a.float()",
    "boolean": "a.boolean()",
    "binary": "a.string()",
    "map": "a.json()",
    "list": "a.json()",
    "set": "a.string().array()",
    "any": "a.json()",
}
_WORD = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")
_HEAD = 'import { type ClientSchema, a, defineData } from "@aws-amplify/backend";'
_TAIL = """export type Schema = ClientSchema<typeof schema>;

export const data = defineData({
  schema,
  authorizationModes: { defaultAuthorizationMode: "userPool" },
});
"""


class _Link(msgspec.Struct, frozen=True):
    """One end of a relationship: a field of a model, and the attributes of the child that hold it."""

    model: str
    field: str
    call: str


def amplify(design: Design) -> dict[str, str]:
    """One file, where Amplify looks for it."""
    entities = entities_of(design)
    links = list(_links(read_spec(design.spec), entities))
    parts = [*_enums(design), *(_model(design, each, links) for each in entities)]
    inside = "".join(f"{_indent(part)},\n" for part in parts)
    head = [comment([f"{design.title or design.name} as Amplify models: a table for each.", *_limits(design)])]
    return {
        "amplify/data/resource.ts": "\n".join(
            [_HEAD, "", *head, f"const schema = a.schema({{\n{inside}}});", "", _TAIL]
        )
    }


def _indent(part: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in part.split("\n"))


def _limits(design: Design) -> Iterator[str]:
    several = [each.id for each in design.patterns if each.kind != "write" and len(each.entities) > 1]
    if several:
        yield f"One request for several types is one request for each of them here: {', '.join(several)}."
    kinds = sorted({each.kind for each in design.items if each.is_companion})
    if kinds:
        yield f"Amplify keeps no {' and no '.join(kinds)} items: what they ensure is left to a custom mutation."


# ---- fields ---------------------------------------------------------------------------------------------------------


def _enum_name(entity: str, attribute: ItemAttribute) -> str | None:
    """An enumeration of GraphQL, where its values are words."""
    if attribute.values and all(_WORD.fullmatch(each) for each in attribute.values):
        return f"{pascal(entity)}{pascal(attribute.name)}"
    return None


def _enums(design: Design) -> Iterator[str]:
    for entity in entities_of(design):
        for each in entity_attributes(design, entity).values():
            name = _enum_name(entity, each)
            if name is not None:
                yield f"{name}: a.enum({literal(list(each.values), 1, len(name) + 10)})"


def _model(design: Design, entity: str, links: list[_Link]) -> str:
    item = main_item(design, entity)
    lines = [
        _field(entity, each, required=each.required or each.name in item.id)
        for each in entity_attributes(design, entity).values()
    ]
    lines += [f"{each.field}: {each.call}," for each in links if each.model == entity]
    body = "".join(f"    {line}\n" for line in lines)
    parts = [f"{check_graphql_name(pascal(entity), 'entity')}: a", "  .model({", body.rstrip("\n"), "  })"]
    parts.append(f"  .identifier({literal(list(item.id), 1, 14)})")
    found = [_index(design, entity, each) for each in item.keys if each.index is not None and each.partition]
    if found:
        parts += ["  .secondaryIndexes((index) => [", *(f"    {each}," for each in found), "  ])"]
    return "\n".join([*parts, "  .authorization((allow) => [allow.authenticated()])"])


def _field(entity: str, attribute: ItemAttribute, *, required: bool) -> str:
    name = _enum_name(entity, attribute)
    call = f"a.ref({text(name)})" if name is not None else _TYPES[attribute.type]
    is_constant = attribute.default is not None and attribute.default != NOW and name is None
    default = f".default({literal(attribute.default)})" if is_constant else ""
    return f"{check_graphql_name(attribute.name, 'attribute')}: {call}{'.required()' if required else ''}{default},"


def _index(design: Design, entity: str, keys: ItemKeys) -> str:
    """The first attribute is Amplify's partition, all others its sort keys; the query is named as the pattern is."""
    first, *others = (*keys.partition, *keys.lead, *keys.rest)
    sort = f".sortKeys({literal(others, 3, 30)})" if others else ""
    pattern = _pattern_at(design, entity, keys)
    query = f".queryField({text(camel_names(design)[pattern.id])})" if pattern is not None else ""
    return f"index({text(first)}){sort}{query}"


def _pattern_at(design: Design, entity: str, keys: ItemKeys) -> PatternDesign | None:
    """The first pattern about this entity alone that reads there."""
    for each in design.patterns:
        if each.entities == (entity,) and any(step.index == keys.index for step in each.reads):
            return each
    return None


# ---- relationships --------------------------------------------------------------------------------------------------


def _links(spec: Spec, entities: list[str]) -> Iterator[_Link]:
    """Both ends of every relationship whose child names its parent by the parent's whole id."""
    taken: set[tuple[str, str]] = set()
    for each in spec.relationships:
        for parent in (each.source, each.target) if each.via else (each.source,):
            child = each.via or each.target
            if parent not in entities or child not in entities or parent == child:
                continue
            names = reference_attributes(spec, spec.entities[child], spec.entities[parent], each)
            if len(names) != len(spec.entities[parent].id):
                continue
            one, many = camel(parent), f"{camel(child)}{'' if each.kind == 'one-to-one' else 's'}"
            clash = {(child, one), (parent, many)} & taken or one in spec.entities[child].attributes
            if clash or many in spec.entities[parent].attributes:
                continue
            taken |= {(child, one), (parent, many)}
            by = literal(list(names), 2, 40)
            kind = "hasOne" if each.kind == "one-to-one" else "hasMany"
            yield _Link(child, one, f"a.belongsTo({text(pascal(parent))}, {by})")
            yield _Link(parent, many, f"a.{kind}({text(pascal(child))}, {by})")

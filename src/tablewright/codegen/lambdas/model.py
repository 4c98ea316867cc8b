"""What a stream handler has to know of a design, as plain values for every language.

By what stored items say they are: the items that are written along with one, and the children that go with it. A child
is looked for where the parent's id is its whole partition key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.python.literals import print_code, text
from tablewright.codegen.typescript.literals import literal
from tablewright.design.steps.compiling.following import merged
from tablewright.design.tables import cascades, companions, expiring, table_of, trailing, window_of
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType, Refresh
    from tablewright.design.tables import Cascade
    from tablewright.design.values.templates import Template
    from tablewright.spec.model import Top

Facts = dict[str, Any]


class StreamModel(msgspec.Struct, frozen=True):
    """The kinds a handler knows, by what their items say they are, and what it is there for."""

    style: str
    type_field: str
    ttl_attribute: str
    kinds: dict[str, Facts]
    reasons: tuple[str, ...]
    window_seconds: int = 1  # that records are collected for before the function is called
    left: tuple[str, ...] = ()  # what it cannot follow, and what to do about it


def model_of(design: Design) -> StreamModel | None:
    """None where nothing has to follow; an error where something has, and nothing of it can."""
    spec = read_spec(design.spec)
    wanted = cascades(spec, design.items)
    found = [each for each in wanted if _place_of(_child_of(design, each), each) is not None]
    left = tuple(_unfindable(design, each) for each in wanted if each not in found)
    going, kept = expiring(design.items), trailing(design.items)
    copies = copies_of(design)
    if not found and not going and not kept and not copies:
        if left:
            raise DesignError(" ".join(left))
        return None
    named = {each.parent for each in found} | {each.child for each in found}
    named |= {each.entity for each in (*going, *kept)} | {entity for entity, _ in copies}
    entities = [each for each in design.items if each.kind == "entity" and each.entity in named]
    return StreamModel(
        style=design.key_style,
        type_field=design.encoding.type_field,
        ttl_attribute=design.tables[0].ttl_attribute or "",
        kinds={
            _label_of(design, each): {
                **_kind_facts(design, each, found),
                "copies": [_copy_facts(design, kept) for entity, kept in copies if entity == each.entity],
            }
            for each in entities
        },
        reasons=tuple(_reasons(found, going, design)),
        window_seconds=window_of(spec, design.items) if kept or copies else 1,
        left=left,
    )


def _reasons(found: list[Cascade], going: list[ItemType], design: Design) -> Iterator[str]:
    for each in found:
        by = ", ".join(each.references)
        yield f"When a {each.parent} is deleted or expires, its {each.child} items (by {by}) are deleted too."
    for item in going:
        along = ", ".join(other.name for other in companions(design.items, item.entity))
        yield f"When a {item.name} expires, DynamoDB deletes that item alone; {along} is put right afterwards."
    for item in trailing(design.items):
        yield f"{item.name} is kept by the changes of {item.entity}, which do not write it themselves."
    for entity, kept in copies_of(design):
        sources = ", ".join(kept.given.values())
        yield f"When the {sources} of a {entity} changes, its {kept.entity} items (by {', '.join(kept.by)}) get it too."


def _label_of(design: Design, item: ItemType) -> str:
    return str(item.fixed.get(design.encoding.type_field, item.name))


def _kind_facts(design: Design, item: ItemType, found: list[Cascade]) -> Facts:
    keys = item.table_keys
    kept = [each for each in trailing(design.items) if each.entity == item.entity]
    return {
        "name": item.name,
        "table": item.table,
        "key": [each.field for each in (*keys.pk, *keys.sk)],
        "expires": table_of(design, item.table).ttl_attribute or "",
        "companions": [_companion_facts(design, each) for each in companions(design.items, item.entity)],
        "children": [_child_facts(design, each) for each in found if each.parent == item.entity],
        "trailing": [_trailing_facts(design, each) for each in kept if each.top is None],
        "tops": [_top_facts(design, each, each.top, item) for each in kept if each.top is not None],
    }


def _trailing_facts(design: Design, item: ItemType) -> Facts:
    """The same for a total that the function keeps: it may have to make it."""
    others = [each for each in item.keys if each.index is not None and not each.native]
    return {
        **_companion_facts(design, item),
        "name": item.name,
        "fixed": dict(item.fixed),
        "steps": {each.name: [each.step_of.attr, each.step_of.size] for each in item.attributes if each.step_of},
        "indexed": {key.field: _parts(key.template) for each in others for key in (*each.pk, *each.sk)},
    }


def _top_facts(design: Design, item: ItemType, top: Top, own: ItemType) -> Facts:
    """A list: what it has of whom, in which order. Of equal ones those with the least id come first."""
    said = [[each.attr, -1 if each.order == "desc" else 1] for each in top.sort]
    named = {each.attr for each in top.sort}
    return {
        **_trailing_facts(design, item),
        "inside": top.inside,
        "most": top.most,
        "shows": list(top.shows),
        "order": [*said, *([name, 1] for name in own.id if name not in named)],
        "owner": list(own.id),
    }


def _companion_facts(design: Design, item: ItemType) -> Facts:
    """How its key follows from the entity's attributes; a sentinel names its owner, a total has what it adds up."""
    keys = item.table_keys
    entity = next(each for each in design.items if each.entity == item.entity and each.kind == "entity")
    attributes = {each.name for each in item.attributes}
    return {
        "kind": item.kind,
        "table": item.table,
        "fields": {each.field: _parts(each.template) for each in (*keys.pk, *keys.sk)},
        "id": list(item.id),
        "shards": keys.shards,
        "bucket": keys.bucket and {"attribute": keys.bucket.attribute, "length": keys.bucket.length},
        "totals": {name: total.attribute for name, total in item.totals.items()},
        "owner": [name for name in entity.id if name in attributes] if item.kind == "sentinel" else [],
    }


def copies_of(design: Design) -> list[tuple[str, Refresh]]:
    """By the entity that changes: what other items keep of it, whichever pattern changes it."""
    found: dict[tuple[str, str, str], Refresh] = {}
    for pattern in design.patterns:
        for each in pattern.followed:
            key = (pattern.entities[0], each.entity, str(sorted(each.by.items())))
            found[key] = merged(found[key], each) if key in found else each
    return [(entity, each) for (entity, _, _), each in found.items()]


def _copy_facts(design: Design, kept: Refresh) -> Facts:
    """How its holders are found, by names of the changed item's attributes, and where each of them lies."""
    (step,) = kept.reads
    sort = [each for each in step.sk if each.operator == "begins_with" and each.high is None]
    if step.operation != "Query" or step.for_each or step.bucket or len(sort) < len(step.sk):
        raise DesignError(f"{kept.entity} items are found in a way that the function does not have: {step.operation}.")
    holders = [each for each in design.items if each.entity == kept.entity and each.is_whole_item]
    return {
        "label": _label_of(design, next(each for each in holders if each.kind == "entity")),
        "table": step.table,
        "index": step.index or "",
        "partition": {each.field: _parts(each.template) for each in step.pk},
        "sort": {each.field: _parts(each.low) for each in sort},
        "shards": step.shards,
        "references": dict(kept.by),
        "set": dict(kept.given),
        "holders": [_companion_facts(design, each) for each in holders],
    }


def _child_of(design: Design, cascade: Cascade) -> ItemType:
    return next(each for each in design.items if each.entity == cascade.child and each.kind == "entity")


def _child_facts(design: Design, cascade: Cascade) -> Facts:
    child = _child_of(design, cascade)
    keys = _place_of(child, cascade)
    assert keys is not None
    return {
        "label": _label_of(design, child),
        "table": child.table,
        "index": keys.index or "",
        "partition": {each.field: _parts(each.template) for each in keys.pk},
        "sort": {each.field: each.template.stem for each in keys.sk[:1] if each.template.stem},
        "references": dict(cascade.references),
        "shards": keys.shards,
    }


def _place_of(child: ItemType, cascade: Cascade) -> ItemKeys | None:
    """The table first; an index whose partition key is what the parent's id gives."""
    for keys in sorted(child.keys, key=lambda each: each.index is not None):
        if set(keys.partition) == set(cascade.references) and keys.bucket is None:
            return keys
    return None


def _unfindable(design: Design, cascade: Cascade) -> str:
    by = ", ".join(cascade.references)
    return (
        f"Nothing finds the {cascade.child} items of a {cascade.parent}: no key of {design.name} has {by} alone as its"
        f" partition. Add an access pattern that lists {cascade.child} by {by}, or take cascade: true away."
    )


def _parts(template: Template) -> list[Any]:
    """Texts and `{ name }` in order; one name alone is the value as it is."""
    return [part if isinstance(part, str) else {"name": part.name} for part in template.parts]


# ---- in code --------------------------------------------------------------------------------------------------------


def python_model(found: StreamModel) -> str:
    return "\n".join(
        [
            '"""What the handler knows of the design: by what items say they are, what belongs to them."""',
            "",
            "from typing import Any",
            "",
            f"STYLE = {text(found.style)}",
            f"TYPE_FIELD = {text(found.type_field)}",
            f"TTL_ATTRIBUTE = {text(found.ttl_attribute)}",
            f"KINDS: dict[str, Any] = {print_code(found.kinds, ahead=24)}",
            "",
        ]
    )


_TYPES = """\
/** A text, or the value of that name as keys hold it; one name alone is the value as it is. */
export type Part = string | { readonly name: string };

export interface Companion {
  readonly kind: string;
  readonly table: string;
  /** By key field: what it is made of, from the entity's attributes. */
  readonly fields: Readonly<Record<string, readonly Part[]>>;
  readonly id: readonly string[];
  readonly shards: number;
  readonly bucket: { readonly attribute: string; readonly length: number } | null;
  /** By attribute of a total: what it adds up, or nothing where it counts. */
  readonly totals: Readonly<Record<string, string>>;
  /** The attributes by which a sentinel names the item that it belongs to, or a list those in it. */
  readonly owner: readonly string[];
}

export interface Child {
  readonly label: string;
  readonly table: string;
  readonly index: string;
  readonly partition: Readonly<Record<string, readonly Part[]>>;
  /** What the sort key begins with. */
  readonly sort: Readonly<Record<string, string>>;
  /** By attribute of the child: the parent's. */
  readonly references: Readonly<Record<string, string>>;
  readonly shards: number;
}

export interface Kind {
  readonly name: string;
  readonly table: string;
  readonly key: readonly string[];
  /** The attribute by which DynamoDB deletes items of its table. */
  readonly expires: string;
  readonly companions: readonly Companion[];
  readonly children: readonly Child[];
  readonly trailing: readonly Trailing[];
  readonly tops: readonly Top[];
  readonly copies: readonly Copies[];
}

/** What other items keep of one that changes. */
export interface Copies {
  readonly label: string;
  readonly table: string;
  readonly index: string;
  /** By key field: what it is made of, from the changed item's attributes. */
  readonly partition: Readonly<Record<string, readonly Part[]>>;
  /** The same for what the sort key begins with. */
  readonly sort: Readonly<Record<string, readonly Part[]>>;
  readonly shards: number;
  /** By attribute of the holder: the changed item's. */
  readonly references: Readonly<Record<string, string>>;
  /** By copy: the attribute that it is of. */
  readonly set: Readonly<Record<string, string>>;
  /** The items that have the copies: the holder itself, and its second items. */
  readonly holders: readonly Companion[];
}

/** A total that the function keeps, and may have to make. */
export interface Trailing extends Companion {
  readonly name: string;
  readonly fixed: Readonly<Record<string, unknown>>;
  /** By attribute of its key: the number that it is, rounded down to a multiple of this. */
  readonly steps: Readonly<Record<string, readonly [string, number]>>;
  /** By key field of an index: what it is made of. */
  readonly indexed: Readonly<Record<string, readonly Part[]>>;
}

/** A list that the function keeps: the first items of a group, in the map `inside` by their places. */
export interface Top extends Trailing {
  readonly inside: string;
  readonly most: number;
  readonly shows: readonly string[];
  /** Attributes, each with 1 for the least first, or -1; what names an item comes last. */
  readonly order: readonly (readonly [string, number])[];
}
"""


def typescript_model(found: StreamModel) -> str:
    return "\n".join(
        [
            "/** What the handler knows of the design: by what items say they are, what belongs to them. */",
            "",
            _TYPES,
            f"export const style: string = {literal(found.style)};",
            f"export const typeField: string = {literal(found.type_field)};",
            f"export const ttlAttribute: string = {literal(found.ttl_attribute)};",
            f"export const kinds: Readonly<Record<string, Kind>> = {literal(found.kinds, 0, 56)};",
            "",
        ]
    )

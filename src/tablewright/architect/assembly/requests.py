"""What is sent for a pattern: requests as templates that anyone can fill in, with or without Tablewright."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.architect.assembly.naming import KeyNames
from tablewright.architect.assembly.plain_keys import any_copy
from tablewright.architect.assembly.views import view_read, views_together
from tablewright.architect.plans.registry import PLACE_OF, VARIANTS
from tablewright.design.serving.buckets import bucketed_by
from tablewright.design.serving.filters import constants, operator_of, with_keyed, without_implied
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import HIGHEST, Comparison, Template, compare_at, slot, under, under_lead
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import Predicate, compare, exists
from tablewright.spec.intervals import ends_by, longest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.assembly.naming import KeyNames
    from tablewright.architect.plans.values import Choice, ReadPlan
    from tablewright.design.layout.views import View
    from tablewright.design.serving.serving import Serving
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, RangeSpec, Spec

Operation: TypeAlias = Literal["GetItem", "Query", "BatchGetItem"]
IDS = "ids"
"""The list parameter of a batch: each element has the attributes of one id."""


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request: where, which keys, what is filtered, in which order. `{name}` stands for a parameter."""

    operation: Operation
    index: str | None = None
    pk: Template
    pk_field: str = "pk"
    sk: Comparison | None = None
    sk_field: str = "sk"
    filters: tuple[Predicate, ...] = ()
    backwards: bool = False
    limit: int | None = None
    beside: str = ""  # the entity whose one item comes before all others, and is not counted
    consistent: bool = False
    entities: tuple[str, ...] = ()
    items: tuple[str, ...] = ()  # the item types that are read
    id: tuple[str, ...] = ()  # what the shard of one item follows from
    copies: int = 1  # any one is asked, with its number as {_copy}, from 1 on
    shards: int = 1  # asked one by one (or at once) with {_shard} from 0 on, and merged by the sort key
    for_each: Mapping[str, tuple[str, ...]] = {}  # asked once for every value of these, and merged in the same way
    bucket: Bucket | None = None  # what `{_bucket}` follows from
    longest: int | float | None = None  # what overlaps may have begun so much before `from`
    since: str | None = None  # where a walk over buckets ends, or begins
    unexpired: str | None = None  # what says when items go, where those whose time has passed are left out
    each: str = ""  # the list parameter that has the keys
    then: ReadRequest | None = None  # what fetches the items whose keys were found
    rest: ReadRequest | None = None  # what goes on with the list, where one request cannot have it in order


def read_requests(facts: Facts, choice: Choice, names: KeyNames) -> dict[str, ReadRequest]:
    """The request of every read pattern."""
    spec = facts.spec
    found = {pattern.id: _read_request(facts, pattern, choice, names) for pattern in spec.reads}
    return {
        id_: msgspec.structs.replace(each, id=spec.entities[each.entities[0]].id) if each.shards > 1 else each
        for id_, each in found.items()
    }


def _read_request(facts: Facts, pattern: PatternSpec, choice: Choice, names: KeyNames) -> ReadRequest:
    until = expiry_seen(facts.spec, pattern)
    if pattern.id not in choice.plans:
        return msgspec.structs.replace(_collection_request(pattern, choice, names), unexpired=until)
    plan = choice.plans[pattern.id]
    request = single_request(pattern, plan, view_read(choice, plan), names)
    fetches = plan.fetches or _must_see(facts, pattern, choice, plan)
    more: dict[str, Any] = {
        "for_each": loops_of(facts, plan),
        "since": _first_moment(facts, plan),
        "unexpired": None if fetches else until,  # an index that holds less cannot tell
        "then": _fetch_request(pattern, until) if fetches else None,
    }
    rest = None if request.rest is None else msgspec.structs.replace(request.rest, **more)
    return msgspec.structs.replace(request, **more, rest=rest)


def expiry_seen(spec: Spec, pattern: PatternSpec) -> str | None:
    """The attribute by which a read leaves out what has expired. What is written along goes with its item."""
    entities = [spec.entities[name] for name in pattern.entities]
    expiring = any(each.ttl is not None and each.kind == "entity" for each in entities)
    return spec.expiry_attribute if expiring and pattern.expired == "hidden" else None


def _must_see(facts: Facts, pattern: PatternSpec, choice: Choice, plan: ReadPlan) -> bool:
    """Whether what a delete goes on to has to be seen as it is, and an index found it.

    So it is where more is deleted than the item, where it may have another parent by now, and where its key has more
    than an index need hold. Whoever sets copies has all that in the conditions of one transaction.
    """
    if not pattern.cascade_of or PLACE_OF[plan.place].is_item:
        return False
    entity = facts.spec.entities[pattern.entity]
    beside = any(each.of == entity.name and each.kind != "trailing" for each in facts.spec.entities.values())
    write = facts.spec.pattern(pattern.cascade_of)
    is_deleted = write is None or write.op != "update"
    along = (beside and is_deleted) or entity.name in choice.second_items
    moves = is_deleted and any(name not in entity.id and not entity.attributes[name].immutable for name in pattern.by)
    return along or moves or not set(pattern.returns) >= set(choice.base[entity.name].attributes)


def _fetch_request(pattern: PatternSpec, unexpired: str | None) -> ReadRequest:
    """The items of an index that holds only keys, by their keys in the table."""
    return ReadRequest(
        operation="BatchGetItem",
        pk=slot("pk"),
        sk=Comparison("=", slot("sk")),
        consistent=bool(pattern.cascade_of),
        entities=pattern.entities,
        items=pattern.entities,
        unexpired=unexpired,
    )


def loops_of(facts: Facts, plan: ReadPlan) -> dict[str, tuple[str, ...]]:
    """What is asked for one by one: the values of an attribute, and buckets between the ends of a range."""
    return {name: values for variant in VARIANTS for name, values in variant.loops(facts, plan).items()}


def _first_moment(facts: Facts, plan: ReadPlan) -> str | None:
    """Of a walk over buckets: the oldest time there is."""
    if not plan.serving.walks:
        return None
    said = facts.attribute(plan.shape.entity, bucketed_by(plan.shape)).since or ""
    return said if "T" in said else f"{said}T00:00:00Z"


def _index_name(slot: int | None) -> str | None:
    return None if slot is None else f"gsi{slot + 1}"


def single_request(pattern: PatternSpec, plan: ReadPlan, view: View, names: KeyNames) -> ReadRequest:
    from tablewright.design.encoding import key_text  # which needs the design's model, and that needs this

    keyed = plan.serving.keyed
    request = _keyed_request(with_keyed(without_implied(pattern, plan.shape), keyed), plan, view, names)
    texts = {name: key_text(value, names.style) for name, value in constants(pattern).items() if name in keyed}
    return _with_constants(request, texts) if texts else request


def _with_constants(request: ReadRequest, texts: Mapping[str, str]) -> ReadRequest:
    """The same with values in its keys that the spec itself says."""
    if request.rest is not None:
        request = msgspec.structs.replace(request, rest=_with_constants(request.rest, texts))
    sk = request.sk
    high = None if sk is None or sk.high is None else sk.high.put(texts)
    filled = None if sk is None else Comparison(sk.operator, sk.low.put(texts), high)
    return msgspec.structs.replace(request, pk=request.pk.put(texts), sk=filled)


def _keyed_request(pattern: PatternSpec, plan: ReadPlan, view: View, names: KeyNames) -> ReadRequest:
    templates, serving = names.keys[view], plan.serving
    mixed = serving.by_type and len(names.groups[view]) > 1
    common: dict[str, Any] = {
        "index": view.index,
        "pk": any_copy(templates.pk, view) if view.number else templates.pk.template,
        "pk_field": templates.pk.field,
        "sk_field": templates.sk.field,
        "copies": max(1, view.shape.copies),
        "consistent": pattern.consistency == "strong" or bool(pattern.cascade_of and PLACE_OF[plan.place].is_item),
        "entities": pattern.entities,
        "items": tuple(names.tags[each] for each in names.keys if each.first == view),
        "shards": names.shards[view],
        "bucket": Bucket.parse(view.shape.bucket) if view.shape.bucket else None,
        "filters": (
            *_equal_filters(serving, pattern),
            *_said_filters(pattern),
            *map(exists, serving.demands),
            *_type_filter([view], names, mixed=mixed),
        ),
    }
    if serving.is_get:
        batch: dict[str, Any] = {"each": IDS} if pattern.kind == "batch" else {}
        operation: Operation = "BatchGetItem" if batch else "GetItem"
        return ReadRequest(operation=operation, sk=Comparison("=", templates.sk.template), **batch, **common)
    limit = 1 if pattern.kind == "get" else pattern.limits.get(view.entity, pattern.limit)
    longest = longest_of(pattern.overlaps) if serving.ranged and pattern.overlaps is not None else None
    first, *rest = (
        ReadRequest(operation="Query", sk=sk, backwards=serving.backwards, limit=limit, longest=longest, **common)
        for sk in _sort_conditions(pattern, serving, templates.sk.template)
    )
    return msgspec.structs.replace(first, rest=rest[0]) if rest else first


def _sort_conditions(pattern: PatternSpec, serving: Serving, template: Template) -> list[Comparison | None]:
    """One, or two that make one list: of items that have what is sorted by, and of those that lack it."""
    given = len(serving.equal)
    if serving.ranged:
        assert pattern.range is not None
        return [compare_at(template, given, pattern.range.op)]
    if serving.lacking in ("before", "behind"):
        having, lacking = under(template, given, whole=True), Comparison("=", template.until(given)[0])
        return [having, lacking] if serving.lacking == "behind" else [lacking, having]
    return [under(template, given, whole=serving.lacking == "omitted")]


def _equal_filters(serving: Serving, pattern: PatternSpec) -> Iterable[Predicate]:
    for name in serving.filters:
        if pattern.range is not None and name == pattern.range.attr:
            yield _range_filter(pattern)
        else:
            yield compare(name, "=", Slot(name))
    if serving.ranged and pattern.range is not None and pattern.range.op == "lt":
        yield _range_filter(pattern)  # BETWEEN includes its end


def _range_filter(pattern: PatternSpec) -> Predicate:
    assert pattern.range is not None
    return range_filter(pattern.range)


def range_filter(asked: RangeSpec) -> Predicate:
    names = RANGE_INPUTS.get(asked.op, ("value",))
    return compare(asked.attr, OPERATORS.get(asked.op, asked.op), *map(Slot, names))


OPERATORS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "overlaps": "<="}
"""Ranges as a spec writes them; what overlaps is filtered by its end as well."""
RANGE_INPUTS = {"between": ("from", "to"), "overlaps": ("to",)}


def _said_filters(pattern: PatternSpec) -> Iterable[Predicate]:
    """Filters of the spec: a plain value is itself, words become a parameter of the attribute's name."""
    fixed = constants(pattern)
    for name, value in sorted(pattern.filter.items()):
        asked = Slot("from" if ends_by(pattern, name) else name)
        yield compare(name, OPERATORS.get(operator_of(value), operator_of(value)), fixed.get(name, asked))


def _type_filter(views: Iterable[View], names: KeyNames, *, mixed: bool) -> Iterable[Predicate]:
    """Where the key cannot tell the types apart, or others lie beside them."""
    if mixed:
        yield compare(names.type_field, "in", *(names.tags.get(view, view.entity) for view in views))


def _edge_request(pattern: PatternSpec, choice: Choice, names: KeyNames) -> ReadRequest:
    """From the parent on: backwards over what lies before it, or forwards."""
    views = sorted(views_together(choice, pattern.id), key=lambda view: view.entity != pattern.beside)
    parent, children = (names.keys[view] for view in views)
    own, stem = parent.sk.template, children.sk.template.until(0)[0]
    backwards = pattern.sort[0].order == "desc"
    low, high = (stem, own) if backwards else (own, Template(*stem.parts, HIGHEST))
    return ReadRequest(
        operation="Query",
        index=views[0].index,
        pk=parent.pk.template,
        pk_field=parent.pk.field,
        sk=Comparison("between", low, high),
        sk_field=parent.sk.field,
        backwards=backwards,
        limit=pattern.limits.get(views[1].entity, pattern.limit),
        beside=pattern.beside,
        consistent=pattern.consistency == "strong",
        entities=pattern.entities,
        items=tuple(names.tags[view] for view in views),
        shards=names.shards[views[0]],
    )


def _collection_request(pattern: PatternSpec, choice: Choice, names: KeyNames) -> ReadRequest:
    if pattern.beside:
        return _edge_request(pattern, choice, names)
    gathering, slot = choice.collections[pattern.id]
    views = sorted(views_together(choice, pattern.id), key=lambda view: pattern.entities.index(view.entity))
    prefix, strangers = names.together(views)
    first, serving = names.keys[views[0]], gathering.parts[pattern.entities[0]][views[0].shape]
    condition = Comparison("begins_with", Template(prefix)) if prefix else None
    if serving.ranged:
        assert pattern.range is not None
        condition = compare_at(first.sk.template, len(serving.equal), pattern.range.op)
    elif serving.equal:
        condition = under_lead(first.sk.template, len(serving.equal))
    return ReadRequest(
        operation="Query",
        index=_index_name(slot),
        pk=first.pk.template,
        pk_field=first.pk.field,
        sk=condition,
        sk_field=first.sk.field,
        filters=(
            *_equal_filters(serving, pattern),
            *_said_filters(pattern),
            *_type_filter(views, names, mixed=bool(strangers)),
        ),
        backwards=serving.backwards,
        limit=pattern.limit,
        consistent=pattern.consistency == "strong",
        entities=pattern.entities,
        items=tuple(names.tags[view] for view in views),
        shards=names.shards[views[0]],
    )

"""What is sent for a pattern: requests as templates that anyone can fill in, with or without Tablewright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.architect.design.naming import TYPE_FIELD, Keys, Names, View
from tablewright.architect.design.templates import Comparison, compared, under

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.candidates.plans import Plan
    from tablewright.architect.candidates.serving import Serving
    from tablewright.architect.search.choose import Choice
    from tablewright.architect.spec.model import PatternSpec, Spec

Operation: TypeAlias = Literal["GetItem", "Query"]


class Filter(msgspec.Struct, frozen=True):
    """A condition on what was read: an attribute, how it is compared, and with which parameters."""

    attribute: str
    operator: str
    values: tuple[str, ...]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request: where, which keys, what is filtered, in which order. `{name}` stands for a parameter."""

    operation: Operation
    index: str | None = None
    pk: str
    pk_field: str = "pk"
    sk: Comparison | None = None
    sk_field: str = "sk"
    filters: tuple[Filter, ...] = ()
    backwards: bool = False
    limit: int | None = None
    consistent: bool = False
    entities: tuple[str, ...] = ()
    id: tuple[str, ...] = ()  # what the shard of one item follows from
    shards: int = 1  # asked one by one (or at once) with {_shard} from 0 on, and merged by the sort key


def read_requests(spec: Spec, choice: Choice, names: Names) -> dict[str, Request]:
    """The request of every read pattern."""
    found = {pattern.id: read_request(pattern, choice, names) for pattern in spec.reads}
    return {
        id_: msgspec.structs.replace(each, id=spec.entities[each.entities[0]].id) if each.shards > 1 else each
        for id_, each in found.items()
    }


def read_request(pattern: PatternSpec, choice: Choice, names: Names) -> Request:
    if pattern.id in choice.plans:
        plan = choice.plans[pattern.id]
        return single_request(pattern, plan, place_of(plan, choice), names)
    return gathered_request(pattern, choice, names)


def place_of(plan: Plan, choice: Choice) -> View:
    """The view a plan reads."""
    entity = plan.shape.entity
    if plan.place == "index":
        slot = next(at for at, members in enumerate(choice.slots) if members.get(entity) == plan.shape)
        return View(entity, slot, plan.shape)
    return View(entity, None, plan.shape, is_copy=plan.place == "copy")


def index_name(slot: int | None) -> str | None:
    return None if slot is None else f"gsi{slot + 1}"


def single_request(pattern: PatternSpec, plan: Plan, view: View, names: Names) -> Request:
    templates, serving = names.keys[view], plan.serving
    mixed = serving.by_type and len(names.groups[view]) > 1
    common: dict[str, Any] = {
        "index": index_name(view.slot),
        "pk": templates.pk.text,
        "pk_field": templates.pk.field,
        "sk_field": templates.sk.field,
        "consistent": pattern.consistency == "strong",
        "entities": pattern.entities,
        "shards": names.shards[view],
        "filters": (*equal_filters(serving, pattern), *said_filters(pattern), *type_filter(pattern, mixed=mixed)),
    }
    if serving.is_get:
        return Request(operation="GetItem", sk=Comparison("=", templates.sk.text), **common)
    return Request(
        operation="Query",
        sk=sort_condition(pattern, serving, templates),
        backwards=serving.backwards,
        limit=pattern.limit,
        **common,
    )


def sort_condition(pattern: PatternSpec, serving: Serving, templates: Keys) -> Comparison | None:
    given = len(serving.equal)
    if serving.ranged:
        assert pattern.range is not None
        return compared(templates.sk, given, pattern.range.op)
    sorted_by = [each.attr for each in pattern.sort if each.attr not in pattern.by]
    return under(templates.sk, given, whole=bool(sorted_by))


def equal_filters(serving: Serving, pattern: PatternSpec) -> Iterable[Filter]:
    for name in serving.filters:
        if pattern.range is not None and name == pattern.range.attr:
            yield range_filter(pattern)
        else:
            yield Filter(name, "=", (f"{{{name}}}",))
    if serving.ranged and pattern.range is not None and pattern.range.op == "lt":
        yield range_filter(pattern)  # BETWEEN includes its end


def range_filter(pattern: PatternSpec) -> Filter:
    assert pattern.range is not None
    values = ("{from}", "{to}") if pattern.range.op == "between" else ("{value}",)
    return Filter(pattern.range.attr, pattern.range.op, values)


def said_filters(pattern: PatternSpec) -> Iterable[Filter]:
    """Filters of the spec: a plain value is itself, words become a parameter of the attribute's name."""
    for name, value in sorted(pattern.filter.items()):
        if isinstance(value, str) and " " in value:
            yield Filter(name, operator_in(value), (f"{{{name}}}",))
        else:
            yield Filter(name, "=", (str(value) if value != "param" else f"{{{name}}}",))


def operator_in(words: str) -> str:
    """`at most a number` means lte."""
    table = {"at most": "lte", "at least": "gte", "more than": "gt", "less than": "lt", "fewer than": "lt"}
    return next((operator for phrase, operator in table.items() if phrase in words.lower()), "=")


def type_filter(pattern: PatternSpec, *, mixed: bool) -> Iterable[Filter]:
    """Where the key cannot tell the types apart, or others lie beside them."""
    if mixed:
        yield Filter(TYPE_FIELD, "in", pattern.entities)


def gathered_request(pattern: PatternSpec, choice: Choice, names: Names) -> Request:
    gathering, slot = choice.gatherings[pattern.id]
    shapes = choice.base if slot is None else choice.slots[slot]
    views = [View(name, slot, shapes[name]) for name in pattern.entities]
    strangers = {view.entity for view in names.groups[views[0]]} - set(pattern.entities)
    first, serving = names.keys[views[0]], gathering.parts[pattern.entities[0]][views[0].shape]
    condition = None
    if serving.ranged:
        assert pattern.range is not None
        condition = compared(first.sk, len(serving.equal), pattern.range.op)
    elif serving.equal:
        text, _ = first.sk.until(len(serving.equal))
        condition = Comparison("begins_with", text.removesuffix(tag_text(first, len(serving.equal))))
    return Request(
        operation="Query",
        index=index_name(slot),
        pk=first.pk.text,
        pk_field=first.pk.field,
        sk=condition,
        sk_field=first.sk.field,
        filters=(*equal_filters(serving, pattern), *type_filter(pattern, mixed=bool(strangers))),
        backwards=serving.backwards,
        limit=pattern.limit,
        consistent=pattern.consistency == "strong",
        entities=pattern.entities,
        shards=names.shards[views[0]],
    )


def tag_text(keys: Keys, given: int) -> str:
    """The tag right behind the lead, which differs between the types and cannot be asked for."""
    parts = keys.sk.parts
    return parts[given].text if given < len(parts) and parts[given].attribute is None else ""

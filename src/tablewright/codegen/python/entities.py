"""`entities.py`: the service, its entities with typed attributes and views, and its collections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.entities import own_attributes
from tablewright.codegen.python.literals import INDENT, Code, docstring, drop_empty, invoke, print_code, text
from tablewright.codegen.python.model import table_view, views
from tablewright.design.samples import SECONDS_PER_DAY
from tablewright.design.service import OWN_KINDS
from tablewright.schema.templates import template_parts
from tablewright.schema.types import STRING
from tablewright.spec.model import NOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.codegen.python.model import EntityView, NamedDesign
    from tablewright.design.model import ItemAttribute, ItemType, TableDesign


def entities_file(named: NamedDesign, parts: Iterable[str]) -> str:
    """`parts` are classes for what has no item of its own."""
    design = named.design
    classes = [_entity_code(named, item) for item in design.items if item.kind in OWN_KINDS and item.keys]
    body = [*classes, *parts]
    head = docstring([f"Entities of {design.title or design.name}: what they hold and how they are found."])
    declared = [*aliases(named, body), *(_service_code(named, table) for table in design.tables)]
    names = "\n".join([*declared, *body])
    sections = ["\n\n".join([head, "from __future__ import annotations", _imports(names), "\n".join(declared)]), *body]
    return "\n\n\n".join(sections) + "\n"


def strip_texts(code: str) -> str:
    """Code without its strings, docstrings among them."""
    return re.sub(r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', "", code, flags=re.DOTALL)


def _imports(code: str) -> str:
    bare = strip_texts(code)

    def used(names: str) -> str:
        return ", ".join(name for name in names.split() if re.search(rf"(?<![\w.]){name}\b", bare))

    standard = {
        "collections.abc": used("Mapping"),
        "dataclasses": used("dataclass"),
        "datetime": used("datetime timedelta"),
        "decimal": used("Decimal"),
        "typing": used("Any Literal Self TypeAlias"),
    }
    lines = [f"from {module} import {names}" for module, names in standard.items() if names]
    ours = used("ANY Attr Range attr")
    own = ["import tablewright as tw", *([f"from tablewright import {ours}"] if ours else [])]
    return "\n".join([*lines, *([""] if lines else []), *own])


def aliases(named: NamedDesign, body: list[str]) -> Iterator[str]:
    if any(re.search(r"\bNumber\b", each) for each in body):
        yield "Number: TypeAlias = int | float | Decimal"
    for values, name in named.choices.items():
        shown = [Code(text(each)) for each in values]
        line = print_code(invoke("Literal", *shown), 0, len(name) + 14)
        yield f"{name}: TypeAlias = {_subscript(line)}"


def _subscript(call: str) -> str:
    """`Literal("a")` as the subscript it is."""
    return f"{call[:7]}[{call[8:-1]}]"


def _service_code(named: NamedDesign, table: TableDesign) -> str:
    design = named.design
    indexes = {
        index.name: tuple(each.name for each in (*index.pk, *index.sk))
        for index in (*table.gsis, *table.lsis)
        if len(index.pk) == 1 and len(index.sk) == 1
    }
    unusual = {name: fields for name, fields in indexes.items() if fields != (f"{name}pk", f"{name}sk")}
    keys = {name: field.name for name, field in (("pk", table.pk), ("sk", table.sk)) if field.name != name}
    place: Any = (
        invoke("tw.Table", table.name, **keys, **drop_empty(indexes=unusual)) if keys or unusual else table.name
    )
    label = design.encoding.type_field
    identifiers = {} if label == "__edb_e__" else {"identifiers": invoke("tw.Identifiers", entity=label, version=None)}
    name = named.services[table.name]
    made = invoke("tw.Service", design.name, table=place, **identifiers)
    return f"{name} = {print_code(made, 0, len(name) + 3)}"


# ---- entities -------------------------------------------------------------------------------------------------------


def _entity_code(named: NamedDesign, item: ItemType) -> str:
    options = {"service": Code(named.services[item.table]), "name": named.entities[item.name].name}
    head = print_code(invoke(f"class {named.classes[item.name]}", Code("tw.Entity"), **options), 0, 0, 1) + ":"
    about = item.notes or f"{item.entity}: {KINDS.get(item.kind, '')}identified by {' and '.join(item.id)}."
    lines = [head, docstring([about], INDENT), "", *_attribute_lines(named, item)]
    for view in views(named, item):
        lines += ["", *_view_lines(named, item, view)]
    if item.keys[0].rest or item.keys[0].lead:
        lines += ["", *_table_view_lines(named, item)]
    return "\n".join(lines)


KINDS = {
    "entity": "",
    "detail": "what the item itself lacks, ",
    "sentinel": "a value that no other may have, ",
    "latest": "which item of a group is the newest, ",
    "total": "what items of a group come to, ",
    "trailing": "what items of a group come to, kept by a function that follows the stream, ",
}


def _attribute_lines(named: NamedDesign, item: ItemType) -> Iterator[str]:
    names = named.attributes[item.name]
    known = {each.name: each for each in named.entities[item.name].attributes}
    for each in own_attributes(named.design, item):
        name = names[each.name]
        kind = "str" if known[each.name].type is STRING and each.type == "any" else named.type_of(each)
        padding, digits = known[each.name].padding, known[each.name].digits
        options = drop_empty(
            name=each.name if name != each.name else None,
            padding=(padding.length, padding.char) if padding is not None else None,
            digits=(digits.whole, digits.decimals) if digits is not None else None,
            signed=known[each.name].signed,
            escaped=known[each.name].escaped,
            read_only=each.immutable,
        )
        default = default_option(each)
        annotation = kind if each.required or kind == "Any" else f"{kind} | None"
        yield field_line(name, annotation, {**default, **options})
    for each in item.attributes:
        if each.copy_of is not None:  # what an index may hold, and only the steps of patterns read and write
            kind, renamed = named.type_of(each), each.name if names[each.name] != each.name else None
            annotation = kind if kind == "Any" else f"{kind} | None"
            yield field_line(
                names[each.name], annotation, {"default": None, **drop_empty(name=renamed), "hidden": True}
            )
    for bucket in _buckets(named, item):
        time = next(keys.bucket for keys in item.keys if keys.bucket)
        made = Code(f"lambda _, item: item[{text(time.attribute)}][:{time.length}]")
        options = {"default": None, "hidden": True, "watch": time.attribute, "set": made}
        yield field_line(names[bucket], "str | None", options)
    if item.ttl_attribute is not None:
        days, seconds = divmod(round((item.ttl_days or 0) * SECONDS_PER_DAY), SECONDS_PER_DAY)
        name = names[item.ttl_attribute]
        lifetime = invoke("timedelta", **drop_empty(days=days, seconds=seconds))
        options = {"default": None, **drop_empty(name=item.ttl_attribute if name != item.ttl_attribute else None)}
        yield field_line(name, "datetime | None", {**options, "ttl": lifetime})


def default_option(attribute: ItemAttribute) -> dict[str, Any]:
    """What an attribute is when nobody says; a time is filled in when it is written."""
    if attribute.default is not None and attribute.default != NOW:
        return {"default": attribute.default}
    return {} if attribute.required else {"default": None}


def _buckets(named: NamedDesign, item: ItemType) -> list[str]:
    """Attributes that hold the period an item lies in; times are texts here, of which it is the beginning."""
    found = [each.bucket.attribute for each in named.entities[item.name].patterns if each.bucket is not None]
    return list(dict.fromkeys(found))


def field_line(name: str, annotation: str, options: dict[str, Any]) -> str:
    head = f"{INDENT}{name}: Attr[{annotation}]"
    return f"{head} = {print_code(invoke('attr', **options), 1, len(head) - 1)}" if options else head


# ---- views ----------------------------------------------------------------------------------------------------------


def _view_lines(named: NamedDesign, item: ItemType, view: EntityView) -> list[str]:
    pattern = view.pattern
    options: dict[str, Any] = drop_empty(
        collection=pattern.collection[0] if len(pattern.collection) == 1 else pattern.collection,
        kind=pattern.kind if pattern.kind != "isolated" else None,
        scope=pattern.scope,
        **_key_options(named, item, view),
        projection=_projection(named, item, view),
        **_sparse_options(named, item, view),
        **_shard_options(named, item, view),
    )
    arguments = [] if pattern.index is None else [pattern.index]
    decorator = "tw.primary" if pattern.index is None else "tw.index"
    shown = print_code(invoke(decorator, *arguments, **options), 1, 1) if options or arguments else decorator
    return [f"{INDENT}@{shown}", *_signature(named, item, view, is_key=pattern.index is None)]


def _key_options(named: NamedDesign, item: ItemType, view: EntityView) -> dict[str, Any]:
    """Templates where they are, else letters as they are; a key of the attributes themselves needs neither."""
    if view.pattern.kind == "composite":
        return {}
    names = named.attributes[item.name]
    written = {"pk": view.pattern.pk, "sk": view.pattern.sk}
    found = {
        which: rename_template(side.template, names)
        for which, side in written.items()
        if side is not None and side.template is not None
    }
    composed = any(side is not None and side.template is None for side in written.values())
    return {**found, **({"casing": "none"} if composed else {}), **({} if view.pattern.sk else {"sort": Code("False")})}


def rename_template(template: str, names: Mapping[str, str]) -> str:
    """A schema's template with a class's names for its attributes."""
    parts = template_parts(template)
    return "".join(f"{before}{{{names.get(name, name)}}}" if name else before for name, before in parts)


def _sparse_options(named: NamedDesign, item: ItemType, view: EntityView) -> dict[str, Any]:
    """Which items are in the index, where these are not all."""
    if view.keys.when is None:
        return {}
    required = view.keys.when.required
    names = {name: named.attributes[item.name][name] for name in required}
    said = [
        f"each.{names[name]} is not None" if value is None else f"each.{names[name]} == {print_code(value)}"
        for name, value in required.items()
    ]
    return {"condition": Code(f"lambda each: {' and '.join(said)}"), "depends_on": tuple(names.values())}


def _projection(named: NamedDesign, item: ItemType, view: EntityView) -> Any:
    found = view.pattern.projection
    names = named.attributes[item.name]
    if isinstance(found, str):
        return None if found == "all" else found
    return tuple(names.get(each, each) for each in found)


def _shard_options(named: NamedDesign, item: ItemType, view: EntityView) -> dict[str, Any]:
    shards = view.pattern.shards
    if shards is None:
        return {}
    of = tuple(named.attributes[item.name][each] for each in shards.of)
    return {"shards": invoke("tw.Shards", shards.count, of=of, attribute=shards.attribute)}


def _sort_names(view: EntityView) -> list[str]:
    """The attributes of the sort key that a question may give."""
    return [] if view.pattern.sk is None else list(view.pattern.sk.composite)


def _partition_names(view: EntityView) -> list[str]:
    shard = "" if view.pattern.shards is None else view.pattern.shards.attribute
    return [each for each in view.pattern.pk.composite if each != shard]


def _signature(named: NamedDesign, item: ItemType, view: EntityView, *, is_key: bool, name: str = "") -> list[str]:
    kinds = {each.name: named.type_of(each) for each in item.attributes}
    kinds |= dict.fromkeys(_buckets(named, item), "str")
    names = named.attributes[item.name]
    given = [f"{names[each]}: {kinds[each]}" for each in _partition_names(view)]
    if is_key:
        sort = [f"{names[each]}: {kinds[each]}" for each in _sort_names(view)]
    else:
        sort = [f"{names[each]}: Range[{kinds[each]}] = ANY" for each in _sort_names(view)]
    parameters = ["self", *given, *(["*", *sort] if sort else [])]
    made = invoke(f"def {name or view.name}", *(Code(each) for each in parameters))
    about = _view_words(item, view, is_key=is_key)
    return [f"{INDENT}{print_code(made, 1, 0, 9)} -> None:", docstring([about], INDENT * 2)]


def _view_words(item: ItemType, view: EntityView, *, is_key: bool) -> str:
    if is_key:
        return f"One {item.entity}." if item.kind == "entity" else "One of them."
    by = " and ".join(_partition_names(view)) or "nothing"
    order = f", in the order of {', '.join(_sort_names(view))}" if _sort_names(view) else ""
    return f"By {by}{order}."


def _table_view_lines(named: NamedDesign, item: ItemType) -> list[str]:
    """A query of the table's own key."""
    primary = next(iter(views(named, item)))
    name = table_view(named, item)
    return [f'{INDENT}@tw.index("table")', *_signature(named, item, primary, is_key=False, name=name)]

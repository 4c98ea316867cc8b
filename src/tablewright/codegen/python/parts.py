"""Classes for what has no item of its own: entries of a map, and entities whose attributes lie in two items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.entities import detail_item, entity_attributes, main_item
from tablewright.codegen.python.literals import INDENT, docstring, print_code, text
from tablewright.codegen.python.names import TAKEN_ATTRIBUTES, python_names
from tablewright.spec.model import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import ItemAttribute, PatternDesign


def entity_class(named: NamedDesign, entity: str, *, whole: bool = False) -> str:
    """What items of an entity are read as; `whole`: with what lies in an item of its own."""
    name = named.classes[main_item(named.design, entity).name]
    is_split = detail_item(named.design, entity) is not None and not named.plain
    return f"Whole{name}" if whole and is_split else name


def answer_class(named: NamedDesign, pattern: PatternDesign, entity: str) -> str:
    """What a pattern's answer has items of an entity as."""
    excerpt = named.excerpts.get((entity, pattern.returns))
    return excerpt.name if excerpt else entity_class(named, entity, whole=_is_whole(named, pattern, entity))


def _is_whole(named: NamedDesign, pattern: PatternDesign, entity: str) -> bool:
    """Whether an answer may hold attributes of the second item."""
    detail = detail_item(named.design, entity)
    if detail is None:
        return False
    main = {each.name for each in main_item(named.design, entity).attributes}
    return not pattern.returns or any(name not in main for name in pattern.returns)


def attribute_name(named: NamedDesign, entity: str, name: str) -> str:
    """The name on the class of an attribute of either item."""
    for item in named.design.items:
        if item.entity == entity and item.kind in ("entity", "embedded", "detail", "packed"):
            found = named.attributes[item.name].get(name)
            if found is not None:
                return found
    raise KeyError(name)


def id_classes(named: NamedDesign) -> Iterator[str]:
    """What many items of an entity are asked for by."""
    for entity, name in named.ids.items():
        attributes = entity_attributes(named.design, entity)
        lines = ["@dataclass(frozen=True, slots=True)", f"class {name}:"]
        lines += [docstring([f"What identifies a {entity}."], INDENT), ""]
        for each in main_item(named.design, entity).id:
            lines.append(f"{INDENT}{attribute_name(named, entity, each)}: {named.type_of(attributes[each])}")
        yield "\n".join(lines)


def excerpt_classes(named: NamedDesign) -> Iterator[str]:
    """What some answers hold."""
    for (entity, _), each in named.excerpts.items():
        yield plain_class(named, entity, each.name, f"What some answers hold of {entity}.", each.attributes)


def part_classes(named: NamedDesign) -> Iterator[str]:
    yield from id_classes(named)
    yield from excerpt_classes(named)
    for entity in dict.fromkeys(each.entity for each in named.design.items):
        item = main_item(named.design, entity)
        attributes = entity_attributes(named.design, entity)
        if item.kind == "packed":
            about = f"{entity}: an attribute of the item of its period, identified by {' and '.join(item.id)}."
            yield plain_class(named, entity, named.classes[item.name], about, attributes)
        elif item.kind == "embedded":
            about = f"{entity}: an entry of {item.inside} of a {item.holder}, identified by {' and '.join(item.id)}."
            yield plain_class(named, entity, named.classes[item.name], about, attributes)
        elif detail_item(named.design, entity) is not None:
            about = f"{entity} with all its attributes, which lie in two items."
            cut = any(each.returns and _is_whole(named, each, entity) for each in named.design.patterns)
            name = entity_class(named, entity, whole=True)
            yield plain_class(named, entity, name, about, attributes, may_lack=cut)


def plain_class(
    named: NamedDesign,
    entity: str,
    name: str,
    about: str,
    attributes: Mapping[str, ItemAttribute],
    *,
    may_lack: bool = False,
) -> str:
    """`may_lack`: where an answer does not hold all of them."""
    needed = {each.name for each in attributes.values() if each.required and not may_lack}
    names = field_names(named, entity, attributes)
    lines = [
        "@dataclass(frozen=True, slots=True, kw_only=True)",
        f"class {name}:",
        docstring([about], INDENT),
        "",
    ]
    for each in attributes.values():
        kind = named.type_of(each)
        own = names[each.name]
        constant = each.default if each.default != NOW else None
        default = "" if constant is None else f" = {print_code(constant)}"
        known = f"{INDENT}{own}: {kind}{default}"
        lines.append(known if each.name in needed else f"{INDENT}{own}: {_optional(kind)} = None")
    lines += ["", f"{INDENT}@classmethod", f"{INDENT}def parse(cls, item: Mapping[str, Any]) -> Self:"]
    lines += [docstring(["From what is stored."], INDENT * 2), f"{INDENT * 2}return cls("]
    for each in attributes.values():
        value = f"item[{text(each.name)}]" if each.name in needed else f"item.get({text(each.name)})"
        lines.append(f"{INDENT * 3}{names[each.name]}={value},")
    return "\n".join([*lines, f"{INDENT * 2})"])


def field_names(named: NamedDesign, entity: str, attributes: Mapping[str, ItemAttribute]) -> dict[str, str]:
    """By attribute: its name on a class; what is a parent's is called as it is asked for, `customer_name`."""
    known = entity_attributes(named.design, entity)
    own = {name: attribute_name(named, entity, name) for name in attributes if name in known}
    others = python_names((name for name in attributes if name not in known), {*own.values(), *TAKEN_ATTRIBUTES})
    return {**own, **others}


def _optional(kind: str) -> str:
    return kind if kind == "Any" else f"{kind} | None"

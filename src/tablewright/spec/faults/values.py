"""Defaults and rules of values that contradict what else is said of an attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.spec.faults.place import SpecFault, constant_faults, unknown_attributes
from tablewright.spec.model import NOW
from tablewright.spec.validation import make_valid, pattern_fault, wrong_about

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.spec.model import AttributeSpec, EntitySpec, Spec, Validation

DEFAULTED = ("string", "number", "boolean", "timestamp", "any")
TEXTS = ("string", "any")


def value_faults(place: str, entity: EntitySpec, spec: Spec, references: Mapping[str, str]) -> Iterator[SpecFault]:
    for name, attribute in entity.attributes.items():
        at = f"{place}.attributes.{name}"
        if attribute.default is not None:
            yield from _default_faults(f"{at}.default", entity, attribute)
        yield from _order_faults(f"{at}.sorts_as", entity, attribute)
        if attribute.validate is not None:
            found = list(_rule_faults(f"{at}.validate", attribute, attribute.validate))
            yield from found or _example_faults(at, attribute, attribute.validate)
            yield from _parent_faults(f"{at}.validate", attribute, spec, references)


def _order_faults(place: str, entity: EntitySpec, attribute: AttributeSpec) -> Iterator[SpecFault]:
    """An id is made once, so that what it sorts as cannot change either."""
    time = entity.attributes.get(attribute.sorts_as or "")
    if attribute.sorts_as is None:
        return
    if time is None:
        yield from unknown_attributes(place, (attribute.sorts_as,), entity)
    elif attribute.type != "string" or time.type != "timestamp":
        kinds = f"{attribute.name} is a {attribute.type} and {time.name} a {time.type}"
        yield place, f"{kinds}; a text sorts as a timestamp."
    elif not time.immutable:
        yield place, f"{time.name} may change, and {attribute.name} would not follow; say immutable: true of it."
    elif attribute.validate is not None or attribute.values:
        yield place, f"{attribute.name} is made from a time; leave out what else its values must be like."


def _default_faults(place: str, entity: EntitySpec, attribute: AttributeSpec) -> Iterator[SpecFault]:
    if attribute.name in entity.id:
        yield place, f"{attribute.name} is part of the id, which callers give; leave the default out."
    elif attribute.name == entity.version:
        yield place, f"{attribute.name} is the version, which begins with 1 by itself; leave the default out."
    elif any(attribute.name in group for group in entity.unique):
        yield place, f"{attribute.name} is unique, so that only one item could have its default; leave it out."
    elif attribute.type not in DEFAULTED:
        yield place, f"{attribute.name} is a {attribute.type}; a default is a text, a number, or true or false."
    elif attribute.required is False or (attribute.presence is not None and attribute.presence < 1):
        yield place, "every item has what has a default; leave it out, or what says that items lack it."
    else:
        yield from constant_faults(place, entity, attribute, attribute.default)


def rule_on_constant(place: str, attribute: AttributeSpec, value: Any) -> Iterator[SpecFault]:
    """A constant that the attribute's own rule refuses."""
    if attribute.validate is not None and isinstance(value, str | int | float):
        wrong = wrong_about(attribute.validate, value)
        if wrong:
            yield place, f"{value!r} {wrong}, which `validate` refuses; correct one of them."


def _rule_faults(place: str, attribute: AttributeSpec, rule: Validation) -> Iterator[SpecFault]:
    for name in ("min", "max"):
        if getattr(rule, name) is not None and attribute.type != "number":
            yield f"{place}.{name}", f"{attribute.name} is a {attribute.type}; numbers have a {name}."
    for name in ("pattern", "min_length", "max_length"):
        if getattr(rule, name) not in (None, "") and attribute.type not in TEXTS:
            yield f"{place}.{name}", f"{attribute.name} is a {attribute.type}; texts have a {name}."
    if rule.pattern and (wrong := pattern_fault(rule.pattern)):
        yield f"{place}.pattern", f'"{rule.pattern}" {wrong}.'
    if rule.min is not None and rule.max is not None and rule.min > rule.max:
        yield f"{place}.min", f"{rule.min} is more than the max of {rule.max}; correct one of them."
    if rule.max_length == 0:
        yield f"{place}.max_length", "no text has 0 characters; leave the attribute out, or write how many it may have."
    elif rule.min_length and rule.max_length is not None and rule.min_length > rule.max_length:
        yield f"{place}.min_length", f"{rule.min_length} is more than the max_length of {rule.max_length}."
    if not any((rule.pattern, rule.min_length, rule.max_length)) and rule.min is None and rule.max is None:
        yield place, "says nothing; write pattern, min, max, min_length or max_length, or leave it out."


def _example_faults(place: str, attribute: AttributeSpec, rule: Validation) -> Iterator[SpecFault]:
    """What is said of values elsewhere must pass the rule, and some value must."""
    try:
        make_valid(attribute, 0)
    except StopIteration:
        yield f"{place}.validate", "no text was found that passes; make pattern and lengths fit each other."
    for value in attribute.values:
        read = float(value) if attribute.type == "number" else value
        yield from rule_on_constant(f"{place}.values", attribute, read)
    if attribute.default is not None and attribute.default != NOW:
        yield from rule_on_constant(f"{place}.default", attribute, attribute.default)
    most = rule.max_length
    if attribute.size_bytes and most is not None and attribute.size_bytes > 4 * most:
        yield f"{place}.size_bytes", f"{attribute.size_bytes:,} bytes, but at most {most:,} characters of 4 bytes."


def _parent_faults(
    place: str, attribute: AttributeSpec, spec: Spec, references: Mapping[str, str]
) -> Iterator[SpecFault]:
    """The id of another entity is as that entity has it."""
    parent = spec.entities.get(references.get(attribute.name, ""))
    if parent is None:
        return
    name = attribute.name if attribute.name in parent.id else parent.id[0]
    if parent.attributes[name].validate != attribute.validate:
        yield place, f"it holds the id of {parent.name}; say the same of {parent.name}.{name}, or say it there alone."

"""A call as the parameters of a designed pattern: which of them is which, its `attribute`, `entity` and `each` say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.design.model import Parameter, PatternDesign
    from tablewright.proof.application.state import Call
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

TOKEN = "request_token"
IDS = "ids"
_NOTHING: Any = object()


def parameters_of(facts: Facts, pattern: PatternDesign, meant: PatternSpec, call: Call) -> dict[str, Any]:
    """What is given by parameter; what the caller does not say is left out."""
    found = {each.name: _value_of(facts, each, meant, call) for each in pattern.parameters}
    if meant.idempotent:
        found[TOKEN] = call.token
    return {name: value for name, value in found.items() if value is not _NOTHING}


def _value_of(facts: Facts, each: Parameter, meant: PatternSpec, call: Call) -> Any:
    if meant.kind == "batch" and each.name == IDS:
        return [dict(one) for one in call.ids]
    if each.each:
        return _elements(each, call)
    if meant.range is not None and each.name in ("from", "to", "value") and each.name not in meant.by:
        return call.range[-1] if each.name == "to" else call.range[0]
    if each.name in call.slots:
        return call.slots[each.name]
    if each.name in call.by and each.attribute not in call.given.get(each.entity or "", {}):
        return call.by[each.name]
    return _new_value(facts, each, meant, call)


def _elements(each: Parameter, call: Call) -> list[dict[str, Any]]:
    """Each with the inputs that all of them share."""
    return [{**one} for one in call.lists.get(each.entity or each.name, ())]


def _new_value(facts: Facts, each: Parameter, meant: PatternSpec, call: Call) -> Any:
    entities = meant.entities if each.entity is None else (each.entity,)
    for entity in entities:
        version = facts.spec.entities[entity].version
        if version is not None and version in (each.name, each.attribute):
            return call.versions.get(entity, _NOTHING)
        given = call.given.get(entity, {})
        if each.attribute is not None and each.attribute in given:
            return given[each.attribute]
    return call.filter.get(each.attribute or each.name, _NOTHING)

"""What an update does to the attributes of one item type, and the version that every write of an entity raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.architect.plans.writing import pk_field
from tablewright.design.serving.writes import additions, given_attributes, value_names, version_on
from tablewright.design.values.amounts import Amount
from tablewright.design.values.templates import Path, Template, slot
from tablewright.expr.nodes import And, Compare, Or, Slot, Value
from tablewright.spec.conditions import Predicate, absent, compare

if TYPE_CHECKING:
    from tablewright.architect.plans.writing import WriteSubject
    from tablewright.design.model import ItemType


class Changes(NamedTuple):
    """As a step has them."""

    set: dict[Path, Template]
    constants: dict[str, Any]
    add: dict[Path, Amount]
    remove: tuple[Path, ...]


def changes_in(subject: WriteSubject, item: ItemType) -> Changes:
    """What becomes of the attributes that an item type stores."""
    facts, pattern, entity = subject.facts, subject.pattern, subject.entity
    stored = {each.name for each in item.attributes}
    changes = [each for each in subject.effect.changes if each.attr in stored]
    given = given_attributes(facts, pattern, entity) if subject.operation == "update" else ()
    added = {**additions(facts, pattern, entity), **_raised(subject)}
    return Changes(
        set={Path(name): slot(subject.names.get(name, name)) for name in given if name in stored},
        constants={each.attr: each.value for each in changes if each.kind == "set"},
        add={Path(name): amount for name, amount in added.items() if name in stored},
        remove=tuple(Path(each.attr) for each in changes if each.kind == "remove"),
    )


# ---- versions -------------------------------------------------------------------------------------------------------


def _raised(subject: WriteSubject) -> dict[str, Amount]:
    """One more than what is stored; what a put leaves is one more than what the caller has seen."""
    version = version_on(subject.facts, subject.pattern, subject.entity)
    if version is None or subject.operation == "delete":
        return {}
    return {version: Amount.parse("1" if subject.operation == "update" else f"{{{_seen(subject, version)}}} + 1")}


def _seen(subject: WriteSubject, version: str) -> str:
    """The parameter with the version that the caller has seen."""
    return value_names(subject.facts, subject.pattern, subject.entity).get(version, version)


def version_condition(subject: WriteSubject) -> Predicate | None:
    """Nobody has written since: what is stored is what the caller has seen, and 0 stands for nothing.

    A delete of what is not there deletes nothing, whatever the caller has seen.
    """
    version = version_on(subject.facts, subject.pattern, subject.entity)
    if version is None:
        return None
    seen = Slot(_seen(subject, version))
    same, nothing = compare(version, "=", seen), absent(pk_field(subject.own))
    if subject.operation == "delete":
        return Predicate(Or((nothing.tree, same.tree)))
    if subject.operation == "update" and subject.effect.existence == "there":
        return same
    first = And((nothing.tree, Compare("=", Value(seen), Value(0))))
    return Predicate(Or((first, same.tree)))

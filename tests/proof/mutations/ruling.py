"""Faults of defaults and rules: lost, others, or of fewer parameters than the spec says; and of ids that sort."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.spec.model import Validation
from tests.proof.mutations.editing import NothingToBreakError, pattern, read
from tests.proof.mutations.fault import Fault

if TYPE_CHECKING:
    from tablewright.design.model import Design, Parameter, PatternDesign
    from tests.proof.mutations.editing import Edit

DEFAULT = "wrong default"
RULE = "lost rule"
ORDER = "wrong order of ids"


def parameter(id_: str, name: str, **fields: Any) -> Edit:
    """Other fields of one parameter."""

    def changed(own: PatternDesign) -> tuple[Parameter, ...]:
        return tuple(replace(each, **fields) if each.name == name else each for each in own.parameters)

    return pattern(id_, parameters=changed)


def attribute(item: str, name: str, **fields: Any) -> Edit:
    """Other fields of an attribute, which the elements of lists go by."""

    def change(made: Design) -> Design:
        own = made.item(item)
        if all(each.name != name for each in own.attributes):
            raise NothingToBreakError(f"{item} has no {name}")
        changed = tuple(replace(each, **fields) if each.name == name else each for each in own.attributes)
        items = tuple(replace(own, attributes=changed) if each is own else each for each in made.items)
        return replace(made, items=items)

    return change


RULING = (
    Fault(DEFAULT, "rules", "no default of a text", parameter("place", "status", default=None)),
    Fault(DEFAULT, "rules", "another default of a text", parameter("place", "status", default="paid")),
    Fault(DEFAULT, "rules", "no default in a put that replaces", parameter("replace", "priority", default=None)),
    Fault(DEFAULT, "rules", "another number by default", parameter("replace", "priority", default=4)),
    Fault(DEFAULT, "rules", "false by default became true", parameter("replace", "gift", default=True)),
    Fault(DEFAULT, "rules", "the word now instead of the time", parameter("place", "placedAt", type="string")),
    Fault(DEFAULT, "rules", "no default of what a list holds", attribute("Line", "quantity", default=None)),
    Fault(RULE, "rules", "any id is taken", parameter("join", "customerId", validate=None)),
    Fault(RULE, "rules", "any mail address is taken", parameter("join", "email", validate=None)),
    Fault(RULE, "rules", "a rule in puts alone", parameter("change", "priority", validate=None)),
    Fault(RULE, "rules", "one more than the most", parameter("change", "priority", validate=Validation(min=1, max=6))),
    Fault(
        RULE, "rules", "one less than the least", parameter("replace", "priority", validate=Validation(min=0, max=5))
    ),
    Fault(RULE, "rules", "any length", parameter("change", "note", validate=None)),
    Fault(
        RULE,
        "rules",
        "one character too short",
        parameter("change", "note", validate=Validation(min_length=1, max_length=40)),
    ),
    Fault(RULE, "rules", "a stricter rule", parameter("change", "priority", validate=Validation(min=2, max=4))),
    Fault(RULE, "rules", "any article in a list", attribute("Line", "sku", validate=None)),
    Fault(ORDER, "ulids", "the oldest first", read("newest", backwards=False)),
    Fault(ORDER, "ulids", "one less than asked for", read("newest", limit=19)),
    Fault(RULE, "rules", "any quantity in a list", attribute("Line", "quantity", validate=None)),
)

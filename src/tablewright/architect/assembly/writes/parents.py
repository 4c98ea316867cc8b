"""Parents that must be there: looked at in the transaction that writes their child.

A parent is found by its id: in the table itself, where its key is nothing but that, else by the small item that keeps
its id unique. A parent that the same transaction puts, or demands anyway, is not among those of the effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.writing import key_attributes, key_templates, pk_field
from tablewright.design.model import WriteStep
from tablewright.design.values.templates import Path, slot
from tablewright.errors import DesignError
from tablewright.spec.conditions import exists

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.plans.writing import WriteSubject
    from tablewright.design.model import ItemType
    from tablewright.spec.writes import Parent


def parent_checks(subject: WriteSubject, items: Iterable[ItemType]) -> Iterator[WriteStep]:
    """A look at every parent that an item names; one that it does not name is left out."""
    types = tuple(items)
    for parent in subject.effect.parents:
        item = _found_by_id(subject, parent, types)
        named = {theirs: subject.names.get(ours, ours) for theirs, ours in parent.named}
        yield WriteStep(
            operation="ConditionCheck",
            item=item.name,
            table=item.table,
            key=key_templates(item, {}),
            set={Path(theirs): slot(ours) for theirs, ours in named.items()},
            condition=exists(pk_field(item)),
            each=subject.list_name,
            names_of=subject.entity,
            why=f"a {subject.entity} is written only where its {parent.entity} is",
        )


def _found_by_id(subject: WriteSubject, parent: Parent, items: tuple[ItemType, ...]) -> ItemType:
    ids = {theirs for theirs, _ in parent.named}
    for item in items:
        if item.entity == parent.entity and item.kind in ("entity", "sentinel") and set(key_attributes(item)) <= ids:
            return item
    raise DesignError(
        f"{subject.pattern.id} demands that the {parent.entity} of a {subject.entity} is there, and nothing finds a"
        f" {parent.entity} by its id alone. Say `unique: [{', '.join(sorted(ids))}]` of {parent.entity}."
    )

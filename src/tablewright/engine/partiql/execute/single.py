"""Reads of exactly one item by its key, the only ones that batches and transactions do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.branches import equality, find_branches
from tablewright.expr.compare import is_equal

if TYPE_CHECKING:
    from tablewright.engine.partiql.bind.statements import Select


def single_key(select: Select, api: str) -> dict[str, Any]:
    """The key a SELECT reads; refused when it names none, several, or anything besides."""
    access = select.access
    branches = None if access.index is not None else find_branches(select.where, access)
    if branches is not None and len(branches) == 1 and select.order is None:
        branch = branches[0]
        sorts = [None if access.sk is None else equality(leaf, access.sk) for leaf in branch.leaves]
        values = [found.value for found in sorts if found is not None]
        complete = len(values) == len(branch.leaves) and bool(values) is (access.sk is not None)
        if complete and all(is_equal(value, values[0]) for value in values):
            return {access.pk: branch.value, **({} if access.sk is None else {access.sk: values[0]})}
    raise validation(f"Select statements within {api} must specify the primary key in the where clause.")

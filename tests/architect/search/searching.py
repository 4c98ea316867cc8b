"""The search asked for what there must be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.search.search import try_search

if TYPE_CHECKING:
    from tablewright.architect.plans.values import Choice
    from tablewright.spec.facts import Facts


def search(facts: Facts, **how: Any) -> Choice:
    found = try_search(facts, **how)
    assert found is not None
    return found

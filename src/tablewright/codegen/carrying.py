"""What steps say beyond the plain ones, so that no generator drops a word of them in silence.

A generator names the fields of compiled steps that it carries; whatever else a step says is a reason to refuse it.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.steps.model import Read, Write, Writing


def said_in(step: Any) -> set[str]:
    """The fields of a step, as it is designed or compiled, that are not as where nothing is said."""
    if isinstance(step, msgspec.Struct):
        found = {each.name: each for each in msgspec.structs.fields(step)}
        return {name for name, each in found.items() if getattr(step, name) != _default(each, msgspec.NODEFAULT)}
    return {each.name for each in fields(step) if getattr(step, each.name) != _default(each, MISSING)}


def _default(field: Any, missing: Any) -> Any:
    return field.default if field.default_factory is missing else field.default_factory()


def refused_fields(step: Read | Write | Writing, carried: frozenset[str], why: Mapping[str, str]) -> Iterator[str]:
    """Why a step cannot be carried: what its fields mean, or that nobody here knows them."""
    for name in sorted(said_in(step) - carried):
        yield why.get(name, f"it says {name}, which is unknown here")

"""Amounts and conditions of one entity that name a new value of another: `{Line.quantity}` in a change of a product.

The value is an input of the write already, under its own name; so that is what is asked for, once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import Change, EntityWrite, PatternSpec

_BORROWED = re.compile(r"\{([^{}.]+)\.([^{}.]+)\}")


def borrowed_slots(pattern: PatternSpec) -> dict[str, str]:
    """By name, such as `Line.quantity`: the field of the pattern that says it."""
    return {f"{match[1]}.{match[2]}": field for field, text in _texts(pattern) for match in _BORROWED.finditer(text)}


def _texts(pattern: PatternSpec) -> Iterator[tuple[str, str]]:
    yield "when", pattern.when
    yield from ((f"changes.{each.attr}", str(each.value)) for each in pattern.changes or () if each.kind == "add")
    for name, said in pattern.ops.items():
        yield f"ops.{name}.when", said.when
        for each in said.changes or ():
            yield f"ops.{name}.changes.{each.attr}", str(each.value) if each.kind == "add" else ""


def without_borrowing(pattern: PatternSpec) -> PatternSpec:
    """The same with every such value under the name of the attribute that it is."""
    if not borrowed_slots(pattern):
        return pattern
    return msgspec.structs.replace(
        pattern,
        when=_renamed(pattern.when),
        changes=_plain_changes(pattern.changes),
        ops={name: _plain_write(each) for name, each in pattern.ops.items()},
    )


def _plain_write(said: EntityWrite) -> EntityWrite:
    return msgspec.structs.replace(said, when=_renamed(said.when), changes=_plain_changes(said.changes))


def _plain_changes(changes: tuple[Change, ...] | None) -> tuple[Change, ...] | None:
    if changes is None:
        return None
    return tuple(msgspec.structs.replace(each, value=_renamed(each.value)) for each in changes)


def _renamed(said: Any) -> Any:
    return _BORROWED.sub(r"{\2}", said) if isinstance(said, str) else said

"""How a broken rule is reported: which entity, which part of it, what is wrong, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from tablewright.errors import SchemaError
from tablewright.schema.model import AccessPattern
from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.schema.model import Entity
    from tablewright.schema.types import Attribute


def refuse(
    entity: Entity | str, code: int, problem: str, remedy: str, *, part: AccessPattern | Attribute | str | None = None
) -> NoReturn:
    owner = entity if isinstance(entity, str) else f'Entity "{entity.name}"'
    raise SchemaError(f"{owner}{_part(part)}: {problem}. {remedy}.", code=code)


def meant(word: str, known: Iterable[str]) -> str:
    """A remedy's last words: the known name that was probably meant, if one is close."""
    return nearest(word, known).removesuffix("?").replace(" Did you mean", "; perhaps it should be")


def quoted(names: Iterable[str]) -> str:
    """`"a", "b"`, or the word none."""
    return ", ".join(f'"{name}"' for name in names) or "none"


def _part(part: AccessPattern | Attribute | str | None) -> str:
    """The part's kind and name; text is an attribute's path."""
    if part is None:
        return ""
    if isinstance(part, AccessPattern):
        return f', access pattern "{part.name}"'
    return f', attribute "{part if isinstance(part, str) else part.name}"'

"""Names that would let two entities have the same keys (typed style).

Keys are `$service#label_value`, `$entity_version#label_value`, `$collection#entity_version#...`. As long as no name
has a separator in it, the first part of a sort key says whose it is, unless two entities (or an entity and a
collection) come out with the same text: `task` of version `1_1` and `task_1` of version `1`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.schema.check.faults import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.schema.model import Entity

SEPARATORS = "#$"


class Marks(msgspec.Struct, frozen=True):
    """What an entity puts into keys to be told from others: its name and version, and the collections it is in."""

    entity: str
    version: str
    collections: frozenset[str]
    folds: bool = False  # whether some key is not kept in its letter case

    @property
    def own(self) -> str:
        return f"{self.entity}_{self.version}"


def check_separators(entity: Entity) -> None:
    """Names stand in keys between separators."""
    for what, name in _names_in_keys(entity):
        found = next((sign for sign in SEPARATORS if sign in name), None)
        if found is not None:
            problem = f'its {what} "{name}" contains {found!r}, which separates the parts of a key'
            refuse(entity, 1009, problem, "Use another name; keys of other entities could be the same")


def _names_in_keys(entity: Entity) -> Iterator[tuple[str, str]]:
    yield from (("service", entity.service), ("name", entity.name), ("version", entity.version))
    for pattern in entity.patterns:
        yield "scope", pattern.scope
        for name in pattern.collection:
            yield "collection", name


def check_marks(mine: Marks, others: Iterable[Marks]) -> None:
    """No other entity of the service, and no collection, may come out with the same text in keys."""
    for other in others:
        folds = mine.folds or other.folds
        for entity, text in ((mine, other.own), (other, mine.own)):
            if _folded(entity.own, folds) == _folded(text, folds):
                problem = f'its keys begin like those of "{other.entity}" (version "{other.version}"): "{mine.own}"'
                refuse(f'Entity "{mine.entity}"', 1009, problem, "Give one of them another name")
            named = {_folded(name, folds): name for name in entity.collections}
            if _folded(text, folds) in named:
                problem = f'the collection "{named[_folded(text, folds)]}" is called like an entity with its version'
                refuse(f'Entity "{entity.entity}"', 1009, problem, "Give the collection another name")


def _folded(text: str, folds: bool) -> str:
    return text.lower() if folds else text

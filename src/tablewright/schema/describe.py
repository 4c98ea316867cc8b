"""A schema as people discuss it: one line for each access pattern, with its keys spelled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.features import told_features, told_queue, told_spread
from tablewright.schema.keys import key_pattern
from tablewright.schema.model import Entity, Service
from tablewright.schema.second import mirror_entities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tablewright.schema.model import AccessPattern

COLUMNS = ("entity", "access pattern", "index", "partition key", "sort key", "collection", "answers")
GAP = "  "


def describe(subject: Service | Entity) -> str:
    """The access patterns of a service or an entity as a plain-text table; columns that say nothing are left out."""
    if isinstance(subject, Entity):
        return _parts(_table(_rows(subject.name, subject)), _features({subject.name: subject}))
    rows = (row for alias, entity in subject.entities.items() for row in _rows(alias, entity))
    return _parts(_heading(subject), _table(rows), _features(subject.entities))


def _parts(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _features(entities: Mapping[str, Entity]) -> str:
    """One line for each entity that has any."""
    told = {name: told_features(entity.features) for name, entity in entities.items()}
    return "\n".join(f"{name}: {'; '.join(phrases)}" for name, phrases in told.items() if phrases)


def _heading(service: Service) -> str:
    table = f', table "{service.table.name}"' if service.table.name else ""
    heading = f'Service "{service.name}"{table}'
    return f"{heading}: {_first_line(service.doc)}" if service.doc else heading


def _rows(name: str, entity: Entity) -> Iterator[tuple[str, ...]]:
    for pattern in entity.patterns:
        yield (
            name,
            pattern.name,
            pattern.index or "table",
            key_pattern(entity, pattern, "pk"),
            key_pattern(entity, pattern, "sk"),
            " > ".join(pattern.collection),
            _answer(pattern),
        )
    for second in mirror_entities(entity):
        pattern = second.primary
        sides = (key_pattern(second, pattern, "pk"), key_pattern(second, pattern, "sk"))
        yield (name, pattern.name, "table", *sides, "", f"{_first_line(pattern.doc)} (as {second.name})".strip())


def _answer(pattern: AccessPattern) -> str:
    sparse = "(sparse)" if pattern.condition is not None else ""
    spread = told_spread(pattern.shards, pattern.bucket)
    queue = told_queue(pattern.queue)
    across = "(across tenants)" if pattern.across_tenants else ""
    return " ".join(part for part in (_first_line(pattern.doc), sparse, spread, queue, across) if part)


def _first_line(doc: str) -> str:
    return doc.strip().partition("\n")[0].rstrip()


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    columns = list(zip(COLUMNS, *rows, strict=True))
    told = [column for column in columns if any(column[1:])]
    widths = [max(map(len, column)) for column in told]
    header, *lines = zip(*told, strict=True)
    rule = ["-" * width for width in widths]
    return "\n".join(_line(cells, widths) for cells in (header, rule, *lines))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

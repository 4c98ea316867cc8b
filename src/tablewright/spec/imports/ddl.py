"""From a relational schema: tables become entities, keys ids, foreign keys relationships, indexes access patterns.

A table that only connects two others holds a many-to-many relationship. An `id` is renamed after its table, because
entities that share a table need names that tell their ids apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import DesignError
from tablewright.spec.imports.ddl_parser import SqlTable, parse_tables
from tablewright.spec.imports.draft import (
    Draft,
    DraftAttribute,
    DraftEntity,
    DraftPattern,
    DraftRelationship,
    drop_repeats,
    entity_name,
    join_names,
    plural_phrase,
    singular,
    singular_phrase,
    split_name,
    writes_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tablewright.spec.imports.ddl_parser import ForeignKey, SqlColumn, SqlIndex

CREATED = ("created_at", "createdat", "created_on", "created", "inserted_at", "date_created")
EXPIRES = ("expires_at", "expiresat", "expires_on", "expiry", "expires")
PAGE = 50
JOINS = (
    "Joins become items that lie together: where a page shows a parent with its children, add one pattern with"
    " entities: [Parent, Child] and by: the parent's id."
)
Names = dict[tuple[str, str], str]  # table and column -> attribute


def draft_from_ddl(text: str, name: str) -> Draft:
    tables = parse_tables(text, name)
    kept = {each.name: each for each in tables if each.columns}
    if not kept:
        raise DesignError(f"{name} has no CREATE TABLE with columns; nothing can be inferred from it")
    names = _attribute_names(kept)
    entities = {each.name: _entity_of(each, names) for each in kept.values()}
    joins = {each.name for each in kept.values() if _is_join(each, kept)}
    patterns = drop_repeats(
        pattern
        for table in kept.values()
        for pattern in (*_reads_of(table, kept, names), *_table_writes(table, entities[table.name], names, joins))
    )
    return Draft(
        name=name.rsplit("/", 1)[-1].partition(".")[0].replace("_", "-") or "application",
        origin=f"the SQL schema {name}",
        entities=tuple(entities.values()),
        relationships=tuple(_relationships(kept, names, joins)),
        patterns=patterns,
        remarks=(
            *(
                f"The full-text index on {table.name}.{', '.join(each)} has no counterpart: that belongs elsewhere."
                for table in kept.values()
                for each in table.searched
            ),
            JOINS,
        ),
    )


# ---- entities -------------------------------------------------------------------------------------------------------


def _attribute_names(tables: Mapping[str, SqlTable]) -> Names:
    return {
        (table.name, each.name): f"{singular(table.name)}_id" if each.name.lower() == "id" else each.name
        for table in tables.values()
        for each in table.columns
    }


def _id_of(table: SqlTable) -> tuple[str, ...]:
    """The primary key, else the first unique one, else the first column."""
    return table.primary or next(iter(table.unique), (table.columns[0].name,))


def _entity_of(table: SqlTable, names: Names) -> DraftEntity:
    renamed = _rename_columns(table, names)
    key = _id_of(table)
    return DraftEntity(
        name=entity_name(table.name),
        id=renamed(key),
        attributes=tuple(_attribute_of(table, each, names) for each in table.columns),
        unique=tuple(renamed(each) for each in table.unique if each != key),
        remark=f"table {table.name}" + ("" if table.primary else "; it has no primary key, so check the id"),
    )


def _rename_columns(table: SqlTable, names: Names) -> Callable[[Iterable[str]], tuple[str, ...]]:
    return lambda columns: tuple(names[table.name, each] for each in columns)


def _attribute_of(table: SqlTable, column: SqlColumn, names: Names) -> DraftAttribute:
    name = names[table.name, column.name]
    renamed = "" if name == column.name else f"column {column.name}"
    expires = (
        "if items should vanish then, add ttl: {attribute: " + name + "}" if column.name.lower() in EXPIRES else ""
    )
    return DraftAttribute(
        name=name,
        type=column.type,
        values=column.values,
        required=column.required and column.name not in _id_of(table),
        immutable=column.name.lower() in CREATED,
        max_bytes=column.max_bytes,
        remark=", ".join(each for each in (renamed, column.remark, expires) if each),
    )


# ---- relationships --------------------------------------------------------------------------------------------------


def _is_join(table: SqlTable, tables: Mapping[str, SqlTable]) -> bool:
    """Two foreign keys that identify it together, and nothing of its own but times and a number."""
    keys = [each for each in table.foreign if each.target in tables]
    if len(keys) != 2 or keys[0].target == keys[1].target == table.name:
        return False
    both = {*keys[0].columns, *keys[1].columns}
    identifying = set(table.primary) == both or any(set(each) == both for each in table.unique)
    own = [each for each in table.columns if each.name not in both and each.name not in table.primary]
    return identifying and all(each.type in ("timestamp", "number") for each in own)


def _relationships(tables: Mapping[str, SqlTable], names: Names, joins: set[str]) -> Iterator[DraftRelationship]:
    for table in tables.values():
        renamed = _rename_columns(table, names)
        known = [each for each in table.foreign if each.target in tables]
        if table.name in joins:
            one, other = (entity_name(each.target) for each in known)
            via = entity_name(table.name)
            yield DraftRelationship(
                source=one, target=other, kind="many-to-many", via=via, remark=f"table {table.name}"
            )
            continue
        for each in known:
            single = each.columns == table.primary or each.columns in table.unique
            yield DraftRelationship(
                source=entity_name(each.target),
                target=entity_name(table.name),
                kind="one-to-one" if single else "one-to-many",
                by=renamed(each.columns),
                cascade=each.cascade,
                remark=f"foreign key of {table.name}",
            )


# ---- access patterns ------------------------------------------------------------------------------------------------


def _reads_of(table: SqlTable, tables: Mapping[str, SqlTable], names: Names) -> Iterator[DraftPattern]:
    entity, key = entity_name(table.name), _rename_columns(table, names)
    yield _get_pattern(entity, key(_id_of(table)), remark="primary key" if table.primary else "")
    for columns in table.unique:
        if columns != _id_of(table):
            yield _get_pattern(entity, key(columns), remark="unique")
    for index in table.indexes:
        yield from _index_pattern(table, index, names)
    if len(table.primary) > 1:
        yield _list_pattern(entity, key(table.primary[:1]), remark="first part of the primary key")
    for foreign in table.foreign:
        if foreign.target in tables and foreign.columns != table.primary and foreign.columns not in table.unique:
            yield _foreign_pattern(table, foreign, names)


def _get_pattern(entity: str, by: tuple[str, ...], *, remark: str) -> DraftPattern:
    description = f"{singular_phrase(entity)} by {join_names(by)}"
    return DraftPattern(description=description, kind="get", entities=(entity,), by=by, remark=remark)


def _list_pattern(
    entity: str, by: tuple[str, ...], *, remark: str, sort: tuple[tuple[str, str], ...] = ()
) -> DraftPattern:
    order = f", by {split_name(sort[0][0])}" if sort else ""
    return DraftPattern(
        description=f"{plural_phrase(entity)} of one {join_names(by).replace(' id', '')}{order}",
        kind="query",
        entities=(entity,),
        by=by,
        sort=sort,
        limit=PAGE if sort else None,
        remark=remark,
    )


def _index_pattern(table: SqlTable, index: SqlIndex, names: Names) -> Iterator[DraftPattern]:
    """An index over several columns asks by the first and sorts by the last, where that is a time or a number."""
    known = [each for each in index.columns if (table.name, each[0]) in names]
    if len(known) != len(index.columns):  # over an expression
        return
    types = {each.name: each.type for each in table.columns}
    last, order = known[-1]
    sorts = types[last] in ("timestamp", "number") and len(known) > 1
    by = tuple(names[table.name, name] for name, _ in (known[:-1] if sorts else known))
    if types[known[0][0]] in ("map", "list", "any", "binary"):
        return
    sort = ((names[table.name, last], order),) if sorts else ()
    yield _list_pattern(entity_name(table.name), by, sort=sort, remark=f"index {index.name}".strip())


def _foreign_pattern(table: SqlTable, foreign: ForeignKey, names: Names) -> DraftPattern:
    by = _rename_columns(table, names)(foreign.columns)
    created = next(
        (each.name for each in table.columns if each.name.lower() in CREATED and each.type == "timestamp"), None
    )
    sort = ((names[table.name, created], "desc"),) if created else ()
    return _list_pattern(entity_name(table.name), by, sort=sort, remark=f"foreign key to {foreign.target}")


def _table_writes(table: SqlTable, entity: DraftEntity, names: Names, joins: set[str]) -> Iterator[DraftPattern]:
    fixed = [names[table.name, column] for each in table.foreign for column in each.columns]
    yield from writes_of(entity, fixed, changing=table.name not in joins)
    if table.name in joins:
        thing = singular_phrase(entity.name)
        yield DraftPattern(
            description=f"remove {thing}", kind="write", op="delete", entities=(entity.name,), by=entity.id
        )

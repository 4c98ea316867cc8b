"""The tables of a SQL script, read by a real SQL parser: PostgreSQL, MySQL or SQLite, whichever understands it."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import DesignError
from tablewright.spec.model import AttributeType

if TYPE_CHECKING:
    from collections.abc import Iterator

MYSQL = re.compile(r"`|\bAUTO_INCREMENT\b|\bENGINE\s*=", re.IGNORECASE)
SQLITE = re.compile(r"\bAUTOINCREMENT\b|\bWITHOUT\s+ROWID\b|\bPRAGMA\b", re.IGNORECASE)
COPY, COPY_END = re.compile(r"^COPY ", re.MULTILINE), re.compile(r"^\\\.$", re.MULTILINE)
LENGTH_DIGITS = 12  # digits of a length; with more of them none is meant
MOST_CHARACTERS = 4 * 1024 * 1024
TIMES = ("DATE", "TIME", "YEAR")
NUMBERS = ("INT", "SERIAL", "DECIMAL", "DOUBLE", "FLOAT", "REAL", "NUMERIC", "MONEY", "UINT")
OTHERS: dict[str, AttributeType] = {
    "BOOL": "boolean",
    "BIT": "boolean",
    "JSON": "map",
    "OBJECT": "map",
    "STRUCT": "map",
    "HSTORE": "map",
    "ARRAY": "list",
    "BINARY": "binary",
    "BLOB": "binary",
    "BYTEA": "binary",
}


class SqlColumn(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    type: AttributeType
    values: tuple[str, ...] = ()
    required: bool = False
    max_bytes: int | None = None
    remark: str = ""


class ForeignKey(msgspec.Struct, frozen=True, kw_only=True):
    columns: tuple[str, ...]
    target: str
    cascade: bool = False


class SqlIndex(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    columns: tuple[tuple[str, str], ...]  # with asc or desc


class SqlTable(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    columns: tuple[SqlColumn, ...]
    primary: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    foreign: tuple[ForeignKey, ...] = ()
    indexes: tuple[SqlIndex, ...] = ()
    searched: tuple[tuple[str, ...], ...] = ()  # by full-text indexes


class _SqlTableParts(msgspec.Struct):
    """A table while its statements are read."""

    columns: dict[str, SqlColumn] = {}
    primary: tuple[str, ...] = ()
    unique: list[tuple[str, ...]] = []
    foreign: list[ForeignKey] = []
    indexes: list[SqlIndex] = []
    searched: list[tuple[str, ...]] = []


def parse_tables(text: str, name: str) -> list[SqlTable]:
    enums: dict[str, tuple[str, ...]] = {}
    found: dict[str, _SqlTableParts] = {}
    for statement in _statements(text, name):
        _read_statement(statement, found, enums)
    for table, parts in found.items():
        _check_keys(table, parts, name)
    return [
        SqlTable(
            name=name,
            columns=tuple(parts.columns.values()),
            primary=parts.primary,
            unique=tuple(dict.fromkeys(parts.unique)),
            foreign=tuple(parts.foreign),
            indexes=tuple(parts.indexes),
            searched=tuple(parts.searched),
        )
        for name, parts in found.items()
    ]


def _check_keys(table: str, parts: _SqlTableParts, name: str) -> None:
    keys = [("primary key", parts.primary), *(("unique key", each) for each in parts.unique)]
    keys += [("foreign key", each.columns) for each in parts.foreign]
    for kind, columns in keys:
        missing = [each for each in columns if each not in parts.columns]
        if parts.columns and missing:
            said = f"the {kind} of table {table} names a column {missing[0]}, which is not there"
            raise DesignError(f"{name}: {said}; correct it, or add the column")


def _statements(text: str, name: str) -> list[Any]:
    try:
        import sqlglot
        from sqlglot.errors import SqlglotError
    except ImportError:
        raise DesignError("reading SQL needs sqlglot; install tablewright[architect]") from None
    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it tells of statements that concern nobody here
    dialect = "mysql" if MYSQL.search(text) else "sqlite" if SQLITE.search(text) else "postgres"
    wanted = _keep_relevant(text)
    if len(wanted) > MOST_CHARACTERS:
        raise DesignError(f"{name} has more than {MOST_CHARACTERS:,} characters beside its data; give its tables alone")
    try:
        return [each for each in sqlglot.parse(wanted, read=dialect) if each is not None]
    except SqlglotError as error:
        problem = str(error).splitlines()[0]
        raise DesignError(f"{name} cannot be read as SQL of {dialect}: {problem}") from None
    except RecursionError:
        raise DesignError(f"{name} cannot be read as SQL of {dialect}: it is nested too deep") from None


def _keep_relevant(text: str) -> str:
    """Dumps carry data and settings besides; `COPY ... FROM stdin` even lines that are no SQL."""
    return re.sub(
        r"^(INSERT|SET|SELECT|LOCK|UNLOCK|USE|\\)[^\n]*(;|$)",
        "",
        _drop_copied_rows(text),
        flags=re.MULTILINE | re.IGNORECASE,
    )


def _drop_copied_rows(text: str) -> str:
    r"""From each `COPY` to the `\.` that ends its lines; without such an end it is left to the parser."""
    kept: list[str] = []
    at = 0
    while (start := COPY.search(text, at)) is not None and (end := COPY_END.search(text, start.end())) is not None:
        kept.append(text[at : start.start()])
        at = end.end()
    return "".join([*kept, text[at:]])


# ---- statements -----------------------------------------------------------------------------------------------------


def _read_statement(statement: Any, found: dict[str, _SqlTableParts], enums: dict[str, tuple[str, ...]]) -> None:
    from sqlglot import exp

    match statement:
        case exp.Create(kind="TABLE") if isinstance(statement.this, exp.Schema):
            parts = found.setdefault(statement.this.this.name, _SqlTableParts())
            for each in statement.this.expressions:
                _read_part(each, parts, enums)
        case exp.Create(kind="INDEX"):
            _read_index(statement, found)
        case exp.Create(kind="TYPE"):
            enums[statement.this.name.lower()] = tuple(_literals(statement))
        case exp.Alter():
            for each in statement.args.get("actions") or ():
                if statement.this.name in found:
                    _read_part(each, found[statement.this.name], enums)
        case _:
            _read_enum_command(statement, enums)


def _read_enum_command(statement: Any, enums: dict[str, tuple[str, ...]]) -> None:
    """`CREATE TYPE x AS ENUM (...)`, which the parser keeps as text."""
    made = re.match(
        r"CREATE\s+TYPE\s+([\w.\"]+)\s+AS\s+ENUM\s*\((.*)\)", statement.sql("postgres"), re.IGNORECASE | re.DOTALL
    )
    if made:
        name = made[1].rsplit(".", 1)[-1].strip('"').lower()
        enums[name] = tuple(re.findall(r"'((?:[^']|'')*)'", made[2]))


def _read_part(part: Any, parts: _SqlTableParts, enums: dict[str, tuple[str, ...]]) -> None:
    """A column, or a constraint of the table; a named one has it inside."""
    from sqlglot import exp

    match part:
        case exp.ColumnDef():
            _read_column(part, parts, enums)
        case exp.Constraint() | exp.AddConstraint():
            for each in part.expressions:
                _read_part(each, parts, enums)
        case exp.PrimaryKey():
            parts.primary = _names_in(part.expressions)
        case exp.UniqueColumnConstraint():
            parts.unique.append(_names_in(part.this.expressions))
        case exp.ForeignKey():
            parts.foreign.append(_foreign_key(_names_in(part.expressions), part.args["reference"], part))
        case exp.IndexColumnConstraint() if str(part.args.get("kind") or "").upper() == "FULLTEXT":
            parts.searched.append(_names_in(part.expressions))
        case exp.IndexColumnConstraint():
            parts.indexes.append(SqlIndex(name=part.name, columns=tuple(_sort_columns(part.expressions))))
        case exp.CheckColumnConstraint():
            _read_check(part, parts)
        case _:
            pass


def _read_column(part: Any, parts: _SqlTableParts, enums: dict[str, tuple[str, ...]]) -> None:
    from sqlglot import exp

    kinds = [each.kind for each in part.constraints]
    values, remark = _column_values(part, enums)
    kind = _attribute_type(part.kind, enums)
    sizes = [each for each in (part.kind.expressions if part.kind else ()) if isinstance(each, exp.DataTypeParam)]
    letters = sizes[0].name if sizes and kind == "string" and not values else ""
    has_primary = any(isinstance(each, exp.PrimaryKeyColumnConstraint) for each in kinds)
    parts.columns[part.name] = SqlColumn(
        name=part.name,
        type=kind,
        values=values,
        required=has_primary
        or any(isinstance(each, exp.NotNullColumnConstraint) and not each.args.get("allow_null") for each in kinds),
        max_bytes=int(letters) if letters.isdecimal() and len(letters) <= LENGTH_DIGITS else None,
        remark=remark,
    )
    parts.primary = (part.name,) if has_primary else parts.primary
    for each in kinds:
        if isinstance(each, exp.UniqueColumnConstraint):
            parts.unique.append((part.name,))
        elif isinstance(each, exp.Reference):
            parts.foreign.append(_foreign_key((part.name,), each, part))
        elif isinstance(each, exp.CheckColumnConstraint):
            _read_check(each, parts)


def _read_check(part: Any, parts: _SqlTableParts) -> None:
    """`CHECK (status IN ('a', 'b'))` and its written-out forms say which values there are."""
    from sqlglot import exp

    columns = {each.name for each in part.find_all(exp.Column)}
    listed = next(part.find_all(exp.In, exp.Array), None)
    if len(columns) == 1 and listed is not None and (name := columns.pop()) in parts.columns:
        values = tuple(_literals(listed))
        if values:
            parts.columns[name] = msgspec.structs.replace(parts.columns[name], values=values, max_bytes=None)


def _read_index(statement: Any, found: dict[str, _SqlTableParts]) -> None:
    index = statement.this
    table = found.get(index.args["table"].name)
    if table is None:
        return
    listed: list[Any] = index.args["params"].args.get("columns") or []
    columns = tuple(_sort_columns(listed))
    has_columns = all(name in table.columns for name, _ in columns)  # and no expression
    if statement.args.get("unique") and has_columns and not index.args["params"].args.get("where"):
        table.unique.append(tuple(name for name, _ in columns))
    else:
        table.indexes.append(SqlIndex(name=index.name, columns=columns))


# ---- small parts ----------------------------------------------------------------------------------------------------


def _names_in(expressions: list[Any]) -> tuple[str, ...]:
    return tuple(each.this.name if each.key == "ordered" else each.name for each in expressions)


def _sort_columns(expressions: list[Any]) -> Iterator[tuple[str, str]]:
    for each in expressions:
        yield (each.this.name if each.key == "ordered" else each.name), ("desc" if each.args.get("desc") else "asc")


def _foreign_key(columns: tuple[str, ...], reference: Any, owner: Any) -> ForeignKey:
    target = reference.this
    options = [*map(str, reference.args.get("options") or ()), f"DELETE {owner.args.get('delete') or ''}"]
    return ForeignKey(
        columns=columns,
        target=(target.this if target.key == "schema" else target).name,
        cascade=any("DELETE" in each and "CASCADE" in each for each in options),
    )


def _column_values(part: Any, enums: dict[str, tuple[str, ...]]) -> tuple[tuple[str, ...], str]:
    kind = part.kind
    if kind is None:
        return (), "no type is said"
    if kind.this.name == "ENUM":
        return tuple(_literals(kind)), ""
    own = _type_name(kind)
    return (enums[own], f"type {own}") if own in enums else ((), "")


def _type_name(kind: Any) -> str:
    """The name of a type that the schema itself declares."""
    declared = kind.args.get("kind")
    return str(declared if declared is not None else kind.sql()).rsplit(".", 1)[-1].strip('"').lower()


def _attribute_type(kind: Any, enums: dict[str, tuple[str, ...]]) -> AttributeType:
    if kind is None or _type_name(kind) in enums:
        return "string"
    name = kind.this.name
    if name == "TINYINT" and [each.name for each in kind.expressions] == ["1"]:
        return "boolean"
    if name.startswith(TIMES):
        return "timestamp"
    if any(word in name for word in NUMBERS) and name not in {"INTERVAL", "POINT"}:
        return "number"
    for word, found in OTHERS.items():
        if word in name:
            return found
    return "string"


def _literals(expression: Any) -> Iterator[str]:
    from sqlglot import exp

    yield from (each.name for each in expression.find_all(exp.Literal) if each.is_string)

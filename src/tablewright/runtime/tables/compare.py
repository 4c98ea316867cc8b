"""A declared table and DynamoDB's description of one, compared piece by piece. No requests are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.runtime.tables.declared import projection
from tablewright.runtime.tables.difference import Difference
from tablewright.runtime.tables.settings import TABLE_CLASSES, Provisioned, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.schema.model import Index, Table

Params: TypeAlias = dict[str, Any]
Key: TypeAlias = list[tuple[str, str, str]]  # field, HASH or RANGE, type

REMAKE = "delete the index and create it anew with UpdateTable, or change the declaration"


def key_difference(table: Table, actual: Params) -> Iterator[Difference]:
    declared, found = _declared_key(table.primary), _actual_key(actual, actual)
    if declared != found:
        remedy = (
            "the key of a table cannot be changed: declare the one it has (Table(..., pk=..., sk=...)), or create a "
            "new table and copy the items"
        )
        yield Difference(f'table "{table.name}"', _key_problem(declared, found), remedy)


def _key_problem(declared: Key, found: Key) -> str:
    return f"its key is {_spelled(found)}, but {_spelled(declared)} is declared"


def index_differences(table: Table, actual: Params) -> Iterator[Difference]:
    kinds = (("gsi", "GlobalSecondaryIndexes"), ("lsi", "LocalSecondaryIndexes"))
    found = {each["IndexName"]: (kind, each) for kind, name in kinds for each in actual.get(name, ())}
    for index in table.indexes:
        place = f'index "{index.name}" of table "{table.name}"'
        if index.name not in found:
            yield Difference(place, "it does not exist", _missing_remedy(table, index))
            continue
        kind, there = found[index.name]
        if kind != index.kind:
            problem = f"it is {KINDS[kind]}, but {KINDS[index.kind]} is declared"
            yield Difference(place, problem, "declare the other kind, or give the index another name")
            continue
        declared, is_now = _declared_key(index), _actual_key(there, actual)
        if declared != is_now:
            yield Difference(place, _key_problem(declared, is_now), REMAKE)
        yield from _projection_difference(place, table, index, there)


KINDS = {"gsi": "a global index", "lsi": "a local index (its partition key is the table's own)"}


def _missing_remedy(table: Table, index: Index) -> str:
    if index.kind == "lsi":
        return "a local index can only be made together with its table: create a new table and copy the items"
    shown = projection(table, index)["ProjectionType"]
    return f"add it with UpdateTable (key {_spelled(_declared_key(index))}, projection {shown}), one index at a time"


def _projection_difference(place: str, table: Table, index: Index, actual: Params) -> Iterator[Difference]:
    """A projection may hold more than is declared, but not less."""
    declared, found = projection(table, index), actual["Projection"]
    if found["ProjectionType"] == "ALL" or declared["ProjectionType"] == "KEYS_ONLY":
        return
    held = ", ".join(found.get("NonKeyAttributes", ())) or "keys alone"
    if declared["ProjectionType"] == "ALL":
        problem = f"it holds {held}, but all attributes are declared"
    else:
        missing = [field for field in declared["NonKeyAttributes"] if field not in found.get("NonKeyAttributes", ())]
        if not missing:
            return
        problem = f"it holds {held}, but {', '.join(missing)} is declared too"
    yield Difference(place, problem, f"{REMAKE} (projection=...)")


def _declared_key(index: Index) -> Key:
    sides = ((index.pk, "HASH"), (index.sk, "RANGE"))
    return [(each.field, kind, each.type) for side, kind in sides for each in side]


def _actual_key(described: Params, table: Params) -> Key:
    types = {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
    parts = [(each["AttributeName"], each["KeyType"]) for each in described["KeySchema"]]
    return [(field, kind, types.get(field, "?")) for field, kind in sorted(parts, key=lambda part: part[1])]


def _spelled(key: Key) -> str:
    """`pk (S) and sk (S)`: partition key first; fields of one side are joined by commas."""
    sides = (", ".join(f"{field} ({kind})" for field, side, kind in key if side == wanted) for wanted in SIDES)
    return " and ".join(side for side in sides if side)


SIDES = ("HASH", "RANGE")


# ---- settings -------------------------------------------------------------------------------------------------------


def setting_differences(place: str, settings: Settings, actual: Params) -> Iterator[Difference]:
    """What DescribeTable tells of the settings that were spoken of."""
    yield from _billing_difference(place, settings, actual)
    stream = actual.get("StreamSpecification", {})
    view = stream.get("StreamViewType", "").lower() if stream.get("StreamEnabled") else "off"
    protected = bool(actual.get("DeletionProtectionEnabled", False))
    kind = actual.get("TableClassSummary", {}).get("TableClass", "STANDARD")
    wanted_kind = settings.table_class and TABLE_CLASSES[settings.table_class]
    compared = (
        ("its stream", settings.stream, view, "StreamSpecification"),
        ("deletion protection", settings.deletion_protection, protected, "DeletionProtectionEnabled"),
        ("its class", wanted_kind, kind, "TableClass"),
    )
    for what, wanted, found, parameter in compared:
        if wanted is not None and wanted != found:
            problem = f"{what} is {_shown(found)}, but {_shown(wanted)} is declared"
            yield Difference(place, problem, f"change it with UpdateTable ({parameter})")


def _shown(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _billing_difference(place: str, settings: Settings, actual: Params) -> Iterator[Difference]:
    if settings.billing is None:
        return
    mode = actual.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
    units = actual.get("ProvisionedThroughput", {})
    found = f"{units.get('ReadCapacityUnits')} rcu and {units.get('WriteCapacityUnits')} wcu"
    found = found if mode == "PROVISIONED" else "on demand"
    billing = settings.billing
    wanted = f"{billing.rcu} rcu and {billing.wcu} wcu" if isinstance(billing, Provisioned) else "on demand"
    if found != wanted:
        problem = f"it is billed {found}, but {wanted} is declared"
        yield Difference(place, problem, "change it with UpdateTable (BillingMode, ProvisionedThroughput)")

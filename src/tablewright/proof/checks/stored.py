"""Stored items: compared with those that follow from the application's state, filled in, and repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.tables import table_of
from tablewright.proof.answers import compare_items
from tablewright.proof.expected import Images, StoredItems, images_of, instances_of, with_images
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import PatternDesign
    from tablewright.proof.application.state import Applied, Item
    from tablewright.proof.context import PatternTally, ProofContext
    from tablewright.proof.items import Key

BATCH = 25


def fill_tables(context: ProofContext) -> None:
    """Writes all expected items."""
    requests: dict[str, list[Any]] = {}
    for (table, _, _), item in context.stored.items():
        requests.setdefault(table, []).append({"PutRequest": {"Item": marshal_item(item)}})
    for table, puts in requests.items():
        for at in range(0, len(puts), BATCH):
            context.engine.call("BatchWriteItem", {"RequestItems": {table: puts[at : at + BATCH]}})
    context.skip_streams()


def advance(context: ProofContext, applied: Applied, pattern: PatternDesign | None = None) -> Images:
    """The application's state and the expected items after a write; the images of what changed."""
    images = _images(context, context.stored, applied, pattern)
    context.state, context.stored = applied.state, with_images(context.stored, images)
    return images


def _images(
    context: ProofContext, stored: StoredItems, applied: Applied, pattern: PatternDesign | None = None
) -> Images:
    steps = pattern.writes if pattern else ()
    return images_of(context.design, stored, applied.everything, instances_of(applied.state), steps)


def stored_after(context: ProofContext, several: Iterable[Applied]) -> tuple[StoredItems, set[Key]]:
    """The expected items after several writes, and the keys of those that they touch."""
    stored, touched = context.stored, set[Any]()
    for applied in several:
        images = _images(context, stored, applied)
        stored = with_images(stored, images)
        touched |= {*images.before, *images.after}
    return stored, touched


# ---- comparing ------------------------------------------------------------------------------------------------------


def fetch(context: ProofContext, key: Key) -> Item | None:
    table = table_of(context.design, key[0])
    wanted = {table.pk.name: key[1], table.sk.name: key[2]}
    params = {"TableName": key[0], "Key": marshal_item(wanted), "ConsistentRead": True}
    reply = context.engine.call("GetItem", params)
    return unmarshal_item(reply["Item"]) if "Item" in reply else None


def difference(context: ProofContext, expected: StoredItems, keys: Iterable[Key]) -> str:
    """How the first of these items differs from what it must be; empty where all are right."""
    for key in keys:
        wrong = compare_items(expected.get(key), fetch(context, key))
        if wrong:
            return f"{key[1]} / {key[2]} {wrong}"
    return ""


def compare_touched(context: ProofContext, keys: Iterable[Key], tally: PatternTally, said: object) -> None:
    """Compares the stored items that a write touched with the expected ones."""
    wrong = difference(context, context.stored, keys)
    context.count_check("stored items and their keys follow from the data")
    if wrong:
        tally.fail(f"{said}: {wrong}")
        repair(context)


def scan(context: ProofContext) -> StoredItems:
    """Everything that is stored, without the marks of what follows streams."""
    found: StoredItems = {}
    marks = context.marks
    for table in context.design.tables:
        start: dict[str, Any] = {}
        while True:
            reply = context.engine.call("Scan", {"TableName": table.name, "ConsistentRead": True, **start})
            for item in map(unmarshal_item, reply["Items"]):
                key = table.name, item[table.pk.name], item[table.sk.name]
                found.update({} if key in marks else {key: item})
            if "LastEvaluatedKey" not in reply:
                break
            start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}
    return found


def compare_tables(context: ProofContext, tally: PatternTally, said: object = "afterwards") -> bool:
    """Compares all stored items with the expected ones; whether all are right."""
    found = scan(context)
    context.count_check("the tables hold what they must and nothing else")
    for key in {**found, **context.stored}:
        wrong = compare_items(context.stored.get(key), found.get(key))
        if wrong:
            tally.fail(f"{said} {key[1]} / {key[2]} {wrong}")
            repair(context)
            return False
    return True


def repair(context: ProofContext) -> None:
    """After a fault: the tables as they must be, so that what follows is judged by itself."""
    for key in scan(context):
        if key not in context.stored:
            names = table_of(context.design, key[0])
            wanted = marshal_item({names.pk.name: key[1], names.sk.name: key[2]})
            context.engine.call("DeleteItem", {"TableName": key[0], "Key": wanted})
    fill_tables(context)

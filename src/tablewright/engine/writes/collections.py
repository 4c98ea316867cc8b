"""Item collections: how large all items of one partition are, for tables with local indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.store import rows
from tablewright.engine.store.collections import collection_bytes
from tablewright.wire.limits import GB
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.store.storage import Storage
    from tablewright.engine.store.table import Table


def collection_metrics(
    storage: Storage, table: Table, item: Mapping[str, Any], params: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The collection an item (or key) belongs to and the gigabytes it lies between; None when nobody asked."""
    if params.get("ReturnItemCollectionMetrics") != "SIZE":
        return None
    if not table.lsi_count:
        return None
    size = collection_bytes(storage, table, rows.table_key(table, item)[0]) // GB
    key = {name: item[name] for name in table.keys.pk}
    return {"ItemCollectionKey": marshal_item(key), "SizeEstimateRangeGB": [float(size), float(size + 1)]}

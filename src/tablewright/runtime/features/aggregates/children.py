"""All items with certain values, as stored: by the access pattern that surely holds every one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.requests.request import call, partitions_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.features.companion import Item
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options
    from tablewright.schema.keys import PatternKeys


def children(
    layout: Layout, given: Mapping[str, Any], options: Options, *, most: int, scan: bool, exact: bool = False
) -> Flow[list[Item]]:
    """The items; refused where there are more than `most`, or where only a scan (or, if `exact`, an index) has them."""
    search = _question(layout, given, options, scan=scan, exact=exact)
    action = "Scan" if isinstance(search, Scan) else "Query"
    found: list[Item] = []
    for part in partitions_of(search):
        request = part.request(sending=True)
        spelling = part.spelling(part.keys)
        while True:
            reply = yield from call(action, request)
            mine = (item for item in reply.get("Items", ()) if owns(layout, item, by_key=False))
            found += [item for item in mine if spelling is None or spelling.fits(item)]
            if len(found) > most:
                remedy = f"allow more: most={most * 10}"
                raise RequestError(
                    f"more than {most} items of {layout.name} would have to be counted; {remedy}", code=2002
                )
            if not reply.get("LastEvaluatedKey"):
                break
            request = {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]}
    return found


def _question(layout: Layout, given: Mapping[str, Any], options: Options, *, scan: bool, exact: bool) -> Any:
    known = (keys for keys in layout.keys.values() if keys.pattern.index is None or not exact)
    usable = [keys for keys in known if _holds_all(layout, keys, given)]
    table = {"table": options.table} if options.table else {}
    if not usable:
        if not scan:
            names = layout.listed(given)
            raise RequestError(
                f"no access pattern surely finds all items of {layout.name} by {names}; declare one, or say scan=True",
                code=2002,
            )
        return Scan[Any](layout).with_options(consistent=True, **table)
    keys = next((each for each in usable if each is layout.primary), usable[0])
    asked = {name: given[name] for name in _leading(keys, given)}
    consistent = {"consistent": True} if keys.pattern.index is None else {}
    return Query[Any](layout, keys.pattern.name, asked).with_options(**consistent, **table)


def _holds_all(layout: Layout, keys: PatternKeys, given: Mapping[str, Any]) -> bool:
    """Whether an access pattern has all items with these values, whole: it leaves nothing out and projects all."""
    pattern = keys.pattern
    if keys.pk.missing({**given, **dict.fromkeys((each.name for each in layout.derived), "")}):
        return False
    if pattern.index is None:
        return True
    sure = (name in given or layout.attributes[name].required for name in pattern.composites)
    return pattern.condition is None and pattern.projection == "all" and all(sure)


def _leading(keys: PatternKeys, given: Mapping[str, Any]) -> list[str]:
    names = [name for name in keys.pattern.pk.composite if name in given]
    for name in keys.pattern.sk.composite if keys.pattern.sk is not None else ():
        if name not in given:
            break
        names.append(name)
    return names

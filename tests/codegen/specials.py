"""Small designs that between them have everything a generated read or write must be able to do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.design.service import with_service
from tablewright.proof.past import with_near_past
from tests.architect.assembly.test_requests import BIG, BRIEF, GET, PAY, PUT, READING, SELDOM, TAKE
from tests.architect.plans import specs as shops

if TYPE_CHECKING:
    from tablewright.design.model import Design

BETWEEN: dict[str, Any] = {
    "id": "between",
    "kind": "query",
    "entity": "Reading",
    "by": ["deviceId"],
    "range": {"attr": "takenAt", "op": "between"},
    "sort": "takenAt desc",
    "rate": 1,
}
READ_ONE: dict[str, Any] = {"id": "one", "kind": "get", "entity": "Reading", "by": ["deviceId", "takenAt"], "rate": 1}


def pattern(id_: str, entity: str, by: str | list[str], **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "query", "entity": entity, "by": by, **more}


def together(id_: str, entities: list[str], by: str | list[str], **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "query", "entities": entities, "by": by, **more}


def write(id_: str, op: str, entity: str, by: str | list[str], **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "write", "op": op, "entity": entity, "by": by, **more}


# ---- where items lie ------------------------------------------------------------------------------------------------


def shards(style: str) -> Design:
    """A list that is written faster than one partition takes; values of a filter that are gone through."""
    tick = {
        "id": ["tickId"],
        "attributes": {
            "tickId": "string",
            "exchange": {"type": "string", "cardinality": 1, "required": True},
            "at": {"type": "timestamp", "required": True},
            "price": "number",
            "open": {"type": "boolean", "required": True},
        },
    }
    patterns = [
        write("add", "put", "Tick", ["tickId"], rate=5000),
        write("change", "update", "Tick", ["tickId"], changes=["price", "at"]),
        {"id": "get", "kind": "get", "entity": "Tick", "by": ["tickId"], "rate": 1},
        pattern("of", "Tick", ["exchange"], sort="at desc", rate=1),
        pattern("newest", "Tick", ["exchange"], sort="at desc", limit=5, rate=1),
        pattern("since", "Tick", ["exchange"], range={"attr": "at", "op": "gte"}, sort="at", rate=1),
    ]
    return design({"name": "ticks", "entities": {"Tick": tick}, "access_patterns": patterns}, key_style=as_style(style))


def buckets(style: str) -> Design:
    """Readings of years, a partition a month."""
    patterns = [BETWEEN, READ_ONE, TAKE, write("correct", "update", "Reading", ["deviceId", "takenAt"])]
    return design(
        {"name": "iot", "entities": {"Reading": READING}, "access_patterns": patterns}, key_style=as_style(style)
    )


def walks(style: str) -> Design:
    """The newest and the oldest of years, day by day: in the table, and in an index that has shards."""
    time = {"type": "timestamp", "since": "2024-01-01", "required": True, "immutable": True}
    event = {
        "id": "eventId",
        "attributes": {"eventId": "string", "at": time, "text": {"type": "string", "size_bytes": 600}},
        "count": 500_000_000,
    }
    reading = {**READING, "attributes": {**READING["attributes"], "takenAt": time}}
    of_device = {"entity": "Reading", "by": ["deviceId"]}
    patterns = [
        READ_ONE,
        TAKE,
        pattern("newest", **of_device, sort="takenAt desc", limit=9, rate=1),
        pattern("oldest", **of_device, sort="takenAt", limit=4, rate=1),
        {"id": "event", "kind": "get", "entity": "Event", "by": "eventId", "rate": 1},
        pattern("events", "Event", [], sort="at desc", limit=8, rate=1),
        write("add", "put", "Event", "eventId", rate={"avg": 10, "peak": 2000}),
    ]
    spec = {"name": "log", "entities": {"Reading": reading, "Event": event}, "access_patterns": patterns}
    return with_service(with_near_past(design(spec, key_style=as_style(style))))


def overlaps(style: str) -> Design:
    """What overlaps with a window of time, or of numbers: in an index, in the table, limited, and how many."""
    booking = {
        "id": "bookingId",
        "attributes": {
            "roomId": {"required": True, "cardinality": 30},
            "startsAt": {"type": "timestamp", "required": True},
            "endsAt": {"type": "timestamp", "required": True},
            "note": "string",
        },
        "count": 20_000,
    }
    slot = {
        "id": ["planId", "first", "lane"],
        "attributes": {"planId": "string", "first": "number", "lane": "string", "last": {"type": "number"}},
    }
    time = {"start": "startsAt", "end": "endsAt", "longest": "14d"}
    number = {"start": "first", "end": "last", "longest": 30}
    patterns = [
        pattern("taken", "Booking", "roomId", overlaps=time, sort="startsAt", rate=20),
        pattern("last-taken", "Booking", "roomId", overlaps=time, sort="startsAt desc", limit=3, rate=20),
        pattern("how-many", "Booking", "roomId", overlaps=time, aggregate="count", rate=2),
        pattern("slots", "Slot", "planId", overlaps=number, sort="first", rate=9),
        {"id": "booking", "kind": "get", "entity": "Booking", "by": "bookingId", "rate": 9},
        write("book", "put", "Booking", "bookingId"),
        write("move", "update", "Booking", "bookingId", changes=["startsAt", "endsAt"]),
        write("edit", "update", "Booking", "bookingId"),
        write("add", "put", "Slot", ["planId", "first", "lane"]),
        write("prolong", "update", "Slot", ["planId", "first", "lane"], changes=["last"]),
    ]
    entities = {"Booking": booking, "Slot": slot}
    return design({"name": "bookings", "entities": entities, "access_patterns": patterns}, key_style=as_style(style))


def fan_out(style: str) -> Design:
    """A list by status from an index that has the status in front: asked once for every value."""
    status = {"values": ["new", "open", "sent", "done"], "required": True}
    ticket = {
        "id": "ticketId",
        "attributes": {
            "ticketId": "string",
            "team": {"required": True, "cardinality": 5},
            "status": status,
            "at": {"type": "timestamp", "required": True},
            "urgent": "boolean",
            "labels": "set",
            "scan": "binary",
            "more": "map",
            "steps": "list",
        },
    }
    of_status = pattern("of-status", "Ticket", ["team", "status"], sort="at desc", rate=100)
    patterns = [
        {"id": "get", "kind": "get", "entity": "Ticket", "by": "ticketId"},
        of_status,
        pattern("of-team", "Ticket", ["team"], sort="at desc", limit=7, rate=1),
        pattern("urgent", "Ticket", ["team"], sort="at", rate=1, filter={"urgent": True}, selectivity=0.5),
        write("put", "put", "Ticket", "ticketId"),
        write("change", "update", "Ticket", "ticketId"),
        write("close", "delete", "Ticket", "ticketId", when="status = 'done'"),
    ]
    spec = {"name": "tickets", "entities": {"Ticket": ticket}, "access_patterns": patterns}
    return design({**spec, "constraints": {"max_gsis": 1}}, key_style=as_style(style))


def keys_only(style: str) -> Design:
    """An index of keys alone, whose items are fetched one by one; another that holds a few attributes."""
    reads = [GET, PUT, PAY, SELDOM, {**BRIEF, "id": "brief", "by": ["status"]}]
    spec = {"name": "orders", "entities": {"Order": BIG}, "access_patterns": reads}
    return design({**spec, "constraints": {"key_style": style}}, aim="cost")


def local(style: str) -> Design:
    """Two orders of the same partition, read strongly."""
    line = {
        "id": ["orderId", "lineId"],
        "attributes": {"orderId": "string", "lineId": "string", "date": "timestamp", "price": "number"},
        "count": 10_000,
    }
    by_date = pattern("by-date", "Line", ["orderId"], sort="date", consistency="strong", rate=5)
    patterns = [
        by_date,
        {**by_date, "id": "by-price", "sort": "price"},
        write("change", "update", "Line", ["orderId", "lineId"]),
        write("put", "put", "Line", ["orderId", "lineId"]),
    ]
    spec = {"name": "lines", "entities": {"Line": line}, "access_patterns": patterns}
    return design({**spec, "constraints": {"lsis": True, "key_style": style}}, aim="gsis")


def native(style: str) -> Design:
    """An index on the attributes themselves."""
    order = {
        "id": ["orderId"],
        "attributes": {
            "orderId": "string",
            "region": {"type": "string", "cardinality": 20, "required": True},
            "total": {"type": "number", "required": True},
            "date": {"type": "timestamp", "required": True},
            "note": "string",
        },
    }
    patterns = [
        {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"]},
        pattern("since", "Order", ["region"], range={"attr": "date", "op": "gte"}),
        pattern("dear", "Order", ["region"], sort="total desc", limit=3),
        write("put", "put", "Order", ["orderId"]),
        write("move", "update", "Order", ["orderId"], changes=["region", "total"]),
    ]
    spec = {"name": "orders", "entities": {"Order": order}, "access_patterns": patterns}
    return design({**spec, "constraints": {"multi_attribute_keys": True, "key_style": style}})


def copies(style: str) -> Design:
    """Items written twice, so that each of two lists is read strongly."""
    order = {
        "id": ["orderId"],
        "attributes": {
            "orderId": "string",
            "region": {"required": True, "cardinality": 10},
            "date": {"type": "timestamp", "required": True, "immutable": True},
            "urgent": "boolean",
        },
    }
    strong = pattern("of-region", "Order", ["region"], sort="date", consistency="strong")
    patterns = [
        {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"], "consistency": "strong"},
        strong,
        write("mark", "update", "Order", ["orderId"], changes=["urgent"]),
        write("put", "put", "Order", ["orderId"]),
        write("drop", "delete", "Order", ["orderId"]),
    ]
    spec = {"name": "orders", "entities": {"Order": order}, "access_patterns": patterns}
    return design({**spec, "constraints": {"copies": "any", "key_style": style}}, aim="gsis")


def listed(style: str) -> Design:
    """Lists whose entries name the items of the answer: from the table, from an index, consistently, with a filter."""
    entities = {
        "Artist": {"id": "artistId", "attributes": {"name": {"required": True}}},
        "Track": {
            "id": "trackId",
            "attributes": {"title": {"required": True, "size_bytes": 900}, "artistId": {"presence": 0.8}},
            "ttl": "400d",
        },
        "Entry": {
            "id": ["listId", "at"],
            "attributes": {
                "at": "timestamp",
                "songId": {"references": "Track", "required": True, "immutable": True},
                "mood": {"values": ["calm", "loud"], "required": True, "immutable": True},
                "stars": {"type": "integer", "presence": 0.6},
            },
        },
    }
    through = {"through": "Entry"}
    patterns = [
        pattern("newest", "Track", "listId", sort="at desc", limit=5, **through),
        pattern("all", "Track", "listId", sort="at", returns=["trackId", "title"], **through),
        pattern("credits", "Track", "listId", sort="at", limit=9, returns=["title", "Artist.name"], **through),
        pattern("seen", "Track", "listId", sort="at desc", limit=3, consistency="strong", **through),
        pattern("loud", "Track", "listId", sort="at", filter={"mood": "loud"}, limit=4, **through),
        pattern("since", "Track", "listId", sort="at", range={"attr": "at", "op": "gte"}, **through),
        pattern("moods", "Track", "mood", sort="at desc", limit=30, **through),
        pattern("least", "Track", "listId", sort="stars", limit=6, **through),
        {"id": "track", "kind": "get", "entity": "Track", "by": "trackId"},
        {"id": "some", "kind": "batch", "entity": "Track", "by": "trackId", "items": 50},
        write("add", "put", "Entry", ["listId", "at"]),
        write("release", "put", "Track", "trackId"),
        write("withdraw", "delete", "Track", "trackId"),
        write("sign", "put", "Artist", "artistId"),
        write("part", "delete", "Artist", "artistId"),
    ]
    return design({"name": "tracks", "entities": entities, "access_patterns": patterns}, key_style=as_style(style))


# ---- what items become ----------------------------------------------------------------------------------------------


def rewritten(spec: dict[str, Any], style: str, *rewrites: Rewrite) -> Design:
    return write_table(solve({**spec, "constraints": {"key_style": style}}, rewrites=rewrites))


def sentinels(style: str) -> Design:
    """Unique values, found by them, children found through them, and a transaction."""
    both = {
        "id": "join",
        "kind": "write",
        "op": "transact",
        "entities": ["Customer", "Order"],
        "by": ["customerId", "orderId"],
    }
    spec = shops.shop(shops.CUSTOMER, shops.BY_EMAIL, shops.OF_EMAIL, shops.ORDER, both)
    lookup = Rewrite("lookup", "Customer", ("email",))
    return rewritten(spec, style, shops.UNIQUE, lookup, Rewrite("through", "of-email", ("Order",)))


def totals(style: str) -> Design:
    """Counts and sums kept in step, and numbers made while reading."""
    count = {**shops.SPENT, "id": "count", "aggregate": "count"}
    least = {**shops.LARGEST, "id": "least", "aggregate": {"min": "amount"}}
    spec = shops.shop(shops.SPENT, shops.PENDING, count, shops.LARGEST, least)
    kept = [Rewrite("total", "Order", (each,)) for each in ("spent", "pending", "count")]
    made = [Rewrite("reading", "largest", ("Order",)), Rewrite("whole", "least", ("Order",))]
    return rewritten(shops.changed(spec, "send-order", changes=["amount", "status"]), style, shops.UNIQUE, *kept, *made)


def embedded(style: str) -> Design:
    """Children in a map of their parent."""
    spec = shops.owned(shops.ORDER, shops.WITH_LINES, shops.LINES, shops.LINE)
    return rewritten(spec, style, shops.UNIQUE, Rewrite("embed", "Line", ("Order",)))


def packed(style: str) -> Design:
    """Samples in the items of their hours."""
    sample = {
        "id": ["probeId", "at"],
        "attributes": {"probeId": "string", "at": "timestamp", "heat": {"type": "number"}, "note": "string"},
        "count": 2_000_000,
        "growth_per_month": 2_000_000,
    }
    patterns = [
        pattern("between", "Sample", "probeId", range={"attr": "at", "op": "between"}, sort="at", rate=20),
        pattern("behind", "Sample", "probeId", range={"attr": "at", "op": "gt"}, sort="at desc", limit=3, rate=20),
        pattern("before", "Sample", "probeId", range={"attr": "at", "op": "lt"}, sort="at", rate=2),
        pattern("newest", "Sample", "probeId", sort="at desc", limit=4, rate=20),
        pattern("all", "Sample", "probeId", rate=2),
        {"id": "one", "kind": "get", "entity": "Sample", "by": ["probeId", "at"], "rate": 9},
        write("take", "put", "Sample", ["probeId", "at"], rate=20),
    ]
    spec = {
        "name": "probes",
        "entities": {"Probe": {"id": "probeId", "attributes": {"probeId": "string"}, "count": 100}, "Sample": sample},
        "access_patterns": patterns,
    }
    return rewritten(spec, style, Rewrite("pack", "Sample", ("at:13",)))


def divided(style: str) -> Design:
    """An item whose large attributes lie in another, joined where they are asked for."""
    named = {**shops.CUSTOMER, "id": "named", "kind": "query", "by": "name"}
    spec = shops.changed(shops.shop(shops.BRIEF, shops.CUSTOMER, named), "change-customer", changes=["bio", "name"])
    return rewritten(spec, style, shops.UNIQUE, Rewrite("split", "Customer", ("bio",)))


def parents(style: str) -> Design:
    """Answers that have attributes of a parent, which some items do not name."""
    returns = ["orderId", "status", "Customer.name", "Customer.email"]
    order = {**shops.ENTITIES["Order"]["attributes"], "customerId": {"presence": 0.7}}
    spec = shops.shop(
        pattern("of-status", "Order", "status", sort="amount", limit=4, returns=returns, rate=20),
        {**shops.ORDER, "returns": ["amount", "Customer.name"]},
        shops.CUSTOMER,
        pattern("names", "Order", "customerId", returns=["Customer.name"], rate=5),
        entities={"Order": {"attributes": order}},
    )
    asked = {"of-status": ("Customer.name", "Customer.email"), "order": ("Customer.name",), "names": ("Customer.name",)}
    return rewritten(spec, style, shops.UNIQUE, *(Rewrite("parents", id_, names) for id_, names in asked.items()))


def copied(style: str) -> Design:
    """Answers that have attributes of a parent, which are stored with the child: they never change."""
    customer = {"attributes": {**shops.ENTITIES["Customer"]["attributes"], "name": {"immutable": True}}}
    order = {"attributes": {**shops.ENTITIES["Order"]["attributes"], "customerId": {"required": True}}}
    spec = shops.without(
        shops.owned(
            pattern("of-status", "Order", "status", returns=["orderId", "Customer.name"], rate=20),
            {**shops.ORDER, "returns": ["amount", "Customer.name"]},
            {**shops.ORDER, "id": "whole"},
            entities={"Customer": {**customer, "unique": []}, "Order": order},
        ),
        "drop-customer",
    )
    spec = shops.changed(spec, "change-customer", changes=["email"])
    ids = [Rewrite("exact", "Customer"), Rewrite("exact", "Order")]
    asked = ("of-status", "order")
    return rewritten(spec, style, *ids, *(Rewrite("copied", id_, ("Customer.name",)) for id_ in asked))


def refreshed(style: str) -> Design:
    """Answers that have attributes of a parent, which are stored with the child: updates of the parent set them."""
    own = ["name", "goals", "Team.name", "Team.motto", "Team.points"]
    spec: dict[str, Any] = {
        "name": "squads",
        "entities": {
            "Team": {
                "id": "teamId",
                "attributes": {"name": {"required": True}, "motto": "string", "points": "integer", "city": "string"},
                "count": 100,
            },
            "Player": {
                "id": "playerId",
                "attributes": {"teamId": {"required": True}, "name": "string", "goals": "integer"},
                "count": 400,
            },
        },
        "relationships": [{"from": "Team", "to": "Player", "kind": "1:n", "avg": 4, "max": 40, "integrity": "checked"}],
        "access_patterns": [
            {"id": "player", "kind": "get", "entity": "Player", "by": "playerId", "returns": own, "rate": 50},
            pattern("squad", "Player", "teamId", returns=["playerId", "Team.name"], rate=5),
            {"id": "team", "kind": "get", "entity": "Team", "by": "teamId", "rate": 1},
            write("sign", "put", "Player", "playerId", rate=0.1),
            write("score", "update", "Player", "playerId", changes={"goals": {"add": 1}}, rate=0.1),
            write("leave", "delete", "Player", "playerId", rate=0.1),
            write("found", "put", "Team", "teamId", condition="not exists", rate=0.1),
            write("rename", "update", "Team", "teamId", changes=["name", "motto", "city"], rate=0.1),
            write("win", "update", "Team", "teamId", changes={"points": {"add": "{won}"}}, rate=0.1),
            write("begin", "update", "Team", "teamId", changes={"points": 0, "motto": {"remove": True}}, rate=0.1),
            write("edit", "update", "Team", "teamId", rate=0.1),
        ],
    }
    asked = {"player": ("Team.name", "Team.motto", "Team.points"), "squad": ("Team.name",)}
    ids = [Rewrite("exact", "Team")]
    return rewritten(spec, style, *ids, *(Rewrite("refreshed", id_, names) for id_, names in asked.items()))


def latest(style: str) -> Design:
    """Items that name the newest of a group, by time and by number, a copy of it, and the one that is marked; of two
    puts, one is in a transaction.
    """
    settled = {"required": True, "immutable": True}
    version = {
        "id": ["docId", "number"],
        "attributes": {
            "number": "number",
            "savedAt": {"type": "timestamp", **settled},
            "authorId": settled,
            "kind": {"values": ["draft", "final"], **settled},
            "title": "string",
            "marked": {"values": ["yes"], "presence": 0.02},
        },
        "unique": [["authorId", "marked"]],
        "count": 1000,
    }
    newest: dict[str, Any] = {"kind": "get", "entity": "Version", "consistency": "strong"}
    spec: dict[str, Any] = {
        "name": "documents",
        "entities": {
            "Document": {"id": "docId", "attributes": {"versions": "number"}, "count": 50},
            "Version": version,
        },
        "access_patterns": [
            {**newest, "id": "current", "by": "docId", "sort": "number desc"},
            {**newest, "id": "written", "by": "authorId", "sort": "savedAt desc"},
            {
                "id": "of-kind",
                "kind": "get",
                "entity": "Version",
                "by": "authorId",
                "filter": {"kind": "final"},
                "sort": "savedAt desc",
                "returns": ["docId", "number", "savedAt"],
            },
            {"id": "marked", "kind": "get", "entity": "Version", "by": "authorId", "filter": {"marked": "yes"}},
            {"id": "one", "kind": "get", "entity": "Version", "by": ["docId", "number"]},
            write("save", "put", "Version", ["docId", "number"]),
            {
                "id": "publish",
                "kind": "write",
                "op": "transact",
                "by": ["docId", "number"],
                "ops": {
                    "Version": {"op": "put", "condition": "not exists"},
                    "Document": {"op": "update", "changes": {"versions": {"add": 1}}},
                },
            },
            write("rename", "update", "Version", ["docId", "number"], changes=["title"]),
            write("unmark", "update", "Version", ["docId", "number"], changes={"marked": {"remove": True}}),
            write("open", "put", "Document", "docId"),
        ],
    }
    named = (Rewrite("latest", "Version", each) for each in (("docId", "number"), ("authorId", "savedAt")))
    copy = Rewrite("newest", "Version", ("authorId", "kind", "savedAt"))
    marked = (Rewrite(kind, "Version", ("authorId", "marked")) for kind in ("unique", "lookup"))
    return rewritten(spec, style, Rewrite("exact", "Version"), *named, copy, *marked)


def apart(style: str) -> Design:
    """Two entities together by two queries."""
    return rewritten(
        shops.shop(shops.ORDER, shops.WITH_LINES), style, shops.UNIQUE, Rewrite("apart", "all", ("Order", "Line"))
    )


def edge(style: str) -> Design:
    """Parents that lie behind their newest children, and before their oldest; some parents are not there."""
    time = {"type": "timestamp", "required": True}
    spec: dict[str, Any] = {
        "name": "edges",
        "entities": {
            "Device": {"id": "deviceId", "attributes": {"model": {"required": True}}, "count": 100},
            "Sample": {"id": ["deviceId", "at"], "attributes": {"at": time, "value": "number"}, "count": 1000},
            "Talk": {"id": ["roomId", "talkId"], "attributes": {"title": "string"}, "count": 100},
            "Line": {"id": ["roomId", "talkId", "number"], "attributes": {"number": "number"}, "ttl": "30d"},
        },
        "access_patterns": [
            together("newest", ["Device", "Sample"], "deviceId", sort="at desc", limit=4, rate=10),
            together("fresh", ["Sample", "Device"], "deviceId", sort="at desc", limit=1, rate=10),
            together("oldest", ["Talk", "Line"], ["roomId", "talkId"], sort="number", limit={"Line": 3}, rate=10),
            {"id": "device", "kind": "get", "entity": "Device", "by": "deviceId", "rate": 1},
            pattern("samples", "Sample", "deviceId", sort="at", rate=1),
            write("install", "put", "Device", "deviceId"),
            write("scrap", "delete", "Device", "deviceId"),
            write("take", "put", "Sample", ["deviceId", "at"]),
            write("begin", "put", "Talk", ["roomId", "talkId"]),
            write("rename", "update", "Talk", ["roomId", "talkId"], changes=["title"]),
            write("say", "put", "Line", ["roomId", "talkId", "number"]),
            write("unsay", "delete", "Line", ["roomId", "talkId", "number"]),
        ],
    }
    return design(spec, key_style=as_style(style))


def as_style(style: str) -> Any:
    return style


def read_copies(style: str) -> Design:
    """Single items and short lists that are read more often than a partition serves; a key of theirs changes."""
    dish = {
        "id": ["dishId"],
        "count": 40,
        "size_bytes": 150,
        "attributes": {
            "dishId": "string",
            "kind": {"type": "string", "values": ["main", "side"], "required": True},
            "title": {"type": "string", "required": True},
            "price": "number",
        },
    }
    patterns = [
        {"id": "get", "kind": "get", "entity": "Dish", "by": ["dishId"], "rate": 5000, "skew": "hottest 50%"},
        pattern("of", "Dish", ["kind"], sort="title desc", limit=5, rate=2500, consistency="strong"),
        write("add", "put", "Dish", ["dishId"], rate=1),
        write("change", "update", "Dish", ["dishId"], changes=["price", "title", "kind"], rate=1),
        write("drop", "delete", "Dish", ["dishId"], rate=1),
    ]
    return design({"name": "menu", "entities": {"Dish": dish}, "access_patterns": patterns}, key_style=as_style(style))


SPECIALS: dict[str, Callable[[str], Design]] = {
    each.__name__: each
    for each in (
        shards,
        buckets,
        walks,
        overlaps,
        fan_out,
        keys_only,
        local,
        native,
        copies,
        listed,
        sentinels,
        totals,
        embedded,
        packed,
        divided,
        parents,
        copied,
        refreshed,
        latest,
        apart,
        edge,
        read_copies,
    )
}


@cache
def special(name: str, style: str) -> Design:
    return SPECIALS[name](style)

"""As little as a call can take in Python: nothing is checked, nothing can go wrong, and one entity is known.

A bare socket, a signature with the day's key at hand, requests written by hand, answers decoded into msgspec structs
that the garbage collector does not follow, and from them into objects.
"""

from __future__ import annotations

import hashlib
import hmac
import socket
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from benchmarks.calls.client import Client
from benchmarks.calls.workload import (
    ACCESS_KEY,
    BATCH,
    BULK,
    REGION,
    SECRET_KEY,
    TABLE,
    partition,
    plain_order,
    sort,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.calls.workload import Facts

SIGNED = "content-type;host;x-amz-date;x-amz-target"
CONTENT_TYPE = "application/x-amz-json-1.0"
encode = msgspec.json.Encoder().encode
LIST: Any = list  # of types that are made at run time


class Geo(msgspec.Struct):
    lat: float
    lon: float


class Address(msgspec.Struct):
    street: str
    city: str
    zip: str
    geo: Geo


class Line(msgspec.Struct):
    sku: str
    qty: int
    price: float


class Order(msgspec.Struct):
    customer: str
    order_id: str
    status: str
    total: float
    quantity: int
    created_at: str
    paid: bool
    tags: set[str]
    address: Address
    lines: list[Line]


# ---- requests --------------------------------------------------------------------------------------------------------


class Wire:
    """Signs, sends and receives on one connection."""

    def __init__(self, endpoint: str) -> None:
        parts = urlsplit(endpoint)
        self.host = parts.netloc
        self.sock = socket.create_connection((parts.hostname, parts.port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray(1 << 18)
        self.view = memoryview(self.buffer)
        self.second = -1
        self.key = b""
        self.heads: dict[str, tuple[str, str, str]] = {}

    def call(self, action: str, body: bytes) -> memoryview:
        second = int(time.time())
        if second != self.second:
            self.second, self.heads = second, {}
        head = self.heads.get(action)
        if head is None:
            head = self.heads[action] = self.head(action)
        canonical = head[0] + hashlib.sha256(body).hexdigest()
        to_sign = head[1] + hashlib.sha256(canonical.encode()).hexdigest()
        signature = hmac.digest(self.key, to_sign.encode(), "sha256").hex()
        self.sock.sendall(f"{head[2]}{signature}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return self.receive()

    def head(self, action: str) -> tuple[str, str, str]:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(self.second))
        scope = f"{stamp[:8]}/{REGION}/dynamodb/aws4_request"
        self.key = f"AWS4{SECRET_KEY}".encode()
        for part in scope.split("/"):
            self.key = hmac.digest(self.key, part.encode(), "sha256")
        target = f"DynamoDB_20120810.{action}"
        lines = f"content-type:{CONTENT_TYPE}\nhost:{self.host}\nx-amz-date:{stamp}\nx-amz-target:{target}\n"
        head = (
            f"POST / HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: {CONTENT_TYPE}\r\nX-Amz-Target: {target}\r\n"
            f"X-Amz-Date: {stamp}\r\nAuthorization: AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, "
            f"SignedHeaders={SIGNED}, Signature="
        )
        return f"POST\n/\n\n{lines}\n{SIGNED}\n", f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n", head

    def receive(self) -> memoryview:
        come = self.sock.recv_into(self.buffer)
        end = self.buffer.find(b"\r\n\r\n", 0, come)
        at = self.buffer.find(b"Content-Length: ", 0, end) + 16
        total = end + 4 + int(self.buffer[at : self.buffer.find(b"\r", at)])
        while come < total:
            come += self.sock.recv_into(self.view[come:])
        return self.view[end + 4 : total]


def key(number: int) -> dict[str, Any]:
    return {"pk": {"S": partition(number)}, "sk": {"S": sort(number)}}


def put_request(order: Order) -> dict[str, Any]:
    to = order.address
    return {
        "PutRequest": {
            "Item": {
                "pk": {"S": f"$shop#customer_{order.customer}"},
                "sk": {"S": f"$order_1#orderid_{order.order_id}"},
                "gsi1pk": {"S": f"$shop#status_{order.status}"},
                "gsi1sk": {"S": f"$order_1#createdat_{order.created_at}".lower()},
                "__edb_e__": {"S": "order"},
                "__edb_v__": {"S": "1"},
                "customer": {"S": order.customer},
                "orderId": {"S": order.order_id},
                "status": {"S": order.status},
                "total": {"N": repr(order.total)},
                "quantity": {"N": repr(order.quantity)},
                "createdAt": {"S": order.created_at},
                "paid": {"BOOL": order.paid},
                "tags": {"SS": list(order.tags)},
                "address": {
                    "M": {
                        "street": {"S": to.street},
                        "city": {"S": to.city},
                        "zip": {"S": to.zip},
                        "geo": {"M": {"lat": {"N": repr(to.geo.lat)}, "lon": {"N": repr(to.geo.lon)}}},
                    }
                },
                "lines": {
                    "L": [
                        {"M": {"sku": {"S": line.sku}, "qty": {"N": repr(line.qty)}, "price": {"N": repr(line.price)}}}
                        for line in order.lines
                    ]
                },
            }
        }
    }


# ---- answers ---------------------------------------------------------------------------------------------------------


def wire(name: str, **fields: Any) -> Any:
    return msgspec.defstruct(name, list(fields.items()), gc=False)


def decoder(member: str, kind: Any) -> Callable[[memoryview], Any]:
    """Lax, so that numbers, which are texts on the wire, become numbers."""
    return msgspec.json.Decoder(wire("Reply", **{member: kind}), strict=False).decode


S, B, F, I = wire("S", S=str), wire("B", BOOL=bool), wire("F", N=float), wire("I", N=int)  # noqa: E741
WireLine = wire("WireLine", M=wire("LineMembers", sku=S, qty=I, price=F))
WireAddress = wire(
    "WireAddress",
    M=wire("AddressMembers", street=S, city=S, zip=S, geo=wire("WireGeo", M=wire("GeoMembers", lat=F, lon=F))),
)
WireOrder = wire(
    "WireOrder",
    customer=S,
    orderId=S,
    status=S,
    total=F,
    quantity=I,
    createdAt=S,
    paid=B,
    tags=wire("WireTags", SS=set[str]),
    address=WireAddress,
    lines=wire("WireLines", L=LIST[WireLine]),
)
decode_get, decode_update = decoder("Item", WireOrder), decoder("Attributes", WireOrder)
decode_query = decoder("Items", LIST[WireOrder])


def order_of(found: Any) -> Order:
    to = found.address.M
    geo = to.geo.M
    return Order(
        found.customer.S,
        found.orderId.S,
        found.status.S,
        found.total.N,
        found.quantity.N,
        found.createdAt.S,
        found.paid.BOOL,
        found.tags.SS,
        Address(to.street.S, to.city.S, to.zip.S, Geo(geo.lat.N, geo.lon.N)),
        [Line(line.M.sku.S, line.M.qty.N, line.M.price.N) for line in found.lines.L],
    )


def facts(order: Order) -> Facts:
    last = order.lines[-1]
    return order.status, order.total, order.quantity, order.address.city, last.sku, last.qty, len(order.tags)


# ---- the client ------------------------------------------------------------------------------------------------------


def open_client(endpoint: str) -> Client:
    connection = Wire(endpoint)
    call = connection.call
    plain = [plain_order(number) for number in range(BULK)]
    orders = [
        msgspec.convert({**each, "order_id": each["orderId"], "created_at": each["createdAt"]}, Order) for each in plain
    ]

    def get(number: int) -> Order:
        return order_of(decode_get(call("GetItem", encode({"TableName": TABLE, "Key": key(number)}))).Item)

    def update(number: int) -> Order:
        params = {
            "TableName": TABLE,
            "Key": key(number),
            "UpdateExpression": "SET #s = :s, #a.#c = :c, #g = :g ADD #q :q",
            "ConditionExpression": "#s = :old",
            "ReturnValues": "ALL_NEW",
            "ExpressionAttributeNames": {
                "#s": "status",
                "#a": "address",
                "#c": "city",
                "#g": "gsi1pk",
                "#q": "quantity",
            },
            "ExpressionAttributeValues": {
                ":s": {"S": "paid"},
                ":c": {"S": f"City {number}"},
                ":g": {"S": "$shop#status_paid"},
                ":q": {"N": "1"},
                ":old": {"S": "pending"},
            },
        }
        return order_of(decode_update(call("UpdateItem", encode(params))).Attributes)

    def query(number: int) -> list[Order]:
        params = {
            "TableName": TABLE,
            "KeyConditionExpression": "#pk = :pk and begins_with(#sk, :sk)",
            "ExpressionAttributeNames": {"#pk": "pk", "#sk": "sk"},
            "ExpressionAttributeValues": {":pk": {"S": partition(number)}, ":sk": {"S": "$order_1#orderid_"}},
        }
        return [order_of(each) for each in decode_query(call("Query", encode(params))).Items]

    def bulk(_: int) -> None:
        for start in range(0, BULK, BATCH):
            requests = [put_request(order) for order in orders[start : start + BATCH]]
            call("BatchWriteItem", encode({"RequestItems": {TABLE: requests}}))

    return Client(get, update, query, bulk, facts, close=connection.sock.close)

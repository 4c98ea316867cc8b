"""Calls whose items were written before look like any other."""

from __future__ import annotations

import msgspec

from tablewright.wire.call import Call, Written
from tablewright.wire.document import Text, to_wire

PLAIN = {
    "RequestItems": {"app": [{"PutRequest": {"Item": {"pk": "a", "n": 1}}}, {"DeleteRequest": {"Key": {"pk": "b"}}}]}
}
TYPED = to_wire(PLAIN)


def test_items_that_are_text_are_sent_as_they_are() -> None:
    item = Text(b'{"pk":{"S":"a"},"n":{"N":"1"}}')
    put, delete = {"PutRequest": {"Item": item}}, {"DeleteRequest": {"Key": {"pk": "b"}}}
    call = Written("BatchWriteItem", to_wire({"RequestItems": {"app": [put, delete]}}))
    assert call.text() == Call("BatchWriteItem", TYPED).text()
    assert call.params == TYPED
    assert isinstance(call, Call)


def test_parameters_can_be_added_to() -> None:
    call = Written("BatchWriteItem", {"RequestItems": {"app": [msgspec.Raw(b'{"x":1}')]}})
    more = Call(call.action, {**call.params, "ReturnConsumedCapacity": "INDEXES"})
    assert msgspec.json.decode(more.text()) == {
        "RequestItems": {"app": [{"x": 1}]},
        "ReturnConsumedCapacity": "INDEXES",
    }


def test_text_tells_its_values() -> None:
    item = Text(b'{"pk":{"S":"a"},"n":{"N":"1"}}')
    assert (item.get("pk"), item.get("n"), item.get("x")) == ("a", 1, None)
    assert item.plain() == {"pk": "a", "n": 1}

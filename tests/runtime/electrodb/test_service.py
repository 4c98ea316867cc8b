from __future__ import annotations

import pytest

from tablewright.errors import RequestError
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.harbor import berth, harbor, stored


def test_the_items_own_entity_is_found() -> None:
    service = harbor()
    captain = service.captains.put(name="N", vessel="V").params()["Item"]
    assert service.parse(captain) == ("captains", {"name": "N", "vessel": "V"})
    found = service.parse(stored(vessel="V"))
    assert found is not None
    assert found[0] == "berths"
    assert service.parse({"pk": "x"}) is None


def test_a_collection_is_sorted_by_owner() -> None:
    service = harbor()
    captain = service.captains.put(name="N", vessel="V").params()["Item"]
    client = Recorded([{"Items": [captain, stored(vessel="V"), {"pk": "stray"}]}])
    found = harbor(client).collections.fleet(vessel="V").go()
    assert {alias: len(items) for alias, items in found["data"].items()} == {"berths": 1, "captains": 1}


def test_members_of_the_wrong_kind_are_refused() -> None:
    service = harbor()
    with pytest.raises(RequestError, match="takes no gets"):
        service.transaction.write(lambda berths, captains: [captains.get(name="N").commit()])
    with pytest.raises(RequestError, match="get alone"):
        service.transaction.get(lambda berths, captains: [captains.delete(name="N").commit()])


def test_what_is_unknown_is_answered_with_what_there_is() -> None:
    with pytest.raises(AttributeError, match="fleet"):
        harbor().collections.navy(vessel="V")
    with pytest.raises(AttributeError, match="berths, captains"):
        harbor().sailors.get(name="N")


def test_clients_and_listeners_are_looked_at_when_given() -> None:
    with pytest.raises(RequestError) as bad_client:
        harbor({})
    assert bad_client.value.code == 1023
    with pytest.raises(RequestError) as bad_listener:
        harbor(listeners=[5])
    assert bad_listener.value.code == 1021
    with pytest.raises(RequestError) as no_client:
        berth().get(harbor="H", slot=1).go()
    assert no_client.value.code == 1001

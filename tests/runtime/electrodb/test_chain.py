from __future__ import annotations

import logging
from typing import Any

import pytest

from tablewright.errors import RequestError, ValidationError
from tests.runtime.harbor import berth, harbor


def test_every_step_gives_a_new_chain() -> None:
    chain = berth().update(harbor="H", slot=1)
    chain.set(note=1)
    assert "#note" not in chain.params()["UpdateExpression"]


def test_values_come_as_keywords_or_as_a_dict() -> None:
    chain = berth().update({"harbor": "H", "slot": 1})
    assert chain.set(note=1).params() == chain.set({"note": 1}).params()


def test_after_a_condition_only_conditions_follow() -> None:
    chain = berth().query.main(harbor="H").where(lambda a, op: op.exists(a.log))
    with pytest.raises(AttributeError, match="gt"):
        chain.gt(slot=1)


def test_an_upsert_has_no_remove() -> None:
    with pytest.raises(AttributeError, match="remove"):
        berth().upsert(harbor="H", slot=1).remove(["note"])  # type: ignore[attr-defined]


def test_isolated_collections_have_no_sort_composites_to_compare() -> None:
    with pytest.raises(AttributeError, match="gt"):
        harbor().collections.fleet(vessel="V").gt(state="free")  # type: ignore[attr-defined]


def test_composite_completes_keys_and_must_hold() -> None:
    chain = berth().patch(harbor="H", slot=1).set(since="T")
    params = chain.composite(state="taken").params()
    assert params["ExpressionAttributeValues"][":gsi1sk0"] == "$fleet#berth_1#state_taken#since_t"
    assert params["ConditionExpression"].endswith("#state = :state0")
    with pytest.raises(RequestError) as refused:
        chain.composite(state="taken").composite(state="free")
    assert refused.value.code == 2010


def test_an_attribute_nobody_knows_is_overlooked_by_set_and_refused_by_remove() -> None:
    chain = berth().update(harbor="H", slot=1)
    assert "#zz" not in chain.set(zz=1).params()["UpdateExpression"]
    with pytest.raises(ValidationError, match="zz"):
        chain.remove(["zz"]).params()


@pytest.mark.parametrize("clauses", [{"set": {"born": "x"}}, {"set": {"harbor": "x"}}, {"add": {"born": 1}}])
def test_what_must_not_change_is_refused(clauses: dict[str, Any]) -> None:
    chain: Any = berth().update(harbor="H", slot=1)
    for name, values in clauses.items():
        chain = getattr(chain, name)(values)
    with pytest.raises(ValidationError):
        chain.params()


def test_removing_twice_is_removing() -> None:
    params = berth().update(harbor="H", slot=1).remove(["note"]).remove(["note", "log"]).params()
    assert params["UpdateExpression"].endswith("REMOVE #note, #log")


def test_two_changes_of_one_place_are_refused() -> None:
    with pytest.raises(RequestError, match=r"log and log\[0\]"):
        berth().update(harbor="H", slot=1).append(log=["x"]).remove(["log[0]"]).params()


def test_watchers_follow_what_they_watch() -> None:
    params = berth().update(harbor="H", slot=1).set(vessel="anna").params()
    assert params["ExpressionAttributeValues"][":shout0"] == "ANNA"


def test_a_sort_composite_behind_a_missing_one_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "tablewright"):
        params = berth().query.byVessel(vessel="V", since="S").params()
    assert params["ExpressionAttributeValues"][":sk1"] == "$fleet#berth_1#state_"
    assert "since does not count, because state in front of it is missing" in caplog.text


def test_batches_take_no_conditions() -> None:
    with pytest.raises(RequestError, match="no conditions in a batch"):
        berth().put([{"harbor": "H", "slot": 1}]).where(lambda a, op: op.exists(a.log))


def test_a_check_belongs_in_a_transaction() -> None:
    with pytest.raises(RequestError, match=r"commit\(\)"):
        berth().check(harbor="H", slot=1).go()

"""What expires is left out of answers when its time has come, compared with an application over dictionaries."""

from __future__ import annotations

from typing import Any

import pytest

from tests.architect.assembly.dictionary import NOW, Running

SESSION: dict[str, Any] = {
    "id": "sessionId",
    "attributes": {
        "userId": {"required": True},
        "startedAt": {"type": "timestamp", "required": True},
        "until": {"type": "number", "required": True},
    },
    "count": 10_000,
    "ttl": {"attribute": "until"},
}
SESSIONS = [
    {"sessionId": f"s{number}", "userId": f"u{number % 2}", "startedAt": f"2026-01-{1 + number:02d}", "until": until}
    for number, until in enumerate((NOW - 1, NOW, NOW + 1, NOW + 9, NOW - 9, NOW + 2, NOW + 3, NOW - 2, NOW + 4))
]


def sessions(*patterns: dict[str, Any], session: dict[str, Any] = SESSION, **constraints: Any) -> Running:
    spec = {
        "name": "sessions",
        "entities": {"Session": session},
        "access_patterns": [{"kind": "query", "entity": "Session", "rate": 10, **each} for each in patterns],
        "constraints": {"key_style": "plain", **constraints},
    }
    return Running(spec, {"Session": SESSIONS})


class TestExpiry:
    LIST = {"id": "of-user", "by": "userId", "sort": "startedAt desc"}

    @pytest.mark.parametrize("expired", ["hidden", "shown"])
    def test_items_whose_time_has_passed_are_hidden_unless_shown(self, expired: str) -> None:
        asked = {**self.LIST, "expired": expired}
        get = {"id": "get", "kind": "get", "by": "sessionId", "expired": expired}
        batch = {**get, "id": "some", "kind": "batch"}
        running = sessions(asked, {**asked, "id": "newest", "limit": 2}, get, batch)
        for number in range(2):
            running.check("of-user", userId=f"u{number}")
            running.check("newest", userId=f"u{number}")
        for each in SESSIONS:
            running.check("get", sessionId=each["sessionId"])
        running.check("some", ids=[{"sessionId": each["sessionId"]} for each in SESSIONS])
        assert {step.unexpired for step in running.step("newest")} == {None if expired == "shown" else "until"}

    def test_the_limit_is_sent_all_the_same(self) -> None:
        running = sessions({**self.LIST, "limit": 2})
        assert all(each.sends_limit for each in running.compiled.reads["of-user"])

    @pytest.mark.parametrize("returned", [["sessionId"], ["sessionId", "note"]])
    def test_an_index_that_holds_little_knows_when_items_go(self, returned: list[str]) -> None:
        large = {**SESSION, "attributes": {**SESSION["attributes"], "note": "string", "text": {"size_bytes": 50_000}}}
        put = {"id": "put", "kind": "write", "op": "put", "by": "sessionId", "rate": 100}
        running = sessions({**self.LIST, "returns": returned, "rate": 200}, put, session=large)
        (gsi,) = running.design.tables[0].gsis
        assert gsi.projection.type == "INCLUDE"
        assert len(running.read("of-user", userId="u0")["Session"]) == 3

    def test_keys_alone_do_not_know_it_and_the_items_do(self) -> None:
        large = {**SESSION, "attributes": {**SESSION["attributes"], "text": {"size_bytes": 100_000}}}
        running = sessions({**self.LIST, "limit": 2, "rate": 0.01}, session=large)
        assert [(each.operation, each.unexpired) for each in running.step("of-user")] == [
            ("Query", None),
            ("BatchGetItem", "until"),
        ]
        running.check("of-user", userId="u0")
        running.check("of-user", userId="u1")

    def test_days_to_live_are_counted_from_the_put(self) -> None:
        days = {
            **SESSION,
            "attributes": {k: v for k, v in SESSION["attributes"].items() if k != "until"},
            "ttl": {"days": 3},
        }
        running = sessions(self.LIST, session=days)
        assert {step.unexpired for step in running.step("of-user")} == {"expiresAt"}

    def test_multi_attribute_keys_cannot_be_filtered_by(self) -> None:
        running = sessions({**self.LIST, "sort": "until desc"}, multi_attribute_keys=True)
        running.check("of-user", userId="u0")

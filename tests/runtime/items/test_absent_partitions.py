"""An update of an index's sort attribute, of items that are in the index and of items that are not."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr

club = tw.Service("club", table="club")


class Player(tw.Entity, service=club, name="player"):
    player: Attr[str]
    team: Attr[str | None] = attr(default=None)
    rank: Attr[str | None] = attr(default=None)

    @tw.primary
    def key(self, player: str) -> None:
        """One player."""

    @tw.index("gsi1")
    def by_team(self, team: str, *, rank: str = ANY) -> None:
        """A team by rank."""


def stored(db: tw.Database) -> dict[str, Any]:
    engine: Any = db.transport
    (item,) = engine.engine.call("Scan", {"TableName": "club"})["Items"]
    return {name: next(iter(value.values())) for name, value in item.items()}


@pytest.mark.parametrize("teams", [(None, "red", None), ("red", None, "red")], ids=str)
def test_the_item_is_stored_as_a_put_would_store_it(teams: tuple[str | None, ...]) -> None:
    for team in teams:  # the second finds what is remembered of the first
        db = tw.Database.embedded()
        db.create(club)
        db.run(Player(player="p1", team=team).put())
        player = db.run(Player.key("p1").get())
        assert player is not None
        db.run(player.patch(Player.rank.set("a")))
        patched = stored(db)
        db.run(Player(player="p1", team=team, rank="a").put())
        assert patched == stored(db)
        assert ("gsi1pk" in patched) is (team is not None)


def test_a_team_that_came_meanwhile_is_noticed() -> None:
    db = tw.Database.embedded()
    db.create(club)
    db.run(Player(player="p1").put())
    alone = db.run(Player.key("p1").get())
    assert alone is not None
    db.run(alone.patch(Player.team.set("red")))
    with pytest.raises(tw.ConditionFailed):
        db.run(alone.patch(Player.rank.set("a")))


@pytest.mark.parametrize("team", [None, "red"])
def test_the_same_by_key_where_the_caller_says_what_the_item_is(team: str | None) -> None:
    params = Player.key("p1").patch(Player.rank.set("a")).composite(team=team).params()
    assert ("gsi1sk" in params["UpdateExpression"].split("REMOVE")[0]) is (team is not None)

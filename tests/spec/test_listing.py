"""Lists whose entries name the items of the answer: which attributes do, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.listing import as_list, entities_read, item_pattern, listing_of
from tablewright.spec.read import SpecFaults, read_spec
from tablewright.spec.write import spec_data

FEED: dict[str, Any] = {"id": "feed", "kind": "query", "entity": "Post", "through": "Entry", "by": "userId"}


def spec_of(entry: Any = None, post: Any = None, **said: Any) -> dict[str, Any]:
    return {
        "name": "feed",
        "entities": {
            "Post": {"id": "postId", "attributes": {"text": {}, "userId": {}}, **(post or {})},
            "Entry": entry or {"id": ["userId", "postId"], "attributes": {"at": "timestamp"}},
        },
        "access_patterns": [{**FEED, **said}, {"id": "one", "kind": "get", "entity": "Post", "by": "postId"}],
    }


def entry(**attributes: Any) -> dict[str, Any]:
    return {"id": ["userId", "at"], "attributes": {"at": "timestamp", **attributes}}


def faults_of(spec: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(SpecFaults) as found:
        read_spec(spec)
    return {where.removeprefix("the spec: access_patterns[0]"): problem for where, problem in found.value.faults}


# ---- what names the item --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (spec_of(), {"postId": "postId"}),
        (spec_of(entry(itemId={"references": "Post"})), {"postId": "itemId"}),
        (spec_of(entry(itemId={}), through="Entry.itemId"), {"postId": "itemId"}),
        (spec_of(entry(postId={}, itemId={"references": "Post"})), {"postId": "postId"}),  # the same name comes first
        (
            spec_of(entry(blogId={}, postId={}), {"id": ["blogId", "postId"]}, sort="at desc"),
            {"blogId": "blogId", "postId": "postId"},
        ),
    ],
)
def test_what_names_the_items(written: dict[str, Any], names: dict[str, str]) -> None:
    written["access_patterns"] = written["access_patterns"][:1]
    spec = read_spec(written)
    listing = listing_of(spec, spec.patterns[0])
    assert listing is not None
    assert (listing.entity, dict(listing.names)) == ("Entry", names)
    assert entities_read(spec, spec.patterns[0]) == ("Post", "Entry")
    assert set(names.values()) <= assume(spec).present["Entry"]  # whoever names nothing would be no entry


def test_an_entity_may_lead_to_others_of_its_own() -> None:
    spec = read_spec(spec_of(post={"attributes": {"userId": {}, "replyTo": {}}}, through="Post.replyTo"))
    listing = listing_of(spec, spec.patterns[0])
    assert listing is not None
    assert (listing.entity, dict(listing.names)) == ("Post", {"postId": "replyTo"})


def test_a_pattern_is_a_list_and_a_batch() -> None:
    spec = read_spec(
        spec_of(limit=20, sort="at desc", returns=["text"], skew={"userId": "hottest 5%", "postId": "zipf 1"})
    )
    feed, one = spec.patterns
    asked, listing = as_list(spec, feed), listing_of(spec, feed)
    assert listing is not None
    assert (asked.id, asked.entities, asked.limit, asked.returns, asked.through) == (
        "feed",
        ("Entry",),
        20,
        ("postId",),
        None,
    )
    items = item_pattern(spec, feed, listing, "feed.2")
    assert (items.kind, items.entities, items.by, items.returns, items.limit) == (
        "batch",
        ("Post",),
        ("postId",),
        ("text",),
        None,
    )
    assert list(items.skews) == ["postId"]
    assert as_list(spec, one) is one


def test_a_spec_is_written_as_it_was_read() -> None:
    spec = read_spec(spec_of(entry(itemId={}), through="Entry.itemId"))
    assert read_spec(spec_data(spec)) == spec


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "place", "words"),
    [
        (spec_of(through="Entri"), ".through", 'there is no entity "Entri". Did you mean "Entry"?'),
        (spec_of(through="Entry.postID"), ".through", 'Entry has no attribute "postID". Did you mean "postId"?'),
        (spec_of(entry()), ".through", "Entry has no postId, which the id of Post is made of. Write the attribute"),
        (spec_of(through="Post"), ".through", "a Post does not name itself"),
        (spec_of(entry(postId={}), {"id": ["blogId", "postId"]}), ".through", "Give it attributes of these names."),
        (
            spec_of(entry(postId={}), {"id": ["blogId", "postId"]}, through="Entry.postId"),
            ".through",
            "which one attribute cannot name",
        ),
        (spec_of(entry(postId="number")), ".through", "Entry.postId is a number, and Post.postId a string"),
        (spec_of(entry(postId={"required": False})), ".through", "an entry without postId would name no Post"),
        (spec_of(entry(postId={"presence": 0.5})), ".through", "an entry without postId would name no Post"),
        (spec_of(kind="get"), ".through", "is for a query"),
        (spec_of(kind="write", op="put"), ".through", "is for reads"),
        (spec_of(limit={"Post": 5}), ".limit", "counts the entries of Entry; write a number."),
        (spec_of(aggregate="count"), ".aggregate", "ask for it in a pattern of Entry itself"),
        (spec_of(search="text"), ".search", "ask for it in a pattern of Entry itself"),
        (spec_of(by="text"), ".by", 'Entry has no attribute "text"'),
        (spec_of(sort="text"), ".sort", 'Entry has no attribute "text"'),
        (spec_of(filter={"text": "x"}), ".filter", 'Entry has no attribute "text"'),
        (spec_of(returns="at"), ".returns", 'Post has no attribute "at"'),
        (spec_of(expired="shown"), ".expired", "nothing of Entry expires"),
        (spec_of(limit=0), ".limit", "0 items are no answer"),
    ],
)
def test_what_cannot_be_meant_is_refused(written: dict[str, Any], place: str, words: str) -> None:
    assert words in faults_of(written).get(place, ""), faults_of(written)


def test_several_entities_are_refused() -> None:
    written = spec_of()
    del written["access_patterns"][0]["entity"]
    written["access_patterns"][0]["entities"] = ["Post", "Entry"]
    assert "name items of one entity" in faults_of(written)[".through"]


def test_an_upsert_that_names_nothing_is_refused() -> None:
    written = spec_of(entry(postId={}))
    change = {"kind": "write", "op": "update", "entity": "Entry", "by": ["userId", "at"]}
    written["access_patterns"].append({"id": "mark", **change, "changes": {"at2": {"given": True}}, "upsert": True})
    written["entities"]["Entry"]["attributes"]["at2"] = "number"
    assert "an entry without postId" in faults_of(written)[".through"]


def test_what_expires_of_the_items_may_be_shown() -> None:
    read_spec(spec_of(post={"ttl": "30d"}, expired="shown"))

from __future__ import annotations

import msgspec
import pytest

from tablewright.design.values.buckets import BUCKET
from tablewright.review.operations.guidance import guidance
from tests.review.applications import EVENT, LAST, PROJECT, PUT_EVENT, TASK, app


def of(design, id_):
    found = guidance(design)[id_]
    return found.paging, found.retries


def said(pattern, *others, event=None):
    design = app({"Event": {**EVENT, **(event or {})}}, {"rate": 1, **pattern}, *others, {**PUT_EVENT, "rate": 1})
    return of(design, pattern["id"])


def test_one_item_has_no_pages():
    paging, retries = said({"id": "one", "kind": "get", "entity": "Event", "by": ["device", "time"]})
    assert paging == "One item: nothing to page."
    assert retries.startswith("Safe to repeat. Retry ThrottlingException")


def test_a_limit_is_the_page():
    paging, _ = said(LAST)
    # 10 x 500 bytes, eventually consistent
    assert paging == (
        "Ask with Limit 10: 1 read unit a page. The cursor is LastEvaluatedKey, handed back as ExclusiveStartKey. Stop"
        " when enough is found; no LastEvaluatedKey means the end, a short page does not."
    )


def test_a_long_list_gets_a_page_size_and_its_price():
    paging, _ = said({**LAST, "limit": None})
    # 1,000 events a device; 2^20 / 500 fit a page; 100 x 500 bytes are 12.2 steps of 4 KB, half price
    assert paging.startswith(
        "About 1,000 items of 500 bytes, and 2,097 fit the 1 MB of a page: ask with Limit 100 (6.5 read units)"
    )


def test_a_short_list_needs_none():
    paging, _ = said({**LAST, "limit": None}, event={"count": 20_000})
    assert paging.startswith("About 20 items, 9.8 KB: usually one page, no Limit needed.")


def test_a_filter_makes_short_pages():
    paging, _ = said({**LAST, "limit": None, "filter": {"kind": "param"}}, event={"count": 20_000})
    assert paging.endswith(
        "Limit counts before the filter, so pages can be short or empty: go on until no cursor is left."
    )


def test_a_list_of_ids_has_no_cursor():
    paging, _ = said({"id": "some", "kind": "batch", "entity": "Event", "by": ["device", "time"], "items": 40})
    assert paging == (
        "BatchGetItem, 100 keys a request, each key once; send UnprocessedKeys again after a pause. Replies come in any"
        " order: go by the ids."
    )


def test_what_a_list_leads_to_has_the_cursor_of_the_list():
    asked = {
        "id": "due",
        "kind": "query",
        "entity": "Project",
        "through": "Task",
        "by": "state",
        "sort": "due",
        "limit": 9,
    }
    design = app({"Project": PROJECT, "Task": TASK}, {**asked, "rate": 1})
    paging, _ = of(design, asked["id"])
    assert paging.startswith("Ask with Limit 9")
    assert "Then: What the entries of a page name, by BatchGetItem, 100 keys a request, each key once" in paging
    assert paging.endswith("the cursor are the list's; an entry whose item is gone leaves its page shorter.")


def test_shards_have_a_cursor_each():
    busy = {**PUT_EVENT, "id": "put", "rate": {"avg": 100, "peak": 4000}, "skew": {"hottest": 1.0}}
    design = app({"Event": EVENT}, {**LAST, "rate": 1}, busy)
    assert design.layout.reads["last"].shards == 6  # 4,000 / 700 = 5.7
    paging, _ = of(design, "last")
    assert "Ask all 6 partitions at once, each with its own cursor" in paging


@pytest.mark.parametrize(
    ("more", "says", "silent"),
    [
        ({}, "Retry ThrottlingException", "ConditionalCheckFailed"),
        ({"when": "kind = 'x'"}, "Not ConditionalCheckFailedException: that is an answer.", "compare the item"),
        ({"condition": "not exists"}, "the first one succeeded: compare the item.", "ClientRequestToken"),
        ({"transactional": True}, "Keep the ClientRequestToken over all attempts.", "compare the item"),
    ],
)
def test_retries_of_writes(more, says, silent):
    design = app({"Event": EVENT}, {**LAST, "rate": 1}, {**PUT_EVENT, "rate": 1, **more})
    paging, retries = of(design, "put")
    assert paging == ""
    assert says in retries
    assert silent not in retries


def test_a_read_in_two_steps_has_something_to_say_for_each():
    design = app(
        {
            "User": {
                "id": "userId",
                "attributes": {"userId": "string", "email": {"type": "string", "required": True}},
                "unique": ["email"],
            }
        },
        {"id": "one", "kind": "get", "entity": "User", "by": "userId", "rate": 10},
        {"id": "by-mail", "kind": "get", "entity": "User", "by": "email", "rate": 0.1},
        {"id": "join", "kind": "write", "op": "put", "entity": "User", "by": "userId", "rate": 100},
    )
    assert len(design.layout.form.reads["by-mail"]) == 2
    paging, _ = of(design, "by-mail")
    assert paging == "One item: nothing to page. Then: One item: nothing to page."


def test_what_adds_is_not_sent_again():
    event = {**EVENT, "attributes": {**EVENT["attributes"], "seen": "number"}}
    touch = {"id": "touch", "kind": "write", "op": "update", "entity": "Event", "by": ["device", "time"], "rate": 1}
    design = app({"Event": event}, {**LAST, "rate": 1}, {**touch, "changes": {"seen": {"add": 1}}})
    assert of(design, "touch")[1].endswith("do not send it again: it would add to seen twice.")
    design = app({"Event": event}, {**LAST, "rate": 1}, {**touch, "changes": ["kind"]})
    assert of(design, "touch")[1].endswith("that is an answer.")


def test_buckets_are_asked_one_after_the_other():
    design = app({"Event": EVENT}, {**LAST, "rate": 1}, {**PUT_EVENT, "rate": 1})
    read = msgspec.structs.replace(design.layout.reads["last"], for_each={BUCKET: ()})
    layout = msgspec.structs.replace(design.layout, reads={"last": read})
    paging, _ = of(msgspec.structs.replace(design, layout=layout), "last")
    assert "Ask bucket after bucket, the newest first" in paging

"""Small applications whose designs once failed their proof: each is designed and proven."""

from __future__ import annotations

from textwrap import dedent

import pytest
import yaml

from tablewright import tasks
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.spec.writes import effect_on

SPECS = {
    "an amount that is taken twice with one token": """
        entities:
          Product: {id: productId, attributes: {category: string, stock: {type: number, required: true}}, count: 1000}
        access_patterns:
          - {id: add, kind: write, op: put, entity: Product}
          - {id: one, kind: get, entity: Product, by: productId}
          - {id: low, kind: query, entity: Product, by: category, sort: stock, rate: 10}
          - {id: take, kind: write, op: update, entity: Product, by: productId, changes: {stock: {subtract: "{qty}"}},
              when: "stock >= {qty}", idempotent: true}
        """,
    "a delete that is sent twice with one token": """
        entities:
          User: {id: userId, attributes: {email: {required: true}}, unique: [email], count: 1000}
        access_patterns:
          - {id: add, kind: write, op: put, entity: User, condition: not exists}
          - {id: one, kind: get, entity: User, by: userId}
          - {id: drop, kind: write, op: delete, entity: User, by: userId, idempotent: true}
        """,
    "a hold of a seat that goes when the seat is sold": """
        entities:
          Seat: {id: seatId, attributes: {status: {values: [free, sold]}, row: string}, count: 1000}
          Hold: {id: holdId, attributes: {seatId: string, user: string}, count: 1000}
        access_patterns:
          - {id: add seat, kind: write, op: put, entity: Seat}
          - {id: hold, kind: write, op: put, entity: Hold}
          - {id: seat, kind: get, entity: Seat, by: seatId}
          - {id: one hold, kind: get, entity: Hold, by: holdId}
          - {id: holds, kind: query, entity: Hold, by: seatId, rate: 10}
          - {id: buy, kind: write, op: transact, by: [holdId, seatId],
              ops: {Hold: delete, Seat: {op: update, changes: {status: sold}}}}
        """,
    "a hold with something unique that may be gone": """
        entities:
          Seat: {id: seatId, attributes: {status: {values: [free, sold]}}, count: 1000}
          Hold: {id: holdId, attributes: {user: {required: true}}, unique: [user], count: 1000}
        access_patterns:
          - {id: add seat, kind: write, op: put, entity: Seat}
          - {id: hold, kind: write, op: put, entity: Hold}
          - {id: seat, kind: get, entity: Seat, by: seatId}
          - {id: buy, kind: write, op: transact, by: [holdId, seatId],
              ops: {Hold: delete, Seat: {op: update, changes: {status: sold}}}}
        """,
    "a like that is counted and may be gone": """
        entities:
          Post: {id: postId, attributes: {unlikes: number}, count: 1000}
          Like: {id: [postId, userId], attributes: {at: timestamp}, count: 1M}
        relationships:
          - {from: Post, to: Like, kind: "1:n", avg: 1000, max: 1M}
        access_patterns:
          - {id: add, kind: write, op: put, entity: Post}
          - {id: like, kind: write, op: put, entity: Like, condition: not exists}
          - {id: post, kind: get, entity: Post, by: postId}
          - {id: count, kind: query, entity: Like, by: postId, aggregate: count, rate: 100}
          - {id: unlike, kind: write, op: transact, by: [postId, userId],
              ops: {Like: delete, Post: {op: update, by: postId, changes: {unlikes: {add: 1}}}}}
        """,
    "a seat that is given an order it does not have yet": """
        entities:
          Seat: {id: seatId, attributes: {orderId: string, row: string}, count: 1000}
          Order: {id: orderId, attributes: {customerId: {required: true}}, count: 1000}
        access_patterns:
          - {id: seat, kind: get, entity: Seat, by: seatId}
          - {id: add seat, kind: write, op: put, entity: Seat}
          - {id: order, kind: get, entity: Order, by: orderId}
          - {id: book, kind: write, op: transact, by: [orderId, seatId],
              ops: {Order: {op: put, condition: not exists},
                    Seat: {op: update, changes: [orderId], when: attribute_not_exists(orderId)}}}
        """,
    "messages with the text that they answer, and issues with the title of their repository": """
        entities:
          Message: {id: messageId, attributes: {text: {required: true}, replyTo: {references: Message},
              room: {required: true}}, count: 1000}
          Repo: {id: [ownerName, repoName], attributes: {title: string}, count: 1000}
          Issue: {id: issueId, attributes: {ownerName: {required: true}, repoName: {required: true},
              label: {required: true}}, count: 1000}
        access_patterns:
          - {id: say, kind: write, op: put, entity: Message}
          - {id: messages, kind: query, entity: Message, by: room, returns: [messageId, text, replyTo.text]}
          - {id: open, kind: write, op: put, entity: Issue}
          - {id: issues, kind: query, entity: Issue, by: label, returns: [issueId, Repo.title]}
          - {id: found, kind: write, op: put, entity: Repo}
        """,
    "addresses that are unique and have but one letter to be like": """
        entities:
          User: {id: userId, attributes: {email: {required: true, validate: {pattern: "@"}}}, unique: [email],
              count: 1000}
        access_patterns:
          - {id: add, kind: write, op: put, entity: User, condition: not exists}
          - {id: one, kind: get, entity: User, by: email}
        """,
}


@pytest.mark.parametrize("name", SPECS)
def test_application_is_proven(name: str) -> None:
    spec = {"name": "app", **yaml.safe_load(dedent(SPECS[name]))}
    design = tasks.design(spec, quick=True, prove=True)
    assert design.proof is not None
    assert design.proof.passed
    assert min(design.proof.items.values()) > 20


def test_what_a_transaction_gives_an_item_is_not_what_finds_it() -> None:
    spec = {"name": "app", **yaml.safe_load(dedent(SPECS["a seat that is given an order it does not have yet"]))}
    facts = assume(read_spec(spec))
    booking = next(each for each in facts.spec.patterns if each.id == "book")
    assert effect_on(facts, booking, "Seat").by == ("seatId",)

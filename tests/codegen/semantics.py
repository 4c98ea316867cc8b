"""Small designs whose patterns say more than put and get: amounts, conditions, versions, cascades, absent values."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design

if TYPE_CHECKING:
    from tablewright.design.model import Design

SPECS: dict[str, str] = {
    "shop": """
name: shop
entities:
  Product:
    id: sku
    attributes:
      name: {required: true}
      stock: {type: integer, required: true}
      sold: integer
      state: {values: [open, closed]}
    version: true
  Order:
    id: orderId
    attributes:
      sku: {required: true, immutable: true}
      qty: {type: integer, required: true}
      at: {type: timestamp, required: true, immutable: true}
access_patterns:
  - {id: product, kind: get, entity: Product, by: sku}
  - {id: of product, kind: query, entity: Order, by: sku, sort: at desc, limit: 5}
  - {id: some, kind: batch, entity: Product, by: sku, items: 20}
  - {id: add, kind: write, op: put, entity: Product, by: sku}
  - {id: close, kind: write, op: update, entity: Product, by: sku, changes: {state: closed, sold: {remove: true}}}
  - id: buy
    kind: write
    op: transact
    by: [orderId, sku]
    idempotent: true
    ops:
      Order: {op: put, condition: not exists}
      Product: {op: update, changes: {stock: {add: "-{qty}"}, sold: {add: "{qty}"}}, when: "stock >= {qty}"}
""",
    "likes": """
name: likes
entities:
  User: {id: userId, attributes: {handle: {required: true}, name: string}}
  Team: {id: teamId, attributes: {handle: {required: true}}}
  Post: {id: postId, attributes: {userId: {required: true, immutable: true}, likes: integer, text: {required: true}}}
  Like: {id: [postId, userId], attributes: {at: {type: timestamp, required: true, immutable: true}}}
unique: [[User.handle, Team.handle]]
relationships:
  - {from: User, to: Post, kind: "1:n", avg: 3, max: 100, cascade: true}
  - {from: Post, to: Like, kind: "1:n", avg: 3, max: 100, cascade: true, integrity: checked}
access_patterns:
  - {id: post, kind: get, entity: Post, by: postId}
  - {id: user, kind: get, entity: User, by: userId}
  - {id: posts, kind: query, entity: Post, by: userId}
  - {id: likes, kind: query, entity: Like, by: postId, sort: at desc}
  - {id: join, kind: write, op: put, entity: User, by: userId, condition: not exists}
  - {id: found, kind: write, op: put, entity: Team, by: teamId}
  - {id: rename, kind: write, op: update, entity: User, by: userId, changes: [handle, name]}
  - {id: write, kind: write, op: put, entity: Post, by: postId}
  - id: like
    kind: write
    op: transact
    by: [postId, userId]
    ops: {Like: {op: put, condition: not exists}, Post: {op: update, changes: {likes: {add: 1}}}}
  - {id: leave, kind: write, op: delete, entity: User, by: userId}
""",
    "tasks": """
name: tasks
entities:
  List: {id: listId, attributes: {title: {required: true}}}
  Task:
    id: [listId, taskId]
    attributes: {title: {required: true}, dueAt: {type: timestamp, presence: 60%}, spent: number}
    ttl: 30d
relationships:
  - {from: List, to: Task, kind: "1:n", avg: 5, max: 1000, cascade: true}
access_patterns:
  - {id: by date, kind: query, entity: Task, by: listId, sort: dueAt}
  - {id: next, kind: query, entity: Task, by: listId, sort: dueAt, limit: 3}
  - {id: last, kind: query, entity: Task, by: listId, sort: dueAt desc, absent: first, limit: 4}
  - {id: board, kind: query, entities: [List, Task], by: listId, limit: {Task: 2}}
  - {id: put list, kind: write, op: put, entity: List, by: listId}
  - {id: put task, kind: write, op: put, entity: Task, by: [listId, taskId]}
  - id: work
    kind: write
    op: update
    entity: Task
    by: [listId, taskId]
    changes: {spent: {add: "{hours}"}, dueAt: {given: true}}
  - {id: drop, kind: write, op: delete, entity: List, by: listId}
""",
}
NAMES = tuple(SPECS)


@cache
def semantic(name: str, style: str = "electrodb") -> Design:
    constraints: Any = {"key_style": style}
    return design(f"{SPECS[name]}constraints: {constraints}\n")

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
  - {id: running out, kind: query, entity: Product, by: state, sort: stock}
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
  - {id: disband, kind: write, op: delete, entity: Team, by: teamId, idempotent: true}
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
    "rules": """
name: rules
entities:
  Customer:
    id: customerId
    attributes:
      customerId: {validate: {pattern: "^C[0-9]{6}$"}}
      email: {required: true, validate: {pattern: "^[^@ ]+@[^@ ]+[.][a-z]{2,}$", max_length: 60}}
      tier: {values: [basic, gold], default: basic}
  Order:
    id: orderId
    attributes:
      customerId: {required: true, validate: {pattern: "^C[0-9]{6}$"}}
      status: {values: [open, paid], default: open}
      priority: {type: integer, default: 3, validate: {min: 1, max: 5}}
      gift: {type: boolean, default: false}
      note: {validate: {min_length: 2, max_length: 40}}
  Line:
    id: [orderId, lineNo]
    attributes:
      lineNo: {type: integer, validate: {min: 1, max: 999}}
      sku: {required: true, validate: {pattern: "^[A-Z]{3}-[0-9]+$"}}
      quantity: {type: integer, default: 1, validate: {min: 1, max: 100}}
relationships:
  - {from: Order, to: Line, kind: "1:n", avg: 3, max: 50}
access_patterns:
  - {id: customer, kind: get, entity: Customer, by: customerId}
  - {id: open, kind: query, entity: Order, by: status}
  - {id: order, kind: query, entities: [Order, Line], by: orderId}
  - {id: join, kind: write, op: put, entity: Customer, by: customerId, condition: not exists}
  - {id: place, kind: write, op: transact, by: orderId, ops: {Order: {op: put, condition: not exists}, Line: put}}
  - {id: change, kind: write, op: update, entity: Order, by: orderId, changes: [status, priority, note]}
  - {id: replace line, kind: write, op: put, entity: Line, by: [orderId, lineNo]}
""",
    "marks": """
name: marks
entities:
  Mark:
    id: [pupil, subject]
    attributes:
      mark: {type: integer, required: true, validate: {min: 1, max: 6}}
      term: {values: [first, second], default: first}
      remark: {validate: {max_length: 20}}
      at: {type: timestamp, required: true}
access_patterns:
  - {id: of, kind: query, entity: Mark, by: pupil}
  - {id: give, kind: write, op: put, entity: Mark, by: [pupil, subject]}
  - {id: mend, kind: write, op: update, entity: Mark, by: [pupil, subject], changes: [mark, remark]}
""",
    "weather": """
name: weather
entities:
  Reading:
    id: readingId
    attributes:
      place: {required: true, immutable: true}
      degrees: {type: number, required: true}
      at: {type: timestamp, required: true, immutable: true}
  Depth:
    id: [lake, metres]
    attributes: {metres: {type: number, required: true}, salt: {type: number, required: true}}
access_patterns:
  - {id: reading, kind: get, entity: Reading, by: readingId, rate: 100}
  - {id: coldest, kind: query, entity: Reading, by: place, sort: degrees}
  - {id: warmest, kind: query, entity: Reading, by: place, sort: degrees desc, limit: 3}
  - {id: warm and late, kind: query, entity: Reading, by: place, sort: [degrees, at]}
  - {id: mild, kind: query, entity: Reading, by: place, range: {attr: degrees, op: between}, sort: degrees}
  - {id: above, kind: query, entity: Reading, by: place, range: {attr: degrees, op: gt}, sort: degrees}
  - {id: at most, kind: query, entity: Reading, by: place, range: {attr: degrees, op: lte}, sort: degrees}
  - {id: below, kind: query, entity: Reading, by: place, range: {attr: degrees, op: lt}, sort: degrees}
  - {id: just so, kind: query, entity: Reading, by: [place, degrees]}
  - {id: depth, kind: get, entity: Depth, by: [lake, metres]}
  - {id: depths, kind: query, entity: Depth, by: lake, sort: metres desc}
  - {id: measure, kind: write, op: put, entity: Reading, by: readingId}
  - {id: correct, kind: write, op: update, entity: Reading, by: readingId, changes: [degrees]}
  - {id: forget, kind: write, op: delete, entity: Reading, by: readingId}
  - {id: sound, kind: write, op: put, entity: Depth, by: [lake, metres]}
""",
}
NAMES = tuple(SPECS)


@cache
def semantic(name: str, style: str = "electrodb") -> Design:
    constraints: Any = {"key_style": style}
    return design(f"{SPECS[name]}constraints: {constraints}\n")

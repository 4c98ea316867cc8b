"""The spec that `tablewright init` writes: small, complete, and with a word on everything that can be said."""

from __future__ import annotations

STARTER = """\
# What your application stores and what it asks. Then: tablewright design <this file>
# Everything but entities and access_patterns may be left out; the design lists what it assumed instead.
name: book-club
title: A book club where members review books

# ---- What is stored ---------------------------------------------------------------------------------------------
# id tells items apart. Types: string number boolean timestamp binary map list set any; a timestamp is ISO 8601 text.
# An attribute is a type, or {type, values: [a, b], size_bytes, max, cardinality, required, presence, immutable}.
# count is the number of items after the first month; growth_per_month what is added; ttl: {days: 30} lets them expire.
entities:
  Member:
    id: [memberId]
    attributes:
      memberId: string
      email: {type: string, required: true}
      name: {type: string, required: true}
      joinedAt: timestamp
    unique: [[email]]               # no two members share it
    count: 20000
  Book:
    id: [bookId]
    attributes:
      bookId: string
      title: {type: string, required: true, size_bytes: 60}
      genre: {type: string, values: [novel, science, history, poetry], required: true}
      publishedOn: {type: timestamp, required: true}
    count: 5000
    growth_per_month: 100
  Review:
    id: [bookId, memberId]          # a member reviews a book once
    attributes:
      bookId: string
      memberId: string
      stars: {type: number, required: true}
      text: {type: string, size_bytes: 600, max: 4000}
      writtenAt: {type: timestamp, required: true, immutable: true}
    count: 100000
    growth_per_month: 10000

# ---- How it belongs together ------------------------------------------------------------------------------------
# kind: one-to-one | one-to-many | many-to-many (via: the entity between them). avg, p99, max: children of a parent.
relationships:
  - {from: Book, to: Review, kind: one-to-many, avg: 20, max: 2000, cascade: true}
  - {from: Member, to: Review, kind: one-to-many, avg: 5, max: 500}

# ---- What is asked and done -------------------------------------------------------------------------------------
# kind: get (at most one item) | query | batch (many ids) | write (with op: put | update | delete | transact)
# by: what the caller knows; range: {attr, op: between|gte|lte|gt|lt|begins_with}; sort: attr desc; limit; filter
# a put replaces what has its id, unless it says condition: not exists; when: "stars < {stars}" is any other condition
# changes: [stars, text], or what becomes of each: {likes: {add: 1}, status: closed, due: {remove: true}}
# rate: requests a second, or {avg, peak}; skew: uniform | zipf | {hottest: 0.2}; consistency: strong
access_patterns:
  - {id: AP1, description: a member by id, kind: get, entity: Member, by: [memberId], rate: {avg: 20, peak: 80}}
  - {id: AP2, description: a member by e-mail at login, kind: get, entity: Member, by: [email], rate: 2}
  - {id: AP3, description: books of a genre newest first, kind: query, entity: Book, by: [genre],
      sort: publishedOn desc, limit: 25, rate: 10}
  - {id: AP4, description: a book with its reviews, kind: query, entities: [Book, Review], by: [bookId],
      rate: {avg: 30, peak: 120}, skew: zipf}
  - {id: AP5, description: what a member wrote newest first, kind: query, entity: Review, by: [memberId],
      sort: writtenAt desc, limit: 20, rate: 5}
  - {id: AP6, description: join the club, kind: write, op: put, entity: Member, by: [memberId],
      condition: not exists, rate: 0.002}
  - {id: AP7, description: add a book, kind: write, op: put, entity: Book, by: [bookId], rate: 0.0001}
  - {id: AP8, description: review a book, kind: write, op: put, entity: Review, by: [bookId, memberId],
      rate: {avg: 0.004, peak: 0.1}}
  - {id: AP9, description: change the stars and text of a review, kind: write, op: update, entity: Review,
      by: [bookId, memberId], changes: [stars, text], rate: 0.001}

# ---- What the design must keep to -------------------------------------------------------------------------------
# These are the defaults. tables: single | several | any; key_style: electrodb | plain; budget: dollars a month
constraints:
  max_gsis: 20
  tables: single
"""

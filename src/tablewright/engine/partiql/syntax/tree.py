"""A statement as it was read, before anyone asks what it means: small frozen nodes.

Expressions are `Tree`s, whose kind is a token's (`name`, `quoted`, `string`, `number`, `true`, `false`, `null`,
`missing`, `?`, `ion`), a sign's or operator's (`and`, `or`, `not`, `=`, `in`, `between`, `is`, `+`, ...) or one of
`list`, `bag`, `struct` (keys and values in turn), `call`, `path` and `statement`. The steps of a path are `field`,
`index`, `wildcard` and `unpivot`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablewright.engine.partiql.syntax.tokens import Token


class Tree(msgspec.Struct, frozen=True):
    kind: str
    token: Token
    parts: tuple[Tree, ...] = ()
    statement: Any = None


class Source(msgspec.Struct, frozen=True):
    """Where a statement looks: the tree after FROM or UPDATE."""

    tree: Tree
    aliased: bool = False
    joined: bool = False


class Select(msgspec.Struct, frozen=True, kw_only=True):
    """`columns` is None for `*`."""

    columns: tuple[Tree, ...] | None
    source: Source
    where: Tree | None = None
    order: tuple[tuple[Tree, str], ...] | None = None
    unsupported: tuple[str, Token] | None = None
    """A clause DynamoDB does not know, and where its value stands."""
    shape: str = ""
    """`value` or `pivot` when the projection is one of these, `aliased` when a column has another name."""


class Insert(msgspec.Struct, frozen=True, kw_only=True):
    """`single` is whether it was written with VALUE."""

    source: Source
    value: Tree
    single: bool = True
    refused: str = ""


class Assign(msgspec.Struct, frozen=True):
    path: Tree
    value: Tree


class Unset(msgspec.Struct, frozen=True):
    path: Tree


class Update(msgspec.Struct, frozen=True, kw_only=True):
    source: Source
    actions: tuple[Assign | Unset | Insert, ...]
    where: Tree | None = None
    returning: Returning | None = None


class Delete(msgspec.Struct, frozen=True, kw_only=True):
    source: Source
    where: Tree | None = None
    returning: Returning | None = None


class Returning(msgspec.Struct, frozen=True):
    """`what` is one of all_old, all_new, modified_old, modified_new; there may be several and other than `*`."""

    what: str
    star: bool = True
    several: bool = False

"""Least privilege: the actions that the design's patterns use, on the table and the indexes they use, and no more.

Where the design has tenants, a second policy lets a principal reach only partition keys that begin with its own tag.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tablewright.codegen.names import physical_name
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemKeys

ACTIONS = {
    "GetItem": "dynamodb:GetItem",
    "Query": "dynamodb:Query",
    "BatchGetItem": "dynamodb:BatchGetItem",
    "PutItem": "dynamodb:PutItem",
    "UpdateItem": "dynamodb:UpdateItem",
    "DeleteItem": "dynamodb:DeleteItem",
    "ConditionCheck": "dynamodb:ConditionCheckItem",
}
TAG = re.compile(r"[A-Za-z0-9_.:/=+@-]{1,128}")
"""What a tag may be called; any other name would say something else inside of a policy."""
READS = ("dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query")


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """Actions on a table, or on one of its indexes; `leading_keys` limits the partition keys."""

    table: str
    index: str | None = None
    actions: tuple[str, ...]
    leading_keys: tuple[str, ...] = ()
    replicas: tuple[str, ...] = ()  # other regions, in which the same is allowed


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str
    statements: tuple[Statement, ...]


def policies_of(design: Design) -> tuple[Policy, ...]:
    name = physical_name(design.name)
    used = _statements_of(design)
    reading = tuple(
        msgspec.structs.replace(each, actions=kept)
        for each in used
        if (kept := tuple(action for action in each.actions if action in READS))
    )
    found = [
        Policy(name=f"{name}-service", description="Everything the access patterns do.", statements=used),
        Policy(name=f"{name}-read", description="The reading access patterns.", statements=reading),
    ]
    tenant = _tenant_attribute(design)
    if tenant is not None:
        scoped = tuple(_tenant_statements(design, used, tenant))
        words = f"What one tenant may reach: keys of the {tenant} in the principal's tag of that name."
        found.append(Policy(name=f"{name}-tenant", description=words, statements=scoped))
    return tuple(each for each in found if each.statements)


def _statements_of(design: Design) -> tuple[Statement, ...]:
    actions: dict[tuple[str, str | None], set[str]] = {}
    for pattern in design.patterns:
        for read in pattern.reads:
            actions.setdefault((physical_name(read.table), read.index), set()).add(ACTIONS[read.operation])
        for write in pattern.writes:
            actions.setdefault((physical_name(write.table), None), set()).add(ACTIONS[write.operation])
    ordered = sorted(actions.items(), key=lambda pair: (pair[0][0], pair[0][1] or ""))
    replicas = tuple(each.region for each in design.cost.regions[1:])
    return tuple(
        Statement(table=table, index=index, actions=tuple(sorted(found)), replicas=replicas)
        for (table, index), found in ordered
    )


# ---- tenants --------------------------------------------------------------------------------------------------------


def _tenant_attribute(design: Design) -> str | None:
    """The attribute that the spec calls the tenant, if one does for all patterns that name any."""
    named = sorted({each.tenant for each in read_spec(design.spec).patterns if each.tenant})
    return named[0] if len(named) == 1 and TAG.fullmatch(named[0]) else None


def _tenant_statements(design: Design, used: tuple[Statement, ...], tenant: str) -> Iterator[Statement]:
    for each in used:
        keys = sorted({key for item in _keys_at(design, each) if (key := _leading_key(item, tenant)) is not None})
        if keys:
            yield msgspec.structs.replace(each, leading_keys=tuple(keys))


def _keys_at(design: Design, statement: Statement) -> Iterator[ItemKeys]:
    for item in design.items:
        if physical_name(item.table) == statement.table:
            yield from (keys for keys in item.keys if keys.index == statement.index)


def _leading_key(keys: ItemKeys, tenant: str) -> str | None:
    """The partition keys of a tenant as a pattern; None where the tenant does not come first in the key."""
    template = keys.pk[0].template
    if template.names[:1] != (tenant,):
        return None
    _, is_followed = template.until(0)
    return f"{escape_pattern(template.stem)}${{aws:PrincipalTag/{tenant}}}{'#*' if is_followed else ''}"


def escape_pattern(text: str) -> str:
    """In a pattern of IAM stars, question marks and dollars stand for others, unless they are written so."""
    return re.sub(r"[*?$]", lambda found: f"${{{found.group()}}}", text)

"""A draft of a spec, inferred from another format: its parts, each with a remark on its origin or what to check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.model import AttributeType, PatternKind, RelationshipKind, WriteOp

if TYPE_CHECKING:
    from collections.abc import Iterable


class DraftAttribute(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    type: AttributeType = "string"
    values: tuple[str, ...] = ()
    required: bool = False
    immutable: bool = False
    max_bytes: int | None = None
    remark: str = ""


class DraftEntity(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    id: tuple[str, ...]
    attributes: tuple[DraftAttribute, ...]
    unique: tuple[tuple[str, ...], ...] = ()
    ttl_days: float | None = None
    remark: str = ""

    def attribute(self, name: str) -> DraftAttribute | None:
        return next((each for each in self.attributes if each.name == name), None)


class DraftRelationship(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    target: str
    kind: RelationshipKind = "one-to-many"
    via: str | None = None
    by: tuple[str, ...] = ()
    cascade: bool = False
    remark: str = ""


class DraftPattern(msgspec.Struct, frozen=True, kw_only=True):
    description: str
    kind: PatternKind
    op: WriteOp | None = None
    entities: tuple[str, ...]
    by: tuple[str, ...] = ()
    range_attr: str | None = None
    sort: tuple[tuple[str, str], ...] = ()
    limit: int | None = None
    changes: tuple[str, ...] = ()
    remark: str = ""

    @property
    def question(self) -> tuple[Any, ...]:
        """What makes two patterns the same; a pattern that sorts answers the one that does not as well."""
        return (self.kind, self.op, self.entities, frozenset(self.by), self.range_attr)


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str = ""
    origin: str
    entities: tuple[DraftEntity, ...]
    relationships: tuple[DraftRelationship, ...] = ()
    patterns: tuple[DraftPattern, ...]
    remarks: tuple[str, ...] = ()


def drop_repeats(patterns: Iterable[DraftPattern]) -> tuple[DraftPattern, ...]:
    """Patterns without duplicates: the first of equal ones, preferably one that sorts."""
    found: dict[tuple[Any, ...], DraftPattern] = {}
    for each in patterns:
        known = found.get(each.question)
        if known is None or (each.sort and not known.sort):
            found[each.question] = each
    return tuple(found.values())


def writes_of(entity: DraftEntity, fixed: Iterable[str] = (), *, changing: bool = True) -> Iterable[DraftPattern]:
    """A put, and an update of the attributes that may change."""
    thing = singular_phrase(entity.name)
    by, kept = entity.id, {*entity.id, *fixed}
    changes = tuple(each.name for each in entity.attributes if each.name not in kept and not each.immutable)
    yield DraftPattern(description=f"add {thing}", kind="write", op="put", entities=(entity.name,), by=by)
    if changes and changing:
        yield DraftPattern(
            description=f"change {thing}", kind="write", op="update", entities=(entity.name,), by=by, changes=changes
        )


# ---- names ----------------------------------------------------------------------------------------------------------

SINGULARS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("zzes", "zz"))
KEPT = ("ss", "us", "is", "news", "series")


def singular(word: str) -> str:
    """Of an English plural, as tables and endpoints are called."""
    lower = word.lower()
    for plural, single in SINGULARS:
        if lower.endswith(plural):
            return word[: -len(plural)] + single
    return word[:-1] if lower.endswith("s") and not lower.endswith(KEPT) else word


def words_of(name: str) -> list[str]:
    parted = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [each for each in re.split(r"[^A-Za-z0-9]+", parted) if each]


def entity_name(name: str) -> str:
    """`order_items` is stored as OrderItem."""
    *first, last = words_of(name) or ["Item"]
    return "".join(word[:1].upper() + word[1:] for word in (*first, singular(last)))


def split_name(name: str) -> str:
    return " ".join(words_of(name)).lower()


def singular_phrase(name: str) -> str:
    """`an order item`."""
    thing = split_name(name)
    return f"{'an' if thing[:1] in 'aeio' else 'a'} {thing}"


def plural_phrase(name: str) -> str:
    thing = split_name(name)
    if thing.endswith(("s", "x", "ch", "sh")):
        return f"{thing}es"
    return f"{thing[:-1]}ies" if thing.endswith("y") and thing[-2:-1] not in "aeiou" else f"{thing}s"


def join_names(names: Iterable[str]) -> str:
    return " and ".join(split_name(each) for each in names)

"""What large attributes may be: whole attributes that no key, no index condition and no other feature reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.schema.check.faults import refuse
from tablewright.schema.types import Free, ListOf, MapOf, OneOf, RecordOf, Scalar

if TYPE_CHECKING:
    from tablewright.schema.features import Large
    from tablewright.schema.model import Entity
    from tablewright.schema.types import Attribute

COMPRESSIONS = ("zlib", "zstd")
LEAST_OFFLOADED_BYTES = 512
"""A reference takes about 200 bytes itself."""


def check_large(entity: Entity) -> None:
    names = [each.attribute for each in entity.features.large]
    for large in entity.features.large:
        attribute = entity.attribute(large.attribute)
        if attribute is None or names.count(large.attribute) > 1:
            known = ", ".join(each.name for each in entity.attributes)
            problem = f'"{large.attribute}" is declared as large, but is no attribute (or named twice)'
            refuse(entity, 1009, problem, f"Name each once; known are {known}")
        _check_options(entity, large, attribute)
        _check_type(entity, attribute)
        _check_use(entity, attribute)


def _check_options(entity: Entity, large: Large, attribute: Attribute) -> None:
    if large.offload_bytes is None and large.compress is None:
        refuse(entity, 1009, "it is declared as large without saying how", "Give offload or compress", part=attribute)
    if large.compress is not None and large.compress not in COMPRESSIONS:
        refuse(entity, 1009, f"there is no compression {large.compress!r}", 'Use "zlib" or "zstd"', part=attribute)
    least: Any = large.offload_bytes  # not everybody checks types
    if least is not None and (type(least) is not int or least < LEAST_OFFLOADED_BYTES):
        remedy = f"Give a number of bytes of at least {LEAST_OFFLOADED_BYTES}, such as 100_000; a reference has 200"
        refuse(entity, 1009, f"it is to be offloaded above {least!r} bytes", remedy, part=attribute)


def _check_type(entity: Entity, attribute: Attribute) -> None:
    kind = attribute.type
    is_whole = isinstance(kind, Free | ListOf | MapOf | RecordOf | OneOf) and kind != Free("static")
    if not is_whole and kind not in (Scalar("string"), Scalar("binary")):
        remedy = "Texts, bytes, lists and maps can be large; numbers, constants and sets are stored as they are"
        refuse(entity, 1009, "its values cannot be offloaded or compressed", remedy, part=attribute)


def _check_use(entity: Entity, attribute: Attribute) -> None:
    """DynamoDB sees a reference or compressed bytes, so nothing that it compares or sorts by may be large."""
    for pattern in entity.patterns:
        if attribute.name in (*pattern.composites, *(pattern.depends_on or ())):
            problem = f'it is large, but the keys of "{pattern.name}" depend on it'
            refuse(entity, 1009, problem, "Keys are made of small values; use another attribute", part=attribute)
    features = entity.features
    if any(attribute.name in group for group in features.unique):
        remedy = "Keep a hash of it in an attribute of its own, and make that unique"
        refuse(entity, 1009, "it is large and cannot be unique", remedy, part=attribute)

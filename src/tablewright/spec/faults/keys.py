"""Values that stand in keys and that keys cannot hold: they would be refused only when somebody writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import DesignError
from tablewright.spec.holding import most_bytes, unholdable
from tablewright.wire.limits import MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.faults.place import SpecFault
    from tablewright.spec.model import EntitySpec, Spec

REMEDY = (
    "keys in ElectroDB's form hold texts without #. Leave out key_style: electrodb, and keys are written so that they"
    " hold it"
)


def key_faults(place: str, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    for name, (why, most) in _in_keys(entity, spec).items():
        attribute = entity.attributes.get(name)
        if attribute is None:
            continue
        at = f"{place}.attributes.{name}"
        for field, wrong in unholdable(spec, attribute):
            yield f"{at}.{field}", f"{wrong}, and {why}: {REMEDY}, or say otherwise what it is."
        longest = most_bytes(attribute)
        if longest > most:
            field = "max" if attribute.max_bytes == longest else "validate.max_length"
            yield (
                f"{at}.{field}",
                f"{longest:,} bytes, and {why}: a key there takes {most:,}. Ask by something shorter, such as a hash.",
            )
    ids = [entity.attributes[name] for name in entity.id if name in entity.attributes]
    whole = sum(map(most_bytes, ids))
    if len(ids) > 1 and whole > MAX_PARTITION_KEY_BYTES + MAX_SORT_KEY_BYTES:
        yield f"{place}.id", f"up to {whole:,} bytes together, and both keys of a table take 3,072."


def check_keys(spec: Spec) -> None:
    """Raises what keys of the spec's style cannot hold."""
    found = [
        f"{place}: {fault}"
        for name, entity in spec.entities.items()
        for place, fault in key_faults(f"entities.{name}", entity, spec)
    ]
    if found:
        raise DesignError("\n".join(found))


def _in_keys(entity: EntitySpec, spec: Spec) -> dict[str, tuple[str, int]]:
    """What nothing but a key can serve: with the reason, and how many bytes there may be."""
    found: dict[str, tuple[str, int]] = {}
    for name in entity.id:
        found[name] = ("it is in the id", MAX_PARTITION_KEY_BYTES)
    for name in (name for group in entity.unique for name in group):
        found.setdefault(name, ("it is unique", MAX_PARTITION_KEY_BYTES))
    for pattern in spec.reads:
        if pattern.entities != (entity.name,) or pattern.search is not None or pattern.through is not None:
            continue
        if len(pattern.by) == 1:
            found.setdefault(pattern.by[0], (f"{pattern.id} asks by it", MAX_PARTITION_KEY_BYTES))
        for name in (each.attr for each in pattern.sort if each.attr not in pattern.by):
            found[name] = (f"{pattern.id} sorts by it", MAX_SORT_KEY_BYTES)
    return found

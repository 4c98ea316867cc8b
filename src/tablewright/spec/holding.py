"""What a key cannot hold: it is said of the values themselves, so that nobody has to write one to find out.

Keys in ElectroDB's form are texts with `#` between their parts, which therefore have none. Plain ones escape what they
have to. Neither is longer than DynamoDB takes. The first are taken where nothing else is said, and where they hold all
there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tablewright.wire.limits import MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.model import AttributeSpec, EntitySpec, Spec

DELIMITER = "#"


def with_holding_keys(spec: Spec) -> Spec:
    """Where nobody says how keys are written: plain, if something that is asked by could not be held otherwise."""
    wanted = ((entity, name) for entity in spec.entities.values() for name in _asked_by(spec, entity))
    if not any(any(unholdable(spec, entity.attributes[name])) for entity, name in wanted):
        return spec
    return replace(spec, constraints=replace(spec.constraints, key_style="plain"))


def _asked_by(spec: Spec, entity: EntitySpec) -> set[str]:
    """The attributes of an entity that may stand in a key."""
    found = {*entity.id, *(name for group in entity.unique for name in group)}
    for pattern in spec.reads:
        if entity.name in pattern.entities:
            ranged = () if pattern.range is None else (pattern.range.attr,)
            found |= {*pattern.by, *ranged, *(each.attr for each in pattern.sort)}
    return found & entity.attributes.keys()


def unholdable(spec: Spec, attribute: AttributeSpec) -> Iterator[tuple[str, str]]:
    """Each field that says of values that composed keys of the spec's style cannot hold them, with what it says."""
    if spec.constraints.key_style == "plain" or attribute.type not in ("string", "any"):
        return
    if isinstance(attribute.default, str) and DELIMITER in attribute.default:
        yield "default", f'"{attribute.default}" holds {DELIMITER}, where a key\'s next part begins'
    for value in attribute.values:
        if DELIMITER in value:
            yield "values", f'"{value}" holds {DELIMITER}, where a key\'s next part begins'


def most_bytes(attribute: AttributeSpec) -> int:
    """The longest value that is allowed for; 0 where nothing says it. A character is a byte at least."""
    if attribute.type not in ("string", "any", "binary"):
        return 0
    longest = None if attribute.validate is None else attribute.validate.max_length
    said = [each for each in (attribute.max_bytes, longest) if each is not None]
    return min(said, default=0)


def fits(entity: EntitySpec, partition: Iterable[str], sort: Iterable[str]) -> bool:
    """Whether keys of these attributes are never too long, as far as lengths are said."""
    places = ((partition, MAX_PARTITION_KEY_BYTES), (sort, MAX_SORT_KEY_BYTES))
    return all(sum(most_bytes(entity.attributes[name]) for name in names) <= most for names, most in places)

"""Regions that contradict each other: a home that is not the first, one that is named twice, callers from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.faults.place import SpecFault
    from tablewright.spec.model import Spec


def region_faults(spec: Spec) -> Iterator[SpecFault]:
    if spec.regions and spec.region not in (None, spec.regions[0]):
        yield (
            "region",
            (
                f"the home region is {spec.region} here and {spec.regions[0]} in regions, whose first is home;"
                " leave `region` out, or put it first there."
            ),
        )
    for name in dict.fromkeys(spec.regions):
        if spec.regions.count(name) > 1:
            yield "regions", f"{name} stands there twice; a table has one replica in a region."
    for at, pattern in enumerate(spec.patterns):
        yield from _caller_faults(f"access_patterns[{at}].regions", pattern.regions, spec)


def _caller_faults(place: str, named: tuple[str, ...], spec: Spec) -> Iterator[SpecFault]:
    """A pattern is called where a replica is."""
    if named and not spec.regions:
        yield place, "the spec has no regions; list those of its replicas in `regions` at the top, or leave this out."
        return
    for name in named:
        if name not in spec.regions:
            known = ", ".join(spec.regions)
            yield place, f"there is no replica in {name}.{nearest(name, spec.regions)} There are: {known}."
